"""A column that is pushed in and let out along any way, against the integral of its curve and the square of its return.

Pressures and work are formed here from the knots alone: P by interpolation, W by the trapezoidal rule over the knots,
which is exact between them. A first touch builds up as P(d) - P(0) exp(-d / l), whatever was let out on the way.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from centrode.dynamics.contact import structure_contract
from centrode.dynamics.contact.structure_contract import press, pressure_at
from centrode.parts.structures.column import COLUMN, CURVE
from centrode.parts.structures.structure import SIDES, Structure


class Reference:
    """Pressure and work per area of a column that was pushed in to a depth for the first time."""

    def __init__(self, structure, side):
        curve = structure.curve(side, 1.0)
        far = curve.crush[-1] + 10.0
        self.crush = np.append(curve.crush, far)
        self.force = np.append(curve.pressure, curve.pressure[-1] + 10.0 * curve.beyond)
        self.ramp = structure.ramp

    def pressure(self, depth):
        return np.interp(depth, self.crush, self.force) - self.force[0] * np.exp(-depth / self.ramp)

    def work(self, depth):
        knots = np.minimum(self.crush, np.asarray(depth)[..., None])
        whole = np.trapezoid(np.interp(knots, self.crush, self.force), knots)
        return whole - self.force[0] * self.ramp * (1.0 - np.exp(-depth / self.ramp))

    def way_out(self, deepest, depth, recovered):
        """Pressure and stored energy at a depth when e^2 of the work is given back as p z^2."""
        p, w = self.pressure(deepest), self.work(deepest)
        stroke = np.minimum(3.0 * recovered * w / p, deepest)
        z = np.maximum(1.0 - (deepest - depth) / stroke, 0.0)
        return p * z**2, p * stroke * z**3 / 3.0


def look_up(structure, side, way, recovered):
    """What :func:`press` should answer, all at once."""
    reference, middles = Reference(structure, side), 0.5 * (way[1:] + way[:-1])
    deepest = np.maximum.accumulate(way)[:-1]
    loads = middles >= deepest
    safe = np.where(loads, 1.0, deepest)
    pressures = np.where(loads, reference.pressure(middles), reference.way_out(safe, middles, recovered)[0])
    return pressures, float(reference.way_out(way.max(), way[-1], recovered)[1])


def a_structure(**given):
    return Structure("structure", **given)


@pytest.mark.parametrize("side", range(len(SIDES)))
@pytest.mark.parametrize("share", [0.05, 0.8, 1.7])
def test_once_in_and_out(side, share):
    """Up to beyond the limit, where the core hardens; half of the way out and all of it."""
    structure = a_structure()
    reference, deep, recovered = Reference(structure, side), share * structure.limit[side], 0.3**2
    way_in = np.linspace(0.0, deep, 13)
    pressures, stored = press(structure, side, way_in, recovered)
    middles = 0.5 * (way_in[1:] + way_in[:-1])
    np.testing.assert_allclose(pressures, reference.pressure(middles), rtol=1e-12)
    assert stored == pytest.approx(recovered * reference.work(deep), rel=1e-12)
    stroke = 3.0 * recovered * reference.work(deep) / reference.pressure(deep)
    out = np.linspace(deep, deep - 0.5 * stroke, 9)
    pressures, stored = press(structure, side, np.concatenate([way_in, out[1:]]), recovered)
    expected = [reference.way_out(deep, depth, recovered)[0] for depth in 0.5 * (out[1:] + out[:-1])]
    np.testing.assert_allclose(pressures[len(way_in) - 1 :], expected, rtol=1e-10)
    assert stored == pytest.approx(reference.way_out(deep, out[-1], recovered)[1], rel=1e-10)
    assert stored == pytest.approx(recovered * reference.work(deep) / 8.0, rel=1e-10)  # z^3 at half of the way
    pressures, stored = press(structure, side, np.array([*way_in, 0.5 * (deep - stroke), 0.0]), recovered)
    assert stored == 0.0 and pressures[-1] == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_any_way_remembers_only_how_deep_it_has_been(seed):
    rng = np.random.default_rng(seed)
    structure = a_structure(ramp=float(rng.uniform(0.01, 0.1)), hardening=float(rng.uniform(1.0, 30.0)))
    side = int(rng.integers(len(SIDES)))
    reference, recovered = Reference(structure, side), float(rng.uniform(0.02, 0.4))
    turns = np.concatenate([[0.0], rng.uniform(0.1, 1.3, 6) * structure.limit[side]])
    way = np.concatenate([[0.0], *(np.linspace(a, b, 8)[1:] for a, b in itertools.pairwise(turns))])
    pressures, stored = press(structure, side, way, recovered)
    deepest = 0.0
    for k, depth in enumerate(0.5 * (way[1:] + way[:-1])):
        if depth >= deepest:
            expected = reference.pressure(depth)
        else:
            expected = reference.way_out(deepest, depth, recovered)[0]
        assert pressures[k] == pytest.approx(expected, rel=1e-9, abs=1e-9)
        deepest = max(deepest, way[k + 1])
    expected = reference.way_out(deepest, way[-1], recovered)[1]
    assert stored == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_column_that_knows_its_deepest_point_is_asked_beyond_and_below_it():
    """With a pressure p_m that is not on the curve, 0.8 of it, both sides of the deepest point meet there."""
    structure = a_structure()
    reference = Reference(structure, 0)
    column = np.zeros(1, COLUMN)[0]
    column.deepest, column.recovered = 0.3, 0.2
    column.pressure, column.work = 0.8 * reference.pressure(0.3), 0.9 * reference.work(0.3)
    curve, rigid = structure.curve(0, 1.0), np.zeros(1, CURVE)[0]
    p, w = pressure_at(structure, curve, rigid, column, 0.3)
    assert (p, w) == pytest.approx((column.pressure, column.work), rel=1e-12)
    assert pressure_at(structure, curve, rigid, column, 0.3 - 1e-12)[0] == pytest.approx(column.pressure, rel=1e-9)
    # the step back to the curve fades over the ramp, and the work is the integral of the pressure: 200 midpoints
    depths = np.linspace(0.3, 0.45, 201)
    middles = 0.5 * (depths[1:] + depths[:-1])
    seen = np.array([pressure_at(structure, curve, rigid, column, depth)[0] for depth in middles])
    on_curve = np.interp(0.3, reference.crush, reference.force)
    expected = np.interp(middles, reference.crush, reference.force)
    expected += (column.pressure - on_curve) * np.exp(-(middles - 0.3) / structure.ramp)
    np.testing.assert_allclose(seen, expected, rtol=1e-12)
    p, w = pressure_at(structure, curve, rigid, column, 0.45)
    # midpoint rule: h^2 / 24 over the square of the ramp, (0.00075 / 0.025)^2 / 24 of the fading part
    assert w - column.work == pytest.approx(float(seen.sum()) * (depths[1] - depths[0]), rel=4e-5)


FAULTS = {
    "never pulls": lambda way, pressures, stored: (
        np.where(np.arange(len(pressures)) % 1000 == 7, -1.0, pressures),
        stored,
    ),
    "never gives energy": lambda way, pressures, stored: (pressures, stored + 1e6),
    "restitution": lambda way, pressures, stored: (np.where(np.diff(way) < 0.0, 1.05, 1.0) * pressures, stored),
}


@pytest.mark.parametrize("fault", [None, *FAULTS])
def test_the_contract_tells_a_planted_fault_by_its_name(fault, monkeypatch):
    """The ways of the contract with pressures that are looked up instead of pressed, right or with one fault."""

    def looked_up(structure, side, way, recovered):
        found = look_up(structure, side, way, recovered)
        return found if fault is None else FAULTS[fault](way, *found)

    monkeypatch.setattr(structure_contract, "press", looked_up)
    findings = structure_contract.check_structure(Structure, {}, 60, 3)
    broken = [item.check for item in findings if item.figure > item.limit]
    assert broken == ([] if fault is None else [fault])
    if fault == "restitution":  # 5 % more pressure on the way out is 5 % more work: of e^2 at most 0.5^2
        assert (
            0.0
            < next(item.figure for item in findings if item.check == fault)
            <= 0.05 * 0.5**2 + structure_contract.CLOSURE
        )
    if fault == "never pulls":
        assert findings[0].figure == 1.0

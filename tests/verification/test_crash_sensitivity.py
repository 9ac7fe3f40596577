"""How firm a figure is does not depend on the step of the method; a figure that jumps is told."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from centrode import loads, simulate
from centrode.studies import sensitivity
from centrode.studies.sensitivity import collision_sensitivity

HEAD_ON = """
centrode: 1
title: Head-on
roads:
  road: {{kind: plane}}
vehicles:
  east: {{kind: car, road: road, position: [-2.3, 0], speed: 14, chassis: rigid}}
  west: {{kind: car, road: road, position: [2.3, 0.6], heading: 180 deg, speed: 14, chassis: rigid}}
contact_laws:
  cars: {{kind: crush, friction: 0.4}}
run: {{duration: 0.3 s, method: rk4-projected, step: {step} ms, frames: 20 ms}}
"""


# With 0.8 m the cars part for 35 ms and meet again, or do not: there the course itself is open, and is told so.


def spreads(step):
    scenario = loads(HEAD_ON.format(step=step))
    run = simulate(scenario)
    found = collision_sensitivity(scenario, run)
    # one sign for a direction in both tables: it was 343 in one and -17 in the other
    for item in found.figures:
        if item.figure == "PDOF":
            assert item.value == run.collisions[item.collision - 1].vehicle(item.vehicle).pdof_deg
    assert not found.changed
    return {(item.vehicle, item.figure): item for item in found.figures if item.collision == 1}


def test_the_default_step_tells_the_same_as_a_fine_one():
    """A shift of a micrometre gave 139 m/s per metre where 1.1 is true: noise of the step."""
    coarse, fine = spreads(0.5), spreads(0.1)
    for key, item in coarse.items():
        if key[1] == "delta-V":
            # Half of what would make it uncertain, and within a third of the fine step.
            assert item.label == "firm"
            assert item.factor == pytest.approx(fine[key].factor, rel=0.35, abs=0.3)
            assert item.factor < 30.0


class Runs(list):
    """Collisions of a run in which the figures of one car are what a function says of its place."""

    def __init__(self, x, y, figure):
        self.rest = {"east": None}
        car = SimpleNamespace(name="east", mass=1000.0, pdof_deg=0.0, yaw_rate_change=0.0)
        car.delta_v_size = figure(x, y)
        super().__init__([SimpleNamespace(number=1, names=("east", "west"), vehicles=[car], units=[car])])


@pytest.mark.parametrize(
    ("figure", "label", "spread"),
    [
        (lambda x, y: 9.52 if y == 0.0 else 9.21, "jumps", 0.31),
        (lambda x, y: 9.52 + 3.0 * y, "firm", 0.03),
        (lambda x, y: 9.52 - 200.0 * y * y, "firm", 0.005),
        (lambda x, y: 9.52 + 300.0 * max(y, 0.0), "uncertain", 1.5),
        (lambda x, y: 9.52 + (0.5 if y > 0.0 else 0.0), "jumps", 0.5),
    ],
)
def test_the_run_itself_is_compared_too(monkeypatch, figure, label, spread):
    """Ends that agree said "0.00014 m/s for 1 cm" where a shift of 1 mm changed delta-V by 0.31 m/s."""
    scenario = loads(HEAD_ON.format(step=0.5))

    def run(moved):
        x, y, _ = (*moved.system.parts["east"].position, 0.0)[:3]
        return SimpleNamespace(collisions=Runs(x + 2.3, y, figure))

    monkeypatch.setattr(sensitivity, "simulate", run)
    found = collision_sensitivity(scenario, run(scenario))
    told = next(item for item in found.figures if item.figure == "delta-V")
    assert told.label == label
    assert told.spread == pytest.approx(spread, abs=1e-12)
    assert any("jumps" in line for line in found.warnings()) == (label == "jumps")
    if label == "jumps":
        assert told.at_shifts == pytest.approx([figure(0.0, y) for y in (-0.005, 0.0, 0.005)])
        assert told.shift == "east along y"
        assert "with east along y by -0.5, 0 and 0.5 cm" in found.table()

"""Beams at rest: closed forms of bending, torsion and buckling, large deflections, a curved rod in space."""

from __future__ import annotations

import math

import numpy as np
import pytest
from beam_statics import Statics, clamped_rod
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

import centrode as ct

pytestmark = pytest.mark.compiled

RAMP = ct.SignalRamp(slope=1.0)
"""Load factor: the time of :class:`Statics`."""


def unit_rod(elements, *, axial=1e6, shear=None, **values):
    """System with a rod of length 1 along x and bending stiffness 1, torsional stiffness 0.5."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    section = {"section": "given", "area": axial * 1e-6, "inertia_y": 1e-6, "inertia_z": 1e-6, "torsion_constant": 1e-6}
    material = {"young": 1e6, "poisson": 0.0, "density": 1.0, "theory": "euler-bernoulli"}
    if shear is not None:
        material |= {"theory": "timoshenko", "shear_factor": shear / (0.5e6 * section["area"])}
    system.add(ct.Beam("rod", length=1.0, elements=elements, **section, **material, **values))
    return system


def pushed(system, force):
    """The system with a force at the end of the rod that grows with the load factor."""
    size = float(np.linalg.norm(force))
    system.add(ct.PointForce("load", "rod.end", magnitude=ct.SignalRamp(slope=size), direction=tuple(force)))
    return Statics(system, ["rod.node0"])


@pytest.mark.parametrize("elements", [1, 3])
@pytest.mark.parametrize("shear", [None, 12.0])
def test_cantilever_under_a_load_at_its_end(elements, shear):
    """Deflection P L^3/(3 EI) + P L/(kGA) and slope P L^2/(2 EI), exact for any number of elements.

    Deflections of 3e-7 leave (w/L)^2 = 1e-13 out and carry round-off of 1e-16 / 3e-7.
    """
    load = 1e-6
    statics = pushed(unit_rod(elements, axial=1e4, shear=shear), (0.0, 0.0, -load))
    statics.solve()
    place, axes = statics.place("rod.end")
    assert -place[2] == pytest.approx(load * (1.0 / 3.0 + (0.0 if shear is None else 1.0 / shear)), rel=1e-8)
    assert -axes[2, 0] == pytest.approx(0.5 * load, rel=1e-8)


def elastica(load):
    """Tip of an inextensible cantilever under P L^2/EI across its end, (along, across) / L.

    K. E. Bisshopp, D. C. Drucker, Q. Appl. Math. 3 (1945) 272-275, by elliptic integrals: with p the modulus and
    sin(a) = 1/(p sqrt 2), sqrt(load) = K(p) - F(p, a), across = 1 - 2 (E(p) - E(p, a)) / sqrt(load),
    along = sqrt(2 (2 p^2 - 1) / load).
    """
    root = math.sqrt(load)

    def open_by(square):
        return ellipk(square) - ellipkinc(math.asin(1.0 / math.sqrt(2.0 * square)), square) - root

    square = brentq(open_by, 0.5 + 1e-12, 1.0 - 1e-12, xtol=1e-15)
    angle = math.asin(1.0 / math.sqrt(2.0 * square))
    across = 1.0 - 2.0 * (ellipe(square) - ellipeinc(angle, square)) / root
    return math.sqrt(2.0 * (2.0 * square - 1.0) / load), across


def test_elastica_closed_form_is_that_of_the_tables():
    """K. Mattiasson, Int. J. Numer. Methods Eng. 17 (1981) 145-153, five digits: across, and 1 - along."""
    for load, across, along in ((1.0, 0.30172, 0.05643), (5.0, 0.71379, 0.38763), (10.0, 0.81061, 0.55500)):
        assert elastica(load) == pytest.approx((1.0 - along, across), abs=0.6e-5)


def test_large_deflection_of_a_cantilever_is_of_order_two():
    """Against the elastica; EA = 1e7 stretches by P/EA = 1e-6 at most, a tenth of what is asked for."""
    loads, errors, places = (1.0, 2.0, 5.0, 10.0), [], []
    for elements in (10, 20, 40):
        statics = pushed(unit_rod(elements, axial=1e7), (0.0, 0.0, -1.0))
        found = []
        for load in loads:
            statics.solve((load,) if load < 5.0 else (0.75 * load, load))
            place, _ = statics.place("rod.end")
            found.append((place[0], -place[2]))
        places.append(np.array(found))
        errors.append(np.abs(places[-1] - [elastica(load) for load in loads]).max())
    assert errors[1] < 4e-4
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.15)
    better = (4.0 * places[2] - places[1]) / 3.0  # extrapolated: order four is left
    assert better == pytest.approx(np.array([elastica(load) for load in loads]), abs=1e-5)


@pytest.mark.parametrize("elements", [3, 8, 20])
def test_moment_at_the_end_bends_a_rod_to_a_full_circle(elements):
    """M = 2 pi EI/L closes it: every element turns by M h/EI, whatever its length; so a polygon closes to round-off.

    Round-off of the residual, 1e-10 of EI/L, over the softest stiffness, EI/L: 1e-9.
    """
    system = unit_rod(elements, axial=1e4)
    system.add(ct.Torque("moment", "rod.end", magnitude=ct.SignalRamp(slope=2.0 * math.pi), direction=(0.0, 1.0, 0.0)))
    statics = Statics(system, ["rod.node0"])
    statics.solve(np.linspace(0.1, 1.0, 10))
    place, axes = statics.place("rod.end")
    assert np.abs(place).max() < 1e-9
    assert np.abs(axes - np.eye(3)).max() < 1e-9


def test_torsion_is_exact():
    """T L/GJ, of any size: 2.4 rad over three elements; residual over GJ/L as above."""
    system = unit_rod(3, axial=1e4)
    system.add(ct.Torque("twist", "rod.end", magnitude=ct.SignalRamp(slope=1.2), direction=(1.0, 0.0, 0.0)))
    statics = Statics(system, ["rod.node0"])
    statics.solve((0.5, 1.0))
    _, axes = statics.place("rod.end")
    assert math.atan2(axes[2, 1], axes[1, 1]) == pytest.approx(1.2 / 0.5, abs=1e-9)


def buckling_load(elements):
    """Load at which the straight cantilever is no longer stiff, by bisection."""
    statics = pushed(unit_rod(elements, axial=1e7), (-1.0, 0.0, 0.0))

    def softest(load):
        statics.solve((load,))
        stiffness, mass = statics.stiffness_and_mass(load)
        return np.linalg.eigvalsh(stiffness / np.sqrt(np.outer(mass, mass)))[0]

    return brentq(softest, 1.0, 3.0, xtol=1e-9)


def test_euler_buckling():
    """pi^2 EI/(4 L^2), from above or below with order two; EA = 1e7 shortens by 2.5e-7."""
    exact = 0.25 * math.pi**2
    errors = [buckling_load(elements) - exact for elements in (4, 8, 16)]
    orders = np.log2(np.abs(np.divide(errors[:-1], errors[1:])))
    assert orders == pytest.approx([2.0, 2.0], abs=0.15)
    assert abs(errors[2]) < 0.002 * exact


BEND = (np.column_stack([(0, 1, 0), (-1, 0, 0), (0, 0, 1)]), (0.0, 0.0, -0.01))
BEND_STIFFNESS = ((1e7, 5e6 * 5 / 6, 5e6 * 5 / 6), (5e6 / 6, 1e7 / 12, 1e7 / 12))


def bend(elements, load):
    """Tip of the 45 degree bend of Bathe and Bolourchi, radius 100, square section 1 x 1, E = 1e7, nu = 0."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    section = {"section": "given", "area": 1.0, "inertia_y": 1 / 12, "inertia_z": 1 / 12, "shear_factor": 5 / 6}
    shape = {"direction": (0, 1, 0), "side": (-1, 0, 0), "curvature": BEND[1], "young": 1e7, "poisson": 0.0}
    system.add(ct.Beam("rod", length=25.0 * math.pi, elements=elements, density=1.0, **section, **shape))
    statics = pushed(system, (0.0, 0.0, load))
    statics.solve(np.linspace(0.125, 1.0, 8))
    return statics.place("rod.end")[0]


def test_curved_bend_in_space():
    """Against Cosserat's equations, solved by shooting: order two, and what is extrapolated agrees to 1e-4 of 50.

    Published tips under 600 scatter: K.-J. Bathe, S. Bolourchi, Int. J. Numer. Methods Eng. 14 (1979) 961-986, moved by
    (-13.4, -23.5, 53.4); Simo and Vu-Quoc (1986) end at (15.79, 47.23, 53.37) with eight linear elements.
    """
    exact = clamped_rod(25.0 * math.pi, *BEND, BEND_STIFFNESS, (0.0, 0.0, 600.0))
    start = 100.0 * np.array([1.0 - math.sqrt(0.5), math.sqrt(0.5), 0.0])
    assert exact - start == pytest.approx(np.array([-13.4, -23.5, 53.4]), abs=0.25)
    assert exact == pytest.approx(np.array([15.79, 47.23, 53.37]), abs=0.15)
    places = [bend(elements, 600.0) for elements in (8, 16)]
    errors = [np.abs(place - exact).max() for place in places]
    assert errors[0] < 0.06
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)
    assert (4.0 * places[1] - places[0]) / 3.0 == pytest.approx(exact, abs=2e-3)


def test_equilibrium_knows_no_history():
    """A rod that is first bent and twisted by other loads ends where the direct way ends.

    Both ends of the way have residuals of round-off; the softest stiffness of the bent rod is of order EI/L^3 = 1.
    """
    ends = []
    for detour in (False, True):
        system = unit_rod(6, axial=1e4)
        away = ct.SignalTable(times=(0.0, 0.5, 1.0), values=(0.0, 1.5, 0.0), interpolation="linear")
        for name, axis in (("twist", (1, 0, 0)), ("bend", (0, 0, 1))):
            system.add(ct.Torque(name, "rod.end", magnitude=away if detour else 0.0, direction=axis))
        statics = pushed(system, (0.0, 1.0, -3.0))
        statics.solve(np.linspace(0.1, 1.0, 10))
        ends.append(np.concatenate([part.ravel() for part in statics.place("rod.end")]))
    assert np.abs(ends[0] - ends[1]).max() < 1e-9


def test_weight_of_a_beam():
    """rho A g L^4/(8 EI) at the tip, with order three: the masses at the ends have their moments right but for h^3.

    Sags of 1e-8 leave round-off of 1e-8 of them, a thousandth of the smallest error.
    """
    errors = []
    for elements in (4, 8, 16):
        system = unit_rod(elements, axial=1e4)
        system.gravity = (0.0, 0.0, -1e-5)
        statics = Statics(system, ["rod.node0"])
        statics.solve()
        weight = 1.0 * 1e-2 * 1e-5  # density times area times g
        errors.append(abs(-statics.place("rod.end")[0][2] / (weight / 8.0) - 1.0))
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx([3.0, 3.0], abs=0.15)
    assert errors[0] < 1e-3

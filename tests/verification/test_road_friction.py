"""`friction` of a road is the coefficient of a locked wheel that slides on it, whatever the tyre; `grip` a share.

It was a factor on the tyre's own: `friction: 0.5` gave 0.36, and nothing told so.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import centrode as ct
from centrode.parts.roads.contract import FrictionPatch
from centrode.parts.tyres.grip import grip_of, locked_force, share_for, share_line
from centrode.vehicles.grip import tyre_grips

G = 9.80665
LOAD = 4000.0
TYRES = {
    "calspan": ct.TyreCalspan("tyre"),
    "linear": ct.TyreLinear("tyre", cornering_stiffness=6e4, driving_stiffness=6e4, friction=0.8),
    "brush": ct.TyreBrush("tyre", cornering_stiffness=6e4, driving_stiffness=9e4, friction=0.9),
}


def braking(tyre, road, speed=20.0):
    system = ct.System()
    system.add(road)
    system.add(tyre)
    system.add(ct.Car("car", road="road", chassis="rigid", tyre="tyre", speed=speed, brake=1.0))
    return system


def retardation(run, begin, end):
    """Mean retardation between two times [m/s2]."""
    speed = run["car.body.velocity"][:, 0]
    return (np.interp(begin, run.time, speed) - np.interp(end, run.time, speed)) / (end - begin)


@pytest.mark.compiled
@pytest.mark.parametrize("tyre", TYRES.values(), ids=TYRES)
@pytest.mark.parametrize("friction", [0.2, 0.5, 0.7])
def test_locked_wheels_slow_a_car_by_friction_times_g(tyre, friction):
    """Within 1 % (2 % asked of slides). The friction of the Calspan tyre falls by 3 % per kN; what the load takes is
    given back (2.7 % were missing at 0.7). Steady from 0.6 s on, when brakes and springs have settled."""
    system = braking(tyre, ct.RoadPlane("road", friction=friction))
    run = ct.simulate(system, duration=2.0, frames=0.01, method="rk4-projected", step=1e-3)
    assert retardation(run, 0.6, 2.0) == pytest.approx(friction * G, rel=0.01)


@pytest.mark.compiled
def test_a_patch_has_its_own_coefficient():
    """Road 0.7, from 8 m on 0.15: the exact shares at both hold in one run."""
    road = ct.RoadPlane("road", friction=0.7, patches=(FrictionPatch(8.0, 200.0, 0.15),))
    run = ct.simulate(braking(TYRES["calspan"], road), duration=2.5, frames=0.01, method="rk4-projected", step=1e-3)
    assert retardation(run, 1.5, 2.5) == pytest.approx(0.15 * G, rel=0.02)


@pytest.mark.parametrize("tyre", TYRES.values(), ids=TYRES)
@pytest.mark.parametrize("friction", [0.05, 0.3, 0.8, 1.4])
def test_share_solves_for_the_locked_force(tyre, friction):
    share = share_for(tyre, LOAD, friction)
    assert locked_force(tyre, LOAD, share) == pytest.approx(friction * LOAD, rel=1e-9)
    base, growth = share_line(tyre, LOAD, [friction, 0.5 * friction])
    assert friction * (base + growth * friction) == pytest.approx(share, rel=1e-9)


def test_grip_is_the_share_of_before():
    """A linear tyre of friction 0.8 on grip 0.5: 0.4, peak and locked alike."""
    found = grip_of(TYRES["linear"], LOAD, 0.5)
    assert (found.peak, found.locked) == pytest.approx((0.4, 0.4), rel=1e-9)
    road = ct.RoadPlane("road", grip=0.5)
    assert road.point(0.0, 0.0, 0.0).grip == 0.5
    assert np.isnan(road.point(0.0, 0.0, 0.0).friction)
    assert ct.RoadPlane("road", friction=0.5).point(0.0, 0.0, 0.0).friction == 0.5


def test_what_tyres_and_road_come_to_is_told():
    (found,) = tyre_grips(braking(TYRES["calspan"], ct.RoadPlane("road", friction=0.5)))
    assert found.vehicles == ("car",)
    assert found.grip.locked == pytest.approx(0.5, rel=1e-9)
    assert found.grip.peak > 0.55
    assert str(found) == f"car on 'road': mu 0.50 locked, {found.grip.peak:.2f} peak (friction 0.5 given)"
    (own,) = tyre_grips(braking(TYRES["calspan"], ct.RoadPlane("road")))
    assert "the tyres' own" in str(own)


@pytest.mark.parametrize("values", [{"friction": 0.5, "grip": 0.5}, {"friction": -0.1}])
def test_two_or_negative_frictions_are_refused(values):
    assert ct.RoadPlane("road", **values).faults()


def test_a_patch_needs_one_friction():
    both = dataclasses.replace(FrictionPatch(0.0, 1.0, 0.5), grip=0.5)
    for patch in (FrictionPatch(0.0, 1.0), both):
        assert "one friction" in str(ct.RoadPlane("road", patches=(patch,)).faults()[0])

"""Cars and roads in whole runs: banked turn, order, energy audit, determinism, long steps, events."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.parts.controllers.lane_keeping import LaneKeeping
from centrode.parts.forces.carriage_record import found_under
from centrode.parts.roads.spline import RoadSpline
from centrode.parts.signals.signal import SignalSmoothStep
from centrode.parts.tyres.linear import TyreLinear
from centrode.running import Session, simulate
from centrode.system.settings import RunSettings
from centrode.vehicles.car.car import Car
from centrode.vehicles.car.medusa import CarMedusa
from centrode.vehicles.platoon import add_legacy, read_legacy

INPUTS = Path(__file__).parents[1] / "conformance" / "data" / "medusa_inputs"
G = 9.81


def circle(radius, bank, points=48, **more):
    """Closed circle to the left; a negative bank raises the right, outer side."""
    angles = 2 * math.pi * np.arange(points) / points
    return RoadSpline(
        "ring",
        points=tuple((radius * math.sin(t), radius * (1 - math.cos(t)), 0.0) for t in angles),
        bank=-bank,
        width=12.0,
        closed=True,
        **more,
    )


def side_forces(session):
    found = found_under(session.workspace, session.model, "car.carriage")
    return found["force_side"].sum(), found["load"].sum()


def test_banked_turn_needs_no_side_force():
    """tan(bank) = v^2/(R g): tyres push sideways by less than 2 % of m v^2/R (steering geometry, 48-gon spline)."""
    radius, v = 100.0, 18.0
    bank = math.atan(v * v / (radius * G))
    system = ct.System()
    system.add(circle(radius, bank))
    system.add(Car("car", chassis="rigid", road="ring", station=0.0, speed=v))
    system.add(LaneKeeping("driver", inputs=("car.carriage",), speed=v, kp=2.0))
    session = Session(system, RunSettings(duration=12.0, audit=False))
    sides = []
    for t in np.arange(0.01, 12.0, 0.01):
        session.act()
        session.advance(np.array([t]))
        if t > 8.0:
            session.workspace.evaluate(t)
            side, load = side_forces(session)
            sides.append(side)
    centripetal = 1573.0 * v * v / radius
    assert abs(np.mean(sides)) < 0.02 * centripetal
    # The load is that of a banked turn: m g / cos(bank).
    assert load == pytest.approx(1573.0 * G / math.cos(bank), rel=0.01)


@pytest.mark.parametrize(("method", "order", "step"), [("predictor-corrector", 1, 1e-3), ("rk4-projected", 4, 4e-3)])
def test_order_of_the_methods(method, order, step):
    """Halving the step divides the error by 2^order; the steering is smooth, no wheel lifts.

    The car starts in equilibrium, so only the steering moves it: 0.1 rad keep all errors above 1e-12 m, round-off is
    1e-15 of 7 m."""

    def end(h, used=method):
        system = ct.System()
        system.add(Car("car", chassis="rigid", speed=15.0, steer=SignalSmoothStep(0.0, 0.5, 0.0, 0.1)))
        settings = {"method": used, "step": h} if used != "dop853" else {"method": used, "tolerance": 1e-13}
        return simulate(system, duration=0.5, frames=0.5, audit=False, **settings)["car.body.position"][-1]

    exact = end(0.0, "dop853")
    errors = [np.linalg.norm(end(step / 2**k) - exact) for k in range(3)]
    measured = math.log2(errors[1] / errors[2])
    assert measured == pytest.approx(order, abs=0.15), errors


def legacy_system(example, equilibrium="true"):
    system = ct.System()
    add_legacy(system, *read_legacy(INPUTS / example), equilibrium=equilibrium)
    return system


@pytest.mark.parametrize("example", ["banked", "evading"])
def test_energy_audit_closes_with_the_order(example):
    """Work of struts and tyres is integrated beside the motion: the residual falls with the order of the method."""
    found = []
    for h in (1e-4, 5e-5):
        run = simulate(legacy_system(example, "listed"), duration=0.5, frames=0.1, method="predictor-corrector", step=h)
        found.append(np.abs(run["energy.residual"]).max())
    assert math.log2(found[0] / found[1]) == pytest.approx(1.0, abs=0.15), found
    run = simulate(legacy_system(example, "listed"), duration=0.5, frames=0.1, method="dop853", tolerance=1e-9)
    assert np.abs(run["energy.residual"]).max() < 1e-6 * run["energy.kinetic"][0]


def test_steps_twenty_times_longer_reach_a_millimetre():
    """A turn of 10 s: rk4-projected at 1 ms (20 x 5e-5 s), and radau with longer steps still, end within 1 mm."""

    def end(**settings):
        system = ct.System()
        system.add(CarMedusa("car", speed=15.0, steer=SignalSmoothStep(0.5, 1.5, 0.0, 0.02)))
        run = simulate(system, duration=10.0, frames=10.0, audit=False, **settings)
        return run["car.body.position"][-1], run.statistics.steps

    exact, _ = end(method="dop853", tolerance=1e-10)
    fixed, _ = end(method="rk4-projected", step=1e-3)
    assert np.linalg.norm(fixed - exact) < 1e-3
    implicit, steps = end(method="radau", tolerance=1e-4)
    assert np.linalg.norm(implicit - exact) < 1e-3
    assert 10.0 / steps > 20 * 5e-5


def test_same_bytes_and_independent_of_the_order_of_the_cars():
    """Same input, same bytes; a car does not care which number it has."""

    def run(order):
        system = ct.System()
        cars = {"p": Car("p", chassis="rigid", speed=10.0, steer=0.02), "q": Car("q", chassis="rigid", position=(0, 9))}
        for name in order:
            system.add(cars[name])
        return simulate(system, duration=0.5, method="rk4-projected", step=1e-3)

    first, again, swapped = run("pq"), run("pq"), run("qp")
    for name in ("p.body.position", "q.body.velocity"):
        assert first[name].tobytes() == again[name].tobytes()
        assert first[name].tobytes() == swapped[name].tobytes()


def test_a_wheel_that_lifts_and_the_end_of_the_road_are_events():
    system = ct.System()
    system.add(RoadSpline("lane", points=((0, 0, 0), (50, 0, 0), (100, 0, 0)), width=6.0))
    system.add(Car("car", chassis="rigid", road="lane", station=20.0, speed=20.0, steer=0.03))
    run = simulate(system, duration=2.0)
    assert "road left" in [event.kind for event in run.events]
    system = ct.System()
    system.add(Car("car", chassis="rigid", equilibrium=False, ride_height=1.5, damper=500.0))
    run = simulate(system, duration=4.0)
    kinds = [event.kind for event in run.events]
    assert "wheel lift" in kinds and "wheel down" in kinds
    first = next(event for event in run.events if event.kind == "landed")  # from the air all wheels together
    # From rest the assembly points fall from 1.25 m to the relaxed length of 0.4 m; 1 N more takes 25 um of spring.
    assert first.time == pytest.approx(math.sqrt(2 * 0.85 / G), abs=1e-4)


@pytest.mark.parametrize(("share", "holds"), [(0.93, True), (1.10, False)])
def test_limit_speed_of_a_banked_turn(share, holds):
    """v^2 = R g (tan b + mu)/(1 - mu tan b): below it the car stays on the ring, above it slides out.

    Tyres saturate at mu (linear law with a friction circle); 7 % of margin is what steering through the saturation
    and the load transfer between unequal axles cost."""
    radius, bank, mu = 60.0, 0.15, 0.4
    limit = math.sqrt(radius * G * (math.tan(bank) + mu) / (1 - mu * math.tan(bank)))
    v = share * limit
    system = ct.System()
    system.add(circle(radius, bank))
    system.add(TyreLinear("tyre", 60e3, 60e3, friction=mu))
    system.add(Car("car", chassis="rigid", road="ring", tyre="tyre", station=0.0, speed=v, driven="all"))
    system.add(LaneKeeping("driver", inputs=("car.carriage",), speed=v, kp=1.0))
    run = simulate(system, duration=8.0, tolerance=1e-6)
    place = run["car.body.position"]
    outward = np.hypot(place[:, 0], place[:, 1] - radius) - radius
    left = "road left" in [event.kind for event in run.events]
    assert left != holds, (outward.max(), outward[-1])

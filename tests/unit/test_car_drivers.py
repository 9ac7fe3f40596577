"""Drivers of cars: speed, lane, following, platoon with late messages, emergency brake; inputs and their ranges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import centrode as ct
from centrode.errors import InputError
from centrode.parts.controllers.car_following import CarFollowing
from centrode.parts.controllers.emergency_brake import EmergencyBrake
from centrode.parts.controllers.lane_keeping import LaneKeeping
from centrode.parts.controllers.platoon import PlatoonControl
from centrode.parts.controllers.speed import SpeedControl
from centrode.parts.roads.contract import FrictionPatch
from centrode.parts.roads.plane import RoadPlane
from centrode.parts.roads.spline import RoadSpline
from centrode.parts.signals.signal import SignalSmoothStep, SignalStaircase
from centrode.running import simulate
from centrode.vehicles.car.car import Car

# Seconds of driving take minutes as plain Python; the carriage itself is covered there by its own tests.
pytestmark = pytest.mark.compiled


def cars(*places, speed=20.0, road=None):
    system = ct.System()
    system.add(road or RoadPlane("road"))
    for k, x in enumerate(places):
        system.add(Car(f"car{k}", chassis="rigid", road="road", position=(x, 0.0), speed=speed))
    return system


def test_speed_is_reached_and_kept():
    system = cars(0.0, speed=15.0)
    system.add(SpeedControl("cruise", inputs=("car0.carriage",), speed=20.0))
    run = simulate(system, duration=25.0, tolerance=1e-6)
    assert run["car0.body.velocity"][-1, 0] == pytest.approx(20.0, abs=0.05)


def test_lane_is_kept_on_a_road_that_climbs_and_turns():
    road = RoadSpline(
        "road",
        points=((0, 0, 0), (60, 0, 1), (110, 20, 3), (140, 60, 5), (140, 110, 6), (140, 200, 6)),
        bank=tuple(math.radians(v) for v in (0, 0, -5, -5, 0, 0)),
        width=8.0,
    )
    system = cars(2.0, speed=12.0, road=road)
    system.add(LaneKeeping("driver", inputs=("car0.carriage",), speed=12.0))
    run = simulate(system, duration=15.0, tolerance=1e-6)
    lateral = [road.point(*p).lateral for p in run["car0.body.position"]]
    assert np.abs(lateral).max() < 1.0
    assert not [event for event in run.events if event.kind == "road left"]


def test_following_keeps_the_time_gap():
    system = cars(30.0, 0.0)
    slow = SignalSmoothStep(2.0, 6.0, 20.0, 12.0)
    system.add(LaneKeeping("first", inputs=("car0.carriage",), speed=slow, period=0.02))
    system.add(CarFollowing("second", inputs=("car1.carriage",), ahead="car0.body", speed=25.0, period=0.02))
    run = simulate(system, duration=25.0, tolerance=1e-6)
    gap = run["car0.body.position"][:, 0] - run["car1.body.position"][:, 0] - 4.0
    speed = run["car1.body.velocity"][-1, 0]
    assert gap.min() > 3.0
    assert gap[-1] == pytest.approx(3.0 + speed, abs=0.5)


@pytest.mark.parametrize("delay", [0.0, 0.1])
def test_a_platoon_is_string_stable_also_with_late_messages(delay):
    """The leader brakes; the spacing error shrinks from car to car."""
    system = cars(30.0, 20.0, 10.0, 0.0)
    slow = SignalSmoothStep(1.0, 4.0, 20.0, 14.0)
    system.add(LaneKeeping("first", inputs=("car0.carriage",), speed=slow, period=0.02))
    for k in (1, 2, 3):
        system.add(
            PlatoonControl(
                f"driver{k}",
                inputs=(f"car{k}.carriage",),
                ahead=f"car{k - 1}.body",
                leader="car0.body",
                gap=6.0,
                delay=delay,
                period=0.02,
            )
        )
    run = simulate(system, duration=9.0, tolerance=1e-6)
    x = [run[f"car{k}.body.position"][:, 0] for k in range(4)]
    worst = [np.abs(x[k] - x[k + 1] - 4.0 - 6.0).max() for k in range(3)]
    assert worst[0] < 1.0
    assert worst[1] <= worst[0] * 1.02 and worst[2] <= worst[1] * 1.02


def test_emergency_brake_stops_before_a_standing_car():
    system = ct.System()
    system.add(RoadPlane("road"))
    system.add(Car("wall", chassis="rigid", road="road", position=(60.0, 0.0), brake=1.0))
    system.add(Car("car", chassis="rigid", road="road", speed=18.0))
    system.add(EmergencyBrake("driver", inputs=("car.carriage",), ahead="wall.body", speed=18.0))
    run = simulate(system, duration=8.0, tolerance=1e-6)
    assert run["car.body.position"][-1, 0] < 56.0
    assert abs(run["car.body.velocity"][-1, 0]) < 0.05


def test_friction_patch_lengthens_braking():
    ways = []
    for patches in ((), (FrictionPatch(0.0, 200.0, 0.3),)):
        system = ct.System()
        system.add(RoadPlane("road", patches=patches))
        system.add(Car("car", chassis="rigid", road="road", speed=15.0, brake=1.0))
        ways.append(simulate(system, duration=8.0, tolerance=1e-6)["car.body.position"][-1, 0])
    assert ways[1] > 2.0 * ways[0]


def test_reverse_spin_and_lock_are_finite():
    """Full drive from rest, then full brake, then reverse: the car moves as told and nothing explodes."""
    system = ct.System()
    system.add(RoadPlane("road", friction=0.3))
    drive = SignalStaircase((3.0, 6.0), (0.0, -1.0), 1.0)
    brake = SignalStaircase((3.0, 6.0), (1.0, 0.0), 0.0)
    system.add(Car("car", chassis="rigid", road="road", drive=drive, brake=brake))
    run = simulate(system, duration=9.0, tolerance=1e-6)
    assert run.status.completed
    speed = run["car.body.velocity"][:, 0]
    assert speed[run.time <= 3.0].max() > 2.0
    assert abs(np.interp(5.9, run.time, speed)) < 0.1
    assert speed[-1] < -2.0


def test_inputs_have_names_and_ranges():
    system = cars(0.0)
    carriage = system.parts["car0.carriage"]
    assert carriage.input_names == ("steer", "drive", "brake")
    ranges = [carriage.input_range(name) for name in carriage.input_names]
    assert ranges == [(-0.6, 0.6), (-1.0, 1.0), (0.0, 1.0)]


def test_a_driver_needs_a_car():
    system = cars(0.0)
    system.add(SpeedControl("cruise", inputs=("car0.carriage",)))
    from centrode.parts.forces.actuator import Actuator

    system.add(Actuator("push", "car0.body", "ground", acts="along-line"))
    system.add(SpeedControl("wrong", inputs=("push",)))
    with pytest.raises(InputError, match="drives a car"):
        simulate(system, duration=1.0)


@settings(max_examples=30, deadline=None)
@given(
    slope=st.floats(-0.15, 0.15),
    bank=st.floats(-0.15, 0.15),
    heading=st.floats(-3.0, 3.0),
    chassis=st.sampled_from(["rigid", "pseudo-rigid"]),
    front=st.floats(0.8, 1.6),
    stiffness=st.floats(2e4, 1e5),
)
def test_every_car_finds_its_rest_on_every_plane(slope, bank, heading, chassis, front, stiffness):
    """Property: solved equilibrium leaves no acceleration, and the loads carry the weight along the normal."""
    from centrode.parts.forces.carriage_record import found_under
    from centrode.running import Session
    from centrode.system.settings import RunSettings

    system = ct.System()
    system.add(RoadPlane("road", slope=slope, bank=bank))
    system.add(
        Car("car", road="road", heading=heading, chassis=chassis, front=front, stiffness=stiffness, brake=1.0, drop=0.2)
    )
    session = Session(system, RunSettings(duration=1.0, audit=False))
    session.workspace.evaluate(0.0)
    assert np.abs(session.workspace["acceleration"]).max() < 1e-4
    loads = found_under(session.workspace, session.model, "car.carriage")["load"]
    assert loads.sum() == pytest.approx(1573 * 9.81 * math.cos(slope) * math.cos(bank), rel=1e-5)


def test_histories_of_steering_and_tyre_speed_in_a_file():
    """Piecewise, table and expression, for the steering and for the tyre speed of the car of 1999."""
    from centrode.scenario.loader import loads

    text = """centrode: 1
roads:
  road: {kind: plane}
vehicles:
  a: {kind: car-medusa, road: road, speed: 12, steer: {kind: staircase, times: [0.5], values: [0.02]}}
  b: {kind: car-medusa, road: road, position: [0, 9], speed: 12, rim_speed: {kind: expression, expression: 12 + t / 3}}
  c: {kind: car, road: road, position: [0, 20], speed: 12, steer: {kind: expression, expression: 0.02 * sin(3 * t)}}
run: {duration: 2 s, method: rk4, step: 1 ms}
"""
    run = simulate(loads(text))
    assert run["a.body.position"][-1, 1] > 0.1
    assert run["b.body.velocity"][-1, 0] > 12.1
    assert abs(run["c.body.position"][-1, 1] - 20.0) > 0.05
    with pytest.raises(InputError, match="unknown name"):
        loads(text.replace("sin(3 * t)", "sin(3 * x)"))

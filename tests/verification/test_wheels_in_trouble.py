"""Brakes of single wheels, anti-lock brakes, engine drag, jammed and torn-off wheels."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct

pytestmark = pytest.mark.compiled

G, MASS, RADIUS, SPIN_INERTIA = 9.81, 1573.0, 0.3, 1.0
WHEELS = ("left_front", "right_front", "left_rear", "right_rear")


def drive(duration=2.0, touch=False, **car):
    """A rigid car at 20 m/s on level ground, without rolling resistance unless it is given."""
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    given = {"road": "road", "chassis": "rigid", "speed": 20.0, "rolling_resistance": 0.0, **car}
    system.add(ct.Car("car", **given))
    if touch:
        system.add(ct.Collisions("touch"))
    return ct.simulate(system, duration=duration, frames=0.01, method="rk4-projected", step=5e-4)


def test_engine_drag_slows_the_car_and_its_wheels():
    """T / R = (m + 4 J / R^2) a, 1 %: slip of the driven wheels takes the rest. None of it under full drive."""
    run = drive(engine_drag=300.0)
    speed = run["car.body.velocity"][:, 0]
    wanted = 300.0 / RADIUS / (MASS + 4.0 * SPIN_INERTIA / RADIUS**2)
    assert (speed[50] - speed[150]) / 1.0 == pytest.approx(wanted, rel=0.01)
    pulled = drive(engine_drag=300.0, drive=1.0, power=1e7)
    free = drive(drive=1.0, power=1e7)
    assert pulled["car.body.velocity"][-1, 0] == pytest.approx(free["car.body.velocity"][-1, 0], rel=1e-9)


def test_brakes_of_the_left_wheels_turn_the_car_to_the_left():
    """And those of all wheels, given one by one, are those of both axles."""
    left = drive(1.0, brake=0.2, brake_shares=(0.5, 0.0, 0.5, 0.0))
    assert left["car.body.omega"][-1, 2] > 0.02
    both = drive(1.0, brake=0.2, brake_front=0.6)
    single = drive(1.0, brake=0.2, brake_shares=(0.3, 0.3, 0.2, 0.2))
    assert np.abs(both["car.body.position"] - single["car.body.position"]).max() < 1e-12


def test_anti_lock_brakes_hold_the_slip_and_leave_the_steering():
    """Every wheel turns, at a slip below twice the wanted one, until walking pace; a locked car slides straight on."""
    steered = {"brake": 1.0, "brake_torque": 12e3, "steer": 0.05}
    run, locked = drive(3.5, anti_lock=0.12, **steered), drive(3.5, **steered)
    speed = np.linalg.norm(run["car.body.velocity"], axis=1)
    fast = (speed > 4.0) & (run.time > 0.3)
    for name in WHEELS:
        rim = RADIUS * run[f"car.carriage.{name}.spin"][fast]
        assert ((1.0 - rim / speed[fast]) < 2.0 * 0.12 + 0.06).all()  # 0.06: yaw and steering of the single wheels
    assert np.abs(locked[f"car.carriage.{WHEELS[0]}.spin"][100:200]).max() < 0.5
    # The slip that is left to the side force: a quarter of a metre and more on 25 m, against nothing of a locked car.
    assert abs(run["car.body.position"][-1, 1]) > 0.5
    assert abs(locked["car.body.position"][-1, 1]) < 0.1
    stops = [float(r["car.body.position"][-1, 0]) for r in (run, locked)]
    assert stops[0] < 1.05 * stops[1]
    assert np.linalg.norm(run["car.body.velocity"][-1]) < 0.05


def test_anti_lock_brakes_of_wheels_without_spin_stop_as_short():
    """Both hold the slip at which the tyre has its peak: the same way to 1 %, a tenth less than locked wheels."""
    ways = {}
    for wheels, slip in (("spin", 0.12), ("rolling", 0.12), ("rolling", 0.0)):
        run = drive(4.0, brake=1.0, brake_torque=12e3, wheels=wheels, anti_lock=slip)
        ways[wheels, slip] = float(run["car.body.position"][-1, 0])
    assert ways["rolling", 0.12] == pytest.approx(ways["spin", 0.12], rel=0.01)
    assert ways["rolling", 0.12] < 0.9 * ways["rolling", 0.0]


def test_a_jammed_wheel_stops_turning_and_pulls_the_car_round():
    run = drive(3.0, damage=(ct.WheelDamage(wheel="left_front", jammed_from=0.5),))
    spin = run["car.carriage.left_front.spin"]
    assert spin[40] == pytest.approx(20.0 / RADIUS, rel=1e-3)
    assert np.abs(spin[70:]).max() < 0.5
    assert np.abs(run["car.carriage.right_rear.spin"][-1]) > 5.0
    assert run["car.body.omega"][:, 2].max() > 0.02  # to the left, where the wheel drags
    assert run["car.body.velocity"][-1, 0] < 17.5


def test_a_torn_off_wheel_lets_the_corner_drag_on_the_road():
    """The corner comes down by its clearance and slides on the road, which slows the car and turns it to that side."""
    run = drive(4.0, touch=True, damage=(ct.WheelDamage(wheel="right_front", lost_from=0.5),))
    hits = run.events.of("contact begin")
    assert hits and 0.5 < hits[0].time < 1.2
    assert hits[0].values["point_y"] < 0.0
    assert run["car.body.position"][-1, 2] < run["car.body.position"][0, 2] - 0.03
    assert np.linalg.norm(run["car.body.velocity"][-1]) < np.linalg.norm(run["car.body.velocity"][45]) - 1.0
    assert run["car.body.omega"][:, 2].min() < -0.02


@pytest.mark.parametrize("wheels", ["spin", "rolling"])
def test_a_car_that_lost_a_wheel_comes_to_rest(wheels):
    """On three wheels and its corner, braked; the run until rest ends, and what it ends at is rest."""
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    lost = (ct.WheelDamage(wheel="right_front", lost_from=0.3),)
    system.add(ct.Car("car", road="road", chassis="rigid", speed=10.0, brake=0.5, damage=lost, wheels=wheels))
    system.add(ct.Collisions("touch"))
    run = ct.simulate(system, duration=20.0, frames=0.01, until="rest", method="rk4-projected", step=5e-4)
    assert "at rest" in str(run.status)
    assert run.time[-1] < 6.0
    assert run["car.body.position"][-1, 2] < run["car.body.position"][0, 2] - 0.03


@pytest.mark.parametrize(
    ("car", "word"),
    [
        ({"damage": (ct.WheelDamage(wheel="front_left", jammed_from=1.0),)}, "unknown wheel"),
        ({"damage": (ct.WheelDamage(wheel="left_front"),)}, "no damage is said"),
        ({"brake_shares": (0.5, 0.5)}, "as many shares as wheels"),
    ],
)
def test_wheels_that_are_none(car, word):
    with pytest.raises(ct.InputError, match=word):
        ct.Car("car", **car).checked()


def test_a_car_without_ground_contact_that_turns_over_stops_the_run():
    """It would sink into the road, and the run must not look clean."""
    import dataclasses

    system = ct.System()
    system.add(ct.RoadPlane("road"))
    system.add(ct.Car("car", road="road", chassis="rigid"))
    c, s = math.cos(0.6), math.sin(0.6)
    body = system.parts["car.body"]
    turned = ((1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c))
    system.replace(dataclasses.replace(body, position=(0.0, 0.0, 3.0), orientation=turned, omega=(3.0, 0.0, 0.0)))
    run = ct.simulate(system, duration=3.0, frames=0.01, method="rk4-projected", step=5e-4)
    assert not run.status.completed
    assert "contact law" in str(run.status.stop)

"""Cars come to rest: slides with locked wheels, braking, coasting, parking; friction never accelerates.

Ways are measured where a wheel stands: of the chassis there, whose velocity is what the tyre sees.
"""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.math.rotation import matrix_from_quaternion

pytestmark = pytest.mark.compiled

G, MASS, A, B, TRACK = 9.81, 1573.0, 1.034, 1.491, 1.5
L = A + B
TIR = Path(__file__).parents[1] / "unit" / "data" / "passenger.tir"
TYRES = {
    "calspan": ct.TyreCalspan("tyre"),
    "linear": ct.TyreLinear("tyre", cornering_stiffness=6e4, driving_stiffness=6e4, friction=0.8),
    "brush": ct.TyreBrush("tyre", cornering_stiffness=6e4, driving_stiffness=9e4, friction=0.8),
    "magic-formula": ct.TyreMagicFormula.from_file(TIR, name="tyre"),
}
METHODS = ("dop853", "rk4-projected")


def car_system(tyre, velocity=(0.0, 0.0), spin=0.0, road=None, **changes):
    """A rigid car on level ground, put into motion with its wheels as they are."""
    system = ct.System()
    system.add(TYRES[tyre])
    system.add(road or ct.RoadPlane("road"))
    given = {"chassis": "rigid", "road": "road", "tyre": "tyre", "rolling_resistance": 0.0, **changes}
    system.add(ct.Car("car", **given))
    if any(velocity) or spin:
        body = system.parts["car.body"]
        system.replace(dataclasses.replace(body, velocity=(*velocity, 0.0), omega=(0.0, 0.0, spin)))
    return system


def sliding(tyre, speed, degrees, wheels, spin=0.0, **changes):
    """A car whose wheels are locked."""
    angle = math.radians(degrees)
    velocity = (speed * math.cos(angle), speed * math.sin(angle))
    torque = 8e3 if wheels == "spin" else 4e4
    return car_system(tyre, velocity, spin, wheels=wheels, brake=1.0, brake_torque=torque, **changes)


def standing_at(turn, centre, place):
    """Where a wheel stands, from the centre of mass [m]: below its assembly point along the body's own axis."""
    arm = turn @ np.array(place)
    return arm - (centre[2] + arm[2]) / turn[2, 2] * turn[:, 2]


def mean_stand(run, system):
    """Mean of the four places where wheels stand, ahead and left of the middle that they have on a level car [m]."""
    half = int(np.searchsorted(run.time, 1.0))
    shifts = []
    for k in range(half // 4, half):
        turn, centre = matrix_from_quaternion(run["car.body.orientation"][k]), run["car.body.position"][k]
        mean = np.mean([standing_at(turn, centre, place) for place in system.parts["car.carriage"].places], axis=0)
        heading = turn[:2, 0] / np.linalg.norm(turn[:2, 0])
        shifts.append((mean[:2] @ heading - 0.5 * (A - B), heading[0] * mean[1] - heading[1] * mean[0]))
    return np.mean(shifts, axis=0)


def contact_ways(run, system):
    """Ways [m] and velocities [m/s] of the chassis where the wheels stand, (frames, wheels, 2)."""
    places = system.parts["car.carriage"].places
    velocity = np.zeros((run.time.size, 4, 2))
    for k in range(run.time.size):
        turn = matrix_from_quaternion(run["car.body.orientation"][k])
        centre, omega = run["car.body.position"][k], turn @ run["car.body.omega"][k]
        for q, place in enumerate(places):
            arm = standing_at(turn, centre, place)
            velocity[k, q] = (run["car.body.velocity"][k] + np.cross(omega, arm))[:2]
    steps = 0.5 * (velocity[1:] + velocity[:-1]) * np.diff(run.time)[:, None, None]
    return np.concatenate([np.zeros((1, 4, 2)), np.cumsum(steps, axis=0)]), velocity


def moved_after_stop(run, system):
    """Largest way of any wheel [m], in any direction, once all of them are slower than 5 cm/s.

    From there friction takes another 0.05^2 / (2 mu g), 0.2 mm at mu = 0.8, then whatever springs back follows."""
    way, velocity = contact_ways(run, system)
    slow = np.flatnonzero(np.linalg.norm(velocity, axis=2).max(axis=1) < 0.05)
    assert slow.size, "it never stops"
    assert np.abs(velocity[-1]).max() < 2e-3, "it still slides"
    return float(np.linalg.norm(way[slow[0] :] - way[slow[0]], axis=2).max())


def sliding_friction(tyre, degrees, height, stand):
    """Friction of the whole car that slides with locked wheels, by the law under the loads of this slide.

    ``stand``: how far the wheels stand ahead and to the left of where they are under a level car [m]: a car that rolls
    and pitches leans on its struts, and its weight comes to the wheels that it leans to.
    """
    angle = math.radians(degrees)
    d = np.array([math.cos(angle), math.sin(angle)])
    ahead = 0.0 if degrees == 90 else math.copysign(1.0, d[0])
    friction = 0.8
    for _ in range(30):
        front = MASS * G * (B - stand[0] + friction * d[0] * height) / L
        axles = np.array([front, front, MASS * G - front, MASS * G - front])
        loads = axles * (0.5 + np.array([1, -1, 1, -1]) * (friction * d[1] * height - stand[1]) / TRACK)
        slip_angle = math.atan2(d[1], abs(d[0]))
        forces = [TYRES[tyre].forces(load, slip_angle, -ahead, 0.0, 10.0 * (ahead or 1.0))[:2] for load in loads]
        friction = -float(sum(np.array(force) @ d for force in forces)) / (MASS * G)
    return friction


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("wheels", ["spin", "rolling"])
@pytest.mark.parametrize("tyre", TYRES)
def test_slides_with_locked_wheels(tyre, wheels, method):
    """d = v^2 / (2 mu g); where the wheels stand the car does not go back; no energy comes out of friction.

    1 % of the way: 0.3 m of relaxation at the start and the unsteady loads of the first swing. 1 mm after the stop: it
    was 8 mm ahead and 18 mm across. Energy: suspensions, carcass and spin are counted. What is not: the stuck brakes,
    (F R)^2 / (2 k) = 2 * (4.6 kN * 0.3 m)^2 / (2 * 1.2e6 N m/rad) = 1.6 J in front and 0.5 J behind, the deflection
    ahead of rolling wheels, 14 kN * 0.3 mm / 2 = 2.1 J, and that laws of combined slip have no potential, 1 J."""
    for degrees in (0, 30, 90, 180):
        system = sliding(tyre, 20.0, degrees, wheels)
        run = ct.simulate(system, duration=4.8, frames=0.005, method=method)
        position = run["car.body.position"]
        friction = sliding_friction(tyre, degrees, float(position[:, 2].mean()), mean_stand(run, system))
        way = np.linalg.norm(position[:, :2] - position[0, :2], axis=1).max()
        assert way == pytest.approx(20.0**2 / (2.0 * friction * G), rel=0.01), degrees
        assert moved_after_stop(run, system) < 1e-3, degrees
        total = run["energy.total"]
        rise = float((total - np.minimum.accumulate(total)).max())
        assert rise < 3.1, degrees


@pytest.mark.parametrize("tyre", ["brush", "linear"])
def test_slides_askew_go_as_far_as_friction_says(tyre):
    """v^2 / (2 mu g) with the mu that was entered, whatever the heading: nothing of the tyre's law is asked.

    The linear tyre kept the direction of its linear force beyond the friction circle, and a car that slid at 75 degrees
    went 12 % too far."""
    for degrees in (75.0, *np.random.default_rng(11).uniform(-180.0, 180.0, 5)):
        run = ct.simulate(sliding(tyre, 15.0, float(degrees), "spin"), duration=4.0, frames=0.005)
        position = run["car.body.position"]
        way = np.linalg.norm(position[:, :2] - position[0, :2], axis=1).max()
        mu = TYRES[tyre].friction
        assert way == pytest.approx(15.0**2 / (2.0 * mu * G), rel=0.02), degrees


@pytest.mark.parametrize("friction", [0.7, 0.9])
def test_backwards_the_rear_brakes_do_not_lock(friction):
    """They have 35 % of a torque for 1.1 g and bear most of the load: deceleration by the torque there, friction ahead.

    With the front wheels locked  m a = T_r / R + mu N_f  and  N_f = m (g l_r - a h) / L. The spin of the wheels that
    are slowed down with the car adds I / (m R^2) = 0.5 %, their bearing of the road and pitch as much.
    """
    text = f"""
centrode: 1
roads: {{road: {{kind: plane, friction: {friction}}}}}
vehicles: {{car: {{kind: midsize-car, road: road, speed: -20, brake: 1%s}}}}
run: {{duration: 10 s, until: rest, method: rk4-projected, step: 0.5 ms, frames: 10 ms}}
"""
    scenario = ct.loads(text % "")
    run = ct.simulate(scenario)
    car, carriage = scenario.system.parts["car"], scenario.system.parts["car.carriage"]
    length, g = car.front + car.rear, 9.80665
    rear = (1.0 - car.brake_front) * carriage.brake_torque / carriage.radius / car.mass
    height = float(run["car.body.position"][0, 2])
    expected = (rear + friction * g * car.rear / length) / (1.0 + friction * height / length)
    speed = -run["car.body.velocity"][:, 0]
    steady = np.flatnonzero((speed < 14.0) & (speed > 6.0))
    found = -np.ptp(speed[steady]) / (run.time[steady[0]] - run.time[steady[-1]])
    assert found == pytest.approx(expected, rel=0.012)
    assert abs(run["car.carriage.left_rear.slip_ahead"][steady]).max() < 0.1
    # with wheels that lock it is the slide that friction says, as ahead
    locked = ct.simulate(ct.loads(text % f", brake_torque: {2.0 * carriage.brake_torque}"))
    way = np.linalg.norm(locked["car.body.position"][-1] - locked["car.body.position"][0])
    assert way == pytest.approx(20.0**2 / (2.0 * friction * g), rel=0.01)


@pytest.mark.parametrize("step", [5e-4, 1e-3, None])
@pytest.mark.parametrize("wheels", ["spin", "rolling"])
@pytest.mark.parametrize("tyre", TYRES)
def test_slides_end_without_rebound(tyre, wheels, step):
    """In any direction, with yaw, on dry and on wet ground, in fixed steps and with the method that runs by default."""
    chance = np.random.default_rng(8)
    for degrees in (45.0, 135.0, *chance.uniform(-180.0, 180.0, 2)):
        speed, spin, friction = chance.uniform(3.0, 8.0), chance.uniform(-3.0, 3.0), chance.uniform(0.4, 1.0)
        road = ct.RoadPlane("road", grip=friction)
        system = sliding(tyre, speed, degrees, wheels, spin, road=road)
        method = {"method": "rk4-projected", "step": step} if step else {}
        run = ct.simulate(system, duration=1.0 + speed / (5.0 * friction), frames=0.004, **method)
        assert moved_after_stop(run, system) < 1e-3, (degrees, speed, spin, friction)


@pytest.mark.parametrize("wheels", ["spin", "rolling"])
@pytest.mark.parametrize("tyre", TYRES)
def test_a_slide_down_a_slope_ends_and_holds(tyre, wheels):
    """10 % down: to rest, and then 20 s within a millimetre."""
    road = ct.RoadPlane("road", slope=-math.atan(0.1))
    system = sliding(tyre, 5.0, 20.0, wheels, road=road)
    run = ct.simulate(system, duration=22.0, frames=0.02, method="rk4-projected", step=1e-3)
    position, late = run["car.body.position"], run.time > 2.0
    assert np.abs(position[late] - position[-1]).max() < 1e-3


@pytest.mark.parametrize("wheels", ["spin", "rolling"])
def test_where_a_slide_ends_does_not_hang_on_the_step(wheels):
    """Steps of 1 ms, 0.5 ms and 0.1 ms end within 0.1 mm of each other and turned alike: no matter of chance."""
    ends = []
    for step in (1e-3, 5e-4, 1e-4):
        run = ct.simulate(sliding("brush", 8.0, 50, wheels, 2.0), duration=2.5, method="rk4-projected", step=step)
        ends.append(np.append(run["car.body.position"][-1], run["car.body.orientation"][-1]))
    assert np.abs(ends[0] - ends[2]).max() < 1e-4
    assert np.abs(ends[1] - ends[2]).max() < 1e-4


def planar_slide(friction, speed, spin, inertia=2782.0):
    """Way of a plate that slides on four points with their static loads, friction against the velocity of each."""
    places = np.array([(A, 0.75), (A, -0.75), (-B, 0.75), (-B, -0.75)])
    loads = MASS * G / (2.0 * L) * np.array([B, B, A, A])
    x, v, yaw, rate, dt = np.zeros(2), np.array([speed, 0.0]), 0.0, spin, 1e-3
    while np.linalg.norm(v) > 0.02:
        c, s = math.cos(yaw), math.sin(yaw)
        arms = places @ np.array([[c, s], [-s, c]])
        slide = v + rate * np.column_stack([-arms[:, 1], arms[:, 0]])
        force = -friction * loads[:, None] * slide / np.maximum(np.linalg.norm(slide, axis=1), 1e-3)[:, None]
        v = v + dt * force.sum(axis=0) / MASS
        rate += dt * float((arms[:, 0] * force[:, 1] - arms[:, 1] * force[:, 0]).sum()) / inertia
        x, yaw = x + dt * v, yaw + dt * rate
    return float(np.linalg.norm(x))


@pytest.mark.parametrize("wheels", ["spin", "rolling"])
@pytest.mark.parametrize("spin", [1.0, 3.0, -2.0])
def test_a_spinning_car_slides_as_far_as_a_plate(spin, wheels):
    """The brush tyre slides with one friction in all directions: the way is that of a plate on four points, 2 %.

    Load transfer and the relaxation of a slide whose direction turns in the wheel (0.3 m of 25 m) make the 2 %;
    the latter grows with the spin, at 5 rad/s the way is 3.1 % too long (2.4 % with rolling wheels)."""
    system = sliding("brush", 20.0, 0, wheels, spin=spin)
    run = ct.simulate(system, duration=4.5, frames=0.01)
    position = run["car.body.position"]
    way = float(np.linalg.norm(position[-1, :2] - position[0, :2]))
    assert way == pytest.approx(planar_slide(0.8, 20.0, spin), rel=0.02)
    assert np.linalg.norm(run["car.body.velocity"][-1]) < 2e-3


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("wheels", ["spin", "rolling"])
@pytest.mark.parametrize("tyre", TYRES)
def test_braking_ends_at_rest(tyre, wheels, method):
    """From 15 m/s, with brakes that lock the wheels (1) and with some that do not (0.3), which slow by F / m."""
    for brake in (1.0, 0.3):
        system = car_system(tyre, speed=15.0, brake=brake, wheels=wheels)
        run = ct.simulate(system, duration=4.0, frames=0.004, method=method)
        assert moved_after_stop(run, system) < 1e-3, brake
    # Four wheels of J / R^2 = 11 kg each slow with the car.
    moved = MASS + (4.0 / 0.09 if wheels == "spin" else 0.0)
    slowed = 15.0**2 / 2.0 * moved / (0.3 * 8000.0 / 0.3)
    assert run["car.body.position"][-1, 0] == pytest.approx(slowed, rel=0.02)


@pytest.mark.parametrize("wheels", ["spin", "rolling"])
def test_an_unbraked_car_rolls_to_rest(wheels):
    """The default rolling resistance stops a car after v^2 / (2 c_r g), without a way back."""
    system = ct.System()
    system.add(ct.Car("car", chassis="rigid", speed=2.0, wheels=wheels))
    resistance = system.parts["car.carriage"].rolling_resistance
    assert resistance > 0.0
    run = ct.simulate(system, duration=25.0, frames=0.05)
    x = run["car.body.position"][:, 0]
    moved = (MASS + (4.0 / 0.09 if wheels == "spin" else 0.0)) / MASS
    assert x[-1] - x[0] == pytest.approx(2.0**2 / (2.0 * resistance * G) * moved, rel=0.02)
    assert x.max() - x[-1] < 1e-3
    assert abs(run["car.body.velocity"][-1, 0]) < 1e-3


@pytest.mark.parametrize("wheels", ["spin", "rolling"])
@pytest.mark.parametrize(("slope", "drag"), [(0.008, 0.0), (0.04, 300.0)])
def test_what_resists_rolling_also_holds(slope, drag, wheels):
    """Below the slope c_r = 0.0136, or c_r + T / (R m g) = 0.078 in gear, nothing rolls; it crept by cm/s.

    The first second is left out: the car is let go there and swings into its carcasses."""
    road = ct.RoadPlane("road", slope=slope)
    system = car_system("calspan", road=road, wheels=wheels, engine_drag=drag, rolling_resistance=0.0136)
    run = ct.simulate(system, duration=20.0, frames=0.1, method="rk4-projected", step=1e-3)
    position, later = run["car.body.position"], run.time > 1.0
    assert np.abs(position[later] - position[-1]).max() < 1e-3
    assert np.abs(position - position[0]).max() < 5e-3


DAMAGED = {
    "anti-lock": {"brake": 1.0, "anti_lock": 0.12},
    "jammed": {"damage": (ct.WheelDamage(wheel="left_front", jammed_from=0.3),)},
    "one brake": {"brake": 1.0, "brake_shares": (0.5, 0.0, 0.0, 0.0)},
}


@pytest.mark.parametrize("wheels", ["spin", "rolling"])
@pytest.mark.parametrize("case", DAMAGED)
def test_runs_until_rest_end_where_the_car_stays(case, wheels):
    """Two seconds more move no wheel by a millimetre, and the centre of mass by its last rocking, some millimetres."""
    given = {"speed": 10.0, "wheels": wheels, "rolling_resistance": 0.0136, **DAMAGED[case]}
    ended = ct.simulate(car_system("calspan", **given), duration=30.0, frames=0.01, until="rest")
    assert "at rest" in str(ended.status)
    system = car_system("calspan", **given)
    run = ct.simulate(system, duration=float(ended.time[-1]) + 2.0, frames=0.01)
    assert moved_after_stop(run, system) < 1e-3
    last = run["car.body.position"][ended.time.size - 1]
    assert np.linalg.norm(run["car.body.position"][-1] - last) < 4e-3


@pytest.mark.parametrize("wheels", ["spin", "rolling"])
@pytest.mark.parametrize("tyre", TYRES)
def test_parked_on_a_slope_for_a_minute(tyre, wheels):
    """Brakes on, 10 % and a bank of 10 degrees: within a millimetre."""
    road = ct.RoadPlane("road", slope=math.atan(0.1), bank=math.radians(10.0))
    run = ct.simulate(car_system(tyre, road=road, brake=1.0, wheels=wheels), duration=60.0)
    position = run["car.body.position"]
    assert np.abs(position - position[0]).max() < 1e-3


def test_a_moving_car_starts_with_its_static_loads():
    """Height of the centre of mass with sags m g b / (2 L k) and m g a / (2 L k): no thrust of wheels that turn already
    lifts or pitches it. It was 2.7 mm too low."""
    system = ct.System()
    system.add(ct.Car("car", chassis="rigid", speed=15.0, anti_roll=(0.0, 0.0)))
    front, rear = (0.65 - MASS * G * arm / (2.0 * L * 4e4) for arm in (B, A))
    height = front + (rear - front) * A / L
    # The pitch of 14 mrad turns arms of 0.25 m: second order, 0.25 * 0.014^2 / 2 = 2.5e-5 m.
    assert system.parts["car.body"].position[2] == pytest.approx(height, abs=2e-4)


def test_a_run_until_rest_ends_with_it():
    """0.2 s after the last motion above 0.02 m/s and 0.02 rad/s, in frames of 10 ms."""
    system = sliding("calspan", 10.0, 0, "spin")
    run = ct.simulate(system, duration=20.0, frames=0.01, until="rest")
    assert run.status.completed
    assert "at rest" in str(run.status)
    speed = np.linalg.norm(run["car.body.velocity"], axis=1)
    turning = np.linalg.norm(run["car.body.omega"], axis=1)
    moving = np.flatnonzero((speed >= 0.02) | (turning >= 0.02))
    assert run.time[-1] == pytest.approx(run.time[moving[-1] + 1] + 0.2, abs=1e-6)
    assert run.time[-1] < 5.0


def test_a_run_until_rest_says_what_still_moves():
    run = ct.simulate(sliding("calspan", 20.0, 0, "spin"), duration=0.5, frames=0.05, until="rest")
    assert run.status.completed
    assert run.time[-1] == pytest.approx(0.5)
    notes = [event.subject for event in run.events if event.kind == "note"]
    assert any("not at rest" in text and "car.body" in text for text in notes)


def test_until_rest_needs_something_that_rests():
    system = ct.System()
    system.add(ct.RigidBody("stone", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    with pytest.raises(ct.InputError, match="comes to rest"):
        ct.simulate(system, duration=1.0, until="rest")
    with pytest.raises(ct.InputError, match="until"):
        ct.simulate(sliding("calspan", 1.0, 0, "spin"), duration=1.0, until="rust")


def test_a_driving_car_takes_steps_of_five_milliseconds():
    """The grip of a brake that turns fast changes nothing and must not ask for short steps: it grew to 1e304."""
    system = car_system("calspan", speed=20.0, rolling_resistance=0.0136)
    run = ct.simulate(system, duration=3.0, method="rk4", step=5e-3)
    assert run.status.completed
    # Rolling resistance slows by c_r g m / (m + 4 J / R^2), 44 kg of wheels; the start swings into it for 10 ms.
    slowed = 0.0136 * G * MASS / (MASS + 4.0 / 0.09) * 3.0
    assert 20.0 - run["car.body.velocity"][-1, 0] == pytest.approx(slowed, rel=0.02)

"""Cars come to rest: slides with locked wheels, braking, coasting, parking; friction never accelerates.

Ways are measured where a wheel stands. The velocity there, of the chassis, is what the tyre sees; the rubber on the
road has moved by its way less the deflection of the carcass, relaxation length times relaxed slip.
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
    """Ways of the chassis where the wheels stand and of their rubber [m], (frames, wheels, 2); velocities [m/s]."""
    carriage = system.parts["car.carriage"]
    names, (across, along) = carriage.wheel_names(), carriage.relaxation
    velocity = np.zeros((run.time.size, 4, 2))
    bent = np.zeros_like(velocity)
    for k in range(run.time.size):
        turn = matrix_from_quaternion(run["car.body.orientation"][k])
        heading = turn[:2, 0] / np.linalg.norm(turn[:2, 0])
        left = np.array([-heading[1], heading[0]])
        centre, omega = run["car.body.position"][k], turn @ run["car.body.omega"][k]
        for q, name in enumerate(names):
            arm = standing_at(turn, centre, carriage.places[q])
            velocity[k, q] = (run["car.body.velocity"][k] + np.cross(omega, arm))[:2]
            bent[k, q] = across * run[f"car.carriage.{name}.slip_side"][k] * left
            if carriage.wheels == "spin":
                turned = carriage.radius * run[f"car.carriage.{name}.angle"][k]
                bent[k, q] += (turned - along * run[f"car.carriage.{name}.slip_ahead"][k]) * heading
    steps = 0.5 * (velocity[1:] + velocity[:-1]) * np.diff(run.time)[:, None, None]
    way = np.concatenate([np.zeros((1, 4, 2)), np.cumsum(steps, axis=0)])
    return way, way - bent, velocity


def way_back(way, velocity, q):
    """How far wheel q goes back against its slide after it has stood still for the first time [m]."""
    speed = np.linalg.norm(velocity[:, q], axis=1)
    last = np.flatnonzero(speed > 0.3)[-1]
    direction = velocity[last, q] / speed[last]
    stands = np.flatnonzero(velocity[last:, q] @ direction <= 0.0)
    first = last + (int(stands[0]) if stands.size else velocity.shape[0] - last - 1)
    return float((-(way[first:, q] - way[first, q]) @ direction).max())


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


def carcass_energy(system, friction):
    """F^2 / (2 k) of all tyres across [J], k = slope of the law / relaxation length, at the friction limit."""
    tyre = system.parts["tyre"]
    load = MASS * G / 4.0
    slope = abs(tyre.forces(load, 1e-4)[1] - tyre.forces(load, -1e-4)[1]) / 2e-4
    return 4.0 * (friction * load) ** 2 * 0.3 / (2.0 * slope)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("wheels", ["spin", "rolling"])
@pytest.mark.parametrize("tyre", TYRES)
def test_slides_with_locked_wheels(tyre, wheels, method):
    """d = v^2 / (2 mu g); the rubber does not go back; no energy comes out of friction.

    1 % of the way: 0.3 m of relaxation at the start and the unsteady loads of the first swing. The rubber: 1 mm (it was
    10 cm). Left out are 30 degrees, where one wheel carries next to nothing and is dragged along by the carcasses of
    the others, and the Magic Formula sideways with its shifts. The brake of rolling wheels is a damper below 5 cm/s:
    the pitch that swings back draws the car by 1.5 mm. Energy: suspensions, carcass and spin are counted; the grip of
    the brakes is not (F R z_0 / 2 = 12 kN * 0.3 m * 5 mrad / 2 = 10 J), nor that laws of combined slip have no
    potential: a tenth of the carcass energy. This was 700 J."""
    for degrees in (0, 30, 90, 180):
        system = sliding(tyre, 20.0, degrees, wheels)
        run = ct.simulate(system, duration=4.8, frames=0.005, method=method)
        position = run["car.body.position"]
        friction = sliding_friction(tyre, degrees, float(position[:, 2].mean()), mean_stand(run, system))
        way = np.linalg.norm(position[:, :2] - position[0, :2], axis=1).max()
        assert way == pytest.approx(20.0**2 / (2.0 * friction * G), rel=0.01), degrees
        _, rubber, velocity = contact_ways(run, system)
        assert np.abs(velocity[-1]).max() < 2e-3, degrees
        if degrees in (0, 180) or (degrees == 90 and tyre != "magic-formula"):
            back = max(way_back(rubber, velocity, q) for q in range(4))
            assert back < (1e-3 if wheels == "spin" else 1.5e-3), degrees
        total = run["energy.total"]
        rise = float((total - np.minimum.accumulate(total)).max())
        assert rise < 10.0 + 0.1 * carcass_energy(system, friction), degrees


@pytest.mark.parametrize("tyre", TYRES)
def test_a_slide_springs_back_by_the_carcass_and_no_more(tyre):
    """After a locked stop straight ahead the car goes back by the deflection that friction holds: F / k of the four
    carcasses at twice the deflection of their slope, and by the brake's 5 mrad."""
    system = sliding(tyre, 15.0, 0, "spin", stiffness=4e6, damper=4e5)
    run = ct.simulate(system, duration=4.0, frames=0.002)
    way, _, velocity = contact_ways(run, system)
    load = MASS * G / 4.0
    law = TYRES[tyre]
    friction = sliding_friction(tyre, 0, float(run["car.body.position"][:, 2].mean()), (0.0, 0.0))
    slope = (law.forces(load, 0.0, 1e-4)[0] - law.forces(load, 0.0, -1e-4)[0]) / 2e-4
    bound = 2.0 * friction * load * 0.15 / slope + 0.005 * 0.3
    assert max(way_back(way, velocity, q) for q in range(4)) < bound
    assert -run["car.body.velocity"][:, 0].min() < 0.3  # 1.0 m/s before


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


@pytest.mark.parametrize("tyre", TYRES)
def test_braking_without_locking_ends_at_rest(tyre):
    """A brake of 2 kN m slows by F / m to rest; then the carcasses give back F / k and the brake 5 mrad, no more."""
    system = car_system(tyre, speed=10.0, brake=0.25)
    run = ct.simulate(system, duration=6.0, frames=0.005)
    way, _, velocity = contact_ways(run, system)
    force = 0.25 * 8000.0 / 0.3
    load = MASS * G / 4.0
    slope = (TYRES[tyre].forces(load, 0.0, 1e-4)[0] - TYRES[tyre].forces(load, 0.0, -1e-4)[0]) / 2e-4
    assert max(way_back(way, velocity, q) for q in range(4)) < 2.0 * 0.25 * force * 0.15 / slope + 0.005 * 0.3
    # Four wheels of J / R^2 = 11 kg each slow with the car.
    slowed = 10.0**2 / 2.0 * (MASS + 4.0 / 0.09) / force
    assert run["car.body.position"][-1, 0] == pytest.approx(slowed, rel=0.02)
    assert np.abs(run["car.body.velocity"][-1]).max() < 1e-3


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


@pytest.mark.parametrize("tyre", TYRES)
def test_parked_on_a_slope_for_a_minute(tyre):
    """Brakes on, 10 % and a bank of 10 degrees: within a millimetre."""
    road = ct.RoadPlane("road", slope=math.atan(0.1), bank=math.radians(10.0))
    run = ct.simulate(car_system(tyre, road=road, brake=1.0), duration=60.0)
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

"""A car whose mass is changed stays one car; its start is what was asked for, and in equilibrium when it moves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import centrode as ct
from centrode.vehicles.car.scaling import axle_masses, pair, statistical_inertia


def built(**values):
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    system.add(ct.Car("car", road="road", chassis="rigid", **values))
    return system


def attitude(system):
    """Roll and pitch of the body at the start [rad]."""
    rotation = np.array(system.parts["car.body"].orientation)
    return math.atan2(rotation[2, 1], rotation[2, 2]), -math.asin(rotation[2, 0])


# Yaw inertias of NHTSA's cars 4363, 4364 and 4438 as published with their tests (mass, track, wheelbase, yaw inertia).
MEASURED_YAW = [
    (2112.4, 1.471, 2.725, 3882.0),
    (1499.4, 1.511, 2.720, 2801.0),
    (2143.4, 1.471, 2.713, 3917.0),
    (2355.3, 1.580, 2.870, 4831.0),
    (1565.4, 1.509, 2.720, 2918.0),
    (2129.8, 1.440, 2.720, 3803.0),
]


@pytest.mark.parametrize(("mass", "track", "wheelbase", "published"), MEASURED_YAW)
def test_yaw_inertia_of_the_cars_of_measured_crashes(mass, track, wheelbase, published):
    found = statistical_inertia(mass, (4.7, wheelbase, track, 1.5, 0.6))[2]
    assert found == pytest.approx(published, rel=0.01)  # the published ones come of the same regression, rounded


@given(
    length=st.floats(2.5, 7.0),
    front=st.floats(0.8, 2.5),
    rear=st.floats(0.8, 2.5),
    track=st.floats(1.1, 2.2),
    height=st.floats(1.1, 3.0),
    make=st.sampled_from([ct.Car, ct.CompactCar, ct.Van]),
)
def test_a_car_of_any_size_has_the_inertia_of_a_body(length, front, rear, track, height, make):
    """2 m s^2 = I_x + I_y - I_z is positive, so rigid and deformable bodies take it; a long wheelbase was refused."""
    car = make("car", length=length, front=front, rear=rear, track=track, height=height).settled()
    roll, pitch, yaw = car.inertia
    assert roll + pitch - yaw >= 2.0 * car.mass * (0.1 * height) ** 2 * (1.0 - 1e-9)
    assert min(roll, pitch, yaw) > 0.0


@pytest.mark.parametrize("mass", [1000.0, 2500.0])
def test_mass_changes_the_whole_car(mass):
    car, usual = ct.Car("car", mass=mass).settled(), ct.Car("car").settled()
    ratio = mass / 1573.0
    assert car.inertia == pytest.approx(tuple(ratio * value for value in usual.inertia))
    # the same natural frequencies and damping ratios of both axles
    for k in range(2):
        frequencies, ratios = [], []
        for one in (car, usual):
            load = axle_masses(one.mass, one.front, one.rear)[k] / 2.0
            stiffness, damper = pair(one.stiffness)[k], pair(one.damper)[k]
            frequencies.append(math.sqrt(stiffness / load))
            ratios.append(damper / math.sqrt(stiffness * load))
        assert frequencies[0] == pytest.approx(frequencies[1])
        assert ratios[0] == pytest.approx(ratios[1])
    assert car.brake_torque / mass == pytest.approx(usual.brake_torque / 1573.0)
    assert car.structure_of({}).b[0] / mass == pytest.approx(usual.structure_of({}).b[0] / 1573.0)


def test_the_car_of_the_report_is_unchanged():
    car = ct.Car("car").settled()
    assert car.inertia == (479.6, 2594.6, 2782.0)
    assert (pair(car.stiffness), car.damper, car.anti_roll) == ((40e3, 40e3), (3000.0, 3000.0), (8000.0, 4000.0))
    assert (car.drop, car.brake_torque, car.volume, car.ride_height) == (0.25, 8000.0, 0.42, 0.55)


def test_a_longer_taller_car_turns_harder():
    usual, other = ct.Car("car").settled().inertia, ct.Car("car", length=5.0, height=1.9, front=1.5).settled().inertia
    # (H + h) T m, (H + h) L m, T W m of the regression: 2.45/1.85, that times 5/4, (1.5 + 1.491)/2.525
    assert np.array(other) / np.array(usual) == pytest.approx([2.45 / 1.85, 2.45 / 1.85 * 1.25, 2.991 / 2.525])


def test_what_is_given_is_kept():
    car = ct.Car("car", mass=2000.0, inertia=(600.0, 3000.0, 3200.0), stiffness=50e3).settled()
    assert car.inertia == (600.0, 3000.0, 3200.0)
    assert car.stiffness == 50e3
    assert car.damper[0] == pytest.approx(3000.0 * 2000.0 / 1573.0)


@pytest.mark.parametrize("mass", [1000.0, 1573.0, 2600.0])
def test_height_of_the_centre_of_mass_is_a_field_and_the_car_stands_level(mass):
    system = built(mass=mass, cog_height=0.62)
    roll, pitch = attitude(system)
    assert system.parts["car.body"].position[2] == pytest.approx(0.62, abs=1e-9)
    assert (roll, pitch) == pytest.approx((0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize("speed", [10.0, 30.0])
def test_a_moving_car_starts_in_the_attitude_in_which_it_stands(speed):
    """Wheels that turned below a standing body pitched it by 0.025 rad at 10 m/s."""
    standing, moving = attitude(built()), attitude(built(speed=speed))
    assert moving == pytest.approx(standing, abs=1e-9)


@pytest.mark.compiled
def test_a_coasting_car_keeps_its_attitude():
    """Without rolling resistance nothing pulls: the attitude of the start stays."""
    run = ct.simulate(built(speed=20.0, rolling_resistance=0.0), duration=1.0, frames=0.05)
    height = run["car.body.position"][:, 2]
    assert np.ptp(height) < 1e-6
    assert np.abs(run["car.body.omega"]).max() < 1e-6


def test_the_whole_state_of_the_start():
    start = {"speed": 12.0, "sideslip": 0.4, "heading": 0.3, "yaw_rate": 1.5, "roll_rate": 0.2, "pitch_rate": -0.1}
    system = built(cog_height=0.55, position=(3.0, 4.0), vertical_speed=-0.7, lift=0.25, roll=0.3, pitch=-0.1, **start)
    body = system.parts["car.body"]
    assert body.position == pytest.approx((3.0, 4.0, 0.55 + 0.25), abs=1e-9)
    assert body.velocity == pytest.approx((12.0 * math.cos(0.7), 12.0 * math.sin(0.7), -0.7))
    roll, pitch = attitude(system)
    assert (roll, pitch) == pytest.approx((0.3, -0.1), abs=1e-9)
    world = np.array(body.orientation) @ np.array(body.omega)
    c, s = math.cos(0.3), math.sin(0.3)
    assert world == pytest.approx((c * 0.2 + s * 0.1, s * 0.2 - c * 0.1, 1.5), abs=1e-9)


def test_wheels_start_rolling_where_they_are_or_as_told():
    car = built(speed=10.0, yaw_rate=2.0).parts["car.carriage"]
    # ahead at a wheel: 10 m/s - yaw rate x 0.75 m to the left, + on the right
    assert car.spins == pytest.approx((8.5 / 0.3, 11.5 / 0.3, 8.5 / 0.3, 11.5 / 0.3))
    assert built(speed=10.0, wheel_spin=(0, 0, 30, 30)).parts["car.carriage"].spins == (0.0, 0.0, 30.0, 30.0)
    with pytest.raises(ct.InputError, match="one for each of four wheels"):
        built(wheel_spin=(1.0, 2.0))


@pytest.mark.compiled
def test_bent_wheels_turn_the_car():
    """Both front wheels bent to the left by 2 degrees turn the car as the steering would, without Ackermann."""
    turned = {"speed": 10.0, "rolling_resistance": 0.0, "ackermann": False}
    bent = ct.simulate(built(wheel_steer=(0.035, 0.035, 0, 0), **turned), duration=2.0, frames=0.5)
    steered = ct.simulate(built(steer=0.035, **turned), duration=2.0, frames=0.5)
    assert bent["car.body.position"] == pytest.approx(steered["car.body.position"], abs=2e-4)
    assert bent["car.body.omega"][-1, 2] > 0.1


def test_a_sequence_of_the_driver():
    rows = [
        {"at": "0 s", "brake": 0},
        {"at": "1.2 s", "brake": "80 %", "steer": "5 deg"},
        {"at": 3, "brake": 0, "lag": 0},
    ]
    carriage = built(speed=10.0, sequence=rows).parts["car.carriage"]
    brake = [
        ct.SignalTable(carriage.brake.times, carriage.brake.values, "linear").at(t)[0] for t in (0, 1.2, 1.3, 2, 4)
    ]
    assert brake == pytest.approx([0.0, 0.0, 0.4, 0.8, 0.0])  # reached in 0.2 s, halfway after 0.1 s
    assert carriage.steer.at(2.0)[0] == pytest.approx(math.radians(5.0))
    assert carriage.drive == 0.0


def test_a_row_may_come_before_the_last_one_is_reached():
    rows = [{"at": 1.0, "brake": 1.0, "lag": 1.0}, {"at": 1.5, "brake": 0.0, "lag": 0.5}]
    brake = built(speed=10.0, sequence=rows).parts["car.carriage"].brake
    assert [brake.at(t)[0] for t in (1.0, 1.25, 1.5, 1.75, 2.0)] == pytest.approx([0.0, 0.25, 0.5, 0.25, 0.0])

"""Parameters, kinematics and input checks of the bicycle."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.errors import InputError
from centrode.system.builder import System
from centrode.vehicles.bicycle.kinematics import motion, posture
from centrode.vehicles.bicycle.library import MACHINES, machine
from centrode.vehicles.bicycle.model import Bicycle, bicycle_system
from centrode.vehicles.bicycle.parameters import BicycleParameters, from_z_down
from centrode.vehicles.bicycle.rider import path_from

BENCHMARK_Z_DOWN = {
    "w": 1.02,
    "c": 0.08,
    "lam": math.pi / 10,
    "rR": 0.3,
    "mR": 2,
    "IRxx": 0.0603,
    "IRyy": 0.12,
    "xB": 0.3,
    "zB": -0.9,
    "mB": 85,
    "IBxx": 9.2,
    "IByy": 11,
    "IBzz": 2.8,
    "IBxz": 2.4,
    "xH": 0.9,
    "zH": -0.7,
    "mH": 4,
    "IHxx": 0.05892,
    "IHyy": 0.06,
    "IHzz": 0.00708,
    "IHxz": -0.00756,
    "rF": 0.35,
    "mF": 3,
    "IFxx": 0.1405,
    "IFyy": 0.28,
}


def test_z_down_is_turned_into_z_up():
    assert from_z_down(**BENCHMARK_Z_DOWN) == BicycleParameters()


def test_z_down_overrides_of_the_vehicle():
    down = Bicycle("b", parameters={"frame_z": -1.0, "frame_ixz": 2.0}, axes="z-down").values()
    assert (down.frame_z, down.frame_ixz) == (1.0, -2.0)


@pytest.mark.parametrize("name", list(MACHINES))
def test_library_is_sound(name):
    p = machine(name)
    assert p.faults() == []
    rear, front = p.wheel_loads()
    assert rear > 0.0 and front > 0.0 and rear + front == pytest.approx(9.81 * p.total_mass)


def test_measured_fork_offsets_are_round():
    """Trail and tilt of the measured bicycles come from the fork offset, which was measured in half millimetres."""
    assert machine("crescendo").fork_offset == pytest.approx(0.045, abs=1e-9)
    assert machine("fisher").fork_offset == pytest.approx(0.0385, abs=1e-9)


def test_static_wheel_loads():
    assert BicycleParameters().wheel_loads() == pytest.approx((612.8365, 309.3035), abs=5e-5)


angles = st.floats(-0.6, 0.6)


@settings(max_examples=60)
@given(angles, angles, st.floats(-8.0, 8.0), angles, angles, st.sampled_from(["benchmark", "scooter", "pista"]))
def test_wheels_touch_and_roll_in_any_posture(lean, steer, speed, lean_rate, steer_rate, name):
    """Both contact points lie on the ground and stand still; the speed is the one asked for. Round-off only."""
    p = machine(name)
    where = posture(p, lean, steer)
    assert abs(where.contacts["front"][2]) < 1e-13
    how = motion(p, where, speed, lean_rate, steer_rate)
    for wheel, contact in (("rear-wheel", "rear"), ("front-wheel", "front")):
        arm = where.contacts[contact] - where.positions[wheel]
        assert np.abs(how.velocities[wheel] + np.cross(how.omegas[wheel], arm)).max() < 1e-12 * max(1.0, abs(speed))
    assert p.rear_radius * how.rear_spin == pytest.approx(speed, abs=1e-12)
    assert np.linalg.det(where.rotations["fork"]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"trail": 0.9}, "steer axis does not pass through the front wheel"),
        ({"wheelbase": 0.5}, "wheels overlap"),
        ({"steer_tilt": 1.2, "wheelbase": 0.7, "trail": 0.3}, "steer axis passes through the rear wheel"),
        ({"frame_mass": -85.0}, "must be positive"),
        ({"rear_radius": float("nan")}, "not a finite number"),
        ({"rear_iyy": 0.5}, "no mass distribution"),
        ({"frame_ixz": 8.0}, "no mass distribution"),
        ({"steer_tilt": 1.5707}, "lies flat"),
        ({"rear_tyre": 0.4}, "no thicker"),
        ({"trial": 0.08}, "did you mean 'trail'"),
    ],
)
def test_bad_parameters_are_refused_by_name(values, words):
    with pytest.raises(InputError, match=words) as caught:
        System().add(Bicycle("bike", parameters=values))
    assert any(next(iter(values)).split("_")[0] in fault.path for fault in caught.value.faults)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"machine": "benchmrk"}, "did you mean 'benchmark'"),
        ({"height": -0.1}, "starts in the ground"),
        ({"lean": 1.2}, "has fallen before it starts"),
        ({"position": (1.0, 2.0, 3.0)}, "two numbers"),
        ({"push": {"force": 10, "tme": 2}}, "unknown name"),
        ({"push": 3}, "not a mapping"),
        ({"upper_body": {"mass": 90, "x": 0.3, "z": 1.2}}, "more than the frame"),
        ({"upper_body": {"mass": 30}}, "lacks"),
        ({"steer_angle": 0.0, "drives": True}, "takes no torque"),
        ({"speed": float("inf")}, "not a finite number"),
    ],
)
def test_bad_vehicles_are_refused(values, words):
    with pytest.raises(InputError, match=words):
        bicycle_system(**values)


def test_a_bicycle_above_the_ground_is_put_on_its_wheels():
    from centrode.running import Session
    from centrode.system.settings import RunSettings

    session = Session(bicycle_system(height=0.002), RunSettings(duration=0.1))
    assert session.assembly.moved
    phi = session.workspace["terms"][:, :, 0]
    assert np.abs(phi).max() < 1e-9


def test_paths():
    path = path_from([(0, 0), (10, 0), (20, 5)])
    point, tangent, _ = path.at(3.0)
    assert np.hypot(*tangent) == pytest.approx(1.0)
    assert path.nearest(point, 0.0) == pytest.approx(3.0, abs=1e-8)
    for bad in ([(0, 0)], [(0, 0), (0, 0)], [(0, 0), (1,)], [(0, 0), (math.nan, 1)]):
        with pytest.raises(InputError):
            path_from(bad)


def test_every_field_has_unit_and_meaning():
    for item in dataclasses.fields(BicycleParameters):
        assert item.metadata["unit"] and item.metadata["meaning"]

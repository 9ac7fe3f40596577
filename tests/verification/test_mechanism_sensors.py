"""Sensors on points: exact rigid-body formulas, and the differences (14), (16) of the discrete-time article.

A body turning at w about a fixed axis, point at radius r: velocity w r, acceleration w^2 r towards the axis.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.math.rotation import matrix_from_quaternion
from centrode.methods.discrete import velocity_by_difference
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.torque import Torque
from centrode.parts.points.point import Point
from centrode.running import Session, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings

RATE, RADIUS = 3.0, 0.7


def turntable(**more):
    system = System(gravity=(0.0, 0.0, 0.0))
    system.add(RigidBody("table", 2.0, (1.0, 1.0, 1.5), velocity=(0.4, 0.0, 0.0), omega=(0.0, 0.0, RATE), **more))
    system.add(Point("rim", "table", (RADIUS, 0.0, 0.1)))
    return system


def test_sensors_are_exact():
    run = simulate(turntable(), duration=2.0, frames=0.1, tolerance=1e-12)
    angle = RATE * run.time
    along = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    across = np.column_stack([-np.sin(angle), np.cos(angle), 0 * angle])
    drift = np.array([0.4, 0.0, 0.0])
    place = RADIUS * along + np.outer(run.time, drift) + (0.0, 0.0, 0.1)
    assert np.abs(run["rim.position"] - place).max() < 1e-11
    assert np.abs(run["rim.velocity"] - (drift + RATE * RADIUS * across)).max() < 1e-11
    assert np.abs(run["rim.acceleration"] + RATE**2 * RADIUS * along).max() < 1e-10
    assert np.abs(run["rim.omega"] - (0.0, 0.0, RATE)).max() < 1e-12
    assert np.abs(run["rim.alpha"]).max() < 1e-12


def test_angular_acceleration_under_a_torque():
    system = turntable()
    system.add(Torque("motor", "table", 0.6))
    run = simulate(system, duration=1.0, frames=0.25, tolerance=1e-12)
    assert run["rim.alpha"][:, 2] == pytest.approx(0.6 / 1.5, abs=1e-12)
    tangential = 0.4 * RADIUS
    angle = RATE * run.time + 0.2 * run.time**2
    rate = RATE + 0.4 * run.time
    closed = -(rate**2) * RADIUS * np.cos(angle) - tangential * np.sin(angle)
    assert run["rim.acceleration"][:, 0] == pytest.approx(closed, abs=1e-9)


def differences(step, count=60):
    """Velocities by (14) over successive steps, and accelerations by (16), against the exact ones at the step's end."""
    session = Session(turntable(), RunSettings(duration=1.0, method="discrete", step=step, audit=False))
    velocities, accelerations, errors = [], [], []
    last = None
    for k in range(1, count + 1):
        session.advance(np.array([0.01 + k * step]) if k > 1 else np.array([0.01]))
        pose, speed = session.workspace["pose"][0], session.workspace["velocity"][0]
        rotation = matrix_from_quaternion(pose[3:7])
        found = velocity_by_difference(pose[:3], rotation, speed[:3], speed[3:6], np.array([RADIUS, 0.0, 0.1]), step)
        exact = speed[:3] + np.cross(rotation @ speed[3:6], rotation @ [RADIUS, 0.0, 0.1])
        errors.append(found - exact)
        velocities.append(found)
        if last is not None:
            accelerations.append((found - last) / step)
        last = found
    return np.array(errors), np.array(accelerations)


@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_the_difference_lags_by_half_a_step(step):
    """(14) is the mean over the step: behind the exact velocity by a h / 2 = w^2 r h / 2."""
    errors, _ = differences(step, 5)
    assert np.linalg.norm(errors[2:], axis=1) == pytest.approx(0.5 * RATE**2 * RADIUS * step, rel=1e-3)


def test_digits_that_differencing_loses():
    """Round-off of positions, 1e-16 of a metre, is divided by h once for (14) and twice for (16).

    At h = 1e-6 s velocities scatter by about 1e-10 m/s (six digits lost) and accelerations by about 1e-4 m/s2
    (twelve lost); the exact formulas keep all. The bounds are two to three powers of ten around that.
    """
    errors, accelerations = differences(1e-6)
    scatter = np.std(np.linalg.norm(errors, axis=1))
    assert 1e-12 < scatter < 1e-9
    size = np.linalg.norm(accelerations[1:], axis=1)
    lost = np.abs(size - RATE**2 * RADIUS).max()
    assert 1e-6 < lost < 1e-2
    session = Session(turntable(), RunSettings(duration=1.0, method="discrete", step=1e-6, audit=False))
    session.advance(np.array([0.001]))
    speed = session.workspace["velocity"][0]
    assert math.isclose(speed[5], RATE, rel_tol=1e-14)

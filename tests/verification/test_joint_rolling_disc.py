"""Rolling disc: corrected convective terms of the bicycle lecture notes, steady circle, wobble, slope, round tyre."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.workspace import Workspace
from centrode.math.rotation import matrix_from_axis_angle, quaternion_from_matrix
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.rolling_disc import RollingDisc
from centrode.running import simulate
from centrode.system.builder import System
from centrode.system.model import build_model

G = 9.81
X, Y, Z = np.eye(3)
numbers = st.floats(-1.0, 1.0)
_cache: list[Workspace] = []


def notes_rotation(yaw, lean, pitch):
    """3-1-2 angles of the lecture notes: yaw about z, lean about the new x, pitch about the axle."""
    return matrix_from_axis_angle(Z, yaw) @ matrix_from_axis_angle(X, lean) @ matrix_from_axis_angle(Y, pitch)


def workspace():
    if not _cache:
        system = System()
        wheel = system.add(RigidBody("wheel", 2.0, (0.06, 0.12, 0.06), position=(0, 0, 0.3)))
        system.add(RollingDisc("contact", system.ground, wheel, 0.3))
        _cache.append(Workspace(build_model(system)))
    return _cache[0]


@settings(max_examples=60)
@given(st.lists(numbers, min_size=8, max_size=8))
def test_convective_terms_of_the_bicycle_lecture_notes(draw):
    """Section 10.2 with the body angular acceleration as unknown (yaw p, lean t, pitch s, radius r):

    g1 = r cos t t'^2 + r sin t cos t p' s'
    g2 = p' (-sin p x' + cos p y')
    g3 = -p' (cos p x' + sin p y') - r sin t t'^2 + r cos^2 t p' s'

    All terms are below 10, so agreement is to some units of round-off, 1e-13.
    """
    yaw, lean, pitch = 3.0 * draw[0], 1.2 * draw[1], 3.0 * draw[2]
    dyaw, dlean, dpitch = 3.0 * draw[3], 3.0 * draw[4], 3.0 * draw[5]
    dx, dy = draw[6], draw[7]
    r = 0.3
    w = workspace()
    rotation = notes_rotation(yaw, lean, pitch)
    omega = dyaw * Z + dlean * (matrix_from_axis_angle(Z, yaw) @ X) + dpitch * (rotation @ Y)
    w["pose"][0] = [0.1, 0.2, r * math.cos(lean), *quaternion_from_matrix(rotation)]
    w["velocity"][0] = [dx, dy, -r * math.sin(lean) * dlean, *(rotation.T @ omega)]
    w.evaluate(0.0)
    jacobian, terms = w["jacobian"][0], w["terms"][0]
    m = w["joint_link"][0, 1]
    bias = terms[:3, 2] + jacobian[1, :3, :3] @ w["markers"][m, 9:12]
    g1 = r * math.cos(lean) * dlean**2 + r * math.sin(lean) * math.cos(lean) * dyaw * dpitch
    g2 = dyaw * (-math.sin(yaw) * dx + math.cos(yaw) * dy)
    g3 = (
        -dyaw * (math.cos(yaw) * dx + math.sin(yaw) * dy)
        - r * math.sin(lean) * dlean**2
        + r * math.cos(lean) ** 2 * dyaw * dpitch
    )
    np.testing.assert_allclose(bias, [g1, g2, g3], atol=1e-13)
    assert terms[0, 0] == pytest.approx(0.0, abs=1e-15)
    assert w["joint_memory"][0, 0] == pytest.approx(lean, abs=1e-14)  # lean is recorded as a coordinate
    # Contact velocity rows of the notes: vertical z' - z'(lean); the other two with the rates of the angles.
    velocity = terms[:3, 1] + jacobian[1, :3] @ w["markers"][m, 3:9]
    forward = math.cos(yaw) * dx + math.sin(yaw) * dy - r * (dpitch + dyaw * math.sin(lean))
    sideways = -math.sin(yaw) * dx + math.cos(yaw) * dy + r * math.cos(lean) * dlean
    np.testing.assert_allclose(velocity, [0.0, forward, sideways], atol=1e-13)


def steady_circle(lean, turn, radius=0.5, mass=1.0):
    """A sharp-edged disc that rolls steadily in a circle: the body, and the speed of its centre [m/s].

    Axes f forward, g left, n up; s = cos(lean), k = sin(lean); axle e = s g + k n; m = -k g + s n from the contact
    to the centre. Turn W about n and spin about e give w . e = v / r, H = A W s m + C (v / r) e. With the contact force
    F = m_d g n + m_d W v g, moments about the centre, W n x H = -r m x F, read along f

        W s (A W k - C v / r) = r m_d (g k + W v s),   hence   v = k (A W^2 s - m_d g r) / (W s (m_d r + C / r)).
    """
    across, along = 0.25 * mass * radius**2, 0.5 * mass * radius**2
    s, k = math.cos(lean), math.sin(lean)
    speed = k * (across * turn**2 * s - mass * G * radius) / (turn * s * (mass * radius + along / radius))
    spin = speed / radius - turn * k
    rotation = matrix_from_axis_angle(X, lean)  # forward x; axle (0, s, k)
    omega = turn * Z + spin * (rotation @ Y)
    body = RigidBody(
        "disc",
        mass,
        (across, along, across),
        position=(0.0, 0.0, radius * s),
        orientation=tuple(quaternion_from_matrix(rotation)),
        velocity=(speed, 0.0, 0.0),
        omega=tuple(rotation.T @ omega),
    )
    return body, speed


def test_steady_circle_with_order_four():
    """Lean 0.3 rad, turn 1.5 rad/s, 10 s: centre on its circle; error falls with order 4 (RK4) within 0.15."""
    turn = 1.5
    body, speed = steady_circle(0.3, turn)
    centre = np.array([0.0, speed / turn])
    errors = []
    for step in (0.02, 0.01):
        system = System()
        disc = system.add(body)
        system.add(RollingDisc("contact", system.ground, disc, 0.5))
        run = simulate(system, duration=10.0, method="rk4-projected", step=step, frames=0.5)
        angle = turn * run.time
        circle = centre + speed / turn * np.stack([np.sin(angle), -np.cos(angle)], axis=1)
        errors.append(float(np.abs(run["disc.position"][:, :2] - circle).max()))
        np.testing.assert_allclose(run["contact.lean"], 0.3, atol=1e-4)
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.15), errors
    assert errors[1] < 1e-5


def test_steady_circle_forces():
    """The contact carries the weight and the centripetal force m v W, towards the middle of the circle."""
    turn, mass = 1.5, 1.0
    body, speed = steady_circle(0.3, turn, mass=mass)
    system = System()
    disc = system.add(body)
    system.add(RollingDisc("contact", system.ground, disc, 0.5))
    run = simulate(system, duration=0.1, method="dop853", tolerance=1e-11, frames=0.1)
    np.testing.assert_allclose(run["contact.force"][0], (0.0, mass * speed * turn, mass * G), atol=1e-10)


@pytest.mark.parametrize("tyre", [0.0, 0.08])
def test_wobbling_disc_keeps_its_energy(tyre):
    """Euler's disc far from steady motion, lean between 0.9 and 1.27 rad: order of the loss at least 4 within 0.15."""
    lost = []
    for step in (0.005, 0.0025):
        system = System()
        lean = 0.9
        height = (0.4 - tyre) * math.cos(lean) + tyre
        orientation = tuple(quaternion_from_matrix(matrix_from_axis_angle(X, lean)))
        disc = system.add(
            RigidBody("disc", 1.0, (0.04, 0.08, 0.04), (0, 0, height), orientation, omega=(0.5, 1.0, 4.0))
        )
        system.add(RollingDisc("contact", system.ground, disc, 0.4, tyre))
        run = simulate(system, duration=5.0, method="rk4-projected", step=step, frames=0.1, assemble=True)
        assert np.ptp(run["contact.lean"]) > 0.2
        lost.append(float(np.ptp(run["energy.total"])))
    assert math.log2(lost[0] / lost[1]) > 3.85, lost


@pytest.mark.parametrize("tyre", [0.0, 0.1])
def test_wheel_rolls_straight_down_a_slope(tyre):
    """Upright on a slope: a = g sin(slope) / (1 + J / (m r^2)), whatever the section of the tyre."""
    slope, radius, mass, inertia = 0.2, 0.4, 3.0, 0.2
    normal = np.array([math.sin(slope), 0.0, math.cos(slope)])
    down = np.array([math.cos(slope), 0.0, -math.sin(slope)])
    corner = np.array([1.0, 2.0, 3.0])
    system = System()
    wheel = system.add(RigidBody("wheel", mass, (0.15, inertia, 0.15), position=tuple(corner + radius * normal)))
    system.add(
        RollingDisc("contact", system.ground, wheel, radius, tyre, point_a=tuple(corner), normal=tuple(3.0 * normal))
    )
    run = simulate(system, duration=1.0, method="dop853", tolerance=1e-10, frames=0.25)
    a = G * math.sin(slope) / (1 + inertia / (mass * radius**2))
    travelled = run["wheel.position"] - run["wheel.position"][0]
    np.testing.assert_allclose(travelled, 0.5 * a * np.outer(run.time**2, down), atol=1e-9)
    np.testing.assert_allclose(run["wheel.omega"][:, 1], a * run.time / radius, atol=1e-9)


def test_ball_is_a_disc_with_a_tyre_of_its_own_radius():
    """With tyre_radius = radius the wheel is a sphere: contact below the centre at any lean, rolling as a ball does."""
    radius, mass = 0.3, 2.0
    inertia = 0.4 * mass * radius**2
    slope = 0.25
    normal = (math.sin(slope), 0.0, math.cos(slope))
    tilt = tuple(quaternion_from_matrix(matrix_from_axis_angle((1, 1, 0), 0.7)))
    system = System()
    ball = system.add(
        RigidBody("ball", mass, (inertia,) * 3, tuple(radius * np.array(normal)), tilt, velocity=(0.0, 1.0, 0.0))
    )
    system.add(RollingDisc("contact", system.ground, ball, radius, radius, normal=normal))
    run = simulate(system, duration=0.8, method="dop853", tolerance=1e-10, frames=0.2, assemble=True)
    velocity0 = run["ball.velocity"][0]
    a = G * math.sin(slope) / 1.4
    down = np.array([math.cos(slope), 0.0, -math.sin(slope)])
    path = np.outer(run.time, velocity0) + 0.5 * a * np.outer(run.time**2, down)
    np.testing.assert_allclose(run["ball.position"] - run["ball.position"][0], path, atol=1e-9)

"""Rotations, twists and helices: exponential, split of the rates, geometry."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm

from centrode.math.ici_plane import advance_plane_exact
from centrode.math.ici_space import (
    advance_space_exact,
    advance_space_split,
    helix_of_twist,
    split_rates,
    split_rates_about_up,
)
from centrode.math.se3 import advance_twist, jacobian_coefficients
from centrode.math.vector import rotation_of

rate = st.floats(-3.0, 3.0)
vector = st.tuples(rate, rate, rate)
UP = (0.0, 0.0, 1.0)
START = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)


def hat(f):
    return np.array([[0.0, -f[2], f[1]], [f[2], 0.0, -f[0]], [-f[1], f[0], 0.0]])


@given(vector, vector)
def test_twist_agrees_with_matrix_exponential(v, w):
    generator = np.zeros((4, 4))
    generator[:3, :3] = hat(w)
    generator[:3, 3] = v
    pose = expm(generator)
    p, q = advance_twist(*START, v, w, 1.0)
    assert np.allclose(p, pose[:3, 3], rtol=0, atol=1e-12)
    assert np.allclose(rotation_of(q), pose[:3, :3], rtol=0, atol=1e-12)


@pytest.mark.parametrize("t", [0.0, 1e-200, 1e-8, 1e-4, 1e-2, 0.1, 0.4999, 0.5001, 1.0, 3.0])
def test_coefficients_keep_all_digits(t):
    # Reference: long alternating series summed in rational arithmetic.
    from fractions import Fraction

    x = Fraction(t) ** 2
    sums = [Fraction(0)] * 2
    for k in range(25):
        sign = (-1) ** k
        for i, start in enumerate((2, 3)):
            sums[i] += sign * x**k / math.factorial(2 * k + start)
    got = jacobian_coefficients(t * t)
    # t*t and its root are rounded; above 0.5 the direct form of c cancels at most one digit in eight.
    assert got == pytest.approx([float(value) for value in sums], rel=4e-15)
    if t < 0.4:
        assert got == pytest.approx([float(value) for value in sums], rel=5e-16)


@given(rate, rate, rate, st.floats(0.01, 1.0))
def test_space_step_in_the_plane_is_the_planar_arc(vx, vy, omega, dt):
    plane = advance_plane_exact(0.0, 0.0, 1.0, 0.0, vx, vy, omega, dt)
    p, q = advance_space_exact(*START, (vx, vy, 0.0), (0.0, 0.0, omega), dt)
    rotation = rotation_of(q)
    assert np.allclose((p[0], p[1], rotation[0][0], rotation[1][0]), plane, rtol=0, atol=2e-15)
    split = advance_space_split(*START, (vx, vy, 0.0), (0.0, 0.0, omega), dt)
    assert np.allclose(np.concatenate(split), np.concatenate((p, q)), rtol=0, atol=2e-15)


@given(vector.filter(lambda v: math.dist(v, (0, 0, 0)) > 0.1), vector)
def test_split_rates_rebuild_the_angular_velocity(v, w):
    roll, yaw, normal = split_rates(v, w)
    along = np.array(v) / np.linalg.norm(v)
    assert np.allclose(roll * along + yaw * np.array(normal), w, rtol=0, atol=1e-13)
    assert yaw >= 0.0
    # The pitch rate, along the radial direction V x Omega_perp, is zero by construction.
    if yaw > 1e-6:
        radial = np.cross(along, normal)
        assert abs(np.dot(w, radial)) < 1e-12


@given(vector.filter(lambda v: math.hypot(v[0], v[1]) > 0.1), vector)
def test_split_about_up_keeps_the_length(v, w):
    yaw, roll, pitch = split_rates_about_up(v, w, UP)
    assert math.hypot(yaw, roll, pitch) == pytest.approx(float(np.linalg.norm(w)), rel=1e-12, abs=1e-14)


def test_split_about_up_signs():
    # Driving ahead: yaw about z up, roll about x, pitch about y to the left.
    assert split_rates_about_up((5.0, 0.0, 0.0), (0.1, 0.2, 0.3), UP) == pytest.approx((0.3, 0.1, 0.2))
    assert all(math.isnan(value) for value in split_rates_about_up((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), UP))
    assert all(math.isnan(value) for value in split_rates_about_up((0.0, 0.0, 2.0), (1.0, 1.0, 1.0), UP))


def test_helix_curvature_torsion_and_radius():
    v, w = (3.0, 0.4, -0.2), (0.5, -0.3, 1.1)
    curvature, torsion, radius, pitch, foot = helix_of_twist(v, w)
    # Relation between osculating radius and helix (r, h): R = (r^2 + h^2)/r; torsion = h/(r^2 + h^2).
    assert 1.0 / curvature == pytest.approx((radius**2 + pitch**2) / radius, rel=1e-14)
    assert torsion == pytest.approx(pitch / (radius**2 + pitch**2), rel=1e-14)
    # Frenet formulas by differences of the exact path.
    h = 1e-2
    points = np.array([advance_space_exact(*START, v, w, n * h)[0] for n in range(-3, 4)])
    d1 = (points[4] - points[2]) / (2 * h)
    d2 = (points[4] - 2 * points[3] + points[2]) / h**2
    d3 = (points[5] - 2 * points[4] + 2 * points[2] - points[1]) / (2 * h**3)
    cross = np.cross(d1, d2)
    # Central differences: error about (|w| h)^2 / 4 = 4e-5.
    assert np.linalg.norm(cross) / np.linalg.norm(d1) ** 3 == pytest.approx(curvature, rel=2e-4)
    assert np.dot(cross, d3) / np.dot(cross, cross) == pytest.approx(torsion, rel=2e-4)
    # Points keep their distance from the axis.
    axis = np.array(w) / np.linalg.norm(w)
    arms = points - np.array(foot)
    distance = np.linalg.norm(arms - np.outer(arms @ axis, axis), axis=1)
    assert np.allclose(distance, radius, rtol=1e-12)


def test_degenerate_twists():
    assert helix_of_twist((2.0, 0.0, 0.0), (0.0, 0.0, 0.0))[:3] == (0.0, 0.0, math.inf)
    turning = helix_of_twist((0.0, 0.0, 0.0), UP)
    assert turning[:4] == (math.inf, 0.0, 0.0, 0.0)
    # At rest the split has no axis to roll about; it turns in place like the exponential.
    rest = (0.0, 0.0, 0.0), (0.3, -0.2, 0.5), 0.7
    assert advance_space_split(*START, *rest) == advance_space_exact(*START, *rest)

"""Elastic terms of the pseudo-rigid body: gradient of the energy, invariance, damping, modes of a known car."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from centrode.errors import InputError
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.bodies.pseudo_rigid_energy import (
    director_forces,
    director_inertias,
    dissipated_power,
    elastic_energy,
    lame_constants,
)

LAM, MU = lame_constants(600.0e6, 0.30)
VOLUME = 0.42
STILL = ((0.0, 0.0, 0.0),) * 3


def rows(numbers):
    """Nine numbers as three rows, which kernels take."""
    return tuple(tuple(float(x) for x in row) for row in np.reshape(numbers, (3, 3)))


def forces(d, w=STILL, time=0.0, lam=LAM, mu=MU):
    return np.array(director_forces((lam, mu, VOLUME, time), rows(d), rows(w))).ravel()


def energy_of(d):
    return elastic_energy((LAM, MU, VOLUME, 0.0), rows(d))


def power_of(d, w, time):
    return dissipated_power((LAM, MU, VOLUME, time), rows(d), rows(w))


directors = arrays(float, (3, 3), elements=st.floats(-0.3, 0.3)).map(lambda a: np.eye(3) + a)
rates = arrays(float, (3, 3), elements=st.floats(-5.0, 5.0))


def rotation(seed):
    q, r = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else -q


@settings(max_examples=50, deadline=None)
@given(directors)
def test_director_forces_are_the_gradient_of_the_energy(d):
    """U is a quartic in the directors, so a central difference errs by h^2 U'''/6 and round-off eps U/h only."""
    k = forces(d)
    h = 1e-4
    energy = energy_of(d)
    for i in range(9):
        step = np.zeros(9)
        step[i] = h
        slope = (energy_of(d.ravel() + step) - energy_of(d.ravel() - step)) / (2 * h)
        # third derivative of U is at most 3 V (lambda + 2 mu) |d_i| per component
        bound = h * h / 6 * 3 * VOLUME * (LAM + 2 * MU) * 1.5 + 4 * np.finfo(float).eps * (energy + 1e8) / h
        assert abs(slope - k[i]) <= bound


@settings(max_examples=50, deadline=None)
@given(directors, st.integers(0, 10**6))
def test_energy_does_not_see_a_rotation_of_the_world_and_forces_turn_with_it(d, seed):
    q = rotation(seed)
    turned = d @ q.T  # rows are directors
    scale = VOLUME * (LAM + 2 * MU)
    energy = energy_of(d)
    assert abs(energy_of(turned) - energy) < 1e-13 * scale
    k = forces(d).reshape(3, 3)
    k_turned = forces(turned).reshape(3, 3)
    assert np.max(np.abs(k_turned - k @ q.T)) < 1e-13 * scale
    # sum d_i x k^i = 0: internal forces have no moment
    assert np.max(np.abs(np.cross(d, k).sum(axis=0))) < 1e-13 * scale


def test_rigid_attitude_has_no_energy_and_no_force():
    for seed in range(5):
        q = rotation(seed)
        assert energy_of(q) < 1e-20 * VOLUME * LAM
        assert np.max(np.abs(forces(q))) < 1e-14 * VOLUME * LAM


@settings(max_examples=50, deadline=None)
@given(directors, rates)
def test_damping_power_is_what_the_damped_forces_take(d, w):
    time = 1e-3
    elastic = forces(d)
    damped = forces(d, w, time)
    power = power_of(d, w, time)
    assert power >= 0.0
    scale = np.abs((damped - elastic) * w.ravel()).sum() + np.abs(elastic * w.ravel()).sum() + 1.0
    assert abs((damped - elastic) @ w.ravel() - power) < 1e-12 * scale


def test_rigid_rotation_is_not_damped():
    q = rotation(3)
    omega = np.array([1.0, -2.0, 0.5])
    w = np.cross(omega, q)
    assert power_of(q, w, 1e-3) < 1e-18 * VOLUME * LAM


@pytest.mark.parametrize(
    ("young", "poisson", "expected"),
    [(600e6, 0.30, (317.8, 574.6, 838.4, 864.4, 976.7, 1621.6))],
)
def test_six_deformation_modes_of_the_reports_car(young, poisson, expected):
    """Model 1 of the MEDUSA report: published to 0.1 rad/s; shear modes also in closed form.

    Linearised, a shear of directors i, j has stiffness V mu and reduced inertia y_i y_j / (y_i + y_j).
    """
    lam, mu = lame_constants(young, poisson)
    inertia = np.array(director_inertias((479.6, 2594.6, 2782.0)))
    assert inertia == pytest.approx([2448.5, 333.5, 146.1], abs=0.05)
    h = 1e-5
    stiffness = np.zeros((9, 9))
    for i in range(9):
        step = np.zeros(9)
        step[i] = h
        stiffness[:, i] = (
            forces(np.eye(3).ravel() + step, lam=lam, mu=mu) - forces(np.eye(3).ravel() - step, lam=lam, mu=mu)
        ) / (2 * h)
    root = np.repeat(1.0 / np.sqrt(inertia), 3)
    squares = np.linalg.eigvalsh(root[:, None] * (stiffness + stiffness.T) / 2 * root[None, :])
    assert np.max(np.abs(squares[:3])) < 1e-3  # three rotations, 0 up to round-off of 2.6e6
    frequencies = np.sqrt(squares[3:])
    assert frequencies == pytest.approx(expected, abs=0.06)
    car = PseudoRigidBody("car", mass=1573.0, inertia=(479.6, 2594.6, 2782.0), young=young, poisson=poisson)
    assert car.fastest_vibration() == pytest.approx(frequencies.max(), rel=1e-6)  # difference quotient: h^2, eps/h
    shear = sorted(
        np.sqrt(VOLUME * mu * (inertia[i] + inertia[j]) / (inertia[i] * inertia[j]))
        for i, j in ((0, 1), (0, 2), (1, 2))
    )
    for value in shear:
        assert np.min(np.abs(frequencies - value)) < 1e-4


@pytest.mark.parametrize("inertia", [(1.0, 1.0, 2.0), (1.0, 2.0, 4.0), (-1.0, 1.0, 1.0)])
def test_impossible_inertias_are_refused(inertia):
    with pytest.raises(InputError):
        director_inertias(inertia)


@pytest.mark.parametrize(("young", "poisson"), [(0.0, 0.3), (1e9, 0.5), (1e9, -1.0), (float("nan"), 0.3)])
def test_impossible_materials_are_refused(young, poisson):
    with pytest.raises(InputError):
        lame_constants(young, poisson)

"""Pseudo-rigid bodies in motion against closed forms, short enough for the JIT off."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct

MASS, INERTIA = 1573.0, (479.6, 2594.6, 2782.0)
WEIGHTS = 0.5 * sum(INERTIA) - np.array(INERTIA)
"""Inertias of the directors, int x_k^2 dm [kg m2]."""
YOUNG, POISSON, VOLUME = 600e6, 0.3, 1.0
LAM, MU = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))


def body(**given) -> ct.PseudoRigidBody:
    return ct.PseudoRigidBody("body", MASS, INERTIA, young=YOUNG, poisson=POISSON, volume=VOLUME, **given)


def run(*parts, gravity=(0.0, 0.0, 0.0), duration: float, steps: int, **settings) -> ct.Recording:
    system = ct.System(gravity=gravity)
    for part in parts:
        system.add(part)
    return ct.simulate(system, duration=duration, step=duration / steps, frames=duration, method="rk4", **settings)


def stored(directors: np.ndarray) -> float:
    """St. Venant-Kirchhoff: V (lam/2 tr(E)^2 + mu E:E) with E = (F^T F - 1)/2."""
    strain = 0.5 * (directors.T @ directors - np.eye(3))
    return VOLUME * (0.5 * LAM * np.trace(strain) ** 2 + MU * np.sum(strain * strain))


def kinetic(velocity: np.ndarray, rates: np.ndarray) -> float:
    return 0.5 * MASS * velocity @ velocity + 0.5 * float(np.sum(rates**2 @ WEIGHTS))


@pytest.mark.parametrize(("i", "j"), [(0, 1), (0, 2), (1, 2)])
def test_small_shear_swings_with_its_own_frequency(i: int, j: int) -> None:
    """w^2 = V mu (1/I_i + 1/I_j) of a shear of directors i and j; after half a swing the shear has the other sign.

    F = 1 + e S with S symmetric moves as a shear and a small turn; the strain e is 1e-6, so squares are 1e-6 of it.
    """
    shear = np.eye(3)
    shear[i, j] = shear[j, i] = 1e-6
    frequency = math.sqrt(VOLUME * MU * (1.0 / WEIGHTS[i] + 1.0 / WEIGHTS[j]))
    found = run(body(directors=tuple(shear.ravel())), duration=math.pi / frequency, steps=40)
    directors = found["body.directors"][-1]
    strain = 0.5 * (directors.T @ directors - np.eye(3))
    # RK4, (h w)^4/120 of the phase per radian and (h w)^6/144 of the amplitude a step: cosine of a small phase error.
    assert strain[i, j] == pytest.approx(-1e-6, rel=2e-5)
    other = 3 - i - j
    assert abs(strain[i, other]) < 1e-11 and abs(strain[j, other]) < 1e-11


def test_free_body_keeps_energy_momentum_and_its_moment() -> None:
    """Turned, stretched, spinning and moving in all directions at once; quadratic invariants with the order of RK4.

    Kinetic and stored energy are computed here from the directors.
    """
    directors = np.array([[1.002, 0.001, -0.002], [0.0015, 0.999, 0.001], [-0.001, 0.002, 1.001]])
    given = body(directors=tuple(directors.ravel()), position=(1.0, 2.0, 3.0), velocity=(4.0, -5.0, 6.0),
                 omega=(0.5, -0.8, 1.1))  # fmt: skip
    found = run(given, duration=0.004, steps=40)
    energies, moments = [], []
    for n in (0, -1):
        f, rates, velocity = (found[f"body.{name}"][n] for name in ("directors", "director_rates", "velocity"))
        energies.append(kinetic(velocity, rates) + stored(f))
        moments.append(MASS * np.cross(found["body.position"][n], velocity) + np.cross(f, rates, axis=0) @ WEIGHTS)
        assert found["energy.kinetic"][n] == pytest.approx(kinetic(velocity, rates), rel=1e-13)
        assert found["energy.stored"][n] == pytest.approx(stored(f), rel=1e-9)
    assert found["body.directors"][0] == pytest.approx(directors, abs=1e-15)
    # Turning with omega as a rigid body would: w = omega x d.
    spin = np.array([[0.0, -1.1, -0.8], [1.1, 0.0, -0.5], [0.8, 0.5, 0.0]])
    assert found["body.director_rates"][0] == pytest.approx(spin @ directors, abs=5e-3)
    # Fastest vibration w = 2.5e3 rad/s: the amplitude loses (h w)^6/144 a step, the energy twice that.
    assert energies[1] == pytest.approx(energies[0], abs=2.0 * 40 * 0.25**6 / 144.0 * stored(directors))
    assert moments[1] == pytest.approx(moments[0], rel=1e-7)
    assert found["body.velocity"][-1] == pytest.approx((4.0, -5.0, 6.0), abs=1e-12)
    assert found["body.position"][-1] == pytest.approx((1.016, 1.98, 3.024), abs=1e-12)
    assert stored(found["body.directors"][-1]) != pytest.approx(stored(directors), rel=1e-2)  # it did vibrate


def test_steady_spin_stretches_the_arms() -> None:
    """About z, in balance: I_k w^2 = V (lam tr E + 2 mu E_k) for both arms, 0 = lam tr E + 2 mu E_z along the axis."""
    spin = 30.0
    matrix = LAM * np.ones((3, 3)) + 2.0 * MU * np.eye(3)
    strain = np.linalg.solve(matrix, np.array([WEIGHTS[0], WEIGHTS[1], 0.0]) * spin**2 / VOLUME)
    stretch = np.diag(np.sqrt(1.0 + 2.0 * strain))
    found = run(body(directors=tuple(stretch.ravel()), omega=(0.0, 0.0, spin)), duration=0.004, steps=40)
    directors = found["body.directors"][-1]
    lengths = np.linalg.norm(directors, axis=0)
    # Stays in balance; a step turns by h W = 3e-3, and RK4 misses (h w)^4/120 of that, h w = 0.25 in the stiffest mode.
    assert lengths == pytest.approx(np.diag(stretch), abs=0.25**4 / 120.0 * 3e-3)
    assert math.atan2(directors[1, 0], directors[0, 0]) == pytest.approx(spin * 0.004, abs=40 * 0.25**4 / 120.0 * 3e-3)
    assert lengths[0] > 1.001 and lengths[2] < 1.0


def test_damped_material_loses_its_vibration_and_not_its_spin() -> None:
    """Internal friction has no moment: L stays; a mode of frequency w decays by exp(-damping w^2 t/2) in amplitude."""
    shear = np.eye(3)
    shear[0, 1] = shear[1, 0] = 1e-6
    frequency = math.sqrt(VOLUME * MU * (1.0 / WEIGHTS[0] + 1.0 / WEIGHTS[1]))
    damping = 0.1 / frequency
    swing = math.sqrt(1.0 - 0.05**2) * frequency  # damping ratio is damping w/2
    found = run(body(directors=tuple(shear.ravel()), damping=damping), duration=math.pi / swing, steps=40)
    directors = found["body.directors"][-1]
    strain = 0.5 * (directors.T @ directors - np.eye(3))
    assert strain[0, 1] == pytest.approx(-1e-6 * math.exp(-0.05 * frequency * math.pi / swing), rel=1e-4)


def test_stiff_body_on_a_hinge_swings_like_a_rigid_one() -> None:
    """A pendulum that turns about a tilted axis, let go at once: it sags by g/w^2 = 1e-7 m, w > 1e4 rad/s."""
    ends = []
    for kind in (ct.RigidBody, ct.PseudoRigidBody):
        system = ct.System(gravity=(0.0, 1.0, -9.0))
        stiff = {"young": 600e9} if kind is ct.PseudoRigidBody else {}
        axis = np.array((0.6, 0.8, 0.0))
        omega = 0.7 * axis
        place = np.array((0.4, -0.2, -0.5))
        system.add(
            kind("body", MASS, INERTIA, position=tuple(place), velocity=tuple(np.cross(omega, place)),
                 omega=tuple(omega), **stiff)
        )  # fmt: skip
        system.add(ct.Revolute("hinge", system.ground, "body", at=(0.0, 0.0, 0.0), axis=tuple(axis)))
        found = ct.simulate(system, duration=2e-3, step=2e-5, frames=2e-3, method="rk4-projected")
        ends.append(found)
    rigid, soft = ends
    assert soft["hinge.angle"][-1] == pytest.approx(rigid["hinge.angle"][-1], rel=1e-5)
    assert soft["body.position"][-1] == pytest.approx(rigid["body.position"][-1], abs=1e-7)
    assert soft["body.omega"][-1] == pytest.approx(rigid["body.omega"][-1], abs=1e-7 * 1e4)
    assert soft["constraint.residual"].max() < 1e-10


def test_force_at_a_point_pushes_and_turns_the_body() -> None:
    """Momentum and its moment after a push at a point off the centre: F t and r x F t."""
    point, force = np.array((0.8, -0.3, 0.5)), np.array((300.0, -500.0, 700.0))
    size = float(np.linalg.norm(force))
    push = ct.PointForce("push", "body", size, direction=tuple(force / size), point_body=tuple(point))
    found = run(body(), push, duration=1e-3, steps=10)
    f, rates, velocity = (found[f"body.{name}"][-1] for name in ("directors", "director_rates", "velocity"))
    assert MASS * velocity == pytest.approx(1e-3 * force, rel=1e-12)
    moment = np.cross(f, rates, axis=0) @ WEIGHTS
    assert moment == pytest.approx(1e-3 * np.cross(point, force), rel=1e-5)  # the point moves by some 1e-6 m
    assert abs(found["energy.residual"][-1]) < 2.0 * 10 * 0.25**6 / 144.0 * found["energy.total"][-1]  # as above

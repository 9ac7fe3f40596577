"""The energy audit against closed forms: work of forces and torques in every direction, each on its own."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
MASS, INERTIA = 2.0, (0.3, 0.5, 0.7)


def run(system: ct.System, duration: float = 0.2, **settings) -> ct.Recording:
    return ct.simulate(system, **{"duration": duration, "method": "rk4", "step": 0.02, "frames": duration} | settings)


def free(**given) -> ct.System:
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("body", MASS, INERTIA, **given))
    return system


@pytest.mark.parametrize("axis", AXES)
def test_work_of_a_constant_force_is_the_kinetic_energy_it_gives(axis: str) -> None:
    """W = F^2 t^2 / 2 m; exact for RK4, the work is quadratic in time."""
    system = free()
    system.add(ct.PointForce("push", "body", 3.0, direction=AXES[axis]))
    found = run(system)
    energy = (3.0 * 0.2) ** 2 / (2.0 * MASS)
    assert found["energy.kinetic"][-1] == pytest.approx(energy, rel=1e-12)
    assert found["energy.residual"][-1] == pytest.approx(0.0, abs=1e-12)
    assert found["body.position"][-1] == pytest.approx(np.multiply(AXES[axis], 3.0 * 0.2**2 / (2.0 * MASS)), abs=1e-14)


@pytest.mark.parametrize("axis", AXES)
def test_work_of_a_constant_torque_is_the_kinetic_energy_it_gives(axis: str) -> None:
    """W = T^2 t^2 / 2 I about each principal axis."""
    system = free()
    system.add(ct.Torque("twist", "body", 0.4, direction=AXES[axis]))
    found = run(system)
    inertia = float(np.dot(INERTIA, AXES[axis]))
    assert found["energy.kinetic"][-1] == pytest.approx((0.4 * 0.2) ** 2 / (2.0 * inertia), rel=1e-12)
    assert found["energy.residual"][-1] == pytest.approx(0.0, abs=1e-12)


def test_gravity_stores_what_a_thrown_body_loses() -> None:
    system = ct.System(gravity=(1.0, -2.0, -9.0))
    system.add(ct.RigidBody("body", MASS, INERTIA, position=(0.1, 0.2, 0.3), velocity=(1.0, 2.0, 3.0)))
    found = run(system)
    place = np.array((0.1, 0.2, 0.3)) + 0.2 * np.array((1.0, 2.0, 3.0)) + 0.02 * np.array((1.0, -2.0, -9.0))
    assert found["energy.gravity"][-1] == pytest.approx(-MASS * np.dot((1.0, -2.0, -9.0), place), rel=1e-13)
    assert np.ptp(found["energy.total"]) < 1e-12


def test_spring_stores_half_k_times_the_square_of_its_stretch() -> None:
    """One eighth of a swing: x = 0.1 cos(w t), w t = pi/4: half is stored, half moves. (h w)^5/120 is missed a step."""
    system = free(position=(1.1, 0.0, 0.0))
    system.add(ct.Spring("spring", system.ground, "body", 50.0, length=1.0))
    found = run(system, duration=0.25 * math.pi / 5.0, step=0.25 * math.pi / 50.0)
    assert found["energy.stored"] == pytest.approx([0.25, 0.125], rel=1e-6)
    assert found["energy.kinetic"] == pytest.approx([0.0, 0.125], rel=1e-6, abs=1e-12)
    assert np.abs(found["energy.residual"]).max() < 1e-7


def test_damper_takes_what_the_body_loses() -> None:
    """v = v0 exp(-c t/m): the audit counts the damper's work, and the total falls by it."""
    system = free(position=(1.0, 0.0, 0.0), velocity=(1.0, 0.0, 0.0))
    system.add(ct.Spring("damper", system.ground, "body", 0.0, damping=4.0, length=1.0))
    found = run(system)
    assert found["body.velocity"][-1, 0] == pytest.approx(math.exp(-0.4), rel=1e-7)  # (h c/m)^4/120 of 0.4
    assert found["energy.total"][-1] == pytest.approx(math.exp(-0.8), rel=2e-7)
    assert abs(found["energy.residual"][-1]) < 1e-7


def test_reaction_of_a_pendulum() -> None:
    """At angle a from the vertical: m (l w^2 + g cos a) along the rod, and I a'' = -m g l sin a across it."""
    system = ct.System(gravity=(0.0, 0.0, -10.0))
    length, angle, omega = 0.5, 0.7, 1.5
    place = (length * math.sin(angle), 0.0, -length * math.cos(angle))
    speed = omega * length * np.array((math.cos(angle), 0.0, math.sin(angle)))
    turned = (math.cos(angle / 2), 0.0, -math.sin(angle / 2), 0.0)
    system.add(
        ct.RigidBody("bob", 2.0, INERTIA, position=place, orientation=turned, velocity=tuple(speed),
                     omega=(0.0, -omega, 0.0))
    )  # fmt: skip
    system.add(ct.Revolute("hinge", system.ground, "bob", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
    found = run(system, duration=1e-3, method="rk4-projected", step=1e-3, frames=1e-3)
    along, across = (
        np.array((math.sin(angle), 0.0, -math.cos(angle))),
        np.array((math.cos(angle), 0.0, math.sin(angle))),
    )
    turning = -2.0 * 10.0 * length * math.sin(angle) / (INERTIA[1] + 2.0 * length**2)
    acceleration = turning * length * across - omega**2 * length * along
    force = 2.0 * (acceleration - np.array((0.0, 0.0, -10.0)))
    # On the second body, in world axes or with the sign of the first: equal up to that.
    reaction = found["hinge.force"][0]
    assert np.linalg.norm(reaction) == pytest.approx(np.linalg.norm(force), rel=1e-12)
    assert abs(np.dot(reaction, force)) == pytest.approx(np.dot(force, force), rel=1e-12)

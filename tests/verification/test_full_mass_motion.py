"""Kirchhoff's equations: invariants, the rigid body as a special case, joints on bodies with a full mass."""

import math

import numpy as np
import pytest

import centrode as ct
from centrode.parts.bodies.full_mass import FullMassBody, rigid_mass_matrix
from centrode.parts.bodies.turning import rotate


def kirchhoff_momenta(run, matrix):
    """Impulse and angular impulse about the world origin, both in the world frame."""
    q = run["b.orientation"]
    v = rotate(q * [1.0, -1.0, -1.0, -1.0], run["b.velocity"])
    momentum = np.hstack([v, run["b.omega"]]) @ np.asarray(matrix)
    impulse = rotate(q, momentum[:, :3])
    return impulse, rotate(q, momentum[:, 3:]) + np.cross(run["b.position"], impulse)


def test_kirchhoff_invariants_over_twenty_seconds():
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(
        FullMassBody(
            "b", mass_matrix=(10.0, 18.0, 18.0, 1.0, 5.0, 5.0), velocity=(1.0, 0.2, -0.1), omega=(0.3, 0.1, 0.4)
        )
    )
    run = ct.simulate(system, duration=20.0, frames=0.5, tolerance=1e-13)
    impulse, moment = kirchhoff_momenta(run, np.diag([10.0, 18.0, 18.0, 1.0, 5.0, 5.0]))
    # Drift of a method of order 8 at a tolerance of 1e-13 over 20 s: below 1e-11.
    assert np.abs(impulse - impulse[0]).max() < 1e-11
    assert np.abs(moment - moment[0]).max() < 1e-11
    assert np.abs(run["energy.kinetic"] - 5.92).max() < 1e-11


def test_kirchhoff_invariants_with_a_coupled_mass():
    rng = np.random.default_rng(7)
    root = rng.normal(size=(6, 6))
    matrix = root @ root.T + 3.0 * np.eye(6)
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(FullMassBody("b", mass_matrix=matrix, velocity=(0.4, -0.3, 0.2), omega=(0.5, 0.2, -0.6)))
    run = ct.simulate(system, duration=5.0, frames=0.5, tolerance=1e-13)
    impulse, moment = kirchhoff_momenta(run, matrix)
    assert np.abs(impulse - impulse[0]).max() < 1e-11
    assert np.abs(moment - moment[0]).max() < 1e-11


def test_a_rigid_body_with_its_centre_off_the_origin_moves_the_same_by_its_mass_matrix():
    centre, inertia = (0.2, -0.1, 0.3), (0.5, 0.7, 0.9)
    start = {"position": (1.0, 2.0, 3.0), "orientation": (0.8, 0.6, 0.0, 0.0), "velocity": (0.3, 0.1, -0.2)}
    runs = []
    for full in (False, True):
        system = ct.System(gravity=(0.0, 0.0, 0.0))
        if full:
            matrix = rigid_mass_matrix(2.0, inertia, centre)
            system.add(FullMassBody("b", mass_matrix=matrix, omega=(1.0, -2.0, 0.5), **start))
        else:
            system.add(ct.RigidBody("b", 2.0, inertia, omega=(1.0, -2.0, 0.5), centre_of_mass=centre, **start))
        runs.append(ct.simulate(system, duration=3.0, frames=0.25, tolerance=1e-12))
    for channel in ("b.position", "b.velocity", "b.orientation", "b.omega"):
        # Two integrations of the same motion at 1e-12.
        assert np.abs(runs[0][channel] - runs[1][channel]).max() < 1e-10, channel


def test_a_pendulum_on_a_full_mass_swings_like_the_rigid_one():
    """The hinge's rows, reaction and convective terms hold for both kinds of body."""
    runs = []
    for full in (False, True):
        system = ct.System()
        if full:
            body = FullMassBody(
                "arm",
                mass_matrix=rigid_mass_matrix(1.5, (0.02, 0.3, 0.3)),
                weight_mass=1.5,
                position=(0.7, 0.0, 0.0),
            )
        else:
            body = ct.RigidBody("arm", 1.5, (0.02, 0.3, 0.3), position=(0.7, 0.0, 0.0))
        system.add(body)
        system.add(ct.Revolute("hinge", system.ground, "arm", at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0)))
        runs.append(ct.simulate(system, duration=2.0, frames=0.1, tolerance=1e-12))
    assert np.abs(runs[0]["hinge.angle"] - runs[1]["hinge.angle"]).max() < 1e-10
    # Reactions hold accelerations, an order of the step more sensitive.
    assert np.abs(runs[0]["hinge.force"] - runs[1]["hinge.force"]).max() < 1e-8


@pytest.mark.parametrize(("method", "order"), [("rk4", 4)])
def test_order_of_a_fixed_step_on_a_full_mass(method, order):
    ends = []
    for step in (0.05, 0.025, 0.0125):
        system = ct.System(gravity=(0.0, 0.0, 0.0))
        system.add(
            FullMassBody(
                "b", mass_matrix=(10.0, 18.0, 18.0, 1.0, 5.0, 5.0), velocity=(1.0, 0.2, -0.1), omega=(0.3, 0.1, 0.4)
            )
        )
        run = ct.simulate(system, duration=5.0, frames=5.0, method=method, step=step)
        ends.append(np.concatenate([run["b.position"][-1], run["b.orientation"][-1]]))
    observed = math.log2(np.linalg.norm(ends[0] - ends[1]) / np.linalg.norm(ends[1] - ends[2]))
    assert observed == pytest.approx(order, abs=0.15)

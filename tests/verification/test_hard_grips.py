"""What friction alone holds between light jaws: points are redundant, and the laws of contact have many solutions."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.hard.cone import cone_product, cone_quotient, scaled, scaling, unscaled, way_in_cone

G = 9.80665
SLOP = 1e-5
"""Overlap that contacts leave alone: a thousandth of the half-width of a jaw [m]."""


def grip(part: float, box: float = 2.0, jaw: float = 0.5, friction: float = 0.5) -> ct.System:
    """A box between two jaws on sliders that are pushed with a part of what its weight needs, m g / (2 mu)."""
    system = ct.System(gravity=(0.0, 0.0, -G))
    for name, side in (("left", -1.0), ("right", 1.0)):
        place = (side * 0.06, 0.0, 1.0)
        inertia = (jaw / 3.0 * 0.005, jaw / 3.0 * 0.0026, jaw / 3.0 * 0.0026)
        system.add(ct.RigidBody(name, mass=jaw, inertia=inertia, position=place))
        system.add(ct.OutlineBox(f"{name}-jaw", name, half_lengths=(0.01, 0.05, 0.05)))
        system.add(ct.Prismatic(f"{name}-slider", "ground", name, at=place, axis=(1, 0, 0)))
        push = part * box * G / (2.0 * friction)
        system.add(ct.PointForce(f"{name}-push", name, magnitude=push, direction=(-side, 0, 0)))
    system.add(ct.RigidBody("box", mass=box, inertia=(box / 3.0 * 0.005,) * 3, position=(0, 0, 1)))
    system.add(ct.OutlineBox("sides", "box", half_lengths=(0.05, 0.05, 0.05)))
    system.add(ct.Restitution("law", restitution=0.0, friction=friction))
    return system


def ways(run: ct.Recording) -> np.ndarray:
    """How far the box came from its place, at every frame [m]."""
    return np.linalg.norm(run["box.position"] - run["box.position"][0], axis=1)


@pytest.mark.compiled
def test_a_box_between_light_jaws_is_held_for_seconds():
    """It sank by 17 mm in a second with 1.12 of what friction needs; a warning was all."""
    run = ct.simulate(grip(22.0 * 0.5 * 2.0 / (2.0 * G)), duration=5.0, method="moreau")
    assert run.status.completed and not run.warnings
    assert ways(run).max() < SLOP


@pytest.mark.compiled
def test_a_box_that_friction_cannot_hold_slips():
    """With part p of the force it needs it falls with g (1 - p) at least: some friction may go into a turn instead."""
    part, time = 0.97, 0.2
    run = ct.simulate(grip(part), duration=time, method="moreau")
    assert run.status.completed
    fallen = -float(run["box.position"][-1, 2] - 1.0)
    # Order one: half a step of g t at the most, two thousandths of the fall in free flight.
    assert fallen > 0.5 * G * time**2 * (1.0 - part) - 0.5 * 2e-3 * G * time * (1.0 - part)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(12))
def test_grips_just_above_their_limit_hold(seed):
    """1.05 of the limit: boxes of 0.5 to 10 kg, jaws of 0.1 to 10 kg, friction of 0.3 to 1."""
    rng = np.random.default_rng(seed)
    box, jaw = 0.5 * 20.0 ** rng.random(), 0.1 * 100.0 ** rng.random()
    run = ct.simulate(grip(1.05, box, jaw, rng.uniform(0.3, 1.0)), duration=1.0, method="moreau")
    assert run.status.completed and not run.warnings
    assert ways(run).max() < SLOP


@pytest.mark.compiled
def test_a_grip_holds_what_lies_on_its_box_and_a_ball_that_rolls_on_it():
    """Something in the same island that is not stuck: Coulomb's law for the ball, stick for the box."""
    system = grip(1.3 * 2.1 / 2.0)
    system.add(
        ct.RigidBody("ball", 0.1, (0.4 * 0.1 * 1e-4,) * 3, position=(0.0, -0.02, 1.06), velocity=(0.0, 0.1, 0.0))
    )
    system.add(ct.OutlineSphere("ball-skin", "ball", radius=0.01))
    run = ct.simulate(system, duration=0.3, method="moreau")
    assert run.status.completed and not run.warnings
    assert ways(run).max() < SLOP
    # a sliding ball keeps 5/7 of its speed when it rolls (Euler): the box is held, so it is the floor of the ball
    assert run["ball.velocity.y"][-1] == pytest.approx(5.0 / 7.0 * 0.1, rel=1e-6)


def test_the_scaling_of_a_pair_takes_both_to_one_place():
    """(1) to (3) of :mod:`cone` for random members of the cone, and way_in_cone ends on the rim."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        x, y, d = rng.normal(size=(3, 3))
        x[0], y[0] = np.hypot(*x[1:]) + rng.random() + 0.01, np.hypot(*y[1:]) + rng.random() + 0.01
        x, y, d = tuple(x), tuple(y), tuple(d)
        w, eta = scaling(x, y)
        one = eta * np.array(scaled(w, x))
        # one multiplication loses some round-off times 1 / (distance from the rim)^2, 1e4 here
        assert one == pytest.approx(np.array(unscaled(w, y)) / eta, rel=1e-10, abs=1e-11)
        square = np.dot(x, y)
        assert np.dot(one, one) == pytest.approx(square, rel=1e-10)
        assert cone_quotient(x, cone_product(x, y)) == pytest.approx(y, rel=1e-10, abs=1e-11)
        far = way_in_cone(x, d)
        if math.isfinite(far):
            z = np.array(x) + far * np.array(d)
            assert z[0] == pytest.approx(np.hypot(z[1], z[2]), rel=1e-9, abs=1e-10)
        else:
            assert d[0] >= np.hypot(d[1], d[2]) * (1.0 - 1e-12)

"""What a stranger tries first with contacts, by default: light below heavy, beads, rocks, slopes, bullets."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

GRAVITY = 9.80665


def world(gravity=(0.0, 0.0, -GRAVITY)) -> ct.System:
    system = ct.System(gravity=gravity)
    system.add(ct.OutlinePlane("floor", "ground"))
    return system


def add_ball(system, name, mass, radius, place, **start) -> None:
    system.add(ct.RigidBody(name, mass, (0.4 * mass * radius**2,) * 3, position=place, **start))
    system.add(ct.OutlineSphere(f"{name} shell", name, radius=radius))


def add_box(system, name, mass, half, place, **start) -> None:
    square = np.square(half)
    inertia = tuple(mass / 3.0 * (square.sum() - square))
    system.add(ct.RigidBody(name, mass, inertia, position=place, **start))
    system.add(ct.OutlineBox(f"{name} shell", name, half_lengths=half))


def test_a_ton_stands_on_a_kilogram():
    """The damper of the light box grew with the weight of the heavy one: no end within minutes."""
    system = world()
    add_box(system, "light", 1.0, (0.2, 0.2, 0.2), (0.0, 0.0, 0.2))
    add_box(system, "heavy", 1000.0, (0.2, 0.2, 0.2), (0.0, 0.0, 0.6))
    system.add(ct.Restitution("law", friction=0.5))
    run = ct.simulate(system, duration=0.1, frames=0.05)
    assert run.status.completed
    # Stiffness left out is 1e7 N/m for these: 1 mm below the light one, and as much between them when all is still.
    assert 0.195 < run["light.position.z"][-1] < 0.2 and 0.592 < run["heavy.position.z"][-1] < 0.6


def test_a_gram_comes_back_from_a_kilogram_by_its_restitution():
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    add_ball(system, "light", 0.001, 0.02, (-0.5, 0.0, 0.0), velocity=(5.0, 0.0, 0.0))
    add_ball(system, "heavy", 1.0, 0.1, (0.0, 0.0, 0.0))
    system.add(ct.Restitution("law", restitution=0.5))
    run = ct.simulate(system, duration=0.15)
    common = 5.0 * 0.001 / 1.001
    # tolerance 1e-7 over some hundred steps
    assert run["light.velocity.x"][-1] == pytest.approx(common - 0.5 * 5.0 / 1.001, rel=1e-5)


@pytest.mark.parametrize(("mass", "radius", "height"), [(1e-3, 3e-3, 0.1), (1.0, 0.1, 1.0), (1e6, 10.0, 20.0)])
def test_beads_and_rocks_come_back_by_their_restitution(mass, radius, height):
    """A rock of a thousand tons sank 6 m into the floor with the stiffness of cars, and rose to two thirds."""
    system = world()
    add_ball(system, "ball", mass, radius, (0.0, 0.0, radius + height))
    system.add(ct.Restitution("law", restitution=0.7))
    fall = math.sqrt(2.0 * height / GRAVITY)
    run = ct.simulate(system, duration=2.2 * fall, frames=0.005 * fall)
    assert run.status.completed
    rise = run["ball.position.z"][run.time > 1.3 * fall].max() - radius
    # The contact takes up to 4 % of the radius: d / h of the energy goes to gravity meanwhile, twice.
    assert rise == pytest.approx(0.49 * height, rel=0.08 * radius / height + 1e-3)


@pytest.mark.parametrize("over_deg", [-1.0, 1.0])
def test_a_box_slides_beyond_the_angle_of_friction_and_not_below(over_deg):
    friction, duration = 0.5, 3.0
    angle = math.atan(friction) + math.radians(over_deg)
    system = world((GRAVITY * math.sin(angle), 0.0, -GRAVITY * math.cos(angle)))
    add_box(system, "box", 1.0, (0.2, 0.2, 0.05), (0.0, 0.0, 0.05))
    system.add(ct.Restitution("law", friction=friction))
    run = ct.simulate(system, duration=duration)
    assert run.status.completed
    slides = GRAVITY * (math.sin(angle) - friction * math.cos(angle))
    way = run["box.position.x"][-1]
    if over_deg < 0.0:
        assert way < 1e-3 and abs(run["box.velocity.x"][-1]) < 1e-9
    else:
        # It sinks into its contact first: half a swing of 10 ms at most without friction, g sin(a) 5 ms of speed.
        assert 0.0 < way - 0.5 * slides * duration**2 < GRAVITY * math.sin(angle) * 0.005 * duration


@pytest.mark.parametrize("method", ["dop853", "rattle", "rk4-projected", "radau"])
def test_a_bullet_never_completes_on_the_other_side_of_a_thin_wall(method):
    """4 g at 900 m/s and a wall of 1 mm, with the stiffness that follows: more than it holds, and said."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    add_ball(system, "bullet", 0.004, 0.004, (-1.0, 0.01, 0.02), velocity=(900.0, 0.0, 0.0))
    system.add(ct.OutlineBox("wall", "ground", half_lengths=(0.0005, 0.5, 0.5)))
    system.add(ct.Restitution("law", restitution=0.5))
    run = ct.simulate(system, duration=0.005, method=method)
    assert run["bullet.position.x"].max() < 0.0
    assert not run.status.completed and "'wall' of 'ground'" in run.status.stop.where


@pytest.mark.parametrize(("size", "mass"), [(0.005, 0.001), (0.1, 1.0), (5.0, 1e5)])
@pytest.mark.parametrize(("friction", "restitution"), [(0.5, 0.3), (0.9, 0.05)])
def test_a_box_on_a_capsule_of_any_size_falls_and_books_what_it_loses(size, mass, friction, restitution):
    """A student's first scene: thrown, turning, from a gram to a hundred tons, all else by default."""
    system = world()
    turned = {"orientation": (0.8, 0.36, 0.48, 0.0), "omega": (1.0, 2.0, 3.0), "velocity": (1.0, 0.0, 0.0)}
    add_box(system, "box", mass, (size, 0.7 * size, 0.4 * size), (0.0, 0.0, 5.0 * size), **turned)
    roll = mass * size**2 * np.array([0.5, 0.5, 0.08])
    system.add(ct.RigidBody("roll", mass, tuple(roll), position=(0.0, 0.0, 2.0 * size), velocity=(1.0, 0.0, 0.0)))
    system.add(ct.OutlineCapsule("roll shell", "roll", radius=0.4 * size, half_length=size))
    system.add(ct.Restitution("law", friction=friction, restitution=restitution))
    run = ct.simulate(system, duration=1.0, frames=0.02)
    assert run.status.completed
    lost = run["energy.total"][0] - run["energy.total"][-1]
    # Tolerance 1e-7 of coordinates up to some metres, in up to ten thousand steps.
    assert lost > 0.0 and run["collisions.heat"][-1] == pytest.approx(lost, rel=1e-3)
    thin = 0.4 * size
    assert min(run["box.position.z"][-1], run["roll.position.z"][-1]) > 0.95 * thin

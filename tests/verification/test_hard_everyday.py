"""Everyday piles with the method moreau: what theory says lies still does, what it says rolls and falls does.

A log on two ridges still moved at 23 mm/s after 5 s; the others are here so that they stay as they are.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.hard.contacts import SLOP
from centrode.jit import JIT_ON

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

G = 9.81
ALONG_Y = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
KINDS = {"cylinder": ct.OutlineCylinder, "capsule": ct.OutlineCapsule}


def over(*outlines):
    """A system with weight and outlines of the ground."""
    system = ct.System(gravity=(0.0, 0.0, -G))
    for outline in outlines:
        system.add(outline)
    system.add(ct.HardContact("law", friction=0.5, restitution=0.0))
    return system


def plane():
    return ct.OutlinePlane("floor", "ground")


def slab():
    return block("slab", (0.0, 0.0, -0.25), (3.0, 3.0, 0.25))


def block(name, centre, half):
    return ct.OutlineBox(name, "ground", centre=centre, half_lengths=half)


def box(system, name, half, position, mass, **more):
    a, b, c = (x * x for x in half)
    inertia = (mass / 3 * (b + c), mass / 3 * (a + c), mass / 3 * (a + b))
    system.add(ct.RigidBody(name, mass, inertia, position=position, **more))
    system.add(ct.OutlineBox(f"{name}-shell", name, half_lengths=half))


def rod(system, name, radius, half, position, mass, kind="cylinder", **more):
    across, along = mass * (3 * radius**2 + 4 * half**2) / 12, mass * radius**2 / 2
    system.add(ct.RigidBody(name, mass, (across, across, along), position=position, **more))
    system.add(KINDS[kind](f"{name}-shell", name, radius=radius, half_length=half))


def rows_of_rods(kind, rows, floor, stops):
    """A pyramid of rods along y, each row in the hollows of the one below, between two stops."""
    radius = 0.1
    system = over(floor, *stops(rows, radius))
    for row in range(rows):
        for k in range(rows - row):
            place = ((2 * k - (rows - row - 1)) * radius, 0.0, radius * (1.0 + row * math.sqrt(3.0)))
            rod(system, f"rod{row}{k}", radius, 0.4, place, 5.0, kind, orientation=ALONG_Y)
    return system


def walls(rows, radius):
    return [block(n, (s * (rows * radius + 0.1), 0.0, 0.5), (0.1, 1.0, 0.5)) for n, s in (("left", -1), ("right", 1))]


def kerbs(rows, radius):
    """Low enough that the rods touch their edges alone."""
    height = 0.6 * radius
    out = (rows - 1) * radius + math.sqrt(radius**2 - (radius - height) ** 2) + 0.2
    ends = (("left", -1), ("right", 1))
    return [block(n, (s * out, 0.0, 0.5 * height - 0.2), (0.2, 1.0, 0.5 * height + 0.2)) for n, s in ends]


def barrels():
    system = over(plane())
    box(system, "pallet", (0.6, 0.6, 0.07), (0.0, 0.0, 0.07), 20.0)
    for k in range(4):
        rod(system, f"barrel{k}", 0.29, 0.45, ((k % 2 - 0.5) * 0.6, (k // 2 - 0.5) * 0.6, 0.59), 100.0)
    return system


def books():
    system = over(
        slab(), block("left", (-0.1, 0.0, 0.5), (0.1, 1.0, 0.5)), block("right", (0.26, 0.0, 0.5), (0.1, 1, 0.5))
    )
    for k in range(4):
        box(system, f"book{k}", (0.02, 0.08, 0.12), (0.02 + 0.04 * k, 0.0, 0.12), 0.7)
    return system


def two_ridges():
    """A log in the valley between two wedges, on their sharp edges."""
    ends = ((-0.06, -0.3), (0.06, -0.3), (0.0, 0.0))
    corners = {s: [(x + s * 0.07, y, z) for y in (-0.5, 0.5) for x, z in ends] for s in (-1, 1)}
    system = over(*(ct.OutlinePolyhedron(f"ridge{s}", "ground", points=corners[s]) for s in (-1, 1)))
    rod(system, "log", 0.1, 0.3, (0.0, 0.0, math.sqrt(0.1**2 - 0.07**2)), 3.0, orientation=ALONG_Y)
    return system


def box_on_logs():
    system = over(plane())
    for k in range(2):
        rod(system, f"log{k}", 0.1, 0.3, ((k - 0.5) * 0.6, 0.0, 0.1), 5.0, orientation=ALONG_Y)
    box(system, "box", (0.5, 0.25, 0.05), (0.0, 0.0, 0.25), 20.0)
    return system


def coins():
    system = over(plane())
    for k in range(5):
        rod(system, f"coin{k}", 0.0116, 0.00117, (0.001 * (k % 2), 0.0, 0.00117 * (2 * k + 1)), 0.0075)
    return system


RESTS = {
    "pipes in a rack": (lambda: rows_of_rods("cylinder", 3, slab(), walls), 0.1),
    "log pile": (lambda: rows_of_rods("cylinder", 4, plane(), walls), 0.1),
    "capsule pile": (lambda: rows_of_rods("capsule", 4, plane(), walls), 0.1),
    "logs between kerbs": (lambda: rows_of_rods("cylinder", 3, plane(), kerbs), 0.1),
    "capsules between kerbs": (lambda: rows_of_rods("capsule", 3, plane(), kerbs), 0.1),
    "barrels on a pallet": (barrels, 0.07),
    "books on a shelf": (books, 0.02),
    "log on two ridges": (two_ridges, 0.1),
    "box on two logs": (box_on_logs, 0.05),
    "coins": (coins, 0.00117),
}
"""Scenes that begin where they rest, and the thinnest half-width in them [m]."""


@pytest.mark.parametrize("name", RESTS)
def test_what_rests_stays(name):
    """Within the overlap that is left alone, SLOP of the thinnest half-width: less cannot be told from rest."""
    scene, thin = RESTS[name]
    system = scene()
    run = ct.simulate(system, duration=1.0, method="moreau", frames=0.1)
    assert run.status.completed
    bodies = [part.name for part in system.parts.values() if isinstance(part, ct.RigidBody)]
    assert bodies
    for body in bodies:
        place = run[f"{body}.position"]
        assert np.abs(place - place[0]).max() < SLOP * thin


def test_bottles_let_down_into_a_crate_stand_upright():
    """They fall 1 cm and end on their bottoms: upright by less than what SLOP of the radius lifts one side, at rest."""
    sides = {
        "w": (-0.3, 0.0, 0.1, 0.4),
        "e": (0.3, 0.0, 0.1, 0.4),
        "s": (0.0, -0.3, 0.2, 0.1),
        "n": (0.0, 0.3, 0.2, 0.1),
    }
    system = over(slab(), *(block(name, (x, y, 0.1), (a, b, 0.1)) for name, (x, y, a, b) in sides.items()))
    for k in range(9):
        rod(system, f"bottle{k}", 0.04, 0.15, ((k % 3 - 1) * 0.1, (k // 3 - 1) * 0.1, 0.16), 0.8)
    run = ct.simulate(system, duration=1.0, method="moreau", frames=0.1)
    assert run.status.completed
    for k in range(9):
        place = run[f"bottle{k}.position"]
        assert np.abs(place[-1] - place[0] + (0.0, 0.0, 0.01)).max() < SLOP * 0.04
        assert np.abs(run[f"bottle{k}.velocity"][-1]).max() < 1e-7 * G  # the end of the sweeps, of a second of weight


def test_a_cylinder_rolls_down_a_wedge():
    """a = 2/3 g sin(angle): impulses of a constant force are exact, each of 500 steps is solved to 1e-7 of g h."""
    angle, radius, time = 0.4, 0.1, 0.8
    corners = [(x, y, z) for y in (-0.5, 0.5) for x, z in ((0.0, 2.0 * math.tan(angle)), (0.0, 0.0), (2.0, 0.0))]
    system = over(ct.OutlinePolyhedron("wedge", "ground", points=corners))
    start = (0.3 + radius * math.sin(angle), 0.0, 1.7 * math.tan(angle) + radius * math.cos(angle))
    rod(system, "log", radius, 0.2, start, 3.0, orientation=ALONG_Y)
    run = ct.simulate(system, duration=time, method="moreau", frames=0.1)
    assert run.status.completed
    speed = 2.0 / 3.0 * G * math.sin(angle) * time
    down = np.array((math.cos(angle), 0.0, -math.sin(angle)))
    np.testing.assert_allclose(run["log.velocity"][-1], speed * down, atol=1e-7 * G * time)


def test_dominoes_fall_when_the_first_is_tipped_far_enough_and_none_does_otherwise():
    """About its edge a domino with half-width a and half-height b has the inertia 4/3 m r^2, r^2 = a^2 + b^2. It goes
    over when 2/3 r^2 omega^2 > g (r - b): above 2.7 rad/s."""
    a, b = 0.00375, 0.024
    far = math.hypot(a, b)
    least = math.sqrt(1.5 * G * (far - b)) / far
    for share, falls in ((0.9, False), (1.1, True)):
        system = over(plane())
        for k in range(5):
            spin = share * least if k == 0 else 0.0
            start = {"omega": (0.0, spin, 0.0), "velocity": (spin * b, 0.0, spin * a)}
            box(system, f"domino{k}", (a, 0.012, b), (0.02 * k, 0.0, b), 0.01, **start)
        run = ct.simulate(system, duration=2.0, method="moreau", step=1e-3, frames=0.1)
        assert run.status.completed
        heights = np.array([run[f"domino{k}.position"][-1, 2] for k in range(5)])
        assert (heights < 0.75 * b).all() if falls else (np.abs(heights - b) < SLOP * a).all()

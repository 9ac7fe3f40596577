"""Cylinders that touch along a line: on boxes, on each other, over edges. At rest, rolling, and what it costs in steps.

The gap of a lying cylinder has a kink at every sign of its tilt: with the force at its deepest point it took more than
50,000 steps for 10 ms on a box, and did not come to an end on another cylinder (see :mod:`line_contact`).
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import centrode as ct

MASS, RADIUS, HALF, STIFFNESS, G = 10.0, 0.1, 0.3, 1e6, 9.81
SINK = MASS * G / STIFFNESS
BOX = ct.OutlineBox("under", body="ground", half_lengths=(0.5, 0.5, 0.2), centre=(0.0, 0.0, -0.2))
NARROW = ct.OutlineBox("under", body="ground", half_lengths=(0.5, 0.1, 0.2), centre=(0.0, 0.0, -0.2))
ALONG_Y = Rotation.from_euler("x", math.pi / 2.0)
OTHER = {"centre": (0.0, 0.0, -0.2), "rotation": ALONG_Y.as_matrix().tolist()}
CYLINDER = ct.OutlineCylinder("under", body="ground", radius=0.2, half_length=1.0, **OTHER)
CAPSULE = ct.OutlineCapsule("under", body="ground", radius=0.2, half_length=1.0, **OTHER)
TABLE = ct.OutlinePolyhedron(
    "under",
    body="ground",
    points=[(x, y, z) for z, size in ((0.0, 0.5), (-0.3, 0.2)) for x in (-size, size) for y in (-size, size)],
)


def lying(under: ct.Outline, law: ct.ContactLaw, tilt: float = 0.0, slope: float = 0.0, **body) -> ct.System:  # type: ignore[no-untyped-def]
    """A solid cylinder along y that touches, with the end of a tilted one, what lies below z = 0."""
    height = RADIUS * math.cos(tilt) + HALF * abs(math.sin(tilt))
    system = ct.System(gravity=(G * math.sin(slope), 0.0, -G * math.cos(slope)))
    across = MASS * (3.0 * RADIUS**2 + 4.0 * HALF**2) / 12.0
    turn = Rotation.from_euler("x", tilt) * ALONG_Y
    start = {"position": (0.0, 0.0, height), "orientation": turn.as_matrix().tolist()} | body
    system.add(ct.RigidBody("roll", mass=MASS, inertia=(across, across, 0.5 * MASS * RADIUS**2), **start))
    system.add(ct.OutlineCylinder("side", body="roll", radius=RADIUS, half_length=HALF))
    system.add(under)
    system.add(law)
    return system


def lossy(friction: float = 0.5) -> ct.Restitution:
    return ct.Restitution("law", stiffness=STIFFNESS, restitution=0.3, friction=friction)


@pytest.mark.parametrize("tilt", (0.0, 1e-3, 1e-2))
@pytest.mark.parametrize("under", (BOX, TABLE, CYLINDER, CAPSULE), ids=("box", "table", "cylinder", "capsule"))
def test_a_lying_cylinder_comes_to_rest(under, tilt):
    """m g / k deep where it lies (2 %, and a hundredth of what a tilted one falls by), after 0.2 s. On another cylinder
    along it it is balanced on the top: the time is too short to roll off by what round-off begins."""
    run = ct.simulate(lying(under, lossy(), tilt), duration=0.2, frames=0.01)
    assert run.status.completed
    assert run.statistics.steps + run.statistics.rejected < 4000  # more than 50,000 in the first 10 ms, once
    place = run["roll.position"][-1]
    assert place[2] == pytest.approx(RADIUS - SINK, abs=0.02 * SINK + 1e-2 * HALF * tilt)
    assert np.abs(place[:2]).max() < 0.2 * tilt + 1e-9
    assert np.linalg.norm(run["roll.velocity"][-1]) < 1e-3
    assert np.abs(run["collisions.imbalance"]).max() < 1e-6


def test_a_cylinder_across_a_narrow_box_rests_on_it():
    """Both of its ends are in the air, so that nothing but the stretch of the axis over the box can carry it."""
    run = ct.simulate(lying(NARROW, lossy()), duration=0.2, frames=0.01)
    assert run.status.completed and run.statistics.steps < 4000
    assert run["roll.position"][-1] == pytest.approx((0.0, 0.0, RADIUS - SINK), abs=0.02 * SINK)


def test_a_box_below_is_as_a_plane():
    """Between two faces that are wide enough nothing tells a box from a half space."""
    runs = [
        ct.simulate(lying(under, lossy()), duration=0.1, frames=0.01, tolerance=1e-10)
        for under in (BOX, ct.OutlinePlane("under", body="ground"))
    ]
    for name in ("roll.position", "roll.velocity"):
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=1e-9)


@pytest.mark.parametrize("angle", (0.05, 0.2))
def test_a_cylinder_rolls_down_a_tilted_box(angle):
    """a = g sin(angle) / (1 + I / (m r^2)) = 2/3 g sin(angle), and r omega = v: 1e-3 for the bristle's first swing and
    the radius that is less by the depth (1e-3)."""
    run = ct.simulate(lying(BOX, lossy(), slope=angle), duration=0.5, frames=0.01)
    assert run.status.completed
    speed = 2.0 / 3.0 * G * math.sin(angle) * 0.5
    velocity, spin = run["roll.velocity"][-1], run["roll.omega"][-1]
    assert velocity[0] == pytest.approx(speed, rel=2e-3)
    assert abs(spin[2]) * RADIUS == pytest.approx(velocity[0], rel=2e-3)
    assert np.abs(velocity[1:]).max() < 1e-4 and np.abs(spin[:2]).max() < 1e-4


@pytest.mark.parametrize(("shift", "stays"), ((0.4, True), (0.6, False)))
def test_over_the_edge_a_cylinder_stays_while_its_centre_is_over_the_box(shift, stays):
    run = ct.simulate(lying(BOX, lossy(), position=(0.0, shift, RADIUS)), duration=0.3, frames=0.01)
    assert run.status.completed
    assert (np.linalg.norm(run["roll.velocity"][-1]) < 1e-3) == stays
    assert (run["roll.position"][-1, 2] > 0.99 * RADIUS) == stays


@pytest.mark.parametrize("under", (BOX, CYLINDER, CAPSULE), ids=("box", "cylinder", "capsule"))
@pytest.mark.parametrize("tilt", (0.0, 1e-3, 0.1))
def test_an_elastic_cylinder_keeps_its_energy(under, tilt):
    """Let fall, tilted, without loss and friction, it bounces from end to end; 1e-6 of what it falls with."""
    drop = 0.01
    law = ct.HuntCrossley("law", stiffness=STIFFNESS, damping=0.0)
    height = RADIUS + HALF * tilt + drop
    system = lying(under, law, tilt, position=(0.0, 0.0, height))
    run = ct.simulate(system, duration=0.3, frames=0.005, method="dop853", tolerance=1e-9)
    assert run.status.completed and len(run.collisions)
    assert np.ptp(run["energy.total"]) < 1e-6 * MASS * G * drop

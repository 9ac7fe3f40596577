"""Capsules and cylinders along edges of boxes and polyhedra (method moreau): kerbs, gaps, ridges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import centrode as ct
from centrode.jit import JIT_ON

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

G = 9.81
SOLVED = 1e-7
"""Sweeps end when velocities change by this part of g h (:mod:`centrode.methods.moreau`)."""
STEP = 5e-4
ALONG_Y = Rotation.from_euler("x", math.pi / 2.0)
KINDS = {"cylinder": ct.OutlineCylinder, "capsule": ct.OutlineCapsule}


def rod(system, kind, radius, half, position, mass, turn=ALONG_Y, **more):
    """A body with the inertia of a cylinder, so that both kinds roll alike."""
    across, along = mass * (3.0 * radius**2 + 4.0 * half**2) / 12.0, 0.5 * mass * radius**2
    x, y, z, w = turn.as_quat()
    system.add(
        ct.RigidBody("rod", mass, (across, across, along), position=position, orientation=(w, x, y, z), **more)
    )  # fmt: skip
    system.add(KINDS[kind]("skin", "rod", radius=radius, half_length=half))


def block(shape, name, centre, half):
    """A box, or a polyhedron with the same corners."""
    if shape == "box":
        return ct.OutlineBox(name, "ground", centre=centre, half_lengths=half)
    signs = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    corners = [tuple(c + s * h for c, s, h in zip(centre, sign, half, strict=True)) for sign in signs]
    return ct.OutlinePolyhedron(name, "ground", points=corners)


def roll_against_kerb(kind, shape, first, rng, aside, way_before, weight):
    """A rod of random size rolls towards a kerb of random height, ``aside`` half lengths beside its middle.

    ``way_before`` is the way to it in steps, ``weight`` gravity. Returns the run, the speed, radius R, half length and
    R - h.
    """
    radius, mass = rng.uniform(0.05, 0.5), rng.uniform(1.0, 20.0)
    half, height = radius * rng.uniform(0.2, 4.0), radius * rng.uniform(0.1, 0.6)
    speed, lever = rng.uniform(2.5, 4.0) * math.sqrt(G * radius), radius - height
    start = -math.sqrt(radius**2 - lever**2) - way_before * speed * STEP
    system = ct.System(gravity=(0.0, 0.0, -weight))
    kerb = block(shape, "kerb", (1.0, aside * half, height - 0.5), (1.0, 1.3 * half, 0.5))
    if first == "kerb":
        system.add(kerb)
    rod(system, kind, radius, half, (start, 0.0, radius), mass, velocity=(speed, 0, 0), omega=(0, 0, -speed / radius))
    if first == "rod":
        system.add(kerb)
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.HardContact("law", friction=0.8, restitution=0.0))
    run = ct.simulate(system, duration=(way_before + 10.0) * STEP, method="moreau", step=STEP, frames=STEP)
    assert run.status.completed
    return run, speed, radius, half, lever


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("first", ["rod", "kerb"])
@pytest.mark.parametrize("shape", ["box", "polyhedron"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_rod_rolls_against_a_kerb_and_goes_on_straight(kind, shape, first, seed):
    """About the edge the angular momentum is kept: omega+ = omega- (I + m R (R - h)) / (I + m R^2), nothing sideways.

    With I = m R^2 / 2 the impulse lies tan(a/2) / 3 off the normal, cos(a) = (R - h) / R, so it sticks with less
    friction than there is here. It has no weight: it leaves the edge and omega stays. It is at the edge in the middle
    of the first step, where contacts are found, a millionth of a step too far: all of the hit is in that step. The kerb
    may end beside the rod, up to its middle.
    """
    rng = np.random.default_rng(seed)
    aside = rng.uniform(-1.0, 1.0)
    run, speed, radius, half, lever = roll_against_kerb(kind, shape, first, rng, aside, 0.5 - 1e-6, 0.0)
    spin, velocity = run["rod.omega"][-1], run["rod.velocity"]
    # A millionth of the way of a step, over R, is the angle by which the normal is off, and sweeps end when no velocity
    # changes by 1e-9 of the fastest one; the slowest of at most 500 has then 500 times as much before it.
    off = 1e-6 * speed * STEP / radius + 500 * 1e-9
    assert -spin[2] == pytest.approx((0.5 + lever / radius) / 1.5 * speed / radius, rel=off)
    assert np.abs(velocity[:, 1]).max() < off * speed
    assert np.abs(spin[:2]).max() < off * speed / min(radius, half)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_a_kerb_that_is_met_within_a_step_is_felt_a_little_early(kind, seed):
    """The same from anywhere, with weight, and so fast that it leaves the edge.

    The edge is felt up to 1.5 steps before the rod is there, where the normal is less steep by cos(a) / R of that way,
    and omega+ / omega- changes by sin(a) / 1.5 with the angle. In these steps the edge carries the weight, too.
    """
    rng = np.random.default_rng(seed)
    aside, way_before = rng.uniform(-0.3, 0.3), rng.uniform(10.0, 12.0)
    run, speed, radius, half, lever = roll_against_kerb(kind, "box", "kerb", rng, aside, way_before, G)
    spin, velocity = run["rod.omega"][-1], run["rod.velocity"]
    early = 1.5 * speed * STEP * lever / radius**2
    sine = math.sqrt(1.0 - (lever / radius) ** 2)
    changed = sine / 1.5 * (speed / radius * early + 1.5 * G * STEP / radius)
    assert -spin[2] == pytest.approx((0.5 + lever / radius) / 1.5 * speed / radius, abs=changed)
    assert np.abs(velocity[:, 1]).max() < 500 * 1e-9 * speed
    assert np.abs(spin[:2]).max() < 500 * 1e-9 * speed / min(radius, half)


@pytest.mark.parametrize("first", ["rod", "box"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_rod_and_a_free_box_meet_along_an_edge_and_stay_in_the_plane(kind, first):
    """Both free, without weight: all that happens is across the edge, and momentum is kept.

    The rod meets the edge at 45 degrees, where either face of the edge is as near.
    """
    step, speed = 1e-3, 1.0
    system = ct.System(gravity=(0.0, 0.0, 0.0))

    def add_box():
        system.add(ct.RigidBody("box", 3.0, (0.05, 0.04, 0.03), position=(0.45, 0.0, -0.35)))
        system.add(ct.OutlineBox("shell", "box", half_lengths=(0.3, 0.4, 0.2)))

    if first == "box":
        add_box()
    rod(system, kind, 0.1, 0.2, (0.0, 0.0, 0.0), 2.0, velocity=(speed, 0.0, -speed))
    if first == "rod":
        add_box()
    system.add(ct.HardContact("law", friction=0.4, restitution=0.0))
    run = ct.simulate(system, duration=0.3, method="moreau", step=step, frames=step)
    assert run.status.completed and abs(run["rod.velocity"][-1] - run["rod.velocity"][0]).max() > 0.1 * speed
    assert 2.0 * run["rod.velocity"][-1] + 3.0 * run["box.velocity"][-1] == pytest.approx(
        np.array((2.0 * speed, 0.0, -2.0 * speed)), abs=1e-12
    )
    # Two points share the impulse of a hit; sweeps end when no velocity changes by 1e-9 of the fastest, 500 at most.
    left = 500 * 1e-9 * speed
    assert abs(run["rod.velocity.y"]).max() < left and abs(run["box.velocity.y"]).max() < left
    assert np.abs(run["rod.omega"][:, :2]).max() < left / 0.1  # its axis is its own z
    assert np.abs(run["box.omega"][:, [0, 2]]).max() < left / 0.1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", ["box", "polyhedron"])
@pytest.mark.parametrize("shift", [0.0, 0.07, 0.8])
def test_a_rod_in_the_gap_between_two_blocks_lies_still(kind, shape, shift):
    """It begins where it rests, so nothing may move but by what is left of the sweeps: SOLVED g h in every step, if all
    were to the same side SOLVED g t after t, which is SOLVED g t^2 / 2 of way. It crept 47 mm."""
    radius, half, gap, time = 0.1, 0.5, 0.06, 5.0
    system = ct.System(gravity=(0.0, 0.0, -G))
    for name, side in (("left", -1.0), ("right", 1.0)):
        system.add(block(shape, name, (side * (gap + 0.5), 0.0, -0.5), (0.5, 1.0, 0.5)))
    rod(system, kind, radius, half, (0.0, shift, math.sqrt(radius**2 - gap**2)), 10.0)
    system.add(ct.HardContact("law", friction=0.5, restitution=0.0))
    run = ct.simulate(system, duration=time, method="moreau", frames=0.5)
    assert run.status.completed and not run.warnings
    moved = run["rod.position"] - run["rod.position"][0]
    assert np.abs(moved).max() < 0.5 * SOLVED * G * time**2
    assert np.abs(run["rod.omega"]).max() < SOLVED * G * time / radius


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("yaw", [1e-7, 1e-4, 1e-2, 0.025, 0.04])
def test_a_rod_askew_in_a_gap_comes_to_rest(kind, yaw):
    """Let fall from where it would lie along the edges: it stays within what it is askew by, and stops.

    Far askew it first stands on its two crossings, which is no stable place: it leaves it with exp(8 t / s), from
    round-off in four seconds.
    """
    radius, half, gap, time = 0.1, 0.5, 0.06, 6.0
    system = ct.System(gravity=(0.0, 0.0, -G))
    for name, side in (("left", -1.0), ("right", 1.0)):
        system.add(block("box", name, (side * (gap + 0.5), 0.0, -0.5), (0.5, 1.0, 0.5)))
    level = math.sqrt(radius**2 - gap**2)
    higher = half * yaw * gap / level + radius * yaw
    turn = Rotation.from_euler("z", yaw) * ALONG_Y
    rod(system, kind, radius, half, (0.0, 0.0, level + higher), 10.0, turn)
    system.add(ct.HardContact("law", friction=0.5, restitution=0.0))
    run = ct.simulate(system, duration=time, method="moreau", frames=0.5)
    assert run.status.completed
    # It hits with sqrt(2 g higher) and each hit without rebound takes energy: it cannot move by more than some of what
    # it falls through, and an overlap of a thousandth of its radius is left alone.
    assert np.abs(run["rod.position"][-1] - (0.0, 0.0, level)).max() < 4.0 * higher + 1e-3 * radius
    assert np.abs(run["rod.velocity"][-1]).max() < SOLVED * G * time

"""Single hits and a few steps of hard contacts against closed forms: impulses, friction, joints, fields of heights.

Few steps, so that kernels run as plain Python, too.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.running import Session
from centrode.system.settings import RunSettings

RADIUS = 0.1
BALL = 0.4 * RADIUS**2
"""Inertia of a solid ball over its mass [m2]."""


def ball(system, name, place, velocity, mass=1.0, omega=(0.0, 0.0, 0.0)):
    """A solid ball."""
    inertia = (BALL * mass,) * 3
    system.add(ct.RigidBody(name, mass, inertia, position=place, velocity=velocity, omega=omega))
    system.add(ct.OutlineSphere(f"{name}_skin", body=name, radius=RADIUS))


def stepped(system, duration, step):
    """The run with hard contacts."""
    return ct.simulate(system, duration=duration, method="moreau", step=step, frames=duration, audit=False)


@pytest.mark.parametrize("e", [0.01, 0.3, 1.0])
@pytest.mark.parametrize(("mass", "other"), [(1.0, 1.0), (2.0, 0.5)])
def test_two_balls_part_with_the_restitution_along_their_normal(e, mass, other):
    """Newton: the closing speed along the normal turns into e of it, across nothing happens, momentum stays."""
    system = ct.System(gravity=(0, 0, 0))
    normal = np.array([math.cos(0.7), math.sin(0.7), 0.0])
    ball(system, "a", (0, 0, 0), (1.0, 0.2, 0.0), mass)
    ball(system, "b", tuple((2 * RADIUS + 1e-4) * normal), (-0.5, 0.1, 0.3), other)
    system.add(ct.HardContact("law", restitution=e, friction=0.0))
    run = stepped(system, 4e-3, 1e-3)
    before = np.array([(1.0, 0.2, 0.0), (-0.5, 0.1, 0.3)])
    closing = (before[0] - before[1]) @ normal
    impulse = (1.0 + e) * closing * mass * other / (mass + other)
    expected = before + np.outer((-1.0 / mass, 1.0 / other), impulse * normal)
    # The normal is that of the moment of the hit: in 1 ms the balls move by 2 mm of the 200 mm between them.
    got = np.array([run["a.velocity"][-1], run["b.velocity"][-1]])
    assert got == pytest.approx(expected, abs=0.02)
    moved = got - before
    assert mass * moved[0] + other * moved[1] == pytest.approx(np.zeros(3), abs=1e-12)
    along = moved[1] / np.linalg.norm(moved[1])  # the normal that was used
    assert (got[1] - got[0]) @ along == pytest.approx(e * (before[0] - before[1]) @ along, abs=1e-9)


@pytest.mark.parametrize("friction", [0.05, 0.2, 2.0])
def test_a_ball_that_hits_the_floor_aslant_slides_or_grips(friction):
    """A ball without spin: friction takes mu (1 + e) v_n of its speed, at most 2/7 of it, when it rolls."""
    system = ct.System(gravity=(0, 0, 0))
    system.add(ct.OutlinePlane("floor", body="ground"))
    ball(system, "a", (0, 0, RADIUS + 1e-4), (1.0, 0.5, -1.0))
    system.add(ct.HardContact("law", restitution=0.5, friction=friction))
    run = stepped(system, 3e-3, 1e-3)
    speed = math.hypot(1.0, 0.5)
    lost = min(friction * 1.5, 2.0 / 7.0 * speed)
    share = 1.0 - lost / speed
    assert run["a.velocity"][-1] == pytest.approx((share, 0.5 * share, 0.5), abs=1e-6)
    spin = np.cross((0, 0, -RADIUS), (-lost / speed, -0.5 * lost / speed, 0.0)) / BALL
    assert run["a.omega"][-1] == pytest.approx(spin, abs=1e-5)


def test_a_block_slides_with_the_friction_of_its_weight_and_one_below_it_sticks():
    system = ct.System()
    system.add(ct.OutlinePlane("floor", body="ground"))
    for k, speed in enumerate((2.0, 0.0)):
        place = (0.0, k, 0.05)
        system.add(ct.RigidBody(f"b{k}", 2.0, (0.02, 0.02, 0.02), position=place, velocity=(speed, 0, 0)))
        system.add(ct.OutlineBox(f"o{k}", body=f"b{k}", half_lengths=(0.2, 0.2, 0.05)))
    system.add(ct.PointForce("push", "b1", direction=(1, 0, 0), magnitude=0.9 * 0.3 * 2.0 * 9.80665))
    system.add(ct.HardContact("law", friction=0.3))
    run = stepped(system, 0.02, 1e-3)
    g = -float(np.asarray(system.gravity)[2])
    assert run["b0.velocity"][-1] == pytest.approx((2.0 - 0.3 * g * 0.02, 0, 0), abs=1e-6)
    assert np.abs(run["b1.velocity"]).max() < 1e-7
    assert run["b0.position.z"][-1] == pytest.approx(0.05, abs=1e-5)


@pytest.mark.parametrize("e", [0.01, 0.6])
def test_a_hinged_bar_comes_back_with_its_restitution(e):
    """The hinge takes part in the hit: the point at 1 m turns back with e of its speed."""
    system = ct.System(gravity=(0, 0, 0))
    bar = system.add(
        ct.RigidBody("bar", 1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0.11)),
    )
    system.add(ct.Revolute("hinge", system.ground, bar, at=(0, 0, 0.11), axis=(0, 1, 0), angle_rate=2.0))
    system.add(ct.OutlineSphere("tip", body="bar", radius=0.1, centre=(0.5, 0, 0)))
    system.add(ct.Collisions("collisions", joined=True))
    system.add(ct.OutlinePlane("floor", body="ground"))
    system.add(ct.HardContact("law", restitution=e, friction=0.0))
    run = stepped(system, 0.008, 5e-4)
    assert run["hinge.angle"][-1] > 0.0
    assert run["bar.omega"][-1] == pytest.approx((0, -2.0 * e, 0), abs=2e-3)


def test_a_field_of_heights_that_is_a_slope_holds_things_like_a_plane():
    """Box, ball, capsule and cylinder at rest on z = 0.2 x: friction 0.3 > 0.2 holds them."""
    rise = 0.2
    tilt = math.atan(rise)
    turn = (math.cos(tilt / 2), 0.0, -math.sin(tilt / 2), 0.0)
    normal = np.array([-math.sin(tilt), 0.0, math.cos(tilt)])
    heights = tuple(tuple(rise * x for _ in range(7)) for x in np.linspace(-3.0, 3.0, 7))
    system = ct.System()
    system.add(ct.OutlineHeightField("ground_field", heights=heights, spacing=(1.0, 1.0)))
    shapes = {
        "box": (ct.OutlineBox("o_box", body="box", half_lengths=(0.2, 0.3, 0.1)), 0.1),
        "cylinder": (ct.OutlineCylinder("o_cylinder", body="cylinder", radius=0.2, half_length=0.1), 0.1),
    }
    for k, (name, (outline, half)) in enumerate(shapes.items()):
        foot = np.array([0.37, 1.3 * k - 0.6, 0.37 * rise])
        place = tuple((foot + half * normal).tolist())
        system.add(ct.RigidBody(name, 1.0, (0.02, 0.02, 0.02), position=place, orientation=turn))
        system.add(outline)
    system.add(ct.HardContact("law", friction=0.3))
    run = stepped(system, 0.01, 1e-3)
    for name in shapes:
        assert np.abs(run[f"{name}.velocity"]).max() < 1e-6, name
        assert np.abs(run[f"{name}.position"][-1] - run[f"{name}.position"][0]).max() < 1e-5, name


def test_bricks_in_a_row_share_a_push_that_friction_holds():
    """Three boxes on each other: what lies on top takes no part in the normal force of the floor but by its weight."""
    system = ct.System()
    system.add(ct.OutlinePlane("floor", body="ground"))
    for k in range(3):
        system.add(ct.RigidBody(f"b{k}", 1.0 + k, (0.01,) * 3, position=(0.02 * k, 0, 0.05 + 0.1 * k)))
        system.add(ct.OutlineBox(f"o{k}", body=f"b{k}", half_lengths=(0.1, 0.1, 0.05)))
    system.add(ct.HardContact("law", friction=0.5))
    session = Session(system, RunSettings(duration=1.0, method="moreau", step=1e-3))
    session.advance(np.linspace(0.0, 5e-3, 6)[1:])
    t = session.workspace.contacts.tables
    rows = t.contacts[: t.head[0].points]
    pushed = {}
    for row in rows:
        key = (int(row["a"]), int(row["b"]))
        pushed[key] = pushed.get(key, 0.0) + float(np.array(row["impulse"])[0])
    g = -float(np.asarray(system.gravity)[2])
    found = sorted(pushed.values(), reverse=True)
    assert found == pytest.approx([6.0 * g * 1e-3, 5.0 * g * 1e-3, 3.0 * g * 1e-3], rel=1e-6)

"""Forces of contacts as channels: of every body, and of every pair where few can touch."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

GRAVITY, FRICTION, MASS, ABOVE = 9.80665, 0.3, 2.0, 0.5


def sliding(method: str, swapped: bool = False) -> ct.Recording:
    """A box that slides along +x on the floor and carries a smaller one."""
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground", material="ice"))
    system.add(ct.RigidBody("box", MASS, (0.02, 0.02, 0.02), position=(0, 0, 0.05), velocity=(3.0, 0, 0)))
    system.add(ct.RigidBody("top", ABOVE, (0.001,) * 3, position=(0, 0, 0.12), velocity=(3.0, 0, 0)))
    outlines = [
        ct.OutlineBox("sides", "box", half_lengths=(0.3, 0.2, 0.05)),
        ct.OutlineBox("lid", "top", half_lengths=(0.05, 0.05, 0.02)),
    ]
    for part in reversed(outlines) if swapped else outlines:  # the order of outlines is that of a pair
        system.add(part)
    system.add(ct.Restitution("sticks", restitution=0.01, friction=2.0))
    system.add(ct.Restitution("slides", restitution=0.01, friction=FRICTION, between=("ice", "default")))
    return ct.simulate(system, duration=0.5, method=method, frames=0.005)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_normal_force_friction_and_place_of_every_pair(method, swapped):
    """There was no channel of any contact force; impulses were "internal states"."""
    run = sliding(method, swapped)
    late, whole = run.time > 0.3, MASS + ABOVE  # it has settled; it slides for 1 s
    normal, rubbed = run["collisions.ground-box.normal_force"], run["collisions.ground-box.friction_force"]
    # what swings on is the weight times exp(-30): chosen
    assert normal[late] == pytest.approx(np.tile((0, 0, whole * GRAVITY), (late.sum(), 1)), abs=1e-3)
    assert rubbed[late] == pytest.approx(np.tile((-FRICTION * whole * GRAVITY, 0, 0), (late.sum(), 1)), abs=1e-3)
    one, two = ("top", "box") if swapped else ("box", "top")
    sign = -1.0 if swapped else 1.0  # the force is that on the second
    held = run[f"collisions.{one}-{two}.normal_force"] + run[f"collisions.{one}-{two}.friction_force"]
    expected = sign * ABOVE * np.array((-FRICTION * GRAVITY, 0.0, GRAVITY))  # it is slowed down with the box
    assert held[late] == pytest.approx(np.tile(expected, (late.sum(), 1)), abs=5e-3)
    # The floor presses where moments about the centre of both hold: friction at the floor acts h below it.
    height = (MASS * 0.05 + ABOVE * 0.12) / whole
    place = run["collisions.ground-box.point"][:, 0] - run["box.position.x"]
    assert place[late] == pytest.approx(FRICTION * height, abs=2e-3)
    assert not run["collisions.ground-top.normal_force"].any() and not run["collisions.ground-top.point"].any()


@pytest.mark.parametrize("method", ["dop853", "rk4", "moreau"])
def test_the_force_on_a_body_is_what_changes_its_motion(method):
    run = sliding(method)
    late = run.time > 0.3
    total = run["collisions.box.force"] + run["collisions.top.force"]
    expected = (MASS + ABOVE) * GRAVITY * np.array((-FRICTION, 0.0, 1.0))
    assert total[late] == pytest.approx(np.tile(expected, (late.sum(), 1)), abs=5e-3)
    gained = run["collisions.box.impulse_x"][-1] + run["collisions.top.impulse_x"][-1]
    slowed = MASS * (run["box.velocity.x"][-1] - 3.0) + ABOVE * (run["top.velocity.x"][-1] - 3.0)
    assert gained == pytest.approx(slowed, rel=1e-6)
    assert "since the start" in run.channels["collisions.box.impulse_x"].meaning
    assert ("collisions.ground-box.normal_force" in run) is (method != "moreau")


def test_pairs_are_shown_where_few_can_touch():
    """Six balls have 21 pairs with the ground and each other: of these the bodies alone are told."""
    for count, shown in ((5, True), (6, False)):
        system = ct.System()
        system.add(ct.OutlinePlane("floor", "ground"))
        for k in range(count):
            system.add(ct.RigidBody(f"b{k}", 1.0, (0.1,) * 3, position=(k, 0, 1)))
            system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=0.1))
        system.add(ct.Restitution("law"))
        run = ct.simulate(system, duration=1e-3)
        assert ("collisions.b0-b1.normal_force" in run) is shown
        assert "collisions.b0.force" in run

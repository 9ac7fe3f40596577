"""What runs of method moreau warn of: that it matters, how often, and when."""

from __future__ import annotations

import re

import numpy as np
import pytest

import centrode as ct


def door(restitution: float) -> ct.Recording:
    """A door of 2 rad/s on a hinge, without weight, against a stop at 0.5 rad."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    half = (0.5, 0.02, 1.0)
    inertia = tuple(20.0 / 3.0 * (sum(h * h for h in half) - half[k] ** 2) for k in range(3))
    leaf = ct.RigidBody(
        "door", 20.0, inertia, position=(0.5, 0.0, 0.0), velocity=(0.0, 1.0, 0.0), omega=(0.0, 0.0, 2.0)
    )
    system.add(leaf)
    system.add(ct.Revolute("hinge", "ground", "door", at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)))
    system.add(ct.OutlineBox("leaf", "door", half_lengths=half))
    along, aside = np.array([np.cos(0.5), np.sin(0.5)]), np.array([-np.sin(0.5), np.cos(0.5)])
    x, y = (0.8 * along + 0.05 * aside).tolist()
    system.add(ct.OutlineCapsule("stop", "ground", radius=0.03, half_length=0.1, centre=(x, y, 0.0)))
    system.add(ct.Restitution("law", restitution=restitution))
    system.add(ct.Collisions("collisions", joined=True))
    return ct.simulate(system, duration=0.4, method="moreau", frames=0.001)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_door_that_comes_to_rest_is_solved(restitution: float) -> None:
    """Everything stands in the end, so the least change looked large beside what ended the sweeps there: 1e-24 m/s."""
    run = door(restitution)
    assert run["door.omega"][-1, 2] == pytest.approx(-2.0 * restitution, abs=1e-5)
    assert not run.warnings

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


def cradle(method: str, gap: float = 0.0, balls: int = 5) -> ct.Recording:
    """A ball of 1 m/s meets a row after 0.02 s."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for k in range(balls):
        start = {"position": (k * (0.04 + gap) - (0.02 if k == 0 else 0.0), 0.0, 0.0)}
        start["velocity"] = (1.0 if k == 0 else 0.0, 0.0, 0.0)
        system.add(ct.RigidBody(f"b{k}", 0.1, (1.6e-5,) * 3, **start))
        system.add(ct.OutlineSphere(f"o{k}", f"b{k}", radius=0.02))
    system.add(ct.Restitution("law", restitution=1.0))
    return ct.simulate(system, duration=0.1, method=method)


@pytest.mark.parametrize("method", ["moreau", "dop853"])
@pytest.mark.parametrize("balls", [3, 5])
def test_a_hit_through_bodies_that_touch_is_told_with_its_time(method: str, balls: int) -> None:
    """Silent with moreau; the other methods named the time at which round-off let the bodies touch."""
    run = cradle(method, balls=balls)
    (told,) = [text for text in run.warnings if "touched already were hit by way of each other" in text]
    when = float(re.search(r"at ([0-9.e-]+) s", told).group(1))
    # within the step; where laws push, the hit goes from ball to ball until the pair that is named has parted
    pair = re.search(r"\((b\d - b\d) at", told).group(1)
    parted = [item.values["end"] for item in run.events.of("collision") if item.subject == pair]
    assert 0.02 - 1e-4 < when < (parted[0] if method == "dop853" else 0.02 + 2.1e-3)


def test_a_hit_of_bodies_that_do_not_touch_is_not() -> None:
    run = cradle("moreau", gap=5e-3)
    assert run["b4.velocity.x"][-1] == pytest.approx(1.0, abs=1e-8) and not run.warnings

"""Bodies whose mass cannot fill their outlines are told of: lengths in mm, masses in g."""

from __future__ import annotations

import pytest

import centrode as ct


def words_on(mass: float, half: float) -> list[str]:
    """Warnings of a box of this mass and half-length [m] above a floor, its inertia that of a solid one."""
    system = ct.System()
    system.add(ct.OutlinePlane("floor", body="ground"))
    system.add(ct.RigidBody("box", mass, (2.0 / 3.0 * mass * half**2,) * 3, position=(0.0, 0.0, 1.5 * half)))
    system.add(ct.OutlineBox("sides", body="box", half_lengths=(half,) * 3))
    system.add(ct.Restitution("law", restitution=0.5))
    run = ct.simulate(system, duration=1e-3)
    return [words for words in run.warnings if "'box' has" in words]


@pytest.mark.parametrize(("mass", "half", "told"), [(1.0, 50.0, "lighter than air"), (8e3, 0.01, "heavier than any")])
def test_lengths_in_mm_and_masses_in_g_are_told(mass, half, told):
    (words,) = words_on(mass, half)
    assert told in words and "kg/m3" in words


@pytest.mark.parametrize(("mass", "half"), [(1.0, 0.05), (0.002, 0.1), (1e5, 2.0), (20.0, 0.05)])
def test_foam_and_lead_are_not(mass, half):
    assert words_on(mass, half) == []

"""Bodies on tables that drives move, with method moreau: work of the drive."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct

G = 9.80665


def lift(way: dict, speed: float = 0.0) -> ct.System:
    """A table of 5 kg on a slider that a motion lifts or lowers, and a box of 1 kg that lies on it."""
    velocity = (0.0, 0.0, speed)
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.RigidBody("table", 5.0, (1.0, 1.0, 1.0), position=(0, 0, 0), velocity=velocity))
    system.add(ct.OutlineBox("top", "table", half_lengths=(0.5, 0.5, 0.05)))
    system.add(ct.Prismatic("guide", "ground", "table", at=(0, 0, 0), axis=(0, 0, 1)))
    system.add(
        ct.Motion("drive", "ground", "table", at=(0, 0, 0), axis=(0, 0, 1), signal=way, coordinate="translation")
    )
    system.add(ct.RigidBody("box", 1.0, (0.01,) * 3, position=(0, 0, 0.15), velocity=velocity))
    system.add(ct.OutlineBox("skin", "box", half_lengths=(0.1, 0.1, 0.1)))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.5))
    return system


@pytest.mark.parametrize("acceleration", [-2.0, 2.0])
def test_the_work_of_a_drive_that_accelerates_a_table_is_booked(acceleration):
    """The run was stopped, contacts had made energy: power at the end of a step is more than that in its middle."""
    time = 0.2
    way = {"kind": "polynomial", "coefficients": (0.0, 0.0, 0.5 * acceleration)}
    run = ct.simulate(lift(way), duration=time, method="moreau", step=2e-3)
    assert run.status.completed and not run.warnings
    height, speed = 0.5 * acceleration * time**2, acceleration * time
    # Parabolas are met by the middle of every step to round-off: 6 kg are lifted and made fast, nothing is lost.
    assert run["work.joints"][-1] == pytest.approx(6.0 * G * height + 3.0 * speed**2, rel=1e-9)
    assert run["collisions.box.work"][-1] == pytest.approx(G * height + 0.5 * speed**2, rel=1e-9)
    assert np.abs(run["energy.residual"]).max() < 1e-9
    assert abs(run["collisions.heat"][-1]) < 1e-9


@pytest.mark.compiled
def test_the_work_of_a_shaker_closes_the_audit_with_the_second_order():
    """A sine is no parabola: what is left of the audit shrinks with the square of the step."""
    rest = []
    for step in (1e-3, 5e-4):
        system = lift({"kind": "harmonic", "amplitude": 0.05, "frequency": 2.0}, speed=0.05 * 4.0 * np.pi)
        run = ct.simulate(system, duration=1.0, method="moreau", step=step, frames=0.01)
        assert run.status.completed and not run.warnings
        rest.append(np.abs(run["energy.residual"]).max())
    assert np.log2(rest[0] / rest[1]) > 2.0 - 0.15

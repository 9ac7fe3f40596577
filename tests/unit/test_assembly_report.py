"""What the assembly finds and tells: ranks, redundant rows, singular starts, velocities."""

from __future__ import annotations

import numpy as np
import pytest

from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.revolute import Revolute
from centrode.running import Session
from centrode.system.builder import System
from centrode.system.settings import RunSettings
from centrode.vehicles.mechanisms import MECHANISMS, build_mechanism

FREEDOM = {
    "double-pendulum": 2,
    "four-bars": 1,
    "slider-crank": 1,
    "squeezer": 1,
    "bricard": 1,
    "governor": 4,
    "chain": 30,
    "heavy-top": 3,
    "free-body": 6,
    "stewart-platform": 0,
    "double-wishbone": 1,
    "pendulum": 1,
    "newtons-cradle": 5,
    "tippe-top": 6,
}
"""Degrees of freedom, counted by hand."""


def session(system):
    return Session(system, RunSettings(assemble=True))


def test_every_mechanism_is_counted():
    assert set(FREEDOM) == set(MECHANISMS)


@pytest.mark.parametrize("name", FREEDOM)
def test_degrees_of_freedom(name):
    assert session(build_mechanism(name)).assembly.degrees_of_freedom == FREEDOM[name]


def test_bricard_has_thirty_rows_of_rank_twenty_nine():
    report = session(build_mechanism("bricard")).assembly
    assert (report.rows, report.rank, len(report.redundant)) == (30, 29, 1)


def test_a_door_on_two_hinges_has_five_redundant_rows():
    system = System()
    system.add(RigidBody("door", 20.0, (3.0, 4.0, 1.2), position=(0.4, 0.0, 1.0), omega=(0.0, 0.0, 1.0)))
    for name, height in (("lower", 0.3), ("upper", 1.7)):
        system.add(Revolute(name, "ground", "door", at=(0.0, 0.0, height), axis=(0.0, 0.0, 1.0)))
    report = session(system).assembly
    assert (report.rows, report.rank, report.degrees_of_freedom) == (10, 5, 1)
    # The hinges keep the moment of momentum about their line, I w0 = (I + m r^2) w; the turning rate loses most.
    assert report.speed_change == pytest.approx(1.0 - 1.2 / (1.2 + 20.0 * 0.4**2), abs=1e-12)


def test_velocities_that_contradict_the_joints_are_projected_with_least_energy():
    """A rod hinged at its end, given a pure velocity: the nearest motion in the metric of the masses turns it.

    Momentum about the hinge is kept by the joint's impulse: m v l/2 = (m l^2/3) w.
    """
    system = System(plane=True)
    system.add(PlanarBody("rod", 3.0, 3.0 / 12.0, position=(0.5, 0.0), velocity=(0.0, 2.0)))
    system.add(Revolute("hinge", "ground", "rod", at=(0.0, 0.0)))
    run = session(system)
    assert run.workspace["velocity"][0] == pytest.approx([0.0, 0.75 * 2.0, 1.5 * 2.0], abs=1e-12)
    assert "velocities changed by up to 3 rad/s (rod) to satisfy the joints" in run.assembly.notes


def test_a_start_in_a_singular_position_is_told():
    """A window folded flat: all rods in one line, where the parallelogram and the crossed linkage meet."""
    system = System(plane=True)
    for i in range(2):
        system.add(PlanarBody(f"post{i}", 1.0, 1 / 12, position=(i + 0.5, 0.0)))
        system.add(Revolute(f"base{i}", "ground", f"post{i}", at=(float(i), 0.0)))
    system.add(PlanarBody("bar", 1.0, 1 / 12, position=(1.5, 0.0)))
    system.add(Revolute("left", "post0", "bar", at=(1.0, 0.0)))
    system.add(Revolute("right", "post1", "bar", at=(2.0, 0.0)))
    notes = session(system).assembly.notes
    assert any("singular position" in note for note in notes)


def test_a_chain_is_not_searched_for_redundant_rows():
    """Trees have none; the search (dense) would be cubic."""
    report = session(build_mechanism("chain", links=300)).assembly
    assert (report.rows, report.rank) == (900, 900)


def test_light_bodies_move_before_heavy_ones():
    system = System()
    system.add(RigidBody("heavy", 1e6, (1e6, 1e6, 1e6)))
    system.add(RigidBody("light", 1.0, (1.0, 1.0, 1.0), position=(0.1, 0.0, 0.0)))
    system.add(Ball("joint", "heavy", "light"))
    run = session(system)
    moved = run.assembly.moved
    assert "heavy" not in moved or moved["heavy"][0] < 1e-6
    assert moved["light"][0] == pytest.approx(0.1, abs=1e-6)
    assert np.abs(run.workspace["pose"][1, :3]).max() < 1e-6

"""Rows that come and go: locks of hinges and sliders, ropes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.lock import LOCK_MEMORY
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rope import DISTANCE, IMPACT, TAUT, Rope, rope_event
from centrode.running import simulate
from centrode.system.builder import System
from centrode.system.model import build_model
from centrode.system.scene import SystemScene


def arm(plane, **options):
    """An arm on a hinge to the ground, horizontal."""
    system = System(plane=plane, gravity=(0.0, -9.81, 0.0))
    if plane:
        body = system.add(PlanarBody("arm", 1.0, 0.1, position=(0.5, 0.0), omega=2.0, velocity=(0.0, 1.0)))
    else:
        body = system.add(
            RigidBody("arm", 1.0, (0.1, 0.1, 0.1), position=(0.5, 0, 0), omega=(0, 0, 2.0), velocity=(0, 1.0, 0))
        )
    hinge = system.add(Revolute("hinge", system.ground, body, at=(0, 0, 0), **options))
    return system, hinge


@pytest.mark.parametrize("plane", [True, False])
def test_locked_hinge_holds(plane):
    system, _ = arm(plane, locked=True)
    run = simulate(system, duration=0.5, method="rk4-projected", step=0.01, frames=0.1, assemble=True)
    np.testing.assert_allclose(run["hinge.angle"], 0.0, atol=1e-13)
    np.testing.assert_allclose(run["hinge.torque"][:, 2], 0.5 * 9.81, atol=1e-10)  # holds the arm's weight


@pytest.mark.parametrize("plane", [True, False])
def test_lock_rows_exist_when_lockable_and_act_when_locked(plane):
    system, hinge = arm(plane, lockable=True)
    model = build_model(system)
    last = 2 if plane else 5
    assert model.joint_rows[0] == last + 1
    scene = SystemScene(system)
    assert hinge.initial_active_rows(scene)[-1] == 0.0
    assert dataclasses.replace(hinge, locked=True).initial_active_rows(scene)[-1] == 1.0
    assert arm(plane)[1].initial_active_rows(scene) == [1.0] * last


@pytest.mark.parametrize("plane", [True, False])
def test_locking_in_motion_holds_the_angle_of_that_moment(plane):
    """Turn freely, lock at the angle reached: the velocity projection stops the arm as a plastic impulse does."""
    system, hinge = arm(plane, lockable=True)
    w = Workspace(build_model(system))
    memory, active = w["joint_memory"][0], w["row_active"][0]
    active[: len(hinge.initial_active_rows(SystemScene(system)))] = hinge.initial_active_rows(SystemScene(system))
    angle = 0.7
    if plane:
        w["pose"][0] = 0.5 * np.cos(angle), 0.5 * np.sin(angle), angle
    else:
        w["pose"][0] = 0.5 * np.cos(angle), 0.5 * np.sin(angle), 0, np.cos(angle / 2), 0, 0, np.sin(angle / 2)
    w.evaluate(0.0, project=True)
    assert memory[0] == pytest.approx(angle)
    assert abs(w["velocity"][0, -1]) > 1.0  # still turning
    dataclasses.replace(hinge, locked=True).after_change(memory, active, plane)
    assert memory[LOCK_MEMORY] == memory[0]
    w.evaluate(0.0, project=True)
    np.testing.assert_allclose(w["velocity"], 0.0, atol=1e-14)
    assert w["terms"][0, 2 if plane else 5, 0] == 0.0
    hinge.after_change(memory, active, plane)
    w.evaluate(0.0)
    assert w["multipliers"][0, 2 if plane else 5] == 0.0  # free again


def test_locked_slider_holds_its_start():
    """A slider that does not start at zero displacement is locked where it stands."""
    system = System()
    body = system.add(RigidBody("block", 2.0, (0.1, 0.1, 0.1), position=(0, 0, 3.0)))
    system.add(Prismatic("slide", system.ground, body, axis_a=(0, 0, 1), locked=True))
    run = simulate(system, duration=0.2, method="rk4-projected", step=0.01, frames=0.1)
    np.testing.assert_allclose(run["slide.displacement"], 3.0, atol=1e-12)
    np.testing.assert_allclose(run["slide.force"][:, 2], 2.0 * 9.81, atol=1e-10)


def rope_workspace(length, position, velocity, restitution=0.0):
    system = System(plane=True)
    mass = system.add(PlanarBody("mass", 2.0, position=position, velocity=velocity))
    rope = system.add(Rope("rope", system.ground, mass, length, restitution=restitution))
    w = Workspace(build_model(system))
    w["row_active"][0, :1] = rope.initial_active_rows(SystemScene(system))
    return rope, w


def event_value(w):
    values = np.zeros(1)
    names = ("joint_par", "joint_link", "data", "inputs", "joint_memory", "markers", "states", "multipliers")
    rope_event(0.0, 0, 1, *(w[name] for name in names), values)
    return values[0]


def test_slack_rope_does_nothing_and_watches_its_length():
    _, w = rope_workspace(2.0, (0.0, -1.5), (0.3, -1.0))
    w.evaluate(0.0, project=True)
    assert w["joint_memory"][0, TAUT] == 0.0
    assert w["joint_memory"][0, DISTANCE] == 1.5
    np.testing.assert_allclose(w["acceleration"][0, :2], (0.0, -9.81), atol=1e-14)
    np.testing.assert_allclose(w["velocity"][0, :2], (0.3, -1.0), atol=0)
    assert event_value(w) == pytest.approx(0.5)


def test_taut_rope_pulls_and_watches_its_tension():
    """Hanging and swinging at speed v: tension m (g + v^2 / l); above its pivot it would push: the event."""
    _, w = rope_workspace(2.0, (0.0, -2.0), (3.0, 0.0))
    w.evaluate(0.0, project=True)
    assert w["joint_memory"][0, TAUT] == 1.0
    assert event_value(w) == pytest.approx(2.0 * (9.81 + 9.0 / 2.0), rel=1e-14)
    _, w = rope_workspace(2.0, (0.0, 2.0), (3.0, 0.0))
    w.evaluate(0.0)
    assert event_value(w) == pytest.approx(2.0 * (9.0 / 2.0 - 9.81), rel=1e-14)
    assert event_value(w) < 0.0


@pytest.mark.parametrize("restitution", [0.0, 0.4, 1.0])
def test_rope_impact(restitution):
    """D'(after) = -e D'(before) along the rope; the speed across it is untouched."""
    _, w = rope_workspace(2.0, (0.0, -1.9), (0.7, -5.0), restitution)
    w["pose"][0, :2] = 0.0, -2.0  # the event: as far as the rope is long
    w.evaluate(0.0)
    assert event_value(w) == pytest.approx(0.0, abs=1e-15)
    w["joint_memory"][0, TAUT] = w["row_active"][0, 0] = 1.0
    w["joint_memory"][0, IMPACT] = restitution * 5.0
    w.evaluate(0.0, project=True)
    np.testing.assert_allclose(w["velocity"][0, :2], (0.7, restitution * 5.0), atol=1e-14)
    w["joint_memory"][0, IMPACT] = 0.0
    w["joint_memory"][0, TAUT] = w["row_active"][0, 0] = 0.0
    w.evaluate(0.0)
    np.testing.assert_allclose(w["acceleration"][0, :2], (0.0, -9.81), atol=1e-14)


@pytest.mark.parametrize("plane", [True, False])
def test_hinge_locked_from_the_start_can_be_freed(plane):
    system, hinge = arm(plane, locked=True)
    system.change(0.1, hinge, locked=False)
    run = simulate(system, duration=0.3, method="rk4-projected", step=0.01, frames=0.05, assemble=True)
    angle = run["hinge.angle"]
    np.testing.assert_allclose(angle[run.time < 0.11], 0.0, atol=1e-13)
    assert angle[-1] < -0.1


def test_only_lockable_joints_can_be_locked_later():
    system, hinge = arm(False)
    with pytest.raises(InputError, match="lockable: true"):
        system.change(0.1, hinge, locked=True)

"""Bad input to the engine: one clear message each, naming part, value and what is allowed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.errors import InputError
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.fixed import Fixed
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rod import Rod
from centrode.running import Session, simulate
from centrode.scenario.loader import loads
from centrode.system.builder import System
from centrode.system.settings import RunSettings


def refuse(action) -> str:
    with pytest.raises(InputError) as caught:
        action()
    return str(caught.value)


@pytest.mark.parametrize("mass", [0.0, -1.0])
@pytest.mark.parametrize("kind", [RigidBody, PlanarBody])
def test_mass_must_be_positive(kind, mass):
    system = System(plane=kind is PlanarBody)
    text = refuse(lambda: system.add(kind("arm", mass)))
    assert "arm.mass" in text and "must be positive" in text and str(mass) in text


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("field", ["mass", "inertia", "position", "velocity", "omega"])
def test_numbers_must_be_finite(field, value):
    good = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}
    bad = value if field == "mass" else (value, 1.0, 1.0)
    text = refuse(lambda: System().add(RigidBody("arm", **{**good, field: bad})))
    assert f"arm.{field}" in text and "finite" in text


@pytest.mark.parametrize("inertia", [(1.0, 1.0, -0.1), (1.0, 0.0, 1.0), (1, 1, 1, 2, 0, 0)])
def test_inertia_must_be_positive_definite(inertia):
    text = refuse(lambda: System().add(RigidBody("arm", 1.0, inertia)))
    assert "arm.inertia" in text and "not positive definite" in text and "principal moments are" in text


def test_a_joint_needs_known_bodies():
    system = System()
    system.add(RigidBody("upper", 1.0, (1.0, 1.0, 1.0)))
    text = refuse(lambda: system.add(Ball("joint", "ground", "uper")))
    assert "joint.b" in text and "unknown body" in text and "did you mean 'upper'" in text


def test_a_joint_needs_two_bodies():
    system = System()
    system.add(RigidBody("arm", 1.0, (1.0, 1.0, 1.0)))
    text = refuse(lambda: system.add(Ball("joint", "arm", "arm")))
    assert "joint" in text and "two different bodies" in text and "'arm'" in text


def test_a_joint_with_bad_numbers():
    system = System()
    system.add(RigidBody("arm", 1.0, (1.0, 1.0, 1.0)))
    text = refuse(lambda: system.add(Revolute("hinge", "ground", "arm", at=(0.0, math.nan, 0.0))))
    assert "hinge.at" in text and "finite" in text
    text = refuse(lambda: system.add(Revolute("hinge", "ground", "arm", at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 0.0))))
    assert "hinge.axis" in text


def test_a_system_without_bodies():
    assert "at least one body" in refuse(lambda: simulate(System()))


def triangle(lengths):
    """Three plane rods in a closed loop with given side lengths."""
    system = System(plane=True)
    system.add(PlanarBody("a", 1.0, 0.1, position=(0.5, 0.0)))
    system.add(PlanarBody("b", 1.0, 0.1, position=(0.75, 0.4)))
    a, b, base = lengths
    system.add(Revolute("left", "ground", "a", point_a=(0.0, 0.0), point_b=(-a / 2, 0.0)))
    system.add(Revolute("top", "a", "b", point_a=(a / 2, 0.0), point_b=(-b / 2, 0.0)))
    system.add(Revolute("right", "ground", "b", point_a=(base, 0.0), point_b=(b / 2, 0.0)))
    return system


def test_an_impossible_assembly_names_its_joints():
    """Rods of 0.3 m cannot bridge 1 m."""
    text = refuse(lambda: simulate(triangle((0.3, 0.3, 1.0)), duration=0.1))
    assert "cannot be closed" in text
    assert sum(name in text for name in ("left", "top", "right")) >= 1
    assert "still open by" in text


def test_an_assembly_that_can_be_closed_is_closed_and_told():
    run = simulate(triangle((0.6, 0.7, 1.0)), duration=0.1, frames=0.1)
    assert run.status.completed
    assert run["constraint.residual"].max() < 1e-10
    assert any("assembly moved 2 bodies" in event.subject for event in run.events)


def test_without_assembly_open_joints_are_refused():
    text = refuse(lambda: simulate(triangle((0.6, 0.7, 1.0)), duration=0.1, assemble=False))
    assert "cannot be closed" in text


def test_contradictory_loops_are_refused():
    """Two rods of different lengths between the same two points."""
    system = System()
    system.add(RigidBody("bob", 1.0, position=(1.0, 0.0, 0.0)))
    system.add(Rod("short", "ground", "bob", 1.0))
    system.add(Rod("long", "ground", "bob", 1.2))
    text = refuse(lambda: simulate(system, duration=0.1))
    assert "cannot be closed" in text and "short" in text and "long" in text


def test_over_constrained_but_consistent_is_told_and_runs():
    """A body held twice: six redundant rows, none of them guessed away silently."""
    system = System()
    system.add(RigidBody("block", 1.0, (1.0, 1.0, 1.0)))
    system.add(Fixed("first", "ground", "block"))
    system.add(Fixed("second", "ground", "block"))
    run = simulate(system, duration=0.1, frames=0.1)
    assert run.statistics.more["redundant_rows"] == 6
    assert run.statistics.more["degrees_of_freedom"] == 0
    assert any("6 redundant constraint rows" in event.subject for event in run.events)
    total = run["first.force"][-1] + run["second.force"][-1]
    assert total == pytest.approx([0.0, 0.0, 9.81], abs=1e-9)


@pytest.mark.parametrize("method", ["rk4-projected", "rk4", "discrete"])
def test_gigantic_steps_are_named_and_what_was_computed_is_kept(method):
    """A spring of 1e4 1/s with steps of 0.1 s: grows by orders of magnitude a step until it is no longer finite."""
    from centrode.parts.forces.spring import Spring

    system = System(gravity=(0.0, 0.0, 0.0))
    system.add(RigidBody("bob", 1.0, (1.0, 1.0, 1.0), position=(1.1, 0.0, 0.0)))
    system.add(Spring("stiff", "ground", "bob", 1e8, length=1.0))
    run = simulate(system, duration=1000.0, method=method, step=0.1, frames=0.1)
    assert not run.status.completed
    text = str(run.status)
    assert "no longer finite" in text and "bob" in text and "smaller step" in text
    assert len(run) >= 2
    assert all(np.all(np.isfinite(run[name])) for name in ("bob.position", "bob.velocity"))


def test_a_body_too_stiff_for_the_step_is_named():
    """Two bodies; the plate vibrates with some 1e5 rad/s, the car with 1600: a step of 1 ms blows up the plate."""
    system = System(gravity=(0.0, 0.0, 0.0))
    system.add(PseudoRigidBody("car", 1573.0, (479.6, 2594.6, 2782.0)))
    system.add(PseudoRigidBody("plate", 5.0, (0.16, 0.28, 0.41), position=(9, 0, 0), stretch=np.diag([1.01, 1, 1])))
    run = simulate(system, duration=1.0, method="rk4", step=1e-3, frames=0.1)
    assert not run.status.completed
    assert "'plate' vibrates" in str(run.status) and "try a step below" in str(run.status)


def test_faults_of_the_start_name_file_and_line():
    text = """centrode: 1
bodies:
  one: {mass: 1, inertia: [1, 1, 1]}
  two: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}
outlines:
  first: {kind: sphere, body: one, radius: 0.5}
  second: {kind: sphere, body: two, radius: 0.5}
contact_laws:
  law: {kind: linear, stiffness: 1e5}
run: {duration: 1 s, method: discrete}
"""
    said = refuse(lambda: simulate(loads(text, file="two.yaml")))
    assert said.startswith("two.yaml:7: outlines.second: 'one' and 'two' stand in each other")
    exact = text.split("outlines:")[0] + "joints:\n  pin: {kind: ball, a: one, b: two}\nrun: {method: discrete}\n"
    said = refuse(lambda: simulate(loads(exact, file="two.yaml"), assemble=False))
    assert said.startswith("two.yaml:7: run.method: the method 'discrete' has no exact joints")


def test_unknown_settings_and_methods_are_refused():
    system = System()
    system.add(RigidBody("arm", 1.0, (1.0, 1.0, 1.0)))
    assert "did you mean 'duration'" in refuse(lambda: simulate(system, duratoin=1.0))
    assert "did you mean 'radau'" in refuse(lambda: simulate(system, method="raudau"))
    assert "run.duration" in refuse(lambda: simulate(system, duration=-1.0))


def test_a_method_without_exact_joints_says_which_joints():
    system = System()
    system.add(RigidBody("arm", 1.0, (1.0, 1.0, 1.0)))
    system.add(Ball("tip", "ground", "arm"))
    text = refuse(lambda: Session(system, RunSettings(method="discrete")))
    assert "no exact joints" in text and "compliant: true" in text and "tip" in text

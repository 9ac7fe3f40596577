"""Joints that join points: stages leave out zeros that they know, and give what they give without that knowledge."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

from centrode.dynamics.workspace import Workspace
from centrode.parts.bodies.full_mass import FullMassBody
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.fixed import Fixed
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.universal import Universal
from centrode.parts.kernel_types import JOINT_POINTS
from centrode.system.builder import System
from centrode.system.model import Model, build_model

BETWEEN = {"axis": (0.0, 1.0, 0.0)}


def chain(plane: bool, compliant: bool) -> System:
    """Joints of all kinds that join points and one that does not, neighbours on skew bodies."""
    system = System(plane=plane)
    hinge, cross = (Revolute, BETWEEN), (Universal, {**BETWEEN, "cross_axis": (1.0, 0.0, 0.0)})
    space = [hinge, (Prismatic, BETWEEN), (Ball, {}), cross, (Fixed, {}), hinge]
    kinds = [(Revolute, {}), (Ball, {}), (Fixed, {})] if plane else space
    before = "ground"
    for k, (kind, more) in enumerate(kinds):
        name = f"body{k}"
        if plane:
            system.add(PlanarBody(name, 1.0 + k, 0.3 + 0.1 * k, position=(0.4 + k, 0.1 * k), angle=0.3 * k))
        else:
            inertia = (0.3, 0.4 + 0.02 * k, 0.5)
            turn = np.array([1.0, 0.1 * k, -0.2, 0.3])
            turn /= np.linalg.norm(turn)
            system.add(RigidBody(name, 1.0 + k, inertia, position=(0.4 + k, 0.1 * k, 0.2), orientation=tuple(turn)))
        at = (float(k), 0.1 * k) if plane else (float(k), 0.1 * k, -0.1)
        soft = {"compliant": True, "stiffness": 1e4 + k, "damping": 10.0 + k} if compliant else {}
        system.add(kind(f"joint{k}", before, name, at=at, **more, **soft))
        before = name
    return system


def softened(model: Model) -> Workspace:
    """A workspace with compliances of all rows, which a run would derive, and joints that are open."""
    workspace = Workspace(model)
    workspace["compliance"][:] = np.random.default_rng(4).uniform(1.0, 2.0, size=workspace["compliance"].shape)
    workspace["pose"][:, :2] += 0.01 * np.random.default_rng(5).normal(size=workspace["pose"][:, :2].shape)
    return workspace


def accelerations(workspace: Workspace) -> np.ndarray:
    """Of all bodies at velocities of order one, projected onto the joints."""
    workspace["velocity"][:] = np.random.default_rng(3).normal(size=workspace["velocity"].shape)
    workspace.evaluate(0.0, project=True)
    return np.concatenate([workspace["acceleration"].ravel(), workspace["velocity"].ravel()])


@pytest.mark.parametrize("compliant", [False, True])
@pytest.mark.parametrize("plane", [False, True])
def test_known_zeros_change_nothing(plane, compliant):
    model = build_model(chain(plane, compliant))
    points = model.joint_link[:, JOINT_POINTS].copy()
    assert points.tolist() == ([1, 1, 1] if plane else [int(type(j) is not Prismatic) for j in model.joints])
    short = accelerations(softened(model))
    model.joint_link[:, JOINT_POINTS] = 0
    model.plan.pairs[:, 5] = 0
    full = accelerations(softened(model))
    # Round-off of S, of which the condition is below 1e3 here.
    assert short == pytest.approx(full, abs=1e-12 * np.abs(full).max())


def marked(joint: type, body: type = RigidBody, **values) -> bool:
    system = System()
    system.add(body("body", 1.0, **{"inertia": (0.3, 0.4, 0.5), **values}))
    system.add(joint("joint", "ground", "body", at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)))
    return bool(build_model(system).joint_link[0, JOINT_POINTS])


def test_a_kind_with_a_kernel_of_its_own_does_not_inherit_the_word():
    class Renamed(Revolute):
        kind: ClassVar[str] = "renamed"

    class Rewritten(Revolute):
        kind: ClassVar[str] = "rewritten"
        spatial_kernel = Prismatic.spatial_kernel

    assert marked(Renamed)
    assert not marked(Rewritten)


def test_bodies_whose_mass_is_no_number_are_not_marked():
    class Rewritten(RigidBody):
        kind: ClassVar[str] = "rewritten"
        weigh_rows_kernel = FullMassBody.weigh_rows_kernel

    assert marked(Revolute)
    assert not marked(Revolute, Rewritten)

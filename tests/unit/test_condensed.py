"""Linear systems of radau without the poses give what the whole systems give."""

from __future__ import annotations

import numpy as np
import pytest

from centrode.dynamics.workspace import Workspace
from centrode.jit import step_kernel, types
from centrode.methods.condensed import condense, solve_condensed
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.system.builder import System
from centrode.system.model import build_model


def system_of(kind: str) -> System:
    """Bodies of all kinds of coordinates."""
    system = System(plane=kind == "plane")
    if kind == "plane":
        system.add(PlanarBody("a", 1.0, 0.3))
        system.add(PlanarBody("b", 2.0, 0.3))
        return system
    system.add(RigidBody("a", 1.0, (0.3, 0.4, 0.5)))
    if kind == "deforming":
        system.add(PseudoRigidBody("b", 2.0, (0.3, 0.4, 0.5)))
    system.add(RigidBody("c", 2.0, (0.3, 0.4, 0.5)))
    return system


def whole(workspace: Workspace, below: np.ndarray) -> np.ndarray:
    """J with kinematics on top, by differences of the rates of poses, which are bilinear: exact to round-off."""
    w = workspace
    poses, count = w["pose"].size, w.values.size
    start = w.values.copy()
    found = np.zeros((count, count))
    w.evaluate(0.0)
    base = w["rates"][:poses].copy()
    for k in range(count):
        w.values[:] = start
        w.values[k] += 1.0
        w.evaluate(0.0)
        found[:poses, k] = w["rates"][:poses] - base
    w.values[:] = start
    found[poses:] = below
    return found


@pytest.mark.parametrize("shift", [7.0, 3.0 + 4.0j])
@pytest.mark.parametrize("kind", ["space", "deforming", "plane"])
def test_poses_eliminated_change_nothing(kind, shift):
    rng = np.random.default_rng(5)
    w = Workspace(build_model(system_of(kind)))
    w["velocity"][:] = rng.normal(size=w["velocity"].shape)
    w["pose"][:] = rng.normal(size=w["pose"].shape)  # the algebra does not ask for unit quaternions
    poses, count = w["pose"].size, w.values.size
    jacobian = whole(w, rng.normal(size=(count - poses, count)))
    right = rng.normal(size=count).astype(type(shift))
    expected = np.linalg.solve(shift * np.eye(count) - jacobian, right)

    number = types.complex128 if isinstance(shift, complex) else types.float64
    matrices = types.Array(number, 2)
    signature = types.boolean(
        number, types.floats1, types.floats2, matrices, types.integers1, types.Array(number, 1), types.int64
    )

    @step_kernel(signature=signature)
    def solve_both(shift, start, jacobian, matrix, pivots, right, tables):
        if not condense(shift, start, jacobian, matrix, pivots, tables):
            return False
        solve_condensed(matrix, pivots, shift, start, jacobian, right, tables)
        return True

    matrix, pivots = np.zeros((count - poses,) * 2, dtype=type(shift)), np.zeros(count - poses, dtype=np.int64)
    assert solve_both(shift, w.values.copy(), jacobian, matrix, pivots, right, w.address)
    # Systems of some twenty unknowns with entries of order one: condition below 1e4.
    assert right == pytest.approx(expected, abs=1e-11 * np.abs(expected).max())

"""The equations of motion at one state as dense arrays, in velocities of all bodies and in independent speeds.

With the mass matrix M = L L^T of the bodies, rows J of the joints, independent speeds u = G v
(:mod:`centrode.mechanics.speeds`) and all forces f, gravity and inertia forces among them,

    [J; G] v = [-nu; u],          v = V u + v_0                                                               (1)
    [J; G] a = [-gamma; u' - b],  a = V u' + a_0                                                              (2)
    V^T (M a - f) = tau           =>   (V^T M V) u' + V^T (M a_0 - f) = tau                                   (3)

(3) holds for trees and loops, driven joints and nonholonomic rows alike, because V spans what the joints allow. tau are
loads that do work on the speeds, beyond the forces in the system. Redundant rows agree with the others.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.bodies import accelerate, weigh_forces
from centrode.dynamics.redundancy import dense_rows
from centrode.dynamics.weights import unweighing
from centrode.parts.kernel_types import ANGULAR_CONVECTIVE, CONVECTIVE, JOINT_MARKER_A

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace
    from centrode.mechanics.speeds import Speed

SMALLEST = 1e-13
"""Singular values of unit rows below this part of the largest are none: rows that say the same twice."""


class Rows:
    """Rows of the joints at the last evaluation, in velocities of all bodies.

    Attributes:
        j: (rows, velocities of all bodies).
        places: (joint, row) of each.
        live: which velocities exist; a point mass does not turn.
        scale: L^-T of every body.
    """

    def __init__(self, workspace: Workspace) -> None:
        model = workspace.model
        self.scale = unweighing(workspace)
        self.live = (np.abs(self.scale).sum(axis=2) > 0.0).ravel()
        weighed, self.places = dense_rows(workspace)
        self.unscale = np.array([np.linalg.pinv(block) for block in self.scale])  # L^T
        shape = (len(self.places), model.body_count, model.velocity_width)
        self.j = np.einsum("rbk,bkv->rbv", weighed.reshape(shape), self.unscale).reshape(
            len(self.places), self.live.size
        )

    def solve(self, matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Velocities that give the rows of a matrix these values; those that do not exist stay zero."""
        found = np.zeros((matrix.shape[1], right.shape[1]))
        size = np.linalg.norm(matrix[:, self.live], axis=1)
        kept = size > 0.0
        scaled = matrix[kept][:, self.live] / size[kept, None]
        found[self.live] = np.linalg.lstsq(scaled, right[kept] / size[kept, None], rcond=SMALLEST)[0]
        return found


class Numbers:
    """Arrays of (1) to (3) at the present state of a workspace.

    Args:
        workspace: its state is evaluated.
        time: [s].
        speeds: independent, as many as there are degrees of freedom.

    Attributes:
        rows: of the joints.
        g: G, (speeds, velocities of all bodies).
        v: V, (velocities of all bodies, speeds).
        a_0: of (2), without what turning axes add.
        force, applied, weight: all forces f, those of forces and contacts alone, and gravity alone, weighed: L^-1 f.
    """

    def __init__(self, workspace: Workspace, time: float, speeds: list[Speed]) -> None:
        self.workspace, self.speeds = workspace, speeds
        workspace.evaluate(time)
        w = workspace
        self.acceleration = w["acceleration"].copy()
        self.multipliers = w["multipliers"].copy()
        self.rows = rows = Rows(w)
        count = rows.j.shape[1]
        self.g = np.array([speed.gradient(w).ravel() for speed in speeds]).reshape(len(speeds), count)
        self._split_forces()
        turning = self._turning_axes()
        bias = np.array([speed.rate(w, turning) for speed in speeds])
        gamma = np.array([_acceleration_term(w, j, r) for j, r in rows.places])
        n, f = rows.j.shape[0], len(speeds)
        right = np.zeros((n + f, f + 1))
        right[n:, :f] = np.eye(f)
        right[:n, f] = -gamma
        right[n:, f] = -bias
        solved = rows.solve(np.vstack([rows.j, self.g]), right)
        self.v, self.a_0 = solved[:, :f], solved[:, f]

    def _split_forces(self) -> None:
        w = self.workspace
        kept = w["weighted_force"].copy(), w["wrench"].copy(), w["gravity"].copy()
        weigh_forces(w.address)
        self.force = w["weighted_force"][1:].ravel().copy()
        w["wrench"][:] = 0.0
        weigh_forces(w.address)
        self.applied = self.force - w["weighted_force"][1:].ravel()
        w["gravity"][:] = 0.0
        before = w["weighted_force"][1:].ravel().copy()
        weigh_forces(w.address)
        self.weight = before - w["weighted_force"][1:].ravel()
        w["weighted_force"][:], w["wrench"][:], w["gravity"][:] = kept

    def _turning_axes(self) -> np.ndarray:
        """Accelerations that turning axes add to L^-T y."""
        w = self.workspace
        kept = w["weighted_force"].copy(), w["acceleration"].copy()
        w["weighted_force"][:] = 0.0
        accelerate(True, w.address)
        found = w["acceleration"].copy()
        w["weighted_force"][:], w["acceleration"][:] = kept
        return found

    def weighed(self, velocities: np.ndarray) -> np.ndarray:
        """L^T v of velocities of all bodies, vectors or columns."""
        blocks = self.rows.unscale
        shape = (*blocks.shape[:2], *velocities.shape[1:])
        found: np.ndarray = np.einsum("bkv,bv...->bk...", blocks, velocities.reshape(shape))
        return found.reshape(velocities.shape)

    @cached_property
    def moving(self) -> np.ndarray:
        """L^T V."""
        return self.weighed(self.v)

    @cached_property
    def mass(self) -> np.ndarray:
        """V^T M V of (3)."""
        return self.moving.T @ self.moving

    def body_mass(self) -> np.ndarray:
        """M of all bodies, (velocities, velocities)."""
        width = self.rows.scale.shape[1]
        found = np.zeros((self.v.shape[0], self.v.shape[0]))
        for b, block in enumerate(self.rows.unscale):
            found[b * width : (b + 1) * width, b * width : (b + 1) * width] = block.T @ block
        return found

    def loads(self, rates: np.ndarray) -> np.ndarray:
        """tau of (3) for rates u' of the speeds."""
        return self.mass @ rates + self.moving.T @ (self.weighed(self.a_0) - self.force)

    def speed_rates(self) -> np.ndarray:
        """u' as the engine moves."""
        return np.array([speed.rate(self.workspace, self.acceleration) for speed in self.speeds])


def _acceleration_term(workspace: Workspace, j: int, r: int) -> float:
    """gamma of a row with the convective accelerations of its markers."""
    total = float(workspace["terms"][j, r, 2])
    for side in range(workspace.model.joint_sides):
        marker = workspace["markers"][workspace.model.joint_link[j, JOINT_MARKER_A + side]]
        row = workspace["jacobian"][j, side, r]
        total += float(row[:3] @ marker[CONVECTIVE : CONVECTIVE + 3])
        total += float(row[3:] @ marker[ANGULAR_CONVECTIVE : ANGULAR_CONVECTIVE + 3])
    return total

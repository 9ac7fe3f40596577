"""Weighed components of velocities as dense arrays: y = L^T v with the mass matrix M = L L^T of each body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.bodies import unweigh

if TYPE_CHECKING:
    from centrode.dynamics.coordinates import Coordinate
    from centrode.dynamics.workspace import Workspace


def unweighing(workspace: Workspace) -> np.ndarray:
    """L^-T of every body at the last evaluation, (bodies, velocities, weighed components)."""
    w, model = workspace, workspace.model
    n, width = model.body_count, model.velocity_width
    found = np.zeros((n, width, width))
    kept = w["weighted_force"].copy(), w["acceleration"].copy()
    for k in range(width):
        w["weighted_force"][:] = 0.0
        w["weighted_force"][:, k] = 1.0
        w["acceleration"][:] = 0.0
        unweigh(w.address)
        found[:, :, k] = w["acceleration"]
    w["weighted_force"][:], w["acceleration"][:] = kept
    return found


def velocities_of(scale: np.ndarray, weighed: np.ndarray) -> np.ndarray:
    """Velocities of all bodies from their weighed components, with L^-T from :func:`unweighing`."""
    found: np.ndarray = np.einsum("bvk,bk->bv", scale, weighed.reshape(scale.shape[:2]))
    return found


def row_of(coordinate: Coordinate, scale: np.ndarray, workspace: Workspace) -> np.ndarray:
    """Gradient of a coordinate in weighed components."""
    found: np.ndarray = np.einsum("bvk,bv->bk", scale, coordinate.gradient(workspace)).ravel()
    return found


def smallest_solution(matrix: np.ndarray, right: np.ndarray, live: np.ndarray) -> np.ndarray:
    """Solution of smallest weighed length; redundant rows agree and components that are not live stay zero."""
    found = np.zeros(matrix.shape[1])
    # Rows in one scale: the rank decision must not depend on units.
    size = np.linalg.norm(matrix, axis=1)
    kept = size > 0.0
    scaled = matrix[kept][:, live] / size[kept, None]
    found[live] = np.linalg.lstsq(scaled, right[kept] / size[kept], rcond=1e-11)[0]
    return found

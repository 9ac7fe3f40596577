"""Points of outlines that feel terrain: where they stand.

Bodies feel bumps at fixed points of their outlines (:mod:`terrain_contact`). Boxes and polyhedra have them over all of
their surface, no farther apart than the points of the terrain's grid, between which it has no bumps of its own;
spheres and capsules on their axes, with their radius about each. Other outlines (ellipsoids, superellipsoids,
cylinders) and balls on bodies that deform have none: for these one plane is laid below the lowest point, as on roads.
"""

from __future__ import annotations

import numpy as np

from centrode.dynamics.contact.ground import Ground
from centrode.dynamics.contact.tables import PROBED
from centrode.math.hull import convex_hull
from centrode.parts.outlines.outline import Corners, Curved, Outline

PER_EDGE = (3, 9)
"""Least and most points along an edge: both ends and the middle; so many that a box has 386 at most."""


def probe_tables(outlines: list[Outline], rows: np.ndarray, ground: Ground) -> dict[str, np.ndarray]:
    """Rows PROBED of all outlines, and the points of all, own axes [m]."""
    probed = np.zeros(len(outlines), PROBED)
    found = [np.zeros((0, 3))]
    count = 0
    for row, item, own in zip(rows, outlines, probed, strict=True):
        roads = [k for k in range(len(ground.rows)) if int(row.meets) >> k & 1 and ground.rows[k].steepest > 0.0]
        if not roads:
            continue
        spacing = min(float(ground.table_of(k + 1)[0, 10:12].min()) for k in roads)
        points = probes_of(item, row, spacing)
        own.first, own.count = count, len(points)
        own.radius = float(row.semi_axes[0]) if row.curved != Curved.NONE else 0.0
        found.append(points)
        count += len(points)
    return {"probed": probed, "probes": np.ascontiguousarray(np.concatenate(found))}


def probes_of(outline: Outline, row: np.record, spacing: float) -> np.ndarray:
    """Points of an outline that feel a terrain with this spacing, own axes [m], shape (n, 3)."""
    half = np.array(row.half_lengths)
    if row.curved == Curved.NONE and row.corners == Corners.BOX:
        axes = [along(-a, a, spacing) for a in half]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        return grid[(np.abs(grid) == half).any(axis=1)]
    if row.curved == Curved.NONE and row.corners == Corners.POINTS:
        corners = outline.corners()
        triangles = corners[convex_hull(corners).triangles]
        every = np.concatenate([over_triangle(triangle, spacing) for triangle in triangles])
        size = float(np.abs(corners).max())
        return np.unique((every / size).round(9), axis=0) * size
    if is_ball(row) and row.rigid:
        if row.corners == Corners.NONE:
            return np.zeros((1, 3))
        if row.swept:
            places = along(-half[2], half[2], spacing)
            return np.column_stack([np.zeros((len(places), 2)), places])
    return np.zeros((0, 3))


def is_ball(row: np.record) -> bool:
    """Whether the curved part of an outline is a ball."""
    semi = np.array(row.semi_axes)
    return bool(row.curved == Curved.SUPERELLIPSOID and row.exponent == 2.0 and np.all(semi == semi[0]))


def along(low: float, high: float, spacing: float) -> np.ndarray:
    """Places from end to end, no farther apart than the spacing unless they are too many."""
    return np.linspace(low, high, int(np.clip(np.ceil((high - low) / spacing) + 1, *PER_EDGE)))


def over_triangle(corners: np.ndarray, spacing: float) -> np.ndarray:
    """Points of a lattice over a triangle, its corners among them."""
    longest = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max())
    parts = int(np.clip(np.ceil(longest / spacing) + 1, *PER_EDGE)) - 1
    shares = [(i, j, parts - i - j) for i in range(parts + 1) for j in range(parts + 1 - i)]
    return np.array(shares, dtype=float) @ corners / parts

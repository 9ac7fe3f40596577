"""Convex polyhedron given by its corners: H(m) = max over corners of m . v.

Points inside the hull are dropped when the outline is packed, so any cloud of points is allowed; it must span a
volume.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.math.hull import Hull, convex_hull
from centrode.parts.outlines.outline import Outline
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualMesh, VisualScene


@dataclass(frozen=True)
class OutlinePolyhedron(Outline):
    """Convex hull of points [m], shape (n, 3), n >= 4, in own axes."""

    kind: ClassVar[str] = "polyhedron"

    points: tuple[tuple[float, float, float], ...] = quantity(
        "m", "points whose convex hull is the outline", kw_only=True
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        path = f"{self.name}.points"
        try:
            points = np.asarray(self.points, dtype=float)
        except (TypeError, ValueError):
            return [*found, Fault("not a list of points", path, got=self.points, expected="rows of x, y, z in m")]
        if points.ndim != 2 or points.shape[1] != 3 or len(points) < 4:
            found.append(Fault("too few points", path, got=points.shape, expected="at least 4 rows of x, y, z in m"))
            return found
        spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
        # Flatter than 1e-9 of its length the hull has no volume in double precision.
        if not np.all(np.isfinite(points)) or spread[2] <= 1e-9 * max(spread[0], 1e-300):
            found.append(Fault("an outline cannot have zero size", path, expected="points that span a volume"))
        return found

    def corners(self) -> np.ndarray:
        """Corners of the hull in the order given [m], shape (m, 3)."""
        points, hull = self.hull()
        return points[hull.corners]

    def hull(self) -> tuple[np.ndarray, Hull]:
        """The points [m], shape (n, 3), and their convex hull."""
        points = np.asarray(self.points, dtype=float)
        return points, convex_hull(points)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        points, hull = self.hull()
        return self.drawn(VisualMesh, points.tolist(), [(a, b, c) for a, b, c in hull.triangles.tolist()])

    def bounding_radius(self) -> float:
        return float(np.linalg.norm(np.asarray(self.points, dtype=float), axis=1).max())

    def least_half_width(self) -> float:
        """Half the least width among face normals bounds how deep an overlap may be called shallow."""
        points, hull = self.hull()
        heights = points @ hull.planes[:, :3].T
        return float(0.5 * (heights.max(axis=0) - heights.min(axis=0)).min())

"""Height field: uneven ground from heights on a grid, for hard contacts (method moreau).

Row i of the heights lies at own x = (i - (n - 1)/2) spacing, column j at own y likewise; each cell is cut into two
triangles along its diagonal from (i, j) to (i+1, j+1). What is below the surface is inside; beyond the grid there is
nothing. Contact laws push convex outlines only and refuse it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.outlines.outline import Outline
from centrode.parts.part import quantity
from centrode.parts.placement import GROUND
from centrode.parts.visual import Visual, VisualMesh, VisualScene


@dataclass(frozen=True)
class OutlineHeightField(Outline):
    """Heights on a grid [m], shape (n, m), spacing along own x and y [m], the middle of the grid at own x = y = 0.

    Always of the ground; beside the grid there is nothing.
    """

    kind: ClassVar[str] = "height-field"
    convex: ClassVar[bool] = False
    example: ClassVar[dict[str, object] | None] = {"heights": ((0.0, 0.1), (0.2, 0.0)), "spacing": (0.5, 0.5)}

    body: str = quantity("", "the ground", GROUND, refers_to="body")
    heights: tuple[tuple[float, ...], ...] = quantity("m", "heights, row by row along own x", kw_only=True)
    spacing: tuple[float, float] = quantity("m", "distance of rows and of columns", kw_only=True)

    def faults(self) -> list[Fault]:
        found = [item for item in super().faults() if item.path != f"{self.name}.heights"]
        try:
            heights = np.asarray(self.heights, dtype=float)
        except (TypeError, ValueError):
            heights = np.zeros(0)
        if heights.ndim != 2 or min(heights.shape) < 2 or not np.isfinite(heights).all():
            found.append(self.fault("heights", "no grid of heights", expected="two rows or more of as many numbers"))
        if len(self.spacing) != 2 or not min(self.spacing) > 0.0:
            found.append(self.fault("spacing", "not two lengths", expected="two lengths above 0 in m"))
        if self.body != GROUND:
            found.append(self.fault("body", "a height field belongs to the ground", expected=GROUND))
        return found

    def grid(self) -> np.ndarray:
        """Heights [m], shape (n, m)."""
        return np.asarray(self.heights, dtype=float)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        grid = self.grid()
        n, m = grid.shape
        x, y = ((np.arange(k) - 0.5 * (k - 1)) * s for k, s in zip((n, m), self.spacing, strict=True))
        points = np.stack([*np.meshgrid(x, y, indexing="ij"), grid], axis=-1).reshape(-1, 3)
        corners = (np.arange(n - 1)[:, None] * m + np.arange(m - 1)).ravel()
        faces = [(k, k + m, k + m + 1) for k in corners] + [(k, k + m + 1, k + 1) for k in corners]
        return self.drawn(VisualMesh, points.tolist(), faces)

    def half_sides(self) -> tuple[float, float]:
        """How far the grid reaches along own x and y [m]."""
        n, m = self.grid().shape
        return 0.5 * (n - 1) * self.spacing[0], 0.5 * (m - 1) * self.spacing[1]

    def bounding_radius(self) -> float:
        return float(np.hypot(np.hypot(*self.half_sides()), np.abs(self.grid()).max()))

    def least_half_width(self) -> float:
        return 0.5 * float(min(self.spacing))

    def pack(self) -> np.record:
        row: np.record = super().pack()
        row.own[:4] = *self.grid().shape, *self.spacing
        return row

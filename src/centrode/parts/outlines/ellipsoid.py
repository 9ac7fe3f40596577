"""Ellipsoid: the superellipsoid of squareness 1, without rounding. H(m) = sqrt(sum a_i^2 m_i^2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.errors import Fault
from centrode.parts.outlines.outline import Outline, three_sizes
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualEllipsoid, VisualScene, vector


@dataclass(frozen=True)
class OutlineEllipsoid(Outline):
    """Ellipsoid with semi-axes [m]."""

    kind: ClassVar[str] = "ellipsoid"

    semi_axes: tuple[float, float, float] = quantity("m", "semi-axes along own x, y, z", kw_only=True)

    def faults(self) -> list[Fault]:
        found = [item for item in super().faults() if item.path != f"{self.name}.semi_axes"]
        return found + three_sizes(f"{self.name}.semi_axes", self.semi_axes, "semi-axes")

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualEllipsoid, vector(self.semi_axes))

    def bounding_radius(self) -> float:
        return max(self.semi_axes)

    def least_half_width(self) -> float:
        return min(self.semi_axes)

    def superellipsoid(self) -> tuple[tuple[float, float, float], float, float]:
        return self.semi_axes, 2.0, 0.0

"""Ellipsoid, drawn on a body: three semi-axes along its own axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import quantity
from centrode.parts.shapes.shape import Shape, positive
from centrode.parts.visual import Visual, VisualEllipsoid, VisualScene, vector


@dataclass(frozen=True)
class ShapeEllipsoid(Shape):
    """Ellipsoid with semi-axes [m]."""

    kind: ClassVar[str] = "ellipsoid"

    semi_axes: tuple[float, float, float] = quantity("m", "semi-axes along own x, y, z", (0.5, 0.5, 0.5), read=positive)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualEllipsoid, vector(self.semi_axes))

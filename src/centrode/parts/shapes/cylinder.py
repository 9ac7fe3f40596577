"""Cylinder along its own z axis, drawn on a body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import quantity
from centrode.parts.shapes.shape import Shape
from centrode.parts.visual import Visual, VisualCylinder, VisualScene


@dataclass(frozen=True)
class ShapeCylinder(Shape):
    """Cylinder with radius and length [m], axis along own z, centred."""

    kind: ClassVar[str] = "cylinder"

    radius: float = quantity("m", "radius", 0.5, positive=True)
    length: float = quantity("m", "length", 1.0, positive=True)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualCylinder, float(self.radius), float(self.length))

"""Ball, drawn on a body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import quantity
from centrode.parts.shapes.shape import Shape
from centrode.parts.visual import Visual, VisualScene, VisualSphere


@dataclass(frozen=True)
class ShapeSphere(Shape):
    """Ball with radius [m]."""

    kind: ClassVar[str] = "sphere"

    radius: float = quantity("m", "radius", 0.5, positive=True)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualSphere, float(self.radius))

"""Capsule along its own z axis, drawn on a body: a rod with round ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import quantity
from centrode.parts.shapes.shape import Shape
from centrode.parts.visual import Visual, VisualCapsule, VisualScene


@dataclass(frozen=True)
class ShapeCapsule(Shape):
    """Capsule with radius and half length of its axis [m] (caps not counted), axis along own z, centred."""

    kind: ClassVar[str] = "capsule"

    radius: float = quantity("m", "radius", 0.5, positive=True)
    half_length: float = quantity("m", "half length of the axis segment", 0.5, positive=True)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        end = float(self.half_length)
        return self.drawn(VisualCapsule, (0.0, 0.0, -end), (0.0, 0.0, end), float(self.radius))

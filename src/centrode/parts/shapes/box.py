"""Box, drawn on a body: three lengths along its own axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import quantity
from centrode.parts.shapes.shape import Shape, positive
from centrode.parts.visual import Visual, VisualBox, VisualScene, vector


@dataclass(frozen=True)
class ShapeBox(Shape):
    """Box with full lengths [m]."""

    kind: ClassVar[str] = "box"

    size: tuple[float, float, float] = quantity("m", "lengths along own x, y, z", (1.0, 1.0, 1.0), read=positive)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualBox, vector(self.size))

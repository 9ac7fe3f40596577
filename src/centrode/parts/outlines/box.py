"""Box: H(m) = sum a_i |m_i|, with sharp edges. On a pseudo-rigid body it becomes a parallelepiped."""

from __future__ import annotations

import math
from typing import ClassVar

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.parts.outlines.outline import Outline, three_sizes
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualBox, VisualScene, vector


@dataclass(frozen=True)
class OutlineBox(Outline):
    """Box with half lengths [m]."""

    kind: ClassVar[str] = "box"

    half_lengths: tuple[float, float, float] = quantity("m", "half lengths along own x, y, z", kw_only=True)

    def faults(self) -> list[Fault]:
        found = [item for item in super().faults() if item.path != f"{self.name}.half_lengths"]
        return found + three_sizes(f"{self.name}.half_lengths", self.half_lengths, "half lengths")

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualBox, vector([2.0 * float(half) for half in self.half_lengths]))

    def bounding_radius(self) -> float:
        return math.sqrt(sum(item * item for item in self.half_lengths))

    def least_half_width(self) -> float:
        return min(self.half_lengths)

    def box(self) -> tuple[float, float, float]:
        return self.half_lengths

"""Capsule: all points within a radius of a segment along own z. H(m) = L |m_3| + R |m|, L half the segment."""

from __future__ import annotations

from typing import ClassVar

from centrode.classes import dataclass
from centrode.parts.outlines.outline import Outline
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualCapsule, VisualScene


@dataclass(frozen=True)
class OutlineCapsule(Outline):
    """Capsule with radius [m] and half length of its axis [m] (caps not counted), axis along own z."""

    kind: ClassVar[str] = "capsule"

    radius: float = quantity("m", "radius", positive=True, kw_only=True)
    half_length: float = quantity("m", "half length of the axis segment", positive=True, kw_only=True)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        end = float(self.half_length)
        return self.drawn(VisualCapsule, (0.0, 0.0, -end), (0.0, 0.0, end), float(self.radius))

    def bounding_radius(self) -> float:
        return self.radius + self.half_length

    def least_half_width(self) -> float:
        return self.radius

    def superellipsoid(self) -> tuple[tuple[float, float, float], float, float]:
        return (self.radius, self.radius, self.radius), 2.0, 0.0

    def box(self) -> tuple[float, float, float]:
        return 0.0, 0.0, self.half_length

"""Sphere: H(m) = radius |m|. On a pseudo-rigid body it deforms to an ellipsoid."""

from __future__ import annotations

from typing import ClassVar

from centrode.classes import dataclass
from centrode.parts.outlines.outline import Outline
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualScene, VisualSphere


@dataclass(frozen=True)
class OutlineSphere(Outline):
    """Sphere with radius [m]."""

    kind: ClassVar[str] = "sphere"

    radius: float = quantity("m", "radius", positive=True, kw_only=True)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualSphere, float(self.radius))

    def bounding_radius(self) -> float:
        return self.radius

    def least_half_width(self) -> float:
        return self.radius

    def superellipsoid(self) -> tuple[tuple[float, float, float], float, float]:
        return (self.radius, self.radius, self.radius), 2.0, 0.0

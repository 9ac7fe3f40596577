"""Cylinder along own z: H(m) = L |m_3| + R sqrt(m_1^2 + m_2^2), L half of its length.

Hard contacts (method moreau) take it as it is: flat ends, round side, sharp rims. The search for closest points needs
a surface that curves: for it a cylinder is the sum of a flat ellipsoid with semi-axes (R, R, c) and a segment of half
length L - c, with ends that are domed by c, a millionth of its smaller half-width. Contact laws know the ends as flat
as they are (:mod:`centrode.dynamics.contact.flat_ends`); on a body that deforms, and against ellipsoids and
superellipsoids, the ends stay domed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.outlines.outline import Outline
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualCylinder, VisualScene

DOMED = 1e-6


@dataclass(frozen=True)
class OutlineCylinder(Outline):
    """Cylinder with radius [m] and half length [m], axis along own z."""

    kind: ClassVar[str] = "cylinder"
    flat_ends: ClassVar[bool] = True

    radius: float = quantity("m", "radius", positive=True, kw_only=True)
    half_length: float = quantity("m", "half of the length", positive=True, kw_only=True)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualCylinder, float(self.radius), 2.0 * float(self.half_length))

    def bounding_radius(self) -> float:
        return math.hypot(self.radius, self.half_length)

    def least_half_width(self) -> float:
        return min(self.radius, self.half_length)

    def superellipsoid(self) -> tuple[tuple[float, float, float], float, float]:
        return (self.radius, self.radius, DOMED * self.least_half_width()), 2.0, 0.0

    def box(self) -> tuple[float, float, float]:
        return 0.0, 0.0, self.half_length - DOMED * self.least_half_width()

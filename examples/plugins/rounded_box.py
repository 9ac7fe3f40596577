"""An outline of one's own without a kernel: a box whose edges and corners are rounded by a ball.

An outline is the sum of a curved part and of corners; here the curved part is a sphere and the corners are those of a
box. Check it with ``centrode check rounded_box.py``; use it in a scenario with ``plugins: [rounded_box.py]`` and
``kind: rounded-box`` below ``outlines``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import centrode as ct


@dataclass(frozen=True)
class RoundedBox(ct.Outline):
    """Box with half lengths [m], rounded by a radius [m]."""

    kind: ClassVar[str] = "rounded-box"

    half_lengths: tuple[float, float, float] = ct.quantity("m", "half lengths of the flat sides", (1.0, 1.0, 1.0))
    radius: float = ct.quantity("m", "radius of edges and corners", 0.1, positive=True)

    def bounding_radius(self) -> float:
        return math.hypot(*self.half_lengths) + self.radius

    def least_half_width(self) -> float:
        return min(self.half_lengths) + self.radius

    def superellipsoid(self) -> tuple[tuple[float, float, float], float, float]:
        """Semi-axes [m], exponent and rounding [m] of the curved part: a sphere."""
        return (self.radius, self.radius, self.radius), 2.0, 0.0

    def box(self) -> tuple[float, float, float]:
        """Half lengths of the box of corners [m]."""
        return self.half_lengths

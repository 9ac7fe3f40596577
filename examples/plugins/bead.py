"""An outline of one's own: the bead, a ball drawn out along its z axis to a rounded rod.

The curved part is written out as a kernel, to show how: an ellipsoid of revolution with radius a and half length c,

    H = sqrt(a^2 (m_x^2 + m_y^2) + c^2 m_z^2),     X = D m / H,     H'' = (D - X X^T) / H,     D = diag(a^2, a^2, c^2).

Check it with ``centrode check bead.py``; use it in a scenario with ``plugins: [bead.py]`` and ``kind: bead`` below
``outlines``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import centrode as ct
from centrode.math.vector import dot, each, minus, times


@ct.kernel(signature=ct.CURVED_SIGNATURE)
def bead_curved(own, m):
    """Support value, support point and second derivative at m; own = a, c."""
    square = (own[0] * own[0], own[0] * own[0], own[1] * own[1])
    height = math.sqrt(max(dot(each(square, m), m), 1e-300))
    x = times(1.0 / height, each(square, m))
    rows = (
        times(1.0 / height, minus((square[0], 0.0, 0.0), times(x[0], x))),
        times(1.0 / height, minus((0.0, square[1], 0.0), times(x[1], x))),
        times(1.0 / height, minus((0.0, 0.0, square[2]), times(x[2], x))),
    )
    return height, x, rows


@dataclass(frozen=True)
class Bead(ct.Outline):
    """Ellipsoid of revolution about own z, with radius [m] and half length [m]."""

    kind: ClassVar[str] = "bead"
    curved_kernel: ClassVar[Any] = bead_curved

    radius: float = ct.quantity("m", "radius across the axis", 0.1, positive=True)
    half_length: float = ct.quantity("m", "half length along own z", 0.1, positive=True)

    def bounding_radius(self) -> float:
        return max(self.radius, self.half_length)

    def least_half_width(self) -> float:
        return min(self.radius, self.half_length)

    def own_parameters(self) -> list[float]:
        return [self.radius, self.half_length]

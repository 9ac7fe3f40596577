"""Capsule: all points within a radius of a segment along own z. H(m) = L |m_3| + R |m|, L half the segment."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.parts.outlines.outline import CAPSULE, KIND, RADIUS_BOUND, SIZE, THICKNESS, Outline
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualCapsule, VisualScene


@dataclass(frozen=True)
class OutlineCapsule(Outline):
    """Capsule with radius [m] and half length of its axis [m] (caps not counted), axis along own z."""

    kind: ClassVar[str] = "capsule"

    radius: float = quantity("m", "radius", 0.5, positive=True)
    half_length: float = quantity("m", "half length of the axis segment", 0.5, positive=True)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        end = float(self.half_length)
        return self.drawn(VisualCapsule, (0.0, 0.0, -end), (0.0, 0.0, end), float(self.radius))

    def shape_row(self, row: np.ndarray) -> None:
        row[KIND] = CAPSULE
        row[SIZE] = self.radius
        row[SIZE + 2] = self.half_length
        row[RADIUS_BOUND] = self.radius + self.half_length
        row[THICKNESS] = self.radius


@step_kernel
def capsule_support(row, m0, m1, m2):
    """Support value [m] and point [m] towards m, in own axes."""
    length = math.sqrt(m0 * m0 + m1 * m1 + m2 * m2)
    scale = row[SIZE] / max(length, 1e-300)
    end = row[SIZE + 2] if m2 >= 0.0 else -row[SIZE + 2]
    return end * m2 + row[SIZE] * length, scale * m0, scale * m1, scale * m2 + end

"""Box: H(m) = sum a_i |m_i|, with sharp edges. On a pseudo-rigid body it becomes a parallelepiped."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.outlines.outline import BOX, KIND, RADIUS_BOUND, SIZE, THICKNESS, Outline, three_sizes
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualBox, VisualScene, vector


@dataclass(frozen=True)
class OutlineBox(Outline):
    """Box with half lengths [m]."""

    kind: ClassVar[str] = "box"

    half_lengths: tuple[float, float, float] = quantity("m", "half lengths along own x, y, z", (1.0, 1.0, 1.0))

    def faults(self) -> list[Fault]:
        found = [item for item in super().faults() if item.path != f"{self.name}.half_lengths"]
        return found + three_sizes(f"{self.name}.half_lengths", self.half_lengths, "half lengths")

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualBox, vector([2.0 * float(half) for half in self.half_lengths]))

    def shape_row(self, row: np.ndarray) -> None:
        row[KIND] = BOX
        row[SIZE : SIZE + 3] = self.half_lengths
        row[RADIUS_BOUND] = math.sqrt(sum(item * item for item in self.half_lengths))
        row[THICKNESS] = min(self.half_lengths)


@step_kernel
def box_support(row, m0, m1, m2):
    """Support value [m] and corner [m] towards m, in own axes."""
    x0 = row[SIZE] if m0 >= 0.0 else -row[SIZE]
    x1 = row[SIZE + 1] if m1 >= 0.0 else -row[SIZE + 1]
    x2 = row[SIZE + 2] if m2 >= 0.0 else -row[SIZE + 2]
    return x0 * m0 + x1 * m1 + x2 * m2, x0, x1, x2

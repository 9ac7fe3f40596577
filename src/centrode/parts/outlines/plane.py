"""Plane or wall: the half space below own z = 0. Fixed to the ground or to a body; two planes never meet."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.jit import step_kernel
from centrode.math.vector import cross, norm, times
from centrode.parts.outlines.outline import Outline
from centrode.parts.placement import GROUND
from centrode.parts.visual import Visual, VisualBox, VisualScene


@dataclass(frozen=True)
class OutlinePlane(Outline):
    """Half space {z <= 0} in own axes; own z is the outward normal, ``centre`` a point of the surface."""

    kind: ClassVar[str] = "plane"

    half_space: ClassVar[bool] = True

    def visuals(self, scene: VisualScene) -> list[Visual]:
        level = np.asarray(self.rotation, dtype=float)[2, 2] > 0.99
        if level and (self.body or GROUND) == GROUND:
            return []  # the level ground is drawn anyway; a wall is a thin plate
        return self.drawn(VisualBox, (8.0, 8.0, 0.05), colour="steel")

    def bounding_radius(self) -> float:
        return math.inf

    def least_half_width(self) -> float:
        return math.inf


@step_kernel
def plane_normal(directors):
    """Outward unit normal in the world: d1 x d2, the image of own z as a surface normal under any F."""
    n = cross(directors[0], directors[1])
    return times(1.0 / norm(n), n)

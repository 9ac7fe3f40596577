"""Rigid barrier of the small-overlap test: 25 % of a car's width, an edge with a radius of 150 mm (IIHS, 64 km/h).

``overlap`` is the part of ``car_width`` that the barrier covers, on the driver's side (left). ``position`` is the
place of the middle of the car's front at first touch, so that a car that drives through it along the heading has that
overlap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import quantity
from centrode.vehicles.library.obstacle import Obstacle, Plan


@dataclass(frozen=True)
class BarrierSmallOverlap(Obstacle):
    """Rigid barrier before a quarter of the front, with a rounded edge."""

    kind: ClassVar[str] = "barrier-small-overlap"

    overlap: float = quantity("1", "share of the car's width", 0.25, positive=True, maximum=1.0)
    car_width: float = quantity("m", "width of the car", 1.8, positive=True, usual=(0.5, 5.0))
    side: str = quantity("", "side of the car that is hit", "left", choices=("left", "right"))
    radius: float = quantity("m", "of the edge", 0.15, positive=True, usual=(0.005, 2.0))
    width: float = quantity("m", "width of the barrier", 1.5, positive=True, usual=(0.2, 20.0))
    depth: float = quantity("m", "thickness", 1.0, positive=True, usual=(0.05, 20.0))

    def plan(self) -> Plan:
        edge, r = (0.5 - self.overlap) * self.car_width, self.radius
        turns = [0.5 * math.pi * k / 6 for k in range(7)]
        # Left of the car is -y here, because own x looks at the car.
        corners = [(-r + r * math.cos(a), -(edge + r - r * math.sin(a))) for a in turns]
        far = edge + self.width
        corners += [(0.0, -far), (-self.depth, -far), (-self.depth, -edge)]
        return corners if self.side == "left" else [(x, -y) for x, y in corners]

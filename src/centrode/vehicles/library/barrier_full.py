"""Rigid barrier over the full width, as in FMVSS 208 and the frontal tests of NHTSA's NCAP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import quantity
from centrode.vehicles.library.obstacle import Obstacle, Plan


@dataclass(frozen=True)
class BarrierFull(Obstacle):
    """Rigid wall over the full width."""

    kind: ClassVar[str] = "barrier-full"

    width: float = quantity("m", "width of the face", 4.0, positive=True, usual=(0.2, 200.0))
    depth: float = quantity("m", "thickness", 1.0, positive=True, usual=(0.05, 20.0))

    def plan(self) -> Plan:
        half = 0.5 * self.width
        return [(0.0, -half), (0.0, half), (-self.depth, half), (-self.depth, -half)]

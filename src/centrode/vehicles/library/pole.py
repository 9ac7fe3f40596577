"""Rigid pole, 254 mm thick as in FMVSS 214 and Euro NCAP's side pole test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import quantity
from centrode.vehicles.library.obstacle import Obstacle, Plan, ring


@dataclass(frozen=True)
class Pole(Obstacle):
    """Rigid pole, 254 mm thick."""

    kind: ClassVar[str] = "pole"

    diameter: float = quantity("m", "thickness", 0.254, positive=True, usual=(0.02, 5.0))
    top: float = quantity("m", "height over the ground", 3.0, positive=True, usual=(0.1, 30.0))

    def plan(self) -> Plan:
        return ring(0.5 * self.diameter, (-0.5 * self.diameter, 0.0))

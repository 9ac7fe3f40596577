"""Tree: a trunk that neither gives way nor breaks. Its thickness (0.4 m) is an assumption: measure it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.part import quantity
from centrode.vehicles.library.obstacle import Obstacle, Plan, ring


@dataclass(frozen=True)
class Tree(Obstacle):
    """Trunk of a tree that does not give way, 0.4 m thick."""

    kind: ClassVar[str] = "tree"

    diameter: float = quantity("m", "thickness of the trunk", 0.4, positive=True, usual=(0.02, 5.0))
    top: float = quantity("m", "height over the ground", 5.0, positive=True, usual=(0.1, 60.0))
    material: str = quantity("", "material name for the contact law of a pair", "wood")

    def plan(self) -> Plan:
        return ring(0.5 * self.diameter, (-0.5 * self.diameter, 0.0))

"""Gear pair: two wheels on bearings in a carrier, the ground unless another is named, keep the ratio of their angles.

One row, equations (1) to (3) of :mod:`centrode.parts.joints.gear_pair`. ``ratio`` i is the turning of b per turning of
a, each about its own axis and as the carrier sees it: minus z_a / z_b for two external wheels with z teeth on parallel
axes, plus for a wheel in a ring. With an arm as the carrier it is the mesh of a planet with its sun or its ring.

Each wheel needs a bearing (a hinge) in the carrier: the row knows the angles alone. A wheel that moves against the
carrier otherwise is refused, because its row would hold what ought to turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.parts.joints.gear_pair import GearPair
from centrode.parts.part import quantity


@dataclass(frozen=True)
class Gear(GearPair):
    """Pair of gear wheels on axes fixed in a carrier."""

    kind: ClassVar[str] = "gear"
    example: ClassVar[dict[str, Any] | None] = {"ratio": -1.3, "carrier": "c"}

    ratio: float = quantity("1", "turning of b per turning of a; negative when they turn against each other")

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.ratio == 0.0:
            found.append(self.fault("ratio", "a gear with ratio 0 would hold b still"))
        return found

    def turning(self) -> float:
        return float(self.ratio)

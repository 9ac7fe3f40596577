"""Differential: two shafts a and b and the case (carrier) on one axis; the case turns at their mean; one row.

    s (w_a - w_c) + (1 - s) (w_b - w_c) = 0,     w_c = s w_a + (1 - s) w_b

with the ``share`` s of the torque of the case that a gets, one half for equal side gears: equations (1) to (3) of
:mod:`centrode.parts.joints.gear_pair` for i = -s / (1 - s). The pinions between the shafts have no mass here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.parts.joints.gear_pair import GearPair
from centrode.parts.part import quantity


@dataclass(frozen=True)
class Differential(GearPair):
    """Shafts a and b, driven by the case that carries the pinions."""

    kind: ClassVar[str] = "differential"
    common_axis: ClassVar[bool] = True
    example: ClassVar[dict[str, Any] | None] = {"share": 0.4, "carrier": "c"}

    share: float = quantity("1", "share of the torque of the case that shaft a gets", 0.5, minimum=0.0, maximum=1.0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and not 0.0 < self.share < 1.0:
            found.append(self.fault("share", "both shafts of a differential are driven", expected="between 0 and 1"))
        return found

    def turning(self) -> float:
        return -float(self.share) / (1.0 - float(self.share))

"""Planetary gear without planet bodies: sun a, ring b and carrier c on one axis; one row.

    z_a (w_a - w_c) + z_b (w_b - w_c) = 0                                                    (Willis)

with z the teeth of sun and ring: equations (1) to (3) of :mod:`centrode.parts.joints.gear_pair` for i = -z_a / z_b.
Torques on sun, ring and carrier are as z_a : z_b : -(z_a + z_b). The planets have no mass here; planets with mass are
bodies, each with two :mod:`gears <centrode.parts.joints.gear>` whose carrier is the arm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.parts.joints.gear_pair import GearPair
from centrode.parts.part import quantity


@dataclass(frozen=True)
class Planetary(GearPair):
    """Sun, ring and carrier on one axis."""

    kind: ClassVar[str] = "planetary"
    common_axis: ClassVar[bool] = True
    example: ClassVar[dict[str, Any] | None] = {"teeth_a": 24.0, "teeth_b": 60.0, "carrier": "c"}

    teeth_a: float = quantity("1", "teeth of the sun a, or its pitch radius", positive=True)
    teeth_b: float = quantity("1", "teeth of the ring b, or its pitch radius", positive=True)

    def turning(self) -> float:
        return -float(self.teeth_a) / float(self.teeth_b)

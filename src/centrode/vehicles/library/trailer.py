"""Trailer with one axle and a ball coupling, as a caravan or a box trailer: 1200 kg, 4.5 m of body.

Mass, size and the load of the coupling (69 kg, of the usual 50 to 100 kg) are assumptions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.parts.joints.ball import Ball
from centrode.parts.joints.joint import Joint
from centrode.vehicles.library.towed import Towed


@dataclass(frozen=True)
class Trailer(Towed):
    """Trailer with one axle on a ball coupling, 1200 kg."""

    kind: ClassVar[str] = "trailer"

    def joint(self, towing: str, hitch: tuple[float, float, float], own: tuple[float, float, float]) -> Joint:
        return Ball(f"{self.name}.coupling", towing, self.body, point_a=hitch, point_b=own)

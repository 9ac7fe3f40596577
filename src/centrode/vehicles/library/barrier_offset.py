"""Deformable barrier of the 40 % offset test: aluminium honeycomb before a rigid block (EEVC, UN R94).

The main block crushes at 0.342 MPa over 0.65 m of height and 0.45 m of depth (UN R94, annex 9, quoted from memory),
which is 222 kN per metre of width; the stiffer bumper element (1.711 MPa) in front of it is left out. The slope over
crush (20 kN/m per metre) is there because columns need one. ``position`` is the place of the middle of the car's
front at touch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from centrode.parts.part import quantity
from centrode.parts.structures.structure import Structure
from centrode.vehicles.library.obstacle import Obstacle, Plan

if TYPE_CHECKING:
    from centrode.system.builder import System


@dataclass(frozen=True)
class BarrierOffset(Obstacle):
    """Deformable honeycomb before two fifths of the front, on a rigid block."""

    kind: ClassVar[str] = "barrier-offset"

    overlap: float = quantity("1", "share of the car's width", 0.4, positive=True, maximum=1.0)
    car_width: float = quantity("m", "width of the car", 1.8, positive=True, usual=(0.5, 5.0))
    side: str = quantity("", "side of the car that is hit", "left", choices=("left", "right"))
    width: float = quantity("m", "width of the honeycomb", 1.0, positive=True, usual=(0.2, 10.0))
    depth: float = quantity(
        "m", "of honeycomb and block; more than car and honeycomb give together", 3.0, positive=True, usual=(0.3, 20.0)
    )
    pressure: float = quantity("Pa", "at which the honeycomb crushes", 0.342e6, positive=True, usual=(1e4, 1e7))
    top: float = quantity("m", "height over the ground", 0.85, positive=True, usual=(0.1, 30.0))

    def plan(self) -> Plan:
        edge = (0.5 - self.overlap) * self.car_width
        sides = (-edge, -edge - self.width) if self.side == "left" else (edge, edge + self.width)
        return [(x, y) for x in (0.0, -self.depth) for y in sides]

    def build(self, system: System) -> None:
        super().build(system)
        tall = 0.65
        force = self.pressure * tall
        # Lower end 0.2 m over the ground, 0.3 m over the lowest point, which stands 0.1 m in it.
        system.add(
            Structure(
                f"{self.name}.honeycomb",
                outline=self.outline,
                a=(force, 2e6, 2e6, 2e6),
                b=(20e3, 1e8, 1e8, 1e8),
                limit=(0.45, 0.2, 0.2, 0.2),
                outboard=1.0,
                restitution=(0.1, 0.02),
                residual=0.95,
                low=(0.3, 0.3, 0.3, 0.0),
                high=(0.3 + tall, 0.3 + tall, 0.3 + tall, 0.0),
            )
        )

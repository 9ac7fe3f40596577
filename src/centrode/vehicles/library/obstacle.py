"""What vehicles run into: upright prisms that stand on the ground and do not move.

``build`` adds the outline ``<name>.outline`` on the ground. Own x looks to where vehicles come from, so that with the
heading 0 a car that drives along +x meets the face at ``position``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.part import Part, quantity
from centrode.vehicles.library.standing import ground_below

if TYPE_CHECKING:
    from centrode.system.builder import System

Plan = list[tuple[float, float]]
"""Corners in own axes [m]: x towards the vehicles, y to the right of who looks at it from there."""


@dataclass(frozen=True)
class Obstacle(Part):
    """Base of poles, trees and barriers. Its kinds say their plan."""

    family: ClassVar[str] = "vehicle"

    position: tuple[float, float] = quantity("m", "middle of the face that is hit, world frame", (0.0, 0.0))
    heading: float = quantity(
        "rad", "direction in which vehicles drive that meet it squarely", 0.0, usual=(-6.2832, 6.2832)
    )
    top: float = quantity("m", "height over the ground", 1.5, positive=True, usual=(0.1, 30.0))
    ground_height: float | None = quantity("m", "of the ground below it; of the road when left out", None)
    material: str = quantity("", "material name for the contact law of a pair", "rigid")

    def plan(self) -> Plan:
        """Corners of the prism."""
        raise NotImplementedError

    @property
    def outline(self) -> str:
        """Name of its outline."""
        return f"{self.name}.outline"

    def build(self, system: System) -> None:
        """Add the outline to the system."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        ground = ground_below(system, self, self.position, self.ground_height)
        low, high = ground - 0.1, ground + self.top  # it stands in the ground
        points = tuple((x, y, z) for x, y in self.plan() for z in (low, high))
        place, turned = (*self.position, 0.0), ((-c, s, 0.0), (-s, -c, 0.0), (0.0, 0.0, 1.0))
        shape = {"body": "ground", "centre": place, "rotation": turned, "material": self.material}
        system.add(OutlinePolyhedron(self.outline, points=points, **shape))  # type: ignore[arg-type]


def ring(radius: float, centre: tuple[float, float], corners: int = 20) -> Plan:
    """A circle as a polygon."""
    turns = [2.0 * math.pi * k / corners for k in range(corners)]
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in turns]

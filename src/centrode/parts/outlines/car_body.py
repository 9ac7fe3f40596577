"""Body of a car as a convex polyhedron: bowed ends, round corners, a bonnet, a roof that is smaller than the plan.

Own x is ahead, the origin is the middle of length, width and height. Up to the belt line the plan is the same; from
there the hull goes to the roof. In a crash the ends of cars are met by their bows: a front that is 0.14 m farther ahead
in the middle than at its corners is that of the car of NHTSA 10146 (docs/theory/crush.md).
"""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.parts.outlines.outline import Outline
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualScene

BELT = 0.5
"""Height of the belt line over the height of the body."""
ROOF = (-0.36, 0.10, 0.36)
"""Rear and front end of the roof over the length, half its width over the width."""


@dataclass(frozen=True)
class OutlineCarBody(Outline):
    """Length, width and height of the body of a car [m]."""

    kind: ClassVar[str] = "car-body"

    length: float = quantity("m", "outer length", 4.6, positive=True)
    width: float = quantity("m", "outer width", 1.8, positive=True)
    height: float = quantity("m", "from the floor to the roof", 1.25, positive=True)
    bow: float = quantity("m", "how far the middle of the front stands ahead of its corners", 0.14, minimum=0.0)
    rear_bow: float = quantity("m", "the same behind", 0.08, minimum=0.0)
    corner: float = quantity("m", "radius of the corners in plan", 0.15, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.bow + self.rear_bow + 2.0 * self.corner > 0.5 * self.length:
            found.append(self.fault("bow", "ends as long as the car", expected="less than half the length in all"))
        if not found and self.corner > 0.4 * self.width:
            found.append(self.fault("corner", "corners wider than the car", expected="less than 0.4 of the width"))
        return found

    def plan(self) -> np.ndarray:
        """Corners of the plan up to the belt line [m], shape (n, 2)."""
        half, nose, r = 0.5 * self.width, 0.5 * self.length, self.corner
        points = []
        for end, bow in ((1.0, self.bow), (-1.0, self.rear_bow)):
            across = np.linspace(-(half - r), half - r, 5)
            points += [(end * (nose - bow * (y / half) ** 2), y) for y in across]
            edge = nose - bow * ((half - r) / half) ** 2
            for angle in np.linspace(0.0, 0.5 * math.pi, 4)[1:]:
                x, y = edge - r + r * math.cos(angle), half - r + r * math.sin(angle)
                points += [(end * x, y), (end * x, -y)]
        return np.array(points)

    def coarse_plan(self) -> np.ndarray:
        """The same with one corner in the middle of each end and two for each round one, shape (n, 2)."""
        half, nose, r = 0.5 * self.width, 0.5 * self.length, self.corner
        points = []
        for end, bow in ((1.0, self.bow), (-1.0, self.rear_bow)):
            edge = nose - bow * ((half - r) / half) ** 2
            points += [(end * nose, 0.0), (end * edge, half - r), (end * edge, r - half)]
            points += [(end * (edge - r), half), (end * (edge - r), -half)]
        return np.array(points)

    def hull(self) -> OutlinePolyhedron:
        """The body as a polyhedron."""
        return self.hull_over(self.plan())

    def coarse_hull(self) -> OutlinePolyhedron:
        """The body as a polyhedron of few faces, for the road: it is met seldom, but then for long."""
        return dataclasses.replace(self.hull_over(self.coarse_plan()), material=self.material)

    def hull_over(self, plan: np.ndarray) -> OutlinePolyhedron:
        """The body over a plan as a polyhedron."""
        half = 0.5 * self.height
        low = np.column_stack([plan, np.full(len(plan), -half)])
        belt = np.column_stack([plan, np.full(len(plan), (2.0 * BELT - 1.0) * half)])
        roof = [(x * self.length, y * ROOF[2] * self.width, half) for x in ROOF[:2] for y in (-1.0, 1.0)]
        points = tuple(map(tuple, np.concatenate([low, belt, roof]).tolist()))
        place = {"body": self.body, "centre": self.centre, "rotation": self.rotation}
        return OutlinePolyhedron(self.name, points=points, **place)  # type: ignore[arg-type]

    def corners(self) -> np.ndarray:
        return self.hull().corners()

    def bounding_radius(self) -> float:
        return self.hull().bounding_radius()

    def least_half_width(self) -> float:
        return 0.5 * min(self.length, self.width, self.height)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.hull().visuals(scene)

"""A plane road of any slope and bank, endless, optionally with a marked width."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.parts.part import quantity
from centrode.parts.roads.contract import COLUMNS, Road, ground_number
from centrode.units import GRADE


@dataclass(frozen=True)
class RoadPlane(Road):
    """Plane through ``origin``: heading about z (left positive), slope (uphill positive), bank (right down)."""

    kind: ClassVar[str] = "plane"

    origin: tuple[float, float, float] = quantity("m", "a point of the plane, where s = 0", (0.0, 0.0, 0.0))
    heading: float = quantity("rad", "direction of the road about z, left positive", 0.0, usual=(-6.4, 6.4))
    slope: float = quantity(GRADE, "climb: an angle, or a grade in %", 0.0, minimum=-1.5, maximum=1.5)
    bank: float = quantity(
        GRADE,
        "tilt about the tangent, positive lowers the right side: an angle, or a grade in %",
        0.0,
        usual=(-1.5, 1.5),
    )
    width: float = quantity("m", "width of the road; beside it the plane goes on", 1.0e9, positive=True)

    def table(self) -> np.ndarray:
        """One header row and the friction patches."""
        table = np.zeros((1, COLUMNS))
        tangent, left, normal = plane_axes(self.heading, self.slope, self.bank)
        table[0, 4:8] = ground_number(self), len(self.patches), 0.0, 0.5 * self.width
        table[0, 8:20] = *self.origin, *tangent, *left, *normal
        return self.with_patches(table)


def plane_axes(heading: float, slope: float, bank: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tangent, left axis and normal of a cross section, world frame; angles in rad."""
    ahead = np.array([math.cos(heading), math.sin(heading), 0.0])
    level_left = np.array([-math.sin(heading), math.cos(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    tangent = math.cos(slope) * ahead + math.sin(slope) * up
    rise = math.cos(slope) * up - math.sin(slope) * ahead
    left = math.cos(bank) * level_left + math.sin(bank) * rise
    normal = math.cos(bank) * rise - math.sin(bank) * level_left
    return tangent, left, normal

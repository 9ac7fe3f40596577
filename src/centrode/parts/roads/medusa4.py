r"""The four-point road of the 1999 program MEDUSA, as it interpolates, for comparison runs.

Source: MEDUSA report (1999), section 1.3. For four points its spline is one cubic through them, with one parameter
s in [0, 1] and the points at s = 0, 1/3, 2/3, 1 (its segments 2, 3, 4), whatever their distances are:

    r(s) = sum_j p_j l_j(s),    l_j the Lagrange polynomials of these four parameters.

The bank is linear in s between the points. The normal belongs to the reference line, not to the twisted surface. The
"virtual" segment before the first point is replaced by the plane of the first cross section. For other roads, and for
better ones, there is :mod:`centrode.parts.roads.spline`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.part import flatten, quantity
from centrode.parts.roads.contract import Road


@dataclass(frozen=True)
class RoadMedusa4(Road):
    """Four points (x, y, z) and four banks; s runs from 0 to 1 as in the original."""

    kind: ClassVar[str] = "medusa4"

    points: tuple[tuple[float, float, float], ...] = quantity("m", "the four points", default_factory=tuple)
    bank: tuple[float, ...] = quantity("rad", "bank at the points, positive lowers the right side", (0.0,) * 4)
    width: float = quantity("m", "full width", 1.0e9, positive=True)

    def faults(self) -> list[Fault]:
        """Also: exactly four points of three numbers and four banks, points distinct."""
        found = super().faults()
        if len(self.points) != 4 or any(len(flatten(point)) != 3 for point in self.points):
            hint = "for another number of points use kind spline"
            found.append(self.fault("points", "exactly four road points", got=len(self.points), hint=hint))
        elif any(flatten(a) == flatten(b) for a, b in zip(self.points, self.points[1:], strict=False)):
            found.append(self.fault("points", "two neighbouring points are the same"))
        if len(flatten(self.bank)) != 4:
            found.append(self.fault("bank", "exactly four banks", got=len(flatten(self.bank))))
        return found

    def table(self) -> np.ndarray:
        """Three pieces of one cubic."""
        self.checked()
        knots = np.array([0.0, 1.0, 2.0, 3.0]) / 3.0
        points = np.array(self.points, dtype=np.float64)
        bank = np.array(self.bank, dtype=np.float64)
        cubic = np.linalg.solve(np.vander(knots, 4, increasing=True), points)  # rows: powers of s
        pieces = np.zeros((3, 3, 6))
        for piece, start in enumerate(knots[:3]):
            # Taylor coefficients of the common cubic at the start of the piece
            pieces[piece, :, 0] = cubic[0] + start * (cubic[1] + start * (cubic[2] + start * cubic[3]))
            pieces[piece, :, 1] = cubic[1] + start * (2.0 * cubic[2] + start * 3.0 * cubic[3])
            pieces[piece, :, 2] = cubic[2] + 3.0 * start * cubic[3]
            pieces[piece, :, 3] = cubic[3]
        banks = np.zeros((3, 4))
        banks[:, 0] = bank[:3]
        banks[:, 1] = np.diff(bank) * 3.0
        half = np.column_stack([np.full(3, 0.5 * self.width), np.zeros(3)])
        return self.curve_table(knots, pieces, banks, half, closed=False, twisted=False)

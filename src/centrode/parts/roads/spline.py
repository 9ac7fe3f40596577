"""A road through points in space: smooth, any direction, any spacing, open or closed, banked.

The reference line is the C2 cubic spline of :mod:`centrode.math.spline` over arc length; the bank (an angle) and the
width run between their values at the points without overshoot, continuous with their slope over arc length. This is
what the MEDUSA report (1999), section 1.3, describes; its own marching scheme blows up with evenly spaced points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.math.spline import cubic_spline_curve, monotone_pieces
from centrode.parts.part import flatten, quantity
from centrode.parts.roads.contract import Road, with_lead
from centrode.units import GRADE


@dataclass(frozen=True)
class RoadSpline(Road):
    """Road through points (x, y, z); bank and width are one value for all points or one per point."""

    kind: ClassVar[str] = "spline"

    points: tuple[tuple[float, float, float], ...] = quantity(
        "m", "points of the reference line", default_factory=tuple
    )
    bank: float | tuple[float, ...] = quantity(
        GRADE, "bank at the points, positive lowers the right side: angles, or grades in %", 0.0, usual=(-1.5, 1.5)
    )
    width: float | tuple[float, ...] = quantity("m", "full width at the points", 8.0, positive=True)
    closed: bool = quantity("", "the last point is followed by the first", False)
    lead: float = quantity(
        "m", "straight stretch before the first point of an open road", 0.0, minimum=0.0, maximum=1e6
    )

    def faults(self) -> list[Fault]:
        """Also: enough distinct points of three numbers, as many banks and widths as points."""
        found = super().faults()
        if found:
            return found
        count = len(self.points)
        if count < (3 if self.closed else 2):
            expected = "three points at least" if self.closed else "two points at least"
            return [self.fault("points", "too few road points", got=count, expected=expected)]
        for index, point in enumerate(self.points):
            if len(flatten(point)) != 3:
                found.append(Fault("a road point has three coordinates", f"{self.name}.points[{index}]", got=point))
            following = self.points[(index + 1) % count]
            if (index + 1 < count or self.closed) and flatten(point) == flatten(following):
                found.append(Fault("two neighbouring points are the same", f"{self.name}.points[{index}]", got=point))
        for label in ("bank", "width"):
            values = flatten(getattr(self, label))
            if len(values) not in (1, count):
                found.append(self.fault(label, f"one {label} or one per point", got=len(values), expected=f"{count}"))
        return found

    def table(self) -> np.ndarray:
        """Table of the spline pieces."""
        self.checked()
        count = len(self.points)
        knots, pieces = cubic_spline_curve(np.array(self.points, dtype=np.float64), self.closed)
        bank = np.resize(np.array(flatten(self.bank), dtype=np.float64), count)
        half = 0.5 * np.resize(np.array(flatten(self.width), dtype=np.float64), count)
        if self.closed:
            half = np.append(half, half[0])
        widths = np.column_stack([half[:-1], np.diff(half) / np.diff(knots)])
        banks = monotone_pieces(knots, bank, self.closed)
        if self.lead > 0.0 and not self.closed:
            knots, pieces, banks, widths = with_lead(knots, pieces, banks, widths, self.lead)
        return self.curve_table(knots, pieces, banks, widths, self.closed, True)

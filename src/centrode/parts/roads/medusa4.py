r"""The road of the 1999 program MEDUSA, as its report interpolates four points and more, for comparison runs.

Source: MEDUSA report (1999), section 1.3. The first four points give one cubic, with the points at s = 0, 1/3, 2/3, 1
(its segments 2, 3, 4), whatever their distances are:

    r(s) = sum_j p_j l_j(s),    l_j the Lagrange polynomials of these four parameters.

Every further segment starts with the first and second derivative that the last one ends with (1.36), a third of s long:
with t = 3 (s - s_i)

    Y_i = a + b t + d t^2 + e t^3,  a = y_i,  b = Y'_{i-1}(1),  d = Y''_{i-1}(1) / 2,  e = y_{i+1} - a - b - d  (1.35)

This march is not damped: a bend grows by 2 + sqrt(3) from segment to segment where points are even. It is here because
the report has it; :mod:`centrode.parts.roads.spline` is the better road.

The bank is linear in s between the points. The normal belongs to the reference line, not to the twisted surface.

Section 1.3.3 adds a virtual flat segment ahead of the first point: ``lead`` metres, straight along the first tangent,
in the plane of the first cross section (the program's was level and met a bank with a step); decks of 1999 get one as
long as the first segment.

With points such as x = 0, 100, 500, 1000 the cubic runs back to -14 before it goes ahead. On a straight line this is
only a matter of its parameter, and the segments are drawn straight; any other road that folds is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.part import flatten, quantity
from centrode.parts.roads.contract import Road, with_lead


@dataclass(frozen=True)
class RoadMedusa4(Road):
    """Points (x, y, z) and banks; s runs from 0 to 1 over the first four as in the original."""

    kind: ClassVar[str] = "medusa4"

    points: tuple[tuple[float, float, float], ...] = quantity("m", "four points or more", default_factory=tuple)
    bank: tuple[float, ...] = quantity("rad", "bank at the points, positive lowers the right side", (0.0,) * 4)
    width: float = quantity("m", "full width", 1.0e9, positive=True)
    lead: float = quantity(
        "m", "straight stretch before the first point, the virtual segment", 0.0, minimum=0.0, maximum=1e6
    )

    def faults(self) -> list[Fault]:
        """Also: four points of three numbers at least, as many banks, points distinct, a line that does not fold."""
        found = super().faults()
        count = len(self.points)
        if count < 4 or any(len(flatten(point)) != 3 for point in self.points):
            hint = "for fewer points use kind spline"
            found.append(self.fault("points", "four road points or more", got=count, hint=hint))
        elif any(flatten(a) == flatten(b) for a, b in zip(self.points, self.points[1:], strict=False)):
            found.append(self.fault("points", "two neighbouring points are the same"))
        elif not found and (folded := self.fold()):
            what = f"the spline of 1999 folds back between points {folded} and {folded + 1}"
            hint = "use kind spline (centrode medusa --road smooth)"
            found.append(self.fault("points", what, got=self.points[folded - 1], hint=hint))
        if len(flatten(self.bank)) != count:
            found.append(self.fault("bank", "one bank per point", got=len(flatten(self.bank)), expected=f"{count}"))
        return found

    def fold(self) -> int:
        """Number, from 1, of the first segment of a bent road on which the line runs back; 0 when there is none."""
        points = np.array(self.points, dtype=np.float64)
        back = runs_back(marched_segments(points), points)
        return 0 if is_straight(points) or not back.any() else 1 + int(np.argmax(back))

    def table(self) -> np.ndarray:
        """The virtual segment, three pieces of one cubic, and the marched ones."""
        self.checked()
        points = np.array(self.points, dtype=np.float64)
        bank = np.array(self.bank, dtype=np.float64)
        segments = marched_segments(points)
        chords = np.diff(points, axis=0)
        if is_straight(points) and runs_back(segments, points).any():
            segments = np.zeros_like(segments)
            segments[:, 0], segments[:, 1] = points[:-1], chords
        count = len(chords)
        knots, pieces, banks = np.arange(1 + count) / 3.0, np.zeros((count, 3, 6)), np.zeros((count, 4))
        pieces[:, :, :4] = np.swapaxes(segments * 3.0 ** np.arange(4)[:, None], 1, 2)  # powers of s, not of t = 3 s
        banks[:, 0], banks[:, 1] = bank[:-1], np.diff(bank) * 3.0
        half = np.column_stack([np.full(count, 0.5 * self.width), np.zeros(count)])
        if self.lead > 0.0:
            knots, pieces, banks, half = with_lead(knots, pieces, banks, half, self.lead)
        return self.curve_table(knots, pieces, banks, half, closed=False, twisted=False)


def marched_segments(points: np.ndarray) -> np.ndarray:
    """Coefficients of t^0 to t^3, t in [0, 1], of every segment: shape (points - 1, 4, 3) [m]."""
    found = np.zeros((len(points) - 1, 4, 3))
    cubic = np.linalg.solve(np.vander(np.arange(4.0), 4, increasing=True), points[:4])  # rows: powers of t from point 1
    for k in range(3):  # Taylor coefficients of the common cubic at the start of the segment
        found[k, 0] = points[k]
        found[k, 1] = cubic[1] + k * (2.0 * cubic[2] + k * 3.0 * cubic[3])
        found[k, 2] = cubic[2] + 3.0 * k * cubic[3]
        found[k, 3] = cubic[3]
    for k in range(3, len(found)):
        _, b, d, e = found[k - 1]
        found[k, 0], found[k, 1], found[k, 2] = points[k], b + 2.0 * d + 3.0 * e, d + 3.0 * e
        found[k, 3] = points[k + 1] - found[k, :3].sum(axis=0)
    return found


def runs_back(segments: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether each segment somewhere runs against its chord."""
    chords = np.diff(points, axis=0)
    b, d, e = (np.einsum("kx,kx->k", segments[:, power], chords) for power in (1, 2, 3))
    with np.errstate(divide="ignore", invalid="ignore"):
        lowest = np.nan_to_num(np.clip(-d / (3.0 * e), 0.0, 1.0))  # where the speed along the chord is stationary
    slopes = [b + t * (2.0 * d + t * 3.0 * e) for t in (0.0, lowest, 1.0)]
    return np.min(slopes, axis=0) <= 0.0


def is_straight(points: np.ndarray) -> bool:
    """Whether points lie on a line, one behind the other."""
    chords = np.diff(points, axis=0)
    chords /= np.linalg.norm(chords, axis=1, keepdims=True)
    return bool(np.all(chords @ chords[0] > 0.0) and np.abs(np.cross(chords, chords[0])).max() < 1e-12)

"""What every road keeps: one table form, its columns, its status bits, friction patches, base class.

A road is a reference line r(s) with a bank angle b(s) about its tangent: a positive bank lowers the right side. With
T = r'/|r'|, L0 the horizontal left, N0 = T x L0, the left axis and the normal of the cross section are

    L = cos b L0 + sin b N0,     N = cos b N0 - sin b L0

and the surface is r(s) + n L(s), n the lateral offset, left positive. On a straight road towards +x the normal is
(0, -sin b, cos b), as in the MEDUSA report (1999).

Table (float64, C order, 32 columns): row 0 header, then one row per piece, then one row per friction patch, then one
per kerb, edge or embankment (:mod:`steps`).

Header columns: 0 form (0 plane, 1 curve, 2 :mod:`terrain`), 1 number of pieces, 2 closed, 3 length in s, 4 friction,
5 number of patches, 6 twisted surface (1) or plane of the reference line (0), 7 half width; for a plane 8..10 origin,
11..13 tangent, 14..16 left, 17..19 normal; 20 number of kerbs and the like.
Rows of these: 0..1 s range, 2 offset, 3 side outwards, 4 width of the face, 5 rise.
Piece columns: 0 s0, 1 h, 2..7 x, 8..13 y, 14..19 z, 20..23 bank, 24..25 half width (value, slope), 26..29 bounding
ball, 30 bound of |r'|. Patch columns: 0..1 s range, 2..3 lateral range, 4 friction.
Friction is a share of the tyres' own (``grip``), or below 0 minus the coefficient of a locked tyre (``friction``).

Status is a sum of bits: 0 on the road; 1 beside its width; 2 before its start; 4 behind its end. Off the road the plane
of the nearest cross section goes on.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit.types import UniTuple, float64
from centrode.parts.part import Part, quantity
from centrode.parts.roads.appearance import road_visuals
from centrode.parts.roads.steps import Edge, Embankment, Kerb, step_faults, step_rows
from centrode.parts.visual import Visual, VisualScene

ROAD_SIGNATURE = UniTuple(float64, 13)(float64[:, ::1], float64, float64, float64, float64)

COLUMNS = 32
BESIDE, BEFORE_START, BEHIND_END = 1, 2, 4
_FRICTION = "coefficient of a locked tyre that slides on it; the tyres' own when left out"


def ground_number(surface: Road | FrictionPatch) -> float:
    """Friction of a road or a patch as its table has it."""
    if surface.friction is not None:
        return -float(surface.friction)
    return 1.0 if surface.grip is None else float(surface.grip)


@dataclass(frozen=True)
class FrictionPatch:
    """A stretch with another friction: from s_from to s_to, between two lateral offsets (left positive) [m]."""

    s_from: float = quantity("m", "start along the road")
    s_to: float = quantity("m", "end along the road")
    friction: float | None = quantity("1", _FRICTION, None, minimum=0.0, usual=(0.0, 5.0))
    right: float = quantity("m", "right edge, as an offset to the left", -1.0e9)
    left: float = quantity("m", "left edge, as an offset to the left", 1.0e9)
    grip: float | None = quantity(
        "1", "instead: share of the tyres' own friction", None, minimum=0.0, usual=(0.0, 20.0)
    )


@dataclass(frozen=True)
class Road(Part):
    """Base of the road kinds: :meth:`table` gives what the kernel reads."""

    family: ClassVar[str] = "road"

    friction: float | None = quantity("1", _FRICTION, None, minimum=0.0, usual=(0.0, 5.0))
    grip: float | None = quantity(
        "1", "instead: share of the tyres' own friction", None, minimum=0.0, usual=(0.0, 20.0)
    )
    patches: tuple[FrictionPatch, ...] = quantity("", "stretches with another friction", ())
    kerbs: tuple[Kerb, ...] = quantity("", "lines beyond which the ground is higher", ())
    edges: tuple[Edge, ...] = quantity("", "lines beyond which it is lower", ())
    embankments: tuple[Embankment, ...] = quantity("", "slopes beside the road", ())

    def table(self) -> np.ndarray:
        """Table of shape (1 + pieces + patches, 32), float64, C order."""
        raise NotImplementedError

    def faults(self) -> list[Fault]:
        """Also: patches must be finite, rising and not negative in friction."""
        found = super().faults()
        for index, patch in enumerate(self.patches):
            path = f"{self.name}.patches[{index}]"
            said = [value for value in (patch.friction, patch.grip) if value is not None]
            values = (patch.s_from, patch.s_to, patch.right, patch.left, *said)
            if not all(isinstance(v, int | float) and math.isfinite(v) for v in values):
                found.append(Fault("not a finite number", path, got=values))
            elif patch.s_to <= patch.s_from or patch.left <= patch.right or min(said, default=0.0) < 0.0:
                found.append(Fault("empty patch or negative friction", path, got=values))
            elif len(said) != 1:
                found.append(Fault("a patch has one friction", path, got=said, expected="`friction` or `grip`"))
        if self.friction is not None and self.grip is not None:
            found.append(self.fault("grip", "a road has one friction", expected="`friction` or `grip`"))
        return found + step_faults(self)

    def frictions(self) -> list[float]:
        """Coefficients of locked tyres that are given for it and its patches."""
        said = (self.friction, *(patch.friction for patch in self.patches))
        return [value for value in said if value is not None]

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return road_visuals(self)

    def shared_table(self) -> np.ndarray:
        """The table, computed once for all who ask this road."""
        found = self.__dict__.get("_shared_table")
        if found is None:
            found = self.table()
            object.__setattr__(self, "_shared_table", found)  # a value computed from the fields: still the same part
        return found

    def curve_table(
        self, knots: np.ndarray, pieces: np.ndarray, bank: np.ndarray, half: np.ndarray, closed: bool, twisted: bool
    ) -> np.ndarray:
        """Table of a curved road with the road's friction and patches.

        Args:
            knots: shape (m + 1,).
            pieces: shape (m, 3, 6), rising powers.
            bank: shape (m, 4), rising powers [rad].
            half: shape (m, 2): value at the start and slope.
            closed, twisted: see the top of this file.
        """
        from centrode.math.spline import bounding_balls, speed_bounds

        count = len(pieces)
        table = np.zeros((1 + count, COLUMNS))
        table[0, :7] = 1.0, count, closed, knots[-1] - knots[0], ground_number(self), len(self.patches), twisted
        table[0, 7] = half[:, 0].max()
        table[1:, 0], table[1:, 1] = knots[:-1], np.diff(knots)
        table[1:, 2:20], table[1:, 20:24], table[1:, 24:26] = pieces.reshape(count, 18), bank, half
        table[1:, 26:30], table[1:, 30] = bounding_balls(knots, pieces), speed_bounds(knots, pieces)
        return self.with_patches(table)

    def with_patches(self, table: np.ndarray) -> np.ndarray:
        """A table followed by the rows of the friction patches and those of kerbs, edges and embankments."""
        rows = np.zeros((len(self.patches), COLUMNS))
        for row, patch in zip(rows, self.patches, strict=True):
            row[:5] = patch.s_from, patch.s_to, patch.right, patch.left, ground_number(patch)
        steps = step_rows(self.kerbs, self.edges, self.embankments)
        beside = np.zeros((len(steps), COLUMNS))
        beside[:, : steps.shape[1]] = steps
        table[0, 20] = len(steps)
        return np.ascontiguousarray(np.vstack([table, rows, beside]))

    def point(self, x: float, y: float, z: float, hint: float = math.nan) -> RoadPoint:
        """Where a point of the world stands over the road; see :class:`RoadPoint`."""
        from centrode.parts.roads.road_point import road_point

        return RoadPoint(*road_point(self.shared_table(), float(hint), float(x), float(y), float(z)))

    def point_below(self, x: float, y: float, z: float = 0.0) -> RoadPoint:
        """Point of the surface straight below or above a place of the world [m], not beside it."""
        point = self.point(x, y, z)
        for _ in range(50):
            gap = float((np.array([x, y, z]) - point.position) @ point.normal)
            if abs(gap) < 1e-12 or abs(point.normal[2]) < 1e-6:
                break
            z -= gap / point.normal[2]
            point = self.point(x, y, z, point.s)
        return point


def with_lead(
    knots: np.ndarray, pieces: np.ndarray, banks: np.ndarray, half: np.ndarray, lead: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Knots, pieces, banks and half widths of an open road with a straight stretch of ``lead`` [m] before its start.

    It runs along the first tangent in the plane of the first cross section, with the same |r'|.
    """
    rate = pieces[0, :, 1]
    length = lead / float(np.linalg.norm(rate))  # in the parameter of the road
    straight = np.column_stack([pieces[0, :, 0] - length * rate, rate, np.zeros((3, 4))])
    return (
        np.append(knots[0] - length, knots),
        np.concatenate([straight[None], pieces]),
        np.vstack([[banks[0, 0], 0.0, 0.0, 0.0], banks]),
        np.vstack([[half[0, 0], 0.0], half]),
    )


class RoadPoint(tuple):
    """Result of the road kernel by name: s, lateral, position, tangent, normal, friction, status."""

    def __new__(cls, *values: float) -> RoadPoint:
        """From the thirteen numbers of the kernel."""
        return super().__new__(cls, values)

    s = property(lambda self: self[0], doc="Parameter along the road [m]; also the next hint.")
    lateral = property(lambda self: self[1], doc="Offset from the reference line [m], left positive.")
    position = property(lambda self: np.array(self[2:5]), doc="Point of the surface under the query [m], world.")
    tangent = property(lambda self: np.array(self[5:8]), doc="Unit vector along the road, world.")
    normal = property(lambda self: np.array(self[8:11]), doc="Upward unit normal, world.")
    ground = property(lambda self: self[11], doc="Friction as the table has it: a share, or minus a coefficient [1].")
    friction = property(lambda self: -self[11] if self[11] < 0.0 else math.nan, doc="Coefficient of a locked tyre [1].")
    grip = property(lambda self: math.nan if self[11] < 0.0 else self[11], doc="Share of the tyres' own friction [1].")
    status = property(lambda self: int(self[12]), doc="Sum of status bits, 0 on the road.")
    left = property(lambda self: np.cross(self.normal, self.tangent), doc="Unit vector to the left, world.")

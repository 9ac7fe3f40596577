r"""A road from an OpenDRIVE file: plan view, elevation and superelevation as one table of pieces.

Format: ASAM OpenDRIVE 1.4 to 1.8 (reader in :mod:`centrode.parts.roads.opendrive_file`).

The plan view is a function of the horizontal length s; each stretch gives position, direction and curvature in closed
form (line, arc), by quadrature of the heading (spiral), or by its polynomial (poly3, paramPoly3). Between stations,
quintic Hermite pieces carry all three; stations are doubled until a piece meets the stretch within 1e-7 m. Elevation
and superelevation are cubics in s and are carried over exactly. The superelevation turns the cross section about the
reference line: positive lowers the right side, as everywhere here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.math.spline import evaluate_piece, hermite_quintic
from centrode.parts.part import quantity
from centrode.parts.roads.contract import Road
from centrode.parts.roads.opendrive_file import Cubic, Geometry, OpenDriveRoad, read_opendrive

_FIT = 1.0e-7  # [m] a piece may miss its stretch by this much
_GAP = 0.1  # [m] neighbouring stretches farther apart than this are a fault
_MOST_PIECES = 50_000
_GAUSS_X, _GAUSS_W = np.polynomial.legendre.leggauss(12)


@dataclass(frozen=True)
class RoadOpenDrive(Road):
    """One road of an OpenDRIVE file."""

    kind: ClassVar[str] = "opendrive"

    file: str = quantity("", "path of the .xodr file", "")
    road_id: str = quantity("", "id of the road; may be left out if there is one", "")
    width: float | None = quantity("m", "full width; from the lanes of the file when left out", None, positive=True)
    closed: bool = quantity("", "the end of the road is its start", False)

    def table(self) -> np.ndarray:
        """Table of the pieces; reads the file."""
        self.checked()
        return self.table_of(read_opendrive(self.file, self.road_id))

    def table_of(self, road: OpenDriveRoad) -> np.ndarray:
        """Table of a road that was read."""
        _check_curvatures(road, self.file)
        _check_joints(road, self.file, self.closed)
        breaks = {g.s for g in road.plan}
        breaks |= {c.s for c in (*road.elevation, *road.superelevation) if road.plan[0].s < c.s < road.length}
        knots: list[float] = []
        pieces: list[np.ndarray] = []
        for start, end in pairwise([*sorted(breaks), road.length]):
            geometry = [g for g in road.plan if g.s <= start][-1]
            _add_pieces(geometry, start, end, knots, pieces, 0)
        count = len(pieces)
        table, bank, half = np.zeros((count, 3, 6)), np.zeros((count, 4)), np.zeros((count, 2))
        for index, (start, piece) in enumerate(zip(knots, pieces, strict=True)):
            table[index, :2] = piece
            table[index, 2, :4] = _shifted(road.elevation, start)
            bank[index] = _shifted(road.superelevation, start)
            lanes = [item[1] for item in road.half_widths if item[0] <= start + 1e-9] or [4.0]
            half[index, 0] = 0.5 * self.width if self.width is not None else lanes[-1]
        return self.curve_table(np.array([*knots, road.length]), table, bank, half, self.closed, twisted=True)


def geometry_state(geometry: Geometry, along: float) -> np.ndarray:
    """Position, first and second derivative by s at a length along a stretch: shape (3, 2), [m], [1], [1/m]."""
    if geometry.shape in ("line", "arc", "spiral"):
        return _clothoid_state(geometry, along)
    if geometry.shape == "poly3":
        local = _poly3_state(geometry.values, along)
    else:
        scale = 1.0 / geometry.length if geometry.normalized else 1.0
        curve = np.array([geometry.values[:4], geometry.values[4:]])
        local = np.stack([evaluate_piece(curve, along * scale, order) * scale**order for order in (0, 1, 2)])
    c, s = math.cos(geometry.heading), math.sin(geometry.heading)
    state = local @ np.array([[c, s], [-s, c]])
    state[0] += geometry.x, geometry.y
    return state


def _clothoid_state(geometry: Geometry, along: float) -> np.ndarray:
    """Line, arc and spiral: the curvature is linear in s, the heading quadratic, the position its integral."""
    first, last = 0.0, 0.0
    if geometry.shape == "arc":
        first = last = geometry.values[0]
    elif geometry.shape == "spiral":
        first, last = geometry.values
    growth = (last - first) / geometry.length
    turn = max(abs(first), abs(first + growth * along)) * along
    panels = 1 + min(1000, int(turn / 0.5))
    h = along / panels
    u = (np.arange(panels)[:, None] + 0.5 * (_GAUSS_X + 1.0)) * h
    heading = geometry.heading + u * (first + 0.5 * growth * u)
    x = geometry.x + 0.5 * h * float((np.cos(heading) @ _GAUSS_W).sum())
    y = geometry.y + 0.5 * h * float((np.sin(heading) @ _GAUSS_W).sum())
    final = geometry.heading + along * (first + 0.5 * growth * along)
    c, s = math.cos(final), math.sin(final)
    curvature = first + growth * along
    return np.array([[x, y], [c, s], [-curvature * s, curvature * c]])


def _poly3_state(values: tuple[float, ...], along: float) -> np.ndarray:
    """v(u) = a + b u + c u^2 + d u^3 at the arc length ``along`` from u = 0, found by Newton's rule."""
    a, b, c, d = values

    def arc(u: float) -> float:
        h = u / 8.0
        nodes = (np.arange(8)[:, None] + 0.5 * (_GAUSS_X + 1.0)) * h
        return 0.5 * h * float((np.sqrt(1.0 + (b + nodes * (2 * c + 3 * d * nodes)) ** 2) @ _GAUSS_W).sum())

    u = along / math.hypot(1.0, b)
    for _ in range(50):
        step = (along - arc(u)) / math.hypot(1.0, b + u * (2 * c + 3 * d * u))
        u += step
        if abs(step) < 1e-13 * (1.0 + abs(u)):
            break
    slope, bend = b + u * (2 * c + 3 * d * u), 2 * c + 6 * d * u
    rate = math.hypot(1.0, slope)
    curvature = bend / rate**3
    tangent = np.array([1.0, slope]) / rate
    position = [u, a + u * (b + u * (c + u * d))]
    return np.array([position, tangent, curvature * np.array([-tangent[1], tangent[0]])])


def _add_pieces(
    geometry: Geometry, start: float, end: float, knots: list[float], pieces: list[np.ndarray], depth: int
) -> None:
    """Hermite pieces from start to end, halved until they fit."""
    h = end - start
    if h <= 1.0e-9:
        return
    if len(pieces) > _MOST_PIECES:
        raise InputError(Fault("the road is too wild to follow", "geometry", line=geometry.line, got=geometry.values))
    first, last = geometry_state(geometry, start - geometry.s), geometry_state(geometry, end - geometry.s)
    piece = hermite_quintic(h, first, last)
    if depth < 14:
        for share in (0.25, 0.5, 0.75):
            exact = geometry_state(geometry, start + share * h - geometry.s)[0]
            if np.max(np.abs(evaluate_piece(piece, share * h) - exact)) > _FIT:
                middle = 0.5 * (start + end)
                _add_pieces(geometry, start, middle, knots, pieces, depth + 1)
                _add_pieces(geometry, middle, end, knots, pieces, depth + 1)
                return
    knots.append(start)
    pieces.append(piece)


def _shifted(profile: tuple[Cubic, ...], s: float) -> np.ndarray:
    """Coefficients at s of the cubic that rules there (zero before the first), rising powers of the distance from s."""
    ruling = [cubic for cubic in profile if cubic.s <= s + 1e-12]
    if not ruling:
        return np.zeros(4)
    a, b, c, d = ruling[-1].coefficients
    u = s - ruling[-1].s
    return np.array([a + u * (b + u * (c + u * d)), b + u * (2 * c + 3 * u * d), c + 3 * u * d, d])


def _check_curvatures(road: OpenDriveRoad, file: str) -> None:
    """No road turns within 0.1 m or a thousand times round; such numbers are typing errors."""
    faults = []
    for geometry in road.plan:
        curvature = max((abs(value) for value in geometry.values), default=0.0)
        if geometry.shape in ("arc", "spiral") and (curvature > 10.0 or curvature * geometry.length > 6000.0):
            faults.append(Fault("curvature out of reason", geometry.shape, file, geometry.line, geometry.values))
        elif curvature > 1.0e9 or max(abs(geometry.x), abs(geometry.y), geometry.length) > 1.0e8:
            faults.append(Fault("number out of reason", "geometry", file, geometry.line, geometry.values))
    if faults:
        raise InputError(faults)


def _check_joints(road: OpenDriveRoad, file: str, closed: bool) -> None:
    faults = []
    pairs = list(pairwise(road.plan))
    if closed:
        pairs.append((road.plan[-1], road.plan[0]))
    for before, after in pairs:
        gap = math.dist(geometry_state(before, before.length)[0], (after.x, after.y))
        if gap > _GAP:
            got, expected = f"a gap of {gap:.3g} m", f"below {_GAP} m"
            faults.append(Fault("the road is broken", "geometry", file, after.line, got, expected))
        step = after.s - before.s - before.length
        if after is not road.plan[0] and abs(step) > _GAP:
            faults.append(Fault("s does not follow from the lengths", "geometry@s", file, after.line, after.s))
    if faults:
        raise InputError(faults)

r"""The surface of a road with its first and second derivatives, for whatever must stay in touch with it.

    S(s, n) = r(s) + n L(s)                                                                                  (1)

with the reference line r, the left axis L and the bank b of :mod:`centrode.parts.roads.contract`. The triad T, L, N of
the cross section turns, per unit of the parameter s, with the vector p T + q L + w N (heading psi, slope theta):

    p = b' + sin(theta) psi',   q = cos(theta) sin(b) psi' - cos(b) theta',   w = cos(theta) cos(b) psi' + sin(b) theta'
    L'  = -w T + p N                                                                                         (2)
    L'' = (p q - w') T - (p^2 + w^2) L + (p' + q w) N                                                        (3)

so that S_s = r' + n L', S_n = L, S_ss = r'' + n L'', S_sn = L', S_nn = 0. With t = |(x', y')| and e = |r'|^2,

    psi' = (x' y'' - y' x'') / t^2,          psi'' = (x' y''' - y' x''') / t^2 - 2 psi' (x' x'' + y' y'') / t^2
    theta' = (z'' t - z' t') / e,            theta'' = (z''' t - z' t'') / e - theta' e' / e                 (4)

Behind an open end the plane of the last cross section goes on, S = r_e + (s - s_e) r'_e + n L_e. A plane road has
S = o + s T + n L. (2) is what :mod:`centrode.parts.roads.road_point` uses for the normal of a twisted road; the
surface of the four-point road is (1) here as well, with its true normal.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from centrode.errors import InputError
from centrode.jit import step_kernel, types
from centrode.math.vector import ZERO, plus_times, times, vector
from centrode.parts.roads.road_point import line_at, piece_of
from centrode.parts.roads.steps import step_count
from centrode.parts.roads.terrain import TERRAIN


@step_kernel
def place_on_road(table, s):
    """Row, parameter within the piece, and parameter beyond an open end (zero on the road) of any s."""
    length = table[0, 3]
    start = table[1, 0]
    if table[0, 2] != 0.0:
        s -= length * math.floor((s - start) / length)
    row = piece_of(table, s)
    u = s - table[row, 0]
    beyond = 0.0
    if u < 0.0:
        beyond = u
    elif u > table[row, 1]:
        beyond = u - table[row, 1]
    return row, u - beyond, beyond


@step_kernel(signature=types.UniTuple(types.float64, 15)(types.floats2, types.float64, types.float64))
def surface_jet(table, s, n):
    """Surface point and derivatives (1) to (4).

    Args:
        table: road table.
        s, n: parameter along the road and offset to the left [m]; any numbers.

    Returns:
        S, S_s, S_n, S_ss, S_sn: fifteen numbers, in the axes of the road [m, 1, 1, 1/m, 1/m].
    """
    if table[0, 0] == 0.0:
        along, left = vector(table[0], 11), vector(table[0], 14)
        return (*plus_times(plus_times(vector(table[0], 8), s, along), n, left), *along, *left, *ZERO, *ZERO)
    row, u, beyond = place_on_road(table, s)
    piece = table[row]
    r, r1, r2, r3 = line_at(table, row, u)
    x1, y1, z1 = r1
    flat = max(x1 * x1 + y1 * y1, 1.0e-300)
    t = math.sqrt(flat)
    e = flat + z1 * z1
    rate = math.sqrt(e)
    cos_slope, sin_slope = t / rate, z1 / rate
    bank = piece[20] + u * (piece[21] + u * (piece[22] + u * piece[23]))
    cb, sb = math.cos(bank), math.sin(bank)
    level_left = (-y1 / t, x1 / t, 0.0)
    rise = (-sin_slope * x1 / t, -sin_slope * y1 / t, cos_slope)
    left = plus_times(times(cb, level_left), sb, rise)  # L
    if beyond != 0.0:
        return (*plus_times(plus_times(r, beyond, r1), n, left), *r1, *left, *ZERO, *ZERO)
    tangent = (x1 / rate, y1 / rate, sin_slope)  # T
    normal = plus_times(times(cb, rise), -sb, level_left)  # N
    along = x1 * r2[0] + y1 * r2[1]
    t1 = along / t
    t2 = (r2[0] * r2[0] + r2[1] * r2[1] + x1 * r3[0] + y1 * r3[1] - t1 * t1) / t
    turn1 = (x1 * r2[1] - y1 * r2[0]) / flat
    turn2 = (x1 * r3[1] - y1 * r3[0]) / flat - 2.0 * turn1 * along / flat
    slope1 = (r2[2] * t - z1 * t1) / e
    slope2 = (r3[2] * t - z1 * t2) / e - 2.0 * slope1 * (along + z1 * r2[2]) / e  # (4)
    bank1 = piece[21] + u * (2.0 * piece[22] + u * 3.0 * piece[23])
    bank2 = 2.0 * piece[22] + u * 6.0 * piece[23]
    p = bank1 + sin_slope * turn1
    q = cos_slope * sb * turn1 - cb * slope1
    w = cos_slope * cb * turn1 + sb * slope1
    p1 = bank2 + cos_slope * slope1 * turn1 + sin_slope * turn2
    w1 = (
        cb * (cos_slope * turn2 - sin_slope * slope1 * turn1)
        - cos_slope * turn1 * sb * bank1
        + sb * slope2
        + slope1 * cb * bank1
    )
    left1 = plus_times(times(p, normal), -w, tangent)  # (2)
    left2 = plus_times(plus_times(times(p * q - w1, tangent), -(p * p + w * w), left), p1 + q * w, normal)  # (3)
    return (*plus_times(r, n, left), *plus_times(r1, n, left1), *left, *plus_times(r2, n, left2), *left1)


@step_kernel(signature=types.UniTuple(types.float64, 2)(types.floats2, types.float64))
def width_at(table, s):
    """Half width [m] at s, and how far s is within open ends (positive inside; 1e30 where there are none)."""
    if table[0, 0] == 0.0:
        return table[0, 7], 1.0e30
    row, u, _ = place_on_road(table, s)
    half = table[row, 24] + u * table[row, 25]
    if table[0, 2] != 0.0:
        return half, 1.0e30
    return half, min(s - table[1, 0], table[1, 0] + table[0, 3] - s)


class SurfacePoint(tuple):
    """Result of :func:`surface_jet` by name, vectors of shape (3,)."""

    position = property(lambda self: np.array(self[0:3]), doc="S [m].")
    along = property(lambda self: np.array(self[3:6]), doc="S_s.")
    left = property(lambda self: np.array(self[6:9]), doc="S_n, a unit vector.")

    @property
    def normal(self) -> np.ndarray:
        """Unit normal, upward."""
        n = np.cross(self.along, self.left)
        return np.asarray(n / np.linalg.norm(n))

    @property
    def axes(self) -> np.ndarray:
        """Forward along s, left in the surface, normal: columns, shape (3, 3)."""
        forward = self.along / np.linalg.norm(self.along)
        return np.column_stack([forward, np.cross(self.normal, forward), self.normal])

    @property
    def curvature(self) -> float:
        """Curvature of the line n = constant within the surface [1/m], left positive."""
        speed = float(np.linalg.norm(self.along))
        return float(np.cross(self.normal, self.along) @ np.array(self[9:12])) / speed**3


def surface_point(road: Any, s: float, n: float = 0.0) -> SurfacePoint:
    """Point of a road's surface at (s, n), with derivatives."""
    return SurfacePoint(surface_jet(road.shared_table(), float(s), float(n)))


def crease_of(road: Any) -> tuple[float, float]:
    """:func:`sharpest_crease` of a road, computed once for all who ask."""
    kept = road.__dict__  # a value computed from the fields: still the same part
    if "_crease" not in kept:
        table = road.shared_table()
        if table[0, 0] == TERRAIN or step_count(table) > 0:
            what = "wheels that roll without slip need a road of one surface"
            raise InputError(what, path=road.name, expected="a road without kerbs and edges, and no terrain")
        kept["_crease"] = sharpest_crease(road.shared_table())
    found: tuple[float, float] = kept["_crease"]
    return found


def sharpest_crease(table: np.ndarray) -> tuple[float, float]:
    """Largest jump of the normal [rad] where two pieces of a road meet, within its width, and the s where it is [m]."""
    worst, where = 0.0, math.nan
    if table[0, 0] == 0.0:
        return worst, where
    count, closed = int(table[0, 1]), table[0, 2] != 0.0
    single = table[:2].copy()
    single[0, 1], single[0, 2], single[0, 5] = 1.0, 0.0, 0.0

    def normal_at(row: int, end: bool, n: float) -> np.ndarray:
        single[1] = table[row]
        single[0, 3] = table[row, 1]
        return SurfacePoint(surface_jet(single, float(table[row, 0] + end * table[row, 1]), n)).normal

    for row in range(1, count + 1 if closed else count):
        following = row + 1 if row < count else 1
        half = min(float(table[following, 24]), 1e3)
        for n in (-half, 0.0, half):
            jump = normal_at(row, True, n) - normal_at(following, False, n)
            size = float(np.linalg.norm(jump))
            if size > worst:
                worst, where = size, float(table[row, 0] + table[row, 1])
    return worst, where

"""Where a wheel touches a road: the contact of a disc or torus with a curved surface, by Newton's method.

The wheel has the axle e, the centre c, a centre circle of radius R = r - q and a round tyre of section radius q (0 is a
sharp rim). The road is a surface S(s, n) of :mod:`centrode.parts.roads.road_surface`.

| symbol | meaning |
|---|---|
| S_s, S_n, S_ss, S_sn | derivatives of the surface; g_ij = S_i . S_j, b_ij = N . S_ij (b_nn = 0) |
| N | normal, S_s x S_n / abs(S_s x S_n) |
| k, o | N . e, and abs(e x N): sine and cosine of the lean against the road |
| f, m | forward e x N / o, and away from the road (N - k e) / o |
| x, y | lowest point of the centre circle, c - R m; and x - S |

The point of the centre circle next to the road has its circle's tangent across N, which gives m; it lies above its
foot, which gives two equations for (s, n):

    y . S_s = 0,   y . S_n = 0                                                                              (1)
    phi = y . N - q                  distance of the tyre from the road                                     (2)

Newton's method on (1) needs how N and m move. With Weingarten's equations f . N_j = -b_jk g^ki (f . S_i), and because
m is the direction of N less its part along e,

    m' = -(m . e') e + f (f . N' - k f . e') / o                                                            (3)
    H_ij = g_ij - y . S_ij + (R / o) (f . S_i) (f . N_j),     H d(s, n) = (y . S_s, y . S_n)                (4)

det H / det g is one on a plane and falls to zero where the road bends up as tightly as the wheel does: there the wheel
touches at two places. The equations are solved from the last contact, then once more from the nearest point of a fixed
grid, so that the digits of the answer do not depend on where the search began.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from centrode.jit import step_kernel, types
from centrode.math.vector import cross, dot, minus, norm, plus_times, times
from centrode.parts.roads.road_point import road_point
from centrode.parts.roads.road_surface import surface_jet

NEVER_FLAT = 1e-6
LEAST_ROOM = 0.02
"""det H / det g at which the road counts as bent as tightly as the wheel."""
GRID, FINE_GRID = 4096.0, 4194304.0
LONGEST_STEP, CLOSE, SETTLED, MOST_STEPS, LAST_STEPS = 0.5, 1e-7, 1e-3, 64, 3
"""[m] and numbers of Newton steps; three from within a grid cell (1e-4 m) reach 1e-4, 1e-8, 1e-16. On a small crease of
the road (below 1e-3 rad) the steps go to and fro by that angle times the radius: that is settled too."""


class Contact(NamedTuple):
    """The equations at a guess of the contact; vectors in the axes of the road."""

    residual: tuple
    """y . S_s, y . S_n of (1)."""
    matrix: tuple
    """H of (4), two rows."""
    metric: tuple
    """g_11, g_12, g_22."""
    det: float
    """det g."""
    upright: float
    """o."""
    sine: float
    """k."""
    normal: tuple
    forward: tuple
    away: tuple
    """N, f, m."""
    place: tuple
    along: tuple
    across: tuple
    bend: tuple
    twist: tuple
    """S, S_s, S_n, S_ss, S_sn."""


_PAIR = types.UniTuple(types.float64, 2)
_PLANE_MATRIX = types.UniTuple(_PAIR, 2)
CONTACT = types.NamedTuple((_PAIR, _PLANE_MATRIX, types.vector, *(types.float64,) * 3, *(types.vector,) * 8), Contact)


@step_kernel(signature=CONTACT(types.floats2, types.float64, types.float64, types.vector, types.vector, types.float64))
def contact_equations(table, s, n, c, e, circle):
    """:class:`Contact` of a wheel with centre c and axle e at a guess (s, n)."""
    jet = surface_jet(table, s, n)
    place, along, across, bend, twist = jet[0:3], jet[3:6], jet[6:9], jet[9:12], jet[12:15]
    normal = cross(along, across)
    g11, g12, g22 = dot(along, along), dot(along, across), dot(across, across)
    det = max(g11 * g22 - g12 * g12, 1e-300)
    normal = times(1.0 / math.sqrt(dot(normal, normal) + 1e-300), normal)
    f = cross(e, normal)
    o = norm(f)
    inverse = 1.0 / max(o, NEVER_FLAT)
    f = times(inverse, f)
    k = dot(normal, e)
    m = times(inverse, plus_times(normal, -k, e))
    y = minus(plus_times(c, -circle, m), place)
    f1, f2 = dot(f, along), dot(f, across)
    up1, up2 = (g22 * f1 - g12 * f2) / det, (g11 * f2 - g12 * f1) / det
    turn1 = -(dot(normal, bend) * up1 + dot(normal, twist) * up2)  # f . N_s, f . N_n
    turn2 = -dot(normal, twist) * up1
    ratio = circle * inverse
    mixed = g12 - dot(y, twist)
    matrix = (
        (g11 - dot(y, bend) + ratio * f1 * turn1, mixed + ratio * f1 * turn2),
        (mixed + ratio * f2 * turn1, g22 + ratio * f2 * turn2),
    )
    residual = (dot(y, along), dot(y, across))
    return Contact(residual, matrix, (g11, g12, g22), det, o, k, normal, f, m, place, along, across, bend, twist)


@step_kernel(signature=types.float64(_PLANE_MATRIX))
def determinant(h):
    """Of a matrix of two rows."""
    return h[0][0] * h[1][1] - h[0][1] * h[1][0]


@step_kernel
def solved(h, det, r):
    """x of H x = r, two unknowns, det = det H."""
    return (h[1][1] * r[0] - h[0][1] * r[1]) / det, (h[0][0] * r[1] - h[1][0] * r[0]) / det


@step_kernel
def contact_step(table, s, n, c, e, circle, longest):
    """One Newton step (4), no longer than ``longest`` [m]; (s, n, length of the step [m], det H / det g)."""
    found = contact_equations(table, s, n, c, e, circle)
    rate = norm(found.along)
    h = found.matrix
    det = determinant(h)
    room = det / found.det
    if room < 1e-3:
        # No descent there (bent too tightly, or a far guess): go to the foot of the point as on a plane.
        det = rate * rate
        h = ((det, 0.0), (0.0, 1.0))
    ds, dn = solved(h, det, found.residual)
    length = max(abs(ds) * rate, abs(dn))
    if length > longest:
        ds *= longest / length
        dn *= longest / length
    return s + ds, n + dn, length, room


@step_kernel
def settle_contact(table, s, n, c, e, circle):
    """The last steps, from the nearest point of the grid; (s, n, length of the last step [m])."""
    length = 0.0
    if table[0, 0] != 0.0:
        if table[0, 2] != 0.0:
            s -= table[0, 3] * math.floor((s - table[1, 0]) / table[0, 3])
        # The parameter of the four-point road runs from 0 to 1, that of all others in metres.
        grid = GRID if table[0, 6] != 0.0 else FINE_GRID
        s = math.floor(s * grid + 0.5) / grid
        n = math.floor(n * GRID + 0.5) / GRID
        for _ in range(LAST_STEPS):
            s, n, length, _ = contact_step(table, s, n, c, e, circle, LONGEST_STEP)
    return s, n, length


@step_kernel
def follow_contact(table, s, n, c, e, circle, longest, least_room):
    """Contact (s, n) from a guess in steps no longer than ``longest`` [m], and whether it was lost.

    No step may lead through a place with less than ``least_room``: with steps shorter than the wheel a contact never
    jumps to another one unnoticed.
    """
    length = LONGEST_STEP
    for _ in range(MOST_STEPS):
        s, n, length, room = contact_step(table, s, n, c, e, circle, longest)
        if not room > least_room:
            return s, n, True
        if not length > CLOSE:
            break
    if length < SETTLED:
        s, n, length = settle_contact(table, s, n, c, e, circle)
    return s, n, not length < SETTLED


@step_kernel(
    signature=types.Tuple((types.float64, types.float64, types.boolean))(
        types.floats2, types.float64, types.vector, types.vector, types.float64
    )
)
def search_contact(table, hint, c, e, circle):
    """Contact (s, n) of a wheel near a hint of s (not a number: on the whole road), and whether none was found."""
    foot = road_point(table, hint, c[0], c[1], c[2])
    return follow_contact(table, foot[0], foot[1], c, e, circle, LONGEST_STEP, -math.inf)


@dataclass(frozen=True)
class Touch:
    """Where a wheel is next to a road.

    Attributes:
        s, lateral: of the contact [m]. gap: distance of the tyre [m]. lean: against the road [rad].
        upright: cosine of the lean. room: det H / det g. contact: point of the tyre [m], axes of the road.
        found: the search has ended.
    """

    s: float
    lateral: float
    gap: float
    lean: float
    upright: float
    room: float
    contact: np.ndarray
    found: bool


def touch_road(
    table: np.ndarray, centre: Any, axle: Any, radius: float, tyre: float, station: float | None = None
) -> Touch:
    """Contact of a wheel with a road, everything in the axes of the road.

    Args:
        table: road table.
        centre: of the wheel [m]. axle: unit vector.
        radius, tyre: of the wheel and of the tyre's section [m].
        station: s to begin the search at [m]; the whole road is searched when left out.
    """
    c = (float(centre[0]), float(centre[1]), float(centre[2]))
    e = (float(axle[0]), float(axle[1]), float(axle[2]))
    circle = radius - tyre
    s, lateral, lost = search_contact(table, math.nan if station is None else float(station), c, e, circle)
    found = contact_equations(table, s, lateral, c, e, circle)
    normal = np.array(found.normal)
    return Touch(
        float(s),
        float(lateral),
        float((np.array(c) - found.place) @ normal) - circle * found.upright - tyre,
        math.atan2(found.sine, found.upright),
        float(found.upright),
        float(determinant(found.matrix) / found.det),
        np.array(c) - circle * np.array(found.away) - tyre * normal,
        not lost,
    )

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
from typing import Any

import numpy as np

from centrode.jit import step_kernel
from centrode.math.rotation import cross
from centrode.parts.roads.road_point import road_point
from centrode.parts.roads.road_surface import surface_jet

NEVER_FLAT = 1e-6
LEAST_ROOM = 0.02
"""det H / det g at which the road counts as bent as tightly as the wheel."""
GRID, FINE_GRID = 4096.0, 4194304.0
LONGEST_STEP, CLOSE, SETTLED, MOST_STEPS, LAST_STEPS = 0.5, 1e-7, 1e-3, 64, 3
"""[m] and numbers of Newton steps; three from within a grid cell (1e-4 m) reach 1e-4, 1e-8, 1e-16. On a small crease of
the road (below 1e-3 rad) the steps go to and fro by that angle times the radius: that is settled too."""


@step_kernel
def contact_equations(table, s, n, cx, cy, cz, ex, ey, ez, circle):
    """Equations (1) and (4) at a guess of the contact.

    Returns:
        Residuals (2), H (4), det g, f . N_s, f . N_n, cos and sin of the lean, N, f, m, the fifteen numbers of the
        surface, in this order.
    """
    jet = surface_jet(table, s, n)
    px, py, pz, ax, ay, az, bx, by, bz, sx, sy, sz, tx, ty, tz = jet
    nx, ny, nz = cross(ax, ay, az, bx, by, bz)
    g11 = ax * ax + ay * ay + az * az
    g12 = ax * bx + ay * by + az * bz
    g22 = bx * bx + by * by + bz * bz
    det = max(g11 * g22 - g12 * g12, 1e-300)
    size = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz + 1e-300)
    nx *= size
    ny *= size
    nz *= size
    fx, fy, fz = cross(ex, ey, ez, nx, ny, nz)
    o = math.sqrt(fx * fx + fy * fy + fz * fz)
    inverse = 1.0 / max(o, NEVER_FLAT)
    fx *= inverse
    fy *= inverse
    fz *= inverse
    k = nx * ex + ny * ey + nz * ez
    mx = (nx - k * ex) * inverse
    my = (ny - k * ey) * inverse
    mz = (nz - k * ez) * inverse
    yx, yy, yz = cx - circle * mx - px, cy - circle * my - py, cz - circle * mz - pz
    b11 = nx * sx + ny * sy + nz * sz
    b12 = nx * tx + ny * ty + nz * tz
    f1 = fx * ax + fy * ay + fz * az
    f2 = fx * bx + fy * by + fz * bz
    up1 = (g22 * f1 - g12 * f2) / det
    up2 = (g11 * f2 - g12 * f1) / det
    turn1 = -(b11 * up1 + b12 * up2)
    turn2 = -b12 * up1
    ratio = circle * inverse
    cross_term = g12 - (yx * tx + yy * ty + yz * tz)
    return (
        yx * ax + yy * ay + yz * az,
        yx * bx + yy * by + yz * bz,
        g11 - (yx * sx + yy * sy + yz * sz) + ratio * f1 * turn1,
        cross_term + ratio * f1 * turn2,
        cross_term + ratio * f2 * turn1,
        g22 + ratio * f2 * turn2,
        det,
        turn1,
        turn2,
        o,
        k,
        nx,
        ny,
        nz,
        fx,
        fy,
        fz,
        mx,
        my,
        mz,
        px,
        py,
        pz,
        ax,
        ay,
        az,
        bx,
        by,
        bz,
        sx,
        sy,
        sz,
        tx,
        ty,
        tz,
    )


@step_kernel
def contact_step(table, s, n, cx, cy, cz, ex, ey, ez, circle, longest):
    """One Newton step (4), no longer than ``longest`` [m]; (s, n, length of the step [m], det H / det g)."""
    found = contact_equations(table, s, n, cx, cy, cz, ex, ey, ez, circle)
    r1, r2, h11, h12, h21, h22 = found[0], found[1], found[2], found[3], found[4], found[5]
    rate = math.sqrt(found[23] * found[23] + found[24] * found[24] + found[25] * found[25])
    det = h11 * h22 - h12 * h21
    room = det / found[6]
    if room < 1e-3:
        # No descent there (bent too tightly, or a far guess): go to the foot of the point as on a plane.
        h11, h12, h21, h22 = rate * rate, 0.0, 0.0, 1.0
        det = h11
    ds = (h22 * r1 - h12 * r2) / det
    dn = (h11 * r2 - h21 * r1) / det
    length = max(abs(ds) * rate, abs(dn))
    if length > longest:
        ds *= longest / length
        dn *= longest / length
    return s + ds, n + dn, length, room


@step_kernel
def settle_contact(table, s, n, cx, cy, cz, ex, ey, ez, circle):
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
            s, n, length, _ = contact_step(table, s, n, cx, cy, cz, ex, ey, ez, circle, LONGEST_STEP)
    return s, n, length


@step_kernel
def follow_contact(table, s, n, cx, cy, cz, ex, ey, ez, circle, radius):
    """Contact (s, n) of a wheel from where it was, and whether it was lost.

    Steps are shorter than the wheel, and none may lead through a place bent as tightly as the wheel: a contact never
    jumps to another one unnoticed.
    """
    length = LONGEST_STEP
    for _ in range(MOST_STEPS):
        s, n, length, room = contact_step(table, s, n, cx, cy, cz, ex, ey, ez, circle, 0.5 * radius)
        if not room > LEAST_ROOM:
            return s, n, True
        if not length > CLOSE:
            break
    if length < SETTLED:
        s, n, length = settle_contact(table, s, n, cx, cy, cz, ex, ey, ez, circle)
    return s, n, not length < SETTLED


@step_kernel
def search_contact(table, hint, cx, cy, cz, ex, ey, ez, circle):
    """Contact (s, n) of a wheel near a hint of s (not a number: on the whole road), and whether none was found."""
    foot = road_point(table, hint, cx, cy, cz)
    s, n = foot[0], foot[1]
    length = LONGEST_STEP
    for _ in range(MOST_STEPS):
        s, n, length, _ = contact_step(table, s, n, cx, cy, cz, ex, ey, ez, circle, LONGEST_STEP)
        if not length > CLOSE:
            break
    if length < SETTLED:
        s, n, length = settle_contact(table, s, n, cx, cy, cz, ex, ey, ez, circle)
    return s, n, not length < SETTLED


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
    c = [float(x) for x in centre]
    e = [float(x) for x in axle]
    hint = math.nan if station is None else float(station)
    s, lateral, lost = search_contact(table, hint, *c, *e, radius - tyre)
    found = contact_equations(table, s, lateral, *c, *e, radius - tyre)
    normal, away, place = (np.array(found[k : k + 3]) for k in (11, 17, 20))
    upright, sine = float(found[9]), float(found[10])
    gap = float((np.array(c) - place) @ normal) - (radius - tyre) * upright - tyre
    return Touch(
        float(s),
        float(lateral),
        gap,
        math.atan2(sine, upright),
        upright,
        float((found[2] * found[5] - found[3] * found[4]) / found[6]),
        np.array(c) - (radius - tyre) * away - tyre * normal,
        not lost,
    )

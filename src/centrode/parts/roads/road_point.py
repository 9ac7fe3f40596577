r"""Where a point stands over a road: foot on the reference line, surface point, tangent, normal, friction.

Method: the foot of the perpendicular on the reference line is the minimum of |q - r(s)|. With f = (r - q).r' a Newton
step is -f / (r'.r' + (r - q).r''); where that is not a descent, -f / r'.r' is. Steps are halved until the distance
falls, and cross from piece to piece, so the walk from the last foot (the hint) ends at the nearest minimum in two or
three evaluations. A point that is beside the road, or that comes without a hint, is searched on the whole road:
pieces whose bounding ball is farther than the best foot are skipped; of the others every eighth that can hold a
nearer point is walked. So no vehicle is ever lost.

Surface normal (``twisted``): with heading psi, slope theta (T_z = sin theta), bank b, all differentiated by the
parameter, and the axes of :mod:`centrode.parts.roads.contract`,

    dL/ds . T = -cos b cos theta psi' - sin b theta'  =: A,      dL/ds . N = b' + sin theta psi'  =: B
    tangent ~ (|r'| + n A) T + n B N,                            normal ~ (|r'| + n A) N - n B T

Inside the centre of curvature (|r'| + n A <= 0) there is no surface; a tenth of |r'| is kept there.

Open ends: behind the end the plane of the last cross section goes on along its tangent.
"""

from __future__ import annotations

import math

from centrode.jit import kernel
from centrode.math.spline import quintic
from centrode.parts.roads.contract import ROAD_SIGNATURE

_STEPS = 60
_SAMPLES = 8
_NEAR = 1.0e-3  # [m] Newton steps shorter than this are taken unchecked
_CLOSE = 1.0e-12  # [m] a step shorter than this ends the walk
_QUADRATIC = 1.0e-7  # [m] after a Newton step shorter than this the next one would be below round-off


@kernel
def distance_square(table, row, u, x, y, z):
    """Squared distance [m^2] of a point from the reference line at u of a piece."""
    px, _, _ = quintic(table, row, 2, u)
    py, _, _ = quintic(table, row, 8, u)
    pz, _, _ = quintic(table, row, 14, u)
    return (px - x) * (px - x) + (py - y) * (py - y) + (pz - z) * (pz - z)


@kernel
def piece_of(table, s):
    """Row of the piece that holds the parameter s (clipped to the road)."""
    low, high = 1, int(table[0, 1])
    while low < high:
        middle = (low + high + 1) // 2
        if table[middle, 0] <= s:
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def walk_to_foot(table, row, u, x, y, z):
    """Nearest local minimum of the distance, walked to from a start; (row, u)."""
    count = int(table[0, 1])
    closed = table[0, 2] != 0.0
    came_from = 0  # +1: just entered from the piece before, -1: from the one behind
    for _ in range(_STEPS):
        px, dx, ax = quintic(table, row, 2, u)
        py, dy, ay = quintic(table, row, 8, u)
        pz, dz, az = quintic(table, row, 14, u)
        ex, ey, ez = px - x, py - y, pz - z
        slope = ex * dx + ey * dy + ez * dz
        square = dx * dx + dy * dy + dz * dz
        if square <= 0.0:
            break
        bend = square + ex * ax + ey * ay + ez * az
        step = -slope / bend if bend > 0.1 * square else -slope / square
        h = table[row, 1]
        if u <= 0.0 and step < 0.0:
            if came_from > 0 or not (closed or row > 1):
                break
            row = row - 1 if row > 1 else count
            u = table[row, 1]
            came_from = -1
            continue
        if u >= h and step > 0.0:
            if came_from < 0 or not (closed or row < count):
                break
            row = row + 1 if row < count else 1
            u = 0.0
            came_from = 1
            continue
        step = min(0.5 * h, max(-0.5 * h, step))
        target = min(h, max(0.0, u + step))
        rate = math.sqrt(square)
        # Close to the foot the distance is flat to round-off and says nothing; Newton alone is safe there.
        if abs(target - u) * rate > _NEAR or bend <= 0.1 * square:
            before = ex * ex + ey * ey + ez * ez
            for _ in range(30):
                if distance_square(table, row, target, x, y, z) <= before:
                    break
                target = 0.5 * (u + target)
        moved = abs(target - u) * rate
        u = target
        if u > 0.0 and u < h:
            came_from = 0
        if moved < _CLOSE or (moved < _QUADRATIC and bend > 0.1 * square):
            break
    return row, u


@kernel
def search_foot(table, x, y, z):
    """Nearest foot on the whole road; (row, u)."""
    count = int(table[0, 1])
    best_row, best_u = 1, 0.0
    best = distance_square(table, 1, 0.0, x, y, z)
    for row in range(1, count + 1):
        middle = 0.5 * table[row, 1]
        square = distance_square(table, row, middle, x, y, z)
        if square < best:
            best, best_row, best_u = square, row, middle
    best_row, best_u = walk_to_foot(table, best_row, best_u, x, y, z)
    best = distance_square(table, best_row, best_u, x, y, z)
    for row in range(1, count + 1):
        cx, cy, cz = table[row, 26] - x, table[row, 27] - y, table[row, 28] - z
        gap = math.sqrt(cx * cx + cy * cy + cz * cz) - table[row, 29]
        if gap > 0.0 and gap * gap >= best:
            continue
        part = table[row, 1] / _SAMPLES
        here = math.sqrt(distance_square(table, row, 0.0, x, y, z))
        for sample in range(_SAMPLES):
            there = math.sqrt(distance_square(table, row, part * (sample + 1), x, y, z))
            # No point of this stretch is nearer than half of (both end distances - its length).
            nearest = 0.5 * (here + there - part * table[row, 30])
            here = there
            if nearest > 0.0 and nearest * nearest >= best:
                continue
            found_row, found_u = walk_to_foot(table, row, part * (sample + 0.5), x, y, z)
            square = distance_square(table, found_row, found_u, x, y, z)
            if square < best:
                best, best_row, best_u = square, found_row, found_u
    return best_row, best_u


@kernel
def friction_at(table, s, lateral):
    """Friction [1]; of overlapping patches the last one counts."""
    first = 1 + int(table[0, 1])
    for row in range(first + int(table[0, 5]) - 1, first - 1, -1):
        if table[row, 0] <= s <= table[row, 1] and table[row, 2] <= lateral <= table[row, 3]:
            return table[row, 4]
    return table[0, 4]


@kernel
def plane_point(table, x, y, z):
    """The thirteen results for a plane road."""
    ex, ey, ez = x - table[0, 8], y - table[0, 9], z - table[0, 10]
    tx, ty, tz = table[0, 11], table[0, 12], table[0, 13]
    nx, ny, nz = table[0, 17], table[0, 18], table[0, 19]
    s = ex * tx + ey * ty + ez * tz
    lateral = ex * table[0, 14] + ey * table[0, 15] + ez * table[0, 16]
    height = ex * nx + ey * ny + ez * nz
    status = 1.0 if abs(lateral) > table[0, 7] else 0.0
    friction = friction_at(table, s, lateral)
    return (
        s,
        lateral,
        x - height * nx,
        y - height * ny,
        z - height * nz,
        tx,
        ty,
        tz,
        nx,
        ny,
        nz,
        friction,
        status,
    )


@kernel
def surface_at(table, row, u, x, y, z):
    """The thirteen results at a known foot."""
    px, dx, ax = quintic(table, row, 2, u)
    py, dy, ay = quintic(table, row, 8, u)
    pz, dz, az = quintic(table, row, 14, u)
    rate = math.sqrt(dx * dx + dy * dy + dz * dz)
    rate = rate if rate > 0.0 else 1.0e-300
    tx, ty, tz = dx / rate, dy / rate, dz / rate
    along = tx * ax + ty * ay + tz * az
    turn_x, turn_y, turn_z = (ax - along * tx) / rate, (ay - along * ty) / rate, (az - along * tz) / rate
    level = math.sqrt(tx * tx + ty * ty)  # cos theta
    if level > 1.0e-9:
        hx, hy = tx / level, ty / level
        heading_rate = (tx * turn_y - ty * turn_x) / (level * level)
        slope_rate = turn_z / level
    else:
        hx, hy, heading_rate, slope_rate = 1.0, 0.0, 0.0, 0.0
    bank = table[row, 20] + u * (table[row, 21] + u * (table[row, 22] + u * table[row, 23]))
    bank_rate = table[row, 21] + u * (2.0 * table[row, 22] + u * 3.0 * table[row, 23])
    cb, sb = 1.0, 0.0
    if bank != 0.0:
        cb, sb = math.cos(bank), math.sin(bank)
    # L0 = (-hy, hx, 0), N0 = -sin(theta) H + cos(theta) z
    n0x, n0y, n0z = -tz * hx, -tz * hy, level
    lx, ly, lz = -cb * hy + sb * n0x, cb * hx + sb * n0y, sb * n0z
    nx, ny, nz = cb * n0x + sb * hy, cb * n0y - sb * hx, cb * n0z
    ex, ey, ez = x - px, y - py, z - pz
    lateral = ex * lx + ey * ly + ez * lz
    s = table[row, 0] + u
    half_width = table[row, 24] + u * table[row, 25]
    status = 1.0 if abs(lateral) > half_width else 0.0
    ahead = ex * tx + ey * ty + ez * tz
    past = 0.0
    if table[0, 2] == 0.0:
        if row == 1 and u <= 0.0 and ahead < -1.0e-9:
            status += 2.0
            past = ahead
        elif row == int(table[0, 1]) and u >= table[row, 1] and ahead > 1.0e-9:
            status += 4.0
            past = ahead
    if past != 0.0:
        s += past if table[0, 6] != 0.0 else past / rate  # metres, but the parameter of the four-point road
    if table[0, 6] != 0.0 and past == 0.0:
        stretch = max(rate + lateral * (-cb * level * heading_rate - sb * slope_rate), 0.1 * rate)
        twist = lateral * (bank_rate + tz * heading_rate)
        length = math.sqrt(stretch * stretch + twist * twist)
        c, d = stretch / length, twist / length
        sx, sy, sz = c * tx + d * nx, c * ty + d * ny, c * tz + d * nz
        nx, ny, nz = c * nx - d * tx, c * ny - d * ty, c * nz - d * tz
    else:
        sx, sy, sz = tx, ty, tz
    return (
        s,
        lateral,
        px + lateral * lx + past * tx,
        py + lateral * ly + past * ty,
        pz + lateral * lz + past * tz,
        sx,
        sy,
        sz,
        nx,
        ny,
        nz,
        friction_at(table, s, lateral),
        status,
    )


@kernel(signature=ROAD_SIGNATURE)
def road_point(table, hint, x, y, z):
    """Where a point of the world stands over a road.

    Args:
        table: road table, see :mod:`centrode.parts.roads.contract`.
        hint: s of the last answer for this vehicle; not a number when there is none.
        x, y, z: the point [m], world frame.

    Returns:
        (s, lateral offset left positive [m], surface point (3) [m], tangent (3), normal (3), friction [1], status).
    """
    if table[0, 0] == 0.0:
        return plane_point(table, x, y, z)
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        return surface_at(table, 1, 0.0, x, y, z)
    if math.isfinite(hint):
        length = table[0, 3]
        start = hint
        if table[0, 2] != 0.0:
            start = hint - length * math.floor((hint - table[1, 0]) / length)
        row = piece_of(table, start)
        u = min(table[row, 1], max(0.0, start - table[row, 0]))
        row, u = walk_to_foot(table, row, u, x, y, z)
        square = distance_square(table, row, u, x, y, z)
        reach = table[row, 24] + u * table[row, 25] + 1.0
        if square > reach * reach:
            other_row, other_u = search_foot(table, x, y, z)
            # Of two feet equally far the one walked to stays: a vehicle off the road must not jump to and fro.
            if distance_square(table, other_row, other_u, x, y, z) < 0.99 * square:
                row, u = other_row, other_u
    else:
        row, u = search_foot(table, x, y, z)
    return surface_at(table, row, u, x, y, z)

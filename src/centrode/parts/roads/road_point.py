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
from centrode.math.vector import dot, minus, norm, plus_times, times, vector
from centrode.parts.roads.contract import BEFORE_START, BEHIND_END, BESIDE, ROAD_SIGNATURE
from centrode.parts.roads.steps import raised, step_height
from centrode.parts.roads.terrain import terrain_point

_STEPS = 60
_SAMPLES = 8
_NEAR = 1.0e-3  # [m] Newton steps shorter than this are taken unchecked
_CLOSE = 1.0e-12  # [m] a step shorter than this ends the walk
_QUADRATIC = 1.0e-7  # [m] after a Newton step shorter than this the next one would be below round-off


@kernel
def line_at(table, row, u):
    """Reference line at u of a piece: r [m] and three derivatives."""
    x, x1, x2, x3 = quintic(table, row, 2, u)
    y, y1, y2, y3 = quintic(table, row, 8, u)
    z, z1, z2, z3 = quintic(table, row, 14, u)
    return (x, y, z), (x1, y1, z1), (x2, y2, z2), (x3, y3, z3)


@kernel
def distance_square(table, row, u, point):
    """Squared distance [m^2] of a point from the reference line at u of a piece."""
    r, _, _, _ = line_at(table, row, u)
    gap = minus(r, point)
    return dot(gap, gap)


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
def walk_to_foot(table, row, u, point):
    """Nearest local minimum of the distance, walked to from a start; (row, u)."""
    count = int(table[0, 1])
    closed = table[0, 2] != 0.0
    came_from = 0  # +1: just entered from the piece before, -1: from the one behind
    for _ in range(_STEPS):
        r, r1, r2, _ = line_at(table, row, u)
        gap = minus(r, point)
        slope, square = dot(gap, r1), dot(r1, r1)
        if square <= 0.0:
            break
        bend = square + dot(gap, r2)
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
        beyond = abs(u + step - target) * rate  # what the end of the piece cuts off: the foot lies on the next one
        # Close to the foot the distance is flat to round-off and says nothing; Newton alone is safe there.
        if abs(target - u) * rate > _NEAR or bend <= 0.1 * square:
            before = dot(gap, gap)
            for _ in range(30):
                if distance_square(table, row, target, point) <= before:
                    break
                target = 0.5 * (u + target)
        moved = abs(target - u) * rate
        u = target
        if u > 0.0 and u < h:
            came_from = 0
        if beyond < _CLOSE and (moved < _CLOSE or (moved < _QUADRATIC and bend > 0.1 * square)):
            break
    return row, u


@kernel
def search_foot(table, point):
    """Nearest foot on the whole road; (row, u)."""
    count = int(table[0, 1])
    best_row, best_u = min(1, count), 0.0
    best = distance_square(table, best_row, best_u, point)
    for row in range(1, count + 1):
        middle = 0.5 * table[row, 1]
        square = distance_square(table, row, middle, point)
        if square < best:
            best, best_row, best_u = square, row, middle
    best_row, best_u = walk_to_foot(table, best_row, best_u, point)
    best = distance_square(table, best_row, best_u, point)
    for row in range(1, count + 1):
        gap = norm(minus(vector(table[row], 26), point)) - table[row, 29]
        if gap > 0.0 and gap * gap >= best:
            continue
        part = table[row, 1] / _SAMPLES
        here = math.sqrt(distance_square(table, row, 0.0, point))
        for sample in range(_SAMPLES):
            there = math.sqrt(distance_square(table, row, part * (sample + 1), point))
            # No point of this stretch is nearer than half of (both end distances - its length).
            nearest = 0.5 * (here + there - part * table[row, 30])
            here = there
            if nearest > 0.0 and nearest * nearest >= best:
                continue
            found_row, found_u = walk_to_foot(table, row, part * (sample + 0.5), point)
            square = distance_square(table, found_row, found_u, point)
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
def plane_point(table, point):
    """The results for a plane road."""
    head = table[0]
    tangent, left, normal = vector(head, 11), vector(head, 14), vector(head, 17)
    e = minus(point, vector(head, 8))
    s, lateral = dot(e, tangent), dot(e, left)
    status = float(BESIDE) if abs(lateral) > head[7] else 0.0
    place = plus_times(point, -dot(e, normal), normal)
    return (s, lateral, *place, *tangent, *normal, friction_at(table, s, lateral), status)


@kernel
def surface_at(table, row, u, point):
    """The results at a known foot."""
    head, piece = table[0], table[row]
    r, r1, r2, _ = line_at(table, row, u)
    rate = max(norm(r1), 1.0e-300)
    tangent = (r1[0] / rate, r1[1] / rate, r1[2] / rate)
    turn = plus_times(r2, -dot(tangent, r2), tangent)  # rate times the change of the tangent
    sine, level = tangent[2], math.sqrt(tangent[0] * tangent[0] + tangent[1] * tangent[1])  # of theta
    heading = (1.0, 0.0, 0.0)
    heading_rate = slope_rate = 0.0
    if level > 1.0e-9:
        heading = (tangent[0] / level, tangent[1] / level, 0.0)
        heading_rate = (tangent[0] * turn[1] - tangent[1] * turn[0]) / rate / (level * level)
        slope_rate = turn[2] / rate / level
    bank = piece[20] + u * (piece[21] + u * (piece[22] + u * piece[23]))
    bank_rate = piece[21] + u * (2.0 * piece[22] + u * 3.0 * piece[23])
    cb, sb = 1.0, 0.0
    if bank != 0.0:
        cb, sb = math.cos(bank), math.sin(bank)
    level_left = (-heading[1], heading[0], 0.0)
    rise = (-sine * heading[0], -sine * heading[1], level)
    left = plus_times(times(cb, level_left), sb, rise)
    normal = plus_times(times(cb, rise), -sb, level_left)
    e = minus(point, r)
    lateral, ahead = dot(e, left), dot(e, tangent)
    s = piece[0] + u
    status = float(BESIDE) if abs(lateral) > piece[24] + u * piece[25] else 0.0
    past = 0.0
    if head[2] == 0.0:
        if row == 1 and u <= 0.0 and ahead < -1.0e-9:
            status += BEFORE_START
            past = ahead
        elif row == int(head[1]) and u >= piece[1] and ahead > 1.0e-9:
            status += BEHIND_END
            past = ahead
    place = plus_times(plus_times(r, lateral, left), past, tangent)
    if past != 0.0:
        s += past if head[6] != 0.0 else past / rate  # metres, but the parameter of the four-point road
    elif head[6] != 0.0:  # twisted
        stretch = max(rate + lateral * (-cb * level * heading_rate - sb * slope_rate), 0.1 * rate)
        twist = lateral * (bank_rate + sine * heading_rate)
        length = math.sqrt(stretch * stretch + twist * twist)
        c, d = stretch / length, twist / length
        tangent, normal = plus_times(times(c, tangent), d, normal), plus_times(times(c, normal), -d, tangent)
    return (s, lateral, *place, *tangent, *normal, friction_at(table, s, lateral), status)


@kernel(signature=ROAD_SIGNATURE)
def road_point(table, hint, x, y, z):
    """Where a point of the world stands over a road with its kerbs, edges and embankments.

    Args:
        table: road table, see :mod:`centrode.parts.roads.contract`.
        hint: s of the last answer for this vehicle; not a number when there is none.
        x, y, z: the point [m], world frame.

    Returns:
        (s, lateral offset left positive [m], surface point (3) [m], tangent (3), normal (3), friction [1], status).
    """
    found = bare_point(table, hint, x, y, z)
    if table[0, 20] == 0.0:
        return found
    height, slope = step_height(table, found[0], found[1], 0.0, 0.0)
    return raised(found, height, slope)


@kernel(signature=ROAD_SIGNATURE)
def bare_point(table, hint, x, y, z):
    """The same over the road alone, without what stands along it."""
    point = (x, y, z)
    if table[0, 0] == 0.0:
        return plane_point(table, point)
    if table[0, 0] == 2.0:
        place, tangent, normal, status = terrain_point(table, point)
        return (x, y, *place, *tangent, *normal, friction_at(table, x, y), status)
    row, u = 1, 0.0
    if math.isfinite(x) and math.isfinite(y) and math.isfinite(z):
        if math.isfinite(hint):
            length = table[0, 3]
            start = hint
            if table[0, 2] != 0.0:
                start = hint - length * math.floor((hint - table[1, 0]) / length)
            row = piece_of(table, start)
            u = min(table[row, 1], max(0.0, start - table[row, 0]))
            row, u = walk_to_foot(table, row, u, point)
            square = distance_square(table, row, u, point)
            reach = table[row, 24] + u * table[row, 25] + 1.0
            if square > reach * reach:
                other_row, other_u = search_foot(table, point)
                # Of two feet equally far the one walked to stays: a vehicle off the road must not jump to and fro.
                if distance_square(table, other_row, other_u, point) < 0.99 * square:
                    row, u = other_row, other_u
        else:
            row, u = search_foot(table, point)
    return surface_at(table, row, u, point)

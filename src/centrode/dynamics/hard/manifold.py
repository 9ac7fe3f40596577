"""Points by which two faces hold each other: one polygon clipped by the sides of the other.

The face that lies more squarely across the normal is the reference. The other one, or an edge, is cut off at the planes
through the edges of the reference (Sutherland and Hodgman 1974), and what is left stands below or above the reference
face by its gap. Of more than four points four are kept: the deepest, the farthest from it, the farthest from the line
through both, and the farthest on the other side; they hold whatever all of them hold, up to the corners that they cut.
"""

from __future__ import annotations

import math

from centrode.dynamics.hard.patch import LINE, drawn_in, patch_of, share_round
from centrode.dynamics.hard.tables import Shape, Size, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, dot, minus, norm, plus, plus_times, put, times, turn, vector
from centrode.parts.outlines.outline import frame_at

FLAT = 0.2
"""Cosine up to which the axis of a capsule or cylinder lies along a face."""
PARALLEL = 1e-3
"""Square of the sine of the angle up to which axes and edges touch along a line."""
UPRIGHT = 0.9
"""Cosine from which a cylinder stands on its end."""


@step_kernel
def see(hard, k, place, normal, gap):
    """Note a point; how many there are then."""
    t = borrow_hard(hard)
    if k < t.seen.shape[0]:
        put(t.seen[k].place, 0, place)
        put(t.seen[k].normal, 0, normal)
        t.seen[k].gap, t.seen[k].share = gap, 1.0
        return k + 1
    return k


@step_kernel
def box_face(outline, frame, towards, polygon):
    """Corners of the face of a box that looks most towards a direction; its outward normal."""
    x, y, z = frame.directors
    h = vector(outline.half_lengths, 0)
    m = turn(frame.directors, towards)
    a, b, c = abs(m[0]), abs(m[1]), abs(m[2])
    if a >= b and a >= c:
        n, u, v, lengths, s = x, y, z, (h[0], h[1], h[2]), m[0]
    elif b >= c:
        n, u, v, lengths, s = y, z, x, (h[1], h[2], h[0]), m[1]
    else:
        n, u, v, lengths, s = z, x, y, (h[2], h[0], h[1]), m[2]
    if s < 0.0:
        n = times(-1.0, n)
        u, v, lengths = v, u, (lengths[0], lengths[2], lengths[1])
    middle = plus_times(frame.position, lengths[0], n)
    u, v = times(lengths[1], u), times(lengths[2], v)
    put(polygon[0], 0, minus(minus(middle, u), v))
    put(polygon[1], 0, minus(plus(middle, u), v))
    put(polygon[2], 0, plus(plus(middle, u), v))
    put(polygon[3], 0, plus(minus(middle, u), v))
    return 4, n


@step_kernel
def hull_face(outline, points, faces, frame, towards, axis, polygon):
    """The same of a polyhedron, among faces along an axis (zero: all): the corners on that face, in order around it."""
    m, p = turn(frame.directors, towards), turn(frame.directors, axis)
    best, face = -math.inf, outline.first_face
    for f in range(outline.first_face, outline.first_face + outline.faces):
        value, along = dot(vector(faces[f], 0), m), dot(vector(faces[f], 0), p)
        if value > best and along * along < PARALLEL:
            best, face = value, f
    x, y, z = frame.directors
    own = vector(faces[face], 0)
    n = plus_times(plus_times(times(own[0], x), own[1], y), own[2], z)
    u = cross(n, x) if abs(own[0]) < 0.7 else cross(n, y)
    u = times(1.0 / norm(u), u)
    v = cross(n, u)
    count, middle = 0, ZERO
    for k in range(outline.first, outline.first + outline.count):
        c = vector(points[k], 0)
        if count < Size.CORNERS // 2 and dot(own, c) >= faces[face, 3] - 1e-6 * outline.radius:
            p = plus(frame.position, plus_times(plus_times(times(c[0], x), c[1], y), c[2], z))
            put(polygon[count], 0, p)
            middle = plus(middle, p)
            count += 1
    middle = times(1.0 / count, middle)
    for i in range(1, count):  # by angle about the middle
        p = vector(polygon[i], 0)
        angle = math.atan2(dot(minus(p, middle), v), dot(minus(p, middle), u))
        j = i - 1
        while j >= 0:
            q = minus(vector(polygon[j], 0), middle)
            if math.atan2(dot(q, v), dot(q, u)) <= angle:
                break
            put(polygon[j + 1], 0, vector(polygon[j], 0))
            j -= 1
        put(polygon[j + 1], 0, p)
    return count, n


@step_kernel
def radial(axis, towards):
    """Unit vector across an axis that points most towards a direction; any one where there is none."""
    e = plus_times(towards, -dot(towards, axis), axis)
    length = norm(e)
    if length < 1e-9:
        e = cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.7 else (0.0, 1.0, 0.0))
        length = norm(e)
    return times(1.0 / length, e)


@step_kernel
def round_feature(outline, shape, frame, towards, polygon):
    """Of a capsule or cylinder: the line along its side, the rim it stands on, or a point; and its outward normal."""
    axis, radius, half = frame.directors[2], outline.semi_axes[0], outline.half_lengths[2]
    tilt = dot(axis, towards)
    if shape == Shape.CYLINDER:
        half += outline.semi_axes[2]  # its edges are rounded by as much
    if abs(tilt) < FLAT:
        e = radial(axis, towards)
        put(polygon[0], 0, plus_times(plus_times(frame.position, -half, axis), radius, e))
        put(polygon[1], 0, plus_times(plus_times(frame.position, half, axis), radius, e))
        return 2, e
    if shape == Shape.CYLINDER and abs(tilt) > UPRIGHT:
        n = axis if tilt > 0.0 else times(-1.0, axis)
        e = radial(axis, towards)
        f = cross(n, e)
        middle = plus_times(frame.position, half, n)
        for k in range(8):
            angle = 0.25 * math.pi * k
            put(polygon[k], 0, plus_times(plus_times(middle, radius * math.cos(angle), e), radius * math.sin(angle), f))
        return 8, n
    if shape == Shape.CYLINDER:  # the nearest point of its rim
        end = plus_times(frame.position, half if tilt > 0.0 else -half, axis)
        put(polygon[0], 0, plus_times(end, radius, radial(axis, towards)))
    return 1, towards


@step_kernel
def feature(hard, i, towards, polygon):
    """Face, edge or point of an outline towards a direction: number of corners in ``polygon``, outward normal."""
    t = borrow_hard(hard)
    shape, frame = t.shapes[i], frame_at(t.placed[i])
    if shape == Shape.BOX:
        return box_face(t.outlines[i], frame, towards, polygon)
    if shape == Shape.HULL:
        return hull_face(t.outlines[i], t.points, t.faces, frame, towards, ZERO, polygon)
    if shape == Shape.CAPSULE or shape == Shape.CYLINDER:
        return round_feature(t.outlines[i], shape, frame, towards, polygon)
    return 1, towards


@step_kernel
def cut(polygon, count, n, offset, left):
    """What of a polygon lies where n . x <= offset, into ``left``; an edge stays an edge. Number of corners."""
    made = 0
    if count <= 2 and dot(n, vector(polygon[0], 0)) <= offset:
        put(left[0], 0, vector(polygon[0], 0))
        made = 1
    for k in range(count if count > 2 else count - 1):
        p, q = vector(polygon[k], 0), vector(polygon[(k + 1) % count], 0)
        a, b = dot(n, p) - offset, dot(n, q) - offset
        if (a < 0.0 and b > 0.0) or (a > 0.0 and b < 0.0):
            put(left[made], 0, plus_times(p, a / (a - b), minus(q, p)))
            made += 1
        if b <= 0.0:
            put(left[made], 0, q)
            made += 1
        if made >= Size.CORNERS - 2:
            break
    return made


@step_kernel
def clip(hard, corners, other, n, sign, reach):
    """Points of a feature (``other`` corners in the second polygon) over a reference face (the first), normal ``n``.

    The normal of the contact is ``sign`` n. Points further than ``reach`` are left out [m]. Returns their number.
    """
    t = borrow_hard(hard)
    face, now, left = t.polygons[0], t.polygons[1], t.polygons[2]
    count = other
    flipped = False
    for k in range(corners):
        p, q = vector(face[k], 0), vector(face[(k + 1) % corners], 0)
        side = cross(minus(q, p), n)
        if flipped:
            count = cut(left, count, side, dot(side, p), now)
        else:
            count = cut(now, count, side, dot(side, p), left)
        flipped = not flipped
        if count == 0:
            return 0
    level = dot(n, vector(face[0], 0))
    found = 0
    for k in range(count):
        p = vector(left[k], 0) if flipped else vector(now[k], 0)
        gap = dot(n, p) - level
        if gap < reach:
            found = see(hard, found, plus_times(p, -0.5 * gap, n), times(sign, n), gap)
    return found


@step_kernel
def reduce_points(hard, count):
    """Keep four points of many; how many are left. Notes by how much friction is drawn in (:mod:`patch`)."""
    t = borrow_hard(hard)
    if count <= 2:
        t.head[0].drawn = LINE
        return count
    middle, mean = patch_of(hard, count)
    if count > Size.POINTS:
        choose_points(hard, count)
        count = Size.POINTS.value
    t.head[0].drawn = drawn_in(hard, count, middle, mean)
    if mean > 0.0:
        share_round(hard, count, middle)
    return count


@step_kernel
def choose_points(hard, count):
    """Bring the four that are kept to the front."""
    seen = borrow_hard(hard).seen
    for kept in range(Size.POINTS.value):
        best, chosen = -1e300, kept
        for k in range(kept, count):
            x = vector(seen[k].place, 0)
            if kept == 0:
                value = -seen[k].gap
            elif kept == 1:
                d = minus(x, vector(seen[0].place, 0))
                value = dot(d, d)
            else:
                p, n = vector(seen[0].place, 0), vector(seen[0].normal, 0)
                area = dot(n, cross(minus(vector(seen[1].place, 0), p), minus(x, p)))
                value = abs(area)
                if kept == 3:
                    other = dot(n, cross(minus(vector(seen[1].place, 0), p), minus(vector(seen[2].place, 0), p)))
                    value = -area if other > 0.0 else area
            # the first of equal ones, and no change of mind over round-off
            if value > best + 1e-9 * abs(best):
                best, chosen = value, k
        swap(seen, kept, chosen)


@step_kernel
def swap(seen, i, j):
    """Exchange two points."""
    place, normal, gap = vector(seen[i].place, 0), vector(seen[i].normal, 0), seen[i].gap
    put(seen[i].place, 0, vector(seen[j].place, 0))
    put(seen[i].normal, 0, vector(seen[j].normal, 0))
    seen[i].gap = seen[j].gap
    put(seen[j].place, 0, place)
    put(seen[j].normal, 0, normal)
    seen[j].gap = gap

"""Narrow phase of hard contacts: the points at which two outlines touch, or may touch within a step.

Balls, half spaces and capsules have closed forms; two boxes are parted by one of fifteen axes (Gottschalk 1996); all
else asks the search for closest points (:mod:`centrode.dynamics.contact.narrow`), which knows no kinds. What faces
meet along the normal is found in :mod:`manifold`, what lies along an edge in :mod:`edges`.

A normal points from A to B, a gap is positive between outlines that are apart [m].
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.narrow import call_closest
from centrode.dynamics.contact.search import Status
from centrode.dynamics.hard.edges import has_edges, is_rod, rod_on_edge
from centrode.dynamics.hard.field import above_field
from centrode.dynamics.hard.manifold import clip, feature, radial, reduce_points, see
from centrode.dynamics.hard.rods import ball_on_cylinder, balls, half_length, rods
from centrode.dynamics.hard.tables import Shape, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import combined, cross, dot, middle, minus, norm, plus, plus_times, put, times, vector
from centrode.parts.outlines.outline import frame_at
from centrode.parts.outlines.plane import plane_normal

SQUARE = 0.99
"""Cosine between the normal of a contact and that of a face from which the face holds it."""
ASKEW = 0.95
"""Cosine between the normal of two edges and that of a face up to which edges meet; nearer to it the face is asked,
which gives more than one point."""


@step_kernel
def collide(hard, pair, reach):
    """Find the points of a pair that are nearer than ``reach`` [m] into ``seen``; how many, four at most."""
    t = borrow_hard(hard)
    a, b = pair.a, pair.b
    one, two = t.shapes[a], t.shapes[b]
    if one == Shape.SPHERE and two == Shape.SPHERE:
        return balls(
            hard, 0, vector(t.placed[a].position, 0), t.placed[a].reach, vector(t.placed[b].position, 0),
            t.placed[b].reach, reach,
        )  # fmt: skip
    if one == Shape.PLANE:
        return reduce_points(hard, above_plane(hard, a, b, 1.0, reach))
    if two == Shape.PLANE:
        return reduce_points(hard, above_plane(hard, b, a, -1.0, reach))
    if one == Shape.FIELD:
        return reduce_points(hard, above_field(hard, a, b, 1.0, reach))
    if two == Shape.FIELD:
        return reduce_points(hard, above_field(hard, b, a, -1.0, reach))
    if one == Shape.BOX and two == Shape.BOX:
        return boxes(hard, pair, reach)
    if one == Shape.SPHERE and (two == Shape.CAPSULE or two == Shape.BOX or two == Shape.CYLINDER):
        return ball_on(hard, b, a, -1.0, reach)
    if two == Shape.SPHERE and (one == Shape.CAPSULE or one == Shape.BOX or one == Shape.CYLINDER):
        return ball_on(hard, a, b, 1.0, reach)
    if (one == Shape.CAPSULE or one == Shape.CYLINDER) and (two == Shape.CAPSULE or two == Shape.CYLINDER):
        found = rods(hard, a, b, reach)
        if found >= 0:
            return found
    return any_pair(hard, pair, reach)


@step_kernel
def above_plane(hard, p, q, sign, reach):
    """Points of outline q below a plane p, or less than ``reach`` above; ``sign`` -1 when q is A."""
    t = borrow_hard(hard)
    frame, other = frame_at(t.placed[p]), frame_at(t.placed[q])
    n = plane_normal(frame.directors)
    height = dot(minus(other.position, frame.position), n)
    shape, outline = t.shapes[q], t.outlines[q]
    normal = times(sign, n)
    if height - t.placed[q].reach >= reach:
        return 0
    if shape == Shape.SPHERE:
        gap = height - t.placed[q].reach
        return see(hard, 0, plus_times(other.position, -(height - 0.5 * gap), n), normal, gap)
    found = 0
    if shape == Shape.BOX:
        h = vector(outline.half_lengths, 0)
        for k in range(8):
            c = (h[0] if k & 1 else -h[0], h[1] if k & 2 else -h[1], h[2] if k & 4 else -h[2])
            found = corner_above(hard, found, other, c, frame.position, n, normal, reach)
    elif shape == Shape.HULL:
        for k in range(outline.first, outline.first + outline.count):
            found = corner_above(hard, found, other, vector(t.points[k], 0), frame.position, n, normal, reach)
    elif shape == Shape.CAPSULE:
        for k in range(2):
            s = outline.half_lengths[2] if k == 0 else -outline.half_lengths[2]
            low = plus_times(plus_times(other.position, s, other.directors[2]), -outline.semi_axes[0], n)
            gap = dot(minus(low, frame.position), n)
            if gap < reach:
                found = see(hard, found, plus_times(low, -0.5 * gap, n), normal, gap)
    elif shape == Shape.CYLINDER:
        axis, half = other.directors[2], half_length(outline)
        e = radial(axis, times(-1.0, n))
        f = cross(axis, e)
        for k in range(8):
            middle_of_end = plus_times(other.position, half if k % 2 == 0 else -half, axis)
            turned = k // 2
            u = e if turned == 0 else f if turned == 1 else times(-1.0, f) if turned == 2 else times(-1.0, e)
            low = plus_times(middle_of_end, outline.semi_axes[0], u)
            gap = dot(minus(low, frame.position), n)
            if gap < reach:
                found = see(hard, found, plus_times(low, -0.5 * gap, n), normal, gap)
    else:
        answer = call_closest(
            t.closest,
            (
                t.outlines[p], t.placed[p], outline, t.placed[q], t.points, t.outline_kernels, t.faces, t.room[0],
                (0.0, 0.0, 0.0), reach,
            ),
        )  # fmt: skip
        if answer.status != Status.APART and answer.gap < reach:
            found = see(hard, 0, middle(answer.point_a, answer.point_b), normal, answer.gap)
    return found


@step_kernel
def corner_above(hard, found, frame, c, level, n, normal, reach):
    """Note a corner (own axes) that is less than ``reach`` above the plane through ``level``."""
    p = plus(frame.position, combined(frame.directors, c))
    gap = dot(minus(p, level), n)
    if gap < reach:
        return see(hard, found, plus_times(p, -0.5 * gap, n), normal, gap)
    return found


@step_kernel
def ball_on(hard, p, q, sign, reach):
    """A ball q on a capsule, cylinder or box p; ``sign`` -1 when the ball is A."""
    t = borrow_hard(hard)
    frame, x, r = frame_at(t.placed[p]), vector(t.placed[q].position, 0), t.placed[q].reach
    outline = t.outlines[p]
    d = minus(x, frame.position)
    if t.shapes[p] == Shape.CAPSULE:
        axis, half = frame.directors[2], outline.half_lengths[2]
        foot = plus_times(frame.position, max(-half, min(half, dot(d, axis))), axis)
        found = balls(hard, 0, foot, outline.semi_axes[0], x, r, reach)
    elif t.shapes[p] == Shape.CYLINDER:
        found = ball_on_cylinder(hard, p, x, r, reach)
    else:
        h = vector(outline.half_lengths, 0)
        m = (dot(d, frame.directors[0]), dot(d, frame.directors[1]), dot(d, frame.directors[2]))
        c = (max(-h[0], min(h[0], m[0])), max(-h[1], min(h[1], m[1])), max(-h[2], min(h[2], m[2])))
        away = minus(m, c)
        distance = norm(away)
        if distance - r >= reach:
            return 0
        if distance > 1e-12 * outline.radius:
            n, depth = combined(frame.directors, times(1.0 / distance, away)), distance
        else:  # the middle of the ball is inside: out by the nearest face
            gx, gy, gz = h[0] - abs(m[0]), h[1] - abs(m[1]), h[2] - abs(m[2])
            if gx <= gy and gx <= gz:
                n, depth = times(1.0 if m[0] >= 0.0 else -1.0, frame.directors[0]), -gx
            elif gy <= gz:
                n, depth = times(1.0 if m[1] >= 0.0 else -1.0, frame.directors[1]), -gy
            else:
                n, depth = times(1.0 if m[2] >= 0.0 else -1.0, frame.directors[2]), -gz
        gap = depth - r
        found = see(hard, 0, plus_times(x, -(r + 0.5 * gap), n), n, gap)
    if found > 0 and sign < 0.0:
        put(t.seen[0].normal, 0, times(-1.0, vector(t.seen[0].normal, 0)))
    return found


@step_kernel
def parted_by(one, h, two, k, d, n):
    """Gap of two boxes along a unit vector from A to B [m]."""
    x, y, z = one.directors
    u, v, w = two.directors
    return (
        dot(d, n) - h[0] * abs(dot(x, n)) - h[1] * abs(dot(y, n)) - h[2] * abs(dot(z, n))
        - k[0] * abs(dot(u, n)) - k[1] * abs(dot(v, n)) - k[2] * abs(dot(w, n))
    )  # fmt: skip


@step_kernel
def boxes(hard, pair, reach):
    """Two boxes: the axis that parts them most, of their faces and of two edges; then the points of faces or edges."""
    t = borrow_hard(hard)
    a, b = pair.a, pair.b
    one, two = frame_at(t.placed[a]), frame_at(t.placed[b])
    h, k = vector(t.outlines[a].half_lengths, 0), vector(t.outlines[b].half_lengths, 0)
    d = minus(two.position, one.position)
    last = vector(pair.axis, 0)
    if parted_by(one, h, two, k, d, last) > reach:
        return 0
    best, axis = -math.inf, (0.0, 0.0, 1.0)
    of_a = True
    for i in range(6):
        if i < 3:
            n = one.directors[0] if i == 0 else one.directors[1] if i == 1 else one.directors[2]
        else:
            n = two.directors[0] if i == 3 else two.directors[1] if i == 4 else two.directors[2]
        if dot(d, n) < 0.0:
            n = times(-1.0, n)
        gap = parted_by(one, h, two, k, d, n)
        # of two faces that part them alike, that of A, so that nothing flickers
        if gap > best + (1e-6 * t.outlines[a].radius if i == 3 else 0.0):
            best, axis, of_a = gap, n, i < 3
            if gap > reach:
                put(pair.axis, 0, n)
                return 0
    edge, across = -math.inf, axis
    for i in range(3):
        p = one.directors[0] if i == 0 else one.directors[1] if i == 1 else one.directors[2]
        for j in range(3):
            q = two.directors[0] if j == 0 else two.directors[1] if j == 1 else two.directors[2]
            n = cross(p, q)
            square = dot(n, n)
            if square < 1e-4:
                continue
            n = times((1.0 if dot(d, n) >= 0.0 else -1.0) / math.sqrt(square), n)
            gap = parted_by(one, h, two, k, d, n)
            if gap > edge:
                edge, across = gap, n
                if gap > reach:
                    put(pair.axis, 0, n)
                    return 0
    if edge > best and dot(across, axis) < ASKEW:
        put(pair.axis, 0, across)
        return edges_of_boxes(hard, one, h, two, k, across, edge)
    put(pair.axis, 0, axis)
    return faces_meet(hard, a if of_a else b, b if of_a else a, axis if of_a else times(-1.0, axis), of_a, reach)


@step_kernel
def faces_meet(hard, p, q, towards, of_a, reach):
    """Points of what outline q turns to the face of outline p that looks ``towards`` it."""
    t = borrow_hard(hard)
    corners, n = feature(hard, p, towards, t.polygons[0])
    other, _ = feature(hard, q, times(-1.0, n), t.polygons[1])
    return reduce_points(hard, clip(hard, corners, other, n, 1.0 if of_a else -1.0, reach))


@step_kernel
def edges_of_boxes(hard, one, h, two, k, n, gap):
    """Where two edges cross: the lines of the corners of A and B that lie furthest along the normal."""
    x, p = edge_along(one, h, n)
    y, q = edge_along(two, k, times(-1.0, n))
    d, c = minus(y, x), dot(p, q)
    u, v = dot(d, p), dot(d, q)
    square = max(1.0 - c * c, 1e-12)
    on_a = plus_times(x, (u - c * v) / square, p)
    on_b = plus_times(y, (c * u - v) / square, q)
    return see(hard, 0, middle(on_a, on_b), n, gap)


@step_kernel
def edge_along(frame, h, n):
    """Middle and direction of the edge of a box that lies furthest along a vector: the one most across it."""
    m = (dot(frame.directors[0], n), dot(frame.directors[1], n), dot(frame.directors[2], n))
    a, b, c = abs(m[0]), abs(m[1]), abs(m[2])
    x = (h[0] if m[0] >= 0.0 else -h[0], h[1] if m[1] >= 0.0 else -h[1], h[2] if m[2] >= 0.0 else -h[2])
    if a <= b and a <= c:
        return plus(frame.position, combined(frame.directors, (0.0, x[1], x[2]))), frame.directors[0]
    if b <= c:
        return plus(frame.position, combined(frame.directors, (x[0], 0.0, x[2]))), frame.directors[1]
    return plus(frame.position, combined(frame.directors, (x[0], x[1], 0.0))), frame.directors[2]


@step_kernel
def rim_rounding(hard, i):
    """How far the search sees the rims of an outline inside of where they are [m], at most."""
    t = borrow_hard(hard)
    return t.outlines[i].semi_axes[2] if t.shapes[i] == Shape.CYLINDER else 0.0


@step_kernel
def has_rim(hard, i, corners):
    """Whether the corners that an outline turns to a face are its own, not those of the search."""
    return corners > 1 or borrow_hard(hard).shapes[i] == Shape.CYLINDER


@step_kernel
def any_pair(hard, pair, reach):
    """Two convex outlines of any kind: their closest points, and all of a face where one holds the other."""
    t = borrow_hard(hard)
    a, b = pair.a, pair.b
    rounded = rim_rounding(hard, a) + rim_rounding(hard, b)
    answer = call_closest(
        t.closest,
        (
            t.outlines[a], t.placed[a], t.outlines[b], t.placed[b], t.points, t.outline_kernels, t.faces, t.room[0],
            vector(pair.axis, 0), reach + rounded,
        ),
    )  # fmt: skip
    if answer.status == Status.NO_ANSWER or answer.status == Status.APART or not answer.gap < reach + rounded:
        if answer.status != Status.NO_ANSWER and dot(answer.normal, answer.normal) > 0.5:
            put(pair.axis, 0, answer.normal)
        return 0
    n = answer.normal
    put(pair.axis, 0, n)
    corners, m = feature(hard, a, n, t.polygons[0])
    other, w = feature(hard, b, times(-1.0, n), t.polygons[1])
    found = 0
    of_a = corners > 2 and dot(m, n) > SQUARE
    of_b = other > 2 and -dot(w, n) > SQUARE
    if of_a and has_rim(hard, b, other) and (other <= 2 or dot(m, n) >= -dot(w, n)):
        found = faces_meet(hard, a, b, n, True, reach)
    elif of_b and has_rim(hard, a, corners):
        found = faces_meet(hard, b, a, times(-1.0, n), False, reach)
    if is_rod(t.shapes[a]) and has_edges(t.shapes[b]):
        found = rod_on_edge(hard, a, b, times(-1.0, n), 1.0, found, reach)
    elif is_rod(t.shapes[b]) and has_edges(t.shapes[a]):
        found = rod_on_edge(hard, b, a, n, -1.0, found, reach)
    if found > 0 or not answer.gap < reach:
        return found
    return see(hard, 0, middle(answer.point_a, answer.point_b), n, answer.gap)

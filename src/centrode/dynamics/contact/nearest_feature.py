r"""Distance of a point on a line from an outline, and where along the line the nearest feature of the outline changes.

A feature is a face, an edge or a corner of a polytope, the inside or an end of the axis of a capsule, or the flat end,
the side or the rim of a cylinder. The points to which one feature is nearest make a cell, convex but for that of a rim,
so a line p(s) = p_0 + s a crosses each cell in one piece (that of a rim in two). In a piece the nearest point c runs
along the plane, the line or the point that the feature lies on:

    c' = a - (n . a) n  (face, normal n),     c' = (e . a) e  (edge along e),     c' = 0  (corner)          (1)

and p - c is linear in s. The side of a cylinder is an edge, its axis, with the radius taken off the distance; c of a
rim is known for each point by itself. Cells that meet in more than a line belong to a face and one of its edges, or an
edge and one of its ends. They meet in a plane through the lesser feature, square to the greater one:

    N . (p(s) - c_less) = 0,        N = n x e,  or N = e                                                   (2)

and inside a polytope, where the nearest face counts, two faces meet where both are equally far, N = n_1 - n_2. The
cells of a side and a rim meet in the plane of the end, those of a rim and an end where p is as far from the axis as the
rim is, |p_across| = R, with N the unit vector from the axis to p, and inside of it end and side meet as two faces do.
So the piece that begins at one end is followed to its border by halving what is left of the line until the features at
both ends are such neighbours and (2) holds where it says. The distance has a kink in its curvature there.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from centrode.dynamics.contact.gjk import nearest
from centrode.jit import step_kernel
from centrode.math.vector import (
    ZERO,
    cofactors,
    combined,
    cross,
    dot,
    minus,
    norm,
    plus,
    plus_times,
    put,
    times,
    turn,
    vector,
)
from centrode.parts.outlines.outline import Corners, Curved, Frame, Vector, world_corner
from centrode.parts.outlines.plane import plane_normal

MOST_STEPS = 60
SAME = 1e-9
"""Features whose points or normals differ by less, in parts of the outline's size, are one."""


class Line(NamedTuple):
    """Points origin + s along; ``along`` is a unit vector."""

    origin: Vector
    along: Vector


class Feature(NamedTuple):
    """What is nearest to the point of a line at ``s``.

    Attributes:
        dimension: 2 face, 1 edge or side, 0 corner, -1 rim.
        gap: distance [m], negative inside.
        n: unit vector from the nearest point to p.
        point: the nearest point; of a side the foot on the axis, of a rim its middle.
        axis: normal of the face or direction of the edge, of a side or rim the axis.
        s: place on the line.
        radius: of a side or rim [m], else 0.
    """

    dimension: int
    gap: float
    n: Vector
    point: Vector
    axis: Vector
    s: float
    radius: float


# -- distance of a point -----------------------------------------------------------------------------------------------


@step_kernel
def feature_at(line, s, outline, frame, shapes, corners):
    """Nearest feature of a half space, the axis of a capsule, a cylinder with flat ends, or a polytope."""
    p = plus_times(line.origin, s, line.along)
    if outline.half_space != 0:
        n = plane_normal(frame.directors)
        gap = dot(minus(p, frame.position), n)
        return Feature(2, gap, n, plus_times(p, -gap, n), n, s, 0.0)
    if outline.flat_ended != 0:
        return feature_of_cylinder(p, s, outline, frame)
    if outline.curved != Curved.NONE:
        along, half = frame.directors[2], outline.half_lengths[2]
        free = dot(minus(p, frame.position), along)
        c = plus_times(frame.position, min(max(free, -half), half), along)
        d = minus(p, c)
        gap = norm(d)
        return Feature(1 if abs(free) < half else 0, gap, times(1.0 / max(gap, 1e-300), d), c, along, s, 0.0)
    gap, n = deepest_face(p, outline, frame, shapes)
    if gap <= 0.0:  # inside
        return Feature(2, gap, n, plus_times(p, -gap, n), n, s, 0.0)
    if outline.corners == Corners.BOX and outline.rigid != 0:
        dimension, v, axis = nearest_of_box(p, outline, frame)
    else:
        dimension, v, axis = nearest_of_corners(p, outline, frame, shapes, corners)
    distance = norm(v)
    # Three corners of a face or two across it say that the face is nearest; its plane is known better.
    if dimension == 2 or distance - gap <= 1e-15 * outline.radius:
        return Feature(2, gap, n, plus_times(p, -gap, n), n, s, 0.0)
    return Feature(dimension, distance, times(-1.0 / distance, v), plus(p, v), axis, s, 0.0)


@step_kernel
def feature_of_cylinder(p, s, outline, frame):
    """Nearest feature of a cylinder with flat ends and a sharp rim."""
    axis, radius, half = frame.directors[2], outline.semi_axes[0], outline.half_lengths[2] + outline.semi_axes[2]
    d = minus(p, frame.position)
    z = dot(d, axis)
    across = plus_times(d, -z, axis)
    far = norm(across)
    beyond, outside = abs(z) - half, far - radius
    radial = times(1.0 / max(far, 1e-300), across)
    if outside > 0.0 and beyond > 0.0:
        end = plus_times(frame.position, math.copysign(half, z), axis)
        v = minus(p, plus_times(end, radius, radial))
        gap = norm(v)
        return Feature(-1, gap, times(1.0 / gap, v), end, axis, s, radius)
    if beyond > outside:
        n = times(math.copysign(1.0, z), axis)
        return Feature(2, beyond, n, plus_times(p, -beyond, n), n, s, 0.0)
    return Feature(1, outside, radial, plus_times(frame.position, z, axis), axis, s, radius)


@step_kernel
def deepest_face(p, outline, frame, shapes):
    """Largest signed distance of p from the planes of the faces of a polytope, and the normal of that face."""
    k = cofactors(frame.directors)
    scale = 1.0 / dot(frame.directors[0], k[0])
    x = times(scale, turn(k, minus(p, frame.position)))
    best, normal = -math.inf, ZERO
    if outline.corners == Corners.BOX:
        for i in range(3):
            length = scale * norm(k[i])
            gap = (abs(x[i]) - outline.half_lengths[i]) / length
            if gap > best:
                best, normal = gap, times(math.copysign(scale / length, x[i]), k[i])
        return best, normal
    for i in range(outline.first_face, outline.first_face + outline.faces):
        m = vector(shapes.faces[i], 0)
        n = times(scale, combined(k, m))
        length = norm(n)
        gap = (dot(m, x) - shapes.faces[i, 3]) / length
        if gap > best:
            best, normal = gap, times(1.0 / length, n)
    return best, normal


@step_kernel
def nearest_of_box(p, outline, frame):
    """Dimension of the feature of a rigid box nearest to p outside of it, vector from p to it, direction of an edge."""
    dimension, v, axis = 0, ZERO, ZERO
    d = minus(p, frame.position)
    for i in range(3):
        x, half = dot(d, frame.directors[i]), outline.half_lengths[i]
        if abs(x) < half:
            dimension += 1
            axis = frame.directors[i]
        else:
            v = plus_times(v, math.copysign(half, x) - x, frame.directors[i])
    return dimension, v, axis


@step_kernel
def nearest_of_corners(p, outline, frame, shapes, corners):
    """As :func:`nearest_of_box`, for any polytope that does not hold p (GJK with a point)."""
    shift = minus(frame.position, p)
    v = shift if norm(shift) > 0.0 else frame.directors[0]
    count = 0
    last = math.inf
    for _ in range(MOST_STEPS):
        away = times(-1.0, v)
        w = plus_times(shift, 1.0, world_corner(outline, shapes.points, frame, away))
        square = dot(v, v)
        if count > 0 and square - dot(v, w) <= 1e-15 * square:
            break
        put(corners[count], 0, w)
        keep, weights, square = nearest(corners, count + 1)
        if keep == 15 or square >= last:
            break
        last = square
        count = 0
        v = ZERO
        for i in range(4):
            if (keep >> i) & 1:
                w = vector(corners[i], 0)
                put(corners[count], 0, w)
                v = plus_times(v, weights[i], w)
                count += 1
    axis = ZERO
    if count == 2:
        axis = minus(vector(corners[1], 0), vector(corners[0], 0))
        axis = times(1.0 / norm(axis), axis)
    return count - 1, v, axis


@step_kernel
def square_frame(outline, frame):
    """The frame of an outline with square unit directors when its body is rigid.

    Within a step of a method quaternions are not quite unit ones. Feet of perpendiculars ask for what is square.
    """
    if outline.rigid == 0:
        return frame
    x, _, z = frame.directors
    z = times(1.0 / norm(z), z)
    x = plus_times(x, -dot(x, z), z)
    x = times(1.0 / norm(x), x)
    return Frame(frame.position, (x, cross(z, x), z))


# -- pieces of a line --------------------------------------------------------------------------------------------------


@step_kernel
def along_feature(feature, line, s):
    """Distance, unit vector and nearest point at another place of the piece, equation (1)."""
    step = s - feature.s
    p, a = plus_times(line.origin, s, line.along), line.along
    if feature.dimension == 2:
        gap = feature.gap + step * dot(feature.n, a)
        return gap, feature.n, plus_times(p, -gap, feature.n)
    c = feature.point
    if feature.dimension == 1:
        c = plus_times(c, step * dot(feature.axis, a), feature.axis)
    if feature.dimension == -1:
        d = minus(p, c)
        across = plus_times(d, -dot(d, feature.axis), feature.axis)
        c = plus_times(c, feature.radius / max(norm(across), 1e-300), across)
        d = minus(p, c)
        gap = norm(d)
        return gap, times(1.0 / max(gap, 1e-300), d), c
    d = minus(p, c)
    gap = norm(d)
    return gap - feature.radius, times(1.0 / max(gap, 1e-300), d), c


@step_kernel
def is_same(one, two, size):
    """Whether two features are one."""
    if one.dimension != two.dimension:
        return False
    d = minus(two.point, one.point)
    if one.dimension == 2:
        return norm(minus(two.n, one.n)) <= SAME
    if one.dimension == 1:
        off = norm(plus_times(d, -dot(d, one.axis), one.axis)) + norm(plus_times(d, -dot(d, two.axis), two.axis))
        return off <= SAME * size
    return norm(d) <= SAME * size and not (one.dimension == -1 and crosses_end(one, two))


@step_kernel
def crosses_end(one, two):
    """Whether the way between two points nearest to one rim leads over the end that it bounds."""
    n_one, n_two = one.n, two.n
    across_one = plus_times(n_one, -dot(n_one, one.axis), one.axis)
    across_two = plus_times(n_two, -dot(n_two, one.axis), one.axis)
    start = times(one.gap + one.radius / max(norm(across_one), 1e-300), across_one)
    way = minus(times(two.gap + two.radius / max(norm(across_two), 1e-300), across_two), start)
    share = -dot(start, way) / max(dot(way, way), 1e-300)
    return 0.0 < share < 1.0 and norm(plus_times(start, share, way)) < one.radius


@step_kernel
def border_of(one, two, line):
    """Whether two features may be neighbours, where their cells meet on the line, and N of (2)."""
    more, less = (one, two) if one.dimension >= two.dimension else (two, one)
    normal, ahead = ZERO, 0.0
    if less.dimension == -1 and more.dimension == 2:
        return border_of_end(more, less, line)
    if less.radius > 0.0 and more.dimension == 2:
        return border_inside(more, less, line)
    if less.dimension == -1 and more.dimension == 1:  # a side, in the plane of the rim
        normal = less.axis
        rate = dot(normal, line.along)
        if rate == 0.0:
            return False, 0.0, ZERO
        return True, dot(normal, minus(less.point, line.origin)) / rate, normal
    if more.dimension == 2 and less.dimension == 2:
        normal = minus(more.n, less.n)
        ahead = more.gap - less.gap - (more.s - less.s) * dot(more.n, line.along)
    elif more.dimension - less.dimension == 1:
        normal = more.axis if less.dimension == 0 else cross(more.axis, less.axis)
        ahead = dot(normal, minus(plus_times(line.origin, less.s, line.along), less.point))
    rate = dot(normal, line.along)
    if rate == 0.0:
        return False, 0.0, ZERO
    return True, less.s - ahead / rate, normal


@step_kernel
def border_of_end(end, rim, line):
    """Where the cells of the end of a cylinder and of its rim meet between the places of both features."""
    d = minus(line.origin, rim.point)
    across = plus_times(d, -dot(d, rim.axis), rim.axis)
    along = plus_times(line.along, -dot(line.along, rim.axis), rim.axis)
    # |across + s along| = R: of two places the one on the way from the end to the rim
    a, b, c = dot(along, along), dot(across, along), dot(across, across) - rim.radius * rim.radius
    root = b * b - a * c
    if not (a > 0.0 and root > 0.0):
        return False, 0.0, ZERO
    side = 1.0 if rim.s > end.s else -1.0
    s = (-b + side * math.sqrt(root)) / a
    return True, s, times(1.0 / rim.radius, plus_times(across, s, along))


@step_kernel
def border_inside(end, side, line):
    """Where the end and the side of a cylinder are equally far from inside, between the places of both features."""
    low, high = (end.s, side.s) if end.s < side.s else (side.s, end.s)
    s, normal = end.s, ZERO
    for _ in range(MOST_STEPS):
        s = 0.5 * (low + high)
        to_end, n, _ = along_feature(end, line, s)
        to_side, radial, _ = along_feature(side, line, s)
        normal = minus(n, radial)
        if (to_end > to_side) == (end.s < side.s):
            low = s
        else:
            high = s
    return True, s, normal


@step_kernel
def next_border(line, begin, here, end, there, outline, frame, shapes, corners):
    """Where the piece ends that begins at ``begin`` with the feature ``here``; at ``end`` there is ``there``.

    Returns:
        place on the line, N of (2) (zero where no neighbours were found), feature behind it.
    """
    low, high = begin, end
    size = outline.radius
    for _ in range(MOST_STEPS):
        neighbours, s, normal = border_of(here, there, line)
        if neighbours and low <= s <= high:
            seen = feature_at(line, s, outline, frame, shapes, corners).gap
            one, _, _ = along_feature(here, line, s)
            two, _, _ = along_feature(there, line, s)
            if abs(one - seen) <= 1e-13 * size and abs(two - seen) <= 1e-13 * size:
                return s, normal, there
        if high - low <= 1e-7 * (end - begin):
            break
        middle = 0.5 * (low + high)
        trial = feature_at(line, middle, outline, frame, shapes, corners)
        if is_same(here, trial, size):
            low = middle
        else:
            high, there = middle, trial
    return low, ZERO, there

r"""Flat ends of cylinders: where they touch what is flat, and how deep.

The search for closest points asks for curved outlines, so it knows a cylinder with ends that are domed by c, the
hundredth part of its smaller half-width (:mod:`centrode.parts.outlines.cylinder`). By these alone a can would stand on
one point. So the sums along its axis (:mod:`line_contact`) are joined by sums over both ends,

    D = P / Q,    Q = int h^3 ds + K sum_k w_k h_k^4,    P = int h^4 ds + K sum_k w_k h_k^5,                (1)
    dD = ... + sum_k K w_k h_k^3 (5 h_k - 4 D) / Q dh_k                                                    (2)

with sum w = 1 over an end and K = 100. Standing, the stretch of the axis is as short as the overlap is deep,
int h^3 ds = d^4 / 4: the dome has a 400th of the weight. Lying, the ends are out of it, and the axis has all. What
comes in by e changes Q by e^4, so D has three continuous derivatives, as along axes.

Above a half space cylinders have a depth of their own (:mod:`cylinder_on_plane`). In all else that is flat the sum over
an end is over small balls, inscribed in the end with radius b = c/2, so that the distance from an edge is smooth: 208
on five rings. Each has the depth h = b - phi with phi the distance of its middle from the
other outline (:mod:`nearest_feature`), which for a cylinder is the one with flat ends and sharp rims. A cylinder that
lies less than a hundredth of R deep does not touch with them. Where h < 4/5 D a point pulls; what pulls on one side
makes the other side push harder, so that with few rings the resultant lies outside of all of them (by 15 % with three)
and a can stands where it should fall. Radii and weights of the five were chosen so that it comes to 1.003 R at most,
and the mean of r^2 is 0.499 R^2, that of a disc 0.5.

A box has 26 such points of radius 0 itself, corners, middles of edges and of
faces with the weights of Simpson's rule (1, 4, 16)/36, a polyhedron its corners with 1/4 each: these are what stands
on an end that is larger than they are. A box of half length a > R has its middles there with (R/a)^4: the end that
stands on them says it better. Both outlines are asked, so A and B are alike.

dh = n . (u_other - u_own) with n from the other outline to the point. All points of an outline move with one frame,
p = r + sum X_j d_j, so their slopes are four PUSH rows at r and r + d_j; a rigid body takes the opposite ones.

The gap of such a pair is the least of what the search says and of -h_k of all points, so that a contact begins where D
does. Balls and capsules have the distance from the flat-ended cylinder along their axes in closed form.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from centrode.dynamics.contact.cylinder_on_plane import can_above, cylinder_gap
from centrode.dynamics.contact.depth import add_opposite, add_push, add_weighted, added
from centrode.dynamics.contact.nearest_feature import MOST_STEPS, Line, deepest_face, feature_at, square_frame
from centrode.dynamics.contact.search import Closest, Status
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cofactors, dot, minus, plus, plus_times, times, turn, vector
from centrode.parts.outlines.outline import Corners, Curved, Frame, Shapes, point_of

WEIGHT = 100.0
"""K of (1) [1]."""
RING = tuple((math.cos(math.pi * (k + 0.5) / 32.0), math.sin(math.pi * (k + 0.5) / 32.0)) for k in range(64))
"""Directions of the balls."""
RINGS = (
    (0.98, 0.0541, 64, 1),
    (0.931, 0.1600, 64, 1),
    (0.8134, 0.2735, 32, 2),
    (0.6076, 0.2685, 32, 2),
    (0.343, 0.2439, 16, 4),
)
"""Of the rings: radius over that of the cylinder, weight, number of balls, every which direction."""


class Side(NamedTuple):
    """One outline of a pair, as seen from it: itself, the other one, and their frames, square where rigid.

    Attributes:
        of_b: whether the outline is B.
        reach: both are taken for larger by so much [m].
    """

    of_b: int
    own: np.record
    frame: Frame
    other: np.record
    frame_other: Frame
    shapes: Shapes
    corners: np.ndarray
    reach: float


@step_kernel
def is_faceted(outline):
    """Whether corners alone make an outline."""
    return outline.corners != Corners.NONE and outline.curved == Curved.NONE


@step_kernel
def is_ball_or_capsule(outline):
    """Whether an outline is a ball, or a ball along a segment, on a rigid body."""
    if outline.swept != 0:
        return True
    if outline.corners != Corners.NONE or outline.curved != Curved.SUPERELLIPSOID or outline.rigid == 0:
        return False
    a, b, c = vector(outline.semi_axes, 0)
    return outline.half_space == 0 and outline.exponent == 2.0 and a == b and b == c


@step_kernel
def has_points(own, other):
    """Whether the points of an outline are asked for their depth in the other one."""
    if own.half_space != 0 or other.half_space != 0:
        return False
    if own.flat_ended != 0:
        return other.flat_ended != 0 or is_faceted(other)
    return other.flat_ended != 0 and is_faceted(own)


@step_kernel
def dome_of(outline):
    """By how much the ends of a cylinder are domed for the search [m]; 0: it has no flat ends."""
    return outline.semi_axes[2] if outline.flat_ended != 0 else 0.0


# -- points of an outline ----------------------------------------------------------------------------------------------


@step_kernel
def count_of_points(outline):
    """Points that stand for the flat sides of an outline."""
    if outline.flat_ended != 0:
        return 416
    return 27 if outline.corners == Corners.BOX else outline.count


@step_kernel
def flat_point(side, k):
    """Point k in own axes, radius of the ball about it, weight."""
    own = side.own
    if own.flat_ended != 0:
        c = own.semi_axes[2]
        ball, z = 0.5 * c, own.half_lengths[2] + 0.5 * c
        z = z if k < 208 else -z
        j = k % 208
        ring = 0
        while j >= RINGS[ring][2]:
            j -= RINGS[ring][2]
            ring += 1
        share, weight, count, every = RINGS[ring]
        r = share * own.semi_axes[0]
        return (r * RING[every * j][0], r * RING[every * j][1], z), ball, weight / count
    if own.corners == Corners.BOX:
        half, radius = vector(own.half_lengths, 0), side.other.semi_axes[0]
        i, j, m = k % 3 - 1, (k // 3) % 3 - 1, k // 9 - 1
        weight = 1.0 / 36.0 if i != 0 or j != 0 or m != 0 else 0.0
        weight *= middle_share(i, half[0], radius) * middle_share(j, half[1], radius) * middle_share(m, half[2], radius)
        return (i * half[0], j * half[1], m * half[2]), 0.0, weight
    return vector(side.shapes.points[own.first + k], 0), 0.0, 0.25


@step_kernel
def middle_share(place, half, radius):
    """Factor of a weight that Simpson's rule has in the middle, less where a box is wider than the end."""
    if place != 0:
        return 1.0
    share = min(radius / half, 1.0)
    return 4.0 * share * share * share * share


@step_kernel
def depth_at_least(side, p, radius, least):
    """h of a ball about p, and n; h is any number below ``least`` when it is below that."""
    if side.other.flat_ended == 0:
        gap, n = deepest_face(p, side.other, side.frame_other, side.shapes)  # never above the distance
        if radius + side.reach - gap <= least:
            return radius + side.reach - gap, n
    near = feature_at(Line(p, ZERO), 0.0, side.other, side.frame_other, side.shapes, side.corners)
    return radius + side.reach - near.gap, near.n


@step_kernel
def is_end_out(side, k, least):
    """Whether no point of the end of a cylinder that begins with point k is deeper than ``least``."""
    if side.own.flat_ended == 0:
        return False
    half = side.own.half_lengths[2] + side.own.semi_axes[2]
    middle = point_of(side.frame, (0.0, 0.0, half if k < 208 else -half))
    h, _ = depth_at_least(side, middle, side.own.semi_axes[0], least)
    return h <= least


@step_kernel
def least_gap(side, gap):
    """The least of ``gap`` and of -h of all points."""
    count = count_of_points(side.own)
    half = count // 2 if side.own.flat_ended != 0 else count
    for begin in range(0, count, half):
        if is_end_out(side, begin, -gap):
            continue
        for k in range(begin, begin + half):
            x, radius, weight = flat_point(side, k)
            if weight > 0.0:
                h, _ = depth_at_least(side, point_of(side.frame, x), radius, -gap)
                gap = min(gap, -h)
    return gap


@step_kernel
def add_points(side, about, sums):
    """The sums (1) with those of all points; places are taken from ``about``, between the surfaces."""
    count = count_of_points(side.own)
    half = count // 2 if side.own.flat_ended != 0 else count
    for begin in range(0, count, half):
        if is_end_out(side, begin, 0.0):
            continue
        for k in range(begin, begin + half):
            x, radius, weight = flat_point(side, k)
            p = point_of(side.frame, x)
            h, n = depth_at_least(side, p, radius, 0.0)
            if h > 0.0 and weight > 0.0:
                d = plus_times(minus(p, about), 0.5 * h - radius, n)
                sums = added(sums, WEIGHT * weight * h * h * h * h, h, d)
    return sums


@step_kernel
def push_points(side, depth, low, seen, pushes):
    """Rows (2) of all points."""
    by_own, by_other = (ZERO, ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO, ZERO)
    axes = cofactors(side.frame_other.directors)
    scale = 1.0 / dot(side.frame_other.directors[0], axes[0])
    count = count_of_points(side.own)
    half = count // 2 if side.own.flat_ended != 0 else count
    for begin in range(0, count, half):
        if is_end_out(side, begin, 0.0):
            continue
        for k in range(begin, begin + half):
            x, radius, weight = flat_point(side, k)
            p = point_of(side.frame, x)
            h, n = depth_at_least(side, p, radius, 0.0)
            if h > 0.0 and weight > 0.0:
                slope = WEIGHT * weight * h * h * h * (5.0 * h - 4.0 * depth) / low
                by_own = add_weighted(by_own, -slope, x, n)
                if side.other.rigid == 0:
                    foot = minus(plus_times(p, h - radius - side.reach, n), side.frame_other.position)
                    by_other = add_weighted(by_other, slope, times(scale, turn(axes, foot)), n)
    first = seen.pushes
    add_frame_rows(side.of_b, side.frame, by_own, seen, pushes)
    if side.other.rigid == 0:
        add_frame_rows(1 - side.of_b, side.frame_other, by_other, seen, pushes)
    else:
        add_opposite(first, seen, pushes)


@step_kernel
def add_frame_rows(of_b, frame, sums, seen, pushes):
    """Rows at r and r + d_j for slopes with the sums f and X_j f."""
    rest = sums[0]
    for j in range(3):
        rest = minus(rest, sums[j + 1])
        add_push(seen, pushes, of_b, plus(frame.position, frame.directors[j]), sums[j + 1])
    add_push(seen, pushes, of_b, frame.position, rest)


# -- the pair ----------------------------------------------------------------------------------------------------------


@step_kernel
def add_side(side, about, sums):
    """The sums (1) with those of one outline."""
    return add_points(side, about, sums) if has_points(side.own, side.other) else sums


@step_kernel
def add_ends(pair, shapes, corners, grow, about, sums):
    """The sums (1) with those of both outlines of a pair."""
    frame_a, frame_b = square_frame(pair.a, pair.frame_a), square_frame(pair.b, pair.frame_b)
    sums = add_side(Side(0, pair.a, frame_a, pair.b, frame_b, shapes, corners, grow), about, sums)
    return add_side(Side(1, pair.b, frame_b, pair.a, frame_a, shapes, corners, grow), about, sums)


@step_kernel
def push_side(side, depth, low, seen, pushes):
    """Rows (2) of one outline."""
    if has_points(side.own, side.other):
        push_points(side, depth, low, seen, pushes)


@step_kernel
def push_ends(pair, shapes, corners, grow, depth, low, seen, pushes):
    """Rows (2) of both outlines of a pair."""
    frame_a, frame_b = square_frame(pair.a, pair.frame_a), square_frame(pair.b, pair.frame_b)
    push_side(Side(0, pair.a, frame_a, pair.b, frame_b, shapes, corners, grow), depth, low, seen, pushes)
    push_side(Side(1, pair.b, frame_b, pair.a, frame_a, shapes, corners, grow), depth, low, seen, pushes)


@step_kernel
def gap_of_side(side, gap):
    """The least of ``gap`` and of that of the flat sides of one outline."""
    if has_points(side.own, side.other):
        return least_gap(side, gap)
    if side.own.flat_ended != 0 and side.other.half_space != 0:
        return cylinder_gap(can_above(side.own, side.frame, side.frame_other, side.reach))
    return gap


@step_kernel
def gap_with_ends(pair, shapes, corners, found):
    """The answer of the search for domed ends with the gap of flat ones."""
    frame_a, frame_b = square_frame(pair.a, pair.frame_a), square_frame(pair.b, pair.frame_b)
    gap = gap_of_side(Side(0, pair.a, frame_a, pair.b, frame_b, shapes, corners, 0.0), found.gap)
    gap = gap_of_side(Side(1, pair.b, frame_b, pair.a, frame_a, shapes, corners, 0.0), gap)
    return Closest(gap, found.normal, found.point_a, found.point_b, found.status, found.evaluations)


@step_kernel
def on_cylinder(outline, frame, cylinder, frame_cylinder, shapes, corners, flat_b):
    """Closest points of a ball or capsule and a cylinder with flat ends, which is B when ``flat_b``.

    The distance along the axis is convex: bisection on its slope.
    """
    frame, frame_cylinder = square_frame(outline, frame), square_frame(cylinder, frame_cylinder)
    line, half = Line(frame.position, frame.directors[2]), outline.half_lengths[2]
    low, high, s = -half, half, 0.0
    near = feature_at(line, s, cylinder, frame_cylinder, shapes, corners)
    for step in range(MOST_STEPS):
        rate = dot(near.n, line.along)
        if rate == 0.0 or high - low <= 1e-16 * half:
            break
        if rate > 0.0:
            high = s
        else:
            low = s
        # the end of the axis first
        s = (-half if rate > 0.0 else half) if step == 0 else 0.5 * (low + high)
        near = feature_at(line, s, cylinder, frame_cylinder, shapes, corners)
        if step == 0 and rate * dot(near.n, line.along) >= 0.0:
            break
    p, radius = plus_times(line.origin, s, line.along), outline.semi_axes[0]
    foot, point = plus_times(p, -near.gap, near.n), plus_times(p, -radius, near.n)
    if flat_b:
        return Closest(near.gap - radius, times(-1.0, near.n), point, foot, Status.CONVERGED, 1)
    return Closest(near.gap - radius, near.n, foot, point, Status.CONVERGED, 1)

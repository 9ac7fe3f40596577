r"""Flat ends of cylinders: where they touch what is flat, and how deep.

The search for closest points asks for curved outlines, so it knows a cylinder with ends that are domed by c, a
millionth of its smaller half-width (:mod:`centrode.parts.outlines.cylinder`). By these alone a can would stand
on one point. In half spaces and polytopes cylinders have depths of their own (:mod:`cylinder_on_plane`,
:mod:`cylinder_in_faces`). In other cylinders the sums along both axes (:mod:`line_contact`) are joined by sums over the
ends,

    D = P / Q,    Q = int h^3 ds + K sum_k w_k h_k^4,    P = int h^4 ds + K sum_k w_k h_k^5,                (1)
    dD = ... + sum_k K w_k h_k^3 (5 h_k - 4 D) / Q dh_k                                                    (2)

with sum w = 1 over an end and K = 100. Standing, the stretch of the axis is as short as the overlap is deep,
int h^3 ds = d^4 / 4: the dome has a 400th of the weight. Lying, the ends are out of it, and the axis has all. What
comes in by e changes Q by e^4, so D has three continuous derivatives, as along axes.

The sum over an end is over small balls, inscribed in the end with radius c/2: 208 on five rings. Each has the depth
h = c/2 - phi with phi the distance of its middle from the other cylinder (:mod:`nearest_feature`), the one with flat
ends and sharp rims. Where h < 4/5 D a point pulls; what pulls on one side makes the other side push harder, so that
with few rings the resultant lies outside of all of them (by 15 % with three) and a can stands where it should fall.
Radii and weights of the five were chosen so that it comes to 1.003 R at most, and the mean of r^2 is 0.499 R^2, that of
a disc 0.5.

dh = n . (u_other - u_own) with n from the other outline to the point. All points of an outline move with one frame,
p = r + sum X_j d_j, so their slopes are four PUSH rows at r and r + d_j; the other one takes the opposite ones.

The gap of a pair begins where its depth does: that of two cylinders is the least of the search's and of -h of all
balls, that of a cylinder and a polytope the search's without its domes. Balls and capsules have the distance from the
flat-ended cylinder along their axes in closed form.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from centrode.dynamics.contact.cylinder_on_plane import can_above, cylinder_gap
from centrode.dynamics.contact.depth import add_frame_rows, add_opposite, add_weighted, added
from centrode.dynamics.contact.nearest_feature import MOST_STEPS, Line, feature_at, square_frame
from centrode.dynamics.contact.search import Closest, Status
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, dot, minus, norm, plus_times, times, vector
from centrode.parts.outlines.outline import Corners, Curved, Frame, Shapes, point_of
from centrode.parts.outlines.support import support_world

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
BALLS = sum(count for _, _, count, _ in RINGS)
"""Balls of all rings."""


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
def dome_of(outline):
    """By how much the ends of a cylinder are domed for the search [m]; 0: it has no flat ends."""
    return outline.semi_axes[2] if outline.flat_ended != 0 else 0.0


@step_kernel
def gap_along(pair, shapes, n):
    """Gap along the unit vector n [m], eq. (1) of :mod:`newton`; positive proves separation."""
    top, _ = support_world(pair.a, shapes, pair.frame_a, n)
    bottom, _ = support_world(pair.b, shapes, pair.frame_b, times(-1.0, n))
    return -bottom - top


@step_kernel
def sharpness(outline, frame, n):
    """How much farther a cylinder with a sharp rim reaches along n than with domed ends, H(n) of one less the other."""
    along = dot(frame.directors[2], n)
    c, radius = outline.semi_axes[2], outline.semi_axes[0]
    side = radius * norm(plus_times(n, -along, frame.directors[2]))
    return c * abs(along) + side - math.sqrt(side * side + c * c * along * along)


@step_kernel
def flat_gap(pair, shapes, corners, found):
    """Gap of a pair with cylinders, with ends as flat as its depth has them."""
    a, b = pair.a, pair.b
    frame_a, frame_b = square_frame(a, pair.frame_a), square_frame(b, pair.frame_b)
    if a.half_space != 0:
        return cylinder_gap(can_above(b, frame_b, frame_a, 0.0))
    if b.half_space != 0:
        return cylinder_gap(can_above(a, frame_a, frame_b, 0.0))
    if a.flat_ended != 0 and b.flat_ended != 0:
        gap = least_gap(Side(0, a, frame_a, b, frame_b, shapes, corners, 0.0), found.gap)
        return least_gap(Side(1, b, frame_b, a, frame_a, shapes, corners, 0.0), gap)
    if not is_faceted(a) and not is_faceted(b):
        return found.gap
    # The gap is the greatest along any direction. Domes turn that of a corner on an end away from the axis, by c / R.
    cylinder, frame = (b, frame_b) if is_faceted(a) else (a, frame_a)
    axis = frame.directors[2]
    axis = times(math.copysign(1.0, dot(axis, found.normal)), axis)
    return max(found.gap - sharpness(cylinder, frame, found.normal), gap_along(pair, shapes, axis))


# -- an end in another cylinder ----------------------------------------------------------------------------------------


@step_kernel
def end_ball(own, k):
    """Ball k of both ends: its middle in own axes, its radius, its weight."""
    c = own.semi_axes[2]
    ball, z = 0.5 * c, own.half_lengths[2] + 0.5 * c
    z = z if k < BALLS else -z
    j = k % BALLS
    ring = 0
    while j >= RINGS[ring][2]:
        j -= RINGS[ring][2]
        ring += 1
    share, weight, count, every = RINGS[ring]
    r = share * own.semi_axes[0]
    return (r * RING[every * j][0], r * RING[every * j][1], z), ball, weight / count


@step_kernel
def depth_of_ball(side, p, radius):
    """h of a ball about p, and n."""
    near = feature_at(Line(p, ZERO), 0.0, side.other, side.frame_other, side.shapes, side.corners)
    return radius + side.reach - near.gap, near.n


@step_kernel
def is_end_out(side, k):
    """Whether no point of the end that begins with ball k is inside."""
    half = side.own.half_lengths[2] + side.own.semi_axes[2]
    h, _ = depth_of_ball(side, point_of(side.frame, (0.0, 0.0, half if k < BALLS else -half)), side.own.semi_axes[0])
    return h <= 0.0


@step_kernel
def least_gap(side, gap):
    """The least of ``gap`` and of -h of all balls."""
    for k in range(2 * BALLS):
        x, radius, _ = end_ball(side.own, k)
        h, _ = depth_of_ball(side, point_of(side.frame, x), radius)
        gap = min(gap, -h)
    return gap


@step_kernel
def add_end_balls(side, about, sums):
    """The sums (1) with those of all balls; places are taken from ``about``, between the surfaces."""
    for begin in range(0, 2 * BALLS, BALLS):
        if is_end_out(side, begin):
            continue
        for k in range(begin, begin + BALLS):
            x, radius, weight = end_ball(side.own, k)
            p = point_of(side.frame, x)
            h, n = depth_of_ball(side, p, radius)
            if h > 0.0:
                d = plus_times(minus(p, about), 0.5 * h - radius, n)
                sums = added(sums, WEIGHT * weight * h * h * h * h, h, d)
    return sums


@step_kernel
def push_end_balls(side, depth, low, seen, pushes):
    """Rows (2) of all balls."""
    by_own = (ZERO, ZERO, ZERO, ZERO)
    for begin in range(0, 2 * BALLS, BALLS):
        if is_end_out(side, begin):
            continue
        for k in range(begin, begin + BALLS):
            x, radius, weight = end_ball(side.own, k)
            h, n = depth_of_ball(side, point_of(side.frame, x), radius)
            if h > 0.0:
                slope = WEIGHT * weight * h * h * h * (5.0 * h - 4.0 * depth) / low
                by_own = add_weighted(by_own, -slope, x, n)
    first = seen.pushes
    add_frame_rows(side.of_b, side.frame, by_own, seen, pushes)
    add_opposite(first, seen, pushes)


# -- balls and capsules ------------------------------------------------------------------------------------------------


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

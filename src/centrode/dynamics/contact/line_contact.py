r"""Depth of outlines that can touch along a line: a curved part along a segment, as a cylinder is.

Such an outline is the sum of a curved part E and a segment p(s), |s| <= 1. Lying on a face, its gap alone has a kink:
tilted ever so little it touches at one end or at the other, so a force at the deepest point jumps from end to end, and
a method with step control is held up at every sign of the tilt. As for capsules (:mod:`swept`) the depth is therefore
the mean along the axis, with phi(s) the gap between E at p(s) and the whole of the other outline, and h = -phi:

    D = S_4 / S_3,    S_m = int h^m ds  over the stretch s_1 .. s_2 of the axis where h > 0                (1)

phi is the signed distance of p(s) from the convex set (other) - E, hence convex along the axis: there is one stretch,
and Newton's method from outside finds its ends. The sums are Gauss' over the whole stretch, and the slopes are those of
the sums (envelope theorem: n from E to the other, x and y the touching points of both):

    dphi = n . (u_B(y) - u_A(x)),     phi' = -n . p',     ds_1 = -dphi(s_1) / phi'(s_1)                     (2)
    dD = sum_k l w_k h_k^2 (3 D - 4 h_k) / S_3 dphi_k + sum over moving ends of (dS_4/ds - D dS_3/ds) / S_3 ds   (3)

so whatever the rule leaves out makes D another function of the overlap, and never costs energy. Where both outlines
have an axis D is the mean of both, which makes A and B alike.

Faces and edges of the other outline are not told apart here, as they are for capsules: E is no ball, so that phi has no
closed form near an edge, and every value of phi is a search of its own.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from centrode.dynamics.contact.depth import add_push, place_centre
from centrode.dynamics.contact.narrow import call_closest
from centrode.dynamics.contact.nearest_feature import MOST_STEPS
from centrode.dynamics.contact.swept import NODES
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, dot, middle, minus, plus_times, put, times, vector
from centrode.parts.outlines.outline import OWN_NUMBERS, Corners, Curved, Shapes, Vector, frame_at, put_frame

HERE = 1e-13
"""Ends of the stretch are known when phi is below this part of the outline's half-width."""


class Axis(NamedTuple):
    """Points origin + s along, |s| <= 1, on which E stands, and what it is searched against.

    Attributes:
        of_b: whether the outline is B.
        closest: handle of ``find_closest``; shapes: of all outlines; room: a record ROOM, with E in it.
        other, placed: the other outline, and its frame.
        grow: take both for larger by so much [m].
    """

    origin: Vector
    along: Vector
    of_b: int
    closest: int
    shapes: Shapes
    room: np.record
    other: np.record
    placed: np.record
    grow: float


@step_kernel
def is_lined(outline):
    """Whether an outline is a curved part along a segment on own z."""
    if outline.corners != Corners.BOX or outline.curved == Curved.NONE:
        return False
    return outline.half_lengths[0] == 0.0 and outline.half_lengths[1] == 0.0


@step_kernel
def lay_part(outline, frame, room):
    """Lay the curved part of an outline alone into the room."""
    part = room.part
    part.half_space, part.corners, part.curved, part.kernel = 0, Corners.NONE, outline.curved, outline.kernel
    part.radius, part.thickness, part.rounding = outline.radius, outline.thickness, outline.rounding
    part.exponent, part.dual = outline.exponent, outline.dual
    put(part.semi_axes, 0, vector(outline.semi_axes, 0))
    for k in range(OWN_NUMBERS):
        part.own[k] = outline.own[k]
    put_frame(room.part_placed, frame)
    room.part_placed.reach = math.inf  # the answer is wanted however far it is


@step_kernel
def depth_at(axis, s, warm):
    """h = -phi at a place of the axis, n from the curved part there to the other outline, point between both."""
    room = axis.room
    put(room.part_placed.position, 0, plus_times(axis.origin, s, axis.along))
    found = call_closest(
        axis.closest,
        (
            room.part, room.part_placed, axis.other, axis.placed, axis.shapes.points, axis.shapes.handles,
            axis.shapes.faces, room, warm, math.inf,
        ),
    )  # fmt: skip
    return axis.grow - found.gap, found.normal, middle(found.point_a, found.point_b)


@step_kernel
def deep_place(axis, guess, warm):
    """A place of the axis with h > 0, the guess or one nearer to the greatest h (bisection on phi'); is there one?"""
    s, low, high = min(max(guess, -1.0), 1.0), -1.0, 1.0
    for _ in range(MOST_STEPS):
        h, n, _ = depth_at(axis, s, warm)
        if h > 0.0:
            return s, True
        if dot(n, axis.along) < 0.0:
            high = s
        else:
            low = s
        s = 0.5 * (low + high)
        if high - low <= 1e-15:
            break
    return s, False


@step_kernel
def stretch_end(axis, side, deep, warm, scale):
    """Where h = 0 between the end of the axis at ``side`` (-1 or 1) and ``deep``.

    Returns:
        s, whether it moves with the bodies (an end of the axis does not), and n and the point between both there.
    """
    s, moves = side, False
    h, n, x = depth_at(axis, s, warm)
    for _ in range(MOST_STEPS):
        rise = -side * dot(n, axis.along)  # of phi towards the end
        if h >= -HERE * scale or rise <= 0.0:
            break
        moves = True
        s += side * h / rise
        if side * (s - deep) <= 0.0:  # by round-off
            s = deep
            break
        h, n, x = depth_at(axis, s, n)
    return s, moves, n, x


@step_kernel
def add_both(axis, seen, pushes, n, x, h, slope):
    """Rows for dD = slope dphi: n at the two touching points, laid on one line so that angular momentum is kept."""
    apart = 0.5 * (axis.grow - h)
    add_push(seen, pushes, axis.of_b, plus_times(x, -apart, n), times(-slope, n))
    add_push(seen, pushes, 1 - axis.of_b, plus_times(x, apart, n), times(slope, n))


@step_kernel
def add_nodes(axis, first, last, warm, seen, pushes):
    """S_3, S_4, int h^3 s, int h^3 s^2, and the slopes of S_3 and of S_4 over the two ends of the stretch.

    Every place adds its two rows with a slope of h, by which :func:`weigh_rows` knows its depth.
    """
    length = last - first
    low, up, moment, square = 0.0, 0.0, 0.0, 0.0
    by_first, by_last = (0.0, 0.0), (0.0, 0.0)
    n = warm
    for k in range(len(NODES)):
        place, weight = NODES[k]
        s = first + place * length
        h, n, x = depth_at(axis, s, n)
        h = max(h, 0.0)
        add_both(axis, seen, pushes, n, x, h, h)
        third = h * h * h
        low += weight * length * third
        up += weight * length * third * h
        moment += weight * length * third * s
        square += weight * length * third * s * s
        rise = dot(n, axis.along)  # of h along the axis
        to_low, to_up = 3.0 * weight * length * h * h * rise, 4.0 * weight * length * third * rise
        by_first = (
            by_first[0] + (1.0 - place) * to_low - weight * third,
            by_first[1] + (1.0 - place) * to_up - weight * third * h,
        )
        by_last = (by_last[0] + place * to_low + weight * third, by_last[1] + place * to_up + weight * third * h)
    return (low, up, moment, square), by_first, by_last


@step_kernel
def weigh_rows(pushes, begin, length, depth, sum_low, share):
    """Slopes (3) of the places of the sums, from rows with a slope of h."""
    for k in range(len(NODES)):
        _, weight = NODES[k]
        row = pushes[begin + 2 * k]
        h = math.sqrt(dot(vector(row.slope, 0), vector(row.slope, 0)))
        factor = share * weight * length * h * (3.0 * depth - 4.0 * h) / sum_low
        for r in range(begin + 2 * k, begin + 2 * k + 2):
            put(pushes[r].slope, 0, times(factor, vector(pushes[r].slope, 0)))


@step_kernel
def mean_along(axis, share, guess, warm, scale, seen, pushes):
    """Add ``share`` of D along an axis, and of its slopes.

    Returns:
        middle of the stretch, mean square of the distance from it over that of the end of the axis.
    """
    deep, touches = deep_place(axis, guess, warm)
    if not touches:
        return plus_times(axis.origin, deep, axis.along), 0.0
    first, moves_first, n_first, x_first = stretch_end(axis, -1.0, deep, warm, scale)
    last, moves_last, n_last, x_last = stretch_end(axis, 1.0, deep, warm, scale)
    begin = seen.pushes
    sums, by_first, by_last = add_nodes(axis, first, last, warm, seen, pushes)
    if not sums[0] > 0.0:
        seen.pushes = begin
        return plus_times(axis.origin, deep, axis.along), 0.0
    depth = sums[1] / sums[0]
    weigh_rows(pushes, begin, last - first, depth, sums[0], share)
    # ds = -dphi / phi' with phi' = -n . p'
    if moves_first and dot(n_first, axis.along) != 0.0:
        slope = share * (by_first[1] - depth * by_first[0]) / (sums[0] * dot(n_first, axis.along))
        add_both(axis, seen, pushes, n_first, x_first, 0.0, slope)
    if moves_last and dot(n_last, axis.along) != 0.0:
        slope = share * (by_last[1] - depth * by_last[0]) / (sums[0] * dot(n_last, axis.along))
        add_both(axis, seen, pushes, n_last, x_last, 0.0, slope)
    seen.depth += share * depth
    centre = 0.5 * (first + last)
    wide = sums[3] / sums[0] - centre * (2.0 * sums[2] / sums[0] - centre)
    return plus_times(axis.origin, centre, axis.along), max(wide, 0.0)


@step_kernel
def place_on(axis, x):
    """Place of the axis that is nearest to a point."""
    return dot(minus(x, axis.origin), axis.along) / dot(axis.along, axis.along)


@step_kernel
def along_lines(closest, a, placed_a, b, placed_b, shapes, room, found, grow, seen, pushes):
    """D (1) and its slopes (3) into ``seen`` and ``pushes``; arguments as in :func:`measure.measure`."""
    seen.depth, seen.pushes, seen.points = 0.0, 0, 4
    lined_a, lined_b = is_lined(a), is_lined(b)
    share = 0.5 if lined_a and lined_b else 1.0
    scale = min(a.thickness, b.thickness)
    inside = ZERO
    put(seen.radii[0], 0, ZERO)
    put(seen.radii[1], 0, ZERO)
    for of_b in range(2):
        if not (lined_b if of_b == 1 else lined_a):
            continue
        one, placed, two, placed_two = a, placed_a, b, placed_b
        touch, warm = found.point_a, found.normal
        if of_b == 1:
            one, placed, two, placed_two = b, placed_b, a, placed_a
            touch, warm = found.point_b, times(-1.0, found.normal)
        frame = frame_at(placed)
        lay_part(one, frame, room)
        along = times(one.half_lengths[2], frame.directors[2])
        axis = Axis(frame.position, along, of_b, closest, shapes, room, two, placed_two, grow)
        place, wide = mean_along(axis, share, place_on(axis, touch), warm, scale, seen, pushes)
        inside = plus_times(inside, share, place)
        # Along each axis two points of four, whose mean square distance is that of the stretch.
        put(seen.radii[of_b], 0, times(math.sqrt(2.0 * share * wide), axis.along))
    if not seen.depth > 0.0:
        return
    place_centre(seen, pushes, inside, found.normal)
    n, centre = vector(seen.normal, 0), vector(seen.centre, 0)
    # The middle of the stretch lies on an axis; friction acts between the two surfaces.
    surface = dot(middle(found.point_a, found.point_b), n)
    put(seen.centre, 0, plus_times(centre, surface - dot(centre, n), n))
    for k in range(2):
        radius = vector(seen.radii[k], 0)
        put(seen.radii[k], 0, plus_times(radius, -dot(radius, n), n))

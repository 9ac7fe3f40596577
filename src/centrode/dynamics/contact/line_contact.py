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
have an axis the sums are over both, which makes A and B alike; s is a length in them. The flat ends of a cylinder add
sums of their own (:mod:`flat_ends`), and so S_3 and S_4 here are those of all.

Faces and edges of the other outline are not told apart here, as they are for capsules: E is no ball, so that phi has no
closed form near an edge, and every value of phi is a search of its own. But where n is the same at both ends, as above
a face, the tangents of phi there and the chord between them are one line, and what is convex has no room beside it:

    phi(s) = phi(s_1) - (s - s_1) n . p',  with the same point of E                                         (4)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from centrode.dynamics.contact.depth import NOTHING, add_push, added, spread_about
from centrode.dynamics.contact.flat_ends import Side, add_end_balls, push_end_balls
from centrode.dynamics.contact.narrow import call_closest
from centrode.dynamics.contact.nearest_feature import MOST_STEPS, square_frame
from centrode.dynamics.contact.search import Pair
from centrode.dynamics.contact.swept import NODES
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, dot, middle, minus, norm, plus, plus_times, put, times, vector
from centrode.parts.outlines.outline import OWN_NUMBERS, Corners, Curved, Shapes, Vector, frame_at, put_frame

HERE = 1e-13
"""Ends of the stretch are known when phi is below this part of the outline's half-width."""
STRAIGHT = 1e-12
"""Normals at both ends of a stretch that differ by less are one: what the search leaves of a face's normal."""


class Axis(NamedTuple):
    """Points origin + s along, |s| <= 1, on which E stands, and what it is searched against.

    Attributes:
        of_b: whether the outline is B.
        closest: handle of ``find_closest``; shapes: of all outlines; room: a record ROOM, with E in it.
        other, placed: the other outline, and its frame.
        grow: take both for larger by so much [m].
        half: half its length where nothing is deformed [m]: two axes are weighed by lengths that do not change.
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
    half: float


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
    part.half_space, part.flat_ended, part.corners = 0, 0, Corners.NONE
    part.curved, part.kernel = outline.curved, outline.kernel
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
        s, whether it moves with the bodies (an end of the axis does not), and h, n and the point between both there.
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
        h, n, x = depth_at(axis, s, n)
        if s == deep:
            break
    return s, moves, h, n, x


@step_kernel
def add_both(axis, seen, pushes, n, x, h, slope):
    """Rows for dD = slope dphi: n at the two touching points, laid on one line so that angular momentum is kept."""
    apart = 0.5 * (axis.grow - h)
    add_push(seen, pushes, axis.of_b, plus_times(x, -apart, n), times(-slope, n))
    add_push(seen, pushes, 1 - axis.of_b, plus_times(x, apart, n), times(slope, n))


class Stretch(NamedTuple):
    """What (3) asks of a stretch: its first row, its length, slopes of S_3 and S_4 over its ends, n and x there."""

    begin: int
    length: float
    by_first: tuple[float, float]
    n_first: Vector
    x_first: Vector
    by_last: tuple[float, float]
    n_last: Vector
    x_last: Vector


NO_STRETCH = Stretch(-1, 0.0, (0.0, 0.0), ZERO, ZERO, (0.0, 0.0), ZERO, ZERO)


@step_kernel
def add_stretch(axis, guess, warm, scale, about, sums, seen, pushes):
    """The sums with those along an axis, and its stretch.

    Every place adds its two rows with a slope of h, by which :func:`push_stretch` knows its depth.
    """
    deep, touches = deep_place(axis, guess, warm)
    if not touches:
        return sums, NO_STRETCH
    first, moves_first, h_first, n_first, x_first = stretch_end(axis, -1.0, deep, warm, scale)
    last, moves_last, _, n_last, x_last = stretch_end(axis, 1.0, deep, warm, scale)
    straight = norm(minus(n_last, n_first)) <= STRAIGHT
    begin, length = seen.pushes, (last - first) * axis.half
    by_first, by_last = (0.0, 0.0), (0.0, 0.0)
    n = warm
    for k in range(len(NODES)):
        place, weight = NODES[k]
        if straight:
            n, step = n_first, times(place * (last - first), axis.along)
            h = h_first + dot(n, step)
            x = plus_times(plus(x_first, step), 0.5 * (h_first - h), n)
        else:
            h, n, x = depth_at(axis, first + place * (last - first), n)
        h = max(h, 0.0)
        add_both(axis, seen, pushes, n, x, h, h)
        third = weight * h * h * h
        sums = added(sums, length * third, h, minus(x, about))
        rise = dot(n, axis.along) / axis.half  # of h along the axis
        to_low, to_up = 3.0 * weight * length * h * h * rise, 4.0 * length * third * rise
        by_first = (by_first[0] + (1.0 - place) * to_low - third, by_first[1] + (1.0 - place) * to_up - third * h)
        by_last = (by_last[0] + place * to_low + third, by_last[1] + place * to_up + third * h)
    by_first = by_first if moves_first else (0.0, 0.0)
    by_last = by_last if moves_last else (0.0, 0.0)
    return sums, Stretch(begin, length, by_first, n_first, x_first, by_last, n_last, x_last)


@step_kernel
def push_stretch(axis, stretch, depth, low, seen, pushes):
    """Slopes (3) of the places of a stretch, from rows with a slope of h, and rows for its moving ends."""
    if stretch.begin < 0:
        return
    for k in range(len(NODES)):
        _, weight = NODES[k]
        row = pushes[stretch.begin + 2 * k]
        h = norm(vector(row.slope, 0))
        factor = weight * stretch.length * h * (3.0 * depth - 4.0 * h) / low
        for r in range(stretch.begin + 2 * k, stretch.begin + 2 * k + 2):
            put(pushes[r].slope, 0, times(factor, vector(pushes[r].slope, 0)))
    # ds = -dphi / phi' with phi' = -n . p'
    rise = dot(stretch.n_first, axis.along) / axis.half
    if rise != 0.0:
        slope = (stretch.by_first[1] - depth * stretch.by_first[0]) / (low * rise)
        add_both(axis, seen, pushes, stretch.n_first, stretch.x_first, 0.0, slope)
    rise = dot(stretch.n_last, axis.along) / axis.half
    if rise != 0.0:
        slope = (stretch.by_last[1] - depth * stretch.by_last[0]) / (low * rise)
        add_both(axis, seen, pushes, stretch.n_last, stretch.x_last, 0.0, slope)


@step_kernel
def place_on(axis, x):
    """Place of the axis that is nearest to a point."""
    return dot(minus(x, axis.origin), axis.along) / dot(axis.along, axis.along)


@step_kernel
def along_lines(closest, a, placed_a, b, placed_b, shapes, room, found, grow, seen, pushes):
    """D (1) and its slopes (3) into ``seen`` and ``pushes``; arguments as in :func:`measure.measure`."""
    seen.depth, seen.pushes, seen.points = 0.0, 0, 4
    pair, about = Pair(a, frame_at(placed_a), b, frame_at(placed_b)), middle(found.point_a, found.point_b)
    scale = min(a.thickness, b.thickness)
    along_a = times(a.half_lengths[2], pair.frame_a.directors[2])
    along_b = times(b.half_lengths[2], pair.frame_b.directors[2])
    axis_a = Axis(pair.frame_a.position, along_a, 0, closest, shapes, room, b, placed_b, grow, a.half_lengths[2])
    axis_b = Axis(pair.frame_b.position, along_b, 1, closest, shapes, room, a, placed_a, grow, b.half_lengths[2])
    sums, of_a, of_b = NOTHING, NO_STRETCH, NO_STRETCH
    # Ends that are flat reach farther than those of the search: its gap, not that of the pair.
    overlaps = dot(minus(found.point_b, found.point_a), found.normal) < grow
    if overlaps and is_lined(a):
        lay_part(a, pair.frame_a, room)
        guess = place_on(axis_a, found.point_a)
        sums, of_a = add_stretch(axis_a, guess, found.normal, scale, about, sums, seen, pushes)
    if overlaps and is_lined(b):
        lay_part(b, pair.frame_b, room)
        guess = place_on(axis_b, found.point_b)
        sums, of_b = add_stretch(axis_b, guess, times(-1.0, found.normal), scale, about, sums, seen, pushes)
    cylinders = a.flat_ended != 0 and b.flat_ended != 0
    one = Side(0, a, square_frame(a, pair.frame_a), b, square_frame(b, pair.frame_b), shapes, room.points[:], grow)
    two = Side(1, b, one.frame_other, a, one.frame, shapes, room.points[:], grow)
    if cylinders:
        sums = add_end_balls(two, about, add_end_balls(one, about, sums))
    if not sums.low > 0.0:
        seen.pushes = 0
        return
    depth = sums.up / sums.low
    push_stretch(axis_a, of_a, depth, sums.low, seen, pushes)
    push_stretch(axis_b, of_b, depth, sums.low, seen, pushes)
    if cylinders:
        push_end_balls(one, depth, sums.low, seen, pushes)
        push_end_balls(two, depth, sums.low, seen, pushes)
    seen.depth = depth
    spread_about(seen, pushes, about, sums, found.normal)

"""Round outlines over a height field: their lowest places.

A smooth outline touches a triangle with normal n where it lies farthest against n, at x(-n), if that is straight above
this triangle: every triangle below the outline is asked, so what lies in a furrow touches both of its sides. Over a
ridge or a peak there may be none: x(-n1) is above another side, and x of that one above the first. Then the edge
touches, or the peak. With N = n / n_z, and G the height of x(-n) over the plane of a side, it has

    n = sum s_k N_k,     gap = max over s of sum s_k G_k / |n|,     s_k >= 0,  sum s_k = 1                  (1)

as of two convex outlines. It is climbed from the side below the middle: always towards the side that x is above then,
as far as it helps, where x lies along n from the edge of the two; on a peak some times in turn (Frank and Wolfe 1956).

A cylinder is looked at end by end, as two discs. A disc has one lowest point, and three more of its rim hold it when it
stands; on a field of one slope they are those on a plane (:func:`narrow.above_plane`). A fixed point of the rim, such
as the one straight below the axis, would not do: it is not where the side touches, and what rolls would stumble on it.
"""

from __future__ import annotations

import math
from enum import IntEnum

from centrode.dynamics.hard.grid import below, cells_about, triangle
from centrode.dynamics.hard.manifold import radial, see
from centrode.dynamics.hard.rods import half_length
from centrode.dynamics.hard.tables import borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import combined, cross, dot, minus, norm, plus_times, times, turn
from centrode.parts.outlines.outline import Shapes, frame_at
from centrode.parts.outlines.support import support_world


class Looks(IntEnum):
    """How long the place is sought at which an edge or a peak touches."""

    SIDES = 12
    """Gone to in turn: one for an edge, more for a peak."""
    HALVINGS = 48
    """Of s between two of them: to round-off."""


@step_kernel
def corner_over(hard, found, p, x, sign, reach):
    """Note a point x (world) that is less than ``reach`` above the triangle below it."""
    t = borrow_hard(hard)
    frame, outline = frame_at(t.placed[p]), t.outlines[p]
    y = turn(frame.directors, minus(x, frame.position))
    i, j, half = below(hard, outline, y)
    if i < 0:
        return found
    a, _, _, n = triangle(hard, outline, i, j, half)
    gap = dot(minus(y, a), n)
    if gap >= reach:
        return found
    normal = combined(frame.directors, n)
    return see(hard, found, plus_times(x, -0.5 * gap, normal), times(sign, normal), gap)


@step_kernel
def middle_of(hard, q, end):
    """Middle of an outline (``end`` 0), or of an end of a cylinder (1, -1)."""
    t = borrow_hard(hard)
    frame = frame_at(t.placed[q])
    if end == 0:
        return frame.position
    return plus_times(frame.position, end * half_length(t.outlines[q]), frame.directors[2])


@step_kernel
def lowest(hard, q, end, n):
    """x(-n): the point of an outline, or of the rim of an end, that lies farthest against n, world."""
    t = borrow_hard(hard)
    frame, outline = frame_at(t.placed[q]), t.outlines[q]
    down = times(-1.0, n)
    if end == 0:
        return support_world(outline, Shapes(t.points, t.outline_kernels, t.faces), frame, down)[1]
    return plus_times(middle_of(hard, q, end), outline.semi_axes[0], radial(frame.directors[2], down))


@step_kernel
def wide(hard, q, end, directors):
    """How far an outline or an end reaches from its middle: along x and y of the field, and in all [m]."""
    t = borrow_hard(hard)
    if end == 0:
        r = t.placed[q].reach
        return (r, r), r
    r, axis = t.outlines[q].semi_axes[0], frame_at(t.placed[q]).directors[2]
    x, y = dot(axis, directors[0]), dot(axis, directors[1])
    return (r * math.sqrt(max(0.0, 1.0 - x * x)), r * math.sqrt(max(0.0, 1.0 - y * y))), r


@step_kernel
def round_above(hard, found, p, q, end, sign, reach):
    """Lowest places of an outline q, or of an end, over a field p: their number behind what is ``found``.

    Also the normal of the lowest one (world, upwards), and whether it is near enough for others to matter.
    """
    t = borrow_hard(hard)
    frame, outline = frame_at(t.placed[p]), t.outlines[p]
    centre = turn(frame.directors, minus(middle_of(hard, q, end), frame.position))
    sides, radius = wide(hard, q, end, frame.directors)
    first_i, end_i, first_j, end_j = cells_about(outline, centre, sides)
    least, normal, near = math.inf, frame.directors[2], False
    for i in range(first_i, end_i):
        for j in range(first_j, end_j):
            for half in range(2):
                a, _, _, up = triangle(hard, outline, i, j, half)
                if dot(minus(centre, a), up) - radius >= reach:
                    continue
                near = True
                n = combined(frame.directors, up)
                x = lowest(hard, q, end, n)
                y = turn(frame.directors, minus(x, frame.position))
                if below(hard, outline, y) != (i, j, half):
                    continue
                gap = dot(minus(y, a), up)
                if gap < least:
                    least, normal = gap, n
                if gap < reach:
                    found = see(hard, found, plus_times(x, -0.5 * gap, n), times(sign, n), gap)
    if near and not least < reach:
        x, n, gap = on_ridge(hard, p, q, end)
        normal = n if gap < least else normal
        if gap < reach:
            found = see(hard, found, plus_times(x, -0.5 * gap, n), times(sign, n), gap)
    return found, normal, near


@step_kernel
def rim_above(hard, found, p, q, end, sign, reach):
    """Points of the rim of an end of a cylinder q over a field p; how many there are then."""
    before = found
    found, n, near = round_above(hard, found, p, q, end, sign, reach)
    if not near:
        return before
    t = borrow_hard(hard)
    axis, radius, middle = frame_at(t.placed[q]).directors[2], t.outlines[q].semi_axes[0], middle_of(hard, q, end)
    e = radial(axis, times(-1.0, n))
    f = cross(axis, e)
    for k in range(3):
        u = f if k == 0 else times(-1.0, f) if k == 1 else times(-1.0, e)
        found = corner_over(hard, found, p, plus_times(middle, radius, u), sign, reach)
    return found


@step_kernel
def on_ridge(hard, p, q, end):
    """(1): place on the outline, normal and gap; an infinite gap where the field ends."""
    t = borrow_hard(hard)
    frame, outline = frame_at(t.placed[p]), t.outlines[p]
    y = turn(frame.directors, minus(middle_of(hard, q, end), frame.position))
    nothing = frame.position, frame.directors[2], math.inf
    at = below(hard, outline, y)
    if at[0] < 0:
        return nothing
    up, level = side(hard, outline, at)
    x, y = lowest_own(hard, p, q, end, up)
    for _ in range(Looks.SIDES.value):
        at = below(hard, outline, y)
        if at[0] < 0:
            return nothing
        then, its = side(hard, outline, at)
        if not dot(y, then) - its > dot(y, up) - level:  # it is that of x already, or lies deeper: a furrow
            break
        s = between(hard, p, q, end, up, level, then, its)
        up, level = plus_times(up, s, minus(then, up)), level + s * (its - level)
        x, y = lowest_own(hard, p, q, end, up)
    at = below(hard, outline, y)
    if at[0] < 0:
        return nothing
    then, its = side(hard, outline, at)
    gap = min(dot(y, up) - level, dot(y, then) - its) / norm(up)
    return x, times(1.0 / norm(up), combined(frame.directors, up)), gap


@step_kernel
def side(hard, outline, at):
    """N of a triangle, own axes, and N . x of its points."""
    a, _, _, n = triangle(hard, outline, at[0], at[1], at[2])
    n = times(1.0 / n[2], n)
    return n, dot(n, a)


@step_kernel
def between(hard, p, q, end, n, level, m, its):
    """s of the largest gap between two sides, by the sign of its derivative."""
    low, high = 0.0, 1.0
    for _ in range(Looks.HALVINGS.value):
        s = 0.5 * (low + high)
        up = plus_times(n, s, minus(m, n))
        y = lowest_own(hard, p, q, end, up)[1]
        one, two = dot(y, n) - level, dot(y, m) - its
        if (two - one) * dot(up, up) > (one + s * (two - one)) * dot(up, minus(m, n)):
            low = s
        else:
            high = s
    return 0.5 * (low + high)


@step_kernel
def lowest_own(hard, p, q, end, up):
    """x(-n) of a normal in axes of the field, of any length: in the world and in those axes."""
    frame = frame_at(borrow_hard(hard).placed[p])
    x = lowest(hard, q, end, times(1.0 / norm(up), combined(frame.directors, up)))
    return x, turn(frame.directors, minus(x, frame.position))

"""Outlines over a height field: balls over its triangles, corners over its surface.

Heights stand on a grid; every cell is cut into two triangles along its diagonal from (i, j) to (i+1, j+1). A ball asks
all triangles below its bounds for their nearest points: those inside a face count each, so that a ball in a furrow
touches both sides; only where there is none the nearest edge or corner. Of all else the corners, ends or rims are
looked at, each against the triangle below it: edges of the field that reach between the corners of a large face are
not seen, so cells should be no smaller than the faces that lie on them are wide.
"""

from __future__ import annotations

import math

from centrode.dynamics.hard.manifold import radial, see
from centrode.dynamics.hard.tables import Shape, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import combined, cross, dot, minus, norm, plus, plus_times, times, turn, vector
from centrode.parts.outlines.outline import frame_at


@step_kernel
def grid_point(hard, outline, i, j):
    """A point of the grid in own axes [m]."""
    n, m = int(outline.own[0]), int(outline.own[1])
    height = borrow_hard(hard).heights[int(outline.own[4]) + i * m + j]
    return (i - 0.5 * (n - 1)) * outline.own[2], (j - 0.5 * (m - 1)) * outline.own[3], height


@step_kernel
def triangle(hard, outline, i, j, half):
    """Corners of a triangle of cell (i, j), counter-clockwise from above, and its upward unit normal."""
    a = grid_point(hard, outline, i, j)
    c = grid_point(hard, outline, i + 1, j + 1)
    b = grid_point(hard, outline, i + 1, j) if half == 0 else c
    d = c if half == 0 else grid_point(hard, outline, i, j + 1)
    n = cross(minus(b, a), minus(d, a))
    return a, b, d, times(1.0 / norm(n), n)


@step_kernel
def cell_of(x, count, spacing):
    """Cell along an axis in which a coordinate lies; -1 or the number of cells beyond the grid."""
    place = x / spacing + 0.5 * (count - 1)
    if not place >= 0.0:
        return -1
    return min(int(place), int(count) - 1) if place > count - 1 else int(min(place, count - 2))


@step_kernel
def above_field(hard, p, q, sign, reach):
    """Points of outline q on or near a height field p; ``sign`` -1 when q is A."""
    t = borrow_hard(hard)
    field, other, shape, outline = frame_at(t.placed[p]), frame_at(t.placed[q]), t.shapes[q], t.outlines[q]
    if shape == Shape.SPHERE:
        return ball_above(hard, 0, p, other.position, t.placed[q].reach, sign, reach)
    found = 0
    if shape == Shape.CAPSULE:
        for k in range(2):
            s = outline.half_lengths[2] if k == 0 else -outline.half_lengths[2]
            end = plus_times(other.position, s, other.directors[2])
            found = ball_above(hard, found, p, end, outline.semi_axes[0], sign, reach)
    elif shape == Shape.BOX:
        h = vector(outline.half_lengths, 0)
        for k in range(8):
            c = (h[0] if k & 1 else -h[0], h[1] if k & 2 else -h[1], h[2] if k & 4 else -h[2])
            x = plus(other.position, combined(other.directors, c))
            found = corner_over(hard, found, p, x, sign, reach)
    elif shape == Shape.HULL:
        for k in range(outline.first, outline.first + outline.count):
            x = plus(other.position, combined(other.directors, vector(t.points[k], 0)))
            found = corner_over(hard, found, p, x, sign, reach)
    elif shape == Shape.CYLINDER:
        axis, half = other.directors[2], outline.half_lengths[2] + outline.semi_axes[2]
        e = radial(axis, times(-1.0, field.directors[2]))
        f = cross(axis, e)
        for k in range(8):
            end = plus_times(other.position, half if k % 2 == 0 else -half, axis)
            angle = 0.5 * math.pi * (k // 2)
            u = plus_times(times(math.cos(angle), e), math.sin(angle), f)
            found = corner_over(hard, found, p, plus_times(end, outline.semi_axes[0], u), sign, reach)
    return found


@step_kernel
def corner_over(hard, found, p, x, sign, reach):
    """Note a point x (world) that is less than ``reach`` above the triangle below it."""
    t = borrow_hard(hard)
    frame, outline = frame_at(t.placed[p]), t.outlines[p]
    y = turn(frame.directors, minus(x, frame.position))
    i, j = cell_of(y[0], outline.own[0], outline.own[2]), cell_of(y[1], outline.own[1], outline.own[3])
    if i < 0 or j < 0 or i >= outline.own[0] - 1 or j >= outline.own[1] - 1:
        return found
    a = grid_point(hard, outline, i, j)
    half = 0 if (y[0] - a[0]) * outline.own[3] >= (y[1] - a[1]) * outline.own[2] else 1
    a, _, _, n = triangle(hard, outline, i, j, half)
    gap = dot(minus(y, a), n)
    if gap >= reach:
        return found
    normal = combined(frame.directors, n)
    return see(hard, found, plus_times(x, -0.5 * gap, normal), times(sign, normal), gap)


@step_kernel
def ball_above(hard, found, p, centre, radius, sign, reach):
    """Points of a ball on or near the field."""
    t = borrow_hard(hard)
    frame, outline = frame_at(t.placed[p]), t.outlines[p]
    y = turn(frame.directors, minus(centre, frame.position))
    far = radius + reach
    n, m = int(outline.own[0]) - 1, int(outline.own[1]) - 1
    first_i = max(0, int(math.floor((y[0] - far) / outline.own[2] + 0.5 * n)))
    end_i = min(n, int(math.floor((y[0] + far) / outline.own[2] + 0.5 * n)) + 1)
    first_j = max(0, int(math.floor((y[1] - far) / outline.own[3] + 0.5 * m)))
    end_j = min(m, int(math.floor((y[1] + far) / outline.own[3] + 0.5 * m)) + 1)
    before = found
    nearest, direction = far, (0.0, 0.0, 1.0)
    for i in range(first_i, end_i):
        for j in range(first_j, end_j):
            for half in range(2):
                a, b, c, up = triangle(hard, outline, i, j, half)
                height = dot(minus(y, a), up)
                foot = plus_times(y, -height, up)
                if inside(a, b, c, up, foot):
                    if height < far and height > -2.0 * radius:
                        gap = height - radius
                        normal = combined(frame.directors, up)
                        place = plus_times(centre, -(radius + 0.5 * gap), normal)
                        found = see(hard, found, place, times(sign, normal), gap)
                    continue
                for side in range(3):
                    u = a if side == 0 else b if side == 1 else c
                    v = b if side == 0 else c if side == 1 else a
                    e = minus(v, u)
                    s = max(0.0, min(1.0, dot(minus(y, u), e) / dot(e, e)))
                    d = minus(y, plus_times(u, s, e))
                    distance = norm(d)
                    if distance < nearest and distance > 0.0:
                        nearest, direction = distance, times(1.0 / distance, d)
    if found > before or nearest >= far or direction[2] <= 0.0:
        return found
    gap = nearest - radius
    normal = combined(frame.directors, direction)
    return see(hard, found, plus_times(centre, -(radius + 0.5 * gap), normal), times(sign, normal), gap)


@step_kernel
def inside(a, b, c, up, x):
    """Whether a point of the plane of a triangle lies in it."""
    return (
        dot(cross(minus(b, a), minus(x, a)), up) >= 0.0
        and dot(cross(minus(c, b), minus(x, b)), up) >= 0.0
        and dot(cross(minus(a, c), minus(x, c)), up) >= 0.0
    )

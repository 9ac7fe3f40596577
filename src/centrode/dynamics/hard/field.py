"""Outlines over a height field: balls over its triangles, corners and round sides over its surface.

A ball asks all triangles of the field (:mod:`grid`) below its bounds for their nearest points: those inside a face
count each, so that a ball in a furrow touches both sides; only where there is none the nearest edge or corner. Of boxes
and polyhedra the corners are looked at, each against the triangle below it, of cylinders the rims and of all other
outlines the lowest places (:mod:`rounds`): edges of the field that reach between the corners of a large face, or below
the side of a rod, are not seen, so cells should be no smaller than the faces that lie on them are wide.
"""

from __future__ import annotations

from centrode.dynamics.hard.grid import cells_about, triangle
from centrode.dynamics.hard.manifold import see
from centrode.dynamics.hard.rounds import corner_over, rim_above, round_above
from centrode.dynamics.hard.tables import Shape, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import combined, cross, dot, minus, norm, plus, plus_times, times, turn, vector
from centrode.parts.outlines.outline import frame_at


@step_kernel
def above_field(hard, p, q, sign, reach):
    """Points of outline q on or near a height field p; ``sign`` -1 when q is A."""
    t = borrow_hard(hard)
    other, shape, outline = frame_at(t.placed[q]), t.shapes[q], t.outlines[q]
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
        for end in range(2):
            found = rim_above(hard, found, p, q, 1 if end == 0 else -1, sign, reach)
    else:
        found, _, _ = round_above(hard, found, p, q, 0, sign, reach)
    return found


@step_kernel
def ball_above(hard, found, p, centre, radius, sign, reach):
    """Points of a ball on or near the field."""
    t = borrow_hard(hard)
    frame, outline = frame_at(t.placed[p]), t.outlines[p]
    y = turn(frame.directors, minus(centre, frame.position))
    far = radius + reach
    first_i, end_i, first_j, end_j = cells_about(outline, y, (far, far))
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

r"""Where friction acts in a patch of contact: nearer to its middle than the points that hold it.

The points of a pair are the corners of what two faces share, which is right for what tips: the pressure may be anywhere
between them. Friction at the corners would brake a spin by too much. Under uniform pressure the torque about the
middle c is mu N D, with D the mean distance from c over the area, and points that slide under mu lambda_i at the places

    y_i = c + k (x_i - c),     k = D / (mean |x_i - c|)                                                   (1)

give the same. k is 2/3 of a disc, 0.541 of a square, 1/2 of a line. The shift lies in the plane of the patch, so it
changes nothing but the torque about the normal n: an impulse p at y is p at x and the couple

    tau n,     tau = n . ((y - x) x p) = s_t p_s - s_s p_t,     (s_t, s_s) = y - x along tangent, across   (2)

and the velocity at y is that at x with omega_n n x (y - x) added, (-omega_n s_s, omega_n s_t). Friction opposes the
velocity where it acts, so it takes energy wherever y is.

In (1) c is the centre of the pressure, not of the area: what slides without turning is then braked along a line through
the centre of the pressure, as it must be, however the load is shared. It is that of the first sweep over the normal
impulses, lambda_n + (target - u_n) / W_nn after those of the step before have acted; at rest these are the answer.

D is summed over triangles from the middle of the area to each side: with d the distance of the line of the side and
a, b the places of its ends along it,

    \int r dA = d/6 [ s sqrt(d^2 + s^2) + d^2 asinh(s/d) ]_a^b                                            (3)

Of the load of a pair under uniform pressure, whose centre is the middle m of the area, n points take the parts

    share_i / n,     share_i = 1 + n (x_i - a) . C^-1 (m - a),     C = sum (x_i - a) (x_i - a)^T              (4)

with the mean a of the points: linear over the area, their sum is 1 and sum share_i x_i / n = m (:mod:`loads`).
"""

from __future__ import annotations

import math

from centrode.dynamics.hard.mobility import relative_velocity, tangents_of
from centrode.dynamics.hard.tables import Size, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import dot, minus, norm, plus_times, times, vector

LINE = 0.5
"""k of a line: mean over the line of the distance from its middle, in parts of that of its ends."""
DISC = 2.0 / 3.0
"""k of a disc with points on its rim."""
LEAST = 0.05
"""Of a share: points far beyond the middle still bear. Chosen; it matters where four points leave corners out."""
LEVEL = 0.99
"""Cosine between normals of one patch."""


@step_kernel
def in_plane(x, y):
    """A number that rises with the angle of a vector."""
    size = abs(x) + abs(y)
    if size == 0.0:
        return 0.0
    return y / size if x >= 0.0 else 2.0 - y / size


@step_kernel
def sort_round(hard, count, middle, u, v):
    """Points seen, in order round their mean: rows (order, along u, along v) of a spare polygon."""
    t = borrow_hard(hard)
    ring = t.polygons[2]
    for i in range(count):
        d = minus(vector(t.seen[i].place, 0), middle)
        x, y = dot(d, u), dot(d, v)
        order = in_plane(x, y)
        j = i
        while j > 0 and ring[j - 1, 0] > order:
            for c in range(3):
                ring[j, c] = ring[j - 1, c]
            j -= 1
        ring[j, 0], ring[j, 1], ring[j, 2] = order, x, y


@step_kernel
def mean_distance(ring, count):
    """Middle of the area of a polygon and the mean distance from there over it, (3); -1 where it has no area."""
    twice, mx, my, size = 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        c = ring[i, 1] * ring[j, 2] - ring[i, 2] * ring[j, 1]
        twice += c
        mx += c * (ring[i, 1] + ring[j, 1]) / 3.0
        my += c * (ring[i, 2] + ring[j, 2]) / 3.0
        size = max(size, abs(ring[i, 1]) + abs(ring[i, 2]))
    if twice <= 1e-6 * size * size:
        return 0.0, 0.0, -1.0
    mx /= twice
    my /= twice
    total = 0.0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        px, py, qx, qy = ring[i, 1] - mx, ring[i, 2] - my, ring[j, 1] - mx, ring[j, 2] - my
        ex, ey = qx - px, qy - py
        length = math.sqrt(ex * ex + ey * ey)
        if length <= 1e-9 * size:
            continue
        d = (px * qy - py * qx) / length
        if d <= 1e-9 * size:
            continue
        a, b = (px * ex + py * ey) / length, (qx * ex + qy * ey) / length
        ends = b * math.sqrt(d * d + b * b) - a * math.sqrt(d * d + a * a)
        total += d / 6.0 * (ends + d * d * (math.asinh(b / d) - math.asinh(a / d)))
    return mx, my, 2.0 * total / twice


@step_kernel
def patch_of(hard, count):
    """Middle of the patch whose corners are seen, and the mean distance from there over it [m]; -1 of a line."""
    t = borrow_hard(hard)
    count = min(count, Size.CORNERS.value)
    u, v = tangents_of(vector(t.seen[0].normal, 0))
    middle = vector(t.seen[0].place, 0)
    for i in range(1, count):
        middle = plus_times(middle, 1.0 / (i + 1.0), minus(vector(t.seen[i].place, 0), middle))
    sort_round(hard, count, middle, u, v)
    x, y, mean = mean_distance(t.polygons[2], count)
    return plus_times(plus_times(middle, x, u), y, v), mean


@step_kernel
def drawn_in(hard, count, middle, mean):
    """k of (1) for the points that were kept."""
    if mean < 0.0:
        return LINE
    t = borrow_hard(hard)
    n = vector(t.seen[0].normal, 0)
    total = 0.0
    for i in range(count):
        d = minus(vector(t.seen[i].place, 0), middle)
        total += norm(plus_times(d, -dot(d, n), n))
    return min(1.0, mean * count / total)


@step_kernel
def share_round(hard, count, middle):
    """(4) for the points that were kept."""
    t = borrow_hard(hard)
    u, v = tangents_of(vector(t.seen[0].normal, 0))
    mean = (0.0, 0.0, 0.0)
    for i in range(count):
        mean = plus_times(mean, 1.0 / count, vector(t.seen[i].place, 0))
    xx, xy, yy = 0.0, 0.0, 0.0
    for i in range(count):
        d = minus(vector(t.seen[i].place, 0), mean)
        x, y = dot(d, u), dot(d, v)
        xx, xy, yy = xx + x * x, xy + x * y, yy + y * y
    det = xx * yy - xy * xy
    if det <= 1e-9 * (xx + yy) * (xx + yy):
        return
    off = minus(middle, mean)
    x, y = dot(off, u), dot(off, v)
    slope_x, slope_y = (yy * x - xy * y) / det, (xx * y - xy * x) / det
    for i in range(count):
        d = minus(vector(t.seen[i].place, 0), mean)
        t.seen[i].share = max(LEAST, 1.0 + count * (slope_x * dot(d, u) + slope_y * dot(d, v)))


@step_kernel
def is_rim(hard, count, centre, axis, radius):
    """Whether the points kept are the rim of a cylinder, evenly: the patch is a disc."""
    t = borrow_hard(hard)
    total = (0.0, 0.0, 0.0)
    for i in range(count):
        d = minus(vector(t.seen[i].place, 0), centre)
        d = plus_times(d, -dot(d, axis), axis)
        if abs(norm(d) - radius) > 1e-2 * radius:
            return False
        total = plus_times(total, 1.0 / count, d)
    return norm(total) < 1e-2 * radius


@step_kernel
def place_friction(hard, first, end):
    """(1) for the points of one pair, ``order[first:end]``."""
    t = borrow_hard(hard)
    head = t.contacts[t.order[first]]
    level = end - first > 1
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        point.aside[0] = point.aside[1] = 0.0
        level = level and dot(vector(point.normal, 0), vector(head.normal, 0)) > LEVEL
    if not level:
        return
    centre, load = (0.0, 0.0, 0.0), 0.0
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        u, _ = relative_velocity(hard, point)
        w = max(0.0, point.impulse[0] + (point.target - dot(u, vector(point.normal, 0))) * point.per_normal)
        centre = plus_times(centre, w, vector(point.arm_b, 0))
        load += w
    if load <= 0.0:
        return
    centre = times(1.0 / load, centre)
    rest = 1.0 - t.near[head.pair].drawn
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        d = times(rest, minus(centre, vector(point.arm_b, 0)))
        point.aside[0] = dot(d, vector(point.tangent, 0))
        point.aside[1] = dot(d, vector(point.across, 0))

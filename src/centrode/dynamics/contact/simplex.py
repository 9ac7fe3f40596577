"""Points of the difference set M = {b - a} of two outlines, and the point of a simplex nearest to the origin.

Points are stored in the work array as nine numbers each: w = b - a, a, b. The nearest point of a simplex is found by
trying all its faces (15 for a tetrahedron) and keeping the nearest one whose barycentric weights are not negative: a
few more operations than Johnson's recursion, no wrong turns.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.parts.outlines.support import support_world

# Duality gap relative to the size of the pair. Polytopes reach round-off; curved outlines stop here.
TOLERANCE = 1e-11
# Gap between the bounds that still counts as an answer when the room is used up (0.4 um on a pair of cars).
ACCEPTED = 1e-7


@step_kernel
def sample(row_a, frame_a, row_b, frame_b, pool, u0, u1, u2, work, slot):
    """Point of M farthest along u into slot: w = b - a with b towards u, a towards -u. Returns w . u."""
    _, a0, a1, a2 = support_world(row_a, pool, frame_a, -u0, -u1, -u2)
    _, b0, b1, b2 = support_world(row_b, pool, frame_b, u0, u1, u2)
    at = 9 * slot
    work[at] = b0 - a0
    work[at + 1] = b1 - a1
    work[at + 2] = b2 - a2
    work[at + 3] = a0
    work[at + 4] = a1
    work[at + 5] = a2
    work[at + 6] = b0
    work[at + 7] = b1
    work[at + 8] = b2
    return work[at] * u0 + work[at + 1] * u1 + work[at + 2] * u2


@step_kernel
def dot(work, i, j):
    return work[9 * i] * work[9 * j] + work[9 * i + 1] * work[9 * j + 1] + work[9 * i + 2] * work[9 * j + 2]


@step_kernel
def nearest(work, count):
    """Nearest point to the origin of the simplex in slots 0 .. count-1.

    Returns:
        mask of the points kept, weights (4), squared distance; mask 15: the origin is inside the tetrahedron.
    """
    best = math.inf
    keep = 0
    r0 = 0.0
    r1 = 0.0
    r2 = 0.0
    r3 = 0.0
    if count == 4:
        # Origin inside: all four sub-volumes have the sign of the whole.
        v0, v1, v2, v3 = volumes(work)
        total = v0 + v1 + v2 + v3
        if total != 0.0 and v0 / total > 0.0 and v1 / total > 0.0 and v2 / total > 0.0 and v3 / total > 0.0:
            return 15, v0 / total, v1 / total, v2 / total, v3 / total, 0.0
    for mask in range(1, 1 << count):
        i = -1
        j = -1
        k = -1
        size = 0
        for b in range(count):
            if (mask >> b) & 1:
                size += 1
                if size == 1:
                    i = b
                elif size == 2:
                    j = b
                else:
                    k = b
        if size == 4:
            continue
        if size == 1:
            value = dot(work, i, i)
            wi, wj, wk = 1.0, 0.0, 0.0
        elif size == 2:
            e0 = work[9 * j] - work[9 * i]
            e1 = work[9 * j + 1] - work[9 * i + 1]
            e2 = work[9 * j + 2] - work[9 * i + 2]
            length = e0 * e0 + e1 * e1 + e2 * e2
            if length <= 0.0:
                continue
            wj = -(work[9 * i] * e0 + work[9 * i + 1] * e1 + work[9 * i + 2] * e2) / length
            wi = 1.0 - wj
            wk = 0.0
            if wi <= 0.0 or wj <= 0.0:
                continue
            p0 = work[9 * i] + wj * e0
            p1 = work[9 * i + 1] + wj * e1
            p2 = work[9 * i + 2] + wj * e2
            value = p0 * p0 + p1 * p1 + p2 * p2
        else:
            e0 = work[9 * j] - work[9 * i]
            e1 = work[9 * j + 1] - work[9 * i + 1]
            e2 = work[9 * j + 2] - work[9 * i + 2]
            f0 = work[9 * k] - work[9 * i]
            f1 = work[9 * k + 1] - work[9 * i + 1]
            f2 = work[9 * k + 2] - work[9 * i + 2]
            n0 = e1 * f2 - e2 * f1
            n1 = e2 * f0 - e0 * f2
            n2 = e0 * f1 - e1 * f0
            area = n0 * n0 + n1 * n1 + n2 * n2
            ee = e0 * e0 + e1 * e1 + e2 * e2
            ff = f0 * f0 + f1 * f1 + f2 * f2
            if area <= 1e-28 * ee * ff:
                continue
            a0 = work[9 * i]
            a1 = work[9 * i + 1]
            a2 = work[9 * i + 2]
            # Weights as ratios of areas: (origin - a) x edge against n.
            wj = -((a1 * f2 - a2 * f1) * n0 + (a2 * f0 - a0 * f2) * n1 + (a0 * f1 - a1 * f0) * n2) / area
            wk = -((e1 * a2 - e2 * a1) * n0 + (e2 * a0 - e0 * a2) * n1 + (e0 * a1 - e1 * a0) * n2) / area
            wi = 1.0 - wj - wk
            if wi <= 0.0 or wj <= 0.0 or wk <= 0.0:
                continue
            height = a0 * n0 + a1 * n1 + a2 * n2
            value = height * height / area
        if value < best:
            best = value
            keep = mask
            r0, r1, r2, r3 = _spread(i, j, k, wi, wj, wk)
    return keep, r0, r1, r2, r3, best


@step_kernel
def _spread(i, j, k, wi, wj, wk):
    """Weights of three points as weights of four slots."""
    r0 = 0.0
    r1 = 0.0
    r2 = 0.0
    r3 = 0.0
    for index, weight in ((i, wi), (j, wj), (k, wk)):
        if index == 0:
            r0 = weight
        elif index == 1:
            r1 = weight
        elif index == 2:
            r2 = weight
        elif index == 3:
            r3 = weight
    return r0, r1, r2, r3


@step_kernel
def _triple(work, i, j, k):
    """Triple product w_i . (w_j x w_k)."""
    a = 9 * i
    b = 9 * j
    c = 9 * k
    return (
        work[a] * (work[b + 1] * work[c + 2] - work[b + 2] * work[c + 1])
        + work[a + 1] * (work[b + 2] * work[c] - work[b] * work[c + 2])
        + work[a + 2] * (work[b] * work[c + 1] - work[b + 1] * work[c])
    )


@step_kernel
def volumes(work):
    """Signed volumes (times six) of the four tetrahedra from the origin, signs such that they add to the whole."""
    return _triple(work, 1, 2, 3), -_triple(work, 0, 2, 3), _triple(work, 0, 1, 3), -_triple(work, 0, 1, 2)


@step_kernel
def blend(work, i, j, k, wi, wj, wk, count):
    """Points on A and B from barycentric weights."""
    if count == 1:
        wj, wk = 0.0, 0.0
    elif count == 2:
        wk = 0.0
    i *= 9
    j *= 9
    k *= 9
    if wj == 0.0:
        j = i
    if wk == 0.0:
        k = i
    return (
        wi * work[i + 3] + wj * work[j + 3] + wk * work[k + 3],
        wi * work[i + 4] + wj * work[j + 4] + wk * work[k + 4],
        wi * work[i + 5] + wj * work[j + 5] + wk * work[k + 5],
        wi * work[i + 6] + wj * work[j + 6] + wk * work[k + 6],
        wi * work[i + 7] + wj * work[j + 7] + wk * work[k + 7],
        wi * work[i + 8] + wj * work[j + 8] + wk * work[k + 8],
    )

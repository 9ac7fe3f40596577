"""Points of the difference set M = {b - a} of two outlines, and the point of a simplex nearest to the origin.

Points are three numbers each in the work array. The set may be shrunk by a ball: if both outlines are curved everywhere
with radii of at least rho together, M is a convex core plus a ball of radius rho, and h_core = h - rho has its least
value at the same direction. Spheres, ellipsoids and capsules owe their short searches to that.

The nearest point of a simplex is found by trying all its faces (15 for a tetrahedron) and keeping the nearest one whose
barycentric weights are not negative: a few more operations than Johnson's recursion, no wrong turns.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.parts.outlines.outline import CAPSULE, KIND, POWER, SIZE, SMOOTH
from centrode.parts.outlines.support import support_own


@step_kernel
def sample(row_a, frame_a, row_b, frame_b, pool, rho, u0, u1, u2, work, slot):
    """Point of the core of M farthest along the unit vector u into a slot; returns its height w . u [m]."""
    _, x0, x1, x2 = support_own(
        row_a,
        pool,
        -(frame_a[3] * u0 + frame_a[4] * u1 + frame_a[5] * u2),
        -(frame_a[6] * u0 + frame_a[7] * u1 + frame_a[8] * u2),
        -(frame_a[9] * u0 + frame_a[10] * u1 + frame_a[11] * u2),
    )
    _, y0, y1, y2 = support_own(
        row_b,
        pool,
        frame_b[3] * u0 + frame_b[4] * u1 + frame_b[5] * u2,
        frame_b[6] * u0 + frame_b[7] * u1 + frame_b[8] * u2,
        frame_b[9] * u0 + frame_b[10] * u1 + frame_b[11] * u2,
    )
    height = 0.0
    for j in range(3):
        u = u0 if j == 0 else (u1 if j == 1 else u2)
        work[3 * slot + j] = (
            (frame_b[j] - frame_a[j])
            + (frame_b[3 + j] * y0 + frame_b[6 + j] * y1 + frame_b[9 + j] * y2)
            - (frame_a[3 + j] * x0 + frame_a[6 + j] * x1 + frame_a[9 + j] * x2)
            - rho * u
        )
        height += work[3 * slot + j] * u
    return height


@step_kernel
def least_radius(row, frame):
    """Radius of curvature that an outline has everywhere at least [m]; zero unless it is an ellipsoid or capsule.

    The image of a ball under a matrix with singular values s_1 >= s_2 >= s_3 is an ellipsoid with least radius of
    curvature s_3^2 / s_1. Singular values are bounded by Gershgorin on F^T F, exact for rotations.
    """
    kind = int(row[KIND])
    if kind == CAPSULE:
        shortest = row[SIZE]
        longest = row[SIZE]
    elif kind == SMOOTH and row[POWER] == 2.0:
        shortest = min(row[SIZE], row[SIZE + 1], row[SIZE + 2])
        longest = max(row[SIZE], row[SIZE + 1], row[SIZE + 2])
    else:
        return 0.0
    low = math.inf
    high = 0.0
    for i in range(3):
        own = 0.0
        others = 0.0
        for k in range(3):
            dot = 0.0
            for j in range(3):
                dot += frame[3 + 3 * i + j] * frame[3 + 3 * k + j]
            if i == k:
                own = dot
            else:
                others += abs(dot)
        low = min(low, own - others)
        high = max(high, own + others)
    return max(low, 0.0) * shortest * shortest / (math.sqrt(high) * longest)


@step_kernel
def dot(work, i, j):
    return work[3 * i] * work[3 * j] + work[3 * i + 1] * work[3 * j + 1] + work[3 * i + 2] * work[3 * j + 2]


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
            e0 = work[3 * j] - work[3 * i]
            e1 = work[3 * j + 1] - work[3 * i + 1]
            e2 = work[3 * j + 2] - work[3 * i + 2]
            length = e0 * e0 + e1 * e1 + e2 * e2
            if length <= 0.0:
                continue
            wj = -(work[3 * i] * e0 + work[3 * i + 1] * e1 + work[3 * i + 2] * e2) / length
            wi = 1.0 - wj
            wk = 0.0
            if wi <= 0.0 or wj <= 0.0:
                continue
            p0 = work[3 * i] + wj * e0
            p1 = work[3 * i + 1] + wj * e1
            p2 = work[3 * i + 2] + wj * e2
            value = p0 * p0 + p1 * p1 + p2 * p2
        else:
            e0 = work[3 * j] - work[3 * i]
            e1 = work[3 * j + 1] - work[3 * i + 1]
            e2 = work[3 * j + 2] - work[3 * i + 2]
            f0 = work[3 * k] - work[3 * i]
            f1 = work[3 * k + 1] - work[3 * i + 1]
            f2 = work[3 * k + 2] - work[3 * i + 2]
            n0 = e1 * f2 - e2 * f1
            n1 = e2 * f0 - e0 * f2
            n2 = e0 * f1 - e1 * f0
            area = n0 * n0 + n1 * n1 + n2 * n2
            ee = e0 * e0 + e1 * e1 + e2 * e2
            ff = f0 * f0 + f1 * f1 + f2 * f2
            if area <= 1e-28 * ee * ff:
                continue
            a0 = work[3 * i]
            a1 = work[3 * i + 1]
            a2 = work[3 * i + 2]
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
    a = 3 * i
    b = 3 * j
    c = 3 * k
    return (
        work[a] * (work[b + 1] * work[c + 2] - work[b + 2] * work[c + 1])
        + work[a + 1] * (work[b + 2] * work[c] - work[b] * work[c + 2])
        + work[a + 2] * (work[b] * work[c + 1] - work[b + 1] * work[c])
    )


@step_kernel
def volumes(work):
    """Signed volumes (times six) of the four tetrahedra from the origin, signs such that they add to the whole."""
    return _triple(work, 1, 2, 3), -_triple(work, 0, 2, 3), _triple(work, 0, 1, 3), -_triple(work, 0, 1, 2)

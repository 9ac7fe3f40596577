"""GJK: whether the difference set M = {b - a} of two outlines holds the origin (Gilbert, Johnson and Keerthi 1988).

The set may be shrunk by a ball: if both outlines are curved everywhere with radii of at least rho together, M is a
convex core plus a ball of radius rho, and h_core = h - rho has its least value at the same direction. Spheres,
ellipsoids and capsules owe their short searches to that.

The point of a simplex nearest to the origin is found by trying all its faces (15 for a tetrahedron) and keeping the
nearest one whose barycentric weights are not negative: a few more operations than Johnson's recursion, no wrong turns.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, dot, minus, norm, plus_times, put, times, turn, vector
from centrode.parts.outlines.outline import Curved, point_of
from centrode.parts.outlines.support import support_own

MOST_STEPS = 60


@step_kernel
def sample(pair, search, rho, u, slot):
    """Point of the core of M farthest along the unit vector u into a slot; returns its height w . u [m]."""
    _, x = support_own(pair.a, search.shapes, times(-1.0, turn(pair.frame_a.directors, u)))
    _, y = support_own(pair.b, search.shapes, turn(pair.frame_b.directors, u))
    w = plus_times(minus(point_of(pair.frame_b, y), point_of(pair.frame_a, x)), -rho, u)
    put(search.room.points[slot], 0, w)
    return dot(w, u)


@step_kernel
def least_radius(outline, directors):
    """Radius of curvature that an outline has everywhere at least [m]; zero unless its curved part is an ellipsoid.

    The image of a ball under a matrix with singular values s_1 >= s_2 >= s_3 is an ellipsoid with least radius of
    curvature s_3^2 / s_1. Singular values are bounded by Gershgorin on F^T F, exact for rotations.
    """
    if outline.curved != Curved.SUPERELLIPSOID or outline.exponent != 2.0:
        return 0.0
    p, q, r = vector(outline.semi_axes, 0)
    shortest = min(p, q, r)
    a, b, c = directors
    ab = abs(dot(a, b))
    ac = abs(dot(a, c))
    bc = abs(dot(b, c))
    aa, bb, cc = dot(a, a), dot(b, b), dot(c, c)
    low = min(aa - (ab + ac), bb - (ab + bc), cc - (ac + bc))
    high = max(aa + (ab + ac), bb + (ab + bc), cc + (ac + bc))
    return max(low, 0.0) * shortest * shortest / (math.sqrt(high) * max(p, q, r))


@step_kernel
def core_apart(pair, search, rho, u):
    """Whether the core of M misses the origin, starting from the direction u.

    Returns:
        apart, direction u of the proof (height of the core along it below zero), points left in the room, evaluations.
    """
    points = search.room.points
    count = 0
    size = 0.0
    distance = math.inf
    evaluations = 0
    for _ in range(MOST_STEPS):
        height = sample(pair, search, rho, u, count)
        evaluations += 1
        if height < 0.0:
            return True, u, count, evaluations
        new = vector(points[count], 0)
        size = max(size, norm(new))
        for i in range(count):
            if points[i, 0] == new[0] and points[i, 1] == new[1] and points[i, 2] == new[2]:
                return False, u, count, evaluations  # no new point: the origin is on the boundary
        keep, weights, square = nearest(points, count + 1)
        if keep == 15:
            return False, u, 4, evaluations
        if square >= distance * distance:
            return False, u, count, evaluations  # round-off has caught up
        count = 0
        v = ZERO
        for i in range(4):
            if (keep >> i) & 1:
                w = vector(points[i], 0)
                put(points[count], 0, w)
                v = plus_times(v, weights[i], w)
                count += 1
        distance = norm(v)
        if distance <= 1e-14 * size:
            break
        u = times(-1.0 / distance, v)
    return False, u, count, evaluations


@step_kernel
def nearest(points, count):
    """Nearest point to the origin of the simplex in slots 0 .. count-1.

    Returns:
        mask of the points kept, weights (4), squared distance; mask 15: the origin is inside the tetrahedron.
    """
    best = math.inf
    keep = 0
    kept = (0.0, 0.0, 0.0, 0.0)
    if count == 4:
        # Origin inside: all four sub-volumes have the sign of the whole.
        v0, v1, v2, v3 = volumes(points)
        total = v0 + v1 + v2 + v3
        if total != 0.0 and v0 / total > 0.0 and v1 / total > 0.0 and v2 / total > 0.0 and v3 / total > 0.0:
            return 15, (v0 / total, v1 / total, v2 / total, v3 / total), 0.0
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
        a = vector(points[i], 0)
        wi, wj, wk = 1.0, 0.0, 0.0
        value = dot(a, a)
        if size > 1:
            e = minus(vector(points[j], 0), a)
            ee = dot(e, e)
        if size == 2:
            if ee <= 0.0:
                continue
            wj = -dot(a, e) / ee
            wi = 1.0 - wj
            if wi <= 0.0 or wj <= 0.0:
                continue
            p = plus_times(a, wj, e)
            value = dot(p, p)
        elif size == 3:
            f = minus(vector(points[k], 0), a)
            n = cross(e, f)
            area = dot(n, n)
            if area <= 1e-28 * ee * dot(f, f):
                continue
            # Weights as ratios of areas: (origin - a) x edge against n.
            wj = -dot(cross(a, f), n) / area
            wk = -dot(cross(e, a), n) / area
            wi = 1.0 - wj - wk
            if wi <= 0.0 or wj <= 0.0 or wk <= 0.0:
                continue
            height = dot(a, n)
            value = height * height / area
        if value < best:
            best = value
            keep = mask
            kept = (
                _of_slot(0, i, j, k, wi, wj, wk),
                _of_slot(1, i, j, k, wi, wj, wk),
                _of_slot(2, i, j, k, wi, wj, wk),
                _of_slot(3, i, j, k, wi, wj, wk),
            )
    return keep, kept, best


@step_kernel
def _of_slot(slot, i, j, k, wi, wj, wk):
    """Weight of a slot among three weighted slots."""
    return wi if slot == i else (wj if slot == j else (wk if slot == k else 0.0))


@step_kernel
def _triple(points, i, j, k):
    """Triple product w_i . (w_j x w_k)."""
    return dot(vector(points[i], 0), cross(vector(points[j], 0), vector(points[k], 0)))


@step_kernel
def volumes(points):
    """Signed volumes (times six) of the four tetrahedra from the origin, signs such that they add to the whole."""
    return _triple(points, 1, 2, 3), -_triple(points, 0, 2, 3), _triple(points, 0, 1, 3), -_triple(points, 0, 1, 2)

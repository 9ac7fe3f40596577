"""Least translation of two overlapping outlines by the expanding polytope (van den Bergen 2001).

The difference set M holds the origin. An inner polytope, at first a tetrahedron, grows towards M: its face nearest to
the origin is replaced by faces to the support point along its normal. The distance of the nearest face is a lower, the
support value along its normal an upper bound of the depth; the search ends when they meet. Thin triangles are kept to
close the surface but never chosen; coplanar triangles of one flat side share their distance, and the one that holds
the foot of the origin gives the touching points.

Nearly parallel flat sides make corners of M that lie 1e-8 apart, and triangles whose normals are wrong by 1e-8. So each
face carries the error of its plane, 1e-15 of the size times longest edge^2 / area (and size / edge): a point is seen
by a face only beyond it, and a support point that is already a corner ends the hopes of a face. If no face closes the
gap between the bounds, the best translation that was *proven* (least support value met) is returned.

Work: float64 with points (9 numbers each) and faces (normal, distance), int64 with faces (three points, alive) and the
horizon (pairs of points).
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.codes import CONVERGED, ROOM_EXHAUSTED
from centrode.dynamics.contact.simplex import ACCEPTED, TOLERANCE, blend, sample, volumes
from centrode.dynamics.contact.smooth import tangents
from centrode.jit import step_kernel

MOST_POINTS = 128
MOST_FACES = 252

_FACE = 9 * MOST_POINTS  # start of face data: normal (3), distance, error of the distance; _WIDE numbers a face
_WIDE = 5
_EDGE_INT = 4 * MOST_FACES  # start of the horizon: pairs of point numbers


@step_kernel
def expand(row_a, frame_a, row_b, frame_b, pool, count, size, work, iwork, evaluations):
    """Least translation by the expanding polytope; the origin is inside M or within round-off of its boundary."""
    count, more = _complete(row_a, frame_a, row_b, frame_b, pool, count, size, work)
    evaluations += more
    if count < 4:
        return 0.0, 1.0, 0.0, 0.0, work[3], work[4], work[5], work[6], work[7], work[8], ROOM_EXHAUSTED, evaluations
    v0, v1, v2, v3 = volumes(work)
    if v0 + v1 + v2 + v3 < 0.0:  # orient: swap two points so that the faces below wind outward
        for j in range(9):
            work[j], work[9 + j] = work[9 + j], work[j]
    _set_face(work, iwork, 0, 0, 2, 1, size)
    _set_face(work, iwork, 1, 0, 1, 3, size)
    _set_face(work, iwork, 2, 0, 3, 2, size)
    _set_face(work, iwork, 3, 1, 2, 3, size)
    faces = 4
    points = 4
    chosen = 0
    lower = 0.0
    least = math.inf  # best proven translation and its direction
    p0, p1, p2 = 1.0, 0.0, 0.0
    for _ in range(3 * MOST_POINTS):
        lower = math.inf
        for face in range(faces):
            if iwork[4 * face + 3] == 1 and work[_FACE + _WIDE * face + 3] < lower:
                lower = work[_FACE + _WIDE * face + 3]
                chosen = face
        at = _FACE + _WIDE * chosen
        if points >= MOST_POINTS or lower == math.inf:
            break
        u0 = work[at]
        u1 = work[at + 1]
        u2 = work[at + 2]
        upper = sample(row_a, frame_a, row_b, frame_b, pool, u0, u1, u2, work, points)
        evaluations += 1
        if upper < least:
            least = upper
            p0, p1, p2 = u0, u1, u2
        if upper - lower <= max(TOLERANCE * size, 2.0 * work[at + 4]):
            break
        if _is_corner(work, points, size):
            work[at + 3] = math.inf  # nothing beyond this face: its plane is wrong, not M
            continue
        # Remove what the new point sees; the edges seen once are the horizon.
        horizon = 0
        seen_any = False
        for face in range(faces):
            if iwork[4 * face + 3] != 1:
                continue
            at = _FACE + _WIDE * face
            height = (
                work[at] * work[9 * points] + work[at + 1] * work[9 * points + 1] + work[at + 2] * work[9 * points + 2]
            )
            if height - work[at + 3] > work[at + 4]:
                seen_any = True
                iwork[4 * face + 3] = 0
                for edge in range(3):
                    p = iwork[4 * face + edge]
                    q = iwork[4 * face + (edge + 1) % 3]
                    twin = -1
                    for other in range(horizon):
                        if iwork[_EDGE_INT + 2 * other] == q and iwork[_EDGE_INT + 2 * other + 1] == p:
                            twin = other
                            break
                    if twin >= 0:
                        horizon -= 1
                        iwork[_EDGE_INT + 2 * twin] = iwork[_EDGE_INT + 2 * horizon]
                        iwork[_EDGE_INT + 2 * twin + 1] = iwork[_EDGE_INT + 2 * horizon + 1]
                    else:
                        iwork[_EDGE_INT + 2 * horizon] = p
                        iwork[_EDGE_INT + 2 * horizon + 1] = q
                        horizon += 1
        if not seen_any:
            work[_FACE + _WIDE * chosen + 3] = math.inf
            continue
        slot = 0
        full = False
        for edge in range(horizon):
            while slot < faces and iwork[4 * slot + 3] == 1:
                slot += 1
            if slot >= MOST_FACES:
                full = True
                break
            if slot == faces:
                faces += 1
            _set_face(work, iwork, slot, iwork[_EDGE_INT + 2 * edge], iwork[_EDGE_INT + 2 * edge + 1], points, size)
        points += 1
        if full:
            break
    # The list of faces may have changed since the last choice. A face counts only if its plane lies at the best proven
    # translation; otherwise that translation itself is the answer, with the support points along it.
    lower = math.inf
    for face in range(faces):
        if iwork[4 * face + 3] == 1 and work[_FACE + _WIDE * face + 3] < lower:
            lower = work[_FACE + _WIDE * face + 3]
            chosen = face
    if lower < math.inf and abs(least - lower) <= ACCEPTED * size:
        chosen = _face_with_foot(work, iwork, faces, chosen, lower + 1e-12 * size)
        return _face_answer(work, iwork, chosen, CONVERGED, evaluations)
    sample(row_a, frame_a, row_b, frame_b, pool, p0, p1, p2, work, 0)
    return (
        -least,
        -p0,
        -p1,
        -p2,
        work[3],
        work[4],
        work[5],
        work[6],
        work[7],
        work[8],
        ROOM_EXHAUSTED,
        evaluations,
    )


@step_kernel
def _is_corner(work, slot, size):
    """True when the point in ``slot`` is one of the points before it."""
    for k in range(slot):
        if (
            abs(work[9 * k] - work[9 * slot]) <= 1e-15 * size
            and abs(work[9 * k + 1] - work[9 * slot + 1]) <= 1e-15 * size
            and abs(work[9 * k + 2] - work[9 * slot + 2]) <= 1e-15 * size
        ):
            return True
    return False


@step_kernel
def _complete(row_a, frame_a, row_b, frame_b, pool, count, size, work):
    """Grow the simplex to a tetrahedron with volume. Returns (count, evaluations)."""
    evaluations = 0
    attempt = 0
    while count < 4:
        u0, u1, u2, more = _complete_direction(work, count, attempt)
        if not more:
            break
        sample(row_a, frame_a, row_b, frame_b, pool, u0, u1, u2, work, count)
        evaluations += 1
        attempt += 1
        if _widens(work, count, u0, u1, u2, size):
            count += 1
            attempt = 0
    return count, evaluations


@step_kernel
def _complete_direction(work, count, attempt):
    """Direction in which to look for the next corner of a tetrahedron: (u, whether there is such an attempt)."""
    if count == 1:  # any point at some distance: the six axis directions
        if attempt > 5:
            return 0.0, 0.0, 0.0, False
        sign = 1.0 if attempt % 2 == 0 else -1.0
        axis = attempt // 2
        return sign * (axis == 0), sign * (axis == 1), sign * (axis == 2), True
    e0 = work[9] - work[0]
    e1 = work[10] - work[1]
    e2 = work[11] - work[2]
    length = math.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
    if count == 2:  # off the line: a direction normal to the edge, turned in steps of 60 degrees
        if attempt > 5:
            return 0.0, 0.0, 0.0, False
        x0, x1, x2, y0, y1, y2 = tangents(e0 / length, e1 / length, e2 / length)
        c = math.cos(attempt * math.pi / 3.0)
        s = math.sin(attempt * math.pi / 3.0)
        return c * x0 + s * y0, c * x1 + s * y1, c * x2 + s * y2, True
    if attempt > 1:
        return 0.0, 0.0, 0.0, False
    f0 = work[18] - work[0]
    f1 = work[19] - work[1]
    f2 = work[20] - work[2]
    n0 = e1 * f2 - e2 * f1
    n1 = e2 * f0 - e0 * f2
    n2 = e0 * f1 - e1 * f0
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2) * (1.0 if attempt == 0 else -1.0)
    return n0 / length, n1 / length, n2 / length, True


@step_kernel
def _widens(work, count, u0, u1, u2, size):
    """True when the point in slot ``count`` adds a dimension to the simplex before it."""
    d0 = work[9 * count] - work[0]
    d1 = work[9 * count + 1] - work[1]
    d2 = work[9 * count + 2] - work[2]
    square = d0 * d0 + d1 * d1 + d2 * d2
    if count == 2:
        e0 = work[9] - work[0]
        e1 = work[10] - work[1]
        e2 = work[11] - work[2]
        along = d0 * e0 + d1 * e1 + d2 * e2
        square -= along * along / (e0 * e0 + e1 * e1 + e2 * e2)
    if count == 3:
        return abs(d0 * u0 + d1 * u1 + d2 * u2) > 1e-9 * size
    return square > 1e-12 * size * size


@step_kernel
def _set_face(work, iwork, face, i, j, k, size):
    """Store face (i, j, k), outward by winding, with its unit normal, distance and error."""
    e0 = work[9 * j] - work[9 * i]
    e1 = work[9 * j + 1] - work[9 * i + 1]
    e2 = work[9 * j + 2] - work[9 * i + 2]
    f0 = work[9 * k] - work[9 * i]
    f1 = work[9 * k + 1] - work[9 * i + 1]
    f2 = work[9 * k + 2] - work[9 * i + 2]
    n0 = e1 * f2 - e2 * f1
    n1 = e2 * f0 - e0 * f2
    n2 = e0 * f1 - e1 * f0
    area = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    iwork[4 * face] = i
    iwork[4 * face + 1] = j
    iwork[4 * face + 2] = k
    iwork[4 * face + 3] = 1
    at = _FACE + _WIDE * face
    longest = max(e0 * e0 + e1 * e1 + e2 * e2, f0 * f0 + f1 * f1 + f2 * f2)
    if area <= 1e-12 * longest or area == 0.0:
        # A sliver closes the surface but is never chosen nor seen.
        work[at] = 0.0
        work[at + 1] = 0.0
        work[at + 2] = 0.0
        work[at + 3] = math.inf
        work[at + 4] = math.inf
        return
    work[at] = n0 / area
    work[at + 1] = n1 / area
    work[at + 2] = n2 / area
    work[at + 3] = (work[9 * i] * n0 + work[9 * i + 1] * n1 + work[9 * i + 2] * n2) / area
    work[at + 4] = 1e-15 * size * max(10.0, longest / area, size / math.sqrt(longest))


@step_kernel
def _face_answer(work, iwork, face, status, evaluations):
    """Gap, normal and points from the nearest face."""
    i = iwork[4 * face]
    j = iwork[4 * face + 1]
    k = iwork[4 * face + 2]
    at = _FACE + _WIDE * face
    u0 = work[at]
    u1 = work[at + 1]
    u2 = work[at + 2]
    depth = work[at + 3]
    wi, wj, wk = _foot_weights(work, iwork, face)
    wi = max(wi, 0.0)
    wj = max(wj, 0.0)
    wk = max(wk, 0.0)
    total = wi + wj + wk
    if total <= 0.0:
        wi, wj, wk, total = 1.0, 1.0, 1.0, 3.0
    a0, a1, a2, b0, b1, b2 = blend(work, i, j, k, wi / total, wj / total, wk / total, 3)
    return -depth, -u0, -u1, -u2, a0, a1, a2, b0, b1, b2, status, evaluations


@step_kernel
def _face_with_foot(work, iwork, faces, chosen, farthest):
    """Among faces as near as the chosen one (coplanar triangles of one flat side) the one that holds the foot."""
    best = -math.inf
    for face in range(faces):
        if iwork[4 * face + 3] == 1 and work[_FACE + _WIDE * face + 3] <= farthest:
            wi, wj, wk = _foot_weights(work, iwork, face)
            worst = min(wi, wj, wk)
            if worst > best:
                best = worst
                chosen = face
    return chosen


@step_kernel
def _foot_weights(work, iwork, face):
    """Areas (times two) of the three triangles that the foot of the origin makes with the edges of a face."""
    i = iwork[4 * face]
    j = iwork[4 * face + 1]
    k = iwork[4 * face + 2]
    at = _FACE + _WIDE * face
    u0 = work[at]
    u1 = work[at + 1]
    u2 = work[at + 2]
    return (
        _area(work, j, k, u0, u1, u2),
        _area(work, k, i, u0, u1, u2),
        _area(work, i, j, u0, u1, u2),
    )


@step_kernel
def _area(work, p, q, u0, u1, u2):
    """(w_p x w_q) . u; adding any multiple of u to both points changes it by a multiple of u . (w x u) = 0."""
    p *= 9
    q *= 9
    return (
        (work[p + 1] * work[q + 2] - work[p + 2] * work[q + 1]) * u0
        + (work[p + 2] * work[q] - work[p] * work[q + 2]) * u1
        + (work[p] * work[q + 1] - work[p + 1] * work[q]) * u2
    )

"""Closest points of any two convex outlines: GJK when apart, EPA when they overlap.

Boxes, polyhedra and capsules have kinks in their support function exactly where contacts like to be (face on
face), so the Newton search of :mod:`centrode.dynamics.contact.smooth` does not apply. Both methods here use nothing
but support points of the difference set M = {b - a : a in A, b in B}:

- Gilbert, Johnson and Keerthi 1988: M does not hold the origin; its nearest point v gives gap |v| and n = v/|v|.
  Every step also gives the proven lower bound g(n) = n . w, so the search ends on a duality gap, not on a guess.
- Expanding polytope (van den Bergen 2001): M holds the origin; the nearest boundary plane of M gives the least
  translation. An inner polytope grows towards M; the distance of its nearest face is a lower, the support value
  along its normal an upper bound of the depth. For polytopes it ends after finitely many steps with the exact face,
  globally, however deep the overlap.

Chosen instead of face and edge enumeration (separating axes) because it needs no face tables, takes any F, mixes
with curved outlines, and serves as the second opinion for the smooth search.

The nearest point of a simplex is found by trying all its faces (15 for a tetrahedron) and keeping the nearest one
whose barycentric weights are not negative: a few more operations than Johnson's recursion, no wrong turns.

Work arrays: float64[WORK], int64[WORK_INT]. Points of M are stored as nine numbers w, a, b.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.codes import CONVERGED, ROOM_EXHAUSTED
from centrode.dynamics.contact.smooth import tangents
from centrode.jit import step_kernel
from centrode.parts.outlines.support import support_world

MOST_STEPS = 100
MOST_POINTS = 128
MOST_FACES = 252
# Duality gap relative to the size of the pair. Polytopes reach round-off; curved outlines stop here.
TOLERANCE = 1e-11
# Gap between the bounds that still counts as an answer when the room is used up (0.4 um on a pair of cars).
ACCEPTED = 1e-7

_FACE = 9 * MOST_POINTS  # start of face data: normal (3), distance; 4 numbers a face
_EDGE_INT = 4 * MOST_FACES  # start of the horizon: pairs of point numbers


@step_kernel
def _sample(row_a, frame_a, row_b, frame_b, pool, u0, u1, u2, work, slot):
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
def _dot(work, i, j):
    return work[9 * i] * work[9 * j] + work[9 * i + 1] * work[9 * j + 1] + work[9 * i + 2] * work[9 * j + 2]


@step_kernel
def _nearest(work, count):
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
        v0, v1, v2, v3 = _volumes(work)
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
            value = _dot(work, i, i)
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
def _volumes(work):
    """Signed volumes (times six) of the four tetrahedra from the origin, signs such that they add to the whole."""
    return _triple(work, 1, 2, 3), -_triple(work, 0, 2, 3), _triple(work, 0, 1, 3), -_triple(work, 0, 1, 2)


@step_kernel
def closest_polytope(row_a, frame_a, row_b, frame_b, pool, n0, n1, n2, work, iwork):
    """Closest points, or least translation, of two convex outlines.

    Args:
        row_a, frame_a, row_b, frame_b, pool: outline rows, outline frames, corner pool.
        n0, n1, n2: direction to start with (the last normal), world; need not be a unit vector.
        work, iwork: work arrays.

    Returns:
        gap [m], n (3) from A to B, point on A (3), point on B (3), status, evaluations.
    """
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if length < 1e-300:
        n0, n1, n2, length = 1.0, 0.0, 0.0, 1.0
    _sample(row_a, frame_a, row_b, frame_b, pool, -n0 / length, -n1 / length, -n2 / length, work, 0)
    evaluations = 1
    count = 1
    w0, w1, w2, w3 = 1.0, 0.0, 0.0, 0.0
    v0 = work[0]
    v1 = work[1]
    v2 = work[2]
    distance = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    size = distance
    inside = False
    status = ROOM_EXHAUSTED
    best_bound = -math.inf
    for _ in range(MOST_STEPS):
        if distance <= 1e-14 * size:
            inside = True
            break
        bound = -_sample(
            row_a, frame_a, row_b, frame_b, pool, -v0 / distance, -v1 / distance, -v2 / distance, work, count
        )
        evaluations += 1
        norm = math.sqrt(_dot(work, count, count))
        if norm > size:
            size = norm
        if bound > best_bound:
            best_bound = bound
        if distance - bound <= TOLERANCE * size:
            status = CONVERGED
            break
        repeated = False
        for i in range(count):
            if (
                work[9 * i] == work[9 * count]
                and work[9 * i + 1] == work[9 * count + 1]
                and work[9 * i + 2] == work[9 * count + 2]
            ):
                repeated = True
        if repeated:  # no new point: the bound cannot rise any more
            status = CONVERGED if distance - best_bound <= ACCEPTED * size else ROOM_EXHAUSTED
            break
        count += 1
        keep, w0, w1, w2, w3, square = _nearest(work, count)
        if keep == 15:
            inside = True
            break
        if square >= distance * distance:
            # Round-off has caught up: the new point brings nothing. Stay with the last simplex.
            count -= 1
            keep, w0, w1, w2, w3, square = _nearest(work, count)
            status = CONVERGED if distance - best_bound <= ACCEPTED * size else ROOM_EXHAUSTED
            break
        slot = 0
        weights = (w0, w1, w2, w3)
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        for i in range(4):
            if (keep >> i) & 1:
                for j in range(9):
                    work[9 * slot + j] = work[9 * i + j]
                if slot == 0:
                    s0 = weights[i]
                elif slot == 1:
                    s1 = weights[i]
                elif slot == 2:
                    s2 = weights[i]
                else:
                    s3 = weights[i]
                slot += 1
        count = slot
        w0, w1, w2, w3 = s0, s1, s2, s3
        v0 = w0 * work[0] + w1 * work[9] + w2 * work[18]
        v1 = w0 * work[1] + w1 * work[10] + w2 * work[19]
        v2 = w0 * work[2] + w1 * work[11] + w2 * work[20]
        if count == 1:
            v0, v1, v2 = work[0], work[1], work[2]
        distance = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    if status == ROOM_EXHAUSTED and distance - best_bound <= ACCEPTED * size:
        status = CONVERGED
    # Nearer than this the direction of v is lost to round-off; the expanding polytope decides.
    if inside or distance <= 1e-9 * size:
        return _expand(row_a, frame_a, row_b, frame_b, pool, count, size, work, iwork, evaluations)
    n0 = v0 / distance
    n1 = v1 / distance
    n2 = v2 / distance
    a0, a1, a2, b0, b1, b2 = _blend(work, 0, 1, 2, w0, w1, w2 if count > 2 else 0.0, count)
    return distance, n0, n1, n2, a0, a1, a2, b0, b1, b2, status, evaluations


@step_kernel
def _blend(work, i, j, k, wi, wj, wk, count):
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
def _complete(row_a, frame_a, row_b, frame_b, pool, count, size, work):
    """Grow the simplex to a tetrahedron with volume. Returns (count, evaluations)."""
    evaluations = 0
    attempt = 0
    while count < 4:
        u0, u1, u2, more = _complete_direction(work, count, attempt)
        if not more:
            break
        _sample(row_a, frame_a, row_b, frame_b, pool, u0, u1, u2, work, count)
        evaluations += 1
        attempt += 1
        if _widens(work, count, u0, u1, u2, size):
            count += 1
            attempt = 0
    return count, evaluations


@step_kernel
def _set_face(work, iwork, face, i, j, k):
    """Store face (i, j, k), outward by winding, with its unit normal and distance. Returns False for a sliver."""
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
    at = _FACE + 4 * face
    longest = max(e0 * e0 + e1 * e1 + e2 * e2, f0 * f0 + f1 * f1 + f2 * f2)
    if area <= 1e-13 * longest or area == 0.0:
        # A sliver closes the surface but is never chosen nor seen.
        work[at] = 0.0
        work[at + 1] = 0.0
        work[at + 2] = 0.0
        work[at + 3] = math.inf
        return False
    work[at] = n0 / area
    work[at + 1] = n1 / area
    work[at + 2] = n2 / area
    # The corner nearest to the origin gives the distance with the least cancellation.
    work[at + 3] = (work[9 * i] * n0 + work[9 * i + 1] * n1 + work[9 * i + 2] * n2) / area
    return True


@step_kernel
def _expand(row_a, frame_a, row_b, frame_b, pool, count, size, work, iwork, evaluations):
    """Least translation by the expanding polytope; the origin is inside M or within round-off of its boundary."""
    count, more = _complete(row_a, frame_a, row_b, frame_b, pool, count, size, work)
    evaluations += more
    if count < 4:
        return 0.0, 1.0, 0.0, 0.0, work[3], work[4], work[5], work[6], work[7], work[8], ROOM_EXHAUSTED, evaluations
    v0, v1, v2, v3 = _volumes(work)
    if v0 + v1 + v2 + v3 < 0.0:  # orient: swap two points so that the faces below wind outward
        for j in range(9):
            work[j], work[9 + j] = work[9 + j], work[j]
    _set_face(work, iwork, 0, 0, 2, 1)
    _set_face(work, iwork, 1, 0, 1, 3)
    _set_face(work, iwork, 2, 0, 3, 2)
    _set_face(work, iwork, 3, 1, 2, 3)
    faces = 4
    points = 4
    status = ROOM_EXHAUSTED
    chosen = 0
    lower = 0.0
    least_upper = math.inf
    while True:
        lower = math.inf
        for face in range(faces):
            if iwork[4 * face + 3] == 1 and work[_FACE + 4 * face + 3] < lower:
                lower = work[_FACE + 4 * face + 3]
                chosen = face
        at = _FACE + 4 * chosen
        if points >= MOST_POINTS:
            break
        u0 = work[at]
        u1 = work[at + 1]
        u2 = work[at + 2]
        upper = _sample(row_a, frame_a, row_b, frame_b, pool, u0, u1, u2, work, points)
        evaluations += 1
        least_upper = min(least_upper, upper)
        if upper - lower <= TOLERANCE * size:
            status = CONVERGED
            break
        # Remove what the new point sees; the edges seen once are the horizon.
        horizon = 0
        seen_any = False
        for face in range(faces):
            if iwork[4 * face + 3] != 1:
                continue
            at = _FACE + 4 * face
            height = (
                work[at] * work[9 * points] + work[at + 1] * work[9 * points + 1] + work[at + 2] * work[9 * points + 2]
            )
            if height - work[at + 3] > 1e-14 * size:
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
            status = CONVERGED if upper - lower <= ACCEPTED * size else ROOM_EXHAUSTED
            break
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
            _set_face(work, iwork, slot, iwork[_EDGE_INT + 2 * edge], iwork[_EDGE_INT + 2 * edge + 1], points)
        points += 1
        if full:
            break
    if status == ROOM_EXHAUSTED and least_upper - lower <= ACCEPTED * size:
        status = CONVERGED
    chosen = _face_with_foot(work, iwork, faces, chosen, lower + 1e-12 * size)
    return _face_answer(work, iwork, chosen, status, evaluations)


@step_kernel
def _foot_weights(work, iwork, face):
    """Areas (times two) of the three triangles that the foot of the origin makes with the edges of a face."""
    i = iwork[4 * face]
    j = iwork[4 * face + 1]
    k = iwork[4 * face + 2]
    at = _FACE + 4 * face
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


@step_kernel
def _face_with_foot(work, iwork, faces, chosen, farthest):
    """Among faces as near as the chosen one (coplanar triangles of one flat side) the one that holds the foot."""
    best = -math.inf
    for face in range(faces):
        if iwork[4 * face + 3] == 1 and work[_FACE + 4 * face + 3] <= farthest:
            wi, wj, wk = _foot_weights(work, iwork, face)
            worst = min(wi, wj, wk)
            if worst > best:
                best = worst
                chosen = face
    return chosen


@step_kernel
def _face_answer(work, iwork, face, status, evaluations):
    """Gap, normal and points from the nearest face."""
    i = iwork[4 * face]
    j = iwork[4 * face + 1]
    k = iwork[4 * face + 2]
    at = _FACE + 4 * face
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
    a0, a1, a2, b0, b1, b2 = _blend(work, i, j, k, wi / total, wj / total, wk / total, 3)
    return -depth, -u0, -u1, -u2, a0, a1, a2, b0, b1, b2, status, evaluations

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

Work arrays: float64[WORK], int64[WORK_INT]; see :mod:`simplex` and :mod:`expand`.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.codes import CONVERGED, ROOM_EXHAUSTED
from centrode.dynamics.contact.expand import expand
from centrode.dynamics.contact.simplex import ACCEPTED, TOLERANCE, blend, dot, nearest, sample
from centrode.jit import step_kernel

MOST_STEPS = 100


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
    sample(row_a, frame_a, row_b, frame_b, pool, -n0 / length, -n1 / length, -n2 / length, work, 0)
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
        bound = -sample(
            row_a, frame_a, row_b, frame_b, pool, -v0 / distance, -v1 / distance, -v2 / distance, work, count
        )
        evaluations += 1
        norm = math.sqrt(dot(work, count, count))
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
        keep, w0, w1, w2, w3, square = nearest(work, count)
        if keep == 15:
            inside = True
            break
        if square >= distance * distance:
            # Round-off has caught up: the new point brings nothing. Stay with the last simplex.
            count -= 1
            keep, w0, w1, w2, w3, square = nearest(work, count)
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
    # Without a proof of separation, or so near that the direction of v is lost to round-off, the polytope decides.
    if inside or distance <= 1e-9 * size or best_bound <= 0.0:
        return expand(row_a, frame_a, row_b, frame_b, pool, count, size, work, iwork, evaluations)
    n0 = v0 / distance
    n1 = v1 / distance
    n2 = v2 / distance
    a0, a1, a2, b0, b1, b2 = blend(work, 0, 1, 2, w0, w1, w2 if count > 2 else 0.0, count)
    return distance, n0, n1, n2, a0, a1, a2, b0, b1, b2, status, evaluations

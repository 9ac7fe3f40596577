"""Closest points of any two convex outlines, globally: separation by GJK, overlap by EPA, the answer by descent.

:mod:`descent` finds the local minimum of the support function h of the difference set M = {b - a} that belongs to a
start, exact to round-off. What is left is to find the right start:

- If both outlines are curved with radii of at least rho together, M is a core plus a ball. A minimum below rho is the
  global one (the region h - rho < 0 is convex), so most queries end after the first descent.
- Otherwise Gilbert, Johnson and Keerthi 1988 decides whether the core holds the origin. As soon as some direction
  proves that it does not, the descent from that direction is the answer.
- If it does, the expanding polytope (:mod:`expand`) tells which directions can still be better than the best one
  known, and the descent tries them until none is left.

Chosen instead of face and edge enumeration (separating axes) because it needs no face tables, takes any F and mixes
with curved outlines.

Work arrays: float64[WORK], int64[WORK_INT].
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.codes import (
    AMBIGUOUS,
    CONVERGED,
    ROOM_EXHAUSTED,
)
from centrode.dynamics.contact.descent import descend
from centrode.dynamics.contact.expand import EXPAND_ROOM, EXPLAINED, TRY, advance, begin, remember_tried
from centrode.dynamics.contact.simplex import dot, least_radius, nearest, sample
from centrode.jit import step_kernel
from centrode.parts.outlines.outline import RADIUS_BOUND

MOST_STEPS = 60
FIRST, GLOBAL, LAST = 0, 1, 2


@step_kernel
def core_apart(row_a, frame_a, row_b, frame_b, pool, rho, u0, u1, u2, work):
    """Whether the core of M misses the origin (Gilbert, Johnson and Keerthi 1988), starting from the direction u.

    Returns:
        apart, direction u (3) of the proof (height of the core along it below zero), points left in the work array,
        evaluations.
    """
    count = 0
    size = 0.0
    distance = math.inf
    evaluations = 0
    for _ in range(MOST_STEPS):
        height = sample(row_a, frame_a, row_b, frame_b, pool, rho, u0, u1, u2, work, count)
        evaluations += 1
        if height < 0.0:
            return True, u0, u1, u2, count, evaluations
        norm = math.sqrt(dot(work, count, count))
        size = max(size, norm)
        for i in range(count):
            if (
                work[3 * i] == work[3 * count]
                and work[3 * i + 1] == work[3 * count + 1]
                and work[3 * i + 2] == work[3 * count + 2]
            ):
                return False, u0, u1, u2, count, evaluations  # no new point: the origin is on the boundary
        keep, w0, w1, w2, w3, square = nearest(work, count + 1)
        if keep == 15:
            return False, u0, u1, u2, 4, evaluations
        if square >= distance * distance:
            return False, u0, u1, u2, count, evaluations  # round-off has caught up
        slot = 0
        v0 = 0.0
        v1 = 0.0
        v2 = 0.0
        for i in range(4):
            if (keep >> i) & 1:
                weight = w0 if i == 0 else (w1 if i == 1 else (w2 if i == 2 else w3))
                for j in range(3):
                    work[3 * slot + j] = work[3 * i + j]
                v0 += weight * work[3 * slot]
                v1 += weight * work[3 * slot + 1]
                v2 += weight * work[3 * slot + 2]
                slot += 1
        count = slot
        distance = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
        if distance <= 1e-14 * size:
            break
        u0 = -v0 / distance
        u1 = -v1 / distance
        u2 = -v2 / distance
    return False, u0, u1, u2, count, evaluations


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
    n0 /= length
    n1 /= length
    n2 /= length
    rho = least_radius(row_a, frame_a) + least_radius(row_b, frame_b)
    size = row_a[RADIUS_BOUND] + row_b[RADIUS_BOUND]
    gap, p0, p1, p2, status = -math.inf, n0, n1, n2, ROOM_EXHAUSTED
    a0, a1, a2, b0, b1, b2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    evaluations = 0
    stage = FIRST
    points, faces, tried, full = 4, 4, 0, False
    while True:
        trial, q0, q1, q2, c0, c1, c2, d0, d1, d2, said, spent = descend(
            row_a, frame_a, row_b, frame_b, pool, n0, n1, n2, work[EXPAND_ROOM:]
        )
        evaluations += spent
        if trial > gap:
            gap, p0, p1, p2, status = trial, q0, q1, q2, said
            a0, a1, a2, b0, b1, b2 = c0, c1, c2, d0, d1, d2
        if gap > -rho or stage == LAST:
            break
        if stage == FIRST:
            apart, u0, u1, u2, count, spent = core_apart(row_a, frame_a, row_b, frame_b, pool, rho, -p0, -p1, -p2, work)
            evaluations += spent
            if apart:
                n0, n1, n2 = -u0, -u1, -u2
                stage = LAST
                continue
            solid, u0, u1, u2, spent = begin(row_a, frame_a, row_b, frame_b, pool, rho, count, size, work, iwork)
            evaluations += spent
            if not solid:  # a flat core (crossing segments) is left along its normal
                n0, n1, n2 = -u0, -u1, -u2
                stage = LAST
                continue
            stage = GLOBAL
        tried = remember_tried(work, tried, -q0, -q1, -q2)
        verdict, u0, u1, u2, points, faces, tried, full, spent = advance(
            row_a, frame_a, row_b, frame_b, pool, rho,
            points, faces, -gap - rho, tried, EXPLAINED * size, full, size, work, iwork,
        )  # fmt: skip
        evaluations += spent
        if verdict != TRY:
            if status == CONVERGED and full:
                status = AMBIGUOUS
            break
        n0, n1, n2 = -u0, -u1, -u2
    return gap, p0, p1, p2, a0, a1, a2, b0, b1, b2, status, evaluations

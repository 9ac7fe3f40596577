"""Newton's method on the normal: closest points of two outlines without corners, as superellipsoids, under any F.

With c = r_B - r_A and central symmetry of both outlines,

    gap along n          g(n) = n.c - H_A(F_A^T n) - H_B(F_B^T n)                                       (1)
    least translation    gap  = max g(n) over |n| = 1        (> 0 distance, < 0 minus depth)            (2)
    growth factor        s    = max n.c / (H_A + H_B)        (< 1 overlap)                              (3)

(3) is the least common scale at which the outlines, blown up about their centres, touch. On directions
n = c/|c| + t1 x + t2 y (x, y normal to c) it is the unconstrained minimum of the convex function H_A + H_B of two
variables: unique for separated *and* overlapping outlines, it cannot be missed. Its normal starts (2), whose
Riemannian derivatives on the sphere are, with d = c - x_A - x_B (x: support points relative to the centres),

    grad g = d - (d.n) n,      Hess g = -(K_A + K_B + g I),   K = P F H'' F^T P.                        (4)

So (2) stays a strict maximum until the depth exceeds the sum of the radii of curvature.

Newton needs three repairs because |m|^q, q < 2, is nearly a kink at m_i = 0 (flat faces), where a plain step goes
from m to -m (2-q)/(q-1) and beyond:

- if a step would change the sign of some m_i, the curvature of that coordinate is replaced by its bound between
  m_i and 0 and the step is solved again (it then lands at zero, not beyond);
- steps that fail are cut to a quarter, not to a half;
- near the end a step is accepted when the gradient, the mismatch of the two support points in metres, falls,
  since the value is then already exact to round-off.

Symbols: n unit normal from A to B; H, X support value and point (own axes); F frame matrix; K curvature [m].
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.search import Closest, Status
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, combined, cross, dot, minus, norm, plus, plus_times, put, times, turn, vector
from centrode.parts.outlines.outline import Curved
from centrode.parts.outlines.support import curvature

MOST_EVALUATIONS = 60
# Gradient (mismatch of the support points) relative to the size of the pair. 1e-11 of metres is well below the
# sensitivity of the point to the last bit of n, a^2/delta * 2e-16 = 1e-11 m for a 2 m outline rounded 1e-4 m.
GRADIENT_TOLERANCE = 2e-11
# The growth normal is only a start; a tenth of a millimetre in the points is enough.
START_TOLERANCE = 1e-4


@step_kernel
def tangents(n):
    """Two unit vectors normal to the unit vector n and to each other (Duff et al. 2017, branch-free)."""
    sign = 1.0 if n[2] >= 0.0 else -1.0
    a = -1.0 / (sign + n[2])
    b = n[0] * n[1] * a
    return (1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]), (b, sign + n[1] * n[1] * a, -n[1])


@step_kernel
def carried_tangents(n, x):
    """Tangents at a new n from the old first tangent (Gram-Schmidt); fresh ones when they are nearly parallel."""
    x = plus_times(x, -dot(n, x), n)
    square = dot(x, x)
    if square < 0.1:
        return tangents(n)
    x = times(1.0 / math.sqrt(square), x)
    return x, cross(n, x)


@step_kernel
def stepped(n, s, factor, x, y):
    """The unit vector along n + factor (s_1 x + s_2 y), and tangents there."""
    p = plus_times(n, factor, plus(times(s[0], x), times(s[1], y)))
    p = times(1.0 / norm(p), p)
    return p, carried_tangents(p, x)


@step_kernel
def add_curved(outline, shapes, frame, side, n, x, y, at):
    """Support value of the curved part of one outline; point, curvature and bounds are noted in the evaluation."""
    if outline.curved == Curved.NONE:
        put(at.point[side], 0, ZERO)
        put(at.bound, 3 * side, ZERO)
        return 0.0
    m = turn(frame.directors, n)
    p = turn(frame.directors, x)
    q = turn(frame.directors, y)
    value, point, second, bound = curvature(outline, shapes, m)
    put(at.m, 3 * side, m)
    put(at.along_x, 3 * side, p)
    put(at.along_y, 3 * side, q)
    put(at.bound, 3 * side, bound)
    put(at.point[side], 0, combined(frame.directors, point))
    bent = turn(second, q)
    at.curvature[0] += dot(p, turn(second, p))
    at.curvature[1] += dot(p, bent)
    at.curvature[2] += dot(q, bent)
    return value


@step_kernel
def evaluate_curved(pair, shapes, n, x, y, at):
    """H_A + H_B of the curved parts at n, with everything a Newton step needs."""
    put(at.curvature, 0, ZERO)
    value = add_curved(pair.a, shapes, pair.frame_a, 0, n, x, y, at)
    return value + add_curved(pair.b, shapes, pair.frame_b, 1, n, x, y, at)


@step_kernel
def both_points(at):
    """x_A + x_B."""
    return plus(vector(at.point[0], 0), vector(at.point[1], 0))


@step_kernel
def add_bounds(k11, k12, k22, s1, s2, used, at):
    """Curvature with the bounds of the coordinates that a step s would bring to another sign; bits of those used."""
    for i in range(6):
        if (used >> i) & 1 == 0 and at.bound[i] > 0.0:
            m = at.m[i]
            p = at.along_x[i]
            r = at.along_y[i]
            if m * (m + p * s1 + r * s2) < 0.0:
                e = at.bound[i]
                k11 += e * p * p
                k12 += e * p * r
                k22 += e * r * r
                used |= 1 << i
    return k11, k12, k22, used


@step_kernel
def newton_step(k11, k12, k22, g1, g2, at):
    """Step s of K s = g, bounded where some m_i would change sign; a shift makes K positive definite.

    Returns:
        s (2), decrement g.s (twice the predicted gain).
    """
    s1 = 0.0
    s2 = 0.0
    used = 0  # bit i: coordinate i already bounded
    for _ in range(4):
        half = 0.5 * (k11 + k22)
        off = math.sqrt(0.25 * (k11 - k22) * (k11 - k22) + k12 * k12)
        lowest = half - off
        shift = 0.0
        floor = 1e-9 * (abs(half) + off) + 1e-300
        if lowest < floor:
            shift = 1e-3 * (abs(half) + off) - lowest + 1e-300
        a = k11 + shift
        b = k22 + shift
        inverse = 1.0 / (a * b - k12 * k12)
        s1 = (b * g1 - k12 * g2) * inverse
        s2 = (a * g2 - k12 * g1) * inverse
        before = used
        k11, k12, k22, used = add_bounds(k11, k12, k22, s1, s2, used, at)
        if used == before:
            break
    return (s1, s2), g1 * s1 + g2 * s2


@step_kernel
def growth(pair, search, tolerance):
    """Growth factor (3) and its normal, from a cold start.

    Args:
        pair: outlines without corners.
        search: room of the query.
        tolerance: allowed mismatch of the support points relative to the size [1].

    Returns:
        s, unit normal from A to B, status, evaluations.
    """
    at = search.room.evaluations[0]
    c = minus(pair.frame_b.position, pair.frame_a.position)
    distance = norm(c)
    if distance < 1e-12:  # centres coincide: every direction is as good; growth factor zero
        return 0.0, (1.0, 0.0, 0.0), Status.ROOM_EXHAUSTED, 0
    c = times(1.0 / distance, c)
    x, y = tangents(c)
    u = 0.0
    v = 0.0
    value = evaluate_curved(pair, search.shapes, c, x, y, at)
    evaluations = 1
    status = Status.ROOM_EXHAUSTED
    while evaluations < MOST_EVALUATIONS:
        both = both_points(at)
        g1 = -dot(x, both)
        g2 = -dot(y, both)
        length = math.sqrt(1.0 + u * u + v * v)
        if math.sqrt(g1 * g1 + g2 * g2) <= tolerance * (value / length):
            status = Status.CONVERGED
            break
        k = vector(at.curvature, 0)
        s, decrement = newton_step(k[0], k[1], k[2], g1, g2, at)
        if decrement <= 1e-15 * value:
            status = Status.POINT_UNCERTAIN
            break
        # A step may not leave the region where |n| keeps its order: far directions are reached in several steps.
        factor = min(1.0, 2.0 * length / math.sqrt(s[0] * s[0] + s[1] * s[1]))
        accepted = False
        while evaluations < MOST_EVALUATIONS and factor >= 1e-12:
            p = u + factor * s[0]
            q = v + factor * s[1]
            trial = evaluate_curved(pair, search.shapes, plus_times(plus_times(c, p, x), q, y), x, y, at)
            evaluations += 1
            accepted = trial <= value - 1e-4 * factor * decrement + 1e-15 * value
            if accepted:
                break
            factor *= 0.25
        if not accepted:  # the value of the last good point stands, its point is as good as rounding allows
            status = Status.POINT_UNCERTAIN
            break
        u = p
        v = q
        value = trial
    n = plus_times(plus_times(c, u, x), v, y)
    return distance / value, times(1.0 / norm(n), n), status, evaluations


@step_kernel
def least_translation(pair, search, n):
    """Gap (2) by Newton on the unit sphere from the start n (unit, A to B).

    Returns:
        answer, and the smallest eigenvalue of K_A + K_B + g [m] (small: a corner decides).
    """
    at = search.room.evaluations[0]
    shapes = search.shapes
    c = minus(pair.frame_b.position, pair.frame_a.position)
    x, y = tangents(n)
    support = evaluate_curved(pair, shapes, n, x, y, at)
    gap = dot(n, c) - support
    evaluations = 1
    status = Status.ROOM_EXHAUSTED
    lowest = 0.0
    while True:
        d = minus(c, both_points(at))
        g1 = dot(x, d)
        g2 = dot(y, d)
        slope = math.sqrt(g1 * g1 + g2 * g2)
        k11 = at.curvature[0] + gap
        k12 = at.curvature[1]
        k22 = at.curvature[2] + gap
        lowest = 0.5 * (k11 + k22) - math.sqrt(0.25 * (k11 - k22) * (k11 - k22) + k12 * k12)
        if slope <= GRADIENT_TOLERANCE * support:
            status = Status.CONVERGED
            break
        if evaluations >= MOST_EVALUATIONS:
            break
        s, decrement = newton_step(k11, k12, k22, g1, g2, at)
        length = math.sqrt(s[0] * s[0] + s[1] * s[1])
        if length <= 3e-16:
            status = Status.POINT_UNCERTAIN if slope > 1e-7 * support else Status.CONVERGED
            break
        factor = 0.5 / length if length > 0.5 else 1.0
        accepted = False
        while evaluations < MOST_EVALUATIONS and factor >= 1e-10:
            p, (u, v) = stepped(n, s, factor, x, y)
            support_trial = evaluate_curved(pair, shapes, p, u, v, at)
            trial = dot(p, c) - support_trial
            evaluations += 1
            gain = trial - gap
            accepted = gain >= 1e-4 * factor * decrement
            if not accepted and gain > -4e-15 * support:  # value exhausted: judge by the mismatch of the points
                d = minus(c, both_points(at))
                t1 = dot(u, d)
                t2 = dot(v, d)
                accepted = t1 * t1 + t2 * t2 < slope * slope
            if accepted:
                break
            factor *= 0.25
        if not accepted:
            support = evaluate_curved(pair, shapes, n, x, y, at)
            status = Status.CONVERGED if slope <= 1e-9 * support else Status.POINT_UNCERTAIN
            if evaluations >= MOST_EVALUATIONS and slope > 1e-7 * support:
                status = Status.ROOM_EXHAUSTED
            evaluations += 1
            break
        n = p
        x = u
        y = v
        gap = trial
        support = support_trial
    point_a = plus(pair.frame_a.position, vector(at.point[0], 0))
    point_b = minus(pair.frame_b.position, vector(at.point[1], 0))
    return Closest(gap, n, point_a, point_b, status, evaluations), lowest

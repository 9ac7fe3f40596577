"""Closest points of two smooth outlines (superellipsoids, ellipsoids, spheres under any F) by Newton on the normal.

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

from centrode.dynamics.contact.codes import CONVERGED, POINT_UNCERTAIN, ROOM_EXHAUSTED
from centrode.jit import step_kernel
from centrode.parts.outlines.superellipsoid import superellipsoid_curvature

MOST_EVALUATIONS = 60
# Gradient (mismatch of the support points) relative to the size of the pair. 1e-11 of metres is well below the
# sensitivity of the point to the last bit of n, a^2/delta * 2e-16 = 1e-11 m for a 2 m outline rounded 1e-4 m.
GRADIENT_TOLERANCE = 2e-11
# The growth normal is only a start; a tenth of a millimetre in the points is enough.
START_TOLERANCE = 1e-4

# Layout of the scratch: m (6), slopes of m along x and y (6 + 6), bound corrections (6), support points (6),
# curvature (3); outline A first, then B.
_M, _PX, _PY, _E, _X, _K = 0, 6, 12, 18, 24, 30


@step_kernel
def tangents(n0, n1, n2):
    """Two unit vectors normal to the unit vector n and to each other (Duff et al. 2017, branch-free)."""
    sign = 1.0 if n2 >= 0.0 else -1.0
    a = -1.0 / (sign + n2)
    b = n0 * n1 * a
    return 1.0 + sign * n0 * n0 * a, sign * b, -sign * n0, b, sign + n1 * n1 * a, -n1


@step_kernel
def add_outline(row, frame, at, n0, n1, n2, x0, x1, x2, y0, y1, y2, scratch):
    """Support value of one outline; its m, slopes, corrections and world support point go to the scratch."""
    for i in range(3):
        d0 = frame[3 + 3 * i]
        d1 = frame[4 + 3 * i]
        d2 = frame[5 + 3 * i]
        scratch[_M + at + i] = d0 * n0 + d1 * n1 + d2 * n2
        scratch[_PX + at + i] = d0 * x0 + d1 * x1 + d2 * x2
        scratch[_PY + at + i] = d0 * y0 + d1 * y1 + d2 * y2
    value, s0, s1, s2, h00, h01, h02, h11, h12, h22, e0, e1, e2 = superellipsoid_curvature(
        row, scratch[_M + at], scratch[_M + at + 1], scratch[_M + at + 2]
    )
    scratch[_E + at] = e0
    scratch[_E + at + 1] = e1
    scratch[_E + at + 2] = e2
    for j in range(3):
        scratch[_X + at + j] = frame[3 + j] * s0 + frame[6 + j] * s1 + frame[9 + j] * s2
    u0 = scratch[_PX + at]
    u1 = scratch[_PX + at + 1]
    u2 = scratch[_PX + at + 2]
    v0 = scratch[_PY + at]
    v1 = scratch[_PY + at + 1]
    v2 = scratch[_PY + at + 2]
    hv0 = h00 * v0 + h01 * v1 + h02 * v2
    hv1 = h01 * v0 + h11 * v1 + h12 * v2
    hv2 = h02 * v0 + h12 * v1 + h22 * v2
    scratch[_K] += h00 * u0 * u0 + h11 * u1 * u1 + h22 * u2 * u2 + 2.0 * (h01 * u0 * u1 + h02 * u0 * u2 + h12 * u1 * u2)
    scratch[_K + 1] += u0 * hv0 + u1 * hv1 + u2 * hv2
    scratch[_K + 2] += v0 * hv0 + v1 * hv1 + v2 * hv2
    return value


@step_kernel
def _evaluate(row_a, frame_a, row_b, frame_b, n0, n1, n2, x0, x1, x2, y0, y1, y2, scratch):
    """H_A + H_B at n, with everything a Newton step needs in the scratch."""
    scratch[_K] = 0.0
    scratch[_K + 1] = 0.0
    scratch[_K + 2] = 0.0
    value = add_outline(row_a, frame_a, 0, n0, n1, n2, x0, x1, x2, y0, y1, y2, scratch)
    return value + add_outline(row_b, frame_b, 3, n0, n1, n2, x0, x1, x2, y0, y1, y2, scratch)


@step_kernel
def newton_step(k11, k12, k22, g1, g2, scratch):
    """Step s of K s = g, bounded where some m_i would change sign; a shift makes K positive definite.

    Returns:
        s1, s2, decrement g.s (twice the predicted gain).
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
        changed = False
        for i in range(6):
            if (used >> i) & 1 == 0 and scratch[_E + i] > 0.0:
                m = scratch[_M + i]
                p = scratch[_PX + i]
                r = scratch[_PY + i]
                if m * (m + p * s1 + r * s2) < 0.0:
                    e = scratch[_E + i]
                    k11 += e * p * p
                    k12 += e * p * r
                    k22 += e * r * r
                    used |= 1 << i
                    changed = True
        if not changed:
            break
    return s1, s2, g1 * s1 + g2 * s2


@step_kernel
def growth(row_a, frame_a, row_b, frame_b, tolerance, scratch):
    """Growth factor (3) and its normal, from a cold start.

    Args:
        row_a, frame_a, row_b, frame_b: outline rows and outline frames.
        tolerance: allowed mismatch of the support points relative to the size [1].
        scratch: float64 work array, 40 numbers.

    Returns:
        s, n0, n1, n2 (unit, A to B), status, evaluations.
    """
    c0 = frame_b[0] - frame_a[0]
    c1 = frame_b[1] - frame_a[1]
    c2 = frame_b[2] - frame_a[2]
    distance = math.sqrt(c0 * c0 + c1 * c1 + c2 * c2)
    if distance < 1e-12:  # centres coincide: every direction is as good; growth factor zero
        return 0.0, 1.0, 0.0, 0.0, ROOM_EXHAUSTED, 0
    c0 /= distance
    c1 /= distance
    c2 /= distance
    x0, x1, x2, y0, y1, y2 = tangents(c0, c1, c2)
    u = 0.0
    v = 0.0
    value = _evaluate(row_a, frame_a, row_b, frame_b, c0, c1, c2, x0, x1, x2, y0, y1, y2, scratch)
    evaluations = 1
    status = ROOM_EXHAUSTED
    while evaluations < MOST_EVALUATIONS:
        g1 = -(
            x0 * (scratch[_X] + scratch[_X + 3])
            + x1 * (scratch[_X + 1] + scratch[_X + 4])
            + x2 * (scratch[_X + 2] + scratch[_X + 5])
        )
        g2 = -(
            y0 * (scratch[_X] + scratch[_X + 3])
            + y1 * (scratch[_X + 1] + scratch[_X + 4])
            + y2 * (scratch[_X + 2] + scratch[_X + 5])
        )
        size = value / math.sqrt(1.0 + u * u + v * v)
        slope = math.sqrt(g1 * g1 + g2 * g2)
        if slope <= tolerance * size:
            status = CONVERGED
            break
        s1, s2, decrement = newton_step(scratch[_K], scratch[_K + 1], scratch[_K + 2], g1, g2, scratch)
        if decrement <= 1e-15 * value:
            status = POINT_UNCERTAIN
            break
        accepted = False
        factor = 1.0
        # A step may not leave the region where |n| keeps its order: far directions are reached in several steps.
        length = math.sqrt(s1 * s1 + s2 * s2)
        limit = 2.0 * math.sqrt(1.0 + u * u + v * v)
        if length > limit:
            factor = limit / length
        while evaluations < MOST_EVALUATIONS:
            p = u + factor * s1
            q = v + factor * s2
            n0 = c0 + p * x0 + q * y0
            n1 = c1 + p * x1 + q * y1
            n2 = c2 + p * x2 + q * y2
            trial = _evaluate(row_a, frame_a, row_b, frame_b, n0, n1, n2, x0, x1, x2, y0, y1, y2, scratch)
            evaluations += 1
            if trial <= value - 1e-4 * factor * decrement + 1e-15 * value:
                accepted = True
                break
            factor *= 0.25
            if factor < 1e-12:
                break
        if not accepted:
            # Restore the state of the last good point: its value stands, its point is as good as rounding allows.
            status = POINT_UNCERTAIN
            break
        u = p
        v = q
        value = trial
    n0 = c0 + u * x0 + v * y0
    n1 = c1 + u * x1 + v * y1
    n2 = c2 + u * x2 + v * y2
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    return distance / value, n0 / length, n1 / length, n2 / length, status, evaluations


@step_kernel
def least_translation(row_a, frame_a, row_b, frame_b, n0, n1, n2, scratch):
    """Gap (2) by Newton on the unit sphere from the start n (unit, A to B).

    Returns:
        gap [m], n (3), support point of A (3), support point of B (3) in the world [m], status, evaluations,
        smallest eigenvalue of K_A + K_B + g [m] (small: a corner decides).
    """
    c0 = frame_b[0] - frame_a[0]
    c1 = frame_b[1] - frame_a[1]
    c2 = frame_b[2] - frame_a[2]
    x0, x1, x2, y0, y1, y2 = tangents(n0, n1, n2)
    support = _evaluate(row_a, frame_a, row_b, frame_b, n0, n1, n2, x0, x1, x2, y0, y1, y2, scratch)
    gap = n0 * c0 + n1 * c1 + n2 * c2 - support
    evaluations = 1
    status = ROOM_EXHAUSTED
    lowest = 0.0
    while True:
        d0 = c0 - scratch[_X] - scratch[_X + 3]
        d1 = c1 - scratch[_X + 1] - scratch[_X + 4]
        d2 = c2 - scratch[_X + 2] - scratch[_X + 5]
        g1 = x0 * d0 + x1 * d1 + x2 * d2
        g2 = y0 * d0 + y1 * d1 + y2 * d2
        slope = math.sqrt(g1 * g1 + g2 * g2)
        k11 = scratch[_K] + gap
        k12 = scratch[_K + 1]
        k22 = scratch[_K + 2] + gap
        half = 0.5 * (k11 + k22)
        lowest = half - math.sqrt(0.25 * (k11 - k22) * (k11 - k22) + k12 * k12)
        if slope <= GRADIENT_TOLERANCE * support:
            status = CONVERGED
            break
        if evaluations >= MOST_EVALUATIONS:
            break
        s1, s2, decrement = newton_step(k11, k12, k22, g1, g2, scratch)
        length = math.sqrt(s1 * s1 + s2 * s2)
        if length <= 3e-16:
            status = POINT_UNCERTAIN if slope > 1e-7 * support else CONVERGED
            break
        factor = 1.0
        if length > 0.5:
            factor = 0.5 / length
        accepted = False
        while evaluations < MOST_EVALUATIONS:
            p0 = n0 + factor * (s1 * x0 + s2 * y0)
            p1 = n1 + factor * (s1 * x1 + s2 * y1)
            p2 = n2 + factor * (s1 * x2 + s2 * y2)
            scale = 1.0 / math.sqrt(p0 * p0 + p1 * p1 + p2 * p2)
            p0 *= scale
            p1 *= scale
            p2 *= scale
            u0, u1, u2, v0, v1, v2 = carried_tangents(p0, p1, p2, x0, x1, x2)
            support_trial = _evaluate(row_a, frame_a, row_b, frame_b, p0, p1, p2, u0, u1, u2, v0, v1, v2, scratch)
            trial = p0 * c0 + p1 * c1 + p2 * c2 - support_trial
            evaluations += 1
            gain = trial - gap
            if gain >= 1e-4 * factor * decrement:
                accepted = True
                break
            if gain > -4e-15 * support:  # value exhausted: judge by the mismatch of the points
                d0 = c0 - scratch[_X] - scratch[_X + 3]
                d1 = c1 - scratch[_X + 1] - scratch[_X + 4]
                d2 = c2 - scratch[_X + 2] - scratch[_X + 5]
                t1 = u0 * d0 + u1 * d1 + u2 * d2
                t2 = v0 * d0 + v1 * d1 + v2 * d2
                if t1 * t1 + t2 * t2 < slope * slope:
                    accepted = True
                    break
            factor *= 0.25
            if factor < 1e-10:
                break
        if not accepted:
            support = _evaluate(row_a, frame_a, row_b, frame_b, n0, n1, n2, x0, x1, x2, y0, y1, y2, scratch)
            status = CONVERGED if slope <= 1e-9 * support else POINT_UNCERTAIN
            if evaluations >= MOST_EVALUATIONS and slope > 1e-7 * support:
                status = ROOM_EXHAUSTED
            evaluations += 1
            break
        n0, n1, n2 = p0, p1, p2
        x0, x1, x2, y0, y1, y2 = u0, u1, u2, v0, v1, v2
        gap = trial
        support = support_trial
    return (
        gap,
        n0,
        n1,
        n2,
        frame_a[0] + scratch[_X],
        frame_a[1] + scratch[_X + 1],
        frame_a[2] + scratch[_X + 2],
        frame_b[0] - scratch[_X + 3],
        frame_b[1] - scratch[_X + 4],
        frame_b[2] - scratch[_X + 5],
        status,
        evaluations,
        lowest,
    )


@step_kernel
def carried_tangents(n0, n1, n2, x0, x1, x2):
    """Tangents at a new n from the old first tangent (Gram-Schmidt); fresh ones when they are nearly parallel."""
    dot = n0 * x0 + n1 * x1 + n2 * x2
    x0 -= dot * n0
    x1 -= dot * n1
    x2 -= dot * n2
    length = x0 * x0 + x1 * x1 + x2 * x2
    if length < 0.1:
        return tangents(n0, n1, n2)
    scale = 1.0 / math.sqrt(length)
    x0 *= scale
    x1 *= scale
    x2 *= scale
    return x0, x1, x2, n1 * x2 - n2 * x1, n2 * x0 - n0 * x2, n0 * x1 - n1 * x0

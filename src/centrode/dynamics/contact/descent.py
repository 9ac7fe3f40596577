"""Least translation near a given normal, for outlines with corners: descent on a smooth part plus corners.

Every outline is a corner set plus a centrally symmetric smooth set (Minkowski sum): a superellipsoid is its centre plus
itself, a capsule its segment plus a ball, boxes and polyhedra have no smooth part. So the support function of the
difference set M = B - A is

    h(u) = H(u) + max over k of v_k . u,        gap = - min h(u) over |u| = 1,  n = -u                   (1)

with H = H_A + H_B smooth and v_k differences of corners. Where h is least, some corners are equally high: one (a corner
of the difference set touches), two (an edge) or three (a flat side), and

    x(u) + sum l_k v_k = h u,       l_k >= 0, sum l_k = 1,       x = grad H                              (2)

which also gives the touching points: the same weights on the corners of A and of B.

Method: sequential quadratic programming (Nocedal and Wright 2006, chapter 18) on the sphere. Corners met so far are
kept; with tangents T at u, b_k = T^T (x + v_k), a_k = v_k . u - max v . u and Q = T^T H'' T - h,

    min over s of  s.Q.s / 2 + max over k (a_k + b_k . s),       u <- (u + T s) / |u + T s|              (3)

is solved by trying all sets of one, two and three corners. A step that fails because a corner was unknown adds the
corner and is solved again; one that fails otherwise is cut to a quarter. Corners are linear in u, so the step onto an
edge or a flat side is exact but for the curvature of the sphere, and all converges quadratically. Superellipsoids
need the bound on the curvature of :mod:`smooth` where a coordinate would change its sign.

The answer is a local minimum of (1). It is the global one whenever h < 0 (h is convex and homogeneous, so the region
h < 0 is convex and holds one minimum), that is for all outlines apart; see :mod:`polytope` for the rest.

Symbols: u unit direction in M, from B's inside outward; h support value [m]; v corners of M [m]; l weights [1].
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.codes import CONVERGED, POINT_UNCERTAIN, ROOM_EXHAUSTED
from centrode.dynamics.contact.smooth import add_outline, carried_tangents, newton_step, tangents
from centrode.jit import step_kernel
from centrode.parts.outlines.outline import BOX, CAPSULE, KIND, RADIUS_BOUND, SIZE, SMOOTH
from centrode.parts.outlines.polyhedron import polyhedron_support

MOST_EVALUATIONS = 200
# Mismatch of the two touching points relative to the size of the pair, as in the smooth search.
GRADIENT_TOLERANCE = 2e-11
# Value still to be gained, relative to the size: some ulps of the sum of six products.
VALUE_TOLERANCE = 4e-15

_M, _PX, _PY, _E, _X, _K = 0, 6, 12, 18, 24, 30  # as in the scratch of the smooth search
_STATE = 40
_CORNER = 2 * _STATE  # corners: v (3), of A (3), of B (3), a_k, b_k (2)
_WIDE = 12
_MOST = 8
DESCENT_ROOM = _CORNER + _MOST * _WIDE


@step_kernel
def _corner(row, frame, pool, u0, u1, u2):
    """Farthest point of the corner set along u, world axes, relative to the position of the frame."""
    kind = int(row[KIND])
    if kind == SMOOTH:
        return 0.0, 0.0, 0.0
    m2 = frame[9] * u0 + frame[10] * u1 + frame[11] * u2
    if kind == CAPSULE:
        end = row[SIZE + 2] if m2 >= 0.0 else -row[SIZE + 2]
        return end * frame[9], end * frame[10], end * frame[11]
    m0 = frame[3] * u0 + frame[4] * u1 + frame[5] * u2
    m1 = frame[6] * u0 + frame[7] * u1 + frame[8] * u2
    if kind == BOX:
        x0 = row[SIZE] if m0 >= 0.0 else -row[SIZE]
        x1 = row[SIZE + 1] if m1 >= 0.0 else -row[SIZE + 1]
        x2 = row[SIZE + 2] if m2 >= 0.0 else -row[SIZE + 2]
    else:
        _, x0, x1, x2 = polyhedron_support(row, pool, m0, m1, m2)
    return (
        frame[3] * x0 + frame[6] * x1 + frame[9] * x2,
        frame[4] * x0 + frame[7] * x1 + frame[10] * x2,
        frame[5] * x0 + frame[8] * x1 + frame[11] * x2,
    )


@step_kernel
def _add_ball(radius, frame, at, n0, n1, n2, x0, x1, x2, y0, y1, y2, scratch):
    """As ``add_outline`` for the image of a ball: H = R |m|, X = R m / |m|, H'' = R (1 - m m^T / m.m) / |m|."""
    mm = 0.0
    mx = 0.0
    my = 0.0
    xx = 0.0
    xy = 0.0
    yy = 0.0
    for j in range(3):
        scratch[_X + at + j] = 0.0
    for i in range(3):
        d0 = frame[3 + 3 * i]
        d1 = frame[4 + 3 * i]
        d2 = frame[5 + 3 * i]
        m = d0 * n0 + d1 * n1 + d2 * n2
        p = d0 * x0 + d1 * x1 + d2 * x2
        q = d0 * y0 + d1 * y1 + d2 * y2
        mm += m * m
        mx += m * p
        my += m * q
        xx += p * p
        xy += p * q
        yy += q * q
        scratch[_X + at] += d0 * m
        scratch[_X + at + 1] += d1 * m
        scratch[_X + at + 2] += d2 * m
        scratch[_M + at + i] = m
        scratch[_E + at + i] = 0.0
    length = math.sqrt(mm)
    scale = radius / length
    for j in range(3):
        scratch[_X + at + j] *= scale
    scratch[_K] += scale * (xx - mx * mx / mm)
    scratch[_K + 1] += scale * (xy - mx * my / mm)
    scratch[_K + 2] += scale * (yy - my * my / mm)
    return radius * length


@step_kernel
def _smooth_part(row, frame, at, u0, u1, u2, x0, x1, x2, y0, y1, y2, scratch):
    """Support value of the smooth part; support point, curvature and bounds go to the scratch."""
    kind = int(row[KIND])
    if kind == SMOOTH:
        return add_outline(row, frame, at, u0, u1, u2, x0, x1, x2, y0, y1, y2, scratch)
    if kind == CAPSULE:
        return _add_ball(row[SIZE], frame, at, u0, u1, u2, x0, x1, x2, y0, y1, y2, scratch)
    for j in range(3):
        scratch[_X + at + j] = 0.0
        scratch[_E + at + j] = 0.0
    return 0.0


@step_kernel
def _remember(bundle, count, v0, v1, v2, a0, a1, a2, b0, b1, b2, size):
    """Add a corner of M if it is new; the lowest one makes room. Returns (count, whether it was new)."""
    slot = count
    lowest = math.inf
    for k in range(count):
        at = _WIDE * k
        if abs(bundle[at] - v0) + abs(bundle[at + 1] - v1) + abs(bundle[at + 2] - v2) <= 1e-15 * size:
            return count, False
        if count == _MOST and bundle[at + 9] < lowest:
            lowest = bundle[at + 9]
            slot = k
    at = _WIDE * slot
    bundle[at] = v0
    bundle[at + 1] = v1
    bundle[at + 2] = v2
    bundle[at + 3] = a0
    bundle[at + 4] = a1
    bundle[at + 5] = a2
    bundle[at + 6] = b0
    bundle[at + 7] = b1
    bundle[at + 8] = b2
    return min(count + 1, _MOST), True


@step_kernel
def _heights(bundle, count, u0, u1, u2, x0, x1, x2, y0, y1, y2, scratch):
    """a_k and b_k of (3) for all corners known."""
    top = -math.inf
    s0 = scratch[_X] + scratch[_X + 3]
    s1 = scratch[_X + 1] + scratch[_X + 4]
    s2 = scratch[_X + 2] + scratch[_X + 5]
    for k in range(count):
        at = _WIDE * k
        v0 = bundle[at]
        v1 = bundle[at + 1]
        v2 = bundle[at + 2]
        height = v0 * u0 + v1 * u1 + v2 * u2
        top = max(top, height)
        bundle[at + 9] = height
        bundle[at + 10] = (v0 + s0) * x0 + (v1 + s1) * x1 + (v2 + s2) * x2
        bundle[at + 11] = (v0 + s0) * y0 + (v1 + s1) * y1 + (v2 + s2) * y2
    for k in range(count):
        bundle[_WIDE * k + 9] -= top


@step_kernel
def _model(bundle, count, q11, q12, q22, s1, s2):
    """Value of the model (3)."""
    top = -math.inf
    for k in range(count):
        at = _WIDE * k
        top = max(top, bundle[at + 9] + bundle[at + 10] * s1 + bundle[at + 11] * s2)
    return 0.5 * (q11 * s1 * s1 + q22 * s2 * s2) + q12 * s1 * s2 + top


@step_kernel
def _candidate(bundle, mask, count, q11, q12, q22):
    """Stationary point of the model on the corners of a mask: (whether it is one, s (2), three corners, weights)."""
    i = -1
    j = -1
    k = -1
    for b in range(count):
        if (mask >> b) & 1:
            if i < 0:
                i = b
            elif j < 0:
                j = b
            else:
                k = b
    ai = bundle[_WIDE * i + 9]
    g1 = bundle[_WIDE * i + 10]
    g2 = bundle[_WIDE * i + 11]
    if j < 0:
        determinant = q11 * q22 - q12 * q12
        if not (q11 + q22 > 0.0 and determinant > 1e-14 * (q11 + q22) * (q11 + q22)):
            return False, 0.0, 0.0, i, j, k, 1.0, 0.0, 0.0
        return (
            True, (q12 * g2 - q22 * g1) / determinant, (q12 * g1 - q11 * g2) / determinant, i, j, k, 1.0, 0.0, 0.0
        )  # fmt: skip
    e1 = bundle[_WIDE * j + 10] - g1
    e2 = bundle[_WIDE * j + 11] - g2
    ea = bundle[_WIDE * j + 9] - ai
    square = e1 * e1 + e2 * e2
    if k < 0:
        # on the line ea + e.s = 0: s = s0 + t d with d normal to e
        if square <= 1e-300:
            return False, 0.0, 0.0, i, j, k, 1.0, 0.0, 0.0
        c1 = -ea * e1 / square
        c2 = -ea * e2 / square
        length = math.sqrt(square)
        d1 = -e2 / length
        d2 = e1 / length
        curvature = q11 * d1 * d1 + 2.0 * q12 * d1 * d2 + q22 * d2 * d2
        if not curvature > 1e-14 * (abs(q11) + abs(q22)):
            return False, 0.0, 0.0, i, j, k, 1.0, 0.0, 0.0
        slope = d1 * (g1 + q11 * c1 + q12 * c2) + d2 * (g2 + q12 * c1 + q22 * c2)
        s1 = c1 - slope / curvature * d1
        s2 = c2 - slope / curvature * d2
        # Q s + b_i + w e = 0, taken along e
        w = -(e1 * (q11 * s1 + q12 * s2 + g1) + e2 * (q12 * s1 + q22 * s2 + g2)) / square
        return w > -1e-9 and w < 1.0 + 1e-9, s1, s2, i, j, k, 1.0 - w, w, 0.0
    f1 = bundle[_WIDE * k + 10] - g1
    f2 = bundle[_WIDE * k + 11] - g2
    fa = bundle[_WIDE * k + 9] - ai
    area = e1 * f2 - e2 * f1
    if abs(area) <= 1e-13 * math.sqrt(square * (f1 * f1 + f2 * f2)) or area == 0.0:
        return False, 0.0, 0.0, i, j, k, 1.0, 0.0, 0.0
    s1 = (fa * e2 - ea * f2) / area
    s2 = (ea * f1 - fa * e1) / area
    r1 = -(q11 * s1 + q12 * s2 + g1)
    r2 = -(q12 * s1 + q22 * s2 + g2)
    wj = (r1 * f2 - r2 * f1) / area
    wk = (e1 * r2 - e2 * r1) / area
    return wj > -1e-9 and wk > -1e-9 and wj + wk < 1.0 + 1e-9, s1, s2, i, j, k, 1.0 - wj - wk, wj, wk


@step_kernel
def _made_definite(q11, q12, q22, size):
    """Q with the magnitudes of its eigenvalues: steps along falling curvature keep their natural length."""
    if q11 > 0.0 and q11 * q22 - q12 * q12 > 1e-12 * (q11 + q22) * (q11 + q22):
        return q11, q12, q22
    d1, d2, low = _weakest_of_all(q11, q12, q22)
    high = q11 + q22 - low
    floor = 1e-9 * size + 1e-9 * abs(high)
    low = max(abs(low), floor)
    high = max(abs(high), floor)
    return low * d1 * d1 + high * d2 * d2, (low - high) * d1 * d2, low * d2 * d2 + high * d1 * d1


@step_kernel
def _weakest_of_all(q11, q12, q22):
    """Unit eigenvector (2) of the lower eigenvalue, and the eigenvalue."""
    half = 0.5 * (q11 - q22)
    off = math.sqrt(half * half + q12 * q12)
    d1 = -q12 if half >= 0.0 else off - half
    d2 = half + off if half >= 0.0 else -q12
    length = math.sqrt(d1 * d1 + d2 * d2)
    if length <= 1e-300:
        return 1.0, 0.0, q11
    return d1 / length, d2 / length, 0.5 * (q11 + q22) - off


@step_kernel
def _step(bundle, count, k11, k12, k22, careful, size, scratch):
    """Solve (3); a shift makes Q positive definite where no stationary point is found, or when told to be careful.

    With Q positive definite the lowest candidate is the answer. Otherwise several may be stationary, and the nearest
    one below the present value is meant: the others lie behind a ridge.

    Returns:
        s (2), corners (3) and their weights (3).
    """
    s1, s2, i, j, k, wi, wj, wk = 0.0, 0.0, 0, -1, -1, 1.0, 0.0, 0.0
    used = 0
    for _ in range(4):
        q11 = k11
        q12 = k12
        q22 = k22
        definite = q11 + q22 > 0.0 and q11 * q22 - q12 * q12 > 0.0
        for attempt in range(1 if careful else 0, 3):
            best = math.inf
            if attempt == 1:
                q11, q12, q22 = _made_definite(q11, q12, q22, size)
            for mask in range(1, 1 << count):
                rest = mask & (mask - 1)
                rest &= rest - 1
                if rest & (rest - 1) != 0:  # more than three corners
                    continue
                good, t1, t2, a, b, c, va, vb, vc = _candidate(bundle, mask, count, q11, q12, q22)
                if good:
                    value = _model(bundle, count, q11, q12, q22, t1, t2)
                    at = _WIDE * a
                    own = bundle[at + 9] + bundle[at + 10] * t1 + bundle[at + 11] * t2
                    own += 0.5 * (q11 * t1 * t1 + q22 * t2 * t2) + q12 * t1 * t2
                    if attempt < 2 and own < value - 1e-13 * size * (1.0 + abs(t1) + abs(t2)):
                        continue  # hidden below another corner
                    if not definite and attempt == 0:
                        value = t1 * t1 + t2 * t2 if value <= VALUE_TOLERANCE * size else math.inf
                    if value < best:
                        best = value
                        s1, s2, i, j, k, wi, wj, wk = t1, t2, a, b, c, va, vb, vc
            if best < math.inf and (attempt > 0 or s1 * s1 + s2 * s2 < 1.0):
                break
        changed = False
        for m in range(6):
            if (used >> m) & 1 == 0 and scratch[_E + m] > 0.0:
                value = scratch[_M + m]
                p = scratch[_PX + m]
                r = scratch[_PY + m]
                if value * (value + p * s1 + r * s2) < 0.0:
                    e = scratch[_E + m]
                    k11 += e * p * p
                    k12 += e * p * r
                    k22 += e * r * r
                    used |= 1 << m
                    changed = True
        if not changed:
            break
    return s1, s2, i, j, k, max(wi, 0.0), max(wj, 0.0), max(wk, 0.0)


@step_kernel
def _weakest(bundle, i, j, q11, q12, q22):
    """Direction of least curvature among those that keep the corners in play equally high: (s (2), curvature)."""
    if j < 0:
        return _weakest_of_all(q11, q12, q22)
    d1 = bundle[_WIDE * i + 11] - bundle[_WIDE * j + 11]
    d2 = bundle[_WIDE * j + 10] - bundle[_WIDE * i + 10]
    length = max(math.sqrt(d1 * d1 + d2 * d2), 1e-300)
    d1 /= length
    d2 /= length
    return d1, d2, q11 * d1 * d1 + 2.0 * q12 * d1 * d2 + q22 * d2 * d2


@step_kernel
def descend(row_a, frame_a, row_b, frame_b, pool, n0, n1, n2, work):
    """Local minimum of (1) from the start n.

    Args:
        row_a, frame_a, row_b, frame_b, pool: outline rows, outline frames, corner pool.
        n0, n1, n2: start, unit, from A to B.
        work: float64, at least DESCENT_ROOM numbers.

    Returns:
        gap [m], n (3), point on A (3), point on B (3), status, evaluations.
    """
    now = work[0:_STATE]
    trial = work[_STATE : 2 * _STATE]
    bundle = work[_CORNER : _CORNER + _MOST * _WIDE]
    c0 = frame_b[0] - frame_a[0]
    c1 = frame_b[1] - frame_a[1]
    c2 = frame_b[2] - frame_a[2]
    size = row_a[RADIUS_BOUND] + row_b[RADIUS_BOUND] + math.sqrt(c0 * c0 + c1 * c1 + c2 * c2)
    u0, u1, u2 = -n0, -n1, -n2
    x0, x1, x2, y0, y1, y2 = tangents(u0, u1, u2)
    p0, p1, p2 = u0, u1, u2
    v0, v1, v2, w0, w1, w2 = x0, x1, x2, y0, y1, y2
    height = math.inf
    count = 0
    evaluations = 0
    factor = 0.0
    predicted = 0.0
    quiet = 0
    careful = False
    nudges = 0
    status = ROOM_EXHAUSTED
    i, j, k = 0, -1, -1
    wi, wj, wk = 1.0, 0.0, 0.0
    s1, s2 = 0.0, 0.0
    while evaluations < MOST_EVALUATIONS:
        trial[_K] = 0.0
        trial[_K + 1] = 0.0
        trial[_K + 2] = 0.0
        value = _smooth_part(row_a, frame_a, 0, p0, p1, p2, v0, v1, v2, w0, w1, w2, trial)
        value += _smooth_part(row_b, frame_b, 3, p0, p1, p2, v0, v1, v2, w0, w1, w2, trial)
        a0, a1, a2 = _corner(row_a, frame_a, pool, -p0, -p1, -p2)
        b0, b1, b2 = _corner(row_b, frame_b, pool, p0, p1, p2)
        d0 = c0 + b0 - a0
        d1 = c1 + b1 - a1
        d2 = c2 + b2 - a2
        value += d0 * p0 + d1 * p1 + d2 * p2
        evaluations += 1
        count, fresh = _remember(bundle, count, d0, d1, d2, a0, a1, a2, b0, b1, b2, size)
        gain = height - value
        accepted = gain >= 1e-4 * factor * predicted
        if gain > VALUE_TOLERANCE * size:
            quiet = 0
        if not accepted and gain > -VALUE_TOLERANCE * size and quiet < 6:
            accepted = True  # value exhausted: a few more steps for the touching points
            quiet += 1
        if accepted:
            u0, u1, u2 = p0, p1, p2
            x0, x1, x2, y0, y1, y2 = v0, v1, v2, w0, w1, w2
            height = value
            now, trial = trial, now
            careful = False
        factor *= 0.25
        lost = not accepted and not fresh and factor < 0.02 and not careful and count > 1
        if lost:
            careful = True  # the model led uphill: a convex one cannot
        if accepted or fresh or lost:
            _heights(bundle, count, u0, u1, u2, x0, x1, x2, y0, y1, y2, now)
            k11 = now[_K] - height
            k12 = now[_K + 1]
            k22 = now[_K + 2] - height
            if count == 1:
                k11, k12, k22 = _made_definite(k11, k12, k22, size)
                s1, s2, _ = newton_step(k11, k12, k22, -bundle[10], -bundle[11], now)
                i, j, k, wi, wj, wk = 0, -1, -1, 1.0, 0.0, 0.0
            else:
                s1, s2, i, j, k, wi, wj, wk = _step(bundle, count, k11, k12, k22, careful, size, now)
            # What is left: mismatch of the points, and how far the corners in play are from equally high.
            r1 = wi * bundle[_WIDE * i + 10]
            r2 = wi * bundle[_WIDE * i + 11]
            uneven = -wi * bundle[_WIDE * i + 9]
            if j >= 0:
                r1 += wj * bundle[_WIDE * j + 10]
                r2 += wj * bundle[_WIDE * j + 11]
                uneven -= wj * bundle[_WIDE * j + 9]
            if k >= 0:
                r1 += wk * bundle[_WIDE * k + 10]
                r2 += wk * bundle[_WIDE * k + 11]
                uneven -= wk * bundle[_WIDE * k + 9]
            slope = math.sqrt(r1 * r1 + r2 * r2)
            length = math.sqrt(s1 * s1 + s2 * s2)
            predicted = max(uneven + 0.5 * abs(r1 * s1 + r2 * s2), 0.0)
            if uneven <= VALUE_TOLERANCE * size:
                if slope <= GRADIENT_TOLERANCE * size:
                    status = CONVERGED
                elif length <= 3e-16 or quiet >= 6:
                    status = CONVERGED if slope <= 1e-7 * size else POINT_UNCERTAIN
            if status != ROOM_EXHAUSTED:
                if k >= 0 or nudges >= 2:
                    break
                s1, s2, curvature = _weakest(bundle, i, j, now[_K] - height, k12, now[_K + 2] - height)
                if curvature >= -1e-7 * size:
                    break
                # Stationary by symmetry, but a saddle: a step aside of 3 degrees, and on.
                nudges += 1
                s1 *= 0.05
                s2 *= 0.05
                length = 0.05
                predicted = 0.0
                status = ROOM_EXHAUSTED
            factor = 0.5 / length if length > 0.5 else 1.0
        elif factor < 1e-12:
            status = CONVERGED if slope <= 1e-7 * size and uneven <= 1e-11 * size else POINT_UNCERTAIN
            break
        p0 = u0 + factor * (s1 * x0 + s2 * y0)
        p1 = u1 + factor * (s1 * x1 + s2 * y1)
        p2 = u2 + factor * (s1 * x2 + s2 * y2)
        scale = 1.0 / math.sqrt(p0 * p0 + p1 * p1 + p2 * p2)
        p0 *= scale
        p1 *= scale
        p2 *= scale
        v0, v1, v2, w0, w1, w2 = carried_tangents(p0, p1, p2, x0, x1, x2)
    total = wi + wj + wk
    a0, a1, a2, b0, b1, b2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for slot, weight in ((i, wi / total), (j, wj / total), (k, wk / total)):
        if slot >= 0:
            at = _WIDE * slot
            a0 += weight * bundle[at + 3]
            a1 += weight * bundle[at + 4]
            a2 += weight * bundle[at + 5]
            b0 += weight * bundle[at + 6]
            b1 += weight * bundle[at + 7]
            b2 += weight * bundle[at + 8]
    return (
        -height,
        -u0,
        -u1,
        -u2,
        frame_a[0] + a0 - now[_X],
        frame_a[1] + a1 - now[_X + 1],
        frame_a[2] + a2 - now[_X + 2],
        frame_b[0] + b0 + now[_X + 3],
        frame_b[1] + b1 + now[_X + 4],
        frame_b[2] + b2 + now[_X + 5],
        status,
        evaluations,
    )

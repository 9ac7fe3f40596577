"""Sequential quadratic programming: least translation near a given normal, for outlines with corners.

Every outline is a set of corners plus a curved part that is symmetric about its centre: a superellipsoid is its centre
plus itself, a capsule its segment plus a ball, boxes and polyhedra have no curved part. So the support function of the
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
need the bound on the curvature of :mod:`newton` where a coordinate would change its sign.

The answer is a local minimum of (1). It is the global one whenever h < 0 (h is convex and homogeneous, so the region
h < 0 is convex and holds one minimum), that is for all outlines apart; see :mod:`narrow` for the rest.

Symbols: u unit direction in M, from B's inside outward; h support value [m]; v corners of M [m]; l weights [1].
"""

from __future__ import annotations

import math
from typing import NamedTuple

from centrode.dynamics.contact.newton import add_bounds, evaluate_curved, newton_step, stepped, tangents
from centrode.dynamics.contact.search import MOST_CORNERS, Closest, Status
from centrode.jit import step_kernel
from centrode.math.vector import dot, minus, norm, plus, plus_times, put, times, vector
from centrode.parts.outlines.outline import world_corner

MOST_EVALUATIONS = 200
# Mismatch of the two touching points relative to the size of the pair, as in the search without corners.
GRADIENT_TOLERANCE = 2e-11
# Value still to be gained, relative to the size: some ulps of the sum of six products.
VALUE_TOLERANCE = 4e-15


class Step(NamedTuple):
    """Solution of (3): step, the corners in play (-1: none) and their weights."""

    s: tuple[float, float]
    corners: tuple[int, int, int]
    weights: tuple[float, float, float]


@step_kernel
def _remember(corners, count, v, of_a, of_b, size):
    """Add a corner of M if it is new; the lowest one makes room. Returns (count, whether it was new)."""
    slot = count
    lowest = math.inf
    for k in range(count):
        known = corners[k].v
        if abs(known[0] - v[0]) + abs(known[1] - v[1]) + abs(known[2] - v[2]) <= 1e-15 * size:
            return count, False
        if count == MOST_CORNERS and corners[k].height < lowest:
            lowest = corners[k].height
            slot = k
    put(corners[slot].v, 0, v)
    put(corners[slot].of_a, 0, of_a)
    put(corners[slot].of_b, 0, of_b)
    return min(count + 1, MOST_CORNERS), True


@step_kernel
def _tilt(corners, count, u, x, y, at):
    """a_k and b_k of (3) for all corners known."""
    top = -math.inf
    curved = plus(vector(at.point[0], 0), vector(at.point[1], 0))
    for k in range(count):
        corner = corners[k]
        v = vector(corner.v, 0)
        corner.height = dot(v, u)
        top = max(top, corner.height)
        v = plus(v, curved)
        corner.slope[0] = dot(v, x)
        corner.slope[1] = dot(v, y)
    for k in range(count):
        corners[k].height -= top


@step_kernel
def _raised(corner, s1, s2):
    """Height of a corner after the step s, to first order."""
    return corner.height + corner.slope[0] * s1 + corner.slope[1] * s2


@step_kernel
def _candidate(corners, mask, count, q11, q12, q22):
    """Stationary point of the model on the corners of a mask: (whether it is one, step)."""
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
    chosen = (i, j, k)
    none = Step((0.0, 0.0), chosen, (1.0, 0.0, 0.0))
    ai = corners[i].height
    g1 = corners[i].slope[0]
    g2 = corners[i].slope[1]
    if j < 0:
        determinant = q11 * q22 - q12 * q12
        if not (q11 + q22 > 0.0 and determinant > 1e-14 * (q11 + q22) * (q11 + q22)):
            return False, none
        s = ((q12 * g2 - q22 * g1) / determinant, (q12 * g1 - q11 * g2) / determinant)
        return True, Step(s, chosen, (1.0, 0.0, 0.0))
    e1 = corners[j].slope[0] - g1
    e2 = corners[j].slope[1] - g2
    ea = corners[j].height - ai
    square = e1 * e1 + e2 * e2
    if k < 0:
        # on the line ea + e.s = 0: s = s0 + t d with d normal to e
        if square <= 1e-300:
            return False, none
        c1 = -ea * e1 / square
        c2 = -ea * e2 / square
        length = math.sqrt(square)
        d1 = -e2 / length
        d2 = e1 / length
        curvature = q11 * d1 * d1 + 2.0 * q12 * d1 * d2 + q22 * d2 * d2
        if not curvature > 1e-14 * (abs(q11) + abs(q22)):
            return False, none
        slope = d1 * (g1 + q11 * c1 + q12 * c2) + d2 * (g2 + q12 * c1 + q22 * c2)
        s1 = c1 - slope / curvature * d1
        s2 = c2 - slope / curvature * d2
        # Q s + b_i + w e = 0, taken along e
        w = -(e1 * (q11 * s1 + q12 * s2 + g1) + e2 * (q12 * s1 + q22 * s2 + g2)) / square
        return w > -1e-9 and w < 1.0 + 1e-9, Step((s1, s2), chosen, (1.0 - w, w, 0.0))
    f1 = corners[k].slope[0] - g1
    f2 = corners[k].slope[1] - g2
    fa = corners[k].height - ai
    area = e1 * f2 - e2 * f1
    if abs(area) <= 1e-13 * math.sqrt(square * (f1 * f1 + f2 * f2)) or area == 0.0:
        return False, none
    s1 = (fa * e2 - ea * f2) / area
    s2 = (ea * f1 - fa * e1) / area
    r1 = -(q11 * s1 + q12 * s2 + g1)
    r2 = -(q12 * s1 + q22 * s2 + g2)
    wj = (r1 * f2 - r2 * f1) / area
    wk = (e1 * r2 - e2 * r1) / area
    return wj > -1e-9 and wk > -1e-9 and wj + wk < 1.0 + 1e-9, Step((s1, s2), chosen, (1.0 - wj - wk, wj, wk))


@step_kernel
def _made_definite(q11, q12, q22, size):
    """Q with the magnitudes of its eigenvalues: steps along falling curvature keep their natural length."""
    if q11 > 0.0 and q11 * q22 - q12 * q12 > 1e-12 * (q11 + q22) * (q11 + q22):
        return q11, q12, q22
    d1, d2, low = _lower_eigenvalue(q11, q12, q22)
    high = q11 + q22 - low
    floor = 1e-9 * size + 1e-9 * abs(high)
    low = max(abs(low), floor)
    high = max(abs(high), floor)
    return low * d1 * d1 + high * d2 * d2, (low - high) * d1 * d2, low * d2 * d2 + high * d1 * d1


@step_kernel
def _lower_eigenvalue(q11, q12, q22):
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
def _lowest_candidate(corners, count, q, attempt, definite, size):
    """The candidate of (3) that is meant: (whether there is one, step).

    With Q positive definite the lowest candidate is the answer. Otherwise several may be stationary, and the nearest
    one below the present value is meant: the others lie behind a ridge.
    """
    q11, q12, q22 = q
    best = math.inf
    chosen = Step((0.0, 0.0), (0, -1, -1), (1.0, 0.0, 0.0))
    for mask in range(1, 1 << count):
        rest = mask & (mask - 1)
        rest &= rest - 1
        if rest & (rest - 1) != 0:  # more than three corners
            continue
        good, step = _candidate(corners, mask, count, q11, q12, q22)
        if good:
            t1, t2 = step.s
            bent = 0.5 * (q11 * t1 * t1 + q22 * t2 * t2) + q12 * t1 * t2
            top = -math.inf
            for k in range(count):
                top = max(top, _raised(corners[k], t1, t2))
            value = bent + top
            own = _raised(corners[step.corners[0]], t1, t2) + bent
            if attempt < 2 and own < value - 1e-13 * size * (1.0 + abs(t1) + abs(t2)):
                continue  # hidden below another corner
            if not definite and attempt == 0:
                value = t1 * t1 + t2 * t2 if value <= VALUE_TOLERANCE * size else math.inf
            if value < best:
                best = value
                chosen = step
    return best < math.inf, chosen


@step_kernel
def _solve_model(corners, count, k, careful, size, at):
    """Solve (3); Q is made positive definite where no stationary point is found, or when told to be careful."""
    k11, k12, k22 = k
    step = Step((0.0, 0.0), (0, -1, -1), (1.0, 0.0, 0.0))
    used = 0
    for _ in range(4):
        q = (k11, k12, k22)
        definite = k11 + k22 > 0.0 and k11 * k22 - k12 * k12 > 0.0
        for attempt in range(1 if careful else 0, 3):
            if attempt == 1:
                q = _made_definite(q[0], q[1], q[2], size)
            found, best = _lowest_candidate(corners, count, q, attempt, definite, size)
            if found:
                step = best
                if attempt > 0 or step.s[0] * step.s[0] + step.s[1] * step.s[1] < 1.0:
                    break
        before = used
        k11, k12, k22, used = add_bounds(k11, k12, k22, step.s[0], step.s[1], used, at)
        if used == before:
            break
    w = step.weights
    return Step(step.s, step.corners, (max(w[0], 0.0), max(w[1], 0.0), max(w[2], 0.0)))


@step_kernel
def _solve(corners, count, k, careful, size, at):
    """The step of (3); a single corner needs Newton only."""
    if count > 1:
        return _solve_model(corners, count, k, careful, size, at)
    k11, k12, k22 = _made_definite(k[0], k[1], k[2], size)
    s, _ = newton_step(k11, k12, k22, -corners[0].slope[0], -corners[0].slope[1], at)
    return Step(s, (0, -1, -1), (1.0, 0.0, 0.0))


@step_kernel
def _residual(corners, step):
    """Mismatch of the points (2), and how far the corners in play are from equally high."""
    r1 = 0.0
    r2 = 0.0
    uneven = 0.0
    for slot, weight in (
        (step.corners[0], step.weights[0]),
        (step.corners[1], step.weights[1]),
        (step.corners[2], step.weights[2]),
    ):
        if slot >= 0:
            r1 += weight * corners[slot].slope[0]
            r2 += weight * corners[slot].slope[1]
            uneven -= weight * corners[slot].height
    return r1, r2, uneven


@step_kernel
def _weakest(corners, step, k):
    """Direction of least curvature among those that keep the corners in play equally high: (s (2), curvature)."""
    i, j, _ = step.corners
    if j < 0:
        return _lower_eigenvalue(k[0], k[1], k[2])
    d1 = corners[i].slope[1] - corners[j].slope[1]
    d2 = corners[j].slope[0] - corners[i].slope[0]
    length = max(math.sqrt(d1 * d1 + d2 * d2), 1e-300)
    d1 /= length
    d2 /= length
    return d1, d2, k[0] * d1 * d1 + 2.0 * k[1] * d1 * d2 + k[2] * d2 * d2


@step_kernel
def _answer(pair, corners, step, height, u, at, status, evaluations):
    """Touching points (2) from the weights of the corners."""
    total = step.weights[0] + step.weights[1] + step.weights[2]
    of_a = minus(pair.frame_a.position, vector(at.point[0], 0))
    of_b = plus(pair.frame_b.position, vector(at.point[1], 0))
    for slot, weight in (
        (step.corners[0], step.weights[0]),
        (step.corners[1], step.weights[1]),
        (step.corners[2], step.weights[2]),
    ):
        if slot >= 0:
            of_a = plus_times(of_a, weight / total, vector(corners[slot].of_a, 0))
            of_b = plus_times(of_b, weight / total, vector(corners[slot].of_b, 0))
    return Closest(-height, times(-1.0, u), of_a, of_b, status, evaluations)


@step_kernel
def descend(pair, search, n):
    """Local minimum of (1) from the start n (unit, from A to B)."""
    now = search.room.evaluations[0]
    trial = search.room.evaluations[1]
    corners = search.room.corners
    points = search.shapes.points
    centre = minus(pair.frame_b.position, pair.frame_a.position)
    size = pair.a.radius + pair.b.radius + norm(centre)
    u = times(-1.0, n)
    x, y = tangents(u)
    p, v, w = u, x, y  # the direction on trial and its tangents
    step = Step((0.0, 0.0), (0, -1, -1), (1.0, 0.0, 0.0))
    s = step.s
    height = math.inf
    slope, uneven = math.inf, math.inf
    count, evaluations, quiet, nudges = 0, 0, 0, 0
    factor, predicted = 0.0, 0.0
    careful = False
    status = Status.ROOM_EXHAUSTED
    while evaluations < MOST_EVALUATIONS:
        value = evaluate_curved(pair, search.shapes, p, v, w, trial)
        of_a = world_corner(pair.a, points, pair.frame_a, times(-1.0, p))
        of_b = world_corner(pair.b, points, pair.frame_b, p)
        corner = minus(plus(centre, of_b), of_a)
        value += dot(corner, p)
        evaluations += 1
        count, fresh = _remember(corners, count, corner, of_a, of_b, size)
        gain = height - value
        accepted = gain >= 1e-4 * factor * predicted
        if gain > VALUE_TOLERANCE * size:
            quiet = 0
        if not accepted and gain > -VALUE_TOLERANCE * size and quiet < 6:
            accepted = True  # value exhausted: a few more steps for the touching points
            quiet += 1
        if accepted:
            u, x, y = p, v, w
            height = value
            now, trial = trial, now
            careful = False
        factor *= 0.25
        lost = not accepted and not fresh and factor < 0.02 and not careful and count > 1
        if lost:
            careful = True  # the model led uphill: a convex one cannot
        if accepted or fresh or lost:
            _tilt(corners, count, u, x, y, now)
            k = (now.curvature[0] - height, now.curvature[1], now.curvature[2] - height)
            step = _solve(corners, count, k, careful, size, now)
            s = step.s
            r1, r2, uneven = _residual(corners, step)
            slope = math.sqrt(r1 * r1 + r2 * r2)
            length = math.sqrt(s[0] * s[0] + s[1] * s[1])
            predicted = max(uneven + 0.5 * abs(r1 * s[0] + r2 * s[1]), 0.0)
            if uneven <= VALUE_TOLERANCE * size:
                if slope <= GRADIENT_TOLERANCE * size:
                    status = Status.CONVERGED
                elif length <= 3e-16 or quiet >= 6:
                    status = Status.CONVERGED if slope <= 1e-7 * size else Status.POINT_UNCERTAIN
            if status != Status.ROOM_EXHAUSTED:
                if step.corners[2] >= 0 or nudges >= 2:
                    break
                s1, s2, curvature = _weakest(corners, step, k)
                if curvature >= -1e-7 * size:
                    break
                # Stationary by symmetry, but a saddle: a step aside of 3 degrees, and on.
                nudges += 1
                s = (0.05 * s1, 0.05 * s2)
                length = 0.05
                predicted = 0.0
                status = Status.ROOM_EXHAUSTED
            factor = 0.5 / length if length > 0.5 else 1.0
        elif factor < 1e-12:
            near = slope <= 1e-7 * size and uneven <= 1e-11 * size
            status = Status.CONVERGED if near else Status.POINT_UNCERTAIN
            break
        p, (v, w) = stepped(u, s, factor, x, y)
    return _answer(pair, corners, step, height, u, now, status, evaluations)

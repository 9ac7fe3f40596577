r"""Impulses of a small island at once, where sweeps do not end or end with one of several answers.

A box between two jaws is held by eight points where three would do. The loads of the jaws may then stand anywhere on
the faces, as long as they face each other, and the laws (1), (2) of :mod:`solve` have many solutions: with the load in
the middle the box is held, with the load aside the same friction lets it turn and slip. Sweeps take one of these, or
wander between them. What friction can hold is to be held, so the answer that sticks is looked for first.

With the mobility W of all points together and the velocities b without impulses (targets taken off), and with

    x = (mu lambda_n, lambda_t),   y = (u_n / mu, u_t),   u = W lambda + b:      y = Q x + q                    (1)

a contact that does not slide fulfils, beside (1),

    x in K,   y in K,   x . y = 0,      K: x_0 >= |x_t|                                                        (2)

since u = 0 or lambda = 0 there. (2) are the conditions of the least of x . Q x / 2 + q . x over K, a convex problem:
its velocities are unique. So if impulses exist at all that make everything stick, (2) finds them, wherever sweeps
went. Where something slides, (2) would lift it with u_n = mu |u_t|; Coulomb's law is (2) with

    q_0 + |y_t|   in place of   q_0                                                                          (3)

(de Saxce 1992), and (2) is solved again with the |y_t| of the solution before until it does not change (Cadoux 2009).

(2) is solved by an interior method: x o y = m e (:mod:`cone`), m towards zero, with the scaling W of the present pair,

    (Q + W^2) dx = -r + g,   dy = g - W^2 dx,   r = Q x + q - y,   g = W (W x \ (m e - W x o W x - da))          (4)

once with m and da zero, which says how far one may go, then with the m that this allows and its da = W^-1 dy o W dx
(Mehrotra 1992). Q has no full rank where points are redundant; Q + W^2 has. Of all impulses with the same velocities
the interior method ends in the midst of them, which is how faces that give way a little share a load.

What was found is handed to the sweeps again, and is taken if these are then nearer to their end than they were.
"""

from __future__ import annotations

import math
from enum import IntEnum

from centrode.dynamics.hard.cone import cone_product, corrected, inwards, scaled, scaling, unscaled, way_in_cone
from centrode.dynamics.hard.impulses import inside_cone, push_along
from centrode.dynamics.hard.mobility import relative_velocity, slip
from centrode.dynamics.hard.tables import Dense, DenseRow, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import dot, minus, plus_times, put, times, vector


class Tries(IntEnum):
    """How often something is repeated."""

    ITERATIONS = 40
    """Of the interior method; ten to twenty do."""
    SLIDES = 12
    """Solutions of (2) with (3): each leaves mu^2 / (1 + mu^2) of the error."""
    TOWARDS = 3
    """k of (2) of :mod:`loads`."""


SHORT = 0.99
"""Of the way to the rim of the cone, what a step goes."""


@step_kernel
def slipping(hard, point):
    """Velocity of a point along normal, tangent and across, over its targets."""
    u, spin = relative_velocity(hard, point)
    along, aside = slip(point, u, spin)
    return dot(u, vector(point.normal, 0)) - point.target, along - point.glide[0], aside - point.glide[1]


@step_kernel
def assemble(hard, first, end):
    """Q and q of (1), each column of W by an impulse that gives its point 1 m/s; impulses so far are kept."""
    t = borrow_hard(hard)
    q_matrix, rows = t.dense[Dense.MATRIX.value], t.dense[Dense.ROWS.value]
    count = end - first
    for i in range(count):
        put(rows[DenseRow.FREE.value], 3 * i, slipping(hard, t.contacts[t.order[first + i]]))
    for j in range(count):
        point = t.contacts[t.order[first + j]]
        put(rows[DenseRow.KEPT.value], 3 * j, vector(point.impulse, 0))
        size = point.per_normal
        for axis in range(3):
            d = (size if axis == 0 else 0.0, size if axis == 1 else 0.0, size if axis == 2 else 0.0)
            push_along(hard, point, d)
            for i in range(count):
                u = slipping(hard, t.contacts[t.order[first + i]])
                w = times(1.0 / size, minus(u, vector(rows[DenseRow.FREE.value], 3 * i)))
                for c in range(3):
                    q_matrix[3 * i + c, 3 * j + axis] = w[c]
            push_along(hard, point, times(-1.0, d))
    for i in range(3 * count):
        total = rows[DenseRow.FREE.value, i]
        for j in range(3 * count):
            total -= q_matrix[i, j] * rows[DenseRow.KEPT.value, j]
        rows[DenseRow.FREE.value, i] = total
    for i in range(count):
        mu = t.contacts[t.order[first + i]].friction
        scale_point(q_matrix, rows[DenseRow.FREE.value], i, 3 * count, mu)


@step_kernel
def scale_point(q_matrix, free, i, size, mu):
    """From W and b to Q and q at one point; without friction its tangents stand alone, which makes their part zero."""
    by = 1.0 / mu if mu > 0.0 else 1.0
    free[3 * i] *= by
    for j in range(size):
        q_matrix[3 * i, j] *= by
    for j in range(size):
        q_matrix[j, 3 * i] *= by
    if mu > 0.0:
        return
    for c in range(3 * i + 1, 3 * i + 3):
        for j in range(size):
            q_matrix[c, j] = q_matrix[j, c] = 0.0
        q_matrix[c, c] = q_matrix[3 * i, 3 * i]
        free[c] = 0.0


@step_kernel
def factor(matrix, size):
    """Cholesky factor of (4) in the lower triangle, in place; a direction that rounding left without weight is held."""
    for j in range(size):
        pivot, weight = matrix[j, j], matrix[j, j]
        for k in range(j):
            pivot -= matrix[j, k] * matrix[j, k]
        pivot = math.sqrt(pivot) if pivot > 1e-15 * weight else math.sqrt(max(weight, 1e-300))
        matrix[j, j] = pivot
        for i in range(j + 1, size):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = total / pivot


@step_kernel
def solve_factored(matrix, size, x):
    """Solve with the factor, in place."""
    for i in range(size):
        total = x[i]
        for k in range(i):
            total -= matrix[i, k] * x[k]
        x[i] = total / matrix[i, i]
    for back in range(size):
        i = size - 1 - back
        total = x[i]
        for k in range(i + 1, size):
            total -= matrix[k, i] * x[k]
        x[i] = total / matrix[i, i]


@step_kernel
def scale_pairs(hard, count):
    """The scalings of all pairs, and the factor of Q + W^2."""
    t = borrow_hard(hard)
    rows, q_matrix, work = t.dense[Dense.ROWS.value], t.dense[Dense.MATRIX.value], t.dense[Dense.FACTOR.value]
    for i in range(3 * count):
        for j in range(i + 1):
            work[i, j] = q_matrix[i, j]
    for i in range(count):
        w, eta = scaling(vector(rows[DenseRow.X.value], 3 * i), vector(rows[DenseRow.Y.value], 3 * i))
        put(rows[DenseRow.W.value], 3 * i, w)
        rows[DenseRow.ETA.value, i] = eta
        for c in range(3):
            for d in range(c + 1):
                work[3 * i + c, 3 * i + d] += 2.0 * eta * eta * w[c] * w[d]
            work[3 * i + c, 3 * i + c] += eta * eta * (-1.0 if c == 0 else 1.0)
    factor(work, 3 * count)


@step_kernel
def direction(hard, count, centre, second):
    """Dx and dy of (4) for a centre m; the way to the rims."""
    t = borrow_hard(hard)
    rows, q_matrix = t.dense[Dense.ROWS.value], t.dense[Dense.MATRIX.value]
    x, y, dx, dy, rest = (
        rows[DenseRow.X.value],
        rows[DenseRow.Y.value],
        rows[DenseRow.DX.value],
        rows[DenseRow.DY.value],
        rows[DenseRow.REST.value],
    )
    for i in range(count):
        w, eta = vector(rows[DenseRow.W.value], 3 * i), rows[DenseRow.ETA.value, i]
        if second:
            one = times(eta, scaled(w, vector(x, 3 * i)))
            left = times(1.0 / eta, unscaled(w, vector(dy, 3 * i)))
            other = cone_product(left, times(eta, scaled(w, vector(dx, 3 * i))))
            put(rest, 3 * i, corrected(w, eta, one, centre, other))
        else:
            put(rest, 3 * i, times(-1.0, vector(y, 3 * i)))
    for i in range(3 * count):
        total = y[i] - rows[DenseRow.Q.value, i] + rest[i]
        for j in range(3 * count):
            total -= q_matrix[i, j] * x[j]
        dx[i] = total
    solve_factored(t.dense[Dense.FACTOR.value], 3 * count, dx)
    far = math.inf
    for i in range(count):
        w, eta = vector(rows[DenseRow.W.value], 3 * i), rows[DenseRow.ETA.value, i]
        d = vector(dx, 3 * i)
        once = times(eta, scaled(w, d))
        put(dy, 3 * i, minus(vector(rest, 3 * i), times(eta, scaled(w, once))))
        far = min(far, way_in_cone(vector(x, 3 * i), d), way_in_cone(vector(y, 3 * i), vector(dy, 3 * i)))
    return far


@step_kernel
def gap_at(hard, count, alpha):
    """Mean of x . y over the points, alpha along the direction."""
    rows = borrow_hard(hard).dense[Dense.ROWS.value]
    total = 0.0
    for i in range(count):
        x = plus_times(vector(rows[DenseRow.X.value], 3 * i), alpha, vector(rows[DenseRow.DX.value], 3 * i))
        y = plus_times(vector(rows[DenseRow.Y.value], 3 * i), alpha, vector(rows[DenseRow.DY.value], 3 * i))
        total += dot(x, y)
    return max(total / count, 1e-300)


@step_kernel
def begin(hard, count, first):
    """A start in the middle of the cones, as large as what moves."""
    t = borrow_hard(hard)
    rows = t.dense[Dense.ROWS.value]
    speed, mass = 1e-12, 0.0
    for i in range(3 * count):
        speed = max(speed, abs(rows[DenseRow.Q.value, i]))
    for i in range(count):
        mass += t.contacts[t.order[first + i]].per_normal / count
    for i in range(count):
        put(rows[DenseRow.X.value], 3 * i, (speed * mass, 0.0, 0.0))
        put(rows[DenseRow.Y.value], 3 * i, (speed, 0.0, 0.0))
    return speed


@step_kernel
def interior(hard, count, first, enough):
    """(2) by (4)."""
    rows = borrow_hard(hard).dense[Dense.ROWS.value]
    speed = begin(hard, count, first)
    open_part = 1.0
    for _ in range(Tries.ITERATIONS.value):
        gap, load = gap_at(hard, count, 0.0), 0.0
        for i in range(count):
            load += rows[DenseRow.X.value, 3 * i] / count
        if gap <= 1e-3 * enough * load and open_part * speed <= 1e-3 * enough:
            return
        scale_pairs(hard, count)
        alpha = min(1.0, direction(hard, count, 0.0, False))
        share = gap_at(hard, count, alpha) / gap
        alpha = min(1.0, SHORT * direction(hard, count, share * share * share * gap, True))
        for i in range(count):
            for k in range(2):
                at, by = (DenseRow.X.value, DenseRow.DX.value) if k == 0 else (DenseRow.Y.value, DenseRow.DY.value)
                put(rows[at], 3 * i, inwards(vector(rows[at], 3 * i), vector(rows[by], 3 * i), alpha))
        open_part *= 1.0 - alpha
        if alpha < 1e-8:
            return


@step_kernel
def slide_by(hard, count):
    """Put (3) into q; the largest change [m/s]."""
    rows = borrow_hard(hard).dense[Dense.ROWS.value]
    largest = 0.0
    for i in range(count):
        y = vector(rows[DenseRow.Y.value], 3 * i)
        wanted = rows[DenseRow.FREE.value, 3 * i] + math.sqrt(y[1] * y[1] + y[2] * y[2])
        largest = max(largest, abs(wanted - rows[DenseRow.Q.value, 3 * i]))
        rows[DenseRow.Q.value, 3 * i] = wanted
    return largest


@step_kernel
def solve_at_once(hard, first, end, enough, sliding):
    """Impulses of an island by (2) and (3), acting; False where none were found, or nothing sticks and sliding is not
    asked for."""
    t = borrow_hard(hard)
    count = end - first
    rows = t.dense[Dense.ROWS.value]
    assemble(hard, first, end)
    for i in range(3 * count):
        rows[DenseRow.Q.value, i] = rows[DenseRow.FREE.value, i]
    for _ in range(Tries.SLIDES.value):
        interior(hard, count, first, enough)
        if slide_by(hard, count) <= enough:
            break
        if not sliding:
            return False
    total = 0.0
    for i in range(3 * count):
        total += abs(rows[DenseRow.X.value, i])
    if not total < math.inf:
        return False
    for i in range(count):
        point = t.contacts[t.order[first + i]]
        mu, x = point.friction, vector(rows[DenseRow.X.value], 3 * i)
        act_instead(hard, point, inside_cone((x[0] / mu if mu > 0.0 else x[0], x[1], x[2]), mu))
    return True


@step_kernel
def act_instead(hard, point, wanted):
    """Let another impulse act at a point than the one that acts."""
    push_along(hard, point, minus(wanted, vector(point.impulse, 0)))
    put(point.impulse, 0, wanted)


@step_kernel
def take_back(hard, first, end):
    """The impulses again that were there before :func:`solve_at_once`."""
    t = borrow_hard(hard)
    for i in range(end - first):
        act_instead(hard, t.contacts[t.order[first + i]], vector(t.dense[Dense.ROWS.value, DenseRow.KEPT.value], 3 * i))

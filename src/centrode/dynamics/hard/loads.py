r"""How faces that slide share a load that the laws of contact do not share out.

A box between two jaws has eight points of contact. Normal impulses with W_nn d = 0 change no velocity: both jaws may
press anywhere on their faces, as long as they face each other. While friction holds the box that is all one; where it
slides it is not: every point then rubs with mu times its load, against the slip, so a load aside of the middle takes
the box round with it. Rigid bodies do not say where the load is. Bodies of which every point gives way a little do, by

    the least of  sum lambda_n^2 / share   with the same   W_nn lambda_n,   lambda_n >= 0                  (1)

over the points of faces that touch and rub, or are smooth, with the shares that points have of a uniform pressure
(:mod:`patch`): pressure that is linear over each face, and in the middle of its area as far as moments allow. What
sticks keeps the loads that were found, since nothing but whether it sticks depends on them (:mod:`direct`).

With S the square roots of the shares, mu = S^-1 lambda_n and W = S W_nn S (1) without the bounds is the part of mu in
the range of W,

    y <- y + (W + eps)^-1 W (mu - y),     y = 0 at first                                                     (2)

(iterated after Tikhonov: what is left of an eigenvalue s after k rounds is (eps / (s + eps))^k). From mu one goes
towards y as far as the bounds allow; points that come to zero stay there, and (2) is done again for the others.

Friction at its limit goes with the load. Sweeps follow, as that changes velocities, and (1) again until it changes no
load. Smooth faces do not care themselves, but what they meet next begins with their loads. Rebounds are left as they
are: their impulses are no loads.
"""

from __future__ import annotations

import math

from centrode.dynamics.hard.direct import Tries, act_instead, factor, solve_factored
from centrode.dynamics.hard.impulses import inside_cone, push_along
from centrode.dynamics.hard.mobility import relative_velocity
from centrode.dynamics.hard.tables import Dense, DenseRow, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import dot, vector

AT_LIMIT = 0.999
"""Part of its limit from which on friction slides."""
EVEN = 1e-6
"""Change of a load, in parts of the largest, that is none."""
SMALL = 1e-9
"""Eps of (2) in parts of the largest mobility; masses a thousand times apart leave 1e-4 or more to the softest mode."""


@step_kernel
def rubs(point):
    """Whether the friction of a point under load is at its limit, as where there is none."""
    limit = AT_LIMIT * point.friction * point.impulse[0]
    return point.impulse[0] > 0.0 and point.impulse[1] ** 2 + point.impulse[2] ** 2 >= limit * limit


@step_kernel
def take_part(hard, first, end):
    """Mark the points whose loads are shared out (their S in row ETA), note all loads (KEPT); how many take part."""
    t = borrow_hard(hard)
    rows = t.dense[Dense.ROWS.value]
    taking, k = 0, first
    while k < end:
        after, slides = k, False
        while after < end and t.contacts[t.order[after]].pair == t.contacts[t.order[k]].pair:
            slides |= rubs(t.contacts[t.order[after]])
            after += 1
        for i in range(k, after):
            point = t.contacts[t.order[i]]
            if point.bounce > 0.0 or point.late != 0.0:
                return 0
            n = vector(point.normal, 0)
            open_by = dot(relative_velocity(hard, point)[0], n) - point.target
            touches = point.impulse[0] > 0.0 or open_by <= t.head[0].enough
            part = slides and touches and point.per_normal > 0.0
            rows[DenseRow.ETA.value, i - first] = math.sqrt(point.share) if part else 0.0
            rows[DenseRow.KEPT.value, i - first] = point.impulse[0]
            taking += 1 if part else 0
        k = after
    return taking


@step_kernel
def assemble_normals(hard, first, end):
    """W_nn of an island."""
    t = borrow_hard(hard)
    matrix, rows = t.dense[Dense.MATRIX.value], t.dense[Dense.ROWS.value]
    count = end - first
    for i in range(count):
        point = t.contacts[t.order[first + i]]
        rows[DenseRow.FREE.value, i] = dot(relative_velocity(hard, point)[0], vector(point.normal, 0))
    for j in range(count):
        pushed = t.contacts[t.order[first + j]]
        size = pushed.per_normal
        for i in range(count):
            matrix[i, j] = 0.0
        if size == 0.0:
            continue
        push_along(hard, pushed, (size, 0.0, 0.0))
        for i in range(count):
            point = t.contacts[t.order[first + i]]
            u = dot(relative_velocity(hard, point)[0], vector(point.normal, 0))
            matrix[i, j] = (u - rows[DenseRow.FREE.value, i]) / size
        push_along(hard, pushed, (-size, 0.0, 0.0))


@step_kernel
def factor_part(hard, count):
    """The factor of W_nn + eps of the points that take part; the others stand alone."""
    t = borrow_hard(hard)
    matrix, work = t.dense[Dense.MATRIX.value], t.dense[Dense.FACTOR.value]
    part = t.dense[Dense.ROWS.value, DenseRow.ETA.value]
    largest = 0.0
    for i in range(count):
        largest = max(largest, matrix[i, i])
    for i in range(count):
        for j in range(i):
            work[i, j] = matrix[i, j] * part[i] * part[j]
        work[i, i] = matrix[i, i] * part[i] * part[i] + SMALL * largest if part[i] > 0.0 else 1.0
    factor(work, count)


@step_kernel
def even_part(hard, count):
    """(2) for the points that take part, into row DX: by how much their loads change."""
    t = borrow_hard(hard)
    matrix, rows = t.dense[Dense.MATRIX.value], t.dense[Dense.ROWS.value]
    part, load, change, rest = (
        rows[DenseRow.ETA.value],
        rows[DenseRow.X.value],
        rows[DenseRow.DX.value],
        rows[DenseRow.REST.value],
    )
    factor_part(hard, count)
    for i in range(count):
        change[i] = -load[i] if part[i] > 0.0 else 0.0
    for _ in range(Tries.TOWARDS.value):
        for i in range(count):
            total = 0.0
            for j in range(count):
                total -= matrix[i, j] * change[j]
            rest[i] = total * part[i]
        solve_factored(t.dense[Dense.FACTOR.value], count, rest)
        for i in range(count):
            change[i] += part[i] * rest[i]


@step_kernel
def go_on(hard, count, none):
    """Go towards (1) as far as no load becomes negative; points whose load came to ``none`` take no part any more.

    How many these were: all at once, so that what is symmetric remains so.
    """
    rows = borrow_hard(hard).dense[Dense.ROWS.value]
    part, load, change = rows[DenseRow.ETA.value], rows[DenseRow.X.value], rows[DenseRow.DX.value]
    way = 1.0
    for i in range(count):
        if load[i] + way * change[i] < -none:
            way = load[i] / -change[i]
    left = 0
    for i in range(count):
        load[i] = max(0.0, load[i] + way * change[i])
        if way < 1.0 and part[i] > 0.0 and change[i] < 0.0 and load[i] <= none:
            load[i] = part[i] = 0.0
            left += 1
    return left


@step_kernel
def even_out(hard, first, end):
    """(1) for an island; whether a load changed."""
    t = borrow_hard(hard)
    rows = t.dense[Dense.ROWS.value]
    count = end - first
    if take_part(hard, first, end) < 2:
        return False
    load = rows[DenseRow.X.value]
    assemble_normals(hard, first, end)
    largest = 0.0
    for i in range(count):
        load[i] = rows[DenseRow.KEPT.value, i]
        largest = max(largest, load[i])
    even_part(hard, count)
    while go_on(hard, count, EVEN * largest) > 0:
        even_part(hard, count)
    changed = 0.0
    for i in range(count):
        changed = max(changed, abs(load[i] - rows[DenseRow.KEPT.value, i]))
    if changed <= EVEN * largest:
        return False
    for i in range(count):
        point = t.contacts[t.order[first + i]]
        before = point.impulse[0]
        by = load[i] / before if rubs(point) else 1.0
        act_instead(hard, point, inside_cone((load[i], by * point.impulse[1], by * point.impulse[2]), point.friction))
    return True

r"""Contacts that no impulse can keep: a drive that presses against what cannot give way.

Joints that drive a body leave it no freedom along a normal, or so little in all that a free body between two of them
is crushed. Then no velocities fulfil the laws of contacts and joints together, and sweeps raise impulses without end.

*A point that nothing moves.* Its mobility W_nn is that of round-off beside what its bodies would have without joints.
It gets no impulse, and is blocked when the way of the next step leads into an overlap that is not left alone,

    g + h n . (u + u-)/2  <  -slop,     with a velocity that closes                                        (1)

the mean velocity, since (3) of :mod:`centrode.methods.moreau` keeps joints with that.

*Several together.* Impulses d of an island in their cones that move nothing, but would take work from what closes,

    W d = 0,     d . (u - c) < 0                                                                          (2)

say that no velocities u >= c exist: d . u is the same for all (Farkas). With friction the convex problem of
:mod:`direct` is asked, in which u_n + mu |u_t| takes the place of u_n: what slides is no contradiction. What two sweeps
change when sweeps do not end is by then such a d. Its overlap in the middle of the next step is at least the mean, with
the normal parts of d as weights, of -g - h (u - c) for what touches and of h (c - u) for what is open: c is -g/h there.
"""

from __future__ import annotations

import math
from enum import IntEnum

from centrode.dynamics.hard.cone import way_in_cone
from centrode.dynamics.hard.impulses import push_along, slope
from centrode.dynamics.hard.mobility import closing, relative_velocity, slip
from centrode.dynamics.hard.tables import Row, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, dot, minus, plus, put, times, vector

ALMOST = 0.999
"""Part of the way to the rim of the cones by which the impulses go back along d."""
STILL = 1e-5
"""d . W d in parts of what the points of d would give one by one, up to which d moves nothing. It is the part of an
error that a sweep mends, and islands have some hundred sweeps: chosen."""
BACK = 0.1
"""Part of the greatest normal impulse of d by which others may become less: of points of one face one gives to another
as bodies lean. Chosen: up to 0.07 was found of rows of boxes between a ram and a wall."""


class Jam(IntEnum):
    """Whether laws of an island contradict each other."""

    NONE = 0
    SHALLOW = 1
    """By less than an overlap that is left alone: its velocities are left as they are."""
    DEEP = 2
    CRAMPED = 3
    """A rebound has no room in this step, but may have in a part of it."""


@step_kernel
def note_blocked(hard, point, depth):
    """Note two bodies that are driven into each other."""
    head = borrow_hard(hard).head[0]
    head.blocked_a, head.blocked_b, head.blocked_depth = point.a, point.b, depth


@step_kernel
def is_blocked(h, hard):
    """Whether (1) holds at some point that nothing moves."""
    t = borrow_hard(hard)
    head = t.head[0]
    for k in range(head.points):
        point = t.contacts[k]
        if point.per_normal > 0.0:
            continue
        n = vector(point.normal, 0)
        u = relative_velocity(hard, point)[0]
        mean = 0.5 * (dot(u, n) + dot(closing(t.solids[point.a], t.solids[point.b], point)[0], n))
        if mean < -head.enough and point.gap + h * mean < -head.slop * point.thickness:
            note_blocked(hard, point, -point.gap - h * mean)
            return True
    return False


@step_kernel
def may_jam(hard, first, end):
    """Whether an island has what may ask for the impossible: bodies of a cluster, or a rebound."""
    t = borrow_hard(hard)
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        if point.row_a >= 0 or point.row_b >= 0 or point.row_b == Row.SAME or point.bounce > 0.0:
            return True
    return False


@step_kernel
def keep_last(hard, first, end):
    """Impulses before two sweeps."""
    t = borrow_hard(hard)
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        put(point.last, 0, vector(point.impulse, 0))


@step_kernel
def is_jammed(h, hard, first, end):
    """A Jam: whether (2) holds for what two sweeps changed since :func:`keep_last`."""
    t = borrow_hard(hard)
    head = t.head[0]
    least, most, rebounds = 0.0, 0.0, False
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        d = minus(vector(point.impulse, 0), vector(point.last, 0))
        put(point.last, 0, d)
        rebounds |= point.target > 0.0
        least, most = min(least, d[0]), max(most, d[0])
    if not (most > 0.0 and least > -BACK * most):
        return Jam.NONE.value
    before, opened = slope(hard, first, end), 0.0
    for k in range(first, end):
        push_along(hard, t.contacts[t.order[k]], vector(t.contacts[t.order[k]].last, 0))
    after = slope(hard, first, end)
    alone, load, deep, allowed, worst = 0.0, 0.0, 0.0, 0.0, 0.0
    deepest = t.order[first]
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        d = vector(point.last, 0)
        push_along(hard, point, times(-1.0, d))
        u, spin = relative_velocity(hard, point)
        along, aside = slip(point, u, spin)
        along, aside = along - point.glide[0], aside - point.glide[1]
        opened += d[0] * point.friction * math.sqrt(along * along + aside * aside)
        alone += d[0] * d[0] / point.per_normal + (d[1] * d[1] + d[2] * d[2]) / point.slides
        load += d[0]
        deep += d[0] * max(0.0, -point.gap)
        allowed += d[0] * head.slop * point.thickness
        if d[0] > worst:
            worst, deepest = d[0], t.order[k]
    closes = -before - opened
    if not (closes > 0.0 and abs(after - before) <= STILL * alone):
        return Jam.NONE.value
    deep += h * max(head.parts, 1.0) * closes  # of the whole step, however it is divided
    relieve(hard, first, end)
    note_blocked(hard, t.contacts[deepest], deep / load)
    return Jam.DEEP.value if rebounds or deep > allowed else Jam.SHALLOW.value


@step_kernel
def relieve(hard, first, end):
    """Take as much of d as there is from the impulses of an island: it does nothing but press."""
    t = borrow_hard(hard)
    alpha = math.inf
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        p, d, mu = vector(point.impulse, 0), vector(point.last, 0), point.friction
        if mu > 0.0:
            alpha = min(alpha, way_in_cone((mu * p[0], p[1], p[2]), (-mu * d[0], -d[1], -d[2])))
        elif d[0] > 0.0:
            alpha = min(alpha, p[0] / d[0])
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        less = times(-ALMOST * alpha, vector(point.last, 0))
        put(point.impulse, 0, plus(vector(point.impulse, 0), less))
        push_along(hard, point, less)


@step_kernel
def leave_held(hard):
    """Take the points that nothing moves off the list: they have no impulse, and those of others do not reach them."""
    t = borrow_hard(hard)
    head = t.head[0]
    kept = 0
    for k in range(head.points):
        point = t.contacts[k]
        if point.per_normal == 0.0:
            put(t.near[point.pair].impulse[point.slot], 0, ZERO)
            continue
        if kept < k:
            t.contacts[kept] = t.contacts[k]
        kept += 1
    head.points = kept


@step_kernel
def without_rebound(hard, first, end, afresh):
    """Ask the points of an island for no rebound, beginning without impulses if ``afresh``; whether any had one."""
    t = borrow_hard(hard)
    any_had = False
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        any_had |= point.bounce > 0.0
    for k in range(first, end if any_had else first):
        point = t.contacts[t.order[k]]
        if point.bounce > 0.0:
            point.target = 0.0
        if afresh:
            push_along(hard, point, times(-1.0, vector(point.impulse, 0)))
            put(point.impulse, 0, ZERO)
    return any_had


@step_kernel
def note_cramped(time, hard, first, end):
    """Note what the rebounds would have given back for which an island had no room."""
    t = borrow_hard(hard)
    head = t.head[0]
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        e = t.near[point.pair].restitution
        u = dot(closing(t.solids[point.a], t.solids[point.b], point)[0], vector(point.normal, 0))
        lost = -0.5 * e * e * point.impulse[0] * u
        if point.bounce > 0.0 and lost > 0.0:
            head.cramped_time = time if head.cramped == 0.0 else head.cramped_time
            head.cramped += lost
            if lost > head.cramped_most:
                head.cramped_most, head.cramped_a, head.cramped_b = lost, point.a, point.b

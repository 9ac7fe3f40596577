r"""Hits at the place and time at which outlines touch, not in the middle of the step in which they would.

Bodies that meet with the velocity u over a gap g are apart in the middle of the step that sees it, by up to h u. The
normal of two balls there is not the one with which they touch: off by h u sin(a) / (2 r) where they meet askew. So a
pair that touches s later is looked at with both bodies moved on by s (``late`` of a point), and

    u_t  = u- + (h/2 + s) w                velocity of the points when they touch                              (1)
    u+  >= -e u_t + (h/2 - s) w            at the end of the step, zero at least                              (2)
    q+   = q_m + h/2 v+ - s M^-1 G^T P     its impulse P acts s after the middle                               (3)

with w what weights accelerate the points by. s is from -g/u of the present poses, some times in turn as the normal
turns. It is less than h, as what would touch before the next middle is hit in this step; where it is more than half of
that the pose at the end of the step is the one from which the bodies seem to come.

*Momenta.* Impulses are opposite and act at one place of poses to which (3) leads, so angular momentum is kept exactly.
*Energy.* The work of P with mean velocities is P (u- + u+)/2, weights do s P w more on the way (3), and with (2) both
together are P (u_t - e u_t)/2: nothing where e is 1. Other forces than weights, which make h w something else in all,
are taken as if the hit were in the middle: then (u- + u)/2 is the velocity there, u the one without contacts.

A body that may meet two others in a step goes another way after the first hit. Such a step is divided
(:func:`find_hits`, :func:`centrode.dynamics.hard.stage.are_missed`) until each part sees one hit; s may be negative
then, as far as -h/2, for what came between the middles of two steps of unlike length. What cannot be told apart so, or
comes slower than what bounces, is left where it is in the middle of the step. The ground on which a body rests bears a
hit at the same time: by (3) with what its impulse has become more.
"""

from __future__ import annotations

import math
from enum import IntEnum

from centrode.dynamics.hard.joints import shift_cluster
from centrode.dynamics.hard.mobility import closing, couple_of, inverse_of, relative_velocity
from centrode.dynamics.hard.narrow import collide
from centrode.dynamics.hard.tables import Hit, Row, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import (
    ZERO,
    add,
    cross,
    dot,
    exponential,
    matrix,
    minus,
    norm,
    plus,
    plus_times,
    put,
    rotated,
    times,
    transposed,
    turn,
    vector,
)
from centrode.parts.outlines.outline import Frame, place_outline
from centrode.parts.tables import borrow

NEAR_BY = 0.01
"""Points are kept that are nearer than this part of the thinner half-width, even when nothing moves."""


class Looks(IntEnum):
    """How long the time of a touch is sought."""

    MOVES = 6
    """Of a pair: each squares what is left of its gap, as long as the normal turns little."""


WORTH = 1e-3
"""Speed of a hit in parts of the fastest body so far for which a step is divided: bounces that die out are not followed
for ever."""
SHORT = 64.0
"""Parts of a step from which on what a body rests on bears a hit as the ground does. Chosen: the directions of such
hits are off by as much less."""
TOUCHED = 1e-3
"""Gap in parts of the overlap that is left alone at which a pair touches."""
LEAST = 0.1
"""Of the step, in which what is still open after a hit may come nearer: bounds the velocity that this allows. Chosen,
and it hardly matters: with 0.01, 0.1 and 0.3 twelve tilted boxes that fall with 1 to 3 m/s move the same to 1e-9."""


@step_kernel
def place_pair(tables, hard, pair, late):
    """Both outlines of a pair, and the middles of their bodies, some time after the middle of the step."""
    run, t = borrow(tables), borrow_hard(hard)
    for side in range(2):
        i = pair.a if side == 0 else pair.b
        b = t.outlines[i].body
        solid, directors = t.solids[b], transposed(matrix(run.rotation[b], 0))
        if b > 0:
            put(solid.position, 0, vector(run.pose[b - 1], 0))
        if b > 0 and late != 0.0:
            add(solid.position, 0, times(late, vector(solid.velocity_before, 0)))
            q = exponential(times(late, vector(solid.spin_before, 0)))
            directors = rotated(q, directors[0]), rotated(q, directors[1]), rotated(q, directors[2])
        place_outline(t.outlines[i], Frame(vector(solid.position, 0), directors), t.placed[i])


@step_kernel
def approach(hard, pair, k):
    """Speeds with which bodies came nearer at a point that is seen, and with which they would at the end [m/s]."""
    t = borrow_hard(hard)
    seen = t.seen[k]
    x, n = vector(seen.place, 0), vector(seen.normal, 0)
    a, b = t.solids[t.outlines[pair.a].body], t.solids[t.outlines[pair.b].body]
    r, s = minus(x, vector(a.position, 0)), minus(x, vector(b.position, 0))
    came = minus(vector(a.velocity_before, 0), vector(b.velocity_before, 0))
    came = minus(plus(came, cross(vector(a.spin_before, 0), r)), cross(vector(b.spin_before, 0), s))
    comes = minus(vector(a.velocity, 0), vector(b.velocity, 0))
    comes = minus(plus(comes, cross(vector(a.spin, 0), r)), cross(vector(b.spin, 0), s))
    return dot(came, n), dot(comes, n)


@step_kernel
def find_hits(h, tables, hard):
    """When each pair touches that comes anew in this step: ``late``, inf where it does not touch after all.

    A body that may meet two others in a step goes on another way after the first, with which what it does to the second
    would have to agree: only what is hit alone is moved on. False where another may be hit and the step be divided.
    """
    t = borrow_hard(hard)
    head = t.head[0]
    any_hit = False
    for k in range(head.pairs):
        pair = t.near[k]
        pair.late = 0.0
        if pair.touching == 0 and fastest_of(hard, pair) > head.threshold:
            found, reach, thin = look_at(hard, pair, 0.0)
            if found > 0:
                pair.late = to_touch(h, tables, hard, pair, found, reach, head.slop * thin)
                if pair.late != 0.0:
                    place_pair(tables, hard, pair, 0.0)
                any_hit |= pair.late != 0.0 and pair.late < math.inf
    if not any_hit:
        return True
    find_others(hard)
    for k in range(head.pairs):
        pair = t.near[k]
        if pair.late != 0.0 and (is_hit_twice(hard, pair.a) or is_hit_twice(hard, pair.b)):
            matters = fastest_of(hard, pair) > WORTH * head.fastest
            if pair.late < math.inf and matters and may_divide(hard):
                return False
            pair.late = 0.0
    return True


@step_kernel
def find_others(hard):
    """Count what else bodies may meet that are hit anew: ``comes``. A hit may make one as fast as the fastest is, so
    all that is within the way of this is counted, fast or not, but not the ground that it rests on, nor others on which
    it does once the parts of the step are short.
    """
    t = borrow_hard(hard)
    head = t.head[0]
    for b in range(t.solids.shape[0]):
        t.solids[b].comes, t.solids[b].hit = 0, Hit.NONE.value
    for k in range(head.pairs):
        pair = t.near[k]
        for side in range(2 if pair.late != 0.0 and pair.late < math.inf else 0):
            solid = t.solids[t.outlines[pair.a if side == 0 else pair.b].body]
            solid.hit = k
            solid.comes += 1
    for k in range(head.pairs):
        pair = t.near[k]
        a, b = t.outlines[pair.a].body, t.outlines[pair.b].body
        if (a == 0 or t.solids[a].hit == Hit.NONE) and (b == 0 or t.solids[b].hit == Hit.NONE):
            continue
        if (pair.late != 0.0 and pair.late < math.inf) or (pair.touching != 0 and (a == 0 or b == 0)):
            continue
        found, _, thin = look_at(hard, pair, head.way)
        if found > 0 and not (pair.touching != 0 and head.parts >= SHORT and is_closed(hard, found, thin)):
            t.solids[a].comes += 1
            t.solids[b].comes += 1


@step_kernel
def is_hit_twice(hard, i):
    """Whether the body of an outline is hit anew and may meet another."""
    t = borrow_hard(hard)
    b = t.outlines[i].body
    return b > 0 and t.solids[b].comes > 1


@step_kernel
def may_divide(hard):
    """Whether the step may be taken in parts: in scenes of few outlines."""
    head = borrow_hard(hard).head[0]
    return head.divisible != 0


@step_kernel
def is_closed(hard, found, thin):
    """Whether a pair that was just looked at touches in the middle of the step."""
    t = borrow_hard(hard)
    least = math.inf
    for k in range(found):
        least = min(least, t.seen[k].gap)
    return least <= t.head[0].slop * thin


@step_kernel
def fastest_of(hard, pair):
    """Bound of the speed with which points of two bodies can meet."""
    t = borrow_hard(hard)
    a, b = t.solids[t.outlines[pair.a].body], t.solids[t.outlines[pair.b].body]
    speed = norm(minus(vector(b.velocity_before, 0), vector(a.velocity_before, 0)))
    return speed + a.extent * norm(vector(a.spin_before, 0)) + b.extent * norm(vector(b.spin_before, 0))


@step_kernel
def look_at(hard, pair, more):
    """Points of a pair in the middle of the step within the reach of its bodies, and ``more``: how many, the reach, the
    thinner one's half-width."""
    t = borrow_hard(hard)
    one, two = t.outlines[pair.a], t.outlines[pair.b]
    thin = min(one.thickness, two.thickness)
    reach = t.solids[one.body].reach + t.solids[two.body].reach + NEAR_BY * thin + more
    return collide(hard, pair, reach), reach, thin


@step_kernel
def to_touch(h, tables, hard, pair, found, reach, slop):
    """Time after the middle at which a pair touches, if it does so before the next one and fast enough, negative where
    it is in each other in the middle and was not at the start; inf where the normal turns so that it touches later than
    it seemed, or not. It is left moved on where that is not 0.
    """
    t = borrow_hard(hard)
    head = t.head[0]
    wait = math.inf
    for k in range(found):
        gap, came = t.seen[k].gap, approach(hard, pair, k)[0]
        if gap <= 0.0:
            if gap >= -TOUCHED * slop or not (came > head.threshold and gap + 0.5 * h * came > 0.0):
                return 0.0
            wait = min(wait, gap / came)
    for k in range(found):
        gap, (came, comes) = t.seen[k].gap, approach(hard, pair, k)
        if gap > 0.0 and came > head.threshold and max(came, comes) * h > gap:
            wait = min(wait, gap / max(came, comes))
    if wait == math.inf:
        return 0.0
    late, least = 0.0, math.inf
    for _ in range(Looks.MOVES.value):
        late = min(max(late + wait, -0.5 * h), h)
        place_pair(tables, hard, pair, late)
        found = collide(hard, pair, reach)
        least, wait = math.inf, math.inf
        for k in range(found):
            gap, speed = t.seen[k].gap, approach(hard, pair, k)[0]
            least = min(least, gap)
            if speed > 0.0:
                wait = min(wait, gap / speed)
        if abs(least) <= TOUCHED * slop or wait == math.inf:
            break
    if found == 0 or (late == h and least > TOUCHED * slop):  # they pass each other, or touch in the next step
        return math.inf
    return late


@step_kernel
def weigh_pull(hard, point):
    """W of (1) at a point, world: weights over masses of free bodies, of clusters by the responses to its impulses."""
    t = borrow_hard(hard)
    total = ZERO
    for side in range(2):
        b, row = (point.a, point.row_a) if side == 0 else (point.b, point.row_b)
        sign = -1.0 if side == 0 else 1.0
        if row == Row.FREE:
            total = plus_times(total, sign * t.solids[b].mobility, vector(t.solids[b].weight, 0))
        elif row >= 0:
            first = t.clusters[t.solids[b].cluster, 0]
            for m in range(t.clusters[t.solids[b].cluster, 1] - first):
                answer, weight = t.responses[row, m], vector(t.solids[t.members[first + m]].weight, 0)
                pulled = dot(vector(answer, 0), weight), dot(vector(answer, 6), weight), dot(vector(answer, 12), weight)
                total = plus_times(total, sign, pulled)
    put(point.pull, 0, total)


@step_kernel
def aim_late(h, hard):
    """Targets (2) of all points that touch after the middle of the step."""
    t = borrow_hard(hard)
    head = t.head[0]
    for k in range(head.points):
        point = t.contacts[k]
        point.began = point.impulse[0]
        if point.late == 0.0:
            continue
        n = vector(point.normal, 0)
        weigh_pull(hard, point)
        came = dot(closing(t.solids[point.a], t.solids[point.b], point)[0], n)
        comes = dot(relative_velocity(hard, point)[0], n)
        if comes < came < 0.0:  # with what forces give in the step they touch a little earlier
            point.late *= came / comes
        point.bounce = 0.0
        point.target = -point.gap / max(h - point.late, LEAST * h) if point.gap > 0.0 else 0.0
        touched = point.gap <= head.slop * point.thickness
        if came < -head.threshold and (touched or min(came, comes) < point.target):
            more = point.late * dot(vector(point.pull, 0), n)
            e = t.near[point.pair].restitution
            met, rest = 0.5 * (came + comes) + more, 0.5 * (comes - came) - more
            point.bounce = max(0.0, rest - e * met) if e > 0.0 else 0.0
            point.target = point.bounce


@step_kernel
def shift_by(hard, point, d):
    """Shift the bodies of a point as by an impulse along its axes; work of the weights on the way [J]."""
    t = borrow_hard(hard)
    p = plus_times(times(d[0], vector(point.normal, 0)), d[1], vector(point.tangent, 0))
    p, couple = plus_times(p, d[2], vector(point.across, 0)), couple_of(point, d[1], d[2])
    moment = times(couple, vector(point.normal, 0))
    b = t.solids[point.b]
    if point.row_b == Row.FREE:
        add(b.shift, 0, times(b.mobility, p))
        add(b.turn, 0, turn(inverse_of(b), plus(cross(vector(point.arm_b, 0), p), moment)))
    elif point.row_b >= 0:
        shift_cluster(hard, point.b, point.row_b, p, couple)
    a = t.solids[point.a]
    if point.row_a == Row.FREE:
        add(a.shift, 0, times(-a.mobility, p))
        add(a.turn, 0, turn(inverse_of(a), minus(cross(p, vector(point.arm_a, 0)), moment)))
    elif point.row_a >= 0:
        shift_cluster(hard, point.a, point.row_a, times(-1.0, p), -couple)
    return dot(p, vector(point.pull, 0))


@step_kernel
def act_late(hard, first, end):
    """Shift the poses of an island by (3)."""
    t = borrow_hard(hard)
    head = t.head[0]
    load, mean = 0.0, 0.0
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        if point.late != 0.0 and point.impulse[0] > 0.0:
            head.fallen += shift_by(hard, point, times(-point.late, vector(point.impulse, 0)))
            load += point.impulse[0]
            mean += point.impulse[0] * point.late
    if load == 0.0:
        return
    mean /= load
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        more = point.impulse[0] - point.began
        if point.late == 0.0 and more > 0.0:
            weigh_pull(hard, point)
            work = shift_by(hard, point, times(-mean * more / point.impulse[0], vector(point.impulse, 0)))
            head.fallen += work
            head.answered += work

r"""Impulses of all points of contact: Gauss-Seidel sweeps with projection on the friction cone, island by island.

At the end of the step the points must fulfil Signorini's and Coulomb's laws in velocities (u relative velocity of a
point, lambda its impulse, n normal and t tangential parts, c the target of :mod:`points`):

    0 <= u_n - c   _|_   lambda_n >= 0                                                                    (1)
    |lambda_t| <= mu lambda_n,     lambda_t = -mu lambda_n u_t / |u_t|  where u_t /= 0                     (2)

with M (v+ - v) = sum G^T lambda. (2) is the cone itself, not a pyramid, and a point that sticks has u_t = 0. Both
laws are fixed points of

    lambda_n <- max(0, lambda_n - (u_n - c) / W_nn),                                                      (3)
    lambda_t <- proj(lambda_t - rho u_t),    proj on the disc of radius mu lambda_n,                       (4)

which the sweeps repeat for one point after another with the velocities as they are by then (Moreau 1988, Jean 1999). In
(4) rho is the inverse of the tangential mobility, which makes a point stick at once, or, where the disc does not
allow that, the inverse of its largest eigenvalue. Sweeps go forth and back in turn. They begin with the impulses of the
step before, so that what rests is solved before it begins, and what is not solved in one step goes on in the next.

Where a heavy body lies on a light one, of masses M and m, a sweep leaves 1 - m/M of an error: with a thousandth, ten
thousand sweeps would be needed. What two sweeps change, forth and back, is by then almost the slowest error itself. So
where masses differ by more than ten the impulses go on from time to time along that change d, as far as it helps,

    lambda <- proj(lambda + alpha d),     alpha = - d . (u - c) / (d . W d)                               (6)

which is the least of the quadratic form whose sweeps these are (:func:`stretch`).

Islands are bodies that touch each other, directly or through others that move; each is swept until no velocity changes
by more than ``enough``. Points are taken in the order of their pairs, islands in the order of their first point: the
answer depends on the state alone.

*Overlap* is undone without velocities: after the sweeps the poses are shifted along the normals, by impulses that no
velocity feels,

    n . (d_b - d_a) >= beta (-g+ - slop) where g+ = g + h u_n < -slop,     >= -g+ - slop elsewhere         (5)

What that lifts bodies is work against gravity, and is booked as work of the contacts.
"""

from __future__ import annotations

import math
from enum import IntEnum

from centrode.dynamics.hard.blocked import Jam, is_jammed, keep_last, may_jam, note_cramped, without_rebound
from centrode.dynamics.hard.direct import act_instead, solve_at_once, take_back
from centrode.dynamics.hard.impulses import inside_cone, push, push_along, slope
from centrode.dynamics.hard.joints import point_answer, shift_cluster
from centrode.dynamics.hard.loads import even_out
from centrode.dynamics.hard.mobility import (
    NO_MOBILITY,
    both_answer,
    closing,
    couple_of,
    inverse_of,
    keep_mobility,
    relative_velocity,
    slip,
    world_impulse,
)
from centrode.dynamics.hard.patch import place_friction
from centrode.dynamics.hard.points import SLOWEST, STICKS
from centrode.dynamics.hard.tables import Before, Row, Size, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import add, cross, dot, minus, plus, plus_times, put, times, turn, vector


class Sweeps(IntEnum):
    """How many sweeps islands have: as many as make so many updates of all points, within bounds.

    What is not solved then is solved in the steps that follow.
    """

    FEWEST = 30
    MOST = 500
    UPDATES = 20000
    FEW = 200
    """Points of an island that is swept longer where masses are unequal."""
    STRETCHED = 16
    """From one (6) to the next; four times as many come after the last, so that friction is what it must be."""
    LONG = 16
    """After so many, what begins to slide is looked at once more (:mod:`direct`)."""
    SHARES = 8
    """How often loads are shared out in a step; friction answers to loads with a part of mu."""
    CORRECTIONS = 10
    """Sweeps of a correction of poses."""


UNEQUAL = 100.0
"""Factor of the most sweeps where the masses of an island differ by a thousand or more."""
LEFT = 1e-3
"""Error of a velocity that sweeps leave, in parts of the fastest body of the run so far or of what gravity, or without
it other forces, give in a step, from which on a reader is told."""
GAINED = 1e-6
"""Of what passes through the points of an island, from which on it is a gain. Chosen: friction on eccentric hits gives
per cents, and a puck that rocked by 6e-5 m/s on its table 7e-8."""
CORRECTED = 0.3
"""beta of (5): part of an overlap that is undone in a step."""


@step_kernel
def root_of(solids, b):
    """Representative of a body's island; paths are halved on the way."""
    while solids[b].parent != b:
        solids[b].parent = solids[solids[b].parent].parent
        b = solids[b].parent
    return b


@step_kernel
def find_islands(hard):
    """Sort the points by islands: ``order``, and ``island_first`` with one end more."""
    t = borrow_hard(hard)
    head, solids = t.head[0], t.solids
    for b in range(solids.shape[0]):
        cluster = solids[b].cluster
        solids[b].parent = b if cluster < 0 else t.members[t.clusters[cluster, 0]]
    for k in range(head.points):
        a, b = t.contacts[k].a, t.contacts[k].b
        if a > 0 and b > 0:
            i, j = root_of(solids, a), root_of(solids, b)
            if i != j:
                solids[max(i, j)].parent = min(i, j)
    islands = 0
    for b in range(solids.shape[0]):
        solids[b].island = -1
    for k in range(head.points):
        point = t.contacts[k]
        root = root_of(solids, max(point.a, point.b))
        if solids[root].island < 0:
            solids[root].island = islands
            t.island_first[islands] = 0
            islands += 1
        t.island_first[solids[root].island] += 1
    first = 0
    for i in range(islands):
        count = t.island_first[i]
        t.island_first[i] = first
        first += count
    for k in range(head.points):
        point = t.contacts[k]
        i = solids[root_of(solids, max(point.a, point.b))].island
        t.order[t.island_first[i]] = k
        t.island_first[i] += 1
    for back in range(islands):
        i = islands - 1 - back
        t.island_first[i + 1] = t.island_first[i]
    t.island_first[0] = 0
    head.islands = islands


@step_kernel
def relax(hard, k):
    """(3) and (4) at one point; by how much its velocity changed [m/s]."""
    point = borrow_hard(hard).contacts[k]
    n, t, s = vector(point.normal, 0), vector(point.tangent, 0), vector(point.across, 0)
    u, spin = relative_velocity(hard, point)
    before = vector(point.impulse, 0)
    normal = max(0.0, before[0] - (dot(u, n) - point.target) * point.per_normal)
    change = normal - before[0]
    limit = point.friction * normal
    along, aside = 0.0, 0.0
    if limit > 0.0:
        ut, us = slip(point, u, spin)
        ut += point.couples[0] * change - point.glide[0]
        us += point.couples[1] * change - point.glide[1]
        along = before[1] - (point.holds[0] * ut + point.holds[1] * us)
        aside = before[2] - (point.holds[1] * ut + point.holds[2] * us)
        if along * along + aside * aside > limit * limit:
            along = before[1] - point.slides * ut
            aside = before[2] - point.slides * us
            square = along * along + aside * aside
            if square > limit * limit:
                scale = limit / math.sqrt(square)
                along *= scale
                aside *= scale
    put(point.impulse, 0, (normal, along, aside))
    dt, ds = along - before[1], aside - before[2]
    push(hard, point, plus_times(plus_times(times(change, n), dt, t), ds, s), couple_of(point, dt, ds))
    return max(abs(change) / point.per_normal, math.sqrt(dt * dt + ds * ds) / point.slides)


@step_kernel
def sweep(hard, first, end, sweeps, enough, stretched):
    """Sweep the points of an island until nothing changes; sweeps made, and the largest change in the last [m/s]."""
    t = borrow_hard(hard)
    largest = 0.0
    for made in range(sweeps):
        largest = 0.0
        for k in range(first, end):
            largest = max(largest, relax(hard, t.order[k if made % 2 == 0 else end - 1 - (k - first)]))
        if largest <= enough and made > 0:
            return made + 1, largest
        if not stretched or made + 4 * Sweeps.STRETCHED.value > sweeps:
            continue
        if made % Sweeps.STRETCHED.value == Sweeps.STRETCHED.value - 3:
            for k in range(first, end):
                point = t.contacts[t.order[k]]
                put(point.last, 0, vector(point.impulse, 0))
        elif made % Sweeps.STRETCHED.value == Sweeps.STRETCHED.value - 1:
            stretch(hard, first, end)
    return sweeps, largest


@step_kernel
def stretch(hard, first, end):
    """(6): W d is what velocities change by when d acts once more."""
    t = borrow_hard(hard)
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        put(point.last, 0, minus(vector(point.impulse, 0), vector(point.last, 0)))
    before = slope(hard, first, end)
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        push_along(hard, point, vector(point.last, 0))
    after = slope(hard, first, end)
    alpha = max(0.0, -before / (after - before)) if after > before else 0.0
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        d, now = vector(point.last, 0), vector(point.impulse, 0)
        wanted = inside_cone(plus_times(now, alpha, d), point.friction)
        put(point.impulse, 0, wanted)
        push_along(hard, point, minus(minus(wanted, now), d))


@step_kernel
def find_jam(h, hard, first, end, largest):
    """A Jam: whether sweeps of an island do not end because no velocities fulfil its laws (:mod:`blocked`)."""
    if not (largest > borrow_hard(hard).head[0].enough and may_jam(hard, first, end)):
        return Jam.NONE.value
    keep_last(hard, first, end)
    sweep(hard, first, end, 2, 0.0, False)
    return is_jammed(h, hard, first, end)


@step_kernel
def solve_island(time, h, hard, first, end):
    """Velocities and impulses of an island; without restitution where that would make energy or has no room."""
    t = borrow_hard(hard)
    head = t.head[0]
    start_normals(hard, first, end)
    k = first
    while k < end:
        after = k + 1
        while after < end and t.contacts[t.order[after]].pair == t.contacts[t.order[k]].pair:
            after += 1
        place_friction(hard, k, after)
        k = after
    for k in range(first, end):
        start_friction(hard, t.contacts[t.order[k]])
    most = max(Sweeps.FEWEST.value, min(Sweeps.MOST.value, Sweeps.UPDATES.value // head.points))
    factor = unequal(hard, first, end)
    if factor > 1.0:
        most = int(factor * min(Sweeps.MOST.value, Sweeps.UPDATES.value // (end - first)))
    made, largest = sweep(hard, first, end, most, head.enough, factor > 1.0)
    jam = find_jam(h, hard, first, end, largest)
    cramped = jam != Jam.NONE.value and without_rebound(hard, first, end, True)
    if cramped and head.divisible != 0:
        head.blocked = Jam.CRAMPED.value
        return
    if cramped or (jam == Jam.NONE.value and gains(hard, first, end) and without_rebound(hard, first, end, False)):
        more, largest = sweep(hard, first, end, most, head.enough, factor > 1.0)
        made += more
        if cramped:
            note_cramped(time, hard, first, end)
            jam = find_jam(h, hard, first, end, largest)
    if jam != Jam.NONE.value:
        head.blocked = jam if jam == Jam.DEEP.value else 0
        return
    if end - first <= Size.AT_ONCE.value:
        unfinished = largest > head.enough and head.points <= Sweeps.FEW.value
        if unfinished or (made > Sweeps.LONG.value and begins_to_slide(hard, first, end)):
            largest = try_at_once(hard, first, end, most, largest)
        if head.points <= Sweeps.FEW.value:
            largest = share_out(hard, first, end, most, largest)
    head.swept += made
    if largest > head.enough:
        head.unfinished += 1.0
        # A sweep that changes velocities by d after k of them leaves an error of k d or so: of what decays by a part
        # 1 - 1/k in a sweep the sum of all that is to come, and slower parts would not be seen.
        if made * largest > LEFT * max(head.fastest, head.gained) and head.points <= Sweeps.FEW.value:
            head.unsolved_time = time if head.unsolved == 0.0 else head.unsolved_time
            head.unsolved += 1.0
            head.residual = max(head.residual, largest)


@step_kernel
def begins_to_slide(hard, first, end):
    """Whether a face under load slides that was slow enough at the start of the step to be held.

    In piles only where joints hold a body: piles are solved over many steps.
    """
    t = borrow_hard(hard)
    head = t.head[0]
    looked_at = head.points <= Sweeps.FEW.value
    slides = False
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        looked_at |= point.row_a >= 0 or point.row_b >= 0
        limit = point.friction * point.impulse[0]
        if slides or t.near[point.pair].count < Size.FACE.value or limit == 0.0:
            continue
        if point.impulse[1] ** 2 + point.impulse[2] ** 2 > 0.999 * limit * limit:
            u, spin = closing(t.solids[point.a], t.solids[point.b], point)
            along, aside = slip(point, u, spin)
            slides = along * along + aside * aside < (SLOWEST * head.gained) ** 2
    return looked_at and slides


@step_kernel
def try_at_once(hard, first, end, most, largest):
    """Solve a small island at once and sweep from there; back to where it was if that is no nearer to the end."""
    t = borrow_hard(hard)
    enough = t.head[0].enough
    if not solve_at_once(hard, first, end, enough, largest > enough):
        return largest
    _, found = sweep(hard, first, end, most, enough, False)
    if found > max(largest, enough) or gains(hard, first, end):
        take_back(hard, first, end)
        return largest
    return found


@step_kernel
def share_out(hard, first, end, most, largest):
    """Share the loads of what slides out evenly and sweep from there, until that changes none (:mod:`loads`); back to
    where it was if that is no nearer to the end."""
    t = borrow_hard(hard)
    enough, found = t.head[0].enough, largest
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        put(point.last, 0, vector(point.impulse, 0))
    for _ in range(Sweeps.SHARES.value):
        if not even_out(hard, first, end):
            break
        _, found = sweep(hard, first, end, most, enough, False)
    if found <= max(largest, enough):
        return found
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        act_instead(hard, point, vector(point.last, 0))
    return largest


@step_kernel
def unequal(hard, first, end):
    """Sweeps that an island needs for its masses, in parts of the usual number; 0 where it is large."""
    t = borrow_hard(hard)
    if end - first > Sweeps.FEW.value:
        return 0.0
    light, heavy = math.inf, 0.0
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        for side in range(2):
            m = t.solids[point.a if side == 0 else point.b].mobility
            if m > 0.0:
                light, heavy = min(light, m), max(heavy, m)
    return min(UNEQUAL, 0.1 * heavy / light)


@step_kernel
def start_normals(hard, first, end):
    """Begin with the normal impulses of the step before; what flew before begins with none."""
    t = borrow_hard(hard)
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        if point.impulse[0] > 0.0:
            push(hard, point, times(point.impulse[0], vector(point.normal, 0)), 0.0)


@step_kernel
def weigh_friction(hard, point):
    """Mobility of a point where its friction acts."""
    n, u, v = vector(point.normal, 0), vector(point.tangent, 0), vector(point.across, 0)
    by_u, by_v = couple_of(point, 1.0, 0.0), couple_of(point, 0.0, 1.0)
    if point.row_a == Row.FREE and point.row_b == Row.FREE:
        along = both_answer(hard, point, u, by_u)
        keep_mobility(point, both_answer(hard, point, n, 0.0), along, both_answer(hard, point, v, by_v), 0.0)
    else:
        least = NO_MOBILITY * dot(n, both_answer(hard, point, n, 0.0)[0])
        along = point_answer(hard, point, u, by_u)
        keep_mobility(point, point_answer(hard, point, n, 0.0), along, point_answer(hard, point, v, by_v), least)


@step_kernel
def start_friction(hard, point):
    """Begin with the friction of the step before, cut to the cone."""
    weigh_friction(hard, point)
    p = inside_cone(vector(point.impulse, 0), point.friction)
    put(point.impulse, 0, p)
    if p[0] > 0.0:
        total = plus_times(times(p[1], vector(point.tangent, 0)), p[2], vector(point.across, 0))
        push(hard, point, total, couple_of(point, p[1], p[2]))


@step_kernel
def gains(hard, first, end):
    """Whether restitution made energy on an island.

    Newton's law may do so where friction turns the velocities of eccentric hits (Kane 1984). The work of the impulses
    is taken with the velocities at the start of the step and with those that bodies would have had without contacts;
    forces in between make the two differ, so both must be gains. What sweeps leave is none, nor what a body that rocks
    on the ground meanwhile gets there: with restitution 1 a hit gives nothing beside, and would lose all its rebound.
    """
    t = borrow_hard(hard)
    bounces = False
    work, passed, left = 0.0, 0.0, 0.0
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        bounces |= point.bounce > 0.0
    if not bounces:
        return False
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        a, b = t.solids[point.a], t.solids[point.b]
        u, spin = closing(a, b, point)
        gained, rubbed = work_of(hard, point, u, spin)
        work += gained + rubbed
        passed += abs(point.impulse[0] * dot(u, vector(point.normal, 0)))
        left += t.head[0].enough * point.impulse[0]
    return work > GAINED * passed + left


@step_kernel
def work_of(hard, point, u, spin):
    """Work of a point along the normal and by friction, with the mean of velocities before (u, spin) and after [J]; of
    one that acts after the middle of the step with what weights do by it (:mod:`touch`)."""
    v, turning = relative_velocity(hard, point)
    mean = plus_times(times(0.5, plus(u, v)), point.late, vector(point.pull, 0))
    along, aside = slip(point, mean, 0.5 * (spin + turning))
    return point.impulse[0] * dot(mean, vector(point.normal, 0)), point.impulse[1] * along + point.impulse[2] * aside


@step_kernel
def correct_island(h, hard, first, end):
    """Shift poses out of overlaps, (5)."""
    t = borrow_hard(hard)
    head = t.head[0]
    needed = False
    for k in range(first, end):
        point = t.contacts[t.order[k]]
        slop = head.slop * point.thickness
        n = vector(point.normal, 0)
        after = point.gap + (h - point.late) * dot(relative_velocity(hard, point)[0], n)
        point.pushed = 0.0
        point.wanted = -after - slop
        if point.wanted > 0.0:
            point.wanted *= CORRECTED
            needed = True
        if point.late != 0.0:  # it has had its own shift
            point.wanted += dot(parted(t.solids[point.a], t.solids[point.b], point), n)
            needed = True
    if not needed:
        return
    for made in range(Sweeps.CORRECTIONS.value):
        largest = 0.0
        for k in range(first, end):
            largest = max(largest, shift_apart(hard, t.order[k if made % 2 == 0 else end - 1 - (k - first)]))
        if largest <= 0.1:
            break


@step_kernel
def parted(a, b, point):
    """How far the shifts of two bodies moved a point of B from that of A [m]."""
    d = minus(vector(b.shift, 0), vector(a.shift, 0))
    d = plus(d, cross(vector(b.turn, 0), vector(point.arm_b, 0)))
    return minus(d, cross(vector(a.turn, 0), vector(point.arm_a, 0)))


@step_kernel
def shift_apart(hard, k):
    """(5) at one point; by how much it moved, in slops."""
    t = borrow_hard(hard)
    point = t.contacts[k]
    a, b = t.solids[point.a], t.solids[point.b]
    n, ra, rb = vector(point.normal, 0), vector(point.arm_a, 0), vector(point.arm_b, 0)
    pushed = max(0.0, point.pushed - (dot(parted(a, b, point), n) - point.wanted) * point.per_normal)
    change = pushed - point.pushed
    if change == 0.0:
        return 0.0
    point.pushed = pushed
    p = times(change, n)
    if point.row_b == Row.FREE:
        add(b.shift, 0, times(b.mobility, p))
        add(b.turn, 0, turn(inverse_of(b), cross(rb, p)))
    elif point.row_b >= 0:
        shift_cluster(hard, point.b, point.row_b, p, 0.0)
    if point.row_a == Row.FREE:
        add(a.shift, 0, times(-a.mobility, p))
        add(a.turn, 0, turn(inverse_of(a), cross(p, ra)))
    elif point.row_a >= 0:
        shift_cluster(hard, point.a, point.row_a, times(-1.0, p), 0.0)
    return abs(change) / (point.per_normal * max(t.head[0].slop * point.thickness, 1e-300))


@step_kernel
def sticks(point):
    """Whether the friction of a point is inside of its cone."""
    limit = STICKS * point.friction * point.impulse[0]
    return point.impulse[1] ** 2 + point.impulse[2] ** 2 < limit * limit


@step_kernel
def balance(hard):
    """Heat of a step, the parts of friction and of the method, what passed through contacts, what was lifted [J].

    Laws hold with arms of the middle of the step. A rim or an edge that rolls touches at another point in every step,
    which had a velocity of order h at the start of the step: its impulse takes work there that nothing real does. So
    what a point takes that bore before is the method's along the normal; across, what a pair takes that stuck and
    sticks. What friction would give elsewhere is the method's, too: friction only takes.
    """
    t = borrow_hard(hard)
    head = t.head[0]
    head.heat = head.rubbed = head.by_step = head.passed = head.lifted = 0.0
    k = 0
    while k < head.points:
        end = k + 1
        while end < head.points and t.contacts[end].pair == t.contacts[k].pair:
            end += 1
        balance_pair(hard, k, end)
        k = end
    head.passed_ever += head.passed
    head.passed_most = max(head.passed_most, head.passed)
    head.carried += carried(hard)
    for b in range(1, t.solids.shape[0]):
        head.lifted -= dot(vector(t.solids[b].weight, 0), vector(t.solids[b].shift, 0))
    head.lifted += head.fallen
    head.heat += head.answered
    head.by_step += head.answered


@step_kernel
def carried(hard):
    """Energy that bodies that move gave to others in the step through contacts [J]: what one lost and the other got.

    A cam that lifts a follower meets it with no speed along the normal, so nothing goes into the contact, but the
    follower rises; and what it gets differs from what the cam gives by the work of the step (:func:`balance`).
    """
    t = borrow_hard(hard)
    total, k = 0.0, 0
    while k < t.head[0].points:
        pair, gave, got = t.contacts[k].pair, 0.0, 0.0
        while k < t.head[0].points and t.contacts[k].pair == pair:
            point = t.contacts[k]
            if point.impulse[0] > 0.0:
                p, couple = world_impulse(point)
                gave += work_on(t.solids[point.a], vector(point.arm_a, 0), p, times(couple, vector(point.normal, 0)))
                got += work_on(t.solids[point.b], vector(point.arm_b, 0), p, times(couple, vector(point.normal, 0)))
            k += 1
        if gave * got > 0.0:
            total += min(abs(gave), abs(got))
    return total


@step_kernel
def work_on(solid, arm, p, moment):
    """Work of an impulse at an arm and of a couple, with the mean velocities of a body."""
    u = plus(vector(solid.velocity_before, 0), vector(solid.velocity, 0))
    w = plus(vector(solid.spin_before, 0), vector(solid.spin, 0))
    return 0.5 * (dot(p, u) + dot(plus(cross(arm, p), moment), w))


@step_kernel
def balance_pair(hard, first, end):
    """The same of the points of one pair."""
    t = borrow_hard(hard)
    head = t.head[0]
    bearing, rubs, held = 0, 0.0, True
    for k in range(first, end):
        bearing += 1 if t.contacts[k].impulse[0] > 0.0 else 0
    for k in range(first, end):
        point = t.contacts[k]
        if point.impulse[0] == 0.0:
            continue
        u, spin = closing(t.solids[point.a], t.solids[point.b], point)
        pressed, rubbed = work_of(hard, point, u, spin)
        before = point.goes_on
        if before < 0:
            before = -before if bearing == 1 else Before.APART.value
        held = held and before == Before.STUCK.value and sticks(point)
        rubs -= rubbed
        if before != Before.APART.value:
            head.by_step -= pressed
        head.heat -= rubbed + pressed
        head.passed += 0.5 * abs(point.impulse[0] * dot(u, vector(point.normal, 0)))
        head.left += head.enough * point.impulse[0]
    friction = 0.0 if held else max(0.0, rubs)
    head.rubbed += friction
    head.by_step += rubs - friction

"""The contacts of a step, from outlines in the middle of the step to velocities at its end and what is noted of it."""

from __future__ import annotations

from enum import IntEnum

from centrode.dynamics.hard.blocked import Jam, is_blocked, leave_held
from centrode.dynamics.hard.broad import list_pairs, must_list
from centrode.dynamics.hard.joints import call_respond, tell_others
from centrode.dynamics.hard.log import note_touches
from centrode.dynamics.hard.mobility import closing
from centrode.dynamics.hard.points import find_points, keep_impulses, place_solids
from centrode.dynamics.hard.solve import balance, correct_island, find_islands, solve_island, work_of
from centrode.dynamics.hard.tables import Hit, Size, borrow_hard
from centrode.dynamics.hard.touch import WORTH, act_late, aim_late, find_hits, may_divide
from centrode.jit import call_by_address, step_kernel, types
from centrode.math.vector import ZERO, dot, matrix, plus, put, times, turn_back, vector
from centrode.parts.tables import NOTES_WIDTH, PUSH_SIGNATURE, borrow, contact_notes

CONTACT_SIGNATURE = types.int64(
    types.float64,  # time at the end of the step [s]
    types.float64,  # length of the step [s]
    types.floats1,  # velocities of the bodies at its start
    types.int64,  # handle of the kernel for clusters, 0 without exact joints
    types.int64,  # tables
    types.int64,  # hard contacts
)
"""Returns a Met; nothing has changed when not all is well."""

call_contacts = call_by_address(CONTACT_SIGNATURE)


class Met(IntEnum):
    """How the contacts of a step ended."""

    ROOM_NEEDED = 0
    SOLVED = 1
    DIVIDE = 3
    """Several hits fall into the step that have an order."""
    BLOCKED = 2
    """No velocities fulfil the laws of contacts and joints together (:mod:`blocked`)."""


FINEST = 4096.0
"""Parts into which a step is divided at most, a power of two: gaps are told apart down to such a part of its way."""
MATTERS = 1e-3
"""Energy of a rebound that was left out, in parts of what passed through contacts in the step, that is noted."""


@step_kernel(signature=CONTACT_SIGNATURE)
def meet(time, h, before, respond, tables, hard):
    """Impulses of all contacts; velocities of the run become those at the end of the step."""
    t = borrow_hard(hard)
    head = t.head[0]
    place_solids(h, before, tables, hard)
    if must_list(hard) and not list_pairs(time, hard):
        return Met.ROOM_NEEDED.value
    if head.divisible != 0:
        keep_pairs(hard)
    if not find_hits(h, tables, hard):
        return Met.DIVIDE.value
    if not find_points(h, tables, hard):
        return Met.ROOM_NEEDED.value
    head.blocked = 0
    if respond != 0:
        if call_respond(respond, (tables, hard)) == 0:
            return Met.ROOM_NEEDED.value
        if is_blocked(h, hard):
            return Met.BLOCKED.value
        leave_held(hard)
    aim_late(h, hard)
    find_islands(hard)
    for i in range(head.islands):
        solve_island(time, h, hard, t.island_first[i], t.island_first[i + 1])
        if head.blocked == Jam.CRAMPED:
            take_back_pairs(hard)
            return Met.DIVIDE.value
        if head.blocked != 0:
            return Met.BLOCKED.value
    if may_divide(hard) and mark_hits(hard) and are_missed(h, hard):
        take_back_pairs(hard)
        return Met.DIVIDE.value
    if respond != 0:
        tell_others(hard)
    head.fallen = head.answered = 0.0
    for i in range(head.islands):
        act_late(hard, t.island_first[i], t.island_first[i + 1])
    for i in range(head.islands):
        correct_island(h, hard, t.island_first[i], t.island_first[i + 1])
    keep_impulses(hard)
    balance(hard)
    if mark_hits(hard):
        note_missed(time, hard)
        note_shared(time, hard)
    if head.clearing == 1.0 and head.cleared == 0.0 and not overlaps_at_start(h, hard):
        head.clearing = 0.0
    note_depth(time, hard)
    note_touches(time, hard)
    return Met.SOLVED.value


@step_kernel
def overlaps_at_start(h, hard):
    """Whether some overlap was there before the first half of this step, by more than is left alone."""
    t = borrow_hard(hard)
    for k in range(t.head[0].points):
        point = t.contacts[k]
        u, _ = closing(t.solids[point.a], t.solids[point.b], point)
        if point.gap - 0.5 * h * dot(u, vector(point.normal, 0)) < -1.1 * t.head[0].slop * point.thickness:
            return True
    return False


@step_kernel
def note_depth(time, hard):
    """The deepest overlap of the step in parts of the thinner half-width, and the deepest of the run."""
    t = borrow_hard(hard)
    head = t.head[0]
    head.deepest = 0.0
    for k in range(head.points):
        point = t.contacts[k]
        deep = -point.gap / point.thickness
        if deep > head.deepest:
            head.deepest = deep
            if deep > head.deepest_ever:
                head.deepest_ever, head.deep_time, head.deep_depth = deep, time, -point.gap
                head.deep_a, head.deep_b = point.a, point.b
    if head.clearing == 1.0:
        # A tenth more than what is left alone: the rest shrinks by a part in every step and never goes.
        if head.deepest > 1.1 * head.slop:
            head.cleared += max(head.lifted, 0.0)
        else:
            head.clearing = 2.0 if head.cleared > 0.0 else 0.0
            head.clear_time = time


@step_kernel
def mark_hits(hard):
    """Bodies that were hit with a rebound, each with its pair; whether there are any."""
    t = borrow_hard(hard)
    any_hit = False
    for k in range(t.head[0].points):
        point = t.contacts[k]
        if point.bounce > 0.0 and point.impulse[0] > 0.0:
            any_hit = True
            break
    if not any_hit:
        return False
    for b in range(t.solids.shape[0]):
        t.solids[b].hit = Hit.NONE.value
    for k in range(t.head[0].points):
        point = t.contacts[k]
        if point.bounce > 0.0 and point.impulse[0] > 0.0:
            for side in range(2):
                solid = t.solids[point.a if side == 0 else point.b]
                solid.hit = point.pair if solid.hit in (Hit.NONE.value, point.pair) else Hit.SEVERAL.value
    t.solids[0].hit = Hit.NONE.value  # the ground passes nothing on
    return True


@step_kernel
def note_missed(time, hard):
    """Note hits that another hit of this step brought about, too near for a step of their own: they have no rebound.

    Such a point was open and did not reach the other side by itself. At its end the step leaves u+ = -g/h there, so it
    took lambda g / (2 h), of which e^2 would have come back. Without its impulse it would have closed with
    lambda W_nn + g/h: a step shorter than g over that sees the hit that came before alone.
    """
    t = borrow_hard(hard)
    head = t.head[0]
    for k in range(head.points):
        point = t.contacts[k]
        came = missed_at(hard, point)
        if came > 0.0:
            e = t.near[point.pair].restitution
            u, spin = closing(t.solids[point.a], t.solids[point.b], point)
            lost = -e * e * work_of(hard, point, u, spin)[0]
            if lost > MATTERS * head.passed:
                head.missed += lost
                head.missed_time = time
                step = point.gap / came
                head.missed_step = step if head.missed_step == 0.0 else min(step, head.missed_step)


@step_kernel
def missed_at(hard, point):
    """Speed with which a point would have closed that another hit of this step closed [m/s]; 0 where none did."""
    t = borrow_hard(hard)
    rebounds = t.near[point.pair].restitution > 0.0
    if not (point.gap > 0.0 and point.bounce == 0.0 and point.impulse[0] > 0.0 and rebounds):
        return 0.0
    came = point.impulse[0] / point.per_normal - point.target
    one, two = t.solids[point.a].hit, t.solids[point.b].hit
    return came if came > t.head[0].threshold and (passes_on(one, point.pair) or passes_on(two, point.pair)) else 0.0


@step_kernel
def are_missed(h, hard):
    """Whether hits are missed that the parts of a divided step would see."""
    t = borrow_hard(hard)
    head = t.head[0]
    least = h * max(head.parts, 1.0) / FINEST
    for k in range(head.points):
        point = t.contacts[k]
        came = missed_at(hard, point)
        if came > WORTH * head.fastest and point.gap > least * came:
            return True
    return False


@step_kernel
def keep_pairs(hard):
    """Remember what pairs remember: a step that is divided begins again. Between two lists their old ones have room."""
    t = borrow_hard(hard)
    for k in range(t.head[0].pairs):
        t.near_old[k] = t.near[k]


@step_kernel
def take_back_pairs(hard):
    """Pairs as they were when the step began."""
    t = borrow_hard(hard)
    for k in range(t.head[0].pairs):
        t.near[k] = t.near_old[k]


@step_kernel
def note_shared(time, hard):
    """Note hits that went on through contacts of two bodies that move, which were there before: they share its speed.

    Without its impulse such a contact would have closed with s = lambda W_nn, and took lambda s / 2 of the energy. In
    a sequence of hits it would have been one of its own, with a rebound.
    """
    t = borrow_hard(hard)
    head = t.head[0]
    for k in range(head.points):
        point = t.contacts[k]
        if point.a == 0 or point.b == 0 or point.bounce > 0.0 or not t.near[point.pair].restitution > 0.0:
            continue
        came = point.impulse[0] / point.per_normal
        touched = point.gap <= head.slop * point.thickness
        if not (touched and came > head.threshold and point.impulse[0] > 0.0):
            continue
        if passes_on(t.solids[point.a].hit, point.pair) or passes_on(t.solids[point.b].hit, point.pair):
            gave = 0.5 * point.impulse[0] * came
            head.shared += gave
            if gave > head.shared_most:
                head.shared_most, head.shared_time = gave, time
                head.shared_a, head.shared_b = point.a, point.b


@step_kernel
def passes_on(hit, pair):
    """Whether a body was hit by another pair than this one."""
    return hit not in (Hit.NONE.value, pair)


@step_kernel(signature=PUSH_SIGNATURE)
def push_mean_forces(time, tables):
    """Forces of the last step on all bodies, as frames keep them: what sensors and reactions are told.

    A step begins without them (:func:`take_off`): its contacts are found anew.
    """
    run = borrow(tables)
    memory = run.contact_memory
    for e in range(run.contact_markers.shape[0]):
        row = NOTES_WIDTH // memory.shape[1] + Size.FORCE_ROWS * e
        force = vector(memory[row], 0)
        wrench = run.wrench[run.contact_markers[e, 0]]
        put(wrench, 0, force)
        put(wrench, 3, vector(memory[row + 1], 0))
        put(run.state_rate, run.contact_state + 3 * e, force)


@step_kernel
def take_off(tables):
    """No forces of contacts."""
    run = borrow(tables)
    memory = run.contact_memory
    for e in range(run.contact_markers.shape[0]):
        row = NOTES_WIDTH // memory.shape[1] + Size.FORCE_ROWS * e
        put(memory[row], 0, ZERO)
        put(memory[row + 1], 0, ZERO)


@step_kernel
def keep_step(h, tables, hard):
    """Write velocities and what the step brought into the run: mean forces, impulses, heat, work on every body.

    The work of an impulse is its product with the mean of the velocities before and after: exactly the kinetic energy
    that it gives.
    """
    run, t = borrow(tables), borrow_hard(hard)
    head, memory = t.head[0], run.contact_memory
    count = run.contact_markers.shape[0]
    for b in range(1, t.solids.shape[0]):
        solid, motion = t.solids[b], run.velocity[b - 1]
        put(motion, 0, vector(solid.velocity, 0))
        put(motion, 3, turn_back(matrix(run.rotation[b], 0), vector(solid.spin, 0)))
    for e in range(count):
        solid = t.solids[run.marker_table[run.contact_markers[e, 0]].body]
        row = NOTES_WIDTH // memory.shape[1] + Size.FORCE_ROWS * e
        force, moment = vector(solid.impulse, 0), vector(solid.angular_impulse, 0)
        put(memory[row], 0, times(1.0 / h, force))
        put(memory[row + 1], 0, times(1.0 / h, moment))
        for c in range(3):
            run.states[run.contact_state + 3 * e + c] += force[c]
        if run.audit >= 0:
            mean = plus(vector(solid.velocity_before, 0), vector(solid.velocity, 0))
            spin = plus(vector(solid.spin_before, 0), vector(solid.spin, 0))
            work = 0.5 * (dot(force, mean) + dot(moment, spin)) - dot(vector(solid.weight, 0), vector(solid.shift, 0))
            run.states[run.audit + run.force_link.shape[0] + e] += work
    run.states[run.contact_state + 3 * count] += head.heat - head.lifted
    run.states[run.contact_state + 3 * count + 1] += head.rubbed
    run.states[run.contact_state + 3 * count + 2] += head.by_step - head.lifted
    contact_notes(memory, 0).passed += head.passed

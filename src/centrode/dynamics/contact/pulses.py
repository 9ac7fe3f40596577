"""What contacts leave behind at accepted states: episodes of pairs, pulses of bodies, a log of what happened.

Called once after every accepted step and at every located event (:mod:`centrode.dynamics.settle`), never for trial
states, so stages and rejected steps leave no trace.

*Episode*: a pair of outlines from touch to separation; holds the memory of its contact law. Opening, closing and
noting an episode never change the force at the state where it happens, so no evaluation has to be repeated.

*Pulse*: what engineers call one collision of two bodies: all their episodes, as long as less than 25 ms lie between
them (secondary hits of one crash are counted inside). A pulse has a slot, taken when the bodies come near; the method
integrates the impulse, its place and the heat of the slot beside the motion, so they are as exact as the motion is.
Velocities before are those at the touch, velocities after those at the last separation. The spin of a pseudo-rigid
body is that of a rigid one with the same angular momentum, J^-1 L, because the instantaneous rate of a vibrating body
swings about it; what energy remains is its vibration:

    E_vib = 1/2 sum Y_i |w_i|^2 + U(F) - 1/2 L . J^-1 L                                                  (1)

Without located events touch and separation are placed inside the step by the depth (or gap) and its rate.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.codes import NO_ANSWER
from centrode.dynamics.contact.collide import (
    EPISODES,
    EVENT,
    FAR,
    USED,
    episode_rows,
    find_episode,
    open_episode,
    relative_velocity,
)
from centrode.dynamics.contact.guard import may_have_passed
from centrode.dynamics.contact.laws import advance_contact
from centrode.dynamics.contact.pool import (
    BEFORE_TIME,
    BODIES,
    CODE,
    COUNT,
    DEFORMS,
    DEPTH,
    DIRECTOR,
    EPISODE,
    EPISODE_CODE,
    EPISODE_MEMORY,
    EPISODES_SHORT,
    FLIPPED,
    FORCE,
    FRAMES,
    GAP,
    HIDDEN,
    LAME_1,
    LAME_2,
    LAST_NORMAL,
    LAST_TIME,
    LAW,
    LAWS,
    LOG,
    LOG_COUNT,
    LOG_HEAD,
    LOG_LOST,
    MOMENTS,
    NEAR,
    NEXT_BRISTLE,
    NEXT_TWIST,
    NORMAL,
    OUTLINE_A,
    OUTLINE_B,
    POINT_A,
    POINT_B,
    RATE,
    RATES,
    ROWS,
    SAMPLES,
    SLOT,
    SLOT_FIELDS,
    SLOTS,
    SLOTS_USED,
    SPEED,
    STATUS,
    VOLUME,
    table,
)
from centrode.jit import step_kernel
from centrode.math.vector import matrix
from centrode.parts.bodies.pseudo_rigid_energy import elastic_energy
from centrode.parts.contact_laws.contact_law import ACTIVE, BRISTLE, CLOSING_SPEED, PERMANENT, REGION, TWIST
from centrode.parts.kernel_types import LINK_DATA, LINK_STATE, SETTLE_SIGNATURE
from centrode.parts.outlines.outline import BODY, THICKNESS

SAME_PULSE = 0.025
"""A pulse closes after this time without contact [s]."""
FLIP = -0.5
"""A contact whose normal turned by more than 120 degrees in a step came out on the other side."""
SLOT_DISTANCE = 0.5
"""Bodies closer than this have a slot for a pulse [m]."""

# Fields of a slot.
S_CODE, S_OPEN, S_USED, S_BEGIN, S_END, S_TOUCH, S_CLOSING, S_PEAK, S_PEAK_TIME = range(9)
S_LAST, S_BEFORE_LAST, S_EPISODES, S_DEEPEST, S_REGION, S_NORMAL, S_POINT = 9, 10, 11, 12, 13, 14, 17
S_CRUSH, S_STRIDE, S_SAMPLES, S_SKIP, S_SLIP, S_KNOWN = 20, 21, 22, 23, 24, 25
S_BEFORE, S_AFTER, S_START, S_FINISH, S_FORCE = 26, 52, 78, 87, 96
# A snapshot of one body: velocity (3), spin (3), vibration energy, first director (3), centre of mass (3).
V, W, VIBRATION, HEADING, PLACE, SNAPSHOT = 0, 3, 6, 7, 10, 13

# Kinds of lines in the log; the head of a line: kind, time, body A, body B, outline A, outline B, speed, point, normal,
# sides.
LOG_BEGIN, LOG_END, LOG_PULSE = 1.0, 2.0, 3.0


@step_kernel(signature=SETTLE_SIGNATURE)
def contact_settle(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Note an accepted state, from the answers of its last evaluation; 1 when an outline may have passed another."""
    pool = link[first, LINK_DATA]
    hidden = link[first, LINK_STATE] + 3
    near = table(data, pool, NEAR)
    slots = table(data, pool, SLOTS)
    rows = table(data, pool, ROWS)
    episodes = episode_rows(memory, int(memory[first, EPISODES]))
    duration = max(time - data[pool + LAST_TIME], 0.0)
    data[pool + BEFORE_TIME] = data[pool + LAST_TIME]
    data[pool + LAST_TIME] = time
    for s in range(int(data[pool + SLOTS_USED])):
        slots[s, S_USED] = 0.0
        for c in range(4):
            slots[s, S_FORCE + c] = 0.0
    event = FAR
    for k in range(int(data[pool + COUNT])):
        pair = near[k]
        if pair[STATUS] == NO_ANSWER:
            continue
        gap = pair[GAP]
        slot = -1
        if gap < SLOT_DISTANCE:
            i = int(rows[int(pair[OUTLINE_A]), BODY])
            j = int(rows[int(pair[OUTLINE_B]), BODY])
            used = int(data[pool + SLOTS_USED])
            slot = find_slot(slots, used, int(pair[SLOT]), min(i, j) * (count + 1) + max(i, j) + 1.0)
            data[pool + SLOTS_USED] = max(used, slot + 1)
        pair[SLOT] = slot
        r = find_episode(pair, episodes, int(memory[first, USED]))
        touches = r >= 0 and episodes[r, EPISODE_MEMORY + ACTIVE] == 1.0
        if touches and gap < 0.0:
            note_step(pool, data, par[first], pair, episodes[r, EPISODE_MEMORY:], duration)
            along = 0.0
            for c in range(3):
                along += pair[NORMAL + c] * pair[LAST_NORMAL + c]
            thick = rows[int(pair[OUTLINE_A]), THICKNESS] + rows[int(pair[OUTLINE_B]), THICKNESS]
            if along < FLIP or pair[DEPTH] > thick:
                data[pool + FLIPPED] = k + 1.0
        if gap <= 0.0 and not touches:
            r = open_row(pair, episodes, r)
            if r < 0:
                data[pool + EPISODES_SHORT] += 1.0
                continue
            memory[first, USED] = max(memory[first, USED], r + 1.0)
            begin(
                time, duration, pool, data, par[first], pair, episodes[r, EPISODE_MEMORY:], slots, slot, states, hidden
            )
            touches = True
        elif gap >= 0.0 and touches:
            end(time, duration, pool, data, pair, episodes[r], slots, slot, states, hidden)
            touches = False
        event = min(event, -gap if touches else gap)
        for c in range(3):
            pair[LAST_NORMAL + c] = pair[NORMAL + c] if touches else 0.0
        if slot >= 0:
            slots[slot, S_USED] = 1.0
            if touches:
                sign = 1.0 if rows[int(pair[OUTLINE_A]), BODY] < rows[int(pair[OUTLINE_B]), BODY] else -1.0
                for c in range(3):
                    slots[slot, S_FORCE + c] += sign * pair[FORCE + c]
                slots[slot, S_DEEPEST] = max(slots[slot, S_DEEPEST], pair[DEPTH])
                slots[slot, S_SLIP] = max(slots[slot, S_SLIP], pair[SPEED])
    memory[first, EVENT] = event
    used = int(memory[first, USED])
    while used > 0 and episodes[used - 1, EPISODE_CODE] == 0.0:
        used -= 1
    memory[first, USED] = used
    last = 0
    for s in range(int(data[pool + SLOTS_USED])):
        if slots[s, S_CODE] != 0.0:
            last = s + 1
            tend_slot(time, pool, data, slots[s], count + 1, s, states, hidden)
    data[pool + SLOTS_USED] = last
    return may_have_passed(pool, data, duration)


@step_kernel
def find_slot(slots, used, known, code):
    """Slot of two bodies, a free one when they have none; -1 when all are taken. Slots from ``used`` on are free."""
    if known >= 0 and slots[known, S_CODE] == code:
        return known
    free = -1
    for s in range(min(used + 1, slots.shape[0])):
        if slots[s, S_CODE] == code:
            return s
        if slots[s, S_CODE] == 0.0 and free < 0:
            free = s
    if free >= 0:
        for c in range(slots.shape[1]):
            slots[free, c] = 0.0
        slots[free, S_CODE] = code
    return free


@step_kernel
def open_row(pair, episodes, r):
    """Memory row for a new episode: the pair's own (a dent), else a free one; -1 when there is none."""
    if r < 0:
        for q in range(episodes.shape[0]):
            if episodes[q, EPISODE_CODE] == 0.0:
                r = q
                for c in range(episodes.shape[1]):
                    episodes[r, c] = 0.0
                episodes[r, EPISODE_CODE] = pair[CODE] + 1.0
                break
    pair[EPISODE] = r
    return r


@step_kernel
def note_step(pool, data, handles, pair, memory, duration):
    """Permanent deformation and bristle of an accepted step; the bristle is the one of its last evaluation."""
    law = int(pair[LAW])
    advance_contact(handles, law, table(data, pool, LAWS)[law], memory, pair[DEPTH], pair[RATE], duration)
    for c in range(3):
        memory[BRISTLE + c] = pair[NEXT_BRISTLE + c]
    memory[TWIST] = pair[NEXT_TWIST]


@step_kernel
def begin(time, duration, pool, data, handles, pair, memory, slots, slot, states, hidden):
    """Open an episode, and a pulse when its bodies have none."""
    rows = table(data, pool, ROWS)
    frames = table(data, pool, FRAMES)
    speeds = table(data, pool, RATES)
    bodies = table(data, pool, BODIES)
    a = int(pair[OUTLINE_A])
    b = int(pair[OUTLINE_B])
    i = int(rows[a, BODY])
    j = int(rows[b, BODY])
    open_episode(
        pair, rows[a], rows[b], frames[i], speeds[i], frames[j], speeds[j], bodies[i], bodies[j],
        handles, table(data, pool, LAWS)[int(pair[LAW])], memory,
    )  # fmt: skip
    touch = time
    if pair[DEPTH] > 0.0 and pair[RATE] > 0.0:
        touch -= min(pair[DEPTH] / pair[RATE], duration)
    log = log_line(pool, data, LOG_BEGIN, touch, i, j, a, b)
    if log >= 0:
        write_contact(table(data, pool, LOG)[log], pair, memory[CLOSING_SPEED], memory[REGION])
    if slot < 0:
        return
    row = slots[slot]
    if row[S_OPEN] == 0.0:
        if row[S_KNOWN] == 0.0 or pair[DEPTH] < 1e-9:
            # Touched right here (a located event), or never seen before: the state now is the state before.
            look(pool, data, row, S_BEFORE, states, hidden, slot, S_START, table(data, pool, BODIES).shape[0])
        row[S_OPEN] = 1.0
        row[S_BEGIN] = touch
        row[S_CLOSING] = memory[CLOSING_SPEED]
        row[S_REGION] = memory[REGION] if i < j else -memory[REGION]
        row[S_PEAK], row[S_LAST], row[S_BEFORE_LAST] = 0.0, 0.0, 0.0
        row[S_EPISODES], row[S_DEEPEST], row[S_TOUCH], row[S_CRUSH], row[S_SLIP] = 0.0, 0.0, 0.0, 0.0, 0.0
        row[S_STRIDE], row[S_SAMPLES], row[S_SKIP] = 1.0, 1.0, 0.0
        row[SLOT_FIELDS], row[SLOT_FIELDS + 1] = touch, 0.0
        sign = 1.0 if i < j else -1.0
        for c in range(3):
            row[S_NORMAL + c] = sign * pair[NORMAL + c]
            row[S_POINT + c] = 0.5 * (pair[POINT_A + c] + pair[POINT_B + c])
    row[S_EPISODES] += 1.0
    row[S_TOUCH] += 1.0


@step_kernel
def end(time, duration, pool, data, pair, episode, slots, slot, states, hidden):
    """Close an episode; the row stays when the contact left a dent."""
    rows = table(data, pool, ROWS)
    memory = episode[EPISODE_MEMORY:]
    frames = table(data, pool, FRAMES)
    speeds = table(data, pool, RATES)
    i = int(rows[int(pair[OUTLINE_A]), BODY])
    j = int(rows[int(pair[OUTLINE_B]), BODY])
    u0, u1, u2 = relative_velocity(
        frames[i],
        speeds[i],
        frames[j],
        speeds[j],
        0.5 * (pair[POINT_A] + pair[POINT_B]),
        0.5 * (pair[POINT_A + 1] + pair[POINT_B + 1]),
        0.5 * (pair[POINT_A + 2] + pair[POINT_B + 2]),
    )
    parting = u0 * pair[NORMAL] + u1 * pair[NORMAL + 1] + u2 * pair[NORMAL + 2]
    release = time
    if parting > 0.0 and pair[GAP] > 0.0:
        release -= min(pair[GAP] / parting, duration)
    log = log_line(pool, data, LOG_END, release, i, j, int(pair[OUTLINE_A]), int(pair[OUTLINE_B]))
    if log >= 0:
        write_contact(table(data, pool, LOG)[log], pair, parting, memory[REGION])
    memory[ACTIVE] = 0.0
    dented = memory[PERMANENT] > 0.0
    if slot >= 0:
        row = slots[slot]
        row[S_TOUCH] = max(row[S_TOUCH] - 1.0, 0.0)
        row[S_END] = release
        row[S_CRUSH] = max(row[S_CRUSH], memory[PERMANENT])
        if row[S_TOUCH] == 0.0:
            look(pool, data, row, S_AFTER, states, hidden, slot, S_FINISH, table(data, pool, BODIES).shape[0])
            add_sample(row, release, 0.0)
    if not dented:
        episode[EPISODE_CODE] = 0.0
        pair[EPISODE] = -1.0


@step_kernel
def tend_slot(time, pool, data, row, bodies, slot, states, hidden):
    """Samples and greatest values of a running pulse; close it, or give the slot back, when nothing is left."""
    if row[S_TOUCH] > 0.0:
        force = math.sqrt(row[S_FORCE] ** 2 + row[S_FORCE + 1] ** 2 + row[S_FORCE + 2] ** 2)
        if force > row[S_PEAK]:
            row[S_PEAK] = force
            row[S_PEAK_TIME] = time
        one, two = row[S_BEFORE_LAST], row[S_LAST]
        if two >= row[S_PEAK] and two > one and two > force:
            # Parabola through three samples of equal spacing: between steps the force was a little higher.
            row[S_PEAK] = two + 0.125 * (force - one) ** 2 / (2.0 * two - one - force)
        row[S_BEFORE_LAST] = two
        row[S_LAST] = force
        row[S_END] = time
        row[S_SKIP] += 1.0
        if row[S_SKIP] >= row[S_STRIDE]:
            add_sample(row, time, force)
            row[S_SKIP] = 0.0
    elif row[S_OPEN] != 0.0:
        if time - row[S_END] > SAME_PULSE:
            close_pulse(time, pool, data, row, bodies)
    elif row[S_USED] == 0.0:
        row[S_CODE] = 0.0
    else:
        look(pool, data, row, S_BEFORE, states, hidden, slot, S_START, bodies)
        row[S_KNOWN] = 1.0


@step_kernel
def close_pulse(time, pool, data, row, bodies):
    """Write the pulse to the log; the slot goes on waiting while its bodies are near."""
    code = int(row[S_CODE]) - 1
    log = log_line(pool, data, LOG_PULSE, row[S_BEGIN], code // bodies, code % bodies, -1, -1)
    if log >= 0:
        target = table(data, pool, LOG)[log]
        for c in range(row.shape[0]):
            target[LOG_HEAD + c] = row[c]
    row[S_OPEN] = 0.0
    row[S_KNOWN] = 0.0


@step_kernel
def add_sample(row, time, force):
    """Keep a sample of the force; when the room is full every second one is dropped and the spacing doubles."""
    count = int(row[S_SAMPLES])
    if count >= SAMPLES:
        for k in range(1, (SAMPLES + 1) // 2):
            row[SLOT_FIELDS + 2 * k] = row[SLOT_FIELDS + 4 * k]
            row[SLOT_FIELDS + 2 * k + 1] = row[SLOT_FIELDS + 4 * k + 1]
        count = (SAMPLES + 1) // 2
        row[S_STRIDE] *= 2.0
    row[SLOT_FIELDS + 2 * count] = time
    row[SLOT_FIELDS + 2 * count + 1] = force
    row[S_SAMPLES] = count + 1


@step_kernel
def look(pool, data, row, at, states, hidden, slot, integrals, bodies):
    """Snapshot of both bodies of a slot into ``row[at:]``, and of its integrals into ``row[integrals:]``."""
    frames = table(data, pool, FRAMES)
    speeds = table(data, pool, RATES)
    constants = table(data, pool, BODIES)
    code = int(row[S_CODE]) - 1
    snapshot(frames[code // bodies], speeds[code // bodies], constants[code // bodies], row[at : at + SNAPSHOT])
    snapshot(
        frames[code % bodies],
        speeds[code % bodies],
        constants[code % bodies],
        row[at + SNAPSHOT : at + 2 * SNAPSHOT],
    )
    for c in range(HIDDEN):
        row[integrals + c] = states[hidden + HIDDEN * slot + c]


@step_kernel
def snapshot(frame, rates, body, out):
    """Velocity of the centre of mass, spin, vibration energy (1), first director, place."""
    l0 = 0.0
    l1 = 0.0
    l2 = 0.0
    kinetic = 0.0
    for d in range(3):
        x, y, z = frame[3 + 3 * d], frame[4 + 3 * d], frame[5 + 3 * d]
        u, v, w = rates[3 + 3 * d], rates[4 + 3 * d], rates[5 + 3 * d]
        weight = body[DIRECTOR + d] if body[DEFORMS] != 0.0 else 0.5
        l0 += weight * (y * w - z * v)
        l1 += weight * (z * u - x * w)
        l2 += weight * (x * v - y * u)
        kinetic += 0.5 * weight * (u * u + v * v + w * w)
    for c in range(3):
        out[V + c] = rates[c]
        out[HEADING + c] = frame[3 + c]
        out[PLACE + c] = frame[c]
    if body[DEFORMS] == 0.0:
        out[W], out[W + 1], out[W + 2] = l0, l1, l2  # of a rotation 1/2 sum d_i x w_i is the angular velocity itself
        out[VIBRATION] = 0.0
        return
    out[W], out[W + 1], out[W + 2] = 0.0, 0.0, 0.0
    spin = 0.0
    for d in range(3):
        x, y, z = frame[3 + 3 * d], frame[4 + 3 * d], frame[5 + 3 * d]
        length = math.sqrt(x * x + y * y + z * z)
        momentum = (l0 * x + l1 * y + l2 * z) / length
        rate = momentum / body[MOMENTS + d]
        spin += 0.5 * momentum * rate
        out[W] += rate * x / length
        out[W + 1] += rate * y / length
        out[W + 2] += rate * z / length
    stored = elastic_energy((body[LAME_1], body[LAME_2], body[VOLUME], 0.0), matrix(frame, 3))
    out[VIBRATION] = kinetic + stored - spin


@step_kernel
def log_line(pool, data, kind, time, i, j, a, b):
    """A new line of the log with its head; -1 when the room is used up (counted)."""
    log = table(data, pool, LOG)
    n = int(data[pool + LOG_COUNT])
    if n >= log.shape[0]:
        data[pool + LOG_LOST] += 1.0
        return -1
    data[pool + LOG_COUNT] = n + 1
    head = log[n]
    head[0], head[1], head[2], head[3], head[4], head[5] = kind, time, i, j, a, b
    return n


@step_kernel
def write_contact(row, pair, speed, sides):
    """Speed along the normal, point, normal and sides of an episode's begin or end."""
    row[6] = speed
    for c in range(3):
        row[7 + c] = 0.5 * (pair[POINT_A + c] + pair[POINT_B + c])
        row[10 + c] = pair[NORMAL + c]
    row[13] = sides

"""What contacts leave behind at accepted states: episodes of pairs, pulses of bodies, a log of what happened.

Called once after every accepted step and at every located event, right after the evaluation, never for trial states:
stages and rejected steps leave no trace.

*Episode*: a pair of outlines from touch to separation; holds the memory of its contact law. Opening and closing one
never changes the force at the state where it happens. Noting a step may, where a law chooses its damper anew: the notes
say so and the state is evaluated again, as the next step begins with its rates.

*Pulse*: what engineers call one collision of two bodies: all their episodes, as long as less than 25 ms lie between
them (secondary hits of one crash are counted inside). Bodies that give way often stay together and push each other: a
crash of theirs is over when in 20 ms it changes the velocity of neither by more than 0.8 km/h (the end of an event of
recorders, 49 CFR 563.5), and what follows is another pulse. A pulse has a slot, taken when the bodies come near; the
method integrates the impulse, its place and the heat of the slot beside the motion, so they are as exact as the motion
is. Velocities before are those at the touch, velocities after those at the last separation. The spin of a pseudo-rigid
body is that of a rigid one with the same angular momentum, J^-1 L, because the instantaneous rate of a vibrating body
swings about it; what energy remains is its vibration:

    E_vib = 1/2 sum Y_i |w_i|^2 + U(F) - 1/2 L . J^-1 L                                                  (1)

Without located events touch and separation are placed inside the step by the depth (or gap) and its rate.
"""

from __future__ import annotations

from centrode.dynamics.contact.collide import FAR, find_episode, first_column, open_episode, watched_gap
from centrode.dynamics.contact.column_notes import note_tried
from centrode.dynamics.contact.columns import press_pair
from centrode.dynamics.contact.damage import book_told, pulse_code, sum_taken, tell_damage
from centrode.dynamics.contact.forces import relative_velocity
from centrode.dynamics.contact.guard import OVERLAP, may_have_passed
from centrode.dynamics.contact.laws import advance_contact, evaluate_law
from centrode.dynamics.contact.search import Status
from centrode.dynamics.contact.strip_tables import open_columns
from centrode.dynamics.contact.surface import aim_surface
from centrode.dynamics.contact.tables import (
    AFTER,
    BEFORE,
    EPISODE_WIDTH,
    HIDDEN,
    PULSE,
    SAMPLES,
    Look,
    Meets,
    Slot,
    borrow_contacts,
    open_episodes,
)
from centrode.jit import step_kernel, types
from centrode.math.vector import ZERO, add, cross, dot, middle, norm, plus_times, put, times, vector
from centrode.parts.bodies.pseudo_rigid_energy import elastic_energy
from centrode.parts.contact_laws.contact_law import ACTIVE, BRISTLE, CLOSING_SPEED, PERMANENT, REGION, TWIST, WEIGHT
from centrode.parts.outlines.outline import frame_at
from centrode.parts.tables import NOTES_WIDTH, SETTLE_SIGNATURE, borrow, contact_notes

SAME_PULSE = 0.025
"""A pulse closes after this time without contact [s]."""
CALM = 0.8 / 3.6 / 0.02
"""Acceleration of the lighter body below which bodies that give way only push each other [m/s2]."""
FLIP = -0.5
"""A contact whose normal turned by more than 120 degrees in a step came out on the other side."""
AT_TOUCH = 1e-12
"""Gap, in parts of the thickness, that is round-off of places."""
SAME_FORCE = 1e-12
"""Change of a force, in parts of it, that is round-off."""
SLOT_DISTANCE = 0.5
"""Bodies closer than this have a slot for a pulse [m]."""
ROAD_DISTANCE = 0.05
"""The same over a road: cars stand higher, and most of them for all of a run."""


@step_kernel(signature=SETTLE_SIGNATURE)
def settle_contacts(time, tables):
    """Note an accepted state, from the answers of its last evaluation; 1 when an outline may have passed another."""
    run = borrow(tables)
    contacts = run.contacts
    t = borrow_contacts(contacts)
    integrals = run.states[run.contact_state + 3 * run.contact_markers.shape[0] + 1 :]
    head = t.head[0]
    notes = contact_notes(run.contact_memory, 0)
    behind = first_column(contacts, run.contact_memory)
    columns = open_columns(run.contact_memory, behind, head.columns)
    room = (behind - NOTES_WIDTH) // EPISODE_WIDTH
    episodes = open_episodes(run.contact_memory, NOTES_WIDTH, room)
    duration = max(time - head.last_time, 0.0)
    head.before_time = head.last_time
    head.last_time = time
    for s in range(head.pulses_used):
        t.pulses[s].used = 0
        put(t.pulses[s].force, 0, ZERO)
    event = FAR
    notes.renewed = 0
    head.pace = 0.0
    used = notes.episodes
    for k in range(head.count):
        pair = t.near[k]
        pair.spare = 0.0
        if pair.status == Status.NO_ANSWER:
            continue
        notes.passed += 0.5 * abs(pair.held - pair.held_before)
        pair.held_before = pair.held
        aim_surface(contacts, pair)
        if pair.gap >= (SLOT_DISTANCE if pair.meets == Meets.BODIES else ROAD_DISTANCE):
            pair.slot = Slot.NONE
        elif pair.slot != Slot.NO_ROOM:
            pair.slot = find_slot(contacts, pair, columns)
        r = find_episode(pair, episodes[:used])
        touches = r >= 0 and episodes[r].memory[ACTIVE] == 1.0
        if pair.crush != 0:
            note_columns(contacts, pair, episodes, r, columns, duration)
            pair.spare = max(pair.gap, 0.0)
            if pair.through != 0:
                head.flipped = k + 1
        elif touches and pair.gap < 0.0:
            if note_step(contacts, pair, episodes[r].memory[:], duration):
                notes.renewed = 1
            thick = t.outlines[pair.a].thickness + t.outlines[pair.b].thickness
            # A touch no deeper than round-off has any normal; what passes through the middle is deep.
            turned = dot(vector(pair.normal, 0), vector(pair.last_normal, 0)) < FLIP and -pair.gap > OVERLAP * thick
            if turned or pair.depth > thick:
                head.flipped = k + 1
        if pair.gap <= 0.0 and not touches:
            r = open_row(pair, episodes, r)
            if r < 0:
                head.episodes_short += 1
                continue
            used = max(used, r + 1)
            begin(contacts, time, duration, pair, episodes[r].memory[:], integrals)
            touches = True
        elif pair.gap >= 0.0 and touches and leaves(contacts, pair):
            end(contacts, time, duration, pair, episodes[r], integrals)
            touches = False
        event = min(event, watched_gap(contacts, pair, touches))
        if touches and pair.gap < 0.0:
            head.pace = max(head.pace, pair.pace)
        put(pair.last_normal, 0, vector(pair.normal, 0) if touches else ZERO)
        put(pair.point_before, 0, vector(pair.point, 0) if touches else ZERO)
        pair.radius_before = pair.radius if touches else 0.0
        if pair.slot >= 0:
            pulse = t.pulses[pair.slot]
            pulse.used = 1
            if touches:
                add(pulse.force, 0, times(order_of(contacts, pair), vector(pair.force, 0)))
                pulse.depth = max(pulse.depth, pair.depth)
                pulse.slip_speed = max(pulse.slip_speed, pair.slip)
    notes.event = event
    notes.noted = head.noted
    while used > 0 and episodes[used - 1].code == 0:
        used -= 1
    notes.episodes = used
    last = 0
    for s in range(head.pulses_used):
        if t.pulses[s].code != 0:
            last = s + 1
            tend_pulse(contacts, time, s, integrals, columns)
    head.pulses_used = last
    notes.stiffest = 0.0
    return may_have_passed(contacts, duration)


@step_kernel
def order_of(contacts, pair):
    """1 when outline A is on the body with the lesser number, else -1: pulses go from that body to the other."""
    t = borrow_contacts(contacts)
    return 1.0 if t.outlines[pair.a].body < t.outlines[pair.b].body else -1.0


@step_kernel
def find_slot(contacts, pair, columns):
    """Slot of the pulse of a pair's bodies, a free one when they have none; Slot.NO_ROOM when all are taken."""
    t = borrow_contacts(contacts)
    head = t.head[0]
    code = pulse_code(contacts, pair.a, pair.b)
    if 0 <= pair.slot < head.pulses_used and t.pulses[pair.slot].code == code:
        return pair.slot
    # Rows behind those in use may hold anything: a run that went back left there what it had noted since.
    free = head.pulses_used if head.pulses_used < t.pulses.shape[0] else Slot.NO_ROOM.value
    for s in range(head.pulses_used):
        if t.pulses[s].code == code:
            return s
        if t.pulses[s].code == 0 and not 0 <= free < s:
            free = s
    if free >= 0:
        pulse = t.pulses[free]
        pulse.code = code
        pulse.open = 0
        pulse.known = 0
        pulse.touching = 0
        put(pulse.force, 0, ZERO)
        if head.columns > 0:
            sum_taken(contacts, pulse, columns)
            book_told(contacts, pulse, columns)
        head.pulses_used = max(head.pulses_used, free + 1)
    return free


@step_kernel
def open_row(pair, episodes, r):
    """Memory row for a new episode: the pair's own (a dent), else a free one; -1 when there is none."""
    if r < 0:
        for q in range(episodes.shape[0]):
            if episodes[q].code == 0:
                r = q
                for c in range(episodes[q].memory.shape[0]):
                    episodes[q].memory[c] = 0.0
                episodes[q].code = pair.code + 1
                break
    pair.episode = r
    return r


@step_kernel
def note_step(contacts, pair, memory, duration):
    """Permanent deformation and bristle of an accepted step; the bristle is the one of its last evaluation.

    Returns:
        Whether the law pushes otherwise from here on: it chose its damper anew.
    """
    t = borrow_contacts(contacts)
    kernels, law = t.law_kernels[pair.law], t.laws[pair.law]
    before, _, _, _ = evaluate_law(kernels, law, memory, pair.depth, pair.rate, pair.slip)
    advance_contact(kernels, law, memory, pair.depth, pair.rate, duration)
    after, _, _, _ = evaluate_law(kernels, law, memory, pair.depth, pair.rate, pair.slip)
    put(memory, BRISTLE, vector(pair.bristle, 0))
    memory[TWIST] = pair.twist
    return abs(after - before) > SAME_FORCE * before


@step_kernel
def note_columns(contacts, pair, episodes, r, columns, duration):
    """Columns of a pair of which a body gives way, and the depth that their dents leave free."""
    head = borrow_contacts(contacts).head[0]
    closing = pair.closing
    if r >= 0 and episodes[r].memory[ACTIVE] == 1.0:
        closing = episodes[r].memory[CLOSING_SPEED]
    if pair.trials == 0 or (pair.tried_closing == closing and pair.tried_after == duration):
        note_tried(contacts, pair, columns)
    else:
        # First met within this step: only now there is a speed at touch.
        tried = head.tried
        press_pair(contacts, pair, columns, closing, duration, True)
        head.tried = tried
    head.noted += 1
    if r >= 0:
        episodes[r].memory[PERMANENT] = max(episodes[r].memory[PERMANENT], pair.free)


@step_kernel
def begin(contacts, time, duration, pair, memory, integrals):
    """Open an episode, and a pulse when its bodies have none."""
    t = borrow_contacts(contacts)
    open_episode(contacts, pair, memory)
    closing = -dot(speed_at_touch(contacts, pair), vector(pair.warm, 0))
    touch = time
    if pair.depth > 0.0 and pair.rate > 0.0:
        touch -= min(pair.depth / pair.rate, duration)
    log_touch(contacts, 0, touch, pair, closing, memory[REGION])
    if pair.slot < 0:
        t.head[0].lost += 1
        return
    pulse = t.pulses[pair.slot]
    if not pulse.open:
        if not pulse.known or pair.depth < 1e-9:
            # Touched right here (a located event), or never seen before: the state now is the state before.
            look(contacts, pulse, BEFORE, integrals, pair.slot)
        order = order_of(contacts, pair)
        start_pulse(pulse, touch, closing)
        pulse.sides = order * memory[REGION]
        pulse.by_columns = 1.0 if pair.crush != 0 else 0.0
        pulse.law = pair.law
        pulse.weight = memory[WEIGHT]
        pulse.touching = 0
        put(pulse.normal, 0, times(order, vector(pair.normal, 0)))
        put(pulse.touch, 0, middle(vector(pair.point_a, 0), vector(pair.point_b, 0)))
    pulse.episodes += 1.0
    pulse.touching += 1


@step_kernel
def speed_at_touch(contacts, pair):
    """Velocity of B relative to A where the search found them touching [m/s]."""
    t = borrow_contacts(contacts)
    i, j = t.outlines[pair.a].body, t.outlines[pair.b].body
    x = middle(vector(pair.point_a, 0), vector(pair.point_b, 0))
    return relative_velocity(
        frame_at(t.frames[i]), frame_at(t.rates[i]), frame_at(t.frames[j]), frame_at(t.rates[j]), x
    )


@step_kernel
def leaves(contacts, pair):
    """Whether a pair in contact that does not overlap is parting: one that was found to touch a moment ago may be back
    at a gap of round-off, at a frame at that very time, and still be closing.
    """
    t = borrow_contacts(contacts)
    if pair.gap > AT_TOUCH * min(t.outlines[pair.a].thickness, t.outlines[pair.b].thickness):
        return True
    return dot(speed_at_touch(contacts, pair), vector(pair.warm, 0)) >= 0.0


@step_kernel
def end(contacts, time, duration, pair, episode, integrals):
    """Close an episode; the row stays when the contact left a dent."""
    t = borrow_contacts(contacts)
    parting = dot(speed_at_touch(contacts, pair), vector(pair.warm, 0))
    release = time
    if parting > 0.0 and pair.gap > 0.0:
        release -= min(pair.gap / parting, duration)
    log_touch(contacts, 1, release, pair, parting, episode.memory[REGION])
    episode.memory[ACTIVE] = 0.0
    if pair.slot >= 0:
        pulse = t.pulses[pair.slot]
        pulse.touching = max(pulse.touching - 1, 0)
        pulse.end = release
        pulse.crush = max(pulse.crush, episode.memory[PERMANENT])
        if pulse.episodes == 1.0:
            pulse.parting_speed = parting
            pulse.parted = release
        if pulse.touching == 0:
            look(contacts, pulse, AFTER, integrals, pair.slot)
            add_sample(pulse, release, 0.0)
    if not episode.memory[PERMANENT] > 0.0:
        episode.code = 0
        pair.episode = -1


@step_kernel
def tend_pulse(contacts, time, slot, integrals, columns):
    """Samples and greatest values of a running pulse; close it, or give the slot back, when nothing is left."""
    t = borrow_contacts(contacts)
    pulse = t.pulses[slot]
    if pulse.touching > 0:
        force = norm(vector(pulse.force, 0))
        if force > pulse.peak_force:
            pulse.peak_force = force
            pulse.peak_time = time
        two = pulse.last_forces[0]
        one = pulse.last_forces[1]
        if two >= pulse.peak_force and two > one and two > force:
            # Parabola through three samples of equal spacing: between steps the force was a little higher.
            pulse.peak_force = two + 0.125 * (force - one) ** 2 / (2.0 * two - one - force)
        pulse.last_forces[1] = two
        pulse.last_forces[0] = force
        split_pulse(contacts, time, slot, integrals, columns)
        pulse.end = time
        pulse.skipped += 1
        if pulse.skipped >= pulse.stride:
            add_sample(pulse, time, force)
            pulse.skipped = 0
    elif pulse.open:
        if time - pulse.end > SAME_PULSE:
            if t.head[0].columns > 0:
                tell_damage(contacts, pulse, columns)
            close_pulse(contacts, pulse, columns)
    elif not pulse.used:
        pulse.code = 0
    else:
        look(contacts, pulse, BEFORE, integrals, slot)
        pulse.known = 1


@step_kernel
def split_pulse(contacts, time, slot, integrals, columns):
    """Close the pulse of bodies that give way, still touch, and have only pushed each other for SAME_PULSE; another one
    goes on from where that began."""
    t = borrow_contacts(contacts)
    pulse = t.pulses[slot]
    count = t.bodies.shape[0]
    code = (pulse.code - 1) % (count * count)
    push = CALM / max(t.bodies[code // count].mobility, t.bodies[code % count].mobility)
    if pulse.by_columns == 0.0 or pulse.peak_force < push or pulse.last_forces[0] >= push:
        pulse.calm = 0.0
        return
    if pulse.calm == 0.0:
        pulse.calm = pulse.calm_time = time
        pulse.calm_force = pulse.calm_peak = pulse.last_forces[0]
        look(contacts, pulse, Look.CALMED.value, integrals, slot)
        tell_damage(contacts, pulse, columns)
    elif pulse.last_forces[0] > pulse.calm_peak:
        pulse.calm_peak, pulse.calm_time = pulse.last_forces[0], time
    if time - pulse.calm <= SAME_PULSE:
        return
    pulse.end = pulse.calm
    touching = pulse.touching
    pulse.touching = 0
    copy_look(pulse, Look.CALMED.value, AFTER)
    close_pulse(contacts, pulse, columns)
    pulse.known = 1
    pulse.touching = touching
    copy_look(pulse, Look.CALMED.value, BEFORE)
    begun, force, peak, peaked = pulse.calm, pulse.calm_force, pulse.calm_peak, pulse.calm_time
    start_pulse(pulse, begun, 0.0)
    pulse.samples[0, 1], pulse.peak_force, pulse.peak_time = force, peak, peaked


@step_kernel
def copy_look(pulse, one, two):
    """Let what was noted of both bodies at one moment stand for another."""
    for which in range(2):
        put(pulse.velocity[two, which], 0, vector(pulse.velocity[one, which], 0))
        put(pulse.place[two, which], 0, vector(pulse.place[one, which], 0))
        put(pulse.spin[two, which], 0, vector(pulse.spin[one, which], 0))
        put(pulse.heading[two, which], 0, vector(pulse.heading[one, which], 0))
        pulse.vibration[two, which] = pulse.vibration[one, which]
    for c in range(HIDDEN):
        pulse.integrals[two, c] = pulse.integrals[one, c]


@step_kernel
def start_pulse(pulse, time, closing):
    """Begin the figures of a pulse."""
    pulse.open = 1
    pulse.begin = time
    pulse.closing_speed = closing
    pulse.peak_force = 0.0
    pulse.peak_time = 0.0
    pulse.last_forces[0] = 0.0
    pulse.last_forces[1] = 0.0
    pulse.calm = 0.0
    pulse.episodes = 0.0
    pulse.depth = 0.0
    pulse.crush = 0.0
    pulse.slip_speed = 0.0
    pulse.parting_speed = 0.0
    pulse.parted = 0.0
    pulse.stride = 1
    pulse.skipped = 0
    pulse.sample_count = 1
    pulse.samples[0, 0] = time
    pulse.samples[0, 1] = 0.0


@step_kernel
def close_pulse(contacts, pulse, columns):
    """Write the pulse to the log; the slot goes on waiting while its bodies are near."""
    t = borrow_contacts(contacts)
    head = t.head[0]
    if head.finished_count < t.finished.shape[0]:
        t.finished[head.finished_count] = pulse
        head.finished_count += 1
    else:
        head.lost += 1
    pulse.open = 0
    pulse.known = 0
    if head.columns > 0:
        book_told(contacts, pulse, columns)


@step_kernel
def add_sample(pulse, time, force):
    """Keep a sample of the force; when the room is full every second one is dropped and the spacing doubles."""
    samples = pulse.samples
    count = pulse.sample_count
    if count >= SAMPLES:
        count = (SAMPLES + 1) // 2
        for k in range(1, count):
            samples[k, 0] = samples[2 * k, 0]
            samples[k, 1] = samples[2 * k, 1]
        pulse.stride *= 2
    samples[count, 0] = time
    samples[count, 1] = force
    pulse.sample_count = count + 1


@step_kernel(signature=types.void(types.int64, types.from_dtype(PULSE), types.int64, types.floats1, types.int64))
def look(contacts, pulse, when, integrals, slot):
    """Note the state of both bodies of a pulse, and its integrals."""
    t = borrow_contacts(contacts)
    count = t.bodies.shape[0]
    code = (pulse.code - 1) % (count * count)
    snapshot(contacts, code // count, pulse, when, 0)
    snapshot(contacts, code % count, pulse, when, 1)
    for c in range(HIDDEN):
        pulse.integrals[when, c] = integrals[HIDDEN * slot + c]


@step_kernel
def snapshot(contacts, b, pulse, when, which):
    """Place and velocity of the centre of mass, spin, heading and vibration energy (1) of a body."""
    t = borrow_contacts(contacts)
    body = t.bodies[b]
    position, directors = frame_at(t.frames[b])
    velocity, rates = frame_at(t.rates[b])
    weights = (0.5, 0.5, 0.5)  # of a rotation 1/2 sum d_i x w_i is the angular velocity itself
    if body.deforms:
        weights = vector(body.directors, 0)
    momentum = ZERO
    kinetic = 0.0
    for d in range(3):
        momentum = plus_times(momentum, weights[d], cross(directors[d], rates[d]))
        kinetic += 0.5 * weights[d] * dot(rates[d], rates[d])
    put(pulse.velocity[when, which], 0, velocity)
    put(pulse.place[when, which], 0, position)
    put(pulse.heading[when, which], 0, directors[0])
    put(pulse.spin[when, which], 0, momentum)
    pulse.vibration[when, which] = 0.0
    if body.deforms:
        spin = ZERO
        turning = 0.0
        for d in range(3):
            axis = times(1.0 / norm(directors[d]), directors[d])
            along = dot(momentum, axis)
            rate = along / body.moments[d]
            turning += 0.5 * along * rate
            spin = plus_times(spin, rate, axis)
        lame_1, lame_2, volume = vector(body.elasticity, 0)
        stored = elastic_energy((lame_1, lame_2, volume, 0.0), directors)
        put(pulse.spin[when, which], 0, spin)
        pulse.vibration[when, which] = kinetic + stored - turning


@step_kernel
def log_touch(contacts, ends, time, pair, speed, sides):
    """A line of the log for an episode that begins or ends; counted as lost when the room is used up."""
    t = borrow_contacts(contacts)
    head = t.head[0]
    if head.touch_count >= t.touches.shape[0]:
        head.lost += 1
        return
    line = t.touches[head.touch_count]
    head.touch_count += 1
    line.time = time
    line.ends = ends
    line.bodies[0] = t.outlines[pair.a].body
    line.bodies[1] = t.outlines[pair.b].body
    line.speed = speed
    line.sides = sides
    put(line.point, 0, middle(vector(pair.point_a, 0), vector(pair.point_b, 0)))
    put(line.normal, 0, vector(pair.normal, 0))

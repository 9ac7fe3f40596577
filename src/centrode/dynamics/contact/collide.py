"""Contact forces of all outlines of a system.

A stage of the evaluation (:mod:`centrode.dynamics.evaluate`), with tables of its own (:mod:`tables`). Every body with
outlines has four markers about its centre of mass (:mod:`centrode.parts.affine`), so rigid and pseudo-rigid bodies are
the same here. An evaluation

    reads the frames of all bodies -> lists near pairs, when outlines moved far enough -> searches closest points of
    the listed pairs, each from its last normal -> measures overlaps -> asks the contact law -> pushes both bodies

is a function of the state and of the episodes; episodes change only at accepted states (:mod:`pulses`). A pair that
touches first inside a step has no episode yet: one is opened on a scratch row, so its force is right at once.

    D = depth of the pair,   A and B: -F dD/du at the points u that D depends on      (:mod:`depth`)       (1)
    A: -t at x,   B: +t at x                                                                              (2)

with F from the law, t the friction, x the centre of pressure. Both are equal and opposite with equal moments, so linear
and angular momentum of a pair are kept to round-off for any masses.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.aside import ENTRY, SLACK
from centrode.dynamics.contact.bristle import held_stretch, moved_bristle, offset_of, stick_stiffness
from centrode.dynamics.contact.broad import bounding_spheres, find_pairs, is_excluded, mean_motion
from centrode.dynamics.contact.columns import press_pair
from centrode.dynamics.contact.forces import add_force, material_axes, relative_motion, relative_velocity
from centrode.dynamics.contact.laws import begin_contact, damping_rate, stiffening
from centrode.dynamics.contact.measure import TOUCH, call_measure
from centrode.dynamics.contact.narrow import call_closest
from centrode.dynamics.contact.patch import press_patch
from centrode.dynamics.contact.regions import pair_factor
from centrode.dynamics.contact.search import Closest, Status
from centrode.dynamics.contact.slopes import depth_by_weight, depth_mobility, depth_rate, gather_slopes, push_normal
from centrode.dynamics.contact.strip_tables import COLUMN_WIDTH, open_columns
from centrode.dynamics.contact.surface import aim_surface
from centrode.dynamics.contact.tables import HIDDEN, Meets, Slot, borrow_contacts, open_episodes, open_integrals
from centrode.dynamics.contact.terrain_contact import feels_terrain, measure_terrain, search_terrain
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, add, cross, dot, middle, minus, norm, plus, plus_times, put, times, turn, vector
from centrode.parts.affine import affine_force, affine_motion
from centrode.parts.contact_laws.contact_law import ACTIVE, BRISTLE, CLOSING_SPEED, STICK, TWIST, WEIGHT
from centrode.parts.contact_laws.friction import friction_force
from centrode.parts.outlines.outline import Frame, frame_at, place_outline, point_of, put_frame
from centrode.parts.tables import NOTES_WIDTH, PUSH_SIGNATURE, borrow, contact_notes

FAR = 1.0
"""Value of the event function when nothing is near [m]."""


@step_kernel(signature=PUSH_SIGNATURE)
def push_contacts(time, tables):
    """Forces of all contacts; see the head of the file."""
    run = borrow(tables)
    t = borrow_contacts(run.contacts)
    bodies = run.contact_markers.shape[0]
    put(t.head[0].gravity, 0, vector(run.gravity, 0))
    t.head[0].noted = contact_notes(run.contact_memory, 0).noted
    t.head[0].stage = contact_notes(run.contact_memory, 0).stage
    read_frames(run.contact_markers, run.markers, run.contacts)
    if t.head[0].again == 0:
        place_and_list(run.contacts)
    heat = run.contact_state + 3 * bodies
    first = heat + 1
    for s in range(first, first + HIDDEN * t.pulses.shape[0]):
        run.state_rate[s] = 0.0
    notes = contact_notes(run.contact_memory, 0)
    episodes = open_episodes(run.contact_memory, NOTES_WIDTH, notes.episodes)
    integrals = open_integrals(run.state_rate, first, t.pulses.shape[0])
    columns = open_columns(run.contact_memory, first_column(run.contacts, run.contact_memory), t.head[0].columns)
    # Kept with the memory of the run, which a rejected step puts back: its stages may have been anywhere.
    t.head[0].stiffest, t.head[0].pressing_pace = notes.stiffest, 0.0
    notes.stored, notes.stretched, notes.event, run.state_rate[heat] = push_all(
        time, run.contacts, episodes, columns, integrals
    )
    notes.stiffest, notes.pace = t.head[0].stiffest, t.head[0].pressing_pace
    for e in range(bodies):
        force, directors = frame_at(t.push[e + 1])
        put(run.state_rate, run.contact_state + 3 * e, force)
        affine_force(run.wrench, run.contact_markers[e], force, directors)


@step_kernel
def first_column(contacts, memory):
    """Where the rows for columns begin: they are the last of the memory."""
    return memory.size - borrow_contacts(contacts).head[0].columns * COLUMN_WIDTH


@step_kernel
def read_frames(own, markers, contacts):
    """Frames and rates of all bodies from their four markers (``own``); forces are set to zero."""
    t = borrow_contacts(contacts)
    for e in range(own.shape[0]):
        motion = affine_motion(markers, own[e])
        put_frame(t.frames[e + 1], Frame(motion.centre, motion.directors))
        put_frame(t.rates[e + 1], Frame(motion.velocity, motion.director_rates))
    for b in range(own.shape[0] + 1):
        put_frame(t.push[b], Frame(ZERO, (ZERO, ZERO, ZERO)))


@step_kernel
def place_and_list(contacts):
    """Frames of all outlines; a new list of near pairs when some outline moved too far since the last one."""
    t = borrow_contacts(contacts)
    head = t.head[0]
    for i in range(t.outlines.shape[0]):
        place_outline(t.outlines[i], frame_at(t.frames[t.outlines[i].body]), t.placed[i])
    drift = mean_motion(t.outlines, t.placed, t.listed, head.ground_outlines > 0)
    # Two spheres may each come closer by the allowance, and stretch by a little: 0.4 of the margin each is safe.
    allowed = 0.4 * head.margin
    renew = head.fresh != 0
    for i in range(t.outlines.shape[0]):
        if t.outlines[i].body > 0:
            d = minus(minus(vector(t.placed[i].position, 0), vector(t.listed[i].position, 0)), drift)
            if not dot(d, d) <= allowed * allowed:
                renew = True
    if renew:
        head.fresh = 0
        list_pairs(contacts)


@step_kernel
def list_pairs(contacts):
    """List the near pairs anew, with what the pairs of the old list remember of their search."""
    t = borrow_contacts(contacts)
    head = t.head[0]
    outlines = t.outlines
    bounding_spheres(outlines, t.placed, head.margin, t.spheres)
    for i in range(outlines.shape[0]):
        put(t.listed[i].position, 0, vector(t.placed[i].position, 0))
    found = find_pairs(t.placed, t.spheres, t.order, t.keys, t.codes, t.pairs)
    if found > t.near.shape[0]:
        head.room_short = max(head.room_short, found)
        found = t.near.shape[0]
    before = head.count
    for k in range(before):
        t.near_old[k] = t.near[k]
    made = 0
    q = 0
    for p in range(found):
        a = t.pairs[p, 0]
        b = t.pairs[p, 1]
        i = outlines[a].body
        j = outlines[b].body
        if is_excluded(t.excluded, min(i, j) * t.bodies.shape[0] + max(i, j)):
            continue
        code = a * outlines.shape[0] + b
        while q < before and t.near_old[q].code < code:
            q += 1
        if q < before and t.near_old[q].code == code:
            t.near[made] = t.near_old[q]
            if t.near[made].slot == Slot.NO_ROOM:
                t.near[made].slot = Slot.NONE
        else:
            pair = t.near[made]
            pair.code = code
            pair.a = a
            pair.b = b
            pair.law = t.law_of[outlines[a].material, outlines[b].material]
            pair.crush = t.law_crushes[pair.law] * (t.solids[a].strips + t.solids[b].strips)
            pair.meets = road_of(contacts, a, b)
            pair.episode = -1
            pair.trials = 0
            pair.spare = 0.0
            pair.slot = Slot.NONE
            pair.gap = math.inf
            pair.status = Status.APART
            pair.depth = 0.0
            pair.held = 0.0
            pair.held_before = 0.0
            pair.mobility = 0.0
            pair.pace = 0.0
            pair.radius = 0.0
            pair.radius_before = 0.0
            put(pair.point_before, 0, ZERO)
            put(pair.warm, 0, ZERO)
            put(pair.normal, 0, ZERO)
            put(pair.last_normal, 0, ZERO)
        made += 1
    head.count = made


@step_kernel
def road_of(contacts, a, b):
    """Which of two outlines is the surface of a road (Meets)."""
    t = borrow_contacts(contacts)
    s = t.outlines[a].surface + t.outlines[b].surface
    if s == 0:
        return Meets.BODIES.value
    if t.roads[s - 1].rows == 0:
        return Meets.BODIES.value  # a kerb
    if t.roads[s - 1].curved == 0:
        return Meets.PLANE_ROAD.value
    return Meets.AIMED_A.value if t.outlines[a].surface > 0 else Meets.AIMED_B.value


@step_kernel
def find_episode(pair, episodes):
    """Row of a pair's episode, or -1; the row found last time is looked at first.

    A pair apart without a known row has none that matters (at most a dent, looked for when it touches).
    """
    wanted = pair.code + 1
    r = pair.episode
    if 0 <= r < episodes.shape[0] and episodes[r].code == wanted:
        return r
    pair.episode = -1
    if pair.gap > 0.0 and r < 0:
        return -1
    for q in range(episodes.shape[0]):
        if episodes[q].code == wanted:
            pair.episode = q
            return q
    return -1


@step_kernel
def push_all(time, contacts, episodes, columns, integrals):
    """Search and push all listed pairs.

    Returns:
        Stored energy [J] and the part of it that bristles hold, event function [m], power that is taken for good or
        by bristles [W].
    """
    t = borrow_contacts(contacts)
    head = t.head[0]
    elapsed = max(time - head.last_time, 0.0)
    stored, stretched, heat = 0.0, 0.0, 0.0
    event = FAR
    head.tried = 0
    if head.again == 0:
        head.looked = 1  # the first row is for those that are not kept
    for k in range(head.count):
        pair = t.near[k]
        pair.held = 0.0
        aim_surface(contacts, pair)
        if head.stage == 1 and head.coarse > 0.0 and pair.spare > nearer(contacts, pair, elapsed):
            continue
        if pair.crush != 0:
            r = find_episode(pair, episodes)
            closing = episodes[r].memory[CLOSING_SPEED] if r >= 0 and episodes[r].memory[ACTIVE] == 1.0 else -1.0
            if crush_pair(contacts, pair, columns, closing, elapsed, integrals):
                pair.held = head.pressed.stored
                stored += pair.held
                heat += head.pressed.heat + head.pressed.rubbed
                event = min(event, watched_gap(contacts, pair, closing >= 0.0))
                continue
        if head.again == 0 or pair.crush != 0:
            search_pair(contacts, pair)
        if pair.status == Status.NO_ANSWER:
            continue
        put(pair.force, 0, ZERO)
        pair.depth = max(-pair.gap, 0.0)
        r = find_episode(pair, episodes)
        touches = r >= 0 and episodes[r].memory[ACTIVE] == 1.0
        event = min(event, watched_gap(contacts, pair, touches))
        if pair.gap < 0.0:
            for c in range(head.scratch.shape[0]):
                head.scratch[c] = episodes[r].memory[c] if r >= 0 else 0.0
            held, lost = push_pair(contacts, pair, elapsed > 0.0, integrals)
            stretched += held
            stored += pair.held + held
            heat += lost
    return stored, stretched, event, heat


@step_kernel
def watched_gap(contacts, pair, touches):
    """What goes through zero where the contact of a pair begins or ends [m].

    Steps of equal length are cut where bodies that give way meet, and not where they part or meet again during a crash:
    their pressure ends and begins without a jump, so nothing is won by it, and in each other's dents they do so
    often.
    """
    t = borrow_contacts(contacts)
    if pair.crush != 0 and t.head[0].coarse > 0.0 and (touches or pair.slot >= 0 and t.pulses[pair.slot].open != 0):
        return FAR
    return -pair.gap if touches else pair.gap


@step_kernel
def search_pair(contacts, pair):
    """Gap, normal and points of a pair from its last normal; without an answer they stay."""
    t = borrow_contacts(contacts)
    if feels_terrain(contacts, pair):
        search_terrain(contacts, pair)
        return
    a, b, warm = pair.a, pair.b, vector(pair.warm, 0)
    found = call_closest(
        t.closest,
        (
            t.outlines[a], t.placed[a], t.outlines[b], t.placed[b], t.points, t.outline_kernels, t.faces,
            t.room[0], warm, 0.0,
        ),
    )  # fmt: skip
    t.head[0].queries += 1
    pair.status = found.status
    if found.status == Status.NO_ANSWER:
        return
    # A body that gives way is met by its columns alone; what is left between strips is no contact yet.
    pair.gap = found.gap if pair.crush == 0 else max(found.gap, 1e-9)
    if found.status != Status.APART:
        put(pair.normal, 0, found.normal)
        put(pair.warm, 0, found.normal)
        put(pair.point_a, 0, found.point_a)
        put(pair.point_b, 0, found.point_b)


@step_kernel
def nearer(contacts, pair, elapsed):
    """How much nearer to pressing the columns of a pair can have come since the last settled state [m].

    Bodies that were crushed stay in each other's dents for most of the time after a hit, and stages within a step need
    no look at columns that cannot be reached before its end. That looks at all of them, so what is met there for the
    first time pushes from then on.
    """
    t = borrow_contacts(contacts)
    i, j = t.outlines[pair.a].body, t.outlines[pair.b].body
    a, b = t.placed[pair.a], t.placed[pair.b]
    apart = minus(vector(a.position, 0), vector(b.position, 0))
    here, spread = relative_motion(
        frame_at(t.frames[i]), frame_at(t.rates[i]), frame_at(t.frames[j]), frame_at(t.rates[j]),
        middle(vector(a.position, 0), vector(b.position, 0)),
    )  # fmt: skip
    # What is in both is no farther from the middle between them than this.
    arm = math.sqrt(max(0.5 * (a.reach * a.reach + b.reach * b.reach) - 0.25 * dot(apart, apart), 0.0))
    turning = math.sqrt(dot(spread[0], spread[0]) + dot(spread[1], spread[1]) + dot(spread[2], spread[2]))
    beam = 0.0
    for k in range(2):
        solid = t.solids[pair.a if k == 0 else pair.b]
        for s in range(solid.first_strip, solid.first_strip + solid.strips):
            beam = max(beam, t.strips[s].beam)
    # A depth goes with the motion along its column, and with the slope of the beam with that across it.
    return SLACK * math.sqrt(1.0 + beam * beam) * (norm(here) + turning * arm) * elapsed + ENTRY


@step_kernel
def crush_pair(contacts, pair, columns, closing, elapsed, integrals):
    """Press the columns of a pair of which a body gives way; False when none is met."""
    t = borrow_contacts(contacts)
    a, b = t.outlines[pair.a], t.outlines[pair.b]
    if closing < 0.0:  # not in contact at the last state: the speed at which they meet now
        rates_a, rates_b = t.rates[a.body], t.rates[b.body]
        closing = norm(minus(vector(rates_b.position, 0), vector(rates_a.position, 0)))
    if not press_pair(contacts, pair, columns, closing, elapsed, False):
        return False
    total = t.head[0].pressed
    pair.status = Status.CONVERGED
    pair.gap = -total.reach
    pair.depth = total.depth
    pair.rate = total.rate
    pair.closing = max(total.closing, 0.0)
    pair.slip = total.slip
    put(pair.force, 0, vector(total.force, 0))
    size = norm(vector(total.normal, 0))
    if size > 0.0:
        n = times(1.0 / size, vector(total.normal, 0))
        x = times(1.0 / total.sizes, vector(total.moment, 0))
        put(pair.normal, 0, n)
        put(pair.warm, 0, n)
        put(pair.point, 0, x)
        put(pair.point_a, 0, x)
        put(pair.point_b, 0, x)
    note_force(pair, a, b, total.heat, total.rubbed, integrals)
    return True


@step_kernel
def note_force(pair, a, b, heat, rubbed, integrals):
    """Let the pulse of a pair integrate its force, the place of it, and heat."""
    if pair.slot >= 0:
        pulse = integrals[pair.slot]
        force = vector(pair.force, 0)
        size = norm(force)
        # the impulse of a pulse is that on the body with the greater number
        add(pulse.impulse, 0, times(1.0 if a.body < b.body else -1.0, force))
        add(pulse.moment, 0, times(size, vector(pair.point, 0)))
        pulse.magnitude += size
        pulse.heat_law += heat
        pulse.heat_friction += rubbed


@step_kernel
def look_at(contacts, pair, grow, seen):
    """Measure the overlap of a pair at its last search into ``seen``."""
    t = borrow_contacts(contacts)
    if feels_terrain(contacts, pair):
        measure_terrain(contacts, pair, grow, seen)
        gather_slopes(contacts, pair, seen)
        return
    a, b = pair.a, pair.b
    found = Closest(
        pair.gap,
        vector(pair.warm, 0),
        vector(pair.point_a, 0),
        vector(pair.point_b, 0),
        Status.CONVERGED,
        0,
    )
    call_measure(
        t.measure,
        (
            t.outlines[a], t.placed[a], t.outlines[b], t.placed[b], t.points, t.outline_kernels, t.faces,
            t.room[0], t.closest, found, grow, seen, t.pushes, t.planes, t.polygons,
        ),
    )  # fmt: skip
    gather_slopes(contacts, pair, seen)


@step_kernel
def look_once(contacts, pair):
    """Row with the overlap of a pair; measured once for all looks at the same poses, as far as there is room."""
    t = borrow_contacts(contacts)
    head = t.head[0]
    if head.again == 0:
        pair.looked = 0
        if head.looked < t.looked.shape[0]:
            pair.looked = head.looked
            head.looked += 1
    if head.again == 0 or pair.looked == 0:
        look_at(contacts, pair, 0.0, t.looked[pair.looked])
    return pair.looked


@step_kernel
def push_pair(contacts, pair, moved, integrals):
    """Push an overlapping pair apart.

    Args:
        moved: whether the bodies have moved since the last settled state.

    Returns:
        Energy in its bristle [J], and the power that law and friction take [W].
    """
    t = borrow_contacts(contacts)
    head = t.head[0]
    a = t.outlines[pair.a]
    b = t.outlines[pair.b]
    begins = head.scratch[ACTIVE] == 0.0
    if begins:
        open_episode(contacts, pair, head.scratch[:])
        moved = False  # most of the way was before the touch
    row = look_once(contacts, pair)
    seen = t.looked[row]
    pair.depth = seen.depth
    pair.slip = 0.0
    pair.twist = 0.0
    pair.rate = 0.0
    pair.pace = 0.0
    put(pair.bristle, 0, ZERO)
    if not seen.depth > 0.0:
        return 0.0, 0.0
    put(pair.normal, 0, vector(seen.normal, 0))
    put(pair.point, 0, vector(seen.centre, 0))
    pair.rate = depth_rate(contacts, pair, seen)
    frame_a, rates_a = frame_at(t.frames[a.body]), frame_at(t.rates[a.body])
    frame_b, rates_b = frame_at(t.frames[b.body]), frame_at(t.rates[b.body])
    n = vector(seen.normal, 0)
    u = relative_velocity(frame_a, rates_a, frame_b, rates_b, vector(seen.centre, 0))
    pair.slip = norm(plus_times(u, -dot(u, n), n))
    f, friction, held, heat = press_patch(contacts, pair, seen)
    push_normal(contacts, pair, seen, f)
    stretched, rubbed = 0.0, 0.0
    if friction > 0.0:
        stretched, rubbed = rub(contacts, pair, seen, friction * norm(vector(pair.force, 0)), moved)
    # Square of the frequency of the contact, from its stored energy k d^2 / 2; a method with step control sees for
    # itself how stiff a contact becomes.
    pair.pace = 2.0 * held * pair.mobility / (seen.depth * seen.depth)
    if head.coarse > 0.0 and heat != 0.0 and pair.rate > 0.0:
        # At most as at touch: a damper that was chosen for a brush and is driven on by other forces holds them at once.
        rate = min(pair.rate, head.scratch[CLOSING_SPEED])
        pair.pace *= stiffening(t.law_kernels[pair.law], t.laws[pair.law], head.scratch[:], seen.depth, rate, pair.slip)
    if head.coarse > 0.0 and held > 0.0:
        # A damper c beside a spring decays with c / m, and rk4 wants steps below 2.78 m / c. A light body between two
        # others has two of them: 1.25 m / c for each.
        kernels, law = t.law_kernels[pair.law], t.laws[pair.law]
        decay = pair.mobility * damping_rate(kernels, law, head.scratch[:], seen.depth, pair.slip)
        pair.pace = max(pair.pace, (0.8 * head.coarse * decay) ** 2)
    head.pressing_pace = max(head.pressing_pace, pair.pace)
    if (begins or head.coarse > 0.0) and pair.pace > head.stiffest:
        head.stiffest = pair.pace
        head.stiff_code = pair.code
    note_force(pair, a, b, heat, rubbed, integrals)
    pair.held = held
    return stretched, heat + rubbed


@step_kernel
def rub(contacts, pair, seen, limit, moved):
    """Friction at the points that stand for the patch, equal shares of ``limit`` [N]; stored energy [J], power [W]."""
    t = borrow_contacts(contacts)
    memory, law = t.head[0].scratch[:], t.laws[pair.law]
    i, j = t.outlines[pair.a].body, t.outlines[pair.b].body
    frame_a, rates_a = frame_at(t.frames[i]), frame_at(t.rates[i])
    frame_b, rates_b = frame_at(t.frames[j]), frame_at(t.rates[j])
    n, centre = vector(seen.normal, 0), vector(seen.centre, 0)
    axes_a, axes_b = material_axes(frame_a), material_axes(frame_b)
    weight = 1.0 / seen.points
    spread = 0.0
    for c in range(3):
        spread += 0.5 * (seen.radii[0, c] * seen.radii[0, c] + seen.radii[1, c] * seen.radii[1, c])
    radius = math.sqrt(spread) if seen.points > 1 else 0.0
    pair.radius = radius
    whole, twist = vector(memory, BRISTLE), memory[TWIST]
    if moved and memory[STICK] > 0.0:
        whole, twist = moved_bristle(contacts, pair, whole, twist)
    if memory[STICK] > 0.0 and seen.points > 1:
        whole, twist = held_stretch(seen, n, radius, whole, twist, limit / memory[STICK])
    stored, heat = 0.0, 0.0
    for p in range(seen.points):
        offset = offset_of(seen, p)
        place = plus(centre, offset)
        x_a, x_b = turn(axes_a, minus(place, frame_a.position)), turn(axes_b, minus(place, frame_b.position))
        u = minus(point_of(rates_b, x_b), point_of(rates_a, x_a))
        # Bristle of the patch at this point: stretch of the centre and twist about the normal.
        lever = cross(n, offset)
        bristle = whole
        if radius > 0.0:
            bristle = plus_times(whole, twist / radius, lever)
        g, stretched, rubbed, bristle = friction_force(law, memory[STICK], limit, bristle, n, u)
        add(pair.bristle, 0, times(weight, bristle))
        if radius > 0.0:
            pair.twist += weight * dot(lever, bristle) / radius
        if g[0] != 0.0 or g[1] != 0.0 or g[2] != 0.0:
            g = times(weight, g)
            add_force(t.push[i], x_a, times(-1.0, g))
            add_force(t.push[j], x_b, g)
            add(pair.force, 0, g)
        stored += weight * stretched
        heat += weight * rubbed
    return stored, heat


@step_kernel
def open_episode(contacts, pair, memory):
    """Begin an episode with closing speed and effective mass of the depth, and the sides that meet.

    At first touch there is no overlap yet whose slopes could be asked for: the outlines are taken for a little larger.
    """
    t = borrow_contacts(contacts)
    a = t.outlines[pair.a]
    b = t.outlines[pair.b]
    if pair.crush != 0:
        directors_a, directors_b = frame_at(t.frames[a.body]).directors, frame_at(t.frames[b.body]).directors
        _, sides = pair_factor(a, directors_a, b, directors_b, vector(pair.warm, 0))
        begin_contact(t.law_kernels[pair.law], t.laws[pair.law], memory, pair.closing, 1.0, 1.0, sides)
        return
    seen = t.looked[0]
    look_at(contacts, pair, TOUCH * min(a.thickness, b.thickness), seen)
    closing = depth_rate(contacts, pair, seen)
    pair.mobility = depth_mobility(contacts, pair, seen, 0) + depth_mobility(contacts, pair, seen, 1)
    directors_a, directors_b = frame_at(t.frames[a.body]).directors, frame_at(t.frames[b.body]).directors
    factor, sides = pair_factor(a, directors_a, b, directors_b, vector(pair.warm, 0))
    mass = 1.0 / max(pair.mobility, 1e-300)
    law, kernels = t.laws[pair.law], t.law_kernels[pair.law]
    memory[WEIGHT] = depth_by_weight(contacts, pair, seen)
    begin_contact(kernels, law, memory, closing, mass, factor, sides)
    depth = TOUCH * min(a.thickness, b.thickness)
    memory[STICK] = stick_stiffness(law, kernels, memory, closing, mass, depth)

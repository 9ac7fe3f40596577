"""Columns of a body that gives way, pressed in by another body: depths, pressures, forces.

A strip lies on a side of a body at some height; the plane through it cuts the other body, a solid between planes, in a
polygon. In that plane, with t along the strip and s inwards, the other body's far side is s = f(t). A column at t_i
that begins at s_i is pushed in by

    d_i = max over t of  f(t) - b |t - t_i|  -  s_i                                                       (1)

the first part is what stands in its own way, the second what its neighbours drag along: the beam across a front
takes the dent sideways with the slope b. The direction of a column is fixed in its body, so a body that is crushed
deeper than it overlaps is still pushed back and not aside. The maximum of (1) is reached where a plane of the other
body crosses the column, or at a corner of the polygon where two planes meet; when a plane n . x = o moves, d_i grows by
k_1 do_1 + k_2 do_2 with

    k_1 n_1 + k_2 n_2 = (-+ b, 1)        in (t, s); lines of the strip itself take no part.               (2)

So d' follows from the velocities at that place, and a pressure p over the area of the column does the work p d' when

    f = p area (k_1 n_1 + k_2 n_2)                                                                        (3)

acts there against the other body, and its opposite on this one. Whatever p is, energy and momentum are those of the
columns (:mod:`centrode.parts.structures.column`). Each body presses its own columns with its share of the pair's
compliance; both passes together are one contact. Friction acts along what slips, at most friction times |f|.

The head of a column is carried along by what presses it, so what friction does along the column folds its metal and is
crush; only what it does across the column is the rubbing of two faces. With g on the other body, e the unit direction
of the column and u the velocity of the other body relative to this one its power -g . u is

    (-g . e) (u . e)   crush,      the rest   rubbing.                                                     (4)

A pole that goes straight in rubs on nothing, however steep its flanks and the beam drawn over them are.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.aside import ENTRY, deepened, entry_of
from centrode.dynamics.contact.column_index import find_column, index_columns, is_free
from centrode.dynamics.contact.column_memory import is_met, is_slack, recall_column
from centrode.dynamics.contact.column_notes import note_tried, try_column, try_slack
from centrode.dynamics.contact.column_sums import NOT_PUSHED, at_ends, clear_pressed, push_strip, with_column
from centrode.dynamics.contact.ends import band_in, near_planes
from centrode.dynamics.contact.forces import relative_motion
from centrode.dynamics.contact.slices import (
    cut_strip,
    deepest_at,
    extents_in,
    may_press,
    reaches,
    side_of,
    solid_in,
    span_along,
)
from centrode.dynamics.contact.strip_tables import Met, Partner, Side, Tried
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.math.vector import (
    ZERO,
    combined,
    dot,
    inverse,
    minus,
    norm,
    plus,
    plus_times,
    times,
    transposed,
    turn,
    vector,
)
from centrode.parts.contact_laws.contact_law import FRICTION, SLIP_SPEED
from centrode.parts.outlines.outline import frame_at, point_of
from centrode.parts.structures.column import give_back, load, shared_pressures, unload

SQUARE = 0.94
"""Ends that face each other within 20 degrees (cosine) press on each other as a whole, round corners included."""

FAINT = 1e-9
"""A force below this [N] is none: it would underflow, as at the end of unloading, or where an end has let go."""


@step_kernel
def is_open(slice_):
    """Whether a slice reaches the face of its strip."""
    found = False
    for k in range(slice_.count):
        found = found or slice_.edge[k] == -1
    return found


@step_kernel
def mark_entered(contacts, columns, own, code):
    """Note in the strips of an outline whether a pair has pressed their columns before, and how far at the last state.

    What came in through another side is not in the way of a strip. Between two accepted states nothing of it changes.
    """
    t = borrow_contacts(contacts)
    solid = t.solids[own]
    if t.head[0].noted > 0 and solid.marked_at == t.head[0].noted and solid.marked_for == code:
        return
    solid.marked_at, solid.marked_for = t.head[0].noted, code
    for k in range(solid.first_strip, solid.first_strip + solid.strips):
        t.strips[k].entered = 0
        t.strips[k].reached = -math.inf
        t.strips[k].pushed = 0.0
        t.strips[k].entry = -1.0
        if t.strips[k].code != code:
            t.strips[k].code = code
            for q in range(4):
                t.strips[k].corners[q, 0] = t.strips[k].corners[q, 1]
    r = t.last_column[own]
    while r >= 0:
        if t.indexed[r].code == code:
            cell = t.cells[t.indexed[r].cell]
            strip = t.strips[cell.strip]
            strip.entered = 1
            if columns[r].met == Met.BEFORE:
                strip.reached = max(strip.reached, cell.start + columns[r].last)
                strip.pushed += cell.strength * columns[r].last
                strip.entry = max(strip.entry, columns[r].entry)
        r = t.indexed[r].same_outline


@step_kernel
def mark_worn(contacts, columns, outline):
    """Note the deepest dent of hits that are over, of each end of an outline and of both: most places need no look.

    Nor do they change between two accepted states.
    """
    t = borrow_contacts(contacts)
    solid = t.solids[outline]
    if t.head[0].noted > 0 and solid.worn_at == t.head[0].noted:
        return
    solid.worn_at = t.head[0].noted
    solid.worn = 0.0
    for k in range(solid.first_strip, solid.first_strip + solid.strips):
        t.strips[k].worn = 0.0
    r = t.last_column[outline]
    while r >= 0:
        strip = t.strips[t.cells[t.indexed[r].cell].strip]
        if strip.side <= Side.REAR and columns[r].dent > strip.worn and is_free(columns[r]):
            strip.worn = columns[r].dent
            solid.worn = max(solid.worn, strip.worn)
        r = t.indexed[r].same_outline


@step_kernel
def engaged_share(contacts, strip):
    """How much a pair pushed in of a strip at the last state, over what a flat wall as deep would have.

    Both are sums of strength times depth, and so nearly of forces. What springs back is the body behind the structure
    as a whole: it stores with the square of the force on it, while the work goes with the force. So the share of the
    work that a narrow hit gives back is that of a flat wall times this one. Sides are never hit by such a wall: 1.
    """
    t = borrow_contacts(contacts)
    if strip.entered == 0 or strip.inset > 0.0:
        return 1.0
    flat = 0.0
    for c in range(strip.first, strip.first + strip.cells):
        flat += t.cells[c].strength * max(strip.reached - t.cells[c].start, 0.0)
    return min(strip.pushed / flat, 1.0) if flat > 0.0 else 1.0


@step_kernel
def find_partner(contacts, other, side, x):
    """Strip and cell of the other outline at its own place x on one of its sides; -1, -1: rigid there."""
    t = borrow_contacts(contacts)
    solid = t.solids[other]
    if solid.strips == 0 or solid.of_side[side] < 0:
        return -1, -1
    # The strips of a side lie above each other, each in the middle of its band.
    found = solid.of_side[side]
    above = dot(vector(t.strips[found].across, 0), x) - t.strips[found].height
    found += min(max(int(math.floor(above / t.strips[found].band + 0.5)), 0), solid.each - 1)
    strip = t.strips[found]
    k = int((dot(vector(strip.along, 0), x) - strip.low) / strip.cell)
    return found, strip.first + min(max(k, 0), strip.cells - 1)


@step_kernel
def partner_of(contacts, columns, outlines, strip, sides, places):
    """Strip and cell of the other outline that a column meets; strip Partner.RIGID or Partner.GONE: none.

    Args:
        sides: end of the other outline that the strip faces squarely (-1: none); side of the plane that presses.
        places: of the contact, in the axes of the own and of the other outline.
    """
    t = borrow_contacts(contacts)
    own, other = outlines
    facing, pressing = sides
    if pressing > Side.REAR and t.solids[own].worn + t.solids[other].worn > 0.0:
        # Sides end where a front was crushed away: beyond they neither press each other nor the front there.
        end = crushed_end(contacts, columns, other, places[1])
        if strip.inset > 0.0 and (end[0] >= 0 or crushed_end(contacts, columns, own, places[0])[0] >= 0):
            return Partner.GONE.value, -1
        if end[0] >= 0:
            return end
    return find_partner(contacts, other, facing if facing >= 0 else pressing, places[1])


@step_kernel
def strength_at(contacts, k, x):
    """Strength of strip k of an outline at its own place x, between the middles of its cells [1]; rigid: 1.

    What slides along a side meets no steps where its strength changes: delta-V would jump by a cell over the overlap.
    """
    if k < 0:
        return 1.0
    t = borrow_contacts(contacts)
    strip = t.strips[k]
    at = min(max((dot(vector(strip.along, 0), x) - strip.low) / strip.cell - 0.5, 0.0), strip.cells - 1.0)
    one = int(at)
    two = min(one + 1, strip.cells - 1)
    share = at - one
    return (1.0 - share) * t.cells[strip.first + one].strength + share * t.cells[strip.first + two].strength


@step_kernel
def crushed_end(contacts, columns, outline, x):
    """Strip and cell of the front or rear of an outline that the place x, own axes, was crushed away with in a hit that
    is over; -1, -1: it still stands."""
    t = borrow_contacts(contacts)
    if not t.solids[outline].worn > 0.0:
        return -1, -1
    for end in range(2):
        k, cell = find_partner(contacts, outline, end, x)
        if k >= 0:
            deep = dot(vector(t.strips[k].inward, 0), x) - t.cells[cell].start
            if deep < min(t.strips[k].length, t.strips[k].worn):
                q = t.column_of[cell]
                while q >= 0:
                    if columns[q].dent > deep and is_free(columns[q]):
                        return k, cell
                    q = t.indexed[q].same_cell
    return -1, -1


@step_kernel
def across_share(strip, steep):
    """Strength of a column that is pushed across rather than along, from 1 to ``strip.weak``.

    ``steep`` is 1 over the cosine between its direction and the force; structures are laid along their axes.
    """
    z = min(max((1.0 / steep - 0.3) / 0.5, 0.0), 1.0)
    return strip.weak + (1.0 - strip.weak) * z * z * (3.0 - 2.0 * z)


@step_kernel
def restitution_share(strip, closing):
    """e^2 of a hit at a closing speed."""
    e = strip.fast + (strip.slow - strip.fast) * math.exp(-closing / strip.speed)
    return e * e


@step_kernel
def press_columns(contacts, pair, outlines, extents, columns, closing, elapsed, settle):
    """One pass: columns of the first outline against the other; adds to ``head.pressed`` and pushes both bodies.

    Args:
        extents: of the other in the axes of the first (:func:`extents_in`).
        columns: memory rows; closing: speed at touch [m/s]; elapsed: since the last accepted state [s].
        settle: whether this is an accepted state; then no body is pushed.
    """
    t = borrow_contacts(contacts)
    own, other = outlines
    solid = t.solids[own]
    mark_entered(contacts, columns, own, pair.code + 1)
    count = 0
    for k in range(solid.first_strip, solid.first_strip + solid.strips):
        strip = t.strips[k]
        if not reaches(strip, extents):
            continue
        # What does not reach out of the face of a strip cannot have come in through it now.
        if not strip.entered and not span_along(extents, vector(strip.inward, 0))[0] < strip.outer:
            continue
        if count == 0:
            count = solid_in(contacts, own, other)
        near = near_planes(contacts, strip)
        band = band_in(contacts, strip, near)
        if not band[1] > 0.0:
            continue
        now = cut_strip(contacts, strip, band[0], (count, near))
        # Without a far side the other body goes on beyond the region, and stands in the way of no column.
        if now >= 0 and t.slices[now].fars > 0 and (strip.entered or is_open(t.slices[now])):
            springs = restitution_share(strip, closing) * engaged_share(contacts, strip)
            entry = entry_of(contacts, strip, t.slices[now], (own, other), band[0], closing, elapsed)
            moment = springs, elapsed, closing, held_share(strip, t.slices[now], entry), entry
            press_strip(contacts, pair, (own, other), (strip, band), t.slices[now], columns, moment, settle)


@step_kernel
def held_share(strip, slice_, entry):
    """Share of its strength with which an end holds on to what comes in beside its corner: 1 down to half the depth
    w^3 / ``strip.hook``^2, with the width w that stands before the end, 0 from the whole on.

    The strip of metal that is pushed in is held like a cantilever by what stands beside it: it bends away sideways,
    with a stiffness that grows with w^3. What goes on scrapes along the side, whose columns press it out. What reaches
    across, and sides, which end on the diagonal themselves: 1. ``entry``: depth that does not count (:mod:`aside`).
    """
    if strip.inset > 0.0:
        return 1.0
    low, high, deep = math.inf, -math.inf, -math.inf
    for k in range(slice_.count):
        low, high, deep = min(low, slice_.along[k]), max(high, slice_.along[k]), max(deep, slice_.deep[k])
    w = min(high - strip.low, strip.high - low)
    z = min(max(w * w * w / (strip.hook * strip.hook * max(deep - strip.outer - entry, ENTRY)) - 1.0, 0.0), 1.0)
    return z * z * (3.0 - 2.0 * z)


@step_kernel
def cells_under(strip, slice_):
    """First cell that a slice can reach, and the one behind the last: farther away the beam's slope leaves no depth."""
    low, high, deep = math.inf, -math.inf, -math.inf
    for k in range(slice_.count):
        low, high, deep = min(low, slice_.along[k]), max(high, slice_.along[k]), max(deep, slice_.deep[k])
    beside = max(deep - strip.outer, 0.0) / strip.beam
    first = max(int((low - beside - strip.low) / strip.cell), 0)
    last = min(int((high + beside - strip.low) / strip.cell) + 1, strip.cells)
    return strip.first + first, strip.first + max(last, 0)


@step_kernel
def pressing_normal(contacts, planes, shares, across):
    """k_1 n_1 + k_2 n_2 of (2) in the world, its part across the strip with the opposite sign, which is how the depth
    grows with the height of the cut, and the plane with the greater share (below 0: none).

    ``across``: of the strip, own axes.
    """
    t = borrow_contacts(contacts)
    n, slope = ZERO, 0.0
    main = planes[0]
    if planes[0] >= 0:
        die = t.dies[planes[0]]
        n = plus_times(n, shares[0], vector(die.world, 0))
        slope -= shares[0] * dot(vector(die.normal, 0), across)
    if planes[1] >= 0:
        die = t.dies[planes[1]]
        n = plus_times(n, shares[1], vector(die.world, 0))
        slope -= shares[1] * dot(vector(die.normal, 0), across)
        if planes[0] < 0 or shares[1] > shares[0]:
            main = planes[1]
    return n, slope, main


@step_kernel
def climbing(frame, here, spread, ends):
    """How fast the cut of a strip goes across it with its ends (:mod:`ends`) [m/s], and the sum of what they push with.

    ``here``, ``spread``: :func:`relative_motion` at the origin of the own frame.
    """
    speed, lift = 0.0, ZERO
    for place, push in ends:
        u = plus(here, turn(spread, minus(point_of(frame, place), frame.position)))
        speed += dot(push, u)
        lift = plus(lift, push)
    return speed, lift


@step_kernel
def press_strip(contacts, pair, outlines, cut, slice_, columns, moment, settle):
    """Columns of one strip under a slice of the other body.

    ``cut``: the strip and its :func:`band_in`; ``moment``: share of the work that is given back, time since the last
    state, closing speed at touch, :func:`held_share`, depth from which on columns are pressed.
    """
    t = borrow_contacts(contacts)
    strip, (height, width, ends) = cut
    total = t.head[0].pressed
    own, other = outlines
    code = pair.code + 1
    frame, theirs = frame_at(t.placed[own]), frame_at(t.placed[other])
    i, j = t.outlines[own].body, t.outlines[other].body
    here, spread = relative_motion(
        frame_at(t.frames[i]), frame_at(t.rates[i]), frame_at(t.frames[j]), frame_at(t.rates[j]), frame.position
    )
    back = transposed(inverse(theirs.directors))
    across = vector(strip.across, 0)
    climb, lift = climbing(frame, here, spread, ends)
    inward = combined(frame.directors, vector(strip.inward, 0))
    inward = times(1.0 / norm(inward), inward)
    area = strip.cell * width
    law = t.laws[pair.law]
    scratch = t.scratch_column[0]
    sign = 1.0 if other == pair.b else -1.0  # forces are told as those on B
    opposite = turn(back, combined(transposed(inverse(frame.directors)), vector(strip.inward, 0)))
    facing = side_of(opposite) if strip.inset == 0.0 and abs(opposite[0]) > SQUARE else -1
    first, last = cells_under(strip, slice_)
    pushed, lifted = NOT_PUSHED, (0.0, ZERO)
    for c in range(first, last):
        cell = t.cells[c]
        depth, where, planes, k_1, k_2 = deepest_at(contacts, strip, slice_, cell.along, cell.start + moment[4])
        if not depth > 0.0:
            continue
        r = find_column(contacts, columns, c, code)
        if depth <= total.depth and is_slack(columns, r, code, (depth, moment[4])):
            # Most columns of bodies that were crushed and lie in each other's dents.
            total.reach = max(total.reach, depth - columns[r].free)
            total.free = max(total.free, columns[r].free)
            try_slack(contacts, r, depth, area)
            continue
        n, slope, main = pressing_normal(contacts, planes, (k_1, k_2), across)
        whole = plus_times(n, slope, lift)
        steep = norm(whole)
        if main < 0 or not steep > 0.0:
            continue
        own_place = plus(
            plus_times(times(height, across), where[0], vector(strip.along, 0)),
            times(where[1], vector(strip.inward, 0)),
        )
        x = point_of(frame, own_place)
        their_place = turn(back, minus(x, theirs.position))
        partner, their_cell = partner_of(
            contacts, columns, outlines, strip, (facing, t.dies[main].side), (own_place, their_place)
        )
        if partner == Partner.GONE:
            continue
        u = plus(here, turn(spread, minus(x, frame.position)))
        rate = dot(n, u) + slope * climb
        their_strip = t.strips[partner] if partner >= 0 else t.rigid_strip[0]
        their_strength = strength_at(contacts, partner, their_place)
        share = 1.0
        if partner >= 0:
            mine, others = strip.stiffness * cell.strength, their_strip.stiffness * their_strength
            share = others / (mine + others)
        moved = 0.0
        if rate > 0.0 or is_met(columns, r, code):  # what is on its way out when it is first met came in from aside
            moved = deepened(strip, norm(u), moment[2], moment[1])
        recall_column(contacts, columns, r, (c, their_cell), code, (depth, moment[4]), area, moved)
        heat, stored, part = 0.0, 0.0, 0.0
        how = Tried.LOADED.value if depth >= scratch.deepest else Tried.RELIEVED.value
        if how == Tried.LOADED:
            depths = depth, scratch.deepest
            now, then = shared_pressures(strip.curve, cell.strength, their_strip.curve, their_strength, depths)
            part = share * across_share(strip, steep)
            held = part * moment[3]
            p, w = load(scratch, depth, (held * now[0], held * now[1]), (held * then[0], held * then[1]), strip.ramp)
            if scratch.deepest > 0.0 and not p * area > FAINT:
                p = 0.0  # round-off, where one that was entered from the side begins: it has no stroke to spring back
            # Of what is done now the share of now, so that stored and heat are the work whatever the share does.
            springs = moment[0] * cell.springs
            recovered = springs + (scratch.recovered - springs) * scratch.work / w if w > 0.0 else springs
            stroke = give_back(depth, p, w, recovered)
            stored = area * p * stroke / 3.0
            heat = area * p * max(rate, 0.0) * (1.0 - springs)
            free = depth - stroke
            scratch.deepest = depth
            scratch.pressure = p
            scratch.work = w
            scratch.recovered = recovered
        else:
            p, stored, free = relieve(scratch, depth)
            stored *= area
        # A column that was just entered from the side is not yet pressed: no contact because of it.
        total.reach = max(total.reach, depth - free if p > 0.0 or depth < free else -ENTRY)
        if depth > total.depth:
            total.depth = depth
            total.rate = rate
            total.closing = dot(u, inward)
        total.free = max(total.free, free)
        if p * area > FAINT and depth >= 0.98 * strip.length and strip.inset == 0.0:
            total.through = 1
        friction, folds, rubs = (ZERO, 0.0, 0.0)
        if p * area > FAINT:
            friction, folds, rubs = rub_column(law, times(p * area, whole), u, inward)
        scratch.last = depth
        scratch.free = free
        scratch.spent += folds * moment[1] / area
        try_column(contacts, r, how, part)
        total.stored += stored
        total.heat += heat + folds
        total.rubbed += rubs
        if p * area > FAINT:
            arm = minus(x, frame.position)
            pushed = with_column(pushed, arm, times(p * area, whole), friction)
            lifted = lifted[0] + p * area * slope, plus_times(lifted[1], p * area * slope, arm)
            total.slip = max(total.slip, norm(plus_times(u, -dot(u, inward), inward)))
    if not settle:
        push_strip(contacts, (i, j), frame.position, at_ends(pushed, frame, lifted, (ends, lift)), sign)


@step_kernel
def relieve(column, depth):
    """Pressure [Pa], stored energy [J/m2] and depth at which a column is free, of one that is not at its deepest."""
    pressure, stored = unload(column, depth)
    return pressure, stored, column.deepest - give_back(column.deepest, column.pressure, column.work, column.recovered)


@step_kernel
def rub_column(law, f, u, inward):
    """Friction on the body of a column that is pressed with f, and its power (4) [W]: crush, and rubbing."""
    size = norm(f)
    n = times(1.0 / size, f)
    slip = plus_times(u, -dot(u, n), n)
    speed = norm(slip)
    limit = law[FRICTION] * size / math.sqrt(speed * speed + law[SLIP_SPEED] * law[SLIP_SPEED])
    power = limit * speed * speed
    folds = min(max(limit * dot(slip, inward) * dot(u, inward), 0.0), power)
    return times(limit, slip), folds, power - folds


@step_kernel
def press_pair(contacts, pair, columns, closing, elapsed, settle):
    """Both passes of a pair into ``head.pressed``; whether any column is met. ``settle``: note what they found."""
    t = borrow_contacts(contacts)
    total = t.head[0].pressed
    clear_pressed(total)
    pair.first_trial = t.head[0].tried
    pair.trials = 0
    pair.free = 0.0
    pair.through = 0
    pair.tried_closing = closing
    pair.tried_after = elapsed
    a, b = t.placed[pair.a], t.placed[pair.b]
    apart = minus(vector(a.position, 0), vector(b.position, 0))
    if t.outlines[pair.a].half_space == 0 and t.outlines[pair.b].half_space == 0:
        if dot(apart, apart) > (a.reach + b.reach) ** 2:
            return False
    # Cars that part after a crash stay near for seconds: what their columns remember is asked for where one may be met.
    in_a, in_b = extents_in(contacts, pair.a, pair.b), extents_in(contacts, pair.b, pair.a)
    if not settle and not (may_press(contacts, pair.a, in_a) or may_press(contacts, pair.b, in_b)):
        return False
    index_columns(contacts, columns)
    mark_worn(contacts, columns, pair.a)
    mark_worn(contacts, columns, pair.b)
    if t.solids[pair.a].strips > 0:
        press_columns(contacts, pair, (pair.a, pair.b), in_a, columns, closing, elapsed, settle)
    if t.solids[pair.b].strips > 0:
        press_columns(contacts, pair, (pair.b, pair.a), in_b, columns, closing, elapsed, settle)
    pair.trials = t.head[0].tried - pair.first_trial
    pair.free = total.free
    pair.through = total.through
    if settle:
        note_tried(contacts, pair, columns)
    return total.depth > 0.0

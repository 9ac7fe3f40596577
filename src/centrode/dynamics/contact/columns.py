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
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.forces import add_force, material_point, relative_velocity
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.math.vector import (
    ZERO,
    add,
    combined,
    dot,
    inverse,
    minus,
    norm,
    plus,
    plus_times,
    put,
    times,
    transposed,
    turn,
    vector,
)
from centrode.parts.contact_laws.contact_law import FRICTION, SLIP_SPEED
from centrode.parts.outlines.outline import frame_at, point_of
from centrode.parts.structures.column import crush_at, give_back, load, shared_pressure, unload

ENTRY = 1e-4
"""A column first seen deeper than twice its way since the last state, and this [m], was entered from the side."""

FAINT = 1e-9
"""A force below this [N] is none: at the end of unloading it would underflow."""


@step_kernel
def solid_in(contacts, own, other):
    """Planes of the other solid in the axes of the own outline, into ``t.dies``; returns their number."""
    t = borrow_contacts(contacts)
    solid = t.solids[other]
    frame, theirs = frame_at(t.placed[own]), frame_at(t.placed[other])
    # Columns of F are the directors: rows of the inverse of F^T as it is kept here.
    back = transposed(inverse(theirs.directors))
    shift = turn(back, minus(frame.position, theirs.position))
    one, two, three = (
        turn(back, frame.directors[0]),
        turn(back, frame.directors[1]),
        turn(back, frame.directors[2]),
    )
    for k in range(solid.planes):
        plane = t.solid_planes[solid.first_plane + k]
        m = vector(plane, 0)
        die = t.dies[k]
        put(die.normal, 0, (dot(m, one), dot(m, two), dot(m, three)))
        die.offset = plane[3] - dot(m, shift)
        put(die.world, 0, combined(back, m))
        die.side = side_of(m)
    return solid.planes


@step_kernel
def side_of(m):
    """Side of a body that has the outward normal m, own axes."""
    if abs(m[0]) >= abs(m[1]) and abs(m[0]) >= abs(m[2]):
        return 0 if m[0] > 0.0 else 1
    if abs(m[1]) >= abs(m[2]):
        return 2 if m[1] > 0.0 else 3
    return 4 if m[2] > 0.0 else 5


@step_kernel
def cut_strip(contacts, strip, count):
    """Polygon of the other solid in the plane and region of a strip; which of the two slices holds it, -1: none."""
    t = borrow_contacts(contacts)
    inner = strip.outer + strip.length
    first = t.slices[0]
    first.count = 4
    corners = (
        (strip.low, strip.outer),
        (strip.high, strip.outer),
        (strip.high - strip.inset, inner),
        (strip.low + strip.inset, inner),
    )
    for k in range(4):
        first.along[k] = corners[k][0]
        first.deep[k] = corners[k][1]
        first.edge[k] = -1 - k
    along, across, inward = vector(strip.along, 0), vector(strip.across, 0), vector(strip.inward, 0)
    now = 0
    for f in range(count):
        n = vector(t.dies[f].normal, 0)
        a, b = dot(n, along), dot(n, inward)
        left = t.dies[f].offset - strip.height * dot(n, across)
        before = t.slices[now]
        least, most = math.inf, -math.inf
        for k in range(before.count):
            h = a * before.along[k] + b * before.deep[k] - left
            least, most = min(least, h), max(most, h)
        if least >= 0.0:
            return -1
        if most > 0.0:
            clip(before, t.slices[1 - now], (a, b, left), f)
            now = 1 - now
    return now


@step_kernel
def is_entered(contacts, strip, slice_, columns, used, code):
    """Whether the other body stands in a strip through its face: it reaches out there, or did when it came.

    What came in through another side is not in the way of the columns of this one.
    """
    for k in range(slice_.count):
        if slice_.edge[k] == -1:
            return True
    for c in range(strip.first, strip.first + strip.cells):
        r = find_column(contacts, columns, used, c, code)
        if r >= 0 and columns[r].code == code:
            return True
    return False


@step_kernel
def clip(before, after, line, name):
    """Cut a polygon with the half plane a t + b s <= c of a line (a, b, c)."""
    a, b, c = line
    made = 0
    h = a * before.along[0] + b * before.deep[0] - c
    for k in range(before.count):
        j = k + 1 if k + 1 < before.count else 0
        g = a * before.along[j] + b * before.deep[j] - c
        if h <= 0.0:
            after.along[made] = before.along[k]
            after.deep[made] = before.deep[k]
            after.edge[made] = before.edge[k]
            made += 1
        if (h <= 0.0) != (g <= 0.0):
            share = h / (h - g)
            after.along[made] = before.along[k] + share * (before.along[j] - before.along[k])
            after.deep[made] = before.deep[k] + share * (before.deep[j] - before.deep[k])
            after.edge[made] = name if h <= 0.0 else before.edge[k]
            made += 1
        h = g
    after.count = made


@step_kernel
def line_of(contacts, strip, edge):
    """Normal (t, s) of an edge: a plane of the other body, or a line of the strip."""
    if edge >= 0:
        n = vector(borrow_contacts(contacts).dies[edge].normal, 0)
        return dot(n, vector(strip.along, 0)), dot(n, vector(strip.inward, 0))
    if edge == -1:
        return 0.0, -1.0
    if edge == -3:
        return 0.0, 1.0
    return (strip.length if edge == -2 else -strip.length), strip.inset


@step_kernel
def is_far(strip, slice_, k, j):
    """Whether edge k to j is a far side of the other body that the beam can follow.

    On a steeper one (1) is greatest at its inner end, which counts only where the body itself ends there: where the
    strip ends, as when a wall that pushes in the front crosses the side, nothing stands in the way of its columns.
    """
    back = slice_.along[k] - slice_.along[j]
    return slice_.edge[k] >= 0 and back > 0.0 and abs(slice_.deep[j] - slice_.deep[k]) <= strip.beam * back


@step_kernel
def is_tip(slice_, k, j):
    """Whether corner k is the tip of a wedge: two far sides of the other body, however steep."""
    i = k - 1 if k > 0 else slice_.count - 1
    return (
        slice_.edge[i] >= 0
        and slice_.edge[k] >= 0
        and slice_.along[j] < slice_.along[k] < slice_.along[i]
        and slice_.deep[i] <= slice_.deep[k] >= slice_.deep[j]
    )


@step_kernel
def deepest_at(contacts, strip, slice_, place, start):
    """Equation (1) for a column: depth, then where (t, s), two planes (below 0: none) and their k of (2)."""
    depth, where, what, k_1, k_2 = 0.0, (0.0, 0.0), (-1, -1), 0.0, 0.0
    best = -1
    last = slice_.count - 1
    for k in range(slice_.count):
        j = k + 1 if k < last else 0
        if is_far(strip, slice_, k, j):
            if slice_.along[j] <= place <= slice_.along[k]:
                share = (slice_.along[k] - place) / (slice_.along[k] - slice_.along[j])
                s = slice_.deep[k] + share * (slice_.deep[j] - slice_.deep[k])
                if s - start > depth:
                    depth, where, what, best = s - start, (place, s), (slice_.edge[k], -1), -1
        elif not is_far(strip, slice_, k - 1 if k > 0 else last, k) and not is_tip(slice_, k, j):
            continue
        d = slice_.deep[k] - strip.beam * abs(slice_.along[k] - place) - start
        if d > depth:
            depth, best = d, k
    if depth == 0.0:
        return depth, where, what, k_1, k_2
    if best < 0:
        _, b = line_of(contacts, strip, what[0])
        return depth, where, what, 1.0 / b, k_2
    where = (slice_.along[best], slice_.deep[best])
    one = slice_.edge[best - 1 if best > 0 else slice_.count - 1]
    two = slice_.edge[best]
    a_1, b_1 = line_of(contacts, strip, one)
    a_2, b_2 = line_of(contacts, strip, two)
    g = -strip.beam if where[0] > place else strip.beam
    det = a_1 * b_2 - a_2 * b_1
    if abs(det) > 1e-9:
        k_1, k_2 = (g * b_2 - a_2) / det, (a_1 - g * b_1) / det
    if k_1 < 0.0 or not abs(det) > 1e-9:  # by round-off: the greatest lies on the other line
        k_1, k_2 = 0.0, 1.0 / b_2 if b_2 > 0.0 else 0.0
    elif k_2 < 0.0:
        k_1, k_2 = 1.0 / b_1 if b_1 > 0.0 else 0.0, 0.0
    return depth, where, (one, two), k_1, k_2


@step_kernel
def find_partner(contacts, other, side, x):
    """Strip and cell of the other outline at its own place x on one of its sides; -1, -1: rigid there."""
    t = borrow_contacts(contacts)
    solid = t.solids[other]
    found, away = -1, math.inf
    for k in range(solid.first_strip, solid.first_strip + solid.strips):
        if t.strips[k].side == side:
            off = abs(dot(vector(t.strips[k].across, 0), x) - t.strips[k].height)
            if off < away:
                found, away = k, off
    if found < 0:
        return -1, -1
    strip = t.strips[found]
    k = int((dot(vector(strip.along, 0), x) - strip.low) / strip.cell)
    return found, strip.first + min(max(k, 0), strip.cells - 1)


@step_kernel
def columns_used(columns):
    """Rows in use: they are filled from the first on and never given back."""
    low, high = 0, columns.shape[0]
    while low < high:
        half = (low + high) // 2
        if columns[half].code != 0:
            low = half + 1
        else:
            high = half
    return low


@step_kernel
def find_column(contacts, columns, used, cell, code):
    """Row of a cell in this pair, else the deepest dent of others; -1: none. The last one is looked at first."""
    t = borrow_contacts(contacts)
    r = t.column_of[cell]
    if 0 <= r < used and columns[r].cell == cell and columns[r].code == code:
        return r
    found = -1
    for q in range(used):
        if columns[q].cell == cell:
            if columns[q].code == code:
                t.column_of[cell] = q
                return q
            if found < 0 or columns[q].dent > columns[found].dent:
                found = q
    return found


@step_kernel
def dent_of(columns, used, cell, code):
    """Residual crush that a cell has from other pairs [m]."""
    dent = 0.0
    if cell >= 0:
        for q in range(used):
            if columns[q].cell == cell and columns[q].code != code:
                dent = max(dent, columns[q].dent)
    return dent


@step_kernel
def start_column(column, code, cell, recovered):
    """A column before it is pressed."""
    column.code = code
    column.cell = cell
    column.deepest = 0.0
    column.pressure = 0.0
    column.work = 0.0
    column.recovered = recovered
    column.dent = 0.0
    column.crush = 0.0
    column.last = 0.0
    column.spent = 0.0
    column.area = 0.0


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
def recall_column(contacts, strip, columns, cells, code, depth, rate, moment):
    """What a column remembers, or how it begins, into ``t.scratch_column``; returns its row, or that of a dent, or -1.

    Args:
        cells: its number, and that of the cell of the other body that it meets (-1: rigid).
        code: of the pair, + 1; moment: closing speed, time since the last state.
    """
    t = borrow_contacts(contacts)
    scratch = t.scratch_column[0]
    closing, elapsed = moment
    used = columns_used(columns)
    r = find_column(contacts, columns, used, cells[0], code)
    start_column(scratch, code, cells[0], restitution_share(strip, closing))
    moved = 2.0 * abs(rate) * elapsed + ENTRY
    if r >= 0:
        scratch.dent = columns[r].dent
        scratch.crush = columns[r].crush
    if r >= 0 and columns[r].code == code:
        if columns[r].pressure > 0.0:
            scratch.recovered = columns[r].recovered
        scratch.spent = columns[r].spent
        if depth - columns[r].last <= moved:
            scratch.deepest = columns[r].deepest
            scratch.pressure = columns[r].pressure
            scratch.work = columns[r].work
        else:
            # The other body came in from aside, or another side of it: what is stored is not for this one.
            scratch.deepest = max(depth, columns[r].deepest)
            scratch.spent += columns[r].work
    else:
        scratch.deepest = scratch.dent + dent_of(columns, used, cells[1], code)
        if depth - scratch.deepest > moved:
            scratch.deepest = depth
    return r


@step_kernel
def press_columns(contacts, pair, own, other, columns, closing, elapsed, settle):
    """One pass: columns of the outline ``own`` against the other; adds to ``head.pressed`` and pushes both bodies.

    Args:
        columns: memory rows; closing: speed at touch [m/s]; elapsed: since the last accepted state [s].
        settle: whether this is an accepted state, whose columns are noted; then no body is pushed.
    """
    t = borrow_contacts(contacts)
    solid = t.solids[own]
    count = solid_in(contacts, own, other)
    frame = frame_at(t.placed[own])
    theirs = frame_at(t.placed[other])
    middle = turn(transposed(inverse(frame.directors)), minus(theirs.position, frame.position))
    reach = t.placed[other].reach
    used = columns_used(columns)
    for k in range(solid.first_strip, solid.first_strip + solid.strips):
        strip = t.strips[k]
        u, h, s = (
            dot(vector(strip.along, 0), middle),
            dot(vector(strip.across, 0), middle),
            dot(vector(strip.inward, 0), middle),
        )
        if (
            u + reach < strip.low
            or u - reach > strip.high
            or abs(h - strip.height) > reach
            or s + reach < strip.outer
            or s - reach > strip.outer + strip.length
        ):
            continue
        now = cut_strip(contacts, strip, count)
        if now >= 0 and is_entered(contacts, strip, t.slices[now], columns, used, pair.code + 1):
            press_strip(contacts, pair, (own, other), strip, t.slices[now], columns, (closing, elapsed), settle)


@step_kernel
def press_strip(contacts, pair, outlines, strip, slice_, columns, moment, settle):
    """Columns of one strip under a slice of the other body; ``moment``: closing speed, time since the last state."""
    t = borrow_contacts(contacts)
    total = t.head[0].pressed
    own, other = outlines
    code = pair.code + 1
    frame, theirs = frame_at(t.placed[own]), frame_at(t.placed[other])
    i, j = t.outlines[own].body, t.outlines[other].body
    frame_i, rates_i, frame_j, rates_j = (
        frame_at(t.frames[i]),
        frame_at(t.rates[i]),
        frame_at(t.frames[j]),
        frame_at(t.rates[j]),
    )
    back = transposed(inverse(theirs.directors))
    law = t.laws[pair.law]
    scratch = t.scratch_column[0]
    sign = 1.0 if other == pair.b else -1.0  # forces are told as those on B
    for c in range(strip.first, strip.first + strip.cells):
        cell = t.cells[c]
        depth, where, planes, k_1, k_2 = deepest_at(contacts, strip, slice_, cell.along, cell.start)
        if not depth > 0.0:
            continue
        n = ZERO
        main = planes[0]
        if planes[0] >= 0:
            n = plus_times(n, k_1, vector(t.dies[planes[0]].world, 0))
        if planes[1] >= 0:
            n = plus_times(n, k_2, vector(t.dies[planes[1]].world, 0))
            if planes[0] < 0 or k_2 > k_1:
                main = planes[1]
        steep = norm(n)
        if main < 0 or not steep > 0.0:
            continue
        own_place = plus(
            plus_times(times(strip.height, vector(strip.across, 0)), where[0], vector(strip.along, 0)),
            times(where[1], vector(strip.inward, 0)),
        )
        x = point_of(frame, own_place)
        u = relative_velocity(frame_i, rates_i, frame_j, rates_j, x)
        rate = dot(n, u)
        partner, their_cell = find_partner(contacts, other, t.dies[main].side, turn(back, minus(x, theirs.position)))
        their_strip = t.strips[partner] if partner >= 0 else t.rigid_strip[0]
        their_strength = t.cells[their_cell].strength if partner >= 0 else 1.0
        share = 1.0
        if partner >= 0:
            mine, others = strip.stiffness * cell.strength, their_strip.stiffness * their_strength
            share = others / (mine + others)
        r = recall_column(contacts, strip, columns, (c, their_cell), code, depth, rate, moment)
        area = strip.cell * strip.band
        heat, stored = 0.0, 0.0
        if depth >= scratch.deepest:
            now = shared_pressure(strip.curve, cell.strength, their_strip.curve, their_strength, depth)
            then = shared_pressure(strip.curve, cell.strength, their_strip.curve, their_strength, scratch.deepest)
            part = share * across_share(strip, steep)
            p, w = load(scratch, depth, (part * now[0], part * now[1]), (part * then[0], part * then[1]), strip.ramp)
            stroke = give_back(depth, p, w, scratch.recovered)
            stored = area * p * stroke / 3.0
            heat = area * p * max(rate, 0.0) * (1.0 - scratch.recovered)
            free = depth - stroke
            if settle:
                # As far as it is pressed: one that was entered from the side deep within is not crushed up to there.
                own_crush, _ = crush_at(strip.curve, cell.strength, p / part)
                scratch.deepest = depth
                scratch.pressure = p
                scratch.work = w
                scratch.crush = max(scratch.crush, min(own_crush, depth))
                scratch.dent = max(scratch.dent, strip.residual * scratch.crush)
        else:
            p, stored = unload(scratch, depth)
            stored *= area
            stroke = give_back(scratch.deepest, scratch.pressure, scratch.work, scratch.recovered)
            free = scratch.deepest - stroke
            if settle and scratch.pressure > 0.0 and depth < strip.residual * scratch.deepest:
                # Parted: the metal springs back, and the next touch begins where it then is.
                scratch.spent += (1.0 - scratch.recovered) * scratch.work
                scratch.deepest *= strip.residual
                scratch.pressure = 0.0
                scratch.work = 0.0
        # A column that was just entered from the side is not yet pressed: no contact because of it.
        total.reach = max(total.reach, depth - free if p > 0.0 or depth < free else -ENTRY)
        if depth > total.depth:
            total.depth = depth
            total.rate = rate
        total.free = max(total.free, free)
        if p > 0.0 and depth >= 0.98 * strip.length and strip.inset == 0.0:
            total.through = 1
        if settle:
            scratch.last = depth
            scratch.area = area
            keep_column(contacts, columns, r, scratch)
            continue
        total.stored += stored
        total.heat += heat
        if p * area > FAINT:
            push_column(contacts, (i, j), x, u, times(p * area, n), law, sign)


@step_kernel
def push_column(contacts, bodies, x, u, f, law, sign):
    """Force f of equation (3) and friction at x: on the second body against f, on the first its opposite."""
    t = borrow_contacts(contacts)
    total = t.head[0].pressed
    size = norm(f)
    n = times(1.0 / size, f)
    slip = plus_times(u, -dot(u, n), n)
    speed = norm(slip)
    limit = law[FRICTION] * size / math.sqrt(speed * speed + law[SLIP_SPEED] * law[SLIP_SPEED])
    on_other = plus_times(times(-1.0, f), -limit, slip)
    i, j = bodies
    add_force(t.push[i], material_point(frame_at(t.frames[i]), x), times(-1.0, on_other))
    add_force(t.push[j], material_point(frame_at(t.frames[j]), x), on_other)
    add(total.force, 0, times(sign, on_other))
    add(total.normal, 0, times(-sign, f))
    add(total.moment, 0, times(size, x))
    total.size += size
    total.rubbed += limit * speed * speed
    total.slip = max(total.slip, speed)


@step_kernel
def keep_column(contacts, columns, r, column):
    """Note a column at an accepted state, in its row or in a new one; a dent by another pair keeps its own."""
    t = borrow_contacts(contacts)
    if r < 0 or columns[r].code != column.code:
        r = columns_used(columns)
        if r >= columns.shape[0]:
            t.head[0].pressed.short += 1
            return
    columns[r] = column
    t.column_of[column.cell] = r


@step_kernel
def clear_pressed(total):
    """Begin a sum over columns."""
    put(total.force, 0, ZERO)
    put(total.normal, 0, ZERO)
    put(total.moment, 0, ZERO)
    total.size = 0.0
    total.stored = 0.0
    total.heat = 0.0
    total.rubbed = 0.0
    total.reach = -math.inf
    total.depth = 0.0
    total.free = 0.0
    total.rate = 0.0
    total.slip = 0.0
    total.through = 0


@step_kernel
def press_pair(contacts, pair, columns, closing, elapsed, settle):
    """Both passes of a pair into ``head.pressed``; whether any column is met."""
    t = borrow_contacts(contacts)
    total = t.head[0].pressed
    clear_pressed(total)
    a, b = t.placed[pair.a], t.placed[pair.b]
    apart = minus(vector(a.position, 0), vector(b.position, 0))
    if t.outlines[pair.a].half_space == 0 and t.outlines[pair.b].half_space == 0:
        if dot(apart, apart) > (a.reach + b.reach) ** 2:
            return False
    if t.solids[pair.a].strips > 0:
        press_columns(contacts, pair, pair.a, pair.b, columns, closing, elapsed, settle)
    if t.solids[pair.b].strips > 0:
        press_columns(contacts, pair, pair.b, pair.a, columns, closing, elapsed, settle)
    return total.depth > 0.0

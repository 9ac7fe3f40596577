"""What a collision did to each of two bodies: energy taken up, and the dent that it left.

Read from the columns of a pair (:mod:`columns`): each body presses its own with its share of the compliance, so the
work on them is what its structure took up. Columns remember since the start of the run; a collision is told by what
they gained since the last one of the same two bodies was over (``booked``, and ``grown`` of each column). So each pulse
has its own, however soon another follows, and all together have what the columns took up.

The dent is that of the side that took up most of this collision's energy, over the width in which the other body pushed
it in further; as crash engineers measure it, with six depths C1 to C6 at even distances over that width, from its left
end to its right, the deepest strip at each place. Older dents within it count with the depth that they have: a tape
tells no dents apart. What stands there afterwards, Cmax, is no less than any of the six and no more than the greatest
crush under load.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.column_index import index_columns
from centrode.dynamics.contact.strip_tables import Side, open_columns
from centrode.dynamics.contact.tables import PULSE, borrow_contacts
from centrode.jit import step_kernel, types

SEEN = 0.01
"""A dent shallower than this [m] is not measured."""
DEEPER = 1e-3
"""Growth of a dent [m] from which on a place counts as pushed in by this collision."""


@step_kernel
def pulse_code(contacts, a, b):
    """Code of the pulse that two outlines belong to."""
    t = borrow_contacts(contacts)
    count = t.bodies.shape[0]
    one, two = t.outlines[a], t.outlines[b]
    # Roads and all that stands on them are the body ground; a kerb and the tree behind it are two collisions.
    on_road = 1 if one.surface + two.surface > 0 else 0
    return (on_road * count + min(one.body, two.body)) * count + max(one.body, two.body) + 1


@step_kernel
def is_of_pulse(contacts, pulse, column):
    """Whether the two bodies of a pulse pressed this column against each other."""
    outlines = borrow_contacts(contacts).outlines.shape[0]
    return pulse_code(contacts, (column.code - 1) // outlines, (column.code - 1) % outlines) == pulse.code


@step_kernel
def energy_of(column):
    """What a column took up and does not give back [J]."""
    return column.area * (column.spent + (1.0 - column.recovered) * column.work)


@step_kernel
def body_of_pulse(contacts, pulse, which):
    """Number of the first or second body of a pulse."""
    count = borrow_contacts(contacts).bodies.shape[0]
    pair = (pulse.code - 1) % (count * count)
    return pair // count if which == 0 else pair % count


@step_kernel
def sum_taken(contacts, pulse, columns):
    """Energy that the sides of both bodies of a pulse have taken up from each other since the start, into
    ``pulse.taken`` [J]."""
    t = borrow_contacts(contacts)
    index_columns(contacts, columns)
    for which in range(2):
        for side in range(pulse.taken.shape[1]):
            pulse.taken[which, side] = 0.0
        body = body_of_pulse(contacts, pulse, which)
        for k in range(t.outlines.shape[0]):
            r = t.last_column[k] if t.outlines[k].body == body else -1
            while r >= 0:
                if is_of_pulse(contacts, pulse, columns[r]):
                    side = t.strips[t.cells[columns[r].cell].strip].side
                    pulse.taken[which, side] += energy_of(columns[r])
                r = t.indexed[r].same_outline


@step_kernel
def book_told(contacts, pulse, columns):
    """What was told last is booked: count anew what the bodies of a pulse do to each other."""
    t = borrow_contacts(contacts)
    for which in range(2):
        for side in range(pulse.taken.shape[1]):
            pulse.booked[which, side] = pulse.taken[which, side]
        body = body_of_pulse(contacts, pulse, which)
        for k in range(t.outlines.shape[0]):
            r = t.last_column[k] if t.outlines[k].body == body else -1
            while r >= 0:
                if is_of_pulse(contacts, pulse, columns[r]):
                    columns[r].grown = 0.0
                r = t.indexed[r].same_outline


@step_kernel
def tell_damage(contacts, pulse, columns):
    """Energy and dent of both bodies of a pulse, into the pulse."""
    sum_taken(contacts, pulse, columns)
    for which in range(2):
        total = 0.0
        for side in range(pulse.taken.shape[1]):
            total += max(pulse.taken[which, side] - pulse.booked[which, side], 0.0)
        pulse.taken_up[which] = total
        pulse.dent_side[which] = 0.0
        pulse.dent_begin[which] = pulse.dent_end[which] = 0.0
        pulse.own_crush[which] = pulse.residual[which] = pulse.damage_width[which] = 0.0
        for c in range(pulse.profile.shape[1]):
            pulse.profile[which, c] = 0.0
        most = 0.0
        for side in range(pulse.taken.shape[1]):
            taken = pulse.taken[which, side] - pulse.booked[which, side]
            if taken > most:
                low, high = grown_between(contacts, pulse, columns, which, side)
                if low < high:
                    most = taken
                    measure_dent(contacts, pulse, columns, (which, side), (low, high))


@step_kernel(signature=types.void(types.int64, types.from_dtype(PULSE), types.floats2, types.int64))
def tell_open_damage(contacts, pulse, memory, behind):
    """The same of a pulse that has not ended, from the memory rows of a run; columns begin ``behind`` numbers."""
    tell_damage(contacts, pulse, open_columns(memory, behind, borrow_contacts(contacts).head[0].columns))


@step_kernel
def grown_between(contacts, pulse, columns, which, side):
    """Where a side was pushed in further in this pulse: both ends along it [m]; where nowhere, the first is greater."""
    t = borrow_contacts(contacts)
    low, high = math.inf, -math.inf
    body = body_of_pulse(contacts, pulse, which)
    for k in range(t.outlines.shape[0]):
        r = t.last_column[k] if t.outlines[k].body == body else -1
        while r >= 0:
            cell = t.cells[columns[r].cell]
            strip = t.strips[cell.strip]
            deeper = columns[r].grown > DEEPER and columns[r].dent > SEEN
            if strip.side == side and deeper and is_of_pulse(contacts, pulse, columns[r]):
                low = min(low, cell.along - 0.5 * strip.cell)
                high = max(high, cell.along + 0.5 * strip.cell)
            r = t.indexed[r].same_outline
    return low, high


@step_kernel
def measure_dent(contacts, pulse, columns, where, ends):
    """Crush, place, width and C1 to C6 of a dent into a pulse; ``where``: which body, which side; ``ends``: [m]."""
    t = borrow_contacts(contacts)
    which, side = where
    low, high = ends
    body = body_of_pulse(contacts, pulse, which)
    crush, deepest, first = 0.0, 0.0, -1
    for k in range(t.outlines.shape[0]):
        r = t.last_column[k] if t.outlines[k].body == body else -1
        while r >= 0:
            cell = t.cells[columns[r].cell]
            if t.strips[cell.strip].side == side and low < cell.along < high:
                first = cell.strip
                deepest = max(deepest, columns[r].dent)
                grew = columns[r].grown > 0.0 and is_of_pulse(contacts, pulse, columns[r])
                crush = max(crush, columns[r].crush if grew else columns[r].dent)
            r = t.indexed[r].same_outline
    strip = t.strips[first]
    pulse.dent_side[which] = side + 1.0
    pulse.dent_begin[which] = (low - strip.low) / (strip.high - strip.low)
    pulse.dent_end[which] = (high - strip.low) / (strip.high - strip.low)
    pulse.own_crush[which], pulse.residual[which], pulse.damage_width[which] = crush, deepest, high - low
    last = pulse.profile.shape[1] - 1
    for c in range(last + 1):
        # Along is to the left on front and rear.
        place = last - c if side <= Side.REAR else c
        at = low + (high - low) * c / last
        pulse.profile[which, place] = min(depth_at(contacts, columns, (body, side), at), deepest)


@step_kernel
def depth_at(contacts, columns, where, at):
    """Residual crush of a side at a place along it, between the middles of its cells [m]; ``where``: body, side."""
    t = borrow_contacts(contacts)
    body, side = where
    one, two, share = 0.0, 0.0, 0.0
    for k in range(t.outlines.shape[0]):
        r = t.last_column[k] if t.outlines[k].body == body else -1
        while r >= 0:
            cell = t.cells[columns[r].cell]
            strip = t.strips[cell.strip]
            if strip.side == side:
                inside = min(max(at, strip.low + 0.5 * strip.cell), strip.high - 0.5 * strip.cell)
                share = (inside - strip.low) / strip.cell - 0.5
                share -= math.floor(share + 1e-9)
                off = (cell.along - inside) / strip.cell
                if -1.0 + 1e-9 < off < 1e-9:
                    one = max(one, columns[r].dent)
                elif off < 1.0 - 1e-9 and off > 0.0:
                    two = max(two, columns[r].dent)
            r = t.indexed[r].same_outline
    share = max(share, 0.0)
    return (1.0 - share) * one + share * two

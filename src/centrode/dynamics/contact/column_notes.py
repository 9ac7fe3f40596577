"""What columns remember of an accepted state: that which its evaluation found.

Every evaluation writes down what each column would remember if its state were accepted; noting an accepted state copies
this. The depths and pressures of a state are looked for once.
"""

from __future__ import annotations

from centrode.dynamics.contact.column_index import add_to_index
from centrode.dynamics.contact.strip_tables import Met, Tried
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.parts.structures.column import crush_at


@step_kernel
def try_column(contacts, r, how, part):
    """Write down what the column in ``t.scratch_column``, of row r, would remember; ``part``: see TRIED."""
    t = borrow_contacts(contacts)
    k = t.head[0].tried
    if k >= t.trials.shape[0]:
        t.head[0].pressed.short += 1
        return
    t.trials[k] = t.scratch_column[0]
    t.tried[k].row = r
    t.tried[k].how = how
    t.tried[k].part = part
    t.head[0].tried = k + 1


@step_kernel
def try_slack(contacts, r, depth, area):
    """Write down the depth of a column that carries nothing, and its area [m2]."""
    t = borrow_contacts(contacts)
    k = t.head[0].tried
    if k >= t.trials.shape[0]:
        t.head[0].pressed.short += 1
        return
    t.trials[k].last = depth
    t.trials[k].area = area
    t.tried[k].row = r
    t.tried[k].how = Tried.SLACK
    t.head[0].tried = k + 1


@step_kernel
def note_tried(contacts, pair, columns):
    """Let the columns of a pair remember what its last evaluation found."""
    t = borrow_contacts(contacts)
    for k in range(pair.first_trial, pair.first_trial + pair.trials):
        r, tried = t.tried[k].row, t.trials[k]
        if t.tried[k].how == Tried.SLACK:
            column = columns[r]
            # As a column that is looked at again: energies are per area, and what it loses gives nothing back.
            wider = column.area / tried.area
            less = min(wider, 1.0)
            column.spent = column.spent * wider + column.work * max(wider - 1.0, 0.0)
            column.pressure *= less
            column.work *= less
            column.area = tried.area
            column.last = tried.last
            column.met = Met.NOW
            spring_back(column, t.strips[t.cells[column.cell].strip].residual)
            continue
        cell = t.cells[tried.cell]
        strip = t.strips[cell.strip]
        if t.tried[k].how == Tried.LOADED:
            # As far as it is pressed: one that was entered from the side deep within is not crushed up to there.
            own_crush, _ = crush_at(strip.curve, cell.strength, tried.pressure / t.tried[k].part)
            tried.crush = max(tried.crush, min(own_crush, tried.last))
            deeper = max(strip.residual * tried.crush - tried.dent, 0.0)
            tried.dent += deeper
            tried.grown += deeper
        else:
            spring_back(tried, strip.residual)
        keep_column(contacts, columns, r, tried)
    forget_stored(contacts, columns, pair.a, pair.code + 1)
    forget_stored(contacts, columns, pair.b, pair.code + 1)


@step_kernel
def spring_back(column, residual):
    """Parted: the metal springs back, and the next touch begins where it then is."""
    if column.pressure > 0.0 and column.last < residual * column.deepest:
        column.spent += (1.0 - column.recovered) * column.work
        column.deepest *= residual
        column.pressure = 0.0
        column.work = 0.0


@step_kernel
def keep_column(contacts, columns, r, column):
    """Note a column at an accepted state, in its row or in a new one; a dent by another pair keeps its own."""
    t = borrow_contacts(contacts)
    if r >= 0 and columns[r].code == column.code:
        columns[r] = column
    elif t.head[0].indexed < columns.shape[0]:
        columns[t.head[0].indexed] = column
        add_to_index(contacts, column)
    else:
        t.head[0].pressed.short += 1


@step_kernel
def forget_stored(contacts, columns, own, code):
    """Columns that the other body has left aside give nothing back when it returns: it comes from aside as well."""
    t = borrow_contacts(contacts)
    r = t.last_column[own]
    while r >= 0:
        if t.indexed[r].code == code:
            if columns[r].met == Met.NOW:
                columns[r].met = Met.BEFORE
            else:
                columns[r].met = Met.NO
                columns[r].last = 0.0
        r = t.indexed[r].same_outline

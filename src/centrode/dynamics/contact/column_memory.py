"""What a column of a body that gives way remembers when it is met again, or how it begins."""

from __future__ import annotations

from centrode.dynamics.contact.aside import ENTRY
from centrode.dynamics.contact.column_index import dent_of
from centrode.dynamics.contact.strip_tables import Met
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel


@step_kernel
def start_column(column, code, cell):
    """A column before it is pressed."""
    column.code = code
    column.cell = cell
    column.deepest = 0.0
    column.pressure = 0.0
    column.work = 0.0
    column.recovered = 0.0
    column.dent = 0.0
    column.crush = 0.0
    column.grown = 0.0
    column.last = 0.0
    column.free = 0.0
    column.spent = 0.0
    column.area = 0.0
    column.entry = 0.0
    column.met = Met.NOW


@step_kernel
def is_met(columns, r, code):
    """Whether the column of row r was met by this pair at the last state."""
    return r >= 0 and columns[r].code == code and columns[r].met == Met.BEFORE


@step_kernel
def is_slack(columns, r, code, depths):
    """Whether the column of row r, met by this pair at the last state, carries nothing at a depth now, and begins where
    it did."""
    depth, entry = depths
    return (
        is_met(columns, r, code)
        and depth < columns[r].free
        and depth - columns[r].last <= ENTRY
        and columns[r].entry == entry
    )


@step_kernel
def recall_column(contacts, columns, r, cells, code, depths, area, moved):
    """What a column remembers, or how it begins, into ``t.scratch_column``.

    Args:
        r: its row, or that of a dent, or -1 (:func:`find_column`).
        cells: its number, and that of the cell of the other body that it meets (-1: rigid).
        code: of the pair, + 1.
        depths: of the column, and where it begins (:mod:`aside`) [m].
        moved: how much deeper it can have become since the last state [m].
    """
    t = borrow_contacts(contacts)
    depth, entry = depths
    scratch = t.scratch_column[0]
    start_column(scratch, code, cells[0])
    scratch.area = area
    scratch.entry = entry
    if r >= 0:
        scratch.dent = columns[r].dent
        scratch.crush = columns[r].crush
    if r >= 0 and columns[r].code == code:
        scratch.recovered = columns[r].recovered
        scratch.grown = columns[r].grown
        # Energies are per area. What it grows by was not pressed before; what it loses gives nothing back.
        wider = columns[r].area / area
        scratch.spent = columns[r].spent * wider
        if columns[r].entry == entry:
            if depth - columns[r].last <= moved:
                scratch.deepest = columns[r].deepest
                if columns[r].pressure == 0.0:
                    # Parted: what meets it now may be crushed more than what made its dent.
                    scratch.deepest = max(scratch.deepest, scratch.dent + dent_of(contacts, columns, cells[1], code))
                scratch.pressure = columns[r].pressure * min(wider, 1.0)
                scratch.work = columns[r].work * min(wider, 1.0)
                scratch.spent += columns[r].work * max(wider - 1.0, 0.0)
            else:
                # The other body came in from aside, or another side of it: what is stored is not for this one.
                scratch.deepest = max(depth, columns[r].deepest)
                scratch.spent += columns[r].work * wider
            return
        scratch.spent += columns[r].work * wider
    scratch.deepest = scratch.dent + dent_of(contacts, columns, cells[1], code) - entry
    if entry > 0.0 or depth - scratch.deepest > moved:
        scratch.deepest = max(depth, scratch.deepest)

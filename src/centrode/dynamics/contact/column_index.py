"""Which rows of memory hold the columns of a cell and of an outline.

Rows of memory are filled from the first on and never given back, one for each column and pair that pressed it. With
hundreds of cars there are tens of thousands, so the rows of a cell and those of an outline are chained, the newest
first. The index is no part of the state: where the memory is not what was indexed (a run that went back, frames that
are looked at again, a run taken up from a file) rows are taken off its end until both agree, and the others are added.
The last row tells: every evaluation indexes what is there before a column is added, so what is before an equal row is
equal too.
"""

from __future__ import annotations

from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.parts.structures.column import unload


@step_kernel
def columns_used(columns):
    """Rows in use."""
    low, high = 0, columns.shape[0]
    while low < high:
        half = (low + high) // 2
        if columns[half].code != 0:
            low = half + 1
        else:
            high = half
    return low


@step_kernel
def index_columns(contacts, columns):
    """Bring the index up to the rows of memory."""
    t = borrow_contacts(contacts)
    head = t.head[0]
    used = columns_used(columns)
    while head.indexed > 0 and not (head.indexed <= used and is_indexed(t.indexed, columns, head.indexed - 1)):
        last = t.indexed[head.indexed - 1]
        t.column_of[last.cell] = last.same_cell
        t.last_column[t.strips[t.cells[last.cell].strip].outline] = last.same_outline
        head.indexed -= 1
    for r in range(head.indexed, used):
        add_to_index(contacts, columns[r])


@step_kernel
def is_indexed(indexed, columns, r):
    """Whether a row is the one that was indexed."""
    return indexed[r].cell == columns[r].cell and indexed[r].code == columns[r].code


@step_kernel
def add_to_index(contacts, column):
    """The next row of memory holds this column."""
    t = borrow_contacts(contacts)
    r = t.head[0].indexed
    outline = t.strips[t.cells[column.cell].strip].outline
    row = t.indexed[r]
    row.cell = column.cell
    row.code = column.code
    row.same_cell = t.column_of[column.cell]
    row.same_outline = t.last_column[outline]
    t.column_of[column.cell] = r
    t.last_column[outline] = r
    t.head[0].indexed = r + 1


@step_kernel
def find_column(contacts, columns, cell, code):
    """Row of a cell in this pair, else the deepest dent of others; -1: none."""
    t = borrow_contacts(contacts)
    r, found = t.column_of[cell], -1
    while r >= 0:
        if t.indexed[r].code == code:
            return r
        if found < 0 or columns[r].dent >= columns[found].dent:
            found = r
        r = t.indexed[r].same_cell
    return found


@step_kernel
def is_free(column):
    """Whether nothing presses a column any more: it has given back what it stored, or was left aside."""
    return not unload(column, column.last)[0] > 0.0


@step_kernel
def dent_of(contacts, columns, cell, code):
    """Residual crush that a cell has from other pairs, or from this one where it is pressed no more [m]."""
    t = borrow_contacts(contacts)
    dent = 0.0
    r = t.column_of[cell] if cell >= 0 else -1
    while r >= 0:
        if t.indexed[r].code != code or is_free(columns[r]):
            dent = max(dent, columns[r].dent)
        r = t.indexed[r].same_cell
    return dent

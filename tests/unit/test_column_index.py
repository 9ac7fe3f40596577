"""The index of pressed columns says what a search through all rows of memory says, whatever became of the memory."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.contact.column_index import dent_of, find_column, index_columns
from centrode.dynamics.contact.columns import mark_entered
from centrode.dynamics.contact.strip_tables import COLUMN
from centrode.dynamics.contact.tables import ContactBlock
from centrode.system.model import build_model


@functools.cache
def contacts():
    """Two cars and the law of crush."""
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    for k in range(2):
        system.add(ct.Car(f"car{k}", road="road", position=(20.0 * k, 0.0)))
    system.add(ct.Crush("law"))
    return build_model(system).contacts


def fill(rows, start, rng, cells):
    """Random columns from a row on, none twice in a pair."""
    taken = {(int(row["cell"]), int(row["code"])) for row in rows[:start]}
    end = int(rng.integers(start, 31))  # of 36 that there are
    for r in range(start, end):
        while (key := (int(rng.choice(cells)), int(rng.integers(1, 4)))) in taken:
            pass
        taken.add(key)
        rows[r]["cell"], rows[r]["code"] = key
        rows[r]["dent"] = rng.choice([0.1, 0.2, 0.3])


@pytest.mark.parametrize("seed", range(4))
def test_index_is_a_search_through_all_rows(seed):
    rng = np.random.default_rng(seed)
    block = ContactBlock(contacts().tables)
    t = block.tables
    cells = rng.choice(len(t.cells), 12, replace=False)
    rows = np.zeros(64, COLUMN)
    for _ in range(12):
        kept = int(rng.integers(0, np.count_nonzero(rows["code"]) + 1))  # a run went back, and on another way
        rows[kept:] = np.zeros(1, COLUMN)[0]
        index_columns(block.address, rows)  # as every evaluation does before new columns are noted
        fill(rows, kept, rng, cells)
        used = rows[rows["code"] > 0]
        index_columns(block.address, rows)
        for cell in cells:
            own = np.flatnonzero(used["cell"] == cell)
            for code in range(1, 5):
                mine = own[used["code"][own] == code]
                others = own[used["code"][own] != code]
                deepest = others[used["dent"][others].argmax()] if len(others) else -1
                assert find_column(block.address, rows, cell, code) == (mine[0] if len(mine) else deepest)
                # rows that nothing presses are free, whosever they are
                assert dent_of(block.address, rows, cell, code) == used["dent"][own].max(initial=0.0)
        for outline in np.flatnonzero(t.solids["strips"]):
            mark_entered(block.address, rows, outline, 2)
            pressed = t.cells["strip"][used["cell"][used["code"] == 2]]
            of_outline = t.strips["outline"] == outline
            assert set(np.flatnonzero(of_outline & (t.strips["entered"] == 1))) == {
                int(k) for k in pressed if of_outline[k]
            }

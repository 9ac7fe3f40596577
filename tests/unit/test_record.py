"""Records inside pools of numbers: what kernels open is what numpy sees there, and writing changes the pool itself."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import centrode.system.model  # noqa: F401  brings all tables of a run
from centrode.jit import step_kernel
from centrode.math.record import float_record, open_sized, open_table, record_opener, rows_opener
from centrode.math.sincos import sine_cosine

ROW = float_record("mass", "spin", place=3)
WIDTH = ROW.itemsize // 8
open_row, open_rows = record_opener(ROW), rows_opener(ROW)


@step_kernel
def read_row(numbers, at):
    row = open_row(numbers, at)
    return row.mass, row.spin, row.place[0], row.place[1], row.place[2]


@step_kernel
def double_rows(numbers, at, count):
    rows = open_rows(numbers, at, count)
    for k in range(rows.size):
        rows[k].mass *= 2.0
        rows[k].place[1] = -1.0
    return rows.shape[0]


@step_kernel
def negate_table(numbers, at, rows, columns):
    table = open_table(numbers, at, rows, columns)
    for r in range(table.shape[0]):
        for c in range(table.shape[1]):
            table[r, c] = -table[r, c]


@step_kernel
def last_of_sized(array):
    sized = open_sized(array, (3, 2))
    return sized[sized.shape[0] - 1, 2, 1], sized.size


@given(at=st.integers(0, 20), count=st.integers(1, 4))
def test_rows_are_where_numpy_sees_them(at, count):
    pool = np.arange(60.0)
    assert read_row(pool, at) == tuple(pool[at : at + WIDTH])
    expected = pool.copy()
    view = expected[at : at + count * WIDTH].view(ROW)
    view["mass"] *= 2.0
    view["place"][:, 1] = -1.0
    assert double_rows(pool, at, count) == count
    np.testing.assert_array_equal(pool, expected)


def test_rows_open_in_a_memory_of_two_dimensions():
    memory = np.arange(24.0).reshape(6, 4)
    assert read_row(memory, 4) == tuple(memory.ravel()[4 : 4 + WIDTH])


@given(at=st.integers(0, 9), rows=st.integers(1, 5), columns=st.integers(1, 10))
def test_a_table_is_the_reshaped_stretch(at, rows, columns):
    pool = np.arange(1.0, 61.0)
    expected = pool.copy()
    expected[at : at + rows * columns] *= -1.0
    negate_table(pool, at, rows, columns)
    np.testing.assert_array_equal(pool, expected)


def test_known_lengths_change_nothing():
    array = np.arange(24.0).reshape(4, 3, 2)
    assert last_of_sized(array) == (array[3, 2, 1], array.size)


@given(st.floats(-10.0, 10.0))
def test_sine_and_cosine_by_series_are_the_library_s(angle):
    """Within one unit in the last place of each; the series ends at 0.03 rad."""
    for scale in (1.0, 0.003):
        found, exact = sine_cosine(scale * angle), (math.sin(scale * angle), math.cos(scale * angle))
        assert found == pytest.approx(exact, rel=3e-16, abs=1e-300)


def test_no_field_of_a_record_is_hidden_by_an_attribute_of_numpy():
    """In plain Python ``row.size`` is numpy's own: columns of a crash added up to nothing there with the JIT off."""
    tables = {
        id(found): found
        for module in list(sys.modules.values())
        if getattr(module, "__name__", "").startswith("centrode")
        for found in vars(module).values()
        if isinstance(found, np.dtype) and found.names
    }
    assert len(tables) > 20
    hidden = {name for found in tables.values() for name in found.names if hasattr(np.record, name)}
    assert hidden == {"data"}  # tables.PlainRow gives that one back

"""Records lent to kernels by address: every field arrives, with its shape, and writes go to the lent array."""

from typing import NamedTuple

import numpy as np
import pytest

from centrode.jit import Lent, borrower, field_borrower, step_kernel, types


class Box(NamedTuple):
    count: int
    scale: float
    line: np.ndarray
    cube: np.ndarray
    whole: np.ndarray


FIELDS = (
    types.int64,
    types.float64,
    types.Array(types.float64, 1),
    types.Array(types.float64, 3),
    types.Array(types.int64, 2),
)
borrow = borrower(Box, FIELDS)
cube_of = field_borrower(Box, FIELDS, "cube")


@step_kernel
def fill(box):
    """Numbers that tell fields, rows and columns apart; returns a sum over all."""
    b = borrow(box)
    total = b.count * b.scale
    for i in range(b.line.size):
        b.line[i] = b.scale * i
    for i in range(b.cube.shape[0]):
        for j in range(b.cube.shape[1]):
            for k in range(b.cube.shape[2]):
                total += cube_of(box)[i, j, k]
                b.cube[i, j, k] = 100 * i + 10 * j + k
    for i in range(b.whole.shape[0]):
        for j in range(b.whole.shape[1]):
            total += b.whole[i, j]
    return total


def test_every_field_arrives_and_writes_reach_the_array():
    cube = np.arange(24.0).reshape(2, 3, 4)
    whole = np.arange(6).reshape(3, 2)
    box = Box(3, 0.5, np.zeros(5), cube.copy(), whole)
    lent = Lent(box)
    assert fill(lent.address) == 1.5 + cube.sum() + whole.sum()
    assert list(box.line) == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert box.cube[1, 2, 3] == 123.0


def test_an_array_out_of_order_is_refused():
    with pytest.raises(TypeError, match="C order"):
        Lent(Box(0, 0.0, np.zeros(4), np.zeros((2, 3, 4)).transpose(2, 1, 0), np.zeros((0, 2), dtype=np.int64)))

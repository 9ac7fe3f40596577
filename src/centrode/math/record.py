"""Tables with named columns: one definition of a row, read by the same words in kernels and in plain Python.

Records also lie inside pools of plain numbers. :func:`record_opener`, :func:`rows_opener` and :func:`open_table` look
at such a stretch as what it is. In kernels that is an address and nothing else: Numba's ``view`` and ``reshape`` divide
by item sizes that are known only at run time, and did so four times a wheel (a fifth of the time of a car). They are
instructions because a compiled function that counts no references may not return arrays.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from centrode.jit import JIT_ON, Instruction

Row = np.dtype[Any]


def record(*fields: tuple[Any, ...]) -> Row:
    """A row type with fields (name, type, shape); rows are read as ``row.name`` in kernels, with the JIT on or off."""
    return np.dtype((np.record, np.dtype(list(fields))))


def float_record(*names: str, **vectors: int) -> Row:
    """A record of float64 fields, vectors with their length: a name for every number of a row of floats."""
    return record(*((name, "f8") for name in names), *((name, "f8", (size,)) for name, size in vectors.items()))


def record_opener(row: Row):
    """Make ``opened(numbers, at)``: the record that begins at a place of an array of float64 (C order), not a copy."""

    def opened(numbers, at):
        return _stretch(numbers, at, row.itemsize // 8).view(row)[0]

    def typed(typing_context, numbers, at):
        from numba import from_dtype, types

        kind = from_dtype(row)

        def generate(context, builder, signature, values):
            first = _address(context, builder, signature.args[0], values)
            return builder.bitcast(first, context.get_value_type(kind))

        return kind(numbers, types.intp), generate

    return Instruction("opened", typed, opened) if JIT_ON else opened


def rows_opener(row: Row):
    """Make ``opened(numbers, at, count)``: so many records, one behind the other, as a table of them."""

    def opened(numbers, at, count):
        return _stretch(numbers, at, count * row.itemsize // 8).view(row)

    def typed(typing_context, numbers, at, count):
        from numba import from_dtype, types

        kind = types.Array(from_dtype(row), 1, "C")

        def generate(context, builder, signature, values):
            first = _address(context, builder, signature.args[0], values)
            return _array(context, builder, kind, first, (values[2],))

        return kind(numbers, types.intp, types.intp), generate

    return Instruction("opened", typed, opened) if JIT_ON else opened


def open_table(numbers, at, rows, columns):
    """A matrix that begins at a place of an array of float64, not a copy."""
    return _stretch(numbers, at, rows * columns).reshape((rows, columns))


def _table(typing_context, numbers, at, rows, columns):
    from numba import types

    kind = types.Array(types.float64, 2, "C")

    def generate(context, builder, signature, values):
        first = _address(context, builder, signature.args[0], values)
        return _array(context, builder, kind, first, (values[2], values[3]))

    return kind(numbers, types.intp, types.intp, types.intp), generate


def open_sized(array, lengths):
    """The same array, whose last lengths the compiler may count on when they are constant.

    Rows then lie at fixed distances, which need no multiplication.
    """
    return array


def _sized(typing_context, array, lengths):
    from numba.core import cgutils

    def generate(context, builder, signature, values):
        given = context.make_array(array)(context, builder, values[0])
        known = [builder.extract_value(values[1], k) for k in range(lengths.count)]
        shape = cgutils.unpack_tuple(builder, given.shape)[: array.ndim - lengths.count] + known
        return _array(context, builder, array, given.data, tuple(shape))

    return array(array, lengths), generate


def local_row(lengths):
    """A row of numbers of the caller's own, as many as the tuple has, whatever they are.

    Nobody else can write there, so the compiler keeps the numbers in registers where all places are constant, and looks
    nothing up again after a store to a table.
    """
    return np.zeros(len(lengths))


def local_table(rows, columns):
    """The same with two places; its size is the lengths of two tuples."""
    return np.zeros((len(rows), len(columns)))


def _local(typing_context, *lengths):
    from llvmlite import ir
    from numba.core import cgutils, types

    kind = types.Array(types.float64, len(lengths), "C")

    def generate(context, builder, signature, values):
        count = math.prod(item.count for item in lengths)
        room = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), count))
        shape = [context.get_constant(types.intp, item.count) for item in lengths]
        return _array(context, builder, kind, room, shape)

    return kind(*lengths), generate


def _local_row(typing_context, lengths):
    return _local(typing_context, lengths)


def _local_table(typing_context, rows, columns):
    return _local(typing_context, rows, columns)


if JIT_ON:
    local_row = Instruction("local_row", _local_row, local_row)  # type: ignore[assignment]
    local_table = Instruction("local_table", _local_table, local_table)  # type: ignore[assignment]
    open_table = Instruction("open_table", _table, open_table)  # type: ignore[assignment]
    open_sized = Instruction("open_sized", _sized, open_sized)  # type: ignore[assignment]


def _stretch(numbers: np.ndarray, at: int, count: int) -> np.ndarray:
    return numbers.reshape(-1)[at : at + count]


def _address(context, builder, kind, values):
    """Address of the number ``values[1]`` of the array ``values[0]``."""
    return builder.gep(context.make_array(kind)(context, builder, values[0]).data, [values[1]])


def _array(context, builder, kind, first, shape):
    """An array in C order that begins at an address and counts no references."""
    from numba import types
    from numba.np.arrayobj import populate_array

    array = context.make_array(kind)(context, builder)
    itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [itemsize]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    data = builder.bitcast(first, array.data.type)
    populate_array(array, data=data, shape=list(shape), strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()

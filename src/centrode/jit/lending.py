"""Lending a record of tables to kernels.

A record of fifty arrays, passed by value, costs four hundred words at every call. It is written once into a block of
memory instead and passed as the address of that block; a kernel borrows it, and loads only what it reads. Numba keeps
an array as words: two for reference counting (left zero: nobody counts), number and size of the elements, address of
the data, shape and strides.
"""

from __future__ import annotations

import numpy as np

from centrode.jit.instruction import Instruction
from centrode.jit.kernel import JIT_ON
from centrode.jit.types import NamedTuple
from centrode.jit.untyped import Untyped


class Lent:
    """A record of arrays and numbers as kernels borrow it; keeps what it lends alive.

    Args:
        record: named tuple of arrays (C order), integers and floats.
    """

    def __init__(self, record: Untyped) -> None:
        self.record = record
        words: list[int] = []
        for item in record:
            if isinstance(item, np.ndarray):
                if not item.flags.c_contiguous:
                    raise TypeError("only arrays in C order can be lent")
                words += [0, 0, item.size, item.itemsize, item.ctypes.data, *item.shape, *item.strides]
            elif JIT_ON:  # with the JIT off an address is the record itself
                words.append(int(item) if isinstance(item, int) else int(np.float64(item).view(np.int64)))
        self._block = np.array(words, dtype=np.int64)

    @property
    def address(self) -> Untyped:
        """What kernels take: an integer, or the record itself with the JIT off."""
        return int(self._block.ctypes.data) if JIT_ON else self.record


def borrower(record: type, fields: Untyped) -> Untyped:
    """Make the function that turns the address of a lent record into the record, usable inside kernels.

    Args:
        record: the named tuple.
        fields: its types, in order.
    """
    if not JIT_ON:
        return lambda given: given
    kinds = NamedTuple(fields, record)

    def typed(typing_context: Untyped, address: Untyped) -> Untyped:
        from numba.core import cgutils, types

        from centrode.jit.compiling import to_numba

        whole = to_numba(kinds)

        def generate(context: Untyped, builder: Untyped, signature: Untyped, values: Untyped) -> Untyped:
            layout = context.get_value_type(whole)
            pointer = builder.inttoptr(values[0], layout.as_pointer())
            found = cgutils.get_null_value(layout)
            for i in range(len(whole.types)):
                field = builder.gep(pointer, [_word(0), _word(i)], inbounds=True)
                found = builder.insert_value(found, builder.load(field), i)
            return found

        return whole(types.int64), generate

    return Instruction("borrow", typed, lambda given: given)


def field_borrower(record: Untyped, fields: Untyped, name: str) -> Untyped:
    """As :func:`borrower`, for one field of the record: quicker to compile where no other is read."""
    if not JIT_ON:
        return lambda given: getattr(given, name)
    kinds, number = NamedTuple(fields, record), record._fields.index(name)

    def typed(typing_context: Untyped, address: Untyped) -> Untyped:
        from numba.core import types

        from centrode.jit.compiling import to_numba

        whole = to_numba(kinds)

        def generate(context: Untyped, builder: Untyped, signature: Untyped, values: Untyped) -> Untyped:
            pointer = builder.inttoptr(values[0], context.get_value_type(whole).as_pointer())
            return builder.load(builder.gep(pointer, [_word(0), _word(number)], inbounds=True))

        return whole.types[number](types.int64), generate

    return Instruction(f"borrow {name}", typed, lambda given: getattr(given, name))


def _word(number: int) -> Untyped:
    from llvmlite import ir

    return ir.Constant(ir.IntType(32), number)

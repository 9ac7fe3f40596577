"""Kernels by address: a kind reaches the compiled run loop as an integer, and the loop jumps there.

:func:`address_of` gives the entry point of a compiled kernel, :func:`call_by_address` builds the instruction that jumps
there. A call costs a few nanoseconds, needs no recompilation of the loop when a kind is added, and starts warm. With
the JIT off (``NUMBA_DISABLE_JIT=1``) the "address" is the Python function itself and the call is an ordinary call.
"""

from __future__ import annotations

from centrode.jit.instruction import Instruction
from centrode.jit.kernel import JIT_ON
from centrode.jit.untyped import Untyped


def address_of(compiled: Untyped) -> Untyped:
    """Entry point of a kernel with a fixed signature (the function itself when the JIT is off)."""
    return compiled.address if JIT_ON else compiled


_plain_kernels: list[Untyped] = [None]


def handle_of(compiled: Untyped) -> int:
    """A kernel as an integer that fits into a table; 0 for None, which kernels take as "there is none".

    With the JIT on it is the address, otherwise a number in a list; :func:`call_by_address` takes both. Valid in this
    process only: never save it.
    """
    if compiled is None:
        return 0
    if JIT_ON:
        return int(address_of(compiled))
    if compiled not in _plain_kernels:
        _plain_kernels.append(compiled)
    return _plain_kernels.index(compiled)


def call_by_address(signature: Untyped) -> Untyped:
    """Make the caller for kernels of one signature: ``caller(address, (arguments...))``, usable inside kernels."""
    if not JIT_ON:

        def call_plain(function: Untyped, arguments: tuple[Untyped, ...]) -> Untyped:
            if not callable(function):
                function = _plain_kernels[int(function)]
            return function(*arguments)

        return call_plain

    def typed(typing_context: Untyped, address: Untyped, arguments: Untyped) -> Untyped:
        from numba.core import errors, types

        from centrode.jit.compiling import to_numba

        wanted = to_numba(signature)
        argument_types, return_type = tuple(wanted.args), wanted.return_type
        given = tuple(types.unliteral(item) for item in arguments.types)
        if given != argument_types:
            raise errors.TypingError(f"call by address: expected {argument_types}, got {given}")

        def generate(context: Untyped, builder: Untyped, call_signature: Untyped, values: Untyped) -> Untyped:
            unpacked = [builder.extract_value(values[1], index) for index in range(len(argument_types))]
            function_type = context.call_conv.get_function_type(return_type, argument_types)
            pointer = builder.inttoptr(values[0], function_type.as_pointer())
            _, result = context.call_conv.call_function(builder, pointer, return_type, argument_types, unpacked)
            return context.get_dummy_value() if return_type == types.void else result

        return return_type(types.int64, arguments), generate

    # Arguments come as one tuple, so one instruction serves any number of them; it is free after optimisation.
    return Instruction("call", typed)

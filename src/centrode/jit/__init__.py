"""Compiled kernels: one decorator, one way to call a kernel by address, one cache that cannot go stale.

| file | holds |
|---|---|
| compiling.py | kernels as Numba compiles them: entered, or inlined into others |
| digest.py | what a kernel says and names, as one digest |
| cache.py | machine code on disk, by that digest |
| calls.py | kernels by address |
| lending.py | records of tables by address |
| instruction.py | instructions of our own |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from centrode.jit.cache import cache_root
from centrode.jit.calls import address_of, call_by_address, handle_of
from centrode.jit.compiling import JIT_ON, Kernel
from centrode.jit.instruction import Instruction
from centrode.jit.lending import Lent, borrower, field_borrower

__all__ = [
    "JIT_ON",
    "Instruction",
    "Kernel",
    "Lent",
    "address_of",
    "borrower",
    "cache_root",
    "call_by_address",
    "field_borrower",
    "handle_of",
    "kernel",
    "plain",
    "step_kernel",
]

_SETTINGS: dict[str, Any] = {
    "nopython": True,
    "boundscheck": None,
    # contract: fused multiply-add only. Full fastmath would break NaN tests and compensated sums.
    "fastmath": {"contract"},
    "error_model": "numpy",
    "nogil": True,
    "forceinline": True,
}


def kernel(function: Callable[..., Any] | None = None, *, signature: Any = None, **options: Any) -> Any:
    """Compile a function for the run loop, kept on disk by the digest of all it names.

    Kernels do not allocate, do not raise and know no strings; they return status codes.

    Kernels that others call are always inlined, so that the first run on a machine has the bytes of the second.

    Args:
        function: the plain Python function.
        signature: fixed Numba signature, for kernels that are called by address. Compilation waits until
            :func:`address_of` asks for it, so importing a room compiles nothing.
        options: further options of Numba's compiler.
    """

    def decorate(plain: Callable[..., Any]) -> Any:
        if not JIT_ON:
            return plain
        return Kernel(plain, {**_SETTINGS, **options}, signature)

    return decorate(function) if function is not None else decorate


def step_kernel(function: Callable[..., Any] | None = None, *, signature: Any = None, **options: Any) -> Any:
    """A kernel of the run loop that borrows all its arrays: no reference counting, hence no allocation.

    Counting references to some forty tables costs twenty times the arithmetic of a small step (measured: 2.4 us
    against 0.15 us per step of a free body). Numba can leave the counting out for code that allocates nothing, but
    only through an option that is not public; where it is missing, the kernel is merely slower.
    """
    if _COUNTING_CAN_BE_LEFT_OUT:
        options.setdefault("_nrt", False)
    return kernel(function, signature=signature, **options)


def plain(compiled: Any) -> Any:
    """The Python function of a kernel, for kernels that return views and so cannot be called from outside."""
    return getattr(compiled, "py_func", compiled)


def _counting_can_be_left_out() -> bool:
    try:
        numba.njit(_nrt=False)(lambda array: array[0])
    except Exception:
        return False
    return True


_COUNTING_CAN_BE_LEFT_OUT = _counting_can_be_left_out()

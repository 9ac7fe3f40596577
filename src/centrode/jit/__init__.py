"""Compiled kernels: one decorator, one way to call a kernel by address, machine code that cannot go stale.

| file | holds |
|---|---|
| types.py | types of what kernels take and give, without the compiler |
| kernel.py | kernels: a function, its types, its machine code |
| pack.py | machine code that comes with the house |
| compiling.py | kernels as Numba compiles them: entered, or inlined into others |
| digest.py | what a kernel says and names, as one digest |
| cache.py, place.py | machine code of this machine on disk, by that digest |
| processor.py | which processors code is made for |
| calls.py | kernels by address |
| lending.py | records of tables by address |
| instruction.py | instructions of our own |

Importing this room does not import Numba: that happens when a kernel is needed that the pack does not have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from centrode.compilations import on_compile
from centrode.jit.calls import address_of, call_by_address, handle_of
from centrode.jit.instruction import Instruction
from centrode.jit.kernel import JIT_ON, Kernel, refuse_raising
from centrode.jit.lending import Lent, borrower, field_borrower
from centrode.jit.place import cache_root

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
    "on_compile",
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
        signature: fixed types (:mod:`centrode.jit.types`), for kernels that are called by address or from Python.
            Machine code is looked for at the first call, so importing a room compiles nothing.
        options: further options of Numba's compiler.
    """

    def decorate(plain: Any) -> Any:
        refuse_raising(plain)
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
    options.setdefault("_nrt", False)
    return kernel(function, signature=signature, **options)


def plain(compiled: Any) -> Any:
    """The Python function of a kernel, for kernels that return views and so cannot be called from outside."""
    return compiled.py_func if isinstance(compiled, Kernel) else compiled

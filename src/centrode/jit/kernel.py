"""Kernels as the house sees them: a Python function, its types, and machine code that is found when it is first needed.

Machine code is looked for in this order:

1. the pack, a library that comes with Centrode (:mod:`centrode.jit.pack`), where it holds this very function;
2. Numba, imported only now: its files of an earlier process, or a compilation (:mod:`centrode.jit.compiling`).

A kernel with a signature has one compiled version. It is called with these types from Python (whole numbers are taken
for floats, as Python does) and by address from other kernels. One without is taken in by the kernels that call it;
called from Python, which only checks of parts do, it is compiled for whatever it is given. Where there is no Numba it
runs as Python there, and a kernel with a signature that is not packed cannot run: that is said.
"""

from __future__ import annotations

import functools
import importlib.util
import opcode
import os
import types
import weakref
from collections.abc import Callable
from typing import ClassVar

from centrode.errors import InputError
from centrode.jit.types import Signature
from centrode.jit.untyped import Untyped

_RAISE = opcode.opmap["RAISE_VARARGS"]
JIT_ON: bool = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


@functools.cache
def compiler_is_installed() -> bool:
    """Whether there is a Numba to compile with."""
    return importlib.util.find_spec("numba") is not None


def refuse_raising(function: types.FunctionType) -> None:
    """Refuse a kernel that raises: called by address there is nobody to catch it, and it would be as if it did nothing.

    Raises:
        InputError: at the first line that raises or asserts.
    """
    if _RAISE not in function.__code__.co_code[::2]:
        return
    import dis

    at = next(item.positions for item in dis.get_instructions(function) if item.opcode == _RAISE)
    raise InputError(
        f"the kernel '{function.__name__}' raises or asserts, which nobody would hear of in a run",
        file=function.__code__.co_filename,
        line=(at and at.lineno) or 0,
        expected="a kernel that always returns; a run stops at numbers that are not finite (math.nan)",
    )


class Kernel:
    """A function of the run loop.

    Args:
        function: the plain Python function.
        settings: of the compiler.
        signature: fixed types (:mod:`centrode.jit.types`, or Numba's own), for kernels that are called by address or
            from Python.

    Attributes:
        declared: all kernels with a signature, of the modules that are imported.
    """

    declared: ClassVar[weakref.WeakSet[Kernel]] = weakref.WeakSet()

    def __init__(self, function: types.FunctionType, settings: dict[str, Untyped], signature: Untyped = None) -> None:
        # What functools.update_wrapper does, for a thousand kernels of which a run calls thirty.
        self.__name__, self.__qualname__, self.__doc__ = function.__name__, function.__qualname__, function.__doc__
        self.__module__, self.__wrapped__ = function.__module__, function
        self.py_func = function
        self.targetoptions = settings  # by this name Numba looks for it
        self.fixed_signature = signature
        self._entry: Callable[..., Untyped] | None = None
        if isinstance(signature, Signature):
            self.declared.add(self)

    @functools.cached_property
    def compiled(self) -> Untyped:
        """Numba's object for this kernel; imports Numba.

        Raises:
            InputError: it has to be compiled, and there is no Numba that works.
        """
        if not compiler_is_installed():
            raise InputError(f"Numba is missing (pip install 'centrode[compile]'): {self._why_compiled()}")
        try:
            from centrode.jit.compiling import CompiledKernel
        except ImportError as error:  # most often of another NumPy than it can use
            raise InputError(
                f"Numba cannot be imported (pip install 'centrode[compile]' installs what fits together): {error}"
            ) from error

        return CompiledKernel(self.py_func, self.targetoptions, self.fixed_signature)

    def _why_compiled(self) -> str:
        """Why this kernel has to be compiled, for people."""
        from centrode.jit.pack import refusal

        if self.py_func.__module__.startswith("centrode.") and refusal():
            return f"the compiled kernels that come with Centrode cannot be used here, {refusal()}"
        return f"'{self.py_func.__module__}.{self.py_func.__qualname__}' does not come compiled"

    @property
    def _numba_type_(self) -> Untyped:
        """What Numba takes this for when a kernel that it compiles names it: the version that is inlined."""
        return self.compiled._numba_type_

    @functools.cached_property
    def address(self) -> int:
        """Where the machine code of a kernel with a signature begins."""
        from centrode.jit.pack import packed_address

        return packed_address(self) or self.compiled.address()

    def __call__(self, *arguments: Untyped) -> Untyped:
        """Run the machine code."""
        if self._entry is None:
            from centrode.jit.pack import packed_entry

            self._entry = packed_entry(self) or self._entry_here()
        return self._entry(*arguments)

    def _entry_here(self) -> Callable[..., Untyped]:
        """What to call for a kernel that is not packed: compiled, or Python for one that others would inline."""
        if not isinstance(self.fixed_signature, Signature) and not compiler_is_installed():
            return self.py_func
        entry: Callable[..., Untyped] = self.compiled.entry()
        return entry

    def __repr__(self) -> str:
        return f"<kernel {self.py_func.__module__}.{self.py_func.__qualname__}>"

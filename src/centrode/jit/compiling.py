"""Kernels as Numba compiles them: whole where they are entered, as code to inline where other kernels call them.

A :class:`Kernel` is entered from Python or by address. Where another kernel calls it, Numba is given its second self
(:class:`InlinedKernel`), which is optimised and handed to the caller's code, and nothing else: no wrapper for Python,
no wrapper for C, no machine code of its own, no file. Most kernels are only ever called by others.

Code that is inlined is compiled once for callers that count references and once for those that do not, so that it does
not depend on which of them comes first.

This is the only place, beside the cache, that touches parts of Numba that are not public: the library of a compilation,
its pipeline and its flags. ``tests/unit/test_jit_cache.py`` fails loudly where a new Numba moves them.
"""

from __future__ import annotations

import contextlib
import functools
import types

import numba
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack

from centrode.jit.cache import KernelCache
from centrode.jit.digest import NoDigest, digest_of
from centrode.jit.untyped import Untyped

JIT_ON: bool = not numba.config.DISABLE_JIT


class _CodeToInline(JITCodeLibrary):  # type: ignore[misc]
    """Optimised code that only other code takes in: the machine never sees it by itself."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0


class _CompilerToInline(Compiler):  # type: ignore[misc]
    """Numba's passes, ending in code to inline."""

    def __init__(self, typing: Untyped, target: Untyped, library: Untyped, *rest: Untyped) -> None:
        super().__init__(typing, target, library or _CodeToInline(target.codegen(), "inlined"), *rest)
        # The context is made for this compilation alone.
        self.state.targetctx.get_executable = _entry_of_nothing


def _entry_of_nothing(library: Untyped, description: Untyped, environment: Untyped) -> Untyped:
    """What Numba keeps as the entry of compiled code; nobody enters this one, so its address is zero."""
    return _dynfunc.make_function(description.lookup_module(), description.qualname, "", 0, environment, (library,))


class InlinedKernel(CPUDispatcher):  # type: ignore[misc]
    """A kernel as its callers take it in."""

    def __init__(self, function: Untyped, settings: dict[str, Untyped]) -> None:
        settings = {**settings, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=settings, pipeline_class=_CompilerToInline)


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function of the run loop.

    Args:
        function: the plain Python function.
        settings: of the compiler.
        signature: fixed Numba signature, for kernels that are called by address.
    """

    def __init__(self, function: Untyped, settings: dict[str, Untyped], signature: Untyped = None) -> None:
        super().__init__(function, targetoptions=settings)
        self.fixed_signature = signature
        self._inlined: dict[bool, InlinedKernel] = {}
        self._kept = False

    @property
    def _numba_type_(self) -> Untyped:
        """What Numba takes this for when a kernel that it compiles names it: the version that is inlined."""
        flags = ConfigStack.top_or_none()
        return self.inlined(flags is None or bool(flags.nrt))._type

    @functools.cached_property
    def digest(self) -> str:
        """Digest of this function, of all it names and of its settings."""
        return digest_of(self.py_func, self.targetoptions)

    def inlined(self, counting: bool) -> InlinedKernel:
        """The version that callers take in, for those that count references and for those that do not."""
        counting = self.targetoptions.get("_nrt", counting)
        if counting not in self._inlined:
            self._inlined[counting] = InlinedKernel(self.py_func, {**self.targetoptions, "_nrt": counting})
        return self._inlined[counting]

    def compile(self, sig: Untyped) -> Untyped:
        """Compile for these types, or find what an earlier process has compiled."""
        if not self._kept:
            self._kept = True
            with contextlib.suppress(NoDigest):  # then it is compiled anew in each process
                self._cache = KernelCache(f"{self.py_func.__module__}.{self.py_func.__qualname__}", self.digest)
                self._compiler.py_func = _renamed(self.py_func, f"{self.py_func.__qualname__}.{self.digest}")
        return Dispatcher.compile(self, sig)


def _renamed(function: types.FunctionType, name: str) -> types.FunctionType:
    """The same function under a name that says what is in it.

    Numba names machine code by the function and a number counted in each process. Two versions of one function (sizes
    in a closure) that two processes compiled first would have one name, and a third process that loads both would find
    the one under the address of the other.
    """
    twin = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__qualname__, twin.__module__ = name, function.__module__
    twin.__kwdefaults__ = function.__kwdefaults__
    return twin

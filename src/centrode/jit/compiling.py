"""Kernels as Numba compiles them: whole where they are entered, as code to inline where other kernels call them.

A :class:`CompiledKernel` is entered from Python or by address. Where another kernel calls it, Numba is given its second
self (:class:`InlinedKernel`), which is optimised and handed to the caller's code, and nothing else: no wrapper for
Python, no wrapper for C, no machine code of its own, no file. Most kernels are only ever called by others.

Code that is inlined is compiled once for callers that count references and once for those that do not, so that it does
not depend on which of them comes first.

Code is compiled for the processors that the pack is made for where this machine is one of them, so that a kernel gives
the same digits whether it was found or compiled here.

This is the only place, beside the cache and the builder of the pack, that touches parts of Numba that are not public:
the library of a compilation, its pipeline and its flags. ``tests/unit/test_jit_cache.py`` fails loudly where a new
Numba moves them.
"""

from __future__ import annotations

import contextlib
import functools
import types
from typing import TYPE_CHECKING

from centrode.jit.processor import aim_numba

aim_numba()

import numba  # noqa: E402
from numba import _dynfunc  # noqa: E402
from numba.core import types as numba_types  # noqa: E402
from numba.core.codegen import JITCodeLibrary  # noqa: E402
from numba.core.compiler import Compiler  # noqa: E402
from numba.core.dispatcher import Dispatcher  # noqa: E402
from numba.core.registry import CPUDispatcher  # noqa: E402
from numba.core.targetconfig import ConfigStack  # noqa: E402

from centrode.errors import InputError  # noqa: E402
from centrode.jit import types as kinds  # noqa: E402
from centrode.jit.cache import KernelCache  # noqa: E402
from centrode.jit.digest import NoDigest, code_digest  # noqa: E402
from centrode.jit.kernel import Kernel  # noqa: E402
from centrode.jit.pack import packed_address  # noqa: E402

if TYPE_CHECKING:
    from centrode.jit.untyped import Untyped

_NUMBERS = {
    kinds.float64: numba_types.float64,
    kinds.int64: numba_types.int64,
    kinds.boolean: numba_types.boolean,
    kinds.complex128: numba_types.complex128,
    kinds.void: numba_types.void,
}


def to_numba(kind: Untyped) -> Untyped:
    """The type or signature as Numba has it; one of Numba's own is given back."""
    if isinstance(kind, kinds.Signature):
        return to_numba(kind.return_type)(*(to_numba(item) for item in kind.args))
    if isinstance(kind, kinds.Number):
        return _NUMBERS[kind]
    if isinstance(kind, kinds.Member):
        return numba_types.IntEnumMember(kind.of, numba_types.int64)
    if isinstance(kind, kinds.Array):
        return numba_types.Array(to_numba(kind.item), kind.dimensions, "C")
    if isinstance(kind, kinds.Record):
        return numba.from_dtype(kind.dtype)
    if isinstance(kind, kinds.Tuple):
        items = tuple(to_numba(item) for item in kind.items)
        if kind.named is None:
            return numba_types.Tuple(items)
        if len(set(items)) == 1:  # what Numba takes such a tuple for when it is given one
            return numba_types.NamedUniTuple(items[0], len(items), kind.named)
        return numba_types.NamedTuple(items, kind.named)
    return kind


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


class CompiledKernel(CPUDispatcher):  # type: ignore[misc]
    """Numba's side of a kernel.

    Args:
        function: the plain Python function.
        settings: of the compiler.
        signature: fixed types; None to compile for whatever it is called with.
    """

    def __init__(self, function: Untyped, settings: dict[str, Untyped], signature: Untyped = None) -> None:
        super().__init__(function, targetoptions=_possible(settings))
        self._declared = isinstance(signature, kinds.Signature)
        self._signature: Untyped = None if signature is None else to_numba(signature)
        self._inlined: dict[bool, InlinedKernel] = {}
        self._kept = False

    @property
    def _numba_type_(self) -> Untyped:
        """What Numba takes this for when a kernel that it compiles names it: the version that is inlined."""
        flags = ConfigStack.top_or_none()
        return self.inlined(flags is None or bool(flags.nrt))._type

    def inlined(self, counting: bool) -> InlinedKernel:
        """The version that callers take in, for those that count references and for those that do not."""
        counting = self.targetoptions.get("_nrt", counting)
        if counting not in self._inlined:
            self._inlined[counting] = InlinedKernel(self.py_func, {**self.targetoptions, "_nrt": counting})
        return self._inlined[counting]

    def compile(self, sig: Untyped) -> Untyped:
        """Compile for these types, or find what an earlier process has compiled."""
        self._keep()
        return Dispatcher.compile(self, sig)

    def _keep(self) -> None:
        """Have compiled versions kept on disk."""
        if not self._kept:
            self._kept = True
            with contextlib.suppress(NoDigest):  # then it is compiled anew in each process
                digest = code_digest(self.py_func, self.targetoptions)
                name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
                self._cache = KernelCache(name, digest, kernels_left)
                self._compiler.py_func = _renamed(self.py_func, f"{self.py_func.__qualname__}.{digest}")

    def is_ready(self) -> bool:
        """Whether a kernel with a signature is compiled, here or by an earlier process."""
        arguments = tuple(self._signature.args)
        if arguments in self.overloads:
            return True
        self._keep()
        return isinstance(self._cache, KernelCache) and self._cache.holds(arguments, self.targetctx.codegen())

    def compiled_anew(self) -> Untyped:
        """The version of a kernel with a signature with all its code, which files of earlier processes have not.

        A twin compiles it: this one may hold what a file had, and a count of the kernels that are left gives it files.
        """
        twin = CompiledKernel(self.py_func, self.targetoptions)
        twin._declared, twin._signature, twin._kept = self._declared, self._signature, True
        return twin.whole()

    def whole(self) -> Untyped:
        """The compiled version of a kernel with a signature.

        Raises:
            InputError: it gives something else than the signature says; callers would read what is not there.
        """
        arguments = tuple(self._signature.args)
        if arguments not in self.overloads:
            self.compile(arguments)
        result, wanted = self.overloads[arguments], self._signature.return_type
        given = numba_types.unliteral(result.signature.return_type)
        if self._declared and given != wanted:
            where = self.py_func.__code__
            raise InputError(
                f"the kernel '{self.py_func.__name__}' returns {_words(given)}",
                file=where.co_filename,
                line=where.co_firstlineno,
                expected=_words(wanted),
            )
        return result

    def address(self) -> int:
        """Where the machine code of a kernel with a signature begins."""
        result = self.whole()
        return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))

    def entry(self) -> Untyped:
        """What to call from Python: this, with the one version of a kernel with a signature ready.

        A signature in words of Numba's own is one of many that a call may have.
        """
        if self._declared:
            self.whole()
            self.disable_compile()
        return self


def _words(kind: Untyped) -> str:
    """What a type is, for people."""
    if isinstance(kind, numba_types.BaseTuple):
        return f"{len(kind)} values" + ("" if all(item == numba_types.float64 for item in kind) else f" {kind}")
    return {numba_types.none: "nothing", numba_types.void: "nothing", numba_types.float64: "a number"}.get(
        kind, str(kind)
    )


def kernels_left() -> int:
    """How many kernels with a signature, of all modules that are imported, have no machine code yet."""
    return sum(not (packed_address(kernel) or kernel.compiled.is_ready()) for kernel in list(Kernel.declared))


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


def _possible(settings: dict[str, Untyped]) -> dict[str, Untyped]:
    """Settings that this Numba knows: the one that leaves out counting is not public."""
    if _counting_can_be_left_out():
        return settings
    return {name: value for name, value in settings.items() if name != "_nrt"}


@functools.cache
def _counting_can_be_left_out() -> bool:
    try:
        numba.njit(_nrt=False)(lambda array: array[0])
    except Exception:
        return False
    return True

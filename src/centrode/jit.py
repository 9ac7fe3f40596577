"""Compiled kernels: one decorator, one way to call a kernel by address, one cache that cannot go stale.

Why this room exists
--------------------
Numba's file cache looks at the time stamp of the file that holds a function, not at the files of the helpers it
calls, so an edited helper leaves old machine code in use. Here every kernel file gets a cache folder named after
a digest of *its own source and of every file it imports, directly or through others*. Editing a helper changes
the folder of exactly the kernels that depend on it and of nothing else.

Kinds of parts (a joint, a force, ...) reach the compiled run loop by address: :func:`address_of` gives the entry
point of a compiled kernel as an integer, :func:`call_by_address` builds the instruction that jumps there. A call
costs a few nanoseconds, needs no recompilation of the loop when a kind is added, and starts warm. With the JIT
off (``NUMBA_DISABLE_JIT=1``) the "address" is the Python function itself and the call is an ordinary call.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

JIT_ON: bool = not numba.config.DISABLE_JIT

# contract: fused multiply-add only. Full fastmath would break NaN tests and compensated sums.
_FASTMATH = {"contract"}

_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+([^#\n]+|\([^)]*\))|import\s+([\w., ]+))", re.MULTILINE)
_ROOM = Path(__file__).parent
_closures: dict[str, frozenset[Path]] = {}
_digests: dict[Path, str] = {}


def cache_root() -> Path:
    """Folder that holds all compiled kernels (``CENTRODE_CACHE_DIR`` moves it)."""
    given = os.environ.get("CENTRODE_CACHE_DIR")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "centrode" / "kernels"


def _source_file(module: str) -> Path | None:
    """Source of a module that belongs to Centrode or lies beside a plugin; None for third-party modules."""
    loaded = sys.modules.get(module)
    origin = getattr(loaded, "__file__", None)
    if origin is None:
        try:
            spec = importlib.util.find_spec(module)
        except (ImportError, ValueError, AttributeError):
            return None
        origin = spec.origin if spec else None
    if not origin or not origin.endswith(".py") or "site-packages" in origin and "centrode" not in origin:
        return None
    path = Path(origin)
    return path if path.exists() else None


def _imports(source: str) -> set[str]:
    names: set[str] = set()
    for base, items, plain in _IMPORT.findall(source):
        if base := base.lstrip("."):  # a plugin may say `from .helper import`; the house itself imports absolutely
            names.add(base)
            for item in re.split(r"[,\s()]+", items):
                if item and item != "as":
                    names.add(f"{base}.{item}")
        for item in plain.split(","):
            if item.strip():
                names.add(item.split()[0])
    return names


def _through_the_front_door(source: str, names: set[str]) -> set[str]:
    """Modules behind the public names that a plugin uses: ``ct.borrow`` after ``import centrode as ct``."""
    from centrode import _homes

    homes = _homes()
    alias = re.search(r"^\s*import\s+centrode(?:\s+as\s+(\w+))?\s*(?:#.*)?$", source, re.MULTILINE)
    used = set(re.findall(rf"\b{alias[1] or 'centrode'}\.(\w+)", source)) if alias else set()
    used |= {name.removeprefix("centrode.") for name in names if name.startswith("centrode.")}
    # A public name may itself be a module (``ct.markers``); one that is none leads nowhere.
    return {path for name in used & homes.keys() for path in (homes[name], f"{homes[name]}.{name}")}


def _closure(path: Path) -> frozenset[Path]:
    """The file and all project files it imports, transitively (memoised)."""
    key = str(path)
    if key not in _closures:
        found: set[Path] = set()
        todo = [path]
        while todo:
            current = todo.pop()
            if current in found:
                continue
            found.add(current)
            text = current.read_text(encoding="utf-8")
            names = _imports(text)
            if _ROOM not in current.parents:  # the house itself imports from where things are
                names |= _through_the_front_door(text, names)
            for name in names:
                beside = current.parent / (name.replace(".", "/") + ".py")
                # Ours, of the same package as a plugin's file, or lying beside it; never the standard library.
                if name.partition(".")[0] in ("centrode", *current.parts) or beside.exists():
                    source = beside if beside.exists() else _source_file(name)
                    if source is not None:
                        todo.append(source)
        _closures[key] = frozenset(found)
    return _closures[key]


def source_digest(path: Path) -> str:
    """Digest of a kernel file together with everything it imports from the project."""
    if path not in _digests:
        digest = hashlib.sha256(f"numba {numba.__version__} python {sys.version_info[:3]}".encode())
        for file in sorted(_closure(path), key=str):  # a total order: two files may share a name
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
        _digests[path] = digest.hexdigest()[:16]
    return _digests[path]


def kernel(function: Callable[..., Any] | None = None, *, signature: Any = None, **options: Any) -> Any:
    """Compile a function for the run loop, cached by the digest of its sources.

    Kernels do not allocate, do not raise and know no strings; they return status codes.

    Kernels that others call are always inlined. Otherwise a process that has just compiled a helper would call the
    helper's own copy and a process that loads its caller from the cache the copy inside the caller; the two round
    differently, and the first run on a machine would not have the bytes of the second.

    Args:
        function: the plain Python function.
        signature: fixed Numba signature, for kernels that are called by address. Compilation waits until
            :func:`address_of` asks for it, so importing a room compiles nothing.
        options: further options for ``numba.njit``.
    """

    def decorate(plain: Callable[..., Any]) -> Any:
        settings: dict[str, Any] = {
            "cache": True,
            "fastmath": _FASTMATH,
            "error_model": "numpy",
            "nogil": True,
            "forceinline": True,
        }
        settings.update(options)
        if not JIT_ON:
            return plain
        path = Path(plain.__code__.co_filename)
        if path.exists():
            # Numba reads CACHE_DIR when it meets cache=True, that is here, once per function.
            # What it stores names the function's module: a plugin has another name when a script imports its file.
            numba.config.CACHE_DIR = str(cache_root() / plain.__module__ / source_digest(path))
        else:
            settings["cache"] = False
        compiled = numba.njit(**settings)(plain)
        if signature is not None:
            compiled.fixed_signature = signature
        return compiled

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


def address_of(compiled: Any, examples: tuple[Any, ...] | None = None) -> Any:
    """Entry point of a kernel (the function itself when the JIT is off).

    Args:
        compiled: kernel with a fixed signature, or any kernel when ``examples`` are given.
        examples: arguments of the types that the kernel will be called with.
    """
    if not JIT_ON:
        return compiled
    if examples is None:
        arguments = tuple(compiled.fixed_signature.args)
    else:
        arguments = tuple(numba.typeof(item) for item in examples)
    if arguments not in compiled.overloads:
        compiled.compile(arguments)
    result = compiled.overloads[arguments]
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


_plain_kernels: list[Any] = [None]


def handle_of(compiled: Any) -> int:
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


def call_by_address(signature: Any) -> Any:
    """Make the caller for kernels of one signature: ``caller(address, (arguments...))``, usable inside kernels."""
    if not JIT_ON:

        def call_plain(function: Any, arguments: tuple[Any, ...]) -> Any:
            if not callable(function):
                function = _plain_kernels[int(function)]
            return function(*arguments)

        return call_plain

    argument_types = tuple(signature.args)
    return_type = signature.return_type

    def typed(typing_context: Any, address: Any, arguments: Any) -> Any:
        given = tuple(types.unliteral(item) for item in arguments.types)
        if given != argument_types:
            raise numba.core.errors.TypingError(f"call by address: expected {argument_types}, got {given}")

        def generate(context: Any, builder: Any, call_signature: Any, values: Any) -> Any:
            unpacked = [builder.extract_value(values[1], index) for index in range(len(argument_types))]
            function_type = context.call_conv.get_function_type(return_type, argument_types)
            pointer = builder.inttoptr(values[0], function_type.as_pointer())
            _, result = context.call_conv.call_function(builder, pointer, return_type, argument_types, unpacked)
            return context.get_dummy_value() if return_type == types.void else result

        return return_type(types.int64, arguments), generate

    # Arguments come as one tuple, so one intrinsic serves any number of them; it is free after optimisation.
    return intrinsic(typed)


# -- lending a record of tables ----------------------------------------------------------------------------------------
#
# A record of fifty arrays, passed by value, costs four hundred words at every call. It is written once into a block of
# memory instead and passed as the address of that block; a kernel borrows it, and loads only what it reads. Numba keeps
# an array as words: two for reference counting (left zero: nobody counts), number and size of the elements, address of
# the data, shape and strides.


class Lent:
    """A record of arrays and numbers as kernels borrow it; keeps what it lends alive.

    Args:
        record: named tuple of arrays (C order), integers and floats.
    """

    def __init__(self, record: Any) -> None:
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
    def address(self) -> Any:
        """What kernels take: an integer, or the record itself with the JIT off."""
        return int(self._block.ctypes.data) if JIT_ON else self.record


def borrower(record: type, fields: Any) -> Any:
    """Make the function that turns the address of a lent record into the record, usable inside kernels.

    Args:
        record: the named tuple.
        fields: its Numba types, in order.
    """
    if not JIT_ON:
        return lambda given: given
    whole = types.NamedTuple(tuple(fields), record)

    def typed(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            layout = context.get_value_type(whole)
            pointer = builder.inttoptr(values[0], layout.as_pointer())
            found = cgutils.get_null_value(layout)
            for i in range(len(whole.types)):
                field = builder.gep(pointer, [_word(0), _word(i)], inbounds=True)
                found = builder.insert_value(found, builder.load(field), i)
            return found

        return whole(types.int64), generate

    return intrinsic(typed)


def field_borrower(record: Any, fields: Any, name: str) -> Any:
    """As :func:`borrower`, for one field of the record: quicker to compile where no other is read."""
    if not JIT_ON:
        return lambda given: getattr(given, name)
    whole, number = types.NamedTuple(tuple(fields), record), record._fields.index(name)

    def typed(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pointer = builder.inttoptr(values[0], context.get_value_type(whole).as_pointer())
            return builder.load(builder.gep(pointer, [_word(0), _word(number)], inbounds=True))

        return whole.types[number](types.int64), generate

    return intrinsic(typed)


def _word(number: int) -> ir.Constant:
    return ir.Constant(ir.IntType(32), number)

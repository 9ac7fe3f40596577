"""Digests of a compiled function: what it says and all that it names, so that stale machine code cannot be found.

Numba compiles the byte code of a function, with the global names and the closure as they are at that moment. A digest
is taken of exactly these: what the function says, and every name that it looks up, through kernels, plain functions and
modules of the project, as deep as they go. So a new neighbour in the file or an edit of a file that this function does
not use changes nothing; an edited helper does, wherever it stands.

What a function says is read in two ways:

- :func:`code_digest` reads its byte code. It names what this process compiles and keeps: a file that has changed since
  it was imported cannot lend its new name to the old code.
- :func:`text_digest` reads its text. It is the same for every version of Python and tells whether a function is the one
  that was packed (:mod:`centrode.jit.pack`).

What is met and cannot be told apart by its content (an open file, a lock) raises :class:`NoDigest`; such a function is
compiled anew in each process.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import linecache
import operator
import types
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from centrode.jit.instruction import Instruction
from centrode.jit.kernel import Kernel
from centrode.jit.types import Kind, Signature, dtype_text, type_text
from centrode.jit.untyped import Untyped

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...))


class NoDigest(TypeError):
    """A value that has no content a digest could be taken of."""


def code_digest(function: types.FunctionType, settings: dict[str, object]) -> str:
    """Digest of a plain function by its byte code, of all it names, and of the settings it is compiled with.

    All functions that it reaches count, each once and in no particular order, so that functions that call each other
    have a digest too.
    """
    return _digest(function, settings, _said_in_code)


def text_digest(function: types.FunctionType, settings: dict[str, object]) -> str:
    """The same by the text of the functions."""
    return _digest(function, settings, _said_in_text)


def _digest(function: types.FunctionType, settings: dict[str, object], said: Said) -> str:
    first = said(function)
    found = {function: first}
    todo = [function]
    while todo:
        for other in found[todo.pop()].functions:
            if other not in found:
                found[other] = said(other)
                todo.append(other)
    return _short(_option_text(settings), first.text, *sorted(item.text for item in found.values()))


class _Saying(NamedTuple):
    """What one function says by itself, and the functions that it names."""

    text: str
    functions: tuple[types.FunctionType, ...]


Said = Callable[[types.FunctionType], _Saying]


@functools.cache
def _said_in_code(function: types.FunctionType) -> _Saying:
    reader = _Reader(function.__code__)
    return reader.saying(function, _code_text(function.__code__, reader))


@functools.cache
def _said_in_text(function: types.FunctionType) -> _Saying:
    return _Reader(function.__code__).saying(function, _source_text(function.__code__))


def _source_text(code: types.CodeType) -> str:
    """Lines of a function without blank ones and those that are comments alone.

    They end where the code ends, and not before the next line that stands as far left as the function.
    """
    lines, first, last = linecache.getlines(code.co_filename), code.co_firstlineno - 1, _last_line(code) - 1
    if len(lines) <= last:
        raise NoDigest(f"no text of {code.co_name}")
    margin, inside, found = len(lines[first]) - len(lines[first].lstrip()), False, []
    for number in range(first, len(lines)):
        line = lines[number].rstrip()
        text = line.lstrip()
        if not text or text[0] == "#":
            continue
        left = len(line) - len(text) <= margin
        if inside and left and number > last and text[0] not in ")]}":
            break
        inside = inside or not left
        found.append(line)
    return "\n".join(found)


def _last_line(code: types.CodeType) -> int:
    """The last line that an instruction stands on; brackets that close behind it stand as far left as the function."""
    last = max(filter(None, map(_LINE_OF, code.co_lines())))
    return max([last, *(_last_line(item) for item in code.co_consts if isinstance(item, types.CodeType))])


_LINE_OF = operator.itemgetter(2)


def _option_text(options: dict[str, object]) -> str:
    return repr([(name, sorted(item) if isinstance(item, set) else item) for name, item in sorted(options.items())])


@functools.cache
def _kernel_options(kernel: Kernel) -> str:
    return _option_text(kernel.targetoptions)


def _short(*texts: str) -> str:
    return hashlib.blake2b("\n".join(texts).encode(), digest_size=16).hexdigest()


def _code_text(code: types.CodeType, reader: _Reader) -> str:
    constants = [
        _code_text(item, reader) if isinstance(item, types.CodeType) else reader.text(item) for item in code.co_consts
    ]
    shape = (code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_names, code.co_varnames, code.co_freevars)
    return _short(code.co_code.hex(), repr(shape), *constants)


def _looked_up(code: types.CodeType) -> Iterator[tuple[str, bool]]:
    """Names that a function looks up, and whether among its globals; those of functions inside it too."""
    operations, low = code.co_code[::2], code.co_code[1::2]
    for operation, shift in _GLOBAL.items():
        at = operations.find(operation)
        while at >= 0:
            number, before, place = low[at], at - 1, 8
            while before >= 0 and operations[before] == dis.EXTENDED_ARG:
                number |= low[before] << place
                before, place = before - 1, place + 8
            yield code.co_names[number >> shift], True
            at = operations.find(operation, at + 1)
    for name in code.co_names:
        yield name, False
    for item in code.co_consts:
        if isinstance(item, types.CodeType):
            yield from _looked_up(item)


_GLOBAL = {dis.opmap["LOAD_GLOBAL"]: 1, dis.opmap["LOAD_NAME"]: 0}
"""Operations, and how many of the last bits of their number say something else."""


class _Reader:
    """Turns what a function names into text, and puts functions aside."""

    def __init__(self, code: types.CodeType) -> None:
        names = set(_looked_up(code))
        self.globals = sorted(name for name, is_global in names if is_global)
        self.names = sorted(name for name, _ in names)
        self.functions: list[types.FunctionType] = []

    def saying(self, function: types.FunctionType, said: str) -> _Saying:
        """What a function says, with the values of the names in it."""
        values = {name: function.__globals__[name] for name in self.globals if name in function.__globals__}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            values[f"{name} around"] = cell.cell_contents
        texts = [f"{name} = {self.text(item)}" for name, item in sorted(values.items())]
        defaults = self.text((function.__defaults__, function.__kwdefaults__))
        return _Saying(_short(said, *texts, defaults), tuple(self.functions))

    def text(self, value: object) -> str:
        """Content of a value."""
        if type(value) is Kernel:  # most of what kernels name
            return self._function(value)
        if isinstance(value, enum.Enum):
            return f"{type(value).__qualname__}.{value.name} {value.value!r}"
        if isinstance(value, _PLAIN):
            return repr(value)
        if isinstance(value, (tuple, list)):
            return f"[{', '.join(self.text(item) for item in value)}]"
        if isinstance(value, (set, frozenset)):
            return repr(sorted(self.text(item) for item in value))
        if isinstance(value, dict):
            return repr(sorted((self.text(key), self.text(item)) for key, item in value.items()))
        if isinstance(value, np.dtype):
            return dtype_text(value)
        if isinstance(value, (np.ndarray, np.generic)):
            return f"{dtype_text(value.dtype)} {value.shape} {hashlib.blake2b(value.tobytes()).hexdigest()}"
        if isinstance(value, types.ModuleType):
            return self._things(value) if not _is_foreign(value.__name__) else value.__name__
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, (Kind, Signature)):
            return type_text(value)
        return self._function(value)

    def _function(self, value: Untyped) -> str:
        options: dict[str, object] = {}
        if isinstance(value, Kernel):
            self.functions.append(value.py_func)
            return f"{value.py_func.__qualname__} {_kernel_options(value)}"
        if _is_dispatcher(value):
            value, options = value.py_func, value.targetoptions
        elif isinstance(value, Instruction):
            value = value.code_generator
        if isinstance(value, types.FunctionType):
            self.functions.append(value)
            return f"{value.__qualname__} {_option_text(options)}"
        if type(value).__module__.startswith("numba."):
            return _numba_text(value)
        if isinstance(value, types.BuiltinFunctionType) or _is_foreign(type(value).__module__):
            return repr(value)  # numpy.sqrt: its version says the rest
        raise NoDigest(f"{type(value).__module__}.{type(value).__qualname__}")

    def _things(self, owner: types.ModuleType | type) -> str:
        """A module or class through which a function reaches others: those of its things that the function names."""
        found = [name for name in self.names if name in vars(owner)]
        return f"{owner.__name__}: " + "; ".join(f"{name} = {self.text(vars(owner)[name])}" for name in found)

    def _class(self, kind: type) -> str:
        if _is_foreign(kind.__module__):
            return kind.__qualname__
        if issubclass(kind, enum.Enum):
            return f"{kind.__qualname__} {[(member.name, member.value) for member in kind]}"
        if issubclass(kind, tuple) and "_fields" in vars(kind):  # a named tuple
            return f"{kind.__qualname__} {vars(kind)['_fields']}"
        return self._things(kind)


def _numba_text(value: Untyped) -> str:
    """A thing of Numba's; of named tuples it says the types alone, and not which field has which."""
    import numba

    if isinstance(value, numba.types.NamedTuple):
        return f"{value} {value.fields} {[_numba_text(item) for item in value]}"
    if isinstance(value, numba.core.typing.Signature):
        return f"{_numba_text(value.return_type)} {[_numba_text(item) for item in value.args]}"
    return repr(value)


def _is_dispatcher(value: object) -> bool:
    """Whether this is a function that a plugin gave to Numba itself."""
    return type(value).__name__ == "CPUDispatcher" and type(value).__module__.startswith("numba.")


def _is_foreign(module: str) -> bool:
    return module.partition(".")[0] in ("numpy", "math", "cmath", "numba", "llvmlite", "builtins", "typing", "operator")

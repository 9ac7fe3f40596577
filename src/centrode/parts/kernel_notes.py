"""Kernels that a kind declares: which it has, with which signature, and what is said when one is not as it should be.

The base class of a family lists its kernels in ``kernel_notes``; the engine takes their addresses through
:func:`kernel_handle`, so that a kernel that is missing, not compiled, of another signature or of other arguments is
refused with its file and line. An address of nothing would end the process.
"""

from __future__ import annotations

import dataclasses
import re
import textwrap
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError
from centrode.jit import JIT_ON, handle_of, plain
from centrode.jit.plainly import plainly
from centrode.jit.untyped import Untyped
from centrode.parts.part import KernelNote, Part
from centrode.parts.registry import error_words

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_ARGUMENTS_OF_TYPE = re.compile(r"(of type \w+)\(.*")


def kernel_of(kind: type[object], attribute: str) -> Untyped:
    """A kernel that the family of a kind declares; None where the kind has none. An instance would bind it."""
    return getattr(kind, attribute, None)


def kernel_fault(kind: type[Any], note: KernelNote) -> Fault | None:
    """What is wrong with a kernel of a kind, before it is compiled; None when nothing is."""
    compiled = kernel_of(kind, note.attribute)
    decorated = f"a function under @step_kernel(signature={note.signature_name})"
    if compiled is None:
        return Fault(f"{kind.__name__} has no {note.attribute}", expected=decorated)
    code = getattr(plain(compiled), "__code__", None)
    if code is None:
        return Fault(f"{note.attribute} is no kernel", got=compiled, expected=decorated)
    place = {"file": code.co_filename, "line": code.co_firstlineno}
    if JIT_ON and getattr(compiled, "fixed_signature", None) != note.signature:
        return Fault(f"{note.attribute} is compiled without its signature", expected=decorated, **place)
    names = code.co_varnames[: code.co_argcount]
    if len(names) != len(note.signature.args):
        expected = f"{len(note.signature.args)} arguments, as {note.signature_name} says"
        return Fault(f"{note.attribute} takes ({', '.join(names)})", expected=expected, **place)
    return None


def kernel_handle(part: Any, attribute: str) -> int:
    """Handle of a kernel that the family of a part declares; 0 for one that a kind may leave out and does.

    Raises:
        InputError: the kernel is missing or cannot be compiled, with its file and line.
    """
    kind = type(part)
    note = next(item for item in kind.kernel_notes if item.attribute == attribute)
    compiled = kernel_of(kind, attribute)
    if compiled is None and not note.required:
        return 0
    fault = kernel_fault(kind, note)
    if fault is not None:
        raise InputError(dataclasses.replace(fault, path=part.name))
    try:
        return handle_of(compiled)
    except Exception as error:  # Numba raises what it likes
        raise InputError(dataclasses.replace(compiler_fault(error, plain(compiled)), path=part.name)) from error


def is_ours(kind: type[object]) -> bool:
    """Whether a kind is one of the house."""
    return kind.__module__.partition(".")[0] == "centrode"


def reading_fault(name: str, kernel: Untyped, arguments: tuple[object, ...]) -> Fault | None:
    """What a call of a kernel in plain Python says of its indices; None when all are within what it was given."""
    try:
        with np.errstate(all="ignore"):
            plainly(kernel)(*arguments)
    except IndexError as error:
        file = plain(kernel).__code__.co_filename
        place = [item for item in traceback.extract_tb(error.__traceback__) if item.filename == file][-1]
        what = f"the kernel of '{name}' reads or writes outside of its tables"
        hint = "are all markers, parameters and rows that it uses placed and declared?"
        return Fault(what, file=place.filename, line=place.lineno or 0, got=str(error), hint=hint)
    except (ArithmeticError, ValueError, TypeError, NotImplementedError):
        pass  # machine code goes on with numbers that are judged there; a call by address has no Python
    return None


def law_faults(part: Part, pack: Callable[[], np.ndarray], *states: tuple[float, ...]) -> list[Fault]:
    """Faults of a law that is not the house's: of the row that its part packs, and of what it reads of that row.

    Args:
        part: a tyre or suspension, with a ``law``.
        pack: gives the row that the law reads.
        states: at which the law is asked, in plain Python.
    """
    kind = type(part)
    if is_ours(kind) or any(kernel_fault(kind, note) for note in kind.kernel_notes):
        return []  # the latter is told where its address is taken
    try:
        row = pack()
    except Exception as error:  # a user's own code may fail in any way
        return [Fault(f"'pack' of '{part.name}' fails", part.name, hint=error_words(error))]
    if not isinstance(row, np.ndarray) or row.ndim != 1 or row.dtype != np.float64:
        expected = "a NumPy array of float64 with one dimension"
        return [Fault(f"'pack' of '{part.name}' gives no row of numbers", part.name, got=row, expected=expected)]
    found = (reading_fault(part.name, kernel_of(kind, "law"), (row, *state)) for state in states)
    return [fault for fault in found if fault is not None][:1]


def compiler_fault(error: Exception, function: Any) -> Fault:
    """What the compiler, or the house, says of a kernel, in one line with the line of the file."""
    if isinstance(error, InputError):
        return error.faults[0]
    text = _COLOUR.sub("", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = next((line for line in lines if not line.startswith(("Failed in", "- ", "File "))), "".join(lines[:1]))
    said = _ARGUMENTS_OF_TYPE.sub(r"\1", said)
    said = said if type(error).__module__.startswith("numba.") else f"{type(error).__name__}: {said}"
    said = textwrap.shorten(said, 160, placeholder=" ...")
    code = function.__code__
    file = code.co_filename
    # Where in this file the compiler stopped; places in other files are helpers that were given the wrong things.
    places = [int(line) for name, line in _PLACE.findall(text) if file.endswith(name.lstrip("./"))]
    what = f"{function.__name__} does not compile: {said}"
    return Fault(what, file=file, line=places[0] if places else code.co_firstlineno)

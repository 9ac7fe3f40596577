"""Types of what kernels take and give, spelled without the compiler.

Most runs find their kernels compiled (:mod:`centrode.jit.pack`) and never need Numba, so signatures are said in words
of our own. The names are Numba's: ``void(float64, Array(float64, 2))`` is what it looks like.

| word | is |
|---|---|
| ``float64``, ``int64``, ``boolean``, ``complex128`` | numbers |
| ``Array(float64, 2)`` | an array in C order; ``float64[:, ::1]`` is the same |
| ``Member(Status)`` | a member of an IntEnum |
| ``from_dtype(dtype)`` | a row of a table with named columns |
| ``Tuple((float64, int64))``, ``UniTuple(float64, 3)``, ``NamedTuple(kinds, class)`` | tuples |
| ``void(...)``, ``float64(...)`` | a signature: what is given back, of what is taken |
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from enum import IntEnum

import numpy as np

from centrode.classes import dataclass
from centrode.jit.untyped import Untyped


@dataclass(frozen=True)
class Kind:
    """Base of the types."""

    def __call__(self, *args: Kind) -> Signature:
        """Signature of a kernel that gives this."""
        return Signature(self, args)

    def __getitem__(self, index: Untyped) -> Array:
        """An array of these in C order, as Numba spells it: ``float64[:, ::1]``."""
        return Array(self, len(index) if isinstance(index, tuple) else 1)


@dataclass(frozen=True)
class Number(Kind):
    """A number in a machine word, or nothing (``void``)."""

    name: str


@dataclass(frozen=True)
class Member(Kind):
    """A member of an enumeration of whole numbers."""

    of: type[IntEnum]


@dataclass(frozen=True)
class Array(Kind):
    """An array in C order that may be written to."""

    item: Kind
    dimensions: int


@dataclass(frozen=True)
class Record(Kind):
    """A row of a table, not a copy."""

    dtype: np.dtype[Untyped]


@dataclass(frozen=True)
class Tuple(Kind):
    """A tuple of these; ``named`` is its class where its fields have names."""

    items: tuple[Kind, ...]
    named: type | None = None

    def __init__(self, items: Iterable[Kind], named: type | None = None) -> None:
        object.__setattr__(self, "items", tuple(items))
        object.__setattr__(self, "named", named)


@dataclass(frozen=True)
class Signature:
    """What a kernel gives, and what it takes."""

    return_type: Kind
    args: tuple[Kind, ...]


float64, int64, boolean, complex128, void = (
    Number(name) for name in ("float64", "int64", "boolean", "complex128", "void")
)


def UniTuple(item: Kind, count: int) -> Tuple:
    """So many of one type."""
    return Tuple((item,) * count)


def NamedTuple(items: Iterable[Kind], named: type) -> Tuple:
    """A tuple whose fields have names."""
    found, fields = Tuple(items, named), vars(named)["_fields"]
    if len(found.items) != len(fields):
        raise TypeError(f"{named.__qualname__} has the fields {fields}, {len(found.items)} types were given")
    return found


def from_dtype(dtype: np.dtype[Untyped]) -> Record:
    """A row with the fields of a dtype."""
    return Record(dtype)


def rows(dtype: np.dtype[Untyped]) -> Array:
    """A table of rows with the fields of a dtype."""
    return Array(from_dtype(dtype), 1)


floats1, floats2, floats3, floats4 = (Array(float64, dimensions) for dimensions in range(1, 5))
integers1, integers2 = (Array(int64, dimensions) for dimensions in range(1, 3))
vector = UniTuple(float64, 3)
quaternion = UniTuple(float64, 4)
matrix = UniTuple(vector, 3)


@functools.lru_cache(maxsize=1024)
def type_text(kind: Kind | Signature) -> str:
    """All that a type says, as text."""
    if isinstance(kind, Signature):
        return f"{type_text(kind.return_type)}({', '.join(type_text(item) for item in kind.args)})"
    if isinstance(kind, Number):
        return kind.name
    if isinstance(kind, Member):
        return f"{kind.of.__qualname__} {[(member.name, member.value) for member in kind.of]}"
    if isinstance(kind, Array):
        return f"{type_text(kind.item)}[{kind.dimensions}]"
    if isinstance(kind, Record):
        return dtype_text(kind.dtype)
    if isinstance(kind, Tuple):
        fields = "" if kind.named is None else f"{kind.named.__qualname__} {vars(kind.named)['_fields']}"
        return f"{fields}({', '.join(type_text(item) for item in kind.items)})"
    raise TypeError(f"no type of kernels: {kind!r}")


@functools.lru_cache(maxsize=1024)
def dtype_text(dtype: np.dtype[Untyped]) -> str:
    """Layout of a dtype as text."""
    fields = [(name, str(item[0]), item[1]) for name, item in (dtype.fields or {}).items()]
    return f"{dtype.str} {dtype.itemsize} {fields}"

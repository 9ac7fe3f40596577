"""Dataclasses that are quick to make: their methods are written when they are first used.

Python writes and compiles six functions for every frozen dataclass, a millisecond each class, and a command imports
hundreds of classes of which it makes a handful. :func:`dataclass` here is the one of Python with the same fields and
the same meaning; ``__init__`` is compiled at the first instance, and comparing, hashing and showing are functions that
all classes share. Classes of plugins, made by Python's own, may derive from these and the other way round.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import reprlib
from collections.abc import Callable
from typing import TYPE_CHECKING

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, *, frozen=False, kw_only=False, eq=True):
        """Make a dataclass of a class, as ``dataclasses.dataclass`` does."""

        def made(cls):
            own = set(vars(cls))
            hashed = "__hash__" in own and not (cls.__hash__ is None and "__eq__" in own)
            dataclasses.dataclass(cls, init=False, repr=False, eq=False, frozen=frozen, kw_only=kw_only)
            shared = {"__init__": _Init(cls, frozen), "__repr__": _shown, **({"__eq__": _equal} if eq else {})}
            for name, method in shared.items():
                if name not in own:
                    setattr(cls, name, method)
            if eq and not hashed:
                cls.__hash__ = _hashed if frozen else None
            return cls

        return made if cls is None else made(cls)


class _Init:
    """Stands for ``__init__`` until a class has its first instance, or somebody asks for its signature."""

    def __init__(self, owner: type, frozen: bool) -> None:
        self._owner, self._frozen = owner, frozen

    def __get__(self, instance: object, owner: type | None = None) -> object:
        function = _init_of(self._owner, self._frozen)
        type.__setattr__(self._owner, "__init__", function)
        return function.__get__(instance, owner)


def _init_of(owner: type, frozen: bool) -> Callable[..., None]:
    """``__init__`` of a dataclass."""
    fields, missing = dataclasses.fields(owner), dataclasses.MISSING  # type: ignore[arg-type]
    known: dict[str, object] = {"_made": missing, "_set": object.__setattr__}
    positional: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for item in fields:
        name = value = text = item.name
        if item.default_factory is not missing:
            known[f"_make_{name}"], text = item.default_factory, f"{name}=_made"
            value = f"_make_{name}() if {name} is _made else {name}" if item.init else f"_make_{name}()"
        elif not item.init:
            continue  # the class has it
        elif item.default is not missing:
            known[f"_default_{name}"], text = item.default, f"{name}=_default_{name}"
        if item.init:
            (named if item.kw_only else positional).append(text)
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if "__post_init__" in dir(owner):
        lines.append("self.__post_init__()")
    arguments = ", ".join(["self", *positional, *(["*", *named] if named else [])])
    exec(f"def __init__({arguments}):\n " + "\n ".join(lines or ["pass"]), known)
    function: Callable[..., None] = known["__init__"]  # type: ignore[assignment]
    function.__qualname__, function.__module__ = f"{owner.__qualname__}.__init__", owner.__module__
    function.__annotations__ = {**{item.name: item.type for item in fields if item.init}, "return": None}
    return function


@functools.cache
def _values(owner: Callable[..., object], use: str) -> Callable[[object], tuple[object, ...]]:
    """What gives the fields of an instance that are compared, or hashed."""
    found = dataclasses.fields(owner)  # type: ignore[arg-type]
    taken = [item.name for item in found if (item.compare if use == "compare" or item.hash is None else item.hash)]
    if len(taken) > 1:
        return operator.attrgetter(*taken)
    return lambda instance: tuple(operator.attrgetter(name)(instance) for name in taken)


@reprlib.recursive_repr()
def _shown(self: object) -> str:
    names = [item.name for item in dataclasses.fields(self) if item.repr]  # type: ignore[arg-type]
    said = ", ".join(f"{name}={operator.attrgetter(name)(self)!r}" for name in names)
    return f"{type(self).__qualname__}({said})"


def _equal(self: object, other: object) -> bool:
    if type(other) is not type(self):
        return NotImplemented
    values = _values(type(self), "compare")  # type: ignore[arg-type]
    return values(self) == values(other)


def _hashed(self: object) -> int:
    return hash(_values(type(self), "hash")(self))  # type: ignore[arg-type]

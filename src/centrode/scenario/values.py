"""From what a user wrote to what a field wants: types, units, shapes, choices.

The declared annotation of a dataclass field says the type, its metadata (made by ``quantity``) the unit and meaning.
Nothing here raises for bad input: faults are collected, so that all of them can be shown at once.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import functools
import math
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from centrode import units
from centrode.classes import dataclass
from centrode.errors import Fault, InputError, nearest_name
from centrode.parts.part import Part
from centrode.parts.signals.signal import SIGNAL_KINDS
from centrode.scenario.slips import misread_key
from centrode.scenario.tree import Node
from centrode.texts import is_number

MISSING = object()
"""What a conversion returns when the value is unusable; a fault was noted."""

_MOST_SHOWN = 100
# Fields of signals with units of their own for each entry or per second: their numbers are SI as written.
_SIGNAL_RATES = ("coefficients", "slope", "kind", "interpolation", "signals")
_SEQUENCES = (list, tuple, collections.abc.Sequence, collections.abc.Iterable)
_MAPPINGS = (dict, collections.abc.Mapping)
_WORDS: dict[Any, tuple[type, str, str]] = {
    bool: (bool, "not a switch", "true or false"),
    str: (str, "not a text", "a text"),
    Path: (str, "not a file name", ""),
}
"""Annotated type -> what YAML gives for it, and what to say of anything else."""


@dataclass
class Faults:
    """Collects faults of one file."""

    file: str = ""
    items: list[Fault] = field(default_factory=list)

    def add(self, what: str, path: str, line: int, **details: Any) -> None:
        self.items.append(Fault(what, path=path, file=self.file, line=line, **details))

    def take(self, error: InputError, path: str, line: int) -> None:
        """Adopt the faults of an error and say where they belong."""
        for item in error.faults:
            self.items.append(
                dataclasses.replace(item, file=item.file or self.file, line=item.line or line, path=item.path or path)
            )

    def locate(self, fault: Fault, path: str, node: Node, name: str = "") -> None:
        """Give a fault of a part the path and line in the file: "arm.mass" becomes "bodies.arm.mass", line 7."""
        inside = fault.path
        for prefix in (f"{path}.", f"{name}.", "run."):
            if len(prefix) > 1 and inside.startswith(prefix):
                inside = inside[len(prefix) :]
                break
        else:
            inside = "" if inside in (name, path) else inside
        key = re.split(r"[.\[]", inside)[0]
        line = node.at
        if isinstance(node.value, dict) and key:
            for written, child in node.value.items():
                ending = units.split_suffix(written)
                if written == key or (ending is not None and ending[0] == key):
                    line = child.at
                    if fault.got is not None and key == inside:
                        fault = dataclasses.replace(fault, got=child.plain())  # as the user wrote it, with its unit
        shown = f"{path}.{inside}" if inside else path
        self.items.append(dataclasses.replace(fault, path=shown, file=fault.file or self.file, line=fault.line or line))

    def raise_any(self) -> None:
        """Raise when there is a fault."""
        if self.items:
            unique = list({str(item): item for item in self.items}.values())
            unique.sort(key=lambda item: item.line)
            if len(unique) > _MOST_SHOWN:
                more = Fault(f"and {len(unique) - _MOST_SHOWN} more faults", file=self.file)
                unique = [*unique[:_MOST_SHOWN], more]
            raise InputError(unique)


@functools.cache
def annotations_of(owner: type) -> dict[str, Any]:
    """Types of all fields; Any for those whose annotation cannot be resolved outside their own file."""
    try:
        return typing.get_type_hints(owner)
    except Exception:
        found, module = {}, vars(sys.modules[owner.__module__])
        for item in dataclasses.fields(owner):
            try:
                found[item.name] = eval(item.type, module) if isinstance(item.type, str) else item.type
            except Exception:
                found[item.name] = Any
        return found


def is_file_field(item: dataclasses.Field[Any]) -> bool:
    """Whether a field names a file; such names are relative to the scenario file."""
    return item.name == "file" or item.name.endswith("_file")


def read_fields(
    owner: type, node: Node, path: str, faults: Faults, *, skip: tuple[str, ...] = (), known_names: Any = ()
) -> dict[str, Any]:
    """Values for the fields of a dataclass from a mapping.

    Args:
        owner: the dataclass.
        node: mapping; keys with a unit ending ("steer_deg") set the field in that unit.
        skip: fields that are not given here ("name").
        known_names: names of parts, for numeric fields that may also name a signal.

    Returns:
        Field name -> value, without those that are left out or unusable.
    """
    fields = {item.name: item for item in dataclasses.fields(owner) if item.init and item.name not in skip}
    hints = annotations_of(owner)
    found: dict[str, Any] = {}
    given: dict[str, str] = {}
    for key, child in node.value.items():
        name, unit = key, ""
        if key not in fields:
            ending = units.split_suffix(key)
            if ending is None or ending[0] not in fields:
                nearest = nearest_name(key, list(fields))
                expected = "one of " + ", ".join(fields) if fields else "no fields"
                said = {"nearest": nearest, "expected": expected, "hint": misread_key(key)}
                faults.add("unknown field", f"{path}.{key}", child.at, **said)
                continue
            name, unit = ending
        if name in given:
            faults.add("field given twice", f"{path}.{key}", child.at, hint=f"also as '{given[name]}'")
            continue
        given[name] = key
        value = convert(child, hints.get(name, Any), fields[name].metadata, f"{path}.{key}", faults, unit, known_names)
        if value is not MISSING:
            found[name] = value
    for name, item in fields.items():
        required = item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
        if required and name not in given:
            unit = item.metadata.get("unit", "")
            expected = item.metadata.get("meaning", "") + (f" [{unit}]" if unit not in ("", "1") else "")
            faults.add(f"'{name}' is missing", path, node.at, expected=expected)
    return found


def convert(
    node: Node, kind: Any, metadata: Mapping[str, Any], path: str, faults: Faults, unit: str = "", known_names: Any = ()
) -> Any:
    """A node as a value of the annotated type, in the declared unit; :data:`MISSING` and a fault when it cannot be.

    Args:
        unit: unit of bare numbers when it is not the declared one (from the key's ending).
    """
    return _Conversion(metadata, path, faults, unit, known_names).read(node, kind, path)


class _Conversion:
    def __init__(self, metadata: Mapping[str, Any], path: str, faults: Faults, unit: str, known_names: Any) -> None:
        self.metadata = metadata
        self.declared = metadata.get("unit", "")
        self.numeric = self.declared != ""
        self.in_unit = f" [{self.declared}]" if self.declared not in ("", "1") else ""
        self.faults = faults
        self.known_names = known_names
        self.scale = 1.0
        self.grade = unit == "%" and self.declared == units.GRADE
        if unit and not self.numeric:
            faults.add("this field has no unit", path, 0, got=path.rpartition(".")[2])
        elif unit:
            try:
                self.scale = units.scale_of(unit, self.declared)
            except InputError as error:
                faults.take(error, path, 0)

    def fail(self, what: str, path: str, node: Node, **details: Any) -> Any:
        shown = node.plain() if not isinstance(node.value, dict) else None
        self.faults.add(what, path, node.line or node.at, got=shown, **details)
        return MISSING

    def read(self, node: Node, kind: Any, path: str) -> Any:
        choices = self.metadata.get("choices")
        if choices is not None and not isinstance(node.value, list | dict):
            if node.value not in choices and not (node.value is None and _allows_none(kind)):
                return self.no_choice(node, choices, path)
            return node.value
        if self.metadata.get("refers_to") and isinstance(node.value, str):
            return node.value  # names are checked when all of them are known
        origin = typing.get_origin(kind)
        if origin is typing.Annotated:
            return self.read(node, typing.get_args(kind)[0], path)
        if origin in (typing.Union, types.UnionType):
            return self.union(node, typing.get_args(kind), path)
        if origin is typing.Literal:
            allowed = typing.get_args(kind)
            return node.value if node.value in allowed else self.no_choice(node, allowed, path)
        plain = origin or kind
        if plain in (float, int):
            return self.number(node, plain, path)
        if plain in _WORDS:
            wanted, what, expected = _WORDS[plain]
            fits = isinstance(node.value, wanted)
            return plain(node.value) if fits else self.fail(what, path, node, expected=expected)
        if plain in (type(None), None):
            return None if node.value is None else self.fail("must be empty", path, node)
        if plain in _SEQUENCES:
            return self.sequence(node, plain, typing.get_args(kind), path)
        if plain in _MAPPINGS:
            return self.mapping(node, typing.get_args(kind), path)
        if plain is collections.abc.Callable or plain is Callable:
            return self.fail("a function can only be given in Python", path, node)
        if isinstance(plain, type):
            if issubclass(plain, enum.Enum):
                return self.enumerated(node, plain, path)
            if issubclass(plain, Part):
                named = isinstance(node.value, str)
                return node.value if named else self.fail("not a name", path, node, expected="the name of a part")
            if dataclasses.is_dataclass(plain):
                return self.record(node, plain, path)
        return self.anything(node, path)

    def number(self, node: Node, kind: type, path: str) -> Any:
        value = node.value
        if isinstance(value, str) and units.looks_like_quantity(value):
            try:
                value = units.to_unit(value, self.declared or "1")
                value = self.scaled(value) if is_number(node.value) else value
            except InputError as error:
                self.faults.take(error, path, node.line)
                return MISSING
        elif isinstance(value, int | float) and not isinstance(value, bool):
            value = self.scaled(value)
        else:
            return self.fail("not a number", path, node, expected=f"a number{self.in_unit}")
        if kind is int:
            if not math.isfinite(value) or value != int(value):
                return self.fail("not a whole number", path, node, expected="a whole number")
            return int(value)
        try:
            return float(value)
        except OverflowError:
            return self.fail("number out of range", path, node)

    def scaled(self, value: float) -> float:
        """A bare number in the unit that the ending of its key says."""
        if self.grade:
            return units.to_unit(f"{float(value)!r} %", self.declared)
        return value * self.scale if self.scale != 1.0 else value

    def sequence(self, node: Node, kind: Any, arguments: tuple[Any, ...], path: str) -> Any:
        if not isinstance(node.value, list):
            return self.fail("not a list", path, node, expected=self.list_text(arguments))
        if kind is tuple and arguments and arguments[-1] is not Ellipsis:
            if len(arguments) != len(node.value):
                return self.fail("wrong length", path, node, expected=self.list_text(arguments))
            kinds = list(arguments)
        else:
            kinds = [arguments[0] if arguments else Any] * len(node.value)
        values = [
            self.read(item, each, f"{path}[{index}]")
            for index, (item, each) in enumerate(zip(node.value, kinds, strict=True))
        ]
        if any(item is MISSING for item in values):
            return MISSING
        return values if kind is list else tuple(values)

    def list_text(self, arguments: tuple[Any, ...]) -> str:
        loose = not arguments or arguments[-1] is Ellipsis or len(arguments) == 1
        return f"a list{self.in_unit}" if loose else f"a list of {len(arguments)} values{self.in_unit}"

    def mapping(self, node: Node, arguments: tuple[Any, ...], path: str) -> Any:
        if not isinstance(node.value, dict):
            return self.fail("not a mapping", path, node, expected="names with values")
        each = arguments[1] if len(arguments) == 2 else Any
        values = {key: self.read(item, each, f"{path}.{key}") for key, item in node.value.items()}
        return MISSING if any(item is MISSING for item in values.values()) else values

    def record(self, node: Node, kind: type, path: str) -> Any:
        if not isinstance(node.value, dict):
            return self.fail("not a mapping", path, node, expected=f"the fields of {kind.__name__}")
        before = len(self.faults.items)
        values = read_fields(kind, node, path, self.faults, known_names=self.known_names)
        if len(self.faults.items) > before:
            return MISSING
        try:
            return kind(**values)
        except InputError as error:
            self.faults.take(error, path, node.line)
        except Exception as error:
            self.fail(f"cannot be used: {error}", path, node)
        return MISSING

    def union(self, node: Node, members: tuple[Any, ...], path: str) -> Any:
        if node.value is None and type(None) in members:
            return None
        rest = [item for item in members if item is not type(None)]
        if self.numeric and isinstance(node.value, str) and units.looks_like_quantity(node.value):
            # A text that begins like a number is one, also where a name is allowed: "3 kg" is no name.
            rest = [item for item in rest if item is not str] or rest
        collected = self.faults
        tried: list[Faults] = []
        for kind in rest:
            self.faults = Faults(collected.file)
            value = self.read(node, kind, path)
            tried.append(self.faults)
            self.faults = collected
            if value is not MISSING:
                return value
        # The alternative that got furthest tells most: a wrong dimension rather than "not a list".
        best = next((item for item, kind in zip(tried, rest, strict=True) if _shape_fits(node, kind)), tried[0])
        collected.items += best.items
        return MISSING

    def enumerated(self, node: Node, kind: type[enum.Enum], path: str) -> Any:
        for item in kind:
            if node.value in (item.value, item.name):
                return item
        return self.no_choice(node, [item.value for item in kind], path)

    def no_choice(self, node: Node, allowed: Sequence[Any], path: str) -> Any:
        names = [str(item) for item in allowed]
        nearest = nearest_name(str(node.value), names)
        return self.fail("unknown choice", path, node, expected="one of " + ", ".join(names), nearest=nearest)

    def anything(self, node: Node, path: str) -> Any:
        """Fields without a precise type: numbers in the declared unit, names, lists and mappings of them."""
        if isinstance(node.value, list):
            return self.sequence(node, tuple, (Any, ...), path)
        if isinstance(node.value, dict):
            return self.loose_mapping(node, path)
        if isinstance(node.value, str) and self.numeric:
            if units.looks_like_quantity(node.value):
                return self.number(node, float, path)
            if node.value not in self.known_names:
                nearest = nearest_name(node.value, list(self.known_names))
                return self.fail("neither a number nor the name of a part", path, node, nearest=nearest)
        if isinstance(node.value, int | float) and not isinstance(node.value, bool):
            return self.scaled(node.value)
        return node.value

    def loose_mapping(self, node: Node, path: str) -> Any:
        """A mapping in a loosely typed field, such as an orientation by axis and angle or a signal over time.

        Units are taken as written, except that the values of a signal must have the unit of the field.
        """
        found: dict[str, Any] = {}
        kind = node.value["kind"].value if "kind" in node.value else None
        signal = SIGNAL_KINDS.get(kind) if isinstance(kind, str) else None
        own = {item.name: item.metadata for item in dataclasses.fields(signal)} if signal is not None else {}
        for key, child in node.value.items():
            inside = f"{path}.{key}"
            ending = units.split_suffix(key) if key not in own else None
            name, unit = ending if ending else (key, "")
            if name in own and own[name].get("unit") == "" and isinstance(child.value, str):
                found[name] = child.value  # a word or a formula, not a quantity
                continue
            if name in own and name not in _SIGNAL_RATES and isinstance(own[name].get("unit"), str):
                declared = self.declared if own[name]["unit"] == "1" else own[name]["unit"]
                if declared != "":
                    found[name] = convert(child, Any, {"unit": declared}, inside, self.faults, unit)
                    continue
            found[name] = self.loose_value(child, units.parse_unit(unit).factor if unit else 1.0, inside)
        return MISSING if any(item is MISSING for item in found.values()) else found

    def loose_value(self, node: Node, factor: float, path: str) -> Any:
        if isinstance(node.value, list):
            values = [self.loose_value(item, factor, path) for item in node.value]
            return MISSING if any(item is MISSING for item in values) else tuple(values)
        if isinstance(node.value, dict):
            return self.loose_mapping(node, path)
        if isinstance(node.value, str) and units.looks_like_quantity(node.value):
            try:
                return units.parse_quantity(node.value)[0] * (factor if is_number(node.value) else 1.0)
            except InputError as error:
                self.faults.take(error, path, node.line)
                return MISSING
        if isinstance(node.value, int | float) and not isinstance(node.value, bool) and factor != 1.0:
            return node.value * factor
        return node.value


def _allows_none(kind: Any) -> bool:
    return kind is Any or type(None) in typing.get_args(kind)


def _shape_fits(node: Node, kind: Any) -> bool:
    plain = typing.get_origin(kind) or kind
    if isinstance(node.value, list):
        return plain in _SEQUENCES
    if isinstance(node.value, dict):
        return plain in _MAPPINGS or dataclasses.is_dataclass(plain)
    if isinstance(node.value, str) and units.looks_like_quantity(node.value):
        return plain in (float, int)
    return plain not in _SEQUENCES and plain not in _MAPPINGS

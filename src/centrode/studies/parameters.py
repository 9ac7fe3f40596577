"""Parameters by path: any number of any part, a name of the section ``parameters``, or gravity.

    arm.mass    bodies.arm.mass    arm.position.x    arm.inertia.0    parameters.length    gravity.z

A path is read once; then the scenario can be had with another value. Everything that follows from the value follows
anew: vehicles are built again, starts are solved and joints are closed again.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from centrode.classes import dataclass
from centrode.errors import InputError, nearest_name
from centrode.parts.part import Part
from centrode.parts.registry import section_of
from centrode.scenario.document import Scenario
from centrode.scenario.edits import path_keys

_AXES = ("x", "y", "z")
GRAVITY = "gravity"
NAMES = "parameters"


@dataclass(frozen=True)
class Parameter:
    """A number of a scenario.

    Attributes:
        path: its name.
        unit: SI; "" where it has none that is known.
        value: in the scenario.
        changed: makes the scenario with another value; an InputError when that is out of range.
    """

    path: str
    unit: str
    value: float
    changed: Callable[[float], Scenario]


def find_parameter(scenario: Scenario, path: str) -> Parameter:
    """The parameter of that path.

    Raises:
        InputError: nothing of that name, or no number; says what there is.
    """
    keys = path_keys(path)
    if keys[:1] == [NAMES] and len(keys) == 2:
        return _named(scenario, path, keys[1])
    if keys[:1] == [GRAVITY]:
        gravity = scenario.system.gravity
        place = _place(keys[1], gravity) if len(keys) == 2 else None
        if place is None:
            raise InputError("not a component", path=path, expected="gravity.x, gravity.y or gravity.z")
        return Parameter(path, "m/s2", gravity[place], lambda value: _heavier(scenario, place, value))
    parts = scenario.system.parts
    if len(keys) > 1 and keys[0] not in parts and any(keys[0] == section_of(part.family) for part in parts.values()):
        keys = keys[1:]
    count = next((n for n in range(len(keys), 0, -1) if ".".join(keys[:n]) in parts), 0)
    if not count:
        known = [*parts, *(f"{NAMES}.{name}" for name in scenario.parameters), GRAVITY]
        expected = "part.field, such as " + ", ".join(_some_paths(scenario))
        near = nearest_name(".".join(keys[:-1]) or path, known)
        raise InputError("unknown part", path=path, expected=expected, nearest=near)
    part, rest = parts[".".join(keys[:count])], keys[count:]
    unit, value = _look_up(part, rest, path)
    return Parameter(path, unit, value, lambda new: _varied(scenario, _with(part, rest, new)))


def _named(scenario: Scenario, path: str, name: str) -> Parameter:
    """A parameter of the file, with which expressions are made."""
    known = scenario.parameters
    if name not in known:
        near = nearest_name(name, list(known))
        expected = "one of " + ", ".join(known) if known else "a part's field; the scenario has no parameters"
        raise InputError("unknown parameter", path=path, expected=expected, nearest=near and f"{NAMES}.{near}")
    return Parameter(path, "", known[name], lambda value: scenario.edited({path: value}))


def _varied(scenario: Scenario, part: object) -> Scenario:
    assert isinstance(part, Part)
    return dataclasses.replace(scenario, system=scenario.system.varied(part), origin="", edits={})


def _heavier(scenario: Scenario, place: int, value: float) -> Scenario:
    system = copy.copy(scenario.system)
    system.gravity = tuple(value if k == place else g for k, g in enumerate(system.gravity))  # type: ignore[assignment]
    return dataclasses.replace(scenario, system=system.varied(), origin="", edits={})


def _place(key: str, values: Sequence[object] | np.ndarray) -> int | None:
    """Index of a component: a number, or x, y, z."""
    if key in _AXES and len(values) <= len(_AXES):
        key = str(_AXES.index(key))
    return int(key) if key.isdigit() and int(key) < len(values) else None


def _child(owner: object, key: str) -> object:
    """What an owner holds under a key; KeyError when there is nothing."""
    if dataclasses.is_dataclass(owner):
        return {item.name: vars(owner)[item.name] for item in dataclasses.fields(owner)}[key]
    if isinstance(owner, dict):
        return owner[key]
    if isinstance(owner, list | tuple | np.ndarray) and (place := _place(key, owner)) is not None:
        return owner[place]
    raise KeyError(key)


def _look_up(part: Part, keys: list[str], path: str) -> tuple[str, float]:
    """Unit and value under the keys."""
    value: object = part
    unit, whole = "", False
    for depth, key in enumerate(keys):
        owner = value
        try:
            value = _child(owner, key)
        except KeyError:
            held = [".".join([part.name, *keys[:depth], name]) for name in _numbers(owner)]
            wrong = ".".join([part.name, *keys[: depth + 1]])
            expected = "one of " + ", ".join(held) if held else "no further name: nothing here is a number"
            raise InputError("unknown field", path=path, expected=expected, nearest=nearest_name(wrong, held)) from None
        if dataclasses.is_dataclass(owner):
            declared = next(item for item in dataclasses.fields(owner) if item.name == key)
            unit, whole = declared.metadata.get("unit", ""), str(declared.type) in ("int", "int | None")
    if whole:
        raise InputError("a whole number has no derivative", path=path, got=value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        held = [f"{path}.{name}" for name in _numbers(value)]
        hint = "give it a value first" if value is None else ""
        expected = "one of " + ", ".join(held) if held else "a field that is a number"
        raise InputError("not a number", path=path, got=value, expected=expected, hint=hint)
    return unit, float(value)


def _with(owner: object, keys: list[str], value: float) -> object:
    """The owner with another number under the keys."""
    if not keys:
        return value
    child = _with(_child(owner, keys[0]), keys[1:], value)
    if dataclasses.is_dataclass(owner):
        return dataclasses.replace(owner, **{keys[0]: child})  # type: ignore[type-var]
    if isinstance(owner, dict):
        return {**owner, keys[0]: child}
    assert isinstance(owner, list | tuple | np.ndarray)  # where the value was found
    place = _place(keys[0], owner)
    changed = [child if k == place else item for k, item in enumerate(owner)]
    return changed if isinstance(owner, list) else tuple(changed)


def _numbers(owner: object) -> Iterator[str]:
    """Paths below an owner that lead to numbers."""
    if dataclasses.is_dataclass(owner):
        items: list[tuple[str, object]] = [(item.name, vars(owner)[item.name]) for item in dataclasses.fields(owner)]
    elif isinstance(owner, dict):
        items = list(owner.items())
    elif isinstance(owner, list | tuple | np.ndarray):
        items = [(_AXES[k] if len(owner) <= len(_AXES) else str(k), item) for k, item in enumerate(owner)]
    else:
        return
    for name, value in items:
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield str(name)
        else:
            yield from (f"{name}.{rest}" for rest in _numbers(value))


def _some_paths(scenario: Scenario) -> list[str]:
    """A few paths of a scenario, for messages."""
    found = [f"{part.name}.{name}" for part in scenario.system.parts.values() for name in list(_numbers(part))[:1]]
    return found[:4]

"""System: what a user builds. Parts by name; it knows no numerics."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.parts.joints.joint import START_FIELDS, Joint
from centrode.parts.meant import in_si
from centrode.parts.part import Part, flatten
from centrode.parts.placement import GROUND, point3, unit_vector
from centrode.parts.points.point import Point
from centrode.parts.registry import section_of

P = TypeVar("P", bound=Part)


@dataclasses.dataclass(frozen=True)
class Ground(Part):
    """The world as a body: immovable, frame = world frame."""

    family = "body"
    kind = "ground"


@dataclasses.dataclass(frozen=True)
class Change:
    """New values for a part's parameters from a given time on, without a glitch in the motion.

    Attributes:
        at: time [s].
        part: name of the part.
        set: parameter name -> new value.
    """

    at: float
    part: str
    set: dict[str, Any]


def references_of(part: Part) -> Iterator[tuple[str, str, Any]]:
    """Field, family and name of every part that a part refers to."""
    for field in dataclasses.fields(part):
        family, value = field.metadata.get("refers_to"), getattr(part, field.name)
        if family is not None and value is not None:
            for name in value if isinstance(value, list | tuple) else (value,):
                yield field.name, family, name


def missing_reference(name: str, family: str, known: dict[str, str]) -> dict[str, str]:
    """What to say of a name that nothing has: which parts of the family there are, the nearest, or how to make one.

    Args:
        known: names of the parts there are, and their families.
    """
    fitting = [GROUND] if family == "body" else []
    fitting += [other for other, kin in known.items() if kin == family or (family, kin) == ("body", "point")]
    if not fitting:
        section = section_of(family)
        example = f"such as {section}: {{{name}: {{kind: plane}}}}" if family == "road" else f"in a section '{section}'"
        return {"expected": f"the name of a {family}", "hint": f"there is no {family} yet: add one, {example}"}
    expected = "one of " + ", ".join(fitting[:12]) + (", ..." if len(fitting) > 12 else "")
    return {"expected": expected, "nearest": nearest_name(name, fitting)}


def read_gravity(given: object, plane: bool) -> tuple[float, float, float]:
    """Acceleration of free fall in the world, from what users write.

    Raises:
        InputError: not a vector of numbers.
    """
    default = (0.0, -9.81, 0.0) if plane else (0.0, 0.0, -9.81)
    if given is None:
        return default
    read = in_si(given, "m/s2")
    numbers = flatten(read)
    expected = "a vector in m/s2 that points downwards, such as " + ("(0, -9.81)" if plane else "(0, 0, -9.81)")
    counts = (2, 3) if plane else (3,)
    if not all(isinstance(g, int | float) and math.isfinite(g) for g in numbers) or len(numbers) not in counts:
        hint = ""
        if len(numbers) == 1 and isinstance(numbers[0], int | float):
            hint = "a number alone has no direction"
        elif len(numbers) == 2 and not plane:
            hint = "two numbers do in a plane system: plane=True"
        raise InputError("gravity is not a vector", path="gravity", got=given, expected=expected, hint=hint)
    x, y, z = (*(float(g) for g in numbers), 0.0)[:3]
    return x, y, z


class System:
    """Bodies, joints, forces and whatever else, by name.

    Example:
        >>> system = System()
        >>> arm = system.add(RigidBody("arm", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0.5, 0, 0)))
        >>> system.add(Revolute("hinge", system.ground, arm, at=(0, 0, 0), axis=(0, 1, 0)))

    Args:
        title: shown in reports.
        gravity: acceleration of free fall in the world frame [m/s2]; default (0, 0, -9.81), in a plane system
            (0, -9.81).
        plane: declare a plane system: all bodies planar, motion in x-y.
        plugins: file, or files, with kinds and methods that the system may use beside the built-in ones.
    """

    def __init__(
        self,
        title: str = "",
        gravity: Sequence[float | str] | None = None,
        plane: bool = False,
        plugins: Sequence[Path | str] | Path = (),
    ) -> None:
        if not isinstance(title, str):
            raise InputError("no text", path="title", got=title, hint="parts are added: system.add(part)")
        self.title = title
        self.plugins = (plugins,) if isinstance(plugins, str | Path) else tuple(plugins)
        self.plane = bool(plane)
        self.gravity = read_gravity(gravity, self.plane)
        self.gravity_from = "" if gravity is None else "scenario"
        self.ground = Ground(GROUND)
        self.parts: dict[str, Part] = {}
        self.changes: list[Change] = []
        self.solved_starts: dict[str, dict[str, float]] = {}
        """Vehicles whose start follows from an impact, and what was found (:mod:`centrode.recording.starts`)."""
        self.notes: list[str] = []
        """What the files that parts were read from leave to say, with file and line; runs repeat it."""
        self.apart: list[tuple[str, ...]] = []
        """Bodies that belong to one thing, such as the links of a robot, and do not touch each other."""

    def add(self, part: P) -> P:
        """Add a part; returns it, with references turned into names. Vehicles add all their parts.

        Raises:
            InputError: name taken, unknown reference, or parameters out of range.
        """
        if not isinstance(part, Part):
            raise InputError("only parts can be added to a system", got=part)
        if part.name == GROUND or part.name in self.parts:
            raise InputError("a part of this name is already there", path=part.name, hint="names are unique")
        part = self._with_names(part)
        faults = part.faults() + self._reference_faults(part) + self._space_faults(part)
        if self.plane and part.family == "body" and part.kind != "planar":
            faults.append(Fault("a plane system takes planar bodies only", part.name, got=part.kind))
        if not self.plane and part.family == "body" and part.kind == "planar":
            hint = "declare plane: true for the system"
            faults.append(Fault("planar bodies need a plane system", part.name, hint=hint))
        if faults:
            raise InputError(faults)
        self.parts[part.name] = part
        part.build(self)
        return part

    def change(self, at: float, part: Part | str, **values: Any) -> None:
        """Give a part new parameter values from time ``at`` [s] on."""
        name = part if isinstance(part, str) else part.name
        if name not in self.parts:
            raise InputError("unknown part", path="changes", got=name, nearest=nearest_name(name, list(self.parts)))
        family = self.parts[name].family
        if family not in ("force", "joint", "body"):
            what = "only forces, joints and bodies can change during a run"
            raise InputError(what, path=f"changes.{name}", got=family)
        known = {field.name for field in dataclasses.fields(self.parts[name])}
        for key, value in values.items():
            if key not in known:
                near = nearest_name(key, sorted(known))
                raise InputError("unknown parameter", path=f"changes.{name}", got=key, nearest=near)
            if family == "joint" and key in START_FIELDS:
                what, path = "this says how the joint starts; it cannot change later", f"changes.{name}.{key}"
                raise InputError(what, path=path, got=value)
            if family == "body" and key not in ("mass", "inertia"):
                what, path = "this says how the body starts; it cannot change later", f"changes.{name}.{key}"
                raise InputError(what, path=path, got=value, expected="mass or inertia")
        changed = dataclasses.replace(self.parts[name], **values).checked()
        before = self.parts[name]
        if isinstance(changed, Joint) and isinstance(before, Joint) and changed.rows != before.rows:
            what, hint = "a change cannot give a joint further rows", "declare the joint lockable: true from the start"
            raise InputError(what, path=f"changes.{name}", got=tuple(values), hint=hint)
        self.changes.append(Change(float(at), name, dict(values)))

    def replace(self, part: P) -> P:
        """Put a part in the place of the one with the same name (edited scenarios, studies)."""
        if part.name not in self.parts:
            raise InputError("no part of this name", path=part.name, nearest=nearest_name(part.name, list(self.parts)))
        part = self._with_names(part)
        faults = part.faults() + self._reference_faults(part)
        if faults:
            raise InputError(faults)
        self.parts[part.name] = part
        return part

    def varied(self, part: Part | None = None) -> System:
        """A system of its own, with a part in the place of the one of the same name; vehicles are built anew.

        A part that a vehicle made is put in its place when the vehicle is built.
        """
        makers = [item.name for item in self.parts.values() if type(item).build is not Part.build]
        twin = copy.copy(self)
        twin.parts, twin.changes = dict(self.parts), list(self.changes)
        made = part is not None and any(part.name.startswith(f"{maker}.") for maker in makers)
        if makers and not made:
            twin.parts, twin.notes, twin.solved_starts = {}, [], {}
            for name, item in self.parts.items():
                if name not in twin.parts:  # not made by a vehicle
                    twin.add(part if part is not None and name == part.name else item)
        elif part is not None:
            twin.replace(part)
        return twin

    def of_family(self, family: str) -> list[Part]:
        """All parts of a family, in order of addition."""
        return [part for part in self.parts.values() if part.family == family]

    def _with_names(self, part: P) -> P:
        """Parts given as objects become names, so that a system can be saved and compared."""
        edits: dict[str, Any] = {}
        for field in dataclasses.fields(part):
            value = getattr(part, field.name)
            if field.metadata.get("refers_to") is None:
                continue
            if isinstance(value, Part):
                edits[field.name] = value.name
            elif isinstance(value, list | tuple):
                edits[field.name] = tuple(item.name if isinstance(item, Part) else item for item in value)
        return dataclasses.replace(part, **edits) if edits else part

    def _reference_faults(self, part: Part) -> list[Fault]:
        found = []
        for field, family, name in references_of(part):
            path, target = f"{part.name}.{field}", self.parts.get(name)
            if name == GROUND and family == "body":
                continue
            if target is None:
                said = missing_reference(str(name), family, {item.name: item.family for item in self.parts.values()})
                found.append(Fault(f"unknown {family}", path, got=name, **said))  # type: ignore[arg-type]
            elif target.family != family and not (family == "body" and target.family == "point"):
                found.append(Fault(f"'{name}' is a {target.family}", path, expected=f"the name of a {family}"))
        if not found and isinstance(part, Joint) and self.body_of(part.a) == self.body_of(part.b):
            what, body = "a joint needs two different bodies", self.body_of(part.a)
            found.append(Fault(what, part.name, got=body, hint="a and b are the same body"))
        return found

    def _space_faults(self, part: Part) -> list[Fault]:
        """Places and directions of two numbers, which only a plane system can mean."""
        if self.plane:
            return []
        given = [
            field.name for field in dataclasses.fields(part) if field.metadata.get("read") in (point3, unit_vector)
        ]
        short = [name for name in given if np.size(getattr(part, name)) == 2]
        hint = "two numbers do in a plane system: plane: true"
        return [part.fault(name, "two numbers in a system in space", expected="x, y, z", hint=hint) for name in short]

    def body_of(self, name: str) -> str:
        """Name of a body, or of the body that a point of this name lies on."""
        part = self.parts.get(name)
        return str(part.body) if isinstance(part, Point) else name

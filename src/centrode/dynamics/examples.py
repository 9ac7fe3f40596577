"""Example systems: a few bodies, a part of any kind on them, and the other parts that it names.

Used by :mod:`centrode.dynamics.contract` and by tests, so that a new kind is built and checked without being listed. A
kind gives its own parameters in ``example`` (without the name); otherwise they are made up from the declared fields.
Bodies "a", "b", "c" exist; a part of another family that is needed goes by the name of its family ("road", "tyre"), a
second one by "joint2".
"""

from __future__ import annotations

import dataclasses
import math
import typing
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from centrode.parts import registry
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.part import Part
from centrode.system.builder import System

Values = Mapping[str, Any] | None
"""Parameters to check a kind with; made up when None."""


class Finding(NamedTuple):
    """One check of a kind: its name, the deviation found (None: the check does not apply), the limit, what is wrong."""

    check: str
    figure: float | None
    limit: float
    message: str


def not_applying(check: str, why: str) -> Finding:
    """A check that says nothing of this kind."""
    return Finding(check, None, math.nan, why)


BODIES = ("a", "b", "c")
USUAL = {
    "road": "plane",
    "tyre": "linear",
    "suspension": "strut",
    "force": "thruster",
    "joint": "revolute",
    "contact_law": "linear",
}
"""Kind that stands for a family when some other part needs one of it."""
HOSTS = {"tyre": "carriage", "suspension": "carriage", "road": "carriage"}
"""Kind of force that uses a part which does nothing by itself."""


HILL = ((-20.0, 2.0, -1.5), (-4.0, -1.0, -0.2), (5.0, 1.0, 0.0), (20.0, 9.0, -1.0))
EXAMPLES: dict[tuple[str, str], dict[str, Any]] = {
    ("body", "full-mass"): {"mass_matrix": (1.0, 2.0, 2.0, 0.3, 0.4, 0.4)},
    ("body", "planar"): {"mass": 1.0, "inertia": 0.5},
    ("body", "pseudo-rigid"): {"mass": 1.0, "inertia": (0.3, 0.4, 0.5)},
    ("controller", "bang-bang"): {"inputs": "force", "measure": "a.position.x"},
    ("controller", "pid"): {"inputs": "force", "measure": "a.position.x", "kp": 1.0},
    ("controller", "python"): {"inputs": "force", "function": "math:sin"},
    ("controller", "state-feedback"): {"inputs": "force", "measures": ("a.position.x",), "gain": (1.0,)},
    ("force", "carriage-medusa"): {
        "body": "a",
        "road": "road",
        "tyre": "tyre",
        "corners": ((1.2, 0.7, 0.0), (1.2, -0.7, 0.0), (-1.3, 0.7, 0.0), (-1.3, -0.7, 0.0)),
        "stiffness": (2e4, 2e4),
        "damping": (1e3, 1e3),
        "rest": 0.5,
        "lag": 0.02,
    },
    ("outline", "box"): {"body": "a", "half_lengths": (0.5, 0.4, 0.3)},
    ("outline", "ellipsoid"): {"body": "a", "semi_axes": (0.5, 0.4, 0.3)},
    ("outline", "polyhedron"): {"body": "a", "points": ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))},
    ("outline", "road"): {"road": "road"},
    ("outline", "superellipsoid"): {"body": "a", "semi_axes": (2.0, 0.8, 0.65)},
    ("road", "medusa4"): {"points": HILL},
    ("road", "spline"): {"points": HILL},
    ("suspension", "strut"): {"stiffness": 2e4, "damping": 1.5e3, "rest_length": 0.5}
    | {"stop_stiffness": 3e4, "stop_length": 0.3},
    ("suspension", "table"): {"compression": (0.0, 0.1), "force": (0.0, 2e3)},
    ("tyre", "magic-formula"): {
        "coefficients": {"FNOMIN": 4e3, "UNLOADED_RADIUS": 0.32, "PCX1": 1.6, "PDX1": 1.1, "PKX1": 22.0}
        | {"PCY1": 1.3, "PDY1": 1.0, "PKY1": -20.0, "PKY2": 1.8}
    },
}
"""Parameters of kinds for which none can be made up from the fields."""
NEEDS_MORE = {
    ("controller", "autopilot"): "it steers a whole vehicle",
    ("controller", "bicycle-rider"): "it steers a whole vehicle",
    ("controller", "line-of-sight"): "it steers a whole vehicle",
    ("force", "wheel-grip"): "it watches a wheel that rolls by a joint",
    ("import", ""): "it is read from a file; give one in the class attribute 'example'",
    ("plot", "phase"): "it shows channels of a run",
    ("road", "opendrive"): "it is read from a file",
    ("road", "terrain"): "it is read from a file",
    ("shape", "mesh"): "it is read from a file",
    ("vehicle", "rider"): "it rides a motorcycle",
    ("vehicle", "semitrailer"): "it is towed by a tractor",
    ("vehicle", "trailer"): "it is towed by a car with a rigid chassis",
}
"""Kinds (or all of a family) for which an example of a few parts makes no sense, and why."""


def example_system(
    kind: type[Part], values: Mapping[str, Any] | None = None, plane: bool = False, names: Sequence[str] = ("part",)
) -> System:
    """Bodies a, b, c with one or more parts of a kind, and whatever those need; not yet built.

    Raises:
        InputError: the values do not make a part.
    """
    system = System(plane=plane)
    for k, name in enumerate(BODIES):
        if plane:
            system.add(PlanarBody(name, 1.0 + k, 0.5 + k, position=(0.7 * k, 0.2 * k)))
        else:
            system.add(RigidBody(name, 1.0 + k, (0.5, 0.6, 0.7), position=(0.7 * k, 0.2 * k, -0.3 * k)))
    given = dict(example_values(kind) if values is None else values)
    given = values_in_plane(kind, given) if plane else given
    if kind.family in HOSTS:
        _add(system, kind, kind.family, given)
        host = registry.part_kinds("force")[HOSTS[kind.family]]
        _add(system, host, "host", example_values(host))
        return system
    for name in names:
        _add(system, kind, name, given)
    return system


def _add(system: System, kind: type[Part], name: str, values: Mapping[str, Any]) -> None:
    """Add a part after the parts of other families that it names."""
    for item in dataclasses.fields(kind):
        family = item.metadata.get("refers_to")
        named = values.get(item.name)
        if family and named in (family, f"{family}2") and named not in system.parts:
            usual = registry.part_kinds(family)[USUAL[family]]
            _add(system, usual, str(named), example_values(usual))
    system.add(kind(name, **values))


def values_in_plane(kind: type[Part], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values for a plane system: places lose their third coordinate; directions and attitudes take their defaults."""
    flat: dict[str, Any] = {}
    required = {item.name for item in dataclasses.fields(kind) if item.default is dataclasses.MISSING}
    for name, value in values.items():
        is_direction = name.startswith("axis") or name in ("direction", "orientation", "plane_normal", "normal")
        if is_direction and name not in required:
            continue
        is_place = name in ("at", "wind") or name.startswith("point_") or name.endswith("_point")
        flat[name] = (*value[:2], 0.0) if (is_place or is_direction) and value is not None else value
    return flat


def example_values(kind: type[Part]) -> dict[str, Any]:
    """Parameters of order one for a kind: its own ``example``, or made up from the declared fields.

    Fields that refer to bodies get "a", "b", "c" in turn, points on them lie off the centre of mass, and every number
    that is required or zero by default (stiffness, damping, ...) gets a value, so that nothing stays switched off. A
    kind that inherits its ``example`` adds the same for the fields that it declares itself.
    """
    given = kind.example if kind.example is not None else EXAMPLES.get((kind.family, kind.kind))
    inherited = kind.example is not None and "example" not in vars(kind)
    if given is not None and not inherited:
        return {"a": "a", "b": "b", **given} if kind.family == "joint" else dict(given)
    all_of_it = inherited or kind.family in ("force", "joint", "suspension")  # others act by their defaults
    hints = typing.get_type_hints(kind)
    values: dict[str, Any] = dict(given or {})
    bodies = iter(BODIES * 4)
    number = 1.0
    for item in dataclasses.fields(kind):
        meta = item.metadata
        if item.name == "name" or not item.init or (inherited and item.name not in kind.__annotations__):
            continue
        required = item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
        family = meta.get("refers_to")
        if family == "body":
            if required or item.default == "" or item.name in ("a", "b"):
                several = typing.get_origin(hints[item.name]) is tuple
                values[item.name] = BODIES if several else next(bodies)
            continue
        if item.name.startswith("point_"):
            number += 0.3
            values[item.name] = (0.3 * number, -0.2, 0.1 * number)
            continue
        if family and required:
            values[item.name] = family
        if family or meta.get("choices") or meta.get("unit", "") == "":
            continue
        if inherited and item.default == (0.0, 0.0, 0.0):
            values[item.name] = (0.3, -0.2, 0.5)
        scalar = hints[item.name] in (float, float | None) or hints[item.name] is Any
        if not scalar or not (required or (all_of_it and item.default in (0.0,))):
            continue
        number += 0.3
        high = meta.get("maximum")
        # Forces of a tyre of order one would never reach the friction under a load.
        made_up = 4e4 * number if kind.family == "tyre" and meta["unit"] in ("N", "N/rad") else number
        values[item.name] = made_up if high is None else min(made_up, 0.9 * high)
    return values

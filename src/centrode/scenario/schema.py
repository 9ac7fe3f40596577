"""JSON Schema of scenario files, for editors: completion, help on every field, errors while typing.

Made from the declared fields of all kinds, those of plugins included; nothing is written twice. It follows JSON Schema
draft 2020-12. Numbers may carry units and expressions, so a number is "a number, or a text that begins like one".
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from centrode import units
from centrode.parts import registry
from centrode.parts.part import Part
from centrode.scenario.values import annotations_of
from centrode.scenario.writing import SCHEMA_VERSION
from centrode.system.settings import RunSettings

_EXPRESSION = r"\$\{"
_QUANTITY = {"type": "string", "pattern": rf"^\s*[+-]?\.?\d|{_EXPRESSION}"}
_LISTS = (list, tuple, collections.abc.Sequence, collections.abc.Iterable)


def json_schema(plugins: Sequence[Path | str] = ()) -> dict[str, Any]:
    """The schema of scenario files.

    Args:
        plugins: files with further kinds.
    """
    families = registry.families(plugins)
    properties: dict[str, Any] = {
        "centrode": {"const": SCHEMA_VERSION, "description": "version of the file format"},
        "title": {"type": "string", "description": "one line for reports"},
        "description": {"type": "string"},
        "gravity": {
            "type": "array",
            "items": _number(),
            "minItems": 2,
            "maxItems": 3,
            "description": "acceleration of free fall, world frame [m/s^2]",
        },
        "plane": {"type": "boolean", "description": "plane system: planar bodies, motion in x-y"},
        "parameters": {"type": "object", "additionalProperties": _number(), "description": "names for expressions"},
        "plugins": {"type": "array", "items": {"type": "string"}, "description": "Python files with further kinds"},
        "run": _record(RunSettings, ()),
        "changes": {"type": "array", "items": _change(), "description": "new parameter values at given times"},
    }
    for family, kinds in families.items():
        properties[registry.section_of(family)] = {
            "type": ["object", "null"],
            "additionalProperties": _entry(family, kinds, registry.default_kind(family, plugins)),
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Centrode scenario",
        "type": "object",
        "properties": properties,
        "required": ["centrode"],
        "additionalProperties": False,
    }


def _entry(family: str, kinds: Mapping[str, type[Part]], default: str) -> dict[str, Any]:
    """One part: the fields depend on its kind."""
    bodies = {}
    for name, kind in kinds.items():
        body = _record(kind, ("name",))
        body["properties"] = {"kind": {"const": name}, "repeat": _repeat(), **body["properties"]}
        bodies[name] = body
    branches: list[dict[str, Any]] = [
        {"if": {"properties": {"kind": {"const": name}}, "required": ["kind"]}, "then": body}
        for name, body in bodies.items()
    ]
    entry: dict[str, Any] = {
        "type": "object",
        "properties": {"kind": {"enum": list(kinds), "description": f"kind of {family}"}},
        "allOf": branches,
    }
    if default:
        # In a plane system bodies without a kind are planar, which the schema of one entry cannot see: either will do.
        meant = [bodies[name] for name in dict.fromkeys((default, "planar")) if name in bodies]
        branches.append({"if": {"not": {"required": ["kind"]}}, "then": {"anyOf": meant} if meant[1:] else meant[0]})
    else:
        entry["required"] = ["kind"]
    return entry


def _record(owner: type, skip: tuple[str, ...]) -> dict[str, Any]:
    hints = annotations_of(owner)
    properties, required, suffixed = {}, [], []
    for item in dataclasses.fields(owner):
        if item.name in skip or not item.init:
            continue
        properties[item.name] = _field(hints.get(item.name, Any), item.metadata)
        unit = item.metadata.get("unit", "")
        if unit != "":
            suffixed.append(item.name)
        if item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING:
            required.append(item.name)
        elif item.default is not dataclasses.MISSING and isinstance(item.default, bool | int | float | str):
            properties[item.name]["default"] = item.default
    schema = _object(properties)
    if suffixed:
        endings = "|".join(units.SUFFIXES)
        schema["patternProperties"] = {f"^({'|'.join(suffixed)})_({endings})$": {}}
    # A required field may come with a unit ending, so it is required under one of its names.
    need = [
        {"anyOf": [{"required": [name]}, *({"required": [f"{name}_{ending}"]} for ending in units.SUFFIXES)]}
        if name in suffixed
        else {"required": [name]}
        for name in required
    ]
    if need:
        schema["allOf"] = need
    return schema


def _field(kind: Any, metadata: Mapping[str, Any]) -> dict[str, Any]:
    unit = metadata.get("unit", "")
    choices = metadata.get("choices")
    if choices is not None:
        schema: dict[str, Any] = {"enum": list(choices)}
    elif metadata.get("refers_to"):
        schema = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
    else:
        schema = _type(kind, unit, metadata)
    text = metadata.get("meaning", "")
    if unit not in ("", "1"):
        text = f"{text} [{unit}]"
    return {**schema, "description": text} if text else schema


def _type(kind: Any, unit: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    origin = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_type(item, unit, metadata) for item in arguments]}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    plain = origin or kind
    if plain in (float, int):
        return _number(metadata)
    if plain is bool:
        return {"type": "boolean"}
    if plain is type(None):
        return {"type": "null"}
    if plain in (str, Path):
        return {"type": "string"}
    if plain in _LISTS:
        if plain is tuple and arguments and arguments[-1] is not Ellipsis:
            items = [_type(item, unit, {}) for item in arguments]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
        return {"type": "array", "items": _type(arguments[0], unit, {}) if arguments else {}}
    if isinstance(plain, type):
        if issubclass(plain, enum.Enum):
            return {"enum": [item.value for item in plain]}
        if issubclass(plain, Part):
            return {"type": "string"}
        if dataclasses.is_dataclass(plain):
            return _record(plain, ())
    return {}


def _number(metadata: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A number with its range, or a text with a unit or an expression."""
    said = metadata or {}
    number: dict[str, Any] = {"type": "number", **({"exclusiveMinimum": 0} if said.get("positive") else {})}
    number |= {name: said[name] for name in ("minimum", "maximum") if said.get(name) is not None}
    return {"anyOf": [number, dict(_QUANTITY)]}


def _repeat() -> dict[str, Any]:
    text = "this entry stands for many; use ${i} in its name and values"
    properties = {"count": _number(), "index": {"type": "string"}, "start": _number()}
    return {**_object(properties), "required": ["count"], "description": text}


def _change() -> dict[str, Any]:
    properties = {"at": _number(), "part": {"type": "string"}, "set": {"type": "object"}}
    return {**_object(properties), "required": list(properties)}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}

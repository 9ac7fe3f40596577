"""A scenario as YAML text. ``loads(dump(x)) == x`` for everything that can be written in a file."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from centrode.errors import Fault, InputError
from centrode.parts.part import Part
from centrode.parts.registry import section_of
from centrode.scenario.document import Scenario
from centrode.scenario.values import is_file_field
from centrode.system.builder import System
from centrode.system.settings import RunSettings

SCHEMA_VERSION = 1

_PLAIN_WORD = re.compile(r"[A-Za-z_][\w./-]*(?: [A-Za-z_(][\w./()-]*)*", re.ASCII)


def dump(scenario: Scenario | System) -> str:
    """YAML text of a scenario or a system.

    Raises:
        InputError: the system holds something that only Python can say (a function).
    """
    return emit(to_data(scenario))


def describe(scenario: Scenario | System) -> str:
    """Like :func:`dump`, but what only Python can say is named instead of refused."""
    faults: list[Fault] = []
    text = emit(to_data(scenario, faults))
    return "".join(f"# only in Python: {item.path}\n" for item in faults) + text


def to_data(scenario: Scenario | System, faults: list[Fault] | None = None) -> dict[str, Any]:
    """A scenario as plain dicts, lists and values, in the order of a scenario file. Defaults are left out.

    Args:
        scenario: what to write.
        faults: takes what only Python can say, so that it is named instead of refused.

    Raises:
        InputError: the system holds something that only Python can say (a function), and ``faults`` is not given.
    """
    found: list[Fault] = [] if faults is None else faults
    if isinstance(scenario, System):
        scenario = Scenario(scenario)
    system, folder = scenario.system, scenario.folder
    said = {"title": system.title, "description": scenario.description, "plane": system.plane}
    data: dict[str, Any] = {"centrode": SCHEMA_VERSION, **{key: value for key, value in said.items() if value}}
    data["gravity"] = list(system.gravity)
    if scenario.plugins:
        data["plugins"] = list(scenario.plugins)
    makers = {name for name, part in system.parts.items() if type(part).build is not Part.build}
    for name, part in system.parts.items():
        if any(name[:end] in makers for end, character in enumerate(name) if character == "."):
            continue  # made by its vehicle, and made again when the vehicle is loaded
        section = section_of(part.family)
        entry = {"kind": part.kind, **_fields(part, f"{section}.{name}", found, folder)}
        data.setdefault(section, {})[name] = entry
    settings = _fields(scenario.settings, "run", found, folder)
    if settings:
        data["run"] = settings
    if system.changes:
        data["changes"] = [
            {"at": item.at, "part": item.part, "set": _plain(item.set, f"changes.{item.part}", found)}
            for item in system.changes
        ]
    if found and faults is None:
        raise InputError(found)
    return data


def field_values(item: Part | RunSettings, defaults: bool = False) -> dict[str, object]:
    """All fields of a part but its name as plain values, or their defaults."""
    found: dict[str, object] = {}
    for entry in dataclasses.fields(item):
        if entry.name == "name" or not entry.init:
            continue
        value: object = vars(item)[entry.name]
        if defaults:
            made = entry.default_factory
            value = entry.default if made is dataclasses.MISSING else made()
        if value is not dataclasses.MISSING:
            found[entry.name] = _plain(value, entry.name, [])
    return found


def flow_text(value: object) -> str:
    """A value as YAML on one line."""
    return _flow(_plain(value, "", []))


def assignment(path: str, value: object) -> str:
    """A change as ``--set`` takes it."""
    return f"{path}={_flow(value)}"


def _fields(item: Part | RunSettings, path: str, faults: list[Fault], folder: Path) -> dict[str, Any]:
    """Fields that differ from their defaults; names of files relative to the scenario's folder."""
    found = {}
    for entry in dataclasses.fields(item):
        if entry.name == "name" or not entry.init:
            continue
        value = _plain(getattr(item, entry.name), f"{path}.{entry.name}", faults)
        if is_file_field(entry) and isinstance(value, str) and value:
            value = Path(os.path.relpath(value, folder)).as_posix()
        default: Any = dataclasses.MISSING
        if entry.default is not dataclasses.MISSING:
            default = entry.default
        elif entry.default_factory is not dataclasses.MISSING:
            default = entry.default_factory()
        if default is dataclasses.MISSING or not _same(value, _plain(default, path, [])):
            found[entry.name] = value
    return found


def _same(one: Any, two: Any) -> bool:
    """Equal in value and kind: 1 and True differ, 1 and 1.0 do not."""
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_same, one, two))
    return bool(one == two)


def _plain(value: Any, path: str, faults: list[Fault]) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value.replace("${", "$${")
    if isinstance(value, Part):
        return value.name
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Path):
        return value.as_posix()
    if isinstance(value, list | tuple):
        return [_plain(item, f"{path}[{index}]", faults) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {str(key): _plain(item, f"{path}.{key}", faults) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        named = getattr(value, "kind", None)
        kind = {"kind": named} if isinstance(named, str) and named else {}
        own = {
            item.name: _plain(getattr(value, item.name), f"{path}.{item.name}", faults)
            for item in dataclasses.fields(value)
        }
        return {**kind, **own}
    faults.append(Fault("cannot be written in a scenario file", path, got=type(value).__name__))
    code = getattr(value, "__code__", None)
    if code is None:
        return f"<{type(value).__name__}>"
    # Name and code, so that another function gives another text and another digest; no address, which never repeats.
    constants = [item for item in code.co_consts if isinstance(item, int | float | str)]
    mark = hashlib.sha256(code.co_code + repr((constants, code.co_names)).encode()).hexdigest()[:12]
    return f"<function {value.__name__} {mark}>"


def emit(data: Mapping[str, Any]) -> str:
    """Plain data as YAML: two spaces, short lists on one line, numbers that read back exactly."""
    lines: list[str] = []
    _emit_mapping(data, 0, lines)
    return "\n".join(lines) + "\n"


def _emit_mapping(data: Mapping[str, Any], depth: int, lines: list[str]) -> None:
    pad = "  " * depth
    for key, value in data.items():
        if isinstance(value, Mapping) and value:
            lines.append(f"{pad}{_scalar(str(key))}:")
            _emit_mapping(value, depth + 1, lines)
        elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
            lines.append(f"{pad}{_scalar(str(key))}:")
            for item in value:
                lines.append(f"{pad}  - {_flow(item)}")
        else:
            lines.append(f"{pad}{_scalar(str(key))}: {_flow(value)}")


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(str(key))}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return ".nan"
        if math.isinf(value):
            return ".inf" if value > 0 else "-.inf"
        return repr(value)
    if isinstance(value, int):
        return str(value)
    text = str(value)
    if _PLAIN_WORD.fullmatch(text) and text.lower() not in ("true", "false", "null", "yes", "no", "on", "off"):
        return text
    quoted = json.dumps(text, ensure_ascii=True)
    if re.search(r"\\u[dD][89abAB]", quoted):  # characters beyond 16 bits: YAML has its own escape for them
        quoted = '"' + "".join(_escaped(character) for character in text) + '"'
    return quoted


def _escaped(character: str) -> str:
    if ord(character) > 0xFFFF:
        return f"\\U{ord(character):08x}"
    return json.dumps(character, ensure_ascii=True)[1:-1]

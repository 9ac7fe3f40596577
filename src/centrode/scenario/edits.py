"""Changes to a scenario by dotted path: ``bodies.arm.mass=2``, ``run.step=1 ms``, ``bodies.arm.position.0=3``.

They are made in the tree of the file before anything is checked, so an edited scenario is checked like a written one.
Entries that a ``repeat`` makes can be edited one by one under their final names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from centrode import units
from centrode.errors import Fault, InputError, nearest_name
from centrode.scenario.tree import Node, node_from, parse
from centrode.scenario.values import Faults, read_fields


def parse_edits(assignments: Iterable[str]) -> dict[str, Any]:
    """Edits from texts "path=value", the value in YAML.

    Raises:
        InputError: a text without "=", or a value that is not YAML.
    """
    found: dict[str, Any] = {}
    faults: list[Fault] = []
    for text in assignments:
        path, sign, value = text.partition("=")
        if not sign or not path.strip():
            faults.append(Fault("not an assignment", got=text, expected="such as bodies.arm.mass=2"))
            continue
        try:
            found[path.strip()] = parse(value, "").plain() if value.strip() else None
        except InputError as error:
            faults += [Fault(item.what, path=path.strip(), got=value) for item in error.faults]
    if faults:
        raise InputError(faults)
    return found


def apply_to_tree(root: Node, edits: Mapping[str, Any], faults: Faults, general: tuple[str, ...]) -> dict[str, Any]:
    """Make the edits that the tree has a place for; the rest is returned for the entries that repeats make."""
    later: dict[str, Any] = {}
    for path, value in edits.items():
        keys = path_keys(path)
        if len(keys) == 1 or keys[0] in general:
            if len(keys) > 1 and keys[0] not in root.value:
                root.value[keys[0]] = Node({})
            _set(root, keys, value, path, faults)
            continue
        section = root.value.get(keys[0])
        if section is not None and isinstance(section.value, dict) and keys[1] in section.value:
            _set(root, keys, value, path, faults)
        else:
            later[path] = value
    return later


def apply_to_entries(edits: Mapping[str, Any], entries: Mapping[str, Node], faults: Faults) -> None:
    """Make edits in entries by their final names ("bodies.link3")."""
    for path, value in edits.items():
        keys = path_keys(path)
        entry = entries.get(".".join(keys[:2]))
        if entry is None or len(keys) < 3:
            near = nearest_name(".".join(keys[:2]), list(entries))
            faults.add("nothing to set under this path", path, 0, nearest=near)
            continue
        _set(entry, keys[2:], value, path, faults)


def read_some_fields(owner: type, node: Node, path: str, faults: Faults) -> dict[str, Any]:
    """Fields of a dataclass of which any may be left out."""
    inner = Faults(faults.file)
    found = read_fields(owner, node, path, inner, skip=("name",))
    faults.items += [item for item in inner.items if not (item.what.endswith("is missing") and item.path == path)]
    return found


def path_keys(path: str) -> list[str]:
    """The names and numbers of a dotted path."""
    return [key for key in re.split(r"[.\[\]]+", path) if key]


def _set(node: Node, keys: list[str], value: Any, path: str, faults: Faults) -> None:
    for depth, key in enumerate(keys[:-1]):
        child = _child(node, key)
        if child is None:
            near = nearest_name(key, list(node.value)) if isinstance(node.value, dict) else ""
            faults.add("nothing to set under this path", path, 0, got=".".join(keys[: depth + 1]), nearest=near)
            return
        node = child
    key = keys[-1]
    if isinstance(node.value, dict):
        # "steer=0.1" takes the place of "steer_deg: 3" and the other way round.
        for written in [item for item in node.value if item != key and _base(item) == _base(key)]:
            del node.value[written]
        node.value[key] = node_from(value, node.value[key].at if key in node.value else node.at)
    elif (child := _child(node, key)) is not None:
        node.value[int(key)] = node_from(value, child.line)
    else:
        faults.add("nothing to set under this path", path, 0, got=key)


def _child(node: Node, key: str) -> Node | None:
    if isinstance(node.value, list):
        return node.value[int(key)] if key.isdigit() and int(key) < len(node.value) else None
    return node.value.get(key) if isinstance(node.value, dict) else None


def _base(key: str) -> str:
    ending = units.split_suffix(key)
    return ending[0] if ending is not None else key

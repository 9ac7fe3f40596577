"""Entries that stand for many: ``repeat: {count: 10, index: i}`` and ``${...}`` in names and values.

::

    bodies:
      link${i}:
        repeat: {count: 10, index: i, start: 1}
        mass: 0.1
        position: ["${0.1 * i}", 0, 0]
    joints:
      hinge${i}:
        repeat: {count: 9, start: 1}
        kind: revolute
        a: link${i}
        b: link${i + 1}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from centrode.errors import InputError, nearest_name
from centrode.math.expressions import substitute
from centrode.scenario.tree import Node
from centrode.scenario.values import Faults

MOST = 100_000
"""Largest count of a repeat."""

_KEYS = ("count", "index", "start")


def expand(name: str, entry: Node, path: str, names: Mapping[str, float], faults: Faults) -> Iterator[tuple[str, Node]]:
    """All entries that one entry stands for, with expressions replaced by their values."""
    if not isinstance(entry.value, dict) or "repeat" not in entry.value:
        done = filled(entry, path, names, faults)
        title = filled(Node(name, entry.at), path, names, faults)
        if done is not None and title is not None:
            yield str(title.value), done
        return
    repeat = entry.value["repeat"]
    rest = Node({key: item for key, item in entry.value.items() if key != "repeat"}, entry.line, entry.key_line)
    counting = _counting(repeat, f"{path}.repeat", names, faults)
    if counting is None:
        return
    count, start, index = counting
    if "${" not in name:
        expected = f"such as '{name}${{{index}}}'"
        faults.add("a repeated name needs the index", path, entry.at, got=name, expected=expected)
        return
    for number in range(start, start + count):
        inner = {**names, index: number}
        title = filled(Node(name, entry.at), path, inner, faults)
        done = filled(rest, path, inner, faults)
        if title is None or done is None:
            return  # the same fault would come again for every index
        yield str(title.value), done


def filled(node: Node, path: str, names: Mapping[str, float], faults: Faults) -> Node | None:
    """The tree with every ``${...}`` replaced; None when one of them is at fault."""
    value: Any = node.value
    if isinstance(value, str):
        try:
            value = substitute(value, names)
        except InputError as error:
            faults.take(error, path, node.at)
            return None
        return node if value is node.value else Node(value, node.line, node.key_line)
    if isinstance(value, list):
        items = [filled(item, f"{path}[{index}]", names, faults) for index, item in enumerate(value)]
        return None if any(item is None for item in items) else Node(items, node.line, node.key_line)
    if isinstance(value, dict):
        entries = {key: filled(item, f"{path}.{key}", names, faults) for key, item in value.items()}
        return None if None in entries.values() else Node(entries, node.line, node.key_line)
    return node


def _counting(repeat: Node, path: str, names: Mapping[str, float], faults: Faults) -> tuple[int, int, str] | None:
    before = len(faults.items)
    done = filled(repeat, path, names, faults)
    if done is None:
        return None
    if not isinstance(done.value, dict):
        faults.add("not a mapping", path, repeat.at, got=done.plain(), expected="such as {count: 10, index: i}")
        return None
    for key, item in done.value.items():
        if key not in _KEYS:
            faults.add("unknown field", f"{path}.{key}", item.at, nearest=nearest_name(key, _KEYS))
    count = _whole(done.value.get("count"), 0, MOST, f"{path}.count", repeat.at, faults)
    start = _whole(done.value.get("start", Node(0)), -MOST, MOST, f"{path}.start", repeat.at, faults)
    index = done.value.get("index", Node("i")).value
    if not isinstance(index, str) or not re.fullmatch(r"[A-Za-z_]\w*", index):
        faults.add("not a name for an index", f"{path}.index", repeat.at, got=index, expected="such as i")
    return (count, start, str(index)) if len(faults.items) == before else None


def _whole(node: Node | None, low: int, high: int, path: str, line: int, faults: Faults) -> int:
    value = node.value if node is not None else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1 or not low <= value <= high:
        faults.add("not a whole number", path, line, got=value, expected=f"a whole number from {low} to {high}")
        return 0
    return int(value)

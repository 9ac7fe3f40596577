"""YAML text as a tree that remembers its lines.

YAML 1.2 (core schema): ``1e-3`` is a number, ``yes`` and ``on`` are words, keys that occur twice are faults. Anchors,
aliases and ``<<`` merges are understood. Everything that can be wrong with the text itself (not UTF-8, tabs, binary
junk, an empty or a giant file, nesting without end) ends as an :class:`InputError` with the line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from centrode.classes import dataclass
from centrode.errors import Fault, InputError
from centrode.scenario.slips import explained

LONGEST_TEXT = 4 << 20
"""Longest scenario text, in characters; tables of numbers belong in files of their own."""

_MOST_NODES = 400_000
_DEEPEST = 60
_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **{sign + word: math.inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **{"-" + word: -math.inf for word in (".inf", ".Inf", ".INF")},
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}
_PLAIN_TAGS = {"str", "int", "float", "bool", "null", "map", "seq", "merge", "timestamp", "value"}


@dataclass(frozen=True)
class Node:
    """A value and where it stands.

    Attributes:
        value: None, bool, int, float, str, list of nodes, or dict of key -> node.
        line: counted from 1; 0 when the value did not come from a text.
        key_line: line of the key, for entries of a mapping.
    """

    value: Any
    line: int = 0
    key_line: int = 0

    @property
    def at(self) -> int:
        """Line to show a user: that of the key when there is one."""
        return self.key_line or self.line

    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        return self.value


def node_from(data: Any, line: int = 0) -> Node:
    """A tree from plain data, all on one line."""
    if isinstance(data, Mapping):
        return Node({str(key): node_from(item, line) for key, item in data.items()}, line, line)
    if hasattr(data, "tolist"):
        data = data.tolist()
    if isinstance(data, list | tuple):
        return Node([node_from(item, line) for item in data], line, line)
    return Node(data, line, line)


def decode(raw: bytes, file: str = "") -> str:
    """Bytes of a scenario file as text."""
    if len(raw) > 4 * LONGEST_TEXT:
        raise InputError("the file is too large for a scenario", file=file, got=f"{len(raw)} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        what = "not a text file" if b"\0" in raw[:1000] else "not UTF-8 text"
        got = raw[error.start : error.end]
        raise InputError(what, file=file, line=line, got=got, hint="save it as UTF-8") from None


def parse(text: str, file: str = "", faults: list[Fault] | None = None) -> Node:
    """Read YAML text.

    Args:
        text: YAML.
        file: name to show in messages.
        faults: takes the faults with which the tree is still usable (a key given twice), so that a caller can go on
            and find more; without it they are raised.

    Raises:
        InputError: with the line of every fault found.
    """
    if len(text) > LONGEST_TEXT:
        size = {"got": f"{len(text)} characters", "expected": f"at most {LONGEST_TEXT}"}
        hint = "keep large tables in files of their own"
        raise InputError("the file is too large for a scenario", file=file, hint=hint, **size)
    root = _compose(text, file)
    if root is None:
        raise InputError("the file is empty", file=file, hint="'centrode new' writes one to start from")
    builder = _Builder(file)
    node = builder.build(root, 0)
    if builder.faults and faults is None:
        raise InputError(builder.faults)
    if faults is not None:
        faults += builder.faults
    return node


def _compose(text: str, file: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError

    try:
        return YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        slip = explained(error, text)
        raise InputError(f"not valid YAML: {slip.what}", file=file, line=slip.line, hint=slip.hint) from None
    except ReaderError as error:
        # The reader reads in portions, so the character itself is looked up for the line.
        position = text.find(chr(error.character)) if isinstance(error.character, int) else -1
        line = text.count("\n", 0, position) + 1 if position >= 0 else 0
        raise InputError("a character that YAML does not allow", file=file, line=line, got=error.character) from None
    except YAMLError as error:
        raise InputError(f"not valid YAML: {error}", file=file) from None
    except RecursionError:
        raise InputError("nested too deeply", file=file, expected=f"at most {_DEEPEST} levels") from None
    except Exception as error:  # the YAML library lets a few plain errors through on hostile text
        raise InputError(f"not valid YAML: {type(error).__name__}: {error}", file=file) from None


class _Builder:
    """Turns the library's nodes into ours, with bounds: aliases of aliases grow without limit."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.count = 0

    def build(self, node: Any, depth: int, key_line: int = 0) -> Node:
        line = node.start_mark.line + 1
        self.count += 1
        if self.count > _MOST_NODES:
            raise InputError([*self.faults, Fault("too many values", file=self.file, line=line)])
        if depth > _DEEPEST:
            deep = Fault("nested too deeply", file=self.file, line=line, expected=f"{_DEEPEST} levels")
            raise InputError([*self.faults, deep])
        tag = str(node.tag)
        if tag.rpartition(":")[2] not in _PLAIN_TAGS:
            self.fault("tags are not used in scenario files", line, tag)
        if node.id == "mapping":
            return Node(self.mapping(node, depth), line, key_line)
        if node.id == "sequence":
            return Node([self.build(item, depth + 1) for item in node.value], line, key_line)
        return Node(self.scalar(node, line), line, key_line)

    def mapping(self, node: Any, depth: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        merged: dict[str, Node] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.id != "scalar":
                self.fault("a key must be a name", line)
                continue
            name = str(key.value)
            child = self.build(value, depth + 1, line)
            if name == "<<" and key.style is None:
                self.merge(merged, child, line)
            elif name in found:
                self.fault("key given twice", line, name, f"first in line {found[name].key_line}")
            else:
                found[name] = child
        return {**{name: item for name, item in merged.items() if name not in found}, **found}

    def merge(self, merged: dict[str, Node], child: Node, line: int) -> None:
        for part in child.value if isinstance(child.value, list) else [child]:
            if not isinstance(part.value, dict):
                self.fault("'<<' takes a mapping", line)
                return
            for name, item in part.value.items():
                merged.setdefault(name, item)

    def scalar(self, node: Any, line: int) -> Any:
        text = str(node.value)
        if node.style is not None:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _INT.fullmatch(text):
            if len(text) <= 40:
                return int(text)
            self.fault("number out of range", line, text)
            return 0
        if _FLOAT.fullmatch(text):
            if not math.isfinite(float(text)):
                self.fault("number out of range", line, text)
            return float(text)
        if re.fullmatch(r"0x[0-9a-fA-F]{1,15}", text):
            return int(text, 16)
        return text

    def fault(self, what: str, line: int, got: object = None, hint: str = "") -> None:
        self.faults.append(Fault(what, file=self.file, line=line, got=got, hint=hint))

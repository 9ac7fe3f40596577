"""The keys of a scenario file that are not sections of parts: version, title, gravity, parameters, plugins, run."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

from centrode import units
from centrode.errors import InputError
from centrode.methods.method import find_method
from centrode.parts import registry
from centrode.scenario.repeats import filled
from centrode.scenario.tree import Node
from centrode.scenario.values import MISSING, Faults, convert, read_fields
from centrode.scenario.writing import SCHEMA_VERSION
from centrode.system.settings import RunSettings

GENERAL_KEYS = ("centrode", "title", "description", "gravity", "plane", "parameters", "plugins", "run", "changes")


def given(
    top: dict[str, Node], key: str, kind: type | tuple[type, ...], what: str, expected: str, faults: Faults
) -> Node | None:
    """The node of a key; None when it is left out or empty, and with a fault when its value is of another kind."""
    node = top.get(key)
    if node is None or node.value is None or isinstance(node.value, kind):
        return None if node is None or node.value is None else node
    faults.add(what, key, node.at, got=node.plain(), expected=expected)
    return None


class General:
    """What the general keys of a file say; whatever is wrong with them is noted in ``faults``.

    Attributes:
        title, description, plane, settings: as written, or their defaults.
        gravity: None when left out.
        names: parameters, for expressions.
        plugins: plugin files, relative to the scenario file.
    """

    def __init__(self, root: Node, faults: Faults, folder: Path, more_plugins: tuple[str, ...]) -> None:
        self.root, self.faults, self.folder = root, faults, folder
        self.top: dict[str, Node] = root.value
        self.names: dict[str, float] = {}
        self.check_version()
        self.plugins = self.read_plugins(more_plugins)
        self.read_parameters()
        self.title, self.description = self.read_text("title"), self.read_text("description")
        self.plane, self.gravity, self.settings = self.read_plane(), self.read_gravity(), self.read_settings()

    def check_version(self) -> None:
        node = self.top.get("centrode")
        if node is None:
            hint = f"begin with 'centrode: {SCHEMA_VERSION}'"
            self.faults.add("'centrode' is missing", "", self.root.line, hint=hint)
        elif isinstance(node.value, bool) or not isinstance(node.value, int) or node.value < 1:
            self.faults.add("unknown version", "centrode", node.at, got=node.plain(), expected=f"{SCHEMA_VERSION}")
        elif node.value > SCHEMA_VERSION:
            said = {"got": node.value, "expected": f"at most {SCHEMA_VERSION}", "hint": "upgrade Centrode"}
            self.faults.add("the file is for a newer Centrode", "centrode", node.at, **said)

    def read_plugins(self, more: tuple[str, ...]) -> tuple[str, ...]:
        node = given(self.top, "plugins", list, "not a list", "a list of Python files", self.faults)
        found: list[str] = []
        instead = {Path(item).name for item in more}
        for index, item in enumerate(node.value if node is not None else ()):
            if not isinstance(item.value, str):
                self.faults.add("not a file name", f"plugins[{index}]", item.line, got=item.plain())
            elif Path(item.value).name in instead and not (self.folder / item.value).is_file():
                pass  # it has moved, and was given from outside
            elif self.try_plugin(item.value, item.line, f"plugins[{index}]"):
                found.append(item.value)
        listed = {(self.folder / item).resolve() for item in found}
        further = [item for item in more if (self.folder / item).resolve() not in listed]
        return (*found, *(item for item in further if self.try_plugin(item, 0, "")))

    def try_plugin(self, name: str, line: int, path: str) -> bool:
        try:
            registry.load_plugin(self.folder / name)
        except InputError as error:
            for item in error.faults:
                if path and not item.line:  # the fault is in the list of plugins, not inside the plugin
                    item = dataclasses.replace(item, file=self.faults.file or item.file, line=line)
                self.faults.items.append(dataclasses.replace(item, path=path, got=item.got or name))
            return False
        except (OSError, ValueError) as error:
            self.faults.add(f"cannot read the plugin: {error}", path, line, got=name)
            return False
        return True

    def read_parameters(self) -> None:
        node = given(self.top, "parameters", dict, "not a mapping", "names with numbers", self.faults)
        for name, child in node.value.items() if node is not None else ():
            path = f"parameters.{name}"
            if not re.fullmatch(r"[A-Za-z_]\w*", name):
                self.faults.add("not a name for a parameter", path, child.at, expected="letters, digits and _")
                continue
            done = filled(child, path, self.names, self.faults)
            value: Any = done.value if done is not None else None
            if isinstance(value, str) and units.looks_like_quantity(value):
                try:
                    value = units.parse_quantity(value)[0]
                except InputError as error:
                    self.faults.take(error, path, child.line)
                    value = 0.0
            elif done is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
                self.faults.add("not a number", path, child.line, got=done.plain())
                value = 0.0
            self.names[name] = value if value is not None else 0.0

    def read_text(self, key: str) -> str:
        node = given(self.top, key, (str, int, float), "not a text", "a text", self.faults)
        return str(node.value) if node is not None else ""

    def read_plane(self) -> bool:
        node = given(self.top, "plane", bool, "not a switch", "true or false", self.faults)
        return node is not None and node.value

    def read_gravity(self) -> tuple[float, ...] | None:
        node = self.top.get("gravity")
        done = filled(node, "gravity", self.names, self.faults) if node is not None else None
        if node is None or done is None:
            return None
        value = convert(done, tuple[float, ...], {"unit": "m/s^2"}, "gravity", self.faults)
        if value is MISSING:
            return None
        if len(value) not in (2, 3) or not all(abs(item) < float("inf") for item in value):
            expected = "three finite numbers [m/s^2]"
            self.faults.add("not a gravity", "gravity", node.at, got=list(value), expected=expected)
            return None
        return tuple(value)

    def read_settings(self) -> RunSettings:
        node = given(self.top, "run", dict, "not a mapping", "such as {duration: 10 s}", self.faults)
        if node is None:
            return RunSettings()
        done = filled(node, "run", self.names, self.faults)
        if done is None:
            return RunSettings()
        settings = RunSettings(**read_fields(RunSettings, done, "run", self.faults))
        for fault in settings.faults():
            self.faults.locate(fault, "run", done)
        try:
            find_method(settings.method, [self.folder / item for item in self.plugins])
        except InputError as error:
            for fault in error.faults:
                self.faults.locate(dataclasses.replace(fault, path="run.method"), "run", done)
        return settings

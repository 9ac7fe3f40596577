"""The keys of a scenario file that are not sections of parts: version, title, gravity, parameters, plugins, run."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
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


@dataclass
class General:
    """What the general keys say.

    Attributes:
        gravity: None when left out.
        names: parameters, for expressions.
        plugins: plugin files, relative to the scenario file.
    """

    title: str
    description: str
    plane: bool
    gravity: tuple[float, ...] | None
    settings: RunSettings
    names: dict[str, float]
    plugins: tuple[str, ...]


def read_general(root: Node, faults: Faults, folder: Path, more_plugins: tuple[str, ...]) -> General:
    """Read the general keys; whatever is wrong with them is noted in ``faults``."""
    top: dict[str, Node] = root.value
    reader = _Reader(root, faults, folder, more_plugins)
    reader.check_version(top)
    plugins = reader.read_plugins(top)
    reader.plugins = [folder / item for item in plugins]
    reader.read_parameters(top)
    return General(
        title=reader.read_text(top, "title"),
        description=reader.read_text(top, "description"),
        plane=reader.read_plane(top),
        gravity=reader.read_gravity(top),
        settings=reader.read_settings(top),
        names=reader.names,
        plugins=plugins,
    )


class _Reader:
    def __init__(self, root: Node, faults: Faults, folder: Path, more_plugins: tuple[str, ...]) -> None:
        self.root, self.faults, self.folder, self.more_plugins = root, faults, folder, more_plugins
        self.names: dict[str, float] = {}
        self.plugins: list[Path] = []

    def check_version(self, top: dict[str, Node]) -> None:
        node = top.get("centrode")
        if node is None:
            self.faults.add(
                "'centrode' is missing", "", self.root.line, hint=f"begin with 'centrode: {SCHEMA_VERSION}'"
            )
        elif isinstance(node.value, bool) or not isinstance(node.value, int) or node.value < 1:
            self.faults.add("unknown version", "centrode", node.at, got=node.plain(), expected=f"{SCHEMA_VERSION}")
        elif node.value > SCHEMA_VERSION:
            self.faults.add(
                "the file is for a newer Centrode",
                "centrode",
                node.at,
                got=node.value,
                expected=f"at most {SCHEMA_VERSION}",
                hint="upgrade Centrode",
            )

    def read_plugins(self, top: dict[str, Node]) -> tuple[str, ...]:
        node = top.get("plugins")
        listed: list[Node] = []
        if node is not None and node.value is not None:
            if isinstance(node.value, list):
                listed = node.value
            else:
                self.faults.add("not a list", "plugins", node.at, got=node.plain(), expected="a list of Python files")
        found = []
        for index, item in enumerate(listed):
            if not isinstance(item.value, str):
                self.faults.add("not a file name", f"plugins[{index}]", item.line, got=item.plain())
            elif self.try_plugin(item.value, item.line, f"plugins[{index}]"):
                found.append(item.value)
        found += [item for item in self.more_plugins if item not in found and self.try_plugin(item, 0, "")]
        return tuple(found)

    def try_plugin(self, name: str, line: int, path: str) -> bool:
        try:
            registry.load_plugin(self.folder / name)
        except InputError as error:
            for item in error.faults:
                if not item.line:  # the fault is in the list of plugins, not inside the plugin
                    item = dataclasses.replace(item, file=self.faults.file or item.file, line=line)
                self.faults.items.append(dataclasses.replace(item, path=path, got=item.got or name))
            return False
        except (OSError, ValueError) as error:
            self.faults.add(f"cannot read the plugin: {error}", path, line, got=name)
            return False
        return True

    def read_parameters(self, top: dict[str, Node]) -> None:
        node = top.get("parameters")
        if node is None or node.value is None:
            return
        if not isinstance(node.value, dict):
            self.faults.add("not a mapping", "parameters", node.at, expected="names with numbers")
            return
        for name, child in node.value.items():
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

    def read_text(self, top: dict[str, Node], key: str) -> str:
        node = top.get(key)
        if node is None or node.value is None:
            return ""
        if isinstance(node.value, list | dict):
            self.faults.add("not a text", key, node.at, got=node.plain(), expected="a text")
            return ""
        return str(node.value)

    def read_plane(self, top: dict[str, Node]) -> bool:
        node = top.get("plane")
        if node is None:
            return False
        if not isinstance(node.value, bool):
            self.faults.add("not a switch", "plane", node.at, got=node.plain(), expected="true or false")
        return node.value is True

    def read_gravity(self, top: dict[str, Node]) -> tuple[float, ...] | None:
        node = top.get("gravity")
        if node is None:
            return None
        done = filled(node, "gravity", self.names, self.faults)
        if done is None:
            return None
        value = convert(done, tuple[float, ...], {"unit": "m/s^2"}, "gravity", self.faults)
        if value is MISSING:
            return None
        if len(value) not in (2, 3) or not all(abs(item) < float("inf") for item in value):
            self.faults.add(
                "not a gravity", "gravity", node.at, got=list(value), expected="three finite numbers [m/s^2]"
            )
            return None
        return tuple(value)

    def read_settings(self, top: dict[str, Node]) -> RunSettings:
        node = top.get("run")
        if node is None or node.value is None:
            return RunSettings()
        if not isinstance(node.value, dict):
            self.faults.add("not a mapping", "run", node.at, got=node.plain(), expected="such as {duration: 10 s}")
            return RunSettings()
        done = filled(node, "run", self.names, self.faults)
        if done is None:
            return RunSettings()
        settings = RunSettings(**read_fields(RunSettings, done, "run", self.faults))
        for fault in settings.faults():
            self.faults.locate(fault, "run", done)
        try:
            find_method(settings.method, self.plugins)
        except InputError as error:
            for fault in error.faults:
                self.faults.locate(dataclasses.replace(fault, path="run.method"), "run", done)
        return settings

"""From a scenario file to a scenario: every fault of the file at once, each with its line.

A scenario file::

    centrode: 1                       # version of the file format
    bodies:
      arm: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0.5, 0, 0]}
    joints:
      hinge: {kind: revolute, a: ground, b: arm, at: [0, 0, 0], axis: [0, 1, 0]}
    run: {duration: 10 s, step: 1 ms}

There is one section per family of parts (``bodies``, ``points``, ``joints``, ``forces``, ``roads``, ...), and besides
``plane``, ``description``, ``parameters`` (names for expressions), ``plugins`` (Python files with further kinds),
``run`` (see :class:`centrode.system.settings.RunSettings`) and ``changes`` (new parameter values at given times).
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import Any

from centrode.classes import dataclass
from centrode.errors import NO_SUCH_THING, CentrodeError, Fault, InputError, missing_package, nearest_name
from centrode.parts import registry
from centrode.parts.forces.force import Force
from centrode.parts.imports import Import
from centrode.parts.joints.joint import Joint
from centrode.parts.part import Part
from centrode.scenario import edits as editing
from centrode.scenario.document import Scenario
from centrode.scenario.general import GENERAL_KEYS, General, given
from centrode.scenario.repeats import expand, filled
from centrode.scenario.slips import misread_key
from centrode.scenario.tree import Node, decode, node_from, parse
from centrode.scenario.values import MISSING, Faults, convert, is_file_field, read_fields
from centrode.scenario.writing import SCHEMA_VERSION, emit
from centrode.system.builder import System, missing_reference, references_of
from centrode.system.scene import SystemScene
from centrode.texts import AnyPath

FAMILY_ORDER = tuple(
    "body point signal motion road tyre suspension contact_law import vehicle outline force joint controller".split()
)
"""Order in which parts are added, where references do not ask for another."""

_NAME = re.compile(r"\w[\w-]*")
RESERVED = {
    "ground": "the world, as a body",
    "time": "the time of a recording",
    "events": "the events of a recording",
    "final_state": "the last state in a recording",
    "energy": "the channels energy.kinetic, energy.total, ...",
    "constraint": "the channel constraint.residual",
    "work": "the channel work.joints",
}
"""Names that no part of a file can have, and what has them."""
_LARGEST_FILE = 16 << 20
_WRITTEN_IN_YAML = ("", ".yaml", ".yml", ".json")
_MAKERS = ("vehicle", "import")
"""Families whose parts make further parts, with names that begin with their own."""


def load(path: AnyPath, *, edits: Mapping[str, Any] | None = None, plugins: tuple[str, ...] = ()) -> Scenario:
    """Load a scenario file, or a file of another format that an import reads (:mod:`centrode.parts.imports`).

    Args:
        path: YAML file, or one with the ending of an import.
        edits: dotted path -> value, applied before anything is checked: ``{"bodies.arm.mass": 2}``.
        plugins: further plugin files, relative to the current folder.

    Raises:
        InputError: with every fault found.
    """
    file = Path(path)
    try:
        size = file.stat().st_size
        if size > _LARGEST_FILE:
            raise InputError("the file is too large for a scenario", file=str(path), got=f"{size} bytes")
        raw = file.read_bytes()
    except IsADirectoryError:
        raise InputError("a folder, not a scenario file", file=str(path)) from None
    except OSError as error:
        near = nearest_name(file.name, [item.name for item in file.parent.glob("*.y*ml")])
        raise InputError(f"cannot read the file: {error.strerror}", file=str(path), nearest=near) from None
    foreign = file.suffix.lower() not in _WRITTEN_IN_YAML
    text = _importing(file, plugins) if foreign else decode(raw, str(path))
    beside = tuple(os.path.relpath(Path(item).resolve(), file.parent.resolve()) for item in plugins)
    if not foreign:
        return loads(text, file=str(path), folder=file.parent, edits=edits, plugins=beside)
    faults = Faults(str(path))
    root = node_from(parse(text, str(path), faults.items).plain())  # without the lines of a text that nobody wrote
    return _Loader(root, text, faults, file.parent, dict(edits or {}), beside).scenario()


def _importing(file: Path, plugins: tuple[str, ...]) -> str:
    """A scenario that consists of one file of another format."""
    readers = registry.part_kinds("import", plugins)
    endings = {ending: kind for kind, item in readers.items() if issubclass(item, Import) for ending in item.endings}
    if file.suffix.lower() not in endings:
        expected = "a scenario file (.yaml), or one of " + ", ".join(endings)
        said = {"file": str(file), "got": file.suffix, "hint": "a plugin can bring a reader (--plugin)"}
        raise InputError("no reader for a file with this ending", expected=expected, **said)
    entry = {"kind": endings[file.suffix.lower()], "file": file.name}
    name = re.sub(r"[^\w-]|^-", "_", file.stem)
    try:
        reader = readers[entry["kind"]](name, file=str(file))  # type: ignore[call-arg]
        settings = reader.run_settings() if isinstance(reader, Import) else {}
    except CentrodeError:
        settings = {}  # what is wrong with the file is said when it is built, with its place
    data = {"centrode": SCHEMA_VERSION, "title": file.stem, "imports": {name: entry}}
    return emit({**data, "run": settings} if settings else data)


def loads(
    text: str,
    *,
    file: str = "",
    folder: AnyPath = ".",
    edits: Mapping[str, Any] | None = None,
    plugins: tuple[str, ...] = (),
) -> Scenario:
    """Load a scenario from text.

    Args:
        text: YAML.
        file: name to show in messages.
        folder: where relative paths start.
        edits: dotted path -> value.
        plugins: further plugin files, relative to ``folder``.
    """
    faults = Faults(file)
    root = parse(text, file, faults.items)
    return _Loader(root, text, faults, Path(folder), dict(edits or {}), plugins).scenario()


@dataclass
class _Entry:
    """One part of the file on its way to a part of the system."""

    family: str
    section: str
    name: str
    node: Node
    part: Part | None = None
    references: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        return f"{self.section}.{self.name}"


class _Loader:
    def __init__(
        self, root: Node, text: str, faults: Faults, folder: Path, edits: dict[str, Any], plugins: tuple[str, ...]
    ) -> None:
        self.text, self.faults, self.folder, self.edits = text, faults, folder, edits
        self.more_plugins = plugins
        self.root = root
        self.names: dict[str, float] = {}

    def scenario(self) -> Scenario:
        if not isinstance(self.root.value, dict):
            self.faults.add("not a scenario", "", self.root.line, expected="names with values, beginning 'centrode: 1'")
            self.faults.raise_any()
        later = editing.apply_to_tree(self.root, self.edits, self.faults, GENERAL_KEYS)
        top: dict[str, Node] = self.root.value
        general = General(self.root, self.faults, self.folder, self.more_plugins)
        self.names = general.names
        self.plugin_paths = [self.folder / item for item in general.plugins]
        families = registry.families(self.plugin_paths)
        sections = {registry.section_of(family): family for family in families}
        for key, node in top.items():
            if key not in GENERAL_KEYS and key not in sections:
                nearest = nearest_name(key, [*GENERAL_KEYS, *sections])
                self.faults.add("unknown section", key, node.at, nearest=nearest, hint=misread_key(key))
        entries = self.read_entries(top, sections)
        editing.apply_to_entries(later, {item.path: item.node for item in entries}, self.faults)
        names = {item.name for item in entries}
        for entry in entries:
            self.build_part(entry, families[entry.family], general.plane, names)
        self.check_references(entries)
        system = System(general.title, general.gravity, general.plane, self.plugin_paths)
        self.add_parts(system, entries)
        self.check_places(system, {item.name: item for item in entries})
        self.read_changes(top, system, {item.name: item for item in entries})
        self.faults.raise_any()
        return Scenario(
            system=system,
            settings=general.settings,
            description=general.description,
            plugins=general.plugins,
            folder=self.folder,
            # Plugins given from outside are no part of the text, so it is written anew.
            origin=self.text if not self.more_plugins else "",
            edits=self.edits if not self.more_plugins else {},
            file=self.faults.file,
            parameters=self.names,
            written={item.name: (item.path, item.node) for item in entries}
            | ({"run": ("run", top["run"])} if "run" in top else {}),
        )

    # -- parts -----------------------------------------------------------------------------------------------------

    def read_entries(self, top: dict[str, Node], sections: dict[str, str]) -> list[_Entry]:
        found: list[_Entry] = []
        seen: dict[str, str] = {}
        rank = {family: index for index, family in enumerate(FAMILY_ORDER)}
        order = sorted((key for key in top if key in sections), key=lambda key: rank.get(sections[key], len(rank)))
        for section in order:
            expected = f"names of {section} with their fields"
            node = given(top, section, dict, "not a mapping", expected, self.faults)
            for key, child in node.value.items() if node is not None else ():
                for name, entry in expand(key, child, f"{section}.{key}", self.names, self.faults):
                    if not _NAME.fullmatch(name):
                        allowed = "letters, digits, _ and - without dots"
                        self.faults.add("not a name", section, child.at, got=name, expected=allowed)
                    elif name in RESERVED:
                        hint = f"it names {RESERVED[name]}"
                        self.faults.add("this name is taken", section, child.at, got=name, hint=hint)
                    elif name in seen:
                        self.faults.add("name used twice", f"{section}.{name}", child.at, hint=f"also in {seen[name]}")
                    else:
                        seen[name] = section
                        found.append(_Entry(sections[section], section, name, entry))
        return found

    def build_part(self, entry: _Entry, kinds: Mapping[str, type[Part]], plane: bool, names: set[str]) -> None:
        node = entry.node
        if node.value is None:
            node = entry.node = Node({}, node.line, node.key_line)
        if not isinstance(node.value, dict):
            self.faults.add("not a mapping", entry.path, node.at, got=node.plain(), expected="fields with values")
            return
        kind = self.kind_of(entry, kinds, plane)
        if kind is None:
            return
        fields = Node({key: item for key, item in node.value.items() if key != "kind"}, node.line, node.key_line)
        before = len(self.faults.items)
        values = read_fields(kind, fields, entry.path, self.faults, skip=("name",), known_names=names)
        part: Part | None = None
        sound = len(self.faults.items) == before
        for item in dataclasses.fields(kind):
            if is_file_field(item) and isinstance(values.get(item.name), str) and values[item.name]:
                values[item.name] = (self.folder / values[item.name]).as_posix()
        try:
            part = kind(name=entry.name, **values)
            # With a field missing, rules between fields would complain without reason: ranges only.
            found = part.faults() if sound else Part.faults(part)
        except InputError as error:
            found = error.faults if sound else []
        except Exception as error:  # a plugin's own code, or a value that only its own check can judge
            said = missing_package(error) or f"{type(error).__name__}: {error}"
            found = [Fault(f"cannot be used: {said}", entry.name)] if sound else []
        for fault in found:
            self.faults.locate(fault, entry.path, node, entry.name)
        # A part with faults stays, so that its references are checked too; it is never added.
        entry.part = part

    def kind_of(self, entry: _Entry, kinds: Mapping[str, type[Part]], plane: bool) -> type[Part] | None:
        node = entry.node.value.get("kind")
        if node is None:
            name = "planar" if plane and entry.family == "body" and "planar" in kinds else ""
            name = name or registry.default_kind(entry.family, self.plugin_paths)
            if not name:
                hint = next(filter(None, map(misread_key, entry.node.value)), "")
                expected = "one of " + ", ".join(kinds)
                self.faults.add("'kind' is missing", entry.path, entry.node.at, expected=expected, hint=hint)
                return None
            return kinds[name]
        if not isinstance(node.value, str) or node.value not in kinds:
            said = {"got": node.plain(), "expected": "one of " + ", ".join(kinds)}
            near = nearest_name(str(node.value), list(kinds))
            said["hint"] = NO_SUCH_THING.get(str(node.value).lower(), "")
            self.faults.add(f"unknown kind of {entry.family}", f"{entry.path}.kind", node.at, nearest=near, **said)
            return None
        return kinds[node.value]

    def check_references(self, entries: list[_Entry]) -> None:
        """Every name that a part refers to must exist; what a vehicle makes is checked when it is made."""
        known = {item.name: item for item in entries}
        for entry in entries:
            if entry.part is None:
                continue
            for key, family, name in references_of(entry.part):
                if not isinstance(name, str) or name == "ground":
                    continue
                owner = name if name in known else name.split(".")[0]
                entry.references.append(owner)
                if owner not in known or (owner != name and known[owner].family not in _MAKERS):
                    said = missing_reference(name, family, {other.name: other.family for other in entries})
                    at = entry.node.value.get(key, entry.node).at
                    self.faults.add(f"unknown {family}", f"{entry.path}.{key}", at, got=name, **said)

    def add_parts(self, system: System, entries: list[_Entry]) -> None:
        """Add all parts, those that others refer to first, otherwise in the order of families and of the file."""
        if self.faults.items:
            return
        known = {item.name: item for item in entries}
        done: set[str] = set()
        failed: set[str] = set()
        for first in entries:
            waiting = [(first, iter(first.references))]
            entered = {first.name}
            while waiting:
                entry, rest = waiting[-1]
                following = next((known[name] for name in rest if name not in done and name not in entered), None)
                if following is not None:
                    entered.add(following.name)
                    waiting.append((following, iter(following.references)))
                    continue
                waiting.pop()
                if entry.name not in done:
                    done.add(entry.name)
                    before = len(self.faults.items)
                    # What needs a part that could not be built is no fault of its own.
                    if failed.isdisjoint(entry.references) and entry.part is not None:
                        with self.located(entry, "built"):
                            system.add(entry.part)
                    if len(self.faults.items) > before or entry.name not in system.parts:
                        failed.add(entry.name)

    @contextmanager
    def located(self, entry: _Entry, doing: str) -> Iterator[None]:
        """Note faults that show while a part is built or placed, with the line of its entry."""
        try:
            yield
        except InputError as error:
            found = error.faults
        except Exception as error:  # a plugin's own code
            found = [
                Fault(f"cannot be {doing}: {missing_package(error) or f'{type(error).__name__}: {error}'}", entry.name)
            ]
        else:
            return
        for fault in found:
            self.faults.locate(fault, entry.path, entry.node, entry.name)

    def check_places(self, system: System, entries: dict[str, _Entry]) -> None:
        """Let every part take its place, so that a fault of place is found here, where its line is known."""
        if self.faults.items:
            return
        scene = SystemScene(system)
        for name, part in system.parts.items():
            if not isinstance(part, Joint | Force):
                continue
            entry = entries[name if name in entries else name.split(".")[0]]
            with self.located(entry, "placed"):
                part.place(scene)

    def read_changes(self, top: dict[str, Node], system: System, entries: dict[str, _Entry]) -> None:
        expected = "such as - {at: 2 s, part: arm, set: {mass: 2}}"
        node = given(top, "changes", list, "not a list", expected, self.faults)
        for index, item in enumerate(node.value if node is not None else ()):
            path = f"changes[{index}]"
            done = filled(item, path, self.names, self.faults)
            if done is not None:
                self.read_change(done, path, system, entries)

    def read_change(self, node: Node, path: str, system: System, entries: dict[str, _Entry]) -> None:
        expected = "such as {at: 2 s, part: arm, set: {mass: 2}}"
        if not isinstance(node.value, dict) or set(node.value) != {"at", "part", "set"}:
            self.faults.add("not a change", path, node.at or node.line, got=node.plain(), expected=expected)
            return
        at = convert(node.value["at"], float, {"unit": "s"}, f"{path}.at", self.faults)
        name = node.value["part"].value
        part = system.parts.get(name) if isinstance(name, str) else None
        if part is None and isinstance(name, str) and name in entries:
            part = entries[name].part
        if part is None:
            if not (isinstance(name, str) and name in entries):  # a faulty part was reported already
                near = nearest_name(str(name), [*entries, *system.parts])
                self.faults.add("unknown part", f"{path}.part", node.value["part"].at, got=name, nearest=near)
            return
        values = node.value["set"]
        if not isinstance(values.value, dict):
            expected = "fields with values"
            self.faults.add("not a mapping", f"{path}.set", values.at, got=values.plain(), expected=expected)
            return
        before = len(self.faults.items)
        found = editing.read_some_fields(type(part), values, f"{path}.set", self.faults)
        if at is MISSING or len(self.faults.items) > before or name not in system.parts:
            return
        try:
            system.change(at, name, **found)
        except InputError as error:
            for fault in error.faults:
                self.faults.locate(fault, f"{path}.set", values, name)

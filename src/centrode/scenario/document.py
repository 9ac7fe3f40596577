"""A scenario: a system, how to run it, and the text it came from."""

from __future__ import annotations

import copy
import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any

from centrode.classes import dataclass
from centrode.errors import InputError
from centrode.parts.registry import load_plugin
from centrode.scenario.tree import Node
from centrode.scenario.values import Faults, is_file_field
from centrode.system.builder import System
from centrode.system.settings import RunSettings


@dataclass(eq=False)
class Scenario:
    """What a scenario file says; the same class when it is made in Python.

    Attributes:
        system, settings, description: the parts, how they are run, and free text.
        plugins: files with further kinds, relative to ``folder``.
        folder: where the scenario file lies; relative paths start here.
        origin: text as it was loaded; empty when made in Python.
        edits: what was changed after loading: dotted path -> value.
        file: name of the file, for messages.
        parameters: names for the expressions of the file, and their values.
        written: name of a part (or "run") -> its path in the file and the node with its lines.
    """

    system: System
    settings: RunSettings = field(default_factory=RunSettings)
    description: str = ""
    plugins: tuple[str, ...] = ()
    folder: Path = field(default_factory=Path, repr=False)
    origin: str = field(default="", repr=False)
    edits: dict[str, Any] = field(default_factory=dict, repr=False)
    file: str = field(default="", repr=False)
    parameters: dict[str, float] = field(default_factory=dict, repr=False)
    written: dict[str, tuple[str, Node]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """A system made in Python brings its plugins, or nobody could read its text again."""
        self.plugins = self.plugins or tuple(str(item) for item in self.system.plugins)

    @contextmanager
    def located(self) -> Iterator[None]:
        """Give faults that only show when the system is built or started the line of the file they come from."""
        try:
            yield
        except InputError as error:
            faults = Faults(self.file)
            for fault in error.faults:
                owner = fault.path.split(".")[0]
                if fault.file or owner not in self.written:
                    faults.items.append(fault)
                else:
                    path, node = self.written[owner]
                    faults.locate(fault, path, node, owner)
            faults.raise_any()
            raise

    @property
    def title(self) -> str:
        """One line for reports."""
        return self.system.title

    @property
    def text(self) -> str:
        """YAML text that gives this scenario again: the file itself, or a dump when it was edited or built.

        Where the system holds a Python function, the text names it and says so on top; it can be read by people only.
        """
        if self.origin and not self.edits:
            return self.origin
        from centrode.scenario.writing import describe

        return describe(self)

    @property
    def digest(self) -> str:
        """SHA-256 of the text, of all plugins and of all files that parts name: what a recording calls its input."""
        digest = hashlib.sha256(self.text.encode("utf-8"))
        for file in [self.folder / item for item in self.plugins] + self.files():
            if file.is_file():
                digest.update(hashlib.sha256(file.read_bytes()).digest())
        return digest.hexdigest()

    def files(self) -> list[Path]:
        """Files that parts name (roads, tyres), in the order of the parts."""
        named = [
            getattr(part, item.name)
            for part in self.system.parts.values()
            for item in fields(part)
            if is_file_field(item)
        ]
        return [Path(name) for name in named if isinstance(name, str) and name]

    def folder_from(self, recording: str | os.PathLike[str] | None) -> str:
        """Folder of the files that parts name, seen from a recording of this scenario; empty when there are none."""
        if recording is None or not self.files():
            return ""
        try:
            return Path(os.path.relpath(self.folder, Path(recording).parent)).as_posix()
        except ValueError:  # another drive
            return ""

    def edited(self, edits: Mapping[str, Any]) -> Scenario:
        """The same scenario with other values, checked again.

        Args:
            edits: dotted path -> value: ``{"bodies.arm.mass": 2.0, "run.step": "1 ms"}``.

        Raises:
            InputError: unknown path or a value that does not fit.
        """
        from centrode.scenario.loader import loads

        merged = {**self.edits, **edits} if self.origin else edits
        return loads(self.origin or self.text, folder=self.folder, edits=merged)

    def kept(self) -> Scenario:
        """The scenario as it is now, whatever is added to its system later: what a recording keeps."""
        system = copy.copy(self.system)
        system.parts, system.changes = dict(system.parts), list(system.changes)
        return replace(self, system=system)

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes, which know the kinds of plugins only once the plugins are loaded: these come first."""
        return _blank, (tuple(str((self.folder / item).resolve()) for item in self.plugins),), self.__dict__

    def __eq__(self, other: object) -> bool:
        """Same system, settings and description, however they were written."""
        if not isinstance(other, Scenario):
            return NotImplemented
        from centrode.scenario.writing import to_data

        return to_data(self, []) == to_data(other, [])

    __hash__ = None  # type: ignore[assignment]


def _blank(plugins: tuple[str, ...]) -> Scenario:
    """An empty scenario for unpickling, with its plugins loaded."""
    for item in plugins:
        load_plugin(item)
    return object.__new__(Scenario)

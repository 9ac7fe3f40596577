"""Imports: a file of another format becomes parts of a system.

A reader is a kind of the family ``import``, one file, also from a plugin. It names the endings it reads and builds the
parts; it is then used like any other part, or by the ending of a file on the command line::

    imports:
      arm: {kind: urdf, file: arm.urdf}          # centrode run arm.urdf does the same

Parts of an import go by names that begin with its own ("arm.link1"), as those of a vehicle do.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

from centrode.classes import dataclass
from centrode.parts.part import Part, quantity

if TYPE_CHECKING:
    from centrode.system.builder import System


@dataclass(frozen=True)
class Import(Part):
    """Base of the readers. A kind gives ``endings`` and :meth:`read`."""

    family: ClassVar[str] = "import"
    endings: ClassVar[tuple[str, ...]] = ()
    """Endings of files that are meant when only a file is named, such as (".urdf",)."""

    file: str = quantity("", "file to read")

    def read(self) -> System:
        """The file as a system of its own.

        Raises:
            InputError: with every fault of the file.
        """
        raise NotImplementedError

    def run_settings(self) -> dict[str, Any]:
        """Settings that a run of the file alone should have (method, step, ...); none unless a kind says so."""
        return {}

    def build(self, system: System) -> None:
        """Add what the file holds; what vehicles in it make is made again by them."""
        read = self.read()
        self._bring_gravity(read, system)
        system.notes += read.notes
        for name, part in read.parts.items():
            owner = name.split(".")[0]
            if owner == name or owner not in read.parts:
                system.add(dataclasses.replace(part, name=f"{self.name}.{name}", **self._references(part)))

    def _bring_gravity(self, read: System, system: System) -> None:
        """Gravity that the file states holds where the scenario states none; two files have to state the same."""
        if not read.gravity_from or system.gravity_from == "scenario":
            return
        if system.gravity_from and read.gravity != system.gravity:
            what = f"another gravity than in '{system.gravity_from}'"
            hint = "say in the scenario which holds, such as gravity: [0, 0, -9.81]"
            raise self.refusal("file", what, got=read.gravity, expected=str(system.gravity), hint=hint)
        system.gravity, system.gravity_from = read.gravity, self.name

    def _references(self, part: Part) -> dict[str, Any]:
        """Fields that name other parts of the file, with the names that these go by in the system."""
        found: dict[str, Any] = {}
        for item in dataclasses.fields(part):
            value = getattr(part, item.name)
            if item.metadata.get("refers_to") is None:
                continue
            if isinstance(value, str):
                found[item.name] = self._renamed(value)
            elif isinstance(value, list | tuple):
                found[item.name] = tuple(self._renamed(entry) for entry in value)
        return found

    def _renamed(self, name: str) -> str:
        return name if name == "ground" else f"{self.name}.{name}"

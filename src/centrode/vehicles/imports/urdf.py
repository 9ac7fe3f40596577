"""Robot descriptions (URDF) as an import; what becomes of a file is told in ``scenario/urdf.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.parts.imports import Import
from centrode.parts.part import quantity
from centrode.scenario.urdf import load_urdf
from centrode.system.builder import System


@dataclass(frozen=True)
class ImportUrdf(Import):
    """Robot description of the Robot Operating System: links become bodies, joints become joints."""

    kind: ClassVar[str] = "urdf"
    endings: ClassVar[tuple[str, ...]] = (".urdf",)

    fix_root: bool = quantity("", "hold the root link in the world", True)
    positions: dict[str, Any] = quantity("1", "values of joints at the start [rad or m]", default_factory=dict)

    def read(self) -> System:
        """The robot as a system."""
        return load_urdf(self.file, positions=self.positions, fix_root=self.fix_root).system

"""Robot descriptions (URDF) as an import; what is read of a file is told in ``scenario/robots/urdf.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.scenario.robots.building import RobotImport
from centrode.scenario.robots.urdf import load_urdf
from centrode.vehicles.imports.robot import RobotFile


@dataclass(frozen=True)
class ImportUrdf(RobotFile):
    """Robot description of the Robot Operating System: links become bodies, joints become joints."""

    kind: ClassVar[str] = "urdf"
    endings: ClassVar[tuple[str, ...]] = (".urdf",)

    def load(self) -> RobotImport:
        """The robot of the file."""
        return load_urdf(self.file, **self.options())

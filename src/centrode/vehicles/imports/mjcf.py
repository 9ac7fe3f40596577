"""Models of MuJoCo (MJCF) as an import; what is read of a file is told in ``scenario/robots/mjcf.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.scenario.robots.building import RobotImport
from centrode.scenario.robots.mjcf import load_mjcf
from centrode.vehicles.imports.robot import RobotFile


@dataclass(frozen=True)
class ImportMjcf(RobotFile):
    """Model of MuJoCo: bodies become bodies, joints become joints; the file itself says what is free."""

    kind: ClassVar[str] = "mjcf"
    endings: ClassVar[tuple[str, ...]] = (".mjcf", ".xml")

    def load(self) -> RobotImport:
        """The model of the file."""
        return load_mjcf(self.file, **self.options())

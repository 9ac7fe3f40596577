"""What imports of robots have in common: how the robot is placed, held and driven."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from centrode.parts.imports import Import
from centrode.parts.part import quantity
from centrode.parts.placement import orientation_field
from centrode.scenario.robots.building import RobotImport, RobotOptions
from centrode.system.builder import System


@dataclass(frozen=True)
class RobotFile(Import):
    """Base of robots from files."""

    fix_root: bool = quantity("", "hold the root link in the world", True)
    positions: dict[str, Any] = quantity("1", "values of joints at the start [rad or m]", default_factory=dict)
    rates: dict[str, Any] = quantity("1", "rates of joints at the start [rad/s or m/s]", default_factory=dict)
    position: tuple[float, float, float] = quantity("m", "place of the root link in the world", (0.0, 0.0, 0.0))
    orientation: Any = orientation_field(
        "root link in the world: quaternion (w, x, y, z) world from link, or 3 x 3 matrix"
    )
    ground: float | None = quantity("m", "height of a level ground that it stands on; none when left out", None)
    outlines: bool = quantity("", "collision shapes touch the outlines of others", False)
    stiffness: float = quantity(
        "N*m/rad|N/m", "gain of servos that hold all joints where they start; none for 0", 0.0, minimum=0.0
    )
    damping: float = quantity("N*m*s/rad|N*s/m", "damping of these servos", 0.0, minimum=0.0)

    def load(self) -> RobotImport:
        """The robot of the file.

        Raises:
            InputError: with every fault of the file.
        """
        raise NotImplementedError

    def read(self) -> System:
        """The robot as a system."""
        return self.load().system

    def run_settings(self) -> dict[str, Any]:
        """An implicit method where joints are braked faster than explicit ones can follow."""
        return self.load().run_settings()

    def options(self) -> dict[str, Any]:
        """Fields that say how the robot is taken into a system."""
        return {item.name: vars(self)[item.name] for item in fields(RobotOptions) if item.name in vars(self)}

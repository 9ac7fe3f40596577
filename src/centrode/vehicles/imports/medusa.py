"""The files of MEDUSA (1999) as an import: platoon.dat, with model.dat and road.dat beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from centrode.parts.imports import Import
from centrode.parts.part import quantity
from centrode.scenario.medusa.records import WIDTH
from centrode.system.builder import System
from centrode.vehicles.platoon import ROAD_STYLES, add_legacy, read_legacy


@dataclass(frozen=True)
class ImportMedusa(Import):
    """A platoon of cars on a road, from the three files of 1999."""

    kind: ClassVar[str] = "medusa"
    endings: ClassVar[tuple[str, ...]] = (".dat",)

    equilibrium: str = quantity("", "start of the springs", "true", choices=("true", "listed"))
    contact: bool = quantity("", "cars hit each other", True)
    parked: bool = quantity("", "wheels of cars with SPEED 0 and TIRE_SPEED 0 are locked", False)
    lag_turn: str = quantity("", "lag the short way round, or as the program", "short", choices=("short", "program"))
    tyre_range: str = quantity(
        "", "tyre in reverse and overloaded: as the program, or bounded", "program", choices=("program", "bounded")
    )
    road: str = quantity("", "interpolation of the road", "auto", choices=("auto", "report", "smooth"))
    width: float = quantity("m", "full width of the road: vehicles must start on it", WIDTH, positive=True)

    def read(self) -> System:
        """Road, cars and contact law as a system."""
        file = Path(self.file)
        system = System(f"Converted from {file.name}")
        chosen = self.values_of("equilibrium", "contact", "parked", "lag_turn", "tyre_range") | {
            "original_road": ROAD_STYLES[self.road]
        }
        add_legacy(system, *read_legacy(file.parent, file.name, self.equilibrium == "listed", self.width), **chosen)
        return system

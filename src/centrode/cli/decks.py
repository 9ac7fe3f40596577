"""Options that say how the files of 1999 are read, the same for every command that reads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

import centrode
from centrode.cli.options import flag, option
from centrode.errors import Fault, InputError
from centrode.texts import fortran_number

if TYPE_CHECKING:
    from centrode.scenario.medusa.records import LegacyModels, LegacyPlatoon, LegacyRoad

LEAST_RESTITUTION = 0.01


def positive_number(ctx: click.Context, option: click.Parameter, text: str | None) -> float | None:
    """A positive number as the manual writes it: 0.015, .2, 1.5E-2, 1.5D-2."""
    if text is None:
        return None
    value = fortran_number(text)
    if value is None or not 0.0 < value < float("inf"):
        expected = "such as 0.015 or 1.5E-2"
        raise InputError("not a positive number", path=str(option.opts[0]), got=text, expected=expected)
    return value


def _restitution(ctx: click.Context, option: click.Parameter, text: str | None) -> float:
    """A number from 0.01, the least that the law has, to 1; 0 when left out."""
    if text is None:
        return 0.0
    value = fortran_number(text)
    if value is None or not LEAST_RESTITUTION <= value <= 1.0:
        expected = f"a number from {LEAST_RESTITUTION:g} to 1"
        hint = "left out it is as measured on cars; --no-contact lets them pass through each other"
        raise InputError("not a restitution", path=str(option.opts[0]), got=text, expected=expected, hint=hint)
    return value


@dataclass(frozen=True)
class DeckOptions:
    """How the files of 1999 are read, and with which steps they run."""

    step: float = option("-d", "Fixed step [s].", "5e-05", type=str, callback=positive_number)
    save: float = option("-s", "Time between saved points [s].", "0.01", type=str, callback=positive_number)
    listed: bool = flag("--listed", "Start from the equilibrium that model.dat lists.")
    parked: bool = flag("--parked", "Lock the wheels of cars with SPEED 0 and TIRE_SPEED 0.")
    no_contact: bool = flag("--no-contact", "Let vehicles pass through each other.")
    front: float = option("--front", "Restitution of hits on front and rear.", type=str, callback=_restitution)
    side: float = option("--side", "Restitution where a side is hit.", type=str, callback=_restitution)
    lag: Literal["short", "program"] = option("--lag", "How the lagged slip angle turns.", "short")
    tyre: Literal["program", "bounded"] = option("--tyre", "The tyre in reverse and overloaded.", "program")
    road: Literal["auto", "report", "smooth"] = option("--road", "Interpolation of the road.", "auto")
    width: float = option("--width", "Full width of the road [m].", "40", type=str, callback=positive_number)
    assignments: tuple[str, ...] = option("--set", "Change a value: vehicles.car1.mass=900.", (), metavar="PATH=VALUE")
    plugins: tuple[str, ...] = option("--plugin", "Python file with further kinds of parts.", ())

    def read(self, file: Path) -> tuple[LegacyModels, LegacyPlatoon, LegacyRoad]:
        """The three files, checked."""
        from centrode.scenario.medusa.records import fold_of
        from centrode.vehicles.platoon import read_legacy

        decks = read_legacy(file.parent, file.name, self.listed, self.width, Path())
        if self.road == "report" and (folded := fold_of(decks[2])):
            what = f"the spline of 1999 folds back between points {folded} and {folded + 1}"
            expected = "points farther apart, or more even; --road smooth, a spline that does not swing up"
            line, got = decks[2].lines[folded], decks[2].points[folded]
            raise InputError(Fault(what, file=decks[2].file, line=line, got=got, expected=expected))
        return decks

    def scenario(
        self,
        decks: tuple[LegacyModels, LegacyPlatoon, LegacyRoad],
        title: str,
        duration: float,
        *,
        description: str = "",
    ) -> centrode.Scenario:
        """What the files and options say, with the user's changes."""
        from centrode.scenario.edits import parse_edits
        from centrode.scenario.loader import loads
        from centrode.vehicles.platoon import ROAD_STYLES, add_legacy, car_contact, legacy_settings

        system = centrode.System(title)
        add_legacy(
            system,
            *decks,
            equilibrium="listed" if self.listed else "true",
            contact=False if self.no_contact else car_contact(self.front, self.side),
            original_road=ROAD_STYLES[self.road],
            parked=self.parked,
            lag_turn=self.lag,
            tyre_range=self.tyre,
        )
        settings = legacy_settings(duration, self.step, self.save, audit=True)
        scenario = centrode.Scenario(system, settings, description)
        if self.assignments or self.plugins:
            return loads(scenario.text, edits=parse_edits(self.assignments), plugins=self.plugins)
        return scenario

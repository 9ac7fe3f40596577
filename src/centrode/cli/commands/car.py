"""``centrode car``: ISO manoeuvres of a car, with figures of merit and verdict."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

import click

import centrode
from centrode.cli.options import PLUGINS, flag, option, takes
from centrode.cli.output import emit_json, print_table
from centrode.errors import InputError, unknown_name

NAMES = ("steady-circle", "step-steer", "sine-with-dwell", "lane-change")


@dataclass(frozen=True)
class CarOptions:
    """Which car, how fast, and what to write."""

    scenario: str | None = option("--scenario", "Scenario file whose car is driven.", type=click.Path())
    name: str | None = option("--car", "Name of the car in it; the first one when left out.")
    chassis: Literal["rigid", "pseudo-rigid"] | None = option("--chassis", "Kind of chassis.")
    speed: float | None = option("--speed", "Speed [m/s].")
    course: str = option("--course", "iso3888-1 or iso3888-2 (lane-change).", "iso3888-2")
    fastest: bool = flag("--fastest", "Search the fastest speed that passes (lane-change).")
    plot: str | None = option("--plot", "Draw into a file (.png, .svg, .pdf).", type=click.Path())
    as_json: bool = flag("--json", "Print the figures as JSON.")


@click.command()
@click.argument("manoeuvre", type=click.Choice(NAMES))
@takes(CarOptions)
@PLUGINS
def command(manoeuvre: str, options: CarOptions, plugins: tuple[str, ...]) -> int:
    """Drive an ISO manoeuvre and print its figures of merit.

    \b
    Example:
      centrode car step-steer --speed 27.8
      centrode car lane-change --course iso3888-1 --fastest --plot change.svg

    Exit code 1 when the manoeuvre has a verdict and the car fails.
    """
    from centrode.studies import manoeuvres_road as road

    car, parts = _car(options.scenario, options.name, plugins)
    if options.chassis is not None:
        car = dataclasses.replace(car, chassis=options.chassis)
    if options.speed is not None and not 0.0 < options.speed < 150.0:
        expected = "between 0 and 150 m/s"
        raise InputError("not a speed for a manoeuvre", path="--speed", got=options.speed, expected=expected)
    speed = {} if options.speed is None else {"speed": options.speed}
    if manoeuvre != "lane-change":
        result = road.MANOEUVRES[manoeuvre](car, parts=parts, **speed)
    elif options.fastest:
        result = road.fastest_lane_change(car, options.course, parts=parts)
    else:
        result = road.lane_change(car, options.course, parts=parts, **speed)
    if options.plot is not None:
        from centrode.plots.car import figure_manoeuvre

        lanes = road.lanes(options.course, car.width) if manoeuvre == "lane-change" else []
        centrode.save_figure(figure_manoeuvre(result, lanes), options.plot)
    if options.as_json:
        files = [options.plot] if options.plot is not None else []
        said = {"manoeuvre": result.name, "passed": result.passed, "figures": result.figures, "notes": result.notes}
        emit_json({**said, "files": files})
    else:
        print_table(["figure", "value"], list(result.figures.items()), title=result.name)
        for note in result.notes:
            click.echo(f"note: {note}")
        if result.passed is not None:
            click.echo("passed" if result.passed else "failed")
        if options.plot is not None:
            click.echo(f"written: {options.plot}")
    return 1 if result.passed is False else 0


def _car(
    scenario: str | None, name: str | None, plugins: tuple[str, ...]
) -> tuple[centrode.Car, tuple[centrode.Part, ...]]:
    """The car to drive, and the parts of its scenario that it may refer to."""
    if scenario is None:
        return centrode.Car("car", chassis="rigid"), ()
    known = centrode.load(scenario, plugins=plugins).system.parts
    cars = {part.name: part for part in known.values() if isinstance(part, centrode.Car)}
    parts = tuple(p for p in known.values() if p.family in ("tyre", "suspension") and p.name.split(".")[0] not in cars)
    if not cars:
        raise InputError("no car of kind 'car' in the scenario", file=scenario)
    name = next(iter(cars)) if name is None else name
    if name not in cars:
        raise unknown_name("no car of this name", name, list(cars), path="--car")
    return cars[name], parts

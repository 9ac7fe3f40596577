"""``centrode car``: ISO manoeuvres of a car, with figures of merit and verdict."""

from __future__ import annotations

from typing import Any

import click

NAMES = ("steady-circle", "step-steer", "sine-with-dwell", "lane-change")


@click.command()
@click.argument("manoeuvre", type=click.Choice(NAMES))
@click.option("--scenario", type=click.Path(), default=None, help="Scenario file whose car is driven.")
@click.option("--car", "name", default=None, help="Name of the car in it; the first one when left out.")
@click.option("--chassis", type=click.Choice(["rigid", "pseudo-rigid"]), default=None, help="Kind of chassis.")
@click.option("--speed", type=float, default=None, help="Speed [m/s].")
@click.option("--course", default="iso3888-2", show_default=True, help="iso3888-1 or iso3888-2 (lane-change).")
@click.option("--fastest", is_flag=True, help="Search the fastest speed that passes (lane-change).")
@click.option("--plot", type=click.Path(), default=None, help="Draw into a file (.png, .svg, .pdf).")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    manoeuvre: str,
    scenario: str | None,
    name: str | None,
    chassis: str | None,
    speed: float | None,
    course: str,
    fastest: bool,
    plot: str | None,
    as_json: bool,
) -> int:
    """Drive an ISO manoeuvre and print its figures of merit.

    \b
    Example:
      centrode car step-steer --speed 27.8
      centrode car lane-change --course iso3888-1 --fastest --plot change.svg

    Exit code 1 when the manoeuvre has a verdict and the car fails.
    """
    import dataclasses

    from centrode.cli.output import emit_json, print_table
    from centrode.studies import manoeuvres_road as road

    car, parts = _car(scenario, name)
    if chassis is not None:
        car = dataclasses.replace(car, chassis=chassis)
    options: dict[str, Any] = {"parts": parts}
    if speed is not None:
        options["speed"] = _positive(speed)
    if manoeuvre == "lane-change":
        if fastest:
            result = road.fastest_lane_change(car, course, parts=parts)
        else:
            result = road.lane_change(car, course, **options)
    else:
        result = road.MANOEUVRES[manoeuvre](car, **options)
    if plot is not None:
        from centrode.plots.car import figure_manoeuvre
        from centrode.plots.figure import save_figure

        lanes = road.lanes(course, car.width) if manoeuvre == "lane-change" else []
        save_figure(figure_manoeuvre(result, lanes), plot)
    if as_json:
        emit_json(
            {
                "manoeuvre": result.name,
                "passed": result.passed,
                "figures": result.figures,
                "notes": result.notes,
                "files": [plot] if plot is not None else [],
            }
        )
    else:
        print_table(["figure", "value"], list(result.figures.items()), title=result.name)
        for note in result.notes:
            click.echo(f"note: {note}")
        if result.passed is not None:
            click.echo("passed" if result.passed else "failed")
        if plot is not None:
            click.echo(f"written: {plot}")
    return 1 if result.passed is False else 0


def _positive(speed: float) -> float:
    from centrode.errors import InputError

    if not 0.0 < speed < 150.0:
        raise InputError("not a speed for a manoeuvre", path="--speed", got=speed, expected="between 0 and 150 m/s")
    return speed


def _car(scenario: str | None, name: str | None):  # type: ignore[no-untyped-def]
    from centrode.errors import InputError, nearest_name
    from centrode.vehicles.car.car import Car

    if scenario is None:
        return Car("car", chassis="rigid"), ()
    from centrode.scenario.loader import load

    known = load(scenario).system.parts
    cars = {part.name: part for part in known.values() if isinstance(part, Car)}
    parts = tuple(p for p in known.values() if p.family in ("tyre", "suspension") and p.name.split(".")[0] not in cars)
    if not cars:
        raise InputError("no car of kind 'car' in the scenario", file=scenario)
    if name is None:
        return next(iter(cars.values())), parts
    if name not in cars:
        raise InputError("no car of this name", path="--car", got=name, nearest=nearest_name(name, list(cars)))
    return cars[name], parts

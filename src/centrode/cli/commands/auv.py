"""``centrode auv``: manoeuvres of underwater vehicles and their figures of merit. No physics here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


def _vehicle_options(function: Any) -> Any:
    """Which vehicle, and how it is asked for."""
    for option in reversed(
        (
            click.option(
                "--vehicle",
                type=click.Choice(["auv", "auv-remus"]),
                default="auv",
                show_default=True,
                help="The 6-DOF lecture's vehicle, or one like the REMUS 100.",
            ),
            click.option(
                "--profile", type=click.Choice(["full", "slide"]), default="full", show_default=True, help="Coriolis."
            ),
            click.option("--thrust", type=float, help="[N]. Default: 2 (auv), 3.86 (auv-remus)."),
            click.option(
                "--current",
                type=(float, float, float),
                default=(0.0, 0.0, 0.0),
                help="Velocity of the water, NED [m/s].",
            ),
            click.option("--layout", type=click.Choice(["plus", "cross"]), default="plus", help="Fins as + or x."),
            click.option("--settle", type=float, default=60.0, show_default=True, help="Straight run before [s]."),
            click.option("--figure", type=click.Path(path_type=Path), help="Draw it (PNG and SVG)."),
            click.option("--json", "as_json", is_flag=True, help="Write JSON."),
        )
    ):
        function = option(function)
    return function


@click.group()
def command() -> None:
    """Manoeuvre an underwater vehicle: turning circle, zig-zag, spiral, dive, path of waypoints."""


@command.command("turning-circle")
@click.option("--rudder-deg", type=float, default=5.0, show_default=True, help="Positive to starboard.")
@click.option("--duration", type=float, default=300.0, show_default=True, help="Of the turn [s].")
@_vehicle_options
def turning_circle(rudder_deg: float, duration: float, **options: Any) -> None:
    """Advance, transfer, tactical diameter; radius, drift and speed of the steady turn."""
    import math

    def measure(study: Any, auv: Any) -> Any:
        return study.turning_circle(auv, math.radians(rudder_deg), options["settle"], duration)

    _manoeuvre("turning circle", measure, options)


@command.command("zig-zag")
@click.option("--rudder-deg", type=float, default=10.0, show_default=True, help="Rudder.")
@click.option(
    "--switch-deg", type=float, default=10.0, show_default=True, help="Change of heading at which to reverse."
)
@click.option("--duration", type=float, default=60.0, show_default=True, help="[s].")
@_vehicle_options
def zig_zag(rudder_deg: float, switch_deg: float, duration: float, **options: Any) -> None:
    """Overshoot angles, time to the first reversal, period."""
    import math

    def measure(study: Any, auv: Any) -> Any:
        return study.zig_zag(auv, math.radians(rudder_deg), math.radians(switch_deg), options["settle"], duration)

    _manoeuvre("zig-zag", measure, options)


@command.command()
@click.option("--rudder-deg", type=float, default=15.0, show_default=True, help="Largest rudder.")
@click.option("--count", type=int, default=7, show_default=True, help="Rudder angles each way, odd.")
@click.option("--hold", type=float, default=60.0, show_default=True, help="Time at each [s].")
@_vehicle_options
def spiral(rudder_deg: float, count: int, hold: float, **options: Any) -> None:
    """Steady yaw rate over rudder, down and up; hysteresis."""
    import math

    def measure(study: Any, auv: Any) -> Any:
        return study.spiral(auv, math.radians(rudder_deg), count, hold, options["settle"])

    _manoeuvre("spiral", measure, options)


@command.command()
@click.option("--depth", type=float, default=5.0, show_default=True, help="Step of the wanted depth [m].")
@click.option("--duration", type=float, default=120.0, show_default=True, help="[s].")
@_vehicle_options
def dive(depth: float, duration: float, **options: Any) -> None:
    """Rise time, overshoot, settling time and pitch of a dive under the autopilot."""

    def measure(study: Any, auv: Any) -> Any:
        return study.dive(auv, depth, options["settle"], duration)

    _manoeuvre("dive", measure, options)


@command.command()
@click.option("--waypoint", "waypoints", type=(float, float), multiple=True, help="North, east [m]; two or more.")
@click.option("--speed", type=float, help="Wanted speed [m/s]; constant thrust when left out.")
@click.option("--look-ahead", type=float, default=10.0, show_default=True, help="[m].")
@click.option("--integral", type=float, default=0.0, show_default=True, help="Integral action against currents [m/s].")
@click.option("--duration", type=float, default=200.0, show_default=True, help="[s].")
@_vehicle_options
def path(
    waypoints: tuple[tuple[float, float], ...],
    speed: float | None,
    look_ahead: float,
    integral: float,
    duration: float,
    **options: Any,
) -> None:
    """Follow waypoints by line of sight; cross-track error."""
    rows = waypoints or ((0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (150.0, 60.0))

    def measure(study: Any, auv: Any) -> Any:
        return study.follow_path(auv, rows, duration, speed=speed, look_ahead=look_ahead, integral=integral)

    _manoeuvre("path", measure, options)


def _manoeuvre(name: str, measure: Any, options: dict[str, Any]) -> None:
    """Run one manoeuvre and write its figures of merit."""
    import dataclasses

    from centrode.cli.output import emit_json, print_table, progress

    with progress(name, quiet=options["as_json"]):
        from centrode.parts.registry import find
        from centrode.studies import manoeuvres_marine as study

        kind: Any = find("vehicle", options["vehicle"])
        default = 2.0 if options["vehicle"] == "auv" else 3.86
        auv = kind(
            "auv",
            profile=options["profile"],
            thrust=default if options["thrust"] is None else options["thrust"],
            current=options["current"],
            fin_layout=options["layout"],
        ).checked()
        result = measure(study, auv)
    files: list[str] = []
    if options["figure"] is not None:
        from centrode.plots.figure import save_pair
        from centrode.plots.marine import figure_manoeuvre

        figure = figure_manoeuvre(name, result)
        files = [str(file) for file in save_pair(figure, options["figure"].parent, options["figure"].stem)]
    found = {item.name: getattr(result, item.name) for item in dataclasses.fields(result) if item.name != "track"}
    found = {"manoeuvre": name, "vehicle": options["vehicle"], "profile": options["profile"], **found}
    if options["as_json"]:
        emit_json({**found, "figures": files})
        return
    print_table(["figure", "value", "unit"], _rows(found), title=f"{name} of {options['vehicle']}")
    for file in files:
        click.echo(file)


_ANGLES = {"rudder", "drift", "switch", "overshoots", "largest_pitch", "rudders"}
_RATES = {"yaw_rate", "down", "up", "hysteresis"}
_TIMES = {"time_90", "time_180", "initial_turning_time", "period", "rise_time", "settling_time"}
_SPEEDS = {"speed", "approach_speed"}
_LENGTHS = {
    "advance",
    "transfer",
    "tactical_diameter",
    "radius",
    "depth",
    "overshoot",
    "steady_error",
    "rms_error",
    "largest_error",
    "last_error",
}


def _rows(found: dict[str, Any]) -> list[list[Any]]:
    """Figures with units; angles and rates in degrees for reading."""
    import math

    rows: list[list[Any]] = []
    for name, value in found.items():
        units = ((_ANGLES, "deg"), (_RATES, "deg/s"), (_TIMES, "s"), (_SPEEDS, "m/s"), (_LENGTHS, "m"))
        unit = next((text for names, text in units if name in names), "")
        scale = math.degrees(1.0) if unit.startswith("deg") else 1.0
        if isinstance(value, tuple):
            shown = " ".join(f"{item * scale:.4g}" if not isinstance(item, tuple) else str(item) for item in value)
            rows.append([name.replace("_", " "), shown, unit])
        elif isinstance(value, float):
            rows.append([name.replace("_", " "), value * scale, unit])
        else:
            rows.append([name.replace("_", " "), value, unit])
    return rows

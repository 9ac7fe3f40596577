"""``centrode auv``: manoeuvres of underwater vehicles and their figures of merit. No physics here."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from centrode.cli.options import flag, option, takes
from centrode.cli.output import emit_json, print_table, progress, save_figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class VehicleOptions:
    """Which vehicle, and what to write."""

    vehicle: Literal["auv", "auv-remus"] = option("--vehicle", "Of the 6-DOF lecture, or like the REMUS 100.", "auv")
    profile: Literal["full", "slide"] = option("--profile", "Coriolis.", "full")
    thrust: float | None = option("--thrust", "[N]. Default: 2 (auv), 3.86 (auv-remus).")
    current: tuple[float, float, float] = option("--current", "Velocity of the water, NED [m/s].", (0.0, 0.0, 0.0))
    layout: Literal["plus", "cross"] = option("--layout", "Fins as + or x.", "plus")
    settle: float = option("--settle", "Straight run before [s].", 60.0)
    figure: Path | None = option("--figure", "Draw it (PNG and SVG).")
    as_json: bool = flag("--json", "Write JSON.")


@click.group()
def command() -> None:
    """Manoeuvre an underwater vehicle: turning circle, zig-zag, spiral, dive, path of waypoints."""


@command.command("turning-circle")
@click.option("--rudder-deg", type=float, default=5.0, show_default=True, help="Positive to starboard.")
@click.option("--duration", type=float, default=300.0, show_default=True, help="Of the turn [s].")
@takes(VehicleOptions)
def turning_circle(rudder_deg: float, duration: float, options: VehicleOptions) -> None:
    """Advance, transfer, tactical diameter; radius, drift and speed of the steady turn."""
    rudder = math.radians(rudder_deg)
    _manoeuvre("turning circle", options, lambda s, auv: s.turning_circle(auv, rudder, options.settle, duration))


@command.command("zig-zag")
@click.option("--rudder-deg", type=float, default=10.0, show_default=True, help="Rudder.")
@click.option("--switch-deg", type=float, default=10.0, show_default=True, help="Change of heading to reverse at.")
@click.option("--duration", type=float, default=60.0, show_default=True, help="[s].")
@takes(VehicleOptions)
def zig_zag(rudder_deg: float, switch_deg: float, duration: float, options: VehicleOptions) -> None:
    """Overshoot angles, time to the first reversal, period."""
    rudder, switch = math.radians(rudder_deg), math.radians(switch_deg)
    _manoeuvre("zig-zag", options, lambda s, auv: s.zig_zag(auv, rudder, switch, options.settle, duration))


@command.command()
@click.option("--rudder-deg", type=float, default=15.0, show_default=True, help="Largest rudder.")
@click.option("--count", type=int, default=7, show_default=True, help="Rudder angles each way, odd.")
@click.option("--hold", type=float, default=60.0, show_default=True, help="Time at each [s].")
@takes(VehicleOptions)
def spiral(rudder_deg: float, count: int, hold: float, options: VehicleOptions) -> None:
    """Steady yaw rate over rudder, down and up; hysteresis."""
    rudder = math.radians(rudder_deg)
    _manoeuvre("spiral", options, lambda s, auv: s.spiral(auv, rudder, count, hold, options.settle))


@command.command()
@click.option("--depth", type=float, default=5.0, show_default=True, help="Step of the wanted depth [m].")
@click.option("--duration", type=float, default=120.0, show_default=True, help="[s].")
@takes(VehicleOptions)
def dive(depth: float, duration: float, options: VehicleOptions) -> None:
    """Rise time, overshoot, settling time and pitch of a dive under the autopilot."""
    _manoeuvre("dive", options, lambda s, auv: s.dive(auv, depth, options.settle, duration))


@command.command()
@click.option("--waypoint", "waypoints", type=(float, float), multiple=True, help="North, east [m]; two or more.")
@click.option("--speed", type=float, help="Wanted speed [m/s]; constant thrust when left out.")
@click.option("--look-ahead", type=float, default=10.0, show_default=True, help="[m].")
@click.option("--integral", type=float, default=0.0, show_default=True, help="Integral action against currents [m/s].")
@click.option("--duration", type=float, default=200.0, show_default=True, help="[s].")
@takes(VehicleOptions)
def path(
    waypoints: tuple[tuple[float, float], ...],
    speed: float | None,
    look_ahead: float,
    integral: float,
    duration: float,
    options: VehicleOptions,
) -> None:
    """Follow waypoints by line of sight; cross-track error."""
    rows = waypoints or ((0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (150.0, 60.0))

    steering = {"speed": speed, "look_ahead": look_ahead, "integral": integral}
    _manoeuvre("path", options, lambda s, auv: s.follow_path(auv, rows, duration, **steering))


def _manoeuvre(name: str, options: VehicleOptions, measure: Callable[[Any, Any], Any]) -> None:
    """Run one manoeuvre and write its figures of merit."""
    with progress(name, quiet=options.as_json):
        from centrode.parts.registry import find
        from centrode.studies import manoeuvres_marine as study

        kind: Any = find("vehicle", options.vehicle)
        default = 2.0 if options.vehicle == "auv" else 3.86
        thrust = default if options.thrust is None else options.thrust
        chosen = {"profile": options.profile, "current": options.current, "fin_layout": options.layout}
        result = measure(study, kind("auv", thrust=thrust, **chosen).checked())

    def drawn() -> Figure:
        from centrode.plots.marine import figure_manoeuvre

        return figure_manoeuvre(name, result)

    files = save_figures(options.figure, drawn)
    found = {item.name: getattr(result, item.name) for item in dataclasses.fields(result) if item.name != "track"}
    found = {"manoeuvre": name, "vehicle": options.vehicle, "profile": options.profile, **found}
    if options.as_json:
        emit_json({**found, "figures": files})
        return
    print_table(["figure", "value", "unit"], _rows(found), title=f"{name} of {options.vehicle}")
    for file in files:
        click.echo(file)


_UNITS = {
    "deg": "rudder drift switch overshoots largest_pitch rudders",
    "deg/s": "yaw_rate down up hysteresis",
    "s": "time_90 time_180 initial_turning_time period rise_time settling_time",
    "m/s": "speed approach_speed",
    "m": "advance transfer tactical_diameter radius depth overshoot steady_error rms_error largest_error last_error",
}
"""Unit for reading -> figures of merit that have it."""


def _rows(found: dict[str, Any]) -> list[list[Any]]:
    """Figures with units; angles and rates in degrees for reading."""
    rows: list[list[Any]] = []
    for name, value in found.items():
        unit = next((text for text, names in _UNITS.items() if name in names.split()), "")
        scale = math.degrees(1.0) if unit.startswith("deg") else 1.0
        if isinstance(value, tuple):
            value = " ".join(f"{item * scale:.4g}" if not isinstance(item, tuple) else str(item) for item in value)
        elif isinstance(value, float):
            value *= scale
        rows.append([name.replace("_", " "), value, unit])
    return rows

"""``centrode tyre``: what a tyre file or a kind of tyre holds, in numbers and figures. No physics here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from centrode import units
from centrode.cli.options import ASSIGNMENTS, PLUGINS, flag, named_numbers, option, takes
from centrode.cli.output import emit_json, print_table, show
from centrode.errors import InputError

if TYPE_CHECKING:
    from centrode.studies.tyre_sheet import TyreSheet


@dataclass(frozen=True)
class TyreOptions:
    """At which state, and what to write."""

    load: str | None = option("--load", "Load [N], or such as '4 kN'; also half and one and a half of it.")
    camber_deg: float = option("--camber-deg", "Camber, positive when the top leans to the right [deg].", 0.0)
    pressure: str | None = option("--pressure", "Inflation pressure [Pa], or such as '2.4 bar'.")
    figure: Path | None = option("--figure", "Draw curves, combined slip and carpet: .png, .svg, .pdf or .html.")
    as_json: bool = flag("--json", "Print the result as JSON.")


@click.command()
@click.argument("tyre", required=False)
@PLUGINS
@ASSIGNMENTS
@takes(TyreOptions)
def command(tyre: str | None, plugins: tuple[str, ...], assignments: tuple[str, ...], options: TyreOptions) -> int:
    """Show a tyre: a .tir file, or a kind by its name.

    \b
    Example:
      centrode tyre
      centrode tyre front.tir --figure front.png
      centrode tyre front.tir --load '3 kN' --camber-deg 2 --pressure '2.4 bar'
      centrode tyre calspan
      centrode tyre brush --set cornering_stiffness=8e4
      centrode tyre dugoff --plugin dugoff.py

    Without a name: the kinds of tyres. A file is read in any dialect of the Magic Formula (MF 5.0 to 6.2, PAC2002,
    PAC89, PAC94), and what is odd in it is told.
    """
    if tyre is None:
        from centrode.parts import registry

        kinds = registry.part_kinds("tyre", plugins)
        texts = {name: (kind.__doc__ or "").partition("\n")[0] for name, kind in kinds.items()}
        show(texts, ["kind", "what it is"], texts.items(), as_json=options.as_json)
        return 0
    from centrode.studies.tyre_sheet import tyre_of, tyre_sheet

    load = None if options.load is None else _number(options.load, "N", "--load")
    pressure = None if options.pressure is None else _number(options.pressure, "Pa", "--pressure")
    if pressure is not None and not 0.0 < pressure < 1.0e9:
        raise InputError("not a pressure of a tyre", path="--pressure", got=options.pressure, expected="above 0")
    chosen = tyre_of(tyre, pressure, named_numbers(assignments, "NAME=NUMBER"), plugins)
    sheet = tyre_sheet(chosen, load, math.radians(options.camber_deg))
    if options.as_json:
        said = {name: value for name, value in vars(sheet).items() if name != "tyre"}
        emit_json({**said, "figure": _drawn(sheet, options.figure)})
        return 0
    _print(sheet)
    drawn = _drawn(sheet, options.figure)
    if drawn:
        click.echo(f"wrote {drawn}")
    return 0


def _number(text: str, unit: str, path: str) -> float:
    """A number in SI, or a text with a unit."""
    try:
        value = units.to_unit(text, unit)
    except (InputError, ValueError):
        raise InputError(
            "not a quantity", path=path, got=text, expected=f"a number in {unit}, or with a unit"
        ) from None
    if not math.isfinite(value):
        raise InputError("not a finite number", path=path, got=text)
    return value


def _drawn(sheet: TyreSheet, target: Path | None) -> str | None:
    """Draw the figure when one is wanted; the file written."""
    if target is None:
        return None
    from centrode.plots.figure import save_figure
    from centrode.plots.tyre import figure_tyre

    try:
        return str(save_figure(figure_tyre(sheet), target))
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", path="--figure", got=str(target)) from error


def _print(sheet: TyreSheet) -> None:
    """The sheet for people."""
    facts = {
        "kind": sheet.kind + (f", {sheet.dialect}" if sheet.dialect else ""),
        "size": sheet.size,
        "nominal load": f"{sheet.nominal_load:.6g} N" if sheet.nominal_load else "",
        "pressure": f"{1e-5 * sheet.pressure:.4g} bar" if sheet.pressure else "",
        "camber": f"{math.degrees(sheet.camber):g} deg" if sheet.camber else "",
        **{f"range of {name}": f"{low:.6g} to {high:.6g}" for name, (low, high) in sheet.ranges.items()},
    }
    click.echo(sheet.name)
    for name, text in facts.items():
        if text:
            click.echo(f"  {name + ':':<28}{text}")
    click.echo()
    columns = {
        "load [N]": lambda point: point.load,
        "Kx [kN]": lambda point: 1e-3 * point.slip_stiffness,
        "Ky [kN/rad]": lambda point: 1e-3 * point.cornering_stiffness,
        "camber [kN/rad]": lambda point: 1e-3 * point.camber_stiffness,
        "trail [mm]": lambda point: 1e3 * point.trail,
        "driving [1]": lambda point: point.driving,
        "at slip [%]": lambda point: 100.0 * point.driving_slip,
        "braking [1]": lambda point: point.braking,
        "at [%]": lambda point: 100.0 * point.braking_slip,
        "cornering [1]": lambda point: point.cornering,
        "at [deg]": lambda point: math.degrees(point.cornering_angle),
    }
    print_table(
        columns, sheet.points, caption="Kx, Ky: slopes at the origin; driving, braking, cornering: peak friction"
    )
    for note in sheet.notes:
        click.echo(f"note: {note}")

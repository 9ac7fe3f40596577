"""``centrode medusa``: the program of 1999 with its own files and options, corrected."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

import centrode
from centrode.cli.options import flag, option, takes
from centrode.cli.output import remark
from centrode.errors import InputError

HELP = """The command line options are:

-h prints this list
-dx.xxx set fixed stepsize to x.xxx [s] (default: 5e-05)
-ffile parameter file (default: platoon.dat)
-tx.xx simulation ends at x.xx [s] (mandatory)
-sx.xx save data point every x.xx [s] (default: 0.01)

--listed start from the EQUILIBRIUM that model.dat lists, as the program of 1999 did
--no-contact let vehicles pass through each other
--road KIND report: the spline of 1999; smooth: one that does not overshoot; auto (default): that of 1999 for four
   points
--oop write the empty scratch file oop.asc too
--smartpath NAME write NAME.state, NAME.cars and NAME.config for the SmartPath animator
--quiet print nothing

model.dat and road.dat are read beside the parameter file; the results are written to the current folder:
path.asc, director.asc, velocity.asc, energy.asc.
"""


def _number(ctx: click.Context, option: click.Parameter, text: str | None) -> float | None:
    """A positive number as the manual writes it: 0.015, .2, 1.5E-2."""
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0.0 < value < float("inf"):
        expected = "such as 0.015 or 1.5E-2"
        raise InputError("not a positive number", path=str(option.opts[0]), got=text, expected=expected)
    return value


@dataclass(frozen=True)
class MedusaOptions:
    """The options of 1999, and a few of today."""

    wants_help: bool = flag("-h", "Print the options as the manual of 1999 lists them.")
    step: float = option("-d", "Fixed step [s].", "5e-05", type=str, callback=_number)
    platoon: str = option("-f", "Parameter file.", "platoon.dat", type=click.Path())
    end: float | None = option("-t", "End of the simulation [s].", type=str, callback=_number)
    save: float = option("-s", "Time between saved points [s].", "0.01", type=str, callback=_number)
    listed: bool = flag("--listed", "Start from the listed equilibrium.")
    no_contact: bool = flag("--no-contact", "Let vehicles pass through each other.")
    road: Literal["auto", "report", "smooth"] = option("--road", "Interpolation of the road.", "auto")
    oop: bool = flag("--oop", "Write oop.asc too.")
    smartpath: str | None = option("--smartpath", "Write the three files of the animator.", metavar="NAME")
    quiet: bool = flag("--quiet", "Print nothing.")


@click.command(context_settings={"help_option_names": ["--help"]})
@takes(MedusaOptions)
def command(options: MedusaOptions) -> int:
    """Run the files of MEDUSA (model.dat, platoon.dat, road.dat).

    \b
    Example:
      centrode medusa -t10 -s.01 -fplatoon.dat
    """
    if options.wants_help:
        click.echo(HELP, nl=False)
        return 0
    if options.end is None:
        click.echo("No endtime specified. Type medusa -h for help", err=True)
        return 2

    from centrode.scenario.medusa.outputs import write_outputs, write_smartpath
    from centrode.vehicles.platoon import (
        add_legacy,
        legacy_run,
        read_legacy,
        road_left,
        road_of,
        road_text,
        vehicle_energies,
    )

    file = Path(options.platoon)
    models, vehicles, road = read_legacy(file.parent, file.name)
    system = centrode.System()
    start, contact = "listed" if options.listed else "true", not options.no_contact
    original = {"auto": None, "report": True, "smooth": False}[options.road]
    add_legacy(system, models, vehicles, road, equilibrium=start, contact=contact, original_road=original)
    if not options.quiet:
        click.echo(f"The simulation for {len(vehicles.vehicles)} vehicles will stop after {options.end:g} [s]\n")
        click.echo(f"- stepsize: {options.step:g} [s]")
        click.echo(f"- save data point every {options.save:g} [s]\n{road_text(road_of(system), road)}")
    live = sys.stdout.isatty() and not options.quiet

    def counter(time: float) -> None:
        if live:
            click.echo(f"\rt={time:.4f}", nl=False)

    time, states = legacy_run(system, options.end, options.step, options.save, counter)
    if not options.quiet:
        click.echo(f"{chr(13) if live else ''}t={time[-1]:.4f}")
    for text in road_left(road_of(system), time, states):
        remark(text)
    write_outputs(".", time, states, vehicle_energies(system, states), options.oop)
    if options.smartpath:
        write_smartpath(".", options.smartpath, time, states, models, vehicles)
    return 0

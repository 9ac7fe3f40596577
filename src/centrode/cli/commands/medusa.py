"""``centrode medusa``: the program of 1999 with its own files and options, corrected."""

from __future__ import annotations

import sys

import click

HELP = """The command line options are:

-h prints this list
-dx.xxx set fixed stepsize to x.xxx [s] (default: 5e-05)
-ffile parameter file (default: platoon.dat)
-tx.xx simulation ends at x.xx [s] (mandatory)
-sx.xx save data point every x.xx [s] (default: 0.01)

--listed start from the EQUILIBRIUM that model.dat lists, as the program of 1999 did
--no-contact let vehicles pass through each other
--oop write the empty scratch file oop.asc too
--smartpath NAME write NAME.state, NAME.cars and NAME.config for the SmartPath animator
--quiet print nothing

model.dat and road.dat are read beside the parameter file; the results are written to the current folder:
path.asc, director.asc, velocity.asc, energy.asc.
"""


def _number(ctx: click.Context, option: click.Parameter, text: str | None) -> float | None:
    """A positive number as the manual writes it: 0.015, .2, 1.5E-2."""
    from centrode.errors import InputError

    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0.0 < value < float("inf"):
        raise InputError(
            "not a positive number", path=str(option.opts[0]), got=text, expected="such as 0.015 or 1.5E-2"
        )
    return value


@click.command(context_settings={"help_option_names": ["--help"]})
@click.option("-h", "wants_help", is_flag=True, help="Print the options as the manual of 1999 lists them.")
@click.option("-d", "step", default="5e-05", callback=_number, help="Fixed step [s].")
@click.option("-f", "platoon", default="platoon.dat", type=click.Path(), help="Parameter file.")
@click.option("-t", "end", default=None, callback=_number, help="End of the simulation [s].")
@click.option("-s", "save", default="0.01", callback=_number, help="Time between saved points [s].")
@click.option("--listed", is_flag=True, help="Start from the listed equilibrium.")
@click.option("--no-contact", is_flag=True, help="Let vehicles pass through each other.")
@click.option("--oop", is_flag=True, help="Write oop.asc too.")
@click.option("--smartpath", default=None, metavar="NAME", help="Write the three files of the SmartPath animator.")
@click.option("--quiet", is_flag=True, help="Print nothing.")
def command(
    wants_help: bool,
    step: float,
    platoon: str,
    end: float | None,
    save: float,
    listed: bool,
    no_contact: bool,
    oop: bool,
    smartpath: str | None,
    quiet: bool,
) -> int:
    """Run the files of MEDUSA (model.dat, platoon.dat, road.dat).

    \b
    Example:
      centrode medusa -t10 -s.01 -fplatoon.dat
    """
    if wants_help:
        click.echo(HELP, nl=False)
        return 0
    if end is None:
        click.echo("No endtime specified. Type medusa -h for help", err=True)
        return 2
    from pathlib import Path

    from centrode.scenario.medusa.outputs import write_outputs, write_smartpath
    from centrode.system.builder import System
    from centrode.vehicles.platoon import add_legacy, legacy_run, read_legacy, vehicle_energies

    file = Path(platoon)
    models, vehicles, road = read_legacy(file.parent, file.name)
    system = System()
    add_legacy(system, models, vehicles, road, equilibrium="listed" if listed else "true", contact=not no_contact)
    if not quiet:
        click.echo(f"The simulation for {len(vehicles.vehicles)} vehicles will stop after {end:g} [s]\n")
        click.echo(f"- stepsize: {step:g} [s]")
        click.echo(f"- save data point every {save:g} [s]\n")
    live = sys.stdout.isatty() and not quiet

    def counter(time: float) -> None:
        if live:
            click.echo(f"\rt={time:.4f}", nl=False)

    time, states = legacy_run(system, end, step, save, counter)
    if not quiet:
        click.echo(f"{chr(13) if live else ''}t={time[-1]:.4f}")
    write_outputs(".", time, states, vehicle_energies(system, states), oop)
    if smartpath:
        write_smartpath(".", smartpath, time, states, models[vehicles.vehicles[0].model])
    return 0

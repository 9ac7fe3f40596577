"""``centrode medusa``: the program of 1999 with its own files and options, corrected."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

import centrode
from centrode.cli.decks import DeckOptions, positive_number
from centrode.cli.options import flag, option, takes
from centrode.cli.output import remark
from centrode.errors import InputError, RunError
from centrode.texts import output_file

if TYPE_CHECKING:
    from centrode.scenario.medusa.records import LegacyModels, LegacyPlatoon, LegacyRoad
    from centrode.vehicles.platoon import LegacyRun

KEPT = "the files hold what was computed up to then"
HELP = """The command line options are:

-h prints this list
-dx.xxx set fixed stepsize to x.xxx [s] (default: 5e-05)
-ffile parameter file (default: platoon.dat)
-tx.xx simulation ends at x.xx [s] (mandatory)
-sx.xx save data point every x.xx [s] (default: 0.01)

--listed start from the EQUILIBRIUM that model.dat lists, as the program of 1999 did
--no-contact let vehicles pass through each other
--front x --side x restitution of hits without and with a side of a car (section 1.7); left out: as measured on cars,
   0.40 at a closing speed of 2 m/s, 0.13 at 10 m/s, 0.1 from 12 m/s on. It is that of the law between the cars; the
   chassis springs back by itself, so that cars of model 1 part with 0.15 at least: 0.1 gives 0.16, 0.2 gives 0.20
--lag KIND program: the lagged slip angle as the program of 1999 takes it, also for reversing cars; short (default)
--road KIND report: the spline of 1999; smooth: one that does not overshoot; auto (default): that of 1999 for four
   points
--width x full width of the road on which vehicles must start [m] (default: 40)
--oop write the empty scratch file oop.asc too
--smartpath NAME write NAME.state, NAME.cars and NAME.config for the SmartPath animator
--record FILE.nc write a recording too, for centrode view, crash, report and plot
--figures write the report's figures: tyre.png (1.3) and pitch.png (3.5)
--set PATH=VALUE --plugin FILE change a value (contact_laws.cars.friction=0.1), further kinds of parts
--quiet print nothing

model.dat and road.dat are read beside the parameter file; the results are written to the current folder:
path.asc, director.asc, velocity.asc, energy.asc.
"""


@dataclass(frozen=True)
class MedusaOptions(DeckOptions):
    """The options of 1999, and a few of today."""

    wants_help: bool = flag("-h", "Print the options as the manual of 1999 lists them.")
    platoon: str = option("-f", "Parameter file.", "platoon.dat", type=click.Path())
    end: float | None = option("-t", "End of the simulation [s].", type=str, callback=positive_number)
    oop: bool = flag("--oop", "Write oop.asc too.")
    smartpath: str | None = option("--smartpath", "Write the three files of the animator.", metavar="NAME")
    record: Path | None = option("--record", "Write a recording too.", metavar="FILE.nc")
    figures: bool = flag("--figures", "Write tyre.png and pitch.png.")
    quiet: bool = flag("--quiet", "Print nothing.")


@click.command(context_settings={"help_option_names": ["--help"]})
@click.argument("words", nargs=-1, metavar="")
@takes(MedusaOptions)
def command(words: tuple[str, ...], options: MedusaOptions) -> int:
    """Run the files of MEDUSA (model.dat, platoon.dat, road.dat).

    \b
    Example:
      centrode medusa -t10 -s.01 -fplatoon.dat
    """
    if options.wants_help:
        click.echo(HELP, nl=False)
        return 0
    if words:
        hint = "the parameter file is given as -fplatoon.dat, the end of the run as -t10"
        raise InputError("a word that is no option", got=" ".join(words), hint=hint)
    if options.end is None:
        click.echo("No endtime specified. Type medusa -h for help", err=True)
        return 2

    from centrode.scenario.medusa.outputs import remove_outputs
    from centrode.vehicles.platoon import check_step, legacy_record, located, road_left, road_of, road_text

    file = Path(options.platoon)
    file = file / "platoon.dat" if file.is_dir() else file
    _check_outputs(options)
    decks = options.read(file)
    for text in (*decks[0].notes, *decks[2].notes):
        remark(text)
    with located(decks[1], file):
        scenario = options.scenario(decks, file.stem, options.end, audit=options.record is not None)
    check_step(scenario.system, options.step, options.save)
    if not options.quiet:
        click.echo(f"The simulation for {len(decks[1].vehicles)} vehicles will stop after {options.end:g} [s]\n")
        click.echo(f"- stepsize: {options.step:g} [s]")
        click.echo(f"- save data point every {options.save:g} [s]")
        click.echo(road_text(road_of(scenario.system), decks[2]))
    live = sys.stdout.isatty() and not options.quiet

    def counter(time: float, end: float) -> None:
        if live:
            click.echo(f"\rt={time:.4f}", nl=False)

    with located(decks[1], file):
        run = legacy_record(scenario, options.record, counter, lambda: remove_outputs(".", options.smartpath))
    if not options.quiet and len(run.time):
        click.echo(f"{chr(13) if live else ''}t={run.time[-1]:.4f}")
    for text in road_left(road_of(scenario.system), run.time, run.states):
        remark(text)
    if len(run.time):
        _write(options, decks, scenario.system, run)
    if run.interrupt is not None:
        remark(f"{run.stop}; {KEPT}")
        raise run.interrupt
    if run.stop is not None:
        raise RunError(replace(run.stop, suggestion=f"{run.stop.suggestion or 'try a smaller step (-d)'}; {KEPT}"))
    return 0


def _check_outputs(options: MedusaOptions) -> None:
    """Refuse names that cannot be written before the run, not after it."""
    if options.record is not None:
        output_file(options.record, ".nc")
    if options.smartpath is not None:
        if Path(options.smartpath).name in ("", "..") or options.smartpath.endswith("/"):
            expected = "a name, such as crash, for crash.state, crash.cars and crash.config"
            raise InputError("not a name of files", path="--smartpath", got=options.smartpath, expected=expected)
        output_file(options.smartpath)


def _write(
    options: MedusaOptions,
    decks: tuple[LegacyModels, LegacyPlatoon, LegacyRoad],
    system: centrode.System,
    run: LegacyRun,
) -> None:
    from centrode.scenario.medusa.outputs import attitude, write_outputs, write_smartpath
    from centrode.vehicles.platoon import road_line, road_of, vehicle_energies

    write_outputs(".", run.time, run.states, vehicle_energies(system, run.states), options.oop)
    if options.smartpath:
        write_smartpath(".", options.smartpath, run.time, run.states, *decks[:2], road_line(road_of(system), decks[2]))
    if options.figures:
        import numpy as np

        from centrode.plots.medusa import figure_pitch, figure_tyre

        pitch = np.apply_along_axis(attitude, 2, run.states[:, :, 3:12])[:, :, 1]
        centrode.save_figure(figure_tyre(), "tyre.png")
        centrode.save_figure(figure_pitch(run.time, pitch), "pitch.png")

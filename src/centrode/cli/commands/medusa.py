"""``centrode medusa``: the program of 1999 with its own files and options, corrected."""

from __future__ import annotations

import os
import re
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

METHOD = "predictor-corrector"
MOST_STEPS, MOST_ROWS = 1e9, 5e6
"""Steps of a vehicle (an hour or more) and rows of an output file (a gigabyte) beyond which a run is refused."""
LEVEL = 0.1
"""Heights [m] by which a road may leave the level highways of SmartPath without a word."""
KEPT = "the files hold what was computed up to then"
HELP = """The command line options are:

-h prints this list
-dx.xxx set fixed stepsize to x.xxx [s] (default: 5e-05)
-ffile parameter file (default: platoon.dat)
-tx.xx simulation ends at x.xx [s] (mandatory)
-sx.xx save data point every x.xx [s] (default: 0.01)

--listed start from the EQUILIBRIUM that model.dat lists, as the program of 1999 did
--parked lock the wheels of cars with SPEED 0 and TIRE_SPEED 0; without it they roll freely, as in 1999
--no-contact let vehicles pass through each other
--front x --side x restitution of hits without and with a side of a car (section 1.7); left out: as measured on cars,
   0.40 at a closing speed of 2 m/s, 0.13 at 10 m/s, 0.1 from 12 m/s on. It is that of the law between the cars; the
   chassis springs back by itself, so that cars of model 1 part with 0.15 at least: 0.1 gives 0.16, 0.2 gives 0.20
--lag KIND program: the lagged slip angle as the program of 1999 takes it, also for reversing cars; short (default)
--tyre KIND bounded: the tyre mirrored for wheels that roll back, full sliding where they turn against their travel,
   its side-force stiffness held above the load A_2; program (default): its equations as they stand, with a warning
--road KIND report: the spline of 1999; smooth: one that does not overshoot; auto (default): that of 1999 for four
   points
--width x full width of the road [m] (default: 40): vehicles must start on it, and a word says when one leaves it
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


class _Command(click.Command):
    """A command that names the files of an older run when it refuses its words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except (click.UsageError, InputError):
            _name_older(_outputs(None))
            raise


@click.command(cls=_Command, context_settings={"help_option_names": ["--help"]})
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

    begun: list[bool] = []
    try:
        return _run(options, options.end, begun)
    except (InputError, KeyboardInterrupt):
        if not begun:
            _name_older(_outputs(options))
        raise


def _name_older(names: list[str]) -> None:
    """Say which of these files there are, since no run will replace them."""
    old = [name for name in names if Path(name).is_file()]
    if old:
        left = f"{', '.join(old)} in this folder {'are' if old[1:] else 'is'} left from an older run"
        remark(f"nothing was run: {left}")


def _run(options: MedusaOptions, end: float, begun: list[bool]) -> int:
    """Read, check, run and write; ``begun`` is told when the files of an older run are gone."""
    from centrode.vehicles.platoon import check_step, legacy_record, located

    file = Path(options.platoon)
    file = file / "platoon.dat" if file.is_dir() else file
    _check_outputs(options)
    if options.save > end * (1.0 + 1e-12):
        what, expected = "saved points are further apart than the run is long", f"{end:g} s at most, the end (-t)"
        raise InputError(what, path="-s", got=f"{options.save:g} s", expected=expected)
    decks = options.read(file)
    _check_size(options, end, len(decks[1].vehicles))
    with located(decks[1], file):
        scenario = options.scenario(decks, file.stem, end)
    check_step(scenario)
    told = [*decks[0].notes, *decks[2].notes]
    told += [text for text in scenario.system.notes if text not in told]
    live = sys.stdout.isatty() and not options.quiet

    def counter(time: float, end: float) -> None:
        if live:
            click.echo(f"\rt={time:.4f}", nl=False)

    def begin() -> None:
        _begin(options, decks, scenario, told)
        begun.append(True)

    with located(decks[1], file):
        run = legacy_record(scenario, options.record, counter, begin)
    if not options.quiet and len(run.time):
        click.echo(f"{chr(13) if live else ''}t={run.time[-1]:.4f}")
    new = [text for text in run.words if text not in told]
    for text in _first_of_each(new):
        if not (options.no_contact and text.startswith("no contact law")):
            remark(_with_options(text, scenario.system))
    if len(run.time):
        _write(options, decks, scenario.system, run)
    kept = f"{KEPT}, {options.record} too" if options.record is not None and options.record.exists() else KEPT
    if run.interrupt is not None:
        remark(f"{run.stop}; {kept}")
        raise run.interrupt
    if run.stop is not None:
        advice = _with_options(run.stop.suggestion, scenario.system) or "try a smaller step (-d)"
        raise RunError(replace(run.stop, suggestion=f"{advice}; {kept}"))
    return 0


def _first_of_each(texts: list[str], most: int = 3) -> list[str]:
    """Of words that say the same of many vehicles, with other numbers, the first few and how many more there are."""
    found: list[str] = []
    kinds = [re.sub(r"[-+]?[0-9][-+.e0-9]*", "#", text) for text in texts]
    for number, (text, kind) in enumerate(zip(texts, kinds, strict=True)):
        before, more = kinds[:number].count(kind), kinds.count(kind) - most
        if before < most or more < 2:
            found.append(text)
        elif before == most:
            found.append(f"... the same of {more} more vehicles")
    return found


def _with_options(text: str, system: centrode.System) -> str:
    """Advice in the words of this command: its step, its contact law."""
    from centrode.parts.contact_laws.measured import MeasuredRestitution

    for said in (", a tighter tolerance or an adaptive method (dop853)", " or a tighter tolerance"):
        text = text.replace(f"a smaller step{said}", "a smaller step (-d)")
    laws = [part for part in system.parts.values() if isinstance(part, MeasuredRestitution)]
    if laws:
        stiffer = f"--set contact_laws.{laws[0].name}.stiffness={4.0 * laws[0].stiffness:g}"
        text = text.replace("take a stiffer law", f"take a stiffer law, such as {stiffer}")
    return text


def _begin(
    options: MedusaOptions,
    decks: tuple[LegacyModels, LegacyPlatoon, LegacyRoad],
    scenario: centrode.Scenario,
    notes: list[str],
) -> None:
    """Say what will be done, now that nothing is left that could be refused, and remove what an older run left."""
    from centrode.scenario.medusa.outputs import remove_outputs
    from centrode.vehicles.platoon import road_of, road_text

    for text in _first_of_each(notes):
        remark(text)
    remove_outputs(".", options.smartpath, options.record)
    if options.quiet:
        return
    settings = scenario.settings  # which --set may have changed
    click.echo(f"The simulation for {len(decks[1].vehicles)} vehicles will stop after {settings.duration:g} [s]\n")
    if settings.method != METHOD:
        click.echo(f"- method: {settings.method or 'as suits the parts'}")
    if settings.step is not None:
        click.echo(f"- stepsize: {settings.step:g} [s]")
    if settings.frames is not None:
        click.echo(f"- save data point every {settings.frames:g} [s]")
    click.echo(road_text(road_of(scenario.system), decks[2]))


def _check_size(options: MedusaOptions, end: float, vehicles: int) -> None:
    """Refuse a run that would not end, or fill the disk.

    Raises:
        InputError: too many steps or rows, with the least that is taken.
    """
    for name, value, most, what in (
        ("-d", options.step, MOST_STEPS, "steps"),
        ("-s", options.save, MOST_ROWS, "rows in every file"),
    ):
        count = vehicles * end / value
        if count > most:
            expected = f"{vehicles * end / most:.1g} s or more, or an earlier end than -t{end:g}"
            raise InputError(f"the run would have {count:.2g} {what}", path=name, got=f"{value:g} s", expected=expected)


def _outputs(options: MedusaOptions | None) -> list[str]:
    """Files that a run writes; those of any run where the options are not known."""
    from centrode.scenario.medusa.outputs import output_names

    if options is None:
        return output_names(None, None)
    names = output_names(options.smartpath, options.record)
    return [*names, *["oop.asc"] * options.oop, *["tyre.png", "pitch.png"] * options.figures]


def _check_outputs(options: MedusaOptions) -> None:
    """Refuse names that cannot be written before the run, not after it."""
    if options.record is not None:
        output_file(options.record, ".nc")
    if options.smartpath is not None:
        if Path(options.smartpath).name in ("", "..") or options.smartpath.endswith("/"):
            expected = "a name, such as crash, for crash.state, crash.cars and crash.config"
            raise InputError("not a name of files", path="--smartpath", got=options.smartpath, expected=expected)
        output_file(options.smartpath)
    folders = [name for name in _outputs(options) if Path(name).is_dir()]
    if folders:
        raise InputError("a folder has the name of a file to write", got=", ".join(folders), hint="rename it")
    if not os.access(".", os.W_OK):
        raise InputError("the current folder cannot be written to", got=str(Path.cwd()), hint="run in another one")


def _write(
    options: MedusaOptions,
    decks: tuple[LegacyModels, LegacyPlatoon, LegacyRoad],
    system: centrode.System,
    run: LegacyRun,
) -> None:
    from centrode.scenario.medusa.outputs import attitude, rise_within_highways, write_outputs, write_smartpath
    from centrode.vehicles.platoon import road_line, road_of, vehicle_energies

    write_outputs(".", run.time, run.states, vehicle_energies(system, run.states, lifted=False), options.oop)
    if options.smartpath:
        line = road_line(road_of(system), decks[2])
        write_smartpath(".", options.smartpath, run.time, run.states, *decks[:2], line)
        rise = rise_within_highways(line)
        if rise > LEVEL:
            where = f"{options.smartpath}.config"
            remark(
                f"{where}: highways have no slope, each is level; the road and its cars are up to {rise:.2g} m off it"
            )
    if options.figures:
        import numpy as np

        from centrode.plots.medusa import figure_pitch, figure_tyre

        pitch = np.apply_along_axis(attitude, 2, run.states[:, :, 3:12])[:, :, 1]
        centrode.save_figure(figure_tyre(), "tyre.png")
        centrode.save_figure(figure_pitch(run.time, pitch), "pitch.png")

"""``centrode convert``: legacy files of MEDUSA to a scenario file, and back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

import centrode
from centrode.cli.decks import DeckOptions
from centrode.cli.options import flag, option, seconds, takes
from centrode.cli.output import remark
from centrode.errors import InputError
from centrode.texts import output_file

if TYPE_CHECKING:
    from centrode.scenario.medusa.records import LegacyModels, LegacyPlatoon, LegacyRoad

NAMES = ("model.dat", "platoon.dat", "road.dat")
MODELS = "model.dat, with models that no vehicle has:"


@dataclass(frozen=True)
class ConvertOptions(DeckOptions):
    """How legacy files are read, how long they run, and whether files may be replaced."""

    duration: str | None = option("-t --duration", "Length of the run to note in the scenario, such as 10 or '10 s'.")
    force: bool = flag("--force", "Replace files that exist.")


@click.command()
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path())
@takes(ConvertOptions)
def command(source: str, target: str, options: ConvertOptions) -> None:
    """Convert MEDUSA files to a scenario file, or a scenario file to MEDUSA files.

    \b
    Example:
      centrode convert crash/platoon.dat crash.yaml      model.dat and road.dat lie beside platoon.dat
      centrode convert crash.yaml crash                  writes model.dat, platoon.dat and road.dat into crash

    The direction follows from the source: a .yaml file is a scenario, a folder or any other file is a platoon. MEDUSA
    files are read with the options of 'centrode medusa'; when they are written, those options are named that bring
    back what the files have no place for.
    """
    place = Path(source)
    if place.suffix.lower() in (".yaml", ".yml"):
        _to_legacy(place, Path(target), options.force)
    else:
        _to_scenario(place, Path(target), options)


def _to_scenario(source: Path, target: Path, options: ConvertOptions) -> None:
    if target.suffix.lower() not in (".yaml", ".yml"):
        raise InputError("the target of legacy files is a scenario file", got=str(target), expected="a name in .yaml")
    _check_free([output_file(target)], options.force)
    file = source / "platoon.dat" if source.is_dir() else source
    decks = options.read(file)
    for text in (*decks[0].notes, *decks[2].notes):
        remark(text)
    length = 10.0 if options.duration is None else seconds(options.duration, "--duration")
    if not 0.0 < length < float("inf"):
        raise InputError("not a duration", path="--duration", got=options.duration, expected="a time above 0")
    scenario = options.scenario(decks, f"Converted from {file.name}", length, description=_described(decks))
    target.write_text(scenario.text, encoding="utf-8")
    click.echo(f"written: {target}")


def _described(decks: tuple[LegacyModels, LegacyPlatoon, LegacyRoad]) -> str:
    """model.dat as text where it holds models that no vehicle has, or in another order than vehicles ask for them."""
    from centrode.scenario.medusa.writer import format_models

    models, platoon, _ = decks
    asked = list(dict.fromkeys(vehicle.model for vehicle in platoon.vehicles))
    return "" if asked == list(range(1, 1 + len(models.models))) else f"{MODELS}\n{format_models(models)}"


def _to_legacy(source: Path, folder: Path, force: bool) -> None:
    from centrode.scenario.medusa.outputs import write_texts
    from centrode.scenario.medusa.reader import parse_models
    from centrode.scenario.medusa.writer import format_models, format_platoon, format_road
    from centrode.vehicles.platoon import legacy_of
    from centrode.vehicles.platoon_options import options_of

    scenario = centrode.load(source)
    _, mark, kept = scenario.description.partition(f"{MODELS}\n")
    known = parse_models(kept, f"{source}: description").models if mark else ()
    decks = legacy_of(scenario.system, known)
    found = options_of(scenario, decks)
    again = " ".join(["centrode medusa", *found.words])
    title = " ".join((scenario.title or source.stem).split())
    heading = f"% {title}, with\n% {again}\n".encode("ascii", "replace").decode()
    texts = dict(zip(NAMES, (format_models(decks[0]), heading + format_platoon(decks[1]), format_road(decks[2]))))
    _check_free([folder / name for name in texts], force)
    written = write_texts(folder, texts)
    click.echo("written: " + ", ".join(str(path) for path in written))
    for text in found.lost:
        remark(f"not kept: {text}")
    click.echo(f"the same run, in {folder}: {again}")


def _check_free(paths: list[Path], force: bool) -> None:
    for path in paths:
        if path.exists() and not force:
            raise InputError("the file exists", got=str(path), hint="--force replaces it")

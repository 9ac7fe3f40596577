"""``centrode convert``: legacy files of MEDUSA to a scenario file, and back."""

from __future__ import annotations

from pathlib import Path

import click

import centrode
from centrode.cli.options import seconds
from centrode.cli.output import remark
from centrode.errors import InputError

MODELS = "model.dat, with models that no vehicle has:"


@click.command()
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path())
@click.option("--duration", default=None, help="Length of the run to note in the scenario, such as 10 or '10 s'.")
@click.option("--listed", is_flag=True, help="Start from the equilibrium that model.dat lists.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
def command(source: str, target: str, duration: str | None, listed: bool, force: bool) -> None:
    """Convert MEDUSA files to a scenario file, or a scenario file to MEDUSA files.

    \b
    Example:
      centrode convert crash/platoon.dat crash.yaml      model.dat and road.dat lie beside platoon.dat
      centrode convert crash.yaml crash                  writes model.dat, platoon.dat and road.dat into crash

    The direction follows from the source: a .yaml file is a scenario, a folder or any other file is a platoon.
    """
    place = Path(source)
    if place.suffix.lower() in (".yaml", ".yml"):
        written = _to_legacy(place, Path(target), force)
    else:
        written = [_to_scenario(place, Path(target), duration, listed, force)]
    click.echo("written: " + ", ".join(str(path) for path in written))


def _to_scenario(source: Path, target: Path, duration: str | None, listed: bool, force: bool) -> Path:
    from centrode.running import resolve_settings
    from centrode.system.settings import RunSettings

    if target.suffix.lower() not in (".yaml", ".yml"):
        raise InputError("the target of legacy files is a scenario file", got=str(target), expected="a name in .yaml")
    _check_free([target], force)
    file = source / "platoon.dat" if source.is_dir() else source
    system = centrode.ImportMedusa("platoon", str(file), equilibrium="listed" if listed else "true").read()
    for text in system.notes:
        remark(text)
    length = 10.0 if duration is None else seconds(duration, "--duration")
    settings = resolve_settings(RunSettings(method="predictor-corrector", step=5e-5, frames=0.01), {"duration": length})
    target.write_text(centrode.Scenario(system, settings, _described(file)).text, encoding="utf-8")
    return target


def _described(file: Path) -> str:
    """model.dat as text where it holds models that no vehicle has, or in another order than vehicles ask for them."""
    from centrode.scenario.medusa.writer import format_models
    from centrode.vehicles.platoon import read_legacy

    models, platoon, _ = read_legacy(file.parent, file.name)
    asked = list(dict.fromkeys(vehicle.model for vehicle in platoon.vehicles))
    return "" if asked == list(range(1, 1 + len(models.models))) else f"{MODELS}\n{format_models(models)}"


def _to_legacy(source: Path, folder: Path, force: bool) -> list[Path]:
    from centrode.scenario.medusa.outputs import write_texts
    from centrode.scenario.medusa.reader import parse_models
    from centrode.scenario.medusa.writer import format_models, format_platoon, format_road
    from centrode.vehicles.platoon import legacy_of

    scenario = centrode.load(source)
    _, mark, kept = scenario.description.partition(f"{MODELS}\n")
    known = parse_models(kept, f"{source}: description").models if mark else ()
    models, platoon, road = legacy_of(scenario.system, known)
    texts = {"model.dat": format_models(models), "platoon.dat": format_platoon(platoon), "road.dat": format_road(road)}
    _check_free([folder / name for name in texts], force)
    return write_texts(folder, texts)


def _check_free(paths: list[Path], force: bool) -> None:
    for path in paths:
        if path.exists() and not force:
            raise InputError("the file exists", got=str(path), hint="--force replaces it")

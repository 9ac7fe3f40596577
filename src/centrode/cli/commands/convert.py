"""``centrode convert``: legacy files of MEDUSA to a scenario file, and back."""

from __future__ import annotations

import click


@click.command()
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path())
@click.option("--duration", default=None, help="Length of the run to note in the scenario, such as 10 or '10 s'.")
@click.option("--listed", is_flag=True, help="Start from the equilibrium that model.dat lists.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
def command(source: str, target: str, duration: str | None, listed: bool, force: bool) -> int:
    """Convert MEDUSA files to a scenario file, or a scenario file to MEDUSA files.

    \b
    Example:
      centrode convert crash/platoon.dat crash.yaml      model.dat and road.dat lie beside platoon.dat
      centrode convert crash.yaml crash                  writes model.dat, platoon.dat and road.dat into crash

    The direction follows from the source: a .yaml file is a scenario, a folder or any other file is a platoon.
    """
    from pathlib import Path

    place = Path(source)
    if place.suffix.lower() in (".yaml", ".yml"):
        written = _to_legacy(place, Path(target), force)
    else:
        written = [_to_scenario(place, Path(target), duration, listed, force)]
    click.echo("written: " + ", ".join(str(path) for path in written))
    return 0


def _to_scenario(source, target, duration, listed, force):  # type: ignore[no-untyped-def]
    from centrode.errors import InputError
    from centrode.running import resolve_settings
    from centrode.scenario.document import Scenario
    from centrode.system.builder import System
    from centrode.system.settings import RunSettings
    from centrode.vehicles.platoon import add_legacy, read_legacy

    if target.suffix.lower() not in (".yaml", ".yml"):
        raise InputError("the target of legacy files is a scenario file", got=str(target), expected="a name in .yaml")
    _check_free([target], force)
    folder, name = (source, "platoon.dat") if source.is_dir() else (source.parent, source.name)
    models, platoon, road = read_legacy(folder, name)
    system = System(f"Converted from {name}")
    add_legacy(system, models, platoon, road, equilibrium="listed" if listed else "true", contact=True)
    length = 10.0 if duration is None else _seconds(duration)
    settings = resolve_settings(RunSettings(method="predictor-corrector", step=5e-5, frames=0.01), {"duration": length})
    target.write_text(Scenario(system, settings).text, encoding="utf-8")
    return target


def _to_legacy(source, folder, force):  # type: ignore[no-untyped-def]
    from centrode.scenario.loader import load
    from centrode.scenario.medusa.writer import format_models, format_platoon, format_road
    from centrode.vehicles.platoon import legacy_of

    models, platoon, road = legacy_of(load(source).system)
    texts = {
        folder / "model.dat": format_models(models),
        folder / "platoon.dat": format_platoon(platoon),
        folder / "road.dat": format_road(road),
    }
    _check_free(list(texts), force)
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        path.write_text(text, encoding="ascii", newline="\n")
    return list(texts)


def _check_free(paths, force):  # type: ignore[no-untyped-def]
    from centrode.errors import InputError

    for path in paths:
        if path.exists() and not force:
            raise InputError("the file exists", got=str(path), hint="--force replaces it")


def _seconds(text):  # type: ignore[no-untyped-def]
    from centrode.units import looks_like_quantity, to_unit

    return to_unit(text, "s") if looks_like_quantity(text) else float(text)

"""How commands turn the file of a robot into a scenario file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import centrode
from centrode.cli.options import named_quantities
from centrode.errors import InputError

if TYPE_CHECKING:
    from centrode.scenario.robots.building import RobotImport


def write_robot(
    file: str,
    output: str | None,
    values: tuple[str, ...],
    duration: float,
    reader: Callable[..., RobotImport],
    **options: Any,
) -> None:
    """Read a robot and write a scenario of its parts; says what became of it."""
    from centrode.system.settings import RunSettings

    positions = named_quantities(values, "JOINT=NUMBER")
    target = Path(output) if output is not None else Path(Path(file).stem + ".yaml")
    if target.resolve() == Path(file).resolve():
        raise InputError("the output would replace the input", got=str(target))
    read = reader(file, positions=positions, **options)
    settings = RunSettings(duration=duration, **read.run_settings())
    scenario = centrode.Scenario(read.system, settings, folder=target.parent)
    target.write_text(centrode.dump(scenario), encoding="utf-8")
    families = {part.family for part in read.system.parts.values()}
    counts = ", ".join(f"{len(read.system.of_family(family))} {family}s" for family in sorted(families))
    click.echo(f"{read.system.title}: {counts.replace('bodys', 'bodies')}")
    for note in read.notes:
        click.echo(f"note: {note}")
    click.echo(f"written: {target}")

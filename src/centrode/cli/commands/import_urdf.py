"""``centrode import-urdf``: turn a robot description into a scenario file."""

from __future__ import annotations

from pathlib import Path

import click

import centrode
from centrode.cli.options import named_numbers
from centrode.errors import InputError


@click.command()
@click.argument("file", type=click.Path())
@click.option("-o", "--output", type=click.Path(), help="Scenario to write; the file's name with .yaml by default.")
@click.option("--set", "values", multiple=True, metavar="JOINT=VALUE", help="Joint value at the start [rad or m].")
@click.option("--free-root", is_flag=True, help="Leave the root link free in space instead of holding it.")
@click.option("--duration", type=float, default=5.0, show_default=True, help="Length of the run [s].")
def command(file: str, output: str | None, values: tuple[str, ...], free_root: bool, duration: float) -> None:
    """Turn a robot description (URDF) into a scenario file.

    \b
    Example:
      centrode import-urdf arm.urdf -o arm.yaml --set shoulder=0.5
      centrode run arm.yaml
    """
    from centrode.scenario.urdf import load_urdf
    from centrode.system.settings import RunSettings

    positions = named_numbers(values, "JOINT=NUMBER")
    target = Path(output) if output is not None else Path(Path(file).stem + ".yaml")
    if target.resolve() == Path(file).resolve():
        raise InputError("the output would replace the input", got=str(target))
    read = load_urdf(file, positions=positions, fix_root=not free_root)
    target.write_text(centrode.dump(centrode.Scenario(read.system, RunSettings(duration=duration))), encoding="utf-8")
    families = {part.family for part in read.system.parts.values()}
    counts = ", ".join(f"{len(read.system.of_family(family))} {family}s" for family in sorted(families))
    click.echo(f"{read.system.title}: {counts.replace('bodys', 'bodies')}")
    for note in read.notes:
        click.echo(f"note: {note}")
    click.echo(f"written: {target}")

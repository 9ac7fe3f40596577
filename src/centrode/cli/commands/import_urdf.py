"""``centrode import-urdf``: turn a robot description into a scenario file."""

from __future__ import annotations

import click

from centrode.cli.robots import write_robot


@click.command()
@click.argument("file", type=click.Path())
@click.option("-o", "--output", type=click.Path(), help="Scenario to write; the file's name with .yaml by default.")
@click.option("--set", "values", multiple=True, metavar="JOINT=VALUE", help="Value at the start [rad, m], or '30 deg'.")
@click.option("--free-root", is_flag=True, help="Leave the root link free in space instead of holding it.")
@click.option("--duration", type=float, default=5.0, show_default=True, help="Length of the run [s].")
def command(file: str, output: str | None, values: tuple[str, ...], free_root: bool, duration: float) -> None:
    """Turn a robot description (URDF) into a scenario file.

    \b
    Example:
      centrode import-urdf arm.urdf -o arm.yaml --set shoulder=0.5
      centrode run arm.yaml
    """
    from centrode.scenario.robots.urdf import load_urdf

    write_robot(file, output, values, duration, load_urdf, fix_root=not free_root)

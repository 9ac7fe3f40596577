"""``centrode gradient``: derivatives of the figures of a run with respect to parameters of its scenario."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

import centrode
from centrode.cli.options import ASSIGNMENTS, JSON, PLUGINS
from centrode.cli.output import emit_json, remark
from centrode.errors import InputError


@click.command()
@click.argument("scenario", type=click.Path(path_type=Path))
@click.option("--of", "figures", multiple=True, help="Figure: hinge.angle@end, arm.position.z@max, a.ees@collision.")
@click.option("--by", "parameters", multiple=True, help="Parameter: spring.stiffness, arm.position.x, gravity.z.")
@click.option("--accuracy", type=float, default=1e-6, show_default=True, help="Relative error that is good enough.")
@click.option("--quick", is_flag=True, help="Do not halve the steps to see what the error of the method does.")
@ASSIGNMENTS
@PLUGINS
@JSON
def command(
    scenario: Path,
    figures: tuple[str, ...],
    parameters: tuple[str, ...],
    accuracy: float,
    quick: bool,
    assignments: tuple[str, ...],
    plugins: tuple[str, ...],
    as_json: bool,
) -> None:
    """Derivatives of figures of a run with respect to parameters.

    \b
    A figure is a channel at a moment (@end, @1.5, @max, @min), or of a collision:
      centrode gradient pendulum.yaml --of hinge.angle@end --by arm.mass --by gravity.z
      centrode gradient offset.yaml --of faster.delta_v_size@collision --by faster.speed
    """
    from centrode.scenario.edits import parse_edits

    for flag, given, such in (("--of", figures, "hinge.angle@end"), ("--by", parameters, "arm.mass")):
        if not given:
            raise InputError("nothing is asked for", path=flag, expected=f"at least one, such as {flag} {such}")
    if not 0.0 < accuracy < 1.0:
        raise InputError("not a relative error", path="--accuracy", got=accuracy, expected="a number between 0 and 1")
    loaded = centrode.load(scenario, edits=parse_edits(assignments), plugins=plugins)
    remark("running with other parameters ...")
    found = centrode.gradient(loaded, figures, parameters, accuracy=accuracy, check_steps=not quick)
    if as_json:
        emit_json(found.to_data())
    else:
        click.echo(found.table(shutil.get_terminal_size().columns if sys.stdout.isatty() else None))

"""``centrode crash``: the collisions of a run with the figures of a crash report."""

from __future__ import annotations

import shutil
import sys

import click

import centrode
from centrode.cli.options import JSON, PLUGINS
from centrode.cli.output import emit_json, remark
from centrode.cli.recordings import open_recording
from centrode.errors import PASSAGE, RunError


@click.command()
@click.argument("recording", type=click.Path())
@JSON
@click.option("--csv", "as_csv", is_flag=True, help="Print one line per collision and vehicle as CSV.")
@click.option("-o", "--output", type=click.Path(), help="Folder for table, JSON, CSV, figures and page.")
@click.option("--sensitivity", is_flag=True, help="Rerun with shifted starts and label what is uncertain.")
@PLUGINS
def command(
    recording: str, as_json: bool, as_csv: bool, output: str | None, sensitivity: bool, plugins: tuple[str, ...]
) -> None:
    """Show the collisions of a run.

    \b
    Example:
      centrode crash run.nc
      centrode crash run.nc --json
      centrode crash run.nc --sensitivity -o crash

    Closing speed, delta-V, PDOF, clock direction, restitution, impulse, duration, peak force and acceleration,
    energies, change of yaw rate, and where the vehicles are at the end.
    """
    from centrode.crash.report import crash_data, save_crash_report

    run = open_recording(recording, plugins)
    if run.status.stop is not None and PASSAGE in run.status.stop.reason:
        raise RunError(f"no figures, they would not hold: {run.status}")
    labels = None
    if sensitivity:
        remark("rerunning with shifted starts ...")
        labels = centrode.collision_sensitivity(run.scenario(), run)
    if as_json:
        emit_json(crash_data(run, labels))
    elif as_csv:
        click.echo(run.collisions.to_csv(), nl=False)
        if not run.collisions:
            remark("no collisions")
    else:
        # A pipe or file gets whole lines; a terminal gets lines that it can show.
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        click.echo(run.collisions.table(width))
        if labels is not None:
            click.echo("")
            click.echo(labels.table(width))
    if output is not None:
        for path in save_crash_report(run, output, labels):
            remark(f"written:   {path}")

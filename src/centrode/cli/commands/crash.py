"""``centrode crash``: the collisions of a run with the figures of a crash report."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

import centrode
from centrode.classes import dataclass
from centrode.cli.options import JSON, PLUGINS, SIDES, UNITS, flag, option, takes
from centrode.cli.output import draw_without_manuals, emit_json, remark
from centrode.cli.recordings import open_recording


@dataclass(frozen=True)
class CrashOptions:
    """What is shown, and where it is written."""

    as_csv: bool = flag("--csv", "Print one line per collision and vehicle as CSV.")
    output: Path | None = option("-o --output", "Folder for table, JSON, CSV, diagram, figures and page.")
    sensitivity: bool = flag("--sensitivity", "Rerun with shifted starts and label what is uncertain.")
    diagram: Path | None = option("--diagram", "Settings of the scale diagram (YAML).", metavar="FILE")


@click.command()
@click.argument("recording", type=click.Path())
@JSON
@takes(CrashOptions)
@UNITS
@SIDES
@PLUGINS
def command(
    recording: str,
    as_json: bool,
    options: CrashOptions,
    units: str | None,
    signs: str | None,
    plugins: tuple[str, ...],
) -> None:
    """Show the collisions of a run.

    \b
    Example:
      centrode crash run.nc
      centrode crash run.nc --json
      centrode crash run.nc --units us --signs sae
      centrode crash run.nc --sensitivity -o crash

    Per vehicle: delta-V along and across, PDOF and clock direction, peak and mean acceleration, OLC, yaw rate, EES,
    crush energy, C1 to C6, damage code; restitution and energies of each collision; where the vehicles are at the
    end; quarter turns of those that rolled over. JSON is in SI units, left positive, whatever the run says.
    """
    from centrode.crash.collisions import refuse_false_figures
    from centrode.crash.diagram_settings import read_settings
    from centrode.crash.report import crash_data, save_crash_report
    from centrode.crash.rollover import rollover_table, rollovers_of

    run = open_recording(recording, plugins)
    refuse_false_figures(run)
    run.collisions.custom = custom = run.collisions.custom.changed(units, signs)
    labels, settings = None, read_settings(options.diagram) if options.diagram is not None else None
    if options.sensitivity:
        remark("rerunning with shifted starts ...")
        labels = centrode.collision_sensitivity(run.scenario(), run)
    if as_json:
        emit_json(crash_data(run, labels))
    elif options.as_csv:
        click.echo(run.collisions.to_csv(), nl=False)
        if not run.collisions:
            remark("no collisions")
    else:
        # A pipe or file gets whole lines; a terminal gets lines that it can show.
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        click.echo(run.collisions.table(width))
        rolled = rollover_table(rollovers_of(run), width)
        if rolled:
            click.echo(f"\n{rolled}")
        if labels is not None:
            click.echo("")
            click.echo(labels.table(width, custom))
    if options.output is not None:
        draw_without_manuals()
        for path in save_crash_report(run, options.output, labels, settings):
            remark(f"written:   {path}")

"""``centrode report``: one page about a run, for reading and sending."""

from __future__ import annotations

from pathlib import Path

import click

from centrode.cli.options import DIAGRAM, PLUGINS, SIDES, UNITS
from centrode.cli.output import draw_without_manuals, remark
from centrode.cli.recordings import open_recording


@click.command()
@click.argument("recording", type=click.Path())
@click.option("-o", "--output", type=click.Path(), help="Page to write (.html, .pdf); the recording's name by default.")
@click.option("--plot", "channels", multiple=True, metavar="CHANNEL", help="Channel to draw as well; repeat it.")
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@DIAGRAM
@UNITS
@SIDES
@PLUGINS
def command(
    recording: str,
    output: str | None,
    channels: tuple[str, ...],
    opens: bool,
    diagram: str | None,
    units: str | None,
    signs: str | None,
    plugins: tuple[str, ...],
) -> None:
    """Write a report of a run.

    \b
    Example:
      centrode report run.nc
      centrode report run.nc -o crash.pdf --units us --signs sae --diagram scene.yaml
      centrode report run.nc -o run.pdf --plot car1.body.velocity

    One offline page with replay, summary and scale diagram of a crash, figures, tables, energy audit, warnings,
    provenance and the scenario; a PDF (through Chromium) holds a picture in the place of the replay.
    """
    draw_without_manuals()
    from centrode.crash.diagram_settings import read_settings
    from centrode.view.report import save_report

    run = open_recording(recording, plugins)
    path = Path(output) if output else Path(f"{Path(recording).stem}-report.html")
    run.collisions.custom = run.collisions.custom.changed(units, signs)
    settings = read_settings(diagram) if diagram is not None else None
    save_report(run, path, channels=channels, settings=settings, say=remark)
    click.echo(f"written:   {path}")
    if opens:
        from centrode.view.window import open_in_browser

        if not open_in_browser(path.resolve().as_uri()):
            remark("no browser to open")

"""``centrode diagram``: the scale diagram of a crash."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import click

from centrode.cli.options import PLUGINS, SIDES, UNITS, option, takes
from centrode.cli.output import draw_without_manuals
from centrode.cli.recordings import open_recording
from centrode.texts import output_file


@dataclass(frozen=True)
class DiagramOptions:
    """What is drawn and how; what is left out comes from the file of settings."""

    output: Path | None = option("-o --output", "File to write (.svg, .pdf, .png); the recording's name by default.")
    settings: str | None = option("--settings", "YAML file with the settings below, photograph and survey.")
    scale: str | None = option("--scale", "200 or 1:200; chosen when left out.", metavar="N")
    paper: Literal["a4", "a3"] | None = option("--paper", "Sheet, landscape.")
    north: str | None = option("--north", "Direction of north from x, to the left: '90 deg'.", metavar="ANGLE")
    survey: str | None = option("--survey", "Table with the columns name, x, y and line.", metavar="FILE")
    measures: tuple[str, ...] = option(
        "--measure", "Dimension line between two marks, 'ONE : TWO'; repeat it.", (), metavar="MARKS"
    )


_SETTINGS = ("scale", "paper", "north", "survey", "measures")


@click.command()
@click.argument("recording", type=click.Path())
@takes(DiagramOptions)
@UNITS
@SIDES
@PLUGINS
def command(
    recording: str, options: DiagramOptions, units: str | None, signs: str | None, plugins: tuple[str, ...]
) -> None:
    """Draw a crash to scale.

    \b
    Example:
      centrode diagram run.nc
      centrode diagram run.nc -o scene.pdf --scale 1:200 --paper a3 --measure "impact 1 : striking end"
      centrode diagram run.nc --settings scene.yaml --units us

    A sheet with the course from above at a stated scale, scale bar and north arrow, outlines at first contact, at
    greatest crush and at the end with their dents, tyre marks, and a detail of the impact. Marks of a measure are "NAME
    contact", "NAME crush", "NAME end", "impact N", points of the survey, or "x, y" in metres.
    """
    draw_without_manuals()
    from centrode.crash.diagram import diagram
    from centrode.crash.diagram_settings import DiagramSettings, read_settings, settings_from
    from centrode.plots.figure import save_figure

    run = open_recording(recording, plugins)
    made = read_settings(options.settings) if options.settings is not None else DiagramSettings()
    given = {name: value for name, value in vars(options).items() if name in _SETTINGS and value}
    over = vars(settings_from(given, Path()))
    made = replace(made, **{name: over[name] for name in given})
    target = output_file(options.output or Path(f"{Path(recording).stem}-diagram.pdf"), ".svg", ".pdf", ".png")
    run.collisions.custom = run.collisions.custom.changed(units, signs)
    click.echo(f"written:   {save_figure(diagram(run, made), target)}")

"""``centrode plot``: draw figures of a recording into files."""

from __future__ import annotations

import click

FAMILIES = ("channels", "tracks", "phase", "energy", "tyre-use")


@click.command()
@click.argument("recording", type=click.Path())
@click.argument("names", nargs=-1)
@click.option(
    "-f", "--family", type=click.Choice(FAMILIES), default="channels", show_default=True, help="Kind of figure."
)
@click.option("-o", "--output", type=click.Path(), help="File (.png, .svg, .pdf); the recording's name by default.")
@click.option("--title", default="", help="Line above the figure.")
@click.option("--list", "listing", is_flag=True, help="List the channels instead.")
def command(recording: str, names: tuple[str, ...], family: str, output: str | None, title: str, listing: bool) -> int:
    """Draw figures of a recording.

    \b
    Example:
      centrode plot run.nc arm.position hinge.force -o arm.png
      centrode plot run.nc -f phase arm.angle arm.omega
      centrode plot run.nc -f tracks car1.body car2.body
      centrode plot run.nc -f tyre-use car1
      centrode plot run.nc -f energy -o audit.pdf

    NAMES are channels, bodies for tracks, two scalar channels for phase, wheels or vehicles for tyre use.
    """
    from pathlib import Path

    from centrode.cli.output import print_table
    from centrode.errors import InputError
    from centrode.recording.recording import Recording

    run = Recording.load(recording)
    if listing:
        rows = [(item.name, item.unit, " x ".join(item.dims), item.meaning) for item in run.channels.values()]
        print_table(["channel", "unit", "axes", "meaning"], rows)
        return 0
    from centrode.plots import figure as drawing

    if family == "channels":
        from centrode.plots.channels import figure_channels

        drawn = figure_channels(run, names or list(run.channels)[:4], title=title)
    elif family == "tracks":
        from centrode.plots.tracks import figure_tracks

        drawn = figure_tracks(run, names or None, title=title)
    elif family == "phase":
        from centrode.plots.phase import figure_phase

        if len(names) != 2:
            raise InputError("a phase portrait needs two channels", got=list(names), hint="centrode plot --list")
        drawn = figure_phase(run, *names, title=title)
    elif family == "tyre-use":
        from centrode.plots.tyre_use import figure_tyre_use

        drawn = figure_tyre_use(run, names or None, title=title)
    else:
        from centrode.plots.energy import figure_energy

        drawn = figure_energy(run, title=title)
    path = Path(output) if output else Path(f"{Path(recording).stem}-{family}.png")
    click.echo(f"written:   {drawing.save(drawn, path)}")
    return 0

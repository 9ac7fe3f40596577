"""``centrode plot``: draw figures of a recording into files, or pages to explore."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

import centrode
from centrode.cli.output import print_table, progress, remark
from centrode.errors import Fault, InputError, nearest_name


@click.command()
@click.argument("recording", type=click.Path())
@click.argument("names", nargs=-1)
@click.option("-f", "--family", help="Kind of figure, or a plot of the scenario; may also stand before the names.")
@click.option("-o", "--output", type=click.Path(), help="File (.png, .svg, .pdf, .html); by default a .png.")
@click.option("--html", "html_path", type=click.Path(), metavar="FILE", help="Write a page to explore, offline.")
@click.option("--title", default="", help="Line above the figure.")
@click.option("--over", metavar="PATH=LOW:HIGH:COUNT", help="Eigenvalues over an entry of the scenario.")
@click.option("--cyclic", multiple=True, help="Eigenvalues: coordinate of which only the rate matters.")
@click.option("--method", "methods", multiple=True, help="Convergence: method of fixed step; repeat it.")
@click.option("--step", "steps", type=float, multiple=True, help="Convergence: step [s]; repeat it.")
@click.option("--duration", type=float, help="Convergence: length of the runs [s].")
@click.option("--plugin", "plugins", multiple=True, type=click.Path(), help="Python file with further kinds of plots.")
@click.option("--list", "listing", is_flag=True, help="List the channels instead.")
def command(
    recording: str,
    names: tuple[str, ...],
    family: str | None,
    output: str | None,
    html_path: str | None,
    title: str,
    listing: bool,
    **options: Any,
) -> None:
    """Draw figures of a recording.

    \b
    Example:
      centrode plot run.nc arm.position hinge.force -o arm.png
      centrode plot run.nc phase arm.angle arm.omega --html phase.html
      centrode plot run.nc tracks car1.body car2.body
      centrode plot run.nc tyre-use car1
      centrode plot run.nc energy -o audit.pdf
      centrode plot run.nc eigenvalues --over bodies.arm.mass=1:5:21
      centrode plot run.nc convergence arm.position --method rk4-projected --duration 1
      centrode plot run.nc my-kind --plugin my_plots.py

    NAMES are channels, bodies for tracks, two scalar channels for phase, wheels or vehicles for tyre use, coordinates
    for eigenvalues, one channel for convergence. Eigenvalues and convergence start from the scenario that the recording
    carries; plots that it declares are drawn by their names. A page (--html) is one offline file: zoom, values under
    the pointer, curves on and off, one time for all.
    """
    run = centrode.Recording.load(recording)
    if listing:
        rows = [(item.name, item.unit, " x ".join(item.dims), item.meaning) for item in run.channels.values()]
        print_table(["channel", "unit", "axes", "meaning"], rows)
        return
    plot = _plot(run, ((family,) if family else ()) + names, Path(recording).resolve().parent, title=title, **options)
    with progress(f"drawing {plot.kind}", quiet=not plot.reads_scenario) as advance:
        drawn = plot.figure(run, advance)
    title = title or f"{run.provenance.title or Path(recording).stem}: {plot.name.replace('-', ' ')}"
    plain = output or (None if html_path else f"{Path(recording).stem}-{plot.name}.png")
    files = [
        centrode.save_figure(drawn, path, title=title, say=remark) for path in (html_path, plain) if path is not None
    ]
    click.echo("written:   " + ", ".join(str(file) for file in files))


def _plot(
    run: centrode.Recording, words: tuple[str, ...], folder: Path, plugins: tuple[str, ...], **options: Any
) -> centrode.Plot:
    """The plot that the first word names, a kind or one of the scenario; otherwise all words are channels."""
    from centrode.parts import registry

    kinds: Mapping[str, Any] = registry.part_kinds("plot", plugins)
    first = words[0] if words and words[0] not in run else "channels"
    if first in kinds:
        plot: centrode.Plot = kinds[first].called(words[1:] if words[:1] == (first,) else words, **options)
        if plot.reads_scenario:
            run.scenario(folder, plugins)
        return plot
    try:
        declared: Any = run.scenario(folder, plugins).system.parts.get(first)
    except InputError as error:
        if not _is_channel(run, first) and run.provenance.scenario_text:
            # It may be a plot of the scenario, so why that cannot be read belongs to the answer.
            what = "no such channel, and plots of the scenario are unknown, because it cannot be read"
            near = nearest_name(first, list(run.channels))
            raise InputError([Fault(what, got=first, nearest=near), *error.faults]) from None
        declared = None
    if declared is not None and declared.family == "plot":
        return declared  # type: ignore[no-any-return]
    return kinds["channels"].called(words, **options)  # type: ignore[no-any-return]


def _is_channel(run: centrode.Recording, name: str) -> bool:
    """Whether a name is a channel, one component of one, or the time."""
    return name in run or name == "time" or name.rpartition(".")[0] in run

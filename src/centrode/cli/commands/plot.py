"""``centrode plot``: draw figures of a recording into files, or pages to explore."""

from __future__ import annotations

from typing import Any

import click

FAMILIES = ("channels", "tracks", "phase", "energy", "tyre-use", "eigenvalues", "convergence")


@click.command()
@click.argument("recording", type=click.Path())
@click.argument("names", nargs=-1)
@click.option("-f", "--family", type=click.Choice(FAMILIES), help="Kind of figure; may also stand before the names.")
@click.option("-o", "--output", type=click.Path(), help="File (.png, .svg, .pdf, .html); by default a .png.")
@click.option("--html", "html_path", type=click.Path(), metavar="FILE", help="Write a page to explore, offline.")
@click.option("--title", default="", help="Line above the figure.")
@click.option("--over", metavar="PATH=LOW:HIGH:COUNT", help="Eigenvalues over an entry of the scenario.")
@click.option("--cyclic", multiple=True, help="Eigenvalues: coordinate of which only the rate matters.")
@click.option("--method", "methods", multiple=True, help="Convergence: method of fixed step; repeat it.")
@click.option("--step", "steps", type=float, multiple=True, help="Convergence: step [s]; repeat it.")
@click.option("--duration", type=float, help="Convergence: length of the runs [s].")
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
) -> int:
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

    NAMES are channels, bodies for tracks, two scalar channels for phase, wheels or vehicles for tyre use, coordinates
    for eigenvalues, one channel for convergence. Eigenvalues and convergence start from the scenario that the recording
    carries. A page (--html) is one offline file: zoom, values under the pointer, curves on and off, one time for all.
    """
    from pathlib import Path

    from centrode.cli.output import print_table, remark
    from centrode.recording.recording import Recording

    run = Recording.load(recording)
    if listing:
        rows = [(item.name, item.unit, " x ".join(item.dims), item.meaning) for item in run.channels.values()]
        print_table(["channel", "unit", "axes", "meaning"], rows)
        return 0
    if family is None and names and names[0] in FAMILIES and names[0] not in run:
        family, names = names[0], names[1:]
    family = family or "channels"
    drawn = _figure(run, family, names, title, Path(recording).resolve().parent, options)
    files: list[Path] = []
    if html_path is not None:
        from centrode.plots.interactive import save_html

        heading = title or f"{run.provenance.title or Path(recording).stem}: {family.replace('-', ' ')}"
        files.append(save_html(drawn, html_path, title=heading, say=remark))
    if output is not None or html_path is None:
        from centrode.plots.figure import save_figure

        files.append(save_figure(drawn, Path(output) if output else Path(f"{Path(recording).stem}-{family}.png")))
    click.echo("written:   " + ", ".join(str(file) for file in files))
    return 0


def _figure(run: Any, family: str, names: tuple[str, ...], title: str, folder: Any, options: dict[str, Any]) -> Any:
    from centrode.errors import InputError

    if family == "tracks":
        from centrode.plots.tracks import figure_tracks

        return figure_tracks(run, names or None, title=title)
    if family == "phase":
        from centrode.plots.phase import figure_phase

        if len(names) != 2:
            raise InputError("a phase portrait needs two channels", got=list(names), hint="centrode plot --list")
        return figure_phase(run, *names, title=title)
    if family == "tyre-use":
        from centrode.plots.tyre_use import figure_tyre_use

        return figure_tyre_use(run, names or None, title=title)
    if family == "energy":
        from centrode.plots.energy import figure_energy

        return figure_energy(run, title=title)
    if family == "eigenvalues":
        return _eigenvalues(run.scenario(folder), names, title, options)
    if family == "convergence":
        return _convergence(run.scenario(folder), names, title, options)
    from centrode.plots.channels import figure_channels

    return figure_channels(run, names or list(run.channels)[:4], title=title)


def _eigenvalues(scenario: Any, names: tuple[str, ...], title: str, options: dict[str, Any]) -> Any:
    from centrode.cli.output import progress
    from centrode.plots.eigenvalues import figure_eigenvalues
    from centrode.studies.eigenvalues import eigenvalues_over, start_eigenvalues

    chosen = {"coordinates": names, "cyclic": options["cyclic"]}
    if options["over"] is None:
        return figure_eigenvalues(start_eigenvalues(scenario, **chosen), title=title)
    path, values = _sweep(options["over"])
    with progress(f"eigenvalues over {path}") as advance:
        found = eigenvalues_over(scenario, path, values, progress=advance, **chosen)
    return figure_eigenvalues(found, values, name=path, title=title)


def _convergence(scenario: Any, names: tuple[str, ...], title: str, options: dict[str, Any]) -> Any:
    from centrode.cli.output import progress
    from centrode.errors import InputError
    from centrode.plots.convergence import figure_convergence
    from centrode.studies.convergence import step_errors

    if len(names) > 1:
        raise InputError("convergence is drawn for one channel", got=list(names))
    with progress("runs of other steps") as advance:
        found = step_errors(
            scenario,
            names[0] if names else "",
            methods=options["methods"],
            steps=options["steps"],
            duration=options["duration"],
            progress=advance,
        )
    return figure_convergence(
        found.steps, found.errors, error_name=f"error of {found.channel}", error_unit=found.unit, title=title
    )


def _sweep(text: str) -> tuple[str, Any]:
    """Path and values of "path=low:high:count"."""
    import numpy as np

    from centrode.errors import InputError

    path, _, span = text.partition("=")
    try:
        low, high, count = (float(item) for item in span.split(":"))
    except ValueError:
        raise InputError("not a range", path="--over", got=text, expected="such as bodies.arm.mass=1:5:21") from None
    if not (2 <= count <= 1000 and count == int(count)):
        raise InputError("not a count of values", path="--over", got=count, expected="2 to 1000")
    return path.strip(), np.linspace(low, high, int(count))

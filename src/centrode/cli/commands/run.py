"""``centrode run``: simulate a scenario file."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

import centrode
from centrode.cli.options import ASSIGNMENTS, JSON, PLUGINS
from centrode.cli.output import emit_json, print_table, progress, remark
from centrode.errors import InputError, RunError
from centrode.texts import output_file

_MOST_ROWS = 40
_MOST_EVENTS = 20
RECORDING_ENDINGS = (".nc", ".nc4", ".h5")


@click.command()
@click.argument("scenario", type=click.Path())
@click.option("-o", "--output", type=click.Path(), help="Recording to write; the scenario's name with .nc by default.")
@click.option("--csv", "as_csv", is_flag=True, help="Write a table of all channels (.csv) as well.")
@JSON
@click.option("--duration", metavar="TIME", help="Length of the run: 10, '500 ms', '2 min'.")
@click.option("--method", metavar="NAME", help="How the state advances.")
@click.option("--step", metavar="TIME", help="Step of fixed-step methods, first step of adaptive ones.")
@click.option("--frames", metavar="TIME", help="Time between recorded frames.")
@click.option("--tolerance", metavar="NUMBER", help="Tolerance of adaptive methods.")
@ASSIGNMENTS
@PLUGINS
@click.option("--resume", is_flag=True, help="Go on with an interrupted run of the same scenario and output.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
def command(
    scenario: str,
    output: str | None,
    as_csv: bool,
    as_json: bool,
    assignments: tuple[str, ...],
    plugins: tuple[str, ...],
    resume: bool,
    quiet: bool,
    **run_options: str | None,
) -> None:
    """Simulate a scenario file.

    \b
    Example:
      centrode run pendulum.yaml
      centrode run pendulum.yaml -o light.nc --set bodies.arm.mass=0.5 --duration "20 s"

    The result is one NetCDF file. A run that was killed goes on with --resume. Exit code 1 when the run stops early,
    2 when the input is wrong.
    """
    path = Path(output) if output is not None else Path(Path(scenario).stem + ".nc")
    given = [f"run.{name}={value}" for name, value in run_options.items() if value is not None]
    from centrode.scenario.edits import parse_edits

    loaded = centrode.load(scenario, edits=parse_edits([*assignments, *given]), plugins=plugins)
    _check_output(path, Path(scenario))
    start = loaded.settings.start
    with progress(loaded.title or Path(scenario).stem, quiet=quiet or as_json) as advance:

        def report(time: float, end: float) -> None:
            advance((time - start) / (end - start) if end > start else 1.0)

        say = (lambda text: None) if quiet or as_json else remark
        with _ending_well(path):
            recording = centrode.simulate(loaded, path=path, resume=resume, progress=report, say=say)
    table = path.with_suffix(".csv")
    if as_csv:
        recording.to_csv(table)
    written = [str(path), *([str(table)] if as_csv else [])]
    if as_json:
        _print_json(recording, loaded, written)
    elif not quiet:
        _print_summary(recording, loaded, written)
    if not recording.status.completed:
        raise RunError(recording.status.stop or str(recording.status), recording)


@contextmanager
def _ending_well(path: Path) -> Iterator[None]:
    """A run that is asked to end (Ctrl-C, a job's time limit) keeps its frames, and says where they are."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGTERM, end) if threading.current_thread() is threading.main_thread() else None
    try:
        yield
    except KeyboardInterrupt:
        remark(f"all frames so far are in {path}.partial, for ct.Recording.load; --resume goes on from there")
        raise
    finally:
        if usual is not None:
            signal.signal(signal.SIGTERM, usual)


def _check_output(path: Path, scenario: Path) -> None:
    """Refuse outputs that cannot be written before hours of work, not after."""
    if path.is_dir():
        raise InputError("the output is a folder", got=str(path), expected="a file name such as run.nc")
    if path.resolve() == scenario.resolve():
        raise InputError("the output would replace the scenario", got=str(path))
    output_file(path, *RECORDING_ENDINGS)


def _print_summary(recording: centrode.Recording, scenario: centrode.Scenario, written: list[str]) -> None:
    from centrode.recording.export import CHANNEL_COLUMNS, heading, rows_of
    from centrode.vehicles.grip import grip_sentences

    for name, text in heading(recording):
        click.echo(f"{name + ':':<11}{text}")
    for grip in grip_sentences(scenario.system):
        click.echo(f"tyres:     {grip}")
    rows = rows_of(recording)
    click.echo("")
    if 0 < len(rows) <= _MOST_ROWS:
        print_table(CHANNEL_COLUMNS, rows)
    elif rows:
        click.echo(
            f"channels:  {len(rows)}, too many to show; centrode plot {written[0]} --list names them, --csv writes them"
        )
    if len(recording.events):
        click.echo("")
        click.echo(recording.events[:_MOST_EVENTS].table())
        if len(recording.events) > _MOST_EVENTS:
            click.echo(f"... and {len(recording.events) - _MOST_EVENTS} more events in the recording")
        if any(event.kind == "collision" for event in recording.events):
            click.echo(f"figures of the collisions: centrode crash {written[0]}")
    click.echo("")
    click.echo("written:   " + ", ".join(written))


def _print_json(recording: centrode.Recording, scenario: centrode.Scenario, written: list[str]) -> None:
    status, made = recording.status, recording.provenance
    said = {"title": scenario.title, "status": status.outcome, "message": str(status), "files": written}
    seen = {"frames": len(recording), "time": recording.time[[0, -1]].tolist() if len(recording) else []}
    came = {"method": made.method, "scenario_digest": made.scenario_digest, "statistics": recording.statistics}
    last = {name: recording[name][-1] for name in recording} if len(recording) else {}
    emit_json({**said, **seen, **came, "events": recording.events, "final": last})

"""``centrode drive``: sit in a vehicle of a scenario, in the browser."""

from __future__ import annotations

from pathlib import Path

import click

import centrode
from centrode.cli.options import ASSIGNMENTS
from centrode.cli.output import remark


@click.command()
@click.argument("scenario", type=click.Path())
@click.option("--vehicle", metavar="NAME", default="", help="Vehicle to sit in; the first that can be driven.")
@click.option("-o", "--output", type=click.Path(), help="Recording of the drive; the scenario's name with -drive.nc.")
@click.option("--port", type=int, default=8042, show_default=True, help="Port on this machine; 0 takes a free one.")
@click.option("--rate", type=float, default=60.0, show_default=True, help="Ticks per second.")
@ASSIGNMENTS
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
@click.option("--again", is_flag=True, help="SCENARIO is a recorded drive: repeat it from its inputs and compare.")
def command(
    scenario: str,
    vehicle: str,
    output: str | None,
    port: int,
    rate: float,
    assignments: tuple[str, ...],
    no_open: bool,
    again: bool,
) -> int:
    """Drive a vehicle in the browser.

    \b
    Example:
      centrode drive scenarios/collisions/head_on.yaml --vehicle east -o mine.nc
      centrode drive mine.nc --again

    Physics runs in real time with the engine of `centrode run`; other vehicles follow their controllers. The page is
    served on this machine only. Ctrl-C ends the drive and writes the recording.
    """
    if again:
        return _repeat(scenario)
    from centrode.scenario.edits import parse_edits
    from centrode.view.drive import Drive
    from centrode.view.server import DriveLoop, LiveServer, listening_socket, require_server
    from centrode.view.window import open_in_browser

    require_server()
    listening_socket(port).close()  # a busy port is named before anybody waits for the drive
    path = Path(output) if output else Path(f"{Path(scenario).stem}-drive.nc")
    loaded = centrode.load(scenario, edits=parse_edits(list(assignments)))

    def named(number: int) -> Path:
        return path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")

    remark("preparing the drive ...")
    loop = DriveLoop(lambda number: Drive(loaded, vehicle, rate=rate, path=named(number)))
    server = LiveServer(loop, port, remark)
    click.echo(f"drive at:  {server.address}")
    if not no_open:
        open_in_browser(server.address)
    remark("Ctrl-C ends the drive and writes the recording")
    server.run()
    timing = loop.jitter()
    late, often, work, most = (1e3 * timing[key] for key in ("late_p50", "late_p99", "spent_p50", "spent_p99"))
    waits = f"late by {late:.2f} ms (median), {often:.2f} ms (99 of 100)"
    remark(f"{timing['ticks']:.0f} ticks; {waits}; work {work:.2f} ms, {most:.2f} ms")
    click.echo("written:   " + ", ".join(str(named(number)) for number in range(1, 1 + len(loop.saved))))
    return 0


def _repeat(recording: str) -> int:
    """Drive again from recorded inputs; exit code 1 when anything differs."""
    from centrode.view.drive import replay

    first = centrode.Recording.load(recording)
    differing = first.differences(replay(first))
    if differing:
        click.echo("differs in " + ", ".join(differing[:10]), err=True)
        return 1
    click.echo(f"the same: {len(first)} frames, {len(first.channels)} channels, bit for bit")
    return 0

"""``centrode drive``: sit in a vehicle of a scenario, in the browser."""

from __future__ import annotations

from pathlib import Path

import click

import centrode
from centrode.classes import dataclass
from centrode.cli.options import ASSIGNMENTS, PLUGINS, flag, option, takes
from centrode.cli.output import remark


@dataclass(frozen=True)
class DriveOptions:
    """Which seat, and how the drive is served and kept."""

    vehicle: str = option("--vehicle", "Vehicle to sit in; the first that can be driven.", "", metavar="NAME")
    output: str | None = option(
        "-o --output", "Recording of the drive; the scenario's name with -drive.nc.", type=click.Path()
    )
    port: int = option("--port", "Port on this machine; 0 takes a free one.", 8042)
    rate: float = option("--rate", "Ticks per second.", 60.0)
    no_open: bool = flag("--no-open", "Do not open the browser.")
    again: bool = flag("--again", "SCENARIO is a recorded drive: repeat it from its inputs and compare.")


@click.command()
@click.argument("scenario", type=click.Path())
@takes(DriveOptions)
@PLUGINS
@ASSIGNMENTS
def command(scenario: str, options: DriveOptions, plugins: tuple[str, ...], assignments: tuple[str, ...]) -> int:
    """Drive a vehicle in the browser.

    \b
    Example:
      centrode drive scenarios/collisions/head_on.yaml --vehicle east -o mine.nc
      centrode drive mine.nc --again

    Physics runs in real time with the engine of `centrode run`; other vehicles follow their controllers. The page is
    served on this machine only. Ctrl-C ends the drive and writes the recording.
    """
    if options.again:
        return _repeat(scenario)
    from centrode.scenario.edits import parse_edits
    from centrode.view.drive import Drive
    from centrode.view.server import DriveLoop, LiveServer, listening_socket, require_server
    from centrode.view.window import open_in_browser

    require_server()
    listening_socket(options.port).close()  # a busy port is named before anybody waits for the drive
    path = Path(options.output) if options.output else Path(f"{Path(scenario).stem}-drive.nc")
    loaded = centrode.load(scenario, edits=parse_edits(assignments), plugins=plugins)

    def named(number: int) -> Path:
        return path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")

    remark("preparing the drive ...")
    loop = DriveLoop(lambda number: Drive(loaded, options.vehicle, rate=options.rate, path=named(number)))
    server = LiveServer(loop, options.port, remark)
    click.echo(f"drive at:  {server.address}")
    if not options.no_open:
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

"""``centrode view``: look at a recording in 3D, or turn it into a page, a picture or a video."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

import centrode
from centrode.classes import dataclass
from centrode.cli.options import PLUGINS, option, seconds, takes
from centrode.cli.output import progress, remark
from centrode.cli.recordings import open_recording
from centrode.errors import InputError

if TYPE_CHECKING:
    from centrode.view.pictures import Look


@dataclass(frozen=True)
class ViewOptions:
    """What to write, and how pictures and videos look."""

    html: str | None = option("--html", "Write one offline page, do not open.", metavar="FILE")
    png: str | None = option("--png", "Write a picture (needs Chromium).", metavar="FILE")
    video: str | None = option("--video", "Write .mp4, .webm or .gif (needs Chromium).", metavar="FILE")
    time: str | None = option("--time --at", "Time of the picture: 1.5, '200 ms'; the end by default.", metavar="TIME")
    camera: str = option("--camera", "orbit, follow, driver, top; front, rear, side, chase or x,y,z for pictures.", "")
    aim: str = option("--look", "Place that the picture's camera looks at: x,y,z.", "", metavar="PLACE")
    zoom: float = option("--zoom", "How much closer the picture's camera goes.", 1.0)
    body: str = option("--body", "Body that the camera follows.", "", metavar="NAME")
    show: str = option("--show", "Of trails,velocities,forces,contacts,labels.", "", metavar="LIST")
    plots: tuple[str, ...] = option("--plot", "Channel to plot below the scene; repeat it.", (), metavar="CHANNEL")
    size: str = option("--size", "Size of pictures and videos.", "1280x720", metavar="WxH")
    speed: float = option("--speed", "Seconds of the run per second of the video.", 1.0)
    rate: float = option("--rate", "Pictures per second of the video.", 30.0)

    def look(self) -> Look:
        """How pictures and videos look."""
        from centrode.view.pictures import Look

        match = re.fullmatch(r"(\d+)[x×](\d+)", self.size)
        if match is None:
            raise InputError("not a size", got=self.size, expected="such as 1280x720")
        shown = tuple(item.strip() for item in self.show.split(",") if item.strip())
        size = int(match[1]), int(match[2])
        return Look(*size, self.camera, self.body, shown, False, self.plots, self.aim, self.zoom)


@click.command()
@click.argument("recording", type=click.Path())
@takes(ViewOptions)
@PLUGINS
def command(recording: str, options: ViewOptions, plugins: tuple[str, ...]) -> None:
    """Look at a recording in 3D.

    \b
    Example:
      centrode view run.nc
      centrode view run.nc --html run.html
      centrode view run.nc --png run.png --time 1.5 --show trails,labels
      centrode view run.nc --png hit.png --at 0.82 --camera side --body striking.body --zoom 1.5
      centrode view run.nc --video run.mp4 --camera follow --body car1.body --speed 0.25
    """
    run = open_recording(recording, plugins)
    if not run.status.completed:
        remark(f"note: {run.status}")
    at = seconds(options.time, "--time") if options.time is not None else None
    look, plots = options.look(), options.plots or None
    written: list[Path] = []
    if options.html is not None:
        written.append(centrode.save_html(run, options.html, plots=plots, say=remark))
    if options.png is not None:
        from centrode.view.pictures import save_png

        written.append(save_png(run, options.png, at, look, say=remark))
    if options.video is not None:
        from centrode.view.pictures import save_video

        with progress(f"video of {Path(recording).name}") as advance:
            pace = {"rate": options.rate, "speed": options.speed}
            written.append(save_video(run, options.video, look=look, **pace, progress=advance, say=remark))
    if written:
        click.echo("written:   " + ", ".join(map(str, written)))
        return
    from centrode.view.window import show

    path, opened = show(run, plots=plots, say=remark)
    click.echo(f"{'opened' if opened else 'no browser to open; the page is'}: {path}")

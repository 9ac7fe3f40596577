"""``centrode view``: look at a recording in 3D, or turn it into a page, a picture or a video."""

from __future__ import annotations

import click


@click.command()
@click.argument("recording", type=click.Path())
@click.option(
    "--html", "html_path", type=click.Path(), metavar="FILE", help="Write one offline page instead of opening it."
)
@click.option("--png", "png_path", type=click.Path(), metavar="FILE", help="Write a picture (needs Chromium).")
@click.option(
    "--video", "video_path", type=click.Path(), metavar="FILE", help="Write .mp4, .webm or .gif (needs Chromium)."
)
@click.option("--time", metavar="TIME", help="Time of the picture: 1.5, '200 ms'; the end by default.")
@click.option(
    "--camera", type=click.Choice(["orbit", "follow", "driver", "top"]), help="Camera of pictures and videos."
)
@click.option("--body", metavar="NAME", default="", help="Body that the camera follows.")
@click.option("--show", "overlays", metavar="LIST", default="", help="Of trails,velocities,forces,contacts,labels.")
@click.option("--plot", "plots", multiple=True, metavar="CHANNEL", help="Channel to plot below the scene; repeat it.")
@click.option("--size", default="1280x720", show_default=True, metavar="WxH", help="Size of pictures and videos.")
@click.option("--speed", default=1.0, show_default=True, help="Seconds of the run per second of the video.")
@click.option("--rate", default=30.0, show_default=True, help="Pictures per second of the video.")
def command(
    recording: str,
    html_path: str | None,
    png_path: str | None,
    video_path: str | None,
    time: str | None,
    camera: str | None,
    body: str,
    overlays: str,
    plots: tuple[str, ...],
    size: str,
    speed: float,
    rate: float,
) -> int:
    """Look at a recording in 3D.

    \b
    Example:
      centrode view run.nc
      centrode view run.nc --html run.html
      centrode view run.nc --png run.png --time 1.5 --show trails,labels
      centrode view run.nc --video run.mp4 --camera follow --body car1.body --speed 0.25
    """
    import re
    from pathlib import Path

    from centrode import units
    from centrode.cli.output import progress, remark
    from centrode.errors import InputError
    from centrode.recording.recording import Recording

    run = Recording.load(recording)
    for remark_text in _warnings(run):
        remark(remark_text)
    at = None
    if time is not None:
        at = float(units.parse_quantity(time)[0]) if units.looks_like_quantity(time) else _number(time)
    match = re.fullmatch(r"(\d+)[x×](\d+)", size)
    if match is None:
        raise InputError("not a size", got=size, expected="such as 1280x720")
    written: list[str] = []
    if html_path is not None:
        from centrode.view.page import save_html

        written.append(str(save_html(run, html_path, plots=plots or None, say=remark)))
    if png_path is not None or video_path is not None:
        from centrode.view.pictures import Look, save_png, save_video

        shown = tuple(item.strip() for item in overlays.split(",") if item.strip())
        look = Look(int(match[1]), int(match[2]), camera or "", body, shown, False, plots)
        if png_path is not None:
            written.append(str(save_png(run, png_path, at, look, say=remark)))
        if video_path is not None:
            with progress(f"video of {Path(recording).name}") as advance:
                video = save_video(run, video_path, look=look, rate=rate, speed=speed, progress=advance, say=remark)
            written.append(str(video))
    if written:
        click.echo("written:   " + ", ".join(written))
        return 0
    from centrode.view.window import show

    path, opened = show(run, plots=plots or None, say=remark)
    click.echo(f"{'opened' if opened else 'no browser to open; the page is'}: {path}")
    return 0


def _number(text: str) -> float:
    from centrode.errors import InputError

    try:
        return float(text)
    except ValueError:
        raise InputError("not a time", path="--time", got=text, expected="a number in s, or such as '200 ms'") from None


def _warnings(run: object) -> list[str]:
    from centrode.recording.recording import Recording

    assert isinstance(run, Recording)
    return [] if run.status.completed else [f"note: {run.status}"]

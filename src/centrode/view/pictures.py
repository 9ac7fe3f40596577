"""Pictures and videos of a recording, drawn by the viewer itself in a headless Chromium."""

from __future__ import annotations

import contextlib
import io
import json
import math
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from centrode.classes import dataclass
from centrode.errors import CentrodeError, InputError, unknown_name
from centrode.recording.recording import Recording
from centrode.texts import AnyPath, Progress, Say, output_file
from centrode.view.browser import Browser
from centrode.view.page import page_of, write_text
from centrode.view.scene import body_names

CAMERAS = ("orbit", "follow", "driver", "top")
STILLS = ("front", "rear", "left", "right", "side", "chase")
"""Sides of a body from which a still is taken; "side" is its left."""
OVERLAYS = ("trails", "velocities", "forces", "contacts", "marks", "centrodes", "labels")
_LONGEST_VIDEO = 20_000


@dataclass(frozen=True)
class Look:
    """How a picture is taken.

    Attributes:
        width, height: [pixels].
        camera: of :data:`CAMERAS` or :data:`STILLS`, "x,y,z" (a place in the world [m]), or "" for the viewer's choice.
        look: "x,y,z", the place that the camera looks at; the body, or all, when it is empty.
        zoom: how much closer than usual.
        body: name of the body that the camera follows.
        overlays: of :data:`OVERLAYS`; tyre marks are shown anyway.
        buttons: show the viewer's buttons as well.
        plots: channels of plots below the scene.
    """

    width: int = 1280
    height: int = 720
    camera: str = ""
    body: str = ""
    overlays: tuple[str, ...] = ()
    buttons: bool = False
    plots: tuple[str, ...] = ()
    look: str = ""
    zoom: float = 1.0

    def __post_init__(self) -> None:
        if not (16 <= self.width <= 8192 and 16 <= self.height <= 8192):
            raise InputError("picture size out of range", got=(self.width, self.height), expected="16 to 8192 pixels")
        if self.camera and self.camera not in CAMERAS + STILLS and "," not in self.camera:
            raise unknown_name("unknown camera", self.camera, (*CAMERAS, *STILLS, "x,y,z"))
        if not 0.01 <= self.zoom <= 100.0:
            raise InputError("zoom out of range", path="--zoom", got=self.zoom, expected="0.01 to 100")
        self.still_order()
        for name in [item for item in self.overlays if item not in OVERLAYS]:
            raise unknown_name("unknown overlay", name, OVERLAYS)

    def still_order(self) -> str:
        """What the viewer is told for a place, a side, a target or a zoom; empty when there is none of them.

        Raises:
            InputError: a place that is not three numbers.
        """
        if "," in self.camera:
            eye = json.dumps(_place(self.camera, "--camera"))
        else:
            eye = json.dumps(self.camera) if self.camera in STILLS else "null"
        target = json.dumps(_place(self.look, "--look")) if self.look else "null"
        plain = eye == target == "null" and self.zoom == 1.0
        return "" if plain else f"centrode.still({eye}, {target}, {self.zoom!r})"


def _place(text: str, path: str) -> list[float]:
    """Three numbers "x,y,z" [m]."""
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if len(found) != 3 or not all(math.isfinite(x) for x in found):
        raise InputError("not a place", path=path, got=text, expected="three numbers in m, such as 10,-5,2")
    return found


@contextmanager
def opened(run: Recording, look: Look, say: Say = None) -> Iterator[Browser]:
    """A browser that shows the recording."""
    if look.body and look.body not in body_names(run):
        raise unknown_name("no such body", look.body, body_names(run))
    with tempfile.TemporaryDirectory(prefix="centrode-view-") as folder, ThreadPoolExecutor(1) as pool:
        path = Path(folder) / "page.html"
        starting = pool.submit(Browser, look.width, look.height)  # it starts while the page is made
        try:
            write_text(path, page_of(run, plots=look.plots or None, say=say))
        except BaseException:
            with contextlib.suppress(CentrodeError):
                starting.result().close()
            raise
        with starting.result() as browser:
            browser.open(path)
            browser.wait_ready()
            orders = [
                f"centrode.focus({look.body!r})" if look.body else "",
                f"centrode.camera({look.camera!r})" if look.camera in CAMERAS else "",
                *(f"centrode.overlay({name!r}, true)" for name in look.overlays),
                "centrode.plots.toggle(true)" if look.plots else "",
                "" if look.buttons else "centrode.bare(true)",
            ]
            for order in filter(None, orders):
                browser.evaluate(order)
            yield browser


def picture(run: Recording, time: float | None = None, look: Look | None = None, say: Say = None) -> bytes:
    """The scene at a time [s] as PNG; the last frame by default."""
    at = float(run.time[-1]) if time is None else _inside(run, time)
    chosen = look or Look()
    with opened(run, chosen, say) as browser:
        order = chosen.still_order()
        if order:  # a side of a body is where the body is by then
            browser.evaluate(f"centrode.setTime({at!r})")
            browser.evaluate(order)
        return picture_at(browser, at)


def picture_at(browser: Browser, time: float) -> bytes:
    """PNG of an opened scene at a time [s]."""
    browser.evaluate(f"centrode.setTime({float(time)!r})")
    # Two frames: one for the size after buttons went away, one for the picture.
    browser.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))")
    return browser.screenshot()


def save_png(
    run: Recording, path: AnyPath, time: float | None = None, look: Look | None = None, **options: Any
) -> Path:
    """Write a picture; see :func:`picture`."""
    target = output_file(path, ".png")
    target.write_bytes(picture(run, time, look, **options))
    return target


def save_video(
    run: Recording,
    path: AnyPath,
    *,
    look: Look | None = None,
    rate: float = 30.0,
    speed: float = 1.0,
    progress: Progress = None,
    say: Say = None,
) -> Path:
    """Write the replay as a video: .mp4 or .webm (with ffmpeg), or .gif.

    Args:
        run: the recording.
        path: file to write; its ending chooses the format.
        look: size, camera, overlays.
        rate: pictures per second.
        speed: seconds of the recording per second of the video.
        progress: called with the fraction done.
        say: called with a line of text before something that takes time.
    """
    target = output_file(path, ".mp4", ".webm", ".gif")
    if not (0 < rate <= 120 and speed > 0 and math.isfinite(speed)):
        raise InputError("rate and speed must be positive", got=(rate, speed), expected="rate up to 120 per second")
    if target.suffix != ".gif" and shutil.which("ffmpeg") is None:
        raise InputError("ffmpeg is missing", got=str(path), hint="install ffmpeg, or write a .gif")
    count = max(1, math.ceil(run.duration / speed * rate) + 1)
    if count > _LONGEST_VIDEO:
        raise InputError("the video would be too long", got=f"{count} pictures", hint="raise --speed or lower --rate")
    times = [min(float(run.time[0]) + k * speed / rate, float(run.time[-1])) for k in range(count)]
    chosen = look or Look(width=960, height=540)
    with opened(run, chosen, say) as browser:
        write = _write_gif if target.suffix == ".gif" else _write_video
        write(target, _pictures(browser, times, progress), rate)
    return target


def _pictures(browser: Browser, times: Sequence[float], progress: Progress) -> Iterator[bytes]:
    for k, time in enumerate(times):
        yield picture_at(browser, time)
        if progress is not None:
            progress((k + 1) / len(times))


def _write_gif(path: Path, pictures: Iterator[bytes], rate: float) -> None:
    from PIL import Image

    frames = [Image.open(io.BytesIO(data)).convert("RGB") for data in pictures]
    # One palette for all frames keeps the background still.
    palette = frames[len(frames) // 2].quantize(128)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    small[0].save(path, save_all=True, append_images=small[1:], duration=round(1000 / rate), loop=0, optimize=True)


def _write_video(path: Path, pictures: Iterator[bytes], rate: float) -> None:
    coder = ["libvpx-vp9", "-b:v", "2M"] if path.suffix == ".webm" else ["libx264", "-crf", "20"]
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "image2pipe", "-framerate", f"{rate:g}", "-i", "-"]
    # Even sizes and the plain pixel format: what every player can show.
    command += ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-c:v", *coder, "-pix_fmt", "yuv420p", str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stderr is not None
    try:
        with contextlib.suppress(BrokenPipeError):
            for data in pictures:
                process.stdin.write(data)
    finally:
        process.stdin.close()
        said = process.stderr.read().decode(errors="replace").strip()
        process.stderr.close()
    if process.wait() != 0:
        raise CentrodeError(f"ffmpeg failed: {said.splitlines()[-1] if said else process.returncode}")


def _inside(run: Recording, time: float) -> float:
    if not run.time[0] <= time <= run.time[-1]:
        raise InputError("time outside the recording", got=time, expected=f"{run.time[0]:g} s to {run.time[-1]:g} s")
    return float(time)

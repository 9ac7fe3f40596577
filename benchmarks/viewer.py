"""Figures of the viewer: size of an offline page, time of a picture in the software renderer, time to the first one.

    python benchmarks/viewer.py

Made-up motion: the viewer's cost depends on how much there is to show, not on where it came from. Needs Chromium.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from centrode.parts.visual import Visual, VisualBox, VisualSuperellipsoid, VisualWheel
from centrode.recording.channel import Channel
from centrode.recording.recording import Recording
from centrode.running import simulate
from centrode.scenario.loader import loads
from centrode.view import scene as scenes
from centrode.view.appearance import Appearance
from centrode.view.browser import Browser
from centrode.view.drive import Drive
from centrode.view.page import page, replay_parts
from centrode.view.server import DriveLoop


def journey(bodies: int, frames: int, seed: int = 1) -> Recording:
    """Bodies that drive, sway and turn smoothly."""
    rng = np.random.default_rng(seed)
    time_line = np.linspace(0.0, frames / 100.0, frames)
    channels, data = [], {}
    for k in range(bodies):
        name = f"car{k}.body"
        speed, swing, rate = rng.uniform(5, 30), rng.uniform(0.2, 2), rng.uniform(0.2, 1)
        place = np.stack(
            [speed * time_line, 3.5 * (k % 8) + swing * np.sin(rate * time_line), np.full(frames, 0.55)], 1
        )
        place[:, 0] += 9.0 * (k // 8)
        place[:, 2] += 0.02 * np.sin(9 * time_line + k)
        half = 0.5 * np.arctan2(swing * rate * np.cos(rate * time_line), speed) + 0.01 * np.sin(5 * time_line)
        turn = np.stack([np.cos(half), 0.01 * np.sin(7 * time_line), 0 * half, np.sin(half)], 1)
        channels += [Channel(f"{name}.position", "m", ("xyz",)), Channel(f"{name}.orientation", "1", ("wxyz",))]
        data[f"{name}.position"] = place
        data[f"{name}.orientation"] = turn / np.linalg.norm(turn, axis=1, keepdims=True)
    return Recording(time=time_line, data=data, channels=channels)


def cars(run: Recording) -> Appearance:
    """A painted body, windows and four wheels on every body."""
    found: list[Visual] = []
    for name in scenes.body_names(run):
        found.append(VisualSuperellipsoid(name, (2.0, 0.8, 0.45)))
        found.append(VisualBox(name, (1.8, 1.3, 0.4), position=(-0.2, 0, 0.5), colour="glass"))
        for x in (1.2, -1.2):
            for y in (0.7, -0.7):
                found.append(VisualWheel(name, 0.3, 0.2, position=(x, y, -0.25)))
    return Appearance(found, ["car"] * len(found), [], 4.0)


def page_of_cars(run: Recording) -> str:
    """The page of a recording without a scenario, dressed as cars."""
    plain = scenes._look
    scenes._look = lambda system, names, remarks: cars(run)
    try:
        return page("cars", replay_parts(scenes.scene_of(run)))
    finally:
        scenes._look = plain


LIVE = """
centrode: 1
roads: {road: {kind: plane}}
vehicles: {car: {kind: car, road: road, speed: 10}}
run: {duration: 10 s, method: rk4-projected, step: 2 ms}
"""


def live_loop(seconds: float = 6.0) -> dict[str, float]:
    """Lateness of ticks and time spent on them while a car drives in real time, without a browser [s]."""
    scenario = loads(LIVE)
    loop = DriveLoop(lambda number: Drive(scenario))
    loop.start()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        loop.command({"drive": 0.5, "steer": 0.02})
        time.sleep(0.02)
    loop.stop()
    return loop.jitter()


FRAMES = """(() => {
  const stage = centrode.viewer.stage, gl = stage.renderer.getContext(), one = new Uint8Array(4), found = [];
  if (%s) stage.setQuality(false);
  for (let k = 0; k < 15; k++) {
    const began = performance.now();
    centrode.setFrame(100 + k);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one);  // waits until the picture is really drawn
    found.push(performance.now() - began);
  }
  return found;
})()"""


def processor_seconds(process: int) -> float:
    """Processor time that a process and all its children have used [s]; Linux only."""
    used, children = {}, {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text()
        except OSError:
            continue  # it has just ended
        fields = text[text.rindex(")") + 2 :].split()
        number = int(entry.parent.name)
        used[number] = int(fields[11]) + int(fields[12])
        children.setdefault(int(fields[1]), []).append(number)
    total, waiting = 0, [process]
    while waiting:
        number = waiting.pop()
        total += used.get(number, 0)
        waiting += children.get(number, [])
    return total / os.sysconf("SC_CLK_TCK")


def picture_times(count: int, folder: Path) -> dict[str, np.ndarray]:
    """Times of single pictures of many cars, at rest and while playing (fewer pixels) [ms].

    The last number is the mean processor time of a picture, which other work on the machine hardly changes.
    """
    path = folder / f"{count}.html"
    path.write_text(page_of_cars(journey(count, 1000)))
    with Browser(1280, 720) as browser:
        browser.open(path)
        browser.wait_ready()
        browser.evaluate("centrode.setFrame(100)")
        found = {}
        for name, low in (("at rest", "false"), ("while playing", "true")):
            before = processor_seconds(browser._process.pid)
            spent = np.array(browser.evaluate(FRAMES % low))
            used = 1e3 * (processor_seconds(browser._process.pid) - before) / len(spent)
            found[name] = np.append(spent, used)
        return found


def command_times(folder: Path) -> dict[str, float]:
    """Wall and processor time of `centrode view --png` of a second of one car, everything from nothing [s]."""
    recording = folder / "car.nc"
    simulate(loads(LIVE), path=recording, duration=1.0, frames=0.02)
    command = [sys.executable, "-m", "centrode.cli.main", "view", str(recording), "--png", str(folder / "car.png")]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "wall": time.perf_counter() - began,
        "processor": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    }


def main() -> None:
    """Print all figures."""
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    text = page_of_cars(journey(100, 5000))
    print(f"offline page, 100 bodies x 5000 frames: {len(text.encode()) / 1e6:.2f} MB")
    live = {key: 1e3 * value for key, value in live_loop().items()}
    print(f"live loop, 60 Hz, one car: late {live['late_p50']:.2f} ms (median), {live['late_p99']:.2f} ms (99 %)")
    print(f"  work per tick {live['spent_p50']:.2f} ms (median), {live['spent_p99']:.2f} ms (99 %)")
    with tempfile.TemporaryDirectory() as folder:
        for count in (5, 200):
            for name, spent in picture_times(count, Path(folder)).items():
                low, middle, high = np.percentile(spent[:-1], [0, 50, 95])
                print(
                    f"{count} cars, 1280 x 720, software renderer, {name}: {middle:.0f} ms each (median), "
                    f"{low:.0f} ms (best), {high:.0f} ms (95 %), processor {spent[-1]:.0f} ms"
                )
        found = command_times(Path(folder))
        print(f"command to first picture: {found['wall']:.2f} s, processor {found['processor']:.2f} s")


if __name__ == "__main__":
    main()

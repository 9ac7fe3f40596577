"""The road is seen wherever it lies: the ground below never covers it, whatever the camera does."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from centrode.running import simulate
from centrode.scenario.loader import loads
from centrode.view.browser import Browser

pytestmark = pytest.mark.slow
BROWSER_SIZE = (640, 400)

# The road of scenarios/cars/evading.yaml; the car stands where the near part of it used to be hidden.
SCENARIO = """
centrode: 1
roads: {road: {kind: medusa4, points: [[-100, 0, 0], [100, 0, 0], [500, 0, 0], [1000, 0, 0]]}}
vehicles:
  car: {kind: car-medusa, road: road, speed: 22, position: [PLACE, 4.8]}
  far: {kind: car-medusa, road: road, speed: 22, position: [400, 0]}
run: {duration: 0.02 s, method: predictor-corrector, step: 0.05 ms, frames: 10 ms}
"""

COLOURS = """(points => {
  const v = centrode.viewer, gl = v.stage.renderer.getContext();
  v.draw();
  const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  return points.map(([x, y, z]) => {
    const p = v.stage.camera.position.clone().set(x, y, z).project(v.stage.camera);
    if (Math.abs(p.x) > 0.98 || Math.abs(p.y) > 0.98 || p.z > 1) return null;
    const one = new Uint8Array(4);
    gl.readPixels(Math.round((p.x + 1) / 2 * w), Math.round((p.y + 1) / 2 * h), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, one);
    return Array.from(one.slice(0, 3));
  });
})"""


@pytest.mark.parametrize("place", [-60, 0, 78])
def test_the_road_is_seen_near_and_far(browser: Browser, place: int, tmp_path: Path) -> None:
    run = simulate(loads(SCENARIO.replace("PLACE", str(place))))
    # Between the lines at -1.9 m, 1.9 m and the edges, where no car stands; and beside the road.
    road = [(place + d, y, 0.0) for d in np.linspace(1.0, 60.0, 30) for y in (-4.2, -3.3, -0.6, 0.7)]
    meadow = [(place + d, y, 0.0) for d in np.linspace(5.0, 60.0, 12) for y in (9.0, 12.0, -9.0)]
    browser.open(run.save_html(tmp_path / "road.html"))
    browser.wait_ready()
    browser.evaluate("centrode.bare(true)")
    for camera in ("follow", "top", "driver"):
        browser.evaluate(f"centrode.camera({camera!r})")
        seen = [c for c in browser.evaluate(f"{COLOURS}({json.dumps(road)})") if c is not None]
        assert len(seen) > 10
        grey = [max(c) - min(c) < 25 for c in seen]
        assert all(grey), f"{camera}: {grey.count(False)} of {len(grey)} points of the road are hidden"
        green = [c for c in browser.evaluate(f"{COLOURS}({json.dumps(meadow)})") if c is not None]
        assert not green or np.mean([c[1] - c[2] > 15 for c in green]) > 0.8  # the test can tell one from the other

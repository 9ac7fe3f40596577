"""The viewer in a real browser: asks nobody for anything, shows what was recorded, obeys slider, keys and cameras."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from centrode.math.rotation import matrix_from_quaternion
from centrode.recording.recording import Recording
from centrode.running import simulate
from centrode.scenario.loader import loads
from centrode.view.browser import Browser, BrowserError
from centrode.view.frames import QUATERNION_STEP
from centrode.view.page import page_of
from centrode.view.scene import body_names, scene_of

pytestmark = pytest.mark.slow
BROWSER_SIZE = (900, 560)

SCENARIO = """
centrode: 1
title: "Chain </script><script>window.pwned = 1</script>"
bodies:
  link${i}:
    repeat: {count: 3, index: i, start: 1}
    mass: 1 kg
    inertia: [1e-3, 8e-2, 8e-2]
    position: ["${i - 0.5}", 0, 3]
joints:
  anchor: {kind: ball, a: ground, b: link1, at: [0, 0, 3]}
  pin${i}: {repeat: {count: 2, index: i, start: 1}, kind: ball, a: "link${i}", b: "link${i + 1}", at: ["${i}", 0, 3]}
run: {duration: 1.5 s, frames: 10 ms}
"""


@pytest.fixture(scope="module")
def run() -> Recording:
    return simulate(loads(SCENARIO))


@pytest.fixture(scope="module")
def page(run: Recording, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("view") / "chain.html"
    assert run.save_html(path) == path
    return path


@pytest.fixture
def browser(module_browser: Browser, page: Path) -> Browser:
    module_browser.open(page)
    module_browser.wait_ready()
    return module_browser


def is_drawn(browser: Browser) -> bool:
    """Whether the picture holds a scene: sky, ground and bodies have many colours, an empty canvas has one."""
    seen = browser.evaluate("centrode.pixels()")
    return seen["colours"] > 50 and seen["deviation"] > 4


# -- offline -----------------------------------------------------------------------------------------------------------


def test_page_asks_nobody_for_anything_and_reports_no_problem(browser: Browser) -> None:
    assert browser.foreign_requests() == []
    assert [text for text in browser.problems if "GPU stall" not in text] == []
    assert is_drawn(browser)


def test_a_planted_script_from_a_network_is_refused_and_would_be_seen(
    module_browser: Browser, page: Path, tmp_path: Path
) -> None:
    planted = '<script src="https://cdn.example.org/three.min.js"></script>'
    text = page.read_text().replace("<body>", f"<body>{planted}", 1)
    guarded = tmp_path / "guarded.html"
    guarded.write_text(text)
    module_browser.open(guarded)
    module_browser.wait_ready()
    assert any("Content Security Policy" in problem for problem in module_browser.problems)
    # Without the policy the request goes out, and the check above catches it.
    bare = tmp_path / "bare.html"
    start = text.index('<meta http-equiv="Content-Security-Policy"')
    bare.write_text(text[:start] + text[text.index(">", start) + 1 :])
    module_browser.open(bare)
    module_browser.wait_for("document.readyState === 'complete'")
    assert module_browser.foreign_requests() == ["https://cdn.example.org/three.min.js"]


def test_names_of_a_scenario_stay_text(browser: Browser) -> None:
    assert browser.evaluate("window.pwned === undefined")
    assert browser.evaluate("document.querySelector('.title strong').textContent").startswith("Chain </script>")


def test_a_blank_canvas_is_caught(browser: Browser) -> None:
    assert is_drawn(browser)
    browser.evaluate("centrode.viewer.stage.scene.visible = false")
    assert not is_drawn(browser)


def test_a_damaged_page_says_so_instead_of_staying_empty(module_browser: Browser, page: Path, tmp_path: Path) -> None:
    text = page.read_text()
    mark = 'id="centrode-frames">'
    at = text.index(mark) + len(mark)
    damaged = tmp_path / "damaged.html"
    damaged.write_text(text[:at] + "AAAA" + text[at + 400 :])
    module_browser.open(damaged)
    with pytest.raises(BrowserError, match="shows no scene"):
        module_browser.wait_ready()
    assert "cannot be shown" in module_browser.evaluate("document.querySelector('.failure').textContent")


# -- shown = recorded --------------------------------------------------------------------------------------------------


def shown(browser: Browser, body: str) -> np.ndarray:
    return np.array(browser.evaluate(f"centrode.matrix({body!r})")).reshape(4, 4).T


def test_shown_poses_are_the_recorded_ones(browser: Browser, run: Recording) -> None:
    steps = scene_of(run).data["frames"]["blocks"]["pose"]["steps"]
    for frame in (0, 1, 77, len(run) - 1):
        browser.evaluate(f"centrode.setFrame({frame})")
        for k, name in enumerate(body_names(run)):
            matrix = shown(browser, name)
            allowed = 0.5 * np.array(steps[7 * k : 7 * k + 3]) * (1 + 1e-9) + 1e-12
            assert np.all(np.abs(matrix[:3, 3] - run[f"{name}.position"][frame]) <= allowed)
            rotation = matrix_from_quaternion(run[f"{name}.orientation"][frame])
            # Three components off by half a step each; the fourth, at least 0.45, by three of those over 0.45; an
            # entry of the matrix is at most 4 |dq| off.
            slack = 4 * 0.5 * QUATERNION_STEP * (np.sqrt(3) + 3 / 0.45)
            assert np.abs(matrix[:3, :3] - rotation).max() <= slack


def test_what_is_drawn_stands_where_the_body_is(browser: Browser) -> None:
    # The instance matrices that the graphics card gets, not only the bookkeeping.
    browser.evaluate("centrode.setFrame(60)")
    error = browser.evaluate(
        """(() => {
          const v = centrode.viewer;
          let worst = 0;
          for (const batch of v.model.batches) if (batch.moving) batch.instances.forEach((item, k) => {
            const a = batch.mesh.instanceMatrix.array.slice(16 * k, 16 * k + 16);
            const b = v.motion.matrices[item.body].clone().multiply(item.local).elements;
            for (let i = 0; i < 16; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
          });
          return worst;
        })()"""
    )
    assert error < 1e-6  # single precision of lengths up to 3 m


def test_between_frames_the_motion_is_interpolated(browser: Browser, run: Recording) -> None:
    middle = 0.5 * (run.time[40] + run.time[41])
    browser.evaluate(f"centrode.setTime({middle})")
    expected = run.at("link3.position", middle)
    assert np.abs(shown(browser, "link3")[:3, 3] - expected).max() < 1e-4


# -- hands on ----------------------------------------------------------------------------------------------------------


def test_slider_sets_the_time(browser: Browser, run: Recording) -> None:
    browser.evaluate(
        "(() => { const s = document.querySelector('.time'); s.value = '100'; s.dispatchEvent(new Event('input')); })()"
    )
    assert browser.evaluate("centrode.viewer.time") == pytest.approx(run.time[100], abs=1e-9)
    assert browser.evaluate("document.querySelector('.clock').textContent") == f"{run.time[100]:.3f} s"


def test_keys_step_play_and_jump(browser: Browser, run: Recording) -> None:
    frame = "centrode.recording.nearest(centrode.viewer.time)"
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    browser.press("ArrowLeft")
    assert browser.evaluate(frame) == 1
    browser.press("End")
    assert browser.evaluate(frame) == len(run) - 1
    browser.press("Home")
    assert browser.evaluate(frame) == 0
    browser.press(" ")
    assert browser.evaluate("centrode.viewer.playing")
    browser.wait_for("centrode.viewer.time > 0.1")
    browser.press(" ")
    assert not browser.evaluate("centrode.viewer.playing")
    browser.press("l")
    assert not browser.evaluate("centrode.viewer.loop")


def test_without_loop_the_replay_stops_at_the_end(browser: Browser, run: Recording) -> None:
    browser.evaluate("centrode.viewer.loop = false; centrode.viewer.speed = 10; centrode.viewer.play(true)")
    browser.wait_for("!centrode.viewer.playing")
    assert browser.evaluate("centrode.viewer.time") == pytest.approx(run.time[-1])


def test_cameras(browser: Browser) -> None:
    look = "centrode.viewer.stage.camera.getWorldDirection(centrode.viewer.stage.camera.position.clone()).toArray()"
    place = "centrode.viewer.stage.camera.position.toArray()"
    browser.press("4")
    assert browser.evaluate("centrode.viewer.cameras.name") == "top"
    assert browser.evaluate(look)[2] < -0.99
    browser.press("2")
    browser.evaluate("centrode.focus('link3')")
    before = np.array(browser.evaluate(place)) - shown(browser, "link3")[:3, 3]
    browser.evaluate("centrode.setFrame(120)")
    after = np.array(browser.evaluate(place)) - shown(browser, "link3")[:3, 3]
    assert np.abs(after - before).max() < 1e-9
    browser.press("3")
    ahead = shown(browser, "link3")[:3, 0]
    assert np.abs(np.array(browser.evaluate(look)) - ahead).max() < 1e-6
    browser.press("1")
    assert browser.evaluate("centrode.viewer.cameras.name") == "orbit"


@pytest.mark.parametrize(("key", "name"), [("t", "trails"), ("v", "velocities"), ("f", "forces"), ("n", "labels")])
def test_overlays_change_the_picture(browser: Browser, key: str, name: str) -> None:
    browser.evaluate("centrode.setFrame(90)")
    before = browser.screenshot()
    browser.press(key)
    assert browser.evaluate(f"centrode.viewer.overlays.shown.{name}")
    browser.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    assert browser.screenshot() != before
    browser.press(key)
    assert not browser.evaluate(f"centrode.viewer.overlays.shown.{name}")


def test_force_arrows_point_along_the_recorded_force(browser: Browser, run: Recording) -> None:
    browser.press("f")
    browser.evaluate("centrode.setFrame(50)")
    matrix = browser.evaluate("Array.from(centrode.viewer.overlays.forces.shafts.instanceMatrix.array.slice(0, 16))")
    along = np.array(matrix[8:11]) / np.linalg.norm(matrix[8:11])
    joint = scene_of(run).data["joints"][0]["name"]
    force = run[f"{joint}.force"][50]
    # Forces are rounded to 1/4095 of their range per axis.
    assert along @ force / np.linalg.norm(force) > 0.999


def test_plots_follow_the_time_and_lead_it(browser: Browser, run: Recording) -> None:
    browser.press("p")
    assert browser.evaluate("centrode.plots.open.length") == 2
    area = browser.evaluate(
        "(r => [r.left, r.top, r.width, r.height])(document.querySelector('.panel canvas').getBoundingClientRect())"
    )
    left, top, width, height = area
    browser.click(left + 62 + 0.5 * (width - 62 - 12), top + 0.5 * height)
    assert browser.evaluate("centrode.viewer.time") == pytest.approx(run.time[-1] / 2, abs=0.01)
    column = browser.evaluate("Array.from(centrode.recording.plots[centrode.viewer.scene.plots[0].columns[0]])")
    name = "energy." + browser.evaluate("centrode.viewer.scene.plots[0].labels[0]")
    # Plots are rounded to 1/4095 of their range.
    assert np.abs(np.array(column) - run[name]).max() <= 0.51 * np.ptp(run[name]) / 4095 + 1e-12


def test_page_is_the_same_every_time(run: Recording) -> None:
    assert page_of(run) == page_of(run)
    assert json.loads(json.dumps(scene_of(run).data)) == json.loads(json.dumps(scene_of(run).data))

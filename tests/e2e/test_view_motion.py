"""What turns on its own: wheels steer and roll, fins follow their deflection, propellers spin, tyre marks grow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from centrode.crash.tyre_marks import tyre_marks
from centrode.math.rotation import matrix_from_quaternion
from centrode.recording.recording import Recording
from centrode.running import simulate
from centrode.scenario.loader import loads
from centrode.view.browser import Browser
from centrode.view.marks import CLOSEST, mark_entries

pytestmark = pytest.mark.slow
BROWSER_SIZE = (640, 400)

CAR = """
centrode: 1
title: Sliding car
roads: {road: {kind: plane}}
vehicles: {car: {kind: car, road: road, speed: 25, steer: 0.25}}
run: {duration: 1 s, method: rk4-projected, step: 2 ms, frames: 20 ms}
"""
AUV = """
centrode: 1
gravity: [0, 0, 9.81]
vehicles: {auv: {kind: auv, velocity: [1, 0, 0], thrust: 5, fin_commands: [0.1, -0.2, 0.15, 0.3]}}
run: {duration: 1 s, method: rk4-projected, step: 5 ms, frames: 20 ms}
"""


@pytest.fixture(scope="module")
def car() -> Recording:
    return simulate(loads(CAR))


def show(browser: Browser, run: Recording, folder: Path) -> None:
    browser.open(run.save_html(folder / "run.html"))
    browser.wait_ready()


def drawn(browser: Browser, kind: str) -> list[tuple[np.ndarray, dict]]:
    """Matrices of all instances of a shape relative to their body as they are drawn, and their entries."""
    found = browser.evaluate(
        f"""(() => {{
          const out = [], v = centrode.viewer;
          for (const batch of v.model.batches) batch.instances.forEach((item, k) => {{
            if (item.shape.shape !== {kind!r} || item.body < 0) return;
            const world = batch.mesh.instanceMatrix.array.slice(16 * k, 16 * k + 16);
            const local = v.motion.matrices[item.body].clone().invert();
            local.multiply(local.clone().fromArray(Array.from(world)));
            out.push([local.elements, {{position: item.shape.position, rotation: item.shape.rotation,
              colour: item.shape.colour, radius: item.shape.radius, turn: item.shape.turn_channel}}]);
          }});
          return out;
        }})()"""
    )
    return [(np.array(matrix).reshape(4, 4).T, entry) for matrix, entry in found]


def unit(matrix: np.ndarray) -> np.ndarray:
    """The rotation in a matrix that also scales."""
    return matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)


def about(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    found = np.eye(3)
    found[i, i] = found[j, j] = c
    found[i, j], found[j, i] = -s, s
    return found


def test_wheels_steer_and_spin_as_recorded(browser: Browser, car: Recording, tmp_path: Path) -> None:
    show(browser, car, tmp_path)
    browser.evaluate("centrode.setFrame(30)")
    wheels = drawn(browser, "wheel")
    assert len(wheels) == 4
    for matrix, entry in wheels:
        side, end = ("left" if entry["position"][1] > 0 else "right"), ("front" if entry["position"][0] > 0 else "rear")
        angle = float(car[f"car.carriage.{side}_{end}.angle"][30])
        assert angle > 30.0
        # Angles are rounded to 1/65535 of their range.
        expected = about(2, 0.25 if end == "front" else 0.0) @ about(1, angle)
        assert np.abs(unit(matrix) - expected).max() < 2e-3


def test_wheels_without_a_recorded_angle_roll_by_the_way_they_went(browser: Browser, tmp_path: Path) -> None:
    run = simulate(loads(CAR.replace("steer: 0.25", "steer: 0.02, wheels: rolling, chassis: rigid")))
    show(browser, run, tmp_path)
    browser.evaluate("centrode.setFrame(40)")
    ahead = np.array([matrix_from_quaternion(q)[:, 0] for q in run["car.body.orientation"]])
    way = float(np.einsum("ni,ni->n", np.diff(run["car.body.position"], axis=0)[:40], ahead[1:41]).sum())
    assert way == pytest.approx(20.0, rel=0.1)  # 25 m/s for 0.8 s
    for matrix, entry in drawn(browser, "wheel"):
        expected = about(2, 0.02 if entry["position"][0] > 0 else 0.0) @ about(1, way / entry["radius"])
        # The way is off by a rounding of the positions, 1/65535 of 25 m, at either end.
        assert np.abs(unit(matrix) - expected).max() < 5e-3


def test_fins_turn_with_their_deflection_and_the_propeller_spins(browser: Browser, tmp_path: Path) -> None:
    run = simulate(loads(AUV))
    show(browser, run, tmp_path)
    browser.evaluate("centrode.setFrame(20)")
    fins = [(matrix, entry) for matrix, entry in drawn(browser, "mesh") if entry["turn"]]
    assert len(fins) == 4
    for matrix, entry in fins:
        expected = matrix_from_quaternion(np.array(entry["rotation"])) @ about(1, float(run[entry["turn"]][20]))
        assert np.abs(unit(matrix) - expected).max() < 1e-3  # signals are rounded to 1e-4
    assert {round(float(run[entry["turn"]][20]), 6) for _, entry in fins} == {0.1, -0.2, 0.15, 0.3}
    (before,) = drawn(browser, "propeller")
    browser.evaluate("centrode.setTime(centrode.viewer.time + 0.02)")
    (after,) = drawn(browser, "propeller")
    turned = unit(before[0]).T @ unit(after[0])
    # 5 N at 6 rad/s per newton for 20 ms.
    assert np.arctan2(turned[2, 1], turned[1, 1]) == pytest.approx(5 * 6.0 * 0.02, rel=1e-3)


def test_marks_lie_where_wheels_slid_and_grow_with_time(browser: Browser, car: Recording, tmp_path: Path) -> None:
    marks = tyre_marks(car)
    entries = mark_entries(car, [])
    assert len(entries) == len(marks) > 1
    for mark, entry in zip(marks, entries, strict=True):
        assert entry["points"][0] == pytest.approx(mark.points[0], abs=1e-3)
        assert entry["points"][-1] == pytest.approx(mark.points[-1], abs=1e-3)
        steps = np.linalg.norm(np.diff(entry["points"], axis=0), axis=1)
        assert np.all(steps[:-1] > CLOSEST - 2e-3) and 0.2 < min(entry["dark"]) <= max(entry["dark"]) <= 1.0
    show(browser, car, tmp_path)
    pieces = "centrode.viewer.overlays.marks.mesh.geometry.drawRange.count / 6"
    for frame in (0, 10, 25, 50):
        browser.evaluate(f"centrode.setFrame({frame})")
        laid = sum(int(np.sum(np.array(entry["times"][1:]) <= car.time[frame])) for entry in entries)
        assert browser.evaluate(pieces) == laid
    assert laid == sum(len(entry["times"]) - 1 for entry in entries)
    # Dark strips appear in the picture, and go with the key.
    browser.evaluate("centrode.bare(true); centrode.camera('top')")
    shown = browser.evaluate("centrode.pixels()")
    browser.press("m")
    assert not browser.evaluate("centrode.viewer.overlays.shown.marks")
    assert browser.evaluate("centrode.pixels()")["mean"] > shown["mean"]


def test_without_sliding_there_are_no_marks_and_no_button(browser: Browser, tmp_path: Path) -> None:
    run = simulate(loads(CAR.replace("steer: 0.25", "steer: 0.0").replace("duration: 1 s", "duration: 0.2 s")))
    assert mark_entries(run, []) == []
    show(browser, run, tmp_path)
    assert not browser.evaluate("centrode.viewer.overlays.available('marks')")
    assert "marks" not in browser.evaluate("[...document.querySelectorAll('.look button')].map(b => b.textContent)")


def test_of_a_crowd_all_in_sight_is_drawn_where_it_is(browser: Browser, tmp_path: Path) -> None:
    from centrode.recording.channel import Channel

    count, time = 90, np.linspace(0.0, 1.0, 11)
    data, channels = {}, []
    for k in range(count):
        channels += [Channel(f"b{k}.position", "m", ("xyz",)), Channel(f"b{k}.orientation", "1", ("wxyz",))]
        data[f"b{k}.position"] = np.stack([0.8 * (k % 10) + 0.1 * time, 0.9 * (k // 10) + 0 * time, 0.3 + 0 * time], 1)
        half = 0.5 * time * (k % 7)
        data[f"b{k}.orientation"] = np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], 1)
    show(browser, Recording(time=time, data=data, channels=channels), tmp_path)
    state = """(() => {
      const v = centrode.viewer, batch = v.model.batches.find(b => b.levels.length);
      const out = {worst: 0, shown: []};
      for (const level of batch.levels) level.shown.forEach((item, k) => {
        const a = level.mesh.instanceMatrix.array.slice(16 * k, 16 * k + 16);
        const b = v.motion.matrices[item.body].clone().multiply(item.local).elements;
        for (let i = 0; i < 16; i++) out.worst = Math.max(out.worst, Math.abs(a[i] - b[i]));
        const c = level.mesh.instanceColor.array.slice(3 * k, 3 * k + 3);
        const d = [item.colour.r, item.colour.g, item.colour.b];
        for (let i = 0; i < 3; i++) out.worst = Math.max(out.worst, Math.abs(c[i] - d[i]));
        out.shown.push(item.body);
      });
      out.inside = v.scene.bodies.map((_, k) => k).filter(k => {
        const p = v.stage.camera.position.clone().setFromMatrixPosition(v.motion.matrices[k]).project(v.stage.camera);
        return Math.abs(p.x) < 1 && Math.abs(p.y) < 1 && p.z < 1;
      });
      return out;
    })()"""
    browser.evaluate("centrode.setFrame(7)")
    whole = browser.evaluate(state)
    assert whole["worst"] < 1e-5 and sorted(whole["shown"]) == list(range(count))  # all of them are looked at
    browser.evaluate("centrode.focus('b0'); centrode.camera('driver')")
    part = browser.evaluate(state)
    assert part["worst"] < 1e-5 and set(part["inside"]) <= set(part["shown"])
    assert len(set(part["shown"])) == len(part["shown"]) < count  # what is behind the eye is left out
    assert browser.evaluate("centrode.pixels().colours") > 20

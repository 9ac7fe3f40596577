"""A recording shown by a notebook: the table and a replay that really draws, bounded in size."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from centrode.recording.channel import Channel
from centrode.recording.recording import Recording
from centrode.running import simulate
from centrode.scenario.loader import loads
from centrode.view import notebook
from centrode.view.browser import Browser

SCENARIO = """
centrode: 1
title: Pendulum & <b>co</b>
bodies:
  bar: {mass: 1 kg, inertia: [1e-3, 8e-2, 8e-2], position: [0.5, 0, 2]}
joints:
  hinge: {kind: revolute, a: ground, b: bar, at: [0, 0, 2], axis: [0, 1, 0]}
run: {duration: 0.5 s, frames: 10 ms}
"""


@pytest.fixture(scope="module")
def run() -> Recording:
    return simulate(loads(SCENARIO))


def test_facts_replay_and_channels_stand_in_one_piece(run: Recording) -> None:
    text = run._repr_html_()
    assert text.index("completed") < text.index("<iframe") < text.index("<td>bar.position.x</td>")
    assert "<b>co</b>" not in text and len(text) < 2e6


def test_a_recording_without_bodies_or_frames_is_a_table(monkeypatch: pytest.MonkeyPatch, run: Recording) -> None:
    time = np.linspace(0, 1, 5)
    bare = Recording(time=time, data={"a": time}, channels=[Channel("a", "m")])
    assert "<iframe" not in bare._repr_html_() and "<td>a</td>" in bare._repr_html_()
    empty = Recording(time=time[:0], data={"a": time[:0]}, channels=[Channel("a", "m")])
    assert "<iframe" not in empty._repr_html_()
    monkeypatch.setenv("CENTRODE_NOTEBOOK", "table")
    assert "<iframe" not in run._repr_html_() and "<td>bar.position.x</td>" in run._repr_html_()


def test_a_long_run_is_thinned(monkeypatch: pytest.MonkeyPatch, run: Recording) -> None:
    monkeypatch.setattr(notebook, "MOST_POSES", 13)
    thin = notebook.thinned(run, 4)
    assert np.array_equal(thin.time, run.time[np.append(np.arange(0, 51, 4), 50)])
    assert np.array_equal(thin["bar.position"], run["bar.position"][np.append(np.arange(0, 51, 4), 50)])
    assert thin.duration == run.duration
    text = run._repr_html_()
    assert "every 4th frame" in text and "<iframe" in text


@pytest.mark.slow
@pytest.mark.usefixtures("open_browser")
def test_what_is_too_large_becomes_a_picture_with_a_hint(monkeypatch: pytest.MonkeyPatch, run: Recording) -> None:
    monkeypatch.setattr(notebook, "MOST_BYTES", 1000)
    text = run._repr_html_()
    assert "<iframe" not in text and "data:image/png;base64," in text and "save_html" in text
    monkeypatch.setenv("CENTRODE_BROWSER", "no-such-browser")
    assert "<img" not in run._repr_html_() and "save_html" in run._repr_html_()


@pytest.mark.slow
def test_the_replay_in_a_notebook_is_drawn(run: Recording, tmp_path: Path, open_browser: type[Browser]) -> None:
    """The canvas inside the sandboxed frame holds many colours; with the scene taken away it holds few."""
    from PIL import Image

    text = run._repr_html_()

    def colours(name: str, inner: str, patience: int = 100) -> int:
        page = tmp_path / f"{name}.html"
        page.write_text(f"<!doctype html><meta charset=utf-8><body style='margin:0'>{inner}</body>")
        with open_browser(800, 700) as browser:
            browser.open(page)
            frame = (
                "(r => [r.left, r.top, r.width, r.height])(document.querySelector('iframe').getBoundingClientRect())"
            )
            browser.wait_for("!!document.querySelector('iframe')")
            left, top, width, height = browser.evaluate(frame)
            assert (width, height) == (800, 440)
            inside = (left + 60, top + 70, left + width - 60, top + height - 60)
            found = 0
            for _ in range(patience):  # a frame of another origin cannot be asked whether it is ready: look at it
                path = tmp_path / f"{name}.png"
                path.write_bytes(browser.screenshot())
                found = len(Image.open(path).convert("RGB").crop(inside).getcolors(1 << 20))
                if found > 300:
                    break
            assert [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:", "about:"))] == []
            return found

    assert colours("whole", text) > 300
    blank = re.sub(r"centrode-frames&quot;&gt;[^&]*&lt;", "centrode-frames&quot;&gt;AAAA&lt;", text)
    assert blank != text and colours("blank", blank, 12) < 300

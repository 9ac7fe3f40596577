"""``centrode view`` on the command line: pages, pictures, videos, and clear words for files it cannot show."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from centrode.cli.main import run as centrode
from centrode.recording.recording import Recording
from centrode.running import simulate
from centrode.scenario.loader import loads

SCENARIO = """
centrode: 1
title: Pendulum
bodies:
  bar: {mass: 1 kg, inertia: [1e-3, 8e-2, 8e-2], position: [0.5, 0, 2]}
joints:
  hinge: {kind: revolute, a: ground, b: bar, at: [0, 0, 2], axis: [0, 1, 0]}
run: {duration: 0.5 s, frames: 10 ms}
"""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("view") / "pendulum.nc"
    simulate(loads(SCENARIO), path=path)
    return path


def test_page_needs_nothing_but_the_recording(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    page = tmp_path / "pendulum.html"
    assert centrode(["view", str(recording), "--html", str(page)]) == 0
    assert "pendulum.html" in capsys.readouterr().out
    text = page.read_text()
    assert "Content-Security-Policy" in text and "http://" not in text.split("<script>")[0].replace("http-equiv", "")
    assert page.stat().st_size < 1.2e6


def test_without_a_screen_the_page_is_named(
    recording: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setenv("CENTRODE_NO_BROWSER", "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert centrode(["view", str(recording)]) == 0
    said = capsys.readouterr().out.strip()
    assert Path(said.split(": ", 1)[1]).is_file()


@pytest.mark.slow
@pytest.mark.usefixtures("open_browser")
def test_picture_shows_the_moment_asked_for(recording: Path, tmp_path: Path) -> None:
    from PIL import Image

    pictures = []
    for name, time in (("a", "0"), ("b", "500 ms")):
        path = tmp_path / f"{name}.png"
        assert centrode(["view", str(recording), "--png", str(path), "--time", time, "--size", "320x200"]) == 0
        pictures.append(np.asarray(Image.open(io.BytesIO(path.read_bytes())).convert("RGB"), dtype=float))
    assert pictures[0].shape == (200, 320, 3)
    assert pictures[0].std() > 5  # not blank
    assert np.abs(pictures[0] - pictures[1]).max() > 50  # the bar has moved


@pytest.mark.slow
@pytest.mark.usefixtures("open_browser")
def test_video_has_the_length_of_the_run(recording: Path, tmp_path: Path) -> None:
    from PIL import Image

    path = tmp_path / "run.gif"
    arguments = ["view", str(recording), "--video", str(path), "--size", "160x120", "--rate", "10"]
    assert centrode(arguments) == 0
    with Image.open(path) as video:
        assert video.n_frames == 6  # 0.5 s at ten pictures a second, both ends included
        assert video.info["duration"] == 100


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--png", "x.jpg"], "ends in .png"),
        (["--png", "nowhere/x.png"], "no such folder"),
        (["--time", "later", "--png", "x.png"], "not a time"),
        (["--time", "7", "--png", "x.png"], "time outside the recording"),
        (["--size", "big", "--png", "x.png"], "not a size"),
        (["--show", "ghosts", "--png", "x.png"], "unknown overlay"),
        (["--body", "baar", "--png", "x.png"], "did you mean 'bar'"),
        (["--plot", "bar.positio", "--html", "x.html"], "did you mean 'bar.position'"),
    ],
)
def test_wrong_wishes_are_named(
    recording: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert centrode(["view", str(recording), *arguments]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"not a recording", b"\x89HDF\r\n\x1a\n truncated"])
def test_foreign_and_truncated_files_are_refused(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "bad.nc"
    path.write_bytes(content)
    assert centrode(["view", str(path), "--html", str(tmp_path / "x.html")]) == 2
    assert "bad.nc" in capsys.readouterr().err


def test_a_truncated_recording_is_refused(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    whole = recording.read_bytes()
    path = tmp_path / "cut.nc"
    path.write_bytes(whole[: len(whole) // 2])
    assert centrode(["view", str(path), "--html", str(tmp_path / "x.html")]) == 2
    assert "cut" in capsys.readouterr().err


def test_in_a_notebook_the_replay_is_a_frame(recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("centrode.view.window.in_notebook", lambda: True)
    shown = Recording.load(recording).view(height=300)._repr_html_()
    assert shown.startswith("<iframe") and 'sandbox="allow-scripts"' in shown and "height:300px" in shown

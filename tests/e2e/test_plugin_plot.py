"""A plot from one file outside the package: drawn from the command line and from YAML, and gone again."""

from __future__ import annotations

from pathlib import Path

import pytest

from centrode.cli.main import run as centrode
from centrode.errors import InputError
from centrode.parts import registry
from centrode.recording.recording import Recording
from centrode.running import simulate
from centrode.scenario.loader import load
from centrode.view.report import report_page

PLUGIN = (Path(__file__).parents[2] / "examples" / "plugins" / "speeds.py").read_text(encoding="utf-8")
SCENARIO = """centrode: 1
title: Fall
plugins: [speeds.py]
bodies:
  stone: {mass: 1 kg, inertia: [1, 1, 1]}
plots:
  how-fast: {kind: speeds, bodies: [stone], limit: 3.6 km/h, title: How fast it falls}
run: {duration: 20 ms, method: rk4-projected, step: 10 ms, frames: 10 ms}
"""


@pytest.fixture
def recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "speeds.py").write_text(PLUGIN)
    (tmp_path / "fall.yaml").write_text(SCENARIO)
    simulate(load("fall.yaml")).save("fall.nc")
    return tmp_path / "fall.nc"


def test_plot_of_a_plugin_is_declared_in_yaml(recording: Path) -> None:
    run = Recording.load(recording)
    plot = run.scenario().system.parts["how-fast"]
    assert plot.limit == 1.0 and plot.bodies == ("stone",)
    curve, mark = plot.figure(run).axes[0].lines
    assert curve.get_ydata() == pytest.approx([0.0, 9.81 * 0.01, 9.81 * 0.02], abs=1e-12)
    assert set(mark.get_ydata()) == {1.0}
    assert centrode(["plot", "fall.nc", "how-fast", "-o", "declared.png"]) == 0
    assert Path("declared.png").read_bytes().startswith(b"\x89PNG")
    assert "How fast it falls." in report_page(run)


def test_plot_of_a_plugin_is_named_on_the_command_line(recording: Path) -> None:
    assert centrode(["plot", "fall.nc", "speeds", "stone", "--plugin", "speeds.py", "--html", "speeds.html"]) == 0
    assert "speed [m/s]" in Path("speeds.html").read_text()


def test_what_a_kind_does_not_know_is_refused(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert centrode(["plot", "fall.nc", "energy", "stone"]) == 2
    assert "too much for a figure of energy, got 'stone'" in capsys.readouterr().err
    assert centrode(["plot", "fall.nc", "tracks", "--duration", "2"]) == 2
    assert "got 'duration'" in capsys.readouterr().err


def test_plot_is_gone_without_its_plugin(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "speeds" not in registry.kinds("plot")
    assert centrode(["plot", "fall.nc", "speeds", "stone"]) == 2
    assert "no such channel" in capsys.readouterr().err
    Path("bare.yaml").write_text(SCENARIO.replace("plugins: [speeds.py]\n", ""))
    with pytest.raises(InputError, match="unknown kind of plot"):
        load("bare.yaml")


@pytest.fixture
def moved(recording: Path) -> Path:
    """The recording again, after its plugin has gone to another folder."""
    Path("elsewhere").mkdir()
    return Path("speeds.py").rename("elsewhere/speeds.py")


def test_a_plugin_that_is_not_there_is_named(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert centrode(["plot", "fall.nc", "how-fast", "-o", "declared.png"]) == 2
    said = capsys.readouterr().err
    assert "plugin not found, got 'speeds.py'" in said and "--plugin" in said
    # A channel needs no scenario, and a misspelt one is still told the nearest.
    assert centrode(["plot", "fall.nc", "stone.velocity.z", "-o", "channel.png"]) == 0
    assert centrode(["plot", "fall.nc", "stone.velocty"]) == 2
    assert "did you mean 'stone.velocity'" in capsys.readouterr().err
    # What needs the scenario goes without it, and says so.
    for words in (["crash", "fall.nc"], ["report", "fall.nc"]):
        assert centrode(words) == 0
        assert "plugin not found, got 'speeds.py'" in capsys.readouterr().err


def test_a_plugin_that_moved_is_given_by_its_new_place(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--plugin", str(moved)]
    assert centrode(["plot", "fall.nc", "how-fast", "-o", "declared.png", *given]) == 0
    assert centrode(["crash", "fall.nc", *given]) == 0
    assert centrode(["report", "fall.nc", "-o", "fall.html", *given]) == 0
    assert "not found" not in capsys.readouterr().err
    assert "How fast it falls." in Path("fall.html").read_text(encoding="utf-8")
    # Also a scenario file; and a plugin that is there and given as well counts once.
    assert centrode(["check", "fall.yaml", *given]) == 0
    assert centrode(["check", "fall.yaml"]) == 2
    moved.rename("speeds.py")
    assert centrode(["plot", "fall.nc", "how-fast", "-o", "declared.png", "--plugin", "speeds.py"]) == 0
    # A plugin of another name takes nobody's place.
    Path("speeds.py").rename("other.py")
    assert centrode(["crash", "fall.nc", "--plugin", "other.py"]) == 2
    assert "plugin not found, got 'speeds.py'" in capsys.readouterr().err


def test_table_without_collisions_says_so_beside_it(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert centrode(["crash", "fall.nc", "--csv"]) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 1 and told.err == "no collisions\n"

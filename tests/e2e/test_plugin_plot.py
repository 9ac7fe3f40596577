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

PLUGIN = '''
"""How fast bodies go: the size of their velocities over time."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import centrode as ct


@dataclass(frozen=True)
class PlotSpeeds(ct.Plot):
    """Speeds of bodies over time."""

    kind: ClassVar[str] = "speeds"
    named: ClassVar[tuple[str, ...]] = ("bodies",)

    bodies: tuple[str, ...] = ct.quantity("", "bodies to draw", ())
    limit: float = ct.quantity("m/s", "speed that is marked", 1.0, positive=True)

    def figure(self, run, progress=None):
        figure, [[panel]] = ct.new_figure(title=self.title)
        for name in self.bodies:
            panel.plot(run.time, np.linalg.norm(run[f"{name}.velocity"], axis=1), label=name)
        panel.axhline(self.limit, color="black", lw=0.8)
        panel.set(xlabel="time [s]", ylabel="speed [m/s]")
        return figure
'''
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

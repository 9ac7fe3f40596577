"""``centrode report`` and ``centrode plot``: one page with all that a reader needs, and figures as files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from centrode.cli.main import run as centrode
from centrode.recording.provenance import Account
from centrode.recording.recording import Recording
from centrode.recording.warnings import warnings_of
from centrode.running import simulate
from centrode.scenario.loader import loads
from centrode.view.browser import Browser
from centrode.view.report import report_page

SCENARIO = """
centrode: 1
title: Pendulum & <friends>
bodies:
  bar: {mass: 1 kg, inertia: [1e-3, 8e-2, 8e-2], position: [0.5, 0, 2]}
joints:
  hinge: {kind: revolute, a: ground, b: bar, at: [0, 0, 2], axis: [0, 1, 0]}
run: {duration: 0.5 s, frames: 10 ms}
"""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("report") / "pendulum.nc"
    simulate(loads(SCENARIO), path=path)
    return path


def changed(run: Recording, name: str, values: np.ndarray) -> Recording:
    return Recording(
        time=run.time,
        data={key: (values if key == name else run[key]) for key in run},
        channels=list(run.channels.values()),
        coordinates=run.coordinates,
        account=Account(provenance=run.provenance),
    )


def test_report_holds_all_that_a_reader_needs(recording: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    assert centrode(["report", str(recording), "-o", str(target), "--plot", "bar.omega"]) == 0
    text = target.read_text()
    for title in ("Warnings", "Figures", "Energy audit", "Channels", "Provenance", "Scenario"):
        assert f"<h2>{title}</h2>" in text
    assert "<h1>Pendulum &amp; &lt;friends&gt;</h1>" in text and "<friends>" not in text
    made = Recording.load(recording).provenance
    assert made.scenario_digest in text and f"<td>{made.processors}</td>" in text and made.processors
    assert "energy.residual" in text and "Chosen channels" in text
    assert 'class="good"' in text and 'class="warning"' not in text


def test_report_warns_where_the_run_is_not_to_be_trusted(recording: Path) -> None:
    run = Recording.load(recording)
    assert warnings_of(run) == []
    leaky = changed(run, "energy.residual", np.linspace(0, 1.0, len(run)))
    assert any("energy audit is off by 1 J" in text for text in warnings_of(leaky))
    broken = run["bar.velocity"].copy()
    broken[-1] = np.nan
    assert any("bar.velocity" in text for text in warnings_of(changed(run, "bar.velocity", broken)))
    assert 'class="warning"' in report_page(leaky)


@pytest.mark.slow
def test_replay_plays_inside_the_report_and_the_pdf_is_one(
    recording: Path, tmp_path: Path, open_browser: type[Browser]
) -> None:
    page, document = tmp_path / "report.html", tmp_path / "report.pdf"
    assert centrode(["report", str(recording), "-o", str(page)]) == 0
    with open_browser(900, 700) as browser:
        browser.open(page)
        browser.wait_ready()
        assert browser.evaluate("centrode.pixels().colours") > 50
        assert browser.foreign_requests() == []
        assert browser.evaluate("[...document.images].every(image => image.naturalWidth > 100)")
    assert centrode(["report", str(recording), "-o", str(document)]) == 0
    data = document.read_bytes()
    assert data.startswith(b"%PDF") and len(data) > 50_000


def test_figures_as_files(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for number, arguments in enumerate(
        (
            ["bar.position", "hinge.force"],
            ["-f", "tracks"],
            ["-f", "phase", "bar.position.x", "bar.omega.y"],
            ["-f", "energy"],
        )
    ):
        target = tmp_path / f"figure{number}.png"
        assert centrode(["plot", str(recording), *arguments, "-o", str(target)]) == 0
        assert target.read_bytes().startswith(b"\x89PNG")
    assert centrode(["plot", str(recording), "--list"]) == 0
    assert "hinge.force" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["plot", "--", "bar.positon"], "did you mean 'bar.position'"),
        (["plot", "-f", "phase", "--", "bar.omega"], "two channels"),
        (["report", "-o", "report.doc"], ".html or .pdf"),
        (["report", "-o", "nowhere/report.html"], "no such folder"),
    ],
)
def test_wrong_wishes_are_named(
    recording: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture
) -> None:
    name, *rest = arguments
    options = rest[: rest.index("--")] if "--" in rest else rest
    names = rest[rest.index("--") + 1 :] if "--" in rest else []
    assert centrode([name, *options, str(recording), *names]) == 2
    assert said in capsys.readouterr().err

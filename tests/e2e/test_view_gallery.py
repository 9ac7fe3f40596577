"""``centrode gallery``: a card for every scenario, also for the broken one; what was made is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from centrode.cli.main import run as centrode

GOOD = """
centrode: 1
title: Falling <ball>
description: It falls.
bodies: {ball: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], position: [0, 0, 5]}}
run: {duration: 0.5 s}
"""


def test_gallery_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    source, out = tmp_path / "scenarios", tmp_path / "gallery"
    (source / "more").mkdir(parents=True)
    (source / "ball.yaml").write_text(GOOD)
    (source / "more" / "ball.yaml").write_text(GOOD.replace("It falls.", "It falls again."))
    assert centrode(["gallery", str(source), "-o", str(out), "--no-pictures"]) == 0
    index = (out / "index.html").read_text()
    assert "Falling &lt;ball&gt;" in index and "It falls again." in index and "<ball>" not in index
    for name in ("ball", "more-ball"):
        assert f'href="{name}.html"' in index
        assert (out / f"{name}.html").stat().st_size > 500_000
        assert "<h2>Energy audit</h2>" in (out / f"{name}-report.html").read_text()
    # Made again, nothing is computed twice; a broken scenario gets a card of its own and the exit code says so.
    stamp = (out / "ball.html").stat().st_mtime_ns
    (source / "broken.yaml").write_text(GOOD.replace("mass", "mas"))
    capsys.readouterr()
    assert centrode(["gallery", str(source), "-o", str(out), "--no-pictures"]) == 1
    assert "did you mean" in capsys.readouterr().err
    assert (out / "ball.html").stat().st_mtime_ns == stamp
    assert "unknown field" in (out / "index.html").read_text()


def test_a_folder_without_scenarios_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert centrode(["gallery", str(tmp_path)]) == 2
    assert centrode(["gallery", str(tmp_path / "nowhere")]) == 2
    assert "no such folder" in capsys.readouterr().err

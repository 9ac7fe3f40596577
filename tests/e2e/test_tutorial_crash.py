"""The crash tutorial runs as printed: its files are written, its commands are run, in order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from centrode.cli.main import run as centrode
from centrode.jit import JIT_ON

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "crash.md"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")]


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.timeout(1200)
def test_every_command_of_the_tutorial_runs(
    open_browser: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    scenario, scene = blocks("yaml")
    (tmp_path / "crossing.yaml").write_text(scenario)
    (tmp_path / "scene.yaml").write_text(scene)
    (tmp_path / "survey.csv").write_text(blocks("text")[0])
    commands = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    assert len(commands) == 11
    shown = {}
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "centrode"
        assert centrode(words) == 0, command
        shown[command] = capsys.readouterr().out
    table = shown["centrode crash crossing.nc"]
    assert "[km/h]" in table
    assert "positive from the right" in table
    assert max(map(len, table.splitlines())) <= 100
    assert re.search(r"^ 1 +north", table, re.MULTILINE)
    assert "firm" in shown["centrode crash crossing.nc --sensitivity"]
    page = (tmp_path / "crossing.html").read_text(encoding="utf-8")
    for title in ("Summary", "Diagram", "Figures of the collisions", "Crash pulses", "Assumptions and inputs"):
        assert f"<h2>{title}</h2>" in page
    assert "came to rest at" in page
    assert "still moved" not in page
    # numbers for readers: no exponents in the tables of the crash
    tables = page[page.index("<h2>Figures of the collisions</h2>") : page.index("<h2>Assumptions")]
    assert not re.search(r">-?\d\.\d+e[+-]\d+<", tables)
    assert b"/MediaBox" in (tmp_path / "crossing-plan.pdf").read_bytes()
    assert {"crash.csv", "pulses.csv", "diagram.pdf"} <= {
        item.name for item in (tmp_path / "crossing-tables").iterdir()
    }

"""``centrode crash`` on a recording of the offset collision: table, JSON, CSV, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from centrode.cli.commands.crash import command
from centrode.jit import JIT_ON
from centrode.running import simulate
from centrode.scenario.loader import load

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

SCENARIO = Path(__file__).parents[2] / "scenarios" / "collisions" / "offset.yaml"


@pytest.fixture(scope="module")
def recording(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("crash") / "offset.nc"
    simulate(load(SCENARIO), path=path, duration=1.5)
    return path


def test_table_json_and_csv_agree(recording):
    table = CliRunner().invoke(command, [str(recording)])
    assert table.exit_code == 0
    assert "faster" in table.output
    data = json.loads(CliRunner().invoke(command, [str(recording), "--json"]).output)
    hit = data["collisions"][0]
    assert hit["closing_speed"] == pytest.approx(2.0, abs=0.01)
    lines = CliRunner().invoke(command, [str(recording), "--csv"]).output.splitlines()
    assert len(lines) == 3
    assert f"{hit['vehicles'][0]['delta_v_size']:.2f}" in table.output
    assert max(map(len, table.output.splitlines())) <= 100


def test_units_and_signs_are_options(recording):
    shown = CliRunner().invoke(command, [str(recording), "--units", "us", "--signs", "sae"])
    assert shown.exit_code == 0
    assert "[mph]" in shown.output
    assert "positive from the right" in shown.output
    assert "[m/s]" not in shown.output


def test_folder_with_page_and_figures_and_labels(recording, tmp_path):
    result = CliRunner().invoke(command, [str(recording), "--sensitivity", "-o", str(tmp_path / "crash")])
    assert result.exit_code == 0, result.output
    assert "firm" in result.output
    names = {path.name for path in (tmp_path / "crash").iterdir()}
    assert {"crash.txt", "crash.json", "crash.csv", "crash.html", "pulses.csv", "pulses.png", "diagram.pdf"} <= names
    page = (tmp_path / "crash" / "crash.html").read_text(encoding="utf-8")
    assert "delta-V" in page
    assert "http" not in page.replace("http-equiv", "")

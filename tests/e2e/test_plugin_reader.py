"""A reader from one file outside the package: used from YAML and from the command line, and gone again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from centrode.cli.main import run
from centrode.errors import InputError
from centrode.parts import registry
from centrode.scenario.loader import load, loads
from centrode.scenario.writing import dump
from centrode.system.builder import System
from centrode.vehicles.platoon import add_legacy, read_legacy

PLUGIN = (Path(__file__).parents[2] / "examples" / "plugins" / "masses.py").read_text(encoding="utf-8")
SCENARIO = """
centrode: 1
title: Cloud
gravity: [0, 0, 0]
plugins: [masses.py]
imports:
  cloud: {kind: masses, file: three.masses, stiffness: 0.2 kN/m}
forces:
  push: {kind: point-force, body: cloud.b, magnitude: 1 N, direction: [1, 0, 0]}
run: {duration: 10 ms, method: rk4-projected, step: 5 ms, frames: 5 ms}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "masses.py").write_text(PLUGIN)
    (tmp_path / "three.masses").write_text("a 1 0 0 0\nb 2 1.5 0 0\nc 1 3 0 0\n")
    (tmp_path / "cloud.yaml").write_text(SCENARIO)
    return tmp_path


def test_reader_of_a_plugin_is_used_from_yaml(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system = load("cloud.yaml").system
    assert [part.name for part in system.of_family("body")] == ["cloud.a", "cloud.b", "cloud.c"]
    assert system.parts["cloud.tie3"].a == "cloud.b" and system.parts["cloud.tie3"].stiffness == 200.0
    assert run(["run", "cloud.yaml", "--json"]) == 0
    final = json.loads(capsys.readouterr().out)["final"]
    # Spring a - b is stretched by 0.5 m with 200 N/m, b - c alike: a begins with 100 m/s2, b with 0.5 m/s2 of the push.
    assert final["cloud.a.velocity"][0] == pytest.approx(100.0 * 0.01, rel=0.05)
    assert final["cloud.b.velocity"][0] == pytest.approx(0.5 * 0.01, rel=0.05)


def test_reader_of_a_plugin_is_used_by_the_ending_of_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "three.masses", "--plugin", "masses.py", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parts"]["bodies"] == 3
    scenario = load("three.masses", plugins=("masses.py",), edits={"imports.three.stiffness": 7})
    assert scenario.system.parts["three.tie2"].stiffness == 7.0
    assert scenario.digest != load("three.masses", plugins=("masses.py",)).digest


def test_check_of_a_reader_does_not_ask_for_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "masses.py"]) == 0
    assert "it is read from a file" in capsys.readouterr().out


def test_fault_of_a_file_names_file_and_line(here: Path) -> None:
    (here / "three.masses").write_text("a 1 0 0 0\nb two 1 0 0\n")
    with pytest.raises(InputError) as error:
        load("cloud.yaml")
    assert [(item.file, item.line, item.got) for item in error.value.faults] == [("three.masses", 2, "b two 1 0 0")]


def test_fault_that_the_reader_does_not_find_names_no_line_of_a_text_that_nobody_wrote(here: Path) -> None:
    (here / "three.masses").write_text("a 1 0 0 0\nb -2 1 0 0\n")
    for path, line in (("three.masses", 0), ("cloud.yaml", 7)):
        with pytest.raises(InputError, match="must be positive") as error:
            load(path, plugins=("masses.py",))
        assert [(Path(item.file).name, item.line) for item in error.value.faults] == [(path, line)]


def test_reader_is_gone_without_its_plugin(here: Path) -> None:
    load("cloud.yaml")
    assert "masses" not in registry.kinds("import")
    with pytest.raises(InputError, match="no reader"):
        load("three.masses")
    (here / "bare.yaml").write_text(SCENARIO.replace("plugins: [masses.py]\n", ""))
    with pytest.raises(InputError, match="unknown kind of import"):
        load("bare.yaml")


def test_files_of_1999_are_read_by_their_ending() -> None:
    folder = Path(__file__).parents[1] / "conformance" / "data" / "medusa_inputs" / "offset"
    scenario = load(folder / "platoon.dat", edits={"imports.platoon.equilibrium": "listed"})
    models, platoon, road = read_legacy(folder)
    apart = System()
    add_legacy(apart, models, platoon, road, equilibrium="listed", contact=True)
    assert set(scenario.system.parts) == {"platoon", *(f"platoon.{name}" for name in apart.parts)}
    for name, part in apart.parts.items():
        if part.family == "body":
            assert scenario.system.parts[f"platoon.{name}"].position == part.position
    assert loads(dump(scenario), folder=folder) == scenario

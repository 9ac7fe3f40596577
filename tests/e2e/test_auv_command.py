"""``centrode auv`` and ``centrode attitude`` as a user calls them; scenarios and examples of six degrees of freedom."""

import json
import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner

from centrode.cli.commands.attitude import command as attitude
from centrode.cli.commands.auv import command as auv

ROOT = Path(__file__).parents[2]


def ask(command, *arguments):
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_turning_circle_as_json():
    found = json.loads(ask(auv, "turning-circle", "--duration", "200", "--json").stdout)
    assert found["profile"] == "full"
    assert found["radius"] == pytest.approx(44.38, abs=5e-3)
    assert {"advance", "transfer", "tactical_diameter", "drift"} <= set(found)
    slide = json.loads(ask(auv, "turning-circle", "--duration", "200", "--profile", "slide", "--json").stdout)
    assert slide["radius"] == pytest.approx(14.69, abs=5e-3)


def test_zig_zag_as_a_table_with_a_figure(tmp_path):
    result = ask(
        auv,
        "zig-zag",
        "--vehicle",
        "auv-remus",
        "--settle",
        "20",
        "--duration",
        "20",
        "--figure",
        str(tmp_path / "z.png"),
    )
    assert "overshoots" in result.stdout and "deg" in result.stdout
    assert (tmp_path / "z.png").stat().st_size > 10_000 and (tmp_path / "z.svg").exists()


def test_dive_and_path_as_json():
    dive = json.loads(ask(auv, "dive", "--settle", "40", "--duration", "60", "--json").stdout)
    assert abs(dive["steady_error"]) < 0.1
    path = json.loads(ask(auv, "path", "--duration", "60", "--json").stdout)
    assert path["largest_error"] < 15.0


def test_attitude_comparison_as_json_and_figure(tmp_path):
    options = ("--step", "0.1", "--step", "0.05", "-m", "rkmk4", "-m", "quaternion-rk4", "--json")
    found = json.loads(ask(attitude, "compare", *options, "--figure", str(tmp_path / "a.png")).stdout)
    errors = {(item["method"], item["step"]): item["error"] for item in found["results"]}
    assert errors["rkmk4", 0.05] == pytest.approx(2.955e-6, rel=1e-3)
    assert errors["quaternion-rk4", 0.1] == pytest.approx(9.0057e-5, rel=1e-3)
    assert all(item["cost"] > 0 for item in found["results"])
    assert (tmp_path / "a.svg").exists()


def test_attitude_table_names_gimbal_lock():
    result = ask(
        attitude, "compare", "--no-cost", "-m", "euler-angles-rk4", "--step", "0.05", "--omega", "0", "1", "0",
        "--sequence", "xyz", "--duration", "2",
    )  # fmt: skip
    assert "gimbal lock of xyz" in result.stdout


def test_attitude_methods_are_listed():
    assert "rkmk4" in ask(attitude, "methods").stdout


@pytest.mark.parametrize("file", sorted((ROOT / "scenarios" / "sixdof").glob("*.yaml")), ids=lambda f: f.stem)
def test_scenarios_load_and_run(file):
    import centrode as ct

    scenario = ct.load(file)
    run = ct.simulate(scenario, duration=min(1.0, scenario.settings.duration), frames=0.1)
    assert run.status.completed


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("sixdof_*.py")), ids=lambda f: f.stem)
def test_examples_run_and_check_themselves(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(file), run_name="__main__")

"""The bicycle on the command line, its scenarios and examples, as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from centrode.cli.main import run

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios" / "bicycle").glob("*.yaml"))
EXAMPLES = sorted((ROOT / "examples").glob("bicycle_*.py"))


def answer(capsys, *arguments):
    code = run(["bicycle", *arguments])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_count_prints_both_countings(capsys):
    code, out, _ = answer(capsys, "count", "--json")
    rows = {row["what"]: row for row in json.loads(out)}
    assert code == 0
    assert rows["coordinates"] == {"what": "coordinates", "lecture_notes": 24, "engine": 24}
    assert rows["constraints on velocities"]["engine"] == 21
    assert rows["degrees of freedom in the velocities (mobility)"]["engine"] == 3


def test_eigenvalues(capsys, tmp_path):
    figure = tmp_path / "eigenvalues.png"
    code, out, _ = answer(capsys, "eigenvalues", "--from", "4", "--to", "6", "--json", "--figure", str(figure))
    data = json.loads(out)
    assert code == 0 and figure.stat().st_size > 10_000
    assert data["critical"]["weave"] == pytest.approx(4.29238253634111, abs=1e-10)
    assert [row["speed"] for row in data["eigenvalues"]] == [4.0, 5.0, 6.0]
    code, out, _ = answer(capsys, "eigenvalues", "--to", "2")
    assert "3.131643247907 and 5.530943717654" in out


def test_circles_shows_three_families_with_their_ends(capsys, tmp_path):
    code, out, _ = answer(capsys, "circles", "--rows", "3", "--figure", str(tmp_path / "c.png"))
    assert code == 0 and (tmp_path / "c.png").stat().st_size > 1000
    for line in (
        "handlebar forward: from straight to standing still",
        "handlebar reversed: from straight to lying flat",
    ):
        assert line in out
    assert "flat spin to upright: from lying flat to infinite speed" in out and "76.76144" in out


def test_matrices_turns_run_draw_drift(capsys, tmp_path):
    assert "76.597345895732" in answer(capsys, "matrices")[1]
    code, out, _ = answer(capsys, "steady-turns", "--steer-deg", "5", "--json", "--figure", str(tmp_path / "t.png"))
    assert json.loads(out)["turns"][0]["speed"] == pytest.approx(5.7737825977, rel=1e-7)
    code, out, _ = answer(capsys, "run", "M2", "--duration", "0.5", "--out", str(tmp_path))
    assert code == 0 and "0.130551254" in out and len(list(tmp_path.glob("m2_*.png"))) == 3
    code, out, _ = answer(capsys, "run", "--speed", "5", "--lean-rate", "0.2", "--duration", "0.5")
    assert code == 0 and out.startswith("OWN: speed 5, lean rate 0.2")  # it was told as M2, which it is not
    code, out, _ = answer(capsys, "run", "m2", "--duration", "0.5", "--method", "lecture", "--json")
    assert json.loads(out)["residual"] < 1e-12
    code, out, _ = answer(capsys, "draw", "-m", "scooter", "-o", str(tmp_path / "scooter.png"))
    assert code == 0 and (tmp_path / "scooter.png").exists()
    code, out, _ = answer(capsys, "drift", "--duration", "1", "--figure", str(tmp_path / "drift.png"), "--json")
    rows = {row["run"]: row for row in json.loads(out)}
    assert rows["with projection"]["coordinates"] < 1e-12 < rows["without projection"]["coordinates"]
    assert "benchmark" in answer(capsys, "machines")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["matrices", "--set", "trail=0.9"], "steer axis"),
        (["matrices", "--set", "frame_mass=-2"], "must be positive"),
        (["matrices", "--set", "trail"], "not a value"),
        (["matrices", "--machine", "benchmrk"], "did you mean 'benchmark'"),
        (["run", "M9"], "unknown manoeuvre"),
        (["run", "M2", "--duration", "-1"], "must be positive"),
        (["eigenvalues", "--by", "0"], "no range of speeds"),
        (["steady-turns", "--steer-deg", "80"], "at most 76.7614 deg"),
        (["steady-turns", "--steer-deg", "0"], "no turn has this steer"),
        (["steady-turns", "--steer-deg", "180"], "no handlebar forward"),
        (["steady-turns", "--steer-deg", "nan"], "not a number"),
        (["steady-turns", "--steer-deg", "1e9"], "no handlebar forward"),
        (["run", "--speed", "nan"], "not a number"),
        (["run", "--speed", "0", "--yaw-rate", "0.3"], "no steer gives this yaw rate"),
        (["run", "--steer", "0.1", "--yaw-rate", "0.3"], "no yaw rate beside a steer"),
        (["run", "--method", "lecture", "--lean", "0.1"], "starts upright and straight"),
    ],
)
def test_bad_input_is_one_clear_message(capsys, arguments, words):
    code, out, err = answer(capsys, *arguments)
    assert code == 2 and words in err and "Traceback" not in err


def test_run_starts_as_told(capsys):
    told = {"speed": 6.0, "lean_rate": 0.1, "steer_rate": -0.2, "lean": 0.05, "yaw_rate": 0.3}
    options = [word for name, value in told.items() for word in ("--" + name.replace("_", "-"), str(value))]
    code, out, _ = answer(capsys, "run", *options, "--duration", "0.02", "--json")
    history = json.loads(out)["history"]
    assert code == 0
    # The start is projected to round-off; the steer of the yaw rate is found to 1e-9.
    assert {name: history[name][0] for name in told} == pytest.approx(told, abs=1e-8)


def test_linearise_command(capsys):
    scenario = str(ROOT / "scenarios" / "bicycle" / "m2.yaml")
    names = ["-c", "bike.frame.lean", "-c", "bike.steer.angle", "--cyclic", "bike.rear-hub.angle"]
    assert run(["linearise", scenario, *names, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["mass"][0][0] == pytest.approx(80.81722, abs=1e-10)
    assert run(["linearise", scenario, "-c", "bike.frame.lean"]) == 2
    assert "too few coordinates" in capsys.readouterr().err
    assert run(["linearise", str(ROOT / "scenarios" / "bicycle" / "rolling_disc.yaml"), "--at", "0.1"]) == 0
    assert "note: not a steady motion" in capsys.readouterr().err


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_scenario_runs(scenario, tmp_path, capsys):
    assert run(["run", str(scenario), "-o", str(tmp_path / "out.nc")]) == 0
    from centrode.recording.recording import Recording

    recording = Recording.load(tmp_path / "out.nc")
    assert recording.status.completed
    fallen = any(event.kind == "fallen" for event in recording.events)
    assert fallen == (scenario.stem in ("fall", "steer_angle"))


def test_scenario_in_the_ground_is_refused(tmp_path, capsys):
    file = tmp_path / "deep.yaml"
    file.write_text("centrode: 1\nvehicles:\n  bike: {kind: bicycle, height: -0.2 m}\nrun: {duration: 1 s}\n")
    assert run(["run", str(file)]) == 2
    assert "starts in the ground" in capsys.readouterr().err


def test_examples_are_found():
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(example, tmp_path):
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("words", [("--speed", "0", "--lean-rate", "0.1"), ("--speed", "-3")])
def test_a_machine_that_falls_is_told_and_its_last_row_stands_once(capsys, words):
    code, out, err = answer(capsys, "run", *words)
    rows = [line.split() for line in out.splitlines() if line[:1] == " " or line[:1].isdigit()]
    times = [float(row[0]) for row in rows if len(row) == 6 and row[0][0].isdigit()]
    assert code == 0 and "bike.fall: fallen" in err
    assert times == sorted(set(times)) and f"stopped at t = {times[-1]:g} s" in err
    code, out, _ = answer(capsys, "run", *words, "--json")
    assert "fallen" in json.loads(out)["ended"]


def test_what_set_takes_is_listed(capsys):
    code, out, _ = answer(capsys, "parameters", "--set", "frame_mass=60")
    assert code == 0 and "frame_mass" in out and "of the rear frame with rider" in out and " 60 " in out
    code, _, err = answer(capsys, "eigenvalues", "--set", "mass=60")
    assert code == 2 and "centrode bicycle parameters" in err

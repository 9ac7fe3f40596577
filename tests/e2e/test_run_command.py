"""The way of a user: new, check, run, look, interrupt, resume; and what the shell sees when something is wrong."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from centrode.cli import main
from centrode.jit.processor import made_for
from centrode.recording import journal
from centrode.recording.recording import Recording
from centrode.scenario.loader import load
from centrode.scenario.starters import starter_text, starters


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def centrode(*words):
    return main.run([str(word) for word in words])


def test_new_check_run_look(here, capsys):
    assert centrode("new", "pendulum", "swing.yaml") == 0
    assert "next: centrode run swing.yaml" in capsys.readouterr().out
    assert centrode("check", "swing.yaml") == 0
    text = capsys.readouterr().out
    assert "velocities:           6" in text and "constraints:          5" in text
    assert "degrees of freedom:   1" in text
    assert centrode("run", "swing.yaml", "--csv") == 0
    said = capsys.readouterr()
    assert "status:    completed" in said.out and "bar.position.x" in said.out and "swing.nc, swing.csv" in said.out
    assert [line for line in said.err.splitlines() if not line.startswith("preparing")] == ["Pendulum ..."]
    run = Recording.load(here / "swing.nc")
    assert run.provenance.scenario_text == (here / "swing.yaml").read_text()
    assert run.provenance.scenario_digest == load(here / "swing.yaml").digest
    assert run.provenance.processors == made_for() != ""
    assert run.scenario() == load(here / "swing.yaml")
    # Released at rest 30 degrees from the vertical: it swings to the other side and never higher than it began.
    height = run["bar.position.z"]
    assert height.max() <= height[0] + 1e-9
    assert run["bar.position.x"].min() == pytest.approx(-run["bar.position.x"][0], abs=1e-3)
    header = (here / "swing.csv").read_text().split("\n", 1)[0]
    assert header.startswith("time [s],") and "bar.position.z [m]" in header


@pytest.mark.compiled
def test_period_of_the_tutorial(here):
    """The tutorial says 1.64 s for small swings and 1.7 % more at 30 degrees; the next term of the series is
    11 theta^4 / 3072 = 0.03 %, and a crossing is located between frames 1 ms apart."""
    centrode("new", "pendulum", "swing.yaml")
    assert centrode("run", "swing.yaml", "-q", "--frames", "1 ms", "--duration", "4 s") == 0
    run = Recording.load(here / "swing.nc")
    x = run["bar.position.x"]
    down = np.flatnonzero((x[:-1] > 0) & (x[1:] <= 0))
    crossings = run.time[down] + (run.time[down + 1] - run.time[down]) * x[down] / (x[down] - x[down + 1])
    theta = np.pi / 6
    small = 2 * np.pi * np.sqrt((0.0833 + 0.25) / (9.81 * 0.5))
    expected = small * (1 + theta**2 / 16 + 11 * theta**4 / 3072)
    # the series is cut behind theta^4: what is left out is about 173 theta^6 / 737280
    assert crossings[1] - crossings[0] == pytest.approx(expected, rel=2 * 173 * theta**6 / 737280)


def test_json_is_clean(here, capsys):
    centrode("new", "free-body.yaml")
    capsys.readouterr()
    assert centrode("run", "free-body.yaml", "--json", "-o", "out.nc", "--duration", "100 ms") == 0
    said = capsys.readouterr()
    result = json.loads(said.out)
    assert said.err == ""
    assert result["status"] == "completed" and result["files"] == ["out.nc"] and result["time"] == [0.0, 0.1]
    # thrown up at 10 m/s from 1 m: z = 1 + v t - g t^2 / 2, which every method of second order or more gives exactly
    assert result["final"]["brick.position"][2] == pytest.approx(1 + 10 * 0.1 - 0.5 * 9.81 * 0.01, abs=1e-12)
    assert centrode("check", "free-body.yaml", "--json") == 0
    assert json.loads(capsys.readouterr().out)["freedoms"] == 6


def test_settings_and_values_from_the_command_line(here, capsys):
    centrode("new", "pendulum", "swing.yaml")
    words = [
        "-q",
        "--set",
        "gravity=[0, 0, 0]",
        "--set",
        "bodies.bar.mass=2 kg",
        "--duration",
        "0.5 s",
        "--step",
        "1 ms",
    ]
    assert centrode("run", "swing.yaml", *words, "--method", "rk4-projected", "--frames", "100 ms") == 0
    assert "Pendulum" not in capsys.readouterr().out
    run = Recording.load(here / "swing.nc")
    assert run.provenance.method == "rk4-projected" and len(run) == 6
    assert np.allclose(run["bar.position"], run["bar.position"][0], atol=1e-12)  # no gravity, no motion
    # the stored text gives the edited scenario again
    (here / "again.yaml").write_text(run.provenance.scenario_text)
    assert load(here / "again.yaml").system.parts["bar"].mass == 2.0
    assert centrode("run", "again.yaml", "-q", "-o", "again.nc") == 0
    assert np.array_equal(Recording.load(here / "again.nc")["bar.position"], run["bar.position"])


@pytest.mark.compiled
def test_same_input_same_bytes_in_another_process(here):
    centrode("new", "chain", "chain.yaml")
    assert centrode("run", "chain.yaml", "-q", "-o", "one.nc", "--duration", "0.3 s") == 0
    command = [
        sys.executable,
        "-m",
        "centrode.cli.main",
        "run",
        "chain.yaml",
        "-q",
        "-o",
        "two.nc",
        "--duration",
        "0.3 s",
    ]
    subprocess.run(command, check=True)
    assert (here / "one.nc").read_bytes() == (here / "two.nc").read_bytes()


@pytest.mark.compiled
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_and_resumed_run_has_the_bytes_of_an_uninterrupted_one(here, how):
    centrode("new", "spring", "s.yaml")
    script = here / "often.py"  # checkpoints every few milliseconds; sends itself the signal after the third of them
    script.write_text(
        "import os, signal, sys\nfrom centrode.recording import writer\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell hands it down ignored\n"
        "writer._FIRST_INTERVAL, writer._GROWTH = 0.005, 1.0\n"
        "checkpoint, append, seen = writer.RecordingWriter.checkpoint, writer.RecordingWriter.append, []\n"
        "def counted(self, *values):\n    checkpoint(self, *values)\n    seen.append(1)\n"
        "def struck(self, *values):\n    append(self, *values)\n"
        "    if len(seen) == 3 and 'HOW' in os.environ:\n        os.kill(os.getpid(), int(os.environ['HOW']))\n"
        "writer.RecordingWriter.checkpoint, writer.RecordingWriter.append = counted, struck\n"
        "from centrode.cli import main\nsys.exit(main.run(sys.argv[1:]))\n"
    )
    words = [sys.executable, str(script), "run", "s.yaml", "-q", "--duration", "150 s", "--frames", "10 ms"]
    subprocess.run([*words, "-o", "whole.nc"], check=True)
    partial = here / "cut.nc.partial"
    done = subprocess.run([*words, "-o", "cut.nc"], check=False, env={**os.environ, "HOW": str(int(how))})
    assert done.returncode == (-signal.SIGKILL if how == signal.SIGKILL else 130)
    assert not (here / "cut.nc").exists()
    left = Recording.load(partial)
    whole = Recording.load(here / "whole.nc")
    assert 0 < len(left) < len(whole)
    assert np.array_equal(left["mass.position"], whole["mass.position"][: len(left)])
    assert sum(1 for kind, _, _ in journal.records(partial) if kind == b"C") >= 1
    subprocess.run([*words, "-o", "cut.nc", "--resume"], check=True)
    assert Recording.load(here / "cut.nc").differences(whole) == []
    assert (here / "cut.nc").read_bytes() == (here / "whole.nc").read_bytes()
    assert not partial.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "nothing.yaml"], "cannot read the file"),
        (["run", "swing.yml"], "did you mean 'swing.yaml'"),
        (["run", "swing.yaml", "--set", "bodies.bar.mas=2"], "did you mean 'mass'"),
        (["run", "swing.yaml", "--set", "nonsense"], "not an assignment"),
        (["run", "swing.yaml", "--duration", "2 kg"], "run.duration: '2 kg' is a mass; expected a time [s]"),
        (["run", "swing.yaml", "--method", "rk4-projectd"], "did you mean 'rk4-projected'"),
        (["run", "swing.yaml", "-o", "no/such/folder.nc"], "no such folder"),
        (["run", "swing.yaml", "-o", "."], "the output is a folder"),
        (["run", "swing.yaml", "-o", "swing.txt"], "ends in .nc"),
        (["run", "swing.yaml", "-o", "swing.yaml"], "would replace the scenario"),
        (["run", "swing.yaml", "--plugin", "nothing.py"], "plugin not found"),
        (["check", "swing.yaml", "--set", "bodies.bar.mass=-1"], "bodies.bar.mass: must be positive, got -1"),
        (["check", "nothing.py"], "plugin not found"),
        (["new", "pendulm", "a.yaml"], "did you mean 'pendulum'"),
        (["new", "swing.yaml"], "swing.yaml: the file exists already"),
        (["new", "swing.txt"], "a scenario file ends in .yaml"),
        (["new"], "name the file to write"),
        (["new", "no/such/folder/a.yaml"], "cannot write the file"),
        (["schema", "-o", "no/such/folder"], "cannot write the file"),
        (["run"], "Missing argument"),
    ],
)
def test_wrong_input_is_exit_code_2(here, capsys, words, message):
    (here / "swing.yaml").write_text(starter_text("pendulum"))
    assert centrode(*words) == 2
    said = capsys.readouterr()
    assert message in said.err and "Traceback" not in said.err and said.out == ""
    assert sorted(item.name for item in here.iterdir()) == ["swing.yaml"]
    assert (here / "swing.yaml").read_text() == starter_text("pendulum")


def test_a_run_that_stops_early_is_exit_code_1_and_keeps_what_it_computed(here, capsys):
    """A spring of 1 GN/m on 1 kg swings at 3e4 rad/s; Runge and Kutta's fourth order is stable up to 2.8 per step."""
    centrode("new", "spring", "s.yaml")
    stiff = ["--set", "forces.spring.stiffness=1 GN/m", "--set", "changes=[]", "--method", "rk4-projected"]
    assert centrode("run", "s.yaml", *stiff, "--step", "10 ms", "--json") == 1
    said = capsys.readouterr()
    result = json.loads(said.out[said.out.index("{") :])
    assert result["status"] == "stopped" and "stopped at t = " in said.err and "smaller step" in said.err
    run = Recording.load(here / "s.nc")
    assert run.status.outcome == "stopped" and run.status.stop.time < 6 and 0 < len(run) < 600


def test_all_faults_of_a_file_are_printed(here, capsys):
    (here / "a.yaml").write_text("centrode: 1\nbodies:\n  a: {mass: 2 m}\n  b: {mas: 2}\njoints:\n  j: {kind: bal}\n")
    assert centrode("check", "a.yaml") == 2
    said = capsys.readouterr().err
    assert all(f"a.yaml:{line}: " in said for line in (3, 4, 6))


@pytest.mark.parametrize("kind", list(starters()))
def test_every_starter_runs_as_it_is(here, kind):
    assert centrode("new", kind) == 0
    name = kind.replace("-", "_")
    assert load(here / f"{name}.yaml").title
    assert centrode("run", f"{name}.yaml", "-q", "--duration", "0.2 s") == 0
    assert Recording.load(here / f"{name}.nc").status.completed


def test_the_starter_of_contacts_shows_hits_and_rest(here):
    """There was none for contacts: a box that comes to rest on a face and a ball that rolls into it."""
    assert centrode("new", "contact", "drop.yaml") == 0
    assert centrode("run", "drop.yaml", "-q") == 0
    run = Recording.load(here / "drop.nc")
    # on a face: half an edge high, less what its weight presses it in; a thousandth of a half-width at most
    assert run["box.position.z"][-1] == pytest.approx(0.15, abs=1e-3 * 0.15)
    assert abs(run["box.velocity.z"][-1]) < 1e-6
    assert {item.subject for item in run.events.of("collision")} >= {"ground - box", "box - ball"}
    assert not any("note" in item.kind for item in run.events)
    before = run["ball.velocity.x"][run.time < 0.8]
    assert before == pytest.approx(1.5, rel=1e-3)  # rolls, on a radius that is pressed in by as little
    assert run["ball.velocity.x"].min() < -0.1  # and is thrown back


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM to be caught")
def test_a_run_that_is_told_to_end_keeps_its_frames_and_says_where(here):
    """A job's time limit ended the process, with nothing but the first frame behind it."""
    assert centrode("new", "contact", "drop.yaml") == 0
    words = [sys.executable, "-m", "centrode", "run", "drop.yaml", "--duration", "600 s", "--frames", "10 ms"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as job:
        partial = here / "drop.nc.partial"
        for _ in range(600):
            # a whole checkpoint behind frames; it is made a second after the start
            if partial.exists() and len(Recording.load(partial)) > 1:
                break
            time.sleep(0.1)
        job.terminate()
        _, said = job.communicate(timeout=60)
    assert job.returncode == 130 and "drop.nc.partial" in said and "--resume" in said
    run = Recording.load(partial)
    assert run.status == "interrupted" and len(run) > 64 and run["box.position.z"][-1] > 0.1


def test_check_finds_redundant_constraints(here, capsys):
    """A four-bar with four hinges in space: 18 velocities, 20 rows, of which 17 are independent (it moves)."""
    bars = {"a": (0, 0.5), "b": (0.5, 1), "c": (1, 0.5)}
    text = "centrode: 1\nbodies:\n" + "".join(
        f"  {name}: {{mass: 1, inertia: [1, 1, 1], position: [{x}, 0, {z}]}}\n" for name, (x, z) in bars.items()
    )
    pins = [("ground", "a", 0, 0), ("a", "b", 0, 1), ("b", "c", 1, 1), ("c", "ground", 1, 0)]
    text += "joints:\n" + "".join(
        f"  pin{i}: {{kind: revolute, a: {a}, b: {b}, at: [{x}, 0, {z}], axis: [0, 1, 0]}}\n"
        for i, (a, b, x, z) in enumerate(pins)
    )
    (here / "four_bar.yaml").write_text(text)
    assert centrode("check", "four_bar.yaml", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    counts = [found[name] for name in ("velocities", "constraints", "redundant", "freedoms")]
    assert counts == [18, 20, 3, 1]


def test_list_of_starters(here, capsys):
    assert centrode("new", "--list") == 0
    said = capsys.readouterr().out
    assert "pendulum" in said and "four-bars" in said


def test_mechanisms_are_starters_too(here, capsys):
    assert centrode("new", "four-bars", "bars.yaml") == 0
    assert centrode("check", "bars.yaml", "--json") == 0
    assert '"freedoms": 1' in capsys.readouterr().out


def test_check_puts_a_plugin_through_the_contract(here, capsys):
    """A user's own spring passes; with the reaction forgotten it fails, and the shell knows."""
    from centrode.parts.forces import spring

    source = Path(spring.__file__).read_text().replace('kind: ClassVar[str] = "spring"', 'kind: ClassVar[str] = "own"')
    (here / "own_spring.py").write_text(source)
    assert centrode("check", "own_spring.py") == 0
    assert "none failed" in capsys.readouterr().out
    both = "push_apart(wrench, a, b, "
    assert both in source
    forgotten = source.replace(both, "push(wrench, b, ").replace("push_apart", "push")
    (here / "bad_spring.py").write_text(forgotten)
    assert centrode("check", "bad_spring.py", "--json") == 1
    results = json.loads(capsys.readouterr().out)
    assert any(item["passed"] is False and "reaction" in item["check"] for item in results), results


def test_schema_is_json(here, capsys):
    assert centrode("schema") == 0
    printed = json.loads(capsys.readouterr().out)
    assert centrode("schema", "-o", "s.json") == 0
    assert json.loads((here / "s.json").read_text()) == printed
    assert {"bodies", "joints", "run"} <= set(printed["properties"])


def test_help_has_an_example_and_needs_nothing_heavy():
    for name in ("run", "check", "new", "schema"):
        code = (
            "import sys\nfrom centrode.cli import main\n"
            f"main.run(['{name}', '--help'])\n"
            "sys.exit(any(m in sys.modules for m in ('numba', 'numpy', 'ruamel.yaml', 'h5netcdf', 'rich')))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (name, done.stderr)
        assert "Example:" in done.stdout


def test_channels_that_are_too_many_are_counted(here, capsys):
    """A system of ten bodies had no table and no word about it."""
    assert centrode("new", "chain") == 0
    assert centrode("run", "chain.yaml", "--duration", "0.1 s") == 0
    said = capsys.readouterr().out
    columns = int(re.search(r"^channels:  (\d+), too many to show; centrode plot chain.nc --list", said, re.M)[1])
    recording = Recording.load(here / "chain.nc")
    assert columns == sum(item.size(recording.coordinates) for item in recording.channels.values()) > 40
    assert centrode("plot", "chain.nc", "--list") == 0


def test_events_are_lines_that_a_terminal_shows(here, capsys):
    """A collision has 120 figures, and its line had 2,700 characters; bodies are not called vehicles."""
    (here / "boxes.yaml").write_text(BOXES)
    assert centrode("run", "boxes.yaml", "-q") == 0
    run = Recording.load(here / "boxes.nc")
    assert max(map(len, run.events.table().split("\n"))) < 130
    assert max(map(len, run.events.table(None).split("\n"))) > 1000
    assert centrode("crash", "boxes.nc") == 0
    said = capsys.readouterr().out
    assert "vehicle" not in said and said.split("\n")[1].split()[:3] == ["no", "body", "against"]


BOXES = """centrode: 1
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: [1, 1, 1], velocity: [3, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}
outlines:
  oa: {kind: box, body: a, half_lengths: [0.5, 0.5, 0.5]}
  ob: {kind: box, body: b, half_lengths: [0.5, 0.5, 0.5]}
contact_laws:
  law: {kind: restitution, restitution: 0.5, stiffness: 1e5}
run: {duration: 1 s}
"""


HELD = """
centrode: 1
bodies: {bar: {mass: 2 kg, inertia: [0.1667, 0.1667, 0.001], position: [0, 0, -0.5]}}
joints: {hinge: {kind: revolute, a: ground, b: bar, at: [0, 0, 0], axis: [0, 1, 0]}}
forces: {drive: {kind: actuator, joint: hinge}}
controllers: {hold: {kind: pid, inputs: [drive], measure: hinge.angle, rate: hinge.angle_rate, kp: 5, kd: 0.8}}
"""


def test_linearise_closes_loops_and_takes_steps(here, capsys):
    (here / "held.yaml").write_text(HELD)
    found = {}
    for words in ((), ("--step", "0.01", "--speed-step", "0.5"), ("--open-loop",), ("--at", "0.05")):
        assert centrode("linearise", "held.yaml", "-c", "hinge.angle", "--json", *words) == 0
        said = json.loads(capsys.readouterr().out)
        found[words[:1]] = float(said["stiffness"][0][0])
    # m g l/2 + K_p and m g l/2; at 0.05 s it hangs as at the start.
    assert [found[("--open-loop",)], found[()]] == pytest.approx([9.81, 14.81], rel=1e-9)
    assert found[("--step",)] == pytest.approx(14.81, rel=1e-9) and found[("--at",)] == pytest.approx(14.81, rel=1e-6)
    assert centrode("linearise", "held.yaml", "-c", "hinge.angle", "--step", "-1") == 2
    assert "--step: a step is positive" in capsys.readouterr().err

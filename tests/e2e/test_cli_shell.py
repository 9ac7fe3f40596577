"""The shell of the command line: lists commands lazily, turns failures into sentences and exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

import centrode
from centrode.cli import main as shell
from centrode.errors import Fault, InputError, RunError, RunStop

COMMANDS = sorted((Path(centrode.__file__).parent / "cli" / "commands").glob("[!_]*.py"))
HEAVY = ("numba", "numpy", "scipy", "matplotlib", "xarray", "rich")


def centrode_command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "centrode.cli.main", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


def test_help_lists_every_command_with_a_line_about_it() -> None:
    done = centrode_command("--help")
    assert done.returncode == 0
    listed = done.stdout.split("Commands:")[1].splitlines()
    for path in COMMANDS:
        name = path.stem.replace("_", "-")
        (line,) = [line for line in listed if line.split()[:1] == [name]]
        assert len(line.split()) > 2


def test_help_imports_nothing_heavy_and_no_command() -> None:
    program = (
        "import sys\nfrom centrode.cli.main import run\nrun(['--help'])\n"
        f"bad = [n for n in sys.modules if n.split('.')[0] in {HEAVY} or n.startswith('centrode.cli.commands.')]\n"
        "sys.exit(','.join(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_importing_a_command_brings_nothing_heavy(path: Path) -> None:
    program = (
        f"import sys, importlib\nimportlib.import_module('centrode.cli.commands.{path.stem}')\n"
        f"bad = [n for n in sys.modules if n in {HEAVY}]\nsys.exit(','.join(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_every_command_explains_itself(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.run([path.stem.replace("_", "-"), "--help"]) == 0
    assert "Usage: centrode" in capsys.readouterr().out


def test_version() -> None:
    done = centrode_command("--version")
    assert done.returncode == 0
    assert centrode.__version__ in done.stdout


@pytest.mark.skipif((os.cpu_count() or 1) < 2 or sys.platform != "linux", reason="shows on two cores of a Linux")
def test_commands_start_no_threads_of_blas() -> None:
    """Two that wait for each other on busy cores made an assembly thirty times slower. One's own word is kept."""
    code = (
        "import contextlib, os, sys; from centrode.cli.main import main; sys.argv[1:] = ['--version']\n"
        "with contextlib.suppress(SystemExit): main()\n"
        "import numpy; numpy.linalg.svd(numpy.eye(300)); print(len(os.listdir('/proc/self/task')))"
    )
    own = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    threads = [
        int(
            subprocess.run(
                [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
            ).stdout.split()[-1]
        )
        for env in (own, own | {"OPENBLAS_NUM_THREADS": "2"})
    ]
    assert threads == [1, 2]


def test_misspelt_command_is_answered_with_the_nearest() -> None:
    done = centrode_command("verfy")
    assert done.returncode == 2
    assert "did you mean 'verify'?" in done.stderr
    assert "Traceback" not in done.stderr


def test_command_like_nothing_points_to_the_list() -> None:
    done = centrode_command("qqqqqq")
    assert done.returncode == 2
    assert "centrode --help" in done.stderr


def test_unknown_option_is_wrong_input() -> None:
    assert centrode_command("verify", "--jsn").returncode == 2


def raising(error: BaseException) -> click.Command:
    @click.command()
    def command() -> None:
        """Fail."""
        raise error

    return command


def run_with(command: click.Command, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(shell.LazyCommands, "list_commands", lambda self, ctx: ["trial"])
    monkeypatch.setattr(shell.LazyCommands, "get_command", lambda self, ctx, name: command)
    return shell.run(["trial"])


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError(Fault("must be positive", "bodies.arm.mass", "a.yaml", 3, -1.0)), 2, "a.yaml:3: bodies.arm.mass"),
        (RunError(RunStop("the step became too small", 1.25)), 1, "stopped at t = 1.25 s"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ZeroDivisionError("division by zero\nsecond line"), 1, "internal error: ZeroDivisionError: division by zero;"),
    ],
    ids=["input", "run", "interrupt", "internal"],
)
def test_failures_are_one_message_and_a_code(
    error: BaseException,
    code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("CENTRODE_TRACEBACK", raising=False)
    assert run_with(raising(error), monkeypatch) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert len(captured.err.strip().splitlines()) == 1


def test_all_faults_of_an_input_are_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_with(raising(InputError([Fault("first"), Fault("second")])), monkeypatch) == 2
    text = capsys.readouterr().err
    assert "first" in text
    assert "second" in text


@pytest.mark.parametrize("error", [ValueError("deep"), InputError("wrong")])
def test_traceback_on_request(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CENTRODE_TRACEBACK", "1")
    with pytest.raises(type(error)):
        run_with(raising(error), monkeypatch)


def test_exit_code_is_what_the_command_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_with(click.Command("trial", callback=lambda: 1), monkeypatch) == 1
    assert run_with(click.Command("trial", callback=lambda: None), monkeypatch) == 0


def test_reader_that_goes_away_is_no_error() -> None:
    program = f"{sys.executable} -m centrode.cli.main verify --help | true"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", program], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


def test_verify_reports_unknown_topic_with_code_2() -> None:
    done = centrode_command("verify", "no-such-topic")
    assert done.returncode == 2
    assert "unknown topic" in done.stderr


def test_verify_shows_reached_and_missed_numbers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from centrode import published

    good = published.Check("road.height", "report, table 3", 2.0, 0.01, lambda: 2.004)
    bad = published.Check("road.slope", "report, table 4", 1.0, 0.01, lambda: 1 / 0)
    monkeypatch.setattr(published, "discover", lambda: [good])
    assert shell.run(["verify"]) == 0
    assert "1 of 1 published numbers reached" in capsys.readouterr().out

    monkeypatch.setattr(published, "discover", lambda: [good, bad])
    assert shell.run(["verify", "road"]) == 1
    captured = capsys.readouterr()
    assert "1 of 2 published numbers reached" in captured.out
    assert "road.slope: ZeroDivisionError" in captured.err

    assert shell.run(["verify", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [(row["id"], row["ok"], row["reached"]) for row in rows] == [
        ("road.height", True, 2.004),
        ("road.slope", False, None),
    ]

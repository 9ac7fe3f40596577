"""The benchmark harness: order of runs, direction of ratios, peers in processes of their own, merging of results."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


harness = load("harness")
run = load("run")


def counted(log: list[str], name: str, values: list[float]) -> Callable[[], object]:
    """A measurement that gives the listed values in turn and writes its name into the log."""
    left = iter(values)

    def measure() -> object:
        log.append(name)
        return harness.Measurement(next(left), error=0.5)

    return measure


def test_ours_and_peers_run_in_turn_and_the_first_round_is_not_counted() -> None:
    log: list[str] = []
    case = harness.Case(
        "trial.time",
        "s",
        counted(log, "ours", [0.1, 3.0, 2.0]),
        {"A": counted(log, "A", [0.1, 8.0, 9.0]), "B": counted(log, "B", [0.1, 1.0, 1.0])},
        repeat=2,
    )
    first, second = harness.run_case(case)
    assert log == ["ours", "A", "B"] * 3
    assert (first["ours"], first["ours_median"], first["peer"], first["peer_median"]) == (2.0, 2.5, 8.0, 8.5)
    assert first["ratio"] == 4.0
    assert second["ratio"] == 0.5
    assert first["error_ours"] == first["error_peer"] == 0.5


def test_ratio_of_a_rate_is_ours_over_peer() -> None:
    case = harness.Case(
        "trial.rate",
        "1/s",
        counted([], "ours", [1.0, 6.0]),
        {"A": counted([], "A", [1.0, 2.0])},
        larger_is_better=True,
        repeat=1,
    )
    assert harness.run_case(case)[0]["ratio"] == 3.0


def test_case_without_peers_gives_one_row() -> None:
    (row,) = harness.run_case(harness.Case("trial.alone", "s", counted([], "ours", [1.0] * 6)))
    assert row["peer_name"] is None
    assert row["ratio"] is None


def test_missing_peer_is_a_row_with_its_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(harness, "PEERS_PYTHON", tmp_path / "nothing")
    peer = harness.PeerProcess("peer_none.py").measurement("run")
    (row,) = harness.run_case(harness.Case("trial.x", "s", counted([], "ours", [1.0] * 6), {"A": peer}))
    assert row["peer"] is None
    assert "no environment" in row["reason"]


def test_failure_of_ours_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        harness.run_case(harness.Case("trial.x", "s", lambda: 1 / 0))


WORKER = """
import os, sys
from harness import serve

def figure(factor):
    print("chatter on the output stream")
    os.write(1, b"chatter from C\\n")
    return 2.0 * factor, 1e-3

def broken():
    raise ValueError("no such model")

serve({"figure": figure, "plain": lambda: 7, "broken": broken, "die": lambda: os._exit(3)})
"""


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> object:
    monkeypatch.setattr(harness, "PEERS_PYTHON", Path(sys.executable))
    (tmp_path / "worker.py").write_text(WORKER)
    process = harness.PeerProcess(str(tmp_path / "worker.py"))
    yield process
    process.close()


def test_worker_answers_in_spite_of_chatter(peer: object) -> None:
    assert peer.measurement("figure", factor=3.0)() == harness.Measurement(6.0, 1e-3)
    assert peer.measurement("plain")() == harness.Measurement(7.0, None)
    first = peer._process.pid
    peer.ask("plain")
    assert peer._process.pid == first


def test_worker_that_fails_says_why_and_goes_on(peer: object) -> None:
    with pytest.raises(harness.PeerMissing, match="ValueError: no such model"):
        peer.ask("broken")
    assert peer.ask("plain")["value"] == 7


def test_worker_that_dies_is_missing(peer: object) -> None:
    with pytest.raises(harness.PeerMissing, match="the worker ended"):
        peer.ask("die")


BENCH = """
from harness import Case, Measurement
CASES = [Case("one.a", "s", lambda: Measurement({value}), note="a note"), Case("two.b", "s", lambda: Measurement(5.0))]
"""


def test_selected_cases_are_merged_into_earlier_results(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "FOLDER", tmp_path)
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(run, "TABLE", tmp_path / "docs" / "benchmarks.md")

    def measure(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["run.py", "--repeat", "1", *arguments])
        return int(run.main())

    (tmp_path / "bench_trial.py").write_text(BENCH.format(value="1.0"))
    assert measure() == 0
    (tmp_path / "bench_trial.py").write_text(BENCH.format(value="3.0").replace("5.0", "1 / 0"))
    assert measure("--only", "one") == 0
    rows = {row["id"]: row["ours"] for row in json.loads((tmp_path / "results.json").read_text())["rows"]}
    assert rows == {"one.a": 3.0, "two.b": 5.0}
    page = (tmp_path / "docs" / "benchmarks.md").read_text()
    assert "| `one.a` | s | 3 |" in page
    assert "- `one.a`: a note" in page

    # A case that fails is named, keeps its old figure and sets the exit code.
    assert measure() == 1
    assert "FAILED two.b: ZeroDivisionError" in capsys.readouterr().err
    rows = {row["id"]: row["ours"] for row in json.loads((tmp_path / "results.json").read_text())["rows"]}
    assert rows == {"one.a": 3.0, "two.b": 5.0}

    assert measure("--only", "three") == 2


def test_machine_info_names_neither_host_nor_folder() -> None:
    import platform

    text = json.dumps(run.machine())
    assert str(Path.home()) not in text
    assert platform.node() not in text

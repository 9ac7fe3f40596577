"""How Centrode is measured against its peers: what a case is, how it is run, how a peer in its own environment speaks.

A file ``benchmarks/bench_<subject>.py`` exports ``CASES`` (a list of :class:`Case`) or ``cases()`` that returns one and
begins with ``from harness import Case, Measurement, PeerProcess``. Ours and the peers run in turn, repetition by
repetition, so a slow second of the machine meets all of them.

A peer with packages of its own runs in a second environment (``.venv-peers``, made from ``benchmarks/peers.txt``) as a
worker that reads one JSON object a line and answers with one. The worker script calls :func:`serve` with its
functions; this file needs nothing but the standard library, so the worker can import it too.
"""

from __future__ import annotations

import atexit
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
PEERS_PYTHON = FOLDER.parent / ".venv-peers" / "bin" / "python"


@dataclass(frozen=True)
class Measurement:
    """One figure.

    Attributes:
        value: the figure, in the unit of its case.
        error: how wrong the computed result was, when the case knows the right one (its meaning stands in the note).
    """

    value: float
    error: float | None = None


@dataclass(frozen=True)
class Case:
    """One comparison.

    Attributes:
        id: ``subject.name``, unique.
        unit: unit of the figure ("s", "steps/s", "1").
        ours: measures Centrode once.
        peers: name of each peer -> measures it once.
        larger_is_better: direction of the figure (rates: True, durations: False).
        note: what is computed and how the error is defined; equal work and equal accuracy are stated here.
        repeat: repetitions, after one that is not counted.
    """

    id: str
    unit: str
    ours: Callable[[], Measurement]
    peers: Mapping[str, Callable[[], Measurement]] = field(default_factory=dict)
    larger_is_better: bool = False
    note: str = ""
    repeat: int = 5


class PeerMissing(Exception):
    """A peer cannot be measured here; the message says why."""


def seconds(function: Callable[[], Any], loops: int = 1) -> float:
    """Wall time of one call [s], averaged over ``loops`` calls."""
    start = time.perf_counter()
    for _ in range(loops):
        function()
    return (time.perf_counter() - start) / loops


def run_case(case: Case, repeat: int | None = None) -> list[dict[str, Any]]:
    """Measure one case: one row per peer, or a single row when there is none.

    ``ratio`` says how many times better ours is: above 1 we lead, whatever the direction of the figure.
    """
    runners: dict[str, Callable[[], Measurement]] = {"": case.ours, **case.peers}
    samples: dict[str, list[Measurement]] = {name: [] for name in runners}
    reasons: dict[str, str] = {}
    for repetition in range((case.repeat if repeat is None else repeat) + 1):
        for name, measure in runners.items():
            if name in reasons:
                continue
            try:
                sample = measure()
            except Exception as error:  # a missing or failing peer is a row with its reason
                if not name:
                    raise
                reasons[name] = str(error) if isinstance(error, PeerMissing) else f"{type(error).__name__}: {error}"
                continue
            if repetition:  # the first one compiles and warms caches
                samples[name].append(sample)
    ours = _summary(samples[""], case.larger_is_better)
    rows = []
    for name in list(case.peers) or [None]:
        row: dict[str, Any] = {
            "id": case.id,
            "unit": case.unit,
            "larger_is_better": case.larger_is_better,
            "ours": ours["best"],
            "ours_median": ours["median"],
            "error_ours": ours["error"],
            "peer_name": name,
            "peer": None,
            "peer_median": None,
            "error_peer": None,
            "ratio": None,
            "repeat": len(samples[""]),
            "note": case.note,
        }
        if name is not None and name in reasons:
            row["reason"] = reasons[name]
        elif name is not None:
            peer = _summary(samples[name], case.larger_is_better)
            row.update(peer=peer["best"], peer_median=peer["median"], error_peer=peer["error"])
            above, below = (ours, peer) if case.larger_is_better else (peer, ours)
            row["ratio"] = above["best"] / below["best"] if below["best"] else None
        rows.append(row)
    return rows


def _summary(samples: list[Measurement], larger_is_better: bool) -> dict[str, float | None]:
    best = (max if larger_is_better else min)(samples, key=lambda sample: sample.value)
    return {
        "best": best.value,
        "median": statistics.median(sample.value for sample in samples),
        "error": best.error,
    }


class PeerProcess:
    """A worker in the peers' environment, started when it is first asked.

    Args:
        script: worker script, relative to ``benchmarks/``.
        timeout: longest wait for one answer [s].
    """

    def __init__(self, script: str, timeout: float = 300.0) -> None:
        self.script = FOLDER / script
        self.timeout = timeout
        self._process: subprocess.Popen[str] | None = None

    def measurement(self, command: str, **arguments: Any) -> Callable[[], Measurement]:
        """A function for ``Case.peers`` that asks the worker for one measurement."""

        def measure() -> Measurement:
            answer = self.ask(command, **arguments)
            return Measurement(answer["value"], answer.get("error"))

        return measure

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send one command and wait for the answer.

        Raises:
            PeerMissing: the environment or a package is missing, the worker died, failed or took too long.
        """
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        # A watchdog ends our own worker when it hangs; the read below then sees the end of its stream.
        watchdog = threading.Timer(self.timeout, process.kill)
        watchdog.start()
        try:
            process.stdin.write(json.dumps({"command": command, **arguments}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            watchdog.cancel()
        if not line:
            self.close()
            raise PeerMissing(f"{self.script.name}: the worker ended (or took more than {self.timeout:g} s)")
        answer: dict[str, Any] = json.loads(line)
        if "failure" in answer:
            raise PeerMissing(answer["failure"])
        return answer

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            if not PEERS_PYTHON.exists():
                raise PeerMissing("no environment for peers (make bench creates it)")
            if not self.script.exists():
                raise PeerMissing(f"no worker script {self.script.name}")
            self._process = subprocess.Popen(
                [str(PEERS_PYTHON), str(self.script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": str(FOLDER)},
            )
            atexit.register(self.close)
        return self._process


def serve(functions: Mapping[str, Callable[..., Any]]) -> None:
    """Answer commands until the input ends (runs inside the worker).

    Each function takes the arguments of the command by name and returns a figure, a pair (figure, error) or a dict.
    """
    # Some simulators write to the output stream from C; keep the real one for answers, give them the error stream.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        command = request.pop("command")
        try:
            result = functions[command](**request)
            if isinstance(result, tuple):
                answer = {"value": float(result[0]), "error": None if result[1] is None else float(result[1])}
            elif isinstance(result, dict):
                answer = result
            else:
                answer = {"value": float(result), "error": None}
        except Exception as error:  # the reason travels to the table
            answer = {"failure": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

"""Compare the speed of two trees of sources, this one and another: old, new and their ratio for every row of the bench.

    python benchmarks/compare.py OLD_TREE [--only contact.,mechanism.a04] [--rounds 3] [--seconds 2] [--json FILE]

OLD_TREE is a checkout of another commit (``git worktree add ../old COMMIT``). Each tree runs its own ``bench_*.py`` on
its own sources with kernels of its own, in a process of its own, and writes nothing into either tree. The two
take turns, call by call and the other first every second time, so that a slow second of the machine meets both; each
round starts both processes anew, because places in memory alone move a figure by several per cent. The best of all
calls counts, of the peers none is asked. Where a case measures wall time, processor time stands in its place.

Ratio is new over old *time*, also for rates: above 1 this tree is slower. Rows above 1.03 are marked ``slower``, and
the exit code is then 1, but for rows that compute something else in the two trees, marked ``differs``. An error that
is more than twice or less than half of the old one is shown.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SLOWER = 1.03
ROUND_OFF = 1e-9
"""Errors below this differ by round-off alone."""
MOST_CALLS = 12
ANOTHER_MODEL = {
    "collisions.pile_up": "crush by columns instead of a law by width",
    "collisions.real_time_cars": "crush by columns instead of a law by width",
}
"""Beginnings of rows whose scenario keeps its words but has another model since 0e18964."""


class Tree:
    """A process that measures the cases of one tree when asked.

    Args:
        folder: the checkout.
        variables: of its environment, beside those of this process.
    """

    def __init__(self, folder: Path, **variables: str) -> None:
        everything = {
            **os.environ,
            **variables,
            "PYTHONPATH": str(folder / "src"),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), "--serve", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=everything,
        )
        self.cases: dict[str, dict[str, Any]] = self._answer()

    def measure(self, case: str) -> dict[str, Any]:
        """One figure of a case: value, error, and the processor time of the whole call [s]; or why there is none."""
        assert self._process.stdin is not None
        self._process.stdin.write(case + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("compare: a measuring process ended; its message stands above")
        return dict(json.loads(line))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def serve(folder: Path) -> None:
    """Tell the cases of a tree, then measure those whose names come in, until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    time.perf_counter = time.process_time
    sys.path[0] = str(folder / "benchmarks")
    from run import discover_cases

    cases = {case.id: case for case in discover_cases()}
    told = {
        name: {"unit": case.unit, "larger_is_better": case.larger_is_better, "note": case.note}
        for name, case in cases.items()
    }
    answers.write(json.dumps(told) + "\n")
    answers.flush()
    for line in sys.stdin:
        begin = time.process_time()
        try:
            found = cases[line.strip()].ours()
            answer = {"value": float(found.value), "error": None if found.error is None else float(found.error)}
        except Exception as error:  # the other cases must still be measured
            answer = {"failure": f"{type(error).__name__}: {error}"}
        answer["spent"] = time.process_time() - begin
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class Row:
    """One case in both trees.

    Args:
        name: id of the case.
        old: what the old tree says of it, None when it has no such case.
        new: the same of this tree.
    """

    def __init__(self, name: str, old: dict[str, Any] | None, new: dict[str, Any] | None) -> None:
        self.name, self.told = name, (old, new)
        known = new or old
        assert known is not None
        self.unit, self.rate = known["unit"], bool(known["larger_is_better"])
        self.best: list[dict[str, Any] | None] = [None, None]
        self.failure = ""

    def measure(self, trees: tuple[Tree, Tree], seconds: float) -> None:
        """A first call that is not counted, then calls in turn until ``seconds`` of processor time are spent."""
        spent = 0.0
        for call in range(MOST_CALLS + 1):
            for side in (0, 1) if call % 2 else (1, 0):
                if self.failure or self.told[side] is None:
                    continue
                answer = trees[side].measure(self.name)
                if "failure" in answer:
                    self.failure = answer["failure"]
                elif call:
                    spent += answer["spent"]
                    self._keep(side, answer)
            if self.failure or spent > seconds:
                return

    def _keep(self, side: int, answer: dict[str, Any]) -> None:
        before = self.best[side]
        if before is None or (answer["value"] > before["value"]) == self.rate:
            self.best[side] = answer

    @property
    def ratio(self) -> float | None:
        """New over old time."""
        old, new = self.best
        if old is None or new is None or not old["value"] or not new["value"]:
            return None
        ratio = float(new["value"] / old["value"])
        return 1.0 / ratio if self.rate else ratio

    @property
    def differs(self) -> str:
        """In what the two trees do not compute the same, or nothing."""
        if self.told[0] is None or self.told[1] is None:
            return "only in the " + ("new" if self.told[0] is None else "old") + " tree"
        for beginning, reason in ANOTHER_MODEL.items():
            if self.name.startswith(beginning):
                return f"differs: {reason}"
        told = [name for name in self.told[0] if self.told[0][name] != self.told[1][name]]
        return "differs: " + ", ".join(told) if told else ""

    @property
    def errors(self) -> str:
        """Errors that moved, or nothing."""
        old, new = (None if best is None or best["error"] is None else abs(best["error"]) for best in self.best)
        if old is None or new is None or max(old, new) <= max(ROUND_OFF, 2.0 * min(old, new)):
            return ""
        return f"error {old:.2g}, now {new:.2g}"

    @property
    def slower(self) -> bool:
        """Slower by more than is allowed, at the same work."""
        return self.ratio is not None and self.ratio > SLOWER

    def text(self) -> str:
        """The row of the table."""
        figures = [f"{best['value']:12.5g}" if best else " " * 12 for best in self.best]
        ratio = "" if self.ratio is None else f"{self.ratio:.3f}"
        marks = ("slower" if self.slower else "", self.differs, self.errors, self.failure)
        marked = "; ".join(mark for mark in marks if mark)
        return f"{self.name:40s} {self.unit:16s} {figures[0]} {figures[1]} {ratio:>7s}  {marked}".rstrip()


def main() -> int:
    """Parse the arguments, measure, print; the exit code."""
    parser = argparse.ArgumentParser(description="Compare the speed of another tree of sources with this one.")
    parser.add_argument("old", type=Path, help="checkout of the other commit")
    parser.add_argument("--only", default="", help="beginnings of case ids, separated by commas")
    parser.add_argument("--rounds", type=int, default=3, help="how often both processes start anew")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time for a case in a round [s]")
    parser.add_argument("--json", type=Path, help="write the figures there too")
    options = parser.parse_args()
    new = Path(__file__).resolve().parents[1]
    old = options.old.resolve()
    if not (old / "benchmarks" / "run.py").exists():
        parser.error(f"{options.old} is no checkout: it has no benchmarks/run.py")
    wanted = tuple(item.strip() for item in options.only.split(",") if item.strip())
    kernels = str(Path(tempfile.gettempdir()) / "centrode-compare")  # of the old tree; older ones share no cache
    rows: dict[str, Row] = {}
    for n in range(options.rounds):
        trees = Tree(old, CENTRODE_CACHE_DIR=kernels), Tree(new)
        names = list(dict.fromkeys([*trees[0].cases, *trees[1].cases]))
        for name in names:
            if wanted and not name.startswith(wanted):
                continue
            row = rows.setdefault(name, Row(name, trees[0].cases.get(name), trees[1].cases.get(name)))
            row.measure(trees, options.seconds)
            print(f"round {n + 1}: {row.text()}", file=sys.stderr, flush=True)
        for tree in trees:
            tree.close()
        if not rows:
            parser.error(f"no case begins with {' or '.join(wanted)}")
    print(f"{'case':40s} {'unit':16s} {'old':>12s} {'new':>12s} {'ratio':>7s}")
    for name in sorted(rows):
        print(rows[name].text())
    if options.json is not None:
        figures = {name: {"old": row.best[0], "new": row.best[1], "ratio": row.ratio} for name, row in rows.items()}
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 1 if any(row.slower and not row.differs for row in rows.values()) else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(Path(sys.argv[2]))
    else:
        sys.exit(main())

"""Mutation run: small faults are planted in the sources, one at a time, and the tests must notice.

    python tools/mutate.py --number 300         sample, run what has not been run yet, print the score
    python tools/mutate.py --report             print the score of what has been run
    python tools/mutate.py --list               print the sampled mutants without running them

A mutant is a change of one operator, sign, number, comparison, argument order or statement inside a function of
`parts/` or `dynamics/`. For each, the tests that reach the changed line are run with the JIT off, so that kernels are
Python and can be traced; the first failing test ends it. Everything happens in a copy of the tree (``--scratch``), and
the result of every mutant is written at once: an interrupted run goes on where it stopped.

A mutant that survives is judged by hand. Those that cannot change any result stand in tools/mutants.toml with the
reason; they are told apart in the report. Why not mutmut or cosmic-ray: docs/decisions/0010-mutation-runs.md.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src/centrode/parts", "src/centrode/dynamics")
MAPPED_TESTS = ("tests/unit", "tests/verification", "tests/conformance")
COPIED = ("src", "tests", "scenarios", "examples", "tools", "docs", "benchmarks", "pyproject.toml", "README.md")
JUDGED = ROOT / "tools" / "mutants.toml"
SLOWEST_TEST = 2.0
"""Tests that take more processor time than this [s] with the JIT off are left out."""
BUDGET = 25.0
"""Tests of one mutant are taken, quickest first, until their times add up to this [s]."""
TOLERANCE = 1e-5
"""Numbers below this are tolerances: doubling one changes no result, so they are not mutated."""

SWAPPED = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "%": "*", "**": "*", "@": "*"}
SWAPPED_IN_INDEX = {"+": "-", "-": "+", "*": "+", "//": "*", "%": "*"}
"""A quotient is no index: it would be noticed by the interpreter, not by a test."""
NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TWINS = {"sin": "cos", "cos": "sin", "min": "max", "max": "min"}
SYMMETRIC = {"dot", "max", "min", "plus", "each", "middle", "hypot", "isinstance", "print", "zip"}


@dataclass(frozen=True)
class Mutant:
    """One planted fault: the text between two places of a file is replaced."""

    file: str
    line: int
    start: int
    end: int
    operator: str
    before: str
    after: str
    new: str
    function: str
    statement: tuple[int, int]

    @property
    def key(self) -> str:
        """Name of the mutant, as the report prints it and as it is judged."""
        return f"{self.file}:{self.function}: {self.before} -> {self.after}"


# -- mutants of a file -------------------------------------------------------------------------------------------------


class Sites:
    """Every mutant of one file."""

    def __init__(self, file: str, text: str):
        self.file = file
        self.bytes = text.encode()
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Mutant] = []
        self.function = ""
        self.header = (0, 0)
        for function, node in _functions(ast.parse(text), ""):
            for statement in node.body:
                if not _is_text(statement):
                    self._statement(statement, function)

    def _place(self, line: int | None, column: int | None) -> int:
        return self.starts[(line or 1) - 1] + (column or 0)

    def _span(self, node: ast.AST) -> tuple[int, int]:
        return (
            self._place(node.lineno, node.col_offset),  # type: ignore[attr-defined]
            self._place(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        )

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.bytes[start:end].decode()

    def _add(self, span: tuple[int, int], operator: str, after: str, shown: tuple[str, str] | None = None) -> None:
        before = self.bytes[span[0] : span[1]].decode()
        line = self.bytes.count(b"\n", 0, span[0]) + 1
        words = shown or (before, after)
        shown_before, shown_after = (_short(word) for word in words)
        self.found.append(
            Mutant(self.file, line, *span, operator, shown_before, shown_after, after, self.function, self.header)
        )

    def _statement(self, node: ast.stmt, function: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            return  # functions inside are found on their own
        if isinstance(node, ast.Raise | ast.Assert):
            return  # messages
        self.function = function
        blocks = [
            block
            for name in ("body", "orelse", "finalbody")
            for block in getattr(node, name, [])
            if isinstance(block, ast.stmt)
        ]
        for handler in getattr(node, "handlers", []):
            blocks += handler.body
        last = min((block.lineno for block in blocks), default=(node.end_lineno or node.lineno) + 1) - 1
        self.header = (node.lineno, max(node.lineno, last))
        if not blocks:
            self._drop(node)
        if isinstance(node, ast.AugAssign):
            self._operator_between(node.target, node.value, SWAPPED, "operator", suffix="=")
        if isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
                self._add(self._span(node.test), "condition", f"not ({self._text(node.test)})")
        for field, value in ast.iter_fields(node):
            if field in ("body", "orelse", "finalbody", "handlers", "annotation", "cases"):
                continue
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, ast.AST):
                    self._expression(item)
        for block in blocks:
            if not _is_text(block):
                self._statement(block, function)

    def _drop(self, node: ast.stmt) -> None:
        call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        writes = isinstance(node, ast.AugAssign) or (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript | ast.Attribute)
        )
        if call or writes or isinstance(node, ast.Continue | ast.Break):
            span = self._span(node)
            blank = "pass" + "\n" * self.bytes[span[0] : span[1]].count(b"\n")
            self._add(span, "dropped statement", blank, (self._text(node), "(nothing)"))

    def _operator_between(
        self, left: ast.AST, right: ast.AST, table: dict[str, str], name: str, suffix: str = ""
    ) -> None:
        start, end = self._span(left)[1], self._span(right)[0]
        between = self.bytes[start:end].decode()
        found = re.search(r"(\*\*|//|<=|>=|==|!=|[-+*/%@<>])" + re.escape(suffix), between.split("#")[0])
        if found and found.group(1) in table:
            at = (start + found.start(1), start + found.end(1))
            new = table[found.group(1)]
            words = (self._around(left, right, found.group(0)), self._around(left, right, new + suffix))
            self._add(at, name, new, words)

    def _around(self, left: ast.AST, right: ast.AST, operator: str) -> str:
        return f"{self._text(left)} {operator} {self._text(right)}"

    def _expression(self, node: ast.AST, in_index: bool = False) -> None:
        if isinstance(node, ast.JoinedStr | ast.Lambda):
            return
        if isinstance(node, ast.BinOp):
            text = isinstance(node.left, ast.Constant | ast.JoinedStr) and not _is_number(node.left)
            if not text:
                self._operator_between(node.left, node.right, SWAPPED_IN_INDEX if in_index else SWAPPED, "operator")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not _is_number(node.operand):
            self._add(self._span(node), "sign", f"(+{self._text(node.operand)})")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._add(self._span(node), "condition", f"({self._text(node.operand)})")
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            right = node.comparators[0]
            self._operator_between(node.left, right, NEGATED, "comparison")
            if _is_whole(node.left) or _is_whole(right):
                self._operator_between(node.left, right, SHIFTED, "off by one")
        elif isinstance(node, ast.BoolOp):
            a, b = node.values[:2]
            start, end = self._span(a)[1], self._span(b)[0]
            found = re.search(r"\b(and|or)\b", self.bytes[start:end].decode())
            if found and len(node.values) == 2:
                new = "or" if found.group() == "and" else "and"
                words = (self._around(a, b, found.group()), self._around(a, b, new))
                self._add((start + found.start(), start + found.end()), "condition", new, words)
        elif isinstance(node, ast.Constant):
            self._constant(node)
        elif isinstance(node, ast.Call):
            self._call(node)
        for child in ast.iter_child_nodes(node):
            self._expression(child, in_index or (isinstance(node, ast.Subscript) and child is node.slice))

    def _constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._add(self._span(node), "constant", str(not value))
        elif isinstance(value, int):
            self._add(self._span(node), "off by one", str(value + 1))
        elif isinstance(value, float) and (value == 0.0 or abs(value) >= TOLERANCE):
            self._add(self._span(node), "constant", repr(2.0 * value) if value else "1.0")

    def _call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in TWINS:
            start, end = self._span(node.func)
            whole = (self._text(node), TWINS[name] + self._text(node)[end - start :])
            self._add((end - len(name), end), "function", TWINS[name], whole)
        given = [item for item in node.args if not isinstance(item, ast.Starred)]
        if name == "range" and given:
            self._add(self._span(given[-1]), "off by one", f"{self._text(given[-1])} - 1")
        elif len(given) >= 2 and name not in SYMMETRIC:
            first, second = given[0], given[1]
            if self._text(first) != self._text(second):
                start, end = self._span(first)[0], self._span(second)[1]
                middle = self.bytes[self._span(first)[1] : self._span(second)[0]].decode()
                new = f"{self._text(second)}{middle}{self._text(first)}"
                self._add(
                    (start, end),
                    "swapped arguments",
                    new,
                    (
                        f"{name}({self._text(first)}, {self._text(second)})",
                        f"{name}({self._text(second)}, {self._text(first)})",
                    ),
                )


def _functions(node: ast.AST, within: str) -> Iterator[tuple[str, Any]]:
    for child in ast.iter_child_nodes(node):
        name = f"{within}.{child.name}".lstrip(".") if hasattr(child, "name") and child.name else within
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield name, child
        yield from _functions(child, name)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _is_whole(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _short(text: str) -> str:
    return " ".join(text.split())


def sample(number: int, seed: int) -> list[Mutant]:
    """The sampled mutants, in the order of the sample: a larger sample begins with the smaller one."""
    every: list[Mutant] = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            every += Sites(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")).found
    # By a digest of each mutant's own words and place, so that an edit elsewhere leaves the sample as it was.
    seen: Counter[str] = Counter()
    order: list[tuple[str, int]] = []
    for number_in_tree, mutant in enumerate(every):
        seen[mutant.key] += 1
        words = f"{seed} {mutant.key} {seen[mutant.key]}"
        order.append((hashlib.sha256(words.encode()).hexdigest(), number_in_tree))
    return [every[index] for _, index in sorted(order)[:number]]


# -- which tests reach a line ------------------------------------------------------------------------------------------


@dataclass
class Map:
    """Tests that reach the lines of a file, how long each takes [s], and digests of their files."""

    tests: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]
    files: dict[str, str]

    def changed(self) -> list[str]:
        """Files of tests that are new or have changed since the map was made: they are run for every mutant."""
        now = test_files()
        return [
            name for name, text in now.items() if self.files.get(name) != text and Path(name).stem.startswith("test_")
        ]

    def reaching(self, mutant: Mutant) -> list[str]:
        """Tests that reach a mutant's statement within the budget: the quickest of each file, then the second, ..."""
        lines = self.tests.get(mutant.file, {})
        names = {name for line in range(mutant.statement[0], mutant.statement[1] + 1) for name in lines.get(line, ())}
        by_file: dict[str, list[str]] = defaultdict(list)
        for name in sorted(names, key=lambda name: (self.seconds.get(name, 0.0), name)):
            by_file[name.partition("::")[0]].append(name)
        rounds = sorted(
            (place, self.seconds.get(name, 0.0), name) for names in by_file.values() for place, name in enumerate(names)
        )
        chosen = self.changed()
        rounds = [item for item in rounds if item[2].partition("::")[0] not in chosen]
        spent = 0.0
        for _, seconds, name in rounds:
            if not chosen or spent + seconds <= BUDGET:
                chosen.append(name)
                spent += seconds
        return chosen


def copy_tree(scratch: Path) -> Path:
    """The tree that is mutated: sources, tests and what they read."""
    tree = scratch / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        else:
            shutil.copy(ROOT / name, tree / name)
    return tree


def environment(tree: Path) -> dict[str, str]:
    """JIT off, one thread, the copied sources, no bytecode that could be stale."""
    return os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join((str(tree / "src"), str(tree / "tools"))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def digest() -> str:
    """Of the sources that are mutated: the lines that a map knows."""
    value = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            value.update(path.relative_to(ROOT).as_posix().encode())
            value.update(path.read_bytes())
    return value.hexdigest()[:16]


def file_digest(name: str) -> str:
    """Of one file of the tree; empty when there is none."""
    path = ROOT / name
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


def test_files() -> dict[str, str]:
    """Files of the tests with their digests."""
    found = [path.relative_to(ROOT).as_posix() for folder in MAPPED_TESTS for path in (ROOT / folder).rglob("*.py")]
    return {name: file_digest(name) for name in sorted(found)}


def make_map(scratch: Path, tests: list[str], workers: int) -> Map:
    """Find the tests that pass with the JIT off in time; run those once more with coverage and note who reaches what.

    In two runs, because a test that is stopped while coverage works can leave its lock behind, and all wait for ever.
    """
    tree = copy_tree(scratch)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not compiled"]
    command += ["-n", str(workers), "--dist", "loadfile"]
    first, second, passing = scratch / "passing.log", scratch / "coverage.log", scratch / "passing.txt"
    with first.open("w") as log:
        options = ["-p", "stopped_tests", f"--slowest={SLOWEST_TEST}", "--timeout=120", "--tb=no"]
        options += ["-rA", "--durations=0", "--durations-min=0", *tests]
        subprocess.run([*command, *options], cwd=tree, env=environment(tree), stdout=log, stderr=log, check=False)
    names = re.findall(r"^PASSED (\S.*)$", first.read_text(), re.MULTILINE)
    if not names:
        sys.exit(f"no test has passed: see {first}")
    passing.write_text("\n".join(names))
    with second.open("w") as log:
        options = ["--cov=centrode", "--cov-context=test", "--cov-report=", f"@{passing}"]
        subprocess.run([*command, *options], cwd=tree, env=environment(tree), stdout=log, stderr=log, check=False)
    return read_map(tree, tree / ".coverage", first)


def read_map(tree: Path, coverage: Path, report: Path) -> Map:
    """The map of a run with coverage contexts, and the times from what pytest has printed."""
    from coverage import CoverageData

    text = report.read_text()
    failed = set(re.findall(r"^(?:FAILED|ERROR) (\S+)", text, re.MULTILINE))
    seconds: dict[str, float] = defaultdict(float)
    for spent, name in re.findall(r"^([\d.]+)s (?:call|setup|teardown)\s+(\S.*)$", text, re.MULTILINE):
        seconds[name.strip()] += float(spent)
    data = CoverageData(str(coverage))
    data.read()
    reached: dict[str, dict[int, list[str]]] = {}
    for file in data.measured_files():
        name = Path(file).as_posix().removeprefix(f"{tree.as_posix()}/")  # tests may load files of their own
        if name.startswith(FOLDERS):
            reached[name] = {
                line: sorted({item.partition("|")[0] for item in contexts if item} - failed)
                for line, contexts in data.contexts_by_lineno(file).items()
            }
    slow = f"those of more than {SLOWEST_TEST:.0f} s"
    print(f"{len(failed)} tests fail with the JIT off; they and {slow} are left out: {report}")
    return Map(reached, dict(seconds), test_files())


def find_map(scratch: Path, tests: list[str], workers: int) -> Map:
    """The map of this tree: kept, or made anew."""
    file = scratch / f"map-{digest()}.json"
    if not file.exists():
        print("finding out which tests reach which lines ...", flush=True)
        found = make_map(scratch, tests, workers)
        file.write_text(json.dumps(asdict(found)))
    kept = json.loads(file.read_text())
    lines_of = {name: {int(k): v for k, v in lines.items()} for name, lines in kept["tests"].items()}
    return Map(lines_of, kept["seconds"], kept["files"])


# -- running -----------------------------------------------------------------------------------------------------------


def run_mutant(tree: Path, mutant: Mutant, tests: list[str], limit: float) -> tuple[str, str]:
    """Verdict (caught, time, survived) and the test that failed.

    The tests run in a fork of this process, which has the heavy libraries loaded already.
    """
    path = tree / mutant.file
    original = path.read_bytes()
    log = tree.parent / "mutant.log"
    path.write_bytes(original[: mutant.start] + mutant.new.encode() + original[mutant.end :])
    try:
        child = os.fork()
        if child == 0:
            _run_tests(tree, tests, log)
        until = time.monotonic() + limit
        while time.monotonic() < until:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            time.sleep(0.05)
        else:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "time", ""
    finally:
        path.write_bytes(original)
    if os.waitstatus_to_exitcode(status) == 0:
        return "survived", ""
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", log.read_text(errors="replace"), re.MULTILINE)
    return "caught", found.group(1) if found else "(the tests could not be loaded)"


def _run_tests(tree: Path, tests: list[str], log: Path) -> None:
    """In the child: run the tests and end with pytest's code."""
    code = 3
    with contextlib.suppress(BaseException):
        os.setsid()
        os.chdir(tree)
        os.environ.update(environment(tree))
        sys.path.insert(0, str(tree / "src"))
        with log.open("w") as stream:
            os.dup2(stream.fileno(), 1)
            os.dup2(stream.fileno(), 2)
        import pytest

        sys.dont_write_bytecode = True
        code = int(pytest.main(["-x", "-q", "--tb=line", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]))
        sys.stdout.flush()
    os._exit(code)


def run(options: argparse.Namespace) -> None:
    """Run the sampled mutants that have no result yet, shared among workers."""
    results = read_results(options)
    todo = [mutant for mutant in sample(options.number, options.seed) if result_key(mutant) not in results]
    if not todo:
        return
    reached = find_map(options.scratch, options.tests, options.workers)
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for heavy in ("numba", "scipy.optimize", "scipy.sparse.linalg", "hypothesis", "pytest", "xarray"):
        with contextlib.suppress(ImportError):
            __import__(heavy)
    workers = [
        multiprocessing.get_context("fork").Process(
            target=run_share, args=(options, todo[k :: options.workers], reached, k)
        )
        for k in range(options.workers)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def run_share(options: argparse.Namespace, todo: list[Mutant], reached: Map, worker: int) -> None:
    """Run mutants in a tree of the worker's own, and write every result at once."""
    file = results_file(options, worker)
    results = json.loads(file.read_text()) if file.exists() else {}
    tree = copy_tree(options.scratch / f"worker-{worker}")
    suite = suite_digest()
    for number, mutant in enumerate(todo, 1):
        tests = reached.reaching(mutant)
        start = time.monotonic()
        if tests:
            expected = sum(reached.seconds.get(name, 0.0) for name in tests)
            verdict, failed = run_mutant(tree, mutant, tests, 60.0 + 3.0 * expected)
        else:
            verdict, failed = "not reached", ""
        spent = round(time.monotonic() - start, 1)
        results[result_key(mutant)] = asdict(mutant) | {
            "key": mutant.key,
            "verdict": verdict,
            "by": failed,
            "seconds": spent,
            "tests": len(tests),
            "source": file_digest(mutant.file),
            "test": file_digest(failed.partition("::")[0]) if failed else "",
            "suite": suite,
        }
        file.write_text(json.dumps(results, indent=1))
        print(f"{number:>4}/{len(todo)} {verdict:<11} {spent:6.1f} s  {mutant.line:>4} {mutant.key}", flush=True)


def result_key(mutant: Mutant) -> str:
    """Unique in a tree."""
    return f"{mutant.file}:{mutant.start}:{mutant.end}:{mutant.operator}:{mutant.after}"


def suite_digest() -> str:
    """Of all tests."""
    return hashlib.sha256(json.dumps(test_files()).encode()).hexdigest()[:16]


def results_file(options: argparse.Namespace, worker: int) -> Path:
    """Results that a worker has found."""
    return Path(options.scratch / f"results-{worker}.json")


def read_results(options: argparse.Namespace) -> dict[str, Any]:
    """Results so far, of all workers, that still hold.

    What was caught stays caught while the mutated file and the test that caught it are the same; a survivor is tried
    again when any test has changed.
    """
    found: dict[str, Any] = {}
    suite = suite_digest()
    for file in sorted(options.scratch.glob("results-*.json")):
        for key, result in json.loads(file.read_text()).items():
            caught = result["verdict"] == "caught"
            same_tests = (
                result["test"] == file_digest(result["by"].partition("::")[0]) if caught else result["suite"] == suite
            )
            if result["source"] == file_digest(result["file"]) and same_tests:
                found[key] = result
    return found


def report(options: argparse.Namespace) -> float:
    """Print survivors and the score per file; the share of mutants that were caught."""
    keys = [result_key(mutant) for mutant in sample(options.number, options.seed)]
    results = [result for key, result in read_results(options).items() if key in keys]
    judged = tomllib.loads(JUDGED.read_text())["equivalent"] if JUDGED.exists() else {}
    per_file: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        caught = result["verdict"] in ("caught", "time")
        group = "caught" if caught else "equivalent" if result["key"] in judged else "survived"
        per_file[result["file"]][group] += 1
        if not caught:
            print(f"{result['verdict']:<11} {result['key']} (line {result['line']}, {result['operator']})")
            if result["key"] in judged:
                print(f"            equivalent: {judged[result['key']]}")
    print(f"\n{'file':<56} {'caught':>6} {'of':>4} {'equivalent':>10}")
    for file, counts in sorted(per_file.items()):
        print(f"{file:<56} {counts['caught']:>6} {sum(counts.values()):>4} {counts['equivalent'] or '':>10}")
    total = sum(per_file.values(), Counter())
    share = total["caught"] / max(1, len(results))
    print(
        f"\n{total['caught']} of {len(results)} mutants caught ({100 * share:.1f} %), "
        f"{total['equivalent']} of the survivors equivalent; "
        f"seed {options.seed}, {len(keys) - len(results)} still to run"
    )
    return share


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=300, help="mutants in the sample")
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--scratch", type=Path, default=Path(tempfile.gettempdir()) / "centrode-mutants")
    parser.add_argument("--workers", type=int, default=2, help="processes that share the mutants")
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--list", action="store_true", help="print the sample and run nothing")
    parser.add_argument("--least", type=float, default=0.0, help="exit code 1 below this share of caught mutants")
    parser.add_argument("tests", nargs="*", default=list(MAPPED_TESTS), help="tests to choose from")
    options = parser.parse_args()
    if options.list:
        for mutant in sample(options.number, options.seed):
            print(f"{mutant.line:>4} {mutant.key} ({mutant.operator})")
        return 0
    options.scratch.mkdir(parents=True, exist_ok=True)
    if not options.report:
        run(options)
    return 0 if report(options) >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())

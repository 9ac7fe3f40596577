"""The checks of the house themselves."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tool(name: str) -> ModuleType:
    """A file of tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look for their module by name
    spec.loader.exec_module(module)
    return module


TABLE = """
slack_percent = 0.5
[limits]
arguments = 3         # most arguments
kernel_arguments = 4  # of a kernel
long_ladders = 0
function_lines = 5
long_functions = 0
file_lines = 600
lines = 1000
integer_constants = 2
probes = 0
any = 1
imports_by_string = 0
[aims]
arguments = 2
kernel_arguments = 3
function_lines = 3
file_lines = 600
lines = 10
"""

WITHIN = """
from typing import Any
A, B = range(2)
GRAVITY = 9.81
class Part:
    def move(self, a, *, b: Any): ...
@kernel(signature=PUBLIC)
def public(a, b, c, d, e, f): ...
@step_kernel
def inner(a, b, c): ...
"""

VIOLATIONS = {
    "arguments": "def f(a, b, *, c, d): ...\n",
    "kernel_arguments": "@step_kernel\ndef f(a, b, c, d, e): ...\n",
    "long_ladders": "@kernel(inline=True)\ndef f(a, b, c, d): ...\n",
    "function_lines": "def f():\n" + "    print()\n" * 5,
    "long_functions": "def f():\n" + "    print()\n" * 3,
    "file_lines": "x = 1\n" * 601,
    "lines": "x = 1\n" * 599,
    "integer_constants": "FIRST, SECOND = 0, 1\nWIDTH = SECOND + 3\n",
    "probes": "getattr(part, 'hook', None)\n",
    "any": "x: Any = 1\ny: dict[str, Any] = {}\n",
    "imports_by_string": "importlib.import_module('centrode.crash')\n",
}


@pytest.mark.parametrize("figure", VIOLATIONS)
def test_figure_past_its_limit_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str], figure: str) -> None:
    limits = tool("check_limits")
    sources, table = tmp_path / "src", tmp_path / "limits.toml"
    sources.mkdir()
    table.write_text(TABLE)
    arguments = ["--sources", str(sources), "--table", str(table)]
    (sources / "within.py").write_text(WITHIN)
    assert limits.main(arguments) == 0
    assert "TOO MANY" not in capsys.readouterr().out

    (sources / "planted.py").write_text(VIOLATIONS[figure])
    if figure == "lines":  # a sum over files, none of them too long
        (sources / "second.py").write_text(VIOLATIONS[figure])
    assert limits.main(arguments) == 1
    reported = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "TOO MANY" in line]
    assert figure in reported
    assert set(reported) <= {figure, "long_ladders", "long_functions"}  # a worst place also counts as one too many


def test_limits_go_down_to_their_aims_and_never_up(tmp_path: Path) -> None:
    limits = tool("check_limits")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "within.py").write_text(WITHIN + "hasattr(A, 'b')\n")
    table = tmp_path / "limits.toml"
    table.write_text(TABLE)
    assert limits.main(["--lower", "--sources", str(tmp_path / "src"), "--table", str(table)]) == 1
    read = limits.Limits.read(table)
    assert read.limits["arguments"] == read.aims["arguments"]
    assert read.limits["lines"] == len(WITHIN.splitlines()) + 1
    assert read.limits["file_lines"] == 600
    assert read.limits["probes"] == 0
    assert read.meaning("arguments") == "most arguments"


def test_mutants_change_one_thing_inside_functions() -> None:
    """Every operator, number, sign, comparison, argument order and statement; no text, no annotation, no tolerance."""
    text = (
        '"""Words."""\nLIMIT = 3\n\n\ndef f(a: float, b=2) -> float:\n    """Words."""\n'
        "    if a < 1:\n        table[2 * b] += -a * math.sin(b)\n    call(a, b)\n"
        "    return a if b > 1e-9 else g(0.5)\n"
    )
    sites = tool("mutate").Sites("src/x.py", text)
    found = {(item.operator, item.before, item.after) for item in sites.found}
    assert found >= {
        ("comparison", "a < 1", "a >= 1"),
        ("off by one", "a < 1", "a <= 1"),
        ("off by one", "1", "2"),
        ("operator", "2 * b", "2 + b"),  # an index stays an index
        ("operator", "-a * math.sin(b)", "-a / math.sin(b)"),
        ("sign", "-a", "(+a)"),
        ("function", "math.sin(b)", "cos(b)"),
        ("dropped statement", "call(a, b)", "(nothing)"),
        ("swapped arguments", "call(a, b)", "call(b, a)"),
        ("constant", "0.5", "1.0"),
    }
    assert not any("Words" in item.before or item.before in ("1e-9", "3") for item in sites.found)
    for item in sites.found:
        mutated = text.encode()[: item.start] + item.new.encode() + text.encode()[item.end :]
        ast.parse(mutated)
        assert mutated.count(b"\n") == text.count("\n")  # lines stay where the map knows them


def test_readme_names_the_test_command_that_ci_runs() -> None:
    commands = [line.strip() for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("    make")]
    assert commands[:2] == ["make demo", "make test"]


LONG_TESTS = """
import time
import pytest
from hypothesis import given, strategies

def busy():
    until = time.process_time() + 60
    while time.process_time() < until:
        pass

@pytest.mark.parametrize("n", range(3))
def test_cases(n):
    busy()

@given(strategies.integers())
def test_random(n):
    busy()

def test_whose_alarm_is_dropped():
    try:
        busy()
    except BaseException:
        busy()

def test_short():
    pass
"""


def test_mutation_runs_pass_over_tests_that_take_too_long(tmp_path):
    """Also where Hypothesis would try to make a failure smaller, and where the first alarm was dropped."""
    (tmp_path / "test_long.py").write_text(LONG_TESTS, encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "stopped_tests", "--slowest=0.2"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert "1 passed, 5 skipped" in found.stdout, found.stdout + found.stderr

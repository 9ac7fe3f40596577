"""Figures of the sources, kept as limits that only go down.

    python tools/check_limits.py            print the figures; exit code 1 when one is past its limit
    python tools/check_limits.py --lower    write the figures that have become smaller into the table of limits

The table is tools/limits.toml. A figure that has become smaller takes its limit with it, but not below its aim; a limit
is never raised. `--places FIGURE` lists what a figure counts.
Why: docs/decisions/0009-limits.md.
"""

from __future__ import annotations

import argparse
import ast
import math
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tools" / "limits.toml"
KERNEL_DECORATORS = {"kernel", "step_kernel"}
IMPORTERS = {"import_module", "__import__"}
LARGEST = {"arguments", "kernel_arguments", "function_lines", "file_lines"}
"""Figures of the worst place; the others are sums, and have slack."""


@dataclass
class Figure:
    """A number and where it comes from: the worst place, or all places."""

    value: int = 0
    places: list[str] = field(default_factory=list)

    def largest(self, value: int, place: str) -> None:
        """Keep the largest value and its place."""
        if value > self.value:
            self.value, self.places = value, [place]

    def count(self, place: str, number: int = 1) -> None:
        """Count one more place."""
        self.value += number
        self.places.append(place)


@dataclass(frozen=True)
class Limits:
    """The table: limits, aims below which no limit goes, slack of sums, lines that new abilities brought."""

    limits: dict[str, int]
    aims: dict[str, int]
    slack_percent: float
    text: str
    grown: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, table: Path) -> Limits:
        """Read a table."""
        text = table.read_text(encoding="utf-8")
        return cls(**tomllib.loads(text), text=text)

    def allowed(self, name: str) -> int:
        """What a figure may be."""
        slack = 0.0 if name in LARGEST else self.slack_percent
        grown = sum(self.grown.values()) if name == "lines" else 0
        return math.ceil(self.limits[name] * (1.0 + slack / 100.0)) + grown

    def meaning(self, name: str) -> str:
        """The comment behind a limit."""
        found = re.search(rf"^{name}\s*=\s*\d+\s*#\s*(.*)$", self.text, re.MULTILINE)
        return found.group(1) if found else ""

    def lowered(self, found: dict[str, Figure]) -> str:
        """The table's text with the figures that are below their limits."""
        text = self.text
        for name, limit in self.limits.items():
            new = max(found[name].value, self.aims.get(name, 0))
            if new < limit:
                written = f"{new:<{len(str(limit))}}"  # comments stay where they are
                text = re.sub(rf"^({name}\s*=\s*)\d+", rf"\g<1>{written}", text, count=1, flags=re.MULTILINE)
        return text


def figures(folder: Path, limits: Limits) -> dict[str, Figure]:
    """All figures of the Python files below a folder."""
    found = {name: Figure() for name in limits.limits}
    for path in sorted(folder.rglob("*.pyi")):  # what type checkers read is written and kept like the rest
        text = path.read_text(encoding="utf-8")
        found["lines"].count(path.relative_to(folder).as_posix(), len(text.splitlines()))
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(folder).as_posix()
        length = len(text.splitlines())
        found["file_lines"].largest(length, name)
        found["lines"].count(name, length)
        tree = ast.parse(text)
        for constant in _integer_constants(tree):
            found["integer_constants"].count(f"{name}: {constant}")
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                _measure_function(node, f"{name}:{node.lineno} {node.name}", found, limits.aims)
            elif isinstance(node, ast.Name) and node.id == "Any":
                found["any"].count(f"{name}:{node.lineno}")
            elif isinstance(node, ast.Call):
                called = _last_name(node.func)
                if called in ("getattr", "hasattr"):
                    found["probes"].count(f"{name}:{node.lineno}")
                elif called in IMPORTERS:
                    found["imports_by_string"].count(f"{name}:{node.lineno}")
    return found


def _measure_function(
    node: ast.FunctionDef | ast.AsyncFunctionDef, place: str, found: dict[str, Figure], aims: dict[str, int]
) -> None:
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    found["function_lines"].largest(lines, place)
    if lines > aims["function_lines"]:
        found["long_functions"].count(place)
    decorators = [(item.func if isinstance(item, ast.Call) else item, item) for item in node.decorator_list]
    kernels = [item for name, item in decorators if _last_name(name) in KERNEL_DECORATORS]
    if any(isinstance(item, ast.Call) and "signature" in {word.arg for word in item.keywords} for item in kernels):
        return  # called by address: its signature says how many arguments it has
    given = [item.arg for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    number = len(given) - (given[:1] in (["self"], ["cls"]))
    figure = "kernel_arguments" if kernels else "arguments"
    found[figure].largest(number, place)
    if number > aims[figure]:
        found["long_ladders"].count(place)


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _integer_constants(tree: ast.Module) -> Iterator[str]:
    """Upper-case names that a file binds to whole numbers: columns, codes, sizes; members of enums are none."""
    whole: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        else:
            continue
        values = node.value.elts if isinstance(node.value, ast.Tuple) else None
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            for index, item in enumerate(names):
                value = values[index] if values is not None and len(values) == len(names) else node.value
                if isinstance(item, ast.Name) and re.fullmatch(r"_?[A-Z][A-Z0-9_]*", item.id) and _whole(value, whole):
                    whole.add(item.id)
                    yield item.id


def _whole(node: ast.expr | None, known: set[str]) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.Name):
        return node.id in known
    if isinstance(node, ast.UnaryOp):
        return _whole(node.operand, known)
    if isinstance(node, ast.BinOp):
        return not isinstance(node.op, ast.Div) and _whole(node.left, known) and _whole(node.right, known)
    return isinstance(node, ast.Call) and _last_name(node.func) in ("range", "int")


def main(arguments: list[str] | None = None) -> int:
    """Print the figures, or lower the limits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lower", action="store_true", help="write smaller figures into the table of limits")
    parser.add_argument("--places", metavar="FIGURE", help="print every place that a figure counts")
    parser.add_argument("--sources", type=Path, default=ROOT / "src")
    parser.add_argument("--table", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    limits = Limits.read(options.table)
    found = figures(options.sources, limits)
    if options.places:
        print("\n".join(found[options.places].places))
        return 0
    if options.lower:
        options.table.write_text(limits.lowered(found), encoding="utf-8")
        limits = Limits.read(options.table)
    print(f"{'figure':<18} {'now':>6} {'limit':>6} {'aim':>6}")
    failed = []
    for name, limit in limits.limits.items():
        value, places, aim = found[name].value, found[name].places, limits.aims.get(name, 0)
        verdict = ""
        if value > limits.allowed(name):
            verdict = "  <- TOO MANY"
            where = places[0] if len(places) == 1 else f"tools/check_limits.py --places {name} lists them"
            failed.append(f"{name}: {value}, allowed {limits.allowed(name)}: {where}")
        elif max(value, aim) < limit:
            verdict = "  <- can be lowered"
        print(f"{name:<18} {value:>6} {limit:>6} {aim or '':>6}  {limits.meaning(name)}{verdict}")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""What commands write: tables, JSON and progress, the same way everywhere.

Results go to the output stream, progress and remarks to the error stream, so ``centrode ... --json | jq`` is clean.
On a terminal tables and progress are drawn with rich; anywhere else they are plain lines.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", caption: str = ""
) -> None:
    """Write a table. Numbers are set right, text left.

    Args:
        columns: headings, with the unit where there is one ("speed [m/s]").
        rows: one sequence of cells per row; floats are shortened, None is an empty cell.
    """
    cells = [[cell_text(cell) for cell in row] for row in rows]
    numeric = [all(_is_number(row[index]) for row in cells if row[index]) for index in range(len(columns))]
    if not sys.stdout.isatty():
        _print_plain_table(columns, cells, numeric, title, caption)
        return
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(
        title=escape(title) or None, caption=escape(caption) or None, header_style="bold", box=box.SIMPLE_HEAD
    )
    for index, (heading, right) in enumerate(zip(columns, numeric, strict=True)):
        # Names and numbers stay whole; on a narrow terminal the longer texts behind them are folded.
        whole = right or index == 0
        table.add_column(escape(heading), justify="right" if right else "left", overflow="fold", no_wrap=whole)
    for row in cells:
        table.add_row(*(escape(cell) for cell in row))
    Console().print(table)


def cell_text(value: object) -> str:
    """A value as text for a table cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def emit_json(data: object) -> None:
    """Write data as strict JSON: not-a-number and infinity become null; arrays and dataclasses are unfolded."""
    click.echo(json.dumps(to_json(data), indent=2, allow_nan=False, ensure_ascii=False))


def to_json(data: Any) -> Any:
    """Data in the types of JSON, with null for every number that JSON cannot write."""
    if data is None or isinstance(data, bool | int | str):
        return data
    if isinstance(data, float):
        return float(data) if math.isfinite(data) else None
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return {item.name: to_json(getattr(data, item.name)) for item in dataclasses.fields(data)}
    if isinstance(data, dict):
        return {str(key): to_json(value) for key, value in data.items()}
    if isinstance(data, list | tuple | set | frozenset):
        return [to_json(item) for item in data]
    if hasattr(data, "tolist"):  # numpy arrays and numpy scalars
        return to_json(data.tolist())
    if isinstance(data, complex):
        return {"real": to_json(data.real), "imag": to_json(data.imag)}
    return str(data)


@contextmanager
def progress(label: str, *, quiet: bool = False) -> Iterator[Callable[[float], None]]:
    """Show that work is going on; gives a function to call with the fraction done, 0 to 1.

    On a terminal a bar; elsewhere one line when the work begins, so that logs stay short.
    """
    if quiet:
        yield lambda fraction: None
        return
    if not sys.stderr.isatty():
        click.echo(f"{label} ...", err=True)
        yield lambda fraction: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(label, total=1.0)
        yield lambda fraction: bar.update(task, completed=min(max(fraction, 0.0), 1.0))


def remark(text: str) -> None:
    """One line for the reader, on the error stream."""
    click.echo(text, err=True)


def _print_plain_table(
    columns: Sequence[str], cells: list[list[str]], numeric: list[bool], title: str, caption: str
) -> None:
    widths = [max(len(row[index]) for row in [list(columns), *cells]) for index in range(len(columns))]

    def line(row: Sequence[str]) -> str:
        parts = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        return "  ".join(parts).rstrip()

    if title:
        click.echo(title)
    click.echo(line(columns))
    click.echo("  ".join("-" * width for width in widths))
    for row in cells:
        click.echo(line(row))
    if caption:
        click.echo(caption)

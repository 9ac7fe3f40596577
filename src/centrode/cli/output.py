"""What commands write: tables, JSON and progress, the same way everywhere.

Results go to the output stream, progress and remarks to the error stream, so ``centrode ... --json | jq`` is clean.
On a terminal tables and progress are drawn with rich; anywhere else they are plain lines.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

from centrode.texts import aligned_cells, text_table, to_json


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", caption: str = ""
) -> None:
    """Write a table. Numbers are set right, text left.

    Args:
        columns: headings, with the unit where there is one ("speed [m/s]").
        rows: one sequence of cells per row; floats are shortened, None is an empty cell.
    """
    if not sys.stdout.isatty():
        for text in (title, text_table(columns, rows), caption):
            if text:
                click.echo(text)
        return
    cells, numeric = aligned_cells(len(columns), rows)
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


def emit_json(data: object) -> None:
    """Write data as strict JSON: not-a-number and infinity become null; arrays and dataclasses are unfolded."""
    click.echo(json.dumps(to_json(data), indent=2, allow_nan=False, ensure_ascii=False))


def show(
    data: object,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    as_json: bool,
    title: str = "",
    caption: str = "",
) -> None:
    """Write data as JSON, or the table that shows them to people."""
    if as_json:
        emit_json(data)
    else:
        print_table(columns, rows, title=title, caption=caption)


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

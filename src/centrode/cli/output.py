"""What commands write: tables, JSON and progress, the same way everywhere.

Results go to the output stream, progress and remarks to the error stream, so ``centrode ... --json | jq`` is clean.
On a terminal tables and progress are drawn with rich; anywhere else they are plain lines.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from centrode.compilations import on_compile
from centrode.texts import aligned_cells, text_table, to_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SILENCE = 15.0
"""Longest time in which a log says nothing of a compilation under way [s], but for one long kernel."""
Row: TypeAlias = Any
"""Cells in a sequence, or the item that a row of a table is about."""
Columns: TypeAlias = Sequence[str] | Mapping[str, Callable[[Row], object]]
"""Headings, with the unit where there is one ("speed [m/s]"), or heading -> how the cell is made of a row's item."""


def print_table(columns: Columns, rows: Iterable[Row], *, title: str = "", caption: str = "") -> None:
    """Write a table. Numbers are set right, text left.

    Args:
        columns: headings, or headings with what stands below them.
        rows: one sequence of cells, or one item, per row; a record without columns of its own is shown by its fields.
            Floats are shortened, None is an empty cell.
    """
    if isinstance(columns, Mapping):
        rows = [[cell(item) for cell in columns.values()] for item in rows]
        columns = list(columns)
    rows = [row if isinstance(row, Sequence) else dataclasses.astuple(row) for row in rows]
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

    above, below = escape(title) or None, escape(caption) or None
    table = Table(title=above, caption=below, header_style="bold", box=box.SIMPLE_HEAD)
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


def show(data: Row, columns: Columns, rows: Iterable[Row] | None = None, *, as_json: bool, **texts: str) -> None:
    """Write data as JSON, or the table of them (or of ``rows``) for people, with ``title`` and ``caption``."""
    if as_json:
        emit_json(data)
    else:
        print_table(columns, data if rows is None else rows, **texts)


def save_figures(target: Path | None, make: Callable[[], Figure]) -> list[str]:
    """Draw a figure as PNG and SVG under the name of ``target``, when one is wanted; the files written."""
    if target is None:
        return []
    draw_without_manuals()
    from centrode.plots.figure import save_pair

    return [str(file) for file in save_pair(make(), target.parent, target.stem)]


def draw_without_manuals() -> None:
    """Have matplotlib write no manuals for its classes while it is imported, a quarter of that time.

    For commands alone, before anything is drawn: a session at a prompt may ask for them.
    """
    from matplotlib import artist

    artist.kwdoc = lambda artist: ""


@contextmanager
def progress(label: str, *, quiet: bool = False) -> Iterator[Callable[[float], None]]:
    """Show that work is going on; gives a function to call with the fraction done, 0 to 1.

    On a terminal a bar; elsewhere one line when the work begins, so that logs stay short.
    """
    if quiet or not sys.stderr.isatty():
        if not quiet:
            remark(f"{label} ...")
        yield lambda fraction: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    what, share = TextColumn("{task.description}"), TextColumn("{task.percentage:3.0f}%")
    columns = (what, BarColumn(), share, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=1.0)
        yield lambda fraction: bar.update(task, completed=min(max(fraction, 0.0), 1.0))


def remark(text: str) -> None:
    """One line for the reader, on the error stream."""
    click.echo(text, err=True)


@contextmanager
def telling_of_compilations(lines: bool = True) -> Iterator[None]:
    """Say which kernel is being compiled, and how many are left: on a terminal in one line, elsewhere now and then.

    Kernels of the house are packed with it; what is compiled are those of plugins, edited ones, and all of them on
    machines that the pack is not made for.

    Args:
        lines: whether to say so where there is no terminal.
    """
    count, last, terminal = 0, -math.inf, sys.stderr.isatty()

    def tell(name: str, left: int) -> None:
        nonlocal count, last
        count += 1
        if terminal:
            more = f", at most {left - 1} more" if left > 1 else ""
            click.echo(f"\r\x1b[Kcompiling {name.rpartition('.')[2]} (kernel {count}{more}) ...", err=True, nl=False)
        elif lines and time.monotonic() - last >= _SILENCE:
            last = time.monotonic()
            more = "; later runs start at once" if count == 1 else ""
            remark(f"compiling {name}, kernel {count}, and at most {max(left - 1, 0)} more{more} ...")

    stop = on_compile(tell)
    try:
        yield
    finally:
        stop()
        if terminal and count:
            click.echo("\r\x1b[K", err=True, nl=False)

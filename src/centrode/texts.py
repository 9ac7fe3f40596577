"""Values as text, the same way everywhere: tables (plain, HTML, CSV), strict JSON, files that are whole."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import html
import io
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from centrode.errors import InputError

AnyPath: TypeAlias = str | os.PathLike[str]
Say: TypeAlias = Callable[[str], None] | None
"""Called with a line of text before something that takes time."""
Progress: TypeAlias = Callable[[float], None] | None
"""Called with the fraction done, 0 to 1."""


def cell_text(value: object) -> str:
    """A value as text for a table cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def text_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    width: int | None = None,
    kept: int = 1,
    units_below: bool = False,
) -> str:
    """A table as aligned text: headings, a rule, rows. Numbers are set right, text left.

    Args:
        columns: headings, with the unit where there is one ("speed [m/s]").
        rows: one sequence of cells per row; floats are shortened, None is an empty cell.
        width: greatest length of a line; a wider table is cut into bands one below the other.
        kept: leading columns that each band repeats.
        units_below: units stand in a line of their own, which keeps columns narrow.
    """
    heads = [name.partition(" [") for name in columns]
    head_lines = [[name for name, _, _ in heads], [mark.strip() + unit for _, mark, unit in heads]]
    head_lines = head_lines if units_below else [list(columns)]
    cells, right = aligned_cells(len(columns), rows)
    lines = [*head_lines, *cells]
    widths = [max(len(line[k]) for line in lines) for k in range(len(columns))]
    bands: list[list[int]] = [list(range(kept))]
    for k in range(kept, len(widths)):
        longer = sum(widths[column] + 2 for column in bands[-1]) + widths[k]
        if width is not None and longer > width and len(bands[-1]) > kept:
            bands.append(list(range(kept)))
        bands[-1].append(k)
    texts = []
    for band in bands:
        made = [
            "  ".join(line[k].rjust(widths[k]) if right[k] else line[k].ljust(widths[k]) for k in band).rstrip()
            for line in lines
        ]
        made.insert(len(head_lines), "  ".join("-" * widths[k] for k in band))
        texts.append("\n".join(made))
    return "\n\n".join(texts)


def aligned_cells(count: int, rows: Iterable[Sequence[object]]) -> tuple[list[list[str]], list[bool]]:
    """Cells as text, and for each of ``count`` columns whether it holds numbers only and is set right."""
    cells = [[cell_text(cell) for cell in row] for row in rows]
    return cells, [all(is_number(row[k]) for row in cells if row[k] not in ("", "-")) for k in range(count)]


def html_table(columns: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """A table for a page; without headings when there are none."""
    heads = list(columns)
    cells = [[cell_text(value) for value in row] for row in rows]
    right = [bool(cells) and all(_stands_right(row[k]) for row in cells if k < len(row)) for k in range(len(heads))]
    head = "".join(
        f"<th{' class=' + chr(34) + 'number' + chr(34) if set_right else ''}>{html.escape(name)}</th>"
        for name, set_right in zip(heads, right, strict=True)
    )
    body = "".join("<tr>" + "".join(map(_html_cell, row)) + "</tr>" for row in cells)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV; numbers keep every digit."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def to_json(data: Any) -> Any:
    """Data in the types of JSON, with null for every number that JSON cannot write; dataclasses are unfolded."""
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


def output_file(path: AnyPath, *endings: str) -> Path:
    """A path that can be written, with one of the endings when some are given."""
    target = Path(path)
    if endings and target.suffix.lower() not in endings:
        raise InputError("unknown kind of file", got=str(path), expected="a name that ends in " + " or ".join(endings))
    if not target.parent.is_dir():
        raise InputError("no such folder", got=str(target.parent), hint="make it, or choose another output")
    return target


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary file in the same folder; it takes the name of ``path`` when all is written, or vanishes."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


FORTRAN = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))(?:[eEdD]([+-]?[0-9]+))?\Z", re.ASCII)
NO_LETTER = re.compile(r"([+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+))([+-][0-9]+)\Z", re.ASCII)


def fortran_number(text: str) -> float | None:
    """A number as programs of old write them, None where it is none: 0.015, .2, 1.5E-2, 1.5D-2, 1.5-2.

    The letter of the exponent may be missing only behind a decimal point: 10-5 is a slip of the hand.
    """
    found = FORTRAN.match(text) or NO_LETTER.match(text)
    return float(f"{found[1]}e{found[2] or 0}") if found else None


def is_number(text: str) -> bool:
    """Whether a text reads as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _html_cell(text: str) -> str:
    return f'<td class="number">{text}</td>' if _stands_right(text) and text else f"<td>{html.escape(text)}</td>"


def _stands_right(text: str) -> bool:
    return text in ("", "-") or is_number(text)

"""Force over crush from load cells, as a curve that columns can follow: few knots, rising, with the same work.

A measured force rises and falls (engines stop, rails fold); a column's curve has KNOTS - 1 rows and rises. The rows
are those whose work W(c) is nearest to the measured one in the sense of least squares over the crush, because speeds
follow from work; forces at the knots may only grow (non-negative increments, Lawson and Hanson's NNLS).
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from centrode.errors import InputError

Rows = tuple[tuple[float, float], ...]
LEAST_RISE = 1e-3
"""Least growth of the force from row to row, over the greatest force: columns need a slope."""


def read_table(file: str) -> Rows:
    """Rows of crush [m] and force [N] of a CSV file with two columns; lines that are no numbers are headings.

    Raises:
        InputError: no such file, or no rows.
    """
    try:
        with Path(file).open(encoding="utf-8-sig", newline="") as text:
            lines = list(csv.reader(text))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the table: {error}", file=file) from None
    rows: list[tuple[float, float]] = []
    for number, line in enumerate(lines, start=1):
        try:
            rows.append((float(line[0]), float(line[1])))
        except (ValueError, IndexError):
            if rows and any(cell.strip() for cell in line):
                raise InputError("not two numbers", file=file, line=number, got=",".join(line)) from None
    if len(rows) < 2:
        raise InputError("a table needs two rows or more", file=file, expected="crush [m], force [N] in each line")
    return tuple(rows)


def reduced(rows: Rows, knots: int) -> Rows:
    """The same table with at most ``knots`` rows and a rising force; as it is when it fits already."""
    crush, force = np.array(rows, dtype=float).T
    if len(rows) <= knots and (np.diff(force) > 0.0).all():
        return rows
    from scipy.optimize import nnls

    fine = np.linspace(crush[0], crush[-1], 400)
    work = _work(fine, np.interp(fine, crush, force))
    places = np.linspace(crush[0], crush[-1], knots)
    # Column k: force 0 before knot k - 1, 1 from knot k on.
    forms = np.array([np.interp(fine, places, (np.arange(knots) >= k).astype(float)) for k in range(knots)])
    least = LEAST_RISE * force.max()
    rise = np.array([0.0] + [least] * (knots - 1))
    works = np.array([_work(fine, form) for form in forms])
    more, _ = nnls(works.T, work - rise @ works)
    forces = np.cumsum(more + rise)
    forces *= work[-1] / _work(places, forces)[-1]  # all of the work, whatever the fit does on the way
    return tuple(zip(places.tolist(), forces.tolist(), strict=True))


def _work(crush: np.ndarray, force: np.ndarray) -> np.ndarray:
    pieces = 0.5 * np.diff(crush) * (force[1:] + force[:-1])
    return np.concatenate([[0.0], np.cumsum(pieces)])

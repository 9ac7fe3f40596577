"""Force laws over a pathway: what pulls, apart from the line along which it pulls.

A pathway (straight line, line through via points, angle about an axis) gives a coordinate q and its rate q'. The law
gives the tension T that acts against growing q. With the stretch s = q - q0:

    linear        T = k s + c s'                                  energy k s^2 / 2            (1)
    table         T = f(s) + c s', f linear between its points    energy = integral of f      (2)
    tension-only  T = max(0, (1) or (2)) for s > 0, else 0        energy only for s > 0       (3)

Beyond its ends a table goes on with the slope of its last piece. The energy of a table is zero at s = 0. A user's own
function of the stretch is sampled into such a table; a law that needs more is a kind of its own (a plugin).
(3) never pushes: where damping would turn the tension negative it is cut off, which only removes energy.

Parameters of a row, from ``base`` on: form, k, c, q0, tension-only. Table in the data pool: n, s_1..s_n, f_1..f_n,
E_1..E_n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError
from centrode.jit import step_kernel, types
from centrode.parts.part import flatten

LawTable = tuple[tuple[float, float], ...] | None
LawFunction = Callable[[float], float] | None

FORM, STIFFNESS, DAMPING, REST, TENSION_ONLY = 0, 1, 2, 3, 4
LINEAR, TABLE = 0.0, 1.0
SAMPLES = 1001
"""Points into which a user's function is sampled: 1000 pieces leave a relative error of f'' range^2 / 8e6."""


@step_kernel
def table_piece(data, offset, x):
    """Index of the piece of a table that holds x (the end pieces reach to infinity)."""
    n = int(data[offset])
    low = 0
    high = n - 1
    while high - low > 1:
        middle = (low + high) // 2
        if data[offset + 1 + middle] <= x:
            low = middle
        else:
            high = middle
    return low


@step_kernel
def table_value(data, offset, x):
    """f(x) of a table, linear between points, (2)."""
    n = int(data[offset])
    p = offset + 1 + table_piece(data, offset, x)
    slope = (data[p + n + 1] - data[p + n]) / (data[p + 1] - data[p])
    return data[p + n] + slope * (x - data[p])


@step_kernel(signature=types.float64(types.floats1, types.int64, types.float64))
def table_energy(data, offset, x):
    """Integral of f from 0 to x, exact for the piecewise linear f, (2)."""
    n = int(data[offset])
    p = offset + 1 + table_piece(data, offset, x)
    slope = (data[p + n + 1] - data[p + n]) / (data[p + 1] - data[p])
    step = x - data[p]
    return data[p + 2 * n] + step * (data[p + n] + 0.5 * slope * step)


@step_kernel
def law_tension(par, i, base, data, offset, coordinate, rate):
    """Tension of row i at a coordinate and its rate, (1) to (3)."""
    stretch = coordinate - par[i, base + REST]
    if par[i, base + FORM] == TABLE:
        tension = table_value(data, offset, stretch)
    else:
        tension = par[i, base + STIFFNESS] * stretch
    tension += par[i, base + DAMPING] * rate
    if par[i, base + TENSION_ONLY] != 0.0 and (stretch <= 0.0 or tension < 0.0):
        return 0.0
    return tension


@step_kernel
def law_energy(par, i, base, data, offset, coordinate):
    """Stored energy of row i at a coordinate, (1) to (3)."""
    stretch = coordinate - par[i, base + REST]
    if par[i, base + TENSION_ONLY] != 0.0 and stretch <= 0.0:
        return 0.0
    if par[i, base + FORM] == TABLE:
        return table_energy(data, offset, stretch)
    return 0.5 * par[i, base + STIFFNESS] * stretch * stretch


def pack_law(
    stiffness: float, damping: float, rest: float, table: Any = None, tension_only: bool = False
) -> tuple[list[float], list[float]]:
    """Parameters and data of a law.

    Args:
        stiffness: k, unused when a table is given.
        damping: c.
        rest: coordinate q0 without tension.
        table: rows (stretch, force), ascending, or None.
        tension_only: pulls but never pushes.

    Returns:
        par (five numbers) and data for the pool.
    """
    form = LINEAR if table is None else TABLE
    return [form, stiffness, damping, rest, float(tension_only)], [] if table is None else pack_table(table)


def pack_table(table: Any) -> list[float]:
    """Numbers of a table for the data pool, with its integral from 0."""
    rows = np.asarray(table, dtype=float)
    x, f = rows[:, 0], rows[:, 1]
    energy = np.concatenate([[0.0], np.cumsum(0.5 * (f[1:] + f[:-1]) * np.diff(x))])
    packed = np.concatenate([[x.size], x, f, energy])
    packed[1 + 2 * x.size :] -= table_energy(packed, 0, 0.0)
    return [float(number) for number in packed]


def table_faults(table: Any, path: str) -> list[Fault]:
    """What is wrong with a table of (coordinate, value) rows."""
    if table is None:
        return []
    expected = "at least two rows of two finite numbers, first column ascending"
    try:
        rows = np.asarray(table, dtype=float)
    except (TypeError, ValueError):
        return [Fault("unreadable table", path, got=table, expected=expected)]
    if rows.ndim != 2 or rows.shape[1] != 2 or rows.shape[0] < 2:
        return [Fault("a table needs rows of two numbers", path, got=table, expected=expected)]
    if not np.all(np.isfinite(rows)):
        return [Fault("a table needs finite numbers", path, got=table, expected=expected)]
    falling = np.flatnonzero(np.diff(rows[:, 0]) <= 0.0)
    if falling.size:
        row = int(falling[0]) + 1
        expected = f"more than {rows[row - 1, 0]:g}"
        return [Fault("a table must ascend", f"{path}[{row}]", got=list(rows[row]), expected=expected)]
    return []


def sampled(law: Callable[[float], float], between: Sequence[float], path: str) -> np.ndarray:
    """A user's function of the stretch as a table.

    Raises:
        InputError: the function fails or gives no finite numbers on the range.
    """
    x = np.linspace(float(between[0]), float(between[1]), SAMPLES)
    try:
        values = np.array([float(law(float(s))) for s in x])
    except Exception as error:
        raise InputError(f"the law fails: {type(error).__name__}: {error}", path=path) from error
    if not np.all(np.isfinite(values)):
        bad = float(x[np.flatnonzero(~np.isfinite(values))[0]])
        raise InputError("the law gives no finite number", path=path, got=f"law({bad:g})")
    return np.column_stack([x, values])


def law_faults(part: Any) -> list[Fault]:
    """Rules that all parts with ``stiffness``, ``table``, ``law`` and ``law_range`` share."""
    found = table_faults(part.table, f"{part.name}.table")
    given = [name for name in ("table", "law") if getattr(part, name) is not None]
    if part.stiffness:
        given.insert(0, "stiffness")
    if len(given) > 1:
        found.append(part.fault(given[1], f"{' and '.join(given)} exclude each other", None, hint="give one of them"))
    if not given and not part.damping:
        what = "a spring without stiffness, damping, table or law does nothing"
        found.append(part.fault("stiffness", what, expected="one of them", hint="or leave the spring out"))
    if part.law is not None:
        if not callable(part.law):
            found.append(part.fault("law", "a law is a function of the stretch", expected="a function"))
        ends = flatten(part.law_range) if part.law_range is not None else []
        if len(ends) != 2 or not all(isinstance(end, int | float) for end in ends) or not ends[0] < ends[1]:
            message = "a law needs the range of stretch on which it is sampled"
            found.append(part.fault("law_range", message, expected="two ascending numbers"))
    return found


def law_table(part: Any) -> Any:
    """Table of a part: the given one, its sampled law, or None for a linear law."""
    if part.law is not None:
        return sampled(part.law, part.law_range, f"{part.name}.law")
    return part.table

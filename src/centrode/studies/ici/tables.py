"""Tables 1, 2 and 3 of the ICI thesis, cell by cell: printed, recomputed, verdict.

Table 1: error after each turn for k = 20, 30, 50, 100 (direct method). Table 2: the step for a given error after five
turns (indirect method; a broken number of steps per turn is allowed, as a spreadsheet user would try). Table 3:
operation counts per turn and their weighted totals.

A cell is *equal* when the recomputed value, rounded to the printed digits, is the printed text. Any other cell carries
a reason. Table 3 has two recomputations: by the rule that the thesis really used (which reproduces every cell) and with
the unit costs that it states.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from centrode.studies.ici.cost import unit_cost
from centrode.studies.ici.errors import indirect_step
from centrode.studies.ici.path import integrate
from centrode.studies.ici.printed import (
    OPERATION_COUNTS,
    REASONS_WITHOUT_CAUSE,
    RECOVERED_STEPS,
    TABLE_1,
    TABLE_1_REASONS,
    TABLE_2,
    TABLE_3,
)
from centrode.studies.ici.scenario import baseline
from centrode.studies.ici.stability import closed_form, exact_position

YAW_RATE = 10.0
"""Baseline yaw rate [rad/s]; a turn takes 2 pi/10 s."""
METHODS = ("ici-first", "ici-second")


@dataclass(frozen=True)
class Cell:
    """One cell of a printed table.

    Attributes:
        table: 1, 2 or 3.
        row: what stands at the left of the row.
        column: name of the column.
        printed: text as printed.
        recomputed: the right value.
        equal: the right value rounds to the printed text.
        as_published: value by the thesis' own rule or inputs, where that is known to differ from the right one.
        explained: the printed text is equal to, or follows from, what the reason says.
        reason: why the cell differs; empty when it is equal.
        cause_found: equal, or a computation reproduces the printed text; False when the printed value is known to be
            wrong and nothing was found that gives it.
    """

    table: int
    row: str
    column: str
    printed: str
    recomputed: float
    equal: bool
    as_published: float | None = None
    explained: bool = True
    reason: str = ""
    cause_found: bool = True


def rounds_to(value: float, printed: str) -> bool:
    """Whether a value rounded to the digits of a printed number is that number ("0.065", "2.6E-03")."""
    if "E" in printed.upper():
        mantissa = printed.upper().split("E")[0]
        digits = len(mantissa.partition(".")[2])
        return f"{value:.{digits}E}" == f"{float(printed):.{digits}E}"
    return f"{value:.{len(printed.partition('.')[2])}f}" == printed


def _cell(
    place: tuple[int, str, str, str], value: float, published: float | None, reason: str, explained: bool
) -> Cell:
    """A cell (table, row, column, printed text) with its right value; reason and explanation for one that differs."""
    if rounds_to(value, place[3]):
        return Cell(*place, value, True, published)
    return Cell(*place, value, False, published, explained, reason, reason not in REASONS_WITHOUT_CAUSE)


@lru_cache(maxsize=1)
def table_1() -> tuple[Cell, ...]:
    """Table 1: 105 cells, direct error method."""
    errors: dict[tuple[int, int, str], float] = {}
    for k in (20, 30, 50, 100):
        turns = 5 if k == 20 else 10
        scenario = baseline(turns)
        for column, method in zip(("e1", "e2"), METHODS, strict=True):
            path = integrate(scenario, method, steps=k * turns, keep_every=k)
            for turn in range(1, turns + 1):
                exact = exact_position(scenario, turn * 2.0 * math.pi / YAW_RATE)
                errors[k, turn, column] = 100.0 * abs(complex(path.x[turn], path.y[turn]) - exact) / abs(exact)  # (38)
    cells = []
    for k, turn, *printed in TABLE_1:
        first, second = errors[k, turn, "e1"], errors[k, turn, "e2"]
        for column, text, value in zip(("e1", "e2", "ratio"), printed, (first, second, second / first), strict=True):
            reason = "" if rounds_to(value, text) else TABLE_1_REASONS.get((k, turn, column), "")
            published = _published_ratio(k, turn, column, printed)
            if (k, turn, column) == (30, 10, "e1"):
                published = row_slip_error()
            cells.append(_cell((1, f"k={k} turn {turn}", column, text), value, published, reason, bool(reason)))
    return tuple(cells)


@lru_cache(maxsize=1)
def table_2() -> tuple[Cell, ...]:
    """Table 2: 30 cells, indirect error method after five turns."""
    scenario = baseline(5)
    cells = []
    for percent, *printed in TABLE_2:
        steps = [indirect_step(scenario, method, percent).dt_real for method in METHODS]
        row = f"{percent} %"
        for column, text, value, method in zip(("dt1", "dt2"), printed, steps, METHODS, strict=False):
            reached = _percent_at(method, float(text))
            reason = f"found by trial: the printed step gives {reached:.3g} % instead of {percent} %"
            cells.append(_cell((2, row, column, text), value, None, reason, True))
        recovered = RECOVERED_STEPS[percent]
        published = recovered[1] / recovered[0]
        reason = f"quotient of the steps in the spreadsheet, {recovered[1]:.3g}/{recovered[0]:.2g}"
        if rounds_to(float(printed[1]) / float(printed[0]), printed[2]):
            reason = "quotient of the printed, rounded steps"
        place = (2, row, "ratio", printed[2])
        cells.append(_cell(place, steps[1] / steps[0], published, reason, rounds_to(published, printed[2])))
    return tuple(cells)


@lru_cache(maxsize=1)
def table_3() -> tuple[Cell, ...]:
    """Table 3: 70 cells. `as_published` is the thesis' rule, `recomputed` the stated unit costs, same steps."""
    columns = ("first add", "first mul", "first total", "second add", "second mul", "second total", "ratio")
    cells = []
    for percent, *printed in TABLE_3:
        published: list[float] = []
        right: list[float] = []
        for method, dt in zip(METHODS, RECOVERED_STEPS[percent], strict=True):
            k = 2.0 * math.pi / (YAW_RATE * dt)
            additions, multiplications, _ = OPERATION_COUNTS[method]
            published += [additions * k, multiplications * k, (additions**2 + multiplications**2) * k]
            right += [additions * k, 10.0 * multiplications * k, unit_cost(method) * k]
        published.append(published[2] / published[5])
        right.append(right[2] / right[5])
        for column, text, as_published, value in zip(columns, printed, published, right, strict=True):
            reason = _TABLE_3_REASONS[column.split()[-1]]
            place = (3, f"{percent} %", column, text)
            cells.append(_cell(place, value, as_published, reason, rounds_to(as_published, text)))
    return tuple(cells)


_TABLE_3_REASONS = {
    "add": "",
    "mul": "a count, not a time: the unit cost of 10 is not applied",
    "total": "each count is multiplied by itself instead of by its unit cost (1 and 10)",
    "ratio": "quotient of the wrong totals; the second order is 2.74 times better than claimed",
}


def summary(cells: tuple[Cell, ...]) -> dict[str, dict[str, int]]:
    """Per table and column: cells, equal to the printed digits, explained, and with the cause found."""
    result: dict[str, dict[str, int]] = {}
    for cell in cells:
        found = {"cells": 1, "equal": cell.equal, "explained": cell.explained, "cause_found": cell.cause_found}
        before = result.get(f"table {cell.table} {cell.column}", {})
        result[f"table {cell.table} {cell.column}"] = {name: before.get(name, 0) + n for name, n in found.items()}
    return result


def row_slip_error() -> float:
    """First order, k = 30: step 301 against the exact point of step 300 [%]; the thesis prints it for turn 10."""
    scenario = baseline(10)
    longer = replace(scenario, end_time=scenario.end_time * 301 / 300)
    path = integrate(longer, "ici-first", steps=301, keep_every=301)
    exact = exact_position(scenario, scenario.end_time)
    return 100.0 * abs(complex(path.x[-1], path.y[-1]) - exact) / abs(exact)


def _published_ratio(k: int, turn: int, column: str, printed: list[str]) -> float | None:
    """Quotient of the printed errors of a row, for ratios whose errors are misprinted or rounded."""
    if column != "ratio" or "ratio" not in {key[2] for key in TABLE_1_REASONS if key[:2] == (k, turn)}:
        return None
    return float(printed[1]) / float(printed[0])


def _percent_at(method: str, dt: float) -> float:
    """Error after five turns of the baseline at a step that need not divide the turn [%]."""
    scenario = baseline(5)
    z = closed_form(scenario, method, dt, scenario.duration / dt)
    return 100.0 * abs(z - exact_position(scenario, scenario.duration)) / 10.0

"""Published numbers of instantaneous-centre integration that Centrode reaches (``centrode verify ici``).

Every cell of Table 1 whose printed digits are right is one check; cells that are wrong in print are reproduced by the
cause that explains them, where it is known (Tables 2 and 3, the row slip), and counted otherwise. The other checks are
properties: exactness, orders, closed form.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from centrode.published import Check, table_checks
from centrode.studies.ici import misprints, tables
from centrode.studies.ici.cost import unit_cost
from centrode.studies.ici.errors import direct_errors
from centrode.studies.ici.misprints import equation_verdicts
from centrode.studies.ici.path import integrate
from centrode.studies.ici.printed import TABLE_1, TABLE_1_REASONS, TABLE_2, TABLE_3
from centrode.studies.ici.scenario import baseline, varying_turn
from centrode.studies.ici.space import integrate_space, space_errors

_THESIS = "Eggleton 1999 (ICI thesis)"
_SLIP = "printed as 342; 12 + 32 * 10 = 332"
_ROW_SLIP = "step 301 against the exact point of step 300"
_CIRCLE = "largest distance from the circle of 10 m [m], k = 20; 200 steps of rounding of 1e-15 m each"
_ROUNDINGS = "path of 1 m, 1.5 rad: 160 roundings of 1e-16 of position and attitude"
_RIGHT = "8 if right"
_EXPONENTIAL = "SE(3) exponential, constant twist"
_TWIST = (1.0, 0.2, -0.3, 0.7, -0.4, 1.3)


def _cells(table: int) -> tuple[tables.Cell, ...]:
    return (tables.table_1, tables.table_2, tables.table_3)[table - 1]()


def _equal(table: int, name: str) -> float:
    """Cells of a column ("equal_e1") that are equal in print."""
    return float(sum(cell.equal for cell in _cells(table) if cell.column == name.removeprefix("equal_")))


def _explained(table: int) -> float:
    return float(sum(cell.explained for cell in _cells(table)))


def _table_published(table: int, row: str, column: str) -> float:
    """A cell by the thesis' own rule, where that is known to differ from the right one."""
    cell = next(cell for cell in _cells(table) if cell.row == row and cell.column == column.replace("_", " "))
    return float(cell.recomputed if cell.as_published is None else cell.as_published)


def _circle_miss() -> float:
    path = integrate(baseline(10), "ici-exact", steps=200)
    return max(abs(math.hypot(x, y) - 10.0) for x, y in zip(path.x, path.y, strict=True))


def _local_order(method: str) -> float:
    step = {"first": misprints.step_first_as_printed, "second": misprints.second_order_step()}[method]
    return math.log2(misprints.local_ratio(step))


def _equation_ratio(index: int) -> float:
    return equation_verdicts()[index].printed_ratio


def _global_order(name: str) -> float:
    rates = name.removeprefix("global_")
    errors = [direct_errors(varying_turn(), "ici-exact", steps=n, rates=rates).rows[-1].error for n in (400, 800)]
    return math.log2(errors[0] / errors[1])


def _one_step_against_many() -> float:
    one, many = (integrate_space(_TWIST, 1.0, steps) for steps in (1, 160))
    misses = one.position[-1] - many.position[-1], one.quaternion[-1] - many.quaternion[-1]
    return float(np.abs(np.concatenate(misses)).max())


def _split_order(name: str) -> float:
    method = f"ici-{name.removesuffix('_order').replace('_', '-')}"
    return next(row.order for row in space_errors(_TWIST, 1.0, 80) if row.method == method)


def _unit_cost(method: str) -> float:
    return float(unit_cost(f"ici-{method}"))


def _half_unit(text: str) -> float:
    """Half a unit of the last printed digit."""
    mantissa, _, exponent = text.upper().partition("E")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def _cell_checks(table: int, prefix: str, row: str, printed: dict[str, str], note: str) -> list[Check]:
    """Cells of a row whose printed digits a computation reaches: column -> text."""
    found = []
    for column, text in printed.items():
        tolerance, compute = _half_unit(text) * (1.0 + 1e-9), partial(_table_published, table, row)
        found += table_checks(prefix, f"{_THESIS}, Table {table}", {column: float(text)}, tolerance, compute, note=note)
    return found


def _all_cells() -> list[Check]:
    checks = []
    for k, turn, *texts in TABLE_1:
        named = zip(("e1", "e2", "ratio"), texts, strict=True)
        right = {column: text for column, text in named if (k, turn, column) not in TABLE_1_REASONS}
        prefix, row = f"ici.table1.k{k:03d}.turn{turn:02d}", f"k={k} turn {turn}"
        checks += _cell_checks(1, prefix, row, right, "half a unit of the last printed digit")
    for percent, *texts in TABLE_2:
        note = "quotient of the steps that the spreadsheet held; the right ratio stands in 'centrode ici tables'"
        checks += _cell_checks(2, f"ici.table2.{percent:02d}percent", f"{percent} %", {"ratio": texts[2]}, note)
    columns = ("first_add", "first_mul", "first_total", "second_add", "second_mul", "second_total", "ratio")
    for percent, *texts in TABLE_3:
        note = "by the thesis' rule, counts multiplied by themselves in the totals"
        cells = dict(zip(columns, texts, strict=True))
        checks += _cell_checks(3, f"ici.table3.{percent:02d}percent", f"{percent} %", cells, note)
    return checks


_ONE, _TWO, _THREE = (f"{_THESIS}, Table {n}" for n in (1, 2, 3))
_row_slip = partial(_table_published, 1, "k=30 turn 10", "e1")

CHECKS: list[Check] = [
    *_all_cells(),
    Check("ici.table1.k030.turn10.row_slip", _ONE, 63891.44, 0.005, _row_slip, note=_ROW_SLIP),
    *table_checks("ici.table1", _ONE, {"equal_e1": 23, "equal_e2": 29, "equal_ratio": 27}, 0, partial(_equal, 1)),
    *table_checks("ici.table2", _TWO, {"equal_dt1": 9, "equal_dt2": 3}, 0, partial(_equal, 2)),
    Check("ici.table1.explained", _ONE, 105, 0, partial(_explained, 1)),
    Check("ici.table3.explained", _THREE, 70, 0, partial(_explained, 3)),
    *table_checks("ici.cost", f"{_THESIS}, section 5", {"first": 106, "exact": 1092}, 0, _unit_cost),
    *table_checks("ici.cost", f"{_THESIS}, section 5", {"second": 332}, 0, _unit_cost, note=_SLIP),
    Check("ici.circle.ten_turns", f"{_THESIS}, (12),(16),(19),(20)", 0.0, 1e-12, _circle_miss, note=_CIRCLE),
    Check("ici.order.local_first", f"{_THESIS}, (25)-(28)", 2, 0.15, partial(_local_order, "first")),
    Check("ici.order.local_second", f"{_THESIS}, (32)-(36) corrected", 3, 0.15, partial(_local_order, "second")),
    Check("ici.misprint.eq32", f"{_THESIS}, (32) as printed", 4, 0.1, partial(_equation_ratio, 0), note=_RIGHT),
    Check("ici.misprint.eq35", f"{_THESIS}, (35) as printed", 4, 0.1, partial(_equation_ratio, 1), note=_RIGHT),
    Check("ici.misprint.eq36", f"{_THESIS}, (36) as printed", 2, 0.1, partial(_equation_ratio, 2), note=_RIGHT),
    *table_checks("ici.order", "arc with rates at the start of the step", {"global_start": 1}, 0.15, _global_order),
    *table_checks("ici.order", "arc with midpoint rates", {"global_midpoint": 2}, 0.15, _global_order),
    Check("ici.space.one_step_is_160", _EXPONENTIAL, 0.0, 1e-13, _one_step_against_many, note=_ROUNDINGS),
    *table_checks("ici.space", f"{_THESIS}, section 1.1", {"split_order": 1}, 0.15, _split_order),
    *table_checks("ici.space", "half roll, arc, half roll", {"split_symmetric_order": 2}, 0.15, _split_order),
]

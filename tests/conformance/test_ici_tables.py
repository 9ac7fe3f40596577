"""Tables 1, 2 and 3 of the ICI thesis (Eggleton 1999), cell by cell; misprinted equations; published checks."""

import csv
import math
from pathlib import Path

import pytest

from centrode.published import run_check
from centrode.studies.ici import misprints
from centrode.studies.ici.cost import unit_cost
from centrode.studies.ici.published import CHECKS
from centrode.studies.ici.tables import rounds_to, row_slip_error, summary, table_1, table_2, table_3

DATA = Path(__file__).parent / "data"


def rows(number):
    with (DATA / f"ici_table{number}.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def by_name(cells):
    return {(cell.row, cell.column): cell for cell in cells}


def test_table_1_agrees_with_independent_recomputation():
    cells = by_name(table_1())
    for row in rows(1):
        for column in ("e1", "e2", "ratio"):
            cell = cells[f"k={row['k']} turn {row['rev']}", column]
            assert float(cell.printed) == float(row[f"{column}_printed"])
            digits = 4 if column == "ratio" else 2
            assert round(cell.recomputed, digits) == pytest.approx(float(row[f"{column}_recomputed"]), abs=1e-9)
            assert cell.equal == (row[f"{column}_ok"] == "True")


def test_table_1_counts_and_explanations():
    totals = summary(table_1())
    assert [totals[f"table 1 {name}"]["equal"] for name in ("e1", "e2", "ratio")] == [23, 29, 27]
    for cell in table_1():
        assert cell.equal != bool(cell.reason)
        assert cell.explained
        if cell.column == "ratio" and cell.as_published is not None and "typing" not in cell.reason:
            assert rounds_to(cell.as_published, cell.printed)


def test_table_1_named_causes():
    cells = by_name(table_1())
    # Row slip: step 301 against the exact point of step 300.
    assert rounds_to(row_slip_error(), "63891.44")
    # Double rounding.
    assert f"{cells['k=20 turn 5', 'e2'].recomputed:.5f}" == "54.24496"
    # Mistyped digit.
    assert rounds_to(cells["k=50 turn 7", "e2"].recomputed - 1.0, "10.63")


def test_table_1_closed_form():
    """error = 100 |g^n - 1| after whole turns, independent of any stepping."""
    cells = by_name(table_1())
    for k in (20, 30, 50, 100):
        theta = 2 * math.pi / k
        for column, g in (("e1", 1 - 1j * theta), ("e2", 1 - 1j * theta - theta**2 / 2)):
            for turn in range(1, 6):
                value = 100.0 * abs(g ** (k * turn) - 1.0)
                assert cells[f"k={k} turn {turn}", column].recomputed == pytest.approx(value, rel=1e-11)


def test_table_2():
    cells = by_name(table_2())
    for row in rows(2):
        name = f"{row['target_pct']} %"
        for column in ("dt1", "dt2"):
            cell = cells[name, column]
            assert float(cell.printed) == float(row[f"{column}_printed"])
            assert cell.recomputed == pytest.approx(float(row[column]), rel=1e-5)
            assert cell.equal == (row[f"{column}_ok"] == "True")
        ratio = cells[name, "ratio"]
        assert ratio.recomputed == pytest.approx(float(row["ratio_true"]), rel=1e-4)
        assert rounds_to(ratio.as_published, ratio.printed)
    totals = summary(table_2())
    assert totals["table 2 dt1"]["equal"] == 9
    assert totals["table 2 dt2"]["equal"] == 3


def test_table_3_all_cells_explained():
    cells = by_name(table_3())
    assert len(cells) == 70
    names = ("add1", "mul1", "tot1", "add2", "mul2", "tot2", "ratio")
    columns = ("first add", "first mul", "first total", "second add", "second mul", "second total", "ratio")
    for row in rows(3):
        for short, column in zip(names, columns, strict=True):
            cell = cells[f"{row['target_pct']} %", column]
            assert rounds_to(cell.as_published, cell.printed)
            # The reference file keeps four digits.
            assert cell.as_published == pytest.approx(float(row[short]), rel=6e-4)
        for short, column in (
            ("tot1_stated_costs", "first total"),
            ("tot2_stated_costs", "second total"),
            ("ratio_stated_costs", "ratio"),
        ):
            assert cells[f"{row['target_pct']} %", column].recomputed == pytest.approx(float(row[short]), rel=6e-4)
    assert all(cell.explained for cell in table_1() + table_2() + table_3())


def test_unit_costs():
    assert [unit_cost(name) for name in ("ici-first", "ici-second", "ici-exact")] == [106, 332, 1092]


def test_misprinted_equations():
    """Halving dt divides a right second-order local error by 8; the printed forms by 4, 4 and 2."""
    ratios = [verdict.printed_ratio for verdict in misprints.equation_verdicts()]
    assert ratios == pytest.approx([4.0, 4.0, 2.0], rel=0.01)
    assert misprints.local_ratio(misprints.second_order_step()) == pytest.approx(8.0, rel=0.01)
    # The error of (32) as printed is A dt^2 (1 + B dt): the ratio is 4 (1 + B dt/2) up to a share B dt/2 of it.
    coarse, fine = (misprints.local_ratio(misprints.second_order_step(frozenset({"(32)"})), dt) for dt in (0.05, 0.025))
    assert 4.0 - coarse == pytest.approx(2.0 * (4.0 - fine), rel=(4.0 - coarse) / 4.0)
    # The sign of (36) alone ruins the baseline after one turn; per cent, whole.
    step, state = misprints.second_order_step(frozenset({"(36) sign"})), (-10.0, 0.0, 0.0, 1.0)
    for _ in range(20):
        state = step(state, 100.0, 0.0, 10.0, 2.0 * math.pi / 200.0)
    assert 10.0 * math.hypot(state[0] + 10.0, state[1]) == pytest.approx(9237, abs=0.5)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_published_checks(check):
    result = run_check(check)
    assert result.ok, result

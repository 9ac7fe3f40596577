"""Tables 1, 2 and 3 of the ICI thesis as they are printed: text, so that the printed digits stay countable.

Source: N. J. Eggleton, Unconstrained instantaneous center integration (ICI) algorithms, Rochester Institute of
Technology, 1999, pages of sections 3 and 5. Also the four time steps that the spreadsheet behind Table 3 must have
held instead of the rounded ones of Table 2 (recovered: with them all ratios of Table 2 and all 70 cells of Table 3 come
out), and the explanations of the cells that differ.
"""

from __future__ import annotations

TABLE_1: tuple[tuple[int, int, str, str, str], ...] = (
    (20, 1, "159.42", "10.43", "0.065"),
    (20, 2, "565.79", "21.09", "0.035"),
    (20, 3, "1601.57", "31.97", "0.020"),
    (20, 4, "4245.78", "43.02", "0.010"),
    (20, 5, "11007.44", "54.25", "0.005"),
    (30, 1, "91.24", "4.61", "0.051"),
    (30, 2, "264.47", "9.24", "0.035"),
    (30, 3, "594.41", "13.91", "0.023"),
    (30, 4, "1221.04", "18.60", "0.015"),
    (30, 5, "2412.44", "23.31", "0.010"),
    (30, 6, "4678.53", "28.05", "0.006"),
    (30, 7, "8990.11", "32.81", "0.004"),
    (30, 8, "11338.80", "37.59", "0.003"),
    (30, 9, "23870.55", "42.38", "0.002"),
    (30, 10, "63891.44", "47.12", "0.001"),
    (50, 1, "48.11", "1.65", "0.034"),
    (50, 2, "119.30", "3.31", "0.028"),
    (50, 3, "224.54", "4.97", "0.022"),
    (50, 4, "350.66", "6.63", "0.019"),
    (50, 5, "610.42", "8.30", "0.014"),
    (50, 6, "950.89", "9.96", "0.010"),
    (50, 7, "1454.43", "10.63", "0.007"),
    (50, 8, "2199.21", "13.30", "0.006"),
    (50, 9, "3300.83", "14.97", "0.005"),
    (50, 10, "4930.35", "16.63", "0.003"),
    (100, 1, "21.79", "0.41", "0.019"),
    (100, 2, "48.33", "0.83", "0.017"),
    (100, 3, "80.65", "1.24", "0.015"),
    (100, 4, "120.00", "1.65", "0.014"),
    (100, 5, "167.92", "2.07", "0.012"),
    (100, 6, "220.73", "2.48", "0.011"),
    (100, 7, "281.29", "2.89", "0.010"),
    (100, 8, "349.68", "3.32", "0.009"),
    (100, 9, "423.98", "3.72", "0.009"),
    (100, 10, "506.63", "4.14", "0.008"),
)
"""k, revolution, error first order [%], error second order [%], ratio."""

TABLE_2: tuple[tuple[int, str, str, str], ...] = (
    (50, "2.6E-03", "2.9E-02", "11.15"),
    (40, "2.1E-03", "2.7E-02", "12.86"),
    (30, "1.7E-03", "2.5E-02", "14.71"),
    (25, "1.4E-03", "2.2E-02", "15.36"),
    (20, "1.2E-03", "1.8E-02", "15.00"),
    (15, "9.3E-04", "1.6E-02", "17.78"),
    (10, "6.1E-04", "1.4E-02", "23.33"),
    (5, "3.1E-04", "1.0E-02", "32.26"),
    (2, "1.3E-04", "6.5E-03", "50.00"),
    (1, "6.3E-05", "4.5E-03", "75.00"),
)
"""Error after five turns [%], step first order [s], step second order [s], ratio."""

TABLE_3: tuple[tuple[int, str, str, str, str, str, str, str], ...] = (
    (50, "1.4E+03", "2.4E+03", "3.3E+04", "2.6E+02", "6.9E+02", "2.5E+04", "1.30"),
    (40, "1.8E+03", "3.0E+03", "4.1E+04", "2.8E+02", "7.4E+02", "2.7E+04", "1.50"),
    (30, "2.2E+03", "3.7E+03", "5.0E+04", "3.0E+02", "8.0E+02", "2.9E+04", "1.71"),
    (25, "2.7E+03", "4.5E+03", "6.1E+04", "3.5E+02", "9.4E+02", "3.4E+04", "1.79"),
    (20, "3.1E+03", "5.2E+03", "7.1E+04", "4.2E+02", "1.1E+03", "4.1E+04", "1.75"),
    (15, "4.2E+03", "7.0E+03", "9.5E+04", "4.7E+02", "1.3E+03", "4.6E+04", "2.07"),
    (10, "6.3E+03", "1.0E+04", "1.4E+05", "5.4E+02", "1.4E+03", "5.2E+04", "2.72"),
    (5, "1.2E+04", "2.0E+04", "2.8E+05", "7.5E+02", "2.0E+03", "7.3E+04", "3.76"),
    (2, "2.9E+04", "4.8E+04", "6.6E+05", "1.2E+03", "3.1E+03", "1.1E+05", "5.82"),
    (1, "6.3E+04", "1.0E+05", "1.4E+06", "1.7E+03", "4.5E+03", "1.6E+05", "8.73"),
)
"""Error after five turns [%]; first order: additions, multiplications, total; second order: the same; ratio."""

_UNROUNDED = {25: (1.4e-3, 2.15e-2), 15: (9.0e-4, 1.6e-2), 10: (6.0e-4, 1.4e-2), 1: (6.0e-5, 4.5e-3)}
RECOVERED_STEPS = {row[0]: (float(row[1]), float(row[2])) for row in TABLE_2} | _UNROUNDED
"""Error [%] -> steps [s] of first and second order that the spreadsheet held."""

UNIT_COSTS = {"addition": 1, "multiplication": 10, "transcendental": 100}
"""Time units per operation, section 5."""

OPERATION_COUNTS = {"ici-exact": (12, 28, 8), "ici-first": (6, 10, 0), "ici-second": (12, 32, 0)}
"""Additions, multiplications and transcendental calls per step, section 5."""

PRINTED_COSTS = {"ici-exact": 1092, "ici-first": 106, "ici-second": 342}
"""Time units per step as printed; the second-order sum is wrong, 12 + 32 * 10 = 332."""

_LAST_DIGITS = "last digits wrong; cause not found"
_LOW = "2 to 18 % low and no longer growing geometrically: values from elsewhere; source not identified"
_NOWHERE = "wrong value, found at no step of the run; its printed ratio was computed from it"
_FROM_ROW = "quotient of the two printed errors of its row, one of which is wrong"

TABLE_1_REASONS: dict[tuple[int, int, str], str] = {
    **{(k, turn, "e1"): _LAST_DIGITS for k, turn in ((20, 1), (30, 2), (50, 2))},
    **{(k, turn, "e1"): _NOWHERE for k, turn in ((30, 8), (30, 9), (50, 4))},
    (30, 10, "e1"): "row slip: step 301 compared with the exact point of step 300 gives the printed value",
    **{(100, turn, "e1"): _LOW for turn in range(6, 11)},
    (20, 5, "e2"): "rounded twice: 54.24496 -> 54.245 -> 54.25",
    **{(k, turn, "e2"): _LAST_DIGITS for k, turn in ((30, 10), (50, 10), (100, 7), (100, 8))},
    (50, 7, "e2"): "mistyped digit (10.63 for 11.63); its printed ratio was computed from it",
    (20, 2, "ratio"): "typing error: not the quotient of its own row",
    (30, 1, "ratio"): "quotient of the rounded columns, 4.61/91.24 = 0.0505",
    **{(k, turn, "ratio"): _FROM_ROW for k, turn in ((30, 8), (30, 9), (50, 4), (50, 7), (100, 9), (100, 10))},
}
"""Why a cell of Table 1 differs, by k, revolution and column."""

REASONS_WITHOUT_CAUSE = frozenset({_LAST_DIGITS, _LOW, _NOWHERE})
"""Reasons that state that a value is wrong without knowing what produced it."""

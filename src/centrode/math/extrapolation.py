"""Slope of a function from differences of several steps, with an estimate of its error.

Central differences D(h) = (f(x+h) - f(x-h)) / 2h of a smooth f differ from f' by a series in h^2, those of one side by
one in h. Neville's scheme takes the series away term by term (L. F. Richardson, 1911; C. J. F. Ridders, "Accurate
computation of F'(x) and F'(x) F''(x)", Advances in Engineering Software 4, 1982):

    T_k0 = D(h_k),   T_kj = T_k,j-1 + (T_k,j-1 - T_k-1,j-1) / ((h_k-j / h_k)^q - 1),   q = 2, or 1 for one side    (1)
    error of T_kj:   the larger of |T_kj - T_k,j-1| and |T_kj - T_k-1,j-1|                                         (2)

Long steps suffer from the terms left out, short ones from the noise of f; both show in (2), and the entry with the
smallest is taken. But the smallest of many numbers that noise has made is small by chance. So the noise is measured as
well: where nothing but noise is left, T_kj - T_k-1,j-1 times h_k is of its size for all j > 1, and so is the same for
the bend of f, (f(x+h) + f(x-h) - 2 f(x)) / 2h^2, times h_k^2; of each row the smallest is taken,

    noise:  the larger of both; of three rows or more the second smallest. No slope is better than this over h_k   (3)

which takes three steps at least. A kink at x itself does not show in (2): the slopes of both sides differ by the same
however short the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CAUTION = 2.0
"""By what estimates (2) and (3) are enlarged; with it, under noise, one claim in a hundred falls short."""
ROUND_OFF = 4.0 * np.finfo(float).eps
"""Least noise of a figure, relative to its size."""
KINK = 1e-3
"""Gap between the slopes of both sides, relative to the larger, from which a kink is told ..."""
SEEN = 1e-9
"""... and what it must make of the figure at the step: what is less may be noise of a run."""


@dataclass(frozen=True)
class Slope:
    """A slope.

    Attributes:
        value, error: the slope and the estimate of its error; NaN and infinite when there is none.
        step: shortest step behind it.
        sides: slopes below and above, where the function has a kink; None where it is smooth.
    """

    value: float
    error: float
    step: float
    sides: tuple[float, float] | None = None


def slope_of(steps: Sequence[float], up: Sequence[float], down: Sequence[float], start: float) -> Slope:
    """Slope at x from f(x + h), f(x - h) and f(x).

    Args:
        steps: h, the longest first.
        up, down: values there; NaN where there is none. One side alone does.
        start: f(x).
    """
    h, above, below = (np.asarray(item, dtype=float) for item in (steps, up, down))
    both = np.isfinite(above) & np.isfinite(below)
    if both.any():
        differences, power, used = (above[both] - below[both]) / (2.0 * h[both]), 2, h[both]
    elif np.isfinite(above).any():
        used, power = h[np.isfinite(above)], 1
        differences = (above[np.isfinite(above)] - start) / used
    else:
        used, power = h[np.isfinite(below)], 1
        differences = (start - below[np.isfinite(below)]) / used
    if not used.size:
        return Slope(np.nan, np.inf, np.nan)
    sizes = np.abs([*above, *below, start])
    table = _table(used, differences, power)
    noise, sides = _noise(table, used, 1), None
    if power == 2:
        bend = (above[both] + below[both] - 2.0 * start) / (2.0 * used**2)
        noise = np.maximum(noise, _noise(_table(used, bend, power), used, 2))
        sides = _sides(used, above[both], below[both], start)
    least = CAUTION * np.sort(noise)[:2].max() if noise.size > 2 else CAUTION * noise.min(initial=np.inf)
    value, error, step = _best(table, used, (least + ROUND_OFF * float(np.nanmax(sizes))) / used)
    return Slope(value, error, step, sides)


def _table(h: np.ndarray, differences: np.ndarray, power: int) -> list[list[float]]:
    """Rows of (1)."""
    rows: list[list[float]] = []
    for k, difference in enumerate(differences):
        row = [float(difference)]
        for j in range(1, k + 1):
            row.append(row[-1] + (row[-1] - rows[-1][j - 1]) / ((h[k - j] / h[k]) ** power - 1.0))
        rows.append(row)
    return rows


def _noise(table: list[list[float]], h: np.ndarray, power: int) -> np.ndarray:
    """Noise of the function as the rows from the third on say it (3)."""
    gaps = [min(abs(row[j] - table[k - 1][j - 1]) for j in range(2, k + 1)) for k, row in enumerate(table) if k > 1]
    return np.array(gaps) * h[2:] ** power


def _best(table: list[list[float]], h: np.ndarray, noise: np.ndarray) -> tuple[float, float, float]:
    """The entry of (1) with the smallest error, that error, and the step of its row."""
    best, least, step = table[0][0], np.inf, float(h[0])
    for k, row in enumerate(table):
        for j in range(1, k + 1):
            before = table[k - 1][j - 1]
            error = CAUTION * max(abs(row[j] - row[j - 1]), abs(row[j] - before)) + float(noise[k])
            if error < least:
                best, least, step = row[j], error, float(h[k])
    return best, least, step


def _sides(h: np.ndarray, above: np.ndarray, below: np.ndarray, start: float) -> tuple[float, float] | None:
    """Slopes below and above when they do not come together as the step shrinks; noise lets them go apart."""
    left, right = (start - below) / h, (above - start) / h
    if h.size < 2:
        return None
    gap, shrinks = np.abs(right - left), (h[-1] / h[-2])
    size = max(abs(left[-1]), abs(right[-1]))
    if (
        gap[-2] > 0.0
        and gap[-1] > KINK * size + SEEN * abs(start) / h[-1]
        and 0.5 * (1.0 + shrinks) < gap[-1] / gap[-2] < 1.5
    ):
        return float(left[-1]), float(right[-1])
    return None

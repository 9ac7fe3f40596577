"""Convergence: error over step in a double logarithmic plane, with the order that each line reaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from centrode.errors import InputError
from centrode.plots.figure import axis_label, new_figure


def measured_order(steps: Sequence[float] | np.ndarray, errors: Sequence[float] | np.ndarray) -> float:
    """Slope of log(error) over log(step) by least squares, over the points above rounding error."""
    h, e = np.asarray(steps, dtype=float), np.asarray(errors, dtype=float)
    good = np.isfinite(e) & (e > 0)
    if good.any():
        good &= e > 30.0 * e[good].min() if np.count_nonzero(good) > 4 and e[good].min() < 1e-13 else good
    if np.count_nonzero(good) < 2:
        return float("nan")
    return float(np.polyfit(np.log(h[good]), np.log(e[good]), 1)[0])


def figure_convergence(
    steps: Sequence[float] | np.ndarray,
    errors: Mapping[str, Sequence[float] | np.ndarray],
    *,
    step_name: str = "step",
    step_unit: str = "s",
    error_name: str = "error",
    error_unit: str = "m",
    title: str = "",
) -> Figure:
    """Error of each method over the step.

    Args:
        steps: shape (n,), positive.
        errors: method -> errors, shape (n,).
        step_name, step_unit, error_name, error_unit: labels of the axes.
        title: above the figure.
    """
    h = np.asarray(steps, dtype=float)
    if h.size < 2 or not np.all(h > 0):
        raise InputError("convergence needs two positive steps at least", got=list(h))
    figure, [[panel]] = new_figure(width=6.4, height=4.8, title=title)
    for marker, (name, values) in zip("os^Dv<>ph*" * 4, errors.items(), strict=False):
        e = np.asarray(values, dtype=float)
        order = measured_order(h, e)
        label = name if np.isnan(order) else f"{name}: order {order:.2f}"
        panel.loglog(h, np.where(e > 0, e, np.nan), marker=marker, ms=5, lw=1.3, label=label)
    panel.set(xlabel=axis_label(step_name, step_unit), ylabel=axis_label(error_name, error_unit))
    panel.legend(fontsize="small", frameon=False)
    return figure

"""Figures of the comparison of attitude formalisms: error over step, error over cost, norm drift over step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from centrode.plots.figure import COLOURS, new_figure
from centrode.studies.attitude.comparison import AttitudeResult

MARKS = "os^Dv<>p"


def figure_comparison(results: Sequence[AttitudeResult]) -> Figure:
    """Three panels; a method that diverged or locked has no point there."""
    figure, [[by_step, by_cost, drift]] = new_figure(1, 3, width=13.0, height=5.2)
    for number, name in enumerate(dict.fromkeys(item.method for item in results)):
        rows = [item for item in results if item.method == name]
        at = number % len(COLOURS)
        style = {"color": COLOURS[at], "marker": MARKS[at], "ls": "-" if number < len(COLOURS) else "--", "ms": 4}
        step = np.array([item.step for item in rows])
        error = np.array([item.error for item in rows])
        cost = np.array([item.cost for item in rows])
        by_step.loglog(step, error, label=name, **style)
        if np.any(np.isfinite(cost)):
            by_cost.loglog(cost / step * 1e-9, error, **style)
        size = np.array([item.drift if item.drift < 1e3 else np.nan for item in rows])
        if np.any(size > 0.0):
            drift.loglog(step, np.where(size > 0.0, size, np.nan), **style)
    by_step.set(xlabel="step [s]", ylabel="attitude error at the end [rad]", title="Error over step")
    by_cost.set(xlabel="computing time per second of motion [s/s]", ylabel="attitude error [rad]")
    by_cost.set_title("Error over cost")
    drift.set(xlabel="step [s]", ylabel="drift of norm or orthogonality [1]", title="Drift")
    figure.legend(loc="outside lower center", ncols=4, fontsize=8, frameon=False)
    return figure

"""Figures of the comparison of attitude formalisms: error over step, error over cost, norm drift over step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from centrode.studies.attitude.comparison import AttitudeResult

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
MARKS = "os^Dv<>p"


def figure_comparison(results: Sequence[AttitudeResult]) -> Figure:
    """Three panels; a method that diverged or locked has no point there."""
    figure = Figure(figsize=(13.0, 5.2), layout="constrained")
    by_step, by_cost, drift = figure.subplots(1, 3)
    for number, name in enumerate(dict.fromkeys(item.method for item in results)):
        rows = [item for item in results if item.method == name]
        style = {
            "color": COLOURS[number % len(COLOURS)],
            "marker": MARKS[number % len(MARKS)],
            "ls": "-" if number < len(COLOURS) else "--",
            "ms": 4,
            "lw": 1.2,
        }
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
    by_cost.set(
        xlabel="computing time per second of motion [s/s]", ylabel="attitude error [rad]", title="Error over cost"
    )
    drift.set(xlabel="step [s]", ylabel="drift of norm or orthogonality [1]", title="Drift")
    for axes in (by_step, by_cost, drift):
        axes.grid(True, which="both", color="0.9", lw=0.5)
    figure.legend(loc="outside lower center", ncols=4, fontsize=8, frameon=False)
    return figure

"""Figures of the manoeuvres of cars: what was steered, what the car did, where it went."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


def plot_manoeuvre(result: Any, path: str | Path, cones: list[tuple[float, float, float, float]] | None = None) -> Path:
    """Draw a manoeuvre into a file (png, svg, pdf, html).

    Args:
        result: a :class:`centrode.studies.manoeuvres_road.Manoeuvre`.
        path: file to write.
        cones: lanes to draw into the path, as ``lanes`` gives them.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from centrode.plots.figure import save_figure

    seen = result.series
    figure = Figure(figsize=(9.0, 8.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(3, 1)
    time = seen["time"]
    axes[0].plot(time, np.degrees(seen["steer"]), label="steering angle [deg]")
    axes[0].plot(time, np.degrees(seen["slip"]), label="sideslip [deg]")
    axes[0].plot(time, np.degrees(seen["roll"]), label="roll [deg]")
    axes[1].plot(time, seen["ay"], label="lateral acceleration [m/s2]")
    axes[1].plot(time, 10.0 * seen["yaw_rate"], label="yaw rate [0.1 rad/s]")
    for axis in axes[:2]:
        axis.set_xlabel("time [s]")
        axis.grid(True, alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    if result.name == "steady circle":
        axes[2].plot(seen["ay"], np.degrees(seen["steer"]))
        axes[2].set_xlabel("lateral acceleration [m/s2]")
        axes[2].set_ylabel("steering angle [deg]")
    else:
        axes[2].plot(seen["x"], seen["y"], label="path of the centre of mass")
        for start, end, low, high in cones or []:
            axes[2].plot([start, end], [low, low], "k-", linewidth=1)
            axes[2].plot([start, end], [high, high], "k-", linewidth=1)
        axes[2].set_xlabel("x [m]")
        axes[2].set_ylabel("y [m]")
    axes[2].grid(True, alpha=0.3)
    verdict = {True: ": passed", False: ": failed", None: ""}[result.passed]
    figure.suptitle(result.name + verdict)
    return save_figure(figure, path)

"""Figures of the manoeuvres of cars: what was steered, what the car did, where it went."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.figure import Figure

from centrode.plots.figure import new_figure
from centrode.studies.manoeuvres_road import Manoeuvre


def figure_manoeuvre(result: Manoeuvre, lanes: Iterable[tuple[float, float, float, float]] = ()) -> Figure:
    """Angles, accelerations and path of a manoeuvre; ``lanes`` (start, end, low, high) [m] are drawn into the path."""
    seen = result.series
    verdict = {True: ": passed", False: ": failed", None: ""}[result.passed]
    figure, [[angles], [rates], [path]] = new_figure(3, width=9.0, height=2.7, title=result.name + verdict)
    for name, label in (("steer", "steering angle [deg]"), ("slip", "sideslip [deg]"), ("roll", "roll [deg]")):
        angles.plot(seen["time"], np.degrees(seen[name]), label=label)
    rates.plot(seen["time"], seen["ay"], label="lateral acceleration [m/s2]")
    rates.plot(seen["time"], 10.0 * seen["yaw_rate"], label="yaw rate [0.1 rad/s]")
    for panel in (angles, rates):
        panel.set_xlabel("time [s]")
        panel.legend(loc="best", fontsize="small")
    if result.name == "steady circle":
        path.plot(seen["ay"], np.degrees(seen["steer"]))
        path.set(xlabel="lateral acceleration [m/s2]", ylabel="steering angle [deg]")
    else:
        path.plot(seen["x"], seen["y"], label="path of the centre of mass")
        for start, end, *edges in lanes:
            for edge in edges:
                path.plot([start, end], [edge, edge], "k-", linewidth=1)
        path.set(xlabel="x [m]", ylabel="y [m]")
    return figure

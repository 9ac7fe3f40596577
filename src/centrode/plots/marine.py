"""Figures of marine manoeuvres: track seen from above, and heading, rudder, depth or yaw rate over time."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from centrode.plots.figure import new_figure
from centrode.studies.manoeuvres_marine import Dive, PathRun, Spiral, TurningCircle, ZigZag


def figure_manoeuvre(name: str, result: TurningCircle | ZigZag | Spiral | Dive | PathRun) -> Figure:
    """Track and the telling time histories of a manoeuvre of :mod:`centrode.studies.manoeuvres_marine`."""
    track = result.track
    figure, [[plan, side]] = new_figure(1, 2, width=11.0, height=5.0)
    plan.plot(track.position[:, 1], track.position[:, 0], lw=1.5)
    plan.plot(track.position[0, 1], track.position[0, 0], "o", ms=5, label="start")
    if isinstance(result, PathRun):
        points = np.array([row[:2] for row in result.waypoints])
        plan.plot(points[:, 1], points[:, 0], "--", color="0.6", lw=1, marker="s", ms=4, label="waypoints")
    plan.set(xlabel="east [m]", ylabel="north [m]", title=name, aspect="equal")
    if isinstance(result, Spiral):
        degrees = np.degrees(result.rudders)
        side.plot(degrees, np.degrees(result.down), "o-", label="rudder going down")
        side.plot(degrees, np.degrees(result.up), "s--", label="rudder going up")
        side.set(xlabel="rudder [deg]", ylabel="steady yaw rate [deg/s]", title="Spiral curve")
    elif isinstance(result, Dive):
        side.plot(track.time, track.position[:, 2], label="depth [m]")
        side.plot(track.time, np.degrees(track.pitch), label="pitch [deg]")
        side.set(xlabel="time [s]", title="Depth and pitch")
        side.invert_yaxis()
    else:
        side.plot(track.time, np.degrees(track.heading), label="heading [deg]")
        side.plot(track.time, np.degrees(track.rudder), label="rudder [deg]")
        side.set(xlabel="time [s]", title="Heading and rudder")
    for panel in (plan, side):
        panel.legend(frameon=False)
    return figure

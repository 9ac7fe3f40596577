"""Figures of marine manoeuvres: track seen from above, and heading, rudder, depth or yaw rate over time."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure


def figure_manoeuvre(name: str, result: Any) -> Figure:
    """Track and the telling time histories of a manoeuvre of :mod:`centrode.studies.manoeuvres_marine`."""
    track = result.track
    figure = Figure(figsize=(11.0, 5.0), layout="constrained")
    plan, side = figure.subplots(1, 2)
    plan.plot(track.position[:, 1], track.position[:, 0], color="#0072b2", lw=1.5)
    plan.plot(track.position[0, 1], track.position[0, 0], "o", color="#d55e00", ms=5, label="start")
    if hasattr(result, "waypoints"):
        points = np.array([row[:2] for row in result.waypoints])
        plan.plot(points[:, 1], points[:, 0], "--", color="0.6", lw=1, marker="s", ms=4, label="waypoints")
    plan.set(xlabel="east [m]", ylabel="north [m]", title=name, aspect="equal")
    plan.legend(frameon=False)
    if hasattr(result, "rudders"):
        degrees = np.degrees(result.rudders)
        side.plot(degrees, np.degrees(result.down), "o-", color="#0072b2", label="rudder going down")
        side.plot(degrees, np.degrees(result.up), "s--", color="#d55e00", label="rudder going up")
        side.set(xlabel="rudder [deg]", ylabel="steady yaw rate [deg/s]", title="Spiral curve")
    elif hasattr(result, "rise_time"):
        side.plot(track.time, track.position[:, 2], color="#0072b2", label="depth [m]")
        side.plot(track.time, np.degrees(track.pitch), color="#d55e00", label="pitch [deg]")
        side.set(xlabel="time [s]", title="Depth and pitch")
        side.invert_yaxis()
    else:
        side.plot(track.time, np.degrees(track.heading), color="#0072b2", label="heading [deg]")
        side.plot(track.time, np.degrees(track.rudder), color="#d55e00", label="rudder [deg]")
        side.set(xlabel="time [s]", title="Heading and rudder")
    side.legend(frameon=False)
    for axes in (plan, side):
        axes.grid(True, color="0.9", lw=0.5)
    return figure

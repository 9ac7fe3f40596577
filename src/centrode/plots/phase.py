"""Phase portrait: one channel against another, coloured by time."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from centrode.errors import InputError
from centrode.plots.figure import axis_label, new_figure, require_frames, with_times
from centrode.recording.recording import Recording


def figure_phase(run: Recording, across: str, upward: str, *, title: str = "") -> Figure:
    """Channel ``upward`` against channel ``across``; both scalar ("bar.omega.y", "hinge.angle")."""
    require_frames(run)
    x, x_label = _scalar(run, across)
    y, y_label = _scalar(run, upward)
    figure, [[panel]] = new_figure(width=6.4, height=5.0, title=title)
    points = np.column_stack([x, y])
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    lines = LineCollection(list(pieces), cmap="viridis", array=run.time[:-1], linewidths=1.6)
    panel.add_collection(with_times(lines, run.time))
    panel.plot(x[:1], y[:1], "o", color="black", ms=4)
    panel.autoscale_view()
    figure.colorbar(lines, ax=panel, label="time [s]")
    panel.set(xlabel=x_label, ylabel=y_label)
    return figure


def _scalar(run: Recording, name: str) -> tuple[np.ndarray, str]:
    values = np.asarray(run[name], dtype=float)
    if name == "time":
        return values, "time [s]"
    base = name if name in run else name.rpartition(".")[0]
    if values.ndim != 1:
        labels = run.channels[name].labels(run.coordinates)
        raise InputError("not a scalar channel", got=name, expected="one of " + ", ".join(labels))
    return values, axis_label(name, run.channels[base].unit)

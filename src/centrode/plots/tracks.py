"""Tracks of bodies: seen from above with equal scales, and from the side when they move in space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from centrode.plots.figure import COLOURS, chosen_bodies, new_figure, require_frames, with_times
from centrode.recording.recording import Recording

_MOST_NAMED = 10
_MARKS = 8


def figure_tracks(run: Recording, bodies: Sequence[str] | None = None, *, title: str = "") -> Figure:
    """Paths of the bodies' origins; a dot at the start, small marks at even times.

    The left panel is the plane that holds most of the motion (x-y, or x-z for what swings), the right one the other.
    """
    require_frames(run)
    names = chosen_bodies(run, bodies)
    tracks = {name: _in_space(run[f"{name}.position"]) for name in names}
    spans = np.ptp(np.concatenate(list(tracks.values())), axis=0)
    flat = spans[2] <= 1e-9 * max(spans.max(), 1e-300)
    views = [(0, 1)] if flat else [(0, 1), (0, 2)] if spans[1] >= spans[2] else [(0, 2), (0, 1)]
    views = [view for view in views if spans[list(view)].max() > 0 and spans[view[1]] > 1e-9 * spans.max()] or views[:1]
    figure, panels = new_figure(1, len(views), width=5.2 * len(views) + 1.0, height=4.6, title=title)
    for panel, (i, j) in zip(panels[0], views, strict=True):
        for k, (name, track) in enumerate(tracks.items()):
            _draw(panel, track[:, i], track[:, j], COLOURS[k % len(COLOURS)], name, run.time)
        panel.set(xlabel=f"{'xyz'[i]} [m]", ylabel=f"{'xyz'[j]} [m]")
        panel.set_aspect("equal", adjustable="datalim")
    if 1 < len(names) <= _MOST_NAMED:
        panels[0, 0].legend(fontsize="small", frameon=False)
    return figure


def _draw(panel: Axes, x: np.ndarray, y: np.ndarray, colour: str, name: str, time: np.ndarray) -> None:
    with_times(panel.plot(x, y, color=colour, lw=1.4, label=name)[0], time)
    panel.plot(x[:1], y[:1], "o", color=colour, ms=5)
    even = np.linspace(0, len(x) - 1, _MARKS + 1).astype(int)[1:]
    panel.plot(x[even], y[even], "|", color=colour, ms=7)


def _in_space(position: np.ndarray) -> np.ndarray:
    values = np.asarray(position, dtype=float)
    return np.pad(values, ((0, 0), (0, 3 - values.shape[1])))

"""Channels over time, one panel each, with units, components and events."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from centrode.errors import InputError
from centrode.plots.figure import axis_label, mark_events, new_figure, require_frames
from centrode.recording.export import chosen_channels
from centrode.recording.recording import Recording

MOST_PANELS = 12


def figure_channels(run: Recording, channels: Sequence[str], *, title: str = "") -> Figure:
    """Channels over time.

    Args:
        run: the recording.
        channels: names; "arm" stands for all channels of the part "arm", "arm.position.x" for one component.
        title: above the figure.
    """
    require_frames(run)
    drawn = _lines(run, channels)
    if not drawn:
        raise InputError("nothing to plot", expected="names of channels")
    if len(drawn) > MOST_PANELS:
        raise InputError("too many channels for one figure", got=len(drawn), expected=f"at most {MOST_PANELS}")
    figure, panels = new_figure(len(drawn), height=1.9, share_x=True, title=title)
    for panel, (name, unit, lines) in zip(panels[:, 0], drawn, strict=True):
        for label, values in lines:
            panel.plot(run.time, values, lw=1.4, label=label)
        panel.set_ylabel(axis_label(name, unit), fontsize="small")
        if len(lines) > 1:
            panel.legend(loc="upper right", fontsize="small", ncols=len(lines), frameon=False)
        mark_events(panel, run)
    panels[-1, 0].set_xlabel("time [s]")
    return figure


def _lines(run: Recording, channels: Sequence[str]) -> list[tuple[str, str, list[tuple[str, np.ndarray]]]]:
    """Name, unit and (label, values) of every panel."""
    found: list[tuple[str, str, list[tuple[str, np.ndarray]]]] = []
    for wanted in channels:
        base = wanted.rpartition(".")[0]
        if wanted not in run and base in run and len(run.channels[base].dims) == 1:
            found.append((wanted, run.channels[base].unit, [("", run[wanted])]))
            continue
        for name in chosen_channels(run, [wanted]):
            item = run.channels[name]
            labels = item.labels(run.coordinates)
            values = run[name].reshape(len(run.time), len(labels))
            lines = [(label.removeprefix(f"{name}."), values[:, k]) for k, label in enumerate(labels)]
            found.append((name, item.unit, lines))
    return found

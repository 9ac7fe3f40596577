"""Tyre use: how much each wheel slides, ahead and to the side, over time and in the plane of slips.

A wheel is known by its two recorded slips, ``<wheel>.slip_ahead`` and ``<wheel>.slip_side`` (relaxed slips, left
positive). Circles in the plane are lines of equal slip.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.figure import Figure

from centrode.errors import InputError, nearest_name
from centrode.plots.figure import COLOURS, mark_events, new_figure, require_frames, with_times
from centrode.recording.recording import Recording


def wheels_of(run: Recording) -> list[str]:
    """Names of all wheels whose slips are recorded."""
    names = [name.removesuffix(".slip_side") for name in run if name.endswith(".slip_side")]
    return [name for name in names if f"{name}.slip_ahead" in run]


def figure_tyre_use(run: Recording, wheels: Iterable[str] | None = None, *, title: str = "") -> Figure:
    """Slips of wheels.

    Args:
        run: the recording.
        wheels: wheels or vehicles ("car1"); all wheels of the first vehicle by default.
        title: above the figure.
    """
    require_frames(run)
    known = wheels_of(run)
    if not known:
        raise InputError("the recording holds no slips of wheels")
    chosen: list[str] = []
    for wanted in wheels or [known[0].split(".", maxsplit=1)[0]]:
        found = [name for name in known if name == wanted or name.startswith(f"{wanted}.")]
        if not found:
            raise InputError("no such wheel", got=wanted, nearest=nearest_name(wanted, known))
        chosen += found
    figure, [[over_time, plane]] = new_figure(1, 2, width=10.5, height=4.4, title=title)
    for k, name in enumerate(dict.fromkeys(chosen)):
        ahead, side = run[f"{name}.slip_ahead"], run[f"{name}.slip_side"]
        label, colour = name.rpartition(".")[2].replace("_", " "), COLOURS[k % len(COLOURS)]
        over_time.plot(run.time, np.hypot(ahead, side), lw=1.3, color=colour, label=label)
        with_times(plane.plot(side, ahead, lw=1.0, color=colour, label=label)[0], run.time)
        plane.plot(side[:1], ahead[:1], "o", ms=4, color=colour)
    mark_events(over_time, run)
    over_time.set(xlabel="time [s]", ylabel="size of the slip")
    over_time.legend(fontsize="small", frameon=False)
    plane.set(xlabel="slip to the side", ylabel="slip ahead")
    plane.set_aspect("equal", adjustable="datalim")
    return figure

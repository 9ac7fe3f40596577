"""Energy audit: where the energy is, what did work, and what is left unexplained.

residual = change of kinetic and gravity energy - work of all forces and joints: the error of the run itself.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from centrode.errors import InputError
from centrode.plots.figure import mark_events, new_figure, require_frames
from centrode.recording.recording import Recording

PARTS = ("kinetic", "gravity", "stored", "total")
_MOST_WORKS = 8


def has_energy(run: Recording) -> bool:
    """Whether a recording holds energies."""
    return "energy.total" in run or "energy.kinetic" in run


def figure_energy(run: Recording, *, title: str = "") -> Figure:
    """Energies, work done by forces and joints, and the residual, over time."""
    require_frames(run)
    if not has_energy(run):
        raise InputError("the recording holds no energies", expected="channels such as energy.total")
    works = largest_works(run)
    rows = 1 + bool(works) + ("energy.residual" in run)
    figure, panels = new_figure(rows, height=2.3, share_x=True, title=title)
    first, *others = panels[:, 0]
    for name in PARTS:
        if f"energy.{name}" in run:
            emphasis = {"lw": 2.0, "color": "black"} if name == "total" else {"lw": 1.4}
            first.plot(run.time, run[f"energy.{name}"], label=name, **emphasis)
    first.set_ylabel("energy [J]")
    mark_events(first, run)
    for name in works:
        others[0].plot(run.time, run[name], lw=1.4, label=name.removesuffix(".work"))
        others[0].set_ylabel("work done [J]")
    for panel in (first, *others[: bool(works)]):
        panel.legend(fontsize="small", ncols=4, frameon=False)
    if "energy.residual" in run:
        others[-1].plot(run.time, run["energy.residual"], lw=1.2, color="#d55e00")
        others[-1].set_ylabel("residual [J]")
        others[-1].ticklabel_format(axis="y", scilimits=(-2, 3))
    panels[-1, 0].set_xlabel("time [s]")
    return figure


def largest_works(run: Recording) -> list[str]:
    """Channels of work that are not zero throughout, the largest first, at most eight."""
    names = [name for name in run if name.endswith(".work") or name == "work.joints"]
    sizes = {name: float(np.nanmax(np.abs(run[name]), initial=0.0)) for name in names}
    found = sorted((name for name in names if sizes[name] > 0), key=lambda name: -sizes[name])
    return found[:_MOST_WORKS]


def audit_rows(run: Recording) -> list[tuple[str, float, float, float]]:
    """Quantity, value at the start, at the end and largest size [J], for the table of a report."""
    names = [f"energy.{part}" for part in PARTS if f"energy.{part}" in run] + largest_works(run)
    if "energy.residual" in run:
        names.append("energy.residual")
    rows = []
    for name in names:
        values = np.asarray(run[name], dtype=float)
        rows.append((name, float(values[0]), float(values[-1]), float(np.nanmax(np.abs(values)))))
    return rows

"""A plot of one's own: the size of the velocities of bodies over time, with a line at a speed that matters.

Check it with ``centrode check speeds.py``; draw it with ``centrode plot run.nc speeds arm --plugin speeds.py``, or
declare it in a scenario with ``plugins: [speeds.py]`` and ``kind: speeds`` below ``plots``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import centrode as ct


@dataclass(frozen=True)
class PlotSpeeds(ct.Plot):
    """Speeds of bodies over time."""

    kind: ClassVar[str] = "speeds"
    named: ClassVar[tuple[str, ...]] = ("bodies",)  # what names on the command line fill

    bodies: tuple[str, ...] = ct.quantity("", "bodies to draw", ())
    limit: float = ct.quantity("m/s", "speed that is marked", 1.0, positive=True)

    def figure(self, run, progress=None):
        """The drawing, as a matplotlib figure."""
        figure, [[panel]] = ct.new_figure(title=self.title)
        for name in self.bodies:
            panel.plot(run.time, np.linalg.norm(run[f"{name}.velocity"], axis=1), label=name)
        panel.axhline(self.limit, color="black", lw=0.8)
        panel.set(xlabel="time [s]", ylabel="speed [m/s]")
        return figure

"""Figures of the MEDUSA report (1999): forces of its tyre with the carpet plot (1.3), pitching in a rear-end hit (3.5).

Signs are the report's: slip angle positive to the right, its force F_y to the left; slip positive when braking.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from centrode.parts.tyres.calspan import TyreCalspan
from centrode.plots.figure import new_figure

ANGLES_DEG = (0.0, 2.0, 4.0, 8.0, 12.0, 16.0, 20.0)
CROWDED = 12.0
"""Slip angle [deg] from which on lines begin so close to each other that they have one label."""
SLIPS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 0.95)


def report_forces(load: float, alpha: np.ndarray, slip: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """F_x and F_y [N] of (1.23) at a load [N], arrays of slip angles [rad] and slips that broadcast."""
    tyre = TyreCalspan("goodyear", original=True)
    pairs = np.broadcast(alpha, slip)
    found = np.array([tyre.forces(load, -a, -s)[:2] for a, s in pairs]).reshape(*pairs.shape, 2)
    return found[..., 0], found[..., 1]


def figure_tyre(load: float = 2500.0) -> Figure:
    """Figure 1.3: F_y over the slip angle, F_x over the slip, and the carpet plot, at a load [N]."""
    figure, [[side, ahead, carpet]] = new_figure(1, 3, width=13.0, height=4.2, title=f"Goodyear 185SR14, {load:g} N")
    turn, slips = np.linspace(0.0, np.pi, 181), np.linspace(-1.0, 0.99, 200)
    braking = 0.99 * np.linspace(0.0, 1.0, 101) ** 2
    fine = np.radians(np.linspace(0.0, ANGLES_DEG[-1], 101))
    for s in SLIPS:
        (line,) = side.plot(np.degrees(turn), report_forces(load, turn, np.array(s))[1], lw=1.2, label=f"s = {s:g}")
        carpet.plot(*report_forces(load, fine, np.array(s)), lw=1.2, color=line.get_color(), label=f"s = {s:g}")
    for degrees in ANGLES_DEG:
        angle = np.radians(degrees)
        ahead.plot(slips, report_forces(load, np.array(angle), slips)[0], lw=1.2, label=f"{degrees:g} deg")
        carpet.plot(*report_forces(load, np.array(angle), braking), lw=0.9, color="0.45", ls="--")
    # Lines of one slip angle begin at s = 0, far from each other up to where the side force is greatest.
    labels = {degrees: f"{degrees:g} deg" for degrees in ANGLES_DEG if degrees < CROWDED}
    labels[CROWDED] = f"{CROWDED:g} to {ANGLES_DEG[-1]:g} deg"
    for degrees, text in labels.items():
        begin = report_forces(load, np.radians([degrees]), np.zeros(1))[1][0]
        shift = 5 if degrees == CROWDED else -2
        carpet.annotate(text, (0.0, begin), (4, shift), textcoords="offset points", va="center", size="small")
    side.set(xlabel="slip angle [deg]", ylabel="F_y [N]")
    ahead.set(xlabel="slip s", ylabel="F_x [N]")
    carpet.set(xlabel="F_x [N]", ylabel="F_y [N]")
    carpet.set_xlim(-1.16 * load, 0.25 * load)
    for panel, where in ((side, "best"), (ahead, "best"), (carpet, "upper left")):
        panel.legend(fontsize="small", frameon=False, loc=where)
    return figure


def figure_pitch(time: np.ndarray, pitch: np.ndarray) -> Figure:
    """Figure 3.5 over time: pitch of every vehicle [rad], shape (n, vehicles), nose up positive."""
    figure, [[panel]] = new_figure(1, width=9.0, height=4.0, title="Pitch, nose up positive")
    for number, angles in enumerate(pitch.T, start=1):
        panel.plot(time, np.degrees(angles), lw=1.2, label=f"vehicle {number}")
    panel.set(xlabel="time [s]", ylabel="pitch [deg]")
    panel.legend(fontsize="small", frameon=False)
    return figure

"""Figure of a tyre: pure slip at three loads, combined slip, carpet of the side force, stiffness and friction."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from centrode.plots.figure import new_figure
from centrode.studies.tyre_sheet import TyreSheet, curve, measure

_CARPET_ANGLES = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 10.0)
_COMBINED_ANGLES = (0.0, 1.0, 2.0, 4.0, 6.0, 10.0)


def figure_tyre(sheet: TyreSheet) -> Figure:
    """Six panels about one tyre; forces in kN, the carpet at slides to the right (forces to the left)."""
    lean = f", camber {math.degrees(sheet.camber):g} deg" if sheet.camber else ""
    title = ", ".join(filter(None, (sheet.name, sheet.dialect or sheet.kind))) + lean
    figure, [[along, aside, moment], [combined, carpet, loads]] = new_figure(2, 3, width=13.5, height=3.7, title=title)
    slips, angles = np.linspace(-1.0, 1.0, 401), np.linspace(-20.0, 20.0, 321)
    for point in sheet.points:
        label = f"{1e-3 * point.load:.3g} kN"
        driven = curve(sheet.tyre, point.load, slips=slips, camber=sheet.camber)
        slid = curve(sheet.tyre, point.load, angles=np.radians(angles), camber=sheet.camber)
        along.plot(100.0 * slips, 1e-3 * driven[:, 0], label=label)
        aside.plot(angles, 1e-3 * slid[:, 1], label=label)
        moment.plot(angles, slid[:, 2], label=label)
    along.set(xlabel="slip [%]", ylabel="longitudinal force Fx [kN]")
    aside.set(xlabel="slip angle [deg]", ylabel="side force Fy [kN]")
    moment.set(xlabel="slip angle [deg]", ylabel="aligning moment Mz [N m]")
    for panel, place in ((along, "upper left"), (aside, "upper right"), (moment, "upper left")):
        panel.axhline(0.0, color="0.4", lw=0.7)
        panel.axvline(0.0, color="0.4", lw=0.7)
        panel.legend(loc=place, fontsize="small", title="load", title_fontsize="small", framealpha=0.8)
    _combined(combined, sheet)
    _carpet(carpet, sheet)
    _over_load(loads, sheet)
    return figure


def _combined(panel: Axes, sheet: TyreSheet) -> None:
    """Fx against Fy at the middle load: one line per slip angle, slip from locked to spinning."""
    load = sheet.points[1].load
    slips = np.concatenate([-np.geomspace(1.0, 1e-4, 160), [0.0], np.geomspace(1e-4, 1.0, 160)])
    for angle in _COMBINED_ANGLES:
        force = 1e-3 * curve(sheet.tyre, load, angles=[-math.radians(angle)], slips=slips, camber=sheet.camber)
        panel.plot(force[:, 0], force[:, 1], lw=1.3, label=f"{-angle:g} deg" if angle else "0 deg")
    panel.set(xlabel="longitudinal force Fx [kN]", ylabel="side force Fy [kN]")
    panel.set_title(f"combined slip at {1e-3 * load:.3g} kN", fontsize="medium")
    panel.set_aspect("equal", adjustable="datalim")
    panel.legend(
        loc="lower center", ncols=3, fontsize="x-small", title="slip angle", title_fontsize="x-small", framealpha=0.8
    )


def _carpet(panel: Axes, sheet: TyreSheet) -> None:
    """Side force over slip angle and load: lines of equal load and of equal angle, shifted apart."""
    middle = sheet.points[1].load
    shares = np.linspace(0.25, 1.5, 6)
    angles = np.array(_CARPET_ANGLES)
    force = np.array(
        [1e-3 * curve(sheet.tyre, s * middle, angles=-np.radians(angles), camber=sheet.camber)[:, 1] for s in shares]
    )
    across = angles[None, :] + 4.0 * (shares[:, None] - shares[0]) / (shares[1] - shares[0])
    for k, share in enumerate(shares):
        fine = np.linspace(0.0, angles[-1], 121)
        line = 1e-3 * curve(sheet.tyre, share * middle, angles=-np.radians(fine), camber=sheet.camber)[:, 1]
        panel.plot(fine + across[k, 0], line, color="#0072b2", lw=1.2)
        text = f"{1e-3 * share * middle:.3g}"
        _label(panel, text, (across[k, 0], force[k, 0]), (-6, -12), "#0072b2")
    for k, angle in enumerate(angles):
        panel.plot(across[:, k], force[:, k], color="#d55e00", lw=0.9)
        text = f"{-angle:g} deg" if angle else "0 deg"
        _label(panel, text, (across[-1, k], force[-1, k]), (5, -6), "#d55e00")
    panel.set_xticks([])
    panel.set_xlim(-2.5, across[-1, -1] + 4.0)
    panel.grid(False, axis="x")
    panel.margins(y=0.12)
    panel.set(xlabel="slip angle, shifted by the load (blue, in kN)", ylabel="side force Fy [kN]")
    panel.set_title("carpet of slip angle and load", fontsize="medium")


def _label(panel: Axes, text: str, at: tuple[float, float], offset: tuple[float, float], colour: str) -> None:
    panel.annotate(text, at, offset, textcoords="offset points", fontsize="x-small", color=colour)


def _over_load(panel: Axes, sheet: TyreSheet) -> None:
    """Stiffnesses and friction over the load."""
    middle = sheet.points[1].load
    points = [measure(sheet.tyre, share * middle, sheet.camber) for share in np.linspace(0.1, 2.0, 14)]
    loads = [1e-3 * point.load for point in points]
    panel.plot(loads, [1e-3 * point.cornering_stiffness for point in points], label="cornering [kN/rad]")
    panel.plot(loads, [1e-3 * point.slip_stiffness for point in points], label="slip [kN]")
    panel.set(xlabel="load [kN]", ylabel="stiffness [kN/rad], [kN]")
    panel.set_ylim(bottom=0.0)
    friction = panel.twinx()
    friction.spines["top"].set_visible(False)
    friction.plot(loads, [point.cornering for point in points], color="0.35", ls="--", label="friction aside")
    friction.plot(loads, [point.braking for point in points], color="0.35", ls=":", label="friction in braking")
    friction.set_ylabel("peak friction [1]")
    friction.set_ylim(0.0, 1.25 * max(max(point.cornering, point.braking) for point in points))
    handles = [*panel.get_lines(), *friction.get_lines()]
    friction.legend(handles=handles, loc="lower right", fontsize="x-small", framealpha=0.8)

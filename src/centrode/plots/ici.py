"""Figures of instantaneous-centre integration: thesis figures 3, 4, A1, A2, error against cost, stability, centrodes.

Every function returns a matplotlib Figure that belongs to no window.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from centrode.plots.figure import new_figure, save_pair
from centrode.studies.ici.cost import measure_step
from centrode.studies.ici.errors import direct_errors
from centrode.studies.ici.methods import METHODS
from centrode.studies.ici.path import IciPath, integrate
from centrode.studies.ici.scenario import IciScenario, baseline, varying_turn
from centrode.studies.ici.stability import growth_factor

COLOURS = dict(zip(METHODS, ("#d55e00", "#0072b2", "#000000", "#009e73", "#cc79a7"), strict=True))
MARKS = dict(zip(METHODS, "s^oDv", strict=True))

THESIS_FIGURES = {"figure_3": (20, 1), "figure_4": (100, 1), "figure_a1": (2, 1), "figure_a2": (4, 1)}
"""Name of each path figure of the thesis -> points per turn, turns drawn."""


def figure_paths(points_per_turn: int, turns: int = 1, title: str = "") -> Figure:
    """The baseline circle by first order, second order and pseudo-exact: thesis figures 3, 4, A1 and A2."""
    figure, [[axes]] = new_figure(width=7.2, height=6.4)
    scenario = baseline(turns)
    angle = np.linspace(0.0, 2.0 * math.pi, 361)
    axes.plot(10.0 * np.cos(angle), 10.0 * np.sin(angle), color="0.75", lw=4, label="exact circle, 10 m", zorder=1)
    dense = points_per_turn > 30
    for name in ("ici-first", "ici-second", "ici-exact"):
        path = integrate(scenario, name, steps=points_per_turn * turns)
        end = math.hypot(path.x[-1] + 10.0, path.y[-1])
        label = f"{METHODS[name].label} (ends {end:.3g} m off)" if end > 1e-9 else METHODS[name].label
        exact = name == "ici-exact"
        style = {"color": COLOURS[name], "marker": MARKS[name], "lw": 1.2, "label": label, "zorder": 3 if exact else 2}
        style |= {"ms": 2.5, "markevery": 5} if dense else {"ms": 5, "markevery": 1}
        axes.plot(path.x, path.y, ls="" if exact and points_per_turn >= 5 else "-", **style)
    axes.plot(-10.0, 0.0, marker="*", ms=14, color="gold", mec="black", ls="", label="start, heading up", zorder=4)
    _metre_axes(axes)
    step = 2.0 * math.pi / (10.0 * points_per_turn)
    turn_word = "one turn" if turns == 1 else f"{turns} turns"
    axes.set_title(
        f"{title}{': ' if title else ''}k = {points_per_turn} points per turn (dt = {step:.4f} s), {turn_word}\n"
        "100 m/s, 10 rad/s clockwise"
    )
    _legend_below(axes, 2)
    return figure


def figure_error_cost() -> Figure:
    """Error against measured cost: the circle (constant rates) and a turn with varying rates, every method."""
    figure, [[left, right]] = new_figure(1, 2, width=11.0, height=5.4)
    nanoseconds = {name: measure_step(name, steps=50_000, repeat=3) for name in METHODS}
    circle = baseline(5)
    for name in ("ici-first", "ici-second", "rk4", "ici-exact"):
        counts = 5 * np.array([20, 30, 50, 100, 200, 500, 1000, 3000, 10000])
        errors = np.array([direct_errors(circle, name, steps=int(n)).rows[-1].percent for n in counts])
        _error_curve(left, counts * nanoseconds[name] * 1e-3, np.maximum(errors, 1e-15), name, METHODS[name].label)
    left.set(title="Circle, 5 turns: constant rates", ylabel="error after 5 turns, thesis (38) [% of radius]")
    scenario = varying_turn()
    counts = np.array([50, 100, 200, 400, 800, 1600, 3200, 6400])
    for name, rates in (
        ("ici-first", "start"),
        ("ici-second", "midpoint"),
        ("ici-exact", "start"),
        ("ici-exact", "midpoint"),
        ("rk4", "start"),
        ("ici-magnus4", "start"),
    ):
        errors = np.array([direct_errors(scenario, name, steps=int(n), rates=rates).rows[-1].error for n in counts])
        label = METHODS[name].label + (f", {rates} rates" if name.startswith("ici-e") or rates != "start" else "")
        style = "--" if rates == "midpoint" else "-"
        _error_curve(right, counts * nanoseconds[name] * 1e-3, errors, name, label, style)
    right.set(title="Varying V and Omega, 10 s, 209 m of path", ylabel="error at the end [m]")
    for axes in (left, right):
        axes.set_xlabel("measured time for all steps, rates given, one core [µs]")
        axes.legend(fontsize=8.5)
    return figure


def figure_stability() -> Figure:
    """Growth per turn over k, and the regions in which a step does not grow."""
    figure, [[left, right]] = new_figure(1, 2, width=12.0, height=5.4)
    k = np.geomspace(1.0, 1000.0, 600)
    names = ("ici-first", "ici-second", "rk4", "ici-exact")
    for name in names:
        size = np.abs(growth_factor(name, 2.0 * math.pi / k))
        left.plot(k, size**k, color=COLOURS[name], lw=1.8, label=METHODS[name].label)
    left.set(xscale="log", yscale="log", ylim=(0.1, 200.0))
    left.axhline(1.0, color="0.7", lw=0.8, zorder=0)
    for value in (2, 4, 20, 100):
        left.axvline(value, color="0.8", lw=0.8, ls=":", zorder=0)
        left.text(value * 1.04, 0.11, f"k = {value}", fontsize=8, color="0.4", rotation=90, va="bottom")
    left.set(xlabel="k, points per turn", ylabel="radius after one turn / radius before, $|g|^k$")
    left.set_title("Growth on a circle: only the arc keeps it for every k")
    left.legend(fontsize=9, loc="upper right")
    reach = np.linspace(-3.2, 0.9, 401)
    rise = np.linspace(-3.4, 3.4, 501)
    plane = reach[None, :] + 1j * rise[:, None]
    for name in ("ici-first", "ici-second", "rk4"):
        # i theta is the step times the eigenvalue; any complex number may stand there.
        size = np.abs(growth_factor(name, -1j * plane))
        right.contour(reach, rise, size, levels=[1.0], colors=[COLOURS[name]], linewidths=1.8)
        right.plot([], [], color=COLOURS[name], lw=1.8, label=f"{METHODS[name].label}: $|g| = 1$")
    right.axvline(0.0, color=COLOURS["ici-exact"], lw=1.2, label="circular motion: $\\lambda\\,dt = i\\,2\\pi/k$")
    for value in (2, 4, 20):
        right.plot(0.0, 2.0 * math.pi / value, "o", color="black", ms=5)
        right.text(0.08, 2.0 * math.pi / value, f"k = {value}", fontsize=9, va="center")
    right.set(xlabel="real part of $\\lambda\\,dt$", ylabel="imaginary part of $\\lambda\\,dt$ [rad]")
    right.set(title="No growth inside the curve", aspect="equal")
    right.legend(fontsize=8.5, loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False)
    return figure


def figure_run(path: IciPath, title: str = "") -> Figure:
    """A path with headings, its space and body centrode, and the rates over time."""
    figure = Figure(figsize=(12.0, 6.4), layout="constrained")
    grid = figure.add_gridspec(3, 3, width_ratios=(2.0, 1.2, 1.2))
    world, body = figure.add_subplot(grid[:, 0]), figure.add_subplot(grid[:, 1])
    world.plot(path.x, path.y, color=COLOURS["ici-second"], lw=1.8, label="path", zorder=3)
    span = max(np.ptp(path.x), np.ptp(path.y), 1e-9)
    shown = np.unique(np.linspace(0, path.time.size - 1, 13).astype(int))
    arrows = (column[shown] for column in (path.x, path.y, path.ux, path.uy))
    arrows_drawn = world.quiver(*arrows, angles="xy", scale_units="xy", scale=16.0 / span, width=0.005, color="0.25")
    arrows_drawn.set(label="heading", zorder=4)
    world.plot(path.x[0], path.y[0], "*", ms=13, color="gold", mec="black", label="start", zorder=5)
    space_x, space_y = path.space_centrode
    body_x, body_y = path.body_centrode
    near = np.abs(path.radius) < 1.5 * span
    if near.any():
        # The dot shows a centrode that is a single point.
        world.plot(space_x[near][0], space_y[near][0], ".", color=COLOURS["ici-first"])
        world.plot(*_gaps(space_x, space_y, near), color=COLOURS["ici-first"], lw=1.2, label="space centrode")
    _metre_axes(world)
    # The centrode may run to infinity; the window, a square, follows the path and leaves it room.
    for values, limit in ((path.x, world.set_xlim), (path.y, world.set_ylim)):
        middle = 0.5 * (values.min() + values.max())
        limit(middle - 0.9 * span, middle + 0.9 * span)
    world.set_aspect("equal", adjustable="box")
    world.set_title(title or path.method.title)
    _legend_below(world, 4)
    if near.any():
        body.plot(body_x[near][0], body_y[near][0], ".", color=COLOURS["rk4"])
        body.plot(*_gaps(body_x, body_y, near), color=COLOURS["rk4"], lw=1.4, label="body centrode")
        wide, high = np.ptp(body_x[near]), np.ptp(body_y[near])
        if max(wide, high) < 4.0 * min(wide, high):
            body.set_aspect("equal", adjustable="datalim")
    else:
        body.text(0.5, 0.6, "no centre near:\nthe path is straight", ha="center", transform=body.transAxes)
    body.plot(0.0, 0.0, marker=">", ms=9, color="black", ls="", label="vehicle, heading right")
    body.set(xlabel="forward of the vehicle [m]", ylabel="left of the vehicle [m]")
    body.set_title("Instantaneous centre seen from the vehicle", fontsize=10)
    body.grid(True, color="0.92")
    _legend_below(body, 1)
    labels = ("$V_x$ [m/s]", "$V_y$, left [m/s]", "Omega, left [rad/s]")
    for row, (values, label) in enumerate(zip((path.vx, path.vy, path.omega), labels, strict=True)):
        axes = figure.add_subplot(grid[row, 2])
        axes.plot(path.time, values, color="0.2", lw=1.4)
        axes.set_ylabel(label, fontsize=9)
        if row == 2:
            axes.set_xlabel("time [s]")
        else:
            axes.tick_params(labelbottom=False)
    return figure


def save_thesis_figures(folder: str | Path) -> list[Path]:
    """Write figures 3, 4, A1, A2, the error-cost diagram, the stability map and an example with centrodes."""
    files = []
    for name, (points, turns) in THESIS_FIGURES.items():
        heading = "Figure " + name.removeprefix("figure_").upper()
        files += save_pair(figure_paths(points, turns, heading), folder, f"ici_{name}_k{points}")
    files += save_pair(figure_error_cost(), folder, "ici_error_cost")
    files += save_pair(figure_stability(), folder, "ici_stability")
    scenario: IciScenario = varying_turn()
    path = integrate(scenario, "ici-exact", steps=2000, rates="midpoint")
    return files + save_pair(figure_run(path, "Varying turn: path and centrodes"), folder, "ici_centrodes")


def _gaps(x: np.ndarray, y: np.ndarray, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A curve with gaps where it runs out of the picture."""
    return np.where(keep, x, np.nan), np.where(keep, y, np.nan)


def _error_curve(axes: Axes, x: np.ndarray, y: np.ndarray, name: str, label: str, style: str = "-") -> None:
    axes.loglog(x, y, ls=style, marker=MARKS[name], ms=4.5, lw=1.4, color=COLOURS[name], label=label)


def _legend_below(axes: Axes, columns: int) -> None:
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=columns, fontsize=9, frameon=False)


def _metre_axes(axes: Axes) -> None:
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="x [m]", ylabel="y [m]")

"""Figures of the bicycle: eigenvalues against speed, histories, wheel tracks, contact forces, drift, turns, drawing.

Every function returns a matplotlib Figure that belongs to no window.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from centrode.plots.figure import new_figure
from centrode.vehicles.bicycle.circles import Family
from centrode.vehicles.bicycle.kinematics import posture
from centrode.vehicles.bicycle.lecture import LectureRun
from centrode.vehicles.bicycle.linear import LinearBicycle
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.turns import SteadyTurn

WEAVE, CAPSIZE, CASTER, GREY = "#0072b2", "#d55e00", "#009e73", "0.6"


def eigenvalue_figure(linear: LinearBicycle, top: float = 10.0, title: str = "") -> Figure:
    """Real parts (lines) and imaginary part of the weave mode (dashed) against speed; stable range shaded."""
    figure, [[axes]] = new_figure(width=8.0, height=5.4)
    speeds = np.linspace(0.0, top, 801)
    names = [linear.named(v) for v in speeds]
    for mode, colour in (("capsize", CAPSIZE), ("castering", CASTER)):
        line = [float(n[mode].real) if mode in n else math.nan for n in names]  # type: ignore[union-attr]
        axes.plot(speeds, line, color=colour, lw=1.8, label=mode)
    weave = [n["weave"] for n in names]
    pairs = [(v, w) for v, w in zip(speeds, weave, strict=True) if not isinstance(w, tuple)]
    at = [v for v, _ in pairs]
    axes.plot(at, [w.real for _, w in pairs], color=WEAVE, lw=1.8, label="weave, real")
    axes.plot(at, [w.imag for _, w in pairs], color=WEAVE, lw=1.2, ls="--", label="weave, imaginary")
    apart = [(v, *w) for v, w in zip(speeds, weave, strict=True) if isinstance(w, tuple)]
    for k in (1, 2):
        axes.plot([row[0] for row in apart], [row[k] for row in apart], color=WEAVE, lw=1.8)
    axes.axhline(0.0, color="black", lw=0.8)
    critical = linear.critical_speeds()
    if critical.stable_range is not None:
        low, high = critical.stable_range
        axes.axvspan(low, min(high, top), color="#009e73", alpha=0.12, lw=0, label="stable by itself")
    speeds_named = ((critical.weave, "weave"), (critical.capsize, "capsize"), (critical.double_root, "double root"))
    for speed, text in speeds_named:
        height = -7.6 if text == "weave" else -9.3
        if speed is not None and speed < top:
            arrow = {"arrowstyle": "-", "color": GREY}
            said = f"{text}\n{speed:.4f} m/s"
            axes.annotate(said, (speed, 0.0), xytext=(speed, height), ha="center", fontsize=8, arrowprops=arrow)
    axes.set(xlabel="speed [m/s]", ylabel="eigenvalue [1/s]", xlim=(0.0, top), ylim=(-10.0, 10.0))
    axes.set_title(title or "Eigenvalues of straight upright motion")
    axes.legend(loc="upper left", fontsize=8, ncols=2)
    return figure


def history_figure(history: dict[str, Any], title: str = "") -> Figure:
    """Lean, steer, their rates and speed against time."""
    figure, [[top], [middle], [bottom]] = new_figure(3, height=2.4, share_x=True)
    t = history["time"]
    for name, colour in (("lean", WEAVE), ("steer", CAPSIZE)):
        top.plot(t, np.degrees(history[name]), color=colour, label=name)
        middle.plot(t, history[f"{name}_rate"], color=colour, label=f"{name} rate")
    top.set_ylabel("to the right [deg]")
    middle.plot(t, history["yaw_rate"], color=CASTER, label="yaw rate (left)")
    middle.set_ylabel("[rad/s]")
    bottom.plot(t, history["speed"], color="black", label="speed of the rear wheel")
    bottom.set(ylabel="[m/s]", xlabel="time [s]")
    for axes in (top, middle, bottom):
        axes.legend(loc="upper right", fontsize=8)
    top.set_title(title or "Bicycle")
    return figure


def track_figure(history: dict[str, Any]) -> Figure:
    """Contact points of both wheels on the ground."""
    figure, [[axes]] = new_figure(width=8.0, height=4.6)
    for end, colour in (("rear", CAPSIZE), ("front", WEAVE)):
        track = history[f"{end}_track"]
        axes.plot(track[:, 0], track[:, 1], color=colour, lw=1.2, label=f"{end} wheel")
    axes.set(xlabel="x [m]", ylabel="y, left [m]", title="Wheel tracks")
    span = np.ptp(history["rear_track"][:, :2], axis=0)
    if span[1] > 0.05 * span[0]:
        axes.set_aspect("equal", adjustable="datalim")
    axes.legend(fontsize=8)
    return figure


def contact_force_figure(history: dict[str, Any]) -> Figure:
    """Normal, lateral and longitudinal forces of the ground on both wheels (heading of the frame)."""
    figure, panels = new_figure(3, height=2.0, share_x=True)
    rows = panels[:, 0]
    yaw = history["yaw"]
    forward = np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
    left = np.stack([-np.sin(yaw), np.cos(yaw)], axis=1)
    for end, colour in (("rear", CAPSIZE), ("front", WEAVE)):
        force = history[f"{end}_force"]
        parts = (force[:, 2], np.einsum("ni,ni->n", force[:, :2], left), np.einsum("ni,ni->n", force[:, :2], forward))
        for axes, values in zip(rows, parts, strict=True):
            axes.plot(history["time"], values, color=colour, lw=1.2, label=f"{end} wheel")
    for axes, label in zip(rows, ("up [N]", "left [N]", "forward [N]"), strict=True):
        axes.set_ylabel(label)
    rows[0].legend(fontsize=8, loc="upper right")
    rows[0].set_title("Forces of the ground on the wheels")
    rows[-1].set_xlabel("time [s]")
    return figure


def drift_figure(with_projection: LectureRun, without: LectureRun) -> Figure:
    """Constraint errors with and without the projections of the lecture notes."""
    figure, [[axes]] = new_figure(width=8.0, height=4.8)
    step = float(without.time[1] - without.time[0])
    for run, colour, text in ((without, CAPSIZE, "without"), (with_projection, WEAVE, "with")):
        for what, error, style in (("coordinates", run.position_error, "-"), ("velocities", run.velocity_error, "--")):
            label = f"{what}, {text} projection"
            axes.semilogy(run.time, np.maximum(error, 1e-17), color=colour, ls=style, label=label)
    axes.set_title(f"Drift of the 21 constraints, RK4 with a step of {1e3 * step:g} ms")
    axes.set(xlabel="time [s]", ylabel="largest constraint error [m, rad; m/s, rad/s]")
    axes.legend(fontsize=8, loc="center right")
    return figure


def turns_figure(turns: list[SteadyTurn], standing: SteadyTurn | None = None) -> Figure:
    """Hands-free turns: speed and lean against steer, both ends of the family marked."""
    figure, [[axes]] = new_figure(width=8.0, height=4.8)
    other, beside = axes.twinx(), {"textcoords": "offset points", "fontsize": 8}
    steer = [math.degrees(turn.steer) for turn in turns]
    speed, lean = [turn.speed for turn in turns], [math.degrees(turn.lean) for turn in turns]
    if standing is not None:
        steer, speed, lean = [*steer, math.degrees(standing.steer)], [*speed, 0.0], [*lean, math.degrees(standing.lean)]
        axes.annotate("stands upright", (steer[-1], 0.0), xytext=(-8, 14), ha="right", **beside)
    axes.plot(steer, speed, color="black", label="speed")
    other.plot(steer, lean, color=WEAVE, label="lean")
    axes.annotate("capsize speed", (steer[0], speed[0]), xytext=(12, 2), **beside)
    title = "Hands-free circular motions, handlebar forward"
    axes.set(xlabel="steer [deg]", ylabel="speed of the rear contact [m/s]", ylim=(0.0, None), title=title)
    other.set_ylabel("lean [deg]", color=WEAVE)
    other.set_ylim(0.0, None)
    return figure


def circles_figure(families: list[Family]) -> Figure:
    """Families of circular motions: lean against steer, and speed against lean, ends marked."""
    figure, [[left, right]] = new_figure(1, 2, width=10.0, height=4.8, title="Hands-free circular motions")
    for family, colour in zip(families, (WEAVE, CAPSIZE, CASTER), strict=False):
        lean = [math.degrees(motion.lean) for motion in family.motions]
        steer = [math.degrees(motion.steer) for motion in family.motions]
        label = f"{family.name} ({family.begins} to {family.ends})"
        left.plot(steer, lean, color=colour, label=label)
        left.plot([steer[0], steer[-1]], [lean[0], lean[-1]], "o", color=colour, ms=4)
        right.plot([abs(x) for x in lean], [abs(motion.speed) for motion in family.motions], color=colour)
    left.set(xlabel="steer [deg]", ylabel="lean [deg]")
    right.set(xlabel="lean [deg]", ylabel="speed of the rear contact [m/s]")
    right.set_ylim(0.0, 12.0)
    figure.legend(loc="outside lower center", fontsize=8, ncols=1)
    return figure


def drawing(p: BicycleParameters, title: str = "") -> Figure:
    """Side view of the machine: wheels, steer axis, trail, centres of mass, hinges and the frames of the bodies."""
    figure, [[axes]] = new_figure(width=8.4, height=6.2)
    where = posture(p, 0.0, 0.0)
    angle = np.linspace(0.0, 2.0 * math.pi, 181)
    for hub, (_, radius, tyre) in zip((p.rear_hub, p.front_hub), p.wheels, strict=True):
        axes.plot(hub[0] + radius * np.cos(angle), hub[2] + radius * np.sin(angle), color="black", lw=2)
        if tyre:
            rim = radius - 2.0 * tyre
            axes.plot(hub[0] + rim * np.cos(angle), hub[2] + rim * np.sin(angle), color=GREY, lw=1)
    ground = np.array([p.wheelbase + p.trail, 0.0])
    up = -p.steer_axis[[0, 2]]
    high = max(p.frame_z, p.fork_z, 2.0 * p.front_radius) * 1.15
    top = ground + up * high / up[1]
    axes.plot([ground[0], top[0]], [0.0, top[1]], color=CASTER, ls="-.", lw=1.2, label="steer axis")
    head = ground + up * (p.fork_z / up[1])
    for hub, colour, label in ((p.rear_hub, WEAVE, "rear frame"), (p.front_hub, CAPSIZE, "front assembly")):
        axes.plot([hub[0], head[0]], [hub[2], head[1]], color=colour, lw=3, alpha=0.5, label=label)
    size, beside = 0.14 * p.wheelbase, {"textcoords": "offset points", "fontsize": 8}
    for body, centre in p.centres().items():
        rotation = where.rotations[body]
        for column, colour in ((0, "red"), (2, "blue")):
            arrow = size * rotation[[0, 2], column]
            tip = (centre[0] + arrow[0], centre[2] + arrow[1])
            axes.annotate("", tip, (centre[0], centre[2]), arrowprops={"arrowstyle": "->", "color": colour})
        axes.plot(centre[0], centre[2], "o", color="black", ms=4)
        axes.annotate(f"{body}, {p.masses()[body]:g} kg", (centre[0], centre[2]), xytext=(6, -11), **beside)
    front = np.array([p.wheelbase, 0.0])
    axes.annotate("", tuple(ground), tuple(front), arrowprops={"arrowstyle": "<->", "color": CASTER})
    axes.annotate(f"trail {1e3 * p.trail:.0f} mm", (ground + front) / 2.0, xytext=(0, -14), ha="center", **beside)
    axes.annotate("", (0.0, -0.09), (p.wheelbase, -0.09), arrowprops={"arrowstyle": "<->", "color": GREY})
    axes.text(0.5 * p.wheelbase, -0.13, f"wheelbase {p.wheelbase:g} m", ha="center", va="top", fontsize=8)
    axes.axhline(0.0, color=GREY, lw=1)
    axes.plot(0.0, 0.0, "s", color="black", ms=5)
    axes.annotate("origin O", (0.0, 0.0), xytext=(6, 5), **beside)
    axes.set(aspect="equal", ylim=(-0.26, high * 1.04), xlabel="x, forward [m]", ylabel="z, up [m]")
    axes.set_title(title or "Bicycle: bodies with their frames (x red, z blue, y to the left)")
    axes.legend(fontsize=8, loc="upper left")
    return figure

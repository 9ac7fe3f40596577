"""Measured crashes beside the runs, as figures and tables: ``python -m centrode.crash.measured.figures docs``.

Writes ``images/measured-*.svg`` and ``measured-results.md`` below a folder, which docs/measured.md shows. Numbers come
from the runs of :mod:`centrode.crash.measured.crashes` and from the checks of ``centrode verify measured``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from centrode.crash.measured import crashes
from centrode.crash.measured.published import checks
from centrode.crash.pulse import sensed_changes
from centrode.plots.figure import COLOURS, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TAURUS_DELTA_V = {
    "bullet": (
        (
            0, -0.43, -0.94, -1.41, -2.71, -4.66, -6.27, -7.62,
            -9.65, -11.42, -12.03, -12.54, -12.94, -13.31, -13.82, -14.23,
        ),
        (
            0, -0.04, 0.29, 0.58, 0.66, 0.51, 1.07, 2.61,
            3.12, 4.88, 4.31, 4.28, 4.34, 4.25, 4.18, 4.3,
        ),
    ),
    "target": (
        (
            0, -0.4, -0.7, -1.53, -2.43, -4.18, -6.09, -7.64,
            -8.61, -10.35, -11.2, -11.77, -12.12, -12.5, -12.95, -13.29,
        ),
        (
            0, 0.03, 0.31, 0.52, 0.94, 1.09, 1.49, 2.95,
            3.97, 4.09, 4.69, 5.2, 5.22, 5.35, 5.65, 6.04,
        ),
    ),
}  # fmt: skip
"""NHTSA 7292: mean of the left and right door sill every 10 ms, along and across (right positive) [m/s]."""
CAMRY_PROFILE = (0.380, 0.466, 0.511, 0.518, 0.489, 0.370)
"""NHTSA 10146: residual crush C1 to C6 over 1.26 m [m]."""


def figure_camry() -> Figure:
    """Velocity over time and residual profile of the barrier test."""
    run = crashes.barrier()
    figure, [[left, right]] = new_figure(1, 2, height=3.0)
    touch = 0.014 / crashes.CAMRY_SPEED
    left.plot(10.0 * np.arange(len(crashes.CAMRY_VELOCITY)), crashes.CAMRY_VELOCITY, "o", ms=4, label="measured")
    inside = run.time <= 0.15 + touch
    left.plot(1e3 * (run.time[inside] - touch), run["car.velocity"][inside, 0], label="run")
    left.set(xlabel="time since touch [ms]", ylabel="velocity [m/s]", title="NHTSA 10146, Camry into a barrier")
    left.legend(frameon=False)
    vehicle = run.collisions[0].vehicle("car")
    for profile, width, text, mark in (
        (CAMRY_PROFILE, 1.26, "measured", "o"),
        (vehicle.profile, vehicle.damage_width, "run", "-"),
    ):
        right.plot(np.linspace(-0.5, 0.5, 6) * width, profile, mark, label=text)
    right.set(xlabel="place across, left to right [m]", ylabel="residual crush [m]", ylim=(0, None), title="C1 to C6")
    right.legend(frameon=False)
    return figure


def figure_taurus() -> Figure:
    """Delta-V along and across of both cars of 7292, as their sills felt it."""
    run = crashes.left_on_left()
    figure, [panels] = new_figure(1, 2, height=3.0)
    begin = run.collisions[0].begin
    for panel, (car, measured) in zip(panels, TAURUS_DELTA_V.items(), strict=True):
        times, along, left = sensed_changes(run, car, begin)
        inside = times <= 0.15
        for values, own, colour, text in (
            (measured[0], along, COLOURS[0], "along"),
            (measured[1], -left, COLOURS[1], "to the right"),
        ):
            panel.plot(10.0 * np.arange(16), values, "o", ms=3, color=colour, label=f"{text}, measured")
            panel.plot(1e3 * times[inside], own[inside], color=colour, label=f"{text}, run")
        panel.set(xlabel="time since touch [ms]", ylabel="delta-V [m/s]", title=f"NHTSA 7292, {car}")
        panel.legend(frameon=False, fontsize=7)
    return figure


def figure_oblique() -> Figure:
    """Delta-V and change of yaw rate of the oblique tests."""
    figure, [panels] = new_figure(1, 2, height=3.0)
    names = [f"{test} {car}" for test, item in crashes.OBLIQUE.items() for car in item.cars]
    pairs = [(test, k) for test in crashes.OBLIQUE for k in (0, 1)]
    measured = [
        [crashes.OBLIQUE[test].delta_v[k] for test, k in pairs],
        [crashes.OBLIQUE[test].yaw[k] for test, k in pairs],
    ]
    runs = [
        [crashes.delta_v(crashes.oblique(test), f"car{k + 1}") for test, k in pairs],
        [crashes.yaw_change(crashes.oblique(test), f"car{k + 1}") for test, k in pairs],
    ]
    for panel, one, two, label in zip(
        panels, measured, runs, ("delta-V [m/s]", "change of yaw rate [deg/s]"), strict=True
    ):
        place = np.arange(len(names))
        panel.bar(place - 0.2, one, 0.38, label="fitted to the test", color=COLOURS[0])
        panel.bar(place + 0.2, two, 0.38, label="run", color=COLOURS[1])
        panel.set_xticks(place, names, rotation=20, fontsize=7)
        panel.set_ylabel(label)
        panel.axhline(0.0, color="0.4", lw=0.6)
    panels[1].legend(frameon=False, fontsize=7)
    return figure


def figure_small_overlap() -> Figure:
    """Run over measured, of the ten small overlaps."""
    figure, [panels] = new_figure(1, 3, height=2.8)
    tests = crashes.SMALL_OVERLAP
    found = {name: np.abs(crashes.sensed(crashes.small_overlap(name), "car")) for name in tests}
    for k, (panel, label) in enumerate(zip(panels, ("dVx [m/s]", "dVy [m/s]", "yaw [deg/s]"), strict=True)):
        measured = np.array([(item.along, item.across, item.yaw)[k] for item in tests.values()])
        own = np.array([found[name][k] for name in tests])
        panel.plot(measured, own, "o", ms=4)
        worst = int(np.abs(own / measured - 1.0).argmax())
        at = (float(measured[worst]), float(own[worst]))
        panel.annotate(list(tests)[worst], at, (-8, -14), textcoords="offset points", ha="right", fontsize=7)
        ends = [0.0, 1.1 * max(measured.max(), own.max())]
        panel.plot(ends, ends, color="0.5", lw=0.8)
        panel.set(xlabel=f"measured {label}", ylabel="run")
    return figure


def result_rows() -> list[tuple[str, str, str, str, str, str]]:
    """Every check of ``centrode verify measured`` with what is reached."""
    rows = []
    for check in checks():
        reached = check.compute()
        off = reached - check.published
        size = off / check.published if check.relative else off
        allowed, difference = (f"{100 * check.tolerance:.0f} %", f"{100 * size:+.1f} %") if check.relative else (
            f"{check.tolerance:g}", f"{off:+.3g}")  # fmt: skip
        verdict = "holds" if abs(size) <= check.tolerance else "**fails**"
        rows.append((check.id, f"{check.published:g}", f"{reached:.4g}", difference, allowed, verdict))
    for name, error in zip(crashes.SMALL_OVERLAP, crashes.small_overlap_errors(), strict=True):
        text = " / ".join(f"{100 * value:+.0f} %" for value in error)
        rows.append((f"{name} dVx / dVy / yaw", "", "", text, "", ""))
    return rows


def results_text() -> str:
    """The table as Markdown."""
    lines = ["| figure | measured | run | difference | allowed | |", "|---|---:|---:|---:|---:|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in result_rows()]
    return "\n".join(lines) + "\n"


def write(folder: Path) -> list[Path]:
    """Write figures and table below a folder."""
    made = {
        "camry": figure_camry,
        "taurus": figure_taurus,
        "oblique": figure_oblique,
        "small-overlap": figure_small_overlap,
    }
    written = [save_figure(draw(), folder / "images" / f"measured-{name}.svg") for name, draw in made.items()]
    target = folder / "measured-results.md"
    target.write_text(results_text(), encoding="utf-8")
    return [*written, target]


if __name__ == "__main__":
    for path in write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs")):
        sys.stdout.write(f"{path}\n")

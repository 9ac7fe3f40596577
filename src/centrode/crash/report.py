"""The crash report of a run as files: table, JSON, CSV, figures, and one page that holds all of it."""

from __future__ import annotations

import html
import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from centrode.crash.collisions import GRAVITY, Collision
from centrode.crash.tyre_marks import marks_csv, marks_table
from centrode.errors import InputError
from centrode.texts import AnyPath, html_table, to_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from centrode.recording.recording import Recording
    from centrode.studies.sensitivity import Sensitivity

DEFINITIONS = (
    ("collision", "all contacts of two bodies with less than 25 ms between them"),
    ("delta-V", "impulse of the contact forces of the collision divided by the mass of the vehicle"),
    ("PDOF", "direction from which the force came, seen from the vehicle at first touch; 0 from ahead, left positive"),
    ("clock", "the same on a clock face: 12 from ahead, 3 from the right, 6 from behind"),
    ("EES", "energy equivalent speed: that at which the vehicle has the energy its structure took up"),
    (
        "C1 to C6",
        "residual crush at six places over the damaged width, left to right; of the side that took up most",
    ),
    ("closing speed", "approach of the touching points along the contact normal at first touch"),
    ("restitution e", "parting over closing speed along the first normal, of the rigid motion at the impulse"),
    (
        "tyre mark",
        "stretch where a wheel stands on the road and slides beyond full slip, the slip of 99 % of the tyre's greatest "
        "force; its energy is friction force times sliding way",
    ),
    ("friction, crush, vibration", "energy lost in sliding, in the contact law (crush, damping), left in the bodies"),
)


def save_crash_report(run: Recording, folder: AnyPath, sensitivity: Sensitivity | None = None) -> list[Path]:
    """Write crash.txt, crash.json, crash.csv, marks.csv, crash.html and the figures of a run into a folder.

    Args:
        folder: made when it does not exist.
        sensitivity: labels from :func:`centrode.studies.sensitivity.collision_sensitivity`, or None.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise InputError("not a folder", got=str(folder))
    target.mkdir(parents=True, exist_ok=True)
    figures = crash_figures(run)
    table = run.collisions.table() + ("\n\n" + sensitivity.table() if sensitivity is not None else "")
    texts = {
        "crash.txt": table + "\n",
        "crash.json": json.dumps(crash_data(run, sensitivity), indent=2, allow_nan=False) + "\n",
        "crash.csv": run.collisions.to_csv(),
        "marks.csv": marks_csv(run.tyre_marks),
        "crash.html": crash_page(run, figures, sensitivity),
    }
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8")
    for name, figure in figures.items():
        figure.savefig(target / f"{name}.png", dpi=120)
    return [target / name for name in (*texts, *(f"{name}.png" for name in figures))]


def crash_data(run: Recording, sensitivity: Sensitivity | None = None) -> dict[str, Any]:
    """Everything that the report says, as plain values (not-a-number becomes None)."""
    data = run.collisions.to_data()
    data["tyre_marks"] = [mark.to_data() for mark in run.tyre_marks]
    made = run.provenance
    data |= {"title": made.title, "scenario_digest": made.scenario_digest, "method": made.method}
    if sensitivity is not None:
        data["sensitivity"] = sensitivity.to_data()
    cleaned: dict[str, Any] = to_json(data)
    return cleaned


def crash_figures(run: Recording) -> dict[str, Figure]:
    """Pulses, delta-V over time, and the tracks of the vehicles that collided with their tyre marks."""
    hits = run.collisions
    if not hits:
        return {}
    return {"pulses": figure_pulses(hits), "delta_v": figure_delta_v(hits), "tracks": figure_paths(run)}


def figure_pulses(collisions: list[Collision]) -> Figure:
    """Contact force over time of each collision (the first twelve)."""
    from centrode.plots.figure import new_figure

    shown = collisions[:12]
    figure, panels = new_figure(len(shown), 1, height=1.9)
    for collision, panel in zip(shown, panels[:, 0], strict=True):
        panel.plot(1e3 * (collision.pulse_times - collision.begin), [1e-3 * f for f in collision.pulse])
        panel.set_ylabel("force [kN]")
        heavy = max(collision.vehicles, key=lambda item: item.mass)
        force = collision.peak_force
        peak = f"{1e-3 * force:.1f} kN, {force / heavy.mass / GRAVITY:.1f} g of {heavy.name}"
        panel.set_title(f"{' - '.join(collision.names)} at {collision.begin:.4f} s: {peak}", fontsize=9, loc="left")
    panels[-1, 0].set_xlabel("time since first touch [ms]")
    return figure


def figure_delta_v(collisions: list[Collision]) -> Figure:
    """Delta-V of each vehicle seen from the vehicle: ahead is up, left is left."""
    from centrode.plots.figure import COLOURS, new_figure

    figure, [[panel]] = new_figure(width=5.0, height=5.0)
    vehicles = [vehicle for item in collisions for vehicle in item.vehicles]
    moved = [vehicle for vehicle in vehicles if vehicle.mass > 0]
    for vehicle, colour in zip(moved[:24], itertools.cycle(COLOURS), strict=False):
        tip = (-vehicle.delta_v_left, vehicle.delta_v_along)
        panel.annotate("", tip, (0, 0), arrowprops={"arrowstyle": "->", "color": colour})
        panel.text(*tip, f"{vehicle.name} {vehicle.delta_v_size:.2f} m/s", fontsize=8)
    reach = 1.25 * max(vehicle.delta_v_size for vehicle in vehicles) or 1.0
    panel.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    panel.set(xlabel="delta-V to the right [m/s]", ylabel="delta-V ahead [m/s]")
    return figure


def figure_paths(run: Recording) -> Figure:
    """Tracks from above of all vehicles that collided, with the places of impulse and the tyre marks."""
    from centrode.plots.figure import new_figure

    figure, [[panel]] = new_figure(height=3.6)
    collisions = run.collisions
    for name in collisions.rest:
        body = name if f"{name}.position" in run else f"{name}.body"
        position = run[f"{body}.position"]
        panel.plot(position[:, 0], position[:, 1], lw=1.0, label=name if len(collisions.rest) < 9 else None)
    for mark in run.tyre_marks:
        panel.plot(mark.points[:, 0], mark.points[:, 1], color="0.25", lw=1.6, alpha=0.5, zorder=0)
    for item in collisions:
        panel.plot(item.point[0], item.point[1], "k+", ms=7)
    panel.set(xlabel="x [m]", ylabel="y [m]")
    if 0 < len(collisions.rest) < 9:
        panel.legend(fontsize=8)
    return figure


def crash_page(run: Recording, figures: dict[str, Figure], sensitivity: Sensitivity | None = None) -> str:
    """The report as one offline HTML page."""
    from centrode.plots.figure import png_bytes
    from centrode.view.page import page
    from centrode.view.sections import STYLE, image, preformatted, section, warnings

    collisions = run.collisions
    title = f"{run.provenance.title or 'Run'}: crash report"
    parts = [f"<h1>{html.escape(title)}</h1>"]
    if not len(collisions):
        parts.append("<p>No collision happened in this run.</p>")
    else:
        parts.append(warnings(sensitivity.warnings() if sensitivity is not None else ()))
        parts.append(_table(collisions.rows()))
        parts.append(section("At the end of the run", _table(collisions.rest_rows())))
        parts.append(section("Tyre marks", _table(marks_table(run.tyre_marks))))
        parts += [image(png_bytes(figure), name) for name, figure in figures.items()]
        parts.append(section("Sensitivity", preformatted(sensitivity.table()) if sensitivity is not None else ""))
    named = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in DEFINITIONS)
    parts.append(section("Definitions", f"<dl>{named}</dl>"))
    parts.append(section("Scenario", preformatted(run.provenance.scenario_text)))
    return page(title, "\n".join(parts), style=STYLE, script="")


def _table(rows: list[dict[str, Any]]) -> str:
    return html_table(list(rows[0]), [list(row.values()) for row in rows]) if rows else ""

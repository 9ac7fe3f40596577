"""The report of a run: one page with replay, figures, tables, energy audit, warnings, provenance and the scenario.

The page is offline like the replay itself. A PDF holds a picture in the place of the replay.
"""

from __future__ import annotations

import html
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from centrode.crash.collisions import cautions
from centrode.crash.diagram_settings import DiagramSettings
from centrode.crash.sections import crash_sections, doubts
from centrode.errors import CentrodeError
from centrode.plots.channels import figure_channels
from centrode.plots.energy import audit_rows, figure_energy, has_energy
from centrode.plots.figure import png_bytes
from centrode.plots.tracks import figure_tracks
from centrode.plots.tyre_use import figure_tyre_use, wheels_of
from centrode.recording.events import EVENT_COLUMNS
from centrode.recording.export import heading, rows_of
from centrode.recording.recording import Recording
from centrode.recording.warnings import warnings_of
from centrode.texts import AnyPath, Say, html_table, output_file
from centrode.view.browser import Browser
from centrode.view.page import page, replay_parts, write_text
from centrode.view.pictures import Look, picture
from centrode.view.scene import body_names, scene_of
from centrode.view.sections import STYLE, image, preformatted, section, warnings

_MOST_ROWS = 120
_MOST_EVENTS = 200


def save_report(
    run: Recording,
    path: AnyPath,
    *,
    channels: Sequence[str] = (),
    settings: DiagramSettings | None = None,
    say: Say = None,
) -> Path:
    """Write the report as .html or .pdf (through Chromium).

    Args:
        run: the recording.
        path: file to write; its ending chooses the format.
        channels: channels to draw besides the usual figures.
        settings: of the scale diagram, when vehicles collide.
        say: called with a line of text before something that takes time.
    """
    target = output_file(path, ".html", ".pdf")
    if target.suffix.lower() != ".pdf":
        write_text(target, report_page(run, channels=channels, settings=settings, say=say))
        return target
    still = picture(run, *_shown(run), say=say)
    with tempfile.TemporaryDirectory(prefix="centrode-report-") as folder:
        source = Path(folder) / "report.html"
        write_text(source, report_page(run, channels=channels, settings=settings, still=still))
        with Browser(1060, 1400) as browser:
            browser.open(source)
            browser.wait_for("document.readyState === 'complete'")
            target.write_bytes(browser.pdf())
    return target


def _shown(run: Recording) -> tuple[float, Look]:
    """Time and camera of the picture: the strongest collision from aside, or all of it at half time."""
    if not run.collisions:
        return float(run.time[0]) + 0.5 * run.duration, Look()
    hit = max(run.collisions, key=lambda item: item.impulse_size)
    x, y = hit.point[:2]
    time = min(hit.begin + 0.5 * hit.duration, float(run.time[-1]))
    return time, Look(camera=f"{x - 5:.3f},{y - 6:.3f},4.5", look=f"{x:.3f},{y:.3f},0.4")


def report_page(
    run: Recording,
    *,
    channels: Sequence[str] = (),
    settings: DiagramSettings | None = None,
    still: bytes | None = None,
    say: Say = None,
) -> str:
    """The report as HTML text; ``still`` is a picture (PNG) in the place of the replay."""
    title = run.provenance.title or "Run"
    scene = scene_of(run)
    crash = crash_sections(run, run.collisions.custom, settings)
    # A printed crash report is for readers: what only a machine reads stays in the recording.
    brief = bool(crash) and still is not None
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        *crash[:1],
        "" if brief else html_table((), heading(run)[1:] if run.provenance.title else heading(run)),
        replay_parts(scene) if still is None else image(still, f"The scene at {_shown(run)[0]:.2f} s."),
        section("Warnings", _warnings(run, scene.data["remarks"])),
        *crash[1:],
        section("Figures", _figures(run, channels)),
        section("Energy audit", _audit(run)),
        section("Events", "" if brief else _events(run)),
        section("Channels", "" if brief else _channels(run, folded=still is None)),
        section("Provenance", _provenance(run)),
        section("Scenario", preformatted(run.provenance.scenario_text)),
    ]
    return page(title, "\n".join(parts), style=STYLE, script="viewer" if still is None else "", say=say)


def _warnings(run: Recording, remarks: list[str]) -> str:
    found = [*(text for text in warnings_of(run) if text not in cautions(run)), *remarks]
    said = "None: the run completed and all values are finite."
    if "energy.residual" in run and not doubts(run):
        largest = float(np.nanmax(np.abs(run["energy.residual"]), initial=0.0))
        said += f" The energy audit closes within {largest:.2g} J."
    return warnings(found) or f'<p class="good">{said}</p>'


def _figures(run: Recording, channels: Sequence[str]) -> str:
    names = body_names(run)
    speeds = [f"{name}.velocity" for name in names[:3] if f"{name}.velocity" in run]
    forces = [name for name in run if name.endswith(".force")][:3]
    found = [(figure_tracks(run, names[:40]), "Tracks of the bodies.")] if names else []
    for shown, caption in ((speeds, "Velocities."), (forces, "Forces of joints.")):
        found += [(figure_channels(run, shown), caption)] if shown else []
    if wheels_of(run):
        found.append((figure_tyre_use(run), "Tyre use of the first vehicle."))
    found += [(plot.figure(run), f"{plot.title or plot.name}.") for plot in _declared(run)]
    found += [(figure_channels(run, channels), "Chosen channels.")] if channels else []
    note = '<p class="note">Figures from here on are in SI units.</p>' if run.collisions.custom.units != "si" else ""
    return note + "".join(image(png_bytes(figure), caption) for figure, caption in found)


def _declared(run: Recording) -> list[Any]:
    """The plots that the scenario declares; none when it cannot be read."""
    try:
        return run.scenario().system.of_family("plot")
    except CentrodeError:
        return []


def _audit(run: Recording) -> str:
    if not has_energy(run):
        return ""
    caption = "Energy, work, and the residual that the method leaves (change minus work)."
    columns = ("quantity", "start [J]", "end [J]", "largest [J]")
    return image(png_bytes(figure_energy(run)), caption) + html_table(columns, audit_rows(run))


def _events(run: Recording) -> str:
    rows = run.events[:_MOST_EVENTS].rows()
    more = f"<p>and {len(run.events) - _MOST_EVENTS} more</p>" if len(run.events) > _MOST_EVENTS else ""
    return html_table(EVENT_COLUMNS, rows) + more if rows else ""


def _channels(run: Recording, folded: bool) -> str:
    rows = rows_of(run)
    table = html_table(("channel", "unit", "smallest", "largest", "last"), rows[:_MOST_ROWS])
    more = f"<p>and {len(rows) - _MOST_ROWS} more columns in the recording</p>" if len(rows) > _MOST_ROWS else ""
    if not folded:
        return table + more
    return f"<details><summary>{len(rows)} columns</summary>{table}{more}</details>"


def _provenance(run: Recording) -> str:
    made, cost = run.provenance, run.statistics
    rows: list[tuple[str, Any]] = [
        ("scenario, SHA-256", made.scenario_digest),
        ("Centrode", made.version),
        ("machine code for", made.processors),
        ("method", made.method),
        *[(f"setting: {key}", value) for key, value in made.settings.items() if value is not None],
        ("steps", f"{cost.steps} accepted, {cost.rejected} rejected, {cost.evaluations} evaluations"),
        *[(key.replace("_", " "), value) for key, value in cost.more.items()],
    ]
    if made.seed is not None:
        rows.append(("seed", made.seed))
    return html_table((), [row for row in rows if row[1] not in ("", None)])

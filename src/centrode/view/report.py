"""The report of a run: one page with replay, figures, tables, energy audit, warnings, provenance and the scenario.

The page is offline like the replay itself. A PDF holds a picture in the place of the replay.
"""

from __future__ import annotations

import base64
import html
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from centrode.errors import CentrodeError, InputError
from centrode.view.page import page, replay_parts, write_text
from centrode.view.scene import scene_of

if TYPE_CHECKING:
    from centrode.recording.recording import Recording

_STYLE = """
body { margin: 0 auto; max-width: 1060px; padding: 24px 28px 60px; color: #1d252c; background: #fff;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 34px 0 10px; border-bottom: 1px solid #d9dfe3; }
#centrode { height: 540px; border-radius: 8px; overflow: hidden; margin: 18px 0; }
table { border-collapse: collapse; font-size: 13px; } th { text-align: left; background: #f3f6f8; }
th, td { padding: 3px 12px 3px 6px; border-bottom: 1px solid #e6ebee; } td.number { text-align: right;
  font-variant-numeric: tabular-nums; }
img { max-width: 100%; } figure { margin: 12px 0; } figcaption { color: #56636d; font-size: 13px; }
pre { background: #f6f8f9; padding: 12px; overflow-x: auto; font-size: 12px; border-radius: 6px; }
.warning { border-left: 4px solid #e4572e; background: #fdf2ee; padding: 6px 12px; margin: 6px 0; }
.good { border-left: 4px solid #2a9d6f; background: #eef8f3; padding: 6px 12px; margin: 6px 0; }
details > summary { cursor: pointer; color: #24414f; }
@media print { body { max-width: none; padding: 0; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; }
  pre { white-space: pre-wrap; } }
@page { size: A4; margin: 16mm; }
"""

_MOST_ROWS = 120
_MOST_EVENTS = 200
# Beyond this share of the energy that moved, the audit is called out: a method of order two or more with a sound step
# stays far below.
AUDIT_LIMIT = 1e-3


def save_report(
    run: Recording,
    path: str | os.PathLike[str],
    *,
    channels: Sequence[str] = (),
    say: Callable[[str], None] | None = None,
) -> Path:
    """Write the report as .html or .pdf (through Chromium).

    Args:
        run: the recording.
        path: file to write; its ending chooses the format.
        channels: channels to draw besides the usual figures.
        say: called with a line of text before something that takes time.
    """
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise InputError("unknown kind of report", got=str(path), expected="a name that ends in .html or .pdf")
    if not target.parent.is_dir():
        raise InputError("no such folder", got=str(target.parent), hint="make it, or choose another output")
    if target.suffix.lower() != ".pdf":
        write_text(target, report_page(run, channels=channels, say=say))
        return target
    import tempfile

    from centrode.view.browser import Browser
    from centrode.view.pictures import picture

    still = picture(run, float(run.time[0]) + 0.5 * run.duration, say=say)
    with tempfile.TemporaryDirectory(prefix="centrode-report-") as folder:
        source = Path(folder) / "report.html"
        write_text(source, report_page(run, channels=channels, still=still))
        with Browser(1060, 1400) as browser:
            browser.open(source)
            browser.wait_for("document.readyState === 'complete'")
            target.write_bytes(browser.pdf())
    return target


def report_page(
    run: Recording,
    *,
    channels: Sequence[str] = (),
    still: bytes | None = None,
    say: Callable[[str], None] | None = None,
) -> str:
    """The report as HTML text; ``still`` is a picture (PNG) in the place of the replay."""
    from centrode.recording.export import heading

    title = run.provenance.title or "Run"
    scene = scene_of(run)
    parts = [f"<h1>{html.escape(title)}</h1>", _table((), heading(run)[1:] if run.provenance.title else heading(run))]
    if still is None:
        parts.append(replay_parts(scene))
    else:
        parts.append(_image(still, "the scene at half time"))
    parts += [
        _section("Warnings", _warnings(run, scene.data["remarks"])),
        _section("Collisions", _collisions(run)),
        _section("Figures", _figures(run, channels)),
        _section("Energy audit", _audit(run)),
        _section("Events", _events(run)),
        _section("Channels", _channels(run, folded=still is None)),
        _section("Provenance", _provenance(run)),
        _section("Scenario", _scenario(run)),
    ]
    return page(title, "\n".join(parts), style=_STYLE, script="viewer" if still is None else "", say=say)


def warnings_of(run: Recording) -> list[str]:
    """What a reader should know before trusting a run."""
    found = []
    if not run.status.completed:
        found.append(f"The run did not complete: {run.status}.")
    if "energy.residual" in run and "energy.kinetic" in run and len(run.time):
        moved = float(np.ptp(run["energy.kinetic"])) or float(np.abs(run["energy.kinetic"]).max())
        residual = float(np.nanmax(np.abs(run["energy.residual"])))
        if moved > 0 and residual > AUDIT_LIMIT * moved:
            found.append(
                f"The energy audit is off by {residual:.3g} J, {100 * residual / moved:.2g} % of the kinetic energy "
                "that moved: try a smaller step or a tighter tolerance."
            )
    not_finite = [name for name in run if not np.all(np.isfinite(run[name]))]
    if not_finite:
        found.append(f"Not all values are finite in {', '.join(not_finite[:5])}{', ...' if not_finite[5:] else ''}.")
    if run.statistics.rejected > run.statistics.steps > 0:
        found.append("More steps were rejected than accepted: something in the run is stiff or discontinuous.")
    found += [f"{item.subject}" for item in run.events if item.kind == "note"]
    found += [f"At {item.time:.6g} s: {item.kind}." for item in run.events if item.kind.startswith("near-singular")]
    return found


def _warnings(run: Recording, remarks: list[str]) -> str:
    found = [*warnings_of(run), *remarks]
    if not found:
        return '<p class="good">None: the run completed, all values are finite and the energy audit closes.</p>'
    return "".join(f'<p class="warning">{html.escape(text)}</p>' for text in found)


def _collisions(run: Recording) -> str:
    """The crash table of a run that has collisions."""
    try:
        collisions = getattr(run, "collisions", None)
        if collisions is None or not len(collisions):
            return ""
        return f"<pre>{html.escape(str(collisions.table()))}</pre>"
    except (CentrodeError, TypeError, AttributeError):
        return ""


def _figures(run: Recording, channels: Sequence[str]) -> str:
    from centrode.plots.channels import figure_channels
    from centrode.plots.figure import png_bytes
    from centrode.plots.tracks import figure_tracks
    from centrode.plots.tyre_use import figure_tyre_use, wheels_of
    from centrode.view.scene import body_names

    found = []
    names = body_names(run)
    if names:
        found.append(_image(png_bytes(figure_tracks(run, names[:40])), "Tracks of the bodies."))
        speeds = [f"{name}.velocity" for name in names[:3] if f"{name}.velocity" in run]
        if speeds:
            found.append(_image(png_bytes(figure_channels(run, speeds)), "Velocities."))
    forces = [name for name in run if name.endswith(".force")][:3]
    if forces:
        found.append(_image(png_bytes(figure_channels(run, forces)), "Forces of joints."))
    if wheels_of(run):
        found.append(_image(png_bytes(figure_tyre_use(run)), "Tyre use of the first vehicle."))
    if channels:
        found.append(_image(png_bytes(figure_channels(run, channels)), "Chosen channels."))
    return "".join(found)


def _audit(run: Recording) -> str:
    from centrode.plots.energy import audit_rows, figure_energy, has_energy
    from centrode.plots.figure import png_bytes

    if not has_energy(run):
        return ""
    picture = _image(
        png_bytes(figure_energy(run)), "Energy, work, and the residual that the method leaves (change minus work)."
    )
    return picture + _table(("quantity", "start [J]", "end [J]", "largest [J]"), audit_rows(run))


def _events(run: Recording) -> str:
    rows = [
        (f"{item.time:.6f}", item.kind, item.subject, ", ".join(f"{k} = {v:.6g}" for k, v in item.values.items()))
        for item in run.events[:_MOST_EVENTS]
    ]
    more = f"<p>and {len(run.events) - _MOST_EVENTS} more</p>" if len(run.events) > _MOST_EVENTS else ""
    return _table(("time [s]", "event", "subject", "values"), rows) + more if rows else ""


def _channels(run: Recording, folded: bool) -> str:
    from centrode.recording.export import rows_of

    rows = rows_of(run)
    table = _table(("channel", "unit", "smallest", "largest", "last"), rows[:_MOST_ROWS])
    more = f"<p>and {len(rows) - _MOST_ROWS} more columns in the recording</p>" if len(rows) > _MOST_ROWS else ""
    if not folded:
        return table + more
    return f"<details><summary>{len(rows)} columns</summary>{table}{more}</details>"


def _provenance(run: Recording) -> str:
    made, cost = run.provenance, run.statistics
    rows: list[tuple[str, Any]] = [
        ("scenario, SHA-256", made.scenario_digest),
        ("Centrode", made.version),
        ("method", made.method),
        *[(f"setting: {key}", value) for key, value in made.settings.items() if value is not None],
        ("steps", f"{cost.steps} accepted, {cost.rejected} rejected, {cost.evaluations} evaluations"),
        *[(key.replace("_", " "), value) for key, value in cost.more.items()],
    ]
    if made.seed is not None:
        rows.append(("seed", made.seed))
    return _table((), [row for row in rows if row[1] not in ("", None)])


def _scenario(run: Recording) -> str:
    text = run.provenance.scenario_text
    return f"<pre>{html.escape(text)}</pre>" if text else ""


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>" if content else ""


def _table(columns: Iterable[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    try:
        float(text)
    except ValueError:
        return f"<td>{html.escape(text)}</td>"
    return f'<td class="number">{html.escape(text)}</td>'


def _image(data: bytes, caption: str) -> str:
    text = base64.b64encode(data).decode("ascii")
    return (
        f'<figure><img src="data:image/png;base64,{text}" alt="{html.escape(caption)}">'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>"
    )

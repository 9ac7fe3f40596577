"""The crash report of a run as files: table, JSON, CSV, figures, and one page that holds all of it."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from centrode.crash.collisions import refuse_false_figures
from centrode.crash.diagram_settings import DiagramSettings
from centrode.crash.pulse import pulses_csv
from centrode.crash.rollover import rollover_table, rollovers_of
from centrode.crash.tyre_marks import marks_csv
from centrode.errors import InputError
from centrode.texts import AnyPath, to_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from centrode.recording.recording import Recording
    from centrode.studies.sensitivity import Sensitivity


def save_crash_report(
    run: Recording, folder: AnyPath, sensitivity: Sensitivity | None = None, settings: DiagramSettings | None = None
) -> list[Path]:
    """Write tables (crash.txt, .json, .csv), pulses.csv, marks.csv, crash.html, diagram and figures into a folder.

    Args:
        folder: made when it does not exist.
        sensitivity: labels from :func:`centrode.studies.sensitivity.collision_sensitivity`, or None.
        settings: of the diagram.
    """
    from centrode.plots.figure import file_bytes

    refuse_false_figures(run)
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise InputError("not a folder", got=str(folder))
    target.mkdir(parents=True, exist_ok=True)
    # Each file is drawn once; the page shows the same.
    wanted = {"pulses": (".png",), "diagram": (".png", ".pdf", ".svg")}
    figures = crash_figures(run, settings).items()
    drawn = {f"{name}{ending}": file_bytes(item, ending) for name, item in figures for ending in wanted[name]}
    custom = run.collisions.custom
    table = run.collisions.table() + ("\n\n" + sensitivity.table(100, custom) if sensitivity is not None else "")
    rolled = rollover_table(rollovers_of(run))
    table += f"\n\n{rolled}" if rolled else ""
    texts = {
        "crash.txt": table + "\n",
        "crash.json": json.dumps(crash_data(run, sensitivity), indent=2, allow_nan=False) + "\n",
        "crash.csv": run.collisions.to_csv(),
        "marks.csv": marks_csv(run.tyre_marks),
        "pulses.csv": pulses_csv(run.collisions.pulses, custom),
        "crash.html": crash_page(run, settings, sensitivity, drawn),
    }
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8")
    for name, content in drawn.items():
        (target / name).write_bytes(content)
    return [target / name for name in (*texts, *drawn)]


def crash_data(run: Recording, sensitivity: Sensitivity | None = None) -> dict[str, Any]:
    """Everything that the report says, as plain values (not-a-number becomes None)."""
    data = run.collisions.to_data()
    data["rollovers"] = [asdict(item) for item in rollovers_of(run)]
    data["tyre_marks"] = [mark.to_data() for mark in run.tyre_marks]
    made = run.provenance
    data |= {"status": run.status.outcome, "cautions": run.collisions.cautions}
    data |= {"title": made.title, "scenario_digest": made.scenario_digest, "method": made.method}
    if sensitivity is not None:
        data["sensitivity"] = sensitivity.to_data()
    cleaned: dict[str, Any] = to_json(data)
    return cleaned


def crash_figures(run: Recording, settings: DiagramSettings | None = None) -> dict[str, Figure]:
    """Pulses and diagram of the collisions of a run."""
    if not run.collisions:
        return {}
    from centrode.crash.diagram import diagram
    from centrode.crash.sections import figure_pulses

    custom = run.collisions.custom
    return {"pulses": figure_pulses(run.collisions, custom), "diagram": diagram(run, settings, custom)}


def crash_page(
    run: Recording,
    settings: DiagramSettings | None = None,
    sensitivity: Sensitivity | None = None,
    drawn: Mapping[str, bytes] | None = None,
) -> str:
    """The report as one offline HTML page; ``drawn``: files of figures that are there already."""
    from centrode.crash.sections import crash_sections
    from centrode.view.page import page
    from centrode.view.sections import STYLE, preformatted, section

    title = f"{run.provenance.title or 'Run'}: crash report"
    parts = [f"<h1>{html.escape(title)}</h1>"]
    parts += crash_sections(run, run.collisions.custom, settings, sensitivity, drawn) or [
        "<p>No collision happened in this run.</p>"
    ]
    parts.append(section("Scenario", preformatted(run.provenance.scenario_text)))
    return page(title, "\n".join(parts), style=STYLE, script="")

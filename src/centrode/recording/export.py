"""A recording in other shapes: CSV, xarray, a text summary, HTML for notebooks, a quick figure."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from centrode.errors import InputError, nearest_name
from centrode.recording.starts import start_notes
from centrode.recording.warnings import warnings_of
from centrode.texts import html_table, output_file, text_table, whole_file

if TYPE_CHECKING:
    import xarray

    from centrode.recording.recording import Recording

CHANNEL_COLUMNS = ("channel", "unit", "min", "max", "last")
_HTML_ROWS = 60


def write_csv(run: Recording, path: Path, channels: Sequence[str] | None = None) -> Path:
    """One row per frame, columns "arm.position.x [m]"; shortest text that reads back as the same number."""
    chosen = chosen_channels(run, channels)
    header = ["time [s]"]
    columns = [run.time]
    for name in chosen:
        item = run.channels[name]
        header += [f"{label} [{item.unit}]" for label in item.labels(run.coordinates)]
        columns += list(run[name].reshape(len(run.time), item.size(run.coordinates)).T)
    with whole_file(output_file(path)) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        for first in range(0, len(run.time), 4096):
            table.writerows(zip(*(column[first : first + 4096].tolist() for column in columns), strict=True))
    return path


def to_xarray(run: Recording) -> xarray.Dataset:
    """Dataset with coordinates, units, frames and provenance, as the file has them."""
    import xarray

    coordinates: dict[str, Any] = {"time": ("time", run.time, {"units": "s", "long_name": "time"})}
    coordinates |= {name: (name, np.array(labels, dtype=str)) for name, labels in run.coordinates.items()}
    variables = {name: (("time", *item.dims), run[name], item.attributes) for name, item in run.channels.items()}
    attributes = {
        "title": run.provenance.title,
        "status": str(run.status),
        "method": run.provenance.method,
        "scenario_digest": run.provenance.scenario_digest,
        "centrode_version": run.provenance.version,
        "processors": run.provenance.processors,
    }
    return xarray.Dataset(variables, coordinates, attributes)


def rows_of(run: Recording) -> list[tuple[str, str, str, str, str]]:
    """Channel, unit, smallest, largest and last value of every scalar column."""
    rows = []
    for name, item in run.channels.items():
        if item.dims and item.dims[0].startswith("along_"):  # crush of a side: one line for all its stations
            deepest = run[name].max(axis=1, initial=0.0)
            if deepest.max(initial=0.0) > 0.0:
                rows.append((name, item.unit, "0", f"{deepest.max():.6g}", f"{deepest[-1]:.6g}"))
            continue
        values = run[name].reshape(len(run.time), item.size(run.coordinates))
        for index, label in enumerate(item.labels(run.coordinates)):
            column = values[:, index]
            finite = column[np.isfinite(column)]
            low, high = (f"{finite.min():.6g}", f"{finite.max():.6g}") if len(finite) else ("-", "-")
            rows.append((label, item.unit, low, high, f"{column[-1]:.6g}" if len(column) else "-"))
    return rows


def heading(run: Recording) -> list[tuple[str, str]]:
    """The facts that stand above the table of channels."""
    made = run.provenance
    cost = run.statistics
    span = f"{run.time[0]:g} s to {run.time[-1]:g} s" if len(run.time) else "none"
    facts = [
        ("title", made.title),
        ("status", str(run.status)),
        ("frames", f"{len(run.time)}, {span}"),
        ("method", made.method),
        ("steps", f"{cost.steps} ({cost.rejected} rejected, {cost.evaluations} evaluations)"),
        ("events", str(len(run.events))),
    ]
    if np.isfinite(cost.wall_seconds):
        facts.append(("wall time", f"{cost.wall_seconds:.3g} s"))
    facts += [("note", text) for text in start_notes(run)]
    if run.status.completed:
        facts += [("warning", text) for text in warnings_of(run)]
    return [(name, text) for name, text in facts if text]


def summary(run: Recording) -> str:
    """Aligned text."""
    lines = [f"{name + ':':<11}{text}" for name, text in heading(run)]
    return "\n".join([*lines, "", text_table(CHANNEL_COLUMNS, rows_of(run))])


def html(run: Recording, replay: str = "") -> str:
    """Facts, a replay when there is one, and a table for notebooks; long recordings show their first channels only."""
    rows = rows_of(run)
    more = f"<p>and {len(rows) - _HTML_ROWS} more columns</p>" if len(rows) > _HTML_ROWS else ""
    table = html_table(CHANNEL_COLUMNS, rows[:_HTML_ROWS])
    return f"<div>{html_table((), heading(run))}{replay}{table}{more}</div>"


def chosen_channels(run: Recording, channels: Sequence[str] | None) -> list[str]:
    """Channel names; "arm" stands for all channels of the part "arm"."""
    if channels is None:
        return list(run.channels)
    found: list[str] = []
    for name in channels:
        matches = [name] if name in run.channels else [item for item in run.channels if item.startswith(f"{name}.")]
        if not matches:
            raise InputError("no such channel", got=name, nearest=nearest_name(name, list(run.channels)))
        found += matches
    return list(dict.fromkeys(found))

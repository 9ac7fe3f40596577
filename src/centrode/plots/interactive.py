"""A figure as a page to explore: zoom, values with units under the pointer, curves on and off, one time in all panels.

What matplotlib would draw (curves, marks, bands, texts, labels, scales) is read back from the figure, so a family is
described once and is the same on paper and on the screen. The page is one offline file under the policy of
:mod:`centrode.view.page`. Curves in a plane move with the time of the other panels when they carry it
(:func:`centrode.plots.figure.with_times`).

Numbers are doubles, so that the values under the pointer are those of the recording. A column is written as its bytes,
plane by plane (all first bytes, all second bytes, ...), which deflates well; equal columns are written once.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.contour import ContourSet
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation

from centrode.errors import InputError
from centrode.texts import Say

PAGE_FORMAT = 1
MOST_NUMBERS = 8_000_000
"""Numbers that one page may hold; beyond it a browser becomes slow."""

_DASHES: dict[str, list[float]] = {"--": [6, 4], ":": [1.5, 3], "-.": [7, 3, 1.5, 3]}
_MATH = re.compile(r"\$([^$]*)\$")
_STYLE = "html,body{margin:0;background:#fff}"


def page_of_figure(figure: Figure, *, title: str = "", say: Say = None) -> str:
    """The page of a figure as text."""
    from centrode.view.frames import deflated
    from centrode.view.page import embedded_json, page

    columns = _Columns()
    data = figure_data(figure, columns)
    data["title"] = title or data["title"]
    for panel in data["panels"]:
        panel["title"] = "" if panel["title"] == data["title"] else panel["title"]
    body = (
        '<main id="centrode-figure"></main>\n'
        f'<script type="application/json" id="centrode-figure-data">{embedded_json(data)}</script>\n'
        f'<script type="application/octet-stream" id="centrode-figure-numbers">{deflated(columns.bytes())}</script>\n'
    )
    return page(data["title"] or "Figure", body, style=_STYLE, script="figure", say=say)


class _Columns:
    """All numbers of a page; equal columns share their place."""

    def __init__(self) -> None:
        self.known: dict[bytes, int] = {}
        self.lengths: list[int] = []
        self.total = 0

    def add(self, values: Any) -> int:
        """Index of a column."""
        column = np.ascontiguousarray(np.asarray(values, dtype="<f8"))
        key = column.tobytes()
        if key not in self.known:
            self.known[key] = len(self.lengths)
            self.lengths.append(len(column))
            self.total += len(column)
            if self.total > MOST_NUMBERS:
                got, hint = f"more than {MOST_NUMBERS} numbers", "choose fewer channels, or record fewer frames"
                raise InputError("too much for one page", got=got, hint=hint)
        return self.known[key]

    def bytes(self) -> bytes:
        """Bytes of every column, plane by plane."""
        return b"".join(np.frombuffer(key, np.uint8).reshape(-1, 8).T.tobytes() for key in self.known)


def figure_data(figure: Figure, columns: _Columns) -> dict[str, Any]:
    """Panels of a figure as plain data; the numbers of curves go to ``columns``."""
    panels: list[dict[str, Any]] = []
    taken: set[tuple[int, int]] = set()
    bars = {axes: axes.get_ylabel() for axes in figure.axes if axes.get_label() == "<colorbar>"}
    drawn = [axes for axes in figure.axes if axes not in bars]
    rows = 0
    for axes in drawn:
        place = _place(axes)
        if (place[0], place[2]) in taken:  # a second scale over the same panel: it gets a row of its own
            place = (rows, rows + 1, place[2], place[3])
        taken.add((place[0], place[2]))
        rows = max(rows, place[1])
        panels.append(_panel(axes, columns, place, drawn))
    for panel in panels:
        panel["coloured"] = next((_plain(label) for label in bars.values()), "") if panel.pop("shaded") else ""
    heading = figure.get_suptitle() or (panels[0]["title"] if len(panels) == 1 else "")
    return {
        "format": PAGE_FORMAT,
        "title": _plain(heading),
        "panels": panels,
        "columns": columns.lengths,
        "rows": rows,
        "across": max((panel["place"][3] for panel in panels), default=1),
    }


def _place(axes: Axes) -> tuple[int, int, int, int]:
    """First and last row and column of a panel."""
    spec = axes.get_subplotspec()
    if spec is None:
        return 0, 1, 0, 1
    spec = spec.get_topmost_subplotspec()
    return spec.rowspan.start, spec.rowspan.stop, spec.colspan.start, spec.colspan.stop


def _panel(axes: Axes, columns: _Columns, place: tuple[int, int, int, int], others: list[Axes]) -> dict[str, Any]:
    shared = axes.get_shared_x_axes()
    siblings = [item for item in others if item is axes or shared.joined(axes, item)]
    x_label = next((item.get_xlabel() for item in [axes, *siblings] if item.get_xlabel()), "")
    over_time = x_label == "time [s]"
    curves: list[dict[str, Any]] = []
    marks: list[dict[str, Any]] = []
    for line in axes.lines:
        mark = _mark(line, axes)
        if mark is not None:
            marks.append(mark)
        elif np.size(line.get_xdata()):
            curves.append(_curve(line, columns, over_time))
    shaded = False
    for collection in axes.collections:
        if isinstance(collection, LineCollection | ContourSet) and collection.get_transform() is not None:
            found = _collection_curves(collection, columns)
            shaded = shaded or any("shades" in item for item in found)
            curves += found
    return {
        "place": list(place),
        "title": _plain(axes.get_title()),
        "x": {"label": _plain(x_label), "log": axes.get_xscale() == "log"},
        "y": {"label": _plain(axes.get_ylabel()), "log": axes.get_yscale() == "log"},
        "limits": [float(value) for value in (*axes.get_xlim(), *axes.get_ylim())],
        "fixed": [not axes.get_autoscalex_on(), not axes.get_autoscaley_on()],
        "equal": axes.get_aspect() == 1.0,
        "link": "time" if over_time else _plain(x_label) if len(siblings) > 1 else "",
        "curves": curves,
        "marks": marks,
        "bands": [band for patch in axes.patches if (band := _band(patch)) is not None],
        "texts": [text for item in axes.texts if (text := _text(item, axes)) is not None],
        "shaded": shaded,
    }


def _label(artist: Any) -> str:
    label = str(artist.get_label())
    return "" if label.startswith("_") else _plain(label)


def _stroke(line: Line2D) -> dict[str, Any]:
    dash = _DASHES.get(str(line.get_linestyle()), [])
    return {"colour": to_hex(line.get_color()), "width": float(line.get_linewidth()), "dash": dash}


def _curve(line: Line2D, columns: _Columns, over_time: bool) -> dict[str, Any]:
    x, y = (np.ma.masked_array(item, dtype=float).filled(np.nan) for item in line.get_data(orig=False))
    marker, none = str(line.get_marker()), ("None", "none", "")
    times = getattr(line, "times", None)
    return {
        **_stroke(line),
        **({"width": 0.0} if str(line.get_linestyle()) in none else {}),
        "label": _label(line),
        "marker": "" if marker in none else marker,
        "size": float(line.get_markersize()),
        "hollow": str(line.get_markerfacecolor()) == "none",
        "x": columns.add(x),
        "y": columns.add(y),
        "t": -1 if times is None or over_time else columns.add(times),
    }


def _collection_curves(collection: Any, columns: _Columns) -> list[dict[str, Any]]:
    """A collection of pieces as one curve with gaps; pieces that follow each other are joined."""
    pieces = [path.vertices for path in collection.get_paths() if len(path.vertices) > 1]
    if not pieces:
        return []
    found: dict[str, Any] = {"label": "", "dash": [], "marker": "", "size": 0.0, "hollow": False, "t": -1}
    found["width"] = float(np.atleast_1d(collection.get_linewidth())[0])
    joined = all(np.array_equal(a[-1], b[0]) for a, b in itertools.pairwise(pieces))
    if joined and collection.get_array() is not None:
        points = np.concatenate([piece[:1] for piece in pieces] + [pieces[-1][-1:]])
        shades = np.asarray(collection.get_array(), dtype=float)
        times = getattr(collection, "times", None)
        found |= {"colour": "#3b528b", "shades": columns.add(np.append(shades, shades[-1]))}
        found["t"] = columns.add(times) if times is not None else -1
    else:
        gap = np.full((1, 2), np.nan)
        points = np.concatenate([item for piece in pieces for item in (piece, gap)])
        colours = [to_hex(colour) for colour in np.atleast_2d(collection.get_edgecolor())]
        found["colour"] = colours[0] if colours else "#000000"
    return [{**found, "x": columns.add(points[:, 0]), "y": columns.add(points[:, 1])}]


def _mark(line: Line2D, axes: Axes) -> dict[str, Any] | None:
    """A line right across the panel (an event, the axis of zero), None for a curve."""
    if line.get_transform() == axes.transData:
        return None
    x, y = line.get_data(orig=False)
    upright = line.get_transform() == axes.get_xaxis_transform(which="grid")
    return {**_stroke(line), "axis": "x" if upright else "y", "at": float(np.atleast_1d(x if upright else y)[0])}


def _band(patch: Any) -> dict[str, Any] | None:
    """A shaded range of x, None for other patches."""
    if not isinstance(patch, Rectangle) or patch.get_width() <= 0 or patch.get_y() != 0 or patch.get_height() != 1:
        return None
    colour, low = to_rgba(patch.get_facecolor()), float(patch.get_x())
    look = {"colour": to_hex(colour), "opacity": float(colour[3]), "label": _label(patch)}
    return {"low": low, "high": float(patch.get_x() + patch.get_width()), **look}


def _text(item: Any, axes: Axes) -> dict[str, Any] | None:
    """A text that stands at a point of the plane; texts without words are arrows and stay on paper."""
    if not item.get_text():
        return None
    at = item.xy if isinstance(item, Annotation) else item.get_position()
    if not isinstance(item, Annotation) and item.get_transform() != axes.transData:
        return None
    return {"x": float(at[0]), "y": float(at[1]), "text": _plain(item.get_text())}


def _plain(text: str) -> str:
    """Text without the marks of mathematical type."""
    return _MATH.sub(lambda match: re.sub(r"\\,|[{}_\\]", lambda m: " " if m[0] == "\\," else "", match[1]), text)

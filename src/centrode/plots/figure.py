"""What all figures share: size, colours, grid, units on axes, marks of events, files.

Figures belong to no window; :func:`save_figure` writes them as PNG, SVG, PDF or as a page to explore (HTML), by the
ending of the name.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from centrode.errors import InputError, nearest_name
from centrode.recording.recording import Recording
from centrode.recording.starts import CHOSEN, SOLVED
from centrode.texts import AnyPath, Say

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#000000", "#7f7f7f")
"""Colours that stay apart for the colour-blind (Okabe and Ito 2008), the yellow darkened for white paper."""

ENDINGS = (".png", ".svg", ".pdf", ".html")
_MOST_EVENTS = 30


class Picture(Figure):
    """A figure that a notebook shows as it is, whichever backend draws the others."""

    def _repr_png_(self) -> bytes:
        return png_bytes(self)


def new_figure(  # type: ignore[no-untyped-def]
    rows: int = 1, columns: int = 1, *, width: float = 8.0, height: float = 3.0, share_x: bool = False, title: str = ""
):
    """A figure and its panels, an array of shape (rows, columns); width of all and height of a row in inches."""
    figure = Picture(figsize=(width, max(height * rows, 2.2)), layout="constrained")
    if title:
        figure.suptitle(title)
    panels = figure.subplots(rows, columns, squeeze=False, sharex="col" if share_x else False)
    for panel in panels.flat:
        panel.set_prop_cycle(color=COLOURS)
        panel.grid(alpha=0.3, lw=0.6)
        panel.spines[["top", "right"]].set_visible(False)
    return figure, panels


def axis_label(name: str, unit: str) -> str:
    """Name and unit; a pure number has no bracket."""
    return name if unit in ("", "1") else f"{name} [{unit}]"


def with_times(artist: Artist, time: np.ndarray) -> Artist:
    """Say when each point of a curve in a plane was reached [s]; a page to explore moves it with the time."""
    artist.times = np.asarray(time, dtype=float)  # type: ignore[attr-defined]
    return artist


def mark_events(panel: Axes, run: Recording) -> None:
    """Thin lines where something happened; a crowd of events stays unmarked."""
    times = sorted(
        {
            float(item.time)
            for item in run.events
            if item.kind not in ("note", CHOSEN, SOLVED) and np.isfinite(item.time)
        }
    )
    if 0 < len(times) <= _MOST_EVENTS:
        for time in times:
            panel.axvline(time, color="0.55", lw=0.7, ls=":", zorder=0)


def chosen_bodies(run: Recording, bodies: Sequence[str] | None) -> list[str]:
    """Bodies whose position is recorded: those named, or all."""
    known = [name.removesuffix(".position") for name in run if name.endswith(".position")]
    if bodies is None:
        return known
    for name in bodies:
        if name not in known:
            raise InputError("no recorded position", got=name, nearest=nearest_name(name, known))
    return list(bodies)


def require_frames(run: Recording) -> None:
    """Refuse an empty recording."""
    if not len(run.time):
        raise InputError("the recording has no frames")


def save_figure(figure: Figure, path: AnyPath, *, title: str = "", say: Say = None) -> Path:
    """Write a figure as a picture or, by the ending, as a page to explore; the same figure gives the same bytes.

    Args:
        figure: of any family.
        path: file to write; a missing folder is made.
        title: of a page; that of the figure by default.
        say: called with a line of text before something that takes time.
    """
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise InputError("unknown kind of figure", got=str(path), expected="a name that ends in " + ", ".join(ENDINGS))
    target.parent.mkdir(parents=True, exist_ok=True)
    if ending == ".html":
        from centrode.plots.interactive import page_of_figure
        from centrode.view.page import write_text

        write_text(target, page_of_figure(figure, title=title, say=say))
    else:
        target.write_bytes(file_bytes(figure, ending))
    return target


def file_bytes(figure: Figure, ending: str) -> bytes:
    """What stands in the file of a figure; ``ending`` is ``.png``, ``.svg`` or ``.pdf``."""
    stream = io.BytesIO()
    dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    figure.savefig(stream, format=ending.removeprefix("."), dpi=150, metadata=dates.get(ending))
    return stream.getvalue()


def save_pair(figure: Figure, folder: AnyPath, name: str) -> list[Path]:
    """Write a figure as PNG and as SVG into a folder."""
    return [save_figure(figure, Path(folder) / f"{name}{ending}") for ending in (".png", ".svg")]


def png_bytes(figure: Figure, *, dpi: int = 110) -> bytes:
    """A figure as PNG, for pages."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=dpi)
    return stream.getvalue()

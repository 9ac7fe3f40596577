"""The views that :class:`centrode.recording.derived.Derived` asks for, made by the rooms that know how."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from centrode.crash.collisions import Collisions
    from centrode.crash.tyre_marks import TyreMark
    from centrode.recording.recording import Recording
    from centrode.view.window import Replay


def collisions(run: Recording) -> Collisions:
    """The collisions of a run with their figures."""
    from centrode.crash.collisions import collisions_of

    return collisions_of(run)


def tyre_marks(run: Recording) -> list[TyreMark]:
    """Where wheels slid."""
    from centrode.crash.tyre_marks import tyre_marks as marks_of

    return marks_of(run)


def replay_html(run: Recording) -> str:
    """The replay for a notebook."""
    from centrode.view.notebook import replay_html as replay_of

    return replay_of(run)


def plot(run: Recording, channels: Sequence[str], title: str) -> Figure:
    """Channels over time."""
    from centrode.plots.channels import figure_channels

    return figure_channels(run, channels, title=title)


def view(run: Recording, *, plots: Sequence[str] | None = None, height: int = 520) -> Replay | Path:
    """Show the run in 3D: a browser window, or a frame in a notebook."""
    from centrode.view.window import view as show

    return show(run, plots=plots, height=height)


def save_html(run: Recording, path: str | os.PathLike[str], *, plots: Sequence[str] | None = None) -> Path:
    """Write the replay as one offline page."""
    from centrode.view.page import save_html as write

    return write(run, path, plots=plots)

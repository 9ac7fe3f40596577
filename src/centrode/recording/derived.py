"""What higher rooms make of a recording: declared here, supplied by the front door of the package.

A recording offers its collisions, its tyre marks and its replay as its own, yet it lies below the rooms that make them.
So it only says what it wants of them (:class:`Derived`); ``centrode/derived.py``, which may import every room, has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # nothing but typing is imported here: the front door waits for this file
    import os
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from centrode.crash.collisions import Collisions
    from centrode.crash.tyre_marks import TyreMark
    from centrode.recording.recording import Recording
    from centrode.view.window import Replay


class Derived(Protocol):
    """Views of a recording that its own room cannot make."""

    def collisions(self, run: Recording) -> Collisions:
        """The collisions of a run with their figures."""

    def tyre_marks(self, run: Recording) -> list[TyreMark]:
        """Where wheels slid."""

    def replay_html(self, run: Recording) -> str:
        """The replay for a notebook."""

    def plot(self, run: Recording, channels: Sequence[str], title: str) -> Figure:
        """Channels over time."""

    def view(self, run: Recording, *, plots: Sequence[str] | None = None, height: int = 520) -> Replay | Path:
        """Show the run in 3D."""

    def save_html(self, run: Recording, path: str | os.PathLike[str], *, plots: Sequence[str] | None = None) -> Path:
        """Write the replay as one offline page."""


_suppliers: list[Callable[[], Derived]] = []


def supply(supplier: Callable[[], Derived]) -> None:
    """Say where derived views come from; asked only when somebody wants one."""
    _suppliers[:] = [supplier]


def derived() -> Derived:
    """The derived views."""
    return _suppliers[0]()

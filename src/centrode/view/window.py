"""Shows a recording at once: in the browser, or inside a notebook."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from centrode.recording.recording import Recording
from centrode.texts import Say
from centrode.view.notebook import frame
from centrode.view.page import page_of, write_text


@dataclass
class Replay:
    """A replay inside a notebook: the whole page in a frame of its own."""

    page: str
    height: int

    def _repr_html_(self) -> str:
        return frame(self.page, self.height)


def view_recording(run: Recording, *, plots: Sequence[str] | None = None, height: int = 520) -> Replay | Path:
    """Show a recording: a frame in a notebook, a browser window otherwise.

    Returns:
        In a notebook something that it displays; elsewhere the path of the page.
    """
    if in_notebook():
        return Replay(page_of(run, plots=plots), height)
    return show(run, plots=plots)[0]


def show(run: Recording, *, plots: Sequence[str] | None = None, say: Say = None) -> tuple[Path, bool]:
    """Write the page to a private folder and open it.

    Returns:
        The page, and whether a browser was found to open it.
    """
    text = page_of(run, plots=plots, say=say)
    # The same recording gets the same file: looking twice does not fill the disk.
    folder = Path(tempfile.gettempdir()) / f"centrode-{os.getuid() if hasattr(os, 'getuid') else 'view'}"
    folder.mkdir(mode=0o700, exist_ok=True)
    name = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
    path = folder / f"{name}.html"
    write_text(path, text)
    return path, open_in_browser(path.as_uri())


def open_in_browser(address: str) -> bool:
    """Open an address where there is a screen; CENTRODE_NO_BROWSER=1 keeps it closed."""
    import webbrowser

    if os.environ.get("CENTRODE_NO_BROWSER", "") not in ("", "0"):
        return False
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    return webbrowser.open(address)


def in_notebook() -> bool:
    """Whether Python runs in a Jupyter kernel."""
    shell = sys.modules.get("IPython")
    current = shell.get_ipython() if shell is not None else None
    return type(current).__name__ == "ZMQInteractiveShell"

"""Where compiled kernels are kept."""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """Folder that holds all compiled kernels (``CENTRODE_CACHE_DIR`` moves it)."""
    given = os.environ.get("CENTRODE_CACHE_DIR")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "centrode" / "kernels"

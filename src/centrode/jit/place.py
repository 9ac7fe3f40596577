"""Where compiled kernels are kept."""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """Folder that holds all compiled kernels (``CENTRODE_CACHE_DIR`` moves it).

    Without a home (a user whom the system does not know, and no ``HOME``) it is one that nobody can write into: kernels
    are then compiled anew in each process. A folder for temporary files would not do, because what is read from here is
    run, and others could have put it there.
    """
    given = os.environ.get("CENTRODE_CACHE_DIR")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "centrode" / "kernels"
    except RuntimeError:
        return Path(os.devnull) / "centrode"

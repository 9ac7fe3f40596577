"""Tables with named columns: one definition of a row, read by the same words in kernels and in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """A row type with fields (name, type, shape); rows are read as ``row.name`` in kernels, with the JIT on or off."""
    return np.dtype((np.record, np.dtype(list(fields))))

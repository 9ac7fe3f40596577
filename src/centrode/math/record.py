"""Tables with named columns: one definition of a row, read by the same words in kernels and in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """A row type with fields (name, type, shape); rows are read as ``row.name`` in kernels, with the JIT on or off."""
    return np.dtype((np.record, np.dtype(list(fields))))


def float_record(*names: str, **vectors: int) -> np.dtype[Any]:
    """A record of float64 fields, vectors with their length: a name for every number of a row of floats."""
    return record(*((name, "f8") for name in names), *((name, "f8", (size,)) for name, size in vectors.items()))

"""Arrays with names and units: what the questions of :mod:`centrode.mechanics.mechanics` are answered with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from xarray import DataArray


def labelled(
    name: str, values: np.ndarray, axes: Sequence[tuple[str, Sequence[str]]], units: str | Sequence[str], note: str
) -> DataArray:
    """An array whose axes carry names.

    Args:
        name: of the quantity.
        values: the numbers.
        axes: of each axis its name and labels.
        units: of all numbers, or of each along the first axis.
        note: one line of meaning.
    """
    from xarray import DataArray

    coordinates: dict[str, object] = {axis: list(labels) for axis, labels in axes}
    attributes = {"long_name": note}
    if isinstance(units, str):
        attributes["units"] = units
    else:
        coordinates["unit"] = (axes[0][0], list(units))
    return DataArray(np.array(values), coordinates, [axis for axis, _ in axes], name, attributes)

"""Direction of a prescribed force or torque: fixed in the world or turning with the body.

The marker of such a force carries a frame whose z axis is the direction in the body; a world direction is kept as
three parameters instead. Parameters of a row: fixed to the body (1) or world (0), then the world direction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.rotation import frame_from_axis
from centrode.parts.kernel_types import FRAME
from centrode.parts.part import flatten
from centrode.parts.placement import MarkerPlace, unit_vector

FIXED_TO = ("world", "body")
TURNS, DIRECTION = 0, 1
DIRECTION_WIDTH = 4


@step_kernel
def direction_of(par, i, markers, m):
    """Unit direction of row i in the world at marker m."""
    if par[i, TURNS] != 0.0:
        return markers[m, FRAME + 2], markers[m, FRAME + 5], markers[m, FRAME + 8]
    return par[i, DIRECTION], par[i, DIRECTION + 1], par[i, DIRECTION + 2]


def direction_faults(part: Any, field: str = "direction") -> list[Fault]:
    """A direction that cannot be one."""
    value = getattr(part, field)
    if value is None:
        return []
    numbers = flatten(value)
    if len(numbers) not in (2, 3) or not any(numbers):
        return [
            Fault(
                "a direction needs three numbers that are not all zero",
                f"{part.name}.{field}",
                got=value,
                expected="(x, y, z)",
            )
        ]
    return []


def pack_direction(part: Any, place: MarkerPlace) -> tuple[MarkerPlace, list[float]]:
    """Marker that carries the direction, and the DIRECTION_WIDTH parameters."""
    along = unit_vector(part.direction, f"{part.name}.direction")
    if part.fixed_to == "body":
        return MarkerPlace(place.body, place.position, np.asarray(frame_from_axis(along))), [1.0, 0.0, 0.0, 0.0]
    return place, [0.0, *(float(x) for x in along)]

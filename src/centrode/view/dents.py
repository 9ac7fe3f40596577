"""Dents for the viewer: how far the sides of bodies that gave way are pushed in, over time.

A side has stations; each tells where the undeformed side stands there (``start``, along the axis of the side) and, in a
column of the frames, how far it is pushed in. Only sides that were pushed in by more than half a centimetre are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from centrode.crash.plan import Plan, plans_of_system
from centrode.parts.structures.stations import SIDE_STATIONS
from centrode.recording.recording import Recording

if TYPE_CHECKING:
    from centrode.system.builder import System

SEEN = 0.005
"""Shallower dents are not drawn [m]."""
_AXES = {"front": (0, 1.0), "rear": (0, -1.0), "left": (1, 1.0), "right": (1, -1.0), "roof": (2, 1.0)}


class Columns(Protocol):
    """Collects columns of the frames; gives the number of the first."""

    def add(self, values: np.ndarray, steps: np.ndarray) -> int: ...


def dent_entries(
    run: Recording, system: System | None, names: Sequence[str], columns: Columns
) -> list[dict[str, object]]:
    """Sides of bodies with dents: body by index, axis and sense of the side, stations, first column."""
    dented = [name for name in names if f"{name}.crush_front" in run]
    if system is None or not dented:
        return []
    plans = plans_of_system(system)
    found = []
    for name in dented:
        for side, (axis, way) in _AXES.items():
            crush = np.asarray(run[f"{name}.crush_{side}"], dtype=float)
            if name not in plans or not crush.max(initial=0.0) > SEEN:
                continue
            first = columns.add(crush, np.array(0.001))
            plan = plans[name]
            across = 0 if axis != 0 else 1
            found.append(
                {
                    "body": list(names).index(name),
                    "axis": axis,
                    "way": way,
                    "across": across,
                    "low": float(plan.low[across]),
                    "high": float(plan.high[across]),
                    "belt": float(plan.low[2] + 0.6 * (plan.high[2] - plan.low[2])),
                    "top": float(plan.high[2]),
                    "start": side_starts(plan, side, axis, way),
                    "column": first,
                }
            )
    return found


def side_starts(plan: Plan, side: str, axis: int, way: float) -> list[float]:
    """Where the undeformed side stands at its stations, along its axis [m]."""
    count = SIDE_STATIONS[side]
    if axis == 2:
        return [round(float(plan.high[2]), 4)] * count
    across = 1 - axis
    low, high = plan.low[across], plan.high[across]
    places = low + (high - low) * (np.arange(count) + 0.5) / count
    outer = plan.reach(axis, way)
    return [round(float(x), 4) for x in np.interp(places, outer[:, 0], outer[:, 1])]

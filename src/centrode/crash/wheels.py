"""Wheels that crush reached: they no longer turn in a car that was pushed in up to them.

Wheels of a run roll, steer and brake as long as they are not said to be damaged (``damage`` of a car). What the crush
of front, rear or side takes of the room of a rim stops it; how the car goes on depends on that, so it is told, with the
time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from centrode.crash.plan import Plan, plans_of_system
from centrode.errors import CentrodeError
from centrode.parts.outlines.outline import Outline
from centrode.parts.structures.stations import SIDE_STATIONS
from centrode.recording.recording import Recording
from centrode.vehicles.car.car import Car

_AXES = {"front": (0, 1.0), "rear": (0, -1.0), "left": (1, 1.0), "right": (1, -1.0)}
INTO = 0.05
"""Depth into the room of a rim from which on it is held [m]."""


class ReachedWheel(NamedTuple):
    """A wheel that crush reached: its car, its name, when [s]."""

    vehicle: str
    wheel: str
    time: float

    def __str__(self) -> str:
        told = f"damage: [{{wheel: {self.wheel}, jammed_from: {self.time:.2f} s}}]"
        return f"Crush reached a wheel of {self.vehicle}; {told} jams it."


def reached_wheels(run: Recording) -> list[ReachedWheel]:
    """Wheels whose rims the crush of their cars reached and that are not said to be damaged; none when the scenario
    cannot be read."""
    try:
        system = run.scenario().system
    except CentrodeError:
        return []
    plans = plans_of_system(system)
    found = []
    for car in system.of_family("vehicle"):
        if not isinstance(car, Car) or f"{car.body}.crush_front" not in run or car.body not in plans:
            continue
        harmed = {item.wheel for item in car.damage}
        for rim in car.rim_outlines():
            wheel = rim.name.split(".")[-2]
            frames = np.flatnonzero(_taken(run, plans[car.body], rim) > INTO)
            if len(frames) and wheel not in harmed:
                found.append(ReachedWheel(car.name, wheel, float(run.time[frames[0]])))
    return found


def _taken(run: Recording, plan: Plan, rim: Outline) -> np.ndarray:
    """How much of the room of a rim the sides of its body have taken, the most of all, at every frame [m]."""
    corners = rim.corners() + np.asarray(rim.centre)
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle = 0.5 * (low + high)
    most = np.full(len(run.time), -np.inf)
    for side, (axis, way) in _AXES.items():
        across, count = 1 - axis, SIDE_STATIONS[side]
        places = plan.low[across] + (plan.high[across] - plan.low[across]) * (np.arange(count) + 0.5) / count
        outer = plan.reach(axis, way)
        start = way * float(np.interp(middle[across], outer[:, 0], outer[:, 1]))
        crush = np.asarray(run[f"{plan.body}.crush_{side}"], dtype=float)
        depth = np.array([np.interp(middle[across], places, row) for row in crush])
        end = high[axis] if way > 0.0 else -low[axis]
        most = np.maximum(most, np.where(depth > 0.0, end - (start - depth), -np.inf))
    return most

"""Where vehicles that collided are at the end of a run, from the channels of its recording."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from centrode.classes import dataclass
from centrode.crash.tyre_marks import TyreMark
from centrode.recording.recording import Recording

if TYPE_CHECKING:
    from centrode.crash.collisions import Collision


@dataclass(frozen=True)
class RestPlace:
    """Where a vehicle is at the end of a run.

    Attributes:
        position: [m]; heading_deg: about the vertical [deg]; speed: [m/s], zero when it has come to rest.
        turned_deg, travelled: since its first contact [deg], [m].
        marks: wheel -> length of the tyre mark left since then [m].
    """

    position: tuple[float, float, float]
    heading_deg: float
    speed: float
    turned_deg: float
    travelled: float
    marks: dict[str, float]


def body_of(run: Recording, name: str) -> str:
    """Name of the body of a vehicle, or of a body itself."""
    return name if f"{name}.position" in run else f"{name}.body"


def rest_places(
    run: Recording, items: list[Collision], persons: Mapping[str, Collection[str]] | None = None
) -> dict[str, RestPlace]:
    """Where the vehicles that collided are at the end, from the channels of the recording.

    ``persons``: their limbs, which all count from the first contact of the person.
    """
    together = {limb: frozenset(limbs) for limbs in (persons or {}).values() for limb in limbs}
    found: dict[str, RestPlace] = {}
    time = np.asarray(run.time)
    marks = run.tyre_marks if items else []
    for name in dict.fromkeys(name for item in items for name in item.unit_names):
        body = body_of(run, name)
        if f"{body}.position" not in run or f"{body}.orientation" not in run:
            continue
        position, q, velocity = run[f"{body}.position"], run[f"{body}.orientation"], run[f"{body}.velocity"]
        yaw = np.unwrap(np.arctan2(2 * (q[:, 0] * q[:, 3] + q[:, 1] * q[:, 2]), 1 - 2 * (q[:, 2] ** 2 + q[:, 3] ** 2)))
        whole = together.get(name, frozenset([name]))
        touch = min(item.begin for item in items if whole.intersection(item.unit_names))
        since = max(int(np.searchsorted(time, touch, side="right")) - 1, 0)
        steps = np.linalg.norm(np.diff(position[since:], axis=0), axis=1)
        found[name] = RestPlace(
            position=(float(position[-1][0]), float(position[-1][1]), float(position[-1][2])),
            heading_deg=math.degrees(math.atan2(math.sin(yaw[-1]), math.cos(yaw[-1]))),
            speed=float(np.linalg.norm(velocity[-1])),
            turned_deg=math.degrees(float(yaw[-1] - yaw[since])),
            travelled=float(steps.sum()),
            marks=mark_lengths(marks, name, touch),
        )
    return found


def mark_lengths(marks: list[TyreMark], vehicle: str, since: float) -> dict[str, float]:
    """Length of the marks of each wheel of a vehicle that end after a time [m]; wheels without a mark are left out."""
    found: dict[str, float] = {}
    for mark in marks:
        if vehicle in (mark.vehicle, mark.body) and mark.t1 > since:
            found[mark.wheel] = found.get(mark.wheel, 0.0) + mark.length_since(since)
    return found

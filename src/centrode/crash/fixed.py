"""Names of what stands on the ground and was hit: pole, tree, barrier, wall.

Contacts know the ground as one body. A touch belongs to the outline of the ground that is nearest to its place; where a
road is nearer, to the ground itself.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from centrode.classes import dataclass
from centrode.crash.plan import hull, outer_points
from centrode.dynamics.contact.setup import outlines_of
from centrode.errors import CentrodeError
from centrode.parts.outlines.outline import Outline
from centrode.parts.placement import GROUND
from centrode.parts.roads.contract import Road
from centrode.recording.events import Event
from centrode.recording.recording import Recording
from centrode.system.builder import System

_LEVEL = 0.02
"""A touch no higher than this over a road is one of the road, unless it is on the face of something [m]."""
_OVER = 0.1
"""Higher over a road it is none of the road, where anything else stands: a dent is met away from what made it [m]."""


@dataclass(frozen=True)
class FixedThing:
    """An outline of the ground and what it goes by."""

    name: str
    outline: Outline

    @cached_property
    def plan(self) -> tuple[np.ndarray, float, float]:
        """Closed line from above, least and greatest height [m]."""
        points = outer_points(self.outline)
        return hull(points[:, :2]), float(points[:, 2].min()), float(points[:, 2].max())

    def distance(self, point: np.ndarray) -> float:
        """From a place to its surface [m]."""
        if self.outline.half_space:
            normal = np.asarray(self.outline.rotation, dtype=float)[:, 2]
            return abs(float((point - np.asarray(self.outline.centre, dtype=float)) @ normal))
        line, low, high = self.plan
        beside = distance_to_line(line, point[:2])
        above = max(point[2] - high, low - point[2], 0.0)
        return math.hypot(beside, above)


def distance_to_line(line: np.ndarray, point: np.ndarray) -> float:
    """From a point to the nearest side of a closed line in the plane [m]."""
    along = np.roll(line, -1, axis=0) - line
    to = point - line
    share = np.clip((to * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-30), 0.0, 1.0)
    return float(np.linalg.norm(to - share[:, None] * along, axis=1).min())


class FixedThings:
    """All that stands on the ground of a system."""

    def __init__(self, system: System) -> None:
        owners = [part.name for part in system.of_family("vehicle")]
        self.things = [
            FixedThing(_owner(item.name, owners), item) for item in outlines_of(system) if item.body == GROUND
        ]
        self.roads = [part for part in system.of_family("road") if isinstance(part, Road)]

    def lines(self) -> list[tuple[str, np.ndarray]]:
        """Names and closed lines from above of all but floors and walls without end [m]."""
        return [(thing.name, thing.plan[0]) for thing in self.things if not thing.outline.half_space]

    def name_at(self, point: np.ndarray, standing_only: bool = False) -> str:
        """What a touch at a place [m] belongs to; ``standing_only``: it is none of a road."""
        found = [(thing.distance(point), thing.name) for thing in self.things]
        for road in [] if standing_only else self.roads:
            under = road.point(*point)
            height = abs(float((point - under.position) @ under.normal))
            if height < _OVER or not self.things:
                found.append((height + _LEVEL, GROUND))
        return min(found)[1] if found else GROUND


def _owner(outline: str, owners: list[str]) -> str:
    """The vehicle that brought an outline, or the outline itself."""
    return next((name for name in owners if outline.startswith(f"{name}.")), outline)


def fixed_things(run: Recording) -> FixedThings | None:
    """What stands on the ground of a run; None when its scenario cannot be read."""
    try:
        return FixedThings(run.scenario().system)
    except CentrodeError:
        return None


def names_hit(things: FixedThings, run: Recording, collision: Event) -> str:
    """What of the ground was touched in a collision, in order of time."""
    if collision.values.get("on_road"):
        return GROUND
    begin, end = collision.values["begin"], collision.values["end"]
    pair = set(collision.subject.split(" - "))
    places = [
        np.array([touch.values[f"point_{c}"] for c in "xyz"])
        for touch in run.events.of("contact begin")
        if begin - 1e-9 <= touch.time <= end and set(touch.subject.split(" - ")) == pair
    ]
    if not places:  # they had not parted since an earlier one
        places = [np.array([collision.values[f"touch_{c}"] for c in "xyz"])]
    standing_only = "on_road" in collision.values  # recordings of before do not say it
    names = list(dict.fromkeys(things.name_at(place, standing_only) for place in places))
    standing = [name for name in names if name != GROUND]
    told = standing or names or [GROUND]
    return ", ".join(told[:2]) + (", ..." if told[2:] else "")

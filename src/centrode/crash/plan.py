"""Outlines of vehicles from above, with their dents: what scale diagrams and damage codes are made of.

The plan of a body is the outer line of its outlines, seen along its vertical axis. A dent moves it: with the crush c(y)
of the front and the line x = f(y) of the undeformed front, a point keeps at most x = f(y) - c(y), and likewise on the
other three sides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from centrode.classes import dataclass
from centrode.dynamics.contact.setup import outlines_of
from centrode.errors import CentrodeError
from centrode.math.hull import plane_hull
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.outlines.outline import Outline, pack_outlines
from centrode.parts.outlines.support import support_own
from centrode.parts.placement import GROUND
from centrode.parts.structures.stations import SIDE_STATIONS
from centrode.recording.recording import Recording
from centrode.system.builder import System
from centrode.vehicles.car.car import CarBase

_FINE = 0.02
"""Points of a plan are no further apart than this [m], so that a dent has its shape."""
LYING = math.cos(math.radians(25.0))
"""A body whose vertical axis leans further than this is drawn by its shadow."""


@dataclass(frozen=True)
class Pose:
    """Place [m] and attitude of a body at a moment."""

    position: np.ndarray
    matrix: np.ndarray

    @property
    def heading(self) -> float:
        """Direction of its x axis from above [rad]."""
        return math.atan2(self.matrix[1, 0], self.matrix[0, 0])

    def to_world(self, points: np.ndarray) -> np.ndarray:
        """Points of the body from above, (n, 2) or (n, 3) -> (n, 2) [m]."""
        full = points if points.shape[1] == 3 else np.column_stack([points, np.zeros(len(points))])
        moved: np.ndarray = self.position + full @ self.matrix.T
        return moved[:, :2]


@dataclass(frozen=True)
class Plan:
    """The outer line of a body from above, body frame.

    Attributes:
        body: name.
        line: closed line, (n, 2) [m].
        low, high: least and greatest coordinates of the body, three each [m].
        details: closed lines inside it (windows, wheels) [m].
    """

    body: str
    line: np.ndarray
    low: np.ndarray
    high: np.ndarray
    details: tuple[np.ndarray, ...] = ()

    @property
    def length(self) -> float:
        """[m]."""
        return float(self.high[0] - self.low[0])

    @property
    def width(self) -> float:
        """[m]."""
        return float(self.high[1] - self.low[1])

    def dented(self, crush: Mapping[str, np.ndarray]) -> np.ndarray:
        """The line with the crush of its sides, side -> stations [m]."""
        return self.pushed_in(self.line, crush)

    def pushed_in(self, points: np.ndarray, crush: Mapping[str, np.ndarray]) -> np.ndarray:
        """Points of the plan where the crush of the sides leaves them, (n, 2) [m].

        Ends first, then sides where the ends have left their points, then ends again: a side ends where the front was
        crushed away, and its own dents ahead of that stand nowhere.
        """
        made = points.copy()
        ends = (("front", 0, 1.0), ("rear", 0, -1.0))
        for side, axis, way in (*ends, ("left", 1, 1.0), ("right", 1, -1.0), *ends):
            depths = crush.get(side)
            if depths is None or not np.any(depths > 0.0):
                continue
            across = 1 - axis
            at = made[:, across]
            outer = self.reach(axis, way)
            limit = way * np.interp(at, outer[:, 0], outer[:, 1]) - self.crush_at(side, depths, at)
            made[:, axis] = way * np.minimum(way * made[:, axis], limit)
        return made

    def crush_at(self, side: str, depths: np.ndarray, at: np.ndarray) -> np.ndarray:
        """Crush of a side at places along it [m]."""
        across = 1 if side in ("front", "rear") else 0
        low, high = self.low[across], self.high[across]
        count = SIDE_STATIONS[side]
        places = low + (high - low) * (np.arange(count) + 0.5) / count
        return np.asarray(np.interp(at, places, depths))

    def reach(self, axis: int, way: float) -> np.ndarray:
        """Place across and greatest coordinate along an axis of the undeformed line, rows in order of place."""
        across = 1 - axis
        middle = 0.5 * (self.low[axis] + self.high[axis])
        half = self.line[way * (self.line[:, axis] - middle) >= 0.0]
        # Points of a side stand at one place across: the farthest counts.
        places, which = np.unique(np.round(half[:, across], 3), return_inverse=True)
        farthest = np.full(len(places), -np.inf)
        np.maximum.at(farthest, which, way * half[:, axis])
        return np.column_stack([places, way * farthest])


def plans_of(run: Recording) -> dict[str, Plan]:
    """Plans of all bodies with outlines, by the name of the body; none when the scenario cannot be read."""
    try:
        system = run.scenario().system
    except CentrodeError:
        return {}
    return plans_of_system(system)


def plans_of_system(system: System) -> dict[str, Plan]:
    """Plans of all bodies of a system that have outlines, the ground's left out."""
    found: dict[str, list[Outline]] = {}
    for item in outlines_of(system):
        if item.body != GROUND and not item.half_space:
            found.setdefault(item.body, []).append(item)
    details = {
        part.body: tuple(part.plan_details()) for part in system.of_family("vehicle") if isinstance(part, CarBase)
    }
    return {body: replace(plan_of(body, items), details=details.get(body, ())) for body, items in found.items()}


def plan_of(body: str, outlines: list[Outline]) -> Plan:
    """The plan of a body with these outlines: their hull."""
    points = np.concatenate([outer_points(item) for item in outlines])
    low, high = points.min(axis=0), points.max(axis=0)
    return Plan(body, fine_line(hull(points[:, :2])), low, high)


def outer_points(outline: Outline) -> np.ndarray:
    """Points of an outline in the body frame that its plan and its height are made of, (n, 3) [m]."""
    rows, shapes = pack_outlines([outline])
    turns = np.linspace(0.0, 2.0 * math.pi, 180, endpoint=False)
    matrix = np.asarray(outline.rotation, dtype=float)
    directions = np.column_stack([np.cos(turns), np.sin(turns), np.full(len(turns), 1e-9)])
    directions = np.concatenate([directions, [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]]) @ matrix
    found = [support_own(rows[0], shapes, tuple(float(x) for x in n))[1] for n in directions]
    corners = outline.corners()
    own = np.concatenate([np.array(found), corners]) if len(corners) else np.array(found)
    return np.asarray(own @ matrix.T + np.asarray(outline.centre, dtype=float))


def ground_lines(system: System) -> list[np.ndarray]:
    """Plans of what stands on the ground: walls, poles, barriers; closed lines [m]."""
    fixed = [item for item in outlines_of(system) if item.body == GROUND and not item.half_space]
    return [hull(outer_points(item)[:, :2]) for item in fixed]


def hull(points: np.ndarray) -> np.ndarray:
    """Convex hull of points in the plane, anticlockwise."""
    return np.asarray(points[plane_hull(points)])


def fine_line(corners: np.ndarray) -> np.ndarray:
    """A closed line with points close enough for dents."""
    made = []
    for one, two in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        count = max(1, math.ceil(float(np.hypot(*(two - one))) / _FINE))
        made.append(one + (two - one) * (np.arange(count) / count)[:, None])
    return np.concatenate(made)


def pose_at(run: Recording, body: str, time: float) -> Pose:
    """Where a body is at a time [s]."""
    position = np.asarray(run.at(f"{body}.position", time), dtype=float)
    if f"{body}.directors" in run:
        return Pose(position, np.asarray(run.at(f"{body}.directors", time), dtype=float).reshape(3, 3))
    q = np.asarray(run.at(f"{body}.orientation", time), dtype=float)
    return Pose(position, np.asarray(matrix_from_quaternion(q / np.linalg.norm(q))))


def crush_of(run: Recording, body: str, time: float) -> dict[str, np.ndarray]:
    """Crush of the sides of a body at a time, side -> stations [m]; empty when it was not recorded."""
    names = {side: f"{body}.crush_{side}" for side in SIDE_STATIONS}
    return {side: np.asarray(run.at(name, time)) for side, name in names.items() if name in run}


def details_at(run: Recording, plan: Plan, time: float) -> list[np.ndarray]:
    """Windows and wheels from above in the world, moved by dents; none of a vehicle that lies [m]."""
    pose = pose_at(run, plan.body, time)
    if pose.matrix[2, 2] < LYING:
        return []
    crush = crush_of(run, plan.body, time)
    return [pose.to_world(plan.pushed_in(line, crush)) for line in plan.details]


def outline_at(run: Recording, plan: Plan, time: float) -> np.ndarray:
    """The outer line of a body with its dents at a time, from above in the world, (n, 2) [m]."""
    pose = pose_at(run, plan.body, time)
    if pose.matrix[2, 2] < LYING:
        box = [(x, y, z) for x, y in plan.line for z in (plan.low[2], plan.high[2])]
        return hull(pose.to_world(np.array(box)))
    return pose.to_world(plan.dented(crush_of(run, plan.body, time)))

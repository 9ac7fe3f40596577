r"""Line-of-sight path following of waypoints, on top of the speed, heading and depth autopilot.

On the leg from waypoint k to k + 1 with course chi, along-track distance s and cross-track error e (positive to
starboard of the leg), in north-east-down:

    e   = -(x - x_k) sin chi + (y - y_k) cos chi                                   (1)
    psi = chi - atan( (e + I) / Delta )                                            (2)
    I'  = kappa Delta e / ( Delta^2 + (e + I)^2 )      integral action, kappa >= 0  (3)

Delta is the look-ahead distance; (3) finds the crab angle in a current. The leg is changed when the vehicle is within
``radius`` of its end or has passed it; behind the last waypoint the last course is held. Source: T. I. Fossen, K. Y.
Pettersen, R. Galeazzi, IEEE Trans. Control Syst. Technol. 23 (2015); E. Borhaug, A. Pavlov, K. Y. Pettersen, CDC 2008
(integral). State: the autopilot's, then leg number and I.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.controllers.autopilot import Autopilot, MarineMotion
from centrode.parts.controllers.controller import View
from centrode.parts.part import flatten, quantity

LEG, OFFSET = 3, 4


@dataclass(frozen=True)
class LineOfSight(Autopilot):
    """Follows waypoints by line of sight."""

    kind: ClassVar[str] = "line-of-sight"

    waypoints: Any = quantity("m", "points of the path: rows (x, y) or (x, y, z), world frame; two or more", ())
    look_ahead: float = quantity("m", "look-ahead distance Delta", 10.0, positive=True)
    radius: float = quantity("m", "distance from a waypoint at which the next leg begins", 2.0, positive=True)
    integral: float = quantity("m/s", "kappa of the integral action", 0.0, minimum=0.0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        rows = [flatten(row) for row in self.waypoints] if isinstance(self.waypoints, list | tuple) else []
        if len(rows) < 2 or any(len(row) != len(rows[0]) or len(row) not in (2, 3) for row in rows):
            message = "a path needs two waypoints or more, all with two or all with three coordinates"
            return [*found, self.fault("waypoints", message)]
        for k, (row, following) in enumerate(pairwise(rows), start=1):
            if row[:2] == following[:2]:
                found.append(Fault("two waypoints at the same place", f"{self.name}.waypoints[{k}]", got=row))
        if self.heading is not None:
            found.append(self.fault("heading", "the heading follows from the waypoints"))
        return found

    def start(self, view: View) -> np.ndarray:
        return np.concatenate([super().start(view), [0.0, 0.0]])

    def wanted(self, time: float, motion: MarineMotion, state: np.ndarray) -> tuple[Any, Any, Any]:
        speed, _, depth = super().wanted(time, motion, state)
        path = np.array([flatten(row) for row in self.waypoints], dtype=float)
        path[:, 1:] *= motion.sign
        leg = int(state[LEG])
        here = np.array([motion.north, motion.east])
        while leg < len(path) - 2:
            along = path[leg + 1, :2] - path[leg, :2]
            passed = (here - path[leg + 1, :2]) @ along >= 0.0
            if not passed and np.linalg.norm(here - path[leg + 1, :2]) > self.radius:
                break
            leg += 1
        state[LEG] = leg
        begin, end = path[leg], path[leg + 1]
        course = math.atan2(end[1] - begin[1], end[0] - begin[0])
        away = here - begin[:2]
        error = -away[0] * math.sin(course) + away[1] * math.cos(course)  # (1)
        shifted = error + state[OFFSET]
        state[OFFSET] += (
            self.period * self.integral * self.look_ahead * error / (self.look_ahead**2 + shifted**2)
        )  # (3)
        if path.shape[1] == 3 and depth is None:
            length = float(np.linalg.norm(end[:2] - begin[:2]))
            part = (away[0] * math.cos(course) + away[1] * math.sin(course)) / length
            depth = begin[2] + min(max(part, 0.0), 1.0) * (end[2] - begin[2])
        return speed, course - math.atan(shifted / self.look_ahead), depth  # (2)

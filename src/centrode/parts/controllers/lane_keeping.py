"""Lane keeping on any road: steer towards a point of the lane ahead, with the curvature of the road fed forward.

With the look-ahead d = max(d_min, T v), the lateral error e at the car, its heading error psi against the road, its yaw
rate r, and the curvature c of the road, here (c) and a ``lead`` ahead (c_l):

    steer = atan(L c_l) + K_us v^2 c_l - 2 L (e + d sin(psi)) / d^2 - k_r (r - v c)                              (1)

The first two terms are the steady turn of a car with understeer K_us; the third is pure pursuit of the lane, written
for errors in the road's own frame (Coulter, CMU-RI-TR-92-01, 1992), so that on a circle the error goes to zero; the
last damps the yaw. The speed is kept as in :mod:`centrode.parts.controllers.speed`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.parts.controllers.speed import STATION, CarState, Driver
from centrode.parts.part import quantity
from centrode.parts.signals.signal import signal_from


@dataclass(frozen=True)
class LaneKeeping(Driver):
    """Keeps lane and speed."""

    kind: ClassVar[str] = "lane-keeping"

    offset: Any = quantity("m", "place in the road, left positive: number or signal", 0.0)
    look_ahead: float = quantity("s", "time to the point that is steered to", 0.7, positive=True)
    least_look_ahead: float = quantity("m", "least distance to it", 5.0, positive=True)
    lead: float = quantity("s", "time by which the curvature is fed forward", 0.15, minimum=0.0)
    understeer: float = quantity("rad*s2/m", "understeer of the car that is fed forward", 0.0)
    yaw_damping: float = quantity("s", "steering against yaw rate that the road does not ask for", 0.1, minimum=0.0)

    def steering(self, time: float, road: Any, carriage: Any, car: CarState, yaw_rate: float) -> float:
        """Steering angle (1) [rad]."""
        distance = max(self.least_look_ahead, self.look_ahead * abs(car.speed))
        x = [float(place[0]) for place in carriage.places]
        base = max(x) - min(x)
        here = curvature_at(road, car, 0.0)
        ahead = curvature_at(road, car, self.lead * car.speed)
        error = car.lateral - signal_from(self.offset).at(time)[0]
        angle = (
            math.atan(base * ahead)
            + self.understeer * car.speed**2 * ahead
            - 2.0 * base * (error + distance * math.sin(car.heading)) / distance**2
            - self.yaw_damping * (yaw_rate - car.speed * here)
        )
        return min(max(angle, -carriage.steer_limit), carriage.steer_limit)

    def command(self, time: float, view: Any, state: np.ndarray) -> tuple[float, float, float]:
        carriage = self.car(view)
        road = view.model.system.parts[carriage.road]
        car = self.look(view, carriage.body, road, state[STATION])
        state[STATION] = car.station
        wanted = self.longitudinal(time, view, road, car, state)
        yaw_rate = float(view.omega(carriage.body)[2])
        return self.steering(time, road, carriage, car, yaw_rate), *self.pedals(view, carriage, wanted)

    def longitudinal(self, time: float, view: Any, road: Any, car: CarState, state: np.ndarray) -> float:
        """Wanted acceleration [m/s2]; kinds that watch others override this."""
        return self.wanted_acceleration(time, car.speed, state)


def curvature_at(road: Any, car: CarState, distance: float, reach: float = 2.0) -> float:
    """Curvature of the road [1/m], left positive, at a distance ahead of a car, from tangents ``reach`` apart [m]."""
    before = road.point(*(car.position + (distance - reach) * car.ahead), car.station)
    behind = road.point(*(car.position + (distance + reach) * car.ahead), car.station)
    turn = math.atan2(float(behind.tangent @ before.left), float(behind.tangent @ before.tangent))
    return turn / (2.0 * reach)


def gap_between(road: Any, behind: CarState, front: CarState, length: float) -> float:
    """Free distance along the road between two cars of a length [m]; on a closed road the way round."""
    table = road.shared_table()
    gap = front.station - behind.station
    if table[0, 0] != 0.0 and table[0, 2] != 0.0:
        gap %= float(table[0, 3])
    return gap - length

"""Lane keeping on any road: steer towards a point of the lane ahead, with the curvature of the road fed forward.

With the look-ahead d = max(d_min, T v), the lateral error e at the car, its heading error psi against the road and the
curvature c of the road over the look-ahead:

    e_d = e + d sin(psi) - c d^2 / 2,     curvature asked for  k = c - 2 (e_d + c d^2 / 2) / d^2                 (1)
    steer = atan(L k) + K_us v^2 k                                                                              (2)

(1) is pure pursuit written for errors in the road's own frame (Coulter, CMU-RI-TR-92-01, 1992), so that on a circle
the error goes to zero; (2) adds the understeer of the car. The speed is kept as in
:mod:`centrode.parts.controllers.speed`.
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
    understeer: float = quantity("rad*s2/m", "understeer of the car that is fed forward", 0.0)

    def steering(self, time: float, road: Any, carriage: Any, car: CarState) -> float:
        """Steering angle (1), (2) [rad]."""
        distance = max(self.least_look_ahead, self.look_ahead * abs(car.speed))
        x = [float(place[0]) for place in carriage.places]
        there = road.point(*(car.position + distance * car.ahead), car.station)
        here = road.point(*car.position, car.station)
        turn = math.atan2(float(there.tangent @ here.left), float(there.tangent @ here.tangent))
        curvature = turn / distance
        error = car.lateral - signal_from(self.offset).at(time)[0]
        asked = curvature - 2.0 * (error + distance * math.sin(car.heading)) / distance**2
        limit = carriage.steer_limit
        angle = math.atan((max(x) - min(x)) * asked) + self.understeer * car.speed**2 * asked
        return min(max(angle, -limit), limit)

    def drive(self, time: float, view: Any, state: np.ndarray) -> tuple[float, float, float]:
        carriage = self.car(view)
        road = view.model.system.parts[carriage.road]
        car = self.look(view, carriage.body, road, state[STATION])
        state[STATION] = car.station
        wanted = self.longitudinal(time, view, road, car, state)
        return self.steering(time, road, carriage, car), *self.pedals(view, carriage, wanted)

    def longitudinal(self, time: float, view: Any, road: Any, car: CarState, state: np.ndarray) -> float:
        """Wanted acceleration [m/s2]; kinds that watch others override this."""
        return self.wanted_acceleration(time, car.speed, state)


def gap_between(road: Any, behind: CarState, front: CarState, length: float) -> float:
    """Free distance along the road between two cars of a length [m]; on a closed road the way round."""
    table = road.shared_table()
    gap = front.station - behind.station
    if table[0, 0] != 0.0 and table[0, 2] != 0.0:
        gap %= float(table[0, 3])
    return gap - length

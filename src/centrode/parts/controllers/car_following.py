"""Car following: keep lane, speed, and a time gap to the car ahead.

    gap wanted:  g_0 + T v                                                                                      (1)
    a = min(speed control, k_g (gap - wanted) + k_v (v_ahead - v))                                              (2)

(2) is the constant time-gap policy of adaptive cruise control (Rajamani, Vehicle Dynamics and Control, 2nd ed., chapter
6); it is string stable for k_v and k_g as given. Measured by radar: no delay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.parts.controllers.lane_keeping import LaneKeeping, gap_between
from centrode.parts.controllers.speed import OWN, CarState
from centrode.parts.part import quantity


@dataclass(frozen=True)
class CarFollowing(LaneKeeping):
    """Follows the car ahead with a time gap."""

    kind: ClassVar[str] = "car-following"

    ahead: Any = quantity("", "chassis of the car ahead", "", refers_to="body")
    gap: float = quantity("m", "free distance at rest", 3.0, positive=True)
    time_gap: float = quantity("s", "further distance per speed", 1.0, minimum=0.0)
    length: float = quantity("m", "length of a car", 4.0, positive=True)
    k_gap: float = quantity("1/s2", "gain of the distance", 0.4, positive=True)
    k_speed: float = quantity("1/s", "gain of the speed difference", 1.2, positive=True)

    def own_memory(self) -> list[float]:
        """The station of the car ahead."""
        return [np.nan]

    def longitudinal(self, time: float, view: Any, road: Any, car: CarState, state: np.ndarray) -> float:
        other = self.look(view, self.ahead, road, state[OWN])
        state[OWN] = other.station
        gap = gap_between(road, car, other, self.length)
        follow = self.k_gap * (gap - self.gap - self.time_gap * car.speed) + self.k_speed * (other.speed - car.speed)
        return min(self.wanted_acceleration(time, car.speed, state), follow)

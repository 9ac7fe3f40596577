"""Emergency braking: drive as lane keeping does, and brake fully when the car ahead cannot be avoided otherwise.

With the gap g and the closing speed u > 0 to the car ahead:

    time to collision g / u < T_brake, or deceleration needed u^2 / (2 g) > a_brake   ->   full brake              (1)

The brake stays on until the car ahead moves away. State: station of the car ahead, 1 while braking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.parts.controllers.lane_keeping import LaneKeeping, gap_between
from centrode.parts.controllers.speed import OWN, CarState
from centrode.parts.part import quantity


@dataclass(frozen=True)
class EmergencyBrake(LaneKeeping):
    """Keeps lane and speed, and brakes fully before a collision."""

    kind: ClassVar[str] = "emergency-brake"

    ahead: Any = quantity("", "chassis of the car ahead", "", refers_to="body")
    length: float = quantity("m", "length of a car", 4.0, positive=True)
    time_to_collision: float = quantity("s", "brake below this time", 1.0, minimum=0.0)
    needed: float = quantity("m/s2", "brake when this deceleration is needed", 4.0, positive=True)
    margin: float = quantity("m", "distance that shall remain", 1.0, minimum=0.0)

    def own_memory(self) -> list[float]:
        """Station of the car ahead, and whether the brake is on."""
        return [np.nan, 0.0]

    def longitudinal(self, time: float, view: Any, road: Any, car: CarState, state: np.ndarray) -> float:
        other = self.look(view, self.ahead, road, state[OWN])
        state[OWN] = other.station
        gap = gap_between(road, car, other, self.length) - self.margin
        closing = car.speed - other.speed
        if closing < -0.1 and other.speed > 0.5:  # a car that springs back from a stop is still in danger
            state[OWN + 1] = 0.0
        elif gap < self.time_to_collision * closing or closing * closing > 2.0 * self.needed * max(gap, 1e-3):
            state[OWN + 1] = 1.0
        wanted = self.wanted_acceleration(time, car.speed, state)
        return -1e3 if state[OWN + 1] else wanted

    def pedals(self, view: Any, carriage: Any, wanted: float) -> tuple[float, float]:
        return (0.0, 1.0) if wanted <= -1e3 else super().pedals(view, carriage, wanted)

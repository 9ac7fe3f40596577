"""Platoon control with constant spacing: radar to the car ahead, messages from it and from the leader, which come late.

The law of the automated highway programme that the MEDUSA report was made for (Swaroop, Hedrick, Chien and Ioannou, A
comparison of spacing and headway control laws for automatically controlled vehicles, Vehicle System Dynamics 23, 1994),
with spacing error e = wanted gap - gap, e' = v - v_ahead, damping x >= 1, bandwidth w and weight c of the leader:

    a = (1 - c) a_ahead + c a_leader - (2 x - c r) w e' - r w c (v - v_leader) - w^2 e,    r = x + sqrt(x^2 - 1)   (1)

a_ahead, a_leader and v_leader are messages and arrive ``delay`` seconds late; gap and e' are measured at once.
Accelerations are differences of the speeds that were sent. State: stations of both cars, then the messages on the way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.parts.controllers.lane_keeping import LaneKeeping, gap_between
from centrode.parts.controllers.speed import OWN, CarState
from centrode.parts.part import quantity

AHEAD_STATION, LEADER_STATION, MESSAGES = OWN, OWN + 1, OWN + 2


@dataclass(frozen=True)
class PlatoonControl(LaneKeeping):
    """Follows in a platoon with constant spacing."""

    kind: ClassVar[str] = "platoon"

    ahead: Any = quantity("", "chassis of the car ahead", "", refers_to="body")
    leader: Any = quantity("", "chassis of the leader", "", refers_to="body")
    gap: float = quantity("m", "wanted free distance", 6.0, positive=True)
    length: float = quantity("m", "length of a car", 4.0, positive=True)
    delay: float = quantity("s", "delay of messages", 0.0, minimum=0.0)
    leader_weight: float = quantity("1", "weight of the leader's motion", 0.5, minimum=0.0, maximum=0.99)
    bandwidth: float = quantity("rad/s", "bandwidth", 1.0, positive=True)
    damping: float = quantity("1", "damping ratio, 1 at least", 1.0, minimum=1.0)

    @property
    def late(self) -> int:
        """Messages on the way: the delay in samples, rounded, and one more for the difference of speeds."""
        return int(round(self.delay / self.period)) + 2

    def own_memory(self) -> list[float]:
        """Two stations and the messages (speed of the car ahead, of the leader) on the way."""
        return [math.nan] * (2 + 2 * self.late)

    def longitudinal(self, time: float, view: Any, road: Any, car: CarState, state: np.ndarray) -> float:
        front = self.look(view, self.ahead, road, state[AHEAD_STATION])
        head = self.look(view, self.leader, road, state[LEADER_STATION])
        state[AHEAD_STATION], state[LEADER_STATION] = front.station, head.station
        mail = state[MESSAGES:].reshape(self.late, 2)
        mail[1:] = mail[:-1].copy()
        mail[0] = front.speed, head.speed
        mail[np.isnan(mail[:, 0])] = mail[0]  # before the first message the first one stands for all
        newest, before = mail[-2], mail[-1]
        a_ahead, a_leader = (newest - before) / self.period
        c, w, r = self.leader_weight, self.bandwidth, self.damping + math.sqrt(self.damping**2 - 1.0)
        error = self.gap - gap_between(road, car, front, self.length)
        return float(
            (1.0 - c) * a_ahead
            + c * a_leader
            - (2.0 * self.damping - c * r) * w * (car.speed - front.speed)
            - r * w * c * (car.speed - newest[1])
            - w * w * error
        )

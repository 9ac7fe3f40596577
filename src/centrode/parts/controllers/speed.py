"""Speed control of a car: proportional and integral, by drive and brake; and what all drivers of cars share.

    a = k_p (v_ref - v) + i,   i' = k_i (v_ref - v), held while drive or brake is at its limit                   (1)
    T = m a R:   drive = T / T_drive,max when T > 0,   brake = -T / T_brake,max otherwise                        (2)

A driver commands a carriage, which takes steer [rad], drive and brake [1]; it sees the car through the carriage: its
chassis, its road, its mass. State of every driver: road parameter of the car, integral i, then its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.parts.controllers.controller import Controller, View, one_input_fault
from centrode.parts.part import quantity
from centrode.parts.signals.signal import signal_from

STATION, INTEGRAL, OWN = 0, 1, 2


@dataclass(frozen=True)
class CarState:
    """What a driver sees of a car: station and lateral place on the road [m], speed [m/s], heading error [rad]."""

    station: float
    lateral: float
    speed: float
    heading: float
    position: np.ndarray
    ahead: np.ndarray


@dataclass(frozen=True)
class Driver(Controller):
    """Base of the controllers of cars, which command steer, drive and brake."""

    speed: Any = quantity("m/s", "wanted speed: number or signal", 20.0)
    kp: float = quantity("1/s", "gain of the speed", 1.0, positive=True)
    ki: float = quantity("1/s2", "integral gain of the speed", 0.1, minimum=0.0)
    most_brake: float = quantity("m/s2", "largest wanted deceleration", 8.0, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults() + one_input_fault(self)
        try:
            signal_from(self.speed, f"{self.name}.speed")
        except InputError as error:
            found += error.faults
        return found

    def start(self, view: View) -> np.ndarray:
        self.car(view)
        return np.array([math.nan, 0.0, *self.own_memory()])

    def own_memory(self) -> list[float]:
        """Numbers that the kind keeps beyond station and integral, at the start."""
        return []

    def car(self, view: Any) -> Any:
        """The carriage that is commanded."""
        parts = view.model.system.parts
        carriage = parts.get(self.input_names()[0])
        if carriage is None or tuple(getattr(carriage, "input_names", ())) != ("steer", "drive", "brake"):
            got, expected = self.input_names()[0], "the name of a carriage, such as car.carriage"
            raise self.refusal("inputs", f"a {self.kind} controller drives a car", got=got, expected=expected)
        return carriage

    def look(self, view: Any, body: str, road: Any, hint: float) -> CarState:
        """Where a body stands on the road and how it moves along it."""
        position, rotation, velocity = view.position(body), view.rotation(body), view.velocity(body)
        point = road.point(*position, hint)
        ahead = rotation[:, 0]
        heading = math.atan2(float(ahead @ point.left), float(ahead @ point.tangent))
        return CarState(point.s, point.lateral, float(velocity @ ahead), heading, position, ahead)

    def pedals(self, view: Any, carriage: Any, wanted: float) -> tuple[float, float]:
        """Drive and brake for a wanted acceleration [m/s2] (2)."""
        mass = view.model.system.parts[carriage.body].mass
        torque = mass * max(wanted, -self.most_brake) * carriage.radius
        if torque >= 0.0:
            return (min(torque / carriage.drive_torque, 1.0) if carriage.drive_torque > 0.0 else 0.0), 0.0
        return 0.0, (min(-torque / carriage.brake_torque, 1.0) if carriage.brake_torque > 0.0 else 0.0)

    def wanted_acceleration(self, time: float, speed: float, state: np.ndarray) -> float:
        """(1), with the integral held where it would wind up."""
        error = signal_from(self.speed).at(time)[0] - speed
        wanted = self.kp * error + state[INTEGRAL]
        if abs(wanted) < 3.0:
            state[INTEGRAL] += self.ki * self.period * error
        return wanted


@dataclass(frozen=True)
class SpeedControl(Driver):
    """Keeps a speed with the wheel held at an angle."""

    kind: ClassVar[str] = "speed"

    steer: Any = quantity("rad", "steering angle, left positive: number or signal", 0.0)

    def command(self, time: float, view: Any, state: np.ndarray) -> tuple[float, float, float]:
        carriage = self.car(view)
        speed = float(view.velocity(carriage.body) @ view.rotation(carriage.body)[:, 0])
        pedals = self.pedals(view, carriage, self.wanted_acceleration(time, speed, state))
        return signal_from(self.steer).at(time)[0], *pedals

"""What is integrated: a start pose, rates, and how long.

The thesis' baseline (section 3): start (-10, 0) m, heading (0, 1), |V| = 100 m/s, Omega = 10 rad/s clockwise, so the
path is the circle of 10 m about the origin; k points per turn, dt = 2 pi/(k Omega) (equation (37), which the text
refers to and does not print).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from centrode.errors import Fault, InputError
from centrode.studies.ici.rates import Rates, RatesConstant, RatesFunction, thesis_rates


@dataclass(frozen=True)
class IciScenario:
    """A planar motion given by its rates.

    Attributes:
        rates: body rates over time.
        position: start, world [m].
        heading: start heading, world; scaled to length 1.
        start_time, end_time: [s].
        name: for tables and legends.
    """

    rates: Rates
    position: tuple[float, float] = (0.0, 0.0)
    heading: tuple[float, float] = (1.0, 0.0)
    start_time: float = 0.0
    end_time: float = 1.0
    name: str = "scenario"

    def __post_init__(self) -> None:
        faults = []
        for label, pair in (("position", self.position), ("heading", self.heading)):
            if len(pair) != 2 or not all(math.isfinite(value) for value in pair):
                faults.append(Fault("needs two finite numbers", path=label, got=pair))
        if not faults and math.hypot(*self.heading) == 0.0:
            faults.append(Fault("heading has no direction", path="heading", got=self.heading))
        if not (math.isfinite(self.start_time) and math.isfinite(self.end_time)):
            faults.append(Fault("times must be finite", path="end_time", got=(self.start_time, self.end_time)))
        elif self.end_time <= self.start_time:
            what = "end time lies before the start" if self.end_time < self.start_time else "nothing to integrate"
            faults.append(Fault(what, "end_time", got=self.end_time, expected=f"more than {self.start_time:.9g} s"))
        if faults:
            raise InputError(faults)

    @property
    def duration(self) -> float:
        """Length in time [s]."""
        return self.end_time - self.start_time

    @property
    def start_state(self) -> np.ndarray:
        """x, y [m], ux, uy at the start, shape (4,)."""
        length = math.hypot(*self.heading)
        return np.array([*self.position, self.heading[0] / length, self.heading[1] / length], dtype=float)


def circle(
    speed: float = 100.0,
    yaw_rate: float = -10.0,
    turns: float = 1.0,
    position: tuple[float, float] | None = None,
    heading: tuple[float, float] = (0.0, 1.0),
    sideslip: float = 0.0,
    name: str = "circle",
) -> IciScenario:
    """A vehicle on a circle; about the origin unless a start position is given.

    Args:
        speed: |V| [m/s].
        yaw_rate: [rad/s], positive to the left; not zero.
        turns: revolutions.
        position: start [m].
        heading: start heading.
        sideslip: angle from heading to velocity, positive to the left [rad].
        name: for tables.
    """
    if not math.isfinite(yaw_rate) or yaw_rate == 0.0:
        raise InputError("a circle needs a finite yaw rate that is not zero", path="yaw_rate", got=yaw_rate)
    if not math.isfinite(turns) or turns <= 0.0:
        raise InputError("number of turns must be positive", path="turns", got=turns)
    rates = RatesConstant(speed * math.cos(sideslip), speed * math.sin(sideslip), yaw_rate)
    if position is None:
        length = math.hypot(*heading) or 1.0
        ux, uy = heading[0] / length, heading[1] / length
        # The centre lies at i w h / omega from the vehicle; put it at the origin. The 0.0 - ... avoids -0.0.
        centre = 1j * complex(rates.vx, rates.vy) * complex(ux, uy) / yaw_rate
        position = (0.0 - centre.real, 0.0 - centre.imag)
    return IciScenario(rates, position, heading, 0.0, turns * 2.0 * math.pi / abs(yaw_rate), name)


def baseline(turns: float = 1.0) -> IciScenario:
    """The thesis' baseline scenario, converted to Centrode's frame."""
    vx, _, omega = thesis_rates(100.0, 0.0, 10.0)
    return circle(vx, omega, turns, position=(-10.0, 0.0), heading=(0.0, 1.0), name="thesis baseline")


def varying_turn() -> IciScenario:
    """Ten seconds of a car that speeds up, slows down, slides a little and swings from left to right.

    Speed 20 + 5 sin t m/s, sideways cos 2t m/s, yaw rate 0.4 + 1.5 sin 0.7 t rad/s: smooth, with two changes of sign of
    the yaw rate.
    """
    vx, vy = lambda t: 20.0 + 5.0 * np.sin(t), lambda t: np.cos(2.0 * t)
    rates = RatesFunction(vx, vy, lambda t: 0.4 + 1.5 * np.sin(0.7 * t))
    return IciScenario(rates, end_time=10.0, name="varying turn")


def step_for_points(points_per_turn: float, yaw_rate: float) -> float:
    """dt = 2 pi/(k |omega|) [s], thesis (37). k below 1 is refused: a step longer than a turn."""
    if not math.isfinite(points_per_turn) or points_per_turn < 1.0:
        raise InputError("points per turn below 1", path="k", got=points_per_turn, expected="1 or more")
    if not math.isfinite(yaw_rate) or yaw_rate == 0.0:
        raise InputError("points per turn need a yaw rate that is not zero", path="yaw_rate", got=yaw_rate)
    return 2.0 * math.pi / (points_per_turn * abs(yaw_rate))


def steps_for(scenario: IciScenario, dt: float) -> int:
    """Number of steps that fill the scenario with none longer than dt [s] (they are shortened to end on time)."""
    if not math.isfinite(dt) or dt <= 0.0:
        raise InputError("step must be positive", path="dt", got=dt)
    if dt > scenario.duration * (1.0 + 1e-9):
        expected = f"at most {scenario.duration:.9g} s"
        raise InputError("step is longer than the run", path="dt", got=dt, expected=expected)
    # duration / dt misses a whole number by rounding; that must not add a step.
    return max(1, math.ceil(scenario.duration / dt - 1e-6))

"""Proportional-integral-derivative control of one measured number.

With the error e = r(t) - y at the sample k and the period h:

    i_k = i_(k-1) + K_i h e_k                                              (1)
    d_k = -K_d (y_k - y_(k-1)) / h, or -K_d y' when a rate is measured     (2)
    u_k = bias + K_p e_k + i_k + d_k, cut to its limits                    (3)

The derivative acts on the measurement, so a step of the setpoint gives no kick. While (3) is cut, (1) stands still in
the direction that would cut it further (no wind-up). State: integral, last measurement, samples taken.
Reference: Astrom and Hagglund, "PID Controllers: Theory, Design and Tuning", 2nd edition (1995), sections 3.4 and 3.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.parts.controllers.controller import Controller, View, limited, one_measure_faults
from centrode.parts.part import limit_faults, quantity
from centrode.parts.signals.signal import signal_from, varying

INTEGRAL, LAST, SAMPLES = 0, 1, 2


@dataclass(frozen=True)
class Pid(Controller):
    """PID controller of one measured number."""

    kind: ClassVar[str] = "pid"

    measure: str = quantity("", "what is controlled: hinge.angle, arm.position.z, ...", "")
    setpoint: Any = varying("1", "wanted value: a number or a signal, in the unit of the measured number", 0.0)
    kp: float = quantity("1", "proportional gain", 0.0)
    ki: float = quantity("1", "integral gain [1/s]", 0.0)
    kd: float = quantity("1", "derivative gain [s]", 0.0)
    bias: float = quantity("1", "command without error", 0.0)
    rate: str | None = quantity("", "measured rate for the derivative; a difference of samples when left out", None)
    lower: float | None = quantity("1", "smallest command", None)
    upper: float | None = quantity("1", "largest command", None)

    def faults(self) -> list[Fault]:
        return super().faults() + limit_faults(self) + one_measure_faults(self, self.measure)

    def start(self, view: View) -> np.ndarray:
        view.check(self.measure, f"{self.name}.measure")
        if self.rate is not None:
            view.check(self.rate, f"{self.name}.rate")
        return np.zeros(3)

    def command(self, time: float, view: View, state: np.ndarray) -> Sequence[float]:
        measured = view.value(self.measure)
        error = signal_from(self.setpoint).at(time)[0] - measured
        if self.rate is not None:
            slope = view.value(self.rate)
        else:
            slope = (measured - state[LAST]) / self.period if state[SAMPLES] > 0 else 0.0  # (2)
        step = self.ki * self.period * error
        wanted = self.bias + self.kp * error + state[INTEGRAL] + step - self.kd * slope  # (1), (3)
        value = limited(wanted, self.lower, self.upper)
        if (wanted - value) * step <= 0.0:  # not cut, or the integral works its way back
            state[INTEGRAL] += step
        else:
            value = limited(wanted - step, self.lower, self.upper)
        state[LAST] = measured
        state[SAMPLES] += 1
        return (value,)

    def continuous(self, time: float, view: View, state: np.ndarray) -> tuple[Sequence[float], Sequence[float]] | None:
        """u = bias + K_p e + i - K_d y', i' = K_i e while u is within its limits."""
        slope = 0.0
        if self.kd != 0.0:
            name = self.rate if self.rate is not None else f"{self.measure}_rate"
            try:
                slope = view.value(name)
            except InputError:  # a number whose rate nobody measures
                return None
        error = signal_from(self.setpoint).at(time)[0] - view.value(self.measure)
        wanted = self.bias + self.kp * error + state[INTEGRAL] - self.kd * slope
        value = limited(wanted, self.lower, self.upper)
        return (value,), (self.ki * error if (wanted - value) * self.ki * error <= 0.0 else 0.0,)

    def continuous_memory(self) -> dict[str, int]:
        return {"integral": INTEGRAL}

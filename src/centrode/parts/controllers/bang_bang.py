"""Two-point control with hysteresis: a thermostat, a ballast pump, a brake that is on or off.

    measured < setpoint - h/2: high;   measured > setpoint + h/2: low;   in between: as before        (1)

At the start, inside the band, the command is low. State: the present command.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.controllers.controller import Controller, View, one_measure_faults
from centrode.parts.part import quantity
from centrode.parts.signals.signal import signal_from, varying


@dataclass(frozen=True)
class BangBang(Controller):
    """Two-point controller of one measured number."""

    kind: ClassVar[str] = "bang-bang"

    measure: str = quantity("", "what is controlled: hinge.angle, arm.position.z, ...", "")
    setpoint: Any = varying("1", "wanted value: a number or a signal", 0.0)
    low: float = quantity("1", "command above the band", -1.0)
    high: float = quantity("1", "command below the band", 1.0)
    hysteresis: float = quantity("1", "width of the band", 0.0, minimum=0.0)

    def faults(self) -> list[Fault]:
        return super().faults() + one_measure_faults(self, self.measure)

    def start(self, view: View) -> np.ndarray:
        view.check(self.measure, f"{self.name}.measure")
        return np.array([self.low])

    def command(self, time: float, view: View, state: np.ndarray) -> Sequence[float]:
        error = signal_from(self.setpoint).at(time)[0] - view.value(self.measure)
        if error > 0.5 * self.hysteresis:
            state[0] = self.high
        elif error < -0.5 * self.hysteresis:
            state[0] = self.low
        return (float(state[0]),)

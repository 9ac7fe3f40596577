"""State feedback: a gain matrix from measured numbers to commands (LQR, pole placement).

    u = u_0 - K (x - x_0), each command cut to its limits        (1)

K has one row per input and one column per measured number. No state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.controllers.controller import Controller, View, limited, numbers
from centrode.parts.part import limit_faults, quantity


@dataclass(frozen=True)
class StateFeedback(Controller):
    """Linear feedback of several measured numbers."""

    kind: ClassVar[str] = "state-feedback"

    measures: tuple[str, ...] = quantity("", "measured numbers: (hinge.angle, hinge.angle_rate, ...)", ())
    gain: Any = quantity("1", "gain matrix: one row per input, one column per measured number", ())
    reference: Any = quantity("1", "wanted values of the measured numbers; zeros when left out", None)
    feedforward: Any = quantity("1", "commands at the wanted values; zeros when left out", None)
    lower: float | None = quantity("1", "smallest command", None)
    upper: float | None = quantity("1", "largest command", None)

    def faults(self) -> list[Fault]:
        found = super().faults() + limit_faults(self)
        rows, columns = len(self.input_names()), len(self.measures)
        if columns == 0:
            found.append(self.fault("measures", "what shall be measured?", expected="names such as hinge.angle"))
        if found:
            return found
        for field, size, shape in (
            ("gain", rows * columns, f"{rows} rows of {columns} numbers"),
            ("reference", columns, f"{columns} numbers"),
            ("feedforward", rows, f"{rows} numbers"),
        ):
            value = getattr(self, field)
            if value is not None and len(numbers(value)) != size:
                found.append(self.fault(field, f"wrong size of the {field}", got=value, expected=shape))
        return found

    def start(self, view: View) -> np.ndarray:
        for k, name in enumerate(self.measures):
            view.check(name, f"{self.name}.measures[{k}]")
        return np.zeros(0)

    def command(self, time: float, view: View, state: np.ndarray) -> Sequence[float]:
        x = np.array([view.value(name) for name in self.measures])
        if self.reference is not None:
            x -= numbers(self.reference)
        u = -np.array(numbers(self.gain)).reshape(-1, x.size) @ x
        if self.feedforward is not None:
            u += numbers(self.feedforward)
        return [limited(float(value), self.lower, self.upper) for value in u]

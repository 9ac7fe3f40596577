"""A sideways push on the frame of a bicycle: a smooth bump of force in time.

    F(t) = F sin^2(pi (t - t_0) / T)   for t_0 <= t <= t_0 + T,   zero otherwise

in sixteen straight pieces, so that it begins and ends with nearly no slope.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.parts.part import quantity

_TIMES = np.linspace(0.0, 1.0, 17)


@dataclass(frozen=True)
class BicyclePush:
    """When, how hard, how long and where."""

    at: float = quantity("s", "time at which it begins", 0.5, minimum=0.0)
    force: float = quantity("N", "largest force, to the left", 100.0)
    duration: float = quantity("s", "how long it lasts", 0.2, positive=True)
    height: float | None = quantity("m", "above the ground; at the centre of mass of the frame when left out", None)
    x: float | None = quantity("m", "ahead of the rear contact; at the centre of mass when left out", None)

    def signal(self) -> dict[str, Any]:
        """The force as a table over time [N]."""
        values = self.force * np.sin(math.pi * _TIMES) ** 2
        values[[0, -1]] = 0.0
        # Zero for a while before and after: the table goes on straight beyond its ends.
        before, after = [self.at - 1e3, self.at - 0.5 * self.duration], [self.at + 1.5 * self.duration, self.at + 1e6]
        times = np.concatenate([before, self.at + self.duration * _TIMES, after])
        forces = [0.0, 0.0, *values.tolist(), 0.0, 0.0]
        return {"kind": "table", "times": times.tolist(), "values": forces, "interpolation": "linear"}

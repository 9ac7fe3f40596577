"""Table spring: force over compression as measured, straight between the points, end slopes carried on; linear damper.

With the compression c = rest length - deflection and the spring's force f(c) from the table,

    push = f(c) - D deflection',      stored = integral of f from 0 to c
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import kernel
from centrode.parts.part import quantity
from centrode.parts.suspensions.contract import SUSPENSION_SIGNATURE, Suspension

REST, DAMPING, POINTS = 0, 1, 2
"""Places in the row; from POINTS on compression and force of each point in turn."""


@kernel(signature=SUSPENSION_SIGNATURE)
def table_law(par, deflection, rate):
    """(push, stored, toe, camber); arguments as in :mod:`centrode.parts.suspensions.contract`."""
    compression = par[REST] - deflection
    low = 0.0
    push = 0.0
    stored = 0.0
    for at in range(POINTS, par.size - 2, 2):
        start, end = par[at], par[at + 2]
        slope = (par[at + 3] - par[at + 1]) / (end - start)
        last = at == par.size - 4
        high = compression if last else min(compression, end)
        if high > low:
            stored += (high - low) * (par[at + 1] + slope * (0.5 * (low + high) - start))
            low = high
        if last or compression <= end:
            push = par[at + 1] + slope * (compression - start)
            break
    return push - par[DAMPING] * rate, stored, 0.0, 0.0


@dataclass(frozen=True)
class SuspensionTable(Suspension):
    """Spring by table (force over compression) and linear damper along the road normal."""

    kind: ClassVar[str] = "table"
    law: ClassVar = staticmethod(table_law)

    compression: tuple[float, ...] = quantity("m", "compressions of the table, rising", default_factory=tuple)
    force: tuple[float, ...] = quantity("N", "spring force at each compression", default_factory=tuple)
    damping: float = quantity("N*s/m", "damping", 0.0, minimum=0.0)
    rest_length: float = quantity(
        "m", "distance from assembly point to road at compression 0", 0.15, positive=True, kw_only=True
    )
    note: str = quantity("", "where the table comes from", "")

    def faults(self) -> list[Fault]:
        """Also: two points or more, equal lengths, rising compression."""
        found = super().faults()
        if len(self.compression) != len(self.force) or len(self.compression) < 2:
            got = (len(self.compression), len(self.force))
            found.append(self.fault("force", "table needs as many forces as compressions, two at least", got=got))
        elif any(b <= a for a, b in zip(self.compression, self.compression[1:], strict=False)):
            found.append(self.fault("compression", "compressions must rise"))
        return found

    def pack(self) -> np.ndarray:
        """Row: rest length, damping, then the points."""
        return np.array([self.rest_length, self.damping, *np.column_stack([self.compression, self.force]).ravel()])

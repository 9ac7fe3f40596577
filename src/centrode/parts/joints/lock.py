"""Locks: a further row on a hinge or slider that holds its coordinate while it is switched on.

With the coordinate q of the joint (angle or displacement) and the value q_0 at the moment of locking,

    phi = q - q_0                                                                            (1)

The row exists when the joint is ``lockable`` and acts while it is ``locked``. q_0 is kept in the last column of the
joint's memory. Locking a joint that moves is an impact: the velocity projection that follows takes away exactly the
relative motion, as a perfectly plastic impulse does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.parts.joints.joint import Joint
from centrode.parts.kernel_types import MEMORY_WIDTH
from centrode.parts.part import quantity
from centrode.parts.placement import Scene

LOCK_MEMORY = MEMORY_WIDTH - 1
"""Memory column of the coordinate at which the joint is locked."""


@dataclass(frozen=True, kw_only=True)
class LockableJoint(Joint):
    """Base of joints with one coordinate that can be locked; the coordinate is memory column 0."""

    lockable: bool = quantity("", "the joint can be locked during the run", False)
    locked: bool = quantity("", "locked where it stands", False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.locked:  # a joint that is locked at the start can be freed later, without saying so
            object.__setattr__(self, "lockable", True)
        if self.lockable:  # one row more than the kind has; seen by whoever asks this joint for its rows
            object.__setattr__(self, "rows", type(self).rows + 1)
            object.__setattr__(self, "plane_rows", type(self).plane_rows + 1)

    def faults(self) -> list[Fault]:
        found = super().faults()
        for field in ("lockable", "locked"):
            value: Any = getattr(self, field)
            if not isinstance(value, bool):
                found.append(self.fault(field, "not a switch", got=value, expected="true or false"))
        return found

    def initial_active_rows(self, scene: Scene | None = None) -> list[float]:
        active = super().initial_active_rows(scene)
        if self.lockable and not self.locked:
            active[-1] = 0.0
        return active

    def after_change(self, memory: np.ndarray, active: np.ndarray, plane: bool) -> None:
        if not self.lockable:
            return
        row = (self.plane_rows if plane else self.rows) - 1
        if self.locked and active[row] == 0.0:
            memory[LOCK_MEMORY] = memory[0]  # q_0 of (1)
        active[row] = 1.0 if self.locked else 0.0

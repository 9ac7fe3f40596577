"""Linear spring and damper: F = k d + c d', cut off where it would pull.

The force jumps by c v at touch, so any method is of first order in time across the touch; offered because it is the
textbook law and has a closed form. With damping ratio z = c / (2 sqrt(k m)), w = sqrt(1 - z^2):

    release at d = 0 (may pull):   e = exp(-pi z / w)
    release at F = 0 (used here):  e = exp(-(z / w) (pi - atan2(2 z w, 1 - 2 z^2)))     Schwager and Poeschel 2007
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from centrode.jit import kernel
from centrode.parts.contact_laws.contact_law import (
    ADVANCE_SIGNATURE,
    CHOSEN_STIFFNESS,
    FACTOR,
    FIRST_OWN,
    FRICTION,
    GREATEST_STIFFNESS,
    LAW_SIGNATURE,
    ContactLaw,
    Load,
    advance_common,
)
from centrode.parts.part import quantity


@kernel(signature=LAW_SIGNATURE)
def linear_law(par, memory, depth, depth_rate, slip_speed):
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    k = memory[CHOSEN_STIFFNESS]
    spring = k * depth
    # The damper scales with the side's factor like the spring: the damping ratio of a side stays its own.
    force = max(spring + par[FIRST_OWN] * memory[FACTOR] * depth_rate, 0.0)
    return force, par[FRICTION], 0.5 * spring * depth, (force - spring) * depth_rate


@kernel(signature=ADVANCE_SIGNATURE)
def linear_advance(par, memory, depth, depth_rate, duration):
    _, _, _, power = linear_law(par, memory, depth, depth_rate, 0.0)
    advance_common(par, memory, depth, depth_rate, power, duration)


@dataclass(frozen=True)
class LinearContact(ContactLaw):
    """Linear spring [N/m] and damper [N*s/m]."""

    kind: ClassVar[str] = "linear"
    law_kernel: ClassVar[Any] = linear_law
    advance_kernel: ClassVar[Any] = linear_advance

    stiffness: float | None = quantity(
        "N/m", "stiffness; by mass, size, weight and speed when left out", None, positive=True
    )
    damping: float = quantity("N*s/m", "damping", 0.0, minimum=0.0)

    def fitted(self, load: Load) -> ContactLaw:
        return replace(self, stiffness=load.stiffness()) if self.stiffness is None else self

    def left_out(self) -> float | None:
        return 1.0 if self.stiffness is None else None

    def harder(self, times: float) -> tuple[float, float]:
        return self.reference_stiffness() * times**2, 0.0

    def reference_stiffness(self) -> float:
        return GREATEST_STIFFNESS if self.stiffness is None else self.stiffness

    def own_parameters(self) -> list[float]:
        return [self.damping]

"""Restitution-controlled law: a Hunt-Crossley force whose damping is chosen at touch to give a wanted restitution.

For rigid bodies the wanted value is met exactly (eq. (1) of :mod:`hunt_crossley`), whatever the masses and the
stiffness, and on the ground with the weight that presses meanwhile (1w). Deformable bodies keep part of the energy as
vibration and rebound somewhat slower.
"""

from __future__ import annotations

from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.jit import kernel
from centrode.parts.contact_laws.contact_law import BEGIN_SIGNATURE, FIRST_OWN, begin_common
from centrode.parts.contact_laws.hunt_crossley import LEAST_RESTITUTION, CompliantLaw, choose_damping
from centrode.parts.part import quantity


@kernel(signature=BEGIN_SIGNATURE)
def restitution_begin(par, memory, closing_speed, effective_mass, factor, region):
    begin_common(par, memory, closing_speed, factor, region)
    choose_damping(par, memory, par[FIRST_OWN + 1], closing_speed, effective_mass)


@dataclass(frozen=True)
class Restitution(CompliantLaw):
    """Stiffness [N/m] and coefficient of restitution [1], 0 .. 1; less than 0.01 counts as 0.01 where it pushes."""

    kind: ClassVar[str] = "restitution"
    begin_kernel: ClassVar[Any] = restitution_begin

    stiffness: float | None = quantity(
        "N/m", "stiffness (N/m^exponent); by mass, size, weight and speed when left out", None, positive=True
    )
    restitution: float = quantity("1", "coefficient of restitution", 0.3, minimum=0.0, maximum=1.0)
    exponent: float = quantity("1", "exponent of the depth", 1.0, minimum=1.0, maximum=4.0)

    def hard_restitution(self) -> float | None:
        return self.restitution

    def own_parameters(self) -> list[float]:
        return [self.exponent, max(self.restitution, LEAST_RESTITUTION)]

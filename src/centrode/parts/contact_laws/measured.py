"""Measured restitution: restitution as a function of closing speed, taken from low-speed tests of cars.

Default: regression of Cipriani et al., SAE 2002-01-0540, with v the closing speed in m/s and L = log10 v,

    e = 0.47477 - 0.26139 L + 0.03382 L^2 - 0.11639 L^3                                                  (1)

(1 m/s: 0.475, 4 m/s: 0.304, 7 m/s: 0.208). Outside the tests (1) leaves the possible range, so it is held between
a floor (about 0.1 at medium and high speed, SAE 931842) and a ceiling. The force is that of
:mod:`hunt_crossley`, its damping chosen at touch.

Bumpers and the weaker side structure may dissipate differently (MEDUSA report 1999, section 1.7): ``front`` holds for
hits of front on rear, ``side`` where a side of either body is met; each replaces (1) where it is given.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import kernel
from centrode.parts.contact_laws.contact_law import BEGIN_SIGNATURE, DAMPING, FIRST_OWN, RESTITUTION, begin_common
from centrode.parts.contact_laws.hunt_crossley import CompliantLaw, damping_for_restitution
from centrode.parts.outlines.outline import Region
from centrode.parts.part import quantity

CIPRIANI = (0.47477, -0.26139, 0.03382, -0.11639)


@kernel
def measured_restitution(par, closing_speed):
    """Restitution at a closing speed [m/s], eq. (1) between floor and ceiling."""
    logarithm = math.log10(max(closing_speed, 1e-3))
    value = par[FIRST_OWN + 3] + logarithm * (
        par[FIRST_OWN + 4] + logarithm * (par[FIRST_OWN + 5] + logarithm * par[FIRST_OWN + 6])
    )
    return min(max(value, par[FIRST_OWN + 1]), par[FIRST_OWN + 2])


@kernel(signature=BEGIN_SIGNATURE)
def measured_begin(par, memory, closing_speed, effective_mass, factor, region):
    begin_common(par, memory, closing_speed, factor, region)
    sides = int(region) - 1  # 5 * side of A + side of B
    lateral = sides // 5 == Region.SIDE or sides % 5 == Region.SIDE
    chosen = par[FIRST_OWN + 8] if lateral else par[FIRST_OWN + 7]
    memory[RESTITUTION] = chosen if chosen > 0.0 else measured_restitution(par, closing_speed)
    memory[DAMPING] = damping_for_restitution(memory[RESTITUTION], closing_speed)


@dataclass(frozen=True)
class MeasuredRestitution(CompliantLaw):
    """Stiffness [N/m] and a cubic in log10 of the closing speed for the restitution [1]."""

    kind: ClassVar[str] = "measured-restitution"
    gives_way: ClassVar[bool] = True
    begin_kernel: ClassVar[Any] = measured_begin

    stick_stiffness: float | None = quantity(
        "N/m", "tangential stiffness while sticking; 0: regularised, as cars were computed in 1999", 0.0, minimum=0.0
    )
    stiffness: float = quantity("N/m", "stiffness (N/m^exponent)", 1e6, positive=True)
    exponent: float = quantity("1", "exponent of the depth", 1.0, minimum=1.0, maximum=4.0)
    coefficients: tuple[float, float, float, float] = quantity("1", "cubic in log10(speed / (m/s))", CIPRIANI)
    floor: float = quantity("1", "least restitution", 0.1, minimum=0.01, maximum=1.0)
    ceiling: float = quantity("1", "greatest restitution", 0.9, minimum=0.01, maximum=1.0)
    front: float = quantity("1", "restitution where no side is hit; 0: as measured", 0.0, minimum=0.0, maximum=1.0)
    side: float = quantity("1", "restitution where a side is hit; 0: as measured", 0.0, minimum=0.0, maximum=1.0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if len(self.coefficients) != 4:
            found.append(self.fault("coefficients", "needs four numbers"))
        if self.floor > self.ceiling:
            found.append(self.fault("floor", "floor above ceiling", expected=f"<= {self.ceiling}"))
        return found

    def own_parameters(self) -> list[float]:
        return [self.exponent, self.floor, self.ceiling, *self.coefficients, self.front, self.side]

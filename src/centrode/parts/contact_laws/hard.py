"""Hard contact: as stiff as a wanted contact duration allows, with a restitution.

Stiffness follows from the effective mass m of the pair at the touching point and the wanted duration T of a half
oscillation, k = m (pi / T)^2; a step of T/20 then resolves it. Of a deformable body m is what the point feels at once,
before the body moves as a whole: contacts shorter than its lowest mode last T, longer ones last longer, up to
sqrt(m_rigid / m). Restitution as in :mod:`restitution`.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.jit import kernel
from centrode.parts.contact_laws.contact_law import (
    BEGIN_SIGNATURE,
    CHOSEN_STIFFNESS,
    FIRST_OWN,
    ContactLaw,
    Load,
    begin_common,
)
from centrode.parts.contact_laws.hunt_crossley import LEAST_RESTITUTION, CompliantLaw, choose_damping
from centrode.parts.part import quantity


@kernel(signature=BEGIN_SIGNATURE)
def hard_begin(par, memory, closing_speed, effective_mass, factor, region):
    begin_common(par, memory, closing_speed, factor, region)
    rate = math.pi / par[FIRST_OWN + 1]
    memory[CHOSEN_STIFFNESS] = effective_mass * rate * rate * factor
    choose_damping(par, memory, par[FIRST_OWN + 2], closing_speed, effective_mass)


@dataclass(frozen=True)
class HardContact(CompliantLaw):
    """Duration of an undamped contact [s] and restitution [1]; less than 0.01 counts as 0.01 where it pushes."""

    kind: ClassVar[str] = "hard"
    begin_kernel: ClassVar[Any] = hard_begin

    duration: float = quantity("s", "duration of an undamped contact", 2e-3, positive=True)
    restitution: float = quantity("1", "coefficient of restitution", 1.0, minimum=0.0, maximum=1.0)

    def fitted(self, load: Load) -> ContactLaw:
        return self

    def left_out(self) -> float | None:
        return None  # the duration says it

    def harder(self, times: float) -> tuple[float, float]:
        return 0.0, self.duration / times

    def reference_stiffness(self) -> float:
        return 0.0  # chosen at touch

    def hard_restitution(self) -> float | None:
        return self.restitution

    def own_parameters(self) -> list[float]:
        return [1.0, self.duration, max(self.restitution, LEAST_RESTITUTION)]

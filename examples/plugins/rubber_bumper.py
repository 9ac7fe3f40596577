"""A contact law of one's own: a rubber bumper that hardens with depth, on a surface whose friction falls with speed.

With depth d, depth rate d', slip speed v:

    F  = (k d + k3 d^3) max(1 + a d', 0)                                  never pulls                     (1)
    stored  k d^2 / 2 + k3 d^4 / 4,   dissipated (F - k d - k3 d^3) d' >= 0                               (2)
    mu = mu_k + (mu_s - mu_k) exp(-v / v_s)                               Stribeck 1902                   (3)

The damping acts on the force of the spring (Hunt and Crossley 1975), so that the force is continuous at touch. Check it
with ``centrode check rubber_bumper.py``; use it with ``centrode run scenario.yaml --plugin rubber_bumper.py`` (or
``plugins: [rubber_bumper.py]`` in the scenario) and ``kind: rubber-bumper`` below ``contact_laws``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import kernel
from centrode.parts.contact_laws.contact_law import (
    ADVANCE_SIGNATURE,
    CHOSEN_STIFFNESS,
    FACTOR,
    FIRST_OWN,
    FRICTION,
    LAW_SIGNATURE,
    ContactLaw,
    advance_common,
    plain_begin,
)
from centrode.parts.part import quantity

# Behind the parameters that all laws share.
CUBIC, DAMPING, SLIDING, STRIBECK = FIRST_OWN, FIRST_OWN + 1, FIRST_OWN + 2, FIRST_OWN + 3


@kernel(signature=LAW_SIGNATURE)
def rubber_law(par, memory, depth, depth_rate, slip_speed):
    """(1) to (3): normal force [N], friction coefficient [1], stored energy [J], dissipated power [W]."""
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    k = memory[CHOSEN_STIFFNESS]
    cubic = par[CUBIC] * memory[FACTOR]
    spring = k * depth + cubic * depth * depth * depth
    force = spring * max(1.0 + par[DAMPING] * depth_rate, 0.0)  # (1)
    friction = par[SLIDING] + (par[FRICTION] - par[SLIDING]) * math.exp(-slip_speed / par[STRIBECK])  # (3)
    stored = 0.5 * k * depth * depth + 0.25 * cubic * depth**4  # (2)
    return force, friction, stored, (force - spring) * depth_rate


@kernel(signature=ADVANCE_SIGNATURE)
def rubber_advance(par, memory, depth, depth_rate, duration):
    """After an accepted step: nothing of its own to remember."""
    _, _, _, power = rubber_law(par, memory, depth, depth_rate, 0.0)
    advance_common(par, memory, depth, depth_rate, power, duration)


@dataclass(frozen=True)
class RubberBumper(ContactLaw):
    """Stiffness k [N/m] and k3 [N/m^3], damping a [s/m]; ``friction`` is mu_s, the friction of slow sliding."""

    kind: ClassVar[str] = "rubber-bumper"
    begin_kernel: ClassVar[Any] = plain_begin
    law_kernel: ClassVar[Any] = rubber_law
    advance_kernel: ClassVar[Any] = rubber_advance

    stiffness: float = quantity("N/m", "stiffness at small depth", 2e5, positive=True)
    cubic: float = quantity("N/m^3", "growth of the force with the cube of the depth", 5e7, minimum=0.0)
    damping: float = quantity("s/m", "damping relative to the spring force", 0.3, minimum=0.0)
    sliding_friction: float = quantity("1", "Coulomb coefficient of fast sliding, mu_k", 0.0, minimum=0.0)
    stribeck_speed: float = quantity("m/s", "speed over which the friction falls, v_s", 0.5, positive=True)

    def reference_stiffness(self) -> float:
        return self.stiffness

    def own_parameters(self) -> list[float]:
        return [self.cubic, self.damping, self.sliding_friction, self.stribeck_speed]

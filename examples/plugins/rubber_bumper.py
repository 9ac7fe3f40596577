"""A contact law of one's own: a rubber bumper that hardens with depth, on a surface whose friction falls with speed.

With depth d, depth rate d', slip speed v:

    F  = (k d + k3 d^3) max(1 + a d', 0)                                  never pulls                     (1)
    stored  k d^2 / 2 + k3 d^4 / 4,   dissipated (F - k d - k3 d^3) d' >= 0                               (2)
    mu = mu_k + (mu_s - mu_k) exp(-v / v_s)                               Stribeck 1902                   (3)

The damping acts on the force of the spring (Hunt and Crossley 1975), so that the force is continuous at touch. Check it
with ``centrode check rubber_bumper.py``; use it in a scenario with ``plugins: [rubber_bumper.py]`` and
``kind: rubber-bumper`` below ``contact_laws``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import centrode as ct

# Behind the parameters that all laws share.
CUBIC, DAMPING, SLIDING, STRIBECK = (ct.contact_law.FIRST_OWN + k for k in range(4))


@ct.kernel(signature=ct.LAW_SIGNATURE)
def rubber_law(par, memory, depth, depth_rate, slip_speed):
    """(1) to (3): normal force [N], friction coefficient [1], stored energy [J], dissipated power [W]."""
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    k = memory[ct.contact_law.CHOSEN_STIFFNESS]
    cubic = par[CUBIC] * memory[ct.contact_law.FACTOR]
    spring = k * depth + cubic * depth * depth * depth
    force = spring * max(1.0 + par[DAMPING] * depth_rate, 0.0)  # (1)
    falling = par[ct.contact_law.FRICTION] - par[SLIDING]
    friction = par[SLIDING] + falling * math.exp(-slip_speed / par[STRIBECK])  # (3)
    stored = 0.5 * k * depth * depth + 0.25 * cubic * depth**4  # (2)
    return force, friction, stored, (force - spring) * depth_rate


@ct.kernel(signature=ct.ADVANCE_SIGNATURE)
def rubber_advance(par, memory, depth, depth_rate, duration):
    """After an accepted step: nothing of its own to remember."""
    _, _, _, power = rubber_law(par, memory, depth, depth_rate, 0.0)
    ct.contact_law.advance_common(par, memory, depth, depth_rate, power, duration)


@dataclass(frozen=True)
class RubberBumper(ct.ContactLaw):
    """Stiffness k [N/m] and k3 [N/m^3], damping a [s/m]; ``friction`` is mu_s, the friction of slow sliding."""

    kind: ClassVar[str] = "rubber-bumper"
    begin_kernel: ClassVar[Any] = ct.contact_law.plain_begin
    law_kernel: ClassVar[Any] = rubber_law
    advance_kernel: ClassVar[Any] = rubber_advance

    stiffness: float = ct.quantity("N/m", "stiffness at small depth", 2e5, positive=True)
    cubic: float = ct.quantity("N/m^3", "growth of the force with the cube of the depth", 5e7, minimum=0.0)
    damping: float = ct.quantity("s/m", "damping relative to the spring force", 0.3, minimum=0.0)
    sliding_friction: float = ct.quantity("1", "Coulomb coefficient of fast sliding, mu_k", 0.0, minimum=0.0)
    stribeck_speed: float = ct.quantity("m/s", "speed over which the friction falls, v_s", 0.5, positive=True)

    def reference_stiffness(self) -> float:
        return self.stiffness

    def own_parameters(self) -> list[float]:
        return [self.cubic, self.damping, self.sliding_friction, self.stribeck_speed]

"""The linear tyre, cut off at the friction circle: the law of textbooks and of linear vehicle models.

    Fx = C_kappa kappa,    Fy = -C_alpha alpha - C_gamma gamma,    |F| <= mu F_z

Beyond the circle the force keeps its direction and is shortened to mu F_z. Mz = -trail * Fy. Stiffnesses do not depend
on the load (Gillespie, Fundamentals of Vehicle Dynamics, 1992, chapter 6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from centrode.jit import kernel
from centrode.parts.part import quantity
from centrode.parts.tyres.contract import SLIP_BOUND, TYRE_SIGNATURE, Tyre, bounded, folded_angle


@kernel(signature=TYRE_SIGNATURE)
def tyre_linear(par, load, slip_angle, slip, camber, speed):
    """(Fx, Fy, Mz) of the linear tyre; arguments as in :mod:`centrode.parts.tyres.contract`."""
    if not load > 0.0:
        return 0.0, 0.0, 0.0
    fx = par[1] * bounded(slip, SLIP_BOUND)
    fy = -par[0] * folded_angle(slip_angle) - par[2] * camber
    limit = par[3] * load
    total = math.hypot(fx, fy)
    if total > limit:
        fx *= limit / total
        fy *= limit / total
    return fx, fy, -par[4] * fy


@dataclass(frozen=True)
class TyreLinear(Tyre):
    """Linear tyre with a friction limit."""

    kind: ClassVar[str] = "linear"
    law: ClassVar = staticmethod(tyre_linear)

    cornering_stiffness: float = quantity("N/rad", "C_alpha, slope of -Fy over the slip angle", positive=True)
    driving_stiffness: float = quantity("N", "C_kappa, slope of Fx over slip", positive=True)
    camber_stiffness: float = quantity("N/rad", "C_gamma, slope of -Fy over camber", 0.0, minimum=0.0)
    friction: float = quantity("1", "friction limit", 1.0, positive=True, usual=(0.0, 60.0))
    trail: float = quantity("m", "pneumatic trail", 0.0, minimum=0.0)

"""The linear tyre, cut off at the friction circle: the law of textbooks and of linear vehicle models.

    Fx = C_kappa kappa,    Fy = -C_alpha alpha - C_gamma gamma,    |F| <= mu F_z

Beyond the circle the force has the length mu F_z. A force that kept its direction there would point up to 30 degrees
aside of the sliding of a locked wheel, because the two stiffnesses differ and an angle is no tangent, and a car that
slides askew would go a tenth too far. So it turns from that direction towards the one against the sliding velocity,
(kappa, -tan alpha), the further the more the linear force f exceeds the circle: with s = mu F_z / |f| < 1

    F ~ s f / |f| + (1 - s) (kappa, -tan alpha) / |(kappa, tan alpha)|.

Mz = -trail * Fy. Stiffnesses do not depend on the load (Gillespie, Fundamentals of Vehicle Dynamics, 1992, chapter 6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from centrode.jit import kernel
from centrode.parts.part import quantity
from centrode.parts.tyres.contract import SLIP_BOUND, TYRE_SIGNATURE, Tyre, bounded, folded_angle


@kernel
def slip_vector(slip_angle, slip):
    """Direction of (kappa, tan alpha); along the angle where its tangent is beyond all bounds, zero without slip."""
    angle = folded_angle(slip_angle)
    kappa, side = bounded(slip, SLIP_BOUND) * math.cos(angle), math.sin(angle)
    size = math.hypot(kappa, side)
    return (kappa / size, side / size) if size > 0.0 else (0.0, 0.0)


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
        share = limit / total
        fx, fy = fx / total, fy / total
        kappa, side = slip_vector(slip_angle, slip)
        fx, fy = share * fx + (1.0 - share) * kappa, share * fy - (1.0 - share) * side
        total = math.hypot(fx, fy)
        if total > 0.0:
            fx, fy = limit * fx / total, limit * fy / total
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

"""A tyre of your own: an arc tangent for each direction, shortened to the friction circle.

    F = mu F_z (2/pi) atan(pi C slip / (2 mu F_z))

Used in docs/howto/own-tyre.md.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.jit import kernel
from centrode.parts.part import quantity
from centrode.parts.tyres.contract import SLIP_BOUND, TYRE_SIGNATURE, Tyre, bounded, folded_angle


@kernel
def arctangent(stiffness, limit, slip):
    """Slope ``stiffness`` at the origin, ``limit`` far out."""
    return limit * 2.0 / math.pi * math.atan(0.5 * math.pi * stiffness * slip / limit)


@kernel(signature=TYRE_SIGNATURE)
def arctangent_law(par, load, slip_angle, slip, camber, speed):
    """(Fx, Fy, Mz); arguments and signs as in centrode/parts/tyres/contract.py."""
    if not load > 0.0:
        return 0.0, 0.0, 0.0
    limit = par[2] * load
    fx = arctangent(par[1], limit, bounded(slip, SLIP_BOUND))
    fy = -arctangent(par[0], limit, folded_angle(slip_angle))
    shorten = min(limit / max(math.hypot(fx, fy), 1e-300), 1.0)
    return shorten * fx, shorten * fy, 0.0


@dataclass(frozen=True)
class TyreArctangent(Tyre):
    """Slopes at the origin and friction."""

    kind: ClassVar[str] = "arctangent"
    law: ClassVar = staticmethod(arctangent_law)

    cornering_stiffness: float = quantity("N/rad", "slope of -Fy over the slip angle", positive=True)
    driving_stiffness: float = quantity("N", "slope of Fx over slip", positive=True)
    friction: float = quantity("1", "friction", 1.0, positive=True)

    def pack(self) -> np.ndarray:
        """Row of the kernel."""
        return np.array([self.cornering_stiffness, self.driving_stiffness, self.friction])

"""A tyre of your own: an arc tangent for each direction, shortened to the friction circle.

    F = mu F_z (2/pi) atan(pi C slip / (2 mu F_z))

Check it with ``centrode check arctangent_tyre.py``; use it in a scenario with ``plugins: [arctangent_tyre.py]`` and
``kind: arctangent`` below ``tyres``.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import centrode as ct


@ct.kernel
def arctangent(stiffness, limit, slip):
    """Slope ``stiffness`` at the origin, ``limit`` far out."""
    return limit * 2.0 / math.pi * math.atan(0.5 * math.pi * stiffness * slip / limit)


@ct.kernel(signature=ct.TYRE_SIGNATURE)
def arctangent_law(par, load, slip_angle, slip, camber, speed):
    """Force ahead and to the left [N], aligning moment [N m]; odd in both slips, so the same law serves in reverse."""
    if not load > 0.0:
        return 0.0, 0.0, 0.0
    limit = par[2] * load
    fx = arctangent(par[1], limit, ct.bounded(slip, ct.SLIP_BOUND))
    fy = -arctangent(par[0], limit, ct.folded_angle(slip_angle))
    shorten = min(limit / max(math.hypot(fx, fy), 1e-300), 1.0)
    return shorten * fx, shorten * fy, 0.0


@dataclass(frozen=True)
class TyreArctangent(ct.Tyre):
    """Slopes at the origin and friction."""

    kind: ClassVar[str] = "arctangent"
    law: ClassVar = staticmethod(arctangent_law)

    cornering_stiffness: float = ct.quantity("N/rad", "slope of -Fy over the slip angle", positive=True)
    driving_stiffness: float = ct.quantity("N", "slope of Fx over slip", positive=True)
    friction: float = ct.quantity("1", "friction", 1.0, positive=True)

    def pack(self) -> np.ndarray:
        """Row of the kernel."""
        return np.array([self.cornering_stiffness, self.driving_stiffness, self.friction])

"""A suspension of your own: a spring that hardens with the cube of its compression, and camber that grows with it.

    push = k c + k_3 c^3 - D c',   stored = k c^2 / 2 + k_3 c^4 / 4,   camber = -gain c,   c = rest length - deflection

Check it with ``centrode check progressive_strut.py``; use it in a scenario with ``plugins: [progressive_strut.py]`` and
``kind: progressive`` below ``suspensions``.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import centrode as ct


@ct.kernel(signature=ct.SUSPENSION_SIGNATURE)
def progressive_law(par, deflection, rate):
    """(push [N], stored [J], toe [rad], camber [rad]) at a deflection [m] and its rate [m/s]."""
    rest, stiffness, cubic, damping, gain = par[0], par[1], par[2], par[3], par[4]
    c = rest - deflection
    push = stiffness * c + cubic * c * c * c - damping * rate
    stored = 0.5 * stiffness * c * c + 0.25 * cubic * c * c * c * c
    return push, stored, 0.0, -gain * c


@dataclass(frozen=True)
class SuspensionProgressive(ct.Suspension):
    """Spring with a cubic term, linear damper, camber gain."""

    kind: ClassVar[str] = "progressive"
    law: ClassVar = staticmethod(progressive_law)

    stiffness: float = ct.quantity("N/m", "stiffness at small compression", positive=True)
    cubic: float = ct.quantity("N/m^3", "cubic term", 0.0, minimum=0.0)
    damping: float = ct.quantity("N*s/m", "damping", 0.0, minimum=0.0)
    camber_gain: float = ct.quantity("rad/m", "inward lean per compression", 0.0)

    def pack(self) -> np.ndarray:
        """Row of the kernel."""
        return np.array([self.rest_length, self.stiffness, self.cubic, self.damping, self.camber_gain])

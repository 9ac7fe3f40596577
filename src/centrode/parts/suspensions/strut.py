"""Strut: linear spring and damper along the road normal, with a bump stop.

Source: MEDUSA report (1999), eqs. (1.17) and (1.34); the bump stop is standard (Gillespie, Fundamentals of Vehicle
Dynamics, 1992, chapter 7).

Symbols: Delta_q deflection, Delta its value with the spring relaxed (``rest_length``), C stiffness, D damping; k and l
stiffness scale and length of the stop, which acts where Delta_q < l:

    F_z = -(C (Delta_q - Delta) + D Delta_q') + k (l - Delta_q)^2 / l                                   (1.17)
    V   = C (Delta_q - Delta)^2 / 2 + k (l - Delta_q)^3 / (3 l)                                         (1.34)

The stop's force and slope are continuous at first touch; at half its length it pushes k l / 4.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.jit import kernel
from centrode.parts.part import quantity
from centrode.parts.suspensions.contract import SUSPENSION_SIGNATURE, Suspension


@kernel
def spring_and_damper(stiffness, damping, rest, deflection, rate):
    """Push [N] and stored energy [J] of a linear strut, without the stop."""
    compression = rest - deflection
    return stiffness * compression - damping * rate, 0.5 * stiffness * compression * compression


@kernel(signature=SUSPENSION_SIGNATURE)
def strut_law(par, deflection, rate):
    """(push, stored, toe, camber); arguments as in :mod:`centrode.parts.suspensions.contract`."""
    push, stored = spring_and_damper(par[0], par[1], par[2], deflection, rate)
    scale, length = par[3], par[4]
    if length > 0.0 and deflection < length:
        crush = length - deflection
        push += scale * crush * crush / length
        stored += scale * crush * crush * crush / (3.0 * length)
    return push, stored, par[5], 0.0


@dataclass(frozen=True)
class SuspensionStrut(Suspension):
    """Linear spring and damper along the road normal, with an optional bump stop."""

    kind: ClassVar[str] = "strut"
    law: ClassVar = staticmethod(strut_law)

    stiffness: float = quantity("N/m", "spring stiffness C", positive=True)
    damping: float = quantity("N*s/m", "damping D", minimum=0.0)
    stop_stiffness: float = quantity("N/m", "stiffness scale of the bump stop", 0.0, minimum=0.0)
    stop_length: float = quantity("m", "distance from the road below which the bump stop acts", 0.0, minimum=0.0)
    toe: float = quantity("rad", "wheel turned inwards, whatever the deflection (a bent wheel)", 0.0)

    def pack(self) -> np.ndarray:
        """Row: stiffness, damping, rest length, stop stiffness, stop length, toe."""
        springs = (self.stiffness, self.damping, self.rest_length, self.stop_stiffness, self.stop_length)
        return np.array([*springs, self.toe], float)

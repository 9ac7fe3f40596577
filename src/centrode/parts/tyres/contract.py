"""What every tyre kind keeps: signs, argument list, fixed kernel signature, base class.

Signs (ISO 8855; the wheel's ground frame has x along the wheel heading, y to the LEFT, z up along the road normal):

==============  =====  ======================================================================================
argument        unit   meaning
==============  =====  ======================================================================================
``load``        N      force of the road on the tyre along the normal; zero or less means lifted
``slip_angle``  rad    atan2(velocity to the left, velocity ahead): positive when the wheel slides to the left
``slip``        1      (rim speed - forward speed) / |forward speed|: positive when driving, -1 when locked
``camber``      rad    inclination about +x: positive when the top of the wheel leans to the right
``speed``       m/s    forward speed of the contact centre, negative in reverse
==============  =====  ======================================================================================

The kernel gives ``(Fx, Fy, Mz)``: the force of the road on the tyre ahead and to the left [N] and the aligning moment
about the normal [N*m]. Sliding to the left is opposed by a force to the right, so Fy falls with the slip angle, and Fx
grows with slip. A slip angle beyond a quarter turn is folded back; the direction of travel is the sign of ``speed``.

The MEDUSA report (1999) lets e_y point to the right: its angle is minus ours, its s = 1 - R omega / v is minus our slip
(ahead), its F_y, which it subtracts along e_y, equals our Fy.

All kinds give finite forces for all finite arguments and no force at all for a lifted wheel.

Friction of the ground other than the one the tyre was measured on enters by similarity (Pacejka, Tire and Vehicle
Dynamics, section 4.2): forces for friction lambda are lambda times the forces at slips divided by lambda, which keeps
the slopes at the origin. :func:`slip_on_friction` divides; the caller multiplies Fx, Fy and Mz.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import kernel
from centrode.jit.types import UniTuple, float64
from centrode.parts.kernel_notes import law_faults
from centrode.parts.part import KernelNote, Part

TYRE_SIGNATURE = UniTuple(float64, 3)(float64[::1], float64, float64, float64, float64, float64)

# Slips beyond this are full sliding for every law; the bound keeps squares and powers finite.
SLIP_BOUND = 1.0e6


@dataclass(frozen=True)
class Tyre(Part):
    """Base of the tyre kinds. ``law`` is the compiled kernel with :data:`TYRE_SIGNATURE`."""

    family: ClassVar[str] = "tyre"
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = (KernelNote("law", TYRE_SIGNATURE, "TYRE_SIGNATURE"),)
    law: ClassVar[Any] = None

    def faults(self) -> list[Fault]:
        states = [(3e3, angle, slip, 0.01, 20.0) for angle, slip in ((0.0, 0.02), (0.02, 0.0), (0.5, 0.5))]
        return super().faults() or law_faults(self, self.pack, *states)

    def pack(self) -> np.ndarray:
        """The parameters as the row that the kernel reads, float64: all fields in turn unless a kind says otherwise."""
        return np.array(dataclasses.astuple(self)[1:], dtype=np.float64)

    def forces(
        self, load: float, slip_angle: float = 0.0, slip: float = 0.0, camber: float = 0.0, speed: float = 10.0
    ) -> tuple[float, float, float]:
        """(Fx, Fy, Mz) [N, N, N*m] of one state; arguments and signs as listed at the top of this file."""
        return type(self).law(self.pack(), float(load), float(slip_angle), float(slip), float(camber), float(speed))


@kernel
def folded_angle(slip_angle):
    """Slip angle of the mirrored wheel: same side, within a quarter turn [rad]."""
    return math.asin(min(1.0, max(-1.0, math.sin(slip_angle))))


@kernel
def bounded(value, bound):
    """The value kept within +-bound."""
    return min(bound, max(-bound, value))


@kernel
def slip_on_friction(slip_angle, slip, friction):
    """Slips at which the tyre, on its own ground, shows 1/friction of the force it has on this ground.

    Args:
        slip_angle: [rad]; folded into a quarter turn.
        slip: [1].
        friction: friction of this ground relative to the tyre's own [1], above 0.

    Returns:
        (slip angle [rad], slip [1]).
    """
    if friction == 1.0:
        return slip_angle, slip
    scale = max(friction, 1.0e-9)
    folded = folded_angle(slip_angle)
    return math.atan2(math.sin(folded), scale * math.cos(folded)), bounded(slip / scale, SLIP_BOUND)

"""Friction about or along an axis between two bodies: Coulomb with Stribeck's rise at rest, and a viscous part.

With the rate v of the coordinate (:mod:`centrode.parts.forces.axis`):

    level   F(v) = F_c + (F_s - F_c) exp(-(v / v_s)^2)             Stribeck (1902); F_s = F_c is plain Coulomb     (1)
    effort  -( F(v) v / sqrt(v^2 + v_0^2) + c v )                                                                  (2)

The step of Coulomb's law at v = 0 is smoothed over v_0: under a load P < F_s the bodies creep at about
v_0 P / sqrt(F_s^2 - P^2) instead of standing still. Power is never positive. Reference: Olsson, Astrom, Canudas de
Wit, Gafvert and Lischinsky, "Friction models and friction compensation", European Journal of Control 4 (1998).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.forces.axis import ABOUT, ACTS, AXIS_MODE, AxisForce, drive, slide, twist_rate
from centrode.parts.kernel_types import FORCE_SIGNATURE
from centrode.parts.markers import ends
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene

COULOMB, STATIC, STRIBECK_SPEED, SLIP_SPEED, VISCOUS = 1, 2, 3, 4, 5


@step_kernel(signature=FORCE_SIGNATURE)
def friction_effort(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1), (2)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        if par[i, AXIS_MODE] == ABOUT:
            rate = twist_rate(markers, a, b)
        else:
            _, rate = slide(markers, a, b)
        ratio = rate / par[i, STRIBECK_SPEED]
        level = par[i, COULOMB] + (par[i, STATIC] - par[i, COULOMB]) * math.exp(-ratio * ratio)  # (1)
        slip = par[i, SLIP_SPEED]
        effort = -level * rate / math.sqrt(rate * rate + slip * slip) - par[i, VISCOUS] * rate  # (2)
        drive(par[i, AXIS_MODE], markers, wrench, a, b, effort)


@dataclass(frozen=True)
class Friction(AxisForce):
    """Dry and viscous friction in a hinge or slider. Units are those of the axis: N and m, or N m and rad."""

    kind: ClassVar[str] = "friction"
    force_kernel: ClassVar[Any] = friction_effort

    coulomb: float = quantity("N*m|N", "sliding friction, about or along the axis", 0.0, minimum=0.0)
    static: float | None = quantity("N*m|N", "friction at rest; that of sliding when left out", None, minimum=0.0)
    stribeck_speed: float = quantity("rad/s|m/s", "speed over which it falls from rest to sliding", 0.01, positive=True)
    slip_speed: float = quantity("rad/s|m/s", "speed over which the sign is smoothed", 1e-3, positive=True)
    viscous: float = quantity("N*m*s/rad|N*s/m", "viscous friction", 0.0, minimum=0.0)
    acts: str = quantity("", "about the axis (hinge) or along it (slider)", ACTS[0], choices=ACTS)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.static is not None and self.static < self.coulomb:
            expected = f"at least {self.coulomb:g}"
            found.append(self.fault("static", "friction at rest is not below that of sliding", expected=expected))
        return found

    def place(self, scene: Scene) -> Placement:
        static = self.coulomb if self.static is None else self.static
        par = [self.axis_mode(), self.coulomb, static, self.stribeck_speed, self.slip_speed, self.viscous]
        return Placement(self.axis_markers(scene), par=par)

"""Friction about or along an axis between two bodies: Coulomb with Stribeck's rise at rest, sticking, viscous.

With the rate v of the coordinate (:mod:`centrode.parts.forces.axis`):

    level   F(v) = F_c + (F_s - F_c) exp(-(v / v_s)^2)             Stribeck (1902); F_s = F_c is plain Coulomb     (1)

**Sticking.** A bristle of stiffness k is stretched by z. Up to nine tenths of what sliding can hold it is a plain
spring and nothing creeps, however long a load stands; beyond, it slips more and more until it slides at F(v) / k:

    z' = (1 - s) v + s u (1 - |z| k / F(v)),    effort  -(k z + k t (1 - s) v + c v)                               (2)
    s = 0 for |z| <= 0.9 F_c / k and where z and v have opposite signs; 1 for |z| >= F(v) / k; half a sine between (3)

With k = F_s / d, d the stretch (``slip``) at which it breaks away, and t = d / v_d the time in which the bristle comes
to rest. u = v / (1 + |v| / v_d): a bristle follows fast sliding within t, not within d, which would ask for steps of
d / v. k z^2 / 2 is stored. After Dupont, Hayward, Armstrong and Altpeter, "Single state elasto-plastic friction
models", IEEE Trans. Automatic Control 47 (2002): unlike the models of Dahl and LuGre it does not drift under loads that
vary.

**Smoothed**, when ``slip_speed`` v_0 is given:

    effort  -( F(v) v / sqrt(v^2 + v_0^2) + c v )                                                                  (4)

The step of Coulomb's law is smoothed over v_0: under a load P < F_s the bodies creep at about v_0 P / sqrt(F_s^2 -
P^2). Olsson, Astrom, Canudas de Wit, Gafvert and Lischinsky, "Friction models and friction compensation", European
Journal of Control 4 (1998).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.forces.axis import ABOUT, ACTS, AXIS_MODE, AxisForce, drive, slide, twist_rate
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_STATE
from centrode.parts.markers import ends
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene

COULOMB, STATIC, STRIBECK_SPEED, SLIP_SPEED, VISCOUS = 1, 2, 3, 4, 5
ELASTIC = 0.9
"""Part of the friction of sliding up to which a bristle does not slip."""
CALMING_SPEED = 0.05
"""v_d of (2) [m/s, rad/s]: bristles of 1e-4 m come to rest in 2 ms."""


@step_kernel
def slipping_share(z, rate, elastic, sliding):
    """s of (3), with both stretches in absolute terms."""
    size = abs(z)
    if z * rate <= 0.0 or size <= elastic:
        return 0.0
    if size >= sliding:
        return 1.0
    return 0.5 + 0.5 * math.sin(math.pi * (size - 0.5 * (sliding + elastic)) / (sliding - elastic))


@step_kernel(signature=FORCE_SIGNATURE)
def friction_effort(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1) to (4)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        if par[i, AXIS_MODE] == ABOUT:
            rate = twist_rate(markers, a, b)
        else:
            _, rate = slide(markers, a, b)
        ratio = rate / par[i, STRIBECK_SPEED]
        level = par[i, COULOMB] + (par[i, STATIC] - par[i, COULOMB]) * math.exp(-ratio * ratio)  # (1)
        slip = par[i, SLIP_SPEED]  # of (4); that of a bristle with the other sign
        if slip < 0.0:
            k = -par[i, STATIC] / slip
            z = -slip * states[link[i, LINK_STATE]]
            share = slipping_share(z, rate, ELASTIC * par[i, COULOMB] / k, level / k)
            slow = rate / (1.0 + abs(rate) / CALMING_SPEED)
            stretching = (1.0 - share) * rate + share * slow * (1.0 - abs(z) * k / level)  # (2)
            rates[link[i, LINK_STATE]] = -stretching / slip
            effort = -(k * z + par[i, STATIC] / CALMING_SPEED * (1.0 - share) * rate + par[i, VISCOUS] * rate)
        else:
            effort = -level * rate / math.sqrt(rate * rate + slip * slip) - par[i, VISCOUS] * rate  # (4)
        drive(par[i, AXIS_MODE], markers, wrench, a, b, effort)


@step_kernel(signature=ENERGY_SIGNATURE)
def friction_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Energy of the bristle."""
    for i in range(first, first + count):
        energy[i] = 0.0
        if par[i, SLIP_SPEED] < 0.0:
            energy[i] = -0.5 * par[i, STATIC] * par[i, SLIP_SPEED] * states[link[i, LINK_STATE]] ** 2


@dataclass(frozen=True)
class Friction(AxisForce):
    """Dry and viscous friction in a hinge or slider. Units are those of the axis: N and m, or N m and rad."""

    kind: ClassVar[str] = "friction"
    force_kernel: ClassVar[Any] = friction_effort
    energy_kernel = friction_energy
    example: ClassVar[dict[str, object] | None] = {  # smoothed: the contract knows no energy of internal states
        "a": "a",
        "b": "b",
        "coulomb": 0.7,
        "static": 0.9,
        "slip_speed": 0.1,
        "viscous": 0.2,
    }

    coulomb: float = quantity("N*m|N", "sliding friction, about or along the axis", 0.0, minimum=0.0)
    static: float | None = quantity("N*m|N", "friction at rest; that of sliding when left out", None, minimum=0.0)
    stribeck_speed: float = quantity("rad/s|m/s", "speed over which it falls from rest to sliding", 0.01, positive=True)
    slip_speed: float | None = quantity(
        "rad/s|m/s",
        "speed over which the sign is smoothed, so that loads creep; sticks when left out",
        None,
        positive=True,
    )
    viscous: float = quantity("N*m*s/rad|N*s/m", "viscous friction", 0.0, minimum=0.0)
    slip: float = quantity("rad|m", "how far a sticking axis gives before it breaks away", 1e-4, positive=True)
    acts: str = quantity("", "about the axis (hinge) or along it (slider)", ACTS[0], choices=ACTS)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.static is not None and self.static < self.coulomb:
            expected = f"at least {self.coulomb:g}"
            found.append(self.fault("static", "friction at rest is not below that of sliding", expected=expected))
        return found

    def place(self, scene: Scene) -> Placement:
        static = self.coulomb if self.static is None else self.static
        sticks = self.slip_speed is None and self.coulomb > 0.0
        par = [
            self.axis_mode(),
            self.coulomb,
            static,
            self.stribeck_speed,
            -self.slip if sticks else self.slip_speed or 1.0,
            self.viscous,
        ]
        names = [("stretch", "1")] if sticks else []  # as a part of ``slip``: of the size one, as tolerances want it
        return Placement(
            self.axis_markers(scene),
            par=par,
            states=[0.0] * len(names),
            state_names=names,
        )

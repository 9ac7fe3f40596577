"""The penalty multiplier of the MEDUSA report (1999), eqs. (1.42) and (1.52), for study only.

The report adds two multipliers after the mass inverse, gamma_1 n to the rate of the position and gamma_2 n to that of
the velocity, and lets them grow in every step, *without* the step length:

    gamma_1 += p_1 phi_1,   gamma_2 += p_2 phi_2,      phi_1 = -depth, phi_2 = -depth_rate                (1)

Here gamma_2 becomes a force by a mass, which the scheme lacks:

    F = -m (gamma_2 - p_2 depth_rate),                  equal and opposite on both bodies                 (2)

so that bodies of mass m move as in the report; other masses keep their momentum, which they do not in the report.
gamma_1 changes positions without a velocity: no force does that, so it is left out.

What remains wrong is the point of this law, and the engine shows it. Increments per step add up to p_2 depth / h, a
spring of stiffness m p_2 / h, which grows without end as the step h shrinks: nothing converges. With p_2 = 2000 1/s and
1 ms two cars that meet at 2 m/s part at 6 m/s; with 0.1 ms at 1.2 m/s. The force may pull (glue), the dissipated power
may be negative, nothing is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import kernel
from centrode.parts.contact_laws.contact_law import (
    ADVANCE_SIGNATURE,
    BEGIN_SIGNATURE,
    FACTOR,
    FIRST_OWN,
    FRICTION,
    LAW_SIGNATURE,
    OWN,
    ContactLaw,
    advance_common,
    begin_common,
)
from centrode.parts.part import quantity

GAMMA_2 = OWN


@kernel(signature=BEGIN_SIGNATURE)
def report_multiplier_begin(par, memory, closing_speed, effective_mass, factor, region):
    begin_common(par, memory, closing_speed, factor, region)
    memory[GAMMA_2] = 0.0


@kernel(signature=LAW_SIGNATURE)
def report_multiplier_law(par, memory, depth, depth_rate, slip_speed):
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    force = -(memory[GAMMA_2] - par[FIRST_OWN] * memory[FACTOR] * depth_rate) * par[FIRST_OWN + 1]  # (2)
    return force, par[FRICTION], 0.0, force * depth_rate


@kernel(signature=ADVANCE_SIGNATURE)
def report_multiplier_advance(par, memory, depth, depth_rate, duration):
    _, _, _, power = report_multiplier_law(par, memory, depth, depth_rate, 0.0)
    memory[GAMMA_2] -= par[FIRST_OWN] * memory[FACTOR] * depth_rate  # (1)
    advance_common(par, memory, depth, depth_rate, power, duration)


@dataclass(frozen=True)
class ReportMultiplier(ContactLaw):
    """Penalty parameter p2 [1/s] of the report and the mass [kg] that makes a force of it."""

    kind: ClassVar[str] = "report-multiplier"
    gives_way: ClassVar[bool] = True
    begin_kernel: ClassVar[Any] = report_multiplier_begin
    law_kernel: ClassVar[Any] = report_multiplier_law
    advance_kernel: ClassVar[Any] = report_multiplier_advance
    conserving: ClassVar[bool] = False

    stick_stiffness: float | None = quantity("N/m", "tangential stiffness while sticking", 0.0, minimum=0.0)
    p2: float = quantity("1/s", "penalty of the approach speed per step", 1.0, minimum=0.0)
    mass: float = quantity("kg", "mass that turns the acceleration into a force", 1573.0, positive=True)

    def own_parameters(self) -> list[float]:
        return [self.p2, self.mass]

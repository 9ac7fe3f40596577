"""The penalty multipliers of the MEDUSA report (1999), eqs. (1.42) and (1.52), for study only.

Two multipliers grow by p1 phi_1 and p2 phi_2 in every step, *without* the step length,

    gamma_1 += p1 phi_1,   gamma_2 += p2 phi_2,      phi_1 = -depth, phi_2 = -depth_rate,                 (1)

and enter as gamma_1 n added to the velocity (of the position) and gamma_2 n added to the acceleration, both after the
mass inverse. So nothing here has the unit of a force, the answer depends on the step, unequal masses do not keep
their momentum, and energy may grow: reasons enough to use any other law. ``mass`` turns the acceleration into the
force that :func:`report_multiplier_law` returns; the velocity term is memory[GAMMA_1].
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
    GAMMA_1,
    GAMMA_2,
    LAW_SIGNATURE,
    REPORT_MULTIPLIER,
    ContactLaw,
    advance_common,
    begin_common,
    regularised_friction,
)
from centrode.parts.part import quantity


@dataclass(frozen=True)
class ContactLawReportMultiplier(ContactLaw):
    """Penalty parameters p1 [1/s] and p2 [1/s] of the report, and the mass [kg] that makes a force of them."""

    kind: ClassVar[str] = "report-multiplier"
    code: ClassVar[int] = REPORT_MULTIPLIER

    p1: float = quantity("1/s", "penalty of the overlap per step", 1.0, minimum=0.0)
    p2: float = quantity("1/s", "penalty of the approach speed per step", 1.0, minimum=0.0)
    mass: float = quantity("kg", "mass that turns the acceleration into a force", 1573.0, positive=True)

    def own_parameters(self) -> list[float]:
        return [self.p1, self.p2, self.mass]

    def kernels(self) -> tuple[Any, Any, Any]:
        return report_multiplier_begin, report_multiplier_law, report_multiplier_advance


@kernel(signature=BEGIN_SIGNATURE)
def report_multiplier_begin(par, memory, closing_speed, effective_mass, factor, region):
    begin_common(par, memory, closing_speed, factor, region)


@kernel(signature=LAW_SIGNATURE)
def report_multiplier_law(par, memory, depth, depth_rate, slip_speed):
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    force = -(memory[GAMMA_2] - par[FIRST_OWN + 1] * memory[FACTOR] * depth_rate) * par[FIRST_OWN + 2]
    return force, regularised_friction(par, slip_speed), 0.0, force * depth_rate


@kernel(signature=ADVANCE_SIGNATURE)
def report_multiplier_advance(par, memory, depth, depth_rate, duration):
    force, _, _, power = report_multiplier_law(par, memory, depth, depth_rate, 0.0)
    memory[GAMMA_1] -= par[FIRST_OWN] * memory[FACTOR] * depth
    memory[GAMMA_2] -= par[FIRST_OWN + 1] * memory[FACTOR] * depth_rate
    advance_common(par, memory, depth, depth_rate, power, duration)

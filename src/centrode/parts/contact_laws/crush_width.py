"""Permanent crush with the A and B stiffness coefficients of crash reconstruction.

McHenry's and Campbell's force per width of a crushing structure is A + B C (A [N/m], B [N/m^2], C the crush), so over
a contact width w it is w (A + B C). To start from zero at touch an elastic ramp of slope k leads up to w A:

    virgin curve   F = k d                     for d <= d_y = w A / k                                     (1)
                   F = w A + w B (d - d_y)     beyond
    unloading      F = F_m - k (d_m - d) >= 0  from the deepest point (d_m, F_m) reached                  (2)

Reloading goes up line (2) to the virgin curve. The permanent deformation is d_m - F_m / k. Stored energy is
F^2 / (2 k); on the virgin curve F d' (1 - w B / k) is dissipated, never negative because k >= w B is required;
on line (2) nothing is. The deepest point belongs to the side that was hit and is kept between episodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import kernel
from centrode.parts.contact_laws.contact_law import (
    ADVANCE_SIGNATURE,
    CHOSEN_STIFFNESS,
    DEEPEST,
    FACTOR,
    FIRST_OWN,
    FRICTION,
    LAW_SIGNATURE,
    PERMANENT,
    ContactLaw,
    advance_common,
)
from centrode.parts.part import quantity


@kernel
def virgin_force(par, memory, depth):
    """Force [N] on the virgin curve (1) and its slope [N/m]."""
    k = memory[CHOSEN_STIFFNESS]
    onset = par[FIRST_OWN] * memory[FACTOR]
    slope = par[FIRST_OWN + 1] * memory[FACTOR]
    yield_depth = onset / k
    if depth <= yield_depth:
        return k * depth, k
    return onset + slope * (depth - yield_depth), slope


@kernel
def permanent_depth(par, memory):
    """Permanent deformation [m] left by the deepest point reached."""
    force, _ = virgin_force(par, memory, memory[DEEPEST])
    return memory[DEEPEST] - force / memory[CHOSEN_STIFFNESS]


@kernel(signature=LAW_SIGNATURE)
def crush_law(par, memory, depth, depth_rate, slip_speed):
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    k = memory[CHOSEN_STIFFNESS]
    if depth >= memory[DEEPEST]:
        force, slope = virgin_force(par, memory, depth)
        power = force * max(depth_rate, 0.0) * (1.0 - slope / k)
    else:
        top, _ = virgin_force(par, memory, memory[DEEPEST])
        force = max(top - k * (memory[DEEPEST] - depth), 0.0)
        power = 0.0
    return force, par[FRICTION], 0.5 * force * force / k, power


@kernel(signature=ADVANCE_SIGNATURE)
def crush_advance(par, memory, depth, depth_rate, duration):
    # Dissipated energy exactly, from the two ends of the step: work on the virgin curve minus the gain in store.
    k = memory[CHOSEN_STIFFNESS]
    lost = 0.0
    if depth > memory[DEEPEST]:
        before, _ = virgin_force(par, memory, memory[DEEPEST])
        after, _ = virgin_force(par, memory, depth)
        yield_depth = par[FIRST_OWN] * memory[FACTOR] / k
        start = max(memory[DEEPEST], yield_depth)
        if depth > start:
            low, _ = virgin_force(par, memory, start)
            lost = 0.5 * (low + after) * (depth - start) - 0.5 * (after * after - low * low) / k
    advance_common(par, memory, depth, depth_rate, lost / duration if duration > 0.0 else 0.0, duration)
    memory[PERMANENT] = permanent_depth(par, memory)


@dataclass(frozen=True)
class CrushWidth(ContactLaw):
    """A [N/m], B [N/m^2], contact width [m], stiffness of ramp and unloading [N/m]."""

    kind: ClassVar[str] = "crush-width"
    gives_way: ClassVar[bool] = True
    law_kernel: ClassVar[Any] = crush_law
    advance_kernel: ClassVar[Any] = crush_advance

    a: float = quantity("N/m", "force per width at the onset of crush", 4.0e4, minimum=0.0)
    b: float = quantity("N/m^2", "slope of force per width over crush", 4.0e5, minimum=0.0)
    width: float = quantity("m", "width of the contact", 1.5, positive=True)
    stiffness: float = quantity("N/m", "elastic stiffness of ramp and unloading", 5.0e6, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.stiffness < self.b * self.width:
            expected = f"at least b * width = {self.b * self.width:g} N/m"
            message = "unloading softer than crushing would create energy"
            found.append(self.fault("stiffness", message, expected=expected))
        return found

    def reference_stiffness(self) -> float:
        return self.stiffness

    def own_parameters(self) -> list[float]:
        return [self.a * self.width, self.b * self.width]

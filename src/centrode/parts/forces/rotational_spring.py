"""Rotational spring and damper about an axis between two bodies.

With the unwrapped angle theta of b against a (:mod:`centrode.parts.forces.axis`, (1) to (3)):

    T = T(theta, theta')  of :mod:`centrode.parts.forces.law`; linear: k (theta - theta0) + c theta'      (1)
    torque -T about the axis on b, +T on a                                                                (2)
    energy of the law at theta; linear: k (theta - theta0)^2 / 2                                          (3)

The angle is zero where the marker frames line up (at the start, unless a joint defines it) and keeps counting over
full turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.forces.axis import ANGLE, AxisForce, drive_about, twist_angle, twist_rate
from centrode.parts.forces.law import LawFunction, LawTable, law_energy, law_faults, law_table, law_tension, pack_law
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_DATA
from centrode.parts.markers import ends
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene


@step_kernel(signature=FORCE_SIGNATURE)
def rotational_spring_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1), (2)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        memory[i, ANGLE] = twist_angle(markers, a, b, memory[i, ANGLE])
        rate = twist_rate(markers, a, b)
        torque = law_tension(par, i, 0, data, link[i, LINK_DATA], memory[i, ANGLE], rate)
        drive_about(markers, wrench, a, b, -torque)


@step_kernel(signature=ENERGY_SIGNATURE)
def rotational_spring_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(3)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        angle = twist_angle(markers, a, b, memory[i, ANGLE])
        energy[i] = law_energy(par, i, 0, data, link[i, LINK_DATA], angle)


@dataclass(frozen=True)
class RotationalSpring(AxisForce):
    """Rotational spring-damper: linear, by table, or by a function of the angle."""

    kind: ClassVar[str] = "rotational-spring"
    keeps_angle: ClassVar[bool] = True
    force_kernel: ClassVar[Any] = rotational_spring_force
    energy_kernel: ClassVar[Any] = rotational_spring_energy

    stiffness: float = quantity("N*m/rad", "stiffness", 0.0, minimum=0.0)
    damping: float = quantity("N*m*s/rad", "damping", 0.0, minimum=0.0)
    rest_angle: float = quantity("rad", "angle without torque", 0.0)
    table: LawTable = quantity(
        "1", "rows (angle from rest [rad], torque [N m]) instead of a stiffness, linear in between", None
    )
    law: LawFunction = quantity(
        "", "torque [N m] as a Python function of the angle from rest [rad] (from Python only)", None
    )
    law_range: tuple[float, float] | None = quantity("rad", "angles between which the law is sampled", None)

    def faults(self) -> list[Fault]:
        return super().faults() + law_faults(self)

    def place(self, scene: Scene) -> Placement:
        par, data = pack_law(self.stiffness, self.damping, self.rest_angle, law_table(self))
        return Placement(self.axis_markers(scene), par=par, data=data)

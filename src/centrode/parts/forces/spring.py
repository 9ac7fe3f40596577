"""Spring and damper along the straight line between two points.

With d = p_b - p_a, L = |d|, e = d / L and the stretching rate L' = e . (v_b - v_a):

    tension  T = T(L, L')  of :mod:`centrode.parts.forces.law`; linear: k (L - L0) + c L'      (1)
    force on a: +T e, force on b: -T e                                                        (2)
    energy of the law at L; linear: k (L - L0)^2 / 2                                          (3)

Where the points coincide there is no direction, and the force is zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import minus, norm, times
from centrode.parts.forces.force import Force
from centrode.parts.forces.law import LawFunction, LawTable, law_energy, law_faults, law_table, law_tension, pack_law
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_DATA
from centrode.parts.markers import ends, position, push_apart, stretching
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene
from centrode.parts.visual import Visual, VisualScene


@step_kernel(signature=FORCE_SIGNATURE)
def spring_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1), (2)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        length, rate, e = stretching(markers, a, b)
        push_apart(wrench, a, b, times(-law_tension(par, i, 0, data, link[i, LINK_DATA], length, rate), e))


@step_kernel(signature=ENERGY_SIGNATURE)
def spring_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(3)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        length = norm(minus(position(markers, b), position(markers, a)))
        energy[i] = law_energy(par, i, 0, data, link[i, LINK_DATA], length)


@dataclass(frozen=True)
class Spring(Force):
    """Spring-damper between two points: linear, by table, by a function, or tension-only (an elastic rope)."""

    kind: ClassVar[str] = "spring"
    force_kernel: ClassVar[Any] = spring_force
    energy_kernel: ClassVar[Any] = spring_energy

    a: Any = quantity("", "first body, or point on it", refers_to="body")
    b: Any = quantity("", "second body, or point on it", refers_to="body")
    stiffness: float = quantity("N/m", "stiffness", 0.0, minimum=0.0)
    damping: float = quantity("N*s/m", "damping", 0.0, minimum=0.0)
    length: float | None = quantity("m", "unstretched length; the length at the start when left out", None, minimum=0.0)
    point_a: tuple[float, ...] | None = quantity("m", "place on body a, in its frame", None)
    point_b: tuple[float, ...] | None = quantity("m", "place on body b, in its frame", None)
    table: LawTable = quantity("1", "rows (stretch [m], tension [N]) instead of a stiffness, linear in between", None)
    law: LawFunction = quantity("", "tension [N] as a Python function of the stretch [m] (from Python only)", None)
    law_range: tuple[float, float] | None = quantity("m", "stretch between which the law is sampled", None)
    tension_only: bool = quantity("", "pulls but never pushes: an elastic rope", False)

    def faults(self) -> list[Fault]:
        return super().faults() + law_faults(self)

    def place(self, scene: Scene) -> Placement:
        (marker_a, end_a), (marker_b, end_b) = self.end(scene, "a"), self.end(scene, "b")
        length = float(np.linalg.norm(end_b - end_a)) if self.length is None else self.length
        par, data = pack_law(self.stiffness, self.damping, length, law_table(self), self.tension_only)
        return Placement([marker_a, marker_b], par=par, data=data)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        if self.stiffness == 0.0 and self.damping == 0.0:
            return []  # a law of its own, such as a contact: nothing that could be seen
        if self.tension_only:
            return self.link_visuals(scene, "rope", 0.027, self.length)
        return self.link_visuals(scene, "damper" if self.stiffness == 0.0 else "coil", 0.09, self.length)

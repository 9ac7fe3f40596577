"""Attraction of two points by the inverse square of their distance (Newton 1687; with a negative strength, Coulomb).

With d = p_b - p_a, r^2 = |d|^2 + eps^2 (eps softens the meeting of two points, Plummer 1911):

    force on a: +g d / r^3, force on b: -g d / r^3           (1)
    energy  -g / r                                           (2)

g = G m_a m_b for masses. In the plane of an orbit with g / m = mu the period of an ellipse is 2 pi sqrt(A^3 / mu).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.math.vector import dot, minus, times
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE
from centrode.parts.markers import ends, position, push_apart
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene

STRENGTH, SOFTENING = 0, 1


@step_kernel(signature=FORCE_SIGNATURE)
def central_gravity_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1); zero where the points coincide without softening."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        d = minus(position(markers, b), position(markers, a))
        r = math.sqrt(par[i, SOFTENING] * par[i, SOFTENING] + dot(d, d))
        push_apart(wrench, a, b, times(-par[i, STRENGTH] / (r * r * r) if r > 0.0 else 0.0, d))


@step_kernel(signature=ENERGY_SIGNATURE)
def central_gravity_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(2)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        d = minus(position(markers, b), position(markers, a))
        r = math.sqrt(par[i, SOFTENING] * par[i, SOFTENING] + dot(d, d))
        energy[i] = -par[i, STRENGTH] / r if r > 0.0 else 0.0


@dataclass(frozen=True)
class CentralGravity(Force):
    """Inverse-square attraction between two points."""

    kind: ClassVar[str] = "central-gravity"
    force_kernel: ClassVar[Any] = central_gravity_force
    energy_kernel: ClassVar[Any] = central_gravity_energy

    a: Any = quantity("", "first body, or point on it", refers_to="body")
    b: Any = quantity("", "second body, or point on it", refers_to="body")
    strength: float = quantity("N*m2", "G m_a m_b; negative repels")
    softening: float = quantity("m", "length that softens a close meeting", 0.0, minimum=0.0)
    point_a: tuple[float, ...] | None = quantity("m", "place on body a, in its frame", None)
    point_b: tuple[float, ...] | None = quantity("m", "place on body b, in its frame", None)

    def place(self, scene: Scene) -> Placement:
        return Placement([self.end(scene, "a")[0], self.end(scene, "b")[0]], par=[self.strength, self.softening])

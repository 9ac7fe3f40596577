"""A force of one's own: a spring that hardens with the cube of its stretch.

With d = p_b - p_a, L = |d|, e = d / L, s = L - L0 (Duffing 1918):

    tension  T = k s + k3 s^3 + c L'           (1)
    force on a: +T e, force on b: -T e         (2)
    energy   k s^2 / 2 + k3 s^4 / 4            (3)

Check it with ``centrode check cubic_spring.py``; use it in a scenario with ``plugins: [cubic_spring.py]`` and
``kind: cubic-spring``, or in Python as any other force.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import centrode as ct

STIFFNESS, CUBIC, DAMPING, LENGTH = 0, 1, 2, 3


@ct.step_kernel(signature=ct.FORCE_SIGNATURE)
def cubic_spring_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1), (2)."""
    for i in range(first, first + count):
        a = link[i, ct.LINK_MARKERS]
        b = link[i, ct.LINK_MARKERS + 1]
        dx = markers[b, 0] - markers[a, 0]
        dy = markers[b, 1] - markers[a, 1]
        dz = markers[b, 2] - markers[a, 2]
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        inverse = 1.0 / length if length > 0.0 else 0.0  # no direction where the points coincide
        ex, ey, ez = dx * inverse, dy * inverse, dz * inverse
        rate = (
            ex * (markers[b, 3] - markers[a, 3])
            + ey * (markers[b, 4] - markers[a, 4])
            + ez * (markers[b, 5] - markers[a, 5])
        )
        s = length - par[i, LENGTH]
        tension = par[i, STIFFNESS] * s + par[i, CUBIC] * s * s * s + par[i, DAMPING] * rate
        wrench[a, 0] = tension * ex
        wrench[a, 1] = tension * ey
        wrench[a, 2] = tension * ez
        wrench[b, 0] = -tension * ex
        wrench[b, 1] = -tension * ey
        wrench[b, 2] = -tension * ez


@ct.step_kernel(signature=ct.ENERGY_SIGNATURE)
def cubic_spring_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(3)."""
    for i in range(first, first + count):
        a = link[i, ct.LINK_MARKERS]
        b = link[i, ct.LINK_MARKERS + 1]
        dx = markers[b, 0] - markers[a, 0]
        dy = markers[b, 1] - markers[a, 1]
        dz = markers[b, 2] - markers[a, 2]
        s = math.sqrt(dx * dx + dy * dy + dz * dz) - par[i, LENGTH]
        energy[i] = 0.5 * par[i, STIFFNESS] * s * s + 0.25 * par[i, CUBIC] * s * s * s * s


@dataclass(frozen=True)
class CubicSpring(ct.Force):
    """Spring that hardens with the cube of its stretch, with a linear damper."""

    kind: ClassVar[str] = "cubic-spring"
    force_kernel: ClassVar[Any] = cubic_spring_force
    energy_kernel: ClassVar[Any] = cubic_spring_energy

    a: Any = ct.quantity("", "first body, or point on it", refers_to="body")
    b: Any = ct.quantity("", "second body, or point on it", refers_to="body")
    stiffness: float = ct.quantity("N/m", "stiffness at small stretch", 0.0, minimum=0.0)
    cubic: float = ct.quantity("N/m3", "force per cube of the stretch", 0.0, minimum=0.0)
    damping: float = ct.quantity("N*s/m", "damping", 0.0, minimum=0.0)
    length: float | None = ct.quantity(
        "m", "unstretched length; the length at the start when left out", None, minimum=0.0
    )
    point_a: tuple[float, ...] | None = ct.quantity("m", "place on body a, in its frame", None)
    point_b: tuple[float, ...] | None = ct.quantity("m", "place on body b, in its frame", None)

    def place(self, scene: ct.Scene) -> ct.Placement:
        (marker_a, end_a), (marker_b, end_b) = self.end(scene, "a"), self.end(scene, "b")
        length = float(np.linalg.norm(end_b - end_a)) if self.length is None else self.length
        return ct.Placement([marker_a, marker_b], par=[self.stiffness, self.cubic, self.damping, length])

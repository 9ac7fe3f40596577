"""Spring and damper along the straight line between two points.

With d = p_b - p_a, L = |d|, e = d / L and the stretching rate L' = e . (v_b - v_a):

    tension  T = k (L - L0) + c L'            (1)
    force on a: +T e, force on b: -T e        (2)
    energy   k (L - L0)^2 / 2                 (3)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_MARKERS
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene, point3

STIFFNESS, DAMPING, LENGTH = 0, 1, 2


@step_kernel(signature=FORCE_SIGNATURE)
def spring_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1), (2)."""
    for i in range(first, first + count):
        a = link[i, LINK_MARKERS]
        b = link[i, LINK_MARKERS + 1]
        dx = markers[b, 0] - markers[a, 0]
        dy = markers[b, 1] - markers[a, 1]
        dz = markers[b, 2] - markers[a, 2]
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        inverse = 1.0 / length if length > 0.0 else 0.0
        dx *= inverse
        dy *= inverse
        dz *= inverse
        rate = (
            dx * (markers[b, 3] - markers[a, 3])
            + dy * (markers[b, 4] - markers[a, 4])
            + dz * (markers[b, 5] - markers[a, 5])
        )
        tension = par[i, STIFFNESS] * (length - par[i, LENGTH]) + par[i, DAMPING] * rate
        wrench[a, 0] = tension * dx
        wrench[a, 1] = tension * dy
        wrench[a, 2] = tension * dz
        wrench[b, 0] = -tension * dx
        wrench[b, 1] = -tension * dy
        wrench[b, 2] = -tension * dz


@step_kernel(signature=ENERGY_SIGNATURE)
def spring_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(3)."""
    for i in range(first, first + count):
        a = link[i, LINK_MARKERS]
        b = link[i, LINK_MARKERS + 1]
        dx = markers[b, 0] - markers[a, 0]
        dy = markers[b, 1] - markers[a, 1]
        dz = markers[b, 2] - markers[a, 2]
        stretch = math.sqrt(dx * dx + dy * dy + dz * dz) - par[i, LENGTH]
        energy[i] = 0.5 * par[i, STIFFNESS] * stretch * stretch


@dataclass(frozen=True)
class Spring(Force):
    """Linear spring-damper between two points."""

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

    def place(self, scene: Scene) -> Placement:
        places = []
        ends = []
        for side in ("a", "b"):
            body, local = scene.resolve(getattr(self, side))
            given = getattr(self, f"point_{side}")
            if given is not None:
                local = point3(given, f"{self.name}.point_{side}")
            position, rotation = scene.pose(body)
            places.append(MarkerPlace(body, local))
            ends.append(position + rotation @ local)
        length = float(np.linalg.norm(ends[1] - ends[0])) if self.length is None else self.length
        return Placement(places, par=[self.stiffness, self.damping, length])

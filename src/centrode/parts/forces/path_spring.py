"""Spring along a path through any number of points: a cable over small pulleys, a belt strand, an elastic rope.

The path runs straight from point to point, p_0 .. p_n; it slides through the inner ones without friction, so one
tension T acts all along it. With the segments d_k = p_k - p_(k-1), L_k = |d_k|, e_k = d_k / L_k:

    length   L = sum L_k,   rate L' = sum e_k . (v_k - v_(k-1))               (1)
    tension  T = T(L, L')   of :mod:`centrode.parts.forces.law`               (2)
    force on p_k:  T (e_(k+1) - e_k)   (e_0 = e_(n+1) = 0)                    (3)
    energy of the law at L                                                    (4)

(3) is -T times the gradient of L, so power is -T L' exactly; the forces add up to nothing, and each segment pulls
along its own line, so the moments do too. A segment of no length pulls nowhere.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.forces.force import Force
from centrode.parts.forces.law import law_energy, law_faults, law_table, law_tension, pack_law
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_DATA, LINK_MARKER_COUNT, LINK_MARKERS
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene, point3
from centrode.parts.visual import Visual, VisualScene


@step_kernel
def segment(markers, a, b):
    """Length and direction of the segment from marker a to marker b."""
    dx = markers[b, 0] - markers[a, 0]
    dy = markers[b, 1] - markers[a, 1]
    dz = markers[b, 2] - markers[a, 2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1.0 / length if length > 0.0 else 0.0
    return length, dx * inverse, dy * inverse, dz * inverse


@step_kernel(signature=FORCE_SIGNATURE)
def path_spring_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1) to (3)."""
    for i in range(first, first + count):
        last = LINK_MARKERS + link[i, LINK_MARKER_COUNT] - 1
        total = 0.0
        rate = 0.0
        for c in range(LINK_MARKERS, last):
            a = link[i, c]
            b = link[i, c + 1]
            length, ex, ey, ez = segment(markers, a, b)
            total += length
            rate += (
                ex * (markers[b, 3] - markers[a, 3])
                + ey * (markers[b, 4] - markers[a, 4])
                + ez * (markers[b, 5] - markers[a, 5])
            )
        tension = law_tension(par, i, 0, data, link[i, LINK_DATA], total, rate)
        before_x = 0.0
        before_y = 0.0
        before_z = 0.0
        for c in range(LINK_MARKERS, last):
            a = link[i, c]
            length, ex, ey, ez = segment(markers, a, link[i, c + 1])
            wrench[a, 0] = tension * (ex - before_x)
            wrench[a, 1] = tension * (ey - before_y)
            wrench[a, 2] = tension * (ez - before_z)
            before_x = ex
            before_y = ey
            before_z = ez
        b = link[i, last]
        wrench[b, 0] = -tension * before_x
        wrench[b, 1] = -tension * before_y
        wrench[b, 2] = -tension * before_z


@step_kernel(signature=ENERGY_SIGNATURE)
def path_spring_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(4)."""
    for i in range(first, first + count):
        total = 0.0
        for c in range(LINK_MARKERS, LINK_MARKERS + link[i, LINK_MARKER_COUNT] - 1):
            length, ex, ey, ez = segment(markers, link[i, c], link[i, c + 1])
            total += length
        energy[i] = law_energy(par, i, 0, data, link[i, LINK_DATA], total)


@dataclass(frozen=True)
class PathSpring(Force):
    """Spring-damper along a path through points of several bodies."""

    kind: ClassVar[str] = "path-spring"
    force_kernel: ClassVar[Any] = path_spring_force
    energy_kernel: ClassVar[Any] = path_spring_energy

    through: tuple[Any, ...] = quantity("", "bodies or points in the order of the path", refers_to="body")
    stiffness: float = quantity("N/m", "stiffness of the whole path", 0.0, minimum=0.0)
    damping: float = quantity("N*s/m", "damping of the whole path", 0.0, minimum=0.0)
    length: float | None = quantity("m", "unstretched length; the length at the start when left out", None, minimum=0.0)
    places: tuple[tuple[float, ...], ...] | None = quantity(
        "m", "place on each body of the path, in its frame; points need none", None
    )
    table: tuple[tuple[float, float], ...] | None = quantity(
        "1", "rows (stretch [m], tension [N]) instead of a stiffness, linear in between", None
    )
    law: Callable[[float], float] | None = quantity(
        "", "tension [N] as a Python function of the stretch [m] (from Python only)", None
    )
    law_range: tuple[float, float] | None = quantity("m", "stretch between which the law is sampled", None)
    tension_only: bool = quantity("", "pulls but never pushes: an elastic rope", False)

    def faults(self) -> list[Fault]:
        found = super().faults() + law_faults(self)
        if not isinstance(self.through, list | tuple) or len(self.through) < 2:
            found.append(
                Fault(
                    "a path needs two points or more",
                    f"{self.name}.through",
                    got=self.through,
                    expected="a list of bodies or points",
                )
            )
        elif self.places is not None and len(self.places) != len(self.through):
            found.append(
                Fault(
                    "a place for every body of the path, or none",
                    f"{self.name}.places",
                    got=len(self.places),
                    expected=f"{len(self.through)} places",
                )
            )
        return found

    def place(self, scene: Scene) -> Placement:
        markers, ends = [], []
        for k, reference in enumerate(self.through):
            body, local = scene.resolve(reference)
            if self.places is not None:
                local = point3(self.places[k], f"{self.name}.places[{k}]")
            position, rotation = scene.pose(body)
            markers.append(MarkerPlace(body, local))
            ends.append(position + rotation @ local)
        start = float(sum(np.linalg.norm(b - a) for a, b in itertools.pairwise(ends)))
        length = start if self.length is None else self.length
        par, data = pack_law(self.stiffness, self.damping, length, law_table(self), self.tension_only)
        return Placement(markers, par=par, data=data)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.link_visuals(scene, "rope", 0.027)

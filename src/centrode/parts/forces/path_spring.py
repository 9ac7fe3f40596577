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
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, minus, norm, times
from centrode.parts.forces.force import Force
from centrode.parts.forces.law import LawFunction, LawTable, law_energy, law_faults, law_table, law_tension, pack_law
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_DATA, LINK_MARKER_COUNT, LINK_MARKERS
from centrode.parts.markers import position, push, stretching
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene, point3
from centrode.parts.visual import Visual, VisualScene


@step_kernel(signature=FORCE_SIGNATURE)
def path_spring_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1) to (3)."""
    for i in range(first, first + count):
        last = LINK_MARKERS + link[i, LINK_MARKER_COUNT] - 1
        length = 0.0
        rate = 0.0
        for c in range(LINK_MARKERS, last):
            segment, segment_rate, _ = stretching(markers, link[i, c], link[i, c + 1])
            length += segment
            rate += segment_rate
        tension = law_tension(par, i, 0, data, link[i, LINK_DATA], length, rate)
        before = ZERO
        for c in range(LINK_MARKERS, last):
            _, _, e = stretching(markers, link[i, c], link[i, c + 1])
            push(wrench, link[i, c], times(tension, minus(e, before)))  # (3)
            before = e
        push(wrench, link[i, last], times(-tension, before))


@step_kernel(signature=ENERGY_SIGNATURE)
def path_spring_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(4)."""
    for i in range(first, first + count):
        length = 0.0
        for c in range(LINK_MARKERS, LINK_MARKERS + link[i, LINK_MARKER_COUNT] - 1):
            length += norm(minus(position(markers, link[i, c + 1]), position(markers, link[i, c])))
        energy[i] = law_energy(par, i, 0, data, link[i, LINK_DATA], length)


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
    table: LawTable = quantity("1", "rows (stretch [m], tension [N]) instead of a stiffness, linear in between", None)
    law: LawFunction = quantity("", "tension [N] as a Python function of the stretch [m] (from Python only)", None)
    law_range: tuple[float, float] | None = quantity("m", "stretch between which the law is sampled", None)
    tension_only: bool = quantity("", "pulls but never pushes: an elastic rope", False)

    def faults(self) -> list[Fault]:
        found = super().faults() + law_faults(self)
        if not isinstance(self.through, list | tuple) or len(self.through) < 2:
            expected = "a list of bodies or points"
            found.append(self.fault("through", "a path needs two points or more", expected=expected))
        elif self.places is not None and len(self.places) != len(self.through):
            got, expected = len(self.places), f"{len(self.through)} places"
            found.append(self.fault("places", "a place for every body of the path, or none", got, expected))
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

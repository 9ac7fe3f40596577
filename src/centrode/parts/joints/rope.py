"""Rope: two points come no further apart than its length; one row, one-sided.

With the distance D of the points and the row of a rod, equations (1) to (3) of :mod:`centrode.parts.joints.rod`:

    slack   D < L, row switched off;           event when   L - D  falls through zero        (1)
    taut    D = L, multiplier = tension > 0;   event when   tension falls through zero       (2)
    impact when the rope becomes taut:   D'(after) = -e D'(before)                           (3)

Whether the rope is taut stands in memory column TAUT, beside the row's switch. While an impact is solved, memory column
IMPACT holds e D'(before); it enters the row as nu, so that the velocity projection finds (3). It is zero otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.parts.hooks import Moment
from centrode.parts.joints.appearance import joint_link
from centrode.parts.joints.rod import LENGTH, Rod, distance_row
from centrode.parts.joints.rows import NU
from centrode.parts.kernel_types import EVENT_SIGNATURE, JOINT_SIGNATURE
from centrode.parts.markers import sides
from centrode.parts.part import quantity
from centrode.parts.placement import Scene
from centrode.parts.visual import Visual, VisualScene

DISTANCE, TAUT, IMPACT = 0, 1, 2
"""Memory columns: distance of the ends [m], 1 while taut, e D'(before) during an impact [m/s]."""

SMALLEST_BOUNCE = 1e-5
"""A slower rebound [m/s] counts as none: it would rise by 5e-12 m under gravity, near the round-off of positions, and
an endless series of ever smaller bounces has to end."""

CLOSE = 1e-9
"""A rope whose ends are this close to its length, relative to it, starts taut; round-off of coordinates is below."""


@step_kernel(signature=JOINT_SIGNATURE)
def rope_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """The row of a rod, with (3) as nu."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        memory[j, DISTANCE] = distance_row(j, 0, a, b, par[j, LENGTH], markers, jacobian, terms)
        terms[j, 0, NU] = memory[j, IMPACT]


@step_kernel(signature=EVENT_SIGNATURE)
def rope_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """What must stay positive: the slack length (1), or the tension (2)."""
    for j in range(first, first + count):
        values[j] = multipliers[j, 0] if memory[j, TAUT] != 0.0 else par[j, LENGTH] - memory[j, DISTANCE]


@dataclass(frozen=True)
class Rope(Rod):
    """Rope, cable or chain without mass and stretch."""

    kind: ClassVar[str] = "rope"
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("distance", "m"), ("taut", "1"))
    spatial_kernel: ClassVar[Any] = rope_rows
    plane_kernel: ClassVar[Any] = rope_rows
    event_kernel: ClassVar[Any] = rope_event

    restitution: float = quantity(
        "1", "speed after over speed before when the rope becomes taut", 0.0, minimum=0.0, maximum=1.0
    )

    def parameters(self, scene: Scene) -> list[float]:
        distance = self.start_distance(scene)
        length = distance if self.length is None else float(self.length)
        if length <= 0.0:
            raise self.refusal("length", "a rope needs a length", hint="its ends are at the same place")
        if length < distance * (1.0 - CLOSE):
            message = "the rope is shorter than the distance of its ends at the start"
            raise self.refusal("length", message, got=length, expected=f"at least {distance:.9g} m")
        return [length, self.restitution]

    def initial_memory(self, scene: Scene) -> list[float]:
        return [self.start_distance(scene), self.initial_active_rows(scene)[0]]

    def initial_active_rows(self, scene: Scene | None = None) -> list[float]:
        """Taut when the ends are as far apart as the rope is long; without a scene a rope of given length is slack."""
        if self.length is None:
            return [1.0]
        if scene is None:
            return [0.0]
        return [1.0 if self.start_distance(scene) >= self.length * (1.0 - CLOSE) else 0.0]

    def on_event(self, moment: Moment) -> tuple[str, dict[str, float]]:
        """A slack rope becomes taut with the impact (3), or a taut one goes slack."""
        memory, active = moment.memory, moment.active
        if memory[TAUT] != 0.0:
            memory[TAUT] = active[0] = 0.0
            moment.evaluate()
            return "rope slack", {}
        memory[TAUT] = active[0] = 1.0
        before = moment.kinetic_energy()
        moment.evaluate()
        speed = float(moment.row_speeds()[0])
        rebound = self.restitution * speed
        if rebound < SMALLEST_BOUNCE:
            rebound = 0.0
        memory[IMPACT] = rebound
        moment.evaluate()
        impulse = float(moment.impulses()[0])
        memory[IMPACT] = 0.0
        moment.evaluate()
        if rebound > 0.0 or moment.multipliers()[0] <= 0.0:
            memory[TAUT] = active[0] = 0.0
            moment.evaluate()
        after = moment.kinetic_energy()
        return "rope taut", {
            "impulse": impulse,
            "stretching_speed": speed,
            "energy_lost": before - after,
            "kinetic_ratio": after / before if before > 0 else 1.0,
        }

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_link(self, scene, "rope", 0.25, self.length)

"""Screw joint: b turns about an axis of a and advances along it by the lead at each turn; five rows.

    phi_1 = x_a . z_b,    phi_2 = y_a . z_b                                                  (1)
    phi_3 = x_a . d,      phi_4 = y_a . d,      d = p_b - p_a                                (2)
    phi_5 = z_a . d - h t - s_0,      h = lead / (2 pi)                                      (3)

t is the unwrapped angle of b against a, s_0 the displacement at the start. Row (3) is the difference of an offset row
and an angle row, (4) to (9) of :mod:`centrode.parts.joints.rows`; a positive lead is a right-handed thread.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.parts.joints.appearance import joint_pin
from centrode.parts.joints.joint import Joint, StartMotion, start_field
from centrode.parts.joints.rows import (
    FIRST,
    GAMMA,
    PHI,
    SECOND,
    angle_of,
    line_rows,
    offset_row,
    parallel_rows,
    unwrapped,
)
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import Z, sides
from centrode.parts.part import quantity
from centrode.parts.placement import Scene
from centrode.parts.visual import Visual, VisualScene

ADVANCE, START = 0, 1


@step_kernel(signature=JOINT_SIGNATURE)
def screw_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) to (3)."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        parallel_rows(j, 0, a, b, markers, jacobian, terms)
        line_rows(j, 2, a, b, markers, jacobian, terms)
        h = par[j, ADVANCE]
        held = (par[j, START], 0.0, 0.0)
        memory[j, SECOND] = offset_row(j, 4, a, Z, b, held, markers, jacobian, terms)
        raw, n, gamma = angle_of(markers, a, b)
        memory[j, FIRST] = unwrapped(raw, memory[j, FIRST])
        terms[j, 4, PHI] -= h * memory[j, FIRST]
        terms[j, 4, GAMMA] -= h * gamma
        for k in range(3):
            jacobian[j, 0, 4, 3 + k] += h * n[k]
            jacobian[j, 1, 4, 3 + k] -= h * n[k]


@dataclass(frozen=True)
class Screw(Joint):
    """Nut on a thread."""

    kind: ClassVar[str] = "screw"
    rows: ClassVar[int] = 5
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("angle", "rad"), ("displacement", "m"))
    spatial_kernel: ClassVar[Any] = screw_rows

    lead: float = quantity("m", "advance of b along the axis per turn; negative for a left-handed thread")
    angle: float | None = start_field("rad", "angle")
    angle_rate: float | None = start_field("rad/s", "angle")

    def parameters(self, scene: Scene) -> list[float]:
        return [self.lead / (2.0 * math.pi), self.start_offset(scene)]

    def initial_memory(self, scene: Scene) -> list[float]:
        return [self.angle or 0.0, self.start_offset(scene)]

    def start_motions(self, scene: Scene) -> list[StartMotion]:
        advance = self.lead / (2.0 * math.pi)
        turns = super().start_motions(scene)
        slides = [
            turn._replace(
                turns=False, value=advance * turn.value, rate=None if turn.rate is None else advance * turn.rate
            )
            for turn in turns
        ]
        return [*turns, *slides]

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_pin(self, scene)

"""Cylindrical joint: b turns about and slides along an axis of a; four rows.

    phi_1 = x_a . z_b,    phi_2 = y_a . z_b                                                  (1)
    phi_3 = x_a . d,      phi_4 = y_a . d,      d = p_b - p_a                                (2)

Rows as in :mod:`centrode.parts.joints.rows`. Coordinates: the angle of b against a and the displacement z_a . d.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.parts.joints.appearance import joint_pin
from centrode.parts.joints.joint import Joint, start_field
from centrode.parts.joints.rows import FIRST, SECOND, along_axis, angle_between, line_rows, parallel_rows
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import sides
from centrode.parts.placement import Scene
from centrode.parts.visual import Visual, VisualScene


@step_kernel(signature=JOINT_SIGNATURE)
def cylindrical_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1), (2)."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        parallel_rows(j, 0, a, b, markers, jacobian, terms)
        line_rows(j, 2, a, b, markers, jacobian, terms)
        memory[j, FIRST] = angle_between(markers, a, b, memory[j, FIRST])
        memory[j, SECOND] = along_axis(markers, a, b)


@dataclass(frozen=True)
class Cylindrical(Joint):
    """Turns about and slides along one axis."""

    kind: ClassVar[str] = "cylindrical"
    rows: ClassVar[int] = 4
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("angle", "rad"), ("displacement", "m"))
    spatial_kernel: ClassVar[Any] = cylindrical_rows

    angle: float | None = start_field("rad", "angle")
    angle_rate: float | None = start_field("rad/s", "angle")
    displacement: float | None = start_field("m", "displacement")
    displacement_rate: float | None = start_field("m/s", "displacement")

    def initial_memory(self, scene: Scene) -> list[float]:
        return [self.angle or 0.0]

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_pin(self, scene)

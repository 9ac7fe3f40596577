"""Prismatic joint (slider): bodies keep their orientation and b slides along an axis of a; five rows, two in the plane.

    phi_1..3 = frames stay the same: x_a . z_b,  y_a . z_b,  x_a . y_b                       (1)
    phi_4    = x_a . d,    phi_5 = y_a . d,    d = p_b - p_a                                 (2)
    phi_6    = z_a . d - s_0       lock, when there is one (third row in the plane)          (3)

In the plane z and x lie in it, so the rows are x_a . z_b and x_a . d. Rows as in :mod:`centrode.parts.joints.rows`;
the displacement z_a . d is kept in the memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.parts.joints.appearance import joint_size
from centrode.parts.joints.joint import start_field
from centrode.parts.joints.lock import LOCK_MEMORY, LockableJoint
from centrode.parts.joints.rows import (
    FIRST,
    HELD,
    along_axis,
    line_rows,
    offset_row,
    perpendicular_row,
    same_frame_rows,
)
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import X, Z, sides
from centrode.parts.placement import GROUND, Scene
from centrode.parts.visual import Layer, Visual, VisualBox, VisualScene, placed

LOCK = 0


@step_kernel
def slider_coordinate(j, lock_row, a, b, par, memory, markers, jacobian, terms):
    """Displacement into memory, and row (3)."""
    if par[j, LOCK] != 0.0:
        held = (memory[j, LOCK_MEMORY], 0.0, 0.0)
        memory[j, FIRST] = offset_row(j, lock_row, a, Z, b, held, markers, jacobian, terms)
    else:
        memory[j, FIRST] = along_axis(markers, a, b)


@step_kernel(signature=JOINT_SIGNATURE)
def prismatic_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) to (3) in space."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        same_frame_rows(j, 0, a, b, markers, jacobian, terms)
        line_rows(j, 3, a, b, markers, jacobian, terms)
        slider_coordinate(j, 5, a, b, par, memory, markers, jacobian, terms)


@step_kernel(signature=JOINT_SIGNATURE)
def prismatic_rows_plane(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows in the plane."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        perpendicular_row(j, 0, a, X, b, Z, markers, jacobian, terms)
        offset_row(j, 1, a, X, b, HELD, markers, jacobian, terms)
        slider_coordinate(j, 2, a, b, par, memory, markers, jacobian, terms)


@dataclass(frozen=True)
class Prismatic(LockableJoint):
    """Slider along an axis."""

    kind: ClassVar[str] = "prismatic"
    rows: ClassVar[int] = 5
    plane_rows: ClassVar[int] = 2
    has_axis: ClassVar[bool] = True
    axis_is_normal: ClassVar[bool] = False
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("displacement", "m"),)
    spatial_kernel: ClassVar[Any] = prismatic_rows
    plane_kernel: ClassVar[Any] = prismatic_rows_plane

    displacement: float | None = start_field("m", "displacement")
    displacement_rate: float | None = start_field("m/s", "displacement")

    def parameters(self, scene: Scene) -> list[float]:
        return [float(self.lockable)]

    def initial_memory(self, scene: Scene) -> list[float]:
        start = self.start_offset(scene) if self.displacement is None else self.displacement
        return [start, 0.0, 0.0, start]

    def visuals(self, scene: VisualScene) -> list[Visual]:
        markers = scene.markers(self)
        first, second = markers[:2]
        size = joint_size(markers, scene)
        sleeve, place = (3.0 * size, 3.0 * size, 5.0 * size), placed(second.position, second.frame)
        found: list[Visual] = [VisualBox(second.body, sleeve, **place, colour="joint", layer=Layer.DETAIL)]
        if first.body == GROUND:
            rail = (0.8 * size, 0.8 * size, 3.0 * (scene.extent(second.body) or 1.0))
            found.append(VisualBox(GROUND, rail, **placed(first.position, first.frame), colour="steel"))
        return found

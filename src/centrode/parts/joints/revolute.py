"""Revolute joint (hinge): a ball joint whose bodies also share an axis; five rows in space, two in the plane.

Marker frames (x, y, z), z along the axis, on a and on b:

    phi_1..3 = p_a - p_b                                                                     (1)
    phi_4    = x_a . z_b,    phi_5 = y_a . z_b                                               (2)
    phi_6    = t - t_0       lock, when there is one (third row in the plane)                (3)

Rows (2) are equations (1) to (3) of :mod:`centrode.parts.joints.rows`, the angle t of b against a is (7) to (9) there.
The angle is kept in the memory, unwrapped; ``track: false`` saves that work for hinges whose angle nobody reads.
"""

from __future__ import annotations

from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.jit import step_kernel
from centrode.parts.joints.appearance import joint_pin
from centrode.parts.joints.joint import start_field
from centrode.parts.joints.lock import LOCK_MEMORY, LockableJoint
from centrode.parts.joints.rows import FIRST, angle_between, angle_row, coincide_rows, parallel_rows
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import sides
from centrode.parts.part import quantity
from centrode.parts.placement import Scene
from centrode.parts.visual import Visual, VisualScene

TRACK, LOCK = 0, 1


@step_kernel
def hinge_coordinate(j, lock_row, a, b, par, memory, markers, jacobian, terms):
    """Angle into memory, and row (3)."""
    if par[j, LOCK] != 0.0:
        held = (memory[j, LOCK_MEMORY], 0.0, 0.0)
        memory[j, FIRST] = angle_row(j, lock_row, a, b, memory[j, FIRST], held, markers, jacobian, terms)
    elif par[j, TRACK] != 0.0:
        memory[j, FIRST] = angle_between(markers, a, b, memory[j, FIRST])


@step_kernel(signature=JOINT_SIGNATURE)
def revolute_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) to (3) in space."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        coincide_rows(j, 0, 3, a, b, markers, jacobian, terms)
        parallel_rows(j, 3, a, b, markers, jacobian, terms)
        hinge_coordinate(j, 5, a, b, par, memory, markers, jacobian, terms)


@step_kernel(signature=JOINT_SIGNATURE)
def revolute_rows_plane(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) and (3) in the plane."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        coincide_rows(j, 0, 2, a, b, markers, jacobian, terms)
        hinge_coordinate(j, 2, a, b, par, memory, markers, jacobian, terms)


@dataclass(frozen=True)
class Revolute(LockableJoint):
    """Hinge about an axis."""

    kind: ClassVar[str] = "revolute"
    rows: ClassVar[int] = 5
    joins_points: ClassVar[bool] = True
    plane_rows: ClassVar[int] = 2
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("angle", "rad"),)
    spatial_kernel: ClassVar[Any] = revolute_rows
    plane_kernel: ClassVar[Any] = revolute_rows_plane

    track: bool = quantity("", "follow the angle of the hinge", True, kw_only=True)
    angle: float | None = start_field("rad", "angle")
    angle_rate: float | None = start_field("rad/s", "angle")

    def parameters(self, scene: Scene) -> list[float]:
        return [float(self.track), float(self.lockable)]

    def initial_memory(self, scene: Scene) -> list[float]:
        return [self.angle or 0.0, 0.0, 0.0, self.angle or 0.0]

    def frames_needed(self, scene: Scene) -> bool:
        return not scene.plane or self.track or self.lockable

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_pin(self, scene)

"""Universal joint (Cardan, Hooke): two yokes on a cross; four rows.

    phi_1..3 = p_a - p_b                                                                     (1)
    phi_4    = z_a . z_b                                                                     (2)

z_a is the axis of the cross that turns in body a, z_b the one that turns in body b; the cross keeps them perpendicular.
Row (2) as in :mod:`centrode.parts.joints.rows`. Given in the world (``axis`` on a, ``cross_axis`` on b) or on the
bodies (``axis_a``, ``axis_b``). Coordinates are the angles of the cross against a about z_a and of b against the cross
about z_b, zero where x_a lies along z_b and x_b along z_a, which is the start:

    t_a = atan2(y_a . z_b, x_a . z_b),        t_b = -atan2(y_b . z_a, x_b . z_a)             (3)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.rotation import frame_from_axis
from centrode.math.vector import dot
from centrode.parts.joints.appearance import joint_ball
from centrode.parts.joints.joint import Joint, StartMotion, start_field
from centrode.parts.joints.rows import FIRST, SECOND, coincide_rows, perpendicular_row, unwrapped
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import X, Y, Z, axis, sides
from centrode.parts.placement import Scene, direction_field, unit_vector
from centrode.parts.visual import Visual, VisualScene


@step_kernel
def turn_of(markers, a, b):
    """Angle of the z axis of marker b about that of marker a, from x_a [rad]."""
    z = axis(markers, b, Z)
    return math.atan2(dot(axis(markers, a, Y), z), dot(axis(markers, a, X), z))


@step_kernel(signature=JOINT_SIGNATURE)
def universal_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1), (2) and the angles (3)."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        coincide_rows(j, 0, 3, a, b, markers, jacobian, terms)
        perpendicular_row(j, 3, a, Z, b, Z, markers, jacobian, terms)
        memory[j, FIRST] = unwrapped(turn_of(markers, a, b), memory[j, FIRST])
        memory[j, SECOND] = unwrapped(-turn_of(markers, b, a), memory[j, SECOND])


@dataclass(frozen=True)
class Universal(Joint):
    """Two yokes on a cross."""

    kind: ClassVar[str] = "universal"
    rows: ClassVar[int] = 4
    joins_points: ClassVar[bool] = True
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("angle_a", "rad"), ("angle_b", "rad"))
    spatial_kernel: ClassVar[Any] = universal_rows
    example: ClassVar[dict[str, Any] | None] = {"axis_a": (1.0, 0.0, 0.0), "axis_b": (0.0, 1.0, 0.0)}

    cross_axis: tuple[float, ...] | None = direction_field(
        "axis of the cross in body b, in the world at the start; 'axis' is the one in body a", None, kw_only=True
    )

    angle_a: float | None = start_field("rad", "angle of the cross against a")
    angle_a_rate: float | None = start_field("rad/s", "angle of the cross against a")
    angle_b: float | None = start_field("rad", "angle of b against the cross")
    angle_b_rate: float | None = start_field("rad/s", "angle of b against the cross")

    def initial_memory(self, scene: Scene) -> list[float]:
        return [self.angle_a or 0.0, self.angle_b or 0.0]

    def start_motions(self, scene: Scene) -> list[StartMotion]:
        given, point = self.start_values(), self.points(scene)[0]
        frames = dict(zip(("angle_a", "angle_b"), self.frames(scene), strict=True))
        return [
            StartMotion(True, frames[name][:, 2], point, value or 0.0, rate) for name, (value, rate) in given.items()
        ]

    def faults(self) -> list[Fault]:
        found = super().faults()
        on_bodies = self.axis_a is not None and self.axis_b is not None
        in_world = self.axis is not None and self.cross_axis is not None
        if on_bodies == in_world or (on_bodies and self.cross_axis is not None):
            expected = "'axis' and 'cross_axis' in the world, or 'axis_a' and 'axis_b' on the bodies"
            found.append(self.fault("axis", "a universal joint needs both axes of its cross", expected=expected))
        elif in_world and not found:
            first, second = self.cross()
            if abs(first @ second) > 1e-6:
                hint = f"the angle to 'axis' is {np.degrees(np.arccos(first @ second)):.4g} deg"
                found.append(self.fault("cross_axis", "the axes of a cross are perpendicular", hint=hint))
        return found

    def cross(self) -> tuple[np.ndarray, np.ndarray]:
        """Both axes of the cross, as given in the world."""
        return unit_vector(self.axis, f"{self.name}.axis"), unit_vector(self.cross_axis, f"{self.name}.cross_axis")

    def frames(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        first, second = self.axes(scene) if self.cross_axis is None else self.cross()
        if abs(first @ second) > 0.99:  # far from closed: angles count from where the assembly ends
            return frame_from_axis(first), frame_from_axis(second)
        return frame_from_axis(first, second), frame_from_axis(second, first)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_ball(self, scene, 1.6)

"""Knife edge (skate, sledge runner): a blade of b moves along itself, never sideways; one nonholonomic row.

The marker on b has x along the blade, z the normal of the ground, y the blocked direction, all fixed in b. With
d = p_b - p_a and the velocity of the blade over the body a below it, u = v_b - v_a - w_a x d:

    y_b . u = 0                                                                              (1)
    gamma = (w_b x y_b) . u - y_b . (w_a x (v_b - v_a))                                      (2)

There is no position residual. The row blocks one direction only; in space a planar joint keeps the blade on the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.rotation import frame_from_axis
from centrode.math.vector import ZERO, cross, dot, minus, opposite
from centrode.parts.joints.joint import PLANE_NORMAL, Joint
from centrode.parts.joints.rows import GAMMA, write_side
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import Y, axis, between, omega, sides
from centrode.parts.placement import Scene, direction_field, unit_vector


@step_kernel(signature=JOINT_SIGNATURE)
def knife_edge_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1), (2), in space and in the plane."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        y = axis(markers, b, Y)
        wa, wb = omega(markers, a), omega(markers, b)
        d, v = between(markers, a, b)
        write_side(jacobian, j, 0, 0, opposite(y), opposite(cross(d, y)))
        write_side(jacobian, j, 1, 0, y, ZERO)
        u = minus(v, cross(wa, d))
        terms[j, 0, GAMMA] = dot(cross(wb, y), u) - dot(y, cross(wa, v))  # (2)


@dataclass(frozen=True)
class KnifeEdge(Joint):
    """Blade of b on the ground a; ``axis`` is the direction of the blade."""

    kind: ClassVar[str] = "knife-edge"
    rows: ClassVar[int] = 1
    plane_rows: ClassVar[int] = 1
    nonholonomic_rows: ClassVar[tuple[int, ...]] = (0,)
    has_axis: ClassVar[bool] = True
    axis_is_normal: ClassVar[bool] = False
    spatial_kernel: ClassVar[Any] = knife_edge_rows
    plane_kernel: ClassVar[Any] = knife_edge_rows

    normal: tuple[float, ...] = direction_field(
        "normal of the ground in the world at the start", (0.0, 0.0, 1.0), kw_only=True
    )

    def axes(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        if self.axis is None and self.axis_a is None and self.axis_b is None:
            axis = scene.pose(scene.resolve(self.b)[0])[1][:, 0]  # the blade lies along the body by default
            return axis, axis
        return super().axes(scene)

    def frames(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        blade = self.axes(scene)[1]
        normal = PLANE_NORMAL if scene.plane else unit_vector(self.normal, f"{self.name}.normal")
        if abs(blade @ normal) > 1e-6:
            got, expected = tuple(blade.tolist()), "a direction perpendicular to 'normal'"
            raise self.refusal("axis", "a blade lies in the ground plane", got=got, expected=expected)
        frame = frame_from_axis(normal, blade)
        return frame, frame

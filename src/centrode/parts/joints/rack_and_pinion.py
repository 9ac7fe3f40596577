"""Rack and pinion: a wheel a rolls along a straight rack b without slip; one row.

u is the direction of the rack (x axis of its marker, fixed in b), n the axis of the pinion (z axis, perpendicular to
u), d = p_b - p_a from the pinion's centre to a point of the rack, t the angle of the pinion against the rack about n:

    phi   = u . d - r t - s_0                                                                (1)
    phi'  = u . (v_b - v_a) + w_b . (u x d) - r N . (w_a - w_b)                              (2)
    gamma = 2 (w_b x u) . (v_b - v_a) + (w_b x (w_b x u)) . d - r N' . (w_a - w_b)           (3)

When the pinion turns about +n, the rack moves along +u: the teeth meet at r u x n from the pinion's centre (below it
for u = x, n = z in a plane). Only the motion of one body against the other enters, so it is the same row whether the
rack slides, the pinion rolls along a fixed rack, or both are carried by something that moves. Sliding and bearing
are other joints. N and N' are (8), (9) of :mod:`centrode.parts.joints.rows`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.rotation import frame_from_axis
from centrode.math.vector import cross, dot, opposite, plus_times, times
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import FIRST, GAMMA, PHI, SECOND, angle_of, unwrapped, write_side
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import X, axis, between, omega, sides
from centrode.parts.part import quantity
from centrode.parts.placement import Scene, direction_field, unit_vector

RADIUS, START = 0, 1


@step_kernel(signature=JOINT_SIGNATURE)
def rack_and_pinion_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1) to (3), in space and in the plane."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        radius = par[j, RADIUS]
        u, w = axis(markers, b, X), omega(markers, b)
        d, v = between(markers, a, b)
        raw, n, bias = angle_of(markers, b, a)
        angle = unwrapped(raw, memory[j, FIRST])
        along = dot(u, d)
        write_side(jacobian, j, 0, 0, opposite(u), times(-radius, n))
        write_side(jacobian, j, 1, 0, u, plus_times(cross(u, d), radius, n))
        du = cross(w, u)
        terms[j, 0, PHI] = along - radius * angle - par[j, START]
        terms[j, 0, GAMMA] = 2.0 * dot(du, v) + dot(cross(w, du), d) - radius * bias
        memory[j, FIRST] = angle
        memory[j, SECOND] = along - par[j, START]


@dataclass(frozen=True)
class RackAndPinion(Joint):
    """Pinion a on rack b."""

    kind: ClassVar[str] = "rack-and-pinion"
    rows: ClassVar[int] = 1
    plane_rows: ClassVar[int] = 1
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("angle", "rad"), ("displacement", "m"))
    spatial_kernel: ClassVar[Any] = rack_and_pinion_rows
    plane_kernel: ClassVar[Any] = rack_and_pinion_rows
    example: ClassVar[dict[str, Any] | None] = {"radius": 0.2, "direction": (1.0, 0.0, 0.0)}

    radius: float = quantity("m", "pitch radius of the pinion", positive=True)
    direction: tuple[float, ...] = direction_field(
        "direction of the rack in the world at the start; it moves there when the pinion turns about +axis"
    )

    def frames(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        axis_a, axis_b = self.axes(scene)
        direction = unit_vector(self.direction, f"{self.name}.direction")
        if max(abs(axis_a @ direction), abs(axis_b @ direction)) > 1e-6:
            raise self.refusal("direction", "a rack is perpendicular to the axis of its pinion")
        return frame_from_axis(axis_a, direction), frame_from_axis(axis_b, direction)

    def parameters(self, scene: Scene) -> list[float]:
        place_a, place_b = self.points(scene)
        direction = unit_vector(self.direction, f"{self.name}.direction")
        return [float(self.radius), float(direction @ (place_b - place_a))]

"""Fixed joint (weld): two bodies move as one; six rows in space, three in the plane.

    phi_1..3 = p_a - p_b                                                                     (1)
    phi_4    = x_a . z_b,    phi_5 = y_a . z_b,    phi_6 = x_a . y_b                         (2)

In the plane (1) has two rows and (2) is the row x_a . y_b, minus the sine of the angle between the bodies. Without any
place the bodies are welded as they stand, at the origin of b. The orientation is that of the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import coincide_rows, perpendicular_row, same_frame_rows
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import X, Y, sides
from centrode.parts.placement import GROUND, Scene


@step_kernel(signature=JOINT_SIGNATURE)
def fixed_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1), (2) in space."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        coincide_rows(j, 0, 3, a, b, markers, jacobian, terms)
        same_frame_rows(j, 3, a, b, markers, jacobian, terms)


@step_kernel(signature=JOINT_SIGNATURE)
def fixed_rows_plane(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1), (2) in the plane."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        coincide_rows(j, 0, 2, a, b, markers, jacobian, terms)
        perpendicular_row(j, 2, a, X, b, Y, markers, jacobian, terms)


@dataclass(frozen=True)
class Fixed(Joint):
    """Weld."""

    kind: ClassVar[str] = "fixed"
    rows: ClassVar[int] = 6
    joins_points: ClassVar[bool] = True
    plane_rows: ClassVar[int] = 3
    spatial_kernel: ClassVar[Any] = fixed_rows
    plane_kernel: ClassVar[Any] = fixed_rows_plane

    def points(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        place_a, place_b = super().points(scene)
        if self.at is not None or self.point_a is not None or self.point_b is not None:
            return place_a, place_b
        a_is_point, b_is_point = (is_point(scene, reference) for reference in (self.a, self.b))
        if not a_is_point:
            return place_b, place_b
        return place_a, place_b if b_is_point else place_a


def is_point(scene: Scene, reference: Any) -> bool:
    """Whether a joint's side names a point on a body, not a body."""
    name = getattr(reference, "name", reference)
    return name != GROUND and scene.find(name).family == "point"

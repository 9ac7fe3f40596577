"""Ball joint: two points coincide; three rows in space, two in the plane (where it is the hinge).

phi   = p_a - p_b                                     (1)
J     = [ I, 0 | -I, 0 ]                              (2)
gamma = 0   (the engine adds the convective accelerations of the markers)
"""

from __future__ import annotations

from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.jit import step_kernel
from centrode.parts.joints.appearance import joint_ball
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import coincide_rows
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import sides
from centrode.parts.visual import Visual, VisualScene


@step_kernel(signature=JOINT_SIGNATURE)
def ball_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1), (2) in space."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        coincide_rows(j, 0, 3, a, b, markers, jacobian, terms)


@step_kernel(signature=JOINT_SIGNATURE)
def ball_rows_plane(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1), (2) in the plane."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        coincide_rows(j, 0, 2, a, b, markers, jacobian, terms)


@dataclass(frozen=True)
class Ball(Joint):
    """Ball joint (spherical joint)."""

    kind: ClassVar[str] = "ball"
    rows: ClassVar[int] = 3
    joins_points: ClassVar[bool] = True
    plane_rows: ClassVar[int] = 2
    reads_frames: ClassVar[bool] = False
    spatial_kernel: ClassVar[Any] = ball_rows
    plane_kernel: ClassVar[Any] = ball_rows_plane

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_ball(self, scene, 1.6)

"""Universal joint (Cardan, Hooke): two yokes on a cross; four rows.

    phi_1..3 = p_a - p_b                                                                     (1)
    phi_4    = z_a . z_b                                                                     (2)

z_a is the axis of the cross that turns in body a, z_b the one that turns in body b; the cross keeps them perpendicular.
Row (2) as in :mod:`centrode.parts.joints.rows`. Given in the world (``axis`` on a, ``cross_axis`` on b) or on the
bodies (``axis_a``, ``axis_b``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.rotation import frame_from_axis
from centrode.parts.joints.appearance import joint_ball
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import coincide_rows, perpendicular_row
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import Z, sides
from centrode.parts.placement import Scene, direction_field, unit_vector
from centrode.parts.visual import Visual, VisualScene


@step_kernel(signature=JOINT_SIGNATURE)
def universal_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1), (2)."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        coincide_rows(j, 0, 3, a, b, markers, jacobian, terms)
        perpendicular_row(j, 3, a, Z, b, Z, markers, jacobian, terms)


@dataclass(frozen=True)
class Universal(Joint):
    """Two yokes on a cross."""

    kind: ClassVar[str] = "universal"
    rows: ClassVar[int] = 4
    has_axis: ClassVar[bool] = True
    spatial_kernel: ClassVar[Any] = universal_rows
    example: ClassVar[dict[str, Any] | None] = {"axis_a": (1.0, 0.0, 0.0), "axis_b": (0.0, 1.0, 0.0)}

    cross_axis: tuple[float, ...] | None = direction_field(
        "axis of the cross in body b, in the world at the start; 'axis' is the one in body a", None, kw_only=True
    )

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
        return frame_from_axis(first), frame_from_axis(second)

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return joint_ball(self, scene, 1.6)

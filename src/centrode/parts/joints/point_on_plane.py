"""Point on a plane: a point of b stays on a plane of a; one row.

    phi = z_a . d,    d = p_b - p_a                                                          (1)

The axis is the normal of the plane, which goes through the point on a. Row as in :mod:`centrode.parts.joints.rows`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import HELD, offset_row
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import Z, sides


@step_kernel(signature=JOINT_SIGNATURE)
def point_on_plane_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1)."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        offset_row(j, 0, a, Z, b, HELD, markers, jacobian, terms)


@dataclass(frozen=True)
class PointOnPlane(Joint):
    """A point of b on a plane of a."""

    kind: ClassVar[str] = "point-on-plane"
    rows: ClassVar[int] = 1
    has_axis: ClassVar[bool] = True
    spatial_kernel: ClassVar[Any] = point_on_plane_rows

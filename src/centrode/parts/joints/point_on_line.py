"""Point on a line: a point of b stays on a straight line of a; two rows in space, one in the plane.

    phi_1 = x_a . d,    phi_2 = y_a . d,    d = p_b - p_a                                    (1)

The axis is the line, through the point on a. In the plane x_a is the normal of the line. Rows as in
:mod:`centrode.parts.joints.rows`. Coordinate: the displacement z_a . d along the line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import along_axis, offset_row
from centrode.parts.kernel_types import JOINT_MARKER_A, JOINT_MARKER_B, JOINT_SIGNATURE


@step_kernel(signature=JOINT_SIGNATURE)
def point_on_line_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) in space."""
    for j in range(first, first + count):
        a = link[j, JOINT_MARKER_A]
        b = link[j, JOINT_MARKER_B]
        offset_row(j, 0, a, 0, b, 0.0, 0.0, 0.0, markers, jacobian, terms)
        offset_row(j, 1, a, 1, b, 0.0, 0.0, 0.0, markers, jacobian, terms)
        memory[j, 0] = along_axis(markers, a, b)


@step_kernel(signature=JOINT_SIGNATURE)
def point_on_line_rows_plane(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1) in the plane."""
    for j in range(first, first + count):
        a = link[j, JOINT_MARKER_A]
        b = link[j, JOINT_MARKER_B]
        offset_row(j, 0, a, 0, b, 0.0, 0.0, 0.0, markers, jacobian, terms)
        memory[j, 0] = along_axis(markers, a, b)


@dataclass(frozen=True)
class PointOnLine(Joint):
    """A point of b on a straight line of a."""

    kind: ClassVar[str] = "point-on-line"
    rows: ClassVar[int] = 2
    plane_rows: ClassVar[int] = 1
    has_axis: ClassVar[bool] = True
    axis_is_normal: ClassVar[bool] = False
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("displacement", "m"),)
    spatial_kernel: ClassVar[Any] = point_on_line_rows
    plane_kernel: ClassVar[Any] = point_on_line_rows_plane

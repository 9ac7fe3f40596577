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
from centrode.parts.joints.rows import FIRST, HELD, along_axis, line_rows, offset_row
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import X, sides


@step_kernel(signature=JOINT_SIGNATURE)
def point_on_line_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) in space."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        line_rows(j, 0, a, b, markers, jacobian, terms)
        memory[j, FIRST] = along_axis(markers, a, b)


@step_kernel(signature=JOINT_SIGNATURE)
def point_on_line_rows_plane(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Row (1) in the plane."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        offset_row(j, 0, a, X, b, HELD, markers, jacobian, terms)
        memory[j, FIRST] = along_axis(markers, a, b)


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

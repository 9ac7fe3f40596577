"""Planar joint: a plane of b slides on a plane of a; three rows.

    phi_1 = x_a . z_b,    phi_2 = y_a . z_b          the planes stay parallel                (1)
    phi_3 = z_a . d,      d = p_b - p_a              and keep no distance                    (2)

The axis is the normal of the planes. Rows as in :mod:`centrode.parts.joints.rows`. Coordinate: the angle of b against
a about the normal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.parts.joints.joint import Joint
from centrode.parts.joints.rows import FIRST, HELD, angle_between, offset_row, parallel_rows
from centrode.parts.kernel_types import JOINT_SIGNATURE
from centrode.parts.markers import Z, sides


@step_kernel(signature=JOINT_SIGNATURE)
def planar_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1), (2)."""
    for j in range(first, first + count):
        a, b = sides(link, j)
        parallel_rows(j, 0, a, b, markers, jacobian, terms)
        offset_row(j, 2, a, Z, b, HELD, markers, jacobian, terms)
        memory[j, FIRST] = angle_between(markers, a, b, memory[j, FIRST])


@dataclass(frozen=True)
class Planar(Joint):
    """Slides and turns on a plane."""

    kind: ClassVar[str] = "planar"
    rows: ClassVar[int] = 3
    has_axis: ClassVar[bool] = True
    coordinate_names: ClassVar[tuple[tuple[str, str], ...]] = (("angle", "rad"),)
    spatial_kernel: ClassVar[Any] = planar_rows

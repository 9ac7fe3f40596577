"""Revolute joint (hinge): a ball joint whose bodies also share an axis; five rows in space, two in the plane.

Marker frames (x, y, z), z along the axis. With A the frame on a and B the frame on b:

    phi_1..3 = p_a - p_b                                                     (1)
    phi_4    = x_a . z_b,    phi_5 = y_a . z_b                               (2)
    d phi_4 / d t = (w_a - w_b) . (x_a x z_b)                                (3)
    gamma_4  = (w_a - w_b) . [ (w_a x x_a) x z_b + x_a x (w_b x z_b) ]       (4)

(4) is the time derivative of (3) at constant angular velocities; y_a in place of x_a for the fifth row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.math.rotation import cross
from centrode.parts.joints.ball import ball_rows_plane
from centrode.parts.joints.joint import Joint
from centrode.parts.kernel_types import FRAME, JOINT_MARKER_A, JOINT_MARKER_B, JOINT_SIGNATURE


@step_kernel
def perpendicular_row(j, r, a, ua, b, ub, markers, jacobian, terms):
    """Row r: axis ``ua`` (0, 1, 2) of marker a stays perpendicular to axis ``ub`` of marker b, (2) to (4)."""
    ax = markers[a, FRAME + ua]
    ay = markers[a, FRAME + 3 + ua]
    az = markers[a, FRAME + 6 + ua]
    bx = markers[b, FRAME + ub]
    by = markers[b, FRAME + 3 + ub]
    bz = markers[b, FRAME + 6 + ub]
    px = markers[a, 6]
    py = markers[a, 7]
    pz = markers[a, 8]
    qx = markers[b, 6]
    qy = markers[b, 7]
    qz = markers[b, 8]
    nx, ny, nz = cross(ax, ay, az, bx, by, bz)
    jacobian[j, 0, r, 3] = nx
    jacobian[j, 0, r, 4] = ny
    jacobian[j, 0, r, 5] = nz
    jacobian[j, 1, r, 3] = -nx
    jacobian[j, 1, r, 4] = -ny
    jacobian[j, 1, r, 5] = -nz
    dax, day, daz = cross(px, py, pz, ax, ay, az)
    dbx, dby, dbz = cross(qx, qy, qz, bx, by, bz)
    ex, ey, ez = cross(dax, day, daz, bx, by, bz)
    fx, fy, fz = cross(ax, ay, az, dbx, dby, dbz)
    terms[j, r, 0] = ax * bx + ay * by + az * bz
    terms[j, r, 2] = (px - qx) * (ex + fx) + (py - qy) * (ey + fy) + (pz - qz) * (ez + fz)


@step_kernel(signature=JOINT_SIGNATURE)
def revolute_rows(time, first, count, par, link, data, inputs, memory, markers, jacobian, terms):
    """Rows (1) and (2) in space."""
    for j in range(first, first + count):
        a = link[j, JOINT_MARKER_A]
        b = link[j, JOINT_MARKER_B]
        for r in range(3):
            jacobian[j, 0, r, r] = 1.0
            jacobian[j, 1, r, r] = -1.0
            terms[j, r, 0] = markers[a, r] - markers[b, r]
        perpendicular_row(j, 3, a, 0, b, 2, markers, jacobian, terms)
        perpendicular_row(j, 4, a, 1, b, 2, markers, jacobian, terms)


@dataclass(frozen=True)
class Revolute(Joint):
    """Hinge about an axis."""

    kind: ClassVar[str] = "revolute"
    rows: ClassVar[int] = 5
    plane_rows: ClassVar[int] = 2
    has_axis: ClassVar[bool] = True
    spatial_kernel: ClassVar[Any] = revolute_rows
    plane_kernel: ClassVar[Any] = ball_rows_plane

"""Forces at any point of any body, by four markers: the centre O and the material points e1, e2, e3.

On a rigid and on a pseudo-rigid body alike every material point X moves as

    p(X) = p_O + X_i (p_i - p_O),     v(X) = v_O + X_i (v_i - v_O)                                       (1)

and a force f at X equals the forces

    (1 - X_1 - X_2 - X_3) f at O,     X_i f at e_i                                                       (2)

in every coordinate of the body. So a part whose contact points wander (a wheel on a road, an outline against
another) needs only these four markers and works on every kind of body. F, the matrix of the columns p_i - p_O, is the
rotation of a rigid body and the deformation gradient of a pseudo-rigid one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.jit import step_kernel
from centrode.parts.markers import release
from centrode.parts.placement import MarkerPlace

AFFINE_MARKERS = 4


def affine_markers(body: str, centre: Any = (0.0, 0.0, 0.0)) -> list[MarkerPlace]:
    """The four places on a body, about ``centre`` in its frame [m] (the origin of material coordinates)."""
    origin = np.asarray(centre, dtype=float)
    return [MarkerPlace(body, origin), *(MarkerPlace(body, origin + axis) for axis in np.eye(3))]


@step_kernel
def affine_place(markers, o, a, b, c, x, y, z, column):
    """Position (column 0) or velocity (column 3) of material point (x, y, z), equation (1)."""
    rest = 1.0 - x - y - z
    return (
        rest * markers[o, column] + x * markers[a, column] + y * markers[b, column] + z * markers[c, column],
        rest * markers[o, column + 1]
        + x * markers[a, column + 1]
        + y * markers[b, column + 1]
        + z * markers[c, column + 1],
        rest * markers[o, column + 2]
        + x * markers[a, column + 2]
        + y * markers[b, column + 2]
        + z * markers[c, column + 2],
    )


@step_kernel
def affine_clear(wrench, o, a, b, c):
    """Zero the wrenches before forces are added."""
    for m in (o, a, b, c):
        release(wrench, m)


@step_kernel
def affine_push(wrench, o, a, b, c, x, y, z, fx, fy, fz):
    """Add a force at material point (x, y, z), equation (2)."""
    rest = 1.0 - x - y - z
    wrench[o, 0] += rest * fx
    wrench[o, 1] += rest * fy
    wrench[o, 2] += rest * fz
    wrench[a, 0] += x * fx
    wrench[a, 1] += x * fy
    wrench[a, 2] += x * fz
    wrench[b, 0] += y * fx
    wrench[b, 1] += y * fy
    wrench[b, 2] += y * fz
    wrench[c, 0] += z * fx
    wrench[c, 1] += z * fy
    wrench[c, 2] += z * fz


@step_kernel
def affine_inverse(markers, o, a, b, c):
    """F^-1, row by row: a step s in space is the step F^-1 s in material coordinates."""
    ax = markers[a, 0] - markers[o, 0]
    ay = markers[a, 1] - markers[o, 1]
    az = markers[a, 2] - markers[o, 2]
    bx = markers[b, 0] - markers[o, 0]
    by = markers[b, 1] - markers[o, 1]
    bz = markers[b, 2] - markers[o, 2]
    cx = markers[c, 0] - markers[o, 0]
    cy = markers[c, 1] - markers[o, 1]
    cz = markers[c, 2] - markers[o, 2]
    ux, uy, uz = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
    vx, vy, vz = cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax
    wx, wy, wz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    k = 1.0 / (ax * ux + ay * uy + az * uz)
    return k * ux, k * uy, k * uz, k * vx, k * vy, k * vz, k * wx, k * wy, k * wz

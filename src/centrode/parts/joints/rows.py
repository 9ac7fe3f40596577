"""Rows that several joints share, written once: points that coincide, axes that stay perpendicular, offsets along an
axis, angles about an axis.

Symbols: p, v, w position, velocity and angular velocity of a marker; x, y, z the axes of its frame; a, b the two
sides; d = p_b - p_a. Every row is exact for *any* motion of the two bodies, not only for motions that obey the joint,
so stages of a method that leave the constraint manifold a little still see true derivatives.

Perpendicular axes u_a, u_b:
    phi = u_a . u_b                                                                          (1)
    phi' = (w_a - w_b) . (u_a x u_b)                                                         (2)
    gamma = (w_a - w_b) . [ (w_a x u_a) x u_b + u_a x (w_b x u_b) ]                          (3)

Offset of b from a along an axis u_a, given value s(t):
    phi = u_a . d - s                                                                        (4)
    phi' = u_a . (v_b - v_a) + w_a . (u_a x d) - s'                                          (5)
    gamma = 2 (w_a x u_a) . (v_b - v_a) + (w_a x (w_a x u_a)) . d - s''                      (6)

Angle t of an axis x_1 (turning with w_1) against x_0, y_0 (turning with w_0), right-handed about z_0:
    t = atan2(s, c),   c = x_0 . x_1,   s = y_0 . x_1                                        (7)
    t' = N . (w_1 - w_0),   N = x_1 x (c y_0 - s x_0) / (c^2 + s^2)                          (8)
    gamma = N' . (w_1 - w_0),   N' with x_0' = w_0 x x_0 and so on                           (9)

N is z_0 when the axes z_0 and z_1 are parallel. Angles are unwrapped: of all t + 2 pi n the one next to the last value
is taken, which the caller keeps in the joint's memory.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.math.rotation import cross
from centrode.parts.kernel_types import FRAME, OMEGA, POSITION, VELOCITY

TWO_PI = 2.0 * math.pi


@step_kernel
def axis_of(markers, m, k):
    """Axis k (0, 1, 2 for x, y, z) of a marker's frame, in the world."""
    return markers[m, FRAME + k], markers[m, FRAME + 3 + k], markers[m, FRAME + 6 + k]


@step_kernel
def omega_of(markers, m):
    """Angular velocity of a marker [rad/s]."""
    return markers[m, OMEGA], markers[m, OMEGA + 1], markers[m, OMEGA + 2]


@step_kernel
def between(markers, a, b):
    """d = p_b - p_a [m] and v_b - v_a [m/s], six numbers."""
    return (
        markers[b, POSITION] - markers[a, POSITION],
        markers[b, POSITION + 1] - markers[a, POSITION + 1],
        markers[b, POSITION + 2] - markers[a, POSITION + 2],
        markers[b, VELOCITY] - markers[a, VELOCITY],
        markers[b, VELOCITY + 1] - markers[a, VELOCITY + 1],
        markers[b, VELOCITY + 2] - markers[a, VELOCITY + 2],
    )


@step_kernel
def write_row(j, side, r, lx, ly, lz, tx, ty, tz, jacobian):
    """One side of a row: what multiplies the velocity (l) and the angular velocity (t) of the marker."""
    jacobian[j, side, r, 0] = lx
    jacobian[j, side, r, 1] = ly
    jacobian[j, side, r, 2] = lz
    jacobian[j, side, r, 3] = tx
    jacobian[j, side, r, 4] = ty
    jacobian[j, side, r, 5] = tz


@step_kernel
def coincide_rows(j, first, rows, a, b, markers, jacobian, terms):
    """Rows ``first`` to ``first + rows``: world coordinates of both points are equal, phi = p_a - p_b."""
    for k in range(rows):
        r = first + k
        jacobian[j, 0, r, k] = 1.0
        jacobian[j, 1, r, k] = -1.0
        terms[j, r, 0] = markers[a, k] - markers[b, k]


@step_kernel
def perpendicular_row(j, r, a, ua, b, ub, markers, jacobian, terms):
    """Row r: axis ``ua`` (0, 1, 2) of marker a stays perpendicular to axis ``ub`` of marker b, (1) to (3)."""
    ax, ay, az = axis_of(markers, a, ua)
    bx, by, bz = axis_of(markers, b, ub)
    px, py, pz = omega_of(markers, a)
    qx, qy, qz = omega_of(markers, b)
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


@step_kernel
def parallel_rows(j, r, a, b, markers, jacobian, terms):
    """Rows r and r + 1: the z axes of both markers stay parallel."""
    perpendicular_row(j, r, a, 0, b, 2, markers, jacobian, terms)
    perpendicular_row(j, r + 1, a, 1, b, 2, markers, jacobian, terms)


@step_kernel
def same_frame_rows(j, r, a, b, markers, jacobian, terms):
    """Rows r to r + 2: both frames stay the same."""
    parallel_rows(j, r, a, b, markers, jacobian, terms)
    perpendicular_row(j, r + 2, a, 0, b, 1, markers, jacobian, terms)


@step_kernel
def offset_row(j, r, a, u, b, value, rate, acceleration, markers, jacobian, terms):
    """Row r: b lies ``value`` ahead of a along axis ``u`` of marker a, (4) to (6). Returns u_a . d [m]."""
    ux, uy, uz = axis_of(markers, a, u)
    dx, dy, dz, vx, vy, vz = between(markers, a, b)
    wx, wy, wz = omega_of(markers, a)
    tx, ty, tz = cross(ux, uy, uz, dx, dy, dz)
    write_row(j, 0, r, -ux, -uy, -uz, tx, ty, tz, jacobian)
    write_row(j, 1, r, ux, uy, uz, 0.0, 0.0, 0.0, jacobian)
    ex, ey, ez = cross(wx, wy, wz, ux, uy, uz)
    fx, fy, fz = cross(wx, wy, wz, ex, ey, ez)
    along = ux * dx + uy * dy + uz * dz
    terms[j, r, 0] = along - value
    terms[j, r, 1] = -rate
    terms[j, r, 2] = 2.0 * (ex * vx + ey * vy + ez * vz) + fx * dx + fy * dy + fz * dz - acceleration
    return along


@step_kernel
def along_axis(markers, a, b):
    """Displacement of b from a along the z axis of a [m]."""
    return (
        markers[a, FRAME + 2] * (markers[b, 0] - markers[a, 0])
        + markers[a, FRAME + 5] * (markers[b, 1] - markers[a, 1])
        + markers[a, FRAME + 8] * (markers[b, 2] - markers[a, 2])
    )


@step_kernel
def unwrapped(angle, last):
    """Of all angle + 2 pi n the one next to ``last`` [rad]."""
    return angle + TWO_PI * math.floor((last - angle) / TWO_PI + 0.5)


@step_kernel
def angle_between(markers, a, b, last):
    """Unwrapped angle of b against a about the z axis of a, equation (7) [rad]."""
    x0, y0, z0 = axis_of(markers, a, 0)
    x1, y1, z1 = axis_of(markers, a, 1)
    bx, by, bz = axis_of(markers, b, 0)
    return unwrapped(math.atan2(x1 * bx + y1 * by + z1 * bz, x0 * bx + y0 * by + z0 * bz), last)


@step_kernel
def angle_motion(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz, qx, qy, qz):
    """Angle, N and gamma, equations (7) to (9).

    Args: x_0, y_0, x_1, w_0, w_1, three numbers each.

    Returns:
        (t [rad] within -pi..pi, N_x, N_y, N_z, gamma [rad/s2]).
    """
    c = ax * cx + ay * cy + az * cz
    s = bx * cx + by * cy + bz * cz
    inverse = 1.0 / (c * c + s * s)
    nx = c * bx - s * ax
    ny = c * by - s * ay
    nz = c * bz - s * az
    gx, gy, gz = cross(cx, cy, cz, nx, ny, nz)
    gx *= inverse
    gy *= inverse
    gz *= inverse
    dax, day, daz = cross(px, py, pz, ax, ay, az)
    dbx, dby, dbz = cross(px, py, pz, bx, by, bz)
    dcx, dcy, dcz = cross(qx, qy, qz, cx, cy, cz)
    dc = dax * cx + day * cy + daz * cz + ax * dcx + ay * dcy + az * dcz
    ds = dbx * cx + dby * cy + dbz * cz + bx * dcx + by * dcy + bz * dcz
    ex, ey, ez = cross(dcx, dcy, dcz, nx, ny, nz)
    fx, fy, fz = cross(
        cx,
        cy,
        cz,
        dc * bx + c * dbx - ds * ax - s * dax,
        dc * by + c * dby - ds * ay - s * day,
        dc * bz + c * dbz - ds * az - s * daz,
    )
    stretch = 2.0 * (c * dc + s * ds)
    gamma = inverse * (
        (qx - px) * (ex + fx - stretch * gx)
        + (qy - py) * (ey + fy - stretch * gy)
        + (qz - pz) * (ez + fz - stretch * gz)
    )
    return math.atan2(s, c), gx, gy, gz, gamma


@step_kernel
def angle_row(j, r, a, b, last, value, rate, acceleration, markers, jacobian, terms):
    """Row r: b is turned by ``value`` against a about the z axis of a. Returns the unwrapped angle [rad]."""
    x0, x1, x2 = axis_of(markers, a, 0)
    y0, y1, y2 = axis_of(markers, a, 1)
    b0, b1, b2 = axis_of(markers, b, 0)
    p0, p1, p2 = omega_of(markers, a)
    q0, q1, q2 = omega_of(markers, b)
    raw, nx, ny, nz, gamma = angle_motion(x0, x1, x2, y0, y1, y2, b0, b1, b2, p0, p1, p2, q0, q1, q2)
    write_row(j, 0, r, 0.0, 0.0, 0.0, -nx, -ny, -nz, jacobian)
    write_row(j, 1, r, 0.0, 0.0, 0.0, nx, ny, nz, jacobian)
    angle = unwrapped(raw, last)
    terms[j, r, 0] = angle - value
    terms[j, r, 1] = -rate
    terms[j, r, 2] = gamma - acceleration
    return angle

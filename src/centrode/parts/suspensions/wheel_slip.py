r"""Wheel on the road: heading, ground frame, velocities, slips and the force on the chassis.

Source: MEDUSA report (1999), eqs. (1.14) to (1.19). The wheels stand upright on the road plane and have no mass.

Frames: ``normal`` is the upward unit normal e_3 of the road. The wheel heading e_x is the first director (or the
body's x axis) laid into the road plane (1.14) and turned by the steering angle about the normal, left positive
(1.15). Here the lateral axis points to the LEFT, e_left = e_3 x e_x; the report's e_y is its negative.
"""

from __future__ import annotations

import math

from centrode.jit import kernel
from centrode.parts.tyres.slip import angle_of


@kernel
def wheel_heading(ax, ay, az, nx, ny, nz, steer):
    """Heading and left axis of a wheel in the road plane.

    Args:
        ax, ay, az: longitudinal axis of the vehicle, world frame, any length.
        nx, ny, nz: unit normal of the road, world frame.
        steer: steering angle [rad], left positive.

    Returns:
        (e_x, e_left) as six components, world frame. A vehicle axis along the normal has no heading: then any direction
        in the road plane is given, so that nothing is undefined.
    """
    along = ax * nx + ay * ny + az * nz
    hx, hy, hz = ax - along * nx, ay - along * ny, az - along * nz  # (1.14)
    length = math.sqrt(hx * hx + hy * hy + hz * hz)
    if length < 1.0e-12:
        if abs(nx) < 0.9:
            hx, hy, hz = 1.0 - nx * nx, -nx * ny, -nx * nz
        else:
            hx, hy, hz = -ny * nx, 1.0 - ny * ny, -ny * nz
        length = math.sqrt(hx * hx + hy * hy + hz * hz)
    hx, hy, hz = hx / length, hy / length, hz / length
    lx, ly, lz = ny * hz - nz * hy, nz * hx - nx * hz, nx * hy - ny * hx
    c, s = 1.0, 0.0
    if steer != 0.0:
        c, s = math.cos(steer), math.sin(steer)
    return (
        c * hx + s * lx,
        c * hy + s * ly,
        c * hz + s * lz,
        c * lx - s * hx,
        c * ly - s * hy,
        c * lz - s * hz,
    )  # (1.15): minus e_x cross e_3 is e_left


@kernel
def wheel_velocity(vx, vy, vz, ex, ey, ez, lx, ly, lz):
    """Forward and left speed of the wheel centre [m/s]: components of the velocity in the road plane, eq. (1.18)."""
    return vx * ex + vy * ey + vz * ez, vx * lx + vy * ly + vz * lz


@kernel
def wheel_slip(forward_speed, left_speed, rim_speed, floor):
    """Slip angle [rad] and slip [1] in the signs of the tyres (left positive, driving positive), any speed.

    The angle is folded into a quarter turn, speeds below ``floor`` [m/s] are treated as in
    :mod:`centrode.parts.tyres.slip`.
    """
    base = max(abs(forward_speed), floor)
    return math.atan2(left_speed, base), (rim_speed - forward_speed) / base


@kernel
def wheel_slip_original(forward_speed, right_speed, rim_speed, driven):
    """Slip angle and slip of the 1999 program in its own signs (right positive, braking positive), eq. (1.19).

    alpha = atan2(v.e_y, v.e_x) over the full turn; s = 1 - rim speed / (v.e_x) on driven wheels, else exactly 0. Where
    v.e_x vanishes against the rim speed a driven wheel gets s = -1, the value that the program's clamp gives there.
    """
    alpha = angle_of(right_speed, forward_speed)
    if not driven:
        return alpha, 0.0
    if abs(rim_speed) >= 1.0e6 * abs(forward_speed):
        return alpha, -1.0
    return alpha, 1.0 - rim_speed / forward_speed


@kernel
def wheel_force(fx, fy, fz, ex, ey, ez, lx, ly, lz, nx, ny, nz):
    """Force on the chassis, world frame [N], eq. (1.16), from its parts ahead, to the left and along the normal."""
    return (
        fx * ex + fy * lx + fz * nx,
        fx * ey + fy * ly + fz * ny,
        fx * ez + fy * lz + fz * nz,
    )

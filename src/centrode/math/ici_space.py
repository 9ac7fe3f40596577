"""Instantaneous-centre integration in space: pose updates from a body twist (leaf kernels).

Source: the ICI thesis (Eggleton 1999), section 1.1 and equations (1)-(3): a circle of radius |V|/|Omega_perp| whose
plane holds V and is normal to Omega_perp, with a roll phi = |Omega_par| dt about V. Written out as an algorithm here,
together with what the construction approximates: the helix of a constant twist (SE(3) exponential, se3.py).

Signatures, all of them
``(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, dt) -> (px, py, pz, qw, qx, qy, qz)``
with position in the world [m], unit quaternion (w, x, y, z) world from body, velocity v [m/s] and angular velocity w
[rad/s] in body axes:

    advance_space_first            p += R v dt, q <- q (1 + f/2), normalised; f = w dt           global order 1
    advance_space_second           p += R (v + w x v dt/2) dt, q <- q (1 - f.f/8 + f/2), normalised     order 2
    advance_space_exact            constant twist, SE(3) exponential: exact; |q| drifts by about 1e-16 a step
    advance_space_split            the thesis' construction: arc with Omega_perp, then roll Omega_par    order 1
    advance_space_split_symmetric  half roll, arc, half roll                                             order 2

and about the geometry of a twist (body axes):

    split_rates(v, w) -> (roll, yaw, nx, ny, nz)           Omega_par, |Omega_perp|, direction of Omega_perp
    split_rates_about_up(v, w, up) -> (yaw, roll, pitch)   with a vehicle's own up direction instead
    helix_of_twist(v, w) -> (curvature, torsion, radius, pitch, ax, ay, az)

The thesis notes that the pitch rate vanishes by construction: the radial direction is normal to V and to Omega_perp,
hence to Omega. The attitude error of the split per step is |Omega_perp x Omega_par| dt^2/2 (two rotations about
different axes do not commute). The split is undefined at V = 0 (no direction to roll about): there it turns in place,
which is what the exponential does.
"""

from __future__ import annotations

import math

from centrode.jit import kernel
from centrode.math.se3 import (
    advance_twist,
    exp_quaternion,
    multiply_quaternion,
    rotate_by_quaternion,
)


@kernel
def advance_space_first(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, dt):  # type: ignore[no-untyped-def]
    """Translate along the velocity, then turn to first order; quaternion normalised (signature at the top)."""
    dx, dy, dz = rotate_by_quaternion(qw, qx, qy, qz, vx * dt, vy * dt, vz * dt)
    half = 0.5 * dt
    qw, qx, qy, qz = multiply_quaternion(qw, qx, qy, qz, 1.0, half * wx, half * wy, half * wz)
    scale = 1.0 / math.sqrt(qw * qw + qx * qx + qy * qy + qz * qz)
    return px + dx, py + dy, pz + dz, scale * qw, scale * qx, scale * qy, scale * qz


@kernel
def advance_space_second(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, dt):  # type: ignore[no-untyped-def]
    """Second Taylor term in position and quaternion; quaternion normalised (signature at the top)."""
    half = 0.5 * dt
    ax = vx + half * (wy * vz - wz * vy)
    ay = vy + half * (wz * vx - wx * vz)
    az = vz + half * (wx * vy - wy * vx)
    dx, dy, dz = rotate_by_quaternion(qw, qx, qy, qz, ax * dt, ay * dt, az * dt)
    scalar = 1.0 - 0.5 * half * half * (wx * wx + wy * wy + wz * wz)
    qw, qx, qy, qz = multiply_quaternion(qw, qx, qy, qz, scalar, half * wx, half * wy, half * wz)
    scale = 1.0 / math.sqrt(qw * qw + qx * qx + qy * qy + qz * qz)
    return px + dx, py + dy, pz + dz, scale * qw, scale * qx, scale * qy, scale * qz


@kernel
def advance_space_exact(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, dt):  # type: ignore[no-untyped-def]
    """Helix of the constant twist: SE(3) exponential (signature at the top)."""
    return advance_twist(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, dt)


@kernel
def advance_space_split(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, dt):  # type: ignore[no-untyped-def]
    """Arc with Omega_perp, then roll about V with Omega_par: thesis section 1.1 (signature at the top)."""
    rx, ry, rz = _roll_part(vx, vy, vz, wx, wy, wz)
    px, py, pz, qw, qx, qy, qz = advance_twist(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx - rx, wy - ry, wz - rz, dt)
    # V turns with the body along the arc, so the roll axis is the same vector in body axes.
    ew, ex, ey, ez = exp_quaternion(rx * dt, ry * dt, rz * dt)
    qw, qx, qy, qz = multiply_quaternion(qw, qx, qy, qz, ew, ex, ey, ez)
    return px, py, pz, qw, qx, qy, qz


@kernel
def advance_space_split_symmetric(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, dt):  # type: ignore[no-untyped-def]
    """Half roll, arc, half roll (Strang splitting of the thesis' construction; signature at the top)."""
    rx, ry, rz = _roll_part(vx, vy, vz, wx, wy, wz)
    half = 0.5 * dt
    ew, ex, ey, ez = exp_quaternion(rx * half, ry * half, rz * half)
    qw, qx, qy, qz = multiply_quaternion(qw, qx, qy, qz, ew, ex, ey, ez)
    px, py, pz, qw, qx, qy, qz = advance_twist(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx - rx, wy - ry, wz - rz, dt)
    qw, qx, qy, qz = multiply_quaternion(qw, qx, qy, qz, ew, ex, ey, ez)
    return px, py, pz, qw, qx, qy, qz


@kernel
def split_rates(
    vx: float, vy: float, vz: float, wx: float, wy: float, wz: float
) -> tuple[float, float, float, float, float]:
    """Roll rate along V, yaw rate about the normal of the path's plane, and that normal.

    Args:
        vx, vy, vz: velocity, body [m/s].
        wx, wy, wz: angular velocity, body [rad/s].

    Returns:
        roll rate [rad/s] (signed, along V), yaw rate [rad/s] (>= 0), unit normal (zero when yaw is zero).
    """
    rx, ry, rz = _roll_part(vx, vy, vz, wx, wy, wz)
    nx, ny, nz = wx - rx, wy - ry, wz - rz
    speed = math.sqrt(vx * vx + vy * vy + vz * vz)
    roll = (wx * vx + wy * vy + wz * vz) / speed if speed > 0.0 else 0.0
    yaw = math.sqrt(nx * nx + ny * ny + nz * nz)
    if yaw == 0.0:
        return roll, 0.0, 0.0, 0.0, 0.0
    return roll, yaw, nx / yaw, ny / yaw, nz / yaw


@kernel
def split_rates_about_up(
    vx: float,
    vy: float,
    vz: float,
    wx: float,
    wy: float,
    wz: float,
    upx: float,
    upy: float,
    upz: float,
) -> tuple[float, float, float]:
    """Yaw, roll and pitch rate [rad/s] of w in the axes (V, left, up made normal to V): all signed, right-handed.

    Yaw about up, roll about V, pitch about left = up x V. NaN when V vanishes or points along up.
    """
    speed = math.sqrt(vx * vx + vy * vy + vz * vz)
    if speed == 0.0:
        return math.nan, math.nan, math.nan
    tx, ty, tz = vx / speed, vy / speed, vz / speed
    along = upx * tx + upy * ty + upz * tz
    nx, ny, nz = upx - along * tx, upy - along * ty, upz - along * tz
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if length == 0.0:
        return math.nan, math.nan, math.nan
    nx, ny, nz = nx / length, ny / length, nz / length
    lx, ly, lz = ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx
    return (
        wx * nx + wy * ny + wz * nz,
        wx * tx + wy * ty + wz * tz,
        wx * lx + wy * ly + wz * lz,
    )


@kernel
def helix_of_twist(
    vx: float, vy: float, vz: float, wx: float, wy: float, wz: float
) -> tuple[float, float, float, float, float, float, float]:
    """Geometry of the path that a constant body twist draws.

    Returns:
        curvature |Omega_perp|/|V| [1/m] and torsion Omega_par/|V| [1/m] (both infinite at V = 0 when they do not
        vanish), distance to the screw axis [m], advance along the axis per radian [m/rad], and the foot of the
        screw axis from the body's origin, body axes [m]. Without rotation the last five are NaN or infinite.
    """
    w2 = wx * wx + wy * wy + wz * wz
    roll, yaw, _, _, _ = split_rates(vx, vy, vz, wx, wy, wz)
    speed = math.sqrt(vx * vx + vy * vy + vz * vz)
    curvature = _quotient(yaw, speed)
    torsion = _quotient(roll, speed)
    if w2 == 0.0:
        return curvature, torsion, math.inf, math.inf, math.nan, math.nan, math.nan
    ax = (wy * vz - wz * vy) / w2
    ay = (wz * vx - wx * vz) / w2
    az = (wx * vy - wy * vx) / w2
    radius = math.sqrt(ax * ax + ay * ay + az * az)
    pitch = (wx * vx + wy * vy + wz * vz) / w2
    return curvature, torsion, radius, pitch, ax, ay, az


@kernel
def _quotient(rate: float, speed: float) -> float:
    if rate == 0.0:
        return 0.0
    return rate / speed if speed != 0.0 else math.copysign(math.inf, rate)


@kernel
def _roll_part(vx: float, vy: float, vz: float, wx: float, wy: float, wz: float) -> tuple[float, float, float]:
    """Component of w along v; zero at v = 0."""
    # Normalise first: v.v under- or overflows for speeds that are themselves harmless.
    largest = max(abs(vx), abs(vy), abs(vz))
    if largest == 0.0:
        return 0.0, 0.0, 0.0
    tx, ty, tz = vx / largest, vy / largest, vz / largest
    along = (wx * tx + wy * ty + wz * tz) / (tx * tx + ty * ty + tz * tz)
    return along * tx, along * ty, along * tz

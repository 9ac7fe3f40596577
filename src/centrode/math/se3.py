"""Exponential map of rotations and rigid motions, stable at every angle (leaf kernels).

Where from: Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation (1994), ch. 2; Jacobian of the
exponential as in Barfoot, State Estimation for Robotics (2017), 7.1.

For a rotation vector f (angle t = |f|, K = hat(f)):

    exp(f) = I + a K + b K^2,                 a = sin t / t,  b = (1 - cos t)/t^2                        (1)
    J(f)   = I + b K + c K^2,                 c = (t - sin t)/t^3    (left Jacobian)                     (2)
    constant body twist (v, w) for dt:  p += R J(w dt) v dt,   R <- R exp(w dt)                          (3)

Small angles: b from 2 sin^2(t/2)/t^2 keeps every digit at any t; c by series below t = 0.5, where t - sin t cancels.

Signatures (floats in, tuple of floats out; quaternions (w, x, y, z), unit, world from body):

    exp_quaternion(fx, fy, fz) -> (qw, qx, qy, qz)                 quaternion of the rotation vector f [rad]
    log_quaternion(qw, qx, qy, qz) -> (fx, fy, fz)                 its inverse, |f| <= pi
    exp_coefficients(t2) -> (a, b, c)                              of (1), (2), from t^2
    apply_left_jacobian(fx, fy, fz, vx, vy, vz) -> (x, y, z)       J(f) v
    apply_left_jacobian_inverse(fx, fy, fz, vx, vy, vz) -> (x, y, z)
    multiply_quaternion(a..., b...) -> (w, x, y, z)
    rotate_by_quaternion(qw, qx, qy, qz, vx, vy, vz) -> (x, y, z)  R v
    advance_twist(px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, dt) -> (px, py, pz, qw, qx, qy, qz)     (3)
    log_twist(px, py, pz, qw, qx, qy, qz) -> (vx, vy, vz, wx, wy, wz)   twist that reaches this pose in unit time
"""

from __future__ import annotations

import math

from centrode.jit import kernel

# Below this square of the angle c of (2) comes from its series; seven terms leave less than 1e-17 there.
_SERIES_BELOW = 0.25


@kernel
def exp_coefficients(t2: float) -> tuple[float, float, float]:
    """Coefficients a, b, c of (1) and (2) for the squared angle t2 [rad^2]."""
    t = math.sqrt(t2)
    half = 0.5 * t
    s = math.sin(half)
    sinc = s / half if half != 0.0 else 1.0
    b = 0.5 * sinc * sinc
    a = sinc * math.cos(half)
    if t2 < _SERIES_BELOW:
        c = 1.0 / 1307674368000.0 * -t2 + 1.0 / 6227020800.0
        c = 1.0 / 39916800.0 - t2 * c
        c = 1.0 / 362880.0 - t2 * c
        c = 1.0 / 5040.0 - t2 * c
        c = 1.0 / 120.0 - t2 * c
        c = 1.0 / 6.0 - t2 * c
    else:
        c = (1.0 - math.sin(t) / t) / t2
    return a, b, c


@kernel
def exp_quaternion(fx: float, fy: float, fz: float) -> tuple[float, float, float, float]:
    """Unit quaternion of a rotation vector [rad]."""
    half = 0.5 * math.sqrt(fx * fx + fy * fy + fz * fz)
    scale = 0.5 * (math.sin(half) / half) if half != 0.0 else 0.5
    return math.cos(half), scale * fx, scale * fy, scale * fz


@kernel
def log_quaternion(qw: float, qx: float, qy: float, qz: float) -> tuple[float, float, float]:
    """Rotation vector [rad] of a unit quaternion, shorter way round, |f| <= pi."""
    sign = -1.0 if qw < 0.0 else 1.0
    length = math.sqrt(qx * qx + qy * qy + qz * qz)
    angle = 2.0 * math.atan2(length, sign * qw)
    scale = sign * angle / length if length != 0.0 else 2.0 * sign
    return scale * qx, scale * qy, scale * qz


@kernel
def apply_left_jacobian(fx: float, fy: float, fz: float, vx: float, vy: float, vz: float) -> tuple[float, float, float]:
    """J(f) v of (2)."""
    _, b, c = exp_coefficients(fx * fx + fy * fy + fz * fz)
    kx = fy * vz - fz * vy
    ky = fz * vx - fx * vz
    kz = fx * vy - fy * vx
    return (
        vx + b * kx + c * (fy * kz - fz * ky),
        vy + b * ky + c * (fz * kx - fx * kz),
        vz + b * kz + c * (fx * ky - fy * kx),
    )


@kernel
def apply_left_jacobian_inverse(
    fx: float, fy: float, fz: float, vx: float, vy: float, vz: float
) -> tuple[float, float, float]:
    """J(f)^-1 v = v - f x v / 2 + d f x (f x v), d = (1 - (t/2) cot(t/2))/t^2; |f| < 2 pi."""
    t2 = fx * fx + fy * fy + fz * fz
    if t2 < 1e-3:
        # Bernoulli series of the cotangent; the first term left out is below 1e-19 here.
        d = 1.0 / 12.0 + t2 * (1.0 / 720.0 + t2 * (1.0 / 30240.0 + t2 * (1.0 / 1209600.0 + t2 / 47900160.0)))
    else:
        half = 0.5 * math.sqrt(t2)
        d = (1.0 - half * math.cos(half) / math.sin(half)) / t2
    kx = fy * vz - fz * vy
    ky = fz * vx - fx * vz
    kz = fx * vy - fy * vx
    return (
        vx - 0.5 * kx + d * (fy * kz - fz * ky),
        vy - 0.5 * ky + d * (fz * kx - fx * kz),
        vz - 0.5 * kz + d * (fx * ky - fy * kx),
    )


@kernel
def multiply_quaternion(
    aw: float, ax: float, ay: float, az: float, bw: float, bx: float, by: float, bz: float
) -> tuple[float, float, float, float]:
    """Hamilton product a b."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@kernel
def rotate_by_quaternion(
    qw: float, qx: float, qy: float, qz: float, vx: float, vy: float, vz: float
) -> tuple[float, float, float]:
    """A body vector in the world: R v, for a unit quaternion."""
    tx = 2.0 * (qy * vz - qz * vy)
    ty = 2.0 * (qz * vx - qx * vz)
    tz = 2.0 * (qx * vy - qy * vx)
    return (
        vx + qw * tx + qy * tz - qz * ty,
        vy + qw * ty + qz * tx - qx * tz,
        vz + qw * tz + qx * ty - qy * tx,
    )


@kernel
def advance_twist(
    px: float,
    py: float,
    pz: float,
    qw: float,
    qx: float,
    qy: float,
    qz: float,
    vx: float,
    vy: float,
    vz: float,
    wx: float,
    wy: float,
    wz: float,
    dt: float,
) -> tuple[float, float, float, float, float, float, float]:
    """Exact pose after a constant body twist (v [m/s], w [rad/s], body axes) has acted for dt [s]: (3)."""
    fx, fy, fz = wx * dt, wy * dt, wz * dt
    dx, dy, dz = apply_left_jacobian(fx, fy, fz, vx * dt, vy * dt, vz * dt)
    dx, dy, dz = rotate_by_quaternion(qw, qx, qy, qz, dx, dy, dz)
    rw, rx, ry, rz = exp_quaternion(fx, fy, fz)
    qw, qx, qy, qz = multiply_quaternion(qw, qx, qy, qz, rw, rx, ry, rz)
    return px + dx, py + dy, pz + dz, qw, qx, qy, qz


@kernel
def log_twist(
    px: float, py: float, pz: float, qw: float, qx: float, qy: float, qz: float
) -> tuple[float, float, float, float, float, float]:
    """Body twist that leads from the origin to this pose in unit time; rotation angle <= pi."""
    fx, fy, fz = log_quaternion(qw, qx, qy, qz)
    vx, vy, vz = apply_left_jacobian_inverse(fx, fy, fz, px, py, pz)
    return vx, vy, vz, fx, fy, fz

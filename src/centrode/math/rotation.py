"""Rotations for kernels: unit quaternions, rotation matrices, rotation vectors, all as plain scalars.

Quaternions are (w, x, y, z), world from body; matrices are row-major 9-tuples ``r00 r01 ... r22`` that map body
components to world components. Everything here is inlined by the compiler; nothing allocates.

References: Rodrigues' formula for the rotation about a general axis, which equation (1) of the discrete-time
article means (its printed signs are damaged); quaternion kinematics q' = q (0, omega) / 2 with omega in body axes.
"""

from __future__ import annotations

import math

import numpy as np

from centrode.jit import step_kernel

SMALL_ANGLE_SQUARED = 1e-4
"""Below this squared angle series replace sin and cos; the first term left out is under 1e-17 of the result."""


@step_kernel
def quaternion_product(aw, ax, ay, az, bw, bx, by, bz):
    """Hamilton product a b."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@step_kernel
def quaternion_matrix(w, x, y, z):
    """Rotation matrix of a unit quaternion, world from body."""
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )


@step_kernel
def quaternion_exponential(x, y, z):
    """Unit quaternion of the rotation vector (x, y, z) [rad], without sin or cos for small angles."""
    square = x * x + y * y + z * z
    if square < SMALL_ANGLE_SQUARED:
        quarter = 0.25 * square
        cosine = 1.0 - quarter * (0.5 - quarter * (1.0 / 24.0 - quarter / 720.0))
        sinc = 0.5 * (1.0 - quarter * (1.0 / 6.0 - quarter * (1.0 / 120.0 - quarter / 5040.0)))
    else:
        angle = math.sqrt(square)
        cosine = math.cos(0.5 * angle)
        sinc = math.sin(0.5 * angle) / angle
    return cosine, sinc * x, sinc * y, sinc * z


@step_kernel
def turn_quaternion(qw, qx, qy, qz, x, y, z):
    """Turn an orientation by the rotation vector (x, y, z) given in body axes: q exp(x/2), normalised."""
    ew, ex, ey, ez = quaternion_exponential(x, y, z)
    w, a, b, c = quaternion_product(qw, qx, qy, qz, ew, ex, ey, ez)
    square = w * w + a * a + b * b + c * c
    # One Newton step for 1/sqrt(square) is exact to round-off when the length is off by less than 1e-8.
    scale = 1.5 - 0.5 * square
    if abs(square - 1.0) > 1e-8:
        scale = 1.0 / math.sqrt(square)
    return w * scale, a * scale, b * scale, c * scale


@step_kernel
def cross(ax, ay, az, bx, by, bz):
    """Vector product a x b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def quaternion_from_matrix(matrix: object) -> np.ndarray:
    """Unit quaternion (w >= 0) of a rotation matrix, by the largest-component rule (no loss of digits).

    Args:
        matrix: shape (3, 3), world from body.
    """
    m = np.asarray(matrix, dtype=float)
    trace = np.array([m[0, 0] + m[1, 1] + m[2, 2], m[0, 0], m[1, 1], m[2, 2]])
    i = int(np.argmax(trace))
    q = np.empty(4)
    if i == 0:
        q[:] = 1.0 + trace[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    else:
        a, b, c = i - 1, i % 3, (i + 1) % 3
        q[0] = m[c, b] - m[b, c]
        q[1 + a] = 1.0 + m[a, a] - m[b, b] - m[c, c]
        q[1 + b] = m[b, a] + m[a, b]
        q[1 + c] = m[c, a] + m[a, c]
    q /= np.linalg.norm(q)
    return q if q[0] >= 0 else -q


def matrix_from_quaternion(quaternion: object) -> np.ndarray:
    """Rotation matrix, shape (3, 3), of a quaternion (normalised first)."""
    q = np.asarray(quaternion, dtype=float)
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(quaternion_matrix(w, x, y, z)).reshape(3, 3)


def matrix_from_axis_angle(axis: object, angle: float) -> np.ndarray:
    """Rodrigues' formula: rotation by ``angle`` [rad] about ``axis`` (any length but zero), shape (3, 3)."""
    e = np.asarray(axis, dtype=float)
    e = e / np.linalg.norm(e)
    k = np.array([[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]])
    return np.eye(3) + math.sin(angle) * k + 2.0 * math.sin(0.5 * angle) ** 2 * (k @ k)


def frame_from_axis(axis: object, hint: object = None) -> np.ndarray:
    """Right-handed frame whose third column is ``axis``; the first column lies towards ``hint`` when given.

    Without a hint the world axis least aligned with ``axis`` is used, so the result is deterministic.
    """
    z = np.asarray(axis, dtype=float)
    z = z / np.linalg.norm(z)
    towards = np.eye(3)[int(np.argmin(np.abs(z)))] if hint is None else np.asarray(hint, dtype=float)
    x = towards - (towards @ z) * z
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])

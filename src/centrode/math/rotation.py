"""Rotations for Python: quaternions, matrices, axes and angles as NumPy arrays; kernels have math/vector.py.

Quaternions are (w, x, y, z), world from body; matrices map body components to world components.
"""

from __future__ import annotations

import math

import numpy as np

from centrode.math.jet import skew
from centrode.math.vector import rotation_of


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
    w, x, y, z = (q / np.linalg.norm(q)).tolist()
    return np.array(rotation_of((w, x, y, z)))


def matrix_from_axis_angle(axis: object, angle: float) -> np.ndarray:
    """Rodrigues' formula: rotation by ``angle`` [rad] about ``axis`` (any length but zero), shape (3, 3)."""
    e = np.asarray(axis, dtype=float)
    e = e / np.linalg.norm(e)
    k = skew(e)
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

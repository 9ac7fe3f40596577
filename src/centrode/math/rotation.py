"""Rotations for Python: quaternions, matrices, axes and angles as NumPy arrays; kernels have math/vector.py.

Quaternions are (w, x, y, z), world from body; matrices map body components to world components.
"""

from __future__ import annotations

import math

import numpy as np

from centrode.math.jet import skew
from centrode.math.vector import rotation_of


def quaternion_from_matrix(matrix: object) -> np.ndarray:
    """Unit quaternion (w >= 0) of a rotation matrix, shape (3, 3), world from body."""
    return quaternions_from_matrices(np.asarray(matrix, dtype=float)[None])[0]


def quaternions_from_matrices(m: np.ndarray) -> np.ndarray:
    """Unit quaternions (w >= 0), shape (n, 4), of rotation matrices (n, 3, 3), world from body.

    By the largest component, so that no digits are lost: with it in front the four are the sums below.
    """
    diagonal = m[:, (0, 1, 2), (0, 1, 2)]
    largest = np.concatenate([diagonal.sum(axis=1, keepdims=True), diagonal], axis=1).argmax(axis=1)
    q = np.empty((len(m), 4))
    for i in set(largest.tolist()):
        rows = largest == i
        r = m[rows]
        if i == 0:
            front = 1.0 + diagonal[rows].sum(axis=1)
            q[rows] = np.stack(
                [front, r[:, 2, 1] - r[:, 1, 2], r[:, 0, 2] - r[:, 2, 0], r[:, 1, 0] - r[:, 0, 1]], axis=1
            )
            continue
        a, b, c = i - 1, i % 3, (i + 1) % 3
        part = np.empty((len(r), 4))
        part[:, 0] = r[:, c, b] - r[:, b, c]
        part[:, 1 + a] = 1.0 + r[:, a, a] - r[:, b, b] - r[:, c, c]
        part[:, 1 + b] = r[:, b, a] + r[:, a, b]
        part[:, 1 + c] = r[:, c, a] + r[:, a, c]
        q[rows] = part
    q /= np.linalg.norm(q, axis=1)[:, None]
    q[q[:, 0] < 0.0] *= -1.0
    return q


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

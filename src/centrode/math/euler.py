r"""Euler angles of any of the twelve sequences: rotation, rates, and how near the singularity is.

    R(a, b, c) = R_i(a) R_j(b) R_k(c),    world from body, turned about the body's own axes i, j, k in turn       (1)
    w = E (a', b', c')^T,   E = ( R_k^T R_j^T e_i,  R_k^T e_j,  e_k )      angular velocity in body axes          (2)
    det E = +- cos b  when i, j, k differ,   +- sin b  when i = k                                                 (3)

"zyx" is yaw, pitch, roll of vehicles and the matrix R(Phi) of the 6-DOF lecture; "zxz" are Euler's own. At det E = 0
(gimbal lock) the outer and inner axis coincide: the rates (a', c') that give an angular velocity do not exist, or are
not unique. Symbols: i, j, k axis numbers 0, 1, 2.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from centrode.errors import InputError, nearest_name
from centrode.jit import kernel, types
from centrode.math.vector import cross, dot

SEQUENCES = tuple("".join(s) for s in itertools.product("xyz", repeat=3) if s[0] != s[1] and s[1] != s[2])
LOCK = 1e-7
"""Below this |det E| the angles cannot be told apart in double precision to better than a part in ten thousand."""


def sequence_axes(sequence: str) -> tuple[int, int, int]:
    """Axis numbers of a sequence such as "zyx".

    Raises:
        InputError: not one of the twelve.
    """
    name = str(sequence).lower()
    if name not in SEQUENCES:
        expected, nearest = "one of " + ", ".join(SEQUENCES), nearest_name(name, SEQUENCES)
        raise InputError("unknown sequence of Euler angles", got=sequence, expected=expected, nearest=nearest)
    i, j, k = ("xyz".index(letter) for letter in name)
    return i, j, k


@kernel(signature=types.vector(types.int64, types.float64, types.vector))
def turn_about(axis, angle, v):
    """R_axis(angle) v."""
    s, c = math.sin(angle), math.cos(angle)
    x, y, z = v
    if axis == 0:
        return x, c * y - s * z, s * y + c * z
    if axis == 1:
        return c * x + s * z, y, c * z - s * x
    return c * x - s * y, s * x + c * y, z


@kernel(signature=types.vector(types.int64))
def unit_axis(axis):
    """Components of a coordinate axis."""
    return (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)


@kernel
def euler_rates(axes, b, c, w):
    """Rates (a', b', c') and det E for the body rate w, (2) by Cramer's rule; not finite at the singularity."""
    i, j, k = axes
    p = turn_about(k, -c, turn_about(j, -b, unit_axis(i)))
    q = turn_about(k, -c, unit_axis(j))
    r = unit_axis(k)
    # p . (q x r), then with w in the place of each column
    n = cross(q, r)
    determinant = dot(p, n)
    return (dot(w, n) / determinant, dot(w, cross(r, p)) / determinant, dot(w, cross(p, q)) / determinant), determinant


def matrix_from_euler(angles: Any, sequence: str = "zyx") -> np.ndarray:
    """Rotation matrix of three angles [rad] in the order of the sequence, (1), shape (3, 3)."""
    i, j, k = sequence_axes(sequence)
    a, b, c = (float(angle) for angle in angles)
    columns = []
    for axis in range(3):
        vector = unit_axis(axis)
        for about, angle in ((k, c), (j, b), (i, a)):
            vector = turn_about(about, angle, vector)
        columns.append(vector)
    return np.array(columns).T


def euler_from_matrix(rotation: Any, sequence: str = "zyx", allow_lock: bool = False) -> np.ndarray:
    """Three angles [rad] of a rotation matrix, middle one in -pi/2..pi/2 (three axes) or 0..pi (two axes).

    Args:
        rotation: world from body, shape (3, 3).
        sequence: such as "zyx".
        allow_lock: at the singularity give the angles with the last one zero instead of refusing.

    Raises:
        InputError: gimbal lock: the first and last angle turn about the same line.
    """
    i, j, k = sequence_axes(sequence)
    r = np.asarray(rotation, dtype=float)
    if i == k:
        other = 3 - i - j
        sign = 1.0 if (i, j, other) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1.0
        sine = math.hypot(r[i, j], r[i, other])
        b = math.atan2(sine, r[i, i])
        size = sine
        a = math.atan2(r[j, i], -sign * r[other, i])
        c = math.atan2(r[i, j], sign * r[i, other])
    else:
        sign = 1.0 if (i, j, k) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1.0
        size = math.hypot(r[i, i], r[i, j])
        b = math.atan2(sign * r[i, k], size)
        a = math.atan2(-sign * r[j, k], r[k, k])
        c = math.atan2(-sign * r[i, j], r[i, i])
    if size < LOCK:
        if not allow_lock:
            raise InputError(
                f"gimbal lock of the sequence {sequence}",
                got=f"middle angle {math.degrees(b):.6g} deg",
                expected="a middle angle off " + ("0 and 180 deg" if i == k else "+-90 deg"),
                hint="take another sequence, or quaternions",
            )
        c = 0.0
        rest = r @ matrix_from_euler((0.0, b, 0.0), sequence).T  # R_i(a)
        x, y = (i + 1) % 3, (i + 2) % 3
        a = math.atan2(rest[y, x], rest[x, x])
    return np.array([a, b, c])

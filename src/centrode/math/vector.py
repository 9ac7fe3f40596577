"""Vectors for kernels: 3-tuples, matrices as tuples of three rows, quaternions as 4-tuples; all inlined.

A kernel written with these reads like the equation above it, allocates nothing and costs what the same line costs when
it is spelled out x, y, z. Tables hold vectors as runs of numbers; :func:`vector` and :func:`put` go between the two:

    r = minus(vector(markers[m], POSITION), x)            r = p - x
    put(markers[m], VELOCITY, plus(v, cross(w, r)))       v + w x r

Matrices map by rows: ``turn(m, v)`` is M v and ``turn_back(m, v)`` is M^T v, so that with R world from body the first
takes body components to the world and the second takes world components to the body. Quaternions are (w, x, y, z),
world from body.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel, types

ZERO = (0.0, 0.0, 0.0)

SMALL_ANGLE_SQUARED = 1e-4
"""Below this squared angle series replace sin and cos; the first term left out is under 1e-17 of the result."""


# -- between tables and tuples -----------------------------------------------------------------------------------------


@step_kernel
def vector(row, at):
    """Three numbers of a row."""
    return row[at], row[at + 1], row[at + 2]


@step_kernel
def put(row, at, v):
    """Write a vector into a row."""
    row[at] = v[0]
    row[at + 1] = v[1]
    row[at + 2] = v[2]


@step_kernel
def add(row, at, v):
    """Add a vector to three numbers of a row."""
    row[at] += v[0]
    row[at + 1] += v[1]
    row[at + 2] += v[2]


@step_kernel(signature=types.matrix(types.floats1, types.int64))
def matrix(row, at):
    """Nine numbers of a row, row-major."""
    return vector(row, at), vector(row, at + 3), vector(row, at + 6)


@step_kernel
def put_matrix(row, at, m):
    """Write a matrix into a row, row-major."""
    put(row, at, m[0])
    put(row, at + 3, m[1])
    put(row, at + 6, m[2])


@step_kernel
def quaternion(row, at):
    """Four numbers of a row."""
    return row[at], row[at + 1], row[at + 2], row[at + 3]


@step_kernel
def put_quaternion(row, at, q):
    """Write a quaternion into a row."""
    row[at] = q[0]
    row[at + 1] = q[1]
    row[at + 2] = q[2]
    row[at + 3] = q[3]


# -- vectors -----------------------------------------------------------------------------------------------------------


@step_kernel
def plus(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@step_kernel
def minus(a, b):
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@step_kernel
def times(s, a):
    """s a."""
    return s * a[0], s * a[1], s * a[2]


@step_kernel
def opposite(a):
    """-a."""
    return -a[0], -a[1], -a[2]


@step_kernel
def plus_times(a, s, b):
    """a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@step_kernel
def middle(a, b):
    """(a + b) / 2."""
    return 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])


@step_kernel
def each(a, b):
    """Products component by component, a_i b_i."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@step_kernel(signature=types.float64(types.vector, types.vector))
def dot(a, b):
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@step_kernel
def cross(a, b):
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@step_kernel
def norm(a):
    """|a|."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@step_kernel
def combined(m, x):
    """x_1 m_1 + x_2 m_2 + x_3 m_3 of the rows of a matrix: M^T x, or a material point from three directors."""
    return (
        x[0] * m[0][0] + x[1] * m[1][0] + x[2] * m[2][0],
        x[0] * m[0][1] + x[1] * m[1][1] + x[2] * m[2][1],
        x[0] * m[0][2] + x[1] * m[1][2] + x[2] * m[2][2],
    )


# -- matrices ----------------------------------------------------------------------------------------------------------


@step_kernel
def turn(m, v):
    """M v."""
    return dot(m[0], v), dot(m[1], v), dot(m[2], v)


@step_kernel
def turn_back(m, v):
    """M^T v."""
    return (
        m[0][0] * v[0] + m[1][0] * v[1] + m[2][0] * v[2],
        m[0][1] * v[0] + m[1][1] * v[1] + m[2][1] * v[2],
        m[0][2] * v[0] + m[1][2] * v[1] + m[2][2] * v[2],
    )


@step_kernel
def transposed(m):
    """M^T."""
    return (m[0][0], m[1][0], m[2][0]), (m[0][1], m[1][1], m[2][1]), (m[0][2], m[1][2], m[2][2])


@step_kernel
def product(a, b):
    """A B."""
    return turn_back(b, a[0]), turn_back(b, a[1]), turn_back(b, a[2])


@step_kernel
def cofactors(m):
    """Matrix of cofactors, det(M) M^-T: rows are the vector products of the rows of M."""
    return cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])


@step_kernel
def inverse(m):
    """M^-1."""
    c = cofactors(m)
    s = 1.0 / dot(m[0], c[0])
    return transposed((times(s, c[0]), times(s, c[1]), times(s, c[2])))


# -- rotations ---------------------------------------------------------------------------------------------------------


@step_kernel(signature=types.quaternion(types.quaternion, types.quaternion))
def hamilton(a, b):
    """Quaternion product a b."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@step_kernel(signature=types.matrix(types.quaternion))
def rotation_of(q):
    """Rotation matrix of a unit quaternion, world from body."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@step_kernel
def rotated(q, v):
    """A body vector in the world: R v, for a unit quaternion."""
    axis = (q[1], q[2], q[3])
    t = times(2.0, cross(axis, v))
    return plus(plus_times(v, q[0], t), cross(axis, t))


@step_kernel(signature=types.quaternion(types.vector))
def exponential(v):
    """Unit quaternion of the rotation vector v [rad], without sin or cos for small angles."""
    square = dot(v, v)
    if square < SMALL_ANGLE_SQUARED:
        quarter = 0.25 * square
        cosine = 1.0 - quarter * (0.5 - quarter * (1.0 / 24.0 - quarter / 720.0))
        sinc = 0.5 * (1.0 - quarter * (1.0 / 6.0 - quarter * (1.0 / 120.0 - quarter / 5040.0)))
    else:
        angle = math.sqrt(square)
        cosine = math.cos(0.5 * angle)
        sinc = math.sin(0.5 * angle) / angle
    return cosine, sinc * v[0], sinc * v[1], sinc * v[2]


@step_kernel(signature=types.quaternion(types.quaternion, types.vector))
def turned(q, v):
    """An orientation turned by the rotation vector v given in body axes: q exp(v/2), normalised."""
    w, x, y, z = hamilton(q, exponential(v))
    square = w * w + x * x + y * y + z * z
    # One Newton step for 1/sqrt(square) is exact to round-off when the length is off by less than 1e-8.
    scale = 1.5 - 0.5 * square
    if abs(square - 1.0) > 1e-8:
        scale = 1.0 / math.sqrt(square)
    return w * scale, x * scale, y * scale, z * scale


@step_kernel(signature=types.quaternion(types.quaternion, types.vector))
def quaternion_rate(q, w):
    """q' = q (0, w) / 2, w in body axes."""
    return (
        0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]),
        0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
        0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]),
        0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]),
    )

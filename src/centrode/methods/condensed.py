"""Linear systems of an implicit method without the poses: half the size and less, by the kinematics of the bodies.

The rates of a pose are known functions of this pose and the velocity of the same body, dq' = O dq + G dv, so that with
z = (velocities, internal states) and blocks A of the Jacobian of their rates the system (s I - J) x = b is

    (s - O) dq - G dv = b_q,     (s - A_z) dz - A_q dq = b_z                                        (1)
    (s - A_z - A_q (s - O)^-1 G) dz = b_z + A_q (s - O)^-1 b_q                                      (2)
    dq = (s - O)^-1 (b_q + G dv)                                                                    (3)

O is zero but for quaternions, q' = q (0, w) / 2, where O x = x (0, w) / 2 is skew and O O = -|w|^2 / 4, so that

    (s - O)^-1 = (s + O) / (s^2 + |w|^2 / 4),     G d = q (0, d) / 2                                (4)

s may be complex. Only (2) is factored.
"""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.math.dense import lu_factor, lu_solve
from centrode.math.vector import dot, put_quaternion, quaternion, quaternion_rate, vector
from centrode.parts.tables import Coordinates, borrow

TURNING = Coordinates.TURNING
AXES = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@step_kernel
def dot4(a, b):
    """a . b of quaternions."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@step_kernel
def through(x, w, shift, divisor):
    """(4): (s - O)^-1 x; with -w its transpose."""
    turned = quaternion_rate(x, w)
    return (
        (shift * x[0] + turned[0]) / divisor,
        (shift * x[1] + turned[1]) / divisor,
        (shift * x[2] + turned[2]) / divisor,
        (shift * x[3] + turned[3]) / divisor,
    )


@step_kernel
def condense(shift, start, jacobian, matrix, pivots, tables):
    """The matrix of (2) at the values ``start``, factored; False when a pivot is zero."""
    t = borrow(tables)
    poses, count = t.pose.size, matrix.shape[0]
    for i in range(count):
        for k in range(count):
            matrix[i, k] = -jacobian[poses + i, poses + k] + 0.0 * shift
        matrix[i, i] += shift
    for slot in range(t.pose.shape[0]):
        pose, speed = slot * t.pose.shape[1], slot * t.velocity.shape[1]
        body = t.bodies[slot + 1]
        whole = 3 if body.coordinates == TURNING else body.velocities
        for i in range(count):
            for k in range(whole):
                matrix[i, speed + k] -= jacobian[poses + i, pose + k] / shift
        if body.coordinates == TURNING:
            q, w = quaternion(start, pose + 3), vector(start, poses + speed + 3)
            back = (-w[0], -w[1], -w[2])
            divisor = shift * shift + 0.25 * dot(w, w)
            g0, g1, g2 = quaternion_rate(q, AXES[0]), quaternion_rate(q, AXES[1]), quaternion_rate(q, AXES[2])
            for i in range(count):
                p = through(quaternion(jacobian[poses + i], pose + 3), back, shift, divisor)
                matrix[i, speed + 3] -= dot4(p, g0)
                matrix[i, speed + 4] -= dot4(p, g1)
                matrix[i, speed + 5] -= dot4(p, g2)
    return lu_factor(matrix, pivots, count, count)


@step_kernel
def pose_parts(shift, start, right, tables):
    """(s - O)^-1 of the poses in ``right``, in place."""
    t = borrow(tables)
    poses = t.pose.size
    for slot in range(t.pose.shape[0]):
        pose, speed = slot * t.pose.shape[1], slot * t.velocity.shape[1]
        turning = t.bodies[slot + 1].coordinates == TURNING
        for k in range(t.pose.shape[1]):
            if not (turning and 3 <= k < 7):
                right[pose + k] = right[pose + k] / shift
        if turning:
            w = vector(start, poses + speed + 3)
            divisor = shift * shift + 0.25 * dot(w, w)
            put_quaternion(right, pose + 3, through(quaternion(right, pose + 3), w, shift, divisor))


@step_kernel
def solve_condensed(matrix, pivots, shift, start, jacobian, right, tables):
    """Solve with the factors of :func:`condense`, in place: (2), (3)."""
    t = borrow(tables)
    poses, count = t.pose.size, matrix.shape[0]
    pose_parts(shift, start, right, tables)
    for i in range(poses, poses + count):
        total = right[i]
        for k in range(poses):
            total += jacobian[i, k] * right[k]
        right[i] = total
    lu_solve(matrix, pivots, count, count, right[poses:])
    # What velocities add to the poses: (s - O)^-1 G dv.
    for slot in range(t.pose.shape[0]):
        pose, speed = slot * t.pose.shape[1], poses + slot * t.velocity.shape[1]
        body = t.bodies[slot + 1]
        for k in range(3 if body.coordinates == TURNING else body.velocities):
            right[pose + k] += right[speed + k] / shift
        if body.coordinates == TURNING:
            q, w = quaternion(start, pose + 3), vector(start, speed + 3)
            added = quaternion_rate(q, vector(right, speed + 3))
            p = through(added, w, shift, shift * shift + 0.25 * dot(w, w))
            for k in range(4):
                right[pose + 3 + k] += p[k]

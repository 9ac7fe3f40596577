"""What a kernel reads from its markers and writes at them, as vectors (:mod:`centrode.math.vector`).

Reading, for marker m of the table of :mod:`centrode.parts.kernel_types`, everything in the world:

    p, v, w     position, velocity, angular velocity
    x, y, z     axes of its frame, k = X, Y, Z; A the matrix with these columns
    d, u        from a to b: p_b - p_a and v_b - v_a

Writing: ``push`` assigns the force at a marker and ``twist`` the torque; a force that sums up first calls ``release``.
"""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.math.vector import add, cross, dot, minus, norm, opposite, times
from centrode.parts.kernel_types import FRAME, JOINT_MARKER_A, JOINT_MARKER_B, LINK_MARKERS, OMEGA, POSITION, VELOCITY

X, Y, Z = 0, 1, 2
FORCE, TORQUE = 0, 3
"""Columns of a wrench."""


# -- reading -----------------------------------------------------------------------------------------------------------


@step_kernel
def sides(link, j):
    """Markers a and b of joint j."""
    return link[j, JOINT_MARKER_A], link[j, JOINT_MARKER_B]


@step_kernel
def ends(link, i):
    """Markers a and b of a force between two points."""
    return link[i, LINK_MARKERS], link[i, LINK_MARKERS + 1]


@step_kernel
def position(markers, m):
    """p [m]."""
    return markers[m, POSITION], markers[m, POSITION + 1], markers[m, POSITION + 2]


@step_kernel
def velocity(markers, m):
    """v [m/s]."""
    return markers[m, VELOCITY], markers[m, VELOCITY + 1], markers[m, VELOCITY + 2]


@step_kernel
def omega(markers, m):
    """w [rad/s]."""
    return markers[m, OMEGA], markers[m, OMEGA + 1], markers[m, OMEGA + 2]


@step_kernel
def axis(markers, m, k):
    """Axis k of the marker's frame."""
    return markers[m, FRAME + k], markers[m, FRAME + 3 + k], markers[m, FRAME + 6 + k]


@step_kernel
def between(markers, a, b):
    """d = p_b - p_a [m] and u = v_b - v_a [m/s]."""
    return minus(position(markers, b), position(markers, a)), minus(velocity(markers, b), velocity(markers, a))


@step_kernel
def stretching(markers, a, b):
    """Distance of two markers [m], its rate [m/s] and the unit vector from a to b (zero where they coincide)."""
    d, u = between(markers, a, b)
    distance = norm(d)
    e = times(1.0 / distance if distance > 0.0 else 0.0, d)
    return distance, dot(e, u), e


@step_kernel
def seen_from(markers, m, v):
    """A^T v: a world vector in the axes of marker m."""
    return dot(axis(markers, m, X), v), dot(axis(markers, m, Y), v), dot(axis(markers, m, Z), v)


@step_kernel
def in_world(markers, m, v):
    """A v: a vector of the axes of marker m, in the world."""
    return (
        markers[m, FRAME] * v[0] + markers[m, FRAME + 1] * v[1] + markers[m, FRAME + 2] * v[2],
        markers[m, FRAME + 3] * v[0] + markers[m, FRAME + 4] * v[1] + markers[m, FRAME + 5] * v[2],
        markers[m, FRAME + 6] * v[0] + markers[m, FRAME + 7] * v[1] + markers[m, FRAME + 8] * v[2],
    )


@step_kernel
def relative_turn(markers, a, b):
    """Quaternion (w, v) of A^T B times a positive number, w >= 0; by its largest component, safe up to half a turn."""
    r00, r10, r20 = seen_from(markers, a, axis(markers, b, X))
    r01, r11, r21 = seen_from(markers, a, axis(markers, b, Y))
    r02, r12, r22 = seen_from(markers, a, axis(markers, b, Z))
    trace = r00 + r11 + r22
    if trace >= max(r00, r11, r22):
        w, v = 1.0 + trace, (r21 - r12, r02 - r20, r10 - r01)
    elif r00 >= r11 and r00 >= r22:
        w, v = r21 - r12, (1.0 + r00 - r11 - r22, r10 + r01, r20 + r02)
    elif r11 >= r22:
        w, v = r02 - r20, (r10 + r01, 1.0 + r11 - r22 - r00, r21 + r12)
    else:
        w, v = r10 - r01, (r20 + r02, r21 + r12, 1.0 + r22 - r00 - r11)
    if w < 0.0:
        w, v = -w, opposite(v)
    return w, v


# -- writing -----------------------------------------------------------------------------------------------------------


@step_kernel
def push(wrench, m, f):
    """Assign the force f [N] at marker m."""
    wrench[m, FORCE] = f[0]
    wrench[m, FORCE + 1] = f[1]
    wrench[m, FORCE + 2] = f[2]


@step_kernel
def twist(wrench, m, t):
    """Assign the torque t [N m] at marker m."""
    wrench[m, TORQUE] = t[0]
    wrench[m, TORQUE + 1] = t[1]
    wrench[m, TORQUE + 2] = t[2]


@step_kernel
def push_apart(wrench, a, b, f):
    """Assign f at b and -f at a."""
    push(wrench, a, opposite(f))
    push(wrench, b, f)


@step_kernel
def twist_apart(wrench, a, b, t):
    """Assign the torque t at b and -t at a."""
    twist(wrench, a, opposite(t))
    twist(wrench, b, t)


@step_kernel
def release(wrench, m):
    """No force and no torque at marker m, before some are added."""
    for k in range(6):
        wrench[m, k] = 0.0


@step_kernel
def add_push(wrench, m, arm, f):
    """Add the force f at ``arm`` from marker m: f and arm x f."""
    add(wrench[m], FORCE, f)
    add(wrench[m], TORQUE, cross(arm, f))

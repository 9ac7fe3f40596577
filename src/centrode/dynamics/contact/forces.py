"""From gap, normal and points to forces on both bodies, momentum kept to round-off.

With U = k/2 depth^2 and least translation the envelope theorem gives -dU/dz without derivatives of n or the points:
A feels -f n at its point x_A, B feels +f n at x_B, and x_A - x_B = depth n puts both on one line. The search fixes the
points only to its tolerance, so they are replaced by

    x_A = middle + depth/2 n,    x_B = middle - depth/2 n,    middle = (x_A + x_B)/2,                     (1)

which share the line exactly; linear and angular momentum of the pair are then kept to round-off. Friction acts on
both bodies at the middle. The depth grows at the rate n . (v_A - v_B) of the material points (1).

All bodies take a force and director forces X^i f, with X = F^-1 (x - r) the material coordinates of the point: the
four markers of a body (:mod:`centrode.parts.affine`) make a torque of them where it is rigid.
"""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.math.vector import add, cofactors, cross, dot, minus, times, turn, vector
from centrode.parts.outlines.outline import point_of


@step_kernel
def material_point(frame, x):
    """Material coordinates X = F^-1 (x - r) of a world point, by cofactors."""
    c = cofactors(frame.directors)
    return times(1.0 / dot(frame.directors[0], c[0]), turn(c, minus(x, frame.position)))


@step_kernel
def relative_velocity(frame_a, rates_a, frame_b, rates_b, x):
    """Velocity of B relative to A at the common world point x; rates are those of position and directors."""
    return minus(point_of(rates_b, material_point(frame_b, x)), point_of(rates_a, material_point(frame_a, x)))


@step_kernel
def add_force(push, x, f):
    """Add a force f at the material point X to force and director forces of a body."""
    add(push.position, 0, f)
    add(push.directors[0], 0, times(x[0], f))
    add(push.directors[1], 0, times(x[1], f))
    add(push.directors[2], 0, times(x[2], f))


@step_kernel
def mobility_at(body, frame, x, n):
    """Speed along n per unit impulse along n at the world point x [1/kg].

    Rigid: 1/m + (d x n) . J^-1 (d x n); pseudo-rigid: 1/m + sum X_i^2 / Y_i, the same in all directions. ``body`` is a
    row of the table of bodies; the ground has zeros.
    """
    if body.deforms:
        p = material_point(frame, x)
        y = vector(body.directors, 0)
        return body.mobility + p[0] * p[0] / y[0] + p[1] * p[1] / y[1] + p[2] * p[2] / y[2]
    c = turn(frame.directors, cross(minus(x, frame.position), n))
    inverse = (vector(body.inverse[0], 0), vector(body.inverse[1], 0), vector(body.inverse[2], 0))
    return body.mobility + dot(c, turn(inverse, c))

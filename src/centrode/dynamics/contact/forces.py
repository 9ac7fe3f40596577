"""Forces on bodies at points of them.

All bodies take a force and director forces X^i f, with X = F^-1 (x - r) the material coordinates of the point: the
four markers of a body (:mod:`centrode.parts.affine`) make a torque of them where it is rigid.
"""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.math.vector import add, cofactors, dot, minus, product, times, transposed, turn, vector
from centrode.parts.outlines.outline import point_of


@step_kernel
def material_axes(frame):
    """Rows of F^-1, by cofactors."""
    c = cofactors(frame.directors)
    scale = 1.0 / dot(frame.directors[0], c[0])
    return times(scale, c[0]), times(scale, c[1]), times(scale, c[2])


@step_kernel
def material_point(frame, x):
    """Material coordinates X = F^-1 (x - r) of a world point."""
    return turn(material_axes(frame), minus(x, frame.position))


@step_kernel
def relative_velocity(frame_a, rates_a, frame_b, rates_b, x):
    """Velocity of B relative to A at the common world point x; rates are those of position and directors."""
    return minus(point_of(rates_b, material_point(frame_b, x)), point_of(rates_a, material_point(frame_a, x)))


@step_kernel
def relative_motion(frame_a, rates_a, frame_b, rates_b, x):
    """:func:`relative_velocity` at a world point x, and the rows of its gradient there: for many points at once."""
    gradient_a = product(transposed(rates_a.directors), material_axes(frame_a))
    gradient_b = product(transposed(rates_b.directors), material_axes(frame_b))
    u = relative_velocity(frame_a, rates_a, frame_b, rates_b, x)
    return u, (
        minus(gradient_b[0], gradient_a[0]),
        minus(gradient_b[1], gradient_a[1]),
        minus(gradient_b[2], gradient_a[2]),
    )


@step_kernel
def add_force(push, x, f):
    """Add a force f at the material point X to force and director forces of a body."""
    add(push.position, 0, f)
    add(push.directors[0], 0, times(x[0], f))
    add(push.directors[1], 0, times(x[1], f))
    add(push.directors[2], 0, times(x[2], f))


@step_kernel
def mobility_of(body, frame, force, torque, directors):
    """Speed per unit impulse of a push with this force, torque about the centre (world) and director forces [1/kg].

    Rigid: f^2/m + t . J^-1 t; pseudo-rigid: f^2/m + sum d_i^2 / Y_i. ``body`` is a row of the table of bodies; the
    ground has zeros.
    """
    if body.deforms:
        y = vector(body.directors, 0)
        total = body.mobility * dot(force, force)
        for k in range(3):
            total += dot(directors[k], directors[k]) / y[k]
        return total
    c = turn(frame.directors, torque)
    inverse = (vector(body.inverse[0], 0), vector(body.inverse[1], 0), vector(body.inverse[2], 0))
    return body.mobility * dot(force, force) + dot(c, turn(inverse, c))

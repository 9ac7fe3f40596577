"""Forces at any point of any body, by four markers: the centre O and the material points e1, e2, e3.

On a rigid and on a pseudo-rigid body alike every material point X moves as

    p(X) = p_O + X_i (p_i - p_O),     v(X) = v_O + X_i (v_i - v_O)                                       (1)

and a force f at X equals the forces

    (1 - X_1 - X_2 - X_3) f at O,     X_i f at e_i                                                       (2)

in every coordinate of the body. So a part whose contact points wander (a wheel on a road, an outline against
another) needs only these four markers and works on every kind of body. F, the matrix of the columns p_i - p_O, is the
rotation of a rigid body and the deformation gradient of a pseudo-rigid one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from centrode.jit import step_kernel
from centrode.math.vector import ZERO, combined, minus, plus, put, vector
from centrode.parts.kernel_types import POSITION, VELOCITY
from centrode.parts.placement import MarkerPlace


class AffineMotion(NamedTuple):
    """Motion of a body, world frame: centre O, directors p_i - p_O as rows (F^T), and their rates."""

    centre: tuple
    directors: tuple
    velocity: tuple
    director_rates: tuple


def affine_markers(body: str, centre: Any = (0.0, 0.0, 0.0)) -> list[MarkerPlace]:
    """The four places on a body, about ``centre`` in its frame [m] (the origin of material coordinates)."""
    origin = np.asarray(centre, dtype=float)
    return [MarkerPlace(body, origin), *(MarkerPlace(body, origin + axis) for axis in np.eye(3))]


@step_kernel
def affine_motion(markers, own):
    """Motion of the body that carries the four markers numbered ``own``."""
    o, a, b, c = markers[own[0]], markers[own[1]], markers[own[2]], markers[own[3]]
    centre, velocity = vector(o, POSITION), vector(o, VELOCITY)
    directors = (
        minus(vector(a, POSITION), centre),
        minus(vector(b, POSITION), centre),
        minus(vector(c, POSITION), centre),
    )
    rates = (
        minus(vector(a, VELOCITY), velocity),
        minus(vector(b, VELOCITY), velocity),
        minus(vector(c, VELOCITY), velocity),
    )
    return AffineMotion(centre, directors, velocity, rates)


@step_kernel
def affine_place(motion, x):
    """Position of material point x, equation (1)."""
    return plus(motion.centre, combined(motion.directors, x))


@step_kernel
def affine_velocity(motion, x):
    """Velocity of material point x, equation (1)."""
    return plus(motion.velocity, combined(motion.director_rates, x))


@step_kernel
def affine_force(wrench, own, force, moments):
    """Assign the forces on a body to its four markers, equation (2): their sum f and the sums of X_k f (rows)."""
    assign_force(wrench[own[0]], minus(minus(minus(force, moments[0]), moments[1]), moments[2]))
    assign_force(wrench[own[1]], moments[0])
    assign_force(wrench[own[2]], moments[1])
    assign_force(wrench[own[3]], moments[2])


@step_kernel
def assign_force(row, force):
    """A force without torque at a marker."""
    put(row, 0, force)
    put(row, 3, ZERO)

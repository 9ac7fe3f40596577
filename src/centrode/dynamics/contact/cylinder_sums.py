r"""What the sums of a cylinder in a polytope gather: Q, P, and the rows of their slopes (:mod:`cylinder_in_faces`).

With dS = b n . (u_C - u_P) at a point x, S one of P and Q, the cylinder C takes four rows at r and r + d_j, from the
sums of b n and of X_j b n. A polytope P that is rigid takes the opposite, one that deforms its own, from its own
coordinates of x. A turn dS = b n . (G_C - G_P) v, with G the gradient of a motion, is two opposite forces that are v
apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from centrode.dynamics.contact.depth import NOTHING, Sums, add_frame_rows, add_opposite, add_weighted, added
from centrode.dynamics.contact.overlap import face_of
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cofactors, combined, dot, minus, norm, plus, plus_times, put, times, turn
from centrode.parts.outlines.outline import Corners, Frame, Vector

FourVectors = tuple[Vector, Vector, Vector, Vector]
NONE = (ZERO, ZERO, ZERO, ZERO)


class Meeting(NamedTuple):
    """A cylinder and a polytope.

    Attributes:
        frame, radius, half: of the cylinder: own frame, radius, half length [m].
        polytope, other: the polytope and its frame; inverse: rows of the inverse of its directors.
        about: places of the sums are taken from there.
        faces: FACE_NOW rows with its normals and offsets from the middle of the cylinder; number: how many.
    """

    frame: Frame
    radius: float
    half: float
    polytope: np.record
    other: Frame
    inverse: tuple[Vector, Vector, Vector]
    about: Vector
    faces: np.ndarray
    number: int


class Gathered(NamedTuple):
    """Sums (1), and what rows ask for: of Q and of P, for the cylinder and for a polytope that deforms."""

    sums: Sums
    low: FourVectors
    up: FourVectors
    low_other: FourVectors
    up_other: FourVectors


NOTHING_GATHERED = Gathered(NOTHING, NONE, NONE, NONE, NONE)


# -- the pair ----------------------------------------------------------------------------------------------------------


@step_kernel
def lay_faces(frame, polytope, other, shapes, grow, faces):
    """Normals of the faces of a polytope, and their offsets from the middle of a cylinder; their number."""
    axes = cofactors(other.directors)
    scale = 1.0 / dot(other.directors[0], axes[0])
    count = 6 if polytope.corners == Corners.BOX else polytope.faces
    for k in range(count):
        m, c = face_of(polytope, shapes, k)
        normal = times(scale, combined(axes, m))
        length = norm(normal)
        n = times(1.0 / length, normal)
        put(faces[k].normal, 0, n)
        faces[k].offset = (c + grow) / length + dot(n, minus(other.position, frame.position))
    return count


@step_kernel
def inverse_of(frame):
    """Rows of the inverse of the directors of a frame."""
    axes = cofactors(frame.directors)
    scale = 1.0 / dot(frame.directors[0], axes[0])
    return times(scale, axes[0]), times(scale, axes[1]), times(scale, axes[2])


@step_kernel
def add_slope(meet, total, x, n, by):
    """The rows with dS = by n . (u_C - u_P) at a point x, from the middle of the cylinder; ``by`` of Q and of P."""
    own = turn(meet.frame.directors, x)
    low, up = add_weighted(total.low, by[0], own, n), add_weighted(total.up, by[1], own, n)
    low_other, up_other = total.low_other, total.up_other
    if meet.polytope.rigid == 0:
        y = turn(meet.inverse, minus(plus(x, meet.frame.position), meet.other.position))
        low_other, up_other = add_weighted(low_other, -by[0], y, n), add_weighted(up_other, -by[1], y, n)
    return Gathered(total.sums, low, up, low_other, up_other)


@step_kernel
def add_turn(meet, total, v, n, by):
    """The rows with dS = by n . (G_C - G_P) v, with G the gradients of both motions: turns of v against n."""
    own = turn(meet.frame.directors, v)
    low, up = add_couple(total.low, by[0], own, n), add_couple(total.up, by[1], own, n)
    low_other, up_other = total.low_other, total.up_other
    if meet.polytope.rigid == 0:
        y = turn(meet.inverse, v)
        low_other, up_other = add_couple(low_other, -by[0], y, n), add_couple(up_other, -by[1], y, n)
    return Gathered(total.sums, low, up, low_other, up_other)


@step_kernel
def add_couple(four, c, v, n):
    """Sums of X_j c n with those of two opposite forces c n that are v apart."""
    f = times(c, n)
    total, d_0, d_1, d_2 = four
    return total, plus_times(d_0, v[0], f), plus_times(d_1, v[1], f), plus_times(d_2, v[2], f)


@step_kernel
def add_place(meet, total, x, n, low, h):
    """The sums with one more point x, h below a surface with the normal n."""
    d = minus(plus_times(plus(x, meet.frame.position), 0.5 * h, n), meet.about)
    return Gathered(added(total.sums, low, h, d), total.low, total.up, total.low_other, total.up_other)


# -- rows --------------------------------------------------------------------------------------------------------------


@step_kernel
def slopes_of(up, low, depth, total):
    """Slopes of D from those of P and Q."""
    by = 1.0 / total
    return (
        times(by, plus_times(up[0], -depth, low[0])),
        times(by, plus_times(up[1], -depth, low[1])),
        times(by, plus_times(up[2], -depth, low[2])),
        times(by, plus_times(up[3], -depth, low[3])),
    )


@step_kernel
def push_gathered(meet, of_b, total, depth, seen, pushes):
    """Rows of both bodies; ``of_b``: the cylinder is B."""
    first = seen.pushes
    add_frame_rows(of_b, meet.frame, slopes_of(total.up, total.low, depth, total.sums.low), seen, pushes)
    if meet.polytope.rigid == 0:
        slopes = slopes_of(total.up_other, total.low_other, depth, total.sums.low)
        add_frame_rows(1 - of_b, meet.other, slopes, seen, pushes)
    else:
        add_opposite(first, seen, pushes)

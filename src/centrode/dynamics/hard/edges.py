"""A capsule or cylinder along an edge of a box or polyhedron: both ends of what they share hold it.

The closest points of a rod and an edge that are almost parallel are one pair, which jumps from end to end with the
least turn; a body held there alone is thrown aside. So the edge is taken as a rod without thickness (:mod:`rods`): with
the axis a + x p of the rod and the edge b + y e, each end of what they share has the gap

    |d| - r,     d = (a + x p) - (b + y e),     d . p = 0,                                                (1)

and so has the crossing of both lines where it lies between the ends. All of them bear by what they lack, so nothing
jumps when the angle grows: at the crossing alone a rod rests from PARALLEL on, where the ends are away by
(x sin)^2 / 2r.

The edge is a side of the face of which the normal is nearest to that of the contact, among the faces along the axis.
(1) holds while d points away from the face, out of its side: what is above the face is a point of the face, which
:func:`manifold.clip` finds. A rod that rolls over an edge askew has both.
"""

from __future__ import annotations

import math

from centrode.dynamics.hard.manifold import FLAT, PARALLEL, box_face, hull_face, see
from centrode.dynamics.hard.rods import across, crossing, half_length, shared
from centrode.dynamics.hard.tables import Shape, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import cross, dot, minus, norm, plus_times, times, vector
from centrode.parts.outlines.outline import frame_at

ABOVE = 1e-9
"""Part of the size of an outline by which what is above a face may be its edge's, too: round-off loses nothing."""


@step_kernel
def is_rod(shape):
    """Whether an outline has a round side."""
    return shape == Shape.CAPSULE or shape == Shape.CYLINDER


@step_kernel
def has_edges(shape):
    """Whether an outline has straight edges."""
    return shape == Shape.BOX or shape == Shape.HULL


@step_kernel
def along_edges(directors, p):
    """Whether an axis lies along one of the directions of a box."""
    c = max(abs(dot(directors[0], p)), abs(dot(directors[1], p)), abs(dot(directors[2], p)))
    return 1.0 - c * c < PARALLEL


@step_kernel
def side_beside(polygon, corners, normal, axis, half):
    """The side of a face beyond which a rod reaches farthest, of those along it: number, outward unit vector.

    ``axis`` is the middle and the direction of the rod, ``half`` its half length; -1 when it is above the face.
    """
    best, side, out = 0.0, -1, normal
    for k in range(corners):
        v = vector(polygon[k], 0)
        e = minus(vector(polygon[k + 1 if k + 1 < corners else 0], 0), v)
        c, square = dot(e, axis[1]), dot(e, e)
        if square - c * c >= PARALLEL * square:
            continue
        n = times(1.0 / math.sqrt(square), cross(e, normal))
        beyond = dot(n, minus(axis[0], v)) + half * abs(dot(n, axis[1]))
        if beyond > best:
            best, side, out = beyond, k, n
    return side, out


@step_kernel
def rod_on_edge(hard, i, j, towards, sign, found, reach):
    """Points of a rod i along an edge of a box or polyhedron j, noted behind ``found`` ones of a face; their number.

    ``towards`` is the normal of the contact from j to i, ``sign`` 1 when i is A.
    """
    t = borrow_hard(hard)
    frame, other, outline = frame_at(t.placed[i]), frame_at(t.placed[j]), t.outlines[i]
    x, p, r, half = frame.position, frame.directors[2], outline.semi_axes[0], half_length(outline)
    if abs(dot(towards, p)) > FLAT:
        return found
    face = t.polygons[0]
    if t.shapes[j] == Shape.BOX:
        if not along_edges(other.directors, p):
            return found
        corners, normal = box_face(t.outlines[j], other, towards, face)
    else:
        corners, normal = hull_face(t.outlines[j], t.points, t.faces, other, towards, p, face)
    side, out = side_beside(face, corners, normal, (x, p), half)
    if side < 0:
        return found
    v, w = vector(face[side], 0), vector(face[side + 1 if side + 1 < corners else 0], 0)
    length = norm(minus(w, v))
    e, b = times(1.0 / length, minus(w, v)), plus_times(v, 0.5, minus(w, v))
    low, high = shared(x, p, half, b, e, 0.5 * length)
    at, inside = crossing(x, p, half, b, e, 0.5 * length)
    count = found
    for k in range(3 if found == 0 and inside and low < at < high else 2):
        if not low < high:
            break
        on_axis = plus_times(x, low if k == 0 else high if k == 1 else at, p)
        d = minus(across(on_axis, p, b, e), on_axis)
        if dot(d, out) > ABOVE * outline.radius:
            continue
        distance = norm(d)
        if distance - r < reach and distance > 0.0:
            n = times(1.0 / distance, d)
            count = see(hard, count, plus_times(on_axis, 0.5 * (r + distance), n), times(sign, n), distance - r)
    return count

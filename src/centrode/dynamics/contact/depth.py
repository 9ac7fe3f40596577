"""Depth of an overlapping pair as one number D, and how it changes when either body moves: what all definitions share.

A contact law knows one depth. Whatever D is, forces

    f_i = -F(D, D') dD/du_i                                                                                (1)

at the material points u_i that D depends on do the work -F D': an elastic law F = U'(D) gives back what it took, a
lossy one loses what it says, and both bodies feel opposite forces and torques, because D stays when both move together.
So energy and momentum do not ask how D is defined. A definition has to make D grow with the overlap, continuous in
tilt, the same for either order of the bodies, and equal to the thickness of a flat overlap:

- :mod:`overlap`: two outlines that have corners only (boxes, polyhedra, half spaces): from the volume that they share;
- :mod:`swept`: a capsule with another one or with such an outline: the mean depth along its axis;
- :mod:`line_contact`: any other curved part along a segment (a cylinder) with such ones or polytopes: the same mean;
- :mod:`measure`: corners with a curved part in a half space; all else has one touching point, and D = -gap.

The slopes dD/du_i of a pair stand in PUSH rows; where and how wide the contact is, for friction, in MEASURED.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, dot, minus, norm, plus, plus_times, put, times, vector


@step_kernel
def add_push(seen, pushes, of_b, place, slope):
    """One more row."""
    row = pushes[seen.pushes]
    row.of_b = of_b
    put(row.place, 0, place)
    put(row.slope, 0, slope)
    seen.pushes += 1


@step_kernel
def place_centre(seen, pushes, inside, fallback):
    """Normal and centre of pressure from the slopes of B.

    Forces along -slope have the resultant f and the moment m about ``inside``; they press where the line of f, moved by
    f x m / f^2, comes nearest to that point.
    """
    force, moment = ZERO, ZERO
    for k in range(seen.pushes):
        row = pushes[k]
        if row.of_b != 0:
            f = times(-1.0, vector(row.slope, 0))
            force = plus(force, f)
            moment = plus(moment, cross(minus(vector(row.place, 0), inside), f))
    size = norm(force)
    if size < 1e-12:
        put(seen.normal, 0, fallback)
        put(seen.centre, 0, inside)
        return
    put(seen.normal, 0, times(1.0 / size, force))
    put(seen.centre, 0, plus_times(inside, 1.0 / (size * size), cross(force, moment)))


@step_kernel
def spread_patch(seen, x, y, moments):
    """Radii of the patch from second moments uu, uv, vv per area in the axes x, y, laid square to the normal.

    Four points at +-sqrt(2 e) along the principal axes, e their moments, have the same second moments.
    """
    uu, uv, vv = moments
    angle = 0.5 * math.atan2(2.0 * uv, uu - vv)
    c, s = math.cos(angle), math.sin(angle)
    half, off = 0.5 * (uu + vv), math.sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv)
    n = vector(seen.normal, 0)
    first = times(math.sqrt(2.0 * max(half + off, 0.0)), plus_times(times(c, x), s, y))
    second = times(math.sqrt(2.0 * max(half - off, 0.0)), plus_times(times(c, y), -s, x))
    put(seen.radii[0], 0, plus_times(first, -dot(first, n), n))
    put(seen.radii[1], 0, plus_times(second, -dot(second, n), n))
    seen.points = 4

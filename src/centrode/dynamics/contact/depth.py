"""Depth of an overlapping pair as one number D, and how it changes when either body moves: what all definitions share.

A contact law knows one depth. Whatever D is, forces

    f_i = -F(D, D') dD/du_i                                                                                (1)

at the material points u_i that D depends on do the work -F D': an elastic law F = U'(D) gives back what it took, a
lossy one loses what it says, and both bodies feel opposite forces and torques, because D stays when both move together.
So energy and momentum do not ask how D is defined. A definition has to make D grow with the overlap, continuous in
tilt, the same for either order of the bodies, and equal to the thickness of a flat overlap:

- :mod:`overlap`: two outlines that have corners only (boxes, polyhedra, half spaces): from the volume that they share;
- :mod:`swept`: a capsule with another one or with such an outline: the mean depth along its axis;
- :mod:`cylinder_in_faces`: a cylinder in a polytope: lines of its side, edges, ends; :mod:`cylinder_on_plane`: in a
  half space, the same in closed form;
- :mod:`line_contact`: two cylinders, or any other curved part along a segment with polytopes: the mean along the axes,
  with the flat ends of cylinders (:mod:`flat_ends`);
- :mod:`measure`: corners with a curved part in a half space; all else has one touching point, and D = -gap.

The slopes dD/du_i of a pair stand in PUSH rows; where and how wide the contact is, for friction, in MEASURED.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, dot, minus, norm, plus, plus_times, put, times, vector
from centrode.parts.outlines.outline import Vector


class Sums(NamedTuple):
    """Q and P of a mean D = P / Q, and where Q lies: its first moments and the rows of its second ones."""

    low: float
    up: float
    mean: Vector
    xs: Vector
    ys: Vector
    zs: Vector


NOTHING = Sums(0.0, 0.0, ZERO, ZERO, ZERO, ZERO)


@step_kernel
def added(sums, low, h, d):
    """The sums with one more place: its part of Q, its depth, where it is."""
    return Sums(
        sums.low + low,
        sums.up + low * h,
        plus_times(sums.mean, low, d),
        plus_times(sums.xs, low * d[0], d),
        plus_times(sums.ys, low * d[1], d),
        plus_times(sums.zs, low * d[2], d),
    )


@step_kernel
def axes_of(n):
    """Two unit vectors square to n and to each other, u x v = n."""
    u = (0.0, n[2], -n[1]) if abs(n[0]) < 0.6 else (-n[2], 0.0, n[0])
    u = times(1.0 / norm(u), u)
    return u, cross(n, u)


ROUND = 1e-3
"""Difference of the principal moments of a patch, over their sum, up to which it is as round as a square; from twice
that on its principal axes count alone."""


@step_kernel
def add_push(seen, pushes, of_b, place, slope):
    """One more row."""
    row = pushes[seen.pushes]
    row.of_b = of_b
    put(row.place, 0, place)
    put(row.slope, 0, slope)
    seen.pushes += 1


@step_kernel
def add_opposite(first, seen, pushes):
    """The rows from ``first`` on once more, the other way for the other body."""
    for k in range(first, seen.pushes):
        row = pushes[k]
        add_push(seen, pushes, 1 - row.of_b, vector(row.place, 0), times(-1.0, vector(row.slope, 0)))


@step_kernel
def add_weighted(sums, c, x, n):
    """Sums of c n and of X_j c n, with one more point."""
    f = times(c, n)
    total, d_0, d_1, d_2 = sums
    return plus(total, f), plus_times(d_0, x[0], f), plus_times(d_1, x[1], f), plus_times(d_2, x[2], f)


@step_kernel
def add_frame_rows(of_b, frame, sums, seen, pushes):
    """Rows at r and r + d_j for slopes with the sums f and X_j f."""
    rest = sums[0]
    for j in range(3):
        rest = minus(rest, sums[j + 1])
        add_push(seen, pushes, of_b, plus(frame.position, frame.directors[j]), sums[j + 1])
    add_push(seen, pushes, of_b, frame.position, rest)


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
    """:func:`spread_along` where nothing but the normal is known: round patches have the axes x, y."""
    spread_along(seen, x, y, moments, x)


@step_kernel
def level_axis(frame, n):
    """Axis of a body that lies most nearly square to n: the same points for any of two that do, as of a box."""
    best = frame.directors[0]
    for k in range(1, 3):
        if abs(dot(frame.directors[k], n)) < abs(dot(best, n)):
            best = frame.directors[k]
    return best


@step_kernel
def spread_along(seen, x, y, moments, axis):
    """Radii of the patch from second moments uu, uv, vv per area in the axes x, y, laid square to the normal.

    Four points at +-sqrt(2 e) along the principal axes, e their moments, have the same second moments. A square has no
    principal axes: round-off would choose others at every look, and friction jump with them. For moments M any radii
    V sqrt(2 e) Q with a rotation Q serve. Principal axes turned by t from ``axis`` have Q = 1, or, where moments
    differ by less than ROUND, Q a turn by -t: the symmetric root of 2 M along ``axis``, which is smooth there.
    """
    uu, uv, vv = moments
    angle = 0.5 * math.atan2(2.0 * uv, uu - vv)
    half, off = 0.5 * (uu + vv), math.sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv)
    t = angle - math.atan2(dot(axis, y), dot(axis, x))
    t -= math.pi * math.floor(t / math.pi + 0.5)
    t *= min(max(2.0 - off / (ROUND * half), 0.0), 1.0) if half > 0.0 else 0.0
    c, s = math.cos(angle), math.sin(angle)
    n = vector(seen.normal, 0)
    first = times(math.sqrt(2.0 * max(half + off, 0.0)), plus_times(times(c, x), s, y))
    second = times(math.sqrt(2.0 * max(half - off, 0.0)), plus_times(times(c, y), -s, x))
    c, s = math.cos(t), math.sin(t)
    first, second = plus_times(times(c, first), -s, second), plus_times(times(c, second), s, first)
    put(seen.radii[0], 0, plus_times(first, -dot(first, n), n))
    put(seen.radii[1], 0, plus_times(second, -dot(second, n), n))
    seen.points = 4


@step_kernel
def spread_sums(seen, sums, axis):
    """Radii of the patch from the second moments of Q about its middle; ``axis``: of round ones."""
    u, v = axes_of(vector(seen.normal, 0))
    mean = times(1.0 / sums.low, sums.mean)
    along_u = times(1.0 / sums.low, (dot(sums.xs, u), dot(sums.ys, u), dot(sums.zs, u)))
    along_v = times(1.0 / sums.low, (dot(sums.xs, v), dot(sums.ys, v), dot(sums.zs, v)))
    mean_u, mean_v = dot(mean, u), dot(mean, v)
    moments = (
        dot(along_u, u) - mean_u * mean_u,
        dot(along_u, v) - mean_u * mean_v,
        dot(along_v, v) - mean_v * mean_v,
    )
    spread_along(seen, u, v, moments, axis)


@step_kernel
def spread_about(seen, pushes, about, sums, fallback):
    """Normal, centre and radii of a patch whose sums are taken about a place.

    Friction acts in the middle of the patch. The centre of pressure runs twice as far when a can leans, and friction
    that follows it feeds a wobble of cans on slopes.
    """
    inside = plus_times(about, 1.0 / sums.low, sums.mean)
    place_centre(seen, pushes, inside, fallback)
    put(seen.centre, 0, inside)
    spread_sums(seen, sums, axes_of(vector(seen.normal, 0))[0])

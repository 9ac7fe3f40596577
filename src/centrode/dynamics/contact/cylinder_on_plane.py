r"""A cylinder in a half space: its mean depth over both ends and along the lowest line of its round side.

With own axis a, half length L, radius R, unit normal n of the half space, c = n . a and sigma = |n - c a| the sine of
its tilt:

    D = P / Q,    Q = w S_3 + k sum <h^5>,    P = w S_4 + k sum <h^6>,    S_m = int h^m ds,  k = 100 / R        (1)
    dD = w int h^2 (4 h - 3 D) / Q dh ds + (S_4 - D S_3) / Q dw + k sum <h^4 (6 h - 5 D) / Q dh>                (2)

with the integral along the side and the sum over both ends. What comes in by e changes Q by e^4, so D has three
continuous derivatives.

*The ends*, by the mean <> over the disc. With h_0 the depth of its middle the depth is h = h_0 + sigma R cos(psi) along
the diameter that points down, on chords of half length R sin(psi):

    <h^m> = (2 / pi) int h^m sin^2(psi) dpsi    from 0 to where h = 0, or pi                                    (3)

a polynomial of degree 8 in cos(psi) and sin(psi), which two times ten of Gauss' points sum to 1e-10. It does not know
how the cylinder is turned about its axis.

*The side*, along the line of its lowest points, from rim to rim:

    h(s) = h_m - s c,    h_m = R sigma - n . (r - r_plane),    w = sigma^4 = (1 - c^2)^2                        (4)

R sigma has a kink where the cylinder stands, and w takes it out: with it D has three continuous derivatives there too.
Standing, the ends are all; lying, they are out of it. Where a rim alone touches by H, both begin with it and tell the
same depth: the side 4/5 H, and an end, whose <h^m> there grows as H^(m + 3/2), 6 H / (6 + 3/2). Any other powers would
bend D, where one takes over from the other, at depths of a micrometre: methods of order 4 have order 1 to 2 then. (With
ends that were domed by a hundredth of R the side began that much later than the rim, and D bent over a millimetre.)

With d the unit vector down the side the lowest points are r + s a + R d, and dh = -n . du there. All lie on one line,
so two rows at its ends hold the slopes; dw = -4 sigma^2 c dc with dc = n . (du(r + L a) - du(r - L a)) / 2 L has two on
the axis. The half space takes the opposite ones. Gauss' ten points sum (1) and (2) along the line exactly, so that how
its ends move need not be asked.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from centrode.dynamics.contact.depth import NOTHING, add_opposite, add_push, added, spread_about
from centrode.dynamics.contact.swept import NODES
from centrode.jit import step_kernel
from centrode.math.vector import cross, dot, middle, minus, norm, plus_times, times
from centrode.parts.outlines.outline import Frame, Vector
from centrode.parts.outlines.plane import plane_normal

WEIGHT = 100.0
"""k R of (1) [1]."""


class Can(NamedTuple):
    """A cylinder above a half space.

    Attributes:
        frame, radius, half: own frame, radius and half length [m].
        ground, n: a point of the plane, and its normal.
        reach: cylinder and half space are taken for larger by so much [m].
    """

    frame: Frame
    radius: float
    half: float
    ground: Vector
    n: Vector
    reach: float


@step_kernel
def can_above(cylinder, frame, frame_plane, reach):
    """The can that an outline is."""
    half = cylinder.half_lengths[2] + cylinder.semi_axes[2]
    return Can(frame, cylinder.semi_axes[0], half, frame_plane.position, plane_normal(frame_plane.directors), reach)


# -- its ends ----------------------------------------------------------------------------------------------------------


class Disc(NamedTuple):
    """An end: its middle, unit vectors down its slope and across.

    Attributes:
        depth: h_0 [m]; rise: sigma R [m]; last: greatest psi, 0 where the disc is outside.
    """

    middle: Vector
    down: Vector
    across: Vector
    depth: float
    rise: float
    last: float


@step_kernel
def disc_at(can, sign):
    """The end towards own z (``sign`` 1) or away from it (-1)."""
    axis, n = can.frame.directors[2], can.n
    centre = plus_times(can.frame.position, sign * can.half, axis)
    down = plus_times(times(-1.0, n), dot(n, axis), axis)
    tilt = norm(down)
    down = times(1.0 / tilt, down) if tilt > 1e-12 else can.frame.directors[0]
    h = can.reach - dot(minus(centre, can.ground), n)
    rise = can.radius * max(-dot(down, n), 0.0)
    last = 0.0
    if h >= rise:
        last = math.pi
    elif h > -rise:
        last = math.acos(-h / rise)
    return Disc(centre, down, cross(axis, down), h, rise, last)


@step_kernel
def disc_node(disc, k):
    """Of twenty nodes: cos(psi), sin(psi), weight, depth."""
    place, weight = NODES[k % 10]
    psi = 0.5 * disc.last * (place + (0.0 if k < 10 else 1.0))
    c, s = math.cos(psi), math.sin(psi)
    return c, s, disc.last / math.pi * weight * s * s, max(disc.depth + disc.rise * c, 0.0)


@step_kernel
def add_disc(can, disc, about, sums):
    """The sums (1) with those over an end (3)."""
    if disc.last > 0.0:
        for k in range(20):
            c, s, weight, h = disc_node(disc, k)
            d = plus_times(plus_times(minus(disc.middle, about), can.radius * c, disc.down), 0.5 * h, can.n)
            low = 0.5 * WEIGHT / can.radius * weight * h**5
            # A chord is two points with its second moment.
            sums = added(sums, low, h, plus_times(d, can.radius * s / math.sqrt(3.0), disc.across))
            sums = added(sums, low, h, plus_times(d, -can.radius * s / math.sqrt(3.0), disc.across))
    return sums


@step_kernel
def push_disc(can, disc, of_b, depth, low, seen, pushes):
    """Rows (2) over an end: two on the diameter down its slope. Where h = 0 nothing depends on the end of the sum."""
    if disc.last > 0.0:
        inner, outer = 0.0, 0.0
        for k in range(20):
            c, _, weight, h = disc_node(disc, k)
            slope = WEIGHT / can.radius * weight * h**4 * (6.0 * h - 5.0 * depth) / low
            inner, outer = inner + (1.0 - c) * slope, outer + c * slope
        add_push(seen, pushes, of_b, disc.middle, times(-inner, can.n))
        add_push(seen, pushes, of_b, plus_times(disc.middle, can.radius, disc.down), times(-outer, can.n))


# -- its side ----------------------------------------------------------------------------------------------------------


class LowestLine(NamedTuple):
    """The lowest line of the side, as far as it is in the half space.

    Attributes:
        middle_depth, fall: h_m [m] and c of (4).
        first, length: where it begins along the axis, how long it is [m]; 0 where it is outside.
        foot: from the axis to the line [m].
        square: sigma^2.
    """

    middle_depth: float
    fall: float
    first: float
    length: float
    foot: Vector
    square: float


@step_kernel
def lowest_line(can):
    """The lowest line (4)."""
    axis, n, half = can.frame.directors[2], can.n, can.half
    c = dot(n, axis)
    across = plus_times(n, -c, axis)
    square = dot(across, across)
    tilt = math.sqrt(square)
    h = can.reach + can.radius * tilt - dot(minus(can.frame.position, can.ground), n)
    first, last = -half, half
    if h - c * half < 0.0:
        last = h / c if c > 0.0 else -half
    if h + c * half < 0.0:
        first = h / c if c < 0.0 else half
    foot = times(-can.radius / tilt, across) if tilt > 1e-12 else across
    return LowestLine(h, c, first, max(last - first, 0.0), foot, square)


@step_kernel
def line_node(line, k):
    """Of ten nodes: place along the axis, weight [m], depth."""
    place, weight = NODES[k]
    s = line.first + place * line.length
    return s, weight * line.length, max(line.middle_depth - line.fall * s, 0.0)


@step_kernel
def add_line(can, line, about, sums):
    """The sums (1) with those along the side."""
    if line.length > 0.0:
        begin = plus_times(minus(can.frame.position, about), 1.0, line.foot)
        for k in range(len(NODES)):
            s, weight, h = line_node(line, k)
            d = plus_times(plus_times(begin, s, can.frame.directors[2]), 0.5 * h, can.n)
            sums = added(sums, line.square * line.square * weight * h * h * h, h, d)
    return sums


@step_kernel
def push_line(can, line, of_b, depth, low, seen, pushes):
    """Rows (2) along the side."""
    if line.length > 0.0:
        at_first, at_last, by_share = 0.0, 0.0, 0.0
        for k in range(len(NODES)):
            s, weight, h = line_node(line, k)
            weight *= h * h / low
            slope, along = line.square * line.square * weight * (4.0 * h - 3.0 * depth), 0.5 * (1.0 + s / can.half)
            at_first, at_last = at_first + (1.0 - along) * slope, at_last + along * slope
            by_share += weight * h * (h - depth)
        lowest, axis = plus_times(can.frame.position, 1.0, line.foot), can.frame.directors[2]
        add_push(seen, pushes, of_b, plus_times(lowest, -can.half, axis), times(-at_first, can.n))
        add_push(seen, pushes, of_b, plus_times(lowest, can.half, axis), times(-at_last, can.n))
        couple = -2.0 * line.square * line.fall * by_share / can.half
        add_push(seen, pushes, of_b, plus_times(can.frame.position, -can.half, axis), times(-couple, can.n))
        add_push(seen, pushes, of_b, plus_times(can.frame.position, can.half, axis), times(couple, can.n))


# -- both --------------------------------------------------------------------------------------------------------------


@step_kernel
def cylinder_gap(can):
    """Height of its lowest point."""
    one, two = disc_at(can, 1.0), disc_at(can, -1.0)
    return -max(one.depth, two.depth) - one.rise


@step_kernel
def cylinder_on_plane(can, of_b, found, seen, pushes):
    """D (1) and its slopes (2) into ``seen`` and ``pushes``; ``of_b``: the cylinder is B."""
    seen.depth, seen.pushes, seen.points = 0.0, 0, 4
    about = middle(found.point_a, found.point_b)
    one, two, line = disc_at(can, 1.0), disc_at(can, -1.0), lowest_line(can)
    sums = add_line(can, line, about, add_disc(can, two, about, add_disc(can, one, about, NOTHING)))
    if not sums.low > 0.0:
        return
    depth = sums.up / sums.low
    push_disc(can, one, of_b, depth, sums.low, seen, pushes)
    push_disc(can, two, of_b, depth, sums.low, seen, pushes)
    push_line(can, line, of_b, depth, sums.low, seen, pushes)
    add_opposite(0, seen, pushes)
    seen.depth = depth
    spread_about(seen, pushes, about, sums, found.normal)

r"""Depth of a cylinder with flat ends in a polytope: sums over lines of its side, edges of the polytope, and its ends.

With C the cylinder (middle r, axis a, radius R, half length L, flat ends, sharp rims), l_i the distance to face i of
the polytope from inside, and all sums over what is in the other body,

    D = P / Q,    Q = sum_i int W_i Y h^3 ds + R^(-1/2) sum_edges int X h^(7/2) dt + 100 / R sum_ends <h^5>,    (1)

and P the same with one power of h more. What comes in by e changes Q by e^4 or so, and D has three continuous
derivatives there.

*Lines.* Of the side of C the line q_i(s) = r + s a + R d_i is deepest below face i, with c = n_i . a, sigma^2 = 1 - c^2
and d_i = -(n_i - c a) / sigma. Its points are as deep as the nearest face g is far, h(s) = min_g l_g(q_i(s)), a
polygon in s. W_i = sigma^4 takes the kink out that d_i has where C stands on the face, as in half spaces
(:mod:`cylinder_on_plane`). Y = (h / l_i)^6 is 1 where the own face is nearest, and takes lines out that touch with
their ends, as of a can on a table those below the table's sides. When bodies move,

    dh = n_g . (u_P - u_C) + R (n_g . t) (t . dn_i) / sigma,    t = a x d_i,      dW = -4 sigma^2 c d(n_i . a)    (2)

the second for lines that slide round the side while another face than their own is nearest. There h / l_i is no
polynomial: such pieces are cut into parts that shrink to where the own face comes near.

*Edges.* A point of an edge is s = R - rho below the side of C and L - z, L + z below its ends, and

    h = (s^-4 + (L - z)^-4 + (L + z)^-4)^(-1/4),    X = (h / s)^6,    dh = (h/s)^5 ds + ...                      (3)

is s but for (s / (L - z))^4 / 4 in the middle of C, and the least of them near its rim, without a kink. X leaves edges
that lie on an end to the ends: by its edges alone a box that spins on an end would feel half as much friction again.
The power is 7/2 since an edge across the side is below it over a length that grows with the root of the depth H: Q
grows as H^4, as over lines, and D bears no root of H. Lengths t are those of the polytope before it deforms.

*Ends.* <> is the mean over an end of the distance to the nearest face (:mod:`ends_in_faces`).

Where a rim alone touches a face by H both the line and the end tell 4/5 H. An edge across the side tells 9/10 H, lying
cylinders and standing ones H. Nothing is searched: the search for closest points tells no more than that bodies touch.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from centrode.dynamics.contact.cylinder_sums import (
    NOTHING_GATHERED,
    Meeting,
    add_place,
    add_slope,
    add_turn,
    inverse_of,
    lay_faces,
    push_gathered,
)
from centrode.dynamics.contact.depth import spread_about
from centrode.dynamics.contact.ends_in_faces import add_ends
from centrode.dynamics.contact.swept import NODES
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, dot, middle, norm, plus, plus_times, times, turn, vector
from centrode.parts.outlines.outline import Vector

PARALLEL = 1e-12
"""1 - (n_i . n_j)^2 below this: two faces have no edge."""
UPRIGHT = 1e-12
"""sigma below this: no line of the side is deepest."""
PARTS = (0.5, 0.75, 0.875, 1.0)
"""Where parts end of a piece of a line where another face than its own is nearest."""

# -- lines of the side -------------------------------------------------------------------------------------------------


@step_kernel
def nearest_face(meet, foot, s):
    """The face that is nearest to the point of a line at s; of two the one that comes nearer ahead."""
    axis = meet.frame.directors[2]
    best, least, fall = 0, math.inf, 0.0
    for g in range(meet.number):
        n = vector(meet.faces[g].normal, 0)
        rate = dot(n, axis)
        distance = meet.faces[g].offset - dot(n, foot) - s * rate
        tie = 1e-14 * meet.radius
        if distance < least - tie or (distance < least + tie and rate > fall):
            best, fall = g, rate
            least = min(least, distance)
    return best


@step_kernel
def stretch_of_line(meet, foot):
    """First and last place of a line in the polytope; the first not below the last: it is outside."""
    axis = meet.frame.directors[2]
    first, last = -meet.half, meet.half
    for g in range(meet.number):
        n = vector(meet.faces[g].normal, 0)
        rate, depth = dot(n, axis), meet.faces[g].offset - dot(n, foot)
        if rate > 0.0:
            last = min(last, depth / rate)
        elif rate < 0.0:
            first = max(first, depth / rate)
        elif depth <= 0.0:
            return 1.0, 0.0
    return first, last


@step_kernel
def piece_end(meet, foot, g, s, last):
    """Where on a line, behind s, another face becomes nearer than g, and which; g itself where none does."""
    axis = meet.frame.directors[2]
    n = vector(meet.faces[g].normal, 0)
    rate, depth = dot(n, axis), meet.faces[g].offset - dot(n, foot)
    end, behind, steepest = last, g, rate
    for j in range(meet.number):
        m = vector(meet.faces[j].normal, 0)
        faster = dot(m, axis)
        if j == g or faster <= rate:
            continue
        place = max((meet.faces[j].offset - dot(m, foot) - depth) / (faster - rate), s)
        if place < end or (place == end and behind != g and faster > steepest):
            end, behind, steepest = place, j, faster
    return end, behind


@step_kernel
def add_line_piece(meet, face, foot, g, span, total):
    """The sums with those over a piece of the line of a face, where face g is nearest; ``span``: from s to s."""
    axis = meet.frame.directors[2]
    own, n = vector(meet.faces[face].normal, 0), vector(meet.faces[g].normal, 0)
    c = dot(own, axis)
    level = plus_times(own, -c, axis)
    square = dot(level, level)
    sigma = math.sqrt(square)
    share, length = square * square, span[1] - span[0]
    offset, rate = meet.faces[g].offset - dot(n, foot), dot(n, axis)
    own_offset = meet.faces[face].offset - dot(own, foot)
    by_share, slide = (0.0, 0.0), (0.0, 0.0)
    for k in range(len(NODES)):
        place, weight = NODES[k]
        s = span[0] + place * length
        h = max(offset - s * rate, 1e-14 * meet.radius)
        far = max(own_offset - s * c, h)
        x = plus_times(foot, s, axis)
        ratio = h / far if g != face else 1.0
        part = weight * length * ratio**6 * h * h
        third = part * h
        total = add_place(meet, total, x, n, share * third, h)
        more = 6.0 if g != face else 0.0
        by = (-(3.0 + more) * share * part, -(4.0 + more) * share * third)
        total = add_slope(meet, total, plus_times(x, h, n), n, by)
        slide = (slide[0] + by[0], slide[1] + by[1])
        if g != face:
            by = (more * share * part * ratio, more * share * third * ratio)
            total = add_slope(meet, total, plus_times(x, far, own), own, by)
        by_share = (by_share[0] + third, by_share[1] + third * h)
    # dn = -(G^T n)' square to n, so v . dn = -n . G v' with v' the part of v square to n
    to_turn = -4.0 * square * c
    total = add_turn(meet, total, plus_times(axis, -c, own), own, (to_turn * by_share[0], to_turn * by_share[1]))
    if g != face:
        t = times(1.0 / meet.radius, cross(axis, foot))
        lever = -meet.radius * dot(n, t) / sigma
        total = add_turn(meet, total, t, own, (lever * slide[0], lever * slide[1]))
    return total


@step_kernel
def add_graded(meet, face, foot, g, span, total):
    """The sums with those over a piece; where Y is not one in parts that shrink to where it grows to be."""
    if g == face:
        return add_line_piece(meet, face, foot, g, span, total)
    axis, length = meet.frame.directors[2], span[1] - span[0]
    rises = dot(vector(meet.faces[face].normal, 0), axis) > 0.0  # the own face comes nearer ahead
    begin = 0.0
    for end in PARTS:
        part = (span[0] + begin * length, span[0] + end * length)
        if not rises:
            part = (span[1] - end * length, span[1] - begin * length)
        total = add_line_piece(meet, face, foot, g, part, total)
        begin = end
    return total


@step_kernel
def add_lines(meet, total):
    """The sums with those along the lines of all faces."""
    axis = meet.frame.directors[2]
    for face in range(meet.number):
        own = vector(meet.faces[face].normal, 0)
        level = plus_times(own, -dot(own, axis), axis)
        sigma = norm(level)
        if sigma < UPRIGHT:
            continue
        foot = times(-meet.radius / sigma, level)
        first, last = stretch_of_line(meet, foot)
        if not first < last:
            continue
        s = first
        g = nearest_face(meet, foot, s)
        for _ in range(meet.number):
            end, behind = piece_end(meet, foot, g, s, last)
            if end > s:
                total = add_graded(meet, face, foot, g, (s, end), total)
            if behind == g:
                break
            g, s = behind, end
    return total


# -- edges of the polytope ---------------------------------------------------------------------------------------------


class Edge(NamedTuple):
    """Points p + t e of an edge, from the middle of the cylinder.

    Attributes:
        first, last: the part in the cylinder; bound_first, bound_last: what ends it there: 0 a corner, 1 the side, 2 an
            end of the cylinder.
        share: length before the polytope deformed over length now.
    """

    p: Vector
    e: Vector
    first: float
    last: float
    bound_first: int
    bound_last: int
    share: float


NO_EDGE = Edge(ZERO, ZERO, 1.0, 0.0, 0, 0, 1.0)


@step_kernel
def edge_between(meet, i, j):
    """The edge between two faces, as far as it is in the cylinder; first not below last: there is none."""
    n, m = vector(meet.faces[i].normal, 0), vector(meet.faces[j].normal, 0)
    c = dot(n, m)
    square = 1.0 - c * c
    if square < PARALLEL:
        return NO_EDGE
    one, two = meet.faces[i].offset, meet.faces[j].offset
    p = plus(times((one - c * two) / square, n), times((two - c * one) / square, m))
    axis, radius, half = meet.frame.directors[2], meet.radius, meet.half
    if dot(p, p) > radius * radius + half * half:
        return NO_EDGE
    e = cross(n, m)
    e = times(1.0 / norm(e), e)
    first, last, bound_first, bound_last = -math.inf, math.inf, 0, 0
    z, rate = dot(p, axis), dot(e, axis)
    across, along = plus_times(p, -z, axis), plus_times(e, -rate, axis)
    a, b, d = dot(along, along), dot(across, along), dot(across, across) - radius * radius
    root = b * b - a * d
    if a > PARALLEL:
        if root <= 0.0:
            return NO_EDGE
        first, last = (-b - math.sqrt(root)) / a, (-b + math.sqrt(root)) / a
        bound_first, bound_last = 1, 1
    elif d >= 0.0:
        return NO_EDGE
    if abs(rate) > PARALLEL:
        low, high = (-math.copysign(half, rate) - z) / rate, (math.copysign(half, rate) - z) / rate
        if low > first:
            first, bound_first = low, 2
        if high < last:
            last, bound_last = high, 2
    elif abs(z) >= half:
        return NO_EDGE
    for k in range(meet.number):
        if k == i or k == j:
            continue
        other = vector(meet.faces[k].normal, 0)
        fall, depth = dot(other, e), meet.faces[k].offset - dot(other, p)
        if fall > PARALLEL:
            if depth / fall < last:
                last, bound_last = depth / fall, 0
        elif fall < -PARALLEL:
            if depth / fall > first:
                first, bound_first = depth / fall, 0
        elif depth < 0.0:
            return NO_EDGE
        if not first < last:
            return NO_EDGE
    return Edge(p, e, first, last, bound_first, bound_last, norm(turn(meet.inverse, e)))


class Sunk(NamedTuple):
    """A point of an edge in the cylinder: h and X (3), the normal of the side, and how dh and ds go with n_side, a."""

    x: Vector
    h: float
    share: float
    radial: Vector
    depth: float
    by_side: float
    by_axis: float


@step_kernel
def sunk_at(meet, edge, t):
    """A point of an edge."""
    axis = meet.frame.directors[2]
    x = plus_times(edge.p, t, edge.e)
    z = dot(x, axis)
    across = plus_times(x, -z, axis)
    rho = norm(across)
    tiny = 1e-14 * meet.radius
    s, up, down = max(meet.radius - rho, tiny), max(meet.half - z, tiny), max(meet.half + z, tiny)
    least = min(s, up, down)
    h = least * ((least / s) ** 4 + (least / up) ** 4 + (least / down) ** 4) ** -0.25
    radial = times(1.0 / max(rho, 1e-300), across)
    return Sunk(x, h, (h / s) ** 6, radial, s, (h / s) ** 5, (h / up) ** 5 - (h / down) ** 5)


@step_kernel
def end_motion(meet, edge, sunk, bound):
    """How the end of the part of an edge moves along it: dt = n . (u_C - u_P) times this, and n."""
    axis = meet.frame.directors[2]
    n = sunk.radial
    if bound == 2:
        n = times(math.copysign(1.0, dot(sunk.x, axis)), axis)
    rate = dot(n, edge.e)
    if bound == 0 or rate == 0.0:
        return 0.0, n
    return 1.0 / rate, n


@step_kernel
def add_edge(meet, edge, total):
    """The sums with those along an edge."""
    axis, length = meet.frame.directors[2], edge.last - edge.first
    by_first, by_last = (0.0, 0.0), (0.0, 0.0)
    for k in range(len(NODES)):
        place, weight = NODES[k]
        sunk = sunk_at(meet, edge, edge.first + place * length)
        h = sunk.h
        power = weight * edge.share * sunk.share * h * h * h * math.sqrt(h / meet.radius)
        n = plus(times(sunk.by_side, sunk.radial), times(sunk.by_axis, axis))  # dh = n . (u_C - u_P)
        total = add_place(meet, total, sunk.x, times(1.0 / norm(n), n), length * power, h)
        # d(X h^m) = X h^(m-1) ((m + 6) dh - 6 h / s ds)
        by_side = times(-6.0 * power / sunk.depth, sunk.radial)
        to_low = plus_times(by_side, 9.5 * power / h, n)
        to_up = plus_times(times(h, by_side), 10.5 * power, n)
        total = add_slope(meet, total, sunk.x, to_low, (length, 0.0))
        total = add_slope(meet, total, sunk.x, to_up, (0.0, length))
        # along the edge everything changes as if the cylinder moved the other way
        low, up = -length * dot(to_low, edge.e), -length * dot(to_up, edge.e)
        by_first = (by_first[0] + (1.0 - place) * low - power, by_first[1] + (1.0 - place) * up - power * h)
        by_last = (by_last[0] + place * low + power, by_last[1] + place * up + power * h)
    sunk = sunk_at(meet, edge, edge.first)
    rate, n = end_motion(meet, edge, sunk, edge.bound_first)
    total = add_slope(meet, total, sunk.x, n, (rate * by_first[0], rate * by_first[1]))
    sunk = sunk_at(meet, edge, edge.last)
    rate, n = end_motion(meet, edge, sunk, edge.bound_last)
    return add_slope(meet, total, sunk.x, n, (rate * by_last[0], rate * by_last[1]))


@step_kernel
def add_edges(meet, total):
    """The sums with those along all edges."""
    for i in range(meet.number):
        for j in range(i + 1, meet.number):
            edge = edge_between(meet, i, j)
            if edge.first < edge.last:
                total = add_edge(meet, edge, total)
    return total


# -- both --------------------------------------------------------------------------------------------------------------


@step_kernel
def cylinder_in_faces(of_b, cylinder, frame, polytope, other, shapes, grow, found, seen, pushes, faces, polygons):
    """D (1) and its rows into ``seen`` and ``pushes``; ``of_b``: the cylinder is B; ``frame``, ``other``: frames."""
    seen.depth, seen.pushes, seen.points = 0.0, 0, 4
    about = middle(found.point_a, found.point_b)
    radius, half = cylinder.semi_axes[0], cylinder.half_lengths[2] + cylinder.semi_axes[2]
    count = lay_faces(frame, polytope, other, shapes, grow, faces)
    meet = Meeting(frame, radius, half, polytope, other, inverse_of(other), about, faces, count)
    total = add_ends(meet, polygons, add_edges(meet, add_lines(meet, NOTHING_GATHERED)))
    if not total.sums.low > 0.0:
        return
    seen.depth = total.sums.up / total.sums.low
    push_gathered(meet, of_b, total, seen.depth, seen, pushes)
    spread_about(seen, pushes, about, total.sums, found.normal)

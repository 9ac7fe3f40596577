r"""Flat ends of a cylinder in a polytope: exact sums over the part of each end that is inside.

A point of an end is as deep as the nearest face of the polytope is far, h = min_i l_i. With <> the mean over the end,

    <h^m> = sum_i 1 / (pi R^2) int l_i^m dA    over the part E_i of the end to which face i is nearest,        (1)
    d<h^m> = sum_i m / (pi R^2) int l_i^(m-1) dl_i dA,    dl_i = n_i . (u_polytope - u_cylinder)               (2)

(the borders between the parts cancel, and at the border of the polytope h = 0). Each E_i is a convex polygon, of half
planes l_i >= 0 and l_j >= l_i, cut by the circle. It is divided into triangles and sectors between a point inside and
the pieces of its border. As l_i is linear, l_i^m is a polynomial of degree m both ways through a triangle, and one of
cos and sin along the arc of a sector: Gauss' rule sums the first exactly and the second, over a sixth of the circle at
most, to round-off. Rings of points instead would see every edge of a face pass one by one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from centrode.dynamics.contact.cylinder_sums import add_place, add_slope
from centrode.dynamics.contact.overlap import clip, crosses
from centrode.dynamics.contact.swept import NODES
from centrode.jit import step_kernel
from centrode.math.vector import dot, minus, plus_times, put, times, vector
from centrode.parts.outlines.outline import Vector

WEIGHT = 100.0
"""k R of :mod:`cylinder_in_faces` [1]."""
INWARD = (
    (0.06943184420297371, 0.17392742256872679),
    (0.33000947820757187, 0.3260725774312732),
    (0.6699905217924281, 0.3260725774312732),
    (0.9305681557970262, 0.17392742256872679),
)
"""Places and weights of Gauss' rule with four points on 0 .. 1, exact to degree 7: triangles ask for 6."""
LONGEST = math.pi / 3.0
"""An arc that is summed at once [rad]."""
ROUND_OFF = 1e-9
"""Arcs between two edges that lack less than this of a full turn [rad] are none: edges that meet on the circle."""


class End(NamedTuple):
    """A flat end: its middle from that of the cylinder, the axes of its plane, its radius [m]."""

    middle: Vector
    x: Vector
    y: Vector
    radius: float


# -- the faces, seen from an end ---------------------------------------------------------------------------------------


@step_kernel
def lay_roofs(end, faces, count):
    """l_i = roof . (1, u, v) of all faces in the plane of an end."""
    for k in range(count):
        n = vector(faces[k].normal, 0)
        put(faces[k].roof, 0, (faces[k].offset - dot(n, end.middle), -dot(n, end.x), -dot(n, end.y)))


@step_kernel
def common_polygon(end, faces, count, polygons):
    """What the square about an end and the polytope share, into the first polygon; the number of its corners."""
    size = 1.5 * end.radius  # whose sides do not touch the circle
    for k in range(4):
        polygons[1, k, 0] = -size if k == 0 or k == 3 else size
        polygons[1, k, 1] = -size if k < 2 else size
    corners, now = 4, 1
    for j in range(count):
        line = vector(faces[j].roof, 0)
        side = crosses(polygons[now], corners, line)
        if side == 0:
            corners = clip(polygons[now], corners, line, polygons[3 - now])
            now = 3 - now
        if side < 0 or corners < 3:
            return 0
    for k in range(corners):
        polygons[0, k, 0], polygons[0, k, 1] = polygons[now, k, 0], polygons[now, k, 1]
    return corners


@step_kernel
def part_of_face(end, faces, count, i, corners, polygons):
    """The part of the first polygon to which face i is nearest: the number of its corners, and which polygon it is."""
    own, now, held = vector(faces[i].roof, 0), 0, corners
    for j in range(count):
        if j == i:
            continue
        line = minus(vector(faces[j].roof, 0), own)
        side = crosses(polygons[now], held, line)
        if side == 0:
            spare = 2 if now == 1 else 1
            held = clip(polygons[now], held, line, polygons[spare])
            now = spare
        if side < 0 or held < 3:
            return 0, now
    return held, now


# -- sums over a polygon in a circle -----------------------------------------------------------------------------------


@step_kernel
def shares_in_circle(polygon, k, count, radius):
    """First and last share of the way along side k of a polygon that are in the circle; first not below last: none."""
    j = (k + 1) % count
    px, py = polygon[k, 0], polygon[k, 1]
    dx, dy = polygon[j, 0] - px, polygon[j, 1] - py
    a, b, c = dx * dx + dy * dy, px * dx + py * dy, px * px + py * py - radius * radius
    root = b * b - a * c
    if not (root > 0.0 and a > 0.0):
        return 1.0, 0.0
    root = math.sqrt(root)
    return max((-b - root) / a, 0.0), min((-b + root) / a, 1.0)


@step_kernel
def on_side(polygon, k, count, share):
    """A point of side k."""
    j = (k + 1) % count
    return (
        polygon[k, 0] + share * (polygon[j, 0] - polygon[k, 0]),
        polygon[k, 1] + share * (polygon[j, 1] - polygon[k, 1]),
    )


@step_kernel
def middle_of_part(polygon, count, radius):
    """A point inside of the part of a polygon in the circle, and how many sides are there."""
    u, v, sides = 0.0, 0.0, 0
    for k in range(count):
        first, last = shares_in_circle(polygon, k, count, radius)
        if first < last:
            (u_1, v_1), (u_2, v_2) = on_side(polygon, k, count, first), on_side(polygon, k, count, last)
            u, v, sides = u + u_1 + u_2, v + v_1 + v_2, sides + 1
    if sides > 0:
        return 0.5 * u / sides, 0.5 * v / sides, sides
    return 0.0, 0.0, 0


@step_kernel
def holds_middle(polygon, count):
    """Whether the middle of the circle is in a polygon."""
    for k in range(count):
        j = (k + 1) % count
        if polygon[k, 0] * polygon[j, 1] - polygon[k, 1] * polygon[j, 0] < 0.0:
            return False
    return True


@step_kernel
def add_node(meet, end, face, u, v, weight, total):
    """The sums with those of one point of an end; ``weight`` is its part of the area."""
    roof, n = vector(face.roof, 0), vector(face.normal, 0)
    h = max(roof[0] + roof[1] * u + roof[2] * v, 0.0)
    if h == 0.0:
        return total
    x = plus_times(plus_times(end.middle, u, end.x), v, end.y)
    fourth = WEIGHT / end.radius * weight * h * h * h * h
    total = add_place(meet, total, x, n, fourth * h, h)
    return add_slope(meet, total, plus_times(x, h, n), n, (-5.0 * fourth, -6.0 * fourth * h))


@step_kernel
def add_triangle(meet, end, face, inside, one, two, total):
    """The sums with those over a triangle between a point inside and two on the border."""
    du, dv = one[0] - inside[0], one[1] - inside[1]
    eu, ev = two[0] - inside[0], two[1] - inside[1]
    area = (du * ev - dv * eu) / (math.pi * end.radius * end.radius)
    for i in range(len(INWARD)):
        way, by_way = INWARD[i]
        for k in range(len(INWARD)):
            place, by_place = INWARD[k]
            u = inside[0] + way * (du + place * (eu - du))
            v = inside[1] + way * (dv + place * (ev - dv))
            total = add_node(meet, end, face, u, v, area * by_way * by_place * way, total)
    return total


@step_kernel
def add_sector(meet, end, face, inside, begin, sweep, total):
    """The sums with those over what is between a point inside and an arc of the rim."""
    radius = end.radius
    parts = int(math.ceil(sweep / LONGEST))
    for part in range(parts):
        for k in range(len(NODES)):
            place, by_place = NODES[k]
            psi = begin + sweep * (part + place) / parts
            x, y = radius * math.cos(psi), radius * math.sin(psi)
            area = (radius * radius - inside[0] * x - inside[1] * y) * sweep / parts * by_place
            area /= math.pi * radius * radius
            for i in range(len(INWARD)):
                way, by_way = INWARD[i]
                u, v = inside[0] + way * (x - inside[0]), inside[1] + way * (y - inside[1])
                total = add_node(meet, end, face, u, v, area * by_way * way, total)
    return total


@step_kernel
def add_part(meet, end, face, polygon, count, total):
    """The sums with those over a polygon in the circle."""
    u, v, sides = middle_of_part(polygon, count, end.radius)
    inside = (u, v)
    if sides == 0:
        if not holds_middle(polygon, count):
            return total
        return add_sector(meet, end, face, inside, 0.0, 2.0 * math.pi, total)
    left, pending, entry, enters = 0.0, False, 0.0, False
    for k in range(count):
        first, last = shares_in_circle(polygon, k, count, end.radius)
        if not first < last:
            continue
        one, two = on_side(polygon, k, count, first), on_side(polygon, k, count, last)
        entered = math.atan2(one[1], one[0])
        if pending:
            total = add_arc(meet, end, face, inside, left, entered, sides, total)
        elif first > 0.0:
            entry, enters = entered, True  # the arc that leads here is the last one
        pending = last < 1.0
        left = math.atan2(two[1], two[0])
        total = add_triangle(meet, end, face, inside, one, two, total)
    if pending and enters:
        total = add_arc(meet, end, face, inside, left, entry, sides, total)
    return total


@step_kernel
def add_arc(meet, end, face, inside, left, entered, sides, total):
    """The sums with those over the sector from where the border of a polygon leaves the circle to where it enters."""
    sweep = entered - left
    if sweep < 0.0:
        sweep += 2.0 * math.pi
    if sides > 1 and sweep > 2.0 * math.pi - ROUND_OFF:
        return total
    return add_sector(meet, end, face, inside, left, sweep, total)


# -- both ends ---------------------------------------------------------------------------------------------------------


@step_kernel
def add_ends(meet, polygons, total):
    """The sums with those over both ends of a cylinder."""
    for sign in range(-1, 2, 2):
        x, y, axis = meet.frame.directors
        end = End(times(sign * meet.half, axis), x, y, meet.radius)
        lay_roofs(end, meet.faces, meet.number)
        corners = common_polygon(end, meet.faces, meet.number, polygons)
        if corners < 3:
            continue
        for i in range(meet.number):
            held, now = part_of_face(end, meet.faces, meet.number, i, corners, polygons)
            if held > 2:
                total = add_part(meet, end, meet.faces[i], polygons[now], held, total)
    return total

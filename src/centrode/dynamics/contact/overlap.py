r"""Depth of two overlapping polytopes from the volume that they share.

A polytope is {x : l_i(x) >= 0} with l_i = c_i - n_i . x the distance to face i (outward unit normal n_i). With K the
common part of A and B, and l the distance to the nearest of all faces of both, the depth is

    D = 3 W_2 / W_1,    W_m = int_K l^m dx.                                                                (1)

A flat overlap of thickness d has l = d/2 - |z|, so D = d. K is cut into regions R_i where face i is nearest. When a
body moves by u(x), its face i moves out by n_i . u at the foot of x, so (the borders between regions cancel)

    dW_1 = sum_i  v_i n_i . u(y_i),      v_i = vol(R_i),       y_i foot of the centroid of R_i             (2)
    dW_2 = sum_i  2 w_i n_i . u(z_i),    w_i = int_R_i l dx,   z_i foot of the centroid with the weight l  (3)
    dD = (3 dW_2 - D dW_1) / W_1                                                                           (4)

which holds for any affine motion, deforming bodies included. R_i stands on face i of K under a roof: from the point y
of the face inward, face j becomes nearer at the height a_j = l_j(y) / (1 - n_i . n_j). With h = min_j a_j

    v_i = int h dy,   v_i y_i = int h y dy,   w_i = int h^2/2 dy,   w_i z_i = int h^2/2 y dy,
    int_R_i l^2 dx = int h^3/3 dy                                                                          (5)

over polygons: the face of K, cut into the cells where each a_j is least, where h is linear. All moments are exact, so
(4) is the gradient of (1) to round-off. W_m do not ask who is A.

Where a corner passes a face, or an edge an edge, by e, K gains or loses a corner of size e, where l is of that size:
the volume changes by e^3, W_1 by e^4, W_2 by e^5. So D has three continuous derivatives and the force two, what a
method of order 4 asks for (a mean over the volume, 4 W_1 / V, has one less, and such hits were of third order); but
where faces are parallel, which K loses or gains as a whole.

A ball of radius l(x) about x lies in K, and K is no wider than the overlap along any direction. So a face that is
farther from all of K than half the depth is nearest to nothing and is left out. K lies in a slab s_B <= n . x <= s_A
along the normal n of the search, and in both bodies; how far a body reaches along a face's normal m inside of the slab
is bounded by its support function h, whatever k >= 0 (weak duality):

    max {m . x : x in B, n . x <= s_A}  <=  h_B(m - k n) + k s_A,                                          (6)

and for A with -n and -s_B. A corner in a face leaves the three faces of the corner and that one.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.depth import add_push, axes_of, level_axis, place_centre, spread_along
from centrode.jit import step_kernel
from centrode.math.record import open_sized
from centrode.math.vector import (
    ZERO,
    cofactors,
    combined,
    dot,
    middle,
    minus,
    norm,
    plus,
    plus_times,
    put,
    times,
    turn,
    vector,
)
from centrode.parts.outlines.outline import Corners, corner_towards, world_corner

PARALLEL = 1e-14
"""1 - n_i . n_j below this: the two faces look the same way, and the nearer one counts alone."""


# -- faces -------------------------------------------------------------------------------------------------------------


@step_kernel
def face_of(outline, shapes, k):
    """Face k of a polytope in its own axes: outward unit normal m and c of m . X = c."""
    if outline.half_space != 0:
        return (0.0, 0.0, 1.0), 0.0
    if outline.corners == Corners.BOX:
        sign, axis = (1.0 if k % 2 == 0 else -1.0), k // 2
        return (sign * (axis == 0), sign * (axis == 1), sign * (axis == 2)), outline.half_lengths[axis]
    row = shapes.faces[outline.first_face + k]
    return vector(row, 0), row[3]


@step_kernel
def reach_in_slab(outline, points, frame, origin, m, slab):
    """Bound (6) on m . x of the points of an outline with n . x <= limit, from ``origin``; ``slab`` is n and limit.

    A box's support is piecewise linear in k, so the best k is 0 or one of three places where it bends; of a polyhedron
    a few are tried.
    """
    n, limit = slab
    p, q = turn(frame.directors, m), turn(frame.directors, n)
    o = minus(frame.position, origin)
    start, rise = dot(m, o), limit - dot(n, o)
    best = math.inf
    if outline.corners == Corners.BOX:
        a, b, c = vector(outline.half_lengths, 0)
        for i in range(4):
            k = 0.0
            if i > 0:
                k = p[i - 1] / q[i - 1] if q[i - 1] != 0.0 else 0.0
            if k >= 0.0:
                along = a * abs(p[0] - k * q[0]) + b * abs(p[1] - k * q[1]) + c * abs(p[2] - k * q[2])
                best = min(best, start + along + k * rise)
        return best
    k = 0.0
    for _ in range(4):
        d = plus_times(p, -k, q)
        best = min(best, start + dot(d, corner_towards(outline, points, d)) + k * rise)
        k = 4.0 * k if k > 0.0 else 0.5
    return best


@step_kernel
def slab_of(pair, shapes, found, origin):
    """Where the overlap lies along the normal of the search, from ``origin``: least and greatest n . x."""
    n = found.normal
    low, high = dot(n, minus(found.point_b, origin)), dot(n, minus(found.point_a, origin))
    if pair.a.half_space == 0:
        reach = world_corner(pair.a, shapes.points, pair.frame_a, n)
        high = max(high, dot(n, plus(minus(pair.frame_a.position, origin), reach)))
    if pair.b.half_space == 0:
        reach = world_corner(pair.b, shapes.points, pair.frame_b, times(-1.0, n))
        low = min(low, dot(n, plus(minus(pair.frame_b.position, origin), reach)))
    return low, high


@step_kernel
def keep_faces(pair, shapes, found, origin, grow, faces):
    """Note the faces that can bound the overlap, moved out by ``grow``: none that is farther than half the depth from
    where it can be. In the world the normal of m . X = c is F^-T m. Returns their number, A's first.
    """
    n, slack = found.normal, 1e-9 * min(pair.a.thickness, pair.b.thickness)
    low, high = slab_of(pair, shapes, found, origin)
    within = 0.5 * max(high - low, 0.0) + 2.0 * grow + slack
    slab_a, slab_b = (times(-1.0, n), slack - low), (n, high + slack)
    if grow > 0.0:  # moved out, sharp corners reach farther than by that: no slab is known
        slab_a, slab_b = (ZERO, 0.0), (ZERO, 0.0)
    count = 0
    for of_b in range(2):
        outline, frame = pair.a, pair.frame_a
        if of_b == 1:
            outline, frame = pair.b, pair.frame_b
        cofactor = cofactors(frame.directors)
        scale = 1.0 / dot(frame.directors[0], cofactor[0])
        number = 6 if outline.corners == Corners.BOX else outline.faces
        for k in range(1 if outline.half_space != 0 else number):
            m, c = face_of(outline, shapes, k)
            normal = times(scale, combined(cofactor, m))
            length = norm(normal)
            normal = times(1.0 / length, normal)
            offset = (c + grow) / length + dot(normal, minus(frame.position, origin))
            top = math.inf
            if pair.a.half_space == 0:
                top = reach_in_slab(pair.a, shapes.points, pair.frame_a, origin, normal, slab_a)
            if pair.b.half_space == 0 and offset - top < within:
                top = min(top, reach_in_slab(pair.b, shapes.points, pair.frame_b, origin, normal, slab_b))
            if offset - top >= within:
                continue
            faces[count].of_b, faces[count].offset = of_b, offset
            put(faces[count].normal, 0, normal)
            count += 1
    return count


# -- polygons ----------------------------------------------------------------------------------------------------------


@step_kernel
def crosses(polygon, count, line):
    """Where the corners of a polygon lie: 1 all where line . (1, u, v) >= 0, -1 none, 0 some."""
    inside = 0
    for k in range(count):
        if line[0] + line[1] * polygon[k, 0] + line[2] * polygon[k, 1] >= 0.0:
            inside += 1
    return 1 if inside == count else (-1 if inside == 0 else 0)


@step_kernel
def clip(polygon, count, line, out):
    """What of a convex polygon lies where line . (1, u, v) >= 0, into ``out``; the number of its corners."""
    if count == 0:
        return 0
    made = 0
    u, v = polygon[count - 1, 0], polygon[count - 1, 1]
    value = line[0] + line[1] * u + line[2] * v
    for k in range(count):
        next_u, next_v = polygon[k, 0], polygon[k, 1]
        next_value = line[0] + line[1] * next_u + line[2] * next_v
        if (value >= 0.0) != (next_value >= 0.0):
            share = value / (value - next_value)
            out[made, 0] = u + share * (next_u - u)
            out[made, 1] = v + share * (next_v - v)
            made += 1
        if next_value >= 0.0:
            out[made, 0] = next_u
            out[made, 1] = next_v
            made += 1
        u, v, value = next_u, next_v, next_value
    return made


@step_kernel
def area_moments(polygon, count):
    """Area, centroid u, v, and second moments uu, uv, vv per area about it, from triangles at the first corner."""
    u0, v0 = polygon[0, 0], polygon[0, 1]
    area, mu, mv, uu, uv, vv = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(1, count - 1):
        du, dv = polygon[k, 0] - u0, polygon[k, 1] - v0
        eu, ev = polygon[k + 1, 0] - u0, polygon[k + 1, 1] - v0
        t = 0.5 * (du * ev - dv * eu)
        area += t
        mu += t * (du + eu) / 3.0
        mv += t * (dv + ev) / 3.0
        uu += t * (du * du + du * eu + eu * eu) / 6.0
        uv += t * (2.0 * du * dv + du * ev + dv * eu + 2.0 * eu * ev) / 12.0
        vv += t * (dv * dv + dv * ev + ev * ev) / 6.0
    if area <= 0.0:
        return 0.0, (u0, v0), ZERO
    mu, mv = mu / area, mv / area
    return area, (u0 + mu, v0 + mv), (uu / area - mu * mu, uv / area - mu * mv, vv / area - mv * mv)


@step_kernel
def roof_moments(polygon, count, roof):
    """Integrals of h, h u, h v, of h^2/2 times 1, u, v, and of h^3/3 over a convex polygon, h = roof . (1, u, v).

    Over a triangle of area A with values f, g, k at its corners and their sums F, G, K, integrals of products of linear
    functions are  fg: A/12 (F G + sum fg),  fgk: A/60 (F G K + F sum gk + G sum fk + K sum fg + 2 sum fgk).
    """
    u0, v0 = polygon[0, 0], polygon[0, 1]
    h0 = roof[0] + roof[1] * u0 + roof[2] * v0
    one, one_u, one_v, two, two_u, two_v, three = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(1, count - 1):
        u1, v1, u2, v2 = polygon[k, 0], polygon[k, 1], polygon[k + 1, 0], polygon[k + 1, 1]
        area = 0.5 * ((u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0))
        h1 = roof[0] + roof[1] * u1 + roof[2] * v1
        h2 = roof[0] + roof[1] * u2 + roof[2] * v2
        h, u, v = h0 + h1 + h2, u0 + u1 + u2, v0 + v1 + v2
        q0, q1, q2 = h0 * h0, h1 * h1, h2 * h2
        hh, hu, hv = q0 + q1 + q2, h0 * u0 + h1 * u1 + h2 * u2, h0 * v0 + h1 * v1 + h2 * v2
        one += area * h / 3.0
        one_u += area * (h * u + hu) / 12.0
        one_v += area * (h * v + hv) / 12.0
        two += area * (h * h + hh) / 24.0
        two_u += area * (h * h * u + u * hh + 2.0 * (h * hu + q0 * u0 + q1 * u1 + q2 * u2)) / 120.0
        two_v += area * (h * h * v + v * hh + 2.0 * (h * hv + q0 * v0 + q1 * v1 + q2 * v2)) / 120.0
        three += area * (h * (h * h + 3.0 * hh) + 2.0 * (q0 * h0 + q1 * h1 + q2 * h2)) / 180.0
    return one, one_u, one_v, two, two_u, two_v, three


# -- the overlap -------------------------------------------------------------------------------------------------------


@step_kernel
def face_polygon(faces, count, i, size, polygons):
    """Face i of K in its own axes, and the roofs of all others over it.

    Returns:
        number of its corners (below 3: none) and which of the first two polygons it is.
    """
    n, c = vector(faces[i].normal, 0), faces[i].offset
    u, v = axes_of(n)
    for k in range(4):
        polygons[0, k, 0] = -size if k == 0 or k == 3 else size
        polygons[0, k, 1] = -size if k < 2 else size
    corners, now = 4, 0
    for j in range(count):
        if j == i:
            continue
        m = vector(faces[j].normal, 0)
        line = (faces[j].offset - c * dot(m, n), -dot(m, u), -dot(m, v))
        rise = 1.0 - dot(m, n)
        if rise < PARALLEL:
            faces[j].roof[0] = math.inf
            if line[0] < 0.0 or (line[0] == 0.0 and j < i):
                return 0, now
            continue
        put(faces[j].roof, 0, times(1.0 / rise, line))
        side = crosses(polygons[now], corners, line)
        if side == 0:
            corners = clip(polygons[now], corners, line, polygons[1 - now])
            now = 1 - now
        if side < 0 or corners < 3:
            return 0, now
    return corners, now


@step_kernel
def drop_high_roofs(faces, count, i, polygon, corners):
    """Leave out roofs that are nowhere least over face i: those wholly above the greatest height of another one."""
    ceiling = math.inf
    for sweep in range(2):
        for j in range(count):
            roof = vector(faces[j].roof, 0)
            if j == i or roof[0] == math.inf:
                continue
            low, high = math.inf, -math.inf
            for k in range(corners):
                h = roof[0] + roof[1] * polygon[k, 0] + roof[2] * polygon[k, 1]
                low, high = min(low, h), max(high, h)
            if sweep == 0:
                ceiling = min(ceiling, high)
            elif low > ceiling:
                faces[j].roof[0] = math.inf


@step_kernel
def region_under(faces, count, i, corners, now, polygons):
    """Integrals (5) over face i of K, as :func:`roof_moments` gives them."""
    total = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    drop_high_roofs(faces, count, i, polygons[now], corners)
    for j in range(count):
        if j == i or faces[j].roof[0] == math.inf:
            continue
        cell, held, spare = corners, now, 1 - now
        for k in range(count):  # the cell where roof j is least
            if k == i or k == j or faces[k].roof[0] == math.inf:
                continue
            line = minus(vector(faces[k].roof, 0), vector(faces[j].roof, 0))
            side = crosses(polygons[held], cell, line)
            if side == 0:
                cell = clip(polygons[held], cell, line, polygons[spare])
                held, spare = spare, (2 if held == now else held)
            if side < 0 or cell < 3:
                cell = 0
                break
        if cell < 3:
            continue
        a, b, c, d, e, f, g = roof_moments(polygons[held], cell, vector(faces[j].roof, 0))
        total = (
            total[0] + a, total[1] + b, total[2] + c, total[3] + d, total[4] + e, total[5] + f, total[6] + g,
        )  # fmt: skip
    return total


@step_kernel
def push_face(seen, pushes, face, total, origin, of_b, sign):
    """The two terms of (4) that belong to a face, as pushes of A or B; ``total`` is W_1."""
    n = vector(face.normal, 0)
    if face.volume > 0.0:
        place = plus(origin, vector(face.weighed_foot, 0))
        add_push(seen, pushes, of_b, place, times(sign * 6.0 * face.weight / total, n))
        place = plus(origin, vector(face.foot, 0))
        add_push(seen, pushes, of_b, place, times(-sign * seen.depth * face.volume / total, n))


@step_kernel
def shared_volume(pair, shapes, found, grow, seen, pushes, faces, polygons):
    """D (1) and its slopes (4) into ``seen`` and ``pushes``; D is 0 when nothing is shared.

    Args:
        pair: outlines with corners only, or half spaces, and their frames.
        found: answer of the search; ``grow``: move all faces out by so much [m].
    """
    a, b, polygons = pair.a, pair.b, open_sized(polygons, (2,))
    origin = middle(found.point_a, found.point_b)
    count = keep_faces(pair, shapes, found, origin, grow, faces)
    size = 4.0 * min(a.radius, b.radius)
    volume, first, second, inside, most = 0.0, 0.0, 0.0, ZERO, 0.0
    seen.depth, seen.pushes, seen.points = 0.0, 0, 1
    x, y, moments = ZERO, ZERO, ZERO
    for i in range(count):
        face = faces[i]
        face.volume = 0.0
        corners, now = face_polygon(faces, count, i, size, polygons)
        if corners < 3:
            continue
        n = vector(face.normal, 0)
        u, v = axes_of(n)
        at = times(face.offset, n)
        own, hu, hv, own_first, hhu, hhv, own_second = region_under(faces, count, i, corners, now, polygons)
        if own <= 0.0 or own_first <= 0.0:
            continue
        face.volume, face.weight = own, own_first
        put(face.foot, 0, plus_times(plus_times(at, hu / own, u), hv / own, v))
        put(face.weighed_foot, 0, plus_times(plus_times(at, hhu / own_first, u), hhv / own_first, v))
        volume += own
        first += own_first
        second += own_second
        inside = plus(inside, plus_times(times(own, vector(face.foot, 0)), -own_first, n))
        if own > most:
            most, x, y = own, u, v
            _, _, moments = area_moments(polygons[now], corners)
    if first <= 0.0:
        return
    seen.depth = 3.0 * second / first
    # A rigid body takes the opposite of what the other's faces say, equal to the last bit; one that deforms its own.
    opposite_a, opposite_b = a.rigid != 0, a.rigid == 0 and b.rigid != 0
    for i in range(count):
        of_b = faces[i].of_b
        if not (opposite_b if of_b != 0 else opposite_a):
            push_face(seen, pushes, faces[i], first, origin, of_b, 1.0)
            if opposite_a or opposite_b:
                push_face(seen, pushes, faces[i], first, origin, 1 - of_b, -1.0)
    place_centre(seen, pushes, plus_times(origin, 1.0 / volume, inside), found.normal)
    frame = pair.frame_b if a.half_space != 0 or a.radius > b.radius else pair.frame_a
    spread_along(seen, x, y, moments, level_axis(frame, vector(seen.normal, 0)))

r"""Depth of a capsule in another capsule, a half space or a polytope: the mean of the depth along its axis.

A capsule is all that lies within r of a segment p(s), |s| <= L. With phi(s) the distance of p(s) from the other outline
(from the axis of another capsule; negative inside a polytope), R = r (or the sum of both radii) and h = R - phi

    D = S_3 / S_2,    S_m = int h^m ds  over the stretch s_1 .. s_2 of the axis where h > 0                (1)

so D = h where the depth is the same all along, 3/4 of the greatest where an end dips in, 6/7 where it is a parabola;
twice differentiable where the stretch reaches an end of the axis (lower powers would cost order of the method).
phi is convex, so there is one stretch, and Newton's method from outside finds its ends without a detour. Two capsules
take the mean of D along either axis, which makes A and B alike.

The integrals are sums over Gauss' points s_1 + t_k (s_2 - s_1), and the slopes those of the sums, with the moving ends
(phi(s_1) = R, unless it is the end of the axis):

    dS_m = (s_2 - s_1) sum_k w_k m h_k^(m-1) (-dphi_k) + dS_m/ds_1 ds_1 + dS_m/ds_2 ds_2,                  (2)
    ds_1 = -dphi(s_1) / phi'(s_1),     dphi = n . (u_A(p) - u_B(c)),     phi' = n . p'                     (3)

with c the nearest point and n from c to p (envelope theorem). So what is integrated inexactly (phi has kinks in its
curvature where c passes a corner) makes D another smooth function of the overlap, but never costs energy.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.depth import add_push, place_centre
from centrode.dynamics.contact.gjk import nearest
from centrode.jit import step_kernel
from centrode.math.vector import (
    ZERO,
    cofactors,
    combined,
    dot,
    middle,
    minus,
    norm,
    plus_times,
    put,
    times,
    turn,
    vector,
)
from centrode.parts.outlines.outline import Corners, Curved, world_corner
from centrode.parts.outlines.plane import plane_normal

NODES = (
    (0.033765242898423975, 0.08566224618958525),
    (0.16939530676686776, 0.1803807865240693),
    (0.3806904069584015, 0.2339569672863455),
    (0.6193095930415985, 0.2339569672863455),
    (0.8306046932331322, 0.1803807865240693),
    (0.966234757101576, 0.08566224618958525),
)
"""Places and weights of Gauss' rule with six points on 0 .. 1."""
MOST_STEPS = 60


@step_kernel
def distance_from(p, outline, frame, shapes, corners):
    """Signed distance of the point p from a half space, the axis of a capsule, or a polytope.

    Returns:
        distance [m], unit vector from the nearest point to p (the face's normal inside), nearest point.
    """
    if outline.half_space != 0:
        n = plane_normal(frame.directors)
        gap = dot(minus(p, frame.position), n)
        return gap, n, plus_times(p, -gap, n)
    if outline.curved != Curved.NONE:
        along = frame.directors[2]
        s = min(max(dot(minus(p, frame.position), along), -outline.half_lengths[2]), outline.half_lengths[2])
        c = plus_times(frame.position, s, along)
        d = minus(p, c)
        gap = norm(d)
        return gap, times(1.0 / max(gap, 1e-300), d), c
    gap, n = deepest_face(p, outline, frame, shapes)
    if gap <= 0.0:  # inside
        return gap, n, plus_times(p, -gap, n)
    v = nearest_of_corners(p, outline, frame, shapes, corners)
    gap = norm(v)
    if gap <= 1e-14 * outline.radius:
        return gap, n, p
    return gap, times(-1.0 / gap, v), plus_times(p, 1.0, v)


@step_kernel
def deepest_face(p, outline, frame, shapes):
    """Largest signed distance of p from the planes of the faces of a polytope, and the normal of that face."""
    k = cofactors(frame.directors)
    scale = 1.0 / dot(frame.directors[0], k[0])
    x = times(scale, turn(k, minus(p, frame.position)))
    best, normal = -math.inf, ZERO
    if outline.corners == Corners.BOX:
        for i in range(3):
            length = scale * norm(k[i])
            gap = (abs(x[i]) - outline.half_lengths[i]) / length
            if gap > best:
                best, normal = gap, times(math.copysign(scale / length, x[i]), k[i])
        return best, normal
    for i in range(outline.first_face, outline.first_face + outline.faces):
        m = vector(shapes.faces[i], 0)
        n = times(scale, combined(k, m))
        length = norm(n)
        gap = (dot(m, x) - shapes.faces[i, 3]) / length
        if gap > best:
            best, normal = gap, times(1.0 / length, n)
    return best, normal


@step_kernel
def nearest_of_corners(p, outline, frame, shapes, corners):
    """Vector from p to the nearest point of a polytope that does not hold it (GJK with a point)."""
    shift = minus(frame.position, p)
    v = shift if norm(shift) > 0.0 else frame.directors[0]
    count = 0
    last = math.inf
    for _ in range(MOST_STEPS):
        away = times(-1.0, v)
        w = plus_times(shift, 1.0, world_corner(outline, shapes.points, frame, away))
        square = dot(v, v)
        if count > 0 and square - dot(v, w) <= 1e-15 * square:
            return v
        put(corners[count], 0, w)
        keep, weights, square = nearest(corners, count + 1)
        if keep == 15 or square >= last:
            return v
        last = square
        count = 0
        v = ZERO
        for i in range(4):
            if (keep >> i) & 1:
                w = vector(corners[i], 0)
                put(corners[count], 0, w)
                v = plus_times(v, weights[i], w)
                count += 1
    return v


@step_kernel
def stretch_ends(axis, low, radius, outline, frame, shapes, corners):
    """Where phi = R on either side of ``low``, a place below R.

    Returns:
        s_1, s_2, and of each whether it moves with the bodies (1.0; an end of the axis does not: 0.0).
    """
    centre, along, half = axis
    first, last, moves_first, moves_last = -half, half, 0.0, 0.0
    for side in range(2):
        inward = 1.0 if side == 0 else -1.0
        s, moves = -inward * half, 0.0
        for _ in range(MOST_STEPS):
            phi, n, _ = distance_from(plus_times(centre, s, along), outline, frame, shapes, corners)
            slope = inward * dot(n, along)
            if phi - radius <= 1e-15 * radius or slope >= 0.0:
                break
            moves = 1.0
            s -= inward * (phi - radius) / slope
        if side == 0:
            first, moves_first = min(s, low), moves
        else:
            last, moves_last = max(s, low), moves
    return first, last, moves_first, moves_last


@step_kernel
def lowest_place(axis, guess, radius, outline, frame, shapes, corners):
    """A place on the axis with phi < R, the guess or one nearer to the least phi (bisection on phi'); is there one?"""
    centre, along, half = axis
    s, low, high = min(max(guess, -half), half), -half, half
    for _ in range(MOST_STEPS):
        phi, n, _ = distance_from(plus_times(centre, s, along), outline, frame, shapes, corners)
        if phi < radius:
            return s, True
        if dot(n, along) > 0.0:
            high = s
        else:
            low = s
        s = 0.5 * (low + high)
        if high - low <= 1e-15 * half:
            break
    return s, False


@step_kernel
def sums_along(along, radius, length, first_push, pushes):
    """S_2 and S_3 per length, and their slopes over s_1 and s_2, from the points that stand in the PUSH rows."""
    s2, s3, by_first, by_last = 0.0, 0.0, (0.0, 0.0), (0.0, 0.0)
    spread = 0.0
    for k in range(len(NODES)):
        place, weight = NODES[k]
        p, c = vector(pushes[first_push + 2 * k].place, 0), vector(pushes[first_push + 2 * k + 1].place, 0)
        n = vector(pushes[first_push + 2 * k].slope, 0)
        h, rise = max(radius - dot(n, minus(p, c)), 0.0), -dot(n, along) * length
        one, two = weight * h, weight * h * h
        s2 += two
        s3 += two * h
        a, b = rise * (1.0 - place), rise * place
        by_first = (by_first[0] + 2.0 * one * a - two, by_first[1] + 3.0 * two * a - two * h)
        by_last = (by_last[0] + 2.0 * one * b + two, by_last[1] + 3.0 * two * b + two * h)
        spread += two * (place - 0.5) ** 2
    return s2, s3, by_first, by_last, spread


@step_kernel
def along_axis(of_b, share, guess, radius, outline, frame, other, frame_other, shapes, corners, seen, pushes):
    """Add ``share`` of D along the axis of one capsule, B's when ``of_b``, and of its slopes.

    Returns:
        middle of the stretch, mean square of the distance from it [m2].
    """
    centre, along, half = frame.position, frame.directors[2], outline.half_lengths[2]
    axis = (centre, along, half)
    low, touches = lowest_place(axis, guess, radius, other, frame_other, shapes, corners)
    if not touches:
        return plus_times(centre, low, along), 0.0
    first, last, moves_first, moves_last = stretch_ends(axis, low, radius, other, frame_other, shapes, corners)
    length = last - first
    begin = seen.pushes
    for k in range(len(NODES) + 2):  # the two ends behind the nodes
        place = NODES[k][0] if k < len(NODES) else float(k - len(NODES))
        p = plus_times(centre, first + place * length, along)
        _, n, c = distance_from(p, other, frame_other, shapes, corners)
        add_push(seen, pushes, of_b, p, n)
        add_push(seen, pushes, 1 - of_b, c, times(-1.0, n))
    s2, s3, by_first, by_last, spread = sums_along(along, radius, length, begin, pushes)
    if not s2 * length > 0.0:
        seen.pushes = begin
        return plus_times(centre, low, along), 0.0
    depth = s3 / s2
    for k in range(len(NODES) + 2):
        own, back = pushes[begin + 2 * k], pushes[begin + 2 * k + 1]
        n = vector(own.slope, 0)
        if k < len(NODES):
            h = max(radius - dot(n, minus(vector(own.place, 0), vector(back.place, 0))), 0.0)
            slope = -NODES[k][1] * h * (3.0 * h - 2.0 * depth) / s2
        else:
            by_end, moves = (by_first, moves_first) if k == len(NODES) else (by_last, moves_last)
            turned = dot(n, along)
            slope = 0.0
            if moves != 0.0 and turned != 0.0:
                slope = -(by_end[1] - depth * by_end[0]) / (s2 * length * turned)
        put(own.slope, 0, times(share * slope, n))
        put(back.slope, 0, times(-share * slope, n))
    seen.depth += share * depth
    return plus_times(centre, 0.5 * (first + last), along), spread / s2 * length * length


@step_kernel
def along_axes(pair, swept_a, swept_b, shapes, found, grow, seen, pushes, corners):
    """D (1) and its slopes (2) into ``seen`` and ``pushes``; arguments as in :func:`overlap.shared_volume`."""
    seen.depth, seen.pushes, seen.points = 0.0, 0, 4
    radius = grow + (pair.a.semi_axes[0] if swept_a else 0.0) + (pair.b.semi_axes[0] if swept_b else 0.0)
    share = 0.5 if swept_a and swept_b else 1.0
    inside = ZERO
    put(seen.radii[0], 0, ZERO)
    put(seen.radii[1], 0, ZERO)
    for of_b in range(2):
        if not (swept_b if of_b == 1 else swept_a):
            continue
        one, frame_one, two, frame_two = pair.a, pair.frame_a, pair.b, pair.frame_b
        touch = found.point_a
        if of_b == 1:
            one, frame_one, two, frame_two = pair.b, pair.frame_b, pair.a, pair.frame_a
            touch = found.point_b
        guess = dot(minus(touch, frame_one.position), frame_one.directors[2])
        place, wide = along_axis(
            of_b, share, guess, radius, one, frame_one, two, frame_two, shapes, corners, seen, pushes
        )
        inside = plus_times(inside, share, place)
        # Along each axis two points of four, whose mean square distance is that of the stretch.
        put(seen.radii[of_b], 0, times(math.sqrt(2.0 * share * wide), frame_one.directors[2]))
    if not seen.depth > 0.0:
        return
    place_centre(seen, pushes, inside, found.normal)
    n, centre = vector(seen.normal, 0), vector(seen.centre, 0)
    # The middle of the stretch lies on an axis; friction acts between the two surfaces.
    surface = dot(middle(found.point_a, found.point_b), n)
    put(seen.centre, 0, plus_times(centre, surface - dot(centre, n), n))
    for k in range(2):
        radius_k = vector(seen.radii[k], 0)
        put(seen.radii[k], 0, plus_times(radius_k, -dot(radius_k, n), n))

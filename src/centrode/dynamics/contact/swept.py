r"""Depth of a capsule in another capsule, a polytope or a cylinder: the mean of the depth along its axis.

A capsule is all that lies within r of a segment p(s), |s| <= L. With phi(s) the distance of p(s) from the other outline
(from the axis of another capsule; negative inside of others), R = r (or the sum of both radii) and h = R - phi

    D = S_4 / S_3,    S_m = int h^m ds  over the stretch s_1 .. s_2 of the axis where h > 0                (1)

so D = h where the depth is the same all along, 4/5 of the greatest where an end dips in, 8/9 where it is a parabola.
What enters the stretch within e of its end changes S_3 by e^4, so D has three continuous derivatives where the stretch
reaches an end of the axis, and the force two, which a method of order 4 asks for. phi is convex, so there is one
stretch, and Newton's method from outside finds its ends without a detour. Two capsules take the mean of D along either
axis, which makes A and B alike.

Where the nearest feature of the other outline changes (:mod:`nearest_feature`) the curvature of phi jumps. The stretch
is cut there, and each piece is a sum over Gauss' points, so that D does not feel how these borders b move. The slopes
are those of the sums, with the moving ends (phi(s_1) = R, unless it is the end of the axis) and borders:

    dS_m = sum_k l w_k m h_k^(m-1) (-dphi_k) + dS_m/ds_1 ds_1 + dS_m/ds_2 ds_2 + sum dS_m/db db,           (2)
    ds_1 = -dphi(s_1) / phi'(s_1),     dphi = n . (u_A(p) - u_B(c)),     phi' = n . p'                     (3)
    db = -N . (u_A(p) - u_B(p)) / N . p'                                                                   (4)

with l the length of a piece, c the nearest point and n from c to p (envelope theorem). What is integrated inexactly
makes D another function of the overlap, but never costs energy. dS_m/db is nothing but the error of Gauss' rule. D has
two continuous derivatives only where a border passes an end of the axis that is in the overlap.

All points p lie on one axis, whose places are weighted means of two of them, so the slopes of all points are two PUSH
rows. A rigid body takes the opposite ones, since p - c is along n; one that deforms takes rows at its centre and one
director from it, of which c is a weighted mean.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.depth import add_push, place_centre
from centrode.dynamics.contact.nearest_feature import (
    MOST_STEPS,
    Line,
    along_feature,
    feature_at,
    is_same,
    next_border,
    square_frame,
)
from centrode.jit import step_kernel
from centrode.math.vector import (
    ZERO,
    add,
    cofactors,
    dot,
    middle,
    minus,
    plus,
    plus_times,
    put,
    times,
    turn,
    vector,
)

NODES = (
    (0.013046735741414128, 0.03333567215434407),
    (0.06746831665550773, 0.0747256745752902),
    (0.16029521585048778, 0.109543181257991),
    (0.2833023029353764, 0.13463335965499826),
    (0.4255628305091844, 0.1477621123573764),
    (0.5744371694908156, 0.1477621123573764),
    (0.7166976970646236, 0.13463335965499826),
    (0.8397047841495122, 0.109543181257991),
    (0.9325316833444923, 0.0747256745752902),
    (0.9869532642585859, 0.03333567215434407),
)
"""Places and weights of Gauss' rule with ten points on 0 .. 1."""

# -- the stretch -------------------------------------------------------------------------------------------------------


@step_kernel
def stretch_ends(line, half, low, radius, outline, frame, shapes, corners):
    """Where phi = R on either side of ``low``, a place below R.

    Returns:
        s_1, s_2, and of each whether it moves with the bodies (an end of the axis does not).
    """
    first, last, moves_first, moves_last = -half, half, False, False
    for side in range(2):
        inward = 1.0 if side == 0 else -1.0
        s, moves = -inward * half, False
        for _ in range(MOST_STEPS):
            near = feature_at(line, s, outline, frame, shapes, corners)
            slope = inward * dot(near.n, line.along)
            if near.gap - radius <= 1e-15 * radius or slope >= 0.0:
                break
            moves = True
            s -= inward * (near.gap - radius) / slope
        if side == 0:
            first, moves_first = min(s, low), moves
        else:
            last, moves_last = max(s, low), moves
    return first, last, moves_first, moves_last


@step_kernel
def lowest_place(line, half, guess, radius, outline, frame, shapes, corners):
    """A place on the axis with phi < R, the guess or one nearer to the least phi (bisection on phi'); is there one?"""
    s, low, high = min(max(guess, -half), half), -half, half
    for _ in range(MOST_STEPS):
        near = feature_at(line, s, outline, frame, shapes, corners)
        if near.gap < radius:
            return s, True
        if dot(near.n, line.along) > 0.0:
            high = s
        else:
            low = s
        s = 0.5 * (low + high)
        if high - low <= 1e-15 * half:
            break
    return s, False


# -- slopes of S_3 and S_4, side by side in PUSH rows ----------------------------------------------------------------


@step_kernel
def begin_rows(of_b, line, other, frame_other, seen, pushes):
    """Rows with slopes zero, those of S_4 and then those of S_3: two on the axis, four of the other if it deforms.

    Returns:
        their number.
    """
    for _ in range(2):
        add_push(seen, pushes, of_b, line.origin, ZERO)
        add_push(seen, pushes, of_b, plus(line.origin, line.along), ZERO)
        if other.rigid == 0:
            add_push(seen, pushes, 1 - of_b, frame_other.position, ZERO)
            for i in range(3):
                add_push(seen, pushes, 1 - of_b, plus(frame_other.position, frame_other.directors[i]), ZERO)
    return 2 if other.rigid != 0 else 6


@step_kernel
def add_slopes(pushes, begin, rows, s, c, frame_other, n, slopes):
    """Slopes (of S_3, of S_4) along n at the place s of the axis, and their opposite at the other's point c."""
    for m in range(2):
        first = begin + (1 - m) * rows
        f = times(slopes[m], n)
        add(pushes[first].slope, 0, times(1.0 - s, f))
        add(pushes[first + 1].slope, 0, times(s, f))
        if rows > 2:
            k = cofactors(frame_other.directors)
            x = times(1.0 / dot(frame_other.directors[0], k[0]), turn(k, minus(c, frame_other.position)))
            add(pushes[first + 2].slope, 0, times(x[0] + x[1] + x[2] - 1.0, f))
            for i in range(3):
                add(pushes[first + 3 + i].slope, 0, times(-x[i], f))


@step_kernel
def combine_rows(seen, pushes, begin, rows, share, depth, sum_low):
    """Rows of D from those of S_4 and S_3: dD = (dS_4 - D dS_3) / S_3; the opposite for a rigid other body."""
    for k in range(rows):
        up, low = pushes[begin + k], pushes[begin + rows + k]
        slope = plus_times(vector(up.slope, 0), -depth, vector(low.slope, 0))
        put(up.slope, 0, times(share / sum_low, slope))
    seen.pushes = begin + rows
    if rows == 2:
        for k in range(2):
            row = pushes[begin + k]
            add_push(seen, pushes, 1 - row.of_b, vector(row.place, 0), times(-1.0, vector(row.slope, 0)))


# -- sums --------------------------------------------------------------------------------------------------------------


@step_kernel
def add_piece(line, radius, first, last, near, frame_other, begin, rows, pushes):
    """S_3, S_4 over a piece with the feature ``near``, int h^3 s and int h^3 s^2, and the slopes of the sums over its
    two ends; the slopes over the motion of the bodies go into the rows.
    """
    length = last - first
    low, up, moment, square = 0.0, 0.0, 0.0, 0.0
    by_first, by_last = (0.0, 0.0), (0.0, 0.0)
    for k in range(len(NODES)):
        place, weight = NODES[k]
        s = first + place * length
        gap, n, c = along_feature(near, line, s)
        h = max(radius - gap, 0.0)
        third = h * h * h
        low += weight * length * third
        up += weight * length * third * h
        moment += weight * length * third * s
        square += weight * length * third * s * s
        # of S_3 and S_4 over phi at this point
        slope_low, slope_up = -weight * length * 3.0 * h * h, -weight * length * 4.0 * third
        add_slopes(pushes, begin, rows, s, c, frame_other, n, (slope_low, slope_up))
        rise = dot(n, line.along)
        by_first = (
            by_first[0] + slope_low * rise * (1.0 - place) - weight * third,
            by_first[1] + slope_up * rise * (1.0 - place) - weight * third * h,
        )
        by_last = (
            by_last[0] + slope_low * rise * place + weight * third,
            by_last[1] + slope_up * rise * place + weight * third * h,
        )
    return (low, up, moment, square), by_first, by_last


@step_kernel
def add_end(line, s, n, c, by_end, frame_other, begin, rows, pushes):
    """Slopes over a moving end (3) or border (4), n . (u_A - u_B) / n . p' the other way."""
    turned = dot(n, line.along)
    if turned != 0.0:
        add_slopes(pushes, begin, rows, s, c, frame_other, n, (-by_end[0] / turned, -by_end[1] / turned))


@step_kernel
def add_pieces(line, radius, stretch, other, frame_other, shapes, corners, begin, rows, pushes):
    """All pieces of a stretch: S_3, S_4, int h^3 s, int h^3 s^2; their slopes go into the rows."""
    first, last, moves_first, moves_last = stretch
    here = feature_at(line, first, other, frame_other, shapes, corners)
    there = feature_at(line, last, other, frame_other, shapes, corners)
    left, border, pending = first, here.n, (0.0, 0.0)
    total = (0.0, 0.0, 0.0, 0.0)
    most = 24  # of a line through a polytope with that many cells in a row, the rest counts as one
    for piece in range(most):
        right, normal, behind = last, there.n, there
        is_last = piece == most - 1 or is_same(here, there, other.radius)
        if not is_last:
            right, normal, behind = next_border(line, left, here, last, there, other, frame_other, shapes, corners)
        sums, by_first, by_last = add_piece(line, radius, left, right, here, frame_other, begin, rows, pushes)
        total = (total[0] + sums[0], total[1] + sums[1], total[2] + sums[2], total[3] + sums[3])
        by_first = (by_first[0] + pending[0], by_first[1] + pending[1])
        if piece == 0:
            if moves_first:
                foot = plus_times(plus_times(line.origin, left, line.along), -here.gap, here.n)
                add_end(line, left, here.n, foot, by_first, frame_other, begin, rows, pushes)
        else:
            at = plus_times(line.origin, left, line.along)
            add_end(line, left, border, at, by_first, frame_other, begin, rows, pushes)
        if is_last:
            if moves_last:
                foot = plus_times(plus_times(line.origin, right, line.along), -there.gap, there.n)
                add_end(line, right, there.n, foot, by_last, frame_other, begin, rows, pushes)
            break
        left, border, pending, here = right, normal, by_last, behind
    return total


@step_kernel
def along_axis(of_b, share, guess, radius, outline, frame, other, frame_other, shapes, corners, seen, pushes):
    """Add ``share`` of D along the axis of one capsule, B's when ``of_b``, and of its slopes.

    Returns:
        middle of the stretch, mean square of the distance from it [m2].
    """
    line, half = Line(frame.position, frame.directors[2]), outline.half_lengths[2]
    low, touches = lowest_place(line, half, guess, radius, other, frame_other, shapes, corners)
    if not touches:
        return plus_times(line.origin, low, line.along), 0.0
    stretch = stretch_ends(line, half, low, radius, other, frame_other, shapes, corners)
    begin = seen.pushes
    rows = begin_rows(of_b, line, other, frame_other, seen, pushes)
    sums = add_pieces(line, radius, stretch, other, frame_other, shapes, corners, begin, rows, pushes)
    if not sums[0] > 0.0:
        seen.pushes = begin
        return plus_times(line.origin, low, line.along), 0.0
    depth = sums[1] / sums[0]
    combine_rows(seen, pushes, begin, rows, share, depth, sums[0])
    seen.depth += share * depth
    centre = 0.5 * (stretch[0] + stretch[1])
    wide = sums[3] / sums[0] - centre * (2.0 * sums[2] / sums[0] - centre)
    return plus_times(line.origin, centre, line.along), max(wide, 0.0)


@step_kernel
def along_axes(pair, swept_a, swept_b, shapes, found, grow, seen, pushes, corners):
    """D (1) and its slopes (2) into ``seen`` and ``pushes``; arguments as in :func:`overlap.shared_volume`."""
    seen.depth, seen.pushes, seen.points = 0.0, 0, 4
    radius = grow + (pair.a.semi_axes[0] if swept_a else 0.0) + (pair.b.semi_axes[0] if swept_b else 0.0)
    share = 0.5 if swept_a and swept_b else 1.0
    inside = ZERO
    square_a, square_b = square_frame(pair.a, pair.frame_a), square_frame(pair.b, pair.frame_b)
    put(seen.radii[0], 0, ZERO)
    put(seen.radii[1], 0, ZERO)
    for of_b in range(2):
        if not (swept_b if of_b == 1 else swept_a):
            continue
        one, frame_one, two, frame_two = pair.a, square_a, pair.b, square_b
        touch = found.point_a
        if of_b == 1:
            one, frame_one, two, frame_two = pair.b, square_b, pair.a, square_a
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

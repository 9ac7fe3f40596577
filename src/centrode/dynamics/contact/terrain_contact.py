r"""Depth of an outline in terrain: the mean over fixed points of it, each with the distance from the surface itself.

One plane below the lowest point (:mod:`surface`) is no potential over bumps: it turns and shifts under a body that lies
still elsewhere on it, and a box on bumps made energy until its run was stopped. Here each point p_i of an outline
(:mod:`probes`), with a ball of radius R about it or none, has its own depth h_i = R - phi(p_i), phi the distance from
the terrain (:mod:`terrain_foot`), and

    D = S_4 / S_3,    S_m = sum h_i^m  over the points with h > 0                                           (1)
    dD = -sum h_i^2 (4 h_i - 3 D) / S_3  n_i . u(p_i),       dphi = n . u                                   (2)

as along the axes of capsules (:mod:`swept`): D = h for one corner and for a side that is equally deep all over, and a
point that comes in by e changes S_3 by e^3, so that forces begin without a kink. D is a function of the pose alone and
(2) its gradient, so elastic laws conserve whatever the bumps are. How many points there are does not change it.

All points move with one affine frame, p = r + sum X_j d_j, so their slopes are four PUSH rows at r and r + d_j. The
ground has the opposite ones.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.depth import (
    NOTHING,
    add_push,
    add_weighted,
    added,
    level_axis,
    place_centre,
    spread_sums,
)
from centrode.dynamics.contact.search import Status
from centrode.dynamics.contact.tables import PROBED, Meets, borrow_contacts
from centrode.jit import step_kernel, types
from centrode.math.vector import ZERO, minus, plus, plus_times, put, times, vector
from centrode.parts.outlines.outline import PLACED, frame_at, point_of
from centrode.parts.roads.terrain import terrain_point
from centrode.parts.roads.terrain_foot import terrain_foot

NEAR = 2.0
"""Balls higher than this many radii over the ground need no foot to be known apart."""

GAP_SIGNATURE = types.Tuple((types.float64, types.vector, types.vector))(
    types.floats2,
    types.float64,
    types.boolean,
    types.from_dtype(PROBED),
    types.floats2,
    types.from_dtype(PLACED),
)


@step_kernel
def height_over(table, ends, p):
    """Height of a point over the terrain straight below it [m]; infinite beside a road that ends there."""
    below, _, _, status = terrain_point(table, p)
    if ends and status != 0.0:
        return math.inf
    return p[2] - below[2]


@step_kernel(signature=GAP_SIGNATURE)
def terrain_gap(table, steepest, ends, probed, probes, placed):
    """Least distance of the points of an outline from a terrain, or a lower bound where all are above it.

    Args:
        table: of the terrain; steepest: bound of its slope (:func:`terrain_foot.steepest`).
        ends: whether there is no ground beside it.
        probed: row of the outline; probes: points of all; placed: its frame.

    Returns:
        gap [m], normal of the terrain there (up), point of the outline.
    """
    frame = frame_at(placed)
    best, normal, point = math.inf, (0.0, 0.0, 1.0), frame.position
    radius = probed.radius
    for k in range(probed.first, probed.first + probed.count):
        p = point_of(frame, vector(probes[k], 0))
        height = height_over(table, ends, p)
        bound = height / steepest - radius if height > 0.0 else -math.inf
        if bound >= best:
            continue
        if height > NEAR * radius * steepest:
            best, point = bound, plus_times(p, -radius, normal)
            continue
        phi, n, _ = terrain_foot(table, p)
        if phi - radius < best:
            best, normal, point = phi - radius, n, plus_times(p, -radius, n)
    return best, normal, point


@step_kernel
def feels_terrain(contacts, pair):
    """Whether a pair is terrain and an outline with points that feel it."""
    if pair.meets < Meets.AIMED_A or pair.crush != 0:
        return False
    t = borrow_contacts(contacts)
    s, b = (pair.a, pair.b) if pair.meets == Meets.AIMED_A else (pair.b, pair.a)
    return t.roads[t.outlines[s].surface - 1].steepest > 0.0 and t.probed[b].count > 0


@step_kernel
def search_terrain(contacts, pair):
    """Gap, normal and points of such a pair."""
    t = borrow_contacts(contacts)
    first = pair.meets == Meets.AIMED_A
    s, b = (pair.a, pair.b) if first else (pair.b, pair.a)
    row = t.roads[t.outlines[s].surface - 1]
    table = t.road_tables[row.first : row.first + row.rows]
    gap, n, x = terrain_gap(table, row.steepest, row.ends != 0, t.probed[b], t.probes, t.placed[b])
    pair.gap, pair.status = gap, Status.CONVERGED
    foot = plus_times(x, -gap, n) if gap < math.inf else x
    along = n if first else times(-1.0, n)  # from A to B
    put(pair.normal, 0, along)
    put(pair.warm, 0, along)
    put(pair.point_a, 0, foot if first else x)
    put(pair.point_b, 0, x if first else foot)


@step_kernel
def add_rows(of_b, frame, depth, s3, by_s4, by_s3, seen, pushes):
    """Rows (2) of the outline at r and r + d_j, and the opposite ones of the ground."""
    places = (
        frame.position,
        plus(frame.position, frame.directors[0]),
        plus(frame.position, frame.directors[1]),
        plus(frame.position, frame.directors[2]),
    )
    rest = ZERO
    for j in range(1, 4):
        slope = times(-1.0 / s3, plus_times(by_s4[j], -depth, by_s3[j]))
        rest = plus(rest, slope)
        add_push(seen, pushes, of_b, places[j], slope)
        add_push(seen, pushes, 1 - of_b, places[j], times(-1.0, slope))
    slope = minus(times(-1.0 / s3, plus_times(by_s4[0], -depth, by_s3[0])), rest)
    add_push(seen, pushes, of_b, places[0], slope)
    add_push(seen, pushes, 1 - of_b, places[0], times(-1.0, slope))


@step_kernel
def measure_terrain(contacts, pair, grow, seen):
    """Depth (1), its slopes (2) and where they press, into ``seen`` and the rows of pushes."""
    t = borrow_contacts(contacts)
    first = pair.meets == Meets.AIMED_A
    s, b = (pair.a, pair.b) if first else (pair.b, pair.a)
    row, probed = t.roads[t.outlines[s].surface - 1], t.probed[b]
    table = t.road_tables[row.first : row.first + row.rows]
    frame, reach = frame_at(t.placed[b]), probed.radius + grow
    seen.depth, seen.pushes, seen.points = 0.0, 0, 4 if probed.count > 1 else 1
    put(seen.radii[0], 0, ZERO)
    put(seen.radii[1], 0, ZERO)
    sums = NOTHING  # of places between the surfaces, about the frame's
    by_s3, by_s4 = (ZERO, ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO, ZERO)
    for k in range(probed.first, probed.first + probed.count):
        x = vector(t.probes[k], 0)
        p = point_of(frame, x)
        if height_over(table, row.ends != 0, p) > reach * row.steepest:
            continue
        phi, n, _ = terrain_foot(table, p)
        h = reach - phi
        if h <= 0.0:
            continue
        third = h * h * h
        by_s3 = add_weighted(by_s3, 3.0 * h * h, x, n)
        by_s4 = add_weighted(by_s4, 4.0 * third, x, n)
        d = minus(plus_times(p, 0.5 * h - probed.radius, n), frame.position)
        sums = added(sums, third, h, d)
    if not sums.low > 0.0:
        return
    seen.depth = sums.up / sums.low
    add_rows(1 if first else 0, frame, seen.depth, sums.low, by_s4, by_s3, seen, t.pushes)
    place_centre(seen, t.pushes, plus_times(frame.position, 1.0 / sums.low, sums.mean), vector(pair.warm, 0))
    if seen.points > 1:
        spread_sums(seen, sums, level_axis(frame, vector(seen.normal, 0)))

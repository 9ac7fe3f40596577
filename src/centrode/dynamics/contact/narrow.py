"""Narrow phase: gap, normal and points of one pair of outlines, whatever their kinds.

The gap is the least translation that brings the outlines to touch: positive the distance, negative minus the depth.
Why this definition and not the one of the MEDUSA report (1999): with U = k/2 depth^2 the forces at the two points
are exactly -dU/dz (envelope theorem), both lie on one line, so energy and angular momentum are kept; and a depth in
metres makes a stiffness in N/m mean the same from every side.

Which search: two outlines without corners by Newton (:mod:`newton`), a half space by one support evaluation, all else
by sequential quadratic programming (:mod:`sqp`) from the start that GJK and EPA find. The latter two also check cold,
deep overlaps of smooth outlines, where several translations may be locally least, and take over if Newton gives up.

:mod:`sqp` finds the local minimum of the support function h of the difference set M = {b - a} that belongs to a start,
exact to round-off. What is left is to find the right start:

- If both outlines are curved with radii of at least rho together, M is a core plus a ball. A minimum below rho is the
  global one (the region h - rho < 0 is convex), so most queries end after the first descent.
- Otherwise GJK (:mod:`gjk`) decides whether the core holds the origin. As soon as some direction proves that it does
  not, the descent from that direction is the answer.
- If it does, EPA (:mod:`epa`) tells which directions can still be better than the best one known, and the descent tries
  them until none is left.

Chosen instead of face and edge enumeration (separating axes) because it needs no face tables, takes any F and mixes
with curved outlines.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.epa import EXPLAINED, advance, begin, remember_tried
from centrode.dynamics.contact.flat_ends import dome_of, flat_gap, gap_along, is_ball_or_capsule, on_cylinder
from centrode.dynamics.contact.gjk import core_apart, least_radius
from centrode.dynamics.contact.newton import START_TOLERANCE, growth, least_translation
from centrode.dynamics.contact.search import CLOSEST_SIGNATURE, Closest, Pair, Search, Status
from centrode.dynamics.contact.sqp import descend
from centrode.jit import call_by_address, step_kernel
from centrode.math.vector import ZERO, dot, minus, norm, plus_times, times, vector
from centrode.parts.outlines.outline import Corners, Shapes, frame_at
from centrode.parts.outlines.plane import plane_normal
from centrode.parts.outlines.support import support_world

# Cold overlaps deeper than this fraction of the thinner outline's half-width get the global check. Pointed outlines
# (squareness above 1) have ridges with small radii of curvature, so several translations are locally least early on.
DEEP = 0.25
DEEP_POINTED = 0.01

FIRST, GLOBAL, LAST = 0, 1, 2


@step_kernel
def is_zero(v):
    """Whether a vector is zero."""
    return v[0] == 0.0 and v[1] == 0.0 and v[2] == 0.0


@step_kernel
def _above_half_space(frame, other, frame_other, shapes):
    """Gap of an outline above a half space, normal of the half space, point on it, point on the outline."""
    n = plane_normal(frame.directors)
    _, point = support_world(other, shapes, frame_other, times(-1.0, n))
    gap = dot(minus(point, frame.position), n)
    return gap, n, plus_times(point, -gap, n), point


@step_kernel
def closest(pair, search, warm):
    """Gap, normal and closest (or deepest) points of two outlines.

    Args:
        pair: outlines and their frames (not those of the bodies).
        search: shapes of all outlines, and room.
        warm: normal of the last query, unit, A to B; zeros for a cold start.
    """
    if pair.a.half_space:
        if pair.b.half_space:
            return Closest(math.inf, (0.0, 0.0, 1.0), ZERO, ZERO, Status.NO_ANSWER, 0)
        gap, n, point_a, point_b = _above_half_space(pair.frame_a, pair.b, pair.frame_b, search.shapes)
        return Closest(gap, n, point_a, point_b, Status.CONVERGED, 1)
    if pair.b.half_space:
        gap, n, point_b, point_a = _above_half_space(pair.frame_b, pair.a, pair.frame_a, search.shapes)
        return Closest(gap, times(-1.0, n), point_a, point_b, Status.CONVERGED, 1)
    cold = is_zero(warm)
    smooth = pair.a.corners == Corners.NONE and pair.b.corners == Corners.NONE
    n = warm
    spent = 0
    if smooth:
        if cold:
            _, n, _, spent = growth(pair, search, START_TOLERANCE)
        found, lowest = least_translation(pair, search, n)
        spent += found.evaluations
        centres = minus(pair.frame_b.position, pair.frame_a.position)
        if not cold and dot(found.normal, centres) < 0.0:
            # Both are symmetric, so -n is better: a normal left over from a wild stage led to the far side.
            _, n, _, more = growth(pair, search, START_TOLERANCE)
            found, lowest = least_translation(pair, search, n)
            spent += more + found.evaluations
            cold = True
        deep = False
        if cold and found.gap < 0.0:
            pointed = pair.a.exponent < 2.0 or pair.b.exponent < 2.0
            allowed = (DEEP_POINTED if pointed else DEEP) * min(pair.a.thickness, pair.b.thickness)
            deep = -found.gap > allowed or lowest <= 0.0
        if found.status == Status.CONVERGED and not deep:
            return Closest(found.gap, found.normal, found.point_a, found.point_b, found.status, spent)
        n = found.normal
    elif cold:
        n = minus(pair.frame_b.position, pair.frame_a.position)
    found = closest_global(pair, search, n)
    status = found.status
    if status == Status.CONVERGED and smooth:
        status = Status.CONVERGED_BY_EPA
    return Closest(found.gap, found.normal, found.point_a, found.point_b, status, spent + found.evaluations)


@step_kernel
def closest_global(pair, search, n):
    """Closest points, or least translation, of any two convex outlines: GJK, EPA and the descent from their directions.

    ``n`` is the direction to start with (the last normal), world; it need not be a unit vector.
    """
    length = norm(n)
    n = (1.0, 0.0, 0.0) if length < 1e-300 else times(1.0 / length, n)
    rho = least_radius(pair.a, pair.frame_a.directors) + least_radius(pair.b, pair.frame_b.directors)
    size = pair.a.radius + pair.b.radius
    best = Closest(-math.inf, n, ZERO, ZERO, Status.ROOM_EXHAUSTED, 0)
    status = best.status
    evaluations = 0
    stage = FIRST
    counts = (4, 4, 0)
    full = False
    while True:
        trial = descend(pair, search, n)
        evaluations += trial.evaluations
        if trial.gap > best.gap:
            best = trial
            status = trial.status
        if best.gap > -rho or stage == LAST:
            break
        if stage == FIRST:
            apart, u, count, spent = core_apart(pair, search, rho, times(-1.0, best.normal))
            evaluations += spent
            solid = False
            if not apart:
                solid, u, spent = begin(pair, search, rho, count, size)
                evaluations += spent
            if not solid:  # apart, or a flat core (crossing segments), which is left along its normal
                n = times(-1.0, u)
                stage = LAST
                continue
            stage = GLOBAL
        tried = remember_tried(search.room.tried, counts[2], times(-1.0, trial.normal))
        more, u, counts, full, spent = advance(
            pair, search, rho, (counts[0], counts[1], tried), -best.gap - rho, full, size, EXPLAINED
        )
        evaluations += spent
        if not more:
            if status == Status.CONVERGED and full:
                status = Status.AMBIGUOUS
            break
        n = times(-1.0, u)
    return Closest(best.gap, best.normal, best.point_a, best.point_b, status, evaluations)


@step_kernel(signature=CLOSEST_SIGNATURE)
def find_closest(a, placed_a, b, placed_b, points, handles, faces, room, warm, within):
    """As :func:`closest`, but ends with status APART when a quick test proves that the gap exceeds ``within`` [m].

    Bounding spheres first, then the last normal; the gap is then a lower bound.

    Args:
        a, b: outlines; placed_a, placed_b: rows with their frames (PLACED).
        points, handles, faces: shapes of all outlines; room: a record ROOM.
        warm: normal of the last query, or zeros.
    """
    reach = placed_a.reach + placed_b.reach
    if reach < math.inf:
        d = minus(vector(placed_b.position, 0), vector(placed_a.position, 0))
        square = dot(d, d)
        if square > (reach + within) * (reach + within):
            return Closest(math.sqrt(square) - reach, warm, ZERO, ZERO, Status.APART, 1)
    search = Search(Shapes(points, handles, faces), room)
    pair = Pair(a, frame_at(placed_a), b, frame_at(placed_b))
    domes = dome_of(a) + dome_of(b)
    if reach < math.inf and not is_zero(warm):
        bound = gap_along(pair, search.shapes, warm) - domes
        if bound > within:
            return Closest(bound, warm, ZERO, ZERO, Status.APART, 1)
    if domes == 0.0:
        return closest(pair, search, warm)
    corners = room.points[:]
    if is_ball_or_capsule(a):
        return on_cylinder(a, pair.frame_a, b, pair.frame_b, search.shapes, corners, True)
    if is_ball_or_capsule(b):
        return on_cylinder(b, pair.frame_b, a, pair.frame_a, search.shapes, corners, False)
    found = closest(pair, search, warm)
    # Flat ends reach farther than domed ones by the height of the domes at most.
    gap = flat_gap(pair, search.shapes, corners, found) if found.gap < domes else found.gap
    return Closest(gap, found.normal, found.point_a, found.point_b, found.status, found.evaluations)


call_closest = call_by_address(CLOSEST_SIGNATURE)

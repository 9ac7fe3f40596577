"""Narrow phase: gap, normal and points of one pair of outlines, whatever their kinds.

The gap is the least translation that brings the outlines to touch: positive the distance, negative minus the depth.
Why this definition and not the one of the MEDUSA report (1999): with U = k/2 depth^2 the forces at the two points
are exactly -dU/dz (envelope theorem), both lie on one line, so energy and angular momentum are kept; and a depth in
metres makes a stiffness in N/m mean the same from every side.

Which search: two smooth outlines by Newton (:mod:`smooth`), a plane by one support evaluation, all else by GJK and
EPA (:mod:`polytope`), which also checks cold, deep overlaps of smooth outlines, where several translations may
be locally least, and takes over if Newton gives up.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.codes import (
    APART,
    CONVERGED,
    CONVERGED_BY_POLYTOPE,
    NO_ANSWER,
)
from centrode.dynamics.contact.polytope import closest_polytope
from centrode.dynamics.contact.smooth import START_TOLERANCE, growth, least_translation
from centrode.jit import step_kernel
from centrode.parts.outlines.outline import EXPONENT, KIND, PLANE, RADIUS_BOUND, SMOOTH, THICKNESS, largest_stretch
from centrode.parts.outlines.plane import plane_normal
from centrode.parts.outlines.support import support_world

# Cold overlaps deeper than this fraction of the thinner outline's half-width get the global check. Pointed outlines
# (squareness above 1) have ridges with small radii of curvature, so several translations are locally least early on.
DEEP = 0.25
DEEP_POINTED = 0.01


@step_kernel
def gap_along(row_a, frame_a, row_b, frame_b, pool, n0, n1, n2):
    """Gap along the unit vector n [m], eq. (1) of :mod:`smooth`; positive proves separation."""
    top, _, _, _ = support_world(row_a, pool, frame_a, n0, n1, n2)
    bottom, _, _, _ = support_world(row_b, pool, frame_b, -n0, -n1, -n2)
    return -bottom - top


@step_kernel
def surely_apart(row_a, frame_a, row_b, frame_b, pool, warm, within):
    """Quick tests: a lower bound of the gap above ``within`` [m], or -infinity when they prove nothing.

    Bounding spheres first, then the last normal (``warm``; zero vector: none).
    """
    ra = row_a[RADIUS_BOUND] * largest_stretch(frame_a)
    rb = row_b[RADIUS_BOUND] * largest_stretch(frame_b)
    if ra < math.inf and rb < math.inf:
        d0 = frame_b[0] - frame_a[0]
        d1 = frame_b[1] - frame_a[1]
        d2 = frame_b[2] - frame_a[2]
        reach = ra + rb + within
        square = d0 * d0 + d1 * d1 + d2 * d2
        if square > reach * reach:
            return math.sqrt(square) - ra - rb
        if warm[0] != 0.0 or warm[1] != 0.0 or warm[2] != 0.0:
            bound = gap_along(row_a, frame_a, row_b, frame_b, pool, warm[0], warm[1], warm[2])
            if bound > within:
                return bound
    return -math.inf


@step_kernel
def _plane_first(frame_plane, row_b, frame_b, pool):
    """A is the plane: gap, normal from A to B, point on A, point on B."""
    n0, n1, n2 = plane_normal(frame_plane)
    _, b0, b1, b2 = support_world(row_b, pool, frame_b, -n0, -n1, -n2)
    gap = (b0 - frame_plane[0]) * n0 + (b1 - frame_plane[1]) * n1 + (b2 - frame_plane[2]) * n2
    return gap, n0, n1, n2, b0 - gap * n0, b1 - gap * n1, b2 - gap * n2, b0, b1, b2


@step_kernel
def closest(row_a, frame_a, row_b, frame_b, pool, warm, work, iwork):
    """Gap, normal and closest (or deepest) points of two outlines.

    Args:
        row_a, row_b: outline rows.
        frame_a, frame_b: frames of the outlines (not of the bodies), float64[12].
        pool: corners of all polyhedra, float64[n, 3].
        warm: normal of the last query, float64[3], unit, A to B; zeros for a cold start.
        work, iwork: work arrays, float64[WORK], int64[WORK_INT].

    Returns:
        gap [m] (negative: depth), n (3) unit from A to B, point on A (3), point on B (3), status, evaluations.
    """
    kind_a = int(row_a[KIND])
    kind_b = int(row_b[KIND])
    if kind_a == PLANE:
        if kind_b == PLANE:
            return math.inf, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, NO_ANSWER, 0
        gap, n0, n1, n2, a0, a1, a2, b0, b1, b2 = _plane_first(frame_a, row_b, frame_b, pool)
        return gap, n0, n1, n2, a0, a1, a2, b0, b1, b2, CONVERGED, 1
    if kind_b == PLANE:
        gap, n0, n1, n2, b0, b1, b2, a0, a1, a2 = _plane_first(frame_b, row_a, frame_a, pool)
        return gap, -n0, -n1, -n2, a0, a1, a2, b0, b1, b2, CONVERGED, 1
    cold = warm[0] == 0.0 and warm[1] == 0.0 and warm[2] == 0.0
    n0, n1, n2 = warm[0], warm[1], warm[2]
    spent = 0
    if kind_a != SMOOTH or kind_b != SMOOTH:
        if cold:
            n0 = frame_b[0] - frame_a[0]
            n1 = frame_b[1] - frame_a[1]
            n2 = frame_b[2] - frame_a[2]
    else:
        if cold:
            _, n0, n1, n2, status, spent = growth(row_a, frame_a, row_b, frame_b, START_TOLERANCE, work)
        gap, n0, n1, n2, a0, a1, a2, b0, b1, b2, status, more, lowest = least_translation(
            row_a, frame_a, row_b, frame_b, n0, n1, n2, work
        )
        spent += more
        deep = False
        if cold and gap < 0.0:
            pointed = row_a[EXPONENT] < 2.0 or row_b[EXPONENT] < 2.0
            allowed = (DEEP_POINTED if pointed else DEEP) * min(row_a[THICKNESS], row_b[THICKNESS])
            deep = -gap > allowed or lowest <= 0.0
        if status == CONVERGED and not deep:
            return gap, n0, n1, n2, a0, a1, a2, b0, b1, b2, status, spent
    gap, n0, n1, n2, a0, a1, a2, b0, b1, b2, status, more = closest_polytope(
        row_a, frame_a, row_b, frame_b, pool, n0, n1, n2, work, iwork
    )
    if status == CONVERGED and kind_a == SMOOTH and kind_b == SMOOTH:
        status = CONVERGED_BY_POLYTOPE
    return gap, n0, n1, n2, a0, a1, a2, b0, b1, b2, status, spent + more


@step_kernel
def closest_if_near(row_a, frame_a, row_b, frame_b, pool, warm, within, work, iwork):
    """As :func:`closest`, but ends early with status APART when the gap is proven to exceed ``within`` [m]."""
    bound = surely_apart(row_a, frame_a, row_b, frame_b, pool, warm, within)
    if bound > within:
        return bound, warm[0], warm[1], warm[2], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, APART, 1
    return closest(row_a, frame_a, row_b, frame_b, pool, warm, work, iwork)

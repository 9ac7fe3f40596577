"""Status codes of a closest-points query and their plain words."""

from __future__ import annotations

# Found, gradient of the search below tolerance.
CONVERGED = 0
# Proven apart by a quick test (bounding spheres or the last normal); gap is a lower bound, points are not set.
APART = 1
# The answer was found, or confirmed as the least of all, by the polytope search.
CONVERGED_BY_POLYTOPE = 2
# The value is exact to round-off, the touching point is uncertain (flat on flat without rounding).
POINT_UNCERTAIN = 3
# The search gave up without an answer that it can vouch for.
ROOM_EXHAUSTED = 4
# Not a query that has an answer: two planes.
NO_ANSWER = 5
# Deep overlap: so many translations are almost equally short that the search stopped looking; the least one found.
AMBIGUOUS = 6

MEANING = {
    CONVERGED: "converged",
    APART: "proven apart by a quick test",
    CONVERGED_BY_POLYTOPE: "converged, confirmed by the polytope search",
    POINT_UNCERTAIN: "gap exact, touching point uncertain",
    ROOM_EXHAUSTED: "no answer that the search can vouch for",
    NO_ANSWER: "two planes have no closest points",
    AMBIGUOUS: "many translations are almost equally short",
}

# Sizes of the work arrays of one query.
WORK = 6144
WORK_INT = 6144

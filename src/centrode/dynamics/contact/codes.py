"""Status codes of a closest-points query and their plain words."""

from __future__ import annotations

# Found, gradient of the search below tolerance.
CONVERGED = 0
# Proven apart by a quick test (bounding spheres or the last normal); gap is a lower bound, points are not set.
APART = 1
# The smooth search gave up or was not trusted and the polytope search found the answer.
CONVERGED_BY_POLYTOPE = 2
# The value is exact to round-off, the touching point is uncertain (flat on flat without rounding).
POINT_UNCERTAIN = 3
# Polytope search ran out of room; the gap is a bound good to the reported tolerance only.
ROOM_EXHAUSTED = 4
# Not a query that has an answer: two planes.
NO_ANSWER = 5

MEANING = {
    CONVERGED: "converged",
    APART: "proven apart by a quick test",
    CONVERGED_BY_POLYTOPE: "converged by the polytope search",
    POINT_UNCERTAIN: "gap exact, touching point uncertain",
    ROOM_EXHAUSTED: "polytope search ran out of room",
    NO_ANSWER: "two planes have no closest points",
}

# Sizes of the work arrays of one query.
WORK = 4096
WORK_INT = 2048

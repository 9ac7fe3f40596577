"""EPA: which translations of two overlapping outlines may be least, by the expanding polytope (van den Bergen 2001).

The core of the difference set M holds the origin. An inner polytope, at first a tetrahedron, grows towards it: the face
nearest to the origin is replaced by faces to the support point along its normal. A face whose plane is farther than
the best translation known can be left alone for good: no boundary point behind it is nearer. A face whose plane is
nearly as far as the support plane parallel to it is a candidate: :mod:`sqp` starts from its normal, and what it
finds is exact. That descent may leave the cone of the face for another minimum, and miss one in the cone that is
shorter by what lies between the two planes: so the face goes on to grow, until that is SETTLED. Without it the depth
jumped by EXPLAINED where two translations are equally short, and methods with step control did not get past.

The surface stays closed and of the kind of a sphere whatever the round-off: faces know their neighbours, and what the
new point sees is grown from the chosen face across edges, keeping its border one loop without a double corner. A
face that would break that is left standing, which costs a dent of the size of its own error. Slivers (three corners
on a line) count as seen when they are reached across their longest edge, and are never chosen: the cone behind them is
empty.

Each face carries the error of its plane, 1e-15 of the size times longest edge^2 / area (and size / edge): nearly
parallel flat sides make corners of M that lie 1e-8 apart and triangles whose normals are wrong by as much.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.gjk import sample, volumes
from centrode.dynamics.contact.newton import tangents
from centrode.dynamics.contact.search import MOST_FACES, MOST_POINTS, MOST_TRIED
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, dot, minus, norm, plus, put, times, vector

# Bounds that differ by less than this part of the size make a face a candidate, and by less than that one are equal:
# the depth of a hit of bodies of a metre is then continuous to a tenth of a nanometre.
EXPLAINED = 1e-5
SETTLED = 1e-10
# Cosine to a direction already tried, beyond which a start is not tried again (0.08 degrees).
SAME = 0.999999


@step_kernel
def begin(pair, search, rho, count, size):
    """Make a closed tetrahedron of the simplex in slots 0 .. count-1.

    Returns:
        whether it has volume, otherwise a direction normal to the flat core, evaluations.
    """
    points, faces = search.room.points, search.room.faces
    evaluations = 0
    attempt = 0
    u = (1.0, 0.0, 0.0)
    while count < 4:
        t, more = _complete_direction(points, count, attempt)
        if not more:
            return False, u, evaluations
        u = t
        sample(pair, search, rho, u, count)
        evaluations += 1
        attempt += 1
        if _widens(points, count, u, size):
            count += 1
            attempt = 0
    v0, v1, v2, v3 = volumes(points)
    if v0 + v1 + v2 + v3 < 0.0:  # orient: swap two points so that the faces below wind outward
        first = vector(points[0], 0)
        put(points[0], 0, vector(points[1], 0))
        put(points[1], 0, first)
    for face, corners, across in (
        (0, (0, 2, 1), (2, 3, 1)),
        (1, (0, 1, 3), (0, 3, 2)),
        (2, (0, 3, 2), (1, 3, 0)),
        (3, (1, 2, 3), (0, 2, 1)),
    ):
        put(faces[face].across, 0, across)
        _set_face(search, face, corners, size)
    return True, u, evaluations


@step_kernel
def advance(pair, search, rho, counts, best, full, size, explained):
    """Grow the polytope until a face becomes a candidate or no face can hold a better translation.

    Args:
        rho: radius of the ball taken off M [m].
        counts: points, faces and tried directions, kept between calls.
        best: least support value of the core known [m].
        full: do not grow any more, only look at what is there.
        size: of the pair [m].
        explained: bounds that differ by less than this part of the size make a candidate [1].

    Returns:
        whether there is a direction to try, the direction, counts, whether the room is used up, evaluations.
    """
    points, faces, tried = counts
    evaluations = 0
    while True:
        lower = math.inf
        chosen = -1
        for k in range(faces):
            if search.room.faces[k].alive == 1 and search.room.faces[k].key < lower:
                lower = search.room.faces[k].key
                chosen = k
        if chosen < 0 or lower >= best - 1e-13 * size or tried >= MOST_TRIED:
            return False, (0.0, 0.0, 1.0), (points, faces, tried), full or tried >= MOST_TRIED, evaluations
        if points >= MOST_POINTS:
            full = True
        face = search.room.faces[chosen]
        u = vector(face.normal, 0)
        candidate = settled = full
        better = False
        if not full:
            upper = sample(pair, search, rho, u, points)
            evaluations += 1
            better = upper < best - 1e-13 * size
            settled = upper - lower <= max(SETTLED * size, 2.0 * face.error)
            settled = settled or _is_corner(search.room.points, points, size)
            candidate = settled or upper - lower <= explained * size
            if not settled:
                faces = _grow(search, chosen, points, faces, size)
                points += 1
                if faces > MOST_FACES - 2:
                    full = True
        if settled:
            face.key = math.inf  # looked at
        if better or (candidate and not _was_tried(search.room.tried, tried, u)):
            tried = remember_tried(search.room.tried, tried, u)
            return True, u, (points, faces, tried), full, evaluations


@step_kernel
def _was_tried(directions, tried, u):
    """True when a direction close to u has been tried or found."""
    found = False
    for k in range(tried):
        found = found or dot(vector(directions[k], 0), u) > SAME
    return found


@step_kernel
def remember_tried(directions, tried, u):
    """Note a direction from which or at which a descent began or ended; returns the new count."""
    if tried < MOST_TRIED:
        put(directions[tried], 0, u)
        return tried + 1
    return tried


@step_kernel
def _is_corner(points, slot, size):
    """True when the point in ``slot`` is one of the points before it."""
    new = vector(points[slot], 0)
    for k in range(slot):
        d = minus(vector(points[k], 0), new)
        if max(abs(d[0]), abs(d[1]), abs(d[2])) <= 1e-15 * size:
            return True
    return False


@step_kernel
def _sees(search, face, edge, point):
    """Whether a point lies beyond a face that is reached across one of its edges."""
    points = search.room.points
    if face.error < math.inf:
        return dot(vector(face.normal, 0), vector(points[point], 0)) - face.distance > face.error
    longest = -1.0
    which = 0
    for k in range(3):
        side = minus(vector(points[face.corner[k]], 0), vector(points[face.corner[(k + 1) % 3]], 0))
        square = dot(side, side)
        if square > longest:
            longest = square
            which = k
    return which == edge


@step_kernel
def _edge_from(face, start, end):
    """Which edge of a face runs from one corner to another."""
    edge = 0
    for e in range(3):
        if face.corner[e] == start and face.corner[(e + 1) % 3] == end:
            edge = e
    return edge


@step_kernel
def _take(border, k, length, outer, face, edge):
    """Take the face outside border edge k into what is seen, keeping the border one loop.

    Returns:
        whether that was possible, the edge to go on with, the new length of the border.
    """
    after = (k + 1) % length
    before = (k + length - 1) % length
    apex = face.corner[(edge + 2) % 3]
    first = face.across[(edge + 1) % 3]  # outside the edge here -> apex
    second = face.across[(edge + 2) % 3]  # outside the edge apex -> next
    if length > 3 and border[before].corner == apex and border[before].outside == outer:
        # shares the edge before as well: the corner here goes inside
        border[before].outside = second
        for m in range(k, length - 1):
            border[m] = border[m + 1]
        return True, before if before < k else length - 2, length - 1
    if length > 3 and border[(k + 2) % length].corner == apex and border[after].outside == outer:
        # shares the edge after as well: the next corner goes inside
        border[k].outside = first
        for m in range(after, length - 1):
            border[m] = border[m + 1]
        return True, k - 1 if after == 0 else k, length - 1
    for m in range(length):
        if border[m].corner == apex:
            return False, k, length
    for m in range(length, k + 1, -1):
        border[m] = border[m - 1]
    border[k].outside = first
    border[k + 1].corner = apex
    border[k + 1].outside = second
    return True, k, length + 1


@step_kernel
def _grow(search, chosen, point, faces, size):
    """Replace what the point sees by faces to its border; returns the number of face slots in use.

    The border is kept as a list of (corner, face outside the edge from this corner to the next).
    """
    border, free, table = search.room.border, search.room.free, search.room.faces
    length = 3
    for k in range(3):
        border[k].corner = table[chosen].corner[k]
        border[k].outside = table[chosen].across[k]
    table[chosen].alive = 0
    free[0] = chosen
    freed = 1
    idle = 0
    k = 0
    while idle < length:
        outer = border[k].outside
        face = table[outer]
        # the edge of the outer face that runs the other way: it begins where ours ends
        edge = _edge_from(face, border[(k + 1) % length].corner, border[k].corner)
        taken = False
        if _sees(search, face, edge, point):
            taken, k, length = _take(border, k, length, outer, face, edge)
        if taken:
            face.alive = 0
            free[freed] = outer
            freed += 1
            idle = 0
        else:
            idle += 1
            k = (k + 1) % length
    # A border of n edges encloses at least n - 2 faces: at most two more slots are needed than were freed.
    while freed < length:
        free[freed] = faces
        faces += 1
        freed += 1
    for k in range(length):
        slot = free[k]
        outer = border[k].outside
        p = border[k].corner
        q = border[(k + 1) % length].corner
        table[outer].across[_edge_from(table[outer], q, p)] = slot
        put(table[slot].across, 0, (outer, free[(k + 1) % length], free[(k + length - 1) % length]))
        _set_face(search, slot, (p, q, point), size)
    return faces


@step_kernel
def _complete_direction(points, count, attempt):
    """Direction in which to look for the next corner of a tetrahedron: (u, whether there is such an attempt)."""
    if count == 1:  # any point at some distance: the six axis directions
        if attempt > 5:
            return ZERO, False
        sign = 1.0 if attempt % 2 == 0 else -1.0
        axis = attempt // 2
        return (sign * (axis == 0), sign * (axis == 1), sign * (axis == 2)), True
    a = vector(points[0], 0)
    e = minus(vector(points[1], 0), a)
    if count == 2:  # off the line: a direction normal to the edge, turned in steps of 60 degrees
        if attempt > 5:
            return ZERO, False
        x, y = tangents(times(1.0 / norm(e), e))
        angle = attempt * math.pi / 3.0
        return plus(times(math.cos(angle), x), times(math.sin(angle), y)), True
    if attempt > 1:
        return ZERO, False
    n = cross(e, minus(vector(points[2], 0), a))
    return times((1.0 if attempt == 0 else -1.0) / norm(n), n), True


@step_kernel
def _widens(points, count, u, size):
    """True when the point in slot ``count`` adds a dimension to the simplex before it."""
    d = minus(vector(points[count], 0), vector(points[0], 0))
    if count == 3:
        return abs(dot(d, u)) > 1e-9 * size
    square = dot(d, d)
    if count == 2:
        e = minus(vector(points[1], 0), vector(points[0], 0))
        along = dot(d, e)
        square -= along * along / dot(e, e)
    return square > 1e-12 * size * size


@step_kernel
def _set_face(search, slot, corners, size):
    """Store a face, outward by winding, with its unit normal, distance, error and key."""
    points = search.room.points
    a = vector(points[corners[0]], 0)
    e = minus(vector(points[corners[1]], 0), a)
    f = minus(vector(points[corners[2]], 0), a)
    n = cross(e, f)
    area = norm(n)
    face = search.room.faces[slot]
    put(face.corner, 0, corners)
    face.alive = 1
    longest = max(dot(e, e), dot(f, f))
    if area <= 1e-12 * longest or area == 0.0:
        put(face.normal, 0, ZERO)
        face.distance = math.inf
        face.error = math.inf
    else:
        put(face.normal, 0, times(1.0 / area, n))
        face.distance = dot(a, n) / area
        face.error = 1e-15 * size * max(10.0, longest / area, size / math.sqrt(longest))
    face.key = face.distance

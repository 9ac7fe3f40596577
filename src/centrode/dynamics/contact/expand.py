"""Which translations of two overlapping outlines may be least: the expanding polytope (van den Bergen 2001).

The core of the difference set M holds the origin. An inner polytope, at first a tetrahedron, grows towards it: the face
nearest to the origin is replaced by faces to the support point along its normal. A face whose plane is farther than
the best translation known can be left alone for good: no boundary point behind it is nearer. A face whose plane is
nearly as far as the support plane parallel to it is a candidate: :mod:`descent` starts from its normal, and what it
finds is exact. So the polytope has to be good only to EXPLAINED, and the answer is as good as the descent.

The surface stays closed and of the kind of a sphere whatever the round-off: faces know their neighbours, and what the
new point sees is grown from the chosen face across edges, keeping its border one loop without a double corner. A
face that would break that is left standing, which costs a dent of the size of its own error. Slivers (three corners
on a line) count as seen when they are reached across their longest edge, and are never chosen: the cone behind them is
empty.

Each face carries the error of its plane, 1e-15 of the size times longest edge^2 / area (and size / edge): nearly
parallel flat sides make corners of M that lie 1e-8 apart and triangles whose normals are wrong by as much.

Work: float64 with points (3 numbers), faces (normal, distance, error, key), directions already tried (3); int64 with
faces (three points, the neighbours across the edges that begin there, alive) and the border (point, outer face).
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.simplex import sample, volumes
from centrode.dynamics.contact.smooth import tangents
from centrode.jit import step_kernel

MOST_POINTS = 256
MOST_FACES = 2 * MOST_POINTS
MOST_TRIED = 48
# Bounds that differ by less than this part of the size make a face a candidate.
EXPLAINED = 1e-5
# Cosine to a direction already tried, beyond which a start is not tried again (0.08 degrees).
SAME = 0.999999

_WIDE = 6
_FACE = 3 * MOST_POINTS
_TRIED = _FACE + _WIDE * MOST_FACES
EXPAND_ROOM = _TRIED + 3 * MOST_TRIED

_WIDE_INT = 7
_LOOP = _WIDE_INT * MOST_FACES
_FREE = _LOOP + 2 * MOST_FACES
EXPAND_ROOM_INT = _FREE + MOST_FACES

DONE, TRY = 0, 1


@step_kernel
def begin(row_a, frame_a, row_b, frame_b, pool, rho, count, size, work, iwork):
    """Make a closed tetrahedron of the simplex in slots 0 .. count-1.

    Returns:
        whether it has volume, otherwise a direction normal to the flat core (3), evaluations.
    """
    evaluations = 0
    attempt = 0
    u0, u1, u2 = 1.0, 0.0, 0.0
    while count < 4:
        t0, t1, t2, more = _complete_direction(work, count, attempt)
        if not more:
            return False, u0, u1, u2, evaluations
        u0, u1, u2 = t0, t1, t2
        sample(row_a, frame_a, row_b, frame_b, pool, rho, u0, u1, u2, work, count)
        evaluations += 1
        attempt += 1
        if _widens(work, count, u0, u1, u2, size):
            count += 1
            attempt = 0
    v0, v1, v2, v3 = volumes(work)
    if v0 + v1 + v2 + v3 < 0.0:  # orient: swap two points so that the faces below wind outward
        for j in range(3):
            work[j], work[3 + j] = work[3 + j], work[j]
    for face in range(4):
        i, j, k, a, b, c = (0, 2, 1, 2, 3, 1)
        if face == 1:
            i, j, k, a, b, c = (0, 1, 3, 0, 3, 2)
        elif face == 2:
            i, j, k, a, b, c = (0, 3, 2, 1, 3, 0)
        elif face == 3:
            i, j, k, a, b, c = (1, 2, 3, 0, 2, 1)
        at = _WIDE_INT * face
        iwork[at + 3] = a
        iwork[at + 4] = b
        iwork[at + 5] = c
        _set_face(work, iwork, face, i, j, k, size)
    return True, u0, u1, u2, evaluations


@step_kernel
def advance(row_a, frame_a, row_b, frame_b, pool, rho, points, faces, best, tried, explained, full, size, work, iwork):
    """Grow the polytope until a face becomes a candidate or no face can hold a better translation.

    Args:
        rho: radius of the ball taken off M [m].
        points, faces, tried: counts kept between calls.
        best: least support value of the core known [m].
        explained: bounds as near as this make a candidate [m].
        full: do not grow any more, only look at what is there.
        size: of the pair [m].

    Returns:
        verdict (DONE, TRY), u (3), points, faces, tried, whether the room is used up, evaluations.
    """
    evaluations = 0
    while True:
        lower = math.inf
        chosen = -1
        for face in range(faces):
            if iwork[_WIDE_INT * face + 6] == 1 and work[_FACE + _WIDE * face + 5] < lower:
                lower = work[_FACE + _WIDE * face + 5]
                chosen = face
        if chosen < 0 or lower >= best - 1e-13 * size or tried >= MOST_TRIED:
            return DONE, 0.0, 0.0, 1.0, points, faces, tried, full or tried >= MOST_TRIED, evaluations
        if points >= MOST_POINTS:
            full = True
        at = _FACE + _WIDE * chosen
        u0 = work[at]
        u1 = work[at + 1]
        u2 = work[at + 2]
        candidate = full
        better = False
        if not full:
            upper = sample(row_a, frame_a, row_b, frame_b, pool, rho, u0, u1, u2, work, points)
            evaluations += 1
            better = upper < best - 1e-13 * size
            candidate = upper - lower <= max(explained, 2.0 * work[at + 4]) or _is_corner(work, points, size)
            if not candidate:
                faces = _grow(work, iwork, chosen, points, faces, size)
                points += 1
                if faces > MOST_FACES - 2:
                    full = True
        if candidate:
            work[at + 5] = math.inf  # looked at
        if better or (candidate and not _was_tried(work, tried, u0, u1, u2)):
            tried = remember_tried(work, tried, u0, u1, u2)
            return TRY, u0, u1, u2, points, faces, tried, full, evaluations


@step_kernel
def _was_tried(work, tried, u0, u1, u2):
    """True when a direction close to u has been tried or found."""
    for k in range(tried):
        at = _TRIED + 3 * k
        if work[at] * u0 + work[at + 1] * u1 + work[at + 2] * u2 > SAME:
            return True
    return False


@step_kernel
def remember_tried(work, tried, u0, u1, u2):
    """Note a direction from which or at which a descent began or ended; returns the new count."""
    if tried < MOST_TRIED:
        work[_TRIED + 3 * tried] = u0
        work[_TRIED + 3 * tried + 1] = u1
        work[_TRIED + 3 * tried + 2] = u2
        return tried + 1
    return tried


@step_kernel
def _is_corner(work, slot, size):
    """True when the point in ``slot`` is one of the points before it."""
    for k in range(slot):
        if (
            abs(work[3 * k] - work[3 * slot]) <= 1e-15 * size
            and abs(work[3 * k + 1] - work[3 * slot + 1]) <= 1e-15 * size
            and abs(work[3 * k + 2] - work[3 * slot + 2]) <= 1e-15 * size
        ):
            return True
    return False


@step_kernel
def _sees(work, iwork, face, edge, point):
    """Whether a point lies beyond a face that is reached across one of its edges."""
    at = _FACE + _WIDE * face
    if work[at + 4] < math.inf:
        height = work[at] * work[3 * point] + work[at + 1] * work[3 * point + 1] + work[at + 2] * work[3 * point + 2]
        return height - work[at + 3] > work[at + 4]
    longest = -1.0
    which = 0
    for k in range(3):
        p = 3 * iwork[_WIDE_INT * face + k]
        q = 3 * iwork[_WIDE_INT * face + (k + 1) % 3]
        square = (work[p] - work[q]) ** 2 + (work[p + 1] - work[q + 1]) ** 2 + (work[p + 2] - work[q + 2]) ** 2
        if square > longest:
            longest = square
            which = k
    return which == edge


@step_kernel
def _grow(work, iwork, chosen, point, faces, size):
    """Replace what the point sees by faces to its border; returns the number of face slots in use.

    The border is kept as a list of (corner, face outside the edge from this corner to the next).
    """
    length = 3
    for k in range(3):
        iwork[_LOOP + 2 * k] = iwork[_WIDE_INT * chosen + k]
        iwork[_LOOP + 2 * k + 1] = iwork[_WIDE_INT * chosen + 3 + k]
    iwork[_WIDE_INT * chosen + 6] = 0
    iwork[_FREE] = chosen
    free = 1
    idle = 0
    k = 0
    while idle < length:
        outer = iwork[_LOOP + 2 * k + 1]
        here = iwork[_LOOP + 2 * k]
        after = (k + 1) % length
        # the edge of the outer face that runs the other way: it begins where ours ends
        edge = 0
        for e in range(3):
            if iwork[_WIDE_INT * outer + e] == iwork[_LOOP + 2 * after] and (
                iwork[_WIDE_INT * outer + (e + 1) % 3] == here
            ):
                edge = e
        taken = False
        if _sees(work, iwork, outer, edge, point):
            apex = iwork[_WIDE_INT * outer + (edge + 2) % 3]
            first = iwork[_WIDE_INT * outer + 3 + (edge + 1) % 3]  # outside the edge here -> apex
            second = iwork[_WIDE_INT * outer + 3 + (edge + 2) % 3]  # outside the edge apex -> next
            before = (k + length - 1) % length
            if length > 3 and iwork[_LOOP + 2 * before] == apex and iwork[_LOOP + 2 * before + 1] == outer:
                # shares the edge before as well: the corner here goes inside
                iwork[_LOOP + 2 * before + 1] = second
                for m in range(k, length - 1):
                    iwork[_LOOP + 2 * m] = iwork[_LOOP + 2 * m + 2]
                    iwork[_LOOP + 2 * m + 1] = iwork[_LOOP + 2 * m + 3]
                length -= 1
                k = before if before < k else length - 1
                taken = True
            elif length > 3 and iwork[_LOOP + 2 * ((k + 2) % length)] == apex and iwork[_LOOP + 2 * after + 1] == outer:
                # shares the edge after as well: the next corner goes inside
                iwork[_LOOP + 2 * k + 1] = first
                for m in range(after, length - 1):
                    iwork[_LOOP + 2 * m] = iwork[_LOOP + 2 * m + 2]
                    iwork[_LOOP + 2 * m + 1] = iwork[_LOOP + 2 * m + 3]
                if after == 0:
                    k -= 1
                length -= 1
                taken = True
            else:
                double = False
                for m in range(length):
                    if iwork[_LOOP + 2 * m] == apex:
                        double = True
                if not double:
                    for m in range(length, k + 1, -1):
                        iwork[_LOOP + 2 * m] = iwork[_LOOP + 2 * m - 2]
                        iwork[_LOOP + 2 * m + 1] = iwork[_LOOP + 2 * m - 1]
                    iwork[_LOOP + 2 * k + 1] = first
                    iwork[_LOOP + 2 * k + 2] = apex
                    iwork[_LOOP + 2 * k + 3] = second
                    length += 1
                    taken = True
        if taken:
            iwork[_WIDE_INT * outer + 6] = 0
            iwork[_FREE + free] = outer
            free += 1
            idle = 0
        else:
            idle += 1
            k = (k + 1) % length
    # A border of n edges encloses at least n - 2 faces: at most two more slots are needed than were freed.
    while free < length:
        iwork[_FREE + free] = faces
        faces += 1
        free += 1
    for k in range(length):
        slot = iwork[_FREE + k]
        outer = iwork[_LOOP + 2 * k + 1]
        p = iwork[_LOOP + 2 * k]
        q = iwork[_LOOP + 2 * ((k + 1) % length)]
        for e in range(3):
            if iwork[_WIDE_INT * outer + e] == q and iwork[_WIDE_INT * outer + (e + 1) % 3] == p:
                iwork[_WIDE_INT * outer + 3 + e] = slot
        at = _WIDE_INT * slot
        iwork[at + 3] = outer
        iwork[at + 4] = iwork[_FREE + (k + 1) % length]
        iwork[at + 5] = iwork[_FREE + (k + length - 1) % length]
        _set_face(work, iwork, slot, p, q, point, size)
    return faces


@step_kernel
def _complete_direction(work, count, attempt):
    """Direction in which to look for the next corner of a tetrahedron: (u, whether there is such an attempt)."""
    if count == 1:  # any point at some distance: the six axis directions
        if attempt > 5:
            return 0.0, 0.0, 0.0, False
        sign = 1.0 if attempt % 2 == 0 else -1.0
        axis = attempt // 2
        return sign * (axis == 0), sign * (axis == 1), sign * (axis == 2), True
    e0 = work[3] - work[0]
    e1 = work[4] - work[1]
    e2 = work[5] - work[2]
    length = math.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
    if count == 2:  # off the line: a direction normal to the edge, turned in steps of 60 degrees
        if attempt > 5:
            return 0.0, 0.0, 0.0, False
        x0, x1, x2, y0, y1, y2 = tangents(e0 / length, e1 / length, e2 / length)
        c = math.cos(attempt * math.pi / 3.0)
        s = math.sin(attempt * math.pi / 3.0)
        return c * x0 + s * y0, c * x1 + s * y1, c * x2 + s * y2, True
    if attempt > 1:
        return 0.0, 0.0, 0.0, False
    f0 = work[6] - work[0]
    f1 = work[7] - work[1]
    f2 = work[8] - work[2]
    n0 = e1 * f2 - e2 * f1
    n1 = e2 * f0 - e0 * f2
    n2 = e0 * f1 - e1 * f0
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2) * (1.0 if attempt == 0 else -1.0)
    return n0 / length, n1 / length, n2 / length, True


@step_kernel
def _widens(work, count, u0, u1, u2, size):
    """True when the point in slot ``count`` adds a dimension to the simplex before it."""
    d0 = work[3 * count] - work[0]
    d1 = work[3 * count + 1] - work[1]
    d2 = work[3 * count + 2] - work[2]
    square = d0 * d0 + d1 * d1 + d2 * d2
    if count == 2:
        e0 = work[3] - work[0]
        e1 = work[4] - work[1]
        e2 = work[5] - work[2]
        along = d0 * e0 + d1 * e1 + d2 * e2
        square -= along * along / (e0 * e0 + e1 * e1 + e2 * e2)
    if count == 3:
        return abs(d0 * u0 + d1 * u1 + d2 * u2) > 1e-9 * size
    return square > 1e-12 * size * size


@step_kernel
def _set_face(work, iwork, face, i, j, k, size):
    """Store face (i, j, k), outward by winding, with its unit normal, distance, error and key."""
    e0 = work[3 * j] - work[3 * i]
    e1 = work[3 * j + 1] - work[3 * i + 1]
    e2 = work[3 * j + 2] - work[3 * i + 2]
    f0 = work[3 * k] - work[3 * i]
    f1 = work[3 * k + 1] - work[3 * i + 1]
    f2 = work[3 * k + 2] - work[3 * i + 2]
    n0 = e1 * f2 - e2 * f1
    n1 = e2 * f0 - e0 * f2
    n2 = e0 * f1 - e1 * f0
    area = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    iwork[_WIDE_INT * face] = i
    iwork[_WIDE_INT * face + 1] = j
    iwork[_WIDE_INT * face + 2] = k
    iwork[_WIDE_INT * face + 6] = 1
    at = _FACE + _WIDE * face
    longest = max(e0 * e0 + e1 * e1 + e2 * e2, f0 * f0 + f1 * f1 + f2 * f2)
    if area <= 1e-12 * longest or area == 0.0:
        work[at] = 0.0
        work[at + 1] = 0.0
        work[at + 2] = 0.0
        work[at + 3] = math.inf
        work[at + 4] = math.inf
        work[at + 5] = math.inf
        return
    work[at] = n0 / area
    work[at + 1] = n1 / area
    work[at + 2] = n2 / area
    work[at + 3] = (work[3 * i] * n0 + work[3 * i + 1] * n1 + work[3 * i + 2] * n2) / area
    work[at + 4] = 1e-15 * size * max(10.0, longest / area, size / math.sqrt(longest))
    work[at + 5] = work[at + 3]

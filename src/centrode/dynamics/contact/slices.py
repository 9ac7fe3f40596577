"""The other body in the plane of a strip of columns: where it is cut, its polygon, how far it stands in a column's way.

Which plane a strip is cut in: :mod:`ends`.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.strip_tables import Side
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.math.vector import combined, dot, inverse, minus, put, times, transposed, turn, vector
from centrode.parts.outlines.outline import Shapes, frame_at
from centrode.parts.outlines.support import support_world


@step_kernel
def solid_in(contacts, own, other):
    """Planes of the other solid in the axes of the own outline, into ``t.dies``, with a list of those that cut the box
    about its strips; returns their number."""
    t = borrow_contacts(contacts)
    solid = t.solids[other]
    frame, theirs = frame_at(t.placed[own]), frame_at(t.placed[other])
    # Columns of F are the directors: rows of the inverse of F^T as it is kept here.
    back = transposed(inverse(theirs.directors))
    shift = turn(back, minus(frame.position, theirs.position))
    one, two, three = (
        turn(back, frame.directors[0]),
        turn(back, frame.directors[1]),
        turn(back, frame.directors[2]),
    )
    mine = t.solids[own]
    middle, half = vector(mine.middle, 0), vector(mine.half, 0)
    here = 0
    for k in range(solid.planes):
        plane = t.solid_planes[solid.first_plane + k]
        m = vector(plane, 0)
        die = t.dies[k]
        put(die.normal, 0, (dot(m, one), dot(m, two), dot(m, three)))
        die.offset = plane[3] - dot(m, shift)
        put(die.world, 0, combined(back, m))
        die.side = side_of(m)
        n = vector(die.normal, 0)
        spread = abs(n[0]) * half[0] + abs(n[1]) * half[1] + abs(n[2]) * half[2]
        t.dies[here].here = k
        here += 1 if dot(n, middle) - die.offset + spread > 0.0 else 0  # no branch: nobody can foretell which
    mine.here = here
    return solid.planes


@step_kernel
def side_of(m):
    """Side of a body that has the outward normal m, own axes."""
    if abs(m[0]) >= abs(m[1]) and abs(m[0]) >= abs(m[2]):
        return 0 if m[0] > 0.0 else 1
    if abs(m[1]) >= abs(m[2]):
        return 2 if m[1] > 0.0 else 3
    return 4 if m[2] > 0.0 else 5


@step_kernel
def extents_in(contacts, own, other):
    """Least and greatest coordinates of the other outline on each axis of the own one [m], which has strips."""
    t = borrow_contacts(contacts)
    outline = t.outlines[other]
    if outline.half_space or t.solids[own].strips == 0:
        everywhere = (-math.inf, math.inf)
        return everywhere, everywhere, everywhere
    frame, theirs = frame_at(t.placed[own]), frame_at(t.placed[other])
    axes = transposed(inverse(frame.directors))
    shapes = Shapes(t.points, t.outline_kernels, t.faces)
    return (
        extent_along(outline, shapes, theirs, combined(axes, (1.0, 0.0, 0.0)), frame.position),
        extent_along(outline, shapes, theirs, combined(axes, (0.0, 1.0, 0.0)), frame.position),
        extent_along(outline, shapes, theirs, combined(axes, (0.0, 0.0, 1.0)), frame.position),
    )


@step_kernel
def extent_along(outline, shapes, frame, direction, origin):
    """Least and greatest of direction . (x - origin) over an outline."""
    here = dot(direction, origin)
    high = support_world(outline, shapes, frame, direction)[0] - here
    return -support_world(outline, shapes, frame, times(-1.0, direction))[0] - here, high


@step_kernel
def span_along(extents, axis):
    """The extent along a signed axis of the outline."""
    low, high = extents[0]
    if axis[1] != 0.0:
        low, high = extents[1]
    elif axis[2] != 0.0:
        low, high = extents[2]
    if axis[0] + axis[1] + axis[2] < 0.0:
        low, high = -high, -low
    return low, high


@step_kernel
def reaches(strip, extents):
    """Whether what has these extents can stand in the region of a strip."""
    along = span_along(extents, vector(strip.along, 0))
    across = span_along(extents, vector(strip.across, 0))
    inward = span_along(extents, vector(strip.inward, 0))
    return (
        along[1] >= strip.low
        and along[0] <= strip.high
        and across[1] >= strip.height - 0.5 * strip.band
        and across[0] <= strip.height + 0.5 * strip.band
        and inward[1] >= strip.outer
        and inward[0] <= strip.outer + strip.length
    )


@step_kernel
def may_press(contacts, own, extents):
    """Whether what has these extents in the axes of an outline stands in the region of some strip of it."""
    t = borrow_contacts(contacts)
    solid = t.solids[own]
    found = False
    for k in range(solid.first_strip, solid.first_strip + solid.strips):
        found = found or reaches(t.strips[k], extents)
    return found


@step_kernel
def cut_strip(contacts, strip, height, planes):
    """Polygon of the other solid in the region of a strip at a height; which of the two slices holds it, -1: none.

    ``planes``: how many the other solid has, and how many of them :func:`ends.near_planes` has listed.
    """
    t = borrow_contacts(contacts)
    inner = strip.outer + strip.length
    first = t.slices[0]
    first.count = 4
    corners = (
        (strip.low, strip.outer),
        (strip.high, strip.outer),
        (strip.high - strip.inset, inner),
        (strip.low + strip.inset, inner),
    )
    for k in range(4):
        first.along[k] = corners[k][0]
        first.deep[k] = corners[k][1]
        first.edge[k] = -1 - k
    along, across, inward = vector(strip.along, 0), vector(strip.across, 0), vector(strip.inward, 0)
    half_along, half_deep = 0.5 * (strip.high - strip.low), 0.5 * strip.length
    middle_along, middle_deep = strip.low + half_along, strip.outer + half_deep
    now = 0
    for listed in range(planes[1]):
        f = t.dies[listed].near
        n = vector(t.dies[f].normal, 0)
        a, b = dot(n, along), dot(n, inward)
        left = t.dies[f].offset - height * dot(n, across)
        # Most planes of a body do not come near a strip, or leave nothing in it.
        middle = a * middle_along + b * middle_deep - left
        spread = abs(a) * half_along + abs(b) * half_deep
        if middle >= spread:
            return -1
        if middle + spread <= 0.0:
            continue
        before = t.slices[now]
        least, most = math.inf, -math.inf
        for k in range(before.count):
            h = a * before.along[k] + b * before.deep[k] - left
            least, most = min(least, h), max(most, h)
        if least >= 0.0:
            return -1
        if most > 0.0:
            clip(before, t.slices[1 - now], (a, b, left), f)
            now = 1 - now
    mark_far(contacts, strip, t.slices[now], planes[0])
    return now


@step_kernel
def mark_far(contacts, strip, slice_, count):
    """Note which edges and corners of a slice count for (1), for all columns of a strip at once; ``count``: planes."""
    last = slice_.count - 1
    leans = strip.side >= Side.ROOF and count > 1  # the road below a car that rolls is one plane
    beside = leans and stands_across(contacts, strip, slice_.edge[last])
    far = is_far(strip, slice_, last, 0) and not beside
    slice_.fars = 0
    ends, falls, before_it = 0, not leans, math.inf
    for k in range(slice_.count):
        before, was_beside = far, beside
        j = k + 1 if k < last else 0
        beside = leans and stands_across(contacts, strip, slice_.edge[k])
        far = is_far(strip, slice_, k, j) and not beside
        tip = is_tip(slice_, k, j) and not (beside or was_beside)
        slice_.counts[k] = 2 if far else (1 if before or tip else 0)
        if far or before or tip:
            slice_.far[slice_.fars] = k
            slice_.fars += 1
            falls = falls and ends == 0 and slice_.along[k] < before_it
            ends += 0 if far else 1
            before_it = slice_.along[k]
    slice_.chain = 1 if falls and ends == 1 else 0


@step_kernel
def stands_across(contacts, strip, edge):
    """Whether a plane is steeper across a roof or floor than the beam can follow: the side of a body beside it that
    leans. In the plane of the strip it looks like a far side, 1 / sin of the angle as deep as it came in."""
    if edge < 0:
        return False
    n = vector(borrow_contacts(contacts).dies[edge].normal, 0)
    return abs(dot(n, vector(strip.across, 0))) > strip.beam * abs(dot(n, vector(strip.inward, 0)))


@step_kernel
def clip(before, after, line, name):
    """Cut a polygon with the half plane a t + b s <= c of a line (a, b, c)."""
    a, b, c = line
    made = 0
    h = a * before.along[0] + b * before.deep[0] - c
    for k in range(before.count):
        j = k + 1 if k + 1 < before.count else 0
        g = a * before.along[j] + b * before.deep[j] - c
        if h <= 0.0:
            after.along[made] = before.along[k]
            after.deep[made] = before.deep[k]
            after.edge[made] = before.edge[k]
            made += 1
        if (h <= 0.0) != (g <= 0.0):
            share = h / (h - g)
            after.along[made] = before.along[k] + share * (before.along[j] - before.along[k])
            after.deep[made] = before.deep[k] + share * (before.deep[j] - before.deep[k])
            after.edge[made] = name if h <= 0.0 else before.edge[k]
            made += 1
        h = g
    after.count = made


@step_kernel
def line_of(contacts, strip, edge):
    """Normal (t, s) of an edge: a plane of the other body, or a line of the strip."""
    if edge >= 0:
        n = vector(borrow_contacts(contacts).dies[edge].normal, 0)
        return dot(n, vector(strip.along, 0)), dot(n, vector(strip.inward, 0))
    if edge == -1:
        return 0.0, -1.0
    if edge == -3:
        return 0.0, 1.0
    return (strip.length if edge == -2 else -strip.length), strip.inset


@step_kernel
def is_far(strip, slice_, k, j):
    """Whether edge k to j is a far side of the other body that the beam can follow.

    On a steeper one (1) is greatest at its inner end, which counts only where the body itself ends there: where the
    strip ends, as when a wall that pushes in the front crosses the side, nothing stands in the way of its columns.
    """
    back = slice_.along[k] - slice_.along[j]
    return slice_.edge[k] >= 0 and back > 0.0 and abs(slice_.deep[j] - slice_.deep[k]) <= strip.beam * back


@step_kernel
def is_tip(slice_, k, j):
    """Whether corner k is the tip of a wedge: two far sides of the other body, however steep."""
    i = k - 1 if k > 0 else slice_.count - 1
    return (
        slice_.edge[i] >= 0
        and slice_.edge[k] >= 0
        and slice_.along[j] < slice_.along[k] < slice_.along[i]
        and slice_.deep[i] <= slice_.deep[k] >= slice_.deep[j]
    )


@step_kernel
def deepest_at(contacts, strip, slice_, place, start):
    """Equation (1) for a column: depth, then where (t, s), two planes (below 0: none) and their k of (2).

    A row of far sides is concave and nowhere steeper than the beam: it is deepest where the column meets it, and beside
    it at its end.
    """
    depth, where, what, k_1, k_2 = 0.0, (0.0, 0.0), (-1, -1), 0.0, 0.0
    best = -1
    last = slice_.count - 1
    begin, end = 0, slice_.fars
    if slice_.chain == 1:
        while begin < end - 1 and slice_.along[slice_.far[begin + 1]] > place:
            begin += 1
        end = begin + 1
    for f in range(begin, end):
        k = slice_.far[f]
        if slice_.counts[k] == 2:
            j = k + 1 if k < last else 0
            if slice_.along[j] <= place <= slice_.along[k]:
                share = (slice_.along[k] - place) / (slice_.along[k] - slice_.along[j])
                s = slice_.deep[k] + share * (slice_.deep[j] - slice_.deep[k])
                if s - start > depth:
                    depth, where, what, best = s - start, (place, s), (slice_.edge[k], -1), -1
        d = slice_.deep[k] - strip.beam * abs(slice_.along[k] - place) - start
        if d > depth:
            depth, best = d, k
    if depth == 0.0:
        return depth, where, what, k_1, k_2
    if best < 0:
        _, b = line_of(contacts, strip, what[0])
        return depth, where, what, 1.0 / b, k_2
    where = (slice_.along[best], slice_.deep[best])
    one = slice_.edge[best - 1 if best > 0 else slice_.count - 1]
    two = slice_.edge[best]
    a_1, b_1 = line_of(contacts, strip, one)
    a_2, b_2 = line_of(contacts, strip, two)
    g = -strip.beam if where[0] > place else strip.beam
    det = a_1 * b_2 - a_2 * b_1
    if abs(det) > 1e-9:
        k_1, k_2 = (g * b_2 - a_2) / det, (a_1 - g * b_1) / det
    if k_1 < 0.0 or not abs(det) > 1e-9:  # by round-off: the greatest lies on the other line
        k_1, k_2 = 0.0, 1.0 / b_2 if b_2 > 0.0 else 0.0
    elif k_2 < 0.0:
        k_1, k_2 = 1.0 / b_1 if b_1 > 0.0 else 0.0, 0.0
    return depth, where, (one, two), k_1, k_2

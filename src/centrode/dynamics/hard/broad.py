"""Broad phase of hard contacts: which pairs of outlines come near enough in a step to be looked at.

Bounds along the world axes, sorted into a grid whose cells are as large as the largest ordinary outline, so that every
neighbour lies in one of the 27 cells around. Outlines much larger than the mean, half spaces and height fields are
compared with all others. A body far from the rest is counted to the cell at the border: places are clamped, which
keeps neighbours neighbours, so nothing that flies away makes the grid larger. Pairs (a, b), a < b, come out in rising
order, whatever the grid is.

Bounds are enlarged by what their outline may move until pairs are listed anew: half of the margin, or two steps at
its present speed. With s the way since the listing and r the reach of the outline in a step,

    s + r <= allowance                                                                                   (1)

for all outlines means that no pair that is not listed can touch in this step. In scenes of few outlines r is not below
the way of the fastest body: what is hit may become as fast.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.broad import is_excluded
from centrode.dynamics.hard.log import part
from centrode.dynamics.hard.tables import Shape, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, dot, minus, norm, put, vector
from centrode.parts.outlines.outline import frame_at
from centrode.parts.outlines.plane import plane_normal

BIG = 4.0
"""An outline whose bounds are larger than so many mean ones is compared with all others."""


@step_kernel
def must_list(hard):
    """Whether (1) is broken for some outline."""
    t = borrow_hard(hard)
    if t.head[0].fresh != 0:
        return True
    for i in range(t.outlines.shape[0]):
        body = t.outlines[i].body
        if body > 0:
            d = minus(vector(t.placed[i].position, 0), vector(t.listed[i], 0))
            if not norm(d) + max(t.solids[body].reach, t.head[0].way) <= t.listed[i, 3]:
                return True
    return False


@step_kernel
def half_extents(outline, shape, placed):
    """Half of the size of the bounds of an outline [m], infinite for a half space or a field."""
    r = placed.reach
    if shape == Shape.BOX:
        x, y, z = frame_at(placed).directors
        a, b, c = vector(outline.half_lengths, 0)
        return (
            abs(x[0]) * a + abs(y[0]) * b + abs(z[0]) * c,
            abs(x[1]) * a + abs(y[1]) * b + abs(z[1]) * c,
            abs(x[2]) * a + abs(y[2]) * b + abs(z[2]) * c,
        )
    return r, r, r


@step_kernel
def find_bounds(hard):
    """Bounds of all outlines and the way that each may move; mean of the largest half sizes of the bounded ones."""
    t = borrow_hard(hard)
    head = t.head[0]
    total, count = 0.0, 0.0
    for i in range(t.outlines.shape[0]):
        centre = vector(t.placed[i].position, 0)
        allowance = max(0.5 * head.margin, 2.0 * max(t.solids[t.outlines[i].body].reach, head.way))
        put(t.listed[i], 0, centre)
        t.listed[i, 3] = allowance
        half = half_extents(t.outlines[i], t.shapes[i], t.placed[i])
        for k in range(3):
            t.boxes[i, k] = centre[k] - half[k] - allowance
            t.boxes[i, 3 + k] = centre[k] + half[k] + allowance
        largest = max(half[0], half[1], half[2])
        if largest < math.inf:
            total += largest
            count += 1.0
    return total / max(count, 1.0)


@step_kernel
def is_big(box, limit):
    """Whether bounds are larger than a limit [m], or infinite."""
    return not max(box[3] - box[0], box[4] - box[1], box[5] - box[2]) <= limit


@step_kernel
def fill_grid(hard, limit):
    """Sort the ordinary outlines into cells: rows of ``cells`` are the cell of each outline, the outlines by cell, the
    first of each cell (one place further on), and the big ones. Returns cells along the axes and how many are big.
    """
    t = borrow_hard(hard)
    cells, count = t.cells, t.outlines.shape[0]
    most = int(cells[3, cells.shape[1] - 1])  # cells along an axis
    low, high, size, big = ZERO, ZERO, 0.0, 0
    n, mean, square = 0.0, ZERO, ZERO
    for i in range(count):
        box = t.boxes[i]
        if is_big(box, limit):
            cells[3, big] = i
            cells[0, i] = -1
            big += 1
            continue
        size = max(size, box[3] - box[0], box[4] - box[1], box[5] - box[2])
        n += 1.0
        x = (0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]))
        d = minus(x, mean)
        mean = (mean[0] + d[0] / n, mean[1] + d[1] / n, mean[2] + d[2] / n)
        e = minus(x, mean)
        square = (square[0] + d[0] * e[0], square[1] + d[1] * e[1], square[2] + d[2] * e[2])
    if n == 0.0:
        return (0, 0, 0), big
    spread = (
        3.0 * math.sqrt(square[0] / n) + size,
        3.0 * math.sqrt(square[1] / n) + size,
        3.0 * math.sqrt(square[2] / n) + size,
    )
    low = minus(mean, spread)
    along = (
        max(1, min(most, int(2.0 * spread[0] / size))),
        max(1, min(most, int(2.0 * spread[1] / size))),
        max(1, min(most, int(2.0 * spread[2] / size))),
    )
    high = (along[0] / (2.0 * spread[0]), along[1] / (2.0 * spread[1]), along[2] / (2.0 * spread[2]))
    total = along[0] * along[1] * along[2]
    for c in range(total + 1):
        cells[2, c] = 0
    for i in range(count):
        if cells[0, i] < 0 and is_big(t.boxes[i], limit):
            continue
        box = t.boxes[i]
        place = 0
        for k in range(3):
            x = (0.5 * (box[k] + box[3 + k]) - low[k]) * high[k]
            place = place * along[k] + max(0, min(along[k] - 1, int(math.floor(max(-1.0, min(x, 1e6))))))
        cells[0, i] = place
        cells[2, place + 1] += 1
    for c in range(total):
        cells[2, c + 1] += cells[2, c]
    cells[2, total + 1] = cells[2, total]
    for back in range(count):
        i = count - 1 - back
        if cells[0, i] >= 0:
            # filled from behind: what was the end of the cell becomes its first
            cells[2, cells[0, i] + 1] -= 1
            cells[1, cells[2, cells[0, i] + 1]] = i
    return along, big


@step_kernel
def may_touch(hard, a, b):
    """Whether two outlines belong to bodies that may touch, and their bounds overlap."""
    t = borrow_hard(hard)
    i, j = t.outlines[a].body, t.outlines[b].body
    if i == j:
        return False
    one, two = t.boxes[a], t.boxes[b]
    for k in range(3):
        if one[k] > two[3 + k] or two[k] > one[3 + k]:
            return False
    for turn in range(2):
        p, q = (a, b) if turn == 0 else (b, a)
        if t.shapes[p] == Shape.PLANE:
            if t.shapes[q] == Shape.PLANE or t.shapes[q] == Shape.FIELD:
                return False
            frame = frame_at(t.placed[p])
            height = dot(minus(vector(t.placed[q].position, 0), frame.position), plane_normal(frame.directors))
            if height > t.placed[q].reach + t.listed[p, 3] + t.listed[q, 3]:
                return False
        elif t.shapes[p] == Shape.FIELD and t.shapes[q] == Shape.FIELD:
            return False
    return not is_excluded(t.excluded, min(i, j) * t.solids.shape[0] + max(i, j))


@step_kernel
def note_pair(codes, found, first, a, b):
    """Put a pair behind those of the same ``a`` that were found before, in order; the number found."""
    if found < codes.shape[0]:
        k = found
        while k > first and codes[k - 1, 1] > b:
            codes[k, 0] = a
            codes[k, 1] = codes[k - 1, 1]
            k -= 1
        codes[k, 0] = a
        codes[k, 1] = b
    return found + 1


@step_kernel
def find_near(hard):
    """All pairs that may touch before pairs are listed anew, into ``codes``; how many there are."""
    t = borrow_hard(hard)
    cells, count = t.cells, t.outlines.shape[0]
    limit = 2.0 * BIG * (find_bounds(hard) + t.head[0].margin)
    for i in range(count):
        cells[0, i] = 0
    along, big = fill_grid(hard, limit)
    found = 0
    for a in range(count):
        first = found
        cell = cells[0, a]
        if cell < 0:
            for b in range(a + 1, count):
                if may_touch(hard, a, b):
                    found = note_pair(t.codes, found, first, a, b)
            continue
        for k in range(big):
            b = cells[3, k]
            if b > a and may_touch(hard, a, b):
                found = note_pair(t.codes, found, first, a, b)
        z = cell % along[2]
        y = cell // along[2] % along[1]
        x = cell // (along[2] * along[1])
        for i in range(max(0, x - 1), min(along[0], x + 2)):
            for j in range(max(0, y - 1), min(along[1], y + 2)):
                row = (i * along[1] + j) * along[2]
                # cells along z lie one behind the other
                for k in range(cells[2, row + max(0, z - 1) + 1], cells[2, row + min(along[2] - 1, z + 1) + 2]):
                    b = cells[1, k]
                    if b > a and may_touch(hard, a, b):
                        found = note_pair(t.codes, found, first, a, b)
    return found


@step_kernel
def list_pairs(time, hard):
    """List the near pairs anew, with what the old ones remember; False when the room is too small."""
    t = borrow_hard(hard)
    head = t.head[0]
    found = find_near(hard)
    if found > t.near.shape[0]:
        head.pairs_needed = found
        head.fresh = 1
        return False
    before = head.pairs
    for k in range(before):
        t.near_old[k] = t.near[k]
    q = 0
    for k in range(found):
        a, b = t.codes[k, 0], t.codes[k, 1]
        code = a * t.outlines.shape[0] + b
        while q < before and t.near_old[q].code < code:
            if t.near_old[q].touching != 0:
                part(time, hard, t.near_old[q])
            q += 1
        if q < before and t.near_old[q].code == code:
            t.near[k] = t.near_old[q]
            q += 1
            continue
        pair = t.near[k]
        law = t.laws[t.outlines[a].material, t.outlines[b].material]
        pair.code, pair.a, pair.b = code, a, b
        pair.friction, pair.restitution = law[0], law[1]
        pair.touching, pair.count = 0, 0
        put(pair.axis, 0, ZERO)
    while q < before:
        if t.near_old[q].touching != 0:
            part(time, hard, t.near_old[q])
        q += 1
    head.pairs = found
    head.fresh = 0
    return True

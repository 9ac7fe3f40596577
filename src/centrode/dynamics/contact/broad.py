"""Broad phase: which pairs of outlines come near enough to be looked at.

Sort and sweep along the axis of greatest spread, on bounding spheres: the order of the last step is kept and repaired
by insertion, which is linear in the number of outlines while they move little between steps (Baraff 1992); the
first sort, or a scramble, falls back to heapsort so that the worst case stays n log n. Sorting instead of a grid:
no cell size to choose, mixed sizes do no harm, and vehicles on a road are nearly a line.

Planes have no bounding sphere; they are paired with every outline of another body whose sphere reaches them.
Pairs (i, j), i < j, come out in rising order: i first, then j. The answer does not depend on the order of the sweep.
Nothing is allocated; when the room for pairs is used up the count needed is still returned.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.parts.outlines.outline import BODY, KIND, PLANE, RADIUS_BOUND, largest_stretch
from centrode.parts.outlines.plane import plane_normal


@step_kernel
def bounding_spheres(rows, frames, margin, spheres):
    """Centre (3) and radius [m] of every outline's sphere, enlarged by half the margin; planes get radius inf."""
    for i in range(rows.shape[0]):
        for j in range(3):
            spheres[i, j] = frames[i, j]
        spheres[i, 3] = rows[i, RADIUS_BOUND] * largest_stretch(frames[i]) + 0.5 * margin


@step_kernel
def _sift(keys, items, low, high):
    """Sift down in a heap of items ordered by keys[item]."""
    root = low
    while 2 * root + 1 < high:
        child = 2 * root + 1
        if child + 1 < high and keys[items[child]] < keys[items[child + 1]]:
            child += 1
        if keys[items[root]] >= keys[items[child]]:
            return
        items[root], items[child] = items[child], items[root]
        root = child


@step_kernel
def _heapsort(keys, items, count):
    for start in range(count // 2 - 1, -1, -1):
        _sift(keys, items, start, count)
    for end in range(count - 1, 0, -1):
        items[0], items[end] = items[end], items[0]
        _sift(keys, items, 0, end)


@step_kernel
def _sort_order(keys, order):
    """Sort ``order`` by keys: insertion while that is cheap, heapsort otherwise."""
    count = order.shape[0]
    budget = 8 * count
    for i in range(1, count):
        item = order[i]
        key = keys[item]
        j = i - 1
        while j >= 0 and keys[order[j]] > key:
            order[j + 1] = order[j]
            j -= 1
            budget -= 1
        order[j + 1] = item
        if budget < 0:
            _heapsort(keys, order, count)
            return


@step_kernel
def _sift_values(values, low, high):
    root = low
    while 2 * root + 1 < high:
        child = 2 * root + 1
        if child + 1 < high and values[child] < values[child + 1]:
            child += 1
        if values[root] >= values[child]:
            return
        values[root], values[child] = values[child], values[root]
        root = child


@step_kernel
def _sort_values(values, count):
    for start in range(count // 2 - 1, -1, -1):
        _sift_values(values, start, count)
    for end in range(count - 1, 0, -1):
        values[0], values[end] = values[end], values[0]
        _sift_values(values, 0, end)


@step_kernel
def _spread_axis(rows, spheres):
    """Axis along which the centres of the bounded outlines spread most."""
    best = -1.0
    axis = 0
    for j in range(3):
        count = 0.0
        mean = 0.0
        square = 0.0
        for i in range(rows.shape[0]):
            if int(rows[i, KIND]) != PLANE:
                count += 1.0
                delta = spheres[i, j] - mean
                mean += delta / count
                square += delta * (spheres[i, j] - mean)
        if square > best:
            best = square
            axis = j
    return axis


@step_kernel
def find_pairs(rows, frames, spheres, order, keys, codes, pairs):
    """All pairs of outlines of different bodies whose bounding spheres overlap.

    Args:
        rows: outline table, float64[n, ROW]; rows with equal BODY are never paired.
        frames: outline frames, float64[n, 12].
        spheres: from :func:`bounding_spheres`.
        order: int64[n], a permutation kept from call to call (start with 0 .. n-1).
        keys: float64[n] work; codes: int64[room] work.
        pairs: int64[room, 2], filled in rising order.

    Returns:
        number of pairs found; more than ``room`` means overflow: only the first found are kept, enlarge and repeat.
    """
    count = rows.shape[0]
    room = pairs.shape[0]
    axis = _spread_axis(rows, spheres)
    for i in range(count):
        keys[i] = spheres[i, axis] - spheres[i, 3]  # planes: -inf, they sort first
    _sort_order(keys, order)
    found = 0
    planes = 0
    while planes < count and int(rows[order[planes], KIND]) == PLANE:
        planes += 1
    for p in range(planes):
        a = order[p]
        n0, n1, n2 = plane_normal(frames[a])
        for q in range(planes, count):
            b = order[q]
            height = (
                (spheres[b, 0] - frames[a, 0]) * n0
                + (spheres[b, 1] - frames[a, 1]) * n1
                + (spheres[b, 2] - frames[a, 2]) * n2
            )
            if height <= spheres[b, 3] and rows[a, BODY] != rows[b, BODY]:
                if found < room:
                    codes[found] = min(a, b) * count + max(a, b)
                found += 1
    for p in range(planes, count):
        a = order[p]
        end = spheres[a, axis] + spheres[a, 3]
        for q in range(p + 1, count):
            b = order[q]
            if keys[b] > end:
                break
            if rows[a, BODY] == rows[b, BODY]:
                continue
            d0 = spheres[b, 0] - spheres[a, 0]
            d1 = spheres[b, 1] - spheres[a, 1]
            d2 = spheres[b, 2] - spheres[a, 2]
            reach = spheres[a, 3] + spheres[b, 3]
            if d0 * d0 + d1 * d1 + d2 * d2 <= reach * reach:
                if found < room:
                    codes[found] = min(a, b) * count + max(a, b)
                found += 1
    kept = min(found, room)
    _sort_values(codes, kept)
    for k in range(kept):
        pairs[k, 0] = codes[k] // count
        pairs[k, 1] = codes[k] % count
    return found


@step_kernel
def sphere_gap(spheres, i, j):
    """Distance between two bounding spheres [m]; a lower bound of the gap."""
    d0 = spheres[j, 0] - spheres[i, 0]
    d1 = spheres[j, 1] - spheres[i, 1]
    d2 = spheres[j, 2] - spheres[i, 2]
    return math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) - spheres[i, 3] - spheres[j, 3]

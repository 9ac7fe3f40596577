"""Broad phase: which pairs of outlines come near enough to be looked at.

Sort and sweep along the axis of greatest spread, on bounding spheres: the order of the last step is kept and repaired
by insertion, which is linear in the number of outlines while they move little between steps (Baraff 1992); the
first sort, or a scramble, falls back to heapsort so that the worst case stays n log n. Sorting instead of a grid:
no cell size to choose, mixed sizes do no harm, and vehicles on a road are nearly a line.

Half spaces have no bounding sphere; they are paired with every outline of another body whose sphere reaches them.
Surfaces of roads are half spaces that are paired with the outlines that touch them, wherever these are.
Pairs (i, j), i < j, come out in rising order: i first, then j. The answer does not depend on the order of the sweep.
Nothing is allocated; when the room for pairs is used up the count needed is still returned.
"""

from __future__ import annotations

import math

import numpy as np

from centrode.jit import step_kernel, types
from centrode.math.record import record
from centrode.math.vector import ZERO, dot, minus, plus, put, times, vector
from centrode.parts.outlines.outline import OUTLINE, PLACED, frame_at
from centrode.parts.outlines.plane import plane_normal

SPHERE = record(
    ("centre", "f8", (3,)), ("radius", "f8"), ("body", "i8"), ("surface", "i8"), ("meets", "i8"), ("roads_only", "i8")
)
"""Bounding sphere of an outline [m], infinite for half spaces, the body that carries it, and how it is with roads."""


@step_kernel(signature=types.void(types.rows(OUTLINE), types.rows(PLACED), types.float64, types.rows(SPHERE)))
def bounding_spheres(outlines, placed, margin, spheres):
    """Sphere of every outline, enlarged by half the margin."""
    for i in range(outlines.shape[0]):
        put(spheres[i].centre, 0, vector(placed[i].position, 0))
        spheres[i].radius = placed[i].reach + 0.5 * margin
        spheres[i].body = outlines[i].body
        spheres[i].surface = outlines[i].surface
        spheres[i].meets = outlines[i].meets
        spheres[i].roads_only = outlines[i].roads_only


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
def is_excluded(codes, code):
    """Whether a sorted list holds a code (bisection)."""
    low, high = 0, codes.shape[0]
    while low < high:
        half = (low + high) // 2
        if codes[half] < code:
            low = half + 1
        else:
            high = half
    return low < codes.shape[0] and codes[low] == code


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
def _spread_axis(spheres):
    """Axis along which the centres of the bounded outlines spread most."""
    best = -1.0
    axis = 0
    for j in range(3):
        count = 0.0
        mean = 0.0
        square = 0.0
        for i in range(spheres.shape[0]):
            if spheres[i].radius < math.inf:
                count += 1.0
                delta = spheres[i].centre[j] - mean
                mean += delta / count
                square += delta * (spheres[i].centre[j] - mean)
        if square > best:
            best = square
            axis = j
    return axis


@step_kernel
def may_meet(one, two):
    """Whether two bounded outlines can touch: kerbs of a road only what stands on it, hulls and rims only them."""
    if one.surface > 0:
        return (two.meets >> (one.surface - 1)) & 1 != 0
    if two.surface > 0:
        return (one.meets >> (two.surface - 1)) & 1 != 0
    return one.roads_only + two.roads_only == 0


@step_kernel(
    signature=types.int64(
        types.rows(PLACED), types.rows(SPHERE), types.integers1, types.floats1, types.integers1, types.integers2
    )
)
def find_pairs(placed, spheres, order, keys, codes, pairs):
    """All pairs of outlines of different bodies whose bounding spheres overlap.

    Args:
        placed: frames of the outlines.
        spheres: from :func:`bounding_spheres`; those of one body are never paired.
        order: int64[n], a permutation kept from call to call (start with 0 .. n-1).
        keys: float64[n] work; codes: int64[room] work.
        pairs: int64[room, 2], filled in rising order.

    Returns:
        number of pairs found; more than ``room`` means overflow: only the first found are kept, enlarge and repeat.
    """
    count = spheres.shape[0]
    room = pairs.shape[0]
    axis = _spread_axis(spheres)
    for i in range(count):
        keys[i] = spheres[i].centre[axis] - spheres[i].radius  # half spaces: -inf, they sort first
    _sort_order(keys, order)
    found = 0
    planes = 0
    while planes < count and spheres[order[planes]].radius == math.inf:
        planes += 1
    for p in range(planes):
        a = order[p]
        frame = frame_at(placed[a])
        n = plane_normal(frame.directors)
        for q in range(planes, count):
            b = order[q]
            if spheres[a].surface > 0:
                meets = (spheres[b].meets >> (spheres[a].surface - 1)) & 1 != 0
            else:
                height = dot(minus(vector(spheres[b].centre, 0), frame.position), n)
                meets = height <= spheres[b].radius and spheres[b].roads_only == 0
            if meets and spheres[a].body != spheres[b].body:
                if found < room:
                    codes[found] = min(a, b) * count + max(a, b)
                found += 1
    for p in range(planes, count):
        a = order[p]
        end = spheres[a].centre[axis] + spheres[a].radius
        for q in range(p + 1, count):
            b = order[q]
            if keys[b] > end:
                break
            d = minus(vector(spheres[b].centre, 0), vector(spheres[a].centre, 0))
            reach = spheres[a].radius + spheres[b].radius
            if not dot(d, d) <= reach * reach:  # nor when it is no number; most pairs of the sweep end here
                continue
            if spheres[a].body != spheres[b].body and may_meet(spheres[a], spheres[b]):
                if found < room:
                    codes[found] = min(a, b) * count + max(a, b)
                found += 1
    kept = min(found, room)
    _sort_values(codes, kept)
    for k in range(kept):
        first = codes[k] // count
        pairs[k, 0] = first
        pairs[k, 1] = codes[k] - first * count
    return found


@step_kernel
def mean_motion(outlines, placed, before, on_ground):
    """Mean motion of the outlines of moving bodies between two tables of places [m].

    Zero when some outline stands on the ground: otherwise only motion of the bodies against each other counts.
    """
    total = ZERO
    moving = 0.0
    for i in range(outlines.shape[0]):
        if outlines[i].body > 0:
            moving += 1.0
            total = plus(total, minus(vector(placed[i].position, 0), vector(before[i].position, 0)))
    if on_ground or moving == 0.0:
        return ZERO
    return times(1.0 / moving, total)


def overlapping_spheres(rows: np.ndarray, placed: np.ndarray) -> np.ndarray:
    """Pairs of outlines whose bounding spheres meet, shape (n, 2)."""
    spheres = np.zeros(len(rows), SPHERE)
    bounding_spheres(rows, placed, 0.0, spheres)
    found, room = 1, 0
    while found > room:
        room = max(found, 64 + 16 * len(rows))
        pairs = np.zeros((room, 2), dtype=np.int64)
        order, keys, codes = np.arange(len(rows)), np.zeros(len(rows)), np.zeros(room, dtype=np.int64)
        found = find_pairs(placed, spheres, order, keys, codes, pairs)
    return pairs[:found]

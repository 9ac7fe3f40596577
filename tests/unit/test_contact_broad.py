"""Broad phase: the same pairs as checking all, in rising order, whatever the history; overflow is told."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.dynamics.contact.broad import SPHERE, bounding_spheres, find_pairs
from centrode.math.rotation import frame_from_axis
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.outline import PLACED, body_frame, pack_outlines, place_outline
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid


def scene(rng, count, spread, bodies=None):
    """Random outlines, one plane among them, each on a body of its own unless told."""
    kinds = [
        OutlineSuperellipsoid("s", semi_axes=(2.0, 0.8, 0.65)),
        OutlineSphere("b", radius=0.6),
        OutlineBox("x", half_lengths=(0.3, 2.0, 0.4)),
    ]
    parts = [kinds[rng.integers(3)] for _ in range(count)]
    parts[count // 2] = OutlinePlane("p", rotation=frame_from_axis(rng.normal(size=3)))
    rows, _ = pack_outlines(parts)
    rows["body"] = np.arange(count) if bodies is None else bodies
    frames = np.zeros(count, PLACED)
    for i in range(count):
        place_outline(rows[i], body_frame(spread * rng.uniform(-1, 1, 3)), frames[i])
    return rows, frames


def found_by_sweep(rows, frames, room=20000, order=None, margin=0.0):
    count = len(rows)
    spheres, keys = np.zeros(count, SPHERE), np.zeros(count)
    order = np.arange(count) if order is None else order
    pairs = np.zeros((room, 2), dtype=np.int64)
    bounding_spheres(rows, frames, margin, spheres)
    number = find_pairs(frames, spheres, order, keys, np.zeros(room, dtype=np.int64), pairs)
    return number, pairs[: min(number, room)], spheres


def found_by_all(rows, frames, spheres):
    expected = []
    for i in range(len(rows)):
        for j in range(i + 1, len(rows)):
            if rows[i].body == rows[j].body:
                continue
            flat = [k for k in (i, j) if not np.isfinite(spheres[k].radius)]
            if len(flat) == 2:
                continue
            if flat:
                other = j if flat[0] == i else i
                normal = np.cross(*frames[flat[0]].directors[:2])
                height = (spheres[other].centre - frames[flat[0]].position) @ normal
                if height <= spheres[other].radius:
                    expected.append((i, j))
            elif np.linalg.norm(spheres[i].centre - spheres[j].centre) <= spheres[i].radius + spheres[j].radius:
                expected.append((i, j))
    return expected


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 60), st.floats(0.1, 30.0))
def test_same_pairs_as_checking_all_in_rising_order(seed, count, spread):
    rng = np.random.default_rng(seed)
    rows, frames = scene(rng, count, spread)
    number, pairs, spheres = found_by_sweep(rows, frames)
    assert [tuple(pair) for pair in pairs] == found_by_all(rows, frames, spheres)
    assert number == len(pairs)


def test_history_of_the_order_does_not_matter():
    rng = np.random.default_rng(1)
    rows, frames = scene(rng, 300, 20.0)
    _, fresh, _ = found_by_sweep(rows, frames)
    scrambled = rng.permutation(300)
    _, again, _ = found_by_sweep(rows, frames, order=scrambled)
    np.testing.assert_array_equal(fresh, again)
    # a second step after a small motion starts from the kept order
    frames["position"] += 0.05 * rng.normal(size=(300, 3))
    _, kept, _ = found_by_sweep(rows, frames, order=scrambled)
    _, new, _ = found_by_sweep(rows, frames)
    np.testing.assert_array_equal(kept, new)


def test_outlines_of_one_body_and_of_the_ground_are_not_paired():
    rng = np.random.default_rng(2)
    rows, frames = scene(rng, 12, 0.1, bodies=np.array([0] * 4 + [7] * 4 + [8] * 4))
    _, pairs, _ = found_by_sweep(rows, frames)
    assert len(pairs) > 0
    assert all(rows[i].body != rows[j].body for i, j in pairs)


def test_overflow_tells_the_room_needed():
    rng = np.random.default_rng(3)
    rows, frames = scene(rng, 40, 0.5)
    needed, _, _ = found_by_sweep(rows, frames)
    number, pairs, _ = found_by_sweep(rows, frames, room=10)
    assert number == needed > 10 and len(pairs) == 10


def test_margin_widens_the_search_and_the_bound_holds():
    rows, _ = pack_outlines([OutlineSphere("a", radius=1.0), OutlineSphere("b", radius=1.0)])
    rows["body"] = (0, 1)
    frames = np.zeros(2, PLACED)
    for row, frame, x in zip(rows, frames, (0.0, 2.3), strict=True):
        place_outline(row, body_frame((x, 0, 0)), frame)
    assert found_by_sweep(rows, frames)[0] == 0
    number, _, spheres = found_by_sweep(rows, frames, margin=0.4)
    assert number == 1
    assert spheres[0].radius == spheres[1].radius == 1.2

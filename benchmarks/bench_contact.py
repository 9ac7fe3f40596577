"""Cost of the contact search: one query (cold and warm), the broad phase to 5000 outlines, the report's definition.

All loops run inside compiled code, so the figures are the cost that a run pays, not that of a call from Python.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from harness import Case, Measurement

from centrode.dynamics.contact.broad import SPHERE, bounding_spheres, find_pairs
from centrode.dynamics.contact.narrow import closest, find_closest
from centrode.dynamics.contact.newton import growth
from centrode.dynamics.contact.search import Pair, make_search
from centrode.jit import kernel
from centrode.math.vector import vector
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.outline import PLACED, body_frame, frame_at, pack_outlines, place_outline
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid

PAIRS = 2000


@kernel
def query_all(outlines, frames_a, frames_b, warm, search):
    """Query all pairs; returns the sum of gaps so that nothing is optimised away."""
    total = 0.0
    for k in range(frames_a.shape[0]):
        pair = Pair(outlines[0], frame_at(frames_a[k]), outlines[1], frame_at(frames_b[k]))
        total += closest(pair, search, vector(warm[k], 0)).gap
    return total


@kernel
def query_far(outlines, frames_a, frames_b, warm, search):
    """The quick tests on all pairs."""
    total = 0.0
    for k in range(frames_a.shape[0]):
        total += find_closest(
            outlines[0], frames_a[k], outlines[1], frames_b[k],
            search.shapes.points, search.shapes.handles, search.shapes.faces, search.room, vector(warm[k], 0), 0.0,
        ).gap  # fmt: skip
    return total


@kernel
def sweep_all(outlines, frames, spheres, order, keys, codes, pairs, steps):
    """Steps of the broad phase with all outlines moving a little."""
    found = 0
    for step in range(steps):
        for i in range(frames.shape[0]):
            frames[i].position[0] += 1e-3 * (i % 7 - 3) * (1 if step % 2 == 0 else -1)
        bounding_spheres(outlines, frames, 0.1, spheres)
        found += find_pairs(frames, spheres, order, keys, codes, pairs)
    return found


def near_pairs(one, two, seed: int = 1):
    """Cars near touch, any heading, half overlapping by up to 2 % of the size (what a run meets)."""
    rng = np.random.default_rng(seed)
    outlines, shapes = pack_outlines([one, two])
    smooth, nothing = pack_outlines(
        [OutlineSuperellipsoid("s", semi_axes=(2.0, 0.8, 0.65)), OutlineSuperellipsoid("s", semi_axes=(2.0, 0.8, 0.65))]
    )
    search = make_search(nothing)
    frames = np.zeros((2, PAIRS), PLACED)
    for k in range(PAIRS):
        for side in range(2):
            yaw, tilt = rng.uniform(-np.pi, np.pi), rng.uniform(-0.05, 0.05)
            c, s = np.cos(yaw), np.sin(yaw)
            matrix = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, tilt], [0, 1, 0], [-tilt, 0, 1]])
            place_outline(outlines[side], body_frame((0, 0, 0), matrix), frames[side, k])
        u = rng.normal(size=3) * (1, 1, 0.1)
        frames[1, k].position = u
        pair = Pair(smooth[0], frame_at(frames[0, k]), smooth[1], frame_at(frames[1, k]))
        factor = growth(pair, search, 1e-4)[0]
        frames[1, k].position = u / factor * (1 + rng.uniform(-0.02, 0.02))
    return outlines, make_search(shapes), frames[0], frames[1]


def narrow_case(one, two, start: str) -> Callable[[], Measurement]:
    """Measure microseconds per query from a cold start, a warm one (1 mm away), or for far pairs."""

    def measure() -> Measurement:
        outlines, search, frames_a, frames_b = near_pairs(one, two)
        warm = np.zeros((PAIRS, 3))
        function = query_all
        if start == "warm":
            for k in range(PAIRS):
                pair = Pair(outlines[0], frame_at(frames_a[k]), outlines[1], frame_at(frames_b[k]))
                warm[k] = closest(pair, search, (0.0, 0.0, 0.0)).normal
            frames_b["position"] += 1e-3 * np.random.default_rng(2).uniform(-0.5, 0.5, (PAIRS, 3))
        if start == "far":
            frames_b["position"] *= 3.0
            function = query_far
        function(outlines, frames_a, frames_b, warm, search)
        begin = time.process_time()
        for _ in range(5):
            function(outlines, frames_a, frames_b, warm, search)
        return Measurement((time.process_time() - begin) / (5 * PAIRS) * 1e6)

    return measure


def broad_case(count: int, road: bool) -> Callable[[], Measurement]:
    """Measure microseconds per step for ``count`` cars on a road (a line) or on a square field."""

    def measure() -> Measurement:
        rng = np.random.default_rng(3)
        outlines = np.repeat(pack_outlines([OutlineSuperellipsoid("s", semi_axes=(2.0, 0.8, 0.65))])[0], count, axis=0)
        outlines["body"] = np.arange(count)
        frames = np.zeros(count, PLACED)
        side = np.sqrt(count * 50.0)  # one car on 50 m^2
        for i in range(count):
            place = (i * 12.5, rng.uniform(-6, 6), 0.5) if road else (*rng.uniform(0, side, 2), 0.5)
            place_outline(outlines[i], body_frame(place), frames[i])
        spheres, keys, order = np.zeros(count, SPHERE), np.zeros(count), np.arange(count)
        codes, pairs = np.zeros(10 * count, dtype=np.int64), np.zeros((10 * count, 2), dtype=np.int64)
        sweep_all(outlines, frames, spheres, order, keys, codes, pairs, 2)
        begin = time.process_time()
        sweep_all(outlines, frames, spheres, order, keys, codes, pairs, 20)
        return Measurement((time.process_time() - begin) / 20 * 1e6)

    return measure


def cases() -> list[Case]:
    """All cases of the contact search."""
    car, box = (
        OutlineSuperellipsoid("car", semi_axes=(2.0, 0.8, 0.65)),
        OutlineBox("box", half_lengths=(2.0, 0.8, 0.65)),
    )
    odd = OutlineSuperellipsoid("odd", squareness=0.53, semi_axes=(2.0, 0.8, 0.65))
    made = [
        Case("contact.near_cold", "us", narrow_case(car, car, "cold"), note="two cars, squareness 0.4, cold start"),
        Case("contact.near_warm", "us", narrow_case(car, car, "warm"), note="the same after a motion of 1 mm"),
        Case("contact.near_cold_odd", "us", narrow_case(odd, odd, "cold"), note="squareness 0.53 (general powers)"),
        Case("contact.near_warm_odd", "us", narrow_case(odd, odd, "warm"), note="the same after a motion of 1 mm"),
        Case("contact.far", "us", narrow_case(car, car, "far"), note="far pair, proven apart by bounding spheres"),
        Case("contact.box_cold", "us", narrow_case(box, box, "cold"), note="two boxes"),
        Case("contact.box_warm", "us", narrow_case(box, box, "warm"), note="two boxes after a motion of 1 mm"),
    ]
    for count in (50, 500, 5000):
        made.append(
            Case(f"contact.broad_road_{count}", "us", broad_case(count, True), note="per step, cars along a road")
        )
        made.append(
            Case(f"contact.broad_field_{count}", "us", broad_case(count, False), note="per step, one car on 50 m^2")
        )
    return made


if __name__ == "__main__":
    for case in cases():
        case.ours()
        print(f"{case.id:28s} {min(case.ours().value for _ in range(3)):10.3f} {case.unit}   {case.note}")

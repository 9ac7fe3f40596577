"""Two million random pairs of outlines: does the contact search ever fail or miss?

Run: ``python benchmarks/contact_million.py [pairs] [all|smooth|mixed]``; ``pairs`` (default 1 000 000) is the number of
superellipsoid pairs (smooth) and again that of pairs of all kinds (mixed). Ends with a non-zero status on any failure.

Superellipsoids near touch, half overlapping, gaps to +-10 % of the size, strains to 1 %:

- cars: semi-axes 2.0/0.8/0.65 m, squareness 0.4, any heading, pitch and roll +-0.05;
- aligned: the same, nearly aligned, faces meeting;
- odd: squareness 0.1 .. 1.9, aspect ratios to 20, any attitude.

All kinds against all kinds: superellipsoids as above, ellipsoids, spheres, capsules, boxes and polyhedra with aspect
ratios to 20, and planes, from separated by a third of the size to coinciding centres: half in any attitude, every
second one strained to 1 %, half on a grid (right angles, half right angles, or off by 1e-9 .. 1e-5 rad; offsets along
axes), where everything is degenerate that can be.

Every answer is judged by :mod:`contact_judge`, which shares no code with the search. Columns:

- failed: no answer that the search vouches for; unsure: an answer (judged like all others) of which the search says
  that many translations are almost equally short, or that its points are uncertain (flat sides 1e-9 rad apart);
- missed: claims a gap that its normal does not give, or a direction exists that is better, or (apart) its points are
  farther from each other than it claims, each by more than TOLERANCE of the size;
- error: worst amount by which a better direction beats the answer, relative to the size;
- swap, turn: worst difference when the outlines are swapped, or turned and shifted together [m];
- warm: queries after a motion of 1 mm and 1e-4 rad that differ from the cold answer;
- evaluations: mean and most of the cold, mean of the warm search; time: microseconds of a cold query.
"""

from __future__ import annotations

import itertools
import math
import sys
import time

import numpy as np
from contact_judge import (
    BOX,
    CAPSULE,
    PLANE,
    POLYHEDRON,
    SHAPE,
    SUPERELLIPSOID,
    best_of_axes,
    best_of_search,
    box_features,
    gap_by_definition,
    hull_features,
    support_value,
)

from centrode.dynamics.contact.narrow import closest
from centrode.dynamics.contact.newton import growth
from centrode.dynamics.contact.search import Pair, Search, Status, make_search
from centrode.jit import kernel
from centrode.math.vector import matrix, put, vector
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.ellipsoid import OutlineEllipsoid
from centrode.parts.outlines.outline import Frame, pack_outlines
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid

# Relative to the size of the pair (both bounding radii). The search ends at a mismatch of 2e-11 of the size in the
# points, where the value is exact to round-off (1e-15 times some ten operations); where a corner of a pair with aspect
# ratio 20 decides, normals lose two digits of it. 1e-9 leaves a factor of some hundred.
TOLERANCE = 1e-9
KINDS = ("superellipsoid", "ellipsoid", "sphere", "capsule", "box", "polyhedron", "plane")
CARS, ALIGNED, ANY, DEEP, GRID = range(5)
(
    PAIRS, FAILED, UNSURE, MISSED, ERROR, SWAP, TURN, WARM_DIFFERS, COLD_MEAN, COLD_MOST, WARM_MEAN, OVERLAPPING, CLAIM,
    FIRST_BAD,
) = range(14)  # fmt: skip
TALLY = 14


@kernel
def frame_of(flat):
    """Twelve numbers as a frame."""
    return Frame(vector(flat, 0), matrix(flat, 3))


@kernel
def random_frame(frame, mode, strain, rng):
    """A random attitude with strains; CARS: any heading, ALIGNED: nearly aligned, otherwise any attitude."""
    if mode >= ANY:
        q = rng.normal(0.0, 1.0, 4)
    else:
        yaw = rng.uniform(-math.pi, math.pi) if mode == CARS else rng.uniform(-0.02, 0.02)
        pitch = rng.uniform(-0.05, 0.05)
        roll = rng.uniform(-0.05, 0.05)
        if mode == ALIGNED:
            pitch *= 0.2
            roll *= 0.2
        q = np.array([math.cos(0.5 * yaw), 0.5 * roll, 0.5 * pitch, math.sin(0.5 * yaw)])
    q /= math.sqrt(np.sum(q * q))
    w, x, y, z = q[0], q[1], q[2], q[3]
    r = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    e = strain * rng.uniform(-1.0, 1.0, (3, 3))
    for i in range(3):
        for j in range(3):
            frame[3 + 3 * i + j] = r[j, i] + r[j, 0] * e[0, i] + r[j, 1] * e[1, i] + r[j, 2] * e[2, i]


@kernel
def place(one, row_one, two, row_two, features, mode, frame_a, frame_b, rng, search):
    """Draw the frames of a pair."""
    strain = 0.01 if mode < DEEP or (mode == DEEP and rng.uniform(0.0, 1.0) < 0.5) else 0.0
    random_frame(frame_a, mode, strain, rng)
    random_frame(frame_b, mode, strain, rng)
    if mode == GRID:  # right angles, half turns of 45 degrees, some off by 1e-9 .. 1e-5 rad; offsets along axes
        for side in range(2):
            frame = frame_a if side == 0 else frame_b
            angle = 0.25 * math.pi * rng.integers(0, 8)
            if rng.uniform(0.0, 1.0) < 0.3:
                angle += 10.0 ** rng.uniform(-9.0, -5.0)
            c = math.cos(angle) if angle % (0.5 * math.pi) > 0.0 else round(math.cos(angle))
            s = math.sin(angle) if angle % (0.5 * math.pi) > 0.0 else round(math.sin(angle))
            axis = rng.integers(0, 3)
            for k in range(9):
                frame[3 + k] = 0.0
            frame[3 + 3 * axis + axis] = 1.0
            k = (axis + 1) % 3
            m = (axis + 2) % 3
            frame[3 + 3 * k + k] = c
            frame[3 + 3 * m + m] = c
            frame[3 + 3 * k + m] = s
            frame[3 + 3 * m + k] = -s
    if mode == ALIGNED:
        frame_b[0] = 4.0
        frame_b[1] = rng.uniform(-1.5, 1.5)
        frame_b[2] = rng.uniform(-0.1, 0.1)
    else:
        for j in range(3):
            frame_b[j] = rng.normal(0.0, 1.0) * (0.1 if mode == CARS and j == 2 else 1.0)
            if mode == GRID and rng.uniform(0.0, 1.0) < 0.6:
                frame_b[j] = 0.0
    if mode < DEEP:
        s, _, _, _ = growth(Pair(row_one, frame_of(frame_a), row_two, frame_of(frame_b)), search, 1e-6)
        for j in range(3):
            frame_b[j] *= (1.0 + rng.uniform(-0.1, 0.1)) / s
        return
    length = math.sqrt(frame_b[0] ** 2 + frame_b[1] ** 2 + frame_b[2] ** 2)
    if length == 0.0:
        return
    reach = 0.0
    for side in range(2):
        shape, frame, sign = (one, frame_a, 1.0) if side == 0 else (two, frame_b, -1.0)
        if int(shape[0]) != PLANE:
            scale = sign / length
            reach += support_value(shape, features, frame, scale * frame_b[0], scale * frame_b[1], scale * frame_b[2])
    factor = reach * rng.uniform(0.0, 1.3) / length
    if rng.uniform(0.0, 1.0) < 0.02:
        factor = 0.0  # centres coincide
    for j in range(3):
        frame_b[j] *= factor


@kernel
def judge(one, frame_a, two, frame_b, features, grid, answer, size, flat, tally):
    """Add one answer to the tally; returns whether it is good."""
    gap, n0, n1, n2 = answer[0], answer[1], answer[2], answer[3]
    claimed = abs(gap_by_definition(one, frame_a, two, frame_b, features, n0, n1, n2) - gap) / size
    better = 0.0
    plane = int(one[0]) == PLANE or int(two[0]) == PLANE
    if flat and gap < 0.0:
        better = abs(best_of_axes(one, frame_a, two, frame_b, features) - gap) / size
    elif not plane:
        found = best_of_search(one, frame_a, two, frame_b, features, grid, 4, n0, n1, n2)
        better = max(found - gap, 0.0) / size
    if gap > 0.0 or plane:  # the points prove it, if they belong to the outlines (their support planes hold them)
        apart = 0.0
        for j in range(3):
            apart += (answer[7 + j] - answer[4 + j] - gap * answer[1 + j]) ** 2
        better = max(better, 0.01 * math.sqrt(apart) / size)  # flat sides fix the points to 1e-7 only
    tally[CLAIM] = max(tally[CLAIM], claimed)
    tally[ERROR] = max(tally[ERROR], better)
    return claimed <= TOLERANCE and better <= TOLERANCE


@kernel
def survey(rows, shapes, search, features, first, second, mode, count, rng, judged, grid, tally):
    """Draw pairs, query, judge; ``first`` and ``second`` list the rows to draw from; not ``judged``: for the cost."""
    frame_a = np.zeros(12)
    frame_b = np.zeros(12)
    turned_a = np.zeros(12)
    turned_b = np.zeros(12)
    turn = np.zeros(12)
    cold = np.zeros(3)
    warm = np.zeros(3)
    answer = np.zeros(12)
    for index in range(count):
        i = first[rng.integers(0, first.shape[0])]
        j = second[rng.integers(0, second.shape[0])]
        place(shapes[i], rows[i], shapes[j], rows[j], features, mode, frame_a, frame_b, rng, search)
        gap = 0.0
        status = 0
        for query in range(5):
            a, b = (j, i) if query == 1 else (i, j)
            here, there = (frame_b, frame_a) if query == 1 else (frame_a, frame_b)
            if query == 2:
                if not judged:
                    break
                random_frame(turn, ANY, 0.0, rng)
                for side in range(2):
                    source, target = (frame_a, turned_a) if side == 0 else (frame_b, turned_b)
                    for k in range(4):
                        for m in range(3):
                            target[3 * k + m] = 0.0
                            for p in range(3):
                                target[3 * k + m] += turn[3 + 3 * p + m] * source[3 * k + p]
                    target[0] += 3.0
                    target[1] -= 2.0
                    target[2] += 1.0
                here, there = turned_a, turned_b
            if query == 3:
                for m in range(3):
                    frame_b[m] += 1e-3 * rng.uniform(-0.5, 0.5)
                    frame_b[3 + m] += 1e-4 * frame_b[6 + m]
                    frame_b[6 + m] -= 1e-4 * frame_b[3 + m]
            found = closest(
                Pair(rows[a], frame_of(here), rows[b], frame_of(there)), search, vector(warm if query == 4 else cold, 0)
            )
            g, said, spent = found.gap, found.status, found.evaluations
            size = min(shapes[i, 12], 1e300) + min(shapes[j, 12], 1e300)
            if query == 0:
                gap = g
                status = said
                answer[0] = g
                put(answer, 1, found.normal)
                put(answer, 4, found.point_a)
                put(answer, 7, found.point_b)
                put(warm, 0, found.normal)
                tally[PAIRS] += 1
                tally[OVERLAPPING] += g < 0.0
                tally[COLD_MEAN] += spent
                tally[COLD_MOST] = max(tally[COLD_MOST], spent)
                unsure = said == Status.AMBIGUOUS or said == Status.POINT_UNCERTAIN
                good = unsure or said == Status.CONVERGED or said == Status.CONVERGED_BY_EPA
                if not good:
                    tally[FAILED] += 1
                tally[UNSURE] += unsure
                if not judged:
                    break
                flat = shapes[i, 9] > 0.0 and shapes[j, 9] > 0.0
                if not judge(shapes[i], here, shapes[j], there, features, grid, answer, size, flat, tally):
                    tally[MISSED] += 1
                    good = False
                if not good and tally[FIRST_BAD] < 0.0:
                    tally[FIRST_BAD] = index
            elif query == 1:
                tally[SWAP] = max(tally[SWAP], abs(g - gap))
            elif query == 2:
                tally[TURN] = max(tally[TURN], abs(g - gap))
            elif query == 3:
                gap = g
            else:
                tally[WARM_MEAN] += spent
                tally[WARM_DIFFERS] += abs(g - gap) > TOLERANCE * size
    return status


def odd_axes(rng: np.random.Generator) -> np.ndarray:
    """Three lengths with aspect ratios to 20."""
    longest = math.exp(rng.uniform(-1.0, 1.0))
    axes = longest / np.exp(rng.uniform(0.0, math.log(20.0), 3))
    axes[rng.integers(3)] = longest
    return axes


def make(kind: str, rng: np.random.Generator):
    """A random outline."""
    axes = odd_axes(rng)
    if kind == "superellipsoid":
        rounding = min(1e-4, 0.1 * axes.min())
        return OutlineSuperellipsoid("s", semi_axes=tuple(axes), squareness=rng.uniform(0.1, 1.9), rounding=rounding)
    if kind == "ellipsoid":
        return OutlineEllipsoid("e", semi_axes=tuple(axes))
    if kind == "sphere":
        return OutlineSphere("o", radius=axes[0])
    if kind == "capsule":
        return OutlineCapsule("c", radius=axes[0], half_length=axes[0] * math.exp(rng.uniform(-3.0, 3.0)))
    if kind == "box":
        return OutlineBox("b", half_lengths=tuple(axes))
    if kind == "polyhedron":
        points = rng.normal(size=(rng.integers(4, 15), 3))
        points /= np.linalg.norm(points, axis=1)[:, None]
        return OutlinePolyhedron("h", points=tuple(map(tuple, (points - points.mean(axis=0)) * axes)))
    return OutlinePlane("p")


def tables(outlines: list) -> tuple[np.ndarray, Search, np.ndarray, np.ndarray]:
    """Outlines and room of the search; shapes and features of the judge."""
    rows, corners = pack_outlines(outlines)
    shapes, features = np.zeros((len(outlines), SHAPE + 1)), [np.zeros((1, 3))]
    start = 1
    for index, item in enumerate(outlines):
        shape = shapes[index]
        shape[12] = rows[index].radius
        if item.kind == "plane":
            shape[0], shape[12] = PLANE, 0.0
        elif item.kind == "capsule":
            shape[:4] = CAPSULE, item.radius, 0.0, item.half_length
        elif item.kind in ("box", "polyhedron"):
            shape[0] = BOX if item.kind == "box" else POLYHEDRON
            if item.kind == "box":
                shape[1:4] = item.half_lengths
                found = box_features(np.array(item.half_lengths))
            else:
                found = hull_features(np.array(item.points))
            for column, part in zip((6, 8, 10), found, strict=True):
                shape[column], shape[column + 1] = start, len(part)
                features.append(part)
                start += len(part)
        else:
            shape[0] = SUPERELLIPSOID
            shape[1:4] = rows[index].semi_axes
            shape[4], shape[5] = rows[index].dual, rows[index].rounding
    return rows, make_search(corners), shapes, np.concatenate(features)


def directions(count: int) -> np.ndarray:
    """Directions spread evenly over the sphere (golden spiral)."""
    k = np.arange(count) + 0.5
    z = 1.0 - 2.0 * k / count
    angle = math.pi * (1.0 + math.sqrt(5.0)) * k
    return np.column_stack([np.sqrt(1 - z * z) * np.cos(angle), np.sqrt(1 - z * z) * np.sin(angle), z])


HEAD = (
    f"{'pair':34s} {'pairs':>8s} {'overlap':>8s} {'failed':>6s} {'missed':>6s} {'unsure':>6s} {'error':>8s}"
    f" {'swap m':>8s} {'turn m':>8s} {'warm':>5s} {'evaluations':>18s} {'us':>6s}"
)


def run_set(name, outlines, first, second, mode, count, seed=1, show=True) -> np.ndarray:
    """Survey one set; returns its tally with means."""
    rows, search, shapes, features = tables(outlines)
    grid = directions(150)
    fixed = (rows, shapes, search, features, np.array(first), np.array(second), mode)
    tally = np.zeros(TALLY)
    tally[FIRST_BAD] = -1
    survey(*fixed, count, np.random.default_rng(seed), True, grid, tally)
    start = time.process_time()
    survey(*fixed, min(count, 5000), np.random.default_rng(seed), False, grid, np.zeros(TALLY))
    spent = (time.process_time() - start) / min(count, 5000) * 1e6
    tally[COLD_MEAN] /= count
    tally[WARM_MEAN] /= count
    if show:
        print(
            f"{name:34s} {count:8d} {tally[OVERLAPPING]:8.0f} {tally[FAILED]:6.0f} {tally[MISSED]:6.0f}"
            f" {tally[UNSURE]:6.0f} {max(tally[ERROR], tally[CLAIM]):8.1e} {tally[SWAP]:8.1e} {tally[TURN]:8.1e}"
            f" {tally[WARM_DIFFERS]:5.0f} {tally[COLD_MEAN]:6.1f} {tally[COLD_MOST]:5.0f} {tally[WARM_MEAN]:5.1f}"
            f" {spent:6.1f}" + (f"  first bad {tally[FIRST_BAD]:.0f}" if tally[FIRST_BAD] >= 0 else ""),
            flush=True,
        )
    return tally


def main(pairs: int = 1_000_000, part: str = "all", shapes: int = 300, show: bool = True) -> list[np.ndarray]:
    """Survey the sets of a part (all, smooth, mixed) and print a table."""
    if show:
        print(HEAD, flush=True)
    found = []
    car, rng = [OutlineSuperellipsoid("car", semi_axes=(2.0, 0.8, 0.65))], np.random.default_rng(1)
    odd = [make("superellipsoid", rng) for _ in range(min(2000, max(pairs // 3, 10)))]
    sets = (("cars", car, CARS), ("cars, aligned", car, ALIGNED), ("odd", odd, ANY))
    for name, outlines, mode in sets if part != "mixed" else ():
        chosen = range(len(outlines))
        found.append(run_set(name, outlines, chosen, chosen, mode, pairs // 3 + 1, 1 + mode, show))
    kinds = {kind: [make(kind, rng) for _ in range(shapes)] for kind in KINDS}
    combinations = [pair for pair in itertools.combinations_with_replacement(KINDS, 2) if pair != ("plane", "plane")]
    for number, (one, two) in enumerate(combinations if part != "smooth" else ()):
        outlines = kinds[one] + kinds[two]
        first, second = range(shapes), range(shapes, 2 * shapes)
        share = pairs // (2 * len(combinations)) + 1
        for mode, note in ((DEEP, ""), (GRID, " grid")):
            name, seed = f"{one} {two}{note}", 100 + number + 50 * (mode == GRID)
            found.append(run_set(name, outlines, first, second, mode, share, seed, show))
    return found


if __name__ == "__main__":
    begin = time.process_time()
    everything = np.array(main(*(int(item) for item in sys.argv[1:2]), *sys.argv[2:3]))
    bad = everything[:, [FAILED, MISSED]].sum()
    print(
        f"{everything[:, PAIRS].sum():.0f} pairs, {everything[:, FAILED].sum():.0f} failed,"
        f" {everything[:, MISSED].sum():.0f} missed, {everything[:, UNSURE].sum():.0f} unsure,"
        f" worst swap {everything[:, SWAP].max():.1e} m, {time.process_time() - begin:.0f} CPU s"
    )
    sys.exit(1 if bad else 0)

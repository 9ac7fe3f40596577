"""A million random pairs of superellipsoids: does the contact search ever fail or miss?

Run: ``python benchmarks/contact_million.py [pairs]`` (default 1 000 000, about two minutes). Half of the pairs overlap,
gaps to +-10 % of the size, strains to 1 %. Sets:

- cars: semi-axes 2.0/0.8/0.65 m, squareness 0.4, any heading, pitch and roll +-0.05;
- aligned: the same, nearly aligned, faces meeting;
- odd: squareness 0.1 .. 1.9, aspect ratios to 20, any attitude.

For every pair the answer of ``closest`` (cold) is compared with the expanding polytope (GJK when apart), a method that
shares only the support function with it, and with the growth factor. Printed per set: pairs without a converged
answer, overlap flags that disagree (where the gap is larger than the tolerance), translations that are not least by
more than 1e-6 of the size, evaluations, and the warm cost after a motion of 1 mm and 1e-4 rad.
"""

from __future__ import annotations

import math
import sys
import time

import numpy as np

from centrode.dynamics.contact.codes import CONVERGED, CONVERGED_BY_POLYTOPE, WORK, WORK_INT
from centrode.dynamics.contact.narrow import closest, gap_along
from centrode.dynamics.contact.polytope import closest_polytope
from centrode.dynamics.contact.smooth import growth
from centrode.jit import kernel
from centrode.parts.outlines.outline import ROW, pack_outlines
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid

SETS = ("cars", "aligned", "odd")
NAMES = (
    "not converged",
    "flag: growth against least translation",
    "flag: least translation against polytope",
    "not least",
    "worst shortfall / size",
    "evaluations cold",
    "most",
    "evaluations warm",
    "most",
    "warm differs",
    "overlapping",
    "polytope undecided",
)


@kernel
def random_frame(frame, mode, rng):
    """A random attitude with strains to 1 %; mode 0: any heading, 1: nearly aligned, 2: any attitude."""
    if mode == 2:
        q = rng.normal(0.0, 1.0, 4)
    else:
        yaw = rng.uniform(-math.pi, math.pi) if mode == 0 else rng.uniform(-0.02, 0.02)
        pitch = rng.uniform(-0.05, 0.05)
        roll = rng.uniform(-0.05, 0.05)
        if mode == 1:
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
    strain = rng.uniform(-0.01, 0.01, (3, 3))
    for i in range(3):
        for j in range(3):
            frame[3 + 3 * i + j] = r[j, i] + r[j, 0] * strain[0, i] + r[j, 1] * strain[1, i] + r[j, 2] * strain[2, i]


@kernel
def survey(rows, pool, mode, count, rng, work, iwork, tally):
    """Draw pairs, query, compare; tallies in the order of NAMES."""
    frame_a = np.zeros(12)
    frame_b = np.zeros(12)
    cold = np.zeros(3)
    warm = np.zeros(3)
    for _ in range(count):
        one = rows[rng.integers(0, rows.shape[0])]
        two = rows[rng.integers(0, rows.shape[0])]
        random_frame(frame_a, mode, rng)
        random_frame(frame_b, mode, rng)
        if mode == 1:
            frame_b[0] = 4.0
            frame_b[1] = rng.uniform(-1.5, 1.5)
            frame_b[2] = rng.uniform(-0.1, 0.1)
        else:
            for j in range(3):
                frame_b[j] = rng.normal(0.0, 1.0) * (0.1 if mode == 0 and j == 2 else 1.0)
        s, _, _, _, _, _ = growth(one, frame_a, two, frame_b, 1e-6, work)
        factor = (1.0 + rng.uniform(-0.1, 0.1)) / s
        for j in range(3):
            frame_b[j] *= factor
        size = math.sqrt(frame_b[0] ** 2 + frame_b[1] ** 2 + frame_b[2] ** 2)
        s, _, _, _, _, _ = growth(one, frame_a, two, frame_b, 1e-10, work)
        gap, n0, n1, n2, _, _, _, _, _, _, status, evaluations = closest(
            one, frame_a, two, frame_b, pool, cold, work, iwork
        )
        tally[5] += evaluations
        tally[6] = max(tally[6], evaluations)
        tally[10] += gap < 0.0
        if status != CONVERGED and status != CONVERGED_BY_POLYTOPE:
            tally[0] += 1
        if (s < 1.0) != (gap < 0.0) and abs(gap) > 1e-9 * size:
            tally[1] += 1
        _, p0, p1, p2, _, _, _, _, _, _, said, _ = closest_polytope(
            one, frame_a, two, frame_b, pool, frame_b[0], frame_b[1], frame_b[2], work, iwork
        )
        if said == CONVERGED:
            other = gap_along(one, frame_a, two, frame_b, pool, p0, p1, p2)
            if (other < 0.0) != (gap < 0.0) and abs(gap) > 1e-7 * size:
                tally[2] += 1
            if other - gap > 1e-6 * size:
                tally[3] += 1
            tally[4] = max(tally[4], (other - gap) / size)
        else:
            tally[11] += 1
        # warm: a little motion, then the same query from the last normal and from cold
        warm[0], warm[1], warm[2] = n0, n1, n2
        for j in range(3):
            frame_b[j] += 1e-3 * rng.uniform(-0.5, 0.5)
            frame_b[3 + j] += 1e-4 * frame_b[6 + j]
            frame_b[6 + j] -= 1e-4 * frame_b[3 + j]
        again, _, _, _, _, _, _, _, _, _, status, evaluations = closest(
            one, frame_a, two, frame_b, pool, warm, work, iwork
        )
        tally[7] += evaluations
        tally[8] = max(tally[8], evaluations)
        fresh, _, _, _, _, _, _, _, _, _, _, _ = closest(one, frame_a, two, frame_b, pool, cold, work, iwork)
        if abs(fresh - again) > 1e-6 * size:
            tally[9] += 1


def outlines(mode: int, count: int, rounding: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Table of outlines of a set."""
    if mode < 2:
        return pack_outlines([OutlineSuperellipsoid("car", rounding=rounding)])
    rng = np.random.default_rng(seed)
    made = []
    for index in range(count):
        longest = math.exp(rng.uniform(-1.0, 1.0))
        axes = longest / np.exp(rng.uniform(0.0, math.log(20.0), 3))
        axes[rng.integers(3)] = longest
        made.append(
            OutlineSuperellipsoid(
                f"odd{index}",
                semi_axes=tuple(axes),
                squareness=rng.uniform(0.1, 1.9),
                rounding=min(rounding, 0.1 * axes.min()),
            )
        )
    return pack_outlines(made)


def main(pairs: int = 1_000_000, rounding: float = 1e-4) -> list[np.ndarray]:
    """Survey all sets and print a table."""
    work, iwork = np.zeros(WORK), np.zeros(WORK_INT, dtype=np.int64)
    found = []
    for mode, name in enumerate(SETS):
        rows, pool = outlines(mode, 2000, rounding, 1)
        assert rows.shape[1] == ROW
        survey(rows, pool, mode, 2, np.random.default_rng(0), work, iwork, np.zeros(len(NAMES)))
        tally = np.zeros(len(NAMES))
        share = pairs // len(SETS)
        start = time.process_time()
        survey(rows, pool, mode, share, np.random.default_rng(1 + mode), work, iwork, tally)
        spent = time.process_time() - start
        tally[[5, 7]] /= share
        print(f"{name}: {share} pairs, {spent:.1f} CPU s")
        for label, value in zip(NAMES, tally, strict=True):
            print(f"    {label:42s} {value:.6g}")
        found.append(tally)
    return found


if __name__ == "__main__":
    main(*(int(item) for item in sys.argv[1:2]))

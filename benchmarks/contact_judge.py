"""An independent judge of closest-points answers: shares no code with the search, not even the support functions.

- Support values are written anew from the definitions of the outlines (value only, no support point).
- Whatever direction n a search returns, the gap along n must be the gap it claims: that bounds the truth from below.
- From above: no direction may be better. For boxes and polyhedra all face normals and all products of edges are tried
  (separating axes, exact for overlaps); otherwise a grid of directions and the simplex search of Nelder and Mead 1965.
- Apart, the claimed points prove the rest: their distance is an upper bound of the gap.

Shapes are rows of plain numbers: kind, three lengths, dual exponent, rounding, first corner, corners, first normal,
normals, first edge, edges.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial import ConvexHull

from centrode.jit import kernel

SUPERELLIPSOID, CAPSULE, BOX, POLYHEDRON, PLANE = range(5)
SHAPE = 12


def box_features(half: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners, face normals and edge directions of a box in own axes."""
    signs = np.array([[(k >> j & 1) * 2 - 1 for j in range(3)] for k in range(8)])
    return signs * half, np.eye(3), np.eye(3)


def hull_features(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners, face normals and edge directions of a hull."""
    hull = ConvexHull(points)
    edges = {tuple(sorted((t[i], t[(i + 1) % 3]))) for t in hull.simplices for i in range(3)}
    return points[hull.vertices], hull.equations[:, :3], np.array([points[j] - points[i] for i, j in sorted(edges)])


@kernel
def support_value(shape, features, frame, u0, u1, u2):
    """Support value along u, from the definition of the outline, relative to the position of the frame."""
    m0 = frame[3] * u0 + frame[4] * u1 + frame[5] * u2
    m1 = frame[6] * u0 + frame[7] * u1 + frame[8] * u2
    m2 = frame[9] * u0 + frame[10] * u1 + frame[11] * u2
    kind = int(shape[0])
    if kind == SUPERELLIPSOID:
        q = shape[4]
        extra = shape[5] ** 2 * (m0 * m0 + m1 * m1 + m2 * m2)
        s0 = math.sqrt((shape[1] * m0) ** 2 + extra)
        s1 = math.sqrt((shape[2] * m1) ** 2 + extra)
        s2 = math.sqrt((shape[3] * m2) ** 2 + extra)
        top = max(s0, s1, s2)
        if q == 2.0:
            return math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
        return top * ((s0 / top) ** q + (s1 / top) ** q + (s2 / top) ** q) ** (1.0 / q)
    if kind == CAPSULE:
        return shape[1] * math.sqrt(m0 * m0 + m1 * m1 + m2 * m2) + shape[3] * abs(m2)
    if kind == BOX:
        return shape[1] * abs(m0) + shape[2] * abs(m1) + shape[3] * abs(m2)
    best = -math.inf
    for k in range(int(shape[6]), int(shape[6] + shape[7])):
        best = max(best, features[k, 0] * m0 + features[k, 1] * m1 + features[k, 2] * m2)
    return best


@kernel
def gap_by_definition(one, frame_a, two, frame_b, features, n0, n1, n2):
    """Gap along n [m]; n is made a unit vector."""
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    n0 /= length
    n1 /= length
    n2 /= length
    along = (frame_b[0] - frame_a[0]) * n0 + (frame_b[1] - frame_a[1]) * n1 + (frame_b[2] - frame_a[2]) * n2
    if int(two[0]) == PLANE:  # fixed direction: only its own normal is asked for
        return along - support_value(one, features, frame_a, n0, n1, n2)
    if int(one[0]) == PLANE:
        return along - support_value(two, features, frame_b, -n0, -n1, -n2)
    return (
        along - support_value(one, features, frame_a, n0, n1, n2) - support_value(two, features, frame_b, -n0, -n1, -n2)
    )


@kernel
def image_normal(frame, v):
    """Cofactor of F times a normal in own axes: the normal of the image of a face."""
    d = frame[3:].reshape(3, 3)
    out = np.zeros(3)
    for i in range(3):
        j = (i + 1) % 3
        k = (i + 2) % 3
        for a in range(3):
            b = (a + 1) % 3
            c = (a + 2) % 3
            out[a] += v[i] * (d[j, b] * d[k, c] - d[j, c] * d[k, b])
    return out


@kernel
def best_of_axes(one, frame_a, two, frame_b, features):
    """Largest gap over all face normals and edge products of two polyhedra (boxes included)."""
    best = -math.inf
    for side in range(2):
        shape, frame = (one, frame_a) if side == 0 else (two, frame_b)
        for k in range(int(shape[8]), int(shape[8] + shape[9])):
            n = image_normal(frame, features[k])
            for sign in (-1.0, 1.0):
                g = gap_by_definition(one, frame_a, two, frame_b, features, sign * n[0], sign * n[1], sign * n[2])
                best = max(best, g)
    e = np.zeros(3)
    f = np.zeros(3)
    for k in range(int(one[10]), int(one[10] + one[11])):
        for i in range(3):
            e[i] = frame_a[3 + i] * features[k, 0] + frame_a[6 + i] * features[k, 1] + frame_a[9 + i] * features[k, 2]
        for m in range(int(two[10]), int(two[10] + two[11])):
            for i in range(3):
                f[i] = (
                    frame_b[3 + i] * features[m, 0] + frame_b[6 + i] * features[m, 1] + frame_b[9 + i] * features[m, 2]
                )
            n0 = e[1] * f[2] - e[2] * f[1]
            n1 = e[2] * f[0] - e[0] * f[2]
            n2 = e[0] * f[1] - e[1] * f[0]
            if n0 * n0 + n1 * n1 + n2 * n2 > 1e-18 * (e @ e) * (f @ f):
                for sign in (-1.0, 1.0):
                    g = gap_by_definition(one, frame_a, two, frame_b, features, sign * n0, sign * n1, sign * n2)
                    best = max(best, g)
    return best


@kernel
def by_simplex(one, frame_a, two, frame_b, features, n0, n1, n2, scale, steps):
    """Largest gap that Nelder and Mead's simplex finds from n; returns (gap, direction)."""
    n = np.array([n0, n1, n2])
    n /= math.sqrt(n @ n)
    other = np.zeros(3)
    other[np.argmin(np.abs(n))] = 1.0
    x = np.array(
        [n[1] * other[2] - n[2] * other[1], n[2] * other[0] - n[0] * other[2], n[0] * other[1] - n[1] * other[0]]
    )
    x /= math.sqrt(x @ x)
    y = np.array([n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2], n[0] * x[1] - n[1] * x[0]])
    p = np.zeros((4, 3))  # rows: u, v, -gap; the last row is the trial
    p[1, 0] = scale
    p[2, 1] = scale
    p[2, 0] = 0.3 * scale
    used = 0
    task = 0  # 0..2: first values; then reflect, expand, contract, shrink
    while used < steps:
        for k in range(3 if task == 0 else 0):
            d = n + p[k, 0] * x + p[k, 1] * y
            p[k, 2] = -gap_by_definition(one, frame_a, two, frame_b, features, d[0], d[1], d[2])
            used += 1
        task = 1
        for _ in range(2):  # sort three rows
            for k in range(2):
                if p[k, 2] > p[k + 1, 2]:
                    for j in range(3):
                        p[k, j], p[k + 1, j] = p[k + 1, j], p[k, j]
        if abs(p[2, 0] - p[0, 0]) + abs(p[2, 1] - p[0, 1]) + abs(p[1, 0] - p[0, 0]) + abs(p[1, 1] - p[0, 1]) < 1e-13:
            break
        mu = 0.5 * (p[0, 0] + p[1, 0])
        mv = 0.5 * (p[0, 1] + p[1, 1])
        done = False
        kept = np.inf
        for move in (1.0, 2.0, 0.5, -0.5):
            u = mu + move * (mu - p[2, 0])
            v = mv + move * (mv - p[2, 1])
            d = n + u * x + v * y
            value = -gap_by_definition(one, frame_a, two, frame_b, features, d[0], d[1], d[2])
            used += 1
            if move == 1.0:
                kept = value
                p[3, 0], p[3, 1], p[3, 2] = u, v, value
                if value < p[0, 2]:
                    continue  # try to expand
                if value < p[1, 2]:
                    done = True
                    break
                continue
            if move == 2.0:
                if kept < p[0, 2]:
                    if value < kept:
                        p[3, 0], p[3, 1], p[3, 2] = u, v, value
                    done = True
                    break
                continue
            if value < min(kept if move == 0.5 else np.inf, p[2, 2]):
                p[3, 0], p[3, 1], p[3, 2] = u, v, value
                done = True
                break
        if done:
            for j in range(3):
                p[2, j] = p[3, j]
        else:
            for k in range(1, 3):
                p[k, 0] = 0.5 * (p[0, 0] + p[k, 0])
                p[k, 1] = 0.5 * (p[0, 1] + p[k, 1])
            task = 0
    d = n + p[0, 0] * x + p[0, 1] * y
    return -p[0, 2], d[0], d[1], d[2]


@kernel
def best_of_search(one, frame_a, two, frame_b, features, grid, starts, n0, n1, n2):
    """Largest gap found from the best directions of a grid, the outlines' own axes and the given direction."""
    count = grid.shape[0]
    values = np.empty(count + 12)
    directions = np.empty((count + 12, 3))
    for k in range(count):
        for j in range(3):
            directions[k, j] = grid[k, j]
    for k in range(12):
        frame = frame_a if k < 6 else frame_b
        for j in range(3):
            directions[count + k, j] = frame[3 + 3 * (k % 3) + j] * (1.0 if k % 6 < 3 else -1.0)
    for k in range(count + 12):
        values[k] = gap_by_definition(
            one, frame_a, two, frame_b, features, directions[k, 0], directions[k, 1], directions[k, 2]
        )
    best = -math.inf
    b0, b1, b2 = n0, n1, n2
    for start in range(starts + 1):
        if start == 0:
            d0, d1, d2 = n0, n1, n2
        else:
            top = int(np.argmax(values))
            d0, d1, d2 = directions[top, 0], directions[top, 1], directions[top, 2]
            for k in range(count + 12):  # the next start shall be another hill
                if directions[k, 0] * d0 + directions[k, 1] * d1 + directions[k, 2] * d2 > 0.9:
                    values[k] = -math.inf
        for scale in (0.2, 1e-2, 1e-4):
            steps = 60 if start > 0 and scale == 0.2 else 90
            g, d0, d1, d2 = by_simplex(one, frame_a, two, frame_b, features, d0, d1, d2, scale, steps)
            same = False
            if start > 0:
                length = math.sqrt((d0 * d0 + d1 * d1 + d2 * d2) * (b0 * b0 + b1 * b1 + b2 * b2))
                same = d0 * b0 + d1 * b1 + d2 * b2 > (1.0 - 1e-6) * length
            lower = g < best - 1e-3 * abs(best)
            if g > best:
                best, b0, b1, b2 = g, d0, d1, d2
            if start > 0 and (same or lower):
                break  # the hill already climbed, or one that cannot compete
    return best

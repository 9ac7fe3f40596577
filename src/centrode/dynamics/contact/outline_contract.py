"""The contract of an outline, checked towards random directions: a convex surface that lies where it says.

With the support function H(m) and the point X(m) of :mod:`centrode.parts.outlines.outline`:

- the point lies on its plane: m . X(m) = H(m), and H(2 m) = 2 H(m);
- convex: no point of the outline lies beyond a supporting plane, m . X(n) <= H(m) for all m, n;
- bounds: no point lies farther than ``bounding_radius``; ``least_half_width`` is above zero and not above the least
  half distance of two parallel supporting planes;
- an own curved part: symmetric, H(-m) = H(m), X is the gradient of H and the third answer the derivative of X.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from centrode.dynamics.examples import Finding, Values, example_values, not_applying
from centrode.jit import plain
from centrode.parts.outlines.outline import Curved, Outline, pack_outlines
from centrode.parts.outlines.support import support_own
from centrode.parts.tables import as_records

SAME = 1e-9
"""Relative to the size of the outline: round-off, and fractional powers of small numbers."""
SLOPE_LIMIT = 1e-5
"""Central difference over 1e-6: truncation 1e-12 times third derivatives, which rounded edges make large."""
STEP = 1e-6


def check_outline(kind: type[Outline], values: Values, states: int, seed: int) -> list[Finding]:
    """Checks of a kind."""
    given = dict(example_values(kind) if values is None else values)
    outline = kind("outline", **given)
    rows, shapes = pack_outlines([outline])
    row = as_records(rows)[0]
    if row.half_space or not kind.convex:
        return [not_applying("support", "a half space or field has no support function")]
    random = np.random.default_rng(seed)
    directions = [_three(random.normal(size=3)) for _ in range(4 * states)]
    found = [support_own(row, shapes, m) for m in directions]
    size, width = outline.bounding_radius(), outline.least_half_width()
    points, heights = np.array([item[1] for item in found]), np.array([item[0] for item in found])
    along = np.array(directions)
    lengths = np.linalg.norm(along, axis=1)
    twice = np.array([support_own(row, shapes, _three(2.0 * m))[0] for m in along])
    back = np.array([support_own(row, shapes, _three(-m))[0] for m in along])
    scale = max(size, 1e-12) * lengths
    on_plane = max(np.abs((along * points).sum(axis=1) - heights) / scale)
    steady = max(np.abs(twice - 2.0 * heights) / scale)
    beyond = max((along @ points.T).max(axis=1) / lengths - heights / lengths) / max(size, 1e-12)
    outside = max(np.linalg.norm(points, axis=1)) / max(size, 1e-12) - 1.0
    widest = min((heights + back) / (2.0 * lengths))
    results: list[Finding] = [
        Finding(
            "support",
            max(on_plane, steady),
            SAME,
            "the point does not lie on its plane, or H(2 m) is not 2 H(m)",
        ),
        Finding("convex", beyond, SAME, "a point of the outline lies beyond a supporting plane"),
        Finding("bounding radius", outside, SAME, f"a point lies {outside:+.3g} of bounding_radius outside of it"),
        Finding(
            "least half width",
            0.0 if 0.0 < width <= widest * (1.0 + SAME) else 1.0,
            0.0,
            f"least_half_width is {width:g} m, the outline is {widest:g} m in one direction",
        ),
    ]
    if row.curved != Curved.OWN:
        return results
    return results + _check_curved(kind, row.own[:].copy(), directions)


def _check_curved(kind: type[Outline], own: np.ndarray, directions: list[tuple[float, float, float]]) -> list[Finding]:
    """The kernel of the curved part, as Python: it looks at bounds."""
    curved = plain(kind.curved_kernel)
    skew = slope = second = 0.0
    for m in directions:
        value, point, rows = curved(own, m)
        size = max(1e-12, math.sqrt(sum(x * x for x in point)))
        skew = max(skew, abs(curved(own, _three(-np.array(m)))[0] - value) / (size * float(np.linalg.norm(m))))
        for k in range(3):
            shift = np.zeros(3)
            shift[k] = STEP * float(np.linalg.norm(m))
            ahead, behind = curved(own, _three(m + shift)), curved(own, _three(m - shift))
            slope = max(slope, abs((ahead[0] - behind[0]) / (2.0 * shift[k]) - point[k]) / size)
            change = (np.array(ahead[1]) - np.array(behind[1])) / (2.0 * shift[k])
            bend = np.array([rows[i][k] for i in range(3)])
            second = max(second, float(np.abs(change - bend).max()) / (size + float(np.abs(bend).max())))
    return [
        Finding("symmetric", skew, SAME, "H(-m) is not H(m)"),
        Finding("gradient", slope, SLOPE_LIMIT, "X is not the gradient of H"),
        Finding("curvature", second, SLOPE_LIMIT, "the third answer is not the derivative of X"),
    ]


def _three(values: Iterable[float]) -> tuple[float, float, float]:
    x, y, z = (float(item) for item in values)
    return x, y, z

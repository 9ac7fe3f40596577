"""Superellipsoid: the rounded box that stands for a car's outer surface.

Level function sum |X_i / a_i|^p = 1 with p = 2 / squareness; the MEDUSA report (1999), eq. (1.45), takes
squareness 0.4, p = 5. Squareness 1 is the ellipsoid, towards 0 the box, towards 2 the octahedron.

Support function with the dual exponent q = p / (p - 1), rounded by a small length delta so that flat faces keep a
finite curvature (twice differentiable everywhere, still convex):

    t_i = a_i^2 m_i^2 + delta^2 m.m                                                       (1)
    H   = (sum t_i^(q/2))^(1/q)                                                           (2)
    X_j = dH/dm_j = m_j (c_j a_j^2 + delta^2 C),  c_i = H^(1-q) t_i^(q/2-1), C = sum c_i  (3)
    H'' = diag(c_j a_j^2 + delta^2 C) + (1-q)/H X X^T + (q-2) sum (c_i/t_i) u_i u_i^T     (4)
          u_i = a_i^2 m_i e_i + delta^2 m

(3) and (4) follow from (2) by the chain rule, with t_i' = 2 u_i. The semi-axes in (1) are lowered so that
H(e_i) is the nominal semi-axis: A^q = (a^2 + delta^2)^(q/2) + 2 delta^q.

Why rounding: without it the touching point of two nearly parallel faces moves with the fourth root of the angle
(p = 5), so that a nanometre of lateral shift is seen in the yaw rate after the hit.

Symbols: a semi-axes [m], m direction in own axes [1], H support value [m], X support point [m], p, q exponents.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import dot
from centrode.math.vector import vector as three
from centrode.parts.outlines.outline import Outline, three_sizes
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualScene, VisualSuperellipsoid, vector

# 1e-4 m cures parallel faces; speeds after a hit of cars change by 7e-6 m/s, in the worst hits tried by 5e-5 m/s.
DEFAULT_ROUNDING = 1e-4
LEAST_ROUNDING = 1e-6
"""Of the smallest semi-axis: without any, curvatures are infinite and one search in 200 misses the least answer."""


@dataclass(frozen=True)
class OutlineSuperellipsoid(Outline):
    """Superellipsoid with semi-axes [m], squareness [1] in 0.1 .. 1.9 and rounding [m]."""

    kind: ClassVar[str] = "superellipsoid"

    semi_axes: tuple[float, float, float] = quantity("m", "semi-axes along own x, y, z", kw_only=True)
    squareness: float = quantity("1", "2 / exponent; 1 ellipsoid, small boxy", 0.4, minimum=0.1, maximum=1.9)
    rounding: float = quantity(
        "m", "rounding length of flat faces; 0 stands for 1e-6 of the smallest semi-axis", DEFAULT_ROUNDING, minimum=0.0
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        wrong = three_sizes(f"{self.name}.semi_axes", self.semi_axes, "semi-axes")
        if not wrong and not found and self.rounding > 0.1 * min(self.semi_axes):
            expected = f"at most a tenth of the smallest semi-axis, {0.1 * min(self.semi_axes):g} m"
            wrong.append(self.fault("rounding", "rounding too large for this outline", expected=expected))
        # The generic check reports "must be positive"-like faults of the triple a second time; keep the clear one.
        return [item for item in found if item.path != f"{self.name}.semi_axes"] + wrong

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualSuperellipsoid, vector(self.semi_axes), float(self.squareness))

    def bounding_radius(self) -> float:
        # Rounding raises each sqrt(t_i) by at most delta |m|, hence H by at most 3 delta.
        exponent = 2.0 / self.squareness
        return farthest_point(self.semi_axes, exponent) + (0.0 if exponent == 2.0 else 3.0 * self.rounding)

    def least_half_width(self) -> float:
        return min(self.semi_axes)

    def superellipsoid(self) -> tuple[tuple[float, float, float], float, float]:
        return self.semi_axes, 2.0 / self.squareness, self.rounding


def pack_superellipsoid(row: Any, semi_axes: tuple[float, float, float], exponent: float, rounding: float) -> None:
    """Entries of the curved part of an outline record; ``exponent`` is p."""
    dual = 2.0 if exponent == 2.0 else exponent / (exponent - 1.0)
    # An ellipsoid has no flat face.
    delta = 0.0 if exponent == 2.0 else max(rounding, LEAST_ROUNDING * min(semi_axes))
    row.dual, row.exponent, row.rounding = dual, exponent, delta
    for i in range(3):
        lowered = (semi_axes[i] ** dual - 2.0 * delta**dual) ** (2.0 / dual) - delta * delta
        row.semi_axes[i] = math.sqrt(lowered) if delta > 0.0 else semi_axes[i]


def farthest_point(semi_axes: tuple[float, float, float], exponent: float) -> float:
    """Largest distance of the surface from the centre [m], without rounding.

    Maximum of |X| on sum |X_i/a_i|^p = 1 by Hoelder: (sum a_i^(2p/(p-2)))^((p-2)/(2p)); the largest semi-axis for
    p <= 2.
    """
    largest = max(semi_axes)
    if exponent <= 2.0 + 1e-9:
        return largest
    power = 2.0 * exponent / (exponent - 2.0)
    return largest * sum((item / largest) ** power for item in semi_axes) ** (1.0 / power)


@step_kernel
def dual_powers(power, t):
    """w_i = (t_i / largest)^(q/2), their sum, and its 1/q-th power times sqrt(largest): H."""
    top = max(t[0], t[1], t[2])
    if top <= 0.0:
        return (1.0, 1.0, 1.0), 3.0, 0.0
    inverse = 1.0 / top
    t0 = t[0] * inverse
    t1 = t[1] * inverse
    t2 = t[2] * inverse
    if power == 2.0:
        total = t0 + t1 + t2
        return (t0, t1, t2), total, math.sqrt(top * total)
    if power == 1.25:  # squareness 0.4: t^(5/8) from square roots alone
        r0 = math.sqrt(t0)
        r1 = math.sqrt(t1)
        r2 = math.sqrt(t2)
        w = (r0 * math.sqrt(math.sqrt(r0)), r1 * math.sqrt(math.sqrt(r1)), r2 * math.sqrt(math.sqrt(r2)))
    else:
        half = 0.5 * power
        w = (t0**half, t1**half, t2**half)
    total = w[0] + w[1] + w[2]
    return w, total, math.sqrt(top) * total ** (1.0 / power)


@step_kernel
def _terms(outline, m):
    """H, a_i^2, delta^2, 1/t_i (1), c_i (3) and the factors X_i / m_i."""
    a, b, c = three(outline.semi_axes, 0)
    squares = (a * a, b * b, c * c)
    delta2 = outline.rounding * outline.rounding
    common = delta2 * dot(m, m)
    t0 = squares[0] * m[0] * m[0] + common
    t1 = squares[1] * m[1] * m[1] + common
    t2 = squares[2] * m[2] * m[2] + common
    floor = 1e-60 * (t0 + t1 + t2) + 1e-300  # c_i of an exact zero is a limit, for ellipsoids a finite one
    t = (max(t0, floor), max(t1, floor), max(t2, floor))
    w, total, value = dual_powers(outline.dual, t)
    scale = value / total
    inverse = (1.0 / t[0], 1.0 / t[1], 1.0 / t[2])  # quotients are what this costs
    c0 = scale * w[0] * inverse[0]
    c1 = scale * w[1] * inverse[1]
    c2 = scale * w[2] * inverse[2]
    shared = delta2 * (c0 + c1 + c2)
    d = (c0 * squares[0] + shared, c1 * squares[1] + shared, c2 * squares[2] + shared)
    return value, squares, delta2, inverse, (c0, c1, c2), d


@step_kernel
def superellipsoid_support(outline, m):
    """Support value and point in own axes, eqs. (2), (3).

    Args:
        outline: record of an outline.
        m: direction in own axes (F^T n), any length.

    Returns:
        H (times the length of m), X [m].
    """
    value, _, _, _, _, d = _terms(outline, m)
    return value, (m[0] * d[0], m[1] * d[1], m[2] * d[2])


@step_kernel
def superellipsoid_curvature(outline, m):
    """Support value, point, second derivative (4) and the terms that a majorising Newton step adds back.

    Returns:
        H, X, H'' as rows, and e_i = (2-q) c_i a_i^4 m_i^2 / t_i for q < 2 (zero otherwise): H'' + e_i on coordinate i
        bounds the curvature between m_i and 0.
    """
    value, a, delta2, inverse, c, d = _terms(outline, m)
    power = outline.dual
    m0, m1, m2 = m
    x0 = m0 * d[0]
    x1 = m1 * d[1]
    x2 = m2 * d[2]
    b = (1.0 - power) / max(value, 1e-300)
    g0 = (power - 2.0) * c[0] * inverse[0]
    g1 = (power - 2.0) * c[1] * inverse[1]
    g2 = (power - 2.0) * c[2] * inverse[2]
    # sum g_i u_i u_i^T with u_i = a_i m_i e_i + delta^2 m, expanded
    p0 = g0 * a[0] * m0
    p1 = g1 * a[1] * m1
    p2 = g2 * a[2] * m2
    all_g = delta2 * delta2 * (g0 + g1 + g2)
    h00 = d[0] + b * x0 * x0 + p0 * a[0] * m0 + 2.0 * delta2 * p0 * m0 + all_g * m0 * m0
    h11 = d[1] + b * x1 * x1 + p1 * a[1] * m1 + 2.0 * delta2 * p1 * m1 + all_g * m1 * m1
    h22 = d[2] + b * x2 * x2 + p2 * a[2] * m2 + 2.0 * delta2 * p2 * m2 + all_g * m2 * m2
    h01 = b * x0 * x1 + delta2 * (p0 * m1 + p1 * m0) + all_g * m0 * m1
    h02 = b * x0 * x2 + delta2 * (p0 * m2 + p2 * m0) + all_g * m0 * m2
    h12 = b * x1 * x2 + delta2 * (p1 * m2 + p2 * m1) + all_g * m1 * m2
    second = ((h00, h01, h02), (h01, h11, h12), (h02, h12, h22))
    bound = (0.0, 0.0, 0.0)
    if power < 2.0:
        bound = (-p0 * a[0] * m0, -p1 * a[1] * m1, -p2 * a[2] * m2)
    return value, (x0, x1, x2), second, bound

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
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.outlines.outline import (
    EXPONENT,
    KIND,
    POWER,
    RADIUS_BOUND,
    ROUNDING,
    SIZE,
    SMOOTH,
    THICKNESS,
    Outline,
    three_sizes,
)
from centrode.parts.part import quantity
from centrode.parts.visual import Visual, VisualScene, VisualSuperellipsoid, vector

# 1e-4 m leaves every collision result unchanged to 1e-5 m/s and cures parallel faces.
DEFAULT_ROUNDING = 1e-4


@dataclass(frozen=True)
class OutlineSuperellipsoid(Outline):
    """Superellipsoid with semi-axes [m], squareness [1] in 0.1 .. 1.9 and rounding [m]."""

    kind: ClassVar[str] = "superellipsoid"

    semi_axes: tuple[float, float, float] = quantity("m", "semi-axes along own x, y, z", (2.0, 0.8, 0.65))
    squareness: float = quantity("1", "2 / exponent; 1 ellipsoid, small boxy", 0.4, minimum=0.1, maximum=1.9)
    rounding: float = quantity("m", "rounding length of flat faces", DEFAULT_ROUNDING, minimum=0.0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        wrong = three_sizes(f"{self.name}.semi_axes", self.semi_axes, "semi-axes")
        if not wrong and not found and self.rounding > 0.1 * min(self.semi_axes):
            wrong.append(
                Fault(
                    "rounding too large for this outline",
                    f"{self.name}.rounding",
                    got=self.rounding,
                    expected=f"at most a tenth of the smallest semi-axis, {0.1 * min(self.semi_axes):g} m",
                )
            )
        # The generic check reports "must be positive"-like faults of the triple a second time; keep the clear one.
        return [item for item in found if item.path != f"{self.name}.semi_axes"] + wrong

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.drawn(VisualSuperellipsoid, vector(self.semi_axes), float(self.squareness))

    def shape_row(self, row: np.ndarray) -> None:
        exponent = 2.0 / self.squareness
        fill_smooth_row(row, self.semi_axes, exponent, self.rounding)


def fill_smooth_row(row: np.ndarray, semi_axes: tuple[float, float, float], exponent: float, rounding: float) -> None:
    """Shape entries of a superellipsoid row; ``exponent`` is p."""
    dual = 2.0 if exponent == 2.0 else exponent / (exponent - 1.0)
    delta = 0.0 if exponent == 2.0 else rounding  # an ellipsoid has no flat face
    row[KIND] = SMOOTH
    row[POWER] = dual
    row[EXPONENT] = exponent
    row[ROUNDING] = delta
    for i in range(3):
        lowered = (semi_axes[i] ** dual - 2.0 * delta**dual) ** (2.0 / dual) - delta * delta
        row[SIZE + i] = math.sqrt(lowered) if delta > 0.0 else semi_axes[i]
    row[RADIUS_BOUND] = bounding_radius(semi_axes, exponent) + 3.0 * delta
    row[THICKNESS] = min(semi_axes)


def bounding_radius(semi_axes: tuple[float, float, float], exponent: float) -> float:
    """Largest distance of the surface from the centre [m].

    Maximum of |X| on sum |X_i/a_i|^p = 1 by Hoelder: (sum a_i^(2p/(p-2)))^((p-2)/(2p)); the largest semi-axis for
    p <= 2. Rounding raises each sqrt(t_i) by at most delta |m|, hence H by at most 3 delta: add that where it counts.
    """
    largest = max(semi_axes)
    if exponent <= 2.0 + 1e-9:
        return largest
    power = 2.0 * exponent / (exponent - 2.0)
    return largest * sum((item / largest) ** power for item in semi_axes) ** (1.0 / power)


@step_kernel
def dual_powers(power, t0, t1, t2):
    """w_i = (t_i / largest)^(q/2), their sum's 1/q-th power times sqrt(largest): (w0, w1, w2, sum, H)."""
    top = max(t0, t1, t2)
    if top <= 0.0:
        return 1.0, 1.0, 1.0, 3.0, 0.0
    inverse = 1.0 / top
    t0 *= inverse
    t1 *= inverse
    t2 *= inverse
    if power == 2.0:
        total = t0 + t1 + t2
        return t0, t1, t2, total, math.sqrt(top * total)
    if power == 1.25:  # squareness 0.4: t^(5/8) from square roots alone
        r0 = math.sqrt(t0)
        r1 = math.sqrt(t1)
        r2 = math.sqrt(t2)
        w0 = r0 * math.sqrt(math.sqrt(r0))
        w1 = r1 * math.sqrt(math.sqrt(r1))
        w2 = r2 * math.sqrt(math.sqrt(r2))
    else:
        half = 0.5 * power
        w0 = t0**half
        w1 = t1**half
        w2 = t2**half
    total = w0 + w1 + w2
    return w0, w1, w2, total, math.sqrt(top) * total ** (1.0 / power)


@step_kernel
def superellipsoid_support(row, m0, m1, m2):
    """Support value and point in own axes, eqs. (2), (3).

    Args:
        row: outline row.
        m0, m1, m2: direction in own axes (F^T n), any length.

    Returns:
        H, X0, X1, X2 [m] (times the length of m for H).
    """
    a0 = row[SIZE] * row[SIZE]
    a1 = row[SIZE + 1] * row[SIZE + 1]
    a2 = row[SIZE + 2] * row[SIZE + 2]
    delta2 = row[ROUNDING] * row[ROUNDING]
    common = delta2 * (m0 * m0 + m1 * m1 + m2 * m2)
    t0 = a0 * m0 * m0 + common
    t1 = a1 * m1 * m1 + common
    t2 = a2 * m2 * m2 + common
    floor = 1e-60 * (t0 + t1 + t2) + 1e-300  # c_i of an exact zero is a limit, for ellipsoids a finite one
    t0 = max(t0, floor)
    t1 = max(t1, floor)
    t2 = max(t2, floor)
    w0, w1, w2, total, value = dual_powers(row[POWER], t0, t1, t2)
    scale = value / total
    c0 = scale * w0 / t0
    c1 = scale * w1 / t1
    c2 = scale * w2 / t2
    shared = delta2 * (c0 + c1 + c2)
    return value, m0 * (c0 * a0 + shared), m1 * (c1 * a1 + shared), m2 * (c2 * a2 + shared)


@step_kernel
def superellipsoid_curvature(row, m0, m1, m2):
    """Support value, point, second derivative (4) and the terms that a majorising Newton step adds back.

    Returns:
        H, X (3), H''_00, H''_01, H''_02, H''_11, H''_12, H''_22, and e_i = (2-q) c_i a_i^4 m_i^2 / t_i for
        q < 2 (zero otherwise): H'' + e_i on coordinate i bounds the curvature between m_i and 0.
    """
    a0 = row[SIZE] * row[SIZE]
    a1 = row[SIZE + 1] * row[SIZE + 1]
    a2 = row[SIZE + 2] * row[SIZE + 2]
    power = row[POWER]
    delta2 = row[ROUNDING] * row[ROUNDING]
    common = delta2 * (m0 * m0 + m1 * m1 + m2 * m2)
    t0 = a0 * m0 * m0 + common
    t1 = a1 * m1 * m1 + common
    t2 = a2 * m2 * m2 + common
    floor = 1e-60 * (t0 + t1 + t2) + 1e-300  # c_i of an exact zero is a limit, for ellipsoids a finite one
    t0 = max(t0, floor)
    t1 = max(t1, floor)
    t2 = max(t2, floor)
    w0, w1, w2, total, value = dual_powers(power, t0, t1, t2)
    scale = value / total
    c0 = scale * w0 / t0
    c1 = scale * w1 / t1
    c2 = scale * w2 / t2
    shared = delta2 * (c0 + c1 + c2)
    d0 = c0 * a0 + shared
    d1 = c1 * a1 + shared
    d2 = c2 * a2 + shared
    x0 = m0 * d0
    x1 = m1 * d1
    x2 = m2 * d2
    b = (1.0 - power) / max(value, 1e-300)
    g0 = (power - 2.0) * c0 / t0
    g1 = (power - 2.0) * c1 / t1
    g2 = (power - 2.0) * c2 / t2
    # sum g_i u_i u_i^T with u_i = a_i m_i e_i + delta^2 m, expanded
    p0 = g0 * a0 * m0
    p1 = g1 * a1 * m1
    p2 = g2 * a2 * m2
    all_g = delta2 * delta2 * (g0 + g1 + g2)
    h00 = d0 + b * x0 * x0 + p0 * a0 * m0 + 2.0 * delta2 * p0 * m0 + all_g * m0 * m0
    h11 = d1 + b * x1 * x1 + p1 * a1 * m1 + 2.0 * delta2 * p1 * m1 + all_g * m1 * m1
    h22 = d2 + b * x2 * x2 + p2 * a2 * m2 + 2.0 * delta2 * p2 * m2 + all_g * m2 * m2
    h01 = b * x0 * x1 + delta2 * (p0 * m1 + p1 * m0) + all_g * m0 * m1
    h02 = b * x0 * x2 + delta2 * (p0 * m2 + p2 * m0) + all_g * m0 * m2
    h12 = b * x1 * x2 + delta2 * (p1 * m2 + p2 * m1) + all_g * m1 * m2
    if power < 2.0:
        return value, x0, x1, x2, h00, h01, h02, h11, h12, h22, -p0 * a0 * m0, -p1 * a1 * m1, -p2 * a2 * m2
    return value, x0, x1, x2, h00, h01, h02, h11, h12, h22, 0.0, 0.0, 0.0

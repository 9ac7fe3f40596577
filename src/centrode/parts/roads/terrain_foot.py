r"""Distance of a point from terrain: the nearest point of the surface, by Newton's method.

With q(u, v) = (u, v, z(u, v)) the surface and p the point, E = |q - p|^2 / 2 is least where

    u - p_x + w z_u = 0,   v - p_y + w z_v = 0,     w = z - p_z                                              (1)

and has the second derivatives 1 + z_u^2 + w z_uu, z_u z_v + w z_uv, 1 + z_v^2 + w z_vv. Where these are not definite (a
point over a hollow, farther away than its centre of curvature) the terms with w are left out, and steps are halved
until E falls. At the foot p - q is along the normal n, so the distance phi = n . (p - q), negative below the surface,
has the gradient n: forces that follow from it are those of a potential, which the height over a plane laid below the
point has not. The walk begins straight below p, so where two feet are equally near phi has a kink, as it should.

A surface nowhere steeper than z' has phi >= (p_z - z) / sqrt(1 + z'^2) above it: most points need no foot.
"""

from __future__ import annotations

import math

import numpy as np

from centrode.jit import kernel
from centrode.math.vector import dot, minus
from centrode.parts.roads.contract import COLUMNS
from centrode.parts.roads.terrain import height_at

SURE = 1e-8
"""Steps shorter than this [m] are taken unchecked: E is flat to round-off there."""
DONE = 1e-14
"""A step shorter than this [m] is the last."""


@kernel
def spline_bends(a, b, c, d, u):
    """Value, slope and second derivative over u of the spline (1) of :mod:`terrain` between b and c."""
    first, second, third = c - a, 2.0 * a - 5.0 * b + 4.0 * c - d, 3.0 * (b - c) + d - a
    value = b + 0.5 * u * (first + u * (second + u * third))
    return value, 0.5 * (first + u * (2.0 * second + 3.0 * u * third)), second + 3.0 * u * third


@kernel
def row_bends(table, i, j, u):
    """The same of the heights in row j between points i and i + 1."""
    a, b = height_at(table, i - 1, j), height_at(table, i, j)
    return spline_bends(a, b, height_at(table, i + 1, j), height_at(table, i + 2, j), u)


@kernel
def terrain_bends(table, x, y):
    """Height [m], its slopes along x and y, and its second derivatives xx, xy, yy [1/m]; level beyond the edges."""
    head = table[0]
    along, aside = (x - head[8]) / head[10], (y - head[9]) / head[11]
    inside_x, inside_y = 0.0 <= along <= head[12] - 1.0, 0.0 <= aside <= head[13] - 1.0
    along, aside = min(max(along, 0.0), head[12] - 1.0), min(max(aside, 0.0), head[13] - 1.0)
    i, j = min(int(along), int(head[12]) - 2), min(int(aside), int(head[13]) - 2)
    u, v = along - i, aside - j
    a, a1, a2 = row_bends(table, i, j - 1, u)
    b, b1, b2 = row_bends(table, i, j, u)
    c, c1, c2 = row_bends(table, i, j + 1, u)
    d, d1, d2 = row_bends(table, i, j + 2, u)
    height, slope_v, bend_vv = spline_bends(a, b, c, d, v)
    slope_u, bend_uv, _ = spline_bends(a1, b1, c1, d1, v)
    bend_uu, _, _ = spline_bends(a2, b2, c2, d2, v)
    per_x, per_y = (1.0 / head[10] if inside_x else 0.0), (1.0 / head[11] if inside_y else 0.0)
    return (
        height,
        slope_u * per_x,
        slope_v * per_y,
        bend_uu * per_x * per_x,
        bend_uv * per_x * per_y,
        bend_vv * per_y * per_y,
    )


@kernel
def half_square(table, u, v, p):
    """E at a place of the surface."""
    z = terrain_bends(table, u, v)[0]
    return 0.5 * ((u - p[0]) * (u - p[0]) + (v - p[1]) * (v - p[1]) + (z - p[2]) * (z - p[2]))


@kernel
def terrain_foot(table, p):
    """Distance of a point from the surface [m], negative below it, unit normal (up) and foot."""
    u, v = p[0], p[1]
    for _ in range(40):
        z, zu, zv, zuu, zuv, zvv = terrain_bends(table, u, v)
        w = z - p[2]
        fu, fv = u - p[0] + w * zu, v - p[1] + w * zv
        a, b, c = 1.0 + zu * zu + w * zuu, zu * zv + w * zuv, 1.0 + zv * zv + w * zvv
        if not (a > 0.1 and a * c - b * b > 0.1 * a):
            a, b, c = 1.0 + zu * zu, zu * zv, 1.0 + zv * zv
        det = a * c - b * b
        du, dv = (b * fv - c * fu) / det, (b * fu - a * fv) / det
        size = math.sqrt(du * du + dv * dv)
        if size > SURE:
            before = 0.5 * ((u - p[0]) * (u - p[0]) + (v - p[1]) * (v - p[1]) + w * w)
            for _ in range(40):
                if half_square(table, u + du, v + dv, p) <= before:
                    break
                du, dv = 0.5 * du, 0.5 * dv
        u, v = u + du, v + dv
        if size <= DONE:
            break
    z, zu, zv, _, _, _ = terrain_bends(table, u, v)
    size = math.sqrt(1.0 + zu * zu + zv * zv)
    n = (-zu / size, -zv / size, 1.0 / size)
    foot = (u, v, z)
    return dot(minus(p, foot), n), n, foot


def steepest(table: np.ndarray) -> float:
    """An upper bound of sqrt(1 + z'^2) of a terrain [1].

    Between two points a slope is a quadratic with Bernstein's coefficients m_0, 3 (p_1 - p_0) - m_0 - m_1, m_1, which
    bound it; across the rows weights of the spline have sizes that add up to 5/4 at most.
    """
    head = table[0]
    nx, ny = int(head[12]), int(head[13])
    z = table[1:].reshape(-1)[: nx * ny].reshape(ny, nx)
    assert table.shape[1] == COLUMNS
    most = 0.0
    for axis, spacing in ((1, head[10]), (0, head[11])):
        p = np.moveaxis(z, axis, 0)
        wide = np.concatenate([p[:1], p, p[-1:]])
        m = 0.5 * (wide[2:] - wide[:-2])
        middle = 3.0 * np.diff(p, axis=0) - m[:-1] - m[1:]
        most += (1.25 * max(float(np.abs(m).max()), float(np.abs(middle).max())) / spacing) ** 2
    return math.sqrt(1.0 + most)

"""The one door to geometry: support value and support point of any outline in a world direction.

With m = F^T n, that is m_i = d_i . n, the image of an outline under (r, F) has

    h(n) = r . n + H(m),     x(n) = r + F X(m).
"""

from __future__ import annotations

from centrode.jit import step_kernel
from centrode.parts.outlines.box import box_support
from centrode.parts.outlines.capsule import capsule_support
from centrode.parts.outlines.outline import BOX, CAPSULE, KIND, POLYHEDRON, SMOOTH
from centrode.parts.outlines.polyhedron import polyhedron_support
from centrode.parts.outlines.superellipsoid import superellipsoid_support


@step_kernel
def support_own(row, pool, m0, m1, m2):
    """Support value [m] and point [m] in own axes towards m (own axes). Planes have none: value infinite."""
    kind = int(row[KIND])
    if kind == SMOOTH:
        return superellipsoid_support(row, m0, m1, m2)
    if kind == BOX:
        return box_support(row, m0, m1, m2)
    if kind == CAPSULE:
        return capsule_support(row, m0, m1, m2)
    if kind == POLYHEDRON:
        return polyhedron_support(row, pool, m0, m1, m2)
    return float("inf"), 0.0, 0.0, 0.0


@step_kernel
def support_world(row, pool, frame, n0, n1, n2):
    """Support value [m] and point [m] in the world towards n (world).

    Args:
        row, pool: outline row and corner pool.
        frame: frame of the outline, float64[12]: position and three directors.
        n0, n1, n2: direction, world; a unit vector makes the value a length.

    Returns:
        h, x, y, z.
    """
    m0 = frame[3] * n0 + frame[4] * n1 + frame[5] * n2
    m1 = frame[6] * n0 + frame[7] * n1 + frame[8] * n2
    m2 = frame[9] * n0 + frame[10] * n1 + frame[11] * n2
    value, x0, x1, x2 = support_own(row, pool, m0, m1, m2)
    return (
        value + frame[0] * n0 + frame[1] * n1 + frame[2] * n2,
        frame[0] + frame[3] * x0 + frame[6] * x1 + frame[9] * x2,
        frame[1] + frame[4] * x0 + frame[7] * x1 + frame[10] * x2,
        frame[2] + frame[5] * x0 + frame[8] * x1 + frame[11] * x2,
    )

"""Support value, support point and curvature of any outline, in own axes and in the world."""

from __future__ import annotations

from centrode.jit import call_by_address, step_kernel, types
from centrode.math.vector import ZERO, combined, dot, plus, turn
from centrode.parts.outlines.outline import CURVED_SIGNATURE, OUTLINE, SHAPES_TYPE, Corners, Curved, corner_towards
from centrode.parts.outlines.superellipsoid import superellipsoid_curvature, superellipsoid_support

call_curved = call_by_address(CURVED_SIGNATURE)


@step_kernel
def curved_support(outline, shapes, m):
    """Support value [m] and point [m] of the curved part towards m, in own axes."""
    if outline.curved == Curved.SUPERELLIPSOID:
        return superellipsoid_support(outline, m)
    if outline.curved == Curved.OWN:
        value, point, _ = call_curved(int(shapes.handles[outline.kernel]), (outline.own[:], m))
        return value, point
    return 0.0, ZERO


@step_kernel
def curvature(outline, shapes, m):
    """Value, point, second derivative and bound terms (:func:`superellipsoid_curvature`) of the curved part at m."""
    if outline.curved == Curved.SUPERELLIPSOID:
        return superellipsoid_curvature(outline, m)
    value, point, second = call_curved(int(shapes.handles[outline.kernel]), (outline.own[:], m))
    return value, point, second, ZERO


@step_kernel(signature=types.Tuple((types.float64, types.vector))(types.from_dtype(OUTLINE), SHAPES_TYPE, types.vector))
def support_own(outline, shapes, m):
    """Support value [m] and point [m] in own axes towards m, (2) of :mod:`outline`. A half space has none."""
    value, point = curved_support(outline, shapes, m)
    if outline.corners == Corners.NONE:
        return value, point
    corner = corner_towards(outline, shapes.points, m)
    return value + dot(corner, m), plus(point, corner)


@step_kernel
def support_world(outline, shapes, frame, n):
    """Support value [m] and point [m] in the world towards n, (3); a unit vector makes the value a length."""
    value, point = support_own(outline, shapes, turn(frame.directors, n))
    return value + dot(frame.position, n), plus(frame.position, combined(frame.directors, point))

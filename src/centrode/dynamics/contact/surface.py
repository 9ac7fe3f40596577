"""The half space that a body meets on a road: the plane that touches the surface below the lowest point of its outline.

With n the normal below the centre of the outline, x its lowest point along -n, the plane goes through the road's
point below x with the normal there. For a body that stands on one corner the depth below this plane is the distance of
the corner from the surface, and its slope is the normal: forces of an elastic law are a gradient. For one that lies on
a flat side of size s the plane is off by s^2 / (8 R) on a road of radius R: a millimetre under a roof of 2 m where
R = 500 m. On terrain outlines that have points of their own (:mod:`terrain_contact`) do not use it.
"""

from __future__ import annotations

from centrode.dynamics.contact.tables import Meets, borrow_contacts
from centrode.jit import step_kernel, types
from centrode.math.vector import cross, dot, minus, plus_times, times
from centrode.parts.outlines.outline import OUTLINE, PLACED, SHAPES_TYPE, Frame, Shapes, frame_at, put_frame
from centrode.parts.outlines.support import support_world
from centrode.parts.roads.road_point import road_point

FAR_BELOW = 1.0e6
"""Where a road that ends is beside its width, when there are others [m]."""

PLANE_BELOW_SIGNATURE = types.float64(
    types.floats2,
    types.float64,
    types.from_dtype(OUTLINE),
    types.from_dtype(PLACED),
    SHAPES_TYPE,
    types.boolean,
    types.from_dtype(PLACED),
)


@step_kernel(signature=PLANE_BELOW_SIGNATURE)
def plane_below(road, hint, outline, placed, shapes, ends, surface):
    """Lay a half space to the road below an outline.

    Args:
        road: its table; hint: road parameter of the last answer.
        outline, placed: the body's; shapes: of all outlines.
        ends: whether the road is no ground beside its width.
        surface: PLACED row of the half space, written.

    Returns:
        Road parameter there, the next hint.
    """
    frame = frame_at(placed)
    x = frame.position
    foot = road_point(road, hint, x[0], x[1], x[2])
    n = (foot[8], foot[9], foot[10])
    if dot(minus(x, (foot[2], foot[3], foot[4])), n) < placed.reach:
        _, x = support_world(outline, shapes, frame, times(-1.0, n))
        foot = road_point(road, foot[0], x[0], x[1], x[2])
        n = (foot[8], foot[9], foot[10])
    along, place = (foot[5], foot[6], foot[7]), (foot[2], foot[3], foot[4])
    if ends and foot[12] != 0.0:
        place = plus_times(place, -FAR_BELOW, n)
    put_frame(surface, Frame(place, (along, cross(n, along), n)))
    return foot[0]


@step_kernel
def aim_surface(contacts, pair):
    """Lay the surface of a pair of a road and an outline below that outline; nothing for other pairs."""
    if pair.meets < Meets.AIMED_A:
        return
    t = borrow_contacts(contacts)
    s, b = (pair.a, pair.b) if pair.meets == Meets.AIMED_A else (pair.b, pair.a)
    row = t.roads[t.outlines[s].surface - 1]
    road = t.road_tables[row.first : row.first + row.rows]
    shapes = Shapes(t.points, t.outline_kernels, t.faces)
    t.hints[b] = plane_below(road, t.hints[b], t.outlines[b], t.placed[b], shapes, row.ends != 0, t.placed[s])

"""The half space that a body meets on a road: the plane that touches the surface below the lowest point of its outline.

With n the normal below the centre of the outline, x its lowest point along -n, the plane goes through the road's
point below x with the normal there. For a body that stands on one corner the depth below this plane is the distance of
the corner from the surface, and its slope is the normal: forces of an elastic law are a gradient. For one that lies on
a flat side of size s the plane is off by s^2 / (8 R) on a road of radius R: a millimetre under a roof of 2 m where
R = 500 m. On terrain outlines that have points of their own (:mod:`terrain_contact`) do not use it.

Rocking: a law knows one depth and its rate, so a box that rocks on its flat side without a change of the mean depth
would rock for ever. A law whose force is the spring's times 1 + a d' (Hunt and Crossley) says the same of every part of
the side: where it goes down faster than the mean the pressure is greater. With the force N of the whole on four points
at +-rho_1, +-rho_2, which have the second moments of the patch, a point that goes down by w more than the mean has

    N / 4 (1 + a w)       more or less, |a w| <= 1,                                                           (1)

a couple for each pair of them, whose power -N a w^2 / 2 is never positive. Elastic laws (a = 0) have none.
"""

from __future__ import annotations

from centrode.dynamics.contact.forces import add_force, material_point, relative_velocity
from centrode.dynamics.contact.tables import Meets, borrow_contacts
from centrode.jit import step_kernel, types
from centrode.math.vector import cross, dot, minus, plus, plus_times, times, vector
from centrode.parts.contact_laws.contact_law import DAMPING
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


@step_kernel
def damp_rocking(contacts, pair, seen, force):
    """Couples (1) of the pair that was just measured and pushed with ``force`` [N]; returns their heat [W]."""
    t = borrow_contacts(contacts)
    damping = t.head[0].scratch[DAMPING]
    if seen.points < 4 or damping <= 0.0:
        return 0.0
    i, j = t.outlines[pair.a].body, t.outlines[pair.b].body
    frame_a, rates_a, frame_b, rates_b = (
        frame_at(t.frames[i]),
        frame_at(t.rates[i]),
        frame_at(t.frames[j]),
        frame_at(t.rates[j]),
    )
    n, centre = vector(seen.normal, 0), vector(seen.centre, 0)
    heat = 0.0
    for k in range(2):
        radius = vector(seen.radii[k], 0)
        one, two = plus(centre, radius), minus(centre, radius)
        # n goes from A to B: where B moves along -n faster than the mean, it is pressed in
        u_one = dot(relative_velocity(frame_a, rates_a, frame_b, rates_b, one), n)
        u_two = dot(relative_velocity(frame_a, rates_a, frame_b, rates_b, two), n)
        w = 0.5 * (u_two - u_one)
        more = 0.25 * force * min(max(damping * w, -1.0), 1.0)
        push = times(more, n)
        back = times(-more, n)
        add_force(t.push[j], material_point(frame_b, one), push)
        add_force(t.push[i], material_point(frame_a, one), back)
        add_force(t.push[j], material_point(frame_b, two), back)
        add_force(t.push[i], material_point(frame_a, two), push)
        heat += 2.0 * more * w
    return heat

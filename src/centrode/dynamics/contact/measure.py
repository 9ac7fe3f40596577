"""The depth of an overlapping pair, by the definition that fits its outlines (see :mod:`depth`)."""

from __future__ import annotations

from centrode.dynamics.contact.cylinder_in_faces import cylinder_in_faces
from centrode.dynamics.contact.cylinder_on_plane import can_above, cylinder_on_plane
from centrode.dynamics.contact.depth import add_push, axes_of, place_centre, spread_patch
from centrode.dynamics.contact.flat_ends import is_faceted
from centrode.dynamics.contact.line_contact import along_lines, is_lined
from centrode.dynamics.contact.nearest_feature import square_frame
from centrode.dynamics.contact.overlap import shared_volume
from centrode.dynamics.contact.search import MEASURE_SIGNATURE, Pair
from centrode.dynamics.contact.swept import along_axes
from centrode.jit import call_by_address, step_kernel
from centrode.math.record import open_sized
from centrode.math.vector import ZERO, dot, middle, minus, plus, plus_times, put, times, turn, vector
from centrode.parts.outlines.outline import Corners, Curved, Shapes, corner_towards, frame_at, point_of
from centrode.parts.outlines.plane import plane_normal
from centrode.parts.outlines.support import support_own

TOUCH = 1e-6
"""Outlines that just touch are taken for larger by this part of the thinner one's half-width, to see how they meet."""
SHALLOW = 1e-7
"""In the same measure: an overlap shallower than this has no volume that round-off leaves intact."""


@step_kernel
def depth_before_resolution(found, seen, pushes):
    """D of an overlap too shallow to be cut: D is homogeneous there, so it is the depth times its slope."""
    slope = 0.0
    for k in range(seen.pushes):
        if pushes[k].of_b != 0:
            slope -= dot(vector(pushes[k].slope, 0), found.normal)
    return max(-found.gap * slope, 0.0)


@step_kernel
def is_polytope(outline):
    """Whether faces alone bound an outline."""
    return outline.half_space != 0 or (outline.corners != Corners.NONE and outline.curved == Curved.NONE)


@step_kernel
def at_one_point(found, grow, seen, pushes):
    """D = -gap, between the two points that the search found.

    It fixes them only to its tolerance; laid on one line along the normal, forces there keep angular momentum exactly.
    """
    seen.depth, seen.pushes, seen.points = max(grow - found.gap, 0.0), 0, 1
    n, x = found.normal, middle(found.point_a, found.point_b)
    add_push(seen, pushes, 0, plus_times(x, -0.5 * found.gap, n), n)
    add_push(seen, pushes, 1, plus_times(x, 0.5 * found.gap, n), times(-1.0, n))
    put(seen.normal, 0, n)
    put(seen.centre, 0, x)
    put(seen.radii[0], 0, ZERO)
    put(seen.radii[1], 0, ZERO)


@step_kernel
def corner_of(outline, shapes, k):
    """Corner k of an outline, own axes [m]."""
    if outline.corners == Corners.BOX:
        a, b, c = vector(outline.half_lengths, 0)
        return (a if k & 1 else -a, b if k & 2 else -b, c if k & 4 else -c)
    return vector(shapes.points[outline.first + k], 0)


@step_kernel
def on_corners(of_b, outline, frame, half, shapes, found, grow, seen, pushes):
    """Depth of an outline with corners and a curved part in a half space: D = sum h^3 / sum h^2 over its corners.

    h is the depth of the lowest point of the curved part about each corner that lies below; ``of_b``: the outline is B.
    """
    n = plane_normal(half.directors)
    m = times(-1.0, turn(frame.directors, n))
    _, lowest = support_own(outline, shapes, m)
    curved = minus(lowest, corner_towards(outline, shapes.points, m))
    count = 8 if outline.corners == Corners.BOX else outline.count
    u, v = axes_of(n)
    seen.depth, seen.pushes, seen.points = 0.0, 0, 1
    s2, s3, inside = 0.0, 0.0, ZERO
    for sweep in range(2):
        for k in range(count):
            x = point_of(frame, plus(corner_of(outline, shapes, k), curved))
            h = max(grow - dot(minus(x, half.position), n), 0.0)
            if sweep == 0:
                s2, s3 = s2 + h * h, s3 + h * h * h
                inside = plus_times(inside, h * h, plus_times(x, 0.5 * h, n))  # midway between the surfaces
            elif h > 0.0:
                slope = h * (3.0 * h - 2.0 * seen.depth) / s2
                add_push(seen, pushes, of_b, x, times(-slope, n))
                add_push(seen, pushes, 1 - of_b, x, times(slope, n))
        if not s2 > 0.0:
            return
        seen.depth = s3 / s2
    inside = times(1.0 / s2, inside)
    place_centre(seen, pushes, inside, found.normal)
    uu, uv, vv = 0.0, 0.0, 0.0
    for k in range(0, seen.pushes, 2):
        d, weight = minus(vector(pushes[k].place, 0), inside), -dot(vector(pushes[k].slope, 0), n)
        uu, uv, vv = uu + weight * dot(d, u) ** 2, uv + weight * dot(d, u) * dot(d, v), vv + weight * dot(d, v) ** 2
    spread_patch(seen, u, v, (uu, uv, vv))


@step_kernel(signature=MEASURE_SIGNATURE)
def measure(
    a, placed_a, b, placed_b, points, handles, faces, room, closest, found, grow, seen, pushes, planes, polygons
):  # fmt: skip
    """Depth and its slopes into ``seen`` and ``pushes``; the depth is 0 when the pair does not overlap.

    Args:
        a .. faces: as for ``find_closest``; room: a record ROOM.
        closest: handle of ``find_closest``; found: its answer.
        grow: take the outlines for larger, A and B together by so much [m] (twice where both have faces).
        seen: a record MEASURED; pushes: PUSH rows; planes: FACE_NOW rows; polygons: room for three of them.
    """
    pair = Pair(a, frame_at(placed_a), b, frame_at(placed_b))
    shapes = Shapes(points, handles, faces)
    flat_a, flat_b = is_polytope(a), is_polytope(b)
    swept_a, swept_b = a.swept != 0, b.swept != 0
    if flat_a and flat_b:
        thin = min(a.thickness, b.thickness)
        shallow = grow == 0.0 and -found.gap < SHALLOW * thin
        shared_volume(pair, shapes, found, TOUCH * thin if shallow else grow, seen, pushes, planes, polygons)
        if shallow:
            seen.depth = depth_before_resolution(found, seen, pushes)
    elif a.half_space != 0 and b.flat_ended != 0:
        can = can_above(b, square_frame(b, pair.frame_b), square_frame(a, pair.frame_a), grow)
        cylinder_on_plane(can, 1, found, seen, pushes)
    elif b.half_space != 0 and a.flat_ended != 0:
        can = can_above(a, square_frame(a, pair.frame_a), square_frame(b, pair.frame_b), grow)
        cylinder_on_plane(can, 0, found, seen, pushes)
    elif a.flat_ended != 0 and is_faceted(b):
        frame_a, frame_b = square_frame(a, pair.frame_a), square_frame(b, pair.frame_b)
        room_for_polygons = open_sized(polygons, (2,))
        cylinder_in_faces(0, a, frame_a, b, frame_b, shapes, grow, found, seen, pushes, planes, room_for_polygons)
    elif b.flat_ended != 0 and is_faceted(a):
        frame_a, frame_b = square_frame(a, pair.frame_a), square_frame(b, pair.frame_b)
        room_for_polygons = open_sized(polygons, (2,))
        cylinder_in_faces(1, b, frame_b, a, frame_a, shapes, grow, found, seen, pushes, planes, room_for_polygons)
    elif a.half_space != 0 and b.corners != Corners.NONE:
        on_corners(1, b, pair.frame_b, pair.frame_a, shapes, found, grow, seen, pushes)
    elif b.half_space != 0 and a.corners != Corners.NONE:
        on_corners(0, a, pair.frame_a, pair.frame_b, shapes, found, grow, seen, pushes)
    elif (swept_a and (swept_b or flat_b or b.flat_ended != 0)) or (swept_b and (flat_a or a.flat_ended != 0)):
        along_axes(pair, swept_a, swept_b, shapes, found, grow, seen, pushes, room.points[:])
    elif (is_lined(a) and (flat_b or is_lined(b))) or (is_lined(b) and flat_a):
        along_lines(closest, a, placed_a, b, placed_b, shapes, room, found, grow, seen, pushes)
    else:
        at_one_point(found, grow, seen, pushes)


call_measure = call_by_address(MEASURE_SIGNATURE)

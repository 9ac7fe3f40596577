"""Contact manifold: where flat sides meet, a patch of contact instead of a single point.

A single point on a flat side is not unique: a box that lands flat on another would be pushed at some corner and
tumble. Given the normal n of the closest-points search, the flat feature of each outline is collected, both are
projected along n, clipped against each other and against the region where the outlines really overlap. On the patch
the depth is a linear function, so its effect equals that of four points with the patch's area centroid and second
moments of area,

    c +- sqrt(2) r_1 e_1,   c +- sqrt(2) r_2 e_2,    weight 1/4 each,                                      (1)

r_i radii of gyration, e_i principal directions: sum of weights 1, sum of w x = c, sum of w x^2 = r^2. Force and
moment of a linear pressure are met exactly, and the points move continuously when corners enter or leave the
patch (a list of clipped corners would jump). A line contact has r_2 = 0, a point contact r_1 = r_2 = 0.

What is flat is a matter of degree, or the force would jump when a side tilts past some angle (a wedge pushes with
half its depth, an edge with all of it). The feature is the support point s plus the flat directions, each shortened by

    W(slope) = 1 up to FLAT, falling smoothly to 0 at STEEP                                               (2)

so that a side shrinks to its lower edge, and an edge to its lower corner, as they tilt. For a box the directions are
its edges, for a capsule its axis; where s changes from one end to the other the slope is zero and nothing moves. A
polyhedron has no such axes: its corners c_k are drawn towards the middle m of those next to the support plane,

    m = sum W(d_k/T) c_k / sum W(d_k/T),    m,  m + W(max(slope, d_k/T)) (c_k - m)                         (3)

d_k the drop below the support plane, T five thicknesses of the outline (the far side never counts), slope = d_k over
the distance of c_k from m.

Forces: each point gets its weight times the law at its own depth. Outlines without corners have one point; their
rounding keeps it unique.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.newton import tangents
from centrode.dynamics.contact.search import FEATURE_ROOM, MANIFOLD_SIGNATURE, PATCH_ROOM, Search
from centrode.jit import call_by_address, step_kernel
from centrode.math.vector import ZERO, combined, dot, middle, minus, norm, plus, plus_times, put, times, turn, vector
from centrode.parts.outlines.outline import Corners, Shapes, frame_at, point_of
from centrode.parts.outlines.support import curved_support

MOST_POINTS = 4
FLAT = 0.02
STEEP = 0.05
"""Slopes up to which a direction is wholly flat, and from which it is not at all: about 1 and 3 degrees."""


@step_kernel
def _flatness(slope):
    """W of (2), with a continuous first derivative."""
    if slope <= FLAT:
        return 1.0
    if slope >= STEEP:
        return 0.0
    x = (STEEP - slope) / (STEEP - FLAT)
    return x * x * (3.0 - 2.0 * x)


@step_kernel
def _flat_direction(director, length, m):
    """Half an edge of the box along a director, towards the side that the outline turns to; and how flat it is, (2)."""
    rise = dot(director, m)
    across = dot(director, director) - rise * rise
    flat = 0.0
    if across > 0.0:
        flat = _flatness(abs(rise) / math.sqrt(across))
    return flat, times(length if rise >= 0.0 else -length, director)


@step_kernel
def _feature(outline, frame, shapes, towards, axes, origin, out):
    """Flat feature towards a unit vector as (u, v, height along the normal) relative to the origin.

    Args:
        towards: n for outline A, -n for outline B.
        axes: tangents and normal, as rows.

    Returns:
        Number of corners.
    """
    _, point = curved_support(outline, shapes, turn(frame.directors, towards))
    start = minus(point_of(frame, point), origin)
    if outline.corners == Corners.POINTS:
        return _feature_of_points(outline, frame, shapes.points, towards, axes, start, out)
    if outline.corners == Corners.NONE:
        put(out[0], 0, turn(axes, start))
        return 1
    return _feature_of_box(outline, frame, towards, axes, start, out)


@step_kernel
def _feature_of_box(outline, frame, towards, axes, start, out):
    """Feature (2) of a box: the corner and the two flattest edges at it; of a segment, the segment.

    Of three edges at a corner one is always steep; the other two span the side. The corner is made of the same halves:
    a support point found elsewhere may stand at the other end of an edge that is level to round-off.
    """
    best, second = 0.0, 0.0
    edges = 0
    a = ZERO
    b = ZERO
    for axis in range(3):
        length = outline.half_lengths[axis]
        if length > 0.0:
            flat, half = _flat_direction(frame.directors[axis], length, towards)
            start = plus(start, half)
            edges += 1
            if flat > best or edges == 1:
                second, b = best, a
                best, a = flat, half
            elif flat > second:
                second, b = flat, half
    a = times(2.0 * best, a)
    b = times(2.0 * second, b)
    put(out[0], 0, turn(axes, start))
    put(out[1], 0, turn(axes, minus(start, a)))
    if edges == 1:
        return 2 if best > 0.0 else 1
    put(out[2], 0, turn(axes, minus(minus(start, a), b)))
    put(out[3], 0, turn(axes, minus(start, b)))
    return _hull(out, 4, outline.radius)


@step_kernel
def _feature_of_points(outline, frame, points, towards, axes, start, out):
    """Feature (3) of a list of corners."""
    scale = 10.0 * outline.thickness  # the record holds half the thickness
    top = -math.inf
    for k in range(outline.first, outline.first + outline.count):
        top = max(top, dot(combined(frame.directors, vector(points[k], 0)), towards))
    total = 0.0
    mean = ZERO
    for k in range(outline.first, outline.first + outline.count):
        corner = combined(frame.directors, vector(points[k], 0))
        weight = _flatness((top - dot(corner, towards)) / scale)
        total += weight
        mean = plus_times(mean, weight, corner)
    mean = times(1.0 / total, mean)  # the support corner itself has weight 1
    put(out[0], 0, turn(axes, plus(start, mean)))  # where all corners end that are not flat
    count = 1
    for k in range(outline.first, outline.first + outline.count):
        corner = combined(frame.directors, vector(points[k], 0))
        drop = top - dot(corner, towards)
        d = minus(corner, mean)
        flat = _flatness(max(drop / max(norm(d), 1e-300), drop / scale))
        if flat > 0.0 and count < FEATURE_ROOM:
            put(out[count], 0, turn(axes, plus(start, plus_times(mean, flat, d))))
            count += 1
    return _hull(out, count, outline.radius)


@step_kernel
def _turn(a, b, c):
    """Twice the signed area of the triangle of three stored corners."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@step_kernel
def _reach(a, b):
    """Squared distance of two stored corners."""
    return (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2


@step_kernel
def _swap(corners, a, b):
    kept = vector(corners[a], 0)
    put(corners[a], 0, vector(corners[b], 0))
    put(corners[b], 0, kept)


@step_kernel
def _hull(corners, count, radius):
    """Convex hull of the stored corners, counter-clockwise, in place (gift wrapping); returns its size.

    Corners nearer to each other than 1e-14 of the outline's radius, some roundings of their coordinates, are one.
    """
    first = 0
    for k in range(1, count):
        if corners[k, 0] < corners[first, 0] or (
            corners[k, 0] == corners[first, 0] and corners[k, 1] < corners[first, 1]
        ):
            first = k
    _swap(corners, 0, first)
    start = corners[0]
    extent = 0.0
    for k in range(1, count):
        extent = max(extent, _reach(start, corners[k]))
    slack = 1e-12 * extent
    same = max(1e-20 * extent, 1e-28 * radius * radius)
    size = 1
    while size < count:
        here = corners[size - 1]
        best = -1
        for k in range(size, count):
            trial = corners[k]
            if _reach(here, trial) <= same or _reach(start, trial) <= same:
                continue  # a corner that is in the hull already
            if best < 0:
                best = k
                continue
            turned = _turn(here, corners[best], trial)
            if turned < -slack or (turned <= slack and _reach(here, trial) > _reach(here, corners[best])):
                best = k
        if best < 0:
            break
        if size > 1:  # the start closes the hull once no other corner lies to the right of the way back to it
            turned = _turn(here, corners[best], start)
            if turned < -slack or (turned <= slack and _reach(here, start) >= _reach(here, corners[best])):
                break
        _swap(corners, size, best)
        size += 1
    return size


@step_kernel
def _plane_of(corners, count):
    """Linear height z = z0 + p u + q v of a feature: through its corners (least squares), flat when degenerate."""
    mean = ZERO
    for k in range(count):
        mean = plus(mean, vector(corners[k], 0))
    mu, mv, mz = mean[0] / count, mean[1] / count, mean[2] / count
    uu = 0.0
    uv = 0.0
    vv = 0.0
    uz = 0.0
    vz = 0.0
    for k in range(count):
        du = corners[k, 0] - mu
        dv = corners[k, 1] - mv
        dz = corners[k, 2] - mz
        uu += du * du
        uv += du * dv
        vv += dv * dv
        uz += du * dz
        vz += dv * dz
    p = 0.0
    q = 0.0
    determinant = uu * vv - uv * uv
    if count > 2 and determinant > 1e-20 * (uu + vv) * (uu + vv):
        p = (uz * vv - vz * uv) / determinant
        q = (vz * uu - uz * uv) / determinant
    elif count > 1 and uu + vv > 0.0:  # a line: slope along it only
        tu = math.sqrt(uu)
        tv = math.sqrt(vv) if uv >= 0.0 else -math.sqrt(vv)
        along = (uz * tu + vz * tv) / ((uu + vv) * (uu + vv))
        p = along * tu
        q = along * tv
    return mz - p * mu - q * mv, p, q


@step_kernel
def _height(plane, u, v):
    """a + b u + c v."""
    return plane[0] + plane[1] * u + plane[2] * v


@step_kernel
def _clip(polygon, count, out, plane):
    """Part of a polygon (or segment) where a + b u + c v >= 0; returns the number of corners in ``out``."""
    kept = 0
    sides = count if count > 2 else count - 1
    for k in range(count):
        u = polygon[k, 0]
        v = polygon[k, 1]
        here = _height(plane, u, v)
        if here >= 0.0 and kept < PATCH_ROOM:
            out[kept, 0] = u
            out[kept, 1] = v
            kept += 1
        if k < sides:
            s = polygon[(k + 1) % count, 0]
            t = polygon[(k + 1) % count, 1]
            there = _height(plane, s, t)
            if (here < 0.0 < there or there < 0.0 < here) and kept < PATCH_ROOM:
                f = here / (here - there)
                out[kept, 0] = u + f * (s - u)
                out[kept, 1] = v + f * (t - v)
                kept += 1
    return kept


@step_kernel
def _parallel(a, b):
    """How parallel two segments are: (2) of the sine of their angle."""
    eu = a[1, 0] - a[0, 0]
    ev = a[1, 1] - a[0, 1]
    fu = b[1, 0] - b[0, 0]
    fv = b[1, 1] - b[0, 1]
    lengths = math.sqrt((eu * eu + ev * ev) * (fu * fu + fv * fv))
    return _flatness(abs(eu * fv - ev * fu) / lengths) if lengths > 0.0 else 1.0


@step_kernel
def _bounds(cut, by, edges, planes):
    """Half planes a + b u + c v >= 0 of the feature that cuts; returns their number, -1 for crossing segments."""
    if edges > 2:
        for k in range(edges):
            u = by[k, 0]
            v = by[k, 1]
            eu = by[(k + 1) % edges, 0] - u
            ev = by[(k + 1) % edges, 1] - v
            put(planes[k], 0, (ev * u - eu * v, -ev, eu))
        return edges
    if edges == 2:
        # Two segments: a line contact when nearly parallel, cut to the common length; else a point.
        if _parallel(by, cut) == 0.0:
            return -1
        u = by[0, 0]
        v = by[0, 1]
        eu = by[1, 0] - u
        ev = by[1, 1] - v
        put(planes[0], 0, (-(eu * u + ev * v), eu, ev))
        put(planes[1], 0, (eu * (u + eu) + ev * (v + ev), -eu, -ev))
        return 2
    return 0


@step_kernel
def _clip_features(search, count_a, count_b, overlap, half_space_a, half_space_b):
    """Patch of two features where they overlap: its points (1) go to ``search.room.polygons[0]``; returns how many.

    The feature with fewer corners is cut by the other one, then to where the two overlap.
    """
    a, b, planes = search.room.features[0], search.room.features[1], search.room.planes
    source, target = search.room.polygons[0], search.room.polygons[1]
    if half_space_b or (not half_space_a and count_a <= count_b):
        cut, by, count, edges = a, b, count_a, count_b
    else:
        cut, by, count, edges = b, a, count_b, count_a
    for k in range(count):
        source[k, 0] = cut[k, 0]
        source[k, 1] = cut[k, 1]
    bounds = _bounds(cut, by, edges, planes)
    if bounds < 0:
        return 0
    put(planes[bounds], 0, overlap)
    for k in range(bounds + 1):
        count = _clip(source, count, target, vector(planes[k], 0))
        source, target = target, source
    points = _moments(source, count, target)
    if count_a == 2 and count_b == 2 and points > 1:
        # Two edges: the line they share shrinks to their crossing (the origin) as they turn against each other.
        shrink = _parallel(a, b)
        for k in range(points):
            target[k, 0] *= shrink
            target[k, 1] *= shrink
    for k in range(points):
        search.room.polygons[0, k, 0] = target[k, 0]
        search.room.polygons[0, k, 1] = target[k, 1]
    return points


@step_kernel(signature=MANIFOLD_SIGNATURE)
def manifold(a, placed_a, b, placed_b, points, handles, room, found, out):
    """Points that stand for the contact patch of an overlapping pair.

    Args:
        a .. room: as for ``find_closest``.
        found: its answer.
        out: PATCH_POINT[4].

    Returns:
        number of points, 1 to 4; the weights add up to 1.
    """
    search = Search(Shapes(points, handles), room)
    n = found.normal
    gap = found.gap
    origin = middle(found.point_a, found.point_b)
    x, y = tangents(n)
    axes = (x, y, n)
    count_a = 0
    count_b = 0
    if not a.half_space:
        count_a = _feature(a, frame_at(placed_a), search.shapes, n, axes, origin, search.room.features[0])
    if not b.half_space:
        count_b = _feature(b, frame_at(placed_b), search.shapes, times(-1.0, n), axes, origin, search.room.features[1])
    # Height of each feature above the middle, linear in (u, v); a half space is level at half the depth.
    level_a = (-0.5 * gap, 0.0, 0.0)
    level_b = (0.5 * gap, 0.0, 0.0)
    count = 0
    if gap < 0.0 and (a.half_space or count_a > 1) and (b.half_space or count_b > 1):
        plane_a, plane_b = level_a, level_b
        if count_a > 1:
            plane_a = _plane_of(search.room.features[0], count_a)
        if count_b > 1:
            plane_b = _plane_of(search.room.features[1], count_b)
        count = _clip_features(search, count_a, count_b, minus(plane_a, plane_b), a.half_space != 0, b.half_space != 0)
        if count > 0:
            level_a, level_b = plane_a, plane_b
    if count == 0:  # a point contact: the points of the search
        count = 1
        search.room.polygons[0, 0, 0] = 0.0
        search.room.polygons[0, 0, 1] = 0.0
    for k in range(count):
        u = search.room.polygons[0, k, 0]
        v = search.room.polygons[0, k, 1]
        top = _height(level_a, u, v)
        bottom = _height(level_b, u, v)
        put(out[k].place, 0, plus(origin, combined(axes, (u, v, 0.5 * (top + bottom)))))
        out[k].depth = top - bottom
        out[k].weight = 1.0 / count
    return count


@step_kernel
def _moments(polygon, count, out):
    """Points (1) of a polygon or segment, one of a point; returns how many (0: empty)."""
    if count == 0:
        return 0
    su = polygon[0, 0]
    sv = polygon[0, 1]
    area = 0.0
    mu = 0.0
    mv = 0.0
    uu = 0.0
    uv = 0.0
    vv = 0.0
    spread = 0.0
    far = 0
    for k in range(1, count):
        du = polygon[k, 0] - su
        dv = polygon[k, 1] - sv
        if du * du + dv * dv > spread:
            spread = du * du + dv * dv
            far = k
        if k + 1 < count:
            eu = polygon[k + 1, 0] - su
            ev = polygon[k + 1, 1] - sv
            t = 0.5 * (du * ev - dv * eu)
            area += t
            mu += t * (du + eu) / 3.0
            mv += t * (dv + ev) / 3.0
            uu += t * (du * du + du * eu + eu * eu) / 6.0
            uv += t * (2.0 * du * dv + du * ev + dv * eu + 2.0 * eu * ev) / 12.0
            vv += t * (dv * dv + dv * ev + ev * ev) / 6.0
    if spread == 0.0:
        out[0, 0] = su
        out[0, 1] = sv
        return 1
    # Axes along and across the longest chord from the first corner.
    length = math.sqrt(spread)
    c = (polygon[far, 0] - su) / length
    s = (polygon[far, 1] - sv) / length
    if abs(area) > 1e-9 * spread:
        mu, mv = (mu * c + mv * s) / area, (mv * c - mu * s) / area
        uu, uv, vv = (
            (uu * c * c + 2.0 * uv * c * s + vv * s * s) / area - mu * mu,
            ((vv - uu) * c * s + uv * (c * c - s * s)) / area - mu * mv,
            (uu * s * s - 2.0 * uv * c * s + vv * c * c) / area - mv * mv,
        )
    else:
        mu, mv, uu, uv, vv = 0.0, 0.0, 0.0, 0.0, 0.0
    narrow = _flatness(abs(area) / spread)
    if narrow > 0.0:
        # A sliver is a line: along it the moments pass to those of a line as it gets narrower, because a triangle has
        # its centroid at a third however narrow it is, and a line in the middle.
        low = 0.0
        high = 0.0
        for k in range(1, count):
            along = (polygon[k, 0] - su) * c + (polygon[k, 1] - sv) * s
            low = min(low, along)
            high = max(high, along)
        second = narrow * (low * low + low * high + high * high) / 3.0 + (1.0 - narrow) * (uu + mu * mu)
        mu = narrow * 0.5 * (low + high) + (1.0 - narrow) * mu
        uu = second - mu * mu
        uv *= 1.0 - narrow
    mu, mv = su + mu * c - mv * s, sv + mu * s + mv * c
    angle = 0.5 * math.atan2(2.0 * uv, uu - vv)
    e = math.cos(angle)
    f = math.sin(angle)
    c, s = e * c - f * s, f * c + e * s
    half = 0.5 * (uu + vv)
    off = math.sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv)
    r1 = math.sqrt(2.0 * max(half + off, 0.0))
    r2 = math.sqrt(2.0 * max(half - off, 0.0))
    for k, du, dv in ((0, r1 * c, r1 * s), (1, -r1 * c, -r1 * s), (2, -r2 * s, r2 * c), (3, r2 * s, -r2 * c)):
        out[k, 0] = mu + du
        out[k, 1] = mv + dv
    return 4


call_manifold = call_by_address(MANIFOLD_SIGNATURE)

"""Where flat sides meet: a patch of contact instead of a single point.

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

Forces: each point gets its weight times the law at its own depth. Smooth outlines have one point; their rounding
keeps it unique.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.smooth import tangents
from centrode.jit import step_kernel
from centrode.parts.outlines.outline import (
    BOX,
    CAPSULE,
    KIND,
    PLANE,
    POLYHEDRON,
    POOL,
    POOL_COUNT,
    SIZE,
    THICKNESS,
)
from centrode.parts.outlines.support import support_world

MOST_POINTS = 4
FLAT = 0.02
STEEP = 0.05
"""Slopes up to which a direction is wholly flat, and from which it is not at all: about 1 and 3 degrees."""
_MOST = 24  # corners of one feature
_ROOM = 64  # corners of a clipped patch

# work layout: features A and B as (u, v, height) triples, two clip buffers of (u, v) pairs, half planes
_A, _B, _P, _Q, _H = 0, 3 * _MOST, 6 * _MOST, 6 * _MOST + 2 * _ROOM, 6 * _MOST + 4 * _ROOM


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
def _store(work, at, slot, p0, p1, p2, n0, n1, n2, x0, x1, x2, y0, y1, y2):
    """Keep a corner, given relative to the middle, as (u, v, height along n)."""
    work[at + 3 * slot] = p0 * x0 + p1 * x1 + p2 * x2
    work[at + 3 * slot + 1] = p0 * y0 + p1 * y1 + p2 * y2
    work[at + 3 * slot + 2] = p0 * n0 + p1 * n1 + p2 * n2


@step_kernel
def _flat_direction(frame, sign, n0, n1, n2, axis, length):
    """Half an edge of a box, or half the axis of a capsule, towards sign*n; and how flat it is, (2)."""
    d0 = frame[3 + 3 * axis]
    d1 = frame[4 + 3 * axis]
    d2 = frame[5 + 3 * axis]
    rise = sign * (d0 * n0 + d1 * n1 + d2 * n2)
    across = d0 * d0 + d1 * d1 + d2 * d2 - rise * rise
    flat = 0.0
    if across > 0.0:
        flat = _flatness(abs(rise) / math.sqrt(across))
    half = length if rise >= 0.0 else -length
    return flat, half * d0, half * d1, half * d2


@step_kernel
def _feature(row, frame, pool, sign, n0, n1, n2, x0, x1, x2, y0, y1, y2, o0, o1, o2, work, at):
    """Flat feature towards sign*n as (u, v, height along n) relative to o; returns the number of corners."""
    kind = int(row[KIND])
    if kind == CAPSULE:
        flat, e0, e1, e2 = _flat_direction(frame, sign, n0, n1, n2, 2, row[SIZE + 2])
        r = sign * row[SIZE]
        s0 = frame[0] + e0 + r * n0 - o0
        s1 = frame[1] + e1 + r * n1 - o1
        s2 = frame[2] + e2 + r * n2 - o2
        e0 *= 2.0 * flat
        e1 *= 2.0 * flat
        e2 *= 2.0 * flat
        _store(work, at, 0, s0, s1, s2, n0, n1, n2, x0, x1, x2, y0, y1, y2)
        _store(work, at, 1, s0 - e0, s1 - e1, s2 - e2, n0, n1, n2, x0, x1, x2, y0, y1, y2)
        return 2
    if kind == BOX:
        # Of three edges at a corner one is always steep; the other two span the side. The corner is made of the same
        # halves: a support point found elsewhere may stand at the other end of an edge that is level to round-off.
        best, second = 0.0, 0.0
        s0, s1, s2 = frame[0] - o0, frame[1] - o1, frame[2] - o2
        a0, a1, a2 = 0.0, 0.0, 0.0
        b0, b1, b2 = 0.0, 0.0, 0.0
        for axis in range(3):
            flat, e0, e1, e2 = _flat_direction(frame, sign, n0, n1, n2, axis, row[SIZE + axis])
            s0 += e0
            s1 += e1
            s2 += e2
            if flat > best:
                second, b0, b1, b2 = best, a0, a1, a2
                best, a0, a1, a2 = flat, e0, e1, e2
            elif flat > second:
                second, b0, b1, b2 = flat, e0, e1, e2
        a0, a1, a2 = 2.0 * best * a0, 2.0 * best * a1, 2.0 * best * a2
        b0, b1, b2 = 2.0 * second * b0, 2.0 * second * b1, 2.0 * second * b2
        _store(work, at, 0, s0, s1, s2, n0, n1, n2, x0, x1, x2, y0, y1, y2)
        _store(work, at, 1, s0 - a0, s1 - a1, s2 - a2, n0, n1, n2, x0, x1, x2, y0, y1, y2)
        _store(work, at, 2, s0 - a0 - b0, s1 - a1 - b1, s2 - a2 - b2, n0, n1, n2, x0, x1, x2, y0, y1, y2)
        _store(work, at, 3, s0 - b0, s1 - b1, s2 - b2, n0, n1, n2, x0, x1, x2, y0, y1, y2)
        return _hull(work, at, 4)
    h, s0, s1, s2 = support_world(row, pool, frame, sign * n0, sign * n1, sign * n2)
    if kind == POLYHEDRON:
        return _polyhedron_feature(row, frame, pool, sign, h, n0, n1, n2, x0, x1, x2, y0, y1, y2, o0, o1, o2, work, at)
    _store(work, at, 0, s0 - o0, s1 - o1, s2 - o2, n0, n1, n2, x0, x1, x2, y0, y1, y2)
    return 1


@step_kernel
def _corner(frame, pool, index):
    """World position of a polyhedron's corner; ``index`` counts in the pool."""
    x0, x1, x2 = pool[index, 0], pool[index, 1], pool[index, 2]
    return (
        frame[0] + frame[3] * x0 + frame[6] * x1 + frame[9] * x2,
        frame[1] + frame[4] * x0 + frame[7] * x1 + frame[10] * x2,
        frame[2] + frame[5] * x0 + frame[8] * x1 + frame[11] * x2,
    )


@step_kernel
def _polyhedron_feature(row, frame, pool, sign, h, n0, n1, n2, x0, x1, x2, y0, y1, y2, o0, o1, o2, work, at):
    """Feature (3) of a polyhedron."""
    first = int(row[POOL])
    scale = 10.0 * row[THICKNESS]  # the row holds half the thickness
    total = 0.0
    m0, m1, m2 = 0.0, 0.0, 0.0
    for k in range(int(row[POOL_COUNT])):
        c0, c1, c2 = _corner(frame, pool, first + k)
        weight = _flatness((h - sign * (c0 * n0 + c1 * n1 + c2 * n2)) / scale)
        total += weight
        m0 += weight * (c0 - o0)
        m1 += weight * (c1 - o1)
        m2 += weight * (c2 - o2)
    m0 /= total  # the support corner itself has weight 1
    m1 /= total
    m2 /= total
    _store(work, at, 0, m0, m1, m2, n0, n1, n2, x0, x1, x2, y0, y1, y2)  # where all corners end that are not flat
    count = 1
    for k in range(int(row[POOL_COUNT])):
        c0, c1, c2 = _corner(frame, pool, first + k)
        drop = h - sign * (c0 * n0 + c1 * n1 + c2 * n2)
        d0 = c0 - o0 - m0
        d1 = c1 - o1 - m1
        d2 = c2 - o2 - m2
        away = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        flat = _flatness(max(drop / max(away, 1e-300), drop / scale))
        if flat > 0.0 and count < _MOST:
            _store(work, at, count, m0 + flat * d0, m1 + flat * d1, m2 + flat * d2,
                   n0, n1, n2, x0, x1, x2, y0, y1, y2)  # fmt: skip
            count += 1
    return _hull(work, at, count)


@step_kernel
def _turn(work, a, b, c):
    """Twice the signed area of the triangle of three stored corners."""
    return (work[b] - work[a]) * (work[c + 1] - work[a + 1]) - (work[b + 1] - work[a + 1]) * (work[c] - work[a])


@step_kernel
def _swap(work, a, b):
    for j in range(3):
        work[a + j], work[b + j] = work[b + j], work[a + j]


@step_kernel
def _hull(work, at, count):
    """Convex hull of the stored corners, counter-clockwise, in place (gift wrapping); returns its size."""
    first = 0
    for k in range(1, count):
        if work[at + 3 * k] < work[at + 3 * first] or (
            work[at + 3 * k] == work[at + 3 * first] and work[at + 3 * k + 1] < work[at + 3 * first + 1]
        ):
            first = k
    _swap(work, at, at + 3 * first)
    extent = 0.0
    for k in range(1, count):
        extent = max(extent, _reach(work, at, at + 3 * k))
    slack = 1e-12 * extent
    same = 1e-20 * extent
    size = 1
    while size < count:
        here = at + 3 * (size - 1)
        best = -1
        for k in range(size, count):
            trial = at + 3 * k
            if _reach(work, here, trial) <= same or _reach(work, at, trial) <= same:
                continue  # a corner that is in the hull already
            if best < 0:
                best = trial
                continue
            turn = _turn(work, here, best, trial)
            if turn < -slack or (turn <= slack and _reach(work, here, trial) > _reach(work, here, best)):
                best = trial
        if best < 0:
            break
        if size > 1:  # the start closes the hull once no other corner lies to the right of the way back to it
            turn = _turn(work, here, best, at)
            if turn < -slack or (turn <= slack and _reach(work, here, at) >= _reach(work, here, best)):
                break
        _swap(work, at + 3 * size, best)
        size += 1
    return size


@step_kernel
def _reach(work, a, b):
    """Squared distance of two stored corners."""
    return (work[b] - work[a]) ** 2 + (work[b + 1] - work[a + 1]) ** 2


@step_kernel
def _plane_of(work, at, count):
    """Linear height z = z0 + p u + q v of a feature: through its corners (least squares), flat when degenerate."""
    mu = 0.0
    mv = 0.0
    mz = 0.0
    for k in range(count):
        mu += work[at + 3 * k]
        mv += work[at + 3 * k + 1]
        mz += work[at + 3 * k + 2]
    mu /= count
    mv /= count
    mz /= count
    uu = 0.0
    uv = 0.0
    vv = 0.0
    uz = 0.0
    vz = 0.0
    for k in range(count):
        du = work[at + 3 * k] - mu
        dv = work[at + 3 * k + 1] - mv
        dz = work[at + 3 * k + 2] - mz
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
def _clip(work, source, count, target, a, b, c):
    """Part of a polygon (or segment) where a + b u + c v >= 0; returns the number of corners in target."""
    kept = 0
    sides = count if count > 2 else count - 1
    for k in range(count):
        u = work[source + 2 * k]
        v = work[source + 2 * k + 1]
        here = a + b * u + c * v
        if here >= 0.0 and kept < _ROOM:
            work[target + 2 * kept] = u
            work[target + 2 * kept + 1] = v
            kept += 1
        if k < sides:
            nxt = (k + 1) % count
            s = work[source + 2 * nxt]
            t = work[source + 2 * nxt + 1]
            there = a + b * s + c * t
            if (here < 0.0 < there or there < 0.0 < here) and kept < _ROOM:
                f = here / (here - there)
                work[target + 2 * kept] = u + f * (s - u)
                work[target + 2 * kept + 1] = v + f * (t - v)
                kept += 1
    return kept


@step_kernel
def _parallel(eu, ev, fu, fv):
    """How parallel two segments are: (2) of the sine of their angle."""
    lengths = math.sqrt((eu * eu + ev * ev) * (fu * fu + fv * fv))
    return _flatness(abs(eu * fv - ev * fu) / lengths) if lengths > 0.0 else 1.0


@step_kernel
def _bounds(work, cut, by, edges):
    """Half planes a + b u + c v >= 0 of the feature that cuts; returns their number, -1 for crossing segments."""
    if edges > 2:
        for k in range(edges):
            u = work[by + 3 * k]
            v = work[by + 3 * k + 1]
            nxt = (k + 1) % edges
            eu = work[by + 3 * nxt] - u
            ev = work[by + 3 * nxt + 1] - v
            work[_H + 3 * k] = ev * u - eu * v
            work[_H + 3 * k + 1] = -ev
            work[_H + 3 * k + 2] = eu
        return edges
    if edges == 2:
        # Two segments: a line contact when nearly parallel, cut to the common length; else a point.
        u = work[by]
        v = work[by + 1]
        eu = work[by + 3] - u
        ev = work[by + 4] - v
        fu = work[cut + 3] - work[cut]
        fv = work[cut + 4] - work[cut + 1]
        if _parallel(eu, ev, fu, fv) == 0.0:
            return -1
        work[_H], work[_H + 1], work[_H + 2] = -(eu * u + ev * v), eu, ev
        work[_H + 3], work[_H + 4], work[_H + 5] = eu * (u + eu) + ev * (v + ev), -eu, -ev
        return 2
    return 0


@step_kernel
def manifold(row_a, frame_a, row_b, frame_b, pool, answer, work, out):
    """Points that stand for the contact patch of an overlapping pair.

    Args:
        row_a .. pool: as for ``closest``.
        answer: its answer as an array: gap, n (3), point on A (3), point on B (3), ...
        work: float64[WORK].
        out: float64[4, 5], rows: middle point (3) [m], depth there [m], weight [1].

    Returns:
        number of points, 1 to 4; the weights add up to 1.
    """
    gap, n0, n1, n2 = answer[0], answer[1], answer[2], answer[3]
    o0 = 0.5 * (answer[4] + answer[7])
    o1 = 0.5 * (answer[5] + answer[8])
    o2 = 0.5 * (answer[6] + answer[9])
    x0, x1, x2, y0, y1, y2 = tangents(n0, n1, n2)
    plane_a = int(row_a[KIND]) == PLANE
    plane_b = int(row_b[KIND]) == PLANE
    count_a = 0
    count_b = 0
    for side in range(2):
        row, frame, sign, at = (row_a, frame_a, 1.0, _A) if side == 0 else (row_b, frame_b, -1.0, _B)
        if int(row[KIND]) != PLANE:
            corners = _feature(row, frame, pool, sign, n0, n1, n2, x0, x1, x2, y0, y1, y2, o0, o1, o2, work, at)
            if side == 0:
                count_a = corners
            else:
                count_b = corners
    # Height of each feature above the middle, linear in (u, v); a plane is level at half the depth.
    za, pa, qa = -0.5 * gap, 0.0, 0.0
    zb, pb, qb = 0.5 * gap, 0.0, 0.0
    points = 0
    source = _P
    target = _Q
    if gap < 0.0 and (plane_a or count_a > 1) and (plane_b or count_b > 1):
        if not plane_a:
            za, pa, qa = _plane_of(work, _A, count_a)
        if not plane_b:
            zb, pb, qb = _plane_of(work, _B, count_b)
        # The feature with fewer corners is cut by the other one, then to where the two overlap.
        if plane_b or (not plane_a and count_a <= count_b):
            cut, by, count, edges = _A, _B, count_a, count_b
        else:
            cut, by, count, edges = _B, _A, count_b, count_a
        for k in range(count):
            work[_P + 2 * k] = work[cut + 3 * k]
            work[_P + 2 * k + 1] = work[cut + 3 * k + 1]
        bounds = _bounds(work, cut, by, edges)
        if bounds < 0:
            count = 0
        else:
            at = _H + 3 * bounds
            work[at], work[at + 1], work[at + 2] = za - zb, pa - pb, qa - qb
            for k in range(bounds + 1):
                at = _H + 3 * k
                count = _clip(work, source, count, target, work[at], work[at + 1], work[at + 2])
                source, target = target, source
        points = _moments(work, source, count, target)
        if count_a == 2 and count_b == 2 and points > 1:
            # Two edges: the line they share shrinks to their crossing (the origin) as they turn against each other.
            shrink = _parallel(
                work[_A + 3] - work[_A],
                work[_A + 4] - work[_A + 1],
                work[_B + 3] - work[_B],
                work[_B + 4] - work[_B + 1],
            )
            for k in range(2 * points):
                work[target + k] *= shrink
    if points == 0:  # a point contact: the points of the search
        points = 1
        za, pa, qa = -0.5 * gap, 0.0, 0.0
        zb, pb, qb = 0.5 * gap, 0.0, 0.0
        work[target] = 0.0
        work[target + 1] = 0.0
    for k in range(points):
        u = work[target + 2 * k]
        v = work[target + 2 * k + 1]
        top = za + pa * u + qa * v
        bottom = zb + pb * u + qb * v
        z = 0.5 * (top + bottom)
        out[k, 0] = o0 + u * x0 + v * y0 + z * n0
        out[k, 1] = o1 + u * x1 + v * y1 + z * n1
        out[k, 2] = o2 + u * x2 + v * y2 + z * n2
        out[k, 3] = top - bottom
        out[k, 4] = 1.0 / points
    return points


@step_kernel
def _moments(work, source, count, target):
    """Points (1) of a polygon or segment, one of a point; returns how many (0: empty)."""
    if count == 0:
        return 0
    su = work[source]
    sv = work[source + 1]
    area = 0.0
    mu = 0.0
    mv = 0.0
    uu = 0.0
    uv = 0.0
    vv = 0.0
    spread = 0.0
    for k in range(1, count):
        du = work[source + 2 * k] - su
        dv = work[source + 2 * k + 1] - sv
        spread = max(spread, du * du + dv * dv)
        if k + 1 < count:
            eu = work[source + 2 * k + 2] - su
            ev = work[source + 2 * k + 3] - sv
            t = 0.5 * (du * ev - dv * eu)
            area += t
            mu += t * (du + eu) / 3.0
            mv += t * (dv + ev) / 3.0
            uu += t * (du * du + du * eu + eu * eu) / 6.0
            uv += t * (2.0 * du * dv + du * ev + dv * eu + 2.0 * eu * ev) / 12.0
            vv += t * (dv * dv + dv * ev + ev * ev) / 6.0
    if spread == 0.0:
        work[target] = su
        work[target + 1] = sv
        return 1
    # Axes along and across the longest chord from the first corner.
    far = 0
    best = -1.0
    for k in range(count):
        d = (work[source + 2 * k] - su) ** 2 + (work[source + 2 * k + 1] - sv) ** 2
        if d > best:
            best = d
            far = k
    length = math.sqrt(best)
    c = (work[source + 2 * far] - su) / length
    s = (work[source + 2 * far + 1] - sv) / length
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
            along = (work[source + 2 * k] - su) * c + (work[source + 2 * k + 1] - sv) * s
            low = min(low, along)
            high = max(high, along)
        middle = 0.5 * (low + high)
        second = narrow * (low * low + low * high + high * high) / 3.0 + (1.0 - narrow) * (uu + mu * mu)
        mu = narrow * middle + (1.0 - narrow) * mu
        uu = second - mu * mu
        uv *= 1.0 - narrow
    mu, mv = mu * c - mv * s, mu * s + mv * c
    angle = 0.5 * math.atan2(2.0 * uv, uu - vv)
    e = math.cos(angle)
    f = math.sin(angle)
    c, s = e * c - f * s, f * c + e * s
    half = 0.5 * (uu + vv)
    off = math.sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv)
    r1 = math.sqrt(2.0 * max(half + off, 0.0))
    r2 = math.sqrt(2.0 * max(half - off, 0.0))
    work[target] = su + mu + r1 * c
    work[target + 1] = sv + mv + r1 * s
    work[target + 2] = su + mu - r1 * c
    work[target + 3] = sv + mv - r1 * s
    work[target + 4] = su + mu - r2 * s
    work[target + 5] = sv + mv + r2 * c
    work[target + 6] = su + mu + r2 * s
    work[target + 7] = sv + mv - r2 * c
    return 4

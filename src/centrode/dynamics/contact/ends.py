"""Where the other body ends within the band of a strip, as a linear programme: heights, and what moves them.

A strip lies in a band of the side that it belongs to. It is cut at the middle of what of the other body stands in the
band, so that nothing that is thinner than a band can stand between the planes of two strips; the columns are as high
as that, and not less than they are wide. With z across the strip the upper end is

    z_+ = max z    over x with  n_j . x <= o_j  (planes of the other body)  in the region of the strip,        (1)

the lower one likewise. What stands outside of the region, such as the tail of a motorcycle that pitches before a car,
does not count. The maximum lies where three planes meet, a_1 n_1 + a_2 n_2 + a_3 n_3 = e_z with a_j >= 0, and when
the other body moves with u at that place

    z_+' = sum of a_j n_j . u,     j over planes of the other body; sides and band of the strip stand still.   (2)

So the cut h = (z_+ + z_-) / 2 pushes at the two ends with half of that vector each: the ends of a body that pitches
move otherwise than the place that presses, and with forces there the work is that of the depth, d' = dd/dt + dd/dh h'.

Ends that are level have no single place. For the search the direction e_z is tilted by TILT along the strip, to either
side by half, and inwards above, outwards below: a plate that lies level is pushed at its middle, a block at its inner
edge.

The programme starts at the corner of the region that the direction points to, which satisfies its own three planes
with a_j >= 0; as long as a plane is violated it takes the place of that one whose a_j vanishes first (dual simplex).
Between two looks the corner found is mostly the same, also the one that showed that nothing stands there. So it starts
there, where it still has a_j > 0. What it finds does not hang on where it started: the maximum of (1) has one corner
alone, its three planes are taken in the order of their names, and where another plane goes by within TIE of it the
search starts afresh from the region.

| symbol | here | unit |
|---|---|---|
| n_j, o_j | :func:`plane_in` | 1, m |
| a_j | shares | 1 |
| e_z | aim | 1 |
"""

from __future__ import annotations

import math
from enum import IntEnum

from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, dot, inverse, plus_times, times, turn, turn_back, vector

TILT = 1e-9
"""Of the direction in which an end is looked for [1]: over the 5 m of a car the end found is lower by up to 5 nm."""

OUTSIDE = 1e-11
"""A corner that lies farther beyond a plane [m] is outside: round-off of places of some m, a thousand times."""

TIE = 1e-8
"""A plane that goes by a corner within this [m] might be one of its three: round-off and OUTSIDE, a thousand times."""

CLEAR = 1e-12
"""Shares below this are round-off; TILT makes those of an end that is level a thousand times as great."""

STEEP = 100.0
"""Planes that leave nothing between them and one that is beyond by TIE leave no corner that is OUTSIDE of none: shares
up to this times OUTSIDE are less."""

NO_ENDS = ((ZERO, ZERO), (ZERO, ZERO), (ZERO, ZERO), (ZERO, ZERO))


class Bound(IntEnum):
    """Plane of a strip's region beside the four edges of its slices (-1 to -4): where its band ends."""

    TOP = -5
    BOTTOM = -6


@step_kernel
def near_planes(contacts, strip):
    """List in ``t.dies`` which of the planes of the other body cut the box about the region of a strip, and how many;
    -1: one of them leaves nothing of it. Most planes of a body do not come near a strip."""
    t = borrow_contacts(contacts)
    middle, half = vector(strip.middle, 0), vector(strip.half, 0)
    made = 0
    for listed in range(t.solids[strip.outline].here):
        k = t.dies[listed].here
        n = vector(t.dies[k].normal, 0)
        beyond = dot(n, middle) - t.dies[k].offset
        spread = abs(n[0]) * half[0] + abs(n[1]) * half[1] + abs(n[2]) * half[2]
        if beyond >= spread:
            return -1
        t.dies[made].near = k
        made += 1 if beyond + spread > 0.0 else 0
    return made


@step_kernel
def plane_in(contacts, strip, name):
    """Normal and offset of a plane in own axes: of the other body, of the region of a strip (as edges), of its band."""
    along, across, inward = vector(strip.along, 0), vector(strip.across, 0), vector(strip.inward, 0)
    if name >= 0:
        die = borrow_contacts(contacts).dies[name]
        return vector(die.normal, 0), die.offset
    slant = strip.inset / strip.length
    if name == -1:
        return times(-1.0, inward), -strip.outer
    if name == -2:
        return plus_times(along, slant, inward), strip.high + slant * strip.outer
    if name == -3:
        return inward, strip.outer + strip.length
    if name == -4:
        return plus_times(times(-1.0, along), slant, inward), slant * strip.outer - strip.low
    if name == Bound.TOP:
        return across, strip.height + 0.5 * strip.band
    return times(-1.0, across), 0.5 * strip.band - strip.height


@step_kernel
def worst_plane(contacts, strip, near, x, names):
    """The plane that a corner x lies farthest beyond, and how far [m], or nearest to: below -TIE none is told. Its own
    planes, ``names``, do not count."""
    t = borrow_contacts(contacts)
    worst, beyond = 0, -TIE
    for k in range(near):
        name = t.dies[k].near
        far = dot(vector(t.dies[name].normal, 0), x) - t.dies[name].offset
        if far > beyond and name != names[0] and name != names[1] and name != names[2]:
            worst, beyond = name, far
    deep = dot(vector(strip.inward, 0), x) - strip.outer
    place, high = dot(vector(strip.along, 0), x), dot(vector(strip.across, 0), x) - strip.height
    aside = deep * strip.inset / strip.length
    lines = (
        -deep,
        place + aside - strip.high,
        deep - strip.length,
        strip.low + aside - place,
        high - 0.5 * strip.band,
        -high - 0.5 * strip.band,
    )
    for k in range(6):
        if lines[k] > beyond and names[0] != -1 - k and names[1] != -1 - k and names[2] != -1 - k:
            worst, beyond = -1 - k, lines[k]
    return worst, beyond


@step_kernel
def in_order(names):
    """Three numbers, the least first."""
    a, b, c = names
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return a, b, c


@step_kernel
def keep_corner(last, names):
    """Note the planes of a corner."""
    for k in range(3):
        last[k] = names[k]


@step_kernel
def end_in(contacts, strip, near, signs, which):
    """The end (1) of the other body in the region of a strip: height, its place, both in own axes, the vector of (2)
    in the world, and whether the other tilt finds no other one; -inf: nothing stands there.

    Args:
        near: planes listed by :func:`near_planes`.
        signs: 1 or -1: which end, as a height upwards or downwards; which side along the tilt goes.
        which: row of ``strip.corners``.
    """
    t = borrow_contacts(contacts)
    up, side = signs
    across = times(up, vector(strip.across, 0))
    aim = plus_times(plus_times(across, TILT * side, vector(strip.along, 0)), TILT * up, vector(strip.inward, 0))
    edge = Bound.TOP.value if up > 0.0 else Bound.BOTTOM.value
    first = in_order((edge, -2 if side > 0.0 else -4, -3 if up > strip.inset / strip.length else -1))
    last = strip.corners[which]
    names = first if last[0] == last[1] else (last[0], last[1], last[2])
    fresh = names == first
    for _ in range(8 * (near + 6)):  # some ten suffice; round-off that would go in circles ends
        one, two, three = (
            plane_in(contacts, strip, names[0]),
            plane_in(contacts, strip, names[1]),
            plane_in(contacts, strip, names[2]),
        )
        back = inverse((one[0], two[0], three[0]))
        shares = turn_back(back, aim)
        x = turn(back, (one[1], two[1], three[1]))
        worst, beyond = worst_plane(contacts, strip, near, x, names)
        if not (fresh or (min(shares) > CLEAR and (beyond > OUTSIDE or not beyond > -TIE))):
            names, fresh = first, True
            continue
        if not beyond > OUTSIDE:
            keep_corner(last, names)
            if names[0] == edge or names[1] == edge or names[2] == edge:
                return dot(across, x), x, ZERO, True  # it reaches through the band, which stands still
            push, shares = ZERO, turn_back(back, across)
            for k in range(3):
                if names[k] >= 0:
                    push = plus_times(push, shares[k], vector(t.dies[names[k]].world, 0))
            tilted = turn_back(back, plus_times(aim, -2.0 * TILT * side, vector(strip.along, 0)))
            return dot(across, x), x, push, min(tilted) >= 0.0
        parts = turn_back(back, plane_in(contacts, strip, worst)[0])
        leaves, least = -1, math.inf
        for k in range(3):
            if parts[k] > 1e-12 and shares[k] < least * parts[k]:
                leaves, least = k, shares[k] / parts[k]
        if leaves < 0:
            if fresh or (beyond > TIE and min(parts) > -STEEP):
                break
            names, fresh = first, True
            continue
        names = in_order((
            worst if leaves == 0 else names[0],
            worst if leaves == 1 else names[1],
            worst if leaves == 2 else names[2],
        ))  # fmt: skip
    keep_corner(last, names)
    return -math.inf, ZERO, ZERO, True


@step_kernel
def band_in(contacts, strip, near):
    """Middle and height [m] of what of the other body stands in the region of a strip, and the ends that the middle
    follows: places in own axes, and gradients of the middle with them in the world. A height of 0: nothing.

    ``near``: planes of the other body that :func:`near_planes` has listed.
    """
    if near < 0:
        return strip.height, 0.0, NO_ENDS
    above = end_in(contacts, strip, near, (1.0, 1.0), 0)
    if above[0] == -math.inf:
        return strip.height, 0.0, NO_ENDS
    beyond = above if above[3] else end_in(contacts, strip, near, (1.0, -1.0), 1)
    below = end_in(contacts, strip, near, (-1.0, -1.0), 2)
    beside = below if below[3] else end_in(contacts, strip, near, (-1.0, 1.0), 3)
    top, bottom = 0.5 * (above[0] + beyond[0]), -0.5 * (below[0] + beside[0])
    if not top > bottom:
        return strip.height, 0.0, NO_ENDS
    ends = (
        (above[1], times(0.25, above[2])),
        (beyond[1], times(0.25, beyond[2])),
        (below[1], times(-0.25, below[2])),
        (beside[1], times(-0.25, beside[2])),
    )
    return 0.5 * (top + bottom), min(max(top - bottom, strip.cell), strip.band), ends

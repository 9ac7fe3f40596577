"""Capsules and cylinders beside each other, and balls on cylinders: closed forms.

Two rods touch with their sides where the nearest points of their axes lie between the ends of both: the gap is the
distance of the axes less both radii. Rods that are almost parallel touch along a line: both ends of what they share
hold it, each with its own gap, and the crossing of the axes where it lies between these. Ends of capsules are balls;
for ends of cylinders, and for rods that are deeper in each other across than along, as what stands on another is, the
search is asked (:func:`narrow.any_pair`).
"""

from __future__ import annotations

import math

from centrode.dynamics.hard.manifold import PARALLEL, see
from centrode.dynamics.hard.tables import Shape, borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import combined, dot, minus, plus_times, times
from centrode.parts.outlines.outline import frame_at

CROSSING = 1e-8
"""Square of the sine of the angle between two axes from which their crossing is a place."""


@step_kernel
def half_length(outline):
    """From the middle of a rod to where its side ends [m]: of a capsule its balls, of a cylinder its rims."""
    if outline.semi_axes[0] == outline.semi_axes[2]:
        return outline.half_lengths[2]
    return outline.half_lengths[2] + outline.semi_axes[2]  # its edges are rounded by as much


@step_kernel
def balls(hard, found, x, r, y, s, reach):
    """A ball at x with radius r and one at y with radius s, noted behind what is ``found``."""
    d = minus(y, x)
    square = dot(d, d)
    far = r + s + reach
    if square >= far * far:
        return found
    distance = math.sqrt(square)
    n = times(1.0 / distance, d) if distance > 0.0 else (0.0, 0.0, 1.0)
    gap = distance - r - s
    return see(hard, found, plus_times(x, r + 0.5 * gap, n), n, gap)


@step_kernel
def crossing(a, p, la, b, q, lb):
    """Where the line a + x p is nearest to the line b + y q, and whether that is between the ends of both."""
    d = minus(b, a)
    c, u, v = dot(p, q), dot(d, p), dot(d, q)
    square = 1.0 - c * c
    if square <= CROSSING:
        return 0.0, False
    x = (u - c * v) / square
    return x, abs(x) <= la and abs(c * x - v) <= lb


@step_kernel
def shared(a, p, la, b, q, lb):
    """What two lines that are almost parallel share: B's ends in A's coordinate, cut to A's length."""
    u, c = dot(minus(b, a), p), abs(dot(p, q))
    return max(-la, u - lb * c), min(la, u + lb * c)


@step_kernel
def across(x, p, b, q):
    """The point of the line b + y q that lies across the direction p from x."""
    return plus_times(b, dot(minus(x, b), p) / dot(p, q), q)


@step_kernel
def rods(hard, a, b, reach):
    """Two capsules or cylinders: points of their sides, -1 where an end of a cylinder may be nearer."""
    t = borrow_hard(hard)
    round_ends = t.shapes[a] == Shape.CAPSULE and t.shapes[b] == Shape.CAPSULE
    one, two = frame_at(t.placed[a]), frame_at(t.placed[b])
    p, q, r, s = one.directors[2], two.directors[2], t.outlines[a].semi_axes[0], t.outlines[b].semi_axes[0]
    la, lb = half_length(t.outlines[a]), half_length(t.outlines[b])
    c = dot(p, q)
    x, inside = crossing(one.position, p, la, two.position, q, lb)
    d = minus(two.position, one.position)
    u, v = dot(d, p), dot(d, q)
    y = c * x - v
    if 1.0 - c * c < PARALLEL:
        low, high = shared(one.position, p, la, two.position, q, lb)
        found = 0
        for k in range(2 if high > low else 0):
            from_a = plus_times(one.position, low if k == 0 else high, p)
            found = balls(hard, found, from_a, r, across(from_a, p, two.position, q), s, reach)
        if inside and low < x < high:
            found = balls(hard, found, plus_times(one.position, x, p), r, plus_times(two.position, y, q), s, reach)
        if found > 0 or high > low:
            return found if round_ends or deepest(hard, found) < high - low else -1
    if not inside:
        if not round_ends:
            return -1
        x = max(-la, min(la, x))
        y = c * x - v
        if y > lb or y < -lb:
            y = max(-lb, min(lb, y))
            x = max(-la, min(la, u + c * y))
    found = balls(hard, 0, plus_times(one.position, x, p), r, plus_times(two.position, y, q), s, reach)
    return found if round_ends or deepest(hard, found) < min(la - abs(x), lb - abs(y)) else -1


@step_kernel
def deepest(hard, found):
    """Greatest overlap of the points seen [m]."""
    deep = -math.inf
    for k in range(found):
        deep = max(deep, -borrow_hard(hard).seen[k].gap)
    return deep


@step_kernel
def ball_on_cylinder(hard, i, x, r, reach):
    """A ball at x with radius r on a cylinder i."""
    t = borrow_hard(hard)
    frame, outline = frame_at(t.placed[i]), t.outlines[i]
    radius, half = outline.semi_axes[0], half_length(outline)
    d = minus(x, frame.position)
    m = (dot(d, frame.directors[0]), dot(d, frame.directors[1]), dot(d, frame.directors[2]))
    out = math.sqrt(m[0] * m[0] + m[1] * m[1])
    e = (m[0] / out, m[1] / out, 0.0) if out > 0.0 else (1.0, 0.0, 0.0)
    up = 1.0 if m[2] >= 0.0 else -1.0
    aside, above = max(out - radius, 0.0), max(abs(m[2]) - half, 0.0)
    depth = math.sqrt(aside * aside + above * above)
    if depth - r >= reach:
        return 0
    if depth > 1e-12 * outline.radius:
        n = (aside / depth * e[0], aside / depth * e[1], above / depth * up)
    elif radius - out <= half - abs(m[2]):  # the middle of the ball is inside: out by the nearest side
        n, depth = e, out - radius
    else:
        n, depth = (0.0, 0.0, up), abs(m[2]) - half
    n, gap = combined(frame.directors, n), depth - r
    return see(hard, 0, plus_times(x, -(r + 0.5 * gap), n), n, gap)

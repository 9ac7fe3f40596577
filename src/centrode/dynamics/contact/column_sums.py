"""What the columns of a strip, and of a pair, add up to.

A column is pushed with a force f at a place x. All bodies take a force and director forces sum X^k f, with
X = F^-1 (x - r) the material coordinates (:mod:`forces`); these are F^-1 of the sums of (x - r)^k f, so a strip adds up
forces and moments in the world and hands them over once.
"""

from __future__ import annotations

import math

from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, add, combined, inverse, minus, norm, plus, plus_times, put, times, transposed
from centrode.parts.outlines.outline import frame_at, point_of

NOT_PUSHED = (ZERO, ZERO, ZERO, 0.0, ZERO, ZERO, ZERO)
"""Sums over the columns of a strip: forces (3) and friction on its body, |force| times place, |force|, and each
coordinate of the place times force and friction."""


@step_kernel
def clear_pressed(total):
    """Begin a sum over columns."""
    put(total.force, 0, ZERO)
    put(total.normal, 0, ZERO)
    put(total.moment, 0, ZERO)
    total.sizes = 0.0
    total.stored = 0.0
    total.heat = 0.0
    total.rubbed = 0.0
    total.reach = -math.inf
    total.depth = 0.0
    total.free = 0.0
    total.rate = 0.0
    total.closing = 0.0
    total.slip = 0.0
    total.through = 0


@step_kernel
def with_column(pushed, x, f, friction):
    """The sums of a strip with one more column: force f of equation (3) and friction at x from the strip's origin."""
    normal, rubbing, moment, size, one, two, three = pushed
    both, strong = plus(f, friction), norm(f)
    return (
        plus(normal, f),
        plus(rubbing, friction),
        plus_times(moment, strong, x),
        size + strong,
        plus_times(one, x[0], both),
        plus_times(two, x[1], both),
        plus_times(three, x[2], both),
    )


@step_kernel
def at_ends(pushed, frame, lifted, cut):
    """The sums of a strip with what its columns push by the height of the cut taken from them to the ends.

    Args:
        frame: of the strip's outline.
        lifted: sums over columns of force times growth of the depth with the height, and of this times the place.
        cut: the ends that the cut follows (:mod:`ends`), and the sum of what they push with.
    """
    normal, rubbing, moment, size, one, two, three = pushed
    ends, lift = cut
    one = plus_times(one, -lifted[1][0], lift)
    two = plus_times(two, -lifted[1][1], lift)
    three = plus_times(three, -lifted[1][2], lift)
    for place, push in ends:
        x = minus(point_of(frame, place), frame.position)
        one = plus_times(one, lifted[0] * x[0], push)
        two = plus_times(two, lifted[0] * x[1], push)
        three = plus_times(three, lifted[0] * x[2], push)
    return normal, rubbing, moment, size, one, two, three


@step_kernel
def push_strip(contacts, bodies, about, pushed, sign):
    """Give what the columns of a strip add up to (:data:`NOT_PUSHED`) to its body, and the opposite to the other.

    Args:
        bodies: that of the strip, the other.
        about: place that the sums are taken about [m].
        sign: of the force on the other body in the sums of the pair.
    """
    t = borrow_contacts(contacts)
    normal, friction, moment, size, one, two, three = pushed
    if size == 0.0:
        return
    total = t.head[0].pressed
    force = plus(normal, friction)
    for n in range(2):
        body, share = bodies[n], (1.0 if n == 0 else -1.0)
        frame = frame_at(t.frames[body])
        away = minus(about, frame.position)
        back = transposed(inverse(frame.directors))
        arms = plus_times(one, away[0], force), plus_times(two, away[1], force), plus_times(three, away[2], force)
        add(t.push[body].position, 0, times(share, force))
        for k in range(3):
            add(t.push[body].directors[k], 0, times(share, combined(arms, back[k])))
    add(total.force, 0, times(-sign, force))
    add(total.normal, 0, times(-sign, normal))
    add(total.moment, 0, plus_times(moment, size, about))
    total.sizes += size

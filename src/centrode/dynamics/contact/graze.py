"""Contacts that begin and end within one step, seen by no accepted state: a corner or a round side that grazes.

A method with step control takes long steps in free flight. Two bodies that part after a hit and turn may graze in such
a step: none of its stages need fall into the few milliseconds, and the gap is positive at both ends. So the way of a
pair that is apart at the end of a step is looked at when it may have touched: when the gap is less than what the two
can have moved towards each other,

    g < |d| + R_A |dF_A| + R_B |dF_B|                                                                      (1)

with d their relative motion, dF the changes of their directors and R their reaches. The frames on the way are cubics
through both states with the rates at both (Hermite), exact for free fall and off by

    e = R (w h)^4 / 384                                                                                    (2)

for a body that turns at w through a step h. The gap is searched at 17 places, and where one of them is less than its
neighbours, between these by ten golden sections. A least gap inside the step below the sum of both e may be a contact:
the run loop goes back and takes shorter steps (:mod:`guard`), for which e is some thousand times less, so that pairs
which only came near are cleared.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from centrode.dynamics.contact.narrow import call_closest
from centrode.dynamics.contact.search import Status
from centrode.dynamics.contact.tables import Meets, borrow_contacts
from centrode.jit import step_kernel, types
from centrode.math.vector import ZERO, dot, minus, norm, plus, plus_times, put, times, vector
from centrode.parts.outlines.outline import Frame, frame_at, outline_frame, put_frame

SHORTER = 8.0
"""The loop goes back with steps shorter by this: some of the stages then fall into the contact."""
TURNS = 1.6
"""A way along a half circle is longer than its chord by pi / 2."""
DEEP_ENOUGH = 1e-6
"""Of the thickness: a graze less deep moves nothing that could be measured."""


class Way(NamedTuple):
    """Frames of an outline at two settled states, and how they change there per step."""

    before: Frame
    rate_before: Frame
    now: Frame
    rate_now: Frame


@step_kernel
def cubic(p, dp, q, dq, s):
    """Hermite's cubic from p to q with the slopes dp and dq, at the share s."""
    r = 1.0 - s
    start, end = plus_times(times(1.0 + 2.0 * s, p), s, dp), plus_times(times(1.0 + 2.0 * r, q), -r, dq)
    return plus(times(r * r, start), times(s * s, end))


@step_kernel
def frame_at_share(way, s):
    """Frame of an outline at a share of the step."""
    p, dp, q, dq = way.before.directors, way.rate_before.directors, way.now.directors, way.rate_now.directors
    return Frame(
        cubic(way.before.position, way.rate_before.position, way.now.position, way.rate_now.position, s),
        (
            cubic(p[0], dp[0], q[0], dq[0], s),
            cubic(p[1], dp[1], q[1], dq[1], s),
            cubic(p[2], dp[2], q[2], dq[2], s),
        ),
    )


@step_kernel
def scaled(frame, factor):
    """A frame times a number: rates per step from rates per second."""
    d = frame.directors
    return Frame(times(factor, frame.position), (times(factor, d[0]), times(factor, d[1]), times(factor, d[2])))


@step_kernel
def rate_of(contacts, i):
    """How the frame of outline i changes now [1/s]."""
    t = borrow_contacts(contacts)
    return outline_frame(t.outlines[i], frame_at(t.rates[t.outlines[i].body]))


@step_kernel
def keep_way(contacts, i):
    """Take frame and rate of outline i as those of the last settled state."""
    t = borrow_contacts(contacts)
    row, rate = t.before[i], rate_of(contacts, i)
    put_frame(row, frame_at(t.placed[i]))
    put(row.velocity, 0, vector(t.rates[t.outlines[i].body].position, 0))
    put(row.place_rate, 0, rate.position)
    for k in range(3):
        put(row.director_rates[k], 0, rate.directors[k])


@step_kernel
def way_of(contacts, i, duration):
    """The way of outline i since the last settled state."""
    t = borrow_contacts(contacts)
    row = t.before[i]
    d = row.director_rates
    rate = Frame(vector(row.place_rate, 0), (vector(d[0], 0), vector(d[1], 0), vector(d[2], 0)))
    return Way(frame_at(row), scaled(rate, duration), frame_at(t.placed[i]), scaled(rate_of(contacts, i), duration))


@step_kernel
def turned_by(way, reach):
    """How far turning and stretching may have moved a point of an outline [m], and the error (2) [m]."""
    if not reach < math.inf:  # a half space: on the ground it does not turn
        return 0.0, 0.0
    change, rate = 0.0, 0.0
    for k in range(3):
        d = minus(way.now.directors[k], way.before.directors[k])
        change += dot(d, d)
        rate += max(dot(way.rate_before.directors[k], way.rate_before.directors[k]),
                    dot(way.rate_now.directors[k], way.rate_now.directors[k]))  # fmt: skip
    square = 0.5 * rate  # a spin w moves the three directors by sqrt(2) w
    return reach * math.sqrt(max(change, rate)), reach * square * square / 384.0


@step_kernel
def gap_at(contacts, a, b, way_a, way_b, s, warm):
    """Gap and normal of a pair at a share of the step; the rows of its frames are written over."""
    t = borrow_contacts(contacts)
    put_frame(t.placed[a], frame_at_share(way_a, s))
    put_frame(t.placed[b], frame_at_share(way_b, s))
    found = call_closest(
        t.closest,
        (
            t.outlines[a], t.placed[a], t.outlines[b], t.placed[b], t.points, t.outline_kernels, t.faces, t.room[0],
            warm, math.inf,
        ),
    )  # fmt: skip
    return found.gap, found.normal


@step_kernel
def least_inside(contacts, a, b, way_a, way_b, contact, enough):
    """Least gap of a pair inside the step, infinite when it has no minimum there or began below ``contact``; the search
    ends at one below ``enough``.
    """
    warm = ZERO
    parts = 16
    earlier, last, least = math.inf, math.inf, math.inf
    for k in range(parts + 1):
        gap, warm = gap_at(contacts, a, b, way_a, way_b, k / parts, warm)
        if k == 0 and gap < contact:
            return math.inf
        if k > 1 and last < earlier and last <= gap:
            least = min(least, last)
            low, high = (k - 2.0) / parts, k / parts
            for _ in range(10):
                if least < enough:
                    break
                s, r = high - 0.6180339887 * (high - low), low + 0.6180339887 * (high - low)
                left, _ = gap_at(contacts, a, b, way_a, way_b, s, warm)
                right, _ = gap_at(contacts, a, b, way_a, way_b, r, warm)
                least = min(least, left, right)
                low, high = (low, r) if left < right else (s, high)
            if least < enough:
                return least
        earlier, last = last, gap
    return least


@step_kernel
def grazed(contacts, pair, duration):
    """Whether a pair that is apart now may have touched since the last settled state, where it was apart."""
    t = borrow_contacts(contacts)
    a, b = pair.a, pair.b
    way_a, way_b = way_of(contacts, a, duration), way_of(contacts, b, duration)
    path = minus(minus(way_b.now.position, way_a.now.position), minus(way_b.before.position, way_a.before.position))
    moved = max(norm(path), norm(minus(way_b.rate_now.position, way_a.rate_now.position)))
    turned_a, error_a = turned_by(way_a, t.placed[a].reach)
    turned_b, error_b = turned_by(way_b, t.placed[b].reach)
    if pair.gap >= TURNS * (moved + turned_a + turned_b):  # (1); the gap is a lower bound
        return False
    contact = -DEEP_ENOUGH * min(t.outlines[a].thickness, t.outlines[b].thickness)
    enough = contact + error_a + error_b
    least = least_inside(contacts, a, b, way_a, way_b, contact, enough)
    put_frame(t.placed[a], way_a.now)
    put_frame(t.placed[b], way_b.now)
    return least < enough


@step_kernel(signature=types.int64(types.int64, types.float64))
def find_graze(contacts, duration):
    """Number (+ 1) of a near pair that may have grazed in the step that was just made; 0: none."""
    t = borrow_contacts(contacts)
    for k in range(t.head[0].count):
        pair = t.near[k]
        # What slides over a road or brushes it is no hit that a run could miss.
        apart = pair.gap > 0.0 and pair.meets == Meets.BODIES
        if apart and pair.status != Status.NO_ANSWER and grazed(contacts, pair, duration):
            return k + 1
    return 0

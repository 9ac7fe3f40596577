"""How another body came into an end: through its face, or from aside.

A body that slides flush into the side of another reaches past its front, and all along it: a column of the front that
it stands in is 4 m deep at the first touch, and the beam would drag the whole front along. Nothing of that was folded
by it. What came in from aside has pushed the metal before its far side to the side, which is the work of the columns
there. It can be held by an end only as far as it goes on from there: columns of the end begin at the depth of entry,
and so does the beam.

What moves at a speed v makes a column deeper by at most (1 + b) v t in a time t, along the slope b of the beam. What is
deeper than that when it is first met, or on its way out, came in from aside, whatever the step. Corners that have come
in through the face keep the whole column however far they turn or slide on, until nothing of the body stands in the
end any more.
"""

from __future__ import annotations

from centrode.dynamics.contact.forces import relative_velocity
from centrode.dynamics.contact.slices import deepest_at
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.math.vector import combined, dot, norm, plus, plus_times, times, vector
from centrode.parts.outlines.outline import frame_at, point_of

ENTRY = 1e-4
SLACK = 1.5
"""A column that is deeper than SLACK times what can have moved, and ENTRY [m], was entered from the side."""

QUICKEST = 0.01
"""No crash takes the closing speed away in less [s]: what stands still at the end of a step of length t moved during
it with up to t / QUICKEST of the closing speed."""


@step_kernel
def deepened(strip, speed, closing, elapsed):
    """How much deeper a column of a strip can have become in a time since the last state [m]."""
    return SLACK * (1.0 + strip.beam) * (speed + closing * elapsed / QUICKEST) * elapsed + ENTRY


@step_kernel
def entry_of(contacts, strip, slice_, outlines, height, closing, elapsed):
    """Depth at which what stands in an end came in from aside [m]; 0: through its face. Sides: 0.

    It is that of the deepest column when it is first met, less ENTRY: that column is noted with it.
    """
    if strip.inset > 0.0 or strip.entry >= 0.0:
        return max(strip.entry, 0.0)
    t = borrow_contacts(contacts)
    entry, place = 0.0, (0.0, 0.0)
    for c in range(strip.first, strip.first + strip.cells):
        depth, where, _, _, _ = deepest_at(contacts, strip, slice_, t.cells[c].along, t.cells[c].start)
        if depth > entry:
            entry, place = depth, where
    if not entry > ENTRY:
        return 0.0
    own, other = outlines
    i, j = t.outlines[own].body, t.outlines[other].body
    at = plus(
        plus_times(times(height, vector(strip.across, 0)), place[0], vector(strip.along, 0)),
        times(place[1], vector(strip.inward, 0)),
    )
    frame = frame_at(t.placed[own])
    u = relative_velocity(
        frame_at(t.frames[i]), frame_at(t.rates[i]), frame_at(t.frames[j]), frame_at(t.rates[j]), point_of(frame, at)
    )
    came_in = dot(u, combined(frame.directors, vector(strip.inward, 0))) > 0.0
    return 0.0 if came_in and entry <= deepened(strip, norm(u), closing, elapsed) else entry - ENTRY

"""What the slopes of a depth do to two bodies: rate of the depth, forces, effective mass.

All of it is linear in the motions of the bodies, which are affine, dx = dr + sum_i X_i dF_i with X the material
coordinates of a point and F_i the directors. So whatever number of points D depends on, a body needs two sums

    s = sum_k slope_k,      d_i = sum_k X_i slope_k,         D' = s . r' + sum_i d_i . F_i'                 (1)

which depend on poses alone: they hold when the same poses are asked for again with other velocities.
"""

from __future__ import annotations

from centrode.dynamics.contact.forces import material_axes, mobility_of
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, add, cross, dot, minus, plus, plus_times, put, times, turn, vector
from centrode.parts.outlines.outline import frame_at


@step_kernel
def body_of(contacts, pair, of_b):
    """Number of the body that a push belongs to."""
    t = borrow_contacts(contacts)
    return t.outlines[pair.b if of_b != 0 else pair.a].body


@step_kernel
def gather_slopes(contacts, pair, seen):
    """Sums (1) of the pushes of the pair that was looked at, into ``seen.slopes``."""
    t = borrow_contacts(contacts)
    for of_b in range(2):
        frame = frame_at(t.frames[body_of(contacts, pair, of_b)])
        axes = material_axes(frame)
        total, d_0, d_1, d_2 = ZERO, ZERO, ZERO, ZERO
        for k in range(seen.pushes):
            if t.pushes[k].of_b == of_b:
                slope = vector(t.pushes[k].slope, 0)
                x = turn(axes, minus(vector(t.pushes[k].place, 0), frame.position))
                total = plus(total, slope)
                d_0, d_1, d_2 = plus_times(d_0, x[0], slope), plus_times(d_1, x[1], slope), plus_times(d_2, x[2], slope)
        put(seen.slopes[of_b, 0], 0, total)
        put(seen.slopes[of_b, 1], 0, d_0)
        put(seen.slopes[of_b, 2], 0, d_1)
        put(seen.slopes[of_b, 3], 0, d_2)


@step_kernel
def depth_rate(contacts, pair, seen):
    """D' (1) [m/s]."""
    t = borrow_contacts(contacts)
    rate = 0.0
    for of_b in range(2):
        rates = frame_at(t.rates[body_of(contacts, pair, of_b)])
        rate += dot(vector(seen.slopes[of_b, 0], 0), rates.position)
        for i in range(3):
            rate += dot(vector(seen.slopes[of_b, 1 + i], 0), rates.directors[i])
    return rate


@step_kernel
def depth_by_weight(contacts, pair, seen):
    """D'' by gravity alone [m/s2]: of two bodies that both fall it is nothing."""
    t = borrow_contacts(contacts)
    total = 0.0
    for of_b in range(2):
        falls = t.bodies[body_of(contacts, pair, of_b)].falls
        total += falls * dot(vector(seen.slopes[of_b, 0], 0), vector(t.head[0].gravity, 0))
    return total


@step_kernel
def push_normal(contacts, pair, seen, f):
    """Forces -f dD/du on both bodies, equation (1) of :mod:`depth`; their sum on B is the force of the pair."""
    t = borrow_contacts(contacts)
    for of_b in range(2):
        push = t.push[body_of(contacts, pair, of_b)]
        force = times(-f, vector(seen.slopes[of_b, 0], 0))
        add(push.position, 0, force)
        for i in range(3):
            add(push.directors[i], 0, times(-f, vector(seen.slopes[of_b, 1 + i], 0)))
        if of_b != 0:
            put(pair.force, 0, force)


@step_kernel
def depth_mobility(contacts, pair, seen, of_b):
    """What a body contributes to dD M^-1 dD: growth of D' per unit of impulse [1/kg]."""
    t = borrow_contacts(contacts)
    number = body_of(contacts, pair, of_b)
    frame = frame_at(t.frames[number])
    directors = (
        vector(seen.slopes[of_b, 1], 0),
        vector(seen.slopes[of_b, 2], 0),
        vector(seen.slopes[of_b, 3], 0),
    )
    torque = ZERO
    for i in range(3):
        torque = plus(torque, cross(frame.directors[i], directors[i]))
    return mobility_of(t.bodies[number], frame, vector(seen.slopes[of_b, 0], 0), torque, directors)

"""How the velocity of a point of contact answers to an impulse there."""

from __future__ import annotations

import math

from centrode.dynamics.hard.tables import borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import cross, dot, minus, norm, plus, plus_times, put, times, turn, vector

NO_MOBILITY = 1e-12
"""Mobility of a point of bodies that joints hold, in parts of that without joints, that is round-off of none: some
thousand times what the solution for the joints leaves."""


@step_kernel
def inverse_of(solid):
    """Inverse of the inertia in world axes."""
    return vector(solid.inverse[0], 0), vector(solid.inverse[1], 0), vector(solid.inverse[2], 0)


@step_kernel
def tangents_of(n):
    """Two unit vectors across a unit vector."""
    u = cross(n, (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0))
    u = times(1.0 / norm(u), u)
    return u, cross(n, u)


@step_kernel
def relative_velocity(hard, point):
    """Velocity of B relative to A at a point [m/s], and its spin about the normal [rad/s]."""
    t = borrow_hard(hard)
    a, b = t.solids[point.a], t.solids[point.b]
    w, v = vector(a.spin, 0), vector(b.spin, 0)
    u = minus(vector(b.velocity, 0), vector(a.velocity, 0))
    u = minus(plus(u, cross(v, vector(point.arm_b, 0))), cross(w, vector(point.arm_a, 0)))
    return u, dot(minus(v, w), vector(point.normal, 0))


@step_kernel
def closing(a, b, point):
    """The same before the step."""
    w, v = vector(a.spin_before, 0), vector(b.spin_before, 0)
    u = minus(vector(b.velocity_before, 0), vector(a.velocity_before, 0))
    u = minus(plus(u, cross(v, vector(point.arm_b, 0))), cross(w, vector(point.arm_a, 0)))
    return u, dot(minus(v, w), vector(point.normal, 0))


@step_kernel
def slip(point, u, spin):
    """Velocity along the tangents where friction acts (:mod:`patch`), from that of the point and the spin."""
    along = dot(u, vector(point.tangent, 0)) - spin * point.aside[1]
    return along, dot(u, vector(point.across, 0)) + spin * point.aside[0]


@step_kernel
def couple_of(point, along, aside):
    """Couple about the normal by which friction acts elsewhere than at the point."""
    return point.aside[0] * aside - point.aside[1] * along


@step_kernel
def free_answer(solid, arm, d, couple):
    """Velocity of a point of a free body, and its spin, per impulse d there and a couple."""
    w = turn(inverse_of(solid), plus(cross(arm, d), couple))
    return plus(times(solid.mobility, d), cross(w, arm)), w


@step_kernel
def both_answer(hard, point, d, couple):
    """Relative velocity and spin about the normal per impulse d on B and -d on A, both free."""
    t = borrow_hard(hard)
    n = vector(point.normal, 0)
    moment = times(couple, n)
    u, w = free_answer(t.solids[point.a], vector(point.arm_a, 0), d, moment)
    v, s = free_answer(t.solids[point.b], vector(point.arm_b, 0), d, moment)
    return plus(u, v), dot(plus(w, s), n)


@step_kernel
def keep_normal(point, along_n, least):
    """Mobility along the normal, from the answer to a unit impulse; not above ``least`` it is none: zero is kept."""
    mobility = dot(vector(point.normal, 0), along_n)
    point.per_normal = 1.0 / mobility if mobility > least else 0.0


@step_kernel
def keep_mobility(point, along_n, along_u, along_v, least):
    """What sweeps need of the mobility of friction, from the answers (velocity, spin) to impulses along the axes.

    Where drives decide how a point slides it is that of round-off, or none. With ``least`` more friction still goes to
    its limit at once, and what remains finite is all that is asked of it.
    """
    nt, ns = slip(point, along_n[0], along_n[1])
    point.couples[0] = nt
    point.couples[1] = ns
    tt, ts = slip(point, along_u[0], along_u[1])
    _, ss = slip(point, along_v[0], along_v[1])
    tt += least
    ss += least
    det = max(tt * ss - ts * ts, 1e-300)
    put(point.holds, 0, (ss / det, -ts / det, tt / det))
    half = 0.5 * (tt - ss)
    point.slides = 1.0 / max(0.5 * (tt + ss) + math.sqrt(half * half + ts * ts), 1e-300)


@step_kernel
def world_impulse(point):
    """Impulse of a point on B in world axes, and its couple about the normal."""
    p = times(point.impulse[0], vector(point.normal, 0))
    p = plus_times(p, point.impulse[1], vector(point.tangent, 0))
    p = plus_times(p, point.impulse[2], vector(point.across, 0))
    return p, couple_of(point, point.impulse[1], point.impulse[2])

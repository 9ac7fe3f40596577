"""How the velocity of a point of contact answers to an impulse there."""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.math.vector import cross, dot, plus, put, times, turn, vector


@step_kernel
def inverse_of(solid):
    """Inverse of the inertia in world axes."""
    return vector(solid.inverse[0], 0), vector(solid.inverse[1], 0), vector(solid.inverse[2], 0)


@step_kernel
def free_answer(solid, arm, d):
    """Velocity of a point of a free body per impulse d there."""
    w = turn(inverse_of(solid), cross(arm, d))
    return plus(times(solid.mobility, d), cross(w, arm))


@step_kernel
def keep_mobility(point, along_n, along_u, along_v):
    """What sweeps need of the mobility, from the answers to unit impulses along normal and tangents."""
    n, u, v = vector(point.normal, 0), vector(point.tangent, 0), vector(point.across, 0)
    point.per_normal = 1.0 / max(dot(n, along_n), 1e-300)
    point.couples[0] = dot(u, along_n)
    point.couples[1] = dot(v, along_n)
    tt, ts, ss = dot(u, along_u), dot(u, along_v), dot(v, along_v)
    det = max(tt * ss - ts * ts, 1e-300)
    put(point.holds, 0, (ss / det, -ts / det, tt / det))
    half = 0.5 * (tt - ss)
    point.slides = 1.0 / max(0.5 * (tt + ss) + math.sqrt(half * half + ts * ts), 1e-300)

"""Coulomb friction as a vector: regularised, or with a bristle that really sticks.

Regularised: f = -mu N v / sqrt(v^2 + v0^2): power never positive, but a contact under load creeps, at the speed where
f equals the load: v = v0 x / sqrt(1 - x^2), x = load / (mu N).                                            (1)

Bristle: a tangential spring s (kept in the episode's memory) is stretched by the slip, f = -(k s + c v), and slides
when |f| would exceed mu N (return mapping: the spring is shortened to what friction can hold). A loaded contact then
rests with the displacement load / k. Dissipation of a slide of length g is mu N g >= 0. Cundall and Strack 1979.

A patch of several points has one bristle, defined at the patch: the stretch s of its centre and the twist t about the
normal n; a point at r from the centre has

    s + t n x r,                                                                                          (2)

so that a box neither creeps nor turns on a slope, and the bristle does not ask which point is which (the points that
stand for a patch are not material ones). After a step in which some points slid, s and t are the least-squares
fit of (2) to what the points could hold.

Within a step the spring is extrapolated by the time since the last accepted one (``elapsed``), so trial evaluations
leave no trace; the stretch found at an accepted state is written when it is settled.
"""

from __future__ import annotations

import math

from centrode.jit import kernel
from centrode.math.vector import ZERO, dot, norm, plus, plus_times, times
from centrode.parts.contact_laws.contact_law import SLIP_SPEED, STICK_DAMPING, STICK_STIFFNESS


@kernel
def friction_force(par, limit, bristle, n, v, elapsed):
    """Friction on body B, which slides over A with tangential velocity v.

    Args:
        par: law row.
        limit: greatest friction force mu N [N].
        bristle: its stretch at the last accepted state [m], world.
        n: unit normal; v: velocity of B relative to A at the common point [m/s], world; its normal part is removed
            here.
        elapsed: time since the last accepted state [s] (0 at it).

    Returns:
        force on B [N], stored energy [J], dissipated power [W], stretch of the bristle now [m].
    """
    if limit <= 0.0:
        return ZERO, 0.0, 0.0, ZERO
    v = plus_times(v, -dot(v, n), n)
    if par[STICK_STIFFNESS] <= 0.0:
        square = dot(v, v)
        factor = -limit / math.sqrt(square + par[SLIP_SPEED] * par[SLIP_SPEED])
        return times(factor, v), 0.0, -factor * square, ZERO
    k = par[STICK_STIFFNESS]
    s, slides = stretch(bristle, limit / k, n, v, elapsed)
    f = plus(times(-k, s), times(-par[STICK_DAMPING], v))
    size = norm(f)
    if size > limit:
        f = times(limit / size, f)
    stored = 0.5 * k * dot(s, s)
    if slides:
        return f, stored, max(-dot(f, v), 0.0), s
    # sticking: the spring takes its share k s.v, the rest is heat
    return f, stored, max(-dot(plus_times(f, k, s), v), 0.0), s


@kernel
def stretch(s, longest, n, v, elapsed):
    """Bristle after ``elapsed``: stretched, turned into the tangent plane, cut to what friction holds; slides?"""
    s = plus_times(s, elapsed, v)
    s = plus_times(s, -dot(s, n), n)
    length = norm(s)
    if length > longest:
        return times(longest / length, s), True
    return s, False

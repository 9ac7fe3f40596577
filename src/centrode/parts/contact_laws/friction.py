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
from centrode.parts.contact_laws.contact_law import SLIP_SPEED, STICK_DAMPING, STICK_STIFFNESS


@kernel
def friction_force(par, limit, b0, b1, b2, n0, n1, n2, v0, v1, v2, elapsed):
    """Friction on body B, which slides over A with tangential velocity v.

    Args:
        par: law row.
        limit: greatest friction force mu N [N].
        b: stretch of the bristle at the last accepted state [m], world.
        n: unit normal; v: velocity of B relative to A at the common point [m/s], world; its normal part is removed
            here.
        elapsed: time since the last accepted state [s] (0 at it).

    Returns:
        force on B (3) [N], stored energy [J], dissipated power [W], stretch of the bristle now (3) [m].
    """
    along = v0 * n0 + v1 * n1 + v2 * n2
    v0 -= along * n0
    v1 -= along * n1
    v2 -= along * n2
    speed2 = v0 * v0 + v1 * v1 + v2 * v2
    if limit <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if par[STICK_STIFFNESS] <= 0.0:
        factor = -limit / math.sqrt(speed2 + par[SLIP_SPEED] * par[SLIP_SPEED])
        return factor * v0, factor * v1, factor * v2, 0.0, -factor * speed2, 0.0, 0.0, 0.0
    k = par[STICK_STIFFNESS]
    c = par[STICK_DAMPING]
    s0, s1, s2, slides = stretch(b0, b1, b2, limit / k, n0, n1, n2, v0, v1, v2, elapsed)
    f0 = -k * s0 - c * v0
    f1 = -k * s1 - c * v1
    f2 = -k * s2 - c * v2
    size = math.sqrt(f0 * f0 + f1 * f1 + f2 * f2)
    if size > limit:
        scale = limit / size
        f0 *= scale
        f1 *= scale
        f2 *= scale
    stored = 0.5 * k * (s0 * s0 + s1 * s1 + s2 * s2)
    if slides:
        power = max(-(f0 * v0 + f1 * v1 + f2 * v2), 0.0)
    else:  # sticking: the spring takes its share k s.v, the rest is heat
        power = max(-(f0 + k * s0) * v0 - (f1 + k * s1) * v1 - (f2 + k * s2) * v2, 0.0)
    return f0, f1, f2, stored, power, s0, s1, s2


@kernel
def stretch(s0, s1, s2, longest, n0, n1, n2, v0, v1, v2, elapsed):
    """Bristle after ``elapsed``: stretched, turned into the tangent plane, cut to what friction holds; slides?"""
    s0 += v0 * elapsed
    s1 += v1 * elapsed
    s2 += v2 * elapsed
    along = s0 * n0 + s1 * n1 + s2 * n2
    s0 -= along * n0
    s1 -= along * n1
    s2 -= along * n2
    length = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    if length > longest:
        scale = longest / length
        return s0 * scale, s1 * scale, s2 * scale, True
    return s0, s1, s2, False

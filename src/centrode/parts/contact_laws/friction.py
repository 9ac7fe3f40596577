"""Coulomb friction as a vector: with a bristle that really sticks, or regularised.

Bristle: a tangential spring s (kept in the episode's memory) is stretched by the slip and slides when its force would
exceed mu N (return mapping: the spring is shortened to what friction can hold). A loaded contact then rests with the
displacement load / k. Cundall and Strack 1979. With k and c as given,

    f = -(k s + c v), at most mu N.                                                                       (1)

With k chosen at touch (the default) the damper is one of the load, c = mu N / v0, and the spring counts less the faster
the contact slides,

    f = -mu N (p s / L + v / v0), at most mu N,     L = mu N / k,  p = exp(-(v / v0)^2),                  (2)

so that friction of what slides acts against its velocity as it is now, not as it was a bristle's length ago. Never
gives energy: 1 - p <= v / v0, so the damper takes more than the part of the spring that is left out.

Regularised: f = -mu N v / sqrt(v^2 + v0^2): power never positive, smooth, but a contact under load creeps, at the speed
where f equals the load: v = v0 x / sqrt(1 - x^2), x = load / (mu N).                                      (3)

A patch of several points has one bristle, defined at the patch: the stretch s of its centre and the twist about the
normal n, kept as the mean stretch q that it makes at the points; with the mean square R^2 of their distances from the
centre the point at r has

    s + (q / R) n x r,                                                                                    (4)

so that a box neither creeps nor turns on a slope, and the bristle does not ask which point is which (the points that
stand for a patch are not material ones). Where some point would slide, s and q become what all points can hold
(:mod:`centrode.dynamics.contact.bristle`). The stored energy k (s^2 + q^2) / 2 does not change when the patch does.

How far a point has slipped since the last accepted state follows from where both bodies were and are
(:mod:`centrode.dynamics.contact.bristle`), so that a sticking contact is a spring of the positions: trial evaluations
leave no trace, and methods keep their order. The stretch found at an accepted state is written when it is settled.

Energy: what friction takes from the bodies, -f . v, is integrated whole; heat is that minus what the bristles hold.
"""

from __future__ import annotations

import math

from centrode.jit import kernel
from centrode.math.vector import ZERO, dot, norm, plus, plus_times, times
from centrode.parts.contact_laws.contact_law import SLIP_SPEED, STICK_DAMPING, STICK_STIFFNESS


@kernel
def friction_force(par, stick, limit, s, n, v):
    """Friction on body B, which slides over A with tangential velocity v.

    Args:
        par: law row.
        stick: stiffness of the bristle [N/m]; 0: regularised.
        limit: greatest friction force mu N [N].
        s: how far the bristle would be stretched if nothing slid [m], world.
        n: unit normal; v: velocity of B relative to A at the common point [m/s], world; its normal part is removed
            here.

    Returns:
        force on B [N], stored energy [J], power taken from the bodies [W], stretch of the bristle [m].
    """
    if limit <= 0.0:
        return ZERO, 0.0, 0.0, ZERO
    v = plus_times(v, -dot(v, n), n)
    if stick <= 0.0:
        square = dot(v, v)
        factor = -limit / math.sqrt(square + par[SLIP_SPEED] * par[SLIP_SPEED])
        return times(factor, v), 0.0, -factor * square, ZERO
    s = cut(plus_times(s, -dot(s, n), n), limit / stick)
    damping, share = par[STICK_DAMPING], 1.0
    if par[STICK_STIFFNESS] < 0.0:
        damping = limit / par[SLIP_SPEED]
        share = math.exp(-dot(v, v) / (par[SLIP_SPEED] * par[SLIP_SPEED]))
    f = cut(plus(times(-share * stick, s), times(-damping, v)), limit)
    return f, 0.5 * stick * dot(s, s), -dot(f, v), s


@kernel
def cut(x, longest):
    """A vector, shortened to what is allowed."""
    length = norm(x)
    if length > longest:
        return times(longest / length, x)
    return x

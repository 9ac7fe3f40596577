"""Coulomb friction as a vector: regularised, or with a bristle that really sticks.

Regularised: f = -mu N v / sqrt(v^2 + v0^2): power never positive, but a contact under load creeps.

Bristle: a tangential spring s (kept in the episode's memory) is stretched by the slip, f = -(k s + c v), and slides
when |f| would exceed mu N (return mapping: the spring is shortened to what friction can hold). A loaded contact then
rests with a finite displacement. Dissipation of a slide of length g is mu N g >= 0. Cundall and Strack 1979.

Within a step the spring is extrapolated by the time since the last accepted one (``elapsed``), so trial evaluations
leave no trace; :func:`friction_advance` writes the accepted stretch.
"""

from __future__ import annotations

import math

from centrode.jit import kernel
from centrode.parts.contact_laws.contact_law import (
    BRISTLE,
    DISSIPATED,
    FRICTION,
    SLIP_SPEED,
    STICK_DAMPING,
    STICK_STIFFNESS,
)


@kernel
def _stretch(par, memory, limit, n0, n1, n2, v0, v1, v2, elapsed):
    """Bristle after ``elapsed``: turned into the tangent plane, stretched, cut to what friction holds."""
    s0 = memory[BRISTLE] + v0 * elapsed
    s1 = memory[BRISTLE + 1] + v1 * elapsed
    s2 = memory[BRISTLE + 2] + v2 * elapsed
    along = s0 * n0 + s1 * n1 + s2 * n2
    s0 -= along * n0
    s1 -= along * n1
    s2 -= along * n2
    length = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    longest = limit / par[STICK_STIFFNESS]
    slide = length - longest
    if slide > 0.0:
        scale = longest / length
        return s0 * scale, s1 * scale, s2 * scale, slide
    return s0, s1, s2, 0.0


@kernel
def friction_force(par, memory, normal_force, n0, n1, n2, v0, v1, v2, elapsed):
    """Friction on body B, which slides over A with tangential velocity v.

    Args:
        par, memory: law row and episode memory.
        normal_force: [N]; n: unit normal; v: velocity of B relative to A at the common point [m/s], world; its normal
            part is removed here.
        elapsed: time since the last accepted step [s] (0 at its end).

    Returns:
        force on B (3) [N], stored energy [J], dissipated power [W].
    """
    along = v0 * n0 + v1 * n1 + v2 * n2
    v0 -= along * n0
    v1 -= along * n1
    v2 -= along * n2
    limit = par[FRICTION] * max(normal_force, 0.0)
    speed2 = v0 * v0 + v1 * v1 + v2 * v2
    if limit <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    if par[STICK_STIFFNESS] <= 0.0:
        factor = -limit / math.sqrt(speed2 + par[SLIP_SPEED] * par[SLIP_SPEED])
        return factor * v0, factor * v1, factor * v2, 0.0, -factor * speed2
    k = par[STICK_STIFFNESS]
    c = par[STICK_DAMPING]
    s0, s1, s2, slide = _stretch(par, memory, limit, n0, n1, n2, v0, v1, v2, elapsed)
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
    if slide > 0.0:
        return f0, f1, f2, stored, max(-(f0 * v0 + f1 * v1 + f2 * v2), 0.0)
    # Sticking: the spring takes its share k s.v, the rest is heat.
    return f0, f1, f2, stored, max(-(f0 + k * s0) * v0 - (f1 + k * s1) * v1 - (f2 + k * s2) * v2, 0.0)


@kernel
def friction_advance(par, memory, normal_force, n0, n1, n2, v0, v1, v2, duration):
    """Keep the stretch of the bristle after an accepted step; returns the energy dissipated in the step [J]."""
    limit = par[FRICTION] * max(normal_force, 0.0)
    along = v0 * n0 + v1 * n1 + v2 * n2
    v0 -= along * n0
    v1 -= along * n1
    v2 -= along * n2
    speed2 = v0 * v0 + v1 * v1 + v2 * v2
    if par[STICK_STIFFNESS] <= 0.0:
        lost = limit * speed2 / math.sqrt(speed2 + par[SLIP_SPEED] * par[SLIP_SPEED]) * duration
    else:
        s0, s1, s2, slide = _stretch(par, memory, limit, n0, n1, n2, v0, v1, v2, duration)
        memory[BRISTLE] = s0
        memory[BRISTLE + 1] = s1
        memory[BRISTLE + 2] = s2
        lost = limit * slide + par[STICK_DAMPING] * speed2 * duration * (1.0 if slide <= 0.0 else 0.0)
    memory[DISSIPATED] += lost
    return lost

"""Slip of a rolling wheel, its relaxation and lag, and what both mean at standstill.

Signs in :mod:`centrode.parts.tyres.contract`. A law that sees only slip angle and slip is a viscous damper at rest, so
a car on a slope would creep. Relaxation cures that (Pacejka, Tire and Vehicle Dynamics, 3rd ed., section 7.2): the
carcass deflects by u, and u' = u / length is the slip that the force law sees,

    length * du'/dt = slide speed - V u',      V = max(|v_x|, |slide speed| / bound)                       (R)

At speed it is a lag of time length/|v_x|; at rest it is a spring (u' integrates the slide), which holds a car on a
slope without creep. ``bound`` keeps the spring from winding up while the tyre slides: it is the slip where the force
saturates, plus 10 (v/v_low)^2 with the speed v of all that moves at the contact. A little damping at walking pace
(section 8.6 there, "k_Vlow") lets the spring come to rest: :func:`carcass_time` fades it out until v_low.

The lag of the MEDUSA report (1999), eq. (1.27), tau * d alpha_lag/dt + alpha_lag = alpha, has a fixed time instead. Its
alpha is an angle of the full turn, defined up to whole turns: :func:`nearest_turn` picks the one next to the lagged
angle, so that nothing jumps in reverse.
"""

from __future__ import annotations

import math

from centrode.jit import kernel

SMALL = 0.03  # below it the series of the arc tangent is exact to round-off: x^11/11 < 2e-18


@kernel
def angle_of(left_speed, forward_speed):
    """atan2(left, forward) [rad]; the small angles of ordinary driving by their series, four times as fast."""
    if abs(left_speed) < SMALL * forward_speed:
        x = left_speed / forward_speed
        z = x * x
        return x * (1.0 - z * (1.0 / 3.0 - z * (0.2 - z * (1.0 / 7.0 - z * (1.0 / 9.0)))))
    return math.atan2(left_speed, forward_speed)


@kernel
def nearest_turn(angle, reference):
    """The angle [rad] plus whole turns, within half a turn of the reference [rad]."""
    difference = angle - reference
    if abs(difference) <= math.pi:
        return angle
    return angle - 2.0 * math.pi * math.floor(difference / (2.0 * math.pi) + 0.5)


@kernel
def lag_rate(angle, lagged_angle, lag_time):
    """Rate of the lagged slip angle [rad/s], report eq. (1.27); lag_time [s] above 0."""
    return (angle - lagged_angle) / lag_time


@kernel
def relaxed_rate(state, slide, ahead, length, bound):
    """Rate of a relaxed slip [1/s], eq. (R): rolling wears it off; a slow slide cannot wind it past the saturation.

    Args:
        state: relaxed slip: tan of the slip angle, or longitudinal slip [1].
        slide: v_y, or rim speed - v_x [m/s].
        ahead: v_x [m/s].
        length: relaxation length [m], above 0.
        bound: |state| past which it is not wound [1].
    """
    onward = abs(ahead)
    if abs(slide) > onward * bound:
        onward = abs(slide) / bound
    return (slide - onward * state) / length


@kernel
def carcass_time(ahead, low, retardation):
    """Retardation time of the carcass [s]: whole at rest, none from ``low`` [m/s] on."""
    if abs(ahead) >= low:
        return 0.0
    return 0.5 * retardation * (1.0 + math.cos(math.pi * ahead / low))

"""Slip of a rolling wheel, its lag, and what both mean at standstill.

Definitions (signs in :mod:`centrode.parts.tyres.contract`):

- slip        kappa = (rim speed - v_x) / max(|v_x|, v_floor)
- slip angle  alpha = atan2(v_y, max(|v_x|, v_floor))

Above the floor these are the usual ones; below it the slips turn into slide speeds divided by the floor: finite, zero
exactly when nothing slides, and continuous through v_x = 0 into reverse. A law that only sees these slips is a viscous
damper at rest, so a car on a slope would creep. The relaxation form cures that.

Relaxation (Pacejka, Tire and Vehicle Dynamics, 3rd ed., section 7.2): the carcass deflects by u, and u' = u / length is
the slip that the force law sees,

    length * du'/dt = slide speed - |v_x| u'                                                              (R)

At speed it is a lag of time length/|v_x|; at rest it is a spring (u' integrates the slide), which holds a car on a
slope without creep. So that the spring cannot wind up while the tyre slides, u' stops at the slip where the force
saturates. A little damping at walking pace (section 8.6 there, "k_Vlow") lets the spring come to rest.

The lag of the MEDUSA report (1999), eq. (1.27), tau * d alpha_lag/dt + alpha_lag = alpha, has a fixed time instead. Its
alpha is an angle of the full turn, defined up to whole turns: :func:`nearest_turn` picks the one next to the lagged
angle, so that nothing jumps in reverse.
"""

from __future__ import annotations

import math

from centrode.jit import kernel

SPEED_FLOOR = 0.1  # [m/s] below it slips are slide speed / floor


@kernel
def slip_ratio(forward_speed, rim_speed, floor):
    """Longitudinal slip [1]: positive driving, -1 locked; speeds and floor in m/s."""
    return (rim_speed - forward_speed) / max(abs(forward_speed), floor)


@kernel
def slip_angle_folded(forward_speed, left_speed, floor):
    """Slip angle [rad] within a quarter turn, positive when sliding to the left, also in reverse."""
    return math.atan2(left_speed, max(abs(forward_speed), floor))


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
def relaxation_rate(state, slide_speed, forward_speed, length, limit):
    """Rate of a relaxed slip [1/s], eq. (R).

    Args:
        state: relaxed slip: tan of the slip angle, or longitudinal slip [1].
        slide_speed: v_y, or rim speed - v_x [m/s].
        forward_speed: v_x [m/s].
        length: relaxation length [m], above 0.
        limit: |state| at which the force saturates [1]; beyond it the state only returns.
    """
    rate = (slide_speed - abs(forward_speed) * state) / length
    if abs(state) >= limit and rate * state > 0.0:
        return 0.0
    return rate


@kernel
def standstill_damping(forward_speed, low_speed, damping):
    """Damping against the slide speed [N*s/m] that fades out until ``low_speed`` [m/s]."""
    share = abs(forward_speed) / low_speed
    if share >= 1.0:
        return 0.0
    return 0.5 * damping * (1.0 + math.cos(math.pi * share))

"""Slip of a rolling wheel, its relaxation and lag, and what both mean at standstill.

Signs in :mod:`centrode.parts.tyres.contract`. A law that sees only slip angle and slip is a viscous damper at rest, so
a car on a slope would creep. Relaxation cures that (Pacejka, Tire and Vehicle Dynamics, 3rd ed., section 7.2): the
carcass deflects by length * u, and u is the slip that the force law sees,

    length * du/dt = s - V u                                                                               (R)

with the slide speed s (v_y across, rim speed - v_x ahead). While the wheel rolls V = |v_x|: a lag of the way
``length``. At rest V = 0: a spring of the stiffness (slope of the law) / length, which holds a car on a slope without
creep.

A spring holds no more than friction does. Let b be the slip at which the tyre has reached its friction, w the speed
of all that moves at the contact, and z what is seen by the law, deflection and damping of the carcass together:

    B = b + 2 (w/v_low)^2,    n = |(z_x / B_x, z_y / B_y)|,    z = u + f T s / length_0                     (B)
    V = max(|v_x|, (s_out + 4 v_low min(max(n - 1, 0), 1)) / B) + max(length', 0)                           (W)

with s_out = s . z/B / n while n nears 1. A slow slide ends at u = B s/|s|, friction against the slide in one circle for
both directions. The second term of (W) is the return to that circle when B shrinks with the speed (a wheel that slid
fast had a slip of 1, which as a deflection would be 15 cm of spring) and when damping already takes its share: z, not
u, is kept within the circle.

What the spring holds at the end of a slide it gives back: b length, a centimetre or two of a tyre's own length. So the
length is that of the tyre, length_0, for a wheel that moves, and shrinks at rest to length_s, by which a wheel
with its static load is deflected by no more than 0.3 mm. A share c of each wheel, a state, says how far it is:

    length = length_0 - (1 - c) (length_0 - length_s),    0.01 s * c' = min(w^2 / v_low^2, 1) - c           (C)

With G(z) = -F the force against the slide, Phi_i = int G_i du_i along the way to u and the energy of the carcass
W = sum length_i Phi_i, W' = G(u) . (s - V u) + sum length_i' Phi_i, road and carcass together give the vehicle

    F . s + W' = -(G(z) - G(u)) . s - V_0 G(u) . u + sum (length_i' Phi_i - max(length_i', 0) G_i u_i)      (P)

with V_0 = V - max(length', 0). No term is positive while G grows with slip, which also makes 0 <= Phi_i <= G_i u_i: a
length that shrinks at a given slip loses the energy length' Phi without a motion, one that grows takes slip away (the
deflection length u stays) and loses length' (G u - Phi). Friction never accelerates. From v_low on f = 0 and c = 1,
and (W) is |v_x| unless the slip s/|v_x| exceeds 2: driving knows nothing of all this. f T: :func:`carcass_share`
(section 8.6 there).

Steps: a wheel of spin inertia J and radius R has the frequency sqrt(slope R^2 / (J length_s)) on the short spring;
ahead length_s is no shorter than keeps it at 1200 rad/s (:data:`FASTEST`), and no term of (W) is faster than 1 / ms.

The lag of the MEDUSA report (1999), eq. (1.27), tau * d alpha_lag/dt + alpha_lag = alpha, has a fixed time instead;
what it means in reverse and at rest is in :mod:`centrode.parts.forces.carriage_medusa`.
"""

from __future__ import annotations

import math

from centrode.jit import kernel

STUCK = 0.8  # share of the circle within which nothing slides at all
RETURN = 4.0  # speed of the return to the circle, in units of v_low
RETURN_TIME = 0.002  # [s] it takes this at least, or a wheel that carries next to nothing would be stiff
SLIDE_TIME = 0.001  # [s] the same for the turning of a deflection into the direction of the slide
HOLD_WAY = 3e-4  # [m] deflection at which a standing wheel with its static load has reached its friction
HOLD_TIME = 0.01  # [s] in which the length follows the speed (C)
FASTEST = 1200.0  # [rad/s] highest frequency of a wheel's spin on the spring of its carcass
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
def lag_rate(angle, lagged_angle, lag_time):
    """Rate of the lagged slip angle [rad/s], report eq. (1.27); lag_time [s] above 0."""
    return (angle - lagged_angle) / lag_time


@kernel
def relaxed_rate(state, slide, wear, length):
    """Rate of a relaxed slip [1/s], eq. (R).

    Args:
        state: relaxed slip: tan of the slip angle, or longitudinal slip [1].
        slide: v_y, or rim speed - v_x [m/s].
        wear: V of (W) [m/s].
        length: relaxation length [m], above 0.
    """
    return (slide - wear * state) / length


@kernel
def carcass_length(share, length, least):
    """Relaxation length [m] of a wheel with the share c (C); ``length`` to the last bit while it rolls, c = 1.

    Args:
        length, least: length_0, length_s [m].
    """
    return length - (1.0 - share) * (length - least)


@kernel
def share_rate(share, square, low):
    """c' of (C) [1/s]; ``square``: w^2 [m^2/s^2]."""
    return (min(square / (low * low), 1.0) - share) / HOLD_TIME


@kernel
def circle_state(across, along, aside, slide):
    """Of (W): speed of the slide along a deflection that has reached the circle [m/s], and how far it is outside [1].

    Args:
        across, along: z / B, left and ahead; 1 together on the circle.
        aside, slide: s, left and ahead [m/s].
    """
    use = math.sqrt(across * across + along * along)
    if use <= STUCK:
        return 0.0, 0.0
    outward = max((across * aside + along * slide) / use, 0.0)
    x = min((use - STUCK) / (1.0 - STUCK), 1.0)
    return outward * x * x * (3.0 - 2.0 * x), min(max(use - 1.0, 0.0), 1.0)


@kernel
def wear_speed(ahead, state, bound, length, low):
    """V of (W) at a steady length [m/s], one direction: of rolling, or of sliding on the circle and returning to it.

    Args:
        ahead: v_x [m/s].
        state: of :func:`circle_state`.
        bound: B [1].
        length: relaxation length [m].
        low: v_low [m/s].
    """
    sliding = min(state[0] / bound, length / SLIDE_TIME)
    return max(abs(ahead), sliding + state[1] * min(RETURN * low / bound, length / RETURN_TIME))


@kernel
def carcass_share(speed, low):
    """f, share of the carcass damping that acts [1]: whole at rest, none from ``low`` [m/s] on."""
    if abs(speed) >= low:
        return 0.0
    return 0.5 * (1.0 + math.cos(math.pi * speed / low))

"""Exponential map of rigid motions, stable at every angle (leaf kernels).

Where from: Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation (1994), ch. 2; Jacobian of the
exponential as in Barfoot, State Estimation for Robotics (2017), 7.1.

For a rotation vector f (angle t = |f|, K = hat(f)):

    exp(f) = I + a K + b K^2,                 a = sin t / t,  b = (1 - cos t)/t^2                        (1)
    J(f)   = I + b K + c K^2,                 c = (t - sin t)/t^3    (left Jacobian)                     (2)
    constant body twist (v, w) for dt:  p += R J(w dt) v dt,   R <- R exp(w dt)                          (3)

Small angles: b from 2 sin^2(t/2)/t^2 keeps every digit at any t; c by series below t = 0.5, where t - sin t cancels.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.math.vector import cross, dot, exponential, hamilton, plus, plus_times, rotated, times

# Below this square of the angle c of (2) comes from its series; seven terms leave less than 1e-17 there.
_SERIES_BELOW = 0.25


@step_kernel
def jacobian_coefficients(t2):
    """Coefficients b, c of (2) for the squared angle t2 [rad^2]."""
    t = math.sqrt(t2)
    half = 0.5 * t
    sinc = math.sin(half) / half if half != 0.0 else 1.0
    b = 0.5 * sinc * sinc
    if t2 < _SERIES_BELOW:
        c = 1.0 / 1307674368000.0 * -t2 + 1.0 / 6227020800.0
        c = 1.0 / 39916800.0 - t2 * c
        c = 1.0 / 362880.0 - t2 * c
        c = 1.0 / 5040.0 - t2 * c
        c = 1.0 / 120.0 - t2 * c
        c = 1.0 / 6.0 - t2 * c
    else:
        c = (1.0 - math.sin(t) / t) / t2
    return b, c


@step_kernel
def advance_twist(p, q, v, w, dt):
    """Exact pose (p, q) after a constant body twist (v [m/s], w [rad/s], body axes) has acted for dt [s]: (3)."""
    f, moved = times(dt, w), times(dt, v)
    b, c = jacobian_coefficients(dot(f, f))
    k = cross(f, moved)
    moved = plus_times(plus_times(moved, b, k), c, cross(f, k))
    return plus(p, rotated(q, moved)), hamilton(q, exponential(f))

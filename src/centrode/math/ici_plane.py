"""Instantaneous-centre integration in the plane: pose updates from body rates (leaf kernels).

Source: N. J. Eggleton, Unconstrained instantaneous center integration (ICI) algorithms, Rochester Institute of
Technology, 1999 ("the ICI thesis"), equations (9)-(36), in corrected form (docs/theory/ici.md says what is misprinted).

Symbols: z = x + i y position, h = ux + i uy heading (unit), w = vx + i vy body velocity [m/s], omega yaw rate
[rad/s], theta = omega dt; world x forward, y left, z up, yaw rate positive to the left. The motion is z' = w h,
h' = i omega h; with constant w, omega

    h(dt) = e^{i theta} h,      z(dt) = z + w h dt (e^{i theta} - 1)/(i theta).

Division by omega in thesis (12),(16) loses all digits as omega -> 0. With s, c = sine and cosine of theta/2,

    (e^{i theta} - 1)/(i theta) = sinc(theta/2) (c + i s),      e^{i theta} = (1 - 2 s^2) + 2 i s c,

so the step is the *chord*: length |w| dt sinc(theta/2), turned by half the angle. No cancellation, no limit case
but theta = 0 itself, and one sine and cosine per step instead of the eight calls of the thesis' count.

The thesis measures the lateral velocity and the yaw rate to the right (left-handed frame, (5)); conversion is a
change of the sign of vy and omega and lives at the edge, in centrode.studies.ici.rates.
"""

from __future__ import annotations

import math

from centrode.jit import kernel
from centrode.math.sincos import sincos_vector

_SQRT3_OVER_12 = math.sqrt(3.0) / 12.0


@kernel
def advance_plane_first(
    x: float, y: float, ux: float, uy: float, vx: float, vy: float, omega: float, dt: float
) -> tuple[float, float, float, float]:
    """Translate along the velocity, then turn: thesis (25)-(28). Local error O(dt^2); the heading grows.

    Args:
        x, y: position, world [m].
        ux, uy: heading, world (unit vector).
        vx, vy: velocity along the heading and to its left [m/s].
        omega: yaw rate, positive to the left [rad/s].
        dt: step [s].

    Returns:
        The new x, y [m], ux, uy.
    """
    theta = omega * dt
    return (
        x + (vx * ux - vy * uy) * dt,  # (25)
        y + (vx * uy + vy * ux) * dt,  # (26)
        ux - theta * uy,  # (27)
        uy + theta * ux,  # (28)
    )


@kernel
def advance_plane_second(
    x: float, y: float, ux: float, uy: float, vx: float, vy: float, omega: float, dt: float
) -> tuple[float, float, float, float]:
    """Second Taylor term added: thesis (32)-(36) with corrected signs. Local error O(dt^3). Arguments as above."""
    theta = omega * dt
    half = 0.5 * theta
    dx = (vx * ux - vy * uy) * dt
    dy = (vx * uy + vy * ux) * dt
    turn = 1.0 - half * theta
    return (
        x + dx - half * dy,  # (32), sign corrected
        y + dy + half * dx,  # (34)
        turn * ux - theta * uy,  # (35), (omega dt)^2 / 2
        turn * uy + theta * ux,  # (36), sign corrected
    )


@kernel
def advance_plane_exact(
    x: float, y: float, ux: float, uy: float, vx: float, vy: float, omega: float, dt: float
) -> tuple[float, float, float, float]:
    """The arc about the instantaneous centre: thesis (12),(16),(19),(20) in chord form. Exact for constant rates."""
    half = 0.5 * omega * dt
    s = math.sin(half)
    c = math.cos(half)
    sinc = s / half if half != 0.0 else 1.0
    return _chord_step(x, y, ux, uy, vx, vy, s, c, sinc * dt)


@kernel
def advance_plane_exact_vector(
    x: float, y: float, ux: float, uy: float, vx: float, vy: float, omega: float, dt: float
) -> tuple[float, float, float, float]:
    """As :func:`advance_plane_exact`, with a sine that vectorises; |omega dt| <= 2 SINCOS_LIMIT."""
    half = 0.5 * omega * dt
    s, c = sincos_vector(half)
    # A selection, no branch, so that the loop over vehicles stays vector code. Below 1e-150 sine and angle are equal;
    # this keeps out 0/0 and the coarse digits of subnormal numbers.
    tiny = abs(half) < 1e-150
    sinc = (1.0 if tiny else s) / (1.0 if tiny else half)
    return _chord_step(x, y, ux, uy, vx, vy, s, c, sinc * dt)


@kernel
def advance_plane_rk4(
    x: float,
    y: float,
    ux: float,
    uy: float,
    vx0: float,
    vy0: float,
    w0: float,
    vxm: float,
    vym: float,
    wm: float,
    vx1: float,
    vy1: float,
    w1: float,
    dt: float,
) -> tuple[float, float, float, float]:
    """Classical Runge-Kutta of order 4 on z' = w h, h' = i omega h; rates at start (0), middle (m) and end (1)."""
    half = 0.5 * dt
    ax, ay = -w0 * uy, w0 * ux
    hx, hy = ux + half * ax, uy + half * ay
    bx, by = -wm * hy, wm * hx
    gx, gy = ux + half * bx, uy + half * by
    cx, cy = -wm * gy, wm * gx
    ex, ey = ux + dt * cx, uy + dt * cy
    fx, fy = -w1 * ey, w1 * ex
    middle_x, middle_y = hx + gx, hy + gy
    sixth = dt / 6.0
    return (
        x + sixth * ((vx0 * ux - vy0 * uy) + 2.0 * (vxm * middle_x - vym * middle_y) + (vx1 * ex - vy1 * ey)),
        y + sixth * ((vx0 * uy + vy0 * ux) + 2.0 * (vxm * middle_y + vym * middle_x) + (vx1 * ey + vy1 * ex)),
        ux + sixth * (ax + 2.0 * (bx + cx) + fx),
        uy + sixth * (ay + 2.0 * (by + cy) + fy),
    )


@kernel
def advance_plane_magnus4(
    x: float,
    y: float,
    ux: float,
    uy: float,
    vxa: float,
    vya: float,
    wa: float,
    vxb: float,
    vyb: float,
    wb: float,
    dt: float,
) -> tuple[float, float, float, float]:
    """One arc of order 4 for varying rates: Magnus series on SE(2), rates at the two Gauss points of the step.

    For g' = g A(t) the fourth-order exponent is dt (A_a + A_b)/2 + (sqrt(3)/12) dt^2 [A_a, A_b] (Iserles and Norsett
    1999, transposed); the bracket of two planar twists is (i (omega_a w_b - omega_b w_a), 0). Gauss points at
    dt (1/2 -+ sqrt(3)/6).
    """
    factor = _SQRT3_OVER_12 * dt
    vx = 0.5 * (vxa + vxb) - factor * (wa * vyb - wb * vya)
    vy = 0.5 * (vya + vyb) + factor * (wa * vxb - wb * vxa)
    return advance_plane_exact(x, y, ux, uy, vx, vy, 0.5 * (wa + wb), dt)


@kernel
def normalise_heading(ux: float, uy: float) -> tuple[float, float]:
    """The heading scaled to length 1 (a zero heading stays zero)."""
    length = math.sqrt(ux * ux + uy * uy)
    if length == 0.0:
        return ux, uy
    return ux / length, uy / length


@kernel
def _chord_step(
    x: float, y: float, ux: float, uy: float, vx: float, vy: float, s: float, c: float, reach: float
) -> tuple[float, float, float, float]:
    """Move by the chord `reach` times the velocity turned by the half angle (s, c); turn the heading twice that."""
    # Heading at mid-arc, which is the direction of the chord for a velocity straight ahead.
    mx = c * ux - s * uy
    my = c * uy + s * ux
    cosine = 1.0 - 2.0 * s * s
    sine = 2.0 * s * c
    return (
        x + reach * (vx * mx - vy * my),  # (12)
        y + reach * (vx * my + vy * mx),  # (16)
        cosine * ux - sine * uy,  # (19)
        cosine * uy + sine * ux,  # (20)
    )

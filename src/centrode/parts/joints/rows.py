"""Rows that several joints share, written once: points that coincide, axes that stay perpendicular, offsets along an
axis, angles about an axis.

Symbols: p, v, w position, velocity and angular velocity of a marker; x, y, z the axes of its frame; a, b the two
sides; d = p_b - p_a. Every row is exact for *any* motion of the two bodies, not only for motions that obey the joint,
so stages of a method that leave the constraint manifold a little still see true derivatives.

Perpendicular axes u_a, u_b:
    phi = u_a . u_b                                                                          (1)
    phi' = (w_a - w_b) . (u_a x u_b)                                                         (2)
    gamma = (w_a - w_b) . [ (w_a x u_a) x u_b + u_a x (w_b x u_b) ]                          (3)

Offset of b from a along an axis u_a, given value s(t):
    phi = u_a . d - s                                                                        (4)
    phi' = u_a . (v_b - v_a) + w_a . (u_a x d) - s'                                          (5)
    gamma = 2 (w_a x u_a) . (v_b - v_a) + (w_a x (w_a x u_a)) . d - s''                      (6)

Angle t of an axis x_1 (turning with w_1) against x_0, y_0 (turning with w_0), right-handed about z_0:
    t = atan2(s, c),   c = x_0 . x_1,   s = y_0 . x_1                                        (7)
    t' = N . (w_1 - w_0),   N = x_1 x (c y_0 - s x_0) / (c^2 + s^2)                          (8)
    gamma = N' . (w_1 - w_0),   N' with x_0' = w_0 x x_0 and so on                           (9)

N is z_0 when the axes z_0 and z_1 are parallel. Angles are unwrapped: of all t + 2 pi n the one next to the last value
is taken, which the caller keeps in the joint's memory.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, dot, minus, opposite, plus, plus_times, put, times
from centrode.parts.kernel_types import POSITION
from centrode.parts.markers import X, Y, Z, axis, between, omega, position

TWO_PI = 2.0 * math.pi

PHI, NU, GAMMA = 0, 1, 2
"""Columns of the terms of a row."""

FIRST, SECOND = 0, 1
"""Memory columns of the joint coordinates, in the order of ``coordinate_names``."""

HELD = (0.0, 0.0, 0.0)
"""Value, rate and acceleration of a coordinate that a row holds at zero."""


# -- writing rows ------------------------------------------------------------------------------------------------------


@step_kernel
def write_side(jacobian, j, side, r, line, turn):
    """One side of row r: what multiplies the velocity (line) and the angular velocity (turn) of its marker."""
    put(jacobian[j, side, r], 0, line)
    put(jacobian[j, side, r], 3, turn)


@step_kernel
def write_turn_row(jacobian, j, r, n):
    """Row r is n . (w_b - w_a)."""
    put(jacobian[j, 0, r], 3, opposite(n))
    put(jacobian[j, 1, r], 3, n)


@step_kernel
def coincide_rows(j, first, rows, a, b, markers, jacobian, terms):
    """Rows ``first`` to ``first + rows``: world coordinates of both points are equal, phi = p_a - p_b."""
    for k in range(rows):
        r = first + k
        jacobian[j, 0, r, k] = 1.0
        jacobian[j, 1, r, k] = -1.0
        terms[j, r, PHI] = markers[a, POSITION + k] - markers[b, POSITION + k]


@step_kernel
def perpendicular_row(j, r, a, ka, b, kb, markers, jacobian, terms):
    """Row r: axis ``ka`` of marker a stays perpendicular to axis ``kb`` of marker b, (1) to (3)."""
    ua, ub = axis(markers, a, ka), axis(markers, b, kb)
    wa, wb = omega(markers, a), omega(markers, b)
    write_turn_row(jacobian, j, r, opposite(cross(ua, ub)))
    terms[j, r, PHI] = dot(ua, ub)
    terms[j, r, GAMMA] = dot(minus(wa, wb), plus(cross(cross(wa, ua), ub), cross(ua, cross(wb, ub))))


@step_kernel
def parallel_rows(j, r, a, b, markers, jacobian, terms):
    """Rows r and r + 1: the z axes of both markers stay parallel."""
    perpendicular_row(j, r, a, X, b, Z, markers, jacobian, terms)
    perpendicular_row(j, r + 1, a, Y, b, Z, markers, jacobian, terms)


@step_kernel
def same_frame_rows(j, r, a, b, markers, jacobian, terms):
    """Rows r to r + 2: both frames stay the same."""
    parallel_rows(j, r, a, b, markers, jacobian, terms)
    perpendicular_row(j, r + 2, a, X, b, Y, markers, jacobian, terms)


@step_kernel
def offset_row(j, r, a, k, b, s, markers, jacobian, terms):
    """Row r: b lies s ahead of a along axis k of marker a, (4) to (6); s with both rates. Returns u_a . d [m]."""
    u, w = axis(markers, a, k), omega(markers, a)
    d, v = between(markers, a, b)
    write_side(jacobian, j, 0, r, opposite(u), cross(u, d))
    write_side(jacobian, j, 1, r, u, ZERO)
    du = cross(w, u)
    along = dot(u, d)
    terms[j, r, PHI] = along - s[0]
    terms[j, r, NU] = -s[1]
    terms[j, r, GAMMA] = 2.0 * dot(du, v) + dot(cross(w, du), d) - s[2]
    return along


@step_kernel
def line_rows(j, r, a, b, markers, jacobian, terms):
    """Rows r and r + 1: b stays on the z axis of marker a."""
    offset_row(j, r, a, X, b, HELD, markers, jacobian, terms)
    offset_row(j, r + 1, a, Y, b, HELD, markers, jacobian, terms)


@step_kernel
def angle_row(j, r, a, b, last, t, markers, jacobian, terms):
    """Row r: b is turned by t against a about the z axis of a, t with both rates. Returns the unwrapped angle [rad]."""
    raw, n, gamma = angle_of(markers, a, b)
    write_turn_row(jacobian, j, r, n)
    angle = unwrapped(raw, last)
    terms[j, r, PHI] = angle - t[0]
    terms[j, r, NU] = -t[1]
    terms[j, r, GAMMA] = gamma - t[2]
    return angle


# -- coordinates -------------------------------------------------------------------------------------------------------


@step_kernel
def along_axis(markers, a, b):
    """Displacement of b from a along the z axis of a [m]."""
    return dot(axis(markers, a, Z), minus(position(markers, b), position(markers, a)))


@step_kernel
def unwrapped(angle, last):
    """Of all angle + 2 pi n the one next to ``last`` [rad]."""
    return angle + TWO_PI * math.floor((last - angle) / TWO_PI + 0.5)


@step_kernel
def angle_between(markers, a, b, last):
    """Unwrapped angle of b against a about the z axis of a, equation (7) [rad]."""
    x = axis(markers, b, X)
    return unwrapped(math.atan2(dot(axis(markers, a, Y), x), dot(axis(markers, a, X), x)), last)


@step_kernel
def angle_of(markers, a, b):
    """Angle of b against a about the z axis of a within -pi..pi [rad], N and gamma [rad/s2], (7) to (9)."""
    return angle_motion(
        axis(markers, a, X), axis(markers, a, Y), axis(markers, b, X), omega(markers, a), omega(markers, b)
    )


@step_kernel
def angle_motion(x0, y0, x1, w0, w1):
    """Angle within -pi..pi [rad], N and gamma [rad/s2], equations (7) to (9)."""
    c, s = dot(x0, x1), dot(y0, x1)
    inverse = 1.0 / (c * c + s * s)
    m = minus(times(c, y0), times(s, x0))
    n = times(inverse, cross(x1, m))
    dx0, dy0, dx1 = cross(w0, x0), cross(w0, y0), cross(w1, x1)
    dc = dot(dx0, x1) + dot(x0, dx1)
    ds = dot(dy0, x1) + dot(y0, dx1)
    dm = minus(plus(times(dc, y0), times(c, dy0)), plus(times(ds, x0), times(s, dx0)))
    dn = plus_times(plus(cross(dx1, m), cross(x1, dm)), -2.0 * (c * dc + s * ds), n)
    return math.atan2(s, c), n, inverse * dot(minus(w1, w0), dn)

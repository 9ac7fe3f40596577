"""Instantaneous-centre integration in space: pose updates from a body twist (leaf kernels).

Source: the ICI thesis (Eggleton 1999), section 1.1 and equations (1)-(3): a circle of radius |V|/|Omega_perp| whose
plane holds V and is normal to Omega_perp, with a roll phi = |Omega_par| dt about V. Written out as an algorithm here,
together with what the construction approximates: the helix of a constant twist (SE(3) exponential, se3.py).

Pose updates ``(p, q, v, w, dt) -> (p, q)`` with position in the world [m], unit quaternion (w, x, y, z) world from
body, velocity v [m/s] and angular velocity w [rad/s] in body axes:

    advance_space_first            p += R v dt, q <- q (1 + f/2), normalised; f = w dt           global order 1
    advance_space_second           p += R (v + w x v dt/2) dt, q <- q (1 - f.f/8 + f/2), normalised     order 2
    advance_space_exact            constant twist, SE(3) exponential: exact; |q| drifts by about 1e-16 a step
    advance_space_split            the thesis' construction: arc with Omega_perp, then roll Omega_par    order 1
    advance_space_split_symmetric  half roll, arc, half roll                                             order 2

and about the geometry of a twist (body axes):

    split_rates(v, w) -> (roll, yaw, normal)               Omega_par, |Omega_perp|, direction of Omega_perp
    split_rates_about_up(v, w, up) -> (yaw, roll, pitch)   with a vehicle's own up direction instead
    helix_of_twist(v, w) -> (curvature, torsion, radius, pitch, foot)

The thesis notes that the pitch rate vanishes by construction: the radial direction is normal to V and to Omega_perp,
hence to Omega. The attitude error of the split per step is |Omega_perp x Omega_par| dt^2/2 (two rotations about
different axes do not commute). The split is undefined at V = 0 (no direction to roll about): there it turns in place,
which is what the exponential does.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel, types
from centrode.math.se3 import advance_twist
from centrode.math.vector import ZERO, cross, dot, exponential, hamilton, minus, norm, plus, plus_times, rotated, times


@step_kernel
def unit_quaternion(q):
    """A quaternion at unit length."""
    scale = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return scale * q[0], scale * q[1], scale * q[2], scale * q[3]


@step_kernel
def advance_space_first(p, q, v, w, dt):
    """Translate along the velocity, then turn to first order; quaternion normalised."""
    x, y, z = times(0.5 * dt, w)
    return plus(p, rotated(q, times(dt, v))), unit_quaternion(hamilton(q, (1.0, x, y, z)))


@step_kernel
def advance_space_second(p, q, v, w, dt):
    """Second Taylor term in position and quaternion; quaternion normalised."""
    half = 0.5 * dt
    moved = times(dt, plus_times(v, half, cross(w, v)))
    x, y, z = times(half, w)
    scalar = 1.0 - 0.5 * half * half * dot(w, w)
    return plus(p, rotated(q, moved)), unit_quaternion(hamilton(q, (scalar, x, y, z)))


@step_kernel
def advance_space_exact(p, q, v, w, dt):
    """Helix of the constant twist: SE(3) exponential."""
    return advance_twist(p, q, v, w, dt)


@step_kernel
def advance_space_split(p, q, v, w, dt):
    """Arc with Omega_perp, then roll about V with Omega_par: thesis section 1.1."""
    roll = roll_part(v, w)
    p, q = advance_twist(p, q, v, minus(w, roll), dt)
    # V turns with the body along the arc, so the roll axis is the same vector in body axes.
    return p, hamilton(q, exponential(times(dt, roll)))


@step_kernel
def advance_space_split_symmetric(p, q, v, w, dt):
    """Half roll, arc, half roll (Strang splitting of the thesis' construction)."""
    roll = roll_part(v, w)
    half = exponential(times(0.5 * dt, roll))
    p, q = advance_twist(p, hamilton(q, half), v, minus(w, roll), dt)
    return p, hamilton(q, half)


@step_kernel(signature=types.Tuple((types.float64, types.float64, types.vector))(types.vector, types.vector))
def split_rates(v, w):
    """Roll rate along V, yaw rate about the normal of the path's plane, and that normal (v, w in body axes).

    Returns:
        roll rate [rad/s] (signed, along V), yaw rate [rad/s] (>= 0), unit normal (zero when yaw is zero).
    """
    normal = minus(w, roll_part(v, w))
    speed = norm(v)
    roll = dot(w, v) / speed if speed > 0.0 else 0.0
    yaw = norm(normal)
    if yaw == 0.0:
        return roll, 0.0, ZERO
    return roll, yaw, (normal[0] / yaw, normal[1] / yaw, normal[2] / yaw)


@step_kernel(signature=types.vector(types.vector, types.vector, types.vector))
def split_rates_about_up(v, w, up):
    """Yaw, roll and pitch rate [rad/s] of w in the axes (V, left, up made normal to V): all signed, right-handed.

    Yaw about up, roll about V, pitch about left = up x V. NaN when V vanishes or points along up.
    """
    speed = norm(v)
    if speed == 0.0:
        return math.nan, math.nan, math.nan
    ahead = times(1.0 / speed, v)
    normal = plus_times(up, -dot(up, ahead), ahead)
    length = norm(normal)
    if length == 0.0:
        return math.nan, math.nan, math.nan
    normal = times(1.0 / length, normal)
    return dot(w, normal), dot(w, ahead), dot(w, cross(normal, ahead))


@step_kernel(signature=types.Tuple((*(types.float64,) * 4, types.vector))(types.vector, types.vector))
def helix_of_twist(v, w):
    """Geometry of the path that a constant body twist draws.

    Returns:
        curvature |Omega_perp|/|V| [1/m] and torsion Omega_par/|V| [1/m] (both infinite at V = 0 when they do not
        vanish), distance to the screw axis [m], advance along the axis per radian [m/rad], and the foot of the
        screw axis from the body's origin, body axes [m]. Without rotation the last three are NaN or infinite.
    """
    w2 = dot(w, w)
    roll, yaw, _ = split_rates(v, w)
    speed = norm(v)
    curvature, torsion = quotient(yaw, speed), quotient(roll, speed)
    if w2 == 0.0:
        return curvature, torsion, math.inf, math.inf, (math.nan, math.nan, math.nan)
    foot = times(1.0 / w2, cross(w, v))
    return curvature, torsion, norm(foot), dot(w, v) / w2, foot


@step_kernel
def quotient(rate, speed):
    """rate / speed, zero or infinite at rest."""
    if rate == 0.0:
        return 0.0
    return rate / speed if speed != 0.0 else math.copysign(math.inf, rate)


@step_kernel
def roll_part(v, w):
    """Component of w along v; zero at v = 0."""
    # Normalise first: v.v under- or overflows for speeds that are themselves harmless.
    largest = max(abs(v[0]), abs(v[1]), abs(v[2]))
    if largest == 0.0:
        return ZERO
    along = (v[0] / largest, v[1] / largest, v[2] / largest)
    return times(dot(w, along) / dot(along, along), along)

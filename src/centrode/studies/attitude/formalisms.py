r"""Attitude formalisms of a free rigid body as leaf kernels: one march per formalism, all with the same torque.

Sources: the 6-DOF lecture (Euler angles, quaternion, (Q, Q') with the Lagrange multiplier), the discrete-time article
(rotation matrix by Rodrigues, eqs. (7) to (11)), H. Munthe-Kaas, BIT 38 (1998) 92 (RKMK). Body axes are principal axes;
w angular velocity, J moments of inertia, m torque, all in body axes; R world from body.

    w' = J^-1 ( m(t) - w x J w )                                                        Euler               (1)
    m(t) = m_0 + m_1 sin(W t + p)                                                       torque              (2)
    (a, b, c)' = E^-1 w                                                                 Euler angles        (3)
    Q' = Q (0, w) / 2                                                                   quaternion          (4)
    Q' = Q (0, w) / 2 + g (1 - Q.Q) Q / 2         first order with Baumgarte's term     (gain g)            (5)
    Q'' = ( Q (0, w') + Q' (0, w) ) / 2 + lambda Q,   w = 2 vec(Q* Q')                  second order        (6)
    lambda = -( Q.a + Q'.Q' + 2 alpha Q.Q' + beta^2 (Q.Q - 1)/2 ) / Q.Q                 multiplier          (7)
    w+ = w + h w',  R+ = R exp(h w+)              article, rate first (turn first: R+ = R exp(h w))         (8)
    w_m = w + h w'/2,  R+ = R exp(h w_m),  w+ = w + h w'(w_m)                           midpoint            (9)
    u' = w + [u, w]/2 + [u, [u, w]]/12,  u(0) = 0,  R+ = R exp(u)                       RKMK4              (10)

a in (7) is the bracket of (6); without Baumgarte's terms alpha = beta = 0 this is the lecture's multiplier. On the unit
sphere it vanishes identically: it acts only on the drift. exp is Rodrigues' formula, eq. (1) of the article.

States: Euler angles (a, b, c, w); quaternion (Q, w); second order (Q, Q'); matrix forms (R row-major, w).
"""

from __future__ import annotations

import math

from centrode.jit import kernel, types
from centrode.math.euler import LOCK, euler_rates
from centrode.math.vector import (
    cross,
    dot,
    hamilton,
    matrix,
    plus,
    plus_times,
    put,
    put_matrix,
    put_quaternion,
    quaternion,
    quaternion_rate,
    times,
    turn,
    turn_back,
    vector,
)
from centrode.methods.rkmk4 import bracket_rate

RATE_EULER, RATE_QUATERNION, RATE_SECOND = 0, 1, 2
STEP_EULER, STEP_RK4 = 0, 1
LIE_SEMI_IMPLICIT, LIE_EXPLICIT, LIE_MIDPOINT, LIE_RKMK4 = 0, 1, 2, 3
DONE, NOT_FINITE, GIMBAL_LOCK = 0, 1, 2


MARCH_SIGNATURE = types.int64(
    types.int64,
    types.int64,
    types.boolean,
    types.float64,
    types.int64,
    *(types.floats1,) * 4,
    types.floats2,
    types.floats1,
)


@kernel(signature=types.vector(types.float64, types.vector, types.floats1, types.floats1))
def angular_acceleration(t, w, inertia, torque):
    """(1) and (2); torque holds m_0 (3), m_1 (3), W, p."""
    wave = math.sin(torque[6] * t + torque[7])
    m = plus_times(vector(torque, 0), wave, vector(torque, 3))
    j = vector(inertia, 0)
    return (
        (m[0] + (j[1] - j[2]) * w[1] * w[2]) / j[0],
        (m[1] + (j[2] - j[0]) * w[2] * w[0]) / j[1],
        (m[2] + (j[0] - j[1]) * w[0] * w[1]) / j[2],
    )


@kernel
def dot4(a, b):
    """a . b of quaternions."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@kernel
def plus_times4(a, s, b):
    """a + s b of quaternions."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2], a[3] + s * b[3]


@kernel
def rate_of(form, t, state, inertia, torque, options, rate):
    """Rate of a state of the forms (3) to (7). Returns det E of Euler angles, 1 otherwise.

    ``options``: Euler axes i, j, k; or gain g; or multiplier on (1), alpha, beta.
    """
    if form == RATE_EULER:
        w = vector(state, 3)
        axes = int(options[0]), int(options[1]), int(options[2])
        rates, determinant = euler_rates(axes, state[1], state[2], w)
        put(rate, 0, rates)  # (3)
        put(rate, 3, angular_acceleration(t, w, inertia, torque))
        return determinant
    q = quaternion(state, 0)
    norm = dot4(q, q)
    if form == RATE_QUATERNION:
        w = vector(state, 4)
        pull = 0.5 * options[0] * (1.0 - norm)  # (5)
        put_quaternion(rate, 0, plus_times4(quaternion_rate(q, w), pull, q))
        put(rate, 4, angular_acceleration(t, w, inertia, torque))
        return 1.0
    d = quaternion(state, 4)
    _, x, y, z = hamilton((2.0 * q[0], -2.0 * q[1], -2.0 * q[2], -2.0 * q[3]), d)
    w = (x, y, z)
    f = plus_times4(quaternion_rate(q, angular_acceleration(t, w, inertia, torque)), 1.0, quaternion_rate(d, w))  # (6)
    multiplier = 0.0
    if options[0] != 0.0:
        bracket = dot4(q, f) + dot4(d, d)
        bracket += 2.0 * options[1] * dot4(q, d) + 0.5 * options[2] * options[2] * (norm - 1.0)
        multiplier = -bracket / norm  # (7)
    put_quaternion(rate, 0, d)
    put_quaternion(rate, 4, plus_times4(f, multiplier, q))
    return 1.0


@kernel(signature=MARCH_SIGNATURE)
def march(form, step, renormalise, h, count, state, inertia, torque, options, work, seen):
    """Advance a state of the forms (3) to (7) by ``count`` steps of ``h`` [s], from t = 0.

    Args:
        step: STEP_EULER or STEP_RK4.
        renormalise: pull the quaternion back to unit length after every step.
        work: scratch, shape (5, state size).
        seen: written: steps done, largest drift of the norm (before renormalisation), smallest |det E|, time of
            the first jump over det E = 0 (0: none).

    Returns:
        DONE, NOT_FINITE or GIMBAL_LOCK.
    """
    n = state.size
    seen[1] = 0.0
    seen[2] = 1.0
    side = 1.0 if rate_of(form, 0.0, state, inertia, torque, options, work[0]) > 0.0 else -1.0
    for k in range(count):
        t = k * h
        sign = side * rate_of(form, t, state, inertia, torque, options, work[0])
        near = abs(sign)
        if step == STEP_EULER:
            for i in range(n):
                state[i] += h * work[0, i]
        else:
            for s in range(1, 4):
                reach = h if s == 3 else 0.5 * h
                for i in range(n):
                    work[4, i] = state[i] + reach * work[s - 1, i]
                value = side * rate_of(form, t + reach, work[4], inertia, torque, options, work[s])
                near = min(near, abs(value))
                sign = min(sign, value)
            for i in range(n):
                state[i] += h / 6.0 * (work[0, i] + 2.0 * (work[1, i] + work[2, i]) + work[3, i])
        seen[0] = k + 1
        seen[2] = min(seen[2], near)
        if sign < 0.0 and seen[3] == 0.0:  # jumped over the singularity: the angles go on, on the other branch
            seen[3] = t + h
        if near < LOCK:
            return GIMBAL_LOCK
        if form != RATE_EULER:
            norm = math.sqrt(state[0] ** 2 + state[1] ** 2 + state[2] ** 2 + state[3] ** 2)
            drift = abs(norm - 1.0)
            if not drift < 1e8:
                seen[1] = drift
                return NOT_FINITE
            seen[1] = max(seen[1], drift)
            if renormalise:
                for i in range(4):
                    state[i] /= norm
        elif not abs(state[0]) + abs(state[1]) + abs(state[2]) < 1e12:
            return NOT_FINITE
    return DONE


@kernel
def turned_matrix(r, f):
    """R exp(f) by Rodrigues' formula: I + s K + c K^2, K = hat(f)."""
    square = dot(f, f)
    angle = math.sqrt(square)
    if angle < 1e-8:
        s = 1.0 - square / 6.0
        c = 0.5 - square / 24.0
    else:
        s = math.sin(angle) / angle
        half = math.sin(0.5 * angle) / angle
        c = 2.0 * half * half
    # A row of R K is the row x f, because hat(f) is antisymmetric.
    return rodrigues_row(r[0], f, s, c), rodrigues_row(r[1], f, s, c), rodrigues_row(r[2], f, s, c)


@kernel
def rodrigues_row(row, f, s, c):
    """row (I + s K + c K^2)."""
    once = cross(row, f)
    return plus_times(plus_times(row, s, once), c, cross(once, f))


@kernel
def rkmk4_turn(t, h, w, a, inertia, torque):
    """Rotation vector and change of w of an RKMK4 step (10); the slope of u at u = 0 is w."""
    turn_sum, rate_sum = w, a
    u, v = w, a
    for s in range(1, 4):
        reach = h if s == 3 else 0.5 * h
        weight = 1.0 if s == 3 else 2.0
        inside = plus_times(w, reach, v)
        u = bracket_rate(times(reach, u), inside)
        v = angular_acceleration(t + reach, inside, inertia, torque)
        turn_sum = plus_times(turn_sum, weight, u)
        rate_sum = plus_times(rate_sum, weight, v)
    return times(h / 6.0, turn_sum), times(h / 6.0, rate_sum)


@kernel(signature=types.int64(types.int64, types.float64, types.int64, *(types.floats1,) * 4))
def march_matrix(form, h, count, state, inertia, torque, seen):
    """Advance (R, w) by the forms (8) to (10); arguments and result as :func:`march`."""
    seen[2] = 1.0
    for k in range(count):
        t = k * h
        r, w = matrix(state, 0), vector(state, 9)
        a = angular_acceleration(t, w, inertia, torque)
        if form == LIE_SEMI_IMPLICIT:
            w = plus_times(w, h, a)
            r = turned_matrix(r, times(h, w))  # (8)
        elif form == LIE_EXPLICIT:
            # The article keeps the rate in the world, where turning the body first leaves w + h w' as it was:
            # R+ w+ = R (w + h w').
            world = turn(r, plus_times(w, h, a))
            r = turned_matrix(r, times(h, w))
            w = turn_back(r, world)
        elif form == LIE_MIDPOINT:
            half = plus_times(w, 0.5 * h, a)
            r = turned_matrix(r, times(h, half))  # (9)
            w = plus_times(w, h, angular_acceleration(t + 0.5 * h, half, inertia, torque))
        else:
            turning, change = rkmk4_turn(t, h, w, a, inertia, torque)
            r = turned_matrix(r, turning)
            w = plus(w, change)
        put_matrix(state, 0, r)
        put(state, 9, w)
        seen[0] = k + 1
        if not abs(w[0]) + abs(w[1]) + abs(w[2]) < 1e100:
            return NOT_FINITE
    drift = 0.0
    for i in range(3):
        for j in range(3):
            along = state[i] * state[j] + state[3 + i] * state[3 + j] + state[6 + i] * state[6 + j]
            drift = max(drift, abs(along - (1.0 if i == j else 0.0)))
    seen[1] = drift
    return DONE

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

from centrode.jit import kernel
from centrode.math.euler import LOCK, euler_rates
from centrode.math.rotation import quaternion_product
from centrode.methods.rkmk4 import bracket_rate

RATE_EULER, RATE_QUATERNION, RATE_SECOND = 0, 1, 2
STEP_EULER, STEP_RK4 = 0, 1
LIE_SEMI_IMPLICIT, LIE_EXPLICIT, LIE_MIDPOINT, LIE_RKMK4 = 0, 1, 2, 3
DONE, NOT_FINITE, GIMBAL_LOCK = 0, 1, 2


@kernel
def angular_acceleration(t, wx, wy, wz, inertia, torque):
    """(1) and (2); torque holds m_0 (3), m_1 (3), W, p."""
    wave = math.sin(torque[6] * t + torque[7])
    jx = inertia[0]
    jy = inertia[1]
    jz = inertia[2]
    return (
        (torque[0] + torque[3] * wave + (jy - jz) * wy * wz) / jx,
        (torque[1] + torque[4] * wave + (jz - jx) * wz * wx) / jy,
        (torque[2] + torque[5] * wave + (jx - jy) * wx * wy) / jz,
    )


@kernel
def rate_of(form, t, state, inertia, torque, options, rate):
    """Rate of a state of the forms (3) to (7). Returns det E of Euler angles, 1 otherwise.

    ``options``: Euler axes i, j, k; or gain g; or multiplier on (1), alpha, beta.
    """
    if form == RATE_EULER:
        wx, wy, wz = state[3], state[4], state[5]
        a, b, c, determinant = euler_rates(
            int(options[0]), int(options[1]), int(options[2]), state[1], state[2], wx, wy, wz
        )
        rate[0] = a  # (3)
        rate[1] = b
        rate[2] = c
        rate[3], rate[4], rate[5] = angular_acceleration(t, wx, wy, wz, inertia, torque)
        return determinant
    qw, qx, qy, qz = state[0], state[1], state[2], state[3]
    norm = qw * qw + qx * qx + qy * qy + qz * qz
    if form == RATE_QUATERNION:
        wx, wy, wz = state[4], state[5], state[6]
        rw, rx, ry, rz = quaternion_product(qw, qx, qy, qz, 0.0, wx, wy, wz)
        pull = 0.5 * options[0] * (1.0 - norm)  # (5)
        rate[0] = 0.5 * rw + pull * qw
        rate[1] = 0.5 * rx + pull * qx
        rate[2] = 0.5 * ry + pull * qy
        rate[3] = 0.5 * rz + pull * qz
        rate[4], rate[5], rate[6] = angular_acceleration(t, wx, wy, wz, inertia, torque)
        return 1.0
    dw, dx, dy, dz = state[4], state[5], state[6], state[7]
    _, wx, wy, wz = quaternion_product(2.0 * qw, -2.0 * qx, -2.0 * qy, -2.0 * qz, dw, dx, dy, dz)
    ax, ay, az = angular_acceleration(t, wx, wy, wz, inertia, torque)
    fw, fx, fy, fz = quaternion_product(qw, qx, qy, qz, 0.0, ax, ay, az)
    gw, gx, gy, gz = quaternion_product(dw, dx, dy, dz, 0.0, wx, wy, wz)
    fw = 0.5 * (fw + gw)  # (6)
    fx = 0.5 * (fx + gx)
    fy = 0.5 * (fy + gy)
    fz = 0.5 * (fz + gz)
    multiplier = 0.0
    if options[0] != 0.0:
        drift = qw * dw + qx * dx + qy * dy + qz * dz
        bracket = qw * fw + qx * fx + qy * fy + qz * fz + dw * dw + dx * dx + dy * dy + dz * dz
        bracket += 2.0 * options[1] * drift + 0.5 * options[2] * options[2] * (norm - 1.0)
        multiplier = -bracket / norm  # (7)
    rate[0] = dw
    rate[1] = dx
    rate[2] = dy
    rate[3] = dz
    rate[4] = fw + multiplier * qw
    rate[5] = fx + multiplier * qx
    rate[6] = fy + multiplier * qy
    rate[7] = fz + multiplier * qz
    return 1.0


@kernel
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
def turn_matrix(state, x, y, z):
    """R <- R exp((x, y, z)) by Rodrigues' formula; R row-major in the first nine places."""
    square = x * x + y * y + z * z
    angle = math.sqrt(square)
    if angle < 1e-8:
        s = 1.0 - square / 6.0
        c = 0.5 - square / 24.0
    else:
        s = math.sin(angle) / angle
        half = math.sin(0.5 * angle) / angle
        c = 2.0 * half * half
    e00 = 1.0 - c * (y * y + z * z)
    e01 = c * x * y - s * z
    e02 = c * x * z + s * y
    e10 = c * x * y + s * z
    e11 = 1.0 - c * (x * x + z * z)
    e12 = c * y * z - s * x
    e20 = c * x * z - s * y
    e21 = c * y * z + s * x
    e22 = 1.0 - c * (x * x + y * y)
    for r in range(3):
        a = state[3 * r]
        b = state[3 * r + 1]
        d = state[3 * r + 2]
        state[3 * r] = a * e00 + b * e10 + d * e20
        state[3 * r + 1] = a * e01 + b * e11 + d * e21
        state[3 * r + 2] = a * e02 + b * e12 + d * e22


@kernel
def march_matrix(form, h, count, state, inertia, torque, seen):
    """Advance (R, w) by the forms (8) to (10); arguments and result as :func:`march`."""
    seen[2] = 1.0
    for k in range(count):
        t = k * h
        wx, wy, wz = state[9], state[10], state[11]
        ax, ay, az = angular_acceleration(t, wx, wy, wz, inertia, torque)
        if form == LIE_SEMI_IMPLICIT:
            wx += h * ax
            wy += h * ay
            wz += h * az
            turn_matrix(state, h * wx, h * wy, h * wz)  # (8)
        elif form == LIE_EXPLICIT:
            # The article keeps the rate in the world, where turning the body first leaves w + h w' as it was:
            # R+ w+ = R (w + h w').
            nx = wx + h * ax
            ny = wy + h * ay
            nz = wz + h * az
            gx = state[0] * nx + state[1] * ny + state[2] * nz
            gy = state[3] * nx + state[4] * ny + state[5] * nz
            gz = state[6] * nx + state[7] * ny + state[8] * nz
            turn_matrix(state, h * wx, h * wy, h * wz)
            wx = state[0] * gx + state[3] * gy + state[6] * gz
            wy = state[1] * gx + state[4] * gy + state[7] * gz
            wz = state[2] * gx + state[5] * gy + state[8] * gz
        elif form == LIE_MIDPOINT:
            mx = wx + 0.5 * h * ax
            my = wy + 0.5 * h * ay
            mz = wz + 0.5 * h * az
            ax, ay, az = angular_acceleration(t + 0.5 * h, mx, my, mz, inertia, torque)
            turn_matrix(state, h * mx, h * my, h * mz)  # (9)
            wx += h * ax
            wy += h * ay
            wz += h * az
        else:
            # Stages of RK4 on (u, w); slope of u at u = 0 is w.
            sx, sy, sz, bx, by, bz = wx, wy, wz, ax, ay, az
            ux, uy, uz, vx, vy, vz = wx, wy, wz, ax, ay, az
            for s in range(1, 4):
                reach = h if s == 3 else 0.5 * h
                weight = 1.0 if s == 3 else 2.0
                ox = wx + reach * vx
                oy = wy + reach * vy
                oz = wz + reach * vz
                ux, uy, uz = bracket_rate(reach * ux, reach * uy, reach * uz, ox, oy, oz)
                vx, vy, vz = angular_acceleration(t + reach, ox, oy, oz, inertia, torque)
                sx += weight * ux
                sy += weight * uy
                sz += weight * uz
                bx += weight * vx
                by += weight * vy
                bz += weight * vz
            sixth = h / 6.0
            turn_matrix(state, sixth * sx, sixth * sy, sixth * sz)  # (10)
            wx += sixth * bx
            wy += sixth * by
            wz += sixth * bz
        state[9] = wx
        state[10] = wy
        state[11] = wz
        seen[0] = k + 1
        if not abs(wx) + abs(wy) + abs(wz) < 1e100:
            return NOT_FINITE
    drift = 0.0
    for r in range(3):
        for c in range(3):
            dot = state[r] * state[c] + state[3 + r] * state[3 + c] + state[6 + r] * state[6 + c]
            drift = max(drift, abs(dot - (1.0 if r == c else 0.0)))
    seen[1] = drift
    return DONE

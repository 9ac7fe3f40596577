"""From gap, normal and points to forces on both bodies, momentum kept to round-off.

With U = k/2 depth^2 and least translation the envelope theorem gives -dU/dz without derivatives of n or the points:
A feels -f n at its point x_A, B feels +f n at x_B, and x_A - x_B = depth n puts both on one line. The search fixes the
points only to its tolerance, so they are replaced by

    x_A = middle + depth/2 n,    x_B = middle - depth/2 n,    middle = (x_A + x_B)/2,                     (1)

which share the line exactly; linear and angular momentum of the pair are then kept to round-off. Friction acts on
both bodies at the middle. The depth grows at the rate n . (v_A - v_B) of the material points (1).

Bodies: a rigid body takes force and torque about its centre, a pseudo-rigid one force and director forces X^i f,
with X = F^-1 (x - r) the material coordinates of the point.
"""

from __future__ import annotations

from centrode.dynamics.contact.pool import DEFORMS, DIRECTOR, INVERSE, MOBILITY
from centrode.jit import step_kernel


@step_kernel
def common_line(gap, n0, n1, n2, a0, a1, a2, b0, b1, b2):
    """Middle and the two points (1): middle (3), x_A (3), x_B (3) [m]."""
    m0 = 0.5 * (a0 + b0)
    m1 = 0.5 * (a1 + b1)
    m2 = 0.5 * (a2 + b2)
    half = -0.5 * gap
    return (
        m0,
        m1,
        m2,
        m0 + half * n0,
        m1 + half * n1,
        m2 + half * n2,
        m0 - half * n0,
        m1 - half * n1,
        m2 - half * n2,
    )


@step_kernel
def material_point(frame, x0, x1, x2):
    """Material coordinates X = F^-1 (x - r) of a world point, by cofactors."""
    d0 = x0 - frame[0]
    d1 = x1 - frame[1]
    d2 = x2 - frame[2]
    # rows of the cofactor matrix are the cross products of the directors
    p0 = frame[7] * frame[11] - frame[8] * frame[10]
    p1 = frame[8] * frame[9] - frame[6] * frame[11]
    p2 = frame[6] * frame[10] - frame[7] * frame[9]
    q0 = frame[10] * frame[5] - frame[11] * frame[4]
    q1 = frame[11] * frame[3] - frame[9] * frame[5]
    q2 = frame[9] * frame[4] - frame[10] * frame[3]
    r0 = frame[4] * frame[8] - frame[5] * frame[7]
    r1 = frame[5] * frame[6] - frame[3] * frame[8]
    r2 = frame[3] * frame[7] - frame[4] * frame[6]
    inverse = 1.0 / (frame[3] * p0 + frame[4] * p1 + frame[5] * p2)
    return (
        (p0 * d0 + p1 * d1 + p2 * d2) * inverse,
        (q0 * d0 + q1 * d1 + q2 * d2) * inverse,
        (r0 * d0 + r1 * d1 + r2 * d2) * inverse,
    )


@step_kernel
def point_velocity(rates, x0, x1, x2):
    """Velocity of a material point: v + X^i w_i; rates float64[12] = (v, w_1, w_2, w_3)."""
    return (
        rates[0] + x0 * rates[3] + x1 * rates[6] + x2 * rates[9],
        rates[1] + x0 * rates[4] + x1 * rates[7] + x2 * rates[10],
        rates[2] + x0 * rates[5] + x1 * rates[8] + x2 * rates[11],
    )


@step_kernel
def rigid_rates(frame, v0, v1, v2, w0, w1, w2, out):
    """Rates of a rigid body's frame from velocity and angular velocity (world): w_i = omega x d_i."""
    out[0] = v0
    out[1] = v1
    out[2] = v2
    for i in range(3):
        d0 = frame[3 + 3 * i]
        d1 = frame[4 + 3 * i]
        d2 = frame[5 + 3 * i]
        out[3 + 3 * i] = w1 * d2 - w2 * d1
        out[4 + 3 * i] = w2 * d0 - w0 * d2
        out[5 + 3 * i] = w0 * d1 - w1 * d0


@step_kernel
def add_pseudo_rigid(out, x0, x1, x2, f0, f1, f2):
    """Add force f at material point X to force and director forces, out float64[12]."""
    out[0] += f0
    out[1] += f1
    out[2] += f2
    for i in range(3):
        x = (x0, x1, x2)[i]
        out[3 + 3 * i] += x * f0
        out[4 + 3 * i] += x * f1
        out[5 + 3 * i] += x * f2


@step_kernel
def add_rigid(out, r0, r1, r2, x0, x1, x2, f0, f1, f2):
    """Add force f at world point x to force and torque about r, out float64[6], world frame."""
    d0 = x0 - r0
    d1 = x1 - r1
    d2 = x2 - r2
    out[0] += f0
    out[1] += f1
    out[2] += f2
    out[3] += d1 * f2 - d2 * f1
    out[4] += d2 * f0 - d0 * f2
    out[5] += d0 * f1 - d1 * f0


@step_kernel
def mobility_at(body, frame, x0, x1, x2, n0, n1, n2):
    """Speed along n per unit impulse along n at the world point x [1/kg].

    Rigid: 1/m + (d x n) . J^-1 (d x n); pseudo-rigid: 1/m + sum X_i^2 / Y_i, the same in all directions. ``body`` is a
    row of the table of bodies; the ground has zeros.
    """
    total = body[MOBILITY]
    if body[DEFORMS] != 0.0:
        p0, p1, p2 = material_point(frame, x0, x1, x2)
        return total + p0 * p0 / body[DIRECTOR] + p1 * p1 / body[DIRECTOR + 1] + p2 * p2 / body[DIRECTOR + 2]
    d0 = x0 - frame[0]
    d1 = x1 - frame[1]
    d2 = x2 - frame[2]
    c0 = d1 * n2 - d2 * n1
    c1 = d2 * n0 - d0 * n2
    c2 = d0 * n1 - d1 * n0
    b0 = frame[3] * c0 + frame[4] * c1 + frame[5] * c2
    b1 = frame[6] * c0 + frame[7] * c1 + frame[8] * c2
    b2 = frame[9] * c0 + frame[10] * c1 + frame[11] * c2
    total += body[INVERSE] * b0 * b0 + body[INVERSE + 4] * b1 * b1 + body[INVERSE + 8] * b2 * b2
    return total + 2.0 * (body[INVERSE + 1] * b0 * b1 + body[INVERSE + 2] * b0 * b2 + body[INVERSE + 5] * b1 * b2)

"""Kernels of the lecture notes' bicycle: rotations 3-1-2, constraints, Jacobian, convective terms, RK4, projections.

Equations, symbols and corrections stand at the top of :mod:`centrode.vehicles.bicycle.lecture`. Coordinates q and
velocities u have the shape (4, 6): centre of mass and angles, velocity and angular velocity in body axes, for rear
wheel, frame, fork and front wheel; ``model`` is a :class:`LectureModel`. The kernels allocate and are generic in the
type of their numbers (real or complex).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from centrode.jit import kernel

ENOUGH = 1e-14
"""Largest constraint error after the coordinate projection."""


class LectureModel(NamedTuple):
    """Constant vectors of the bicycle, in axes of the bodies.

    Attributes:
        mass: (4,) [kg]. inertia: (4, 3, 3) [kg m2].
        points: hinge points on bodies 1 and 2 of each hinge, (3, 2, 3) [m].
        normals: e_y1, e_z1 of each hinge, (3, 2, 3). axes: e_x2, (3, 3).
        radius: of the wheels, (2,) [m].
    """

    mass: np.ndarray
    inertia: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    axes: np.ndarray
    radius: np.ndarray
    gravity: float


@kernel
def rotation_312(p):
    """R = Rz(phi) Rx(theta) Ry(psi)."""
    c, s = np.cos(p), np.sin(p)
    r = np.zeros((3, 3), p.dtype)
    r[0, 0] = c[0] * c[2] - s[0] * s[1] * s[2]
    r[0, 1] = -s[0] * c[1]
    r[0, 2] = c[0] * s[2] + s[0] * s[1] * c[2]
    r[1, 0] = s[0] * c[2] + c[0] * s[1] * s[2]
    r[1, 1] = c[0] * c[1]
    r[1, 2] = s[0] * s[2] - c[0] * s[1] * c[2]
    r[2, 0] = -c[1] * s[2]
    r[2, 1] = s[1]
    r[2, 2] = c[1] * c[2]
    return r


@kernel
def angle_axes(theta, psi):
    """A' of w = A' p'."""
    a = np.zeros((3, 3), np.asarray(theta).dtype)
    a[0, 0] = -np.sin(psi) * np.cos(theta)
    a[0, 1] = np.cos(psi)
    a[1, 0] = np.sin(theta)
    a[1, 2] = 1.0
    a[2, 0] = np.cos(psi) * np.cos(theta)
    a[2, 1] = np.sin(psi)
    return a


@kernel
def angle_rates(theta, psi, w):
    """(10.1): phi', theta', psi' from the angular velocity in body axes."""
    along = (-np.sin(psi) * w[0] + np.cos(psi) * w[2]) / np.cos(theta)
    return along, np.cos(psi) * w[0] + np.sin(psi) * w[2], w[1] - np.sin(theta) * along


@kernel
def turned(r, s):
    """R s."""
    out = np.zeros(3, r.dtype)
    for i in range(3):
        out[i] = r[i, 0] * s[0] + r[i, 1] * s[1] + r[i, 2] * s[2]
    return out


@kernel
def crossed(a, b):
    """a x b."""
    out = np.zeros(3, a.dtype)
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
    return out


@kernel
def constraint_errors(q, model):
    """e of the 17 holonomic constraints."""
    e = np.zeros(17, q.dtype)
    for h in range(3):
        r1, r2 = rotation_312(q[h, 3:]), rotation_312(q[h + 1, 3:])
        # The order of the bodies of a hinge does not matter to the constraint.
        e[5 * h : 5 * h + 3] = q[h + 1, :3] + turned(r2, model.points[h, 1]) - q[h, :3] - turned(r1, model.points[h, 0])
        axis = turned(r2, model.axes[h])
        for k in range(2):
            normal = turned(r1, model.normals[h, k])
            e[5 * h + 3 + k] = normal[0] * axis[0] + normal[1] * axis[1] + normal[2] * axis[2]
    for n in range(2):
        b = 3 * n
        e[15 + n] = q[b, 2] - model.radius[n] * np.cos(q[b, 4])
    return e


@kernel
def jacobian(q, model):
    """D, (21, 24): 15 rows of hinges, 2 of the heights, then forward and sideways slip of each wheel."""
    d = np.zeros((21, 24), q.dtype)
    for h in range(3):
        a, b = 6 * h, 6 * (h + 1)
        r1, r2 = rotation_312(q[h, 3:]), rotation_312(q[h + 1, 3:])
        axis = turned(r2, model.axes[h])
        for k in range(3):
            d[5 * h + k, a + k] = -1.0
            d[5 * h + k, b + k] = 1.0
            # Row k of -R tilde(s): R (w x s) = -R tilde(s) w.
            d[5 * h + k, a + 3 : a + 6] = -crossed(model.points[h, 0] + 0.0 * r1[k], r1[k])
            d[5 * h + k, b + 3 : b + 6] = crossed(model.points[h, 1] + 0.0 * r2[k], r2[k])
        for k in range(2):
            normal = turned(r1, model.normals[h, k])
            # In axes of the body: e_x2 . R1 (w x e') = w . (e' x R1^T e_x2).
            d[5 * h + 3 + k, a + 3 : a + 6] = crossed(model.normals[h, k] + 0.0 * axis, turned(r1.T, axis))
            d[5 * h + 3 + k, b + 3 : b + 6] = crossed(model.axes[h] + 0.0 * axis, turned(r2.T, normal))
    for n in range(2):
        b, c = 3 * n, 18 * n
        r = model.radius[n]
        phi, theta, psi = q[b, 3], q[b, 4], q[b, 5]
        d[15 + n, c + 2] = 1.0
        d[15 + n, c + 3] = r * np.sin(theta) * np.cos(psi)
        d[15 + n, c + 5] = r * np.sin(theta) * np.sin(psi)
        d[17 + 2 * n, c] = np.cos(phi)
        d[17 + 2 * n, c + 1] = np.sin(phi)
        d[17 + 2 * n, c + 4] = -r
        d[18 + 2 * n, c] = -np.sin(phi)
        d[18 + 2 * n, c + 1] = np.cos(phi)
        d[18 + 2 * n, c + 3] = r * np.cos(theta) * np.cos(psi)
        d[18 + 2 * n, c + 5] = r * np.cos(theta) * np.sin(psi)
    return d


@kernel
def convective(q, u, printed, model):
    """g of D a + g = 0, (21,)."""
    g = np.zeros(21, q.dtype)
    for h in range(3):
        r1, r2 = rotation_312(q[h, 3:]), rotation_312(q[h + 1, 3:])
        w1, w2 = turned(r1, u[h, 3:]), turned(r2, u[h + 1, 3:])
        s1, s2 = turned(r1, model.points[h, 0]), turned(r2, model.points[h, 1])
        g[5 * h : 5 * h + 3] = crossed(w2, crossed(w2, s2)) - crossed(w1, crossed(w1, s1))
        axis = turned(r2, model.axes[h])
        axis_rate = crossed(w2, axis)
        axis_more = crossed(w2, axis_rate)
        for k in range(2):
            normal = turned(r1, model.normals[h, k])
            rate = crossed(w1, normal)
            more = crossed(w1, rate)
            for i in range(3):
                g[5 * h + 3 + k] += more[i] * axis[i] + 2.0 * rate[i] * axis_rate[i] + normal[i] * axis_more[i]
    for n in range(2):
        b = 3 * n
        r = model.radius[n]
        phi, theta = q[b, 3], q[b, 4]
        dphi, dtheta, dpsi = angle_rates(theta, q[b, 5], u[b, 3:])
        x, y = u[b, 0], u[b, 1]
        s, c = np.sin(theta), np.cos(theta)
        g[15 + n] = r * c * dtheta * dtheta
        g[17 + 2 * n] = dphi * (-np.sin(phi) * x + np.cos(phi) * y)
        g[18 + 2 * n] = -dphi * (np.cos(phi) * x + np.sin(phi) * y) - r * s * dtheta * dtheta
        if printed:
            g[17 + 2 * n] -= r * c * dphi * dtheta
        else:
            g[15 + n] += r * s * c * dphi * dpsi
            g[18 + 2 * n] += r * c * c * dphi * dpsi
    return g


@kernel
def accelerations(q, u, printed, model):
    """(10.2): accelerations (4, 6) and multipliers (21,)."""
    matrix = np.zeros((45, 45), q.dtype)
    right = np.zeros(45, q.dtype)
    d = jacobian(q, model)
    g = convective(q, u, printed, model)
    for b in range(4):
        w = u[b, 3:]
        momentum = np.zeros(3, q.dtype)
        for i in range(3):
            matrix[6 * b + i, 6 * b + i] = model.mass[b]
            for k in range(3):
                matrix[6 * b + 3 + i, 6 * b + 3 + k] = model.inertia[b, i, k]
                momentum[i] += model.inertia[b, i, k] * w[k]
        right[6 * b + 2] = -model.mass[b] * model.gravity
        right[6 * b + 3 : 6 * b + 6] = -crossed(w, momentum)
    for r in range(21):
        right[24 + r] = -g[r]
        for k in range(24):
            matrix[24 + r, k] = d[r, k]
            matrix[k, 24 + r] = d[r, k]
    found = np.linalg.solve(matrix, right)
    return found[:24].copy().reshape(4, 6), found[24:].copy()


@kernel
def coordinate_rates(q, u):
    """(10.1) for all bodies, (4, 6)."""
    out = np.zeros((4, 6), q.dtype)
    for b in range(4):
        out[b, :3] = u[b, :3]
        out[b, 3], out[b, 4], out[b, 5] = angle_rates(q[b, 4], q[b, 5], u[b, 3:])
    return out


@kernel
def pseudo_inverse(d, right):
    """D^+ right = D^T (D D^T)^-1 right."""
    dense = np.ascontiguousarray(d)
    transposed = np.ascontiguousarray(d.T)
    return np.dot(transposed, np.linalg.solve(np.dot(dense, transposed), right))


@kernel
def project_coordinates(q, model):
    """dq = -D_q^+ e, repeated; returns the largest error that is left."""
    largest = 0.0
    for _ in range(12):
        e = constraint_errors(q, model)
        largest = np.abs(e).max()
        if largest <= ENOUGH:
            break
        d = jacobian(q, model)[:17]
        for b in range(4):
            a = angle_axes(q[b, 4], q[b, 5])
            columns = d[:, 6 * b + 3 : 6 * b + 6].copy()
            d[:, 6 * b + 3 : 6 * b + 6] = np.dot(columns, a)
        q -= pseudo_inverse(d, e).reshape(4, 6)
    return largest


@kernel
def project_velocities(q, u, model):
    """du = -D^+ (D u), once; returns the largest |D u| that is left."""
    d = jacobian(q, model)
    u -= pseudo_inverse(d, np.dot(d, u.copy().reshape(24))).reshape(4, 6)
    return np.abs(np.dot(d, u.copy().reshape(24))).max()


@kernel
def run_steps(q, u, h, steps, every, project, printed, model, record):
    """RK4 and the projections; fills the record, a :class:`~centrode.vehicles.bicycle.lecture.LectureRun`."""
    for n in range(steps + 1):
        qa = coordinate_rates(q, u)
        ua, forces = accelerations(q, u, printed, model)
        if n % every == 0:
            k = n // every
            record.time[k] = n * h
            record.q[k] = q
            record.u[k] = u
            record.multipliers[k] = forces
            record.position_error[k] = np.abs(constraint_errors(q, model)).max()
            d = jacobian(q, model)
            record.velocity_error[k] = np.abs(np.dot(d, u.copy().reshape(24))).max()
        if n == steps:
            break
        q2, u2 = q + 0.5 * h * qa, u + 0.5 * h * ua
        qb = coordinate_rates(q2, u2)
        ub, _ = accelerations(q2, u2, printed, model)
        q3, u3 = q + 0.5 * h * qb, u + 0.5 * h * ub
        qc = coordinate_rates(q3, u3)
        uc, _ = accelerations(q3, u3, printed, model)
        q4, u4 = q + h * qc, u + h * uc
        qd = coordinate_rates(q4, u4)
        ud, _ = accelerations(q4, u4, printed, model)
        q += h / 6.0 * (qa + 2.0 * qb + 2.0 * qc + qd)
        u += h / 6.0 * (ua + 2.0 * ub + 2.0 * uc + ud)
        if project:
            project_coordinates(q, model)
            project_velocities(q, u, model)

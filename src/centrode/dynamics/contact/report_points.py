"""Contact points by the definition of the MEDUSA report (1999), section 1.5.3, for output and comparison.

Body 1 and body 2 have level functions f(x) = sum |X_i / a_i|^p on the principal axes and semi-axes of the
*deformed ellipsoid*: eigenvectors and roots of the eigenvalues of F diag(a^2) F^T ("refit"; the report builds the
superellipsoid on the deformed ellipsoid, it does not deform the superellipsoid). Then

    T1 = point of surface 1 where f_2 is smallest,  T2 = point of surface 2 where f_1 is smallest,      (1)
    n  = outward unit normal of body 1 at T1,       depth = (T1 - T2) . n.                              (2)

T1 solves the four equations  f_1(x) = 1,  grad f_2(x) + lambda grad f_1(x) = 0  (Newton, started from the support
point of the growth normal). The report prints the level functions as quadratic, (1.49) to (1.51); the exponent is
p = 2 / squareness in fact.

Not used for forces: k (T1 - T2).n at these points is not the gradient of a potential and leaves a torque.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from centrode.dynamics.contact.codes import CONVERGED, ROOM_EXHAUSTED, WORK
from centrode.dynamics.contact.smooth import growth
from centrode.jit import step_kernel
from centrode.parts.outlines.outline import ROW
from centrode.parts.outlines.superellipsoid import fill_smooth_row, superellipsoid_support


class ReportContact(NamedTuple):
    """Answer by the report's definition; points in the world frame [m]."""

    level: float
    overlap: bool
    depth: float
    point_1: np.ndarray
    point_2: np.ndarray
    normal: np.ndarray
    status: int


@step_kernel
def _rotate_pair(s, v, p, q):
    """One Jacobi rotation that zeroes s[p, q] of a symmetric 3 x 3 matrix; v collects the rotations."""
    if abs(s[p, q]) <= 1e-40 * (abs(s[p, p]) + abs(s[q, q])):
        return
    theta = 0.5 * (s[q, q] - s[p, p]) / s[p, q]
    t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
    if theta < 0.0:
        t = -t
    c = 1.0 / math.sqrt(t * t + 1.0)
    sn = t * c
    for k in range(3):
        kp = s[k, p]
        kq = s[k, q]
        s[k, p] = c * kp - sn * kq
        s[k, q] = sn * kp + c * kq
    for k in range(3):
        pk = s[p, k]
        qk = s[q, k]
        s[p, k] = c * pk - sn * qk
        s[q, k] = sn * pk + c * qk
        vp = v[k, p]
        vq = v[k, q]
        v[k, p] = c * vp - sn * vq
        v[k, q] = sn * vp + c * vq


@step_kernel
def refit(semi_axes, frame, frame_out, semi_axes_out, s, v):
    """Principal frame and semi-axes of the ellipsoid with given semi-axes deformed by the frame.

    Args:
        semi_axes: float64[3] [m]; frame: float64[12].
        frame_out, semi_axes_out: filled; the directors of frame_out are unit vectors.
        s, v: 3 x 3 work.
    """
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += semi_axes[k] * semi_axes[k] * frame[3 + 3 * k + i] * frame[3 + 3 * k + j]
            s[i, j] = total
            v[i, j] = 1.0 if i == j else 0.0
    for _ in range(12):
        _rotate_pair(s, v, 0, 1)
        _rotate_pair(s, v, 0, 2)
        _rotate_pair(s, v, 1, 2)
    for i in range(3):
        frame_out[i] = frame[i]
        semi_axes_out[i] = math.sqrt(s[i, i])
        for j in range(3):
            frame_out[3 + 3 * i + j] = v[j, i]


@step_kernel
def level(frame, semi_axes, p, x0, x1, x2, gradient, hessian):
    """Level function sum |X_i/a_i|^p at a world point; world gradient (3) and Hessian (3, 3) are filled."""
    value = 0.0
    for j in range(3):
        gradient[j] = 0.0
        for k in range(3):
            hessian[j, k] = 0.0
    for i in range(3):
        d0 = frame[3 + 3 * i]
        d1 = frame[4 + 3 * i]
        d2 = frame[5 + 3 * i]
        a = semi_axes[i]
        y = ((x0 - frame[0]) * d0 + (x1 - frame[1]) * d1 + (x2 - frame[2]) * d2) / a
        size = abs(y)
        if size < 1e-100:
            continue
        second = size ** (p - 2.0)
        value += second * y * y
        slope = p * second * y / a
        curve = p * (p - 1.0) * second / (a * a)
        for j in range(3):
            dj = (d0, d1, d2)[j]
            gradient[j] += slope * dj
            for k in range(3):
                hessian[j, k] += curve * dj * (d0, d1, d2)[k]
    return value


@step_kernel
def _solve_four(m, b):
    """Solve m x = b (4 x 4) in place by elimination with row pivoting; returns False when singular."""
    for col in range(4):
        best = col
        for r in range(col + 1, 4):
            if abs(m[r, col]) > abs(m[best, col]):
                best = r
        if abs(m[best, col]) < 1e-300:
            return False
        if best != col:
            for k in range(4):
                m[col, k], m[best, k] = m[best, k], m[col, k]
            b[col], b[best] = b[best], b[col]
        for r in range(col + 1, 4):
            factor = m[r, col] / m[col, col]
            for k in range(col, 4):
                m[r, k] -= factor * m[col, k]
            b[r] -= factor * b[col]
    for col in range(3, -1, -1):
        for k in range(col + 1, 4):
            b[col] -= m[col, k] * b[k]
        b[col] /= m[col, col]
    return True


@step_kernel
def deepest_point(frame_1, axes_1, p_1, frame_2, axes_2, p_2, x, work):
    """Point of surface 1 where level 2 is smallest, by Newton on the four equations; x holds start and answer.

    Steps are cut to a quarter until the residual falls. Returns (status, evaluations).
    """
    g1 = work[0]
    g2 = work[1]
    h1 = work[2:5]
    h2 = work[5:8]
    m = work[8:12]
    b = work[12]
    x0, x1, x2 = x[0], x[1], x[2]
    f1 = level(frame_1, axes_1, p_1, x0, x1, x2, g1, h1)
    level(frame_2, axes_2, p_2, x0, x1, x2, g2, h2)
    norm = g1[0] * g1[0] + g1[1] * g1[1] + g1[2] * g1[2]
    lam = -(g1[0] * g2[0] + g1[1] * g2[1] + g1[2] * g2[2]) / norm
    scale = math.sqrt(norm)
    residual = math.inf
    evaluations = 1
    status = ROOM_EXHAUSTED
    for _ in range(60):
        residual = _residual(g1, g2, lam, f1, scale)
        for j in range(3):
            b[j] = -(g2[j] + lam * g1[j])
            m[j, 3] = g1[j]
            m[3, j] = g1[j]
            for k in range(3):
                m[j, k] = h2[j, k] + lam * h1[j, k]
        b[3] = 1.0 - f1
        m[3, 3] = 0.0
        if not _solve_four(m, b):
            break
        length = math.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
        s0, s1, s2, sl = b[0], b[1], b[2], b[3]
        if length < 1e-12:
            x0 += s0
            x1 += s1
            x2 += s2
            status = CONVERGED
            break
        factor = 1.0
        accepted = False
        for _ in range(12):
            f1 = level(frame_1, axes_1, p_1, x0 + factor * s0, x1 + factor * s1, x2 + factor * s2, g1, h1)
            level(frame_2, axes_2, p_2, x0 + factor * s0, x1 + factor * s1, x2 + factor * s2, g2, h2)
            evaluations += 1
            if _residual(g1, g2, lam + factor * sl, f1, scale) < residual:
                accepted = True
                break
            factor *= 0.25
        if not accepted:
            status = CONVERGED if length < 1e-8 else ROOM_EXHAUSTED
            break
        x0 += factor * s0
        x1 += factor * s1
        x2 += factor * s2
        lam += factor * sl
    x[0], x[1], x[2] = x0, x1, x2
    return status, evaluations


@step_kernel
def _residual(g1, g2, lam, f1, scale):
    """Size of the four residuals, gradients counted relative to the size of grad f_1."""
    total = (f1 - 1.0) * (f1 - 1.0)
    for j in range(3):
        part = (g2[j] + lam * g1[j]) / scale
        total += part * part
    return total


def report_contact(
    semi_axes_1: tuple[float, float, float],
    squareness_1: float,
    frame_1: np.ndarray,
    semi_axes_2: tuple[float, float, float],
    squareness_2: float,
    frame_2: np.ndarray,
) -> ReportContact:
    """Contact of two deformed superellipsoids by the report's own definition (with refit).

    Args:
        semi_axes_1, semi_axes_2: of the undeformed outlines [m].
        squareness_1, squareness_2: [1].
        frame_1, frame_2: position and directors, float64[12].

    Returns:
        level: least attainable maximum of both levels (below 1: overlap), exact for equal squareness;
        overlap, depth [m] (0 when apart), T1, T2 (world) [m], n (from 1 outward), status.
    """
    frames, axes, rows, powers = [], [], [], (2.0 / squareness_1, 2.0 / squareness_2)
    s, v = np.empty((3, 3)), np.empty((3, 3))
    for given, frame, p in ((semi_axes_1, frame_1, powers[0]), (semi_axes_2, frame_2, powers[1])):
        fitted, lengths, row = np.empty(12), np.empty(3), np.zeros(ROW)
        refit(np.asarray(given, dtype=float), np.ascontiguousarray(frame, dtype=float), fitted, lengths, s, v)
        fill_smooth_row(row, (lengths[0], lengths[1], lengths[2]), p, 0.0)
        frames.append(fitted)
        axes.append(lengths)
        rows.append(row)
    factor, n0, n1, n2, status, _ = growth(rows[0], frames[0], rows[1], frames[1], 1e-10, np.empty(WORK))
    points, work = [], np.empty((13, 4))
    worst = CONVERGED
    for one, two, sign in ((0, 1, 1.0), (1, 0, -1.0)):
        matrix = frames[one][3:].reshape(3, 3)
        own = superellipsoid_support(rows[one], *(matrix @ (sign * np.array([n0, n1, n2]))))
        x = frames[one][:3] + matrix.T @ np.array(own[1:])
        said, _ = deepest_point(frames[one], axes[one], powers[one], frames[two], axes[two], powers[two], x, work)
        worst = max(worst, said)
        points.append(x)
    gradient = np.empty(3)
    level(frames[0], axes[0], powers[0], *points[0], gradient, np.empty((3, 3)))
    normal = gradient / np.linalg.norm(gradient)
    overlap = bool(factor < 1.0)
    depth = float((points[0] - points[1]) @ normal) if overlap else 0.0
    return ReportContact(factor ** powers[0], overlap, depth, points[0], points[1], normal, worst)

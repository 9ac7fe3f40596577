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

from typing import NamedTuple

import numpy as np

from centrode.dynamics.contact.newton import growth
from centrode.dynamics.contact.search import Pair, Status, make_search
from centrode.parts.outlines.outline import Shapes, body_frame
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid, superellipsoid_support


class ReportContact(NamedTuple):
    """Answer by the report's definition; points in the world frame [m]."""

    level: float
    overlap: bool
    depth: float
    point_1: np.ndarray
    point_2: np.ndarray
    normal: np.ndarray
    status: Status


class _Deformed(NamedTuple):
    """A superellipsoid on the deformed ellipsoid: centre [m], axes as rows, semi-axes [m], exponent."""

    centre: np.ndarray
    axes: np.ndarray
    semi_axes: np.ndarray
    exponent: float

    def level(self, x: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Level function sum |X_i/a_i|^p at a world point, its gradient and its Hessian."""
        y = self.axes @ (x - self.centre) / self.semi_axes
        second = np.maximum(np.abs(y), 1e-100) ** (self.exponent - 2.0)
        slopes = self.exponent * second * y / self.semi_axes
        curves = self.exponent * (self.exponent - 1.0) * second / self.semi_axes**2
        return float(second @ y**2), slopes @ self.axes, self.axes.T @ (curves[:, None] * self.axes)


def refit(semi_axes: tuple[float, float, float], exponent: float, frame: np.ndarray) -> _Deformed:
    """Principal axes and semi-axes of the ellipsoid with given semi-axes deformed by the frame."""
    f = frame[3:].reshape(3, 3).T * np.asarray(semi_axes, dtype=float)
    squares, axes = np.linalg.eigh(f @ f.T)
    return _Deformed(frame[:3], axes.T, np.sqrt(squares), exponent)


def deepest_point(one: _Deformed, two: _Deformed, x: np.ndarray) -> tuple[np.ndarray, Status]:
    """Point of surface 1 where level 2 is smallest, by Newton on the four equations from a start x.

    Steps are cut to a quarter until the residual, gradients counted relative to the size of grad f_1, falls.
    """
    f1, g1, h1 = one.level(x)
    _, g2, h2 = two.level(x)
    multiplier = -(g1 @ g2) / (g1 @ g1)
    scale = float(np.linalg.norm(g1))
    for _ in range(60):
        residual = (f1 - 1.0) ** 2 + float(np.sum((g2 + multiplier * g1) ** 2)) / scale**2
        matrix = np.block([[h2 + multiplier * h1, g1[:, None]], [g1[None, :], np.zeros((1, 1))]])
        step = np.linalg.solve(matrix, np.append(-(g2 + multiplier * g1), 1.0 - f1))
        length = float(np.linalg.norm(step[:3]))
        if length < 1e-12:
            return x + step[:3], Status.CONVERGED
        for cut in range(12):
            share = 0.25**cut
            f1, g1, h1 = one.level(x + share * step[:3])
            _, g2, h2 = two.level(x + share * step[:3])
            trial = multiplier + share * step[3]
            if (f1 - 1.0) ** 2 + float(np.sum((g2 + trial * g1) ** 2)) / scale**2 < residual:
                break
        else:
            return x, Status.CONVERGED if length < 1e-8 else Status.ROOM_EXHAUSTED
        x, multiplier = x + share * step[:3], trial
    return x, Status.ROOM_EXHAUSTED


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
    bodies = [refit(semi_axes_1, 2.0 / squareness_1, frame_1), refit(semi_axes_2, 2.0 / squareness_2, frame_2)]
    rows, frames = [], []
    for body in bodies:
        a, b, c = (float(x) for x in body.semi_axes)
        part = OutlineSuperellipsoid("fitted", semi_axes=(a, b, c), squareness=2.0 / body.exponent, rounding=0.0)
        rows.append(part.pack())
        frames.append(body_frame(body.centre, body.axes.T))
    search = make_search(Shapes(np.zeros((0, 3)), np.zeros(0)))
    factor, n, _, _ = growth(Pair(rows[0], frames[0], rows[1], frames[1]), search, 1e-10)
    points, said = [], []
    for one, two, sign in ((0, 1, 1.0), (1, 0, -1.0)):
        own = superellipsoid_support(rows[one], tuple(float(m) for m in bodies[one].axes @ (sign * np.array(n))))[1]
        point, status = deepest_point(bodies[one], bodies[two], bodies[one].centre + np.array(own) @ bodies[one].axes)
        points.append(point)
        said.append(status)
    gradient = bodies[0].level(points[0])[1]
    normal = gradient / np.linalg.norm(gradient)
    overlap = bool(factor < 1.0)
    depth = float((points[0] - points[1]) @ normal) if overlap else 0.0
    return ReportContact(factor ** bodies[0].exponent, overlap, depth, points[0], points[1], normal, max(said))

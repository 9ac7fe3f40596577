"""Queries for closest points from Python, with frames as twelve numbers: position, then the three directors."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.spatial import ConvexHull, HalfspaceIntersection

from centrode.dynamics.contact.narrow import find_closest
from centrode.dynamics.contact.search import ROOM
from centrode.parts.outlines.outline import PLACED, Frame, pack_outlines, place_outline

COLD = (0.0, 0.0, 0.0)
ROOM_OF_QUERY = np.zeros(1, ROOM)[0]


def flat_frame(position=(0.0, 0.0, 0.0), matrix=None) -> np.ndarray:
    """Position and directors (the columns of a matrix) as twelve numbers."""
    return np.array([*position, *np.ravel((np.eye(3) if matrix is None else np.asarray(matrix, dtype=float)).T)])


def vector(numbers) -> tuple[float, float, float]:
    """Three plain floats."""
    x, y, z = (float(number) for number in numbers)
    return x, y, z


def frame_of(flat) -> Frame:
    """Twelve numbers as a frame for kernels."""
    return Frame(vector(flat[:3]), (vector(flat[3:6]), vector(flat[6:9]), vector(flat[9:12])))


def placed_on(outline, flat):
    """Row with the frame of an outline on a body whose frame is given as twelve numbers."""
    row = np.zeros(1, PLACED)[0]
    place_outline(outline, frame_of(flat), row)
    return row


def query(one, frame_one, two, frame_two, warm=COLD, within=np.inf):
    """Closest points of two outlines on bodies with these frames."""
    rows, shapes = pack_outlines([one, two])
    a, b = placed_on(rows[0], frame_one), placed_on(rows[1], frame_two)
    return find_closest(rows[0], a, rows[1], b, *shapes, ROOM_OF_QUERY, vector(warm), float(within))


def flat_depth(thickness: float, polygon: np.ndarray) -> tuple[float, float]:
    """Depth D of a flat overlap over a convex polygon (corners in turn), and its slope over the thickness.

    What is farther than t from all faces is a slab over the polygon moved in by t, of area A - P t + C t^2 with the
    perimeter P and C = sum of tan(turn / 2) at the corners. So W_1 = int (d - 2t)(A - P t + C t^2) dt and W_2 the same
    with the factor 2 t: W_1 = A d^2/4 - P d^3/24 + C d^4/96, W_2 = A d^3/12 - P d^4/48 + C d^5/160, D = 3 W_2 / W_1.
    """
    sides = np.roll(polygon, -1, axis=0) - polygon
    before = np.roll(sides, 1, axis=0)
    turns = np.arctan2(before[:, 0] * sides[:, 1] - before[:, 1] * sides[:, 0], np.sum(before * sides, axis=1))
    area = 0.5 * abs(np.sum(polygon[:, 0] * np.roll(polygon[:, 1], -1) - polygon[:, 1] * np.roll(polygon[:, 0], -1)))
    p, c = np.linalg.norm(sides, axis=1).sum() / area, np.tan(0.5 * np.abs(turns)).sum() / area
    d = thickness
    top, bottom = d - p * d**2 / 4.0 + 3.0 * c * d**3 / 40.0, 1.0 - p * d / 6.0 + c * d**2 / 24.0
    top_slope, bottom_slope = 1.0 - p * d / 2.0 + 9.0 * c * d**2 / 40.0, -p / 6.0 + c * d / 12.0
    return top / bottom, (top_slope - top / bottom * bottom_slope) / bottom


def flat_sink(load: float, polygon: np.ndarray) -> float:
    """Thickness of the flat overlap where D dD/dd is the load over the stiffness of a linear law [m]."""

    def missing(thickness: float) -> float:
        depth, slope = flat_depth(thickness, polygon)
        return depth * slope - load

    return float(brentq(missing, 0.0, 2.0 * load, xtol=1e-18, rtol=1e-15))


def rectangle(a: float, b: float, yaw: float = 0.0) -> np.ndarray:
    """Corners of a rectangle with half sides a and b about the origin."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([(a, b), (-a, b), (-a, -b), (a, -b)]) @ np.array([[c, s], [-s, c]])


def common_polygon(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Corners of the common part of two convex polygons about the origin, in turn."""
    lines = []
    for polygon in (one, two):
        for p, q in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            n = np.array([q[1] - p[1], p[0] - q[0]]) / np.linalg.norm(q - p)
            lines.append([*n, -n @ p])
    corners = HalfspaceIntersection(np.array(lines), np.zeros(2)).intersections
    hull = ConvexHull(np.unique(corners.round(14), axis=0))
    return hull.points[hull.vertices]

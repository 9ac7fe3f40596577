"""Hulls against those of qhull: the same corners, the same planes, the same volume."""

import itertools
import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from centrode.math.hull import convex_hull, plane_hull


def box(x=1.0, y=2.0, z=0.5):
    return np.array(list(itertools.product((-x, x), (-y, y), (-z, z))))


def with_points_inside_of_sides() -> np.ndarray:
    """A box with points in the middle of edges, of sides and inside: none of them is a corner."""
    steps = np.linspace(-1.0, 1.0, 5)
    return np.array(list(itertools.product(steps, steps, steps))) @ np.diag([2.0, 0.9, 0.3])


def rotated(points: np.ndarray, seed: int) -> np.ndarray:
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return points @ turn.T + [10.0, -3.0, 0.7]


CLOUDS = {
    "box": box(),
    "turned box": rotated(box(), 1),
    "box with points on it": with_points_inside_of_sides(),
    "the same turned": rotated(with_points_inside_of_sides(), 2),
    "ball of points": np.random.default_rng(3).normal(size=(300, 3)),
    "points on a ball": (lambda p: p / np.linalg.norm(p, axis=1)[:, None])(
        np.random.default_rng(4).normal(size=(200, 3))
    ),
    "flat": np.random.default_rng(5).normal(size=(40, 3)) * [1.0, 1.0, 1e-6],
    "far away": np.random.default_rng(6).normal(size=(40, 3)) + 1e4,
    "prism of many sides": np.array(
        [(math.cos(a), math.sin(a), z) for a in np.arange(24) * (math.pi / 12) for z in (0.0, 1.0)]
    ),
    "tetrahedron": np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
}


@pytest.mark.parametrize("name", CLOUDS)
def test_hull_is_that_of_qhull(name: str) -> None:
    points = CLOUDS[name]
    ours, theirs = convex_hull(points), ConvexHull(points)
    size = np.abs(points - points.mean(axis=0)).max()
    rounding = 1e-14 * np.abs(points).max()
    # Every plane holds all points below it and every corner of qhull is on one: supports in many directions agree.
    heights = points @ ours.planes[:, :3].T - ours.planes[:, 3]
    assert heights.max() <= 1e-12 * size + 4 * rounding
    ways = np.random.default_rng(9).normal(size=(2000, 3))
    supports = [(points[numbers] @ ways.T).max(axis=0) for numbers in (ours.corners, theirs.vertices)]
    # A corner that is left out lies within 1e-12 of the size of the hull.
    assert np.abs(supports[0] - supports[1]).max() <= np.linalg.norm(ways, axis=1).max() * (1e-12 * size + 4 * rounding)
    # Closed and outward: by Gauss' law the volume, and every edge once each way.
    a, b, c = (points[ours.triangles[:, k]] - points.mean(axis=0) for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
    assert volume == pytest.approx(theirs.volume, rel=1e-9)
    edges = [(t[k], t[(k + 1) % 3]) for t in ours.triangles.tolist() for k in range(3)]
    assert len(set(edges)) == len(edges) and {(q, p) for p, q in edges} == set(edges)


def test_corners_of_a_box_with_points_on_it_are_its_corners() -> None:
    points = with_points_inside_of_sides()
    assert len(convex_hull(points).corners) == 8
    assert len(convex_hull(rotated(points, 2)).corners) == 8


def test_points_in_a_plane_have_no_hull() -> None:
    with pytest.raises(ValueError, match="lie in a plane"):
        convex_hull(np.column_stack([np.random.default_rng(0).normal(size=(9, 2)), np.zeros(9)]))


@pytest.mark.parametrize("seed", range(5))
def test_plane_hull_is_that_of_qhull(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(50, 2)) if seed else np.array(list(itertools.product((0.0, 1.0, 2.0), (0.0, 1.0))))
    ours, theirs = plane_hull(points), ConvexHull(points)
    assert sorted(ours.tolist()) == sorted(theirs.vertices.tolist())
    x, y = points[ours].T
    assert 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) == pytest.approx(theirs.volume, rel=1e-12)

"""Nearest point of terrain: against a search without derivatives, its gradient, a bound of slopes; points that feel."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import centrode as ct
from centrode.dynamics.contact.probes import probes_of
from centrode.jit.plainly import plainly
from centrode.parts.outlines.outline import pack_outlines
from centrode.parts.roads.terrain import terrain_height
from centrode.parts.roads.terrain_foot import steepest, terrain_bends, terrain_foot


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(-2.0, 2.0, 21), np.linspace(-1.5, 1.5, 16))
    z = 0.1 * np.sin(3.0 * x) * np.cos(2.0 * y) + 0.3 * x + 0.02 * np.random.default_rng(2).normal(size=x.shape)
    path = tmp_path_factory.mktemp("terrain") / "t.csv"
    np.savetxt(path, np.column_stack([x.ravel(), y.ravel(), z.ravel()]), delimiter=",")
    return ct.RoadTerrain("t", file=str(path)).table()


def some_points(count: int) -> np.ndarray:
    rng = np.random.default_rng(5)
    points = rng.uniform((-1.8, -1.3, 0.0), (1.8, 1.3, 0.0), (count, 3))
    return points + np.column_stack([np.zeros((count, 2)), 0.3 * points[:, 0] + rng.uniform(-0.1, 0.15, count)])


def test_heights_and_slopes_are_those_of_the_terrain(table):
    """Values and slopes to round-off, second derivatives by differences of slopes over 1e-6 m."""
    for x, y, _ in some_points(10):
        height, along, aside, xx, xy, yy = terrain_bends(table, x, y)
        assert (height, along, aside) == pytest.approx(terrain_height(table, x, y), rel=1e-13, abs=1e-15)
        (up, left), (down, right) = (
            (terrain_height(table, x + d, y), terrain_height(table, x, y + d)) for d in (1e-6, -1e-6)
        )
        assert (xx, xy) == pytest.approx([(up[k] - down[k]) / 2e-6 for k in (1, 2)], abs=1e-7)
        assert yy == pytest.approx((left[2] - right[2]) / 2e-6, abs=1e-7)


def test_the_foot_is_the_nearest_point(table):
    """No point of the surface within 0.3 m is nearer, by an optimiser without derivatives, and p - q is along n."""
    for p in some_points(12):
        phi, n, foot = terrain_foot(table, tuple(p))

        def square(at, p=p):
            return float((at[0] - p[0]) ** 2 + (at[1] - p[1]) ** 2 + (terrain_height(table, *at)[0] - p[2]) ** 2)

        best = min(minimize(square, p[:2] + d, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-16}).fun
                   for d in np.array([(0.0, 0.0), (0.1, 0.0), (-0.1, 0.0), (0.0, 0.1), (0.0, -0.1)]))  # fmt: skip
        assert abs(phi) == pytest.approx(np.sqrt(best), abs=1e-7)
        assert np.sign(phi) == np.sign(p[2] - terrain_height(table, p[0], p[1])[0])
        np.testing.assert_allclose(p - np.array(foot), phi * np.array(n), atol=1e-12)


def test_the_gradient_of_the_distance_is_the_normal(table):
    for p in some_points(12):
        _, n, _ = terrain_foot(table, tuple(p))
        slopes = [
            (terrain_foot(table, tuple(p + d))[0] - terrain_foot(table, tuple(p - d))[0]) / 2e-6
            for d in 1e-6 * np.eye(3)
        ]
        np.testing.assert_allclose(slopes, n, atol=1e-8)


def test_no_slope_exceeds_the_bound_which_is_near(table):
    height = plainly(terrain_height)
    x, y = np.linspace(-2.0, 2.0, 60), np.linspace(-1.5, 1.5, 45)
    most = max(np.sqrt(1.0 + sum(s * s for s in height(table, a, b)[1:])) for a in x for b in y)
    assert most <= steepest(table) < 2.0 * most


@pytest.mark.parametrize(("spacing", "count"), ((1.0, 27 - 1), (0.2, 5 * 4 * 3 - 3 * 2 * 1)))
def test_points_of_a_box_are_no_farther_apart_than_the_grid(spacing, count):
    """3 x 3 x 3 less the middle; 5 x 4 x 3 with gaps of 0.2 m less 3 x 2 x 1 inside."""
    box = ct.OutlineBox("b", half_lengths=(0.4, 0.3, 0.2))
    points = probes_of(box, pack_outlines([box])[0][0], spacing)
    assert len(points) == count
    assert (np.isclose(np.abs(points), (0.4, 0.3, 0.2)).any(axis=1)).all()


def test_points_of_the_other_outlines():
    polyhedron = ct.OutlinePolyhedron("p", points=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    capsule = ct.OutlineCapsule("c", radius=0.1, half_length=0.5)
    others = [ct.OutlineSphere("s", radius=1.0), ct.OutlineEllipsoid("e", semi_axes=(0.4, 0.3, 0.2))]
    others.append(ct.OutlineCylinder("y", radius=0.5, half_length=0.5))
    outlines = [polyhedron, capsule, *others]
    found = [probes_of(item, row, 10.0) for item, row in zip(outlines, pack_outlines(outlines)[0], strict=True)]
    assert [len(points) for points in found] == [10, 3, 1, 0, 0]  # corners and middles of edges; ends and middle
    np.testing.assert_allclose(found[1][:, 2], (-0.5, 0.0, 0.5))

"""Faces of an overlap: moments of polygons, faces of polytopes, corners of outlines, each found another way too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull, HalfspaceIntersection

from centrode.dynamics.contact.measure import corner_of
from centrode.dynamics.contact.overlap import area_moments, face_polygon
from centrode.dynamics.contact.pulses import start_pulse
from centrode.dynamics.contact.search import FACE_NOW
from centrode.dynamics.contact.tables import PULSE
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.outline import pack_outlines
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.tables import as_records

seeds = st.integers(0, 2**32 - 1)


def by_edges(polygon: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Area, centroid and second moments per area about it by Green's theorem, a sum over edges and not triangles."""
    x, y = polygon.T
    u, v = np.roll(polygon, -1, axis=0).T
    c = x * v - u * y
    area = 0.5 * c.sum()
    centre = np.array([((x + u) * c).sum(), ((y + v) * c).sum()]) / (6.0 * area)
    xx = ((x * x + x * u + u * u) * c).sum() / (12.0 * area)
    yy = ((y * y + y * v + v * v) * c).sum() / (12.0 * area)
    xy = ((2.0 * x * y + x * v + u * y + 2.0 * u * v) * c).sum() / (24.0 * area)
    a, b = centre
    return area, centre, np.array([xx - a * a, xy - a * b, yy - b * b])


@given(seeds)
def test_moments_of_a_polygon(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(12, 2)) + rng.normal(size=2)
    polygon = points[ConvexHull(points).vertices]  # counter-clockwise
    area, centre, second = area_moments(polygon, len(polygon))
    wanted = by_edges(polygon)
    # Round-off: a few hundred operations on numbers of order ten.
    assert area == pytest.approx(wanted[0], rel=1e-12)
    assert centre == pytest.approx(wanted[1], abs=1e-12)
    assert second == pytest.approx(wanted[2], abs=1e-11)


def test_a_polygon_without_area_has_no_moments():
    line = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    assert area_moments(line, 3) == (0.0, (0.0, 0.0), (0.0, 0.0, 0.0))


@settings(deadline=None)
@given(seeds, st.integers(4, 9))
def test_faces_of_a_polytope_have_the_areas_of_its_hull(seed, count):
    """Planes that touch a sphere beside the origin; six of them are those of a box about it, so that it is closed.
    Corners left over from faces looked at before must not count."""
    rng = np.random.default_rng(seed)
    normals = np.vstack([np.eye(3), -np.eye(3), rng.normal(size=(count, 3))])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    offsets = np.concatenate([rng.uniform(0.5, 1.0, 6), rng.uniform(0.4, 1.4, count)])
    faces = as_records(np.zeros(len(normals), FACE_NOW))
    faces["normal"], faces["offset"] = normals, offsets
    polygons = rng.normal(size=(3, 40, 2))
    corners = HalfspaceIntersection(np.column_stack([normals, -offsets]), np.zeros(3)).intersections
    hull = ConvexHull(corners)
    total = 0.0
    for i in range(len(normals)):
        sides, which = face_polygon(faces, len(normals), i, 4.0, polygons)
        area = area_moments(polygons[which], sides)[0] if sides >= 3 else 0.0
        ours = np.abs(hull.equations[:, :3] @ normals[i] - 1.0) < 1e-9
        triangles = corners[hull.simplices[ours]]
        sizes = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        # The hull knows its corners to some 1e-14 over the sine of the smallest angle between planes.
        assert area == pytest.approx(0.5 * np.linalg.norm(sizes, axis=1).sum(), abs=1e-9)
        total += offsets[i] * area / 3.0
    assert total == pytest.approx(hull.volume, abs=1e-9)  # cones over the faces, from the origin


def test_corners_by_number_are_those_of_the_outline():
    half = (0.3, 0.5, 0.7)
    box = OutlineBox("box", "a", half_lengths=half)
    tip = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.3, 0.0), (0.0, 0.0, 1.7)])
    wedge = OutlinePolyhedron("wedge", "b", points=tuple(map(tuple, tip)))
    rows, shapes = pack_outlines([box, wedge])
    found = {tuple(corner_of(rows[0], shapes, k)) for k in range(8)}
    assert found == {(x, y, z) for x in (-0.3, 0.3) for y in (-0.5, 0.5) for z in (-0.7, 0.7)}
    found = np.array([corner_of(rows[1], shapes, k) for k in range(4)])
    found += np.asarray(rows[1].centre) - np.asarray(wedge.centre)
    assert np.allclose(sorted(map(tuple, found)), sorted(map(tuple, tip)), atol=1e-15)


def test_a_pulse_that_begins_knows_nothing_of_the_one_before():
    pulse = as_records(np.zeros(1, PULSE))[0]
    for name in ("peak_force", "peak_time", "depth", "crush", "slip_speed", "calm", "episodes", "skipped"):
        pulse[name] = 7
    pulse.last_forces[:] = 7.0
    pulse.samples[:] = 7.0
    start_pulse(pulse, 0.25, 3.0)
    assert (pulse.open, pulse.begin, pulse.closing_speed, pulse.sample_count) == (1, 0.25, 3.0, 1)
    assert tuple(pulse.samples[0]) == (0.25, 0.0)
    left = ("peak_force", "peak_time", "depth", "crush", "slip_speed", "calm", "episodes", "skipped")
    assert [float(pulse[name]) for name in left] == [0.0] * len(left)
    assert list(pulse.last_forces) == [0.0, 0.0]

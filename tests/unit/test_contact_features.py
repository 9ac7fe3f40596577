"""Nearest features along a line, sums over a capsule's axis, and bounds in a slab: against distances of a box in closed
form, quadrature, and linear programming."""

from __future__ import annotations

import numpy as np
import pytest
from contact_queries import COLD, ROOM_OF_QUERY, flat_frame, frame_of, placed_on, vector
from scipy.integrate import quad
from scipy.optimize import brentq, linprog, minimize_scalar
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from centrode.dynamics.contact.measure import measure
from centrode.dynamics.contact.narrow import find_closest
from centrode.dynamics.contact.nearest_feature import Line, along_feature, feature_at, is_same, next_border
from centrode.dynamics.contact.overlap import reach_in_slab
from centrode.dynamics.contact.search import FACE_NOW, MEASURED, PUSH
from centrode.jit import handle_of
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.outline import frame_at, pack_outlines
from centrode.parts.outlines.polyhedron import OutlinePolyhedron

HALF = np.array((0.5, 0.3, 0.2))


def distance(x, half=HALF):
    """Distance of a point, own axes of a box, from it; below zero inside, to the nearest face."""
    beyond = np.abs(x) - half
    return float(np.linalg.norm(np.maximum(beyond, 0.0)) + min(beyond.max(), 0.0))


def walk(line, begin, end, outline, frame, shapes, corners):
    """Pieces of a line from border to border: place, N, feature."""
    here, there = (feature_at(line, s, outline, frame, shapes, corners) for s in (begin, end))
    pieces, left = [], begin
    while not is_same(here, there, outline.radius):
        right, normal, behind = next_border(line, left, here, end, there, outline, frame, shapes, corners)
        pieces.append((left, right, np.array(normal), here))
        left, here = right, behind
        assert len(pieces) < 20
    return [*pieces, (left, end, None, here)]


def box_as(kind):
    if kind == "box":
        return OutlineBox("box", half_lengths=tuple(HALF))
    return OutlinePolyhedron("hull", points=np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, 8).T * HALF)


@pytest.mark.parametrize("kind", ["box", "polyhedron"])
@pytest.mark.parametrize("seed", range(5))
def test_pieces_of_a_line_have_one_nearest_feature_each(kind, seed):
    """In every piece the distance from its feature is that of the box; at borders two features are equally far, and a
    line that is moved aside by 1e-7 has its border where N says, to second order."""
    rng = np.random.default_rng(seed)
    rows, shapes = pack_outlines([box_as(kind)])
    rows["rigid"] = True
    place, turn = rng.normal(size=3), Rotation.random(random_state=rng)
    frame = frame_of(flat_frame(place, turn.as_matrix()))
    along = turn.apply(v := rng.normal(size=3)) / np.linalg.norm(v)
    origin = place + turn.apply(rng.uniform(-1.2, 1.2, 3) * HALF)
    room = (rows[0], frame, shapes, np.zeros((8, 3)))
    pieces = walk(Line(vector(origin), vector(along)), -1.5, 1.5, *room)
    assert len(pieces) > 2
    for left, right, normal, feature in pieces:
        assert left < right
        for s in np.linspace(left, right, 7):
            point = origin + s * along
            exact = distance(turn.inv().apply(point - place))
            gap, n, nearest = along_feature(feature, Line(vector(origin), vector(along)), s)
            assert gap == pytest.approx(exact, abs=1e-12)
            np.testing.assert_allclose(np.array(nearest) + gap * np.array(n), point, atol=1e-12)
            assert distance(turn.inv().apply(np.array(nearest) - place)) == pytest.approx(0.0, abs=1e-12)
        if normal is not None:
            aside = 1e-7 * rng.normal(size=3)
            moved = walk(Line(vector(origin + aside), vector(along)), -1.5, 1.5, *room)
            nearest_border = min((item[1] for item in moved[:-1]), key=lambda s, right=right: abs(s - right))
            assert nearest_border - right == pytest.approx(-(normal @ aside) / (normal @ along), abs=1e-10)


class Swept:
    """What is measured of a capsule, B, in a box, A, at the origin."""

    def __init__(self, capsule, place, turn):
        self.rows, shapes = pack_outlines([OutlineBox("box", half_lengths=tuple(HALF)), capsule])
        self.rows["rigid"] = True
        frames = [flat_frame(), flat_frame(place, turn.as_matrix())]
        query = (self.rows[0], placed_on(self.rows[0], frames[0]), self.rows[1], placed_on(self.rows[1], frames[1]))
        self.answer = find_closest(*query, *shapes, ROOM_OF_QUERY, COLD, np.inf)
        self.seen, pushes = np.zeros(1, MEASURED)[0], np.zeros(200, PUSH)
        room = np.zeros(80, FACE_NOW), np.zeros((3, 84, 2))
        handle = handle_of(find_closest)
        measure(*query, *shapes, ROOM_OF_QUERY, handle, self.answer, 0.0, self.seen, pushes, *room)


@pytest.mark.parametrize("seed", range(8))
def test_depth_and_width_of_a_capsule_over_edges_are_those_of_quadrature(seed):
    """D = S_4 / S_3 and the mean square distance from the middle of the stretch, weighted with h^3, over the pieces of
    the axis. On a stretch of half-length a the distance from an edge that the axis passes at r is singular at i r:
    Gauss' ten points leave q^-20 with q = r / a + sqrt(1 + (r / a)^2), less than 1e-6 where r > 0.75 a."""
    rng = np.random.default_rng(seed)
    while True:
        radius, half = rng.uniform(0.1, 0.3), rng.uniform(0.4, 0.9)
        place, turn = rng.uniform(-1.0, 1.0, 3) * (0.6, 0.5, 0.5), Rotation.random(random_state=rng)
        along = turn.as_matrix()[:, 2]

        def depth(s, place=place, along=along, radius=radius):
            return radius - distance(place + s * along)

        low = minimize_scalar(lambda s: -depth(s), bounds=(-half, half), method="bounded").x
        if depth(low) < 0.02:
            continue
        ends = [end if depth(end) > 0.0 else brentq(depth, *sorted((low, end)), xtol=1e-14) for end in (-half, half)]
        if radius - depth(low) > 0.75 * 0.5 * (ends[1] - ends[0]):
            break
    seen = Swept(OutlineCapsule("capsule", radius=radius, half_length=half), place, turn).seen
    edges = np.concatenate([(side * HALF - place) / along for side in (-1.0, 1.0)])
    inside = sorted(s for s in edges if ends[0] < s < ends[1])

    def moment(m, weight=lambda s: 1.0):
        return quad(lambda s: max(depth(s), 0.0) ** m * weight(s), *ends, points=inside or None, limit=200)[0]

    middle = 0.5 * sum(ends)
    third = moment(3)
    assert seen.depth == pytest.approx(moment(4) / third, rel=1e-6)
    wide = moment(3, lambda s: (s - middle) ** 2) / third
    n = np.array(seen.normal)
    across = along - (along @ n) * n  # friction acts on the part of the axis that lies along the surface
    assert seen.points == 4
    np.testing.assert_allclose(np.outer(seen.radii[1], seen.radii[1]), 2.0 * wide * np.outer(across, across), atol=1e-6)
    np.testing.assert_array_equal(seen.radii[0], 0.0)


@pytest.mark.parametrize("seed", range(12))
def test_the_reach_of_a_box_in_a_slab_is_that_of_a_linear_programme(seed):
    """Equation (6) with the best k is an equality; of a polyhedron, where a few k are tried, a bound."""
    rng = np.random.default_rng(seed)
    half = rng.uniform(0.2, 1.0, 3)
    points = rng.normal(size=(10, 3))
    rows, shapes = pack_outlines(
        [OutlineBox("box", half_lengths=tuple(half)), OutlinePolyhedron("hull", points=points)]
    )
    place, turn, origin = rng.normal(size=3), Rotation.random(random_state=rng), rng.normal(size=3)
    body = flat_frame(place, turn.as_matrix())
    hull = ConvexHull(points).equations
    box = np.vstack([np.column_stack([sign * np.eye(3), -half]) for sign in (1.0, -1.0)])
    met = 0
    for row, planes in ((rows[0], box), (rows[1], hull)):
        frame = frame_at(placed_on(row, body))  # a hull has its own origin
        world = planes[:, :3] @ turn.as_matrix().T
        limits = world @ (place - origin) - planes[:, 3]
        for _ in range(6):
            m, n = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
            limit = float(n @ (place - origin) + rng.uniform(-0.6, 0.6))
            found = reach_in_slab(row, shapes.points, frame, vector(origin), vector(m), (vector(n), limit))
            exact = linprog(-m, A_ub=np.vstack([world, n]), b_ub=[*limits, limit], bounds=[(None, None)] * 3)
            if exact.status != 0:
                continue
            met += 1
            assert found >= -exact.fun - 1e-9
            if planes is box:
                assert found == pytest.approx(-exact.fun, abs=1e-9)
            else:
                assert found <= (turn.apply(points) + place - origin).dot(m).max() + 1e-12
    assert met > 6

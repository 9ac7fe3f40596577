"""Depth of overlapping outlines: closed forms, slopes against differences, either order, continuous in tilt."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from contact_queries import COLD, ROOM_OF_QUERY, flat_depth, placed_on, rectangle
from contact_queries import flat_frame as body_frame
from scipy.integrate import simpson
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection
from scipy.spatial.transform import Rotation

from centrode.dynamics.contact.measure import measure
from centrode.dynamics.contact.narrow import find_closest
from centrode.dynamics.contact.search import FACE_NOW, MEASURED, PUSH
from centrode.jit import JIT_ON, handle_of
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.cylinder import OutlineCylinder
from centrode.parts.outlines.outline import faces_of, pack_outlines
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid

CAR = OutlineBox("car", half_lengths=(2.0, 0.8, 0.65))
GROUND = OutlinePlane("ground")
LYING = Rotation.from_euler("y", np.pi / 2)


LAST = {}
"""The pair of outlines that was packed last, and what came of it: motions ask for the same pair a thousand times."""


def packed(one, two):
    if LAST.get("one") is not one or LAST.get("two") is not two:
        LAST.update(one=one, two=two, packed=pack_outlines([one, two]))
    return LAST["packed"]


class Depth:
    """Answer of the search, depth, patch, and slopes as rows: 1 for B, place (3), slope (3)."""

    def __init__(self, one, frame_one, two, frame_two, grow=0.0, rigid=True):
        rows, shapes = packed(one, two)
        rows["rigid"] = rigid
        query = (rows[0], placed_on(rows[0], frame_one), rows[1], placed_on(rows[1], frame_two), *shapes)
        seen, pushes = np.zeros(1, MEASURED)[0], np.zeros(200, PUSH)
        planes, polygons = np.zeros(80, FACE_NOW), np.zeros((3, 84, 2))
        self.answer = find_closest(*query, ROOM_OF_QUERY, COLD, np.inf)
        measure(*query, ROOM_OF_QUERY, handle_of(find_closest), self.answer, grow, seen, pushes, planes, polygons)
        self.depth, self.normal, self.centre, self.points = seen.depth, seen.normal, seen.centre, seen.points
        self.rows = np.array([[row.of_b, *row.place, *row.slope] for row in pushes[: seen.pushes]])
        self.second = sum(np.outer(radius, radius) for radius in seen.radii) / 2.0

    def slopes(self, of_b, about):
        """Sum of the slopes of a body, and of their moments about a point."""
        rows = self.rows[self.rows[:, 0] == of_b]
        return np.concatenate([rows[:, 4:].sum(axis=0), np.cross(rows[:, 1:4] - about, rows[:, 4:]).sum(axis=0)])


# -- closed forms ------------------------------------------------------------------------------------------------------


def test_aligned_boxes_are_as_deep_as_their_common_slab_is_thick():
    """Common part d x a x a, d = 0.02, a = 1.2: what is farther than t from all faces is a box shorter by 2 t, so
    W_1 = int (d - 2t)(a - 2t)^2 dt = d^2 a^2 / 4 - d^3 a / 6 + d^4 / 24, W_2 = int 2t (d - 2t)(a - 2t)^2 dt, and
    D = 3 W_2 / W_1 is d less a border."""
    seen = Depth(CAR, body_frame(), CAR, body_frame((3.98, 0.4, 0.1)))
    d, a = 0.02, 1.2
    first = d**2 * a**2 / 4 - d**3 * a / 6 + d**4 / 24
    second = d**3 * a**2 / 12 - d**4 * a / 12 + d**5 / 40
    assert seen.depth == pytest.approx(3.0 * second / first, rel=1e-12)
    assert flat_depth(d, rectangle(0.5 * a, 0.5 * a))[0] == pytest.approx(seen.depth, rel=1e-12)
    # A wider overlap is deeper, by its border: W_1 and W_2 over one of the sides a, against dD/dd along x.
    wider = (3.0 * (d**3 * a / 12 - d**4 / 24) - seen.depth * (d**2 * a / 4 - d**3 / 12)) / first
    aside = wider / flat_depth(d, rectangle(0.5 * a, 0.5 * a))[1]
    np.testing.assert_allclose(seen.normal / seen.normal[0], (1.0, aside, aside), atol=1e-12)
    np.testing.assert_allclose(seen.centre, (1.99, 0.2, 0.05), atol=1e-3 * d)
    np.testing.assert_allclose(np.diag(seen.second)[1:], (a**2 / 12, a**2 / 12), rtol=2e-8)


def test_box_on_the_ground_has_the_moments_of_its_base():
    seen = Depth(GROUND, body_frame(), CAR, body_frame((5.0, 1.0, 0.64)))
    np.testing.assert_allclose(seen.centre[:2], (5.0, 1.0), atol=1e-12)
    np.testing.assert_allclose(np.diag(seen.second)[:2], (16.0 / 12, 1.6**2 / 12), atol=1e-12)
    assert seen.depth == pytest.approx(0.01, rel=0.01)  # less the bevelled border


def test_corner_of_a_box_in_the_ground():
    """A cube on its corner: the cut-off corner is a tetrahedron of height h with three square edges s = h sqrt(3). The
    distance to the nearest face has the insphere's radius r as top, and what is farther than t is the same shape,
    smaller by 1 - t/r: W_1 = V r / 4, W_2 = V r^2 / 10, so D = 6/5 r, and r = 3 V / (surface)."""
    cube, h = OutlineBox("cube", half_lengths=(0.5, 0.5, 0.5)), 0.05
    turn = Rotation.align_vectors([[0.0, 0.0, -1.0]], [[1.0, 1.0, 1.0]])[0].as_matrix()
    seen = Depth(GROUND, body_frame(), cube, body_frame((0.0, 0.0, 0.5 * np.sqrt(3.0) - h), turn))
    s = h * np.sqrt(3.0)
    volume, surface = s**3 / 6.0, 1.5 * s**2 + 0.5 * np.sqrt(3.0) * s**2
    assert seen.depth == pytest.approx(1.2 * 3.0 * volume / surface, rel=1e-10)
    np.testing.assert_allclose(seen.normal, (0.0, 0.0, 1.0), atol=1e-10)
    np.testing.assert_allclose(seen.centre[:2], 0.0, atol=1e-10)


def deepest_point(planes):
    """The point farthest from all planes n . x + c = 0 inside of them, and its distance (a linear programme)."""
    found = linprog((0, 0, 0, -1), A_ub=np.hstack([planes[:, :3], np.ones((len(planes), 1))]), b_ub=-planes[:, 3],
                    bounds=[(None, None)] * 3 + [(0, None)])  # fmt: skip
    return found.x[:3], found.x[3]


def test_depth_and_its_slopes_are_those_of_an_independent_intersection():
    """W_m = int m t^(m-1) V(t) dt, with V(t) the volume that qhull finds when all faces are moved in by t, a piecewise
    cubic with two continuous derivatives: by Simpson's rule with 200 parts to some 1e-7. All faces moved out by one
    length change W_1 by V, W_2 by 2 W_1, and so D by 6 - D V / W_1."""
    rng = np.random.default_rng(3)
    tried = 0
    while tried < 8:
        boxes = [OutlineBox(name, half_lengths=tuple(rng.uniform(0.2, 0.6, 3))) for name in "ab"]
        turns, places = Rotation.random(2, random_state=rng).as_matrix(), (np.zeros(3), rng.normal(size=3) * 0.4)
        seen = Depth(boxes[0], body_frame(places[0], turns[0]), boxes[1], body_frame(places[1], turns[1]))
        if not seen.depth > 0.02:
            continue
        tried += 1
        planes = np.array(
            [
                [*sign * turn[:, k], -(sign * turn[:, k] @ x + box.half_lengths[k])]
                for box, turn, x in zip(boxes, turns, places, strict=True)
                for k, sign in itertools.product(range(3), (1.0, -1.0))
            ]
        )
        inside, top = deepest_point(planes)

        def volume(t, planes=planes, inside=inside):
            moved = planes + np.array([0.0, 0.0, 0.0, t])
            return ConvexHull(HalfspaceIntersection(moved, inside).intersections).volume

        grid = np.linspace(0.0, top, 201)
        volumes = np.array([*(volume(t) for t in grid[:-1]), 0.0])
        first, second = simpson(volumes, x=grid), simpson(2.0 * grid * volumes, x=grid)
        assert seen.depth == pytest.approx(3.0 * second / first, rel=1e-6)
        seen = Depth(boxes[0], body_frame(places[0], turns[0]), boxes[1], body_frame(places[1], turns[1]), rigid=False)
        outward = 0.0
        for row in seen.rows:
            on_it = np.abs(planes[:, :3] @ row[1:4] + planes[:, 3]) < 1e-9
            along = planes[:, :3] @ row[4:]
            outward += along[on_it][np.abs(along[on_it]).argmax()]
        assert outward == pytest.approx(6.0 - seen.depth * volumes[0] / first, rel=1e-6)


def test_capsule_on_the_ground_lying_standing_and_leaning():
    capsule = OutlineCapsule("c", radius=0.3, half_length=0.9)
    lying = Depth(GROUND, body_frame(), capsule, body_frame((1.0, 2.0, 0.29), LYING.as_matrix()))
    assert lying.depth == pytest.approx(0.01, rel=1e-12)
    np.testing.assert_allclose(lying.centre, (1.0, 2.0, -0.005), atol=1e-12)
    np.testing.assert_allclose(lying.second[0, 0], 0.9**2, rtol=1e-9)  # its two ends carry it
    for angle in (0.2, 0.7, np.pi / 2):  # of the axis over the ground: one end is in
        turn = (Rotation.from_euler("y", -angle) * LYING).as_matrix()
        height = 0.9 * np.sin(angle) + 0.3 - 0.01
        seen = Depth(GROUND, body_frame(), capsule, body_frame((0.0, 0.0, height), turn))
        assert seen.depth == pytest.approx(0.01, rel=1e-9)


def test_end_of_a_capsule_in_a_box():
    """The axis dips in squarely: h falls linearly from its end, D = 4/5 of the greatest depth."""
    table, capsule = OutlineBox("t", half_lengths=(1.0, 1.0, 0.5)), OutlineCapsule("c", radius=0.3, half_length=0.9)
    seen = Depth(table, body_frame(), capsule, body_frame((0.1, 0.2, 0.5 + 1.2 - 0.01)))
    assert seen.depth == pytest.approx(0.8 * 0.01, rel=1e-9)


def test_crossed_and_parallel_capsules():
    capsule = OutlineCapsule("c", radius=0.3, half_length=0.9)
    lying = body_frame((0, 0, 0), LYING.as_matrix())
    seen = Depth(capsule, lying, capsule, body_frame((0.0, 0.0, 0.59), LYING.as_matrix()))
    assert seen.depth == pytest.approx(0.01, rel=1e-12)
    across = Rotation.from_euler("x", np.pi / 2).as_matrix()
    seen = Depth(capsule, lying, capsule, body_frame((0.5, 0.1, 0.599999), across))
    assert seen.depth == pytest.approx(8.0 / 9.0 * 1e-6, rel=1e-3)  # a parabola, while shallow
    np.testing.assert_allclose(seen.centre[:2], (0.5, 0.0), atol=1e-6)


def test_smooth_outlines_have_one_point_and_their_gap():
    for other in (OutlineSphere("s", radius=0.4), OutlineSuperellipsoid("e", semi_axes=(0.4, 0.4, 0.4))):
        seen = Depth(CAR, body_frame(), other, body_frame((0.1, 0.2, 1.04)))
        assert seen.points == 1
        assert seen.depth == pytest.approx(-seen.answer.gap, rel=1e-15)
        np.testing.assert_allclose(seen.slopes(0, np.zeros(3)), -seen.slopes(1, np.zeros(3)), atol=1e-15)


def test_faces_of_a_hull_are_found_once_each():
    corners = np.array(list(itertools.product((-2.0, 2.0), (-0.8, 0.8), (-0.65, 0.65))))
    faces = faces_of(corners)
    assert sorted(faces[:, 3].round(12)) == [0.65, 0.65, 0.8, 0.8, 2.0, 2.0]
    for face in faces:
        assert (corners @ face[:3]).max() == pytest.approx(face[3], rel=1e-14)
    assert len(faces_of(np.zeros((0, 3)))) == 0


# -- any two kinds -----------------------------------------------------------------------------------------------------

KINDS = ("box", "capsule", "polyhedron", "cylinder")


def some(kind, rng, name):
    if kind == "box":
        return OutlineBox(name, half_lengths=tuple(rng.uniform(0.2, 0.6, 3)))
    if kind == "capsule":
        return OutlineCapsule(name, radius=rng.uniform(0.1, 0.4), half_length=rng.uniform(0.2, 0.8))
    if kind == "cylinder":
        return OutlineCylinder(name, radius=rng.uniform(0.1, 0.4), half_length=rng.uniform(0.2, 0.8))
    if kind == "plane":
        return OutlinePlane(name)
    return OutlinePolyhedron(name, points=rng.normal(size=(rng.integers(5, 12), 3)) * 0.4)


def overlaps(one, two, count, deforms=False):
    """Random overlapping pairs: outlines, matrices, place of the second."""
    if one == two == "cylinder" and not JIT_ON:
        pytest.skip("a search at every place of an axis needs compiled kernels")
    rng = np.random.default_rng([sum(map(ord, one)), sum(map(ord, two)), 7])
    found = 0
    while found < count:
        pair = some(one, rng, "a"), some(two, rng, "b")
        turns = [Rotation.random(random_state=rng).as_matrix() for _ in range(2)]
        if deforms:
            turns = [turn @ (np.eye(3) + 0.1 * rng.normal(size=(3, 3))) for turn in turns]
        place = rng.normal(size=3) * 0.5
        seen = Depth(pair[0], body_frame((0, 0, 0), turns[0]), pair[1], body_frame(place, turns[1]))
        if -0.15 < seen.answer.gap < -1e-4:
            found += 1
            yield pair, turns, place, seen


COUNT = 12 if JIT_ON else 2


@pytest.mark.parametrize("two", KINDS)
@pytest.mark.parametrize("one", ("plane", *KINDS))
def test_slopes_are_the_differences_of_the_depth(one, two):
    """Moved and turned by 1e-6, central differences of D carry errors of 1e-10 / 1e-6 at most; both bodies feel
    opposite forces and moments."""
    for (a, b), turns, place, seen in overlaps(one, two, COUNT):
        assert seen.depth > 0.0
        found, step = seen.slopes(1, place), 1e-6
        for k in range(6):
            depths = []
            for sign in (1.0, -1.0):
                move = np.eye(6)[k] * sign * step
                turn = Rotation.from_rotvec(move[3:]).as_matrix() @ turns[1]
                moved = Depth(a, body_frame((0, 0, 0), turns[0]), b, body_frame(place + move[:3], turn))
                depths.append(moved.depth)
            assert found[k] == pytest.approx((depths[0] - depths[1]) / (2.0 * step), abs=2e-7)
        np.testing.assert_allclose(seen.slopes(0, place), -found, atol=1e-14)
        own = Depth(a, body_frame((0, 0, 0), turns[0]), b, body_frame(place, turns[1]), rigid=False)
        np.testing.assert_allclose(own.slopes(0, place), -found, atol=1e-9)  # from the faces of A themselves


@pytest.mark.parametrize(("one", "two"), [("box", "box"), ("box", "polyhedron"), ("plane", "box")])
def test_slopes_hold_for_bodies_that_deform(one, two):
    """The directors of B changed by 1e-6: dD = sum of slopes . dF X at the material points X = F^-1 (x - r)."""
    for (a, b), turns, place, seen in overlaps(one, two, COUNT, deforms=one != "plane"):
        rng = np.random.default_rng(5)
        change, step = rng.normal(size=(3, 3)), 1e-6
        depths = [
            Depth(a, body_frame((0, 0, 0), turns[0]), b, body_frame(place, turns[1] + sign * step * change)).depth
            for sign in (1.0, -1.0)
        ]
        seen = Depth(a, body_frame((0, 0, 0), turns[0]), b, body_frame(place, turns[1]), rigid=False)
        rows = seen.rows[seen.rows[:, 0] == 1]
        material = (rows[:, 1:4] - place) @ np.linalg.inv(turns[1]).T
        expected = np.sum(rows[:, 4:] * (material @ change.T))
        assert (depths[0] - depths[1]) / (2.0 * step) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("one", "two"), list(itertools.combinations_with_replacement(KINDS, 2)))
def test_either_order_of_the_bodies_is_the_same(one, two):
    for (a, b), turns, place, seen in overlaps(one, two, COUNT):
        other = Depth(b, body_frame(place, turns[1]), a, body_frame((0, 0, 0), turns[0]))
        assert other.depth == pytest.approx(seen.depth, rel=1e-9)
        np.testing.assert_allclose(other.normal, -seen.normal, atol=1e-8)
        np.testing.assert_allclose(other.slopes(0, place), seen.slopes(1, place), atol=1e-8)


@pytest.mark.parametrize(("one", "two"), [("box", "box"), ("plane", "box"), ("polyhedron", "polyhedron")])
def test_a_shallow_overlap_has_the_slopes_of_one_just_deep_enough_to_be_cut(one, two):
    """1e-9 deep, D and its slopes follow those of the same contact 1e-7 deep: D is homogeneous at a corner or edge."""
    for (a, b), turns, place, seen in overlaps(one, two, 4 if JIT_ON else 1):
        away = np.array(seen.answer.normal) * -seen.answer.gap
        deep, shallow = (
            Depth(
                a, body_frame((0, 0, 0), turns[0]), b, body_frame(place + away * (1.0 - d / -seen.answer.gap), turns[1])
            )
            for d in (1e-7, 1e-9)
        )
        if shallow.answer.gap < 0.0 and np.dot(shallow.answer.normal, seen.answer.normal) > 0.999999:
            # Taken for larger by 1e-6 a thin corner reaches farther than that: a tenth, of a force that is nothing.
            np.testing.assert_allclose(shallow.normal, deep.normal, atol=0.1)
            assert shallow.depth / -shallow.answer.gap == pytest.approx(deep.depth / -deep.answer.gap, rel=0.1)


@pytest.mark.skipif(not JIT_ON, reason="thousands of queries need compiled kernels")
@pytest.mark.parametrize(("one", "two"), [("box", "capsule"), ("capsule", "capsule"), ("capsule", "polyhedron")])
def test_the_second_derivative_of_the_depth_along_a_motion_is_continuous(one, two):
    """Along straight motions through the overlap, second difference quotients of D over steps of 4e-5 and 1e-5 of the
    way: from one to the next they change by what falls to a quarter with the step. Where a point of a rule over the
    whole stretch passed an edge they jumped by 2 / m. Depths are differences of lengths of half a metre, some ten
    roundings of 1e-16 m, over (1e-5)^2: 2e-5.
    """
    rng = np.random.default_rng(11)
    coarse_all, fine_all = [], []
    for (a, b), turns, place, seen in overlaps(one, two, 6):
        start = place + np.array(seen.answer.normal) * (-seen.answer.gap - 0.01)  # 10 mm deep
        move, spin = rng.normal(size=3), rng.normal(size=3)
        move -= np.dot(move, seen.answer.normal) * np.array(seen.answer.normal)

        def largest(step, a=a, b=b, turns=turns, start=start, move=move, spin=spin):
            depths = []
            for way in np.arange(-0.004, 0.004, step):
                turn = Rotation.from_rotvec(way * spin).as_matrix() @ turns[1]
                depths.append(Depth(a, body_frame((0, 0, 0), turns[0]), b, body_frame(start + way * move, turn)).depth)
            return np.abs(np.diff(np.diff(depths, n=2) / step**2)).max()

        coarse_all.append(largest(4e-5))
        fine_all.append(largest(1e-5))
    assert np.all(np.array(fine_all) < 0.4 * np.array(coarse_all) + 2e-5), (coarse_all, fine_all)


@pytest.mark.skipif(not JIT_ON, reason="thousands of queries need compiled kernels")
@pytest.mark.parametrize(("one", "two"), [("box", "box"), ("box", "polyhedron")])
def test_the_third_derivative_of_the_depth_of_polytopes_is_continuous(one, two):
    """Along straight motions past corners and edges, third difference quotients of D over 1 and 0.25 mm: from one to
    the next they change by what falls with the step, to a quarter, or a half where a piece is as short as the steps.
    With the mean over the volume three of ten jumped, and the change stayed. Round-off: 8 * 2e-16 m / (2.5e-4 m)^3.
    """
    rng = np.random.default_rng(11)
    for (a, b), turns, place, seen in overlaps(one, two, 10):
        normal = np.array(seen.answer.normal)
        start = place + normal * (-seen.answer.gap - 0.05)  # 50 mm deep
        move = rng.normal(size=3)
        move -= np.dot(move, normal) * normal
        move /= np.linalg.norm(move)

        def largest(step, a=a, b=b, turns=turns, start=start, move=move):
            depths = [
                Depth(a, body_frame((0, 0, 0), turns[0]), b, body_frame(start + way * move, turns[1])).depth
                for way in np.arange(-0.04, 0.04, step)
            ]
            return np.abs(np.diff(np.diff(depths, n=3) / step**3)).max()

        assert largest(2.5e-4) < 0.6 * largest(1e-3) + 1.1e-4


@pytest.mark.parametrize(("one", "two"), [("box", "capsule"), ("capsule", "capsule"), ("capsule", "polyhedron")])
def test_directors_that_are_not_quite_square_change_the_depth_by_as_little(one, two):
    """Stages of a method have quaternions off by 1e-8 or so. Pieces of the axis found with square directors only then
    failed to join, and the energy of a hit was off by 1e-6 or 1e-3, as chance had it."""
    rng = np.random.default_rng(12)
    for (a, b), turns, place, seen in overlaps(one, two, COUNT):
        for size in (1e-10, 1e-8, 1e-6):
            bent = [turn + size * rng.normal(size=(3, 3)) for turn in turns]
            other = Depth(a, body_frame((0, 0, 0), bent[0]), b, body_frame(place, bent[1]))
            assert other.depth == pytest.approx(seen.depth, abs=10.0 * size)
            # of a slope the second derivative of D, less than 1 / D, times the size; three standard deviations
            np.testing.assert_allclose(other.slopes(1, place), seen.slopes(1, place), atol=3.0 * size / seen.depth)


BRICK = OutlineBox("brick", half_lengths=(0.5, 0.3, 0.1))
TABLE = OutlineBox("table", half_lengths=(1.0, 0.7, 0.2))
GEM = OutlinePolyhedron("gem", points=np.array(list(itertools.product((-0.5, 0.5), (-0.3, 0.3), (-0.1, 0.1)))))
ROD = OutlineCapsule("rod", radius=0.1, half_length=0.6)


@pytest.mark.skipif(not JIT_ON, reason="a thousand queries per case need compiled kernels")
@pytest.mark.parametrize("one", [GROUND, TABLE], ids=lambda part: part.name)
@pytest.mark.parametrize("two", [BRICK, GEM, ROD], ids=lambda part: part.name)
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.8, 0.0), (0.3, -0.5, 0.2)])
def test_force_does_not_jump_while_a_side_tilts_to_its_edge(one, two, axis):
    """Tilted from lying flat to standing on edge or corner at the same depth of 5 mm, force and moment of a spring of
    1 N/m move from step to step by what halves with the step: a jump would stay."""
    axis = np.array(axis) / np.linalg.norm(axis)
    lying = LYING if two is ROD else Rotation.identity()

    def largest(step):
        seen = []
        for angle in np.arange(-0.05, 0.05, step):
            turn = (Rotation.from_rotvec(angle * axis) * lying).as_matrix()
            low = 0.1 + 0.6 * abs(turn[2, 2]) if two is ROD else float(np.abs(turn[2]) @ np.array(BRICK.half_lengths))
            place = np.array((0.1, 0.05, (0.0 if one is GROUND else 0.2) + low - 0.005))
            depth = Depth(one, body_frame(), two, body_frame(place, turn))
            seen.append(-depth.depth * depth.slopes(1, np.zeros(3)))
        return np.abs(np.diff(seen, axis=0)).max()

    coarse, fine = largest(4e-4), largest(1e-4)
    assert fine < 0.4 * coarse + 1e-12  # nothing moves when a rod turns about its own axis


@pytest.mark.skipif(not JIT_ON, reason="a search at every place of an axis needs compiled kernels")
@pytest.mark.parametrize("other", ("plane", *KINDS))
def test_flat_ends_touch_where_their_depth_begins(other):
    """An end let down on what is there, tilted by less and less: the gap is negative where there is a depth, and only
    there; contacts begin by the gap."""
    rng = np.random.default_rng(13)
    can = OutlineCylinder("can", radius=0.2, half_length=0.3)
    touched = 0
    for tilt in (0.0, 1e-4, 1e-3, 1e-2, 0.1, 1.0):
        for _ in range(8):
            under = some(other, rng, "under")
            turn = Rotation.from_rotvec(tilt * rng.normal(size=3) * (1.0, 1.0, 0.0)).as_matrix()
            aside = rng.uniform(-0.3, 0.3, 2)

            def at(height, under=under, aside=aside, turn=turn):
                return Depth(under, body_frame(), can, body_frame((*aside, height), turn))

            low, high = 0.0, 3.0
            if at(low).answer.gap >= 0.0:
                continue
            for _ in range(40):
                half = 0.5 * (low + high)
                low, high = (half, high) if at(half).answer.gap < 0.0 else (low, half)
            touched += 1
            for above in (-1e-3, -1e-5, -1e-8, 1e-8, 1e-5, 1e-3):
                seen = at(high + above)
                assert (seen.depth > 0.0) == (seen.answer.gap < 0.0) == (above < 0.0)
    assert touched > 30


@pytest.mark.parametrize("tilt", (0.02, 0.05, 0.2, 0.7, 1.2, 1.5))
def test_a_rim_in_a_half_space_is_four_fifths_as_deep_as_its_lowest_point(tilt):
    """However a cylinder leans, and whether its end or its side has the more of the sums: what differs there bends the
    depth where one takes over. Domed ends made 0.1 to 1 of it. Next to the tip of the overlap an end is 6/(6 + 3/2) of
    its depth, less what the disc's chords bend: H/2 rise of it or less."""
    can = OutlineCylinder("can", radius=0.2, half_length=0.3)
    turn = Rotation.from_euler("y", tilt).as_matrix()
    rise = 0.2 * np.sin(tilt)
    lowest = rise + 0.3 * np.cos(tilt)
    for deep in (1e-7, 1e-6, 1e-5, 1e-4, 1e-3):
        seen = Depth(GROUND, body_frame(), can, body_frame((0, 0, lowest - deep), turn))
        assert seen.answer.gap == pytest.approx(-deep, abs=1e-14)
        assert seen.depth == pytest.approx(0.8 * deep, rel=1e-8 + 0.5 * deep / rise)


@pytest.mark.parametrize("height", (0.2999, 0.295))
def test_the_depth_of_a_standing_cylinder_does_not_bend_at_the_vertical(height):
    """Its third difference over tilts through zero falls as the third power of the step; the lowest line has |tilt|."""
    can = OutlineCylinder("can", radius=0.2, half_length=0.3)

    def largest(step):
        tilts = step * np.arange(-6, 7)
        turns = [Rotation.from_euler("y", tilt).as_matrix() for tilt in tilts]
        depths = [Depth(GROUND, body_frame(), can, body_frame((0, 0, height), turn)).depth for turn in turns]
        return np.abs(np.diff(depths, 3)).max()

    step = (0.3 - height) / 0.2 / 12.0  # up to where half of the end is half as deep
    coarse, fine = largest(step), largest(step / 4.0)
    assert coarse > 1e-3 * (0.3 - height)
    assert fine < coarse / 32.0


# -- cylinders in polytopes --------------------------------------------------------------------------------------------

CAN = OutlineCylinder("can", radius=0.2, half_length=0.3)
CUBE = list(itertools.product((-1.0, 1.0), repeat=3))
BLOCK = OutlineBox("block", half_lengths=(1.0, 1.0, 0.5))


@pytest.mark.parametrize("tilt", (0.02, 0.2, 0.7, 1.2))
def test_a_rim_in_a_face_is_as_deep_as_in_a_half_space(tilt):
    turn = Rotation.from_euler("y", tilt).as_matrix()
    lowest = 0.2 * np.sin(tilt) + 0.3 * np.cos(tilt)
    for deep in (1e-6, 1e-4, 5e-3):
        place = np.array((0.1, 0.2, 0.5 + lowest - deep))
        seen = Depth(BLOCK, body_frame(), CAN, body_frame(place, turn))
        plane = Depth(GROUND, body_frame((0, 0, 0.5)), CAN, body_frame(place, turn))
        assert seen.answer.gap == pytest.approx(-deep, abs=1e-12)
        assert seen.depth == pytest.approx(plane.depth, rel=1e-8)
        np.testing.assert_allclose(seen.slopes(1, place), plane.slopes(1, place), atol=1e-6)


def test_lying_and_standing_cylinders_are_as_deep_as_the_overlap_is_thick():
    for deep in (1e-6, 1e-3):
        lying = Depth(BLOCK, body_frame(), CAN, body_frame((0.1, 0.2, 0.7 - deep), LYING.as_matrix()))
        standing = Depth(BLOCK, body_frame(), CAN, body_frame((0.1, 0.2, 0.8 - deep)))
        assert lying.depth == pytest.approx(deep, rel=0.05 * deep / 0.2 + 1e-9)  # ends: 100 H^6.5 to H^3 l, or so
        assert standing.depth == pytest.approx(deep, rel=1e-9)
        np.testing.assert_allclose(np.diag(standing.second)[:2], 0.2**2 / 4.0, rtol=1e-6)  # of a disc


def test_an_edge_across_the_side_counts_with_nine_tenths_of_its_depth():
    """H - x^2 / 2 R below the side: int (1 - x^2)^(9/2) over int (1 - x^2)^(7/2) is 9/10. The lines of both faces, 45
    degrees from the lowest one, are outside where the edge runs at 45 degrees to the axis."""
    ridge = Rotation.from_euler("x", np.pi / 4.0)
    turn = (Rotation.from_euler("z", np.pi / 4.0) * LYING).as_matrix()
    for deep in (1e-6, 1e-4):
        top = np.sqrt(0.5)
        cube = OutlineBox("cube", half_lengths=(1.0, 0.5, 0.5))
        seen = Depth(cube, body_frame((0, 0, 0), ridge.as_matrix()), CAN, body_frame((0, 0, top + 0.2 - deep), turn))
        assert seen.answer.gap == pytest.approx(-deep, abs=1e-10)
        assert seen.depth == pytest.approx(0.9 * deep, rel=10.0 * deep + 1e-8)


def summed(corners, can, r, turn):
    """P / Q with every sum over many points: lines of the side, edges between corners of two faces, ends; and how far
    edges come to the axis."""
    radius, half, axis = can.radius, can.half_length, turn[:, 2]
    faces = faces_of(corners)
    normals, offsets = faces[:, :3], faces[:, 3]

    def inside(x):
        return offsets - x @ normals.T

    places = half * ((np.arange(5000) + 0.5) / 2500 - 1.0)
    low, up, nearest = 0.0, 0.0, radius
    for k, n in enumerate(normals):
        across = n - n @ axis * axis
        sigma = np.linalg.norm(across)
        ways = inside(r + places[:, None] * axis - radius / sigma * across)
        h = np.maximum(ways.min(axis=1), 0.0)
        part = sigma**4 * (h / np.maximum(ways[:, k], 1e-300)) ** 6 * h**3 * half / 2500
        low, up = low + part.sum(), up + (part * h).sum()
    for a, b in itertools.combinations(corners, 2):
        if ((np.abs(inside(a)) < 1e-9) & (np.abs(inside(b)) < 1e-9)).sum() < 2:
            continue
        x = a + (np.arange(5000)[:, None] + 0.5) / 5000 * (b - a) - r
        z = x @ axis
        ways = np.stack([radius - np.linalg.norm(x - z[:, None] * axis, axis=1), half - z, half + z])
        s, up_way, down_way = ways[:, (ways > 0.0).all(axis=0)]
        h = (s**-4 + up_way**-4 + down_way**-4) ** -0.25
        part = (h / s) ** 6 * h**3.5 / np.sqrt(radius) * np.linalg.norm(b - a) / 5000
        low, up = low + part.sum(), up + (part * h).sum()
        nearest = min(nearest, radius - s.max(initial=0.0))
    u, v = np.meshgrid(*2 * [radius * ((np.arange(400) + 0.5) / 200 - 1.0)])
    disc = np.stack([u, v, 0.0 * u], axis=-1)[np.hypot(u, v) < radius]
    for end in (-half, half):
        h = np.maximum(inside(r + (disc + (0.0, 0.0, end)) @ turn.T).min(axis=1), 0.0)
        part = 100.0 / radius * h**5 / len(disc)
        low, up = low + part.sum(), up + (part * h).sum()
    return up / low, nearest / radius


@pytest.mark.parametrize("one", ("box", "polyhedron"))
def test_the_depth_of_a_cylinder_in_a_polytope_is_what_points_sum_to(one):
    """Where an edge passes close to the axis its depth has a ridge, on which Gauss' ten points leave some per cent: D
    is another function there, and its slopes are those of the points all the same."""
    tried = 0
    for (polytope, can), turns, place, seen in overlaps(one, "cylinder", COUNT):
        if seen.depth < 0.008:  # points on the ends are a millimetre apart
            continue
        corners = polytope.points if one == "polyhedron" else np.array(CUBE) * polytope.half_lengths
        expected, nearest = summed(np.array(corners) @ turns[0].T, can, place, turns[1])
        if nearest > 0.5:
            tried += 1
            assert seen.depth == pytest.approx(expected, rel=2e-3)
    assert tried >= COUNT / 6


@pytest.mark.parametrize("kind", ("box", "polyhedron"))
def test_slopes_hold_for_polytopes_that_deform_around_cylinders(kind):
    """A moved by v + G x: dD = sum of slopes . (v + G x); lengths of its edges, its normals and offsets change."""
    rng = np.random.default_rng(5)
    tried = 0
    while tried < COUNT:
        polytope, can = some(kind, rng, "a"), some("cylinder", rng, "b")
        directors = Rotation.random(random_state=rng).as_matrix() @ (np.eye(3) + 0.1 * rng.normal(size=(3, 3)))
        there = body_frame(rng.normal(size=3) * 0.5, Rotation.random(random_state=rng).as_matrix())
        seen = Depth(polytope, body_frame((0, 0, 0), directors), can, there, rigid=(False, True))
        if not -0.15 < seen.answer.gap < -1e-3:
            continue
        tried += 1
        v, g, depths = rng.normal(size=3), rng.normal(size=(3, 3)), []
        for step in (1e-6, -1e-6):
            moved = body_frame(step * v, (np.eye(3) + step * g) @ directors)
            depths.append(Depth(polytope, moved, can, there, rigid=(False, True)).depth)
        rows = seen.rows[seen.rows[:, 0] == 0]
        expected = np.sum(rows[:, 4:] * (v + rows[:, 1:4] @ g.T))
        assert (depths[0] - depths[1]) / 2e-6 == pytest.approx(expected, abs=2e-7)

"""Closest points of outlines against closed forms, separating axes and an independent optimiser."""

from __future__ import annotations

import itertools

import contact_queries
import numpy as np
import pytest
from contact_queries import flat_frame as body_frame
from contact_queries import frame_of, vector
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from centrode.dynamics.contact.narrow import closest_global, gap_along
from centrode.dynamics.contact.newton import growth
from centrode.dynamics.contact.search import Pair, Status, make_search
from centrode.jit import JIT_ON
from centrode.math.rotation import frame_from_axis
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.ellipsoid import OutlineEllipsoid
from centrode.parts.outlines.outline import pack_outlines
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid

MANY = 1500 if JIT_ON else 150
FINE = (Status.CONVERGED, Status.CONVERGED_BY_EPA)


class Answer:
    """The answer of a query, as arrays."""

    def __init__(self, found):
        self.gap, self.n = found.gap, np.array(found.normal)
        self.a, self.b = np.array(found.point_a), np.array(found.point_b)
        self.status, self.evaluations = found.status, found.evaluations


def query(*given, **more) -> Answer:
    return Answer(contact_queries.query(*given, **more))


def pair_of(rows, frame_one, frame_two) -> Pair:
    return Pair(rows[0], frame_of(frame_one), rows[1], frame_of(frame_two))


def random_frame(rng, spread=0.0, strain=0.0) -> np.ndarray:
    matrix = Rotation.random(random_state=rng).as_matrix() @ (np.eye(3) + strain * rng.uniform(-1, 1, (3, 3)))
    return body_frame(spread * rng.normal(size=3), matrix)


def at_gap(rng, one, frame_one, two, frame_two, low, high):
    """Move the second frame along a random line until the growth factor is between 1 + low and 1 + high."""
    rows, shapes = pack_outlines([one, two])
    direction = rng.normal(size=3)
    frame_two[:3] = frame_one[:3] + direction / np.linalg.norm(direction)
    factor = growth(pair_of(rows, frame_one, frame_two), make_search(shapes), 1e-4)[0]
    frame_two[:3] = frame_one[:3] + (frame_two[:3] - frame_one[:3]) / factor * (1.0 + rng.uniform(low, high))


def test_two_spheres():
    for distance in (0.3, 1.7, 2.0, 2.5):
        answer = query(
            OutlineSphere("a", radius=0.8), body_frame(), OutlineSphere("b", radius=1.2), body_frame((0, distance, 0))
        )
        assert abs(answer.gap - (distance - 2.0)) < 1e-14
        np.testing.assert_allclose(answer.n, (0, 1, 0), atol=1e-12)
        np.testing.assert_allclose(answer.a, (0, 0.8, 0), atol=1e-12)
        np.testing.assert_allclose(answer.b, (0, distance - 1.2, 0), atol=1e-12)


def test_exponent_two_superellipsoid_equals_the_ellipsoid():
    rng = np.random.default_rng(2)
    for _ in range(20):
        frame_one, frame_two = random_frame(rng), random_frame(rng)
        one, two = OutlineEllipsoid("a", semi_axes=(2, 0.8, 0.6)), OutlineEllipsoid("b", semi_axes=(1, 1.5, 0.7))
        at_gap(rng, one, frame_one, two, frame_two, -0.1, 0.2)
        ellipsoid = query(one, frame_one, two, frame_two)
        same = query(
            OutlineSuperellipsoid("a", semi_axes=(2, 0.8, 0.6), squareness=1.0),
            frame_one,
            OutlineSuperellipsoid("b", semi_axes=(1, 1.5, 0.7), squareness=1.0),
            frame_two,
        )
        assert same.gap == ellipsoid.gap


def test_sphere_outside_an_ellipsoid_equals_the_foot_of_the_perpendicular():
    # closed form: from a point p of the surface with normal n, a sphere centred at p + (R + g) n has gap g
    rng = np.random.default_rng(3)
    axes = np.array([2.0, 0.8, 0.65])
    for _ in range(30):
        u = rng.normal(size=3)
        p = axes * u / np.linalg.norm(u)
        n = p / axes**2
        n /= np.linalg.norm(n)
        # inside, the depth must stay below the least radius of curvature for the foot to be the nearest one
        gap = rng.uniform(-0.02, 0.5)
        turn = random_frame(rng, 1.0)
        matrix = turn[3:].reshape(3, 3).T
        answer = query(
            OutlineEllipsoid("a", semi_axes=tuple(axes)),
            turn,
            OutlineSphere("b", radius=0.3),
            body_frame(turn[:3] + matrix @ (p + (0.3 + gap) * n)),
        )
        assert abs(answer.gap - gap) < 1e-12
        np.testing.assert_allclose(answer.n, matrix @ n, atol=1e-9)
        np.testing.assert_allclose(answer.a, turn[:3] + matrix @ p, atol=1e-9)


def separating_axes(half_a, frame_a, half_b, frame_b) -> tuple[float, bool]:
    """Largest gap over the 15 axes of two parallelepipeds, and whether a face axis decides."""
    fa, fb = frame_a[3:].reshape(3, 3), frame_b[3:].reshape(3, 3)
    edges_a, edges_b = fa * np.array(half_a)[:, None], fb * np.array(half_b)[:, None]
    faces = [np.cross(e[i], e[(i + 1) % 3]) for e in (edges_a, edges_b) for i in range(3)]
    crosses = [np.cross(a, b) for a, b in itertools.product(edges_a, edges_b)]
    best, by_face = -np.inf, False
    c = frame_b[:3] - frame_a[:3]
    for index, axis in enumerate(faces + crosses):
        length = np.linalg.norm(axis)
        if length < 1e-9:
            continue
        n = axis / length
        gap = abs(n @ c) - np.abs(edges_a @ n).sum() - np.abs(edges_b @ n).sum()
        if gap > best:
            best, by_face = gap, index < 6
    return best, by_face


@pytest.mark.parametrize("strain", [0.0, 0.05])
def test_boxes_against_separating_axes(strain):
    rng = np.random.default_rng(4)
    overlapping = 0
    for _ in range(MANY):
        half_a, half_b = rng.uniform(0.05, 1.0, 3), rng.uniform(0.05, 1.0, 3)
        frame_a, frame_b = random_frame(rng, 0.0, strain), random_frame(rng, 0.6, strain)
        answer = query(
            OutlineBox("a", half_lengths=tuple(half_a)), frame_a, OutlineBox("b", half_lengths=tuple(half_b)), frame_b
        )
        gap, _ = separating_axes(half_a, frame_a, half_b, frame_b)
        assert answer.status == Status.CONVERGED
        assert (answer.gap < 0) == (gap < 0)
        if gap < 0:
            overlapping += 1
            # both exact up to the round-off of a few products of lengths about 1
            assert abs(answer.gap - gap) < 1e-11
        else:
            assert answer.gap >= gap - 1e-11  # the distance is at least the gap along any axis
        np.testing.assert_allclose(answer.b - answer.a, answer.gap * answer.n, atol=1e-9)
    assert 0.2 * MANY < overlapping < 0.95 * MANY


def test_aligned_boxes_and_boxes_in_exact_touch():
    one, two = OutlineBox("a", half_lengths=(2, 0.8, 0.65)), OutlineBox("b", half_lengths=(2, 0.8, 0.65))
    for x, y in ((3.9, 0.0), (3.9, 0.4), (3.999999, 0.0), (4.0, 0.0), (4.1, 0.3), (0.1, 1.5)):
        answer = query(one, body_frame(), two, body_frame((x, y, 0)))
        expected = max(x - 4.0, y - 1.6)
        assert abs(answer.gap - expected) < 1e-12
        assert answer.status == Status.CONVERGED


def test_boxes_on_a_grid_exactly_and_nearly_parallel():
    # flat on flat, edge on edge, corner on corner, and turned by 1e-9 .. 1e-7 rad, where corners of the difference set
    # lie as far apart as that
    rng = np.random.default_rng(13)
    turns = [(0, 0, 0), (0, 0, np.pi / 2), (0, 0, np.pi / 4), (np.pi / 4, np.pi / 4, 0), (1e-9, 0, 0), (0, 1e-7, 1e-8)]
    for _ in range(MANY):
        half_a, half_b = 0.25 * rng.integers(1, 5, 3), 0.25 * rng.integers(1, 5, 3)
        turned = Rotation.from_euler("xyz", turns[rng.integers(len(turns))]).as_matrix()
        frame_a, frame_b = body_frame(), body_frame(0.125 * rng.integers(-8, 9, 3), turned)
        answer = query(
            OutlineBox("a", half_lengths=tuple(half_a)), frame_a, OutlineBox("b", half_lengths=tuple(half_b)), frame_b
        )
        gap, _ = separating_axes(half_a, frame_a, half_b, frame_b)
        # axes of nearly parallel edges are left out above; they change the gap by the angle times the size, 1e-7 * 1 m
        assert answer.status == Status.CONVERGED
        if gap < 0:
            assert abs(answer.gap - gap) < 1e-7
        else:
            assert answer.gap > gap - 1e-7


def test_box_distance_to_a_corner_and_to_an_edge():
    one, two = OutlineBox("a", half_lengths=(1, 1, 1)), OutlineSphere("b", radius=0.25)
    # round-off of some ten operations on lengths about 1; points to the tolerance of the search, 2e-11 of the size
    corner = query(one, body_frame(), two, body_frame((2, 2, 2)))
    assert abs(corner.gap - (np.sqrt(3) - 0.25)) < 1e-14
    edge = query(one, body_frame(), two, body_frame((2, 2, 0.3)))
    assert abs(edge.gap - (np.sqrt(2) - 0.25)) < 1e-14
    np.testing.assert_allclose(edge.a, (1, 1, 0.3), atol=1e-10)


def test_capsules_equal_the_distance_of_their_segments():
    rng = np.random.default_rng(5)
    for _ in range(60):
        frame_a, frame_b = random_frame(rng), random_frame(rng, 1.5)
        answer = query(
            OutlineCapsule("a", radius=0.2, half_length=0.7),
            frame_a,
            OutlineCapsule("b", radius=0.1, half_length=0.4),
            frame_b,
        )

        def apart(s, frame_a=frame_a, frame_b=frame_b):
            return np.sum((frame_b[:3] + s[1] * frame_b[9:] - frame_a[:3] - s[0] * frame_a[9:]) ** 2)

        best = minimize(
            apart,
            (0.0, 0.0),
            bounds=((-0.7, 0.7), (-0.4, 0.4)),
            method="L-BFGS-B",
            options={"ftol": 1e-16, "gtol": 1e-12},
        )
        # L-BFGS-B stops near 1e-8 in the square root of the value
        assert abs(answer.gap - (np.sqrt(best.fun) - 0.3)) < 1e-6


def test_polyhedron_of_box_corners_equals_the_box():
    rng = np.random.default_rng(6)
    corners = np.array(list(itertools.product((-0.5, 0.5), (-1.0, 1.0), (-0.3, 0.3))))
    for _ in range(100):
        frame_a, frame_b = random_frame(rng), random_frame(rng, 0.9)
        other = OutlineSuperellipsoid("o", semi_axes=(0.5, 0.4, 0.7), squareness=0.7)
        box = query(OutlineBox("a", half_lengths=(0.5, 1.0, 0.3)), frame_a, other, frame_b)
        hull = query(OutlinePolyhedron("a", points=corners), frame_a, other, frame_b)
        # the same corners in another order: round-off only
        assert abs(box.gap - hull.gap) < 1e-14


def test_plane_and_wall():
    wall = OutlinePlane("wall", centre=(10.0, 0, 0), rotation=frame_from_axis((-1, 0, 0)))
    car = OutlineSuperellipsoid("car", semi_axes=(2.0, 0.8, 0.65))
    answer = query(wall, body_frame(), car, body_frame((8.1, 0.3, 0)))
    assert abs(answer.gap + 0.1) < 1e-12
    np.testing.assert_allclose(answer.n, (-1, 0, 0), atol=1e-15)
    back = query(car, body_frame((8.1, 0.3, 0)), wall, body_frame())
    np.testing.assert_allclose(back.n, (1, 0, 0), atol=1e-15)
    assert back.gap == answer.gap
    assert query(wall, body_frame(), wall, body_frame()).status == Status.NO_ANSWER


KINDS = {
    "superellipsoid": OutlineSuperellipsoid("s", semi_axes=(1.2, 0.5, 0.4), squareness=0.4),
    "octahedral": OutlineSuperellipsoid("p", semi_axes=(1.0, 0.7, 0.5), squareness=1.6),
    "ellipsoid": OutlineEllipsoid("e", semi_axes=(1.0, 0.6, 0.5)),
    "box": OutlineBox("b", half_lengths=(0.9, 0.5, 0.4)),
    "capsule": OutlineCapsule("c", radius=0.3, half_length=0.8),
    "polyhedron": OutlinePolyhedron(
        "h", points=((1, 0, 0), (-1, 0.2, 0), (0, 1, 0), (0, -0.8, 0.1), (0, 0, 1), (0.1, 0, -0.9))
    ),
}


@pytest.mark.parametrize("pair", list(itertools.combinations_with_replacement(KINDS, 2)))
def test_swapping_and_rigid_motion(pair):
    rng = np.random.default_rng(7)
    one, two = KINDS[pair[0]], KINDS[pair[1]]
    for _ in range(15):
        frame_a, frame_b = random_frame(rng, 0.0, 0.02), random_frame(rng, 0.7, 0.02)
        answer = query(one, frame_a, two, frame_b)
        swapped = query(two, frame_b, one, frame_a)
        # The value is exact to round-off, some ten ulps of the size (2 m); moving the pair by 5 m adds the rounding of
        # its frames, 5 m * 2e-16 for each of some ten terms.
        tolerance = 2e-14
        assert abs(swapped.gap - answer.gap) < tolerance
        turn, shift = Rotation.random(random_state=rng).as_matrix(), 5.0 * rng.normal(size=3)
        moved = [body_frame(shift + turn @ frame[:3], turn @ frame[3:].reshape(3, 3).T) for frame in (frame_a, frame_b)]
        same = query(one, moved[0], two, moved[1])
        assert abs(same.gap - answer.gap) < tolerance
        if answer.gap > -0.05:
            np.testing.assert_allclose(swapped.n, -answer.n, atol=1e-5)
            np.testing.assert_allclose(same.n, turn @ answer.n, atol=1e-5)


@pytest.mark.parametrize("pair", list(itertools.combinations_with_replacement(KINDS, 2)))
def test_gap_is_continuous_through_first_touch(pair):
    one, two = KINDS[pair[0]], KINDS[pair[1]]
    rng = np.random.default_rng(8)
    frame_a, frame_b = random_frame(rng), random_frame(rng)
    frame_b[:3] = (4.0, 0.3, 0.2)
    along = -np.array([4.0, 0.3, 0.2]) / np.linalg.norm([4.0, 0.3, 0.2])
    # walk to touch by the gap itself (never passes it), then 1 mm through it in steps of 20 um
    for _ in range(300):
        gap = query(one, frame_a, two, frame_b).gap
        if gap < 5e-4:
            break
        frame_b[:3] += 0.9 * (gap - 3e-4) * along
    gaps = []
    for _ in range(60):
        gaps.append(query(one, frame_a, two, frame_b).gap)
        frame_b[:3] += 2e-5 * along
    assert gaps[0] > 0 > gaps[-1]
    # The gap is a distance: it changes by at most the step, falls all the way, and its slope n.d changes by the step
    # over the least radius of curvature, here never by more than 1 % of the step: no jump where distance becomes depth.
    steps = np.diff(gaps)
    assert np.abs(steps).max() < 2e-5 + 1e-14
    assert steps.max() < 0.0
    assert np.abs(np.diff(steps)).max() < 0.01 * 2e-5


def by_nelder_mead(rows, shapes, frame_a, frame_b, start) -> float:
    """Gap by a method that shares nothing with the search but the support function."""
    n0 = start / np.linalg.norm(start)
    t1 = np.linalg.svd(n0[None])[2][1:]

    def minus_gap(p):
        n = n0 + p @ t1
        return -gap_along(pair_of(rows, frame_a, frame_b), shapes, vector(n / np.linalg.norm(n)))

    best = np.zeros(2)
    for scale in (0.3, 0.01, 1e-4):
        simplex = best + scale * np.array([[0, 0], [1, 0], [0, 1]])
        best = minimize(
            minus_gap,
            best,
            method="Nelder-Mead",
            options={"initial_simplex": simplex, "xatol": 1e-12, "fatol": 1e-15, "maxiter": 600},
        ).x
    return -minus_gap(best)


def test_random_superellipsoids_against_nelder_mead():
    rng = np.random.default_rng(9)
    for _ in range(40 if JIT_ON else 6):
        one, two = (
            OutlineSuperellipsoid(
                name, semi_axes=tuple(np.exp(rng.uniform(-1.0, 1.0, 3))), squareness=rng.uniform(0.2, 1.5)
            )
            for name in "ab"
        )
        frame_a, frame_b = random_frame(rng, 0.0, 0.01), random_frame(rng, 0.0, 0.01)
        at_gap(rng, one, frame_a, two, frame_b, -0.1, 0.1)
        answer = query(one, frame_a, two, frame_b)
        assert answer.status in FINE
        rows, shapes = pack_outlines([one, two])
        # several starts; the search must not fall short of the best of them
        starts = [answer.n, frame_b[:3] - frame_a[:3], *(answer.n + 0.5 * rng.normal(size=3) for _ in range(2))]
        independent = max(by_nelder_mead(rows, shapes, frame_a, frame_b, start) for start in starts)
        size = np.linalg.norm(frame_b[:3] - frame_a[:3])
        assert answer.gap > independent - 1e-9 * size
        # and is a value that some direction reaches
        along = gap_along(pair_of(rows, frame_a, frame_b), shapes, vector(answer.n))
        assert abs(answer.gap - along) < 1e-12 * max(size, 1)


def test_warm_start_agrees_with_cold_start_and_is_cheaper():
    rng = np.random.default_rng(10)
    car = OutlineSuperellipsoid("car", semi_axes=(2.0, 0.8, 0.65))
    cold_cost, warm_cost = 0, 0
    for _ in range(50):
        frame_a, frame_b = random_frame(rng), random_frame(rng)
        at_gap(rng, car, frame_a, car, frame_b, -0.05, 0.05)
        first = query(car, frame_a, car, frame_b)
        frame_b[:3] += 1e-3 * rng.uniform(-1, 1, 3)
        cold, warm = query(car, frame_a, car, frame_b), query(car, frame_a, car, frame_b, first.n)
        assert abs(cold.gap - warm.gap) < 1e-12
        cold_cost += cold.evaluations
        warm_cost += warm.evaluations
    assert warm_cost < 0.6 * cold_cost


def test_a_warm_start_from_the_far_side_comes_back():
    """A stage of a rejected step may leave the opposite normal: flat sides then have a least overlap there, of both
    whole bodies, and a run stopped in free flight ("pushed through each other")."""
    rng = np.random.default_rng(64)
    for _ in range(200):
        ball = OutlineSphere("ball", radius=rng.uniform(0.2, 0.5))
        cushion = OutlineSuperellipsoid("cushion", semi_axes=tuple(rng.uniform(0.2, 0.6, 3)))
        frame_a, frame_b = random_frame(rng), random_frame(rng)
        at_gap(rng, ball, frame_a, cushion, frame_b, 0.0, 0.5)
        cold = query(ball, frame_a, cushion, frame_b)
        for start in (-cold.n, *Rotation.random(3, random_state=rng).as_matrix()[:, 0]):
            # The search asks for 2e-11 of the size in the points; the error of the gap is of its square.
            assert abs(query(ball, frame_a, cushion, frame_b, start).gap - cold.gap) < 1e-12


def test_coinciding_centres_have_an_answer():
    car = OutlineSuperellipsoid("car", semi_axes=(2.0, 0.8, 0.65))
    answer = query(car, body_frame(), car, body_frame())
    # the least translation is sideways or upward: twice the smallest semi-axis
    assert abs(answer.gap + 1.3) < 1e-6


def test_quick_tests_prove_separation_and_never_lie():
    rng = np.random.default_rng(11)
    car = OutlineSuperellipsoid("car", semi_axes=(2.0, 0.8, 0.65))
    said = 0
    for _ in range(200):
        frame_a, frame_b = random_frame(rng), random_frame(rng)
        at_gap(rng, car, frame_a, car, frame_b, -0.1, 0.3)
        exact = query(car, frame_a, car, frame_b)
        quick = query(car, frame_a, car, frame_b, exact.n, within=0.0)
        if quick.status == Status.APART:
            said += 1
            assert 0.0 < quick.gap <= exact.gap + 1e-12
        else:
            assert exact.gap <= 0.0
    assert said > 50


def test_bounding_sphere_holds_the_corners_and_not_more():
    # the longest semi-axis, 2 m, is no bound for a boxy outline: its corners reach farther
    car = OutlineSuperellipsoid("car", rounding=0.0, semi_axes=(2.0, 0.8, 0.65))
    rows, _ = pack_outlines([car])
    u = np.abs(np.random.default_rng(1).normal(size=(200_000, 3)))
    surface = u / ((u / np.array(car.semi_axes)) ** 5).sum(axis=1)[:, None] ** 0.2
    farthest = np.linalg.norm(surface, axis=1).max()
    assert 2.04 < farthest <= rows[0].radius < farthest + 1e-4


def test_smooth_and_polytope_searches_agree():
    rng = np.random.default_rng(12)
    car = OutlineSuperellipsoid("car", semi_axes=(2.0, 0.8, 0.65))
    rows, shapes = pack_outlines([car, car])
    search = make_search(shapes)
    for _ in range(200 if JIT_ON else 20):
        frame_a, frame_b = random_frame(rng, 0, 0.01), random_frame(rng, 0, 0.01)
        at_gap(rng, car, frame_a, car, frame_b, -0.08, 0.1)
        newton = query(car, frame_a, car, frame_b)
        polytope = Answer(closest_global(pair_of(rows, frame_a, frame_b), search, vector(frame_b[:3] - frame_a[:3])))
        # the polytope search accepts a duality gap of 1e-7 of some 4 m
        assert abs(newton.gap - polytope.gap) < 4e-7


DISC = OutlineEllipsoid("disc", body="b", semi_axes=(0.15376531, 0.15376531, 0.00153765))
SHARD = OutlinePolyhedron(
    "shard",
    body="a",
    points=[
        (-0.24064168, 0.0369287, 0.10903107),
        (-0.09181239, -0.20879616, -0.28451509),
        (-0.50507743, -0.65412694, -0.65353869),
        (-0.63743299, 0.30532921, -0.11948812),
        (-0.07405258, -0.03681317, -0.52593554),
        (-0.10177101, 0.22176648, -0.38713121),
        (-0.6906803, -0.06248657, 0.32911958),
    ],
)


@pytest.mark.parametrize("seed", range(8))
def test_two_translations_that_are_equally_short(seed):
    """A disc where another way out of a polyhedron becomes the shortest: from any normal the search has to find the
    least. It gave that of the start where the other was shorter by up to 4 um, so that the depth of a cylinder jumped
    and its hit did not end."""
    rng = np.random.default_rng(seed)
    turn = Rotation.from_rotvec(2e-3 * rng.normal(size=3)) * Rotation.from_rotvec((2.65390137, 1.08048541, 0.21616486))
    matrix, place = turn.as_matrix(), np.array((-0.03313938, 0.13161018, 0.01862042))

    def ask(share, warm=contact_queries.COLD) -> Answer:
        return query(DISC, body_frame(place + share * matrix[:, 2], matrix), SHARD, body_frame(), warm)

    low, high = 0.34, 0.352
    first, second = ask(low).n, ask(high).n
    assert first @ second < 0.99
    for _ in range(50):
        middle = 0.5 * (low + high)
        normal = ask(middle).n
        low, high = (middle, high) if normal @ first > normal @ second else (low, middle)
    for away in np.linspace(-2e-5, 2e-5, 101):
        gaps = [ask(low + away, warm).gap for warm in (first, second, ask(low).n, ask(high).n)]
        assert np.ptp(gaps) < 1e-10 * (SHARD.bounding_radius() + DISC.bounding_radius())

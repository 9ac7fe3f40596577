"""The model that each step of the search with corners solves, min s.Q.s / 2 + max (a_k + b_k . s), by its conditions.

With Q positive definite the model is convex, so a step with weights w_k >= 0, sum w_k = 1, Q s + sum w_k b_k = 0 on
corners that are highest at s is the only minimum. Otherwise candidates are enumerated here by linear equations.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from centrode.dynamics.contact import sqp
from centrode.dynamics.contact.search import CORNER, EVALUATION, MOST_CORNERS

SIZE = 1.0


def some_corners(rng, count):
    """Known corners: heights below the highest one, slopes."""
    corners = np.zeros(MOST_CORNERS, CORNER)
    heights = -rng.uniform(0.0, 0.3, count)
    heights[rng.integers(count)] = 0.0
    corners["height"][:count] = heights
    corners["slope"][:count] = rng.normal(size=(count, 2))
    return corners, heights, corners["slope"][:count].copy()


def some_matrix(rng, definite=True):
    """A symmetric matrix with eigenvalues between 0.2 and 2, one of them negative if it is not definite."""
    angle = rng.uniform(0.0, np.pi)
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    values = rng.uniform(0.2, 2.0, 2) * (1.0, 1.0 if definite else -1.0)
    return axes @ np.diag(values) @ axes.T


def packed(q):
    return float(q[0, 0]), float(q[0, 1]), float(q[1, 1])


def assert_is_the_minimum(step, q, heights, slopes):
    """Conditions of the head of the file, to round-off of numbers of size 1 and what a matrix of 0.2 makes of it."""
    s = np.array(step.s)
    chosen = [(k, w) for k, w in zip(step.corners, step.weights, strict=True) if k >= 0]
    raised = heights + slopes @ s
    assert min(w for _, w in chosen) >= 0.0
    assert sum(w for _, w in chosen) == pytest.approx(1.0, abs=1e-8)
    for k, w in chosen:
        if w > 1e-8:
            assert raised[k] == pytest.approx(raised.max(), abs=1e-10)
    np.testing.assert_allclose(q @ s + sum(w * slopes[k] for k, w in chosen), 0.0, atol=1e-8)


@pytest.mark.parametrize("count", range(2, MOST_CORNERS + 1))
def test_a_convex_model_is_solved(count):
    rng = np.random.default_rng(count)
    at = np.zeros(1, EVALUATION)[0]
    used = set()
    for trial in range(12):
        corners, heights, slopes = some_corners(rng, count)
        q = some_matrix(rng) * 10.0 ** rng.uniform(-0.5, 1.5)
        step = sqp._solve_model(corners, count, packed(q), bool(trial % 2), SIZE, at)
        assert_is_the_minimum(step, q, heights, slopes)
        used.add(sum(k >= 0 for k in step.corners))
    assert len(used) > 1


def stationary(q, heights, slopes):
    """All minima on one, two or three corners: step, value, whether another corner hides it."""
    found = []
    for number in (1, 2, 3):
        for chosen in itertools.combinations(range(len(heights)), number):
            b, a = slopes[list(chosen)], heights[list(chosen)]
            # Q s + B^T w = 0, B s + a = z, sum w = 1
            system = np.zeros((3 + number, 3 + number))
            system[:2, :2], system[:2, 3:] = q, b.T
            system[2 : 2 + number, :2], system[2 : 2 + number, 2], system[2 + number, 3:] = b, -1.0, 1.0
            right = np.concatenate([np.zeros(2), -a, [1.0]])
            answer = np.linalg.solve(system, right)
            s, w = answer[:2], answer[3:]
            across = np.linalg.svd(b[1:] - b[0])[2][1:] if number == 2 else np.eye(2)  # where all stay equally high
            if w.min() < 0.0 or (number < 3 and np.linalg.eigvalsh(across @ q @ across.T).min() <= 0.0):
                continue
            raised = heights + slopes @ s
            bent = 0.5 * s @ q @ s
            found.append((s, bent + raised.max(), raised.max() - raised[chosen[0]] > 1e-10))
    return found


def test_of_several_minima_the_nearest_below_the_present_value_is_meant():
    """Q falls along one direction: others, even lower ones, lie behind a ridge. The present value is 0, at s = 0."""
    rng = np.random.default_rng(1)
    none, one, farther_is_lower = 0, 0, 0
    for _ in range(200):
        count = int(rng.integers(2, 6))
        corners, heights, slopes = some_corners(rng, count)
        q = some_matrix(rng, definite=False)
        good = [(s, value) for s, value, hidden in stationary(q, heights, slopes) if not hidden and value <= 0.0]
        found, step = sqp._lowest_candidate(corners, count, packed(q), 0, False, SIZE)
        assert found == bool(good)
        if good:
            nearest = min(good, key=lambda item: np.linalg.norm(item[0]))
            np.testing.assert_allclose(step.s, nearest[0], atol=1e-9)
            farther_is_lower += nearest[1] > min(value for _, value in good)
        none, one = none + (not good), one + (len(good) == 1)
    assert min(none, one, farther_is_lower) > 0


@pytest.mark.parametrize("seed", range(10))
def test_of_a_convex_model_the_lowest_candidate_is_taken(seed):
    """Also when the last attempt takes candidates that lie below another corner: each then counts with that height."""
    rng = np.random.default_rng(100 + seed)
    for _ in range(8):
        count = int(rng.integers(2, 7))
        corners, heights, slopes = some_corners(rng, count)
        q = some_matrix(rng)
        every = stationary(q, heights, slopes)
        least = min(value for _, value, hidden in every if not hidden)
        assert least == pytest.approx(min(value for _, value, _ in every), abs=1e-12)
        for attempt in range(3):
            for definite in (True, False) if attempt else (True,):
                found, step = sqp._lowest_candidate(corners, count, packed(q), attempt, definite, SIZE)
                s = np.array(step.s)
                assert found
                assert 0.5 * s @ q @ s + (heights + slopes @ s).max() == pytest.approx(least, abs=1e-12)
                assert_is_the_minimum(step, q, heights, slopes)


def test_hidden_candidates_are_taken_only_when_nothing_else_is_left():
    """What lies below another corner is no minimum; the last attempt takes the lowest of them before giving up."""
    rng = np.random.default_rng(2)
    seen = 0
    for _ in range(200):
        corners, heights, slopes = some_corners(rng, 4)
        q = some_matrix(rng, definite=False)
        every = stationary(q, heights, slopes)
        if not every or not all(hidden for _, _, hidden in every):
            continue
        seen += 1
        for attempt in (0, 1):
            assert not sqp._lowest_candidate(corners, 4, packed(q), attempt, False, SIZE)[0]
        found, step = sqp._lowest_candidate(corners, 4, packed(q), 2, False, SIZE)
        assert found
        np.testing.assert_allclose(step.s, min(every, key=lambda item: item[1])[0], atol=1e-9)
    assert seen > 0


@pytest.mark.parametrize("bounded", range(6))
def test_a_coordinate_that_would_change_its_sign_has_its_curvature_bounded(bounded):
    """The step is then that of Q + e p p^T with the bound e of this coordinate and its slopes p; else that of Q."""
    rng = np.random.default_rng(bounded)
    changed = 0
    for _ in range(20):
        corners, heights, slopes = some_corners(rng, 3)
        q = some_matrix(rng)
        at = np.zeros(1, EVALUATION)[0]
        free = sqp._solve_model(corners, 3, packed(q), False, SIZE, at)
        p = rng.normal(size=2)
        at.m[bounded], at.bound[bounded] = rng.normal() * 0.3, rng.uniform(0.5, 5.0)
        at.along_x[bounded], at.along_y[bounded] = p
        step = sqp._solve_model(corners, 3, packed(q), False, SIZE, at)
        if at.m[bounded] * (at.m[bounded] + p @ free.s) < 0.0:
            changed += 1
            assert_is_the_minimum(step, q + at.bound[bounded] * np.outer(p, p), heights, slopes)
        else:
            assert step == free
    assert 0 < changed < 20


@pytest.mark.parametrize("seed", range(5))
def test_a_matrix_is_made_definite_by_the_sizes_of_its_eigenvalues(seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        q = some_matrix(rng, definite=bool(rng.integers(2))) * rng.choice((-1.0, 1.0))
        values, vectors = np.linalg.eigh(q)
        d1, d2, low = sqp._lower_eigenvalue(*packed(q))
        assert low == pytest.approx(values[0], abs=1e-14)
        assert abs(np.dot((d1, d2), vectors[:, 0])) == pytest.approx(1.0, abs=1e-14)
        a, b, c = sqp._made_definite(*packed(q), SIZE)
        np.testing.assert_allclose([[a, b], [b, c]], vectors @ np.diag(np.abs(values)) @ vectors.T, atol=1e-13)
    assert sqp._lower_eigenvalue(0.7, 0.0, 0.7) == (1.0, 0.0, 0.7)
    flat = sqp._made_definite(0.0, 0.0, 0.0, SIZE)
    assert flat == pytest.approx((1e-9, 0.0, 1e-9), rel=1e-6)  # never singular: a billionth of the size


@pytest.mark.parametrize("seed", range(5))
def test_what_is_left_of_a_step_and_the_direction_that_bends_least(seed):
    """Mismatch sum w b, unevenness -sum w a of the corners in play; with two corners the direction between them."""
    rng = np.random.default_rng(seed)
    corners, heights, slopes = some_corners(rng, 5)
    q = some_matrix(rng)
    for chosen in ((3, -1, -1), (1, 4, -1), (0, 2, 3)):
        w = rng.uniform(0.1, 1.0, 3) * (np.array(chosen) >= 0)
        step = sqp.Step((0.0, 0.0), chosen, tuple(w))
        inside = [k for k in chosen if k >= 0]
        expected = (*(w[: len(inside)] @ slopes[inside]), -w[: len(inside)] @ heights[inside])
        assert sqp._residual(corners, step) == pytest.approx(expected, abs=1e-14)
    values, vectors = np.linalg.eigh(q)
    s1, s2, bend = sqp._weakest(corners, sqp.Step((0.0, 0.0), (3, -1, -1), (1.0, 0.0, 0.0)), packed(q))
    assert bend == pytest.approx(values[0], abs=1e-13) and abs(vectors[:, 0] @ (s1, s2)) == pytest.approx(1.0)
    s1, s2, bend = sqp._weakest(corners, sqp.Step((0.0, 0.0), (1, 4, -1), (0.5, 0.5, 0.0)), packed(q))
    along = np.array((s1, s2))
    assert along @ (slopes[4] - slopes[1]) == pytest.approx(0.0, abs=1e-14)  # both stay equally high
    assert np.linalg.norm(along) == pytest.approx(1.0) and bend == pytest.approx(along @ q @ along)


def test_corners_are_remembered_once_and_the_lowest_makes_room():
    rng = np.random.default_rng(0)
    corners, count = np.zeros(MOST_CORNERS, CORNER), 0
    points = rng.normal(size=(MOST_CORNERS, 3))
    for k, v in enumerate(points):
        count, fresh = sqp._remember(corners, count, tuple(v), tuple(2.0 * v), tuple(3.0 * v), SIZE)
        assert fresh and count == k + 1
        assert sqp._remember(corners, count, tuple(v), tuple(v), tuple(v), SIZE) == (count, False)
    u, x, y = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    at = np.zeros(1, EVALUATION)[0]
    at.point[:] = rng.normal(size=(2, 3))
    sqp._tilt(corners, count, tuple(u), tuple(x), tuple(y), at)
    np.testing.assert_allclose(corners["height"], points @ u - (points @ u).max(), atol=1e-14)
    curved = at.point.sum(axis=0)
    np.testing.assert_allclose(corners["slope"], (points + curved) @ np.column_stack([x, y]), atol=1e-14)
    lowest = int((points @ u).argmin())
    count, fresh = sqp._remember(corners, count, (7.0, 8.0, 9.0), (1.0, 1.0, 1.0), (2.0, 2.0, 2.0), SIZE)
    assert fresh and count == MOST_CORNERS
    expected = points.copy()
    expected[lowest] = 7.0, 8.0, 9.0
    np.testing.assert_allclose(corners["v"], expected)
    np.testing.assert_allclose(corners["of_a"][lowest], 1.0)
    np.testing.assert_allclose(np.delete(corners["of_b"], lowest, axis=0), 3.0 * np.delete(points, lowest, axis=0))

"""Points of hard contacts for random poses of every two kinds, against supports in plain NumPy.

For convex bodies A and B and a unit vector n, ``s(n) = min over B of n.x - max over A of n.x`` is the gap that n sees;
the largest of all n is the distance of the two, or minus the depth of their overlap. A normal is right when none of
many others sees more, and a point when the surfaces lie half its gap to either side.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import centrode as ct
from centrode.dynamics.hard.manifold import UPRIGHT
from centrode.dynamics.hard.points import NEAR_BY
from centrode.running import Session
from centrode.system.settings import RunSettings

DEPTH = 0.01
"""Overlap of the two or a little less [m]; bodies are some half a metre in size."""

REACH = NEAR_BY * 0.4 + 1e-6
"""Gap up to which points count [m]: the bodies are at rest, and 0.4 m thin at most."""


@dataclass
class Shape:
    """A convex shape in its own axes: support in many directions (n, 3), whether points are inside, faces and edges."""

    outline: Callable[[str, str], ct.Outline]
    support: Callable[[np.ndarray], np.ndarray]
    inside: Callable[[np.ndarray], bool]
    faces: np.ndarray
    edges: np.ndarray


AXES = np.eye(3)
BOX = np.array([0.5, 0.3, 0.4])
CORNERS = np.array([(0.6, 0.0, -0.3), (-0.4, 0.5, -0.3), (-0.4, -0.5, -0.3), (0.05, 0.1, 0.5)])
SIDES = np.array(
    [np.cross(CORNERS[b] - CORNERS[a], CORNERS[c] - CORNERS[a]) for a, b, c in itertools.combinations(range(4), 3)]
)
SIDES = np.array(
    [
        side * np.sign(side @ (CORNERS[a] - CORNERS.mean(axis=0))) / np.linalg.norm(side)
        for side, (a, _, _) in zip(SIDES, itertools.combinations(range(4), 3), strict=True)
    ]
)
LINES = np.array([CORNERS[b] - CORNERS[a] for a, b in itertools.combinations(range(4), 2)])
NONE = np.zeros((0, 3))


def across(n: np.ndarray) -> np.ndarray:
    """Length of the part of directions across own z."""
    return np.hypot(n[:, 0], n[:, 1])


SHAPES = {
    "sphere": Shape(
        lambda name, body: ct.OutlineSphere(name, body, radius=0.4),
        lambda n: np.full(len(n), 0.4),
        lambda x: bool(np.linalg.norm(x) <= 0.4 + 1e-9),
        NONE,
        NONE,
    ),
    "box": Shape(
        lambda name, body: ct.OutlineBox(name, body, half_lengths=tuple(BOX)),
        lambda n: np.abs(n) @ BOX,
        lambda x: bool((np.abs(x) <= BOX + 1e-9).all()),
        AXES,
        AXES,
    ),
    "capsule": Shape(
        lambda name, body: ct.OutlineCapsule(name, body, radius=0.25, half_length=0.45),
        lambda n: 0.25 + 0.45 * np.abs(n[:, 2]),
        lambda x: bool(np.linalg.norm(x - [0, 0, np.clip(x[2], -0.45, 0.45)]) <= 0.25 + 1e-9),
        NONE,
        NONE,
    ),
    "cylinder": Shape(
        lambda name, body: ct.OutlineCylinder(name, body, radius=0.3, half_length=0.5),
        lambda n: 0.3 * across(n) + 0.5 * np.abs(n[:, 2]),
        lambda x: bool(np.hypot(x[0], x[1]) <= 0.3 + 1e-9 and abs(x[2]) <= 0.5 + 1e-9),
        AXES[2:],
        NONE,
    ),
    "polyhedron": Shape(
        lambda name, body: ct.OutlinePolyhedron(name, body, points=[tuple(x) for x in CORNERS.tolist()]),
        lambda n: (n @ CORNERS.T).max(axis=1),
        lambda x: bool((SIDES @ x <= (SIDES @ CORNERS.T).max(axis=1) + 1e-9).all()),
        SIDES,
        LINES,
    ),
}
CLOSED = {("sphere", "sphere"), ("box", "sphere"), ("capsule", "sphere"), ("capsule", "capsule")}
"""Pairs of which the program has closed forms: the normal is that of least overlap, whatever the poses."""


def seen(one: Shape, two: Shape, turns: list[np.ndarray], way: np.ndarray, n: np.ndarray) -> np.ndarray:
    """s(n) with B displaced by ``way`` from A."""
    n = n / np.linalg.norm(n, axis=1, keepdims=True)
    return n @ way - one.support(n @ turns[0]) - two.support(-n @ turns[1])


def parted(one: Shape, two: Shape, turns: list[np.ndarray], way: np.ndarray) -> float:
    """The largest s(n) of many n: faces, pairs of edges, anywhere, and near the best of these."""
    faces = [np.vstack([turns[0] @ n for n in one.faces] + [-turns[1] @ n for n in two.faces] + [way])]
    pairs = [np.cross(turns[0] @ p, turns[1] @ q) for p in one.edges for q in two.edges]
    rng = np.random.default_rng(1)
    tried = np.vstack([*faces, *([pairs] if pairs else []), rng.normal(size=(400, 3))])
    tried = np.vstack([tried, -tried])
    tried = tried[np.linalg.norm(tried, axis=1) > 1e-9]
    tried /= np.linalg.norm(tried, axis=1, keepdims=True)
    for size in 0.5 ** np.arange(1, 20):
        best = tried[np.argsort(seen(one, two, turns, way, tried))[-3:]]
        tried = np.vstack([best, *(n + size * rng.normal(size=(40, 3)) for n in best)])
    return float(seen(one, two, turns, way, tried).max())


def placed(one: Shape, two: Shape, rng: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray]:
    """Random turns of both, and a place of B at which they overlap by some DEPTH."""
    turns = [Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix() for _ in range(2)]
    u = rng.normal(size=3)
    u /= np.linalg.norm(u)
    far = 0.5
    for _ in range(40):  # the overlap grows by at most what they come nearer
        missing = -DEPTH - parted(one, two, turns, far * u)
        far += missing
        if abs(missing) < 0.01 * DEPTH:
            break
    return turns, far * u


def rows_of(system: ct.System) -> np.ndarray:
    """Points of contact that a first, tiny step finds."""
    system.add(ct.Collisions("collisions", allowed_overlap=1.0))
    system.add(ct.HardContact("law", restitution=0.01))
    session = Session(system, RunSettings(duration=1.0, method="moreau", step=1e-9))
    session.advance(np.array([0.0, 1e-9]))
    t = session.workspace.contacts.tables
    return t.contacts[: t.head[0].points].copy()


def points(one: Shape, two: Shape, turns: list[np.ndarray], way: np.ndarray) -> list[np.ndarray]:
    """Gap, normal and place of every point that the program finds, sorted by place."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for k, (shape, turn) in enumerate(zip((one, two), turns, strict=True)):
        x, y, z, w = Rotation.from_matrix(turn).as_quat()
        place = tuple((k * way).tolist())
        system.add(ct.RigidBody(f"b{k}", 1.0, (1.0, 1.0, 1.0), position=place, orientation=(w, x, y, z)))
        system.add(shape.outline(f"o{k}", f"b{k}"))
    rows = rows_of(system)
    found = [np.concatenate([[row["gap"]], row["normal"], row["arm_a"]]) for row in rows]
    return sorted(found, key=lambda row: tuple(np.round(row[4:], 6)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("first", "second"), list(itertools.combinations_with_replacement(SHAPES, 2)))
def test_points_lie_in_both_and_their_normal_sees_the_overlap(first, second, seed):
    one, two = SHAPES[first], SHAPES[second]
    turns, way = placed(one, two, np.random.default_rng([seed, *map(ord, first[:2] + second[:2])]))
    found = points(one, two, turns, way)
    most = parted(one, two, turns, way)
    assert 1 <= len(found) <= 4
    for gap, *rest in found:
        normal, place = np.array(rest[:3]), np.array(rest[3:])
        assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-12)
        sees = seen(one, two, turns, way, normal[None])[0]
        assert sees - 1e-9 <= gap <= REACH
        assert one.inside(turns[0].T @ (place - 0.5 * gap * normal))
        assert two.inside(turns[1].T @ (place + 0.5 * gap * normal - way))
        if tuple(sorted((first, second))) in CLOSED:
            assert gap == pytest.approx(sees, abs=1e-9) and sees >= most - 1e-9
    # A face may stand for an edge whose normal is near its own, and then cut the deepest place off; the search above is
    # good to a tenth of DEPTH. The rim of a cylinder on its end, leaning by up to acos(0.9), is eight points:
    # its lowest place may be the sagitta between two of them deeper.
    rim = 0.3 * (1.0 - np.cos(np.pi / 8)) * np.sqrt(1.0 - UPRIGHT**2) if "cylinder" in (first, second) else 0.0
    deepest = min(row[0] for row in found)
    assert most - 0.1 * DEPTH <= deepest <= most + 0.1 * DEPTH + rim


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations_with_replacement(SHAPES, 2)))
def test_the_order_of_the_bodies_does_not_matter(first, second):
    one, two = SHAPES[first], SHAPES[second]
    turns, way = placed(one, two, np.random.default_rng([7, *map(ord, first[:2] + second[:2])]))
    there = points(one, two, turns, way)
    back = points(two, one, turns[::-1], -way)
    back = sorted(
        (np.concatenate([[row[0]], -row[1:4], row[4:] + way]) for row in back), key=lambda r: tuple(np.round(r[4:], 6))
    )
    np.testing.assert_allclose(np.array(back), np.array(there), atol=1e-7)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("flipped", [False, True])
def test_above_a_plane_the_lowest_points_are_found(name, flipped):
    """The lowest of all is the support; every other one is above it and on the surface."""
    shape, turn = SHAPES[name], Rotation.random(random_state=3).as_matrix()
    down = np.array([[0.0, 0.0, -1.0]])
    height = float(shape.support(down @ turn)[0]) - DEPTH
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    x, y, z, w = Rotation.from_matrix(turn).as_quat()
    floor = ct.OutlinePlane("floor", body="ground")
    if flipped:
        system.add(floor)
    system.add(ct.RigidBody("b", 1.0, (1.0, 1.0, 1.0), position=(0.1, -0.2, height), orientation=(w, x, y, z)))
    system.add(shape.outline("o", "b"))
    if not flipped:
        system.add(floor)
    rows = rows_of(system)
    assert min(rows["gap"]) == pytest.approx(-DEPTH, abs=1e-9)
    for row in rows:
        upwards = 1.0 if row["a"] == 0 else -1.0
        np.testing.assert_allclose(row["normal"], (0.0, 0.0, upwards), atol=1e-12)
        held = np.array(row["arm_b"] if row["a"] == 0 else row["arm_a"])  # on the ground the body's own surface counts
        assert shape.inside(turn.T @ held) and not shape.inside(turn.T @ (1.001 * held))
        assert held[2] + height == pytest.approx(row["gap"], abs=1e-9)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", ["capsule", "cylinder"])
def test_along_an_edge_a_rod_is_held_at_both_ends_of_what_they_share(name, flipped):
    """Beside the edge of a box along its y, at half a right angle, and shifted along it."""
    rod, shift = SHAPES[name], 0.25
    radius, half = (0.25, 0.45) if name == "capsule" else (0.3, 0.5)
    turns = [np.eye(3), Rotation.from_euler("x", 90, degrees=True).as_matrix()]
    out = np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0)
    edge = np.array([BOX[0], 0.0, BOX[2]])
    way = edge + (radius - 0.1 * DEPTH) * out + (0.0, shift, 0.0)
    if flipped:
        found = points(rod, SHAPES["box"], turns[::-1], -way)
        found = [np.concatenate([[row[0]], -row[1:4], row[4:] + way]) for row in found]
    else:
        found = points(SHAPES["box"], rod, turns, way)
    found.sort(key=lambda row: row[5])
    assert len(found) == 2
    for row, y in zip(found, (max(-BOX[1], shift - half), min(BOX[1], shift + half)), strict=True):
        assert row[0] == pytest.approx(-0.1 * DEPTH, abs=1e-12)
        np.testing.assert_allclose(row[1:4], out, atol=1e-12)
        np.testing.assert_allclose(row[4:], edge - 0.05 * DEPTH * out + (0.0, y, 0.0), atol=1e-12)

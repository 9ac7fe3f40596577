"""Points of hard contacts on a field of heights, against all of its triangles in plain NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import centrode as ct
from centrode.dynamics.hard.points import NEAR_BY
from centrode.running import Session
from centrode.system.settings import RunSettings

SPACING = np.array([0.5, 0.7])
COUNT = (7, 6)
DEPTH = 0.003
"""Overlap of the lowest place [m]."""


def land(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Heights on the grid, and the triangles over it (n, 3 corners, 3), counter-clockwise from above.

    Every cell is cut along its diagonal from (i, j) to (i + 1, j + 1); the middle of the grid is the origin.
    """
    heights = np.random.default_rng(seed).uniform(-0.15, 0.15, COUNT)
    place = {
        (i, j): np.array([(i - 3.0) * SPACING[0], (j - 2.5) * SPACING[1], heights[i, j]])
        for i, j in itertools.product(*map(range, COUNT))
    }
    found = []
    for i, j in itertools.product(range(COUNT[0] - 1), range(COUNT[1] - 1)):
        a, b, c, d = place[i, j], place[i + 1, j], place[i + 1, j + 1], place[i, j + 1]
        found += [(a, b, c), (a, c, d)]
    return heights, np.array(found)


def nearest(triangles: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Points of the triangles that are nearest to x, (n, 3): the foot where it is inside, else one of an edge."""
    following = np.roll(triangles, -1, axis=1)
    ways = following - triangles
    normals = np.cross(ways[:, 0], ways[:, 1])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    feet = x - ((x - triangles[:, 0]) * normals).sum(axis=1, keepdims=True) * normals
    across = np.cross(ways, feet[:, None] - triangles)
    inside = ((across * normals[:, None]).sum(axis=2) >= 0.0).all(axis=1)
    share = np.clip(((x - triangles) * ways).sum(axis=2) / (ways**2).sum(axis=2), 0.0, 1.0)
    on_edges = triangles + share[:, :, None] * ways
    best = np.argmin(np.linalg.norm(on_edges - x, axis=2), axis=1)
    return np.where(inside[:, None], feet, on_edges[np.arange(len(feet)), best])


def distance(triangles: np.ndarray, x: np.ndarray) -> float:
    return float(np.linalg.norm(nearest(triangles, x) - x, axis=1).min())


def lowered(triangles: np.ndarray, ends: np.ndarray, radius: float) -> float:
    """Height by which balls about points must rise until the nearest triangle is DEPTH inside of one.

    From above down by the distance that is left, which never goes too far; slopes are below 1, so that each time at
    least two thirds of it are gone.
    """
    height = 1.0
    for _ in range(60):
        height -= min(distance(triangles, x + (0.0, 0.0, height)) for x in ends) - radius + DEPTH
    return height


def contacts(heights: np.ndarray, body: ct.RigidBody, outline: ct.Outline, first: bool) -> np.ndarray:
    """Points of a first, tiny step; ``first``: the field is A of the pair."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    field = ct.OutlineHeightField("land", heights=tuple(map(tuple, heights.tolist())), spacing=tuple(SPACING.tolist()))
    if first:
        system.add(field)
    system.add(body)
    system.add(outline)
    if not first:
        system.add(field)
    system.add(ct.Collisions("collisions", allowed_overlap=1.0))
    system.add(ct.HardContact("law", restitution=0.01))
    session = Session(system, RunSettings(duration=1.0, method="moreau", step=1e-9))
    session.advance(np.array([0.0, 1e-9]))
    t = session.workspace.contacts.tables
    return t.contacts[: t.head[0].points].copy()


def upward(row: np.ndarray, first: bool) -> tuple[np.ndarray, np.ndarray]:
    """Normal from the ground to the body, and the place on the body's surface from its centre."""
    assert (row["a"] == 0) == first
    return (row["normal"], row["arm_b"]) if first else (-row["normal"], row["arm_a"])


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_a_ball_meets_the_nearest_place_of_a_field(seed: int, first: bool) -> None:
    """On a face, a ridge or a peak: the least gap is the distance of all triangles; others are faces, not deeper."""
    heights, triangles = land(seed)
    radius = 0.35
    place = np.append(np.random.default_rng(seed).uniform(-0.9, 0.9, 2), 0.0)
    place[2] += lowered(triangles, place[None], radius)
    body = ct.RigidBody("b", 1.0, (1.0,) * 3, position=tuple(place.tolist()))
    rows = contacts(heights, body, ct.OutlineSphere("o", "b", radius=radius), first)
    assert distance(triangles, place) - radius == pytest.approx(-DEPTH, abs=1e-12)
    assert rows["gap"].min() == pytest.approx(-DEPTH, abs=1e-9)
    for row in rows:
        normal, arm = upward(row, first)
        assert arm == pytest.approx(-radius * normal, abs=1e-9)  # the ball's own surface
        foot = place + arm - row["gap"] * normal
        assert distance(triangles, foot) < 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_a_capsule_lies_on_its_ends(seed: int) -> None:
    heights, triangles = land(seed)
    radius, half = 0.2, 0.5
    turn = Rotation.from_euler("xz", [np.pi / 2, 0.7 * seed])
    axis = turn.apply((0.0, 0.0, 1.0))
    ends = np.array([half * axis, -half * axis])
    height = lowered(triangles, ends, radius)
    x, y, z, w = turn.as_quat()
    body = ct.RigidBody("b", 1.0, (1.0,) * 3, position=(0.0, 0.0, height), orientation=(w, x, y, z))
    rows = contacts(heights, body, ct.OutlineCapsule("o", "b", radius=radius, half_length=half), True)
    assert rows["gap"].min() == pytest.approx(-DEPTH, abs=1e-9)
    for row in rows:
        normal, arm = upward(row, True)
        assert np.abs(arm + radius * normal - ends).max(axis=1).min() < 1e-9


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("kind", ["box", "polyhedron"])
@pytest.mark.parametrize("seed", range(9))
def test_corners_stand_on_the_triangles_below_them(seed: int, kind: str, first: bool) -> None:
    """Gap of a corner: its distance from the plane of the triangle below it, for all corners below or near."""
    heights, triangles = land(seed)
    half = np.array([0.3, 0.25, 0.2])
    corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * half
    turn = Rotation.random(random_state=seed)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)

    def gaps(place: np.ndarray) -> np.ndarray:
        """Corner from the centre, normal and gap, for every corner that is over the field."""
        found = []
        ways = np.roll(triangles, -1, axis=1) - triangles
        for corner in place + turn.apply(corners):
            arms = corner - triangles
            sides = ways[:, :, 0] * arms[:, :, 1] - ways[:, :, 1] * arms[:, :, 0]
            for k in np.flatnonzero((sides >= 0.0).all(axis=1))[:1]:
                found.append([*(corner - place), *normals[k], (corner - triangles[k, 0]) @ normals[k]])
        return np.array(found)

    middle = ((0.0, 0.0), (0.95, 1.2), (-0.95, -1.2))[seed % 3]  # also in the first and the last cells
    place = np.append(middle + np.random.default_rng(seed).uniform(-0.1, 0.1, 2), 0.5)
    for _ in range(4):  # which corner is the deepest may change on the way down
        deepest = min(gaps(place), key=lambda row: row[6])
        place[2] -= (deepest[6] + DEPTH) / deepest[5]
    wanted = gaps(place)
    assert len(wanted) == 8
    reach = NEAR_BY * half.min()  # nothing moves: the thinner half-width is that of the body
    wanted = wanted[wanted[:, 6] < reach]
    if kind == "box":
        outline = ct.OutlineBox("o", "b", half_lengths=tuple(half))
    else:
        outline = ct.OutlinePolyhedron("o", "b", points=[tuple(c) for c in corners.tolist()])
    x, y, z, w = turn.as_quat()
    body = ct.RigidBody("b", 1.0, (1.0,) * 3, position=tuple(place.tolist()), orientation=(w, x, y, z))
    rows = contacts(heights, body, outline, first)
    found = np.array([[*upward(row, first)[1], *upward(row, first)[0], row["gap"]] for row in rows])
    assert len(found) == len(wanted)
    order = [np.lexsort(item[:, :3].round(6).T) for item in (found, wanted)]
    assert found[order[0]] == pytest.approx(wanted[order[1]], abs=1e-9)


def test_beside_a_field_there_is_no_ground() -> None:
    """Grid of 3 m by 3.5 m: a box that hangs over its edge stands on the corners that are over it."""
    heights = np.zeros(COUNT)
    along = [(x, 0.0, count) for x, count in ((1.15, 4), (1.45, 2), (1.75, 2), (1.85, 0), (-1.75, 2), (-1.85, 0))]
    aside = [(0.0, y, count) for y, count in ((1.45, 4), (1.55, 2), (-1.45, 4), (-1.55, 2), (-2.05, 0))]
    for x, y, count in along + aside:
        body = ct.RigidBody("b", 1.0, (1.0,) * 3, position=(x, y, 0.2 - DEPTH))
        rows = contacts(heights, body, ct.OutlineBox("o", "b", half_lengths=(0.3, 0.25, 0.2)), True)
        assert len(rows) == count and rows["gap"] == pytest.approx([-DEPTH] * count, abs=1e-9)

"""Outlines: support functions against brute force, packing, placement on a body, bad input."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from contact_queries import vector
from hypothesis import given, settings
from hypothesis import strategies as st

import centrode as ct
from centrode.errors import InputError
from centrode.math.rotation import frame_from_axis
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.cylinder import OutlineCylinder
from centrode.parts.outlines.ellipsoid import OutlineEllipsoid
from centrode.parts.outlines.height_field import OutlineHeightField
from centrode.parts.outlines.outline import Corners, body_frame, largest_stretch, outline_frame, pack_outlines
from centrode.parts.outlines.plane import OutlinePlane, plane_normal
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.outlines.superellipsoid import (
    OutlineSuperellipsoid,
    superellipsoid_curvature,
    superellipsoid_support,
)
from centrode.parts.outlines.support import support_own, support_world

lengths = st.floats(0.05, 20.0)
directions = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda m: np.linalg.norm(m) > 1e-2)
squareness = st.floats(0.1, 1.9)
CLOUD = np.random.default_rng(1).normal(size=(30, 3))


def surface_points(semi_axes, exponent, count=40_000):
    u = np.random.default_rng(0).normal(size=(count, 3))
    return u / (np.abs(u / np.array(semi_axes)) ** exponent).sum(axis=1)[:, None] ** (1.0 / exponent)


@pytest.mark.parametrize("square", [0.25, 0.4, 1.0, 1.5])
def test_support_of_a_superellipsoid_against_its_surface(square):
    axes = (2.0, 0.8, 0.65)
    row = OutlineSuperellipsoid("s", semi_axes=axes, squareness=square).pack()
    row.rounding, row.semi_axes[:] = 0.0, axes  # the formula itself; outlines have a little of it always
    points = surface_points(axes, 2.0 / square)
    for m in np.random.default_rng(2).normal(size=(10, 3)):
        value, x = superellipsoid_support(row, vector(m))
        best = (points @ m).max()
        # random points miss the maximum by a little, never exceed it
        assert best <= value * (1 + 1e-12) and value - best < 0.02 * value
        assert abs((np.abs(np.array(x) / axes) ** (2.0 / square)).sum() - 1.0) < 1e-10
        assert abs(np.dot(x, m) - value) < 1e-12 * value


@settings(max_examples=300)
@given(st.tuples(lengths, lengths, lengths), squareness, directions)
def test_support_point_lies_on_its_plane_and_inside_all_others(axes, square, m):
    row = OutlineSuperellipsoid("s", semi_axes=axes, squareness=square, rounding=1e-3 * min(axes)).pack()
    value, x = superellipsoid_support(row, vector(m))
    assert abs(np.dot(x, m) - value) <= 1e-11 * value  # Euler: H is homogeneous of degree one
    assert np.linalg.norm(x) <= row.radius * (1 + 1e-12)
    for other in itertools.product((-1.0, 0.3, 1.0), repeat=3):
        assert np.dot(x, other) <= superellipsoid_support(row, vector(other))[0] * (1 + 1e-10)


@settings(max_examples=100)
@given(st.tuples(lengths, lengths, lengths), squareness)
def test_rounding_keeps_the_semi_axes(axes, square):
    row = OutlineSuperellipsoid("s", semi_axes=axes, squareness=square, rounding=1e-3 * min(axes)).pack()
    for i in range(3):
        value = superellipsoid_support(row, vector(np.eye(3)[i]))[0]
        assert abs(value - axes[i]) < 1e-12 * axes[i]


@pytest.mark.parametrize("square", [0.2, 0.4, 1.0, 1.7])
def test_curvature_is_the_derivative_of_the_support_point(square):
    row = OutlineSuperellipsoid("s", squareness=square, rounding=1e-2, semi_axes=(2.0, 0.8, 0.65)).pack()
    for m in np.random.default_rng(3).normal(size=(20, 3)):
        value, x, second, _ = superellipsoid_curvature(row, vector(m))
        np.testing.assert_allclose((value, *x), np.hstack(superellipsoid_support(row, vector(m))), rtol=1e-14)
        h = np.array(second)
        step = 1e-6
        numeric = np.array(
            [
                np.subtract(
                    superellipsoid_support(row, vector(m + step * e))[1],
                    superellipsoid_support(row, vector(m - step * e))[1],
                )
                / (2 * step)
                for e in np.eye(3)
            ]
        )
        # central difference: step^2 times a third derivative of some 1e3, and round-off 1e-16 / step
        np.testing.assert_allclose(h, numeric, atol=1e-6 * max(1.0, np.abs(h).max()))
        assert np.linalg.eigvalsh(h)[0] > -1e-10  # convex


OUTLINES = [
    OutlineSuperellipsoid("superellipsoid", squareness=0.5, semi_axes=(2.0, 0.8, 0.65)),
    OutlineEllipsoid("ellipsoid", semi_axes=(1.0, 0.5, 2.0)),
    OutlineSphere("sphere", radius=0.7),
    OutlineBox("box", half_lengths=(1.0, 0.4, 0.6)),
    OutlineCapsule("capsule", radius=0.3, half_length=0.9),
    OutlinePolyhedron("polyhedron", points=CLOUD),
]


@pytest.mark.parametrize("outline", OUTLINES, ids=lambda item: item.kind)
def test_image_under_any_frame_has_the_support_of_the_image(outline):
    rows, shapes = pack_outlines([outline])
    rng = np.random.default_rng(4)
    frame = body_frame(rng.normal(size=3), np.eye(3) + 0.3 * rng.normal(size=(3, 3)))
    matrix, position = np.array(frame.directors).T, np.array(frame.position)
    for n in rng.normal(size=(20, 3)):
        value, x = support_world(rows[0], shapes, frame, vector(n))
        _, material = support_own(rows[0], shapes, vector(matrix.T @ n))
        np.testing.assert_allclose(x, position + matrix @ material, atol=1e-13)
        assert abs(value - np.dot(x, n)) < 1e-12 * max(1.0, abs(value))
        reach = rows[0].radius * largest_stretch(frame.directors)
        assert np.linalg.norm(np.array(x) - position) <= reach * (1 + 1e-12)


def test_closed_forms_of_support():
    m = np.array([0.3, -0.5, 0.8])
    rows, shapes = pack_outlines(OUTLINES[1:])
    expected = (
        np.sqrt((np.array([1.0, 0.5, 2.0]) ** 2) @ m**2),
        0.7 * np.linalg.norm(m),
        np.array([1.0, 0.4, 0.6]) @ np.abs(m),
        0.9 * 0.8 + 0.3 * np.linalg.norm(m),
        (CLOUD @ m).max(),
    )
    for row, value in zip(rows, expected, strict=True):
        assert abs(support_own(row, shapes, vector(m))[0] - value) < 1e-14


def test_placement_on_a_body():
    turn = frame_from_axis((0.0, 1.0, 1.0))
    outline = OutlineBox("b", half_lengths=(1, 2, 3), centre=(0.5, -0.2, 0.1), rotation=turn)
    body = body_frame((1.0, 2.0, 3.0), frame_from_axis((1.0, 0.0, 1.0)))
    frame = outline_frame(outline.pack(), body)
    matrix = np.array(body.directors).T
    np.testing.assert_allclose(frame.position, body.position + matrix @ (0.5, -0.2, 0.1))
    np.testing.assert_allclose(np.array(frame.directors).T, matrix @ turn, atol=1e-15)


def test_plane_normal_follows_the_axes():
    plane = OutlinePlane("p", rotation=frame_from_axis((1.0, 2.0, -2.0)))
    frame = outline_frame(plane.pack(), body_frame())
    np.testing.assert_allclose(plane_normal(frame.directors), np.array([1, 2, -2]) / 3.0, atol=1e-15)


def test_packing_shares_one_list_of_points():
    rows, shapes = pack_outlines([OUTLINES[5], OUTLINES[3], OUTLINES[5]])
    count = rows[0].count
    assert rows[1].count == 0 and rows[2].first == count and len(shapes.points) == 2 * count
    assert [row.corners for row in rows] == [Corners.POINTS, Corners.BOX, Corners.POINTS]
    assert count < 30  # points inside the hull are dropped


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: OutlineSuperellipsoid("o", semi_axes=(1.0, 0.0, 1.0)), "zero size"),
        (lambda: OutlineSuperellipsoid("o", squareness=0.05, semi_axes=(2.0, 0.8, 0.65)), "too small"),
        (lambda: OutlineSuperellipsoid("o", squareness=2.0, semi_axes=(2.0, 0.8, 0.65)), "too large"),
        (lambda: OutlineSuperellipsoid("o", semi_axes=(1.0, 1.0)), "three"),
        (lambda: OutlineSuperellipsoid("o", semi_axes=(1e-4, 1.0, 1.0)), "rounding too large"),
        (lambda: OutlineSuperellipsoid("o", semi_axes=("a", 1.0, 1.0)), "three"),
        (lambda: OutlineSphere("o", radius=0.0), "positive"),
        (lambda: OutlineEllipsoid("o", semi_axes=(float("nan"), 1, 1)), "zero size"),
        (lambda: OutlineBox("o", half_lengths=(1, -1, 1)), "a negative size"),
        (lambda: OutlineCapsule("o", radius=-1.0, half_length=1.0), "positive"),
        (lambda: OutlineSphere("o"), "'radius' is missing"),
        (lambda: OutlineBox("o"), "'half_lengths' is missing"),
        (lambda: OutlineCapsule("o", radius=1.0), "'half_length' is missing"),
        (lambda: OutlineCylinder("o", half_length=1.0), "'radius' is missing"),
        (lambda: OutlineEllipsoid("o"), "'semi_axes' is missing"),
        (lambda: OutlineSuperellipsoid("o"), "'semi_axes' is missing"),
        (lambda: OutlineHeightField("o", heights=((0.0, 0.0), (0.0, 0.0))), "'spacing' is missing"),
        (lambda: OutlinePolyhedron("o", points=CLOUD[:3]), "at least 4"),
        (lambda: OutlinePolyhedron("o", points=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]), "zero size"),
        (lambda: OutlineBox("o", half_lengths=(1, 1, 1), rotation=np.diag([1.0, 1.0, 2.0])), "not a rotation"),
        (lambda: OutlineBox("o", half_lengths=(1, 1, 1), front=0.0), "positive"),
        (lambda: OutlineBox("", half_lengths=(1, 1, 1)), "needs a name"),
    ],
)
def test_bad_input_is_named(make, words):
    with pytest.raises(InputError, match=words):
        make().pack()


def test_all_faults_of_a_table_come_at_once():
    with pytest.raises(InputError) as caught:
        pack_outlines([OutlineSphere("a", radius=0.0), OutlineBox("b", half_lengths=(0, 1, 1))])
    assert len(caught.value.faults) == 2


@settings(max_examples=60)
@given(st.tuples(lengths, lengths, lengths), st.integers(0, 6))
def test_ellipsoid_keeps_its_curvature_in_planes_of_symmetry(axes, zeros):
    # closed form: H'' = (D - D m m^T D / H^2) / H with D = diag(a^2), also where components of m are exactly zero
    m = np.array([0.0 if zeros >> j & 1 else 0.4 + 0.3 * j for j in range(3)])
    row = OutlineEllipsoid("e", semi_axes=axes).pack()
    value, x, got, _ = superellipsoid_curvature(row, vector(m))
    d = np.array(axes) ** 2
    height = np.sqrt(d @ m**2)
    expected = (np.diag(d) - np.outer(d * m, d * m) / height**2) / height
    np.testing.assert_allclose(got, expected, atol=1e-12 * d.max() / height)
    np.testing.assert_allclose((value, *x), (height, *(d * m / height)), rtol=1e-12, atol=1e-12 * max(axes))


@pytest.mark.parametrize("first", ["ball", "floor"])
def test_what_stands_in_the_ground_is_told_to_move_and_not_the_ground(first):
    system = ct.System()
    system.add(ct.RigidBody("b", 1.0, (0.1, 0.1, 0.1), position=(0.0, 0.0, 0.02)))
    for name in ("ball", "floor") if first == "ball" else ("floor", "ball"):
        system.add(
            OutlineSphere("ball", body="b", radius=0.1) if name == "ball" else ct.OutlinePlane("floor", "ground")
        )
    system.add(ct.Restitution("law", restitution=0.5))
    with pytest.raises(InputError, match=r"0.08 m deep.*move 'b' by at least 0.08 m along \(-?0.000, -?0.000, 1.000\)"):
        ct.simulate(system, duration=0.1)


def test_a_ball_without_inertia_is_told_not_to_roll():
    system = ct.System()
    system.add(ct.RigidBody("b", 1.0, position=(0.0, 0.0, 0.1), velocity=(2.0, 0.0, 0.0)))
    system.add(OutlineSphere("ball", body="b", radius=0.1))
    system.add(ct.OutlinePlane("floor", "ground"))
    for friction, told in ((0.3, True), (0.0, False)):
        system.parts["law"] = ct.Restitution("law", restitution=0.5, friction=friction)
        session = ct.Session(system, duration=0.1)
        assert told == any("does not make them roll" in event.subject for event in session.start_events())

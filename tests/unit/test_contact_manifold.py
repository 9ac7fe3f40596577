"""Contact patches: centroid and second moments of the area where flat sides meet."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from contact_queries import COLD, ROOM_OF_QUERY, placed_on
from contact_queries import flat_frame as body_frame
from scipy.spatial.transform import Rotation

from centrode.dynamics.contact.manifold import manifold
from centrode.dynamics.contact.narrow import find_closest
from centrode.dynamics.contact.search import PATCH_POINT
from centrode.jit import JIT_ON
from centrode.math.rotation import frame_from_axis
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.outline import pack_outlines
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid

CAR = OutlineBox("car", half_lengths=(2.0, 0.8, 0.65))
GROUND = OutlinePlane("ground")


def patch(one, frame_one, two, frame_two):
    rows, shapes = pack_outlines([one, two])
    query = (rows[0], placed_on(rows[0], frame_one), rows[1], placed_on(rows[1], frame_two), *shapes, ROOM_OF_QUERY)
    out = np.zeros(4, PATCH_POINT)
    answer = find_closest(*query, COLD, np.inf)
    count = manifold(*query, answer, out)
    points = np.array([[*point.place, point.depth, point.weight] for point in out[:count]])
    assert abs(points[:, 4].sum() - 1.0) < 1e-14
    return answer, points


def moments(points):
    """Weighted mean and second moments of the points."""
    mean = points[:, 4] @ points[:, :3]
    return mean, (points[:, :3] - mean).T @ ((points[:, :3] - mean) * points[:, 4:5])


def test_aligned_boxes_are_pushed_at_the_middle_of_the_common_face():
    _, points = patch(CAR, body_frame(), CAR, body_frame((3.98, 0.4, 0.1)))
    assert len(points) == 4
    mean, second = moments(points)
    # common face: y from -0.4 to 0.8, z from -0.55 to 0.65
    np.testing.assert_allclose(mean, (1.99, 0.2, 0.05), atol=1e-12)
    np.testing.assert_allclose(np.diag(second)[1:], (1.2**2 / 12, 1.2**2 / 12), atol=1e-12)
    np.testing.assert_allclose(points[:, 3], 0.02, atol=1e-12)


def test_box_on_the_ground_has_the_moments_of_its_base():
    _, points = patch(GROUND, body_frame(), CAR, body_frame((5.0, 1.0, 0.64)))
    mean, second = moments(points)
    np.testing.assert_allclose(mean[:2], (5.0, 1.0), atol=1e-12)
    np.testing.assert_allclose(np.diag(second)[:2], (16.0 / 12, 1.6**2 / 12), atol=1e-12)
    np.testing.assert_allclose(points[:, 3], 0.01, atol=1e-12)


def test_swapped_pair_has_the_same_patch():
    tilt = Rotation.from_euler("xyz", (0.004, -0.006, 0.4)).as_matrix()
    _, one = patch(CAR, body_frame(), CAR, body_frame((0.3, 0.1, 1.28), tilt))
    _, two = patch(CAR, body_frame((0.3, 0.1, 1.28), tilt), CAR, body_frame())
    for a, b in zip(moments(one), moments(two), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_tilted_box_presses_where_it_is_deep():
    # a linear depth over the base: the mean depth and the moment follow from the wedge
    tilt = 0.002
    matrix = Rotation.from_euler("y", tilt).as_matrix()
    _, points = patch(GROUND, body_frame(), CAR, body_frame((0.0, 0.0, 0.645), matrix))
    # the base falls by 2 sin(tilt) = 0.004 towards +x, less than the mean depth: all of it is wet
    depth = points[:, 4] @ points[:, 3]
    assert abs(depth - (0.65 * np.cos(tilt) - 0.645)) < 1e-12  # a linear depth has its mean at the centre of the base
    lever = points[:, 4] @ (points[:, 3] * points[:, 0])
    # mean of depth * x: at the centre of the base, plus slope times the second moment of its shadow
    expected = -depth * 0.65 * np.sin(tilt) + np.tan(tilt) * 16.0 / 12 * np.cos(tilt) ** 2
    assert abs(lever - expected) < 1e-12


def test_patch_is_continuous_when_the_box_turns():
    means = []
    for yaw in np.linspace(0.0, np.pi / 2, 400):
        _, points = patch(
            CAR, body_frame(), CAR, body_frame((0.2, 0.1, 1.29), Rotation.from_euler("z", yaw).as_matrix())
        )
        means.append(moments(points)[0])
    # a turn of 4 mrad moves corners 2 m away by 8 mm at most
    assert np.abs(np.diff(means, axis=0)).max() < 0.01


def test_partly_submerged_face_counts_only_where_it_overlaps():
    # 0.04 rad, within the flat slope: the base dips 0.08 m on one side; only a strip is below the ground
    tilt = 0.04
    matrix = Rotation.from_euler("y", tilt).as_matrix()
    lowest = 0.65 * np.cos(tilt) + 2.0 * np.sin(tilt)
    _, points = patch(GROUND, body_frame(), CAR, body_frame((0.0, 0.0, lowest - 0.01), matrix))
    mean, _ = moments(points)
    strip = 0.01 / np.tan(tilt)  # length of the wet strip along x
    assert abs(mean[0] - (2.0 * np.cos(tilt) - 0.65 * np.sin(tilt) - 0.5 * strip)) < 2e-3
    assert points[:, 3].max() <= 0.0101


def test_capsule_lying_on_the_ground_is_a_line_and_standing_a_point():
    capsule = OutlineCapsule("c", radius=0.3, half_length=0.9)
    lying = Rotation.from_euler("y", np.pi / 2).as_matrix()
    _, points = patch(GROUND, body_frame(), capsule, body_frame((1.0, 2.0, 0.29), lying))
    mean, second = moments(points)
    np.testing.assert_allclose(mean[:2], (1.0, 2.0), atol=1e-12)
    np.testing.assert_allclose(second[:2, :2], [[1.8**2 / 12, 0.0], [0.0, 0.0]], atol=1e-12)
    _, points = patch(GROUND, body_frame(), capsule, body_frame((1.0, 2.0, 1.19)))
    np.testing.assert_allclose(moments(points)[1][:2, :2], 0.0, atol=1e-12)
    np.testing.assert_allclose(points[0, 3], 0.01, atol=1e-12)


def test_crossed_and_parallel_capsules():
    capsule = OutlineCapsule("c", radius=0.3, half_length=0.9)
    lying = Rotation.from_euler("y", np.pi / 2).as_matrix()
    _, points = patch(capsule, body_frame((0, 0, 0), lying), capsule, body_frame((0.5, 0.0, 0.59), lying))
    mean, second = moments(points)
    np.testing.assert_allclose(mean[0], 0.25, atol=1e-9)  # common length from -0.4 to 0.9
    np.testing.assert_allclose(second[0, 0], 1.3**2 / 12, atol=1e-9)
    across = Rotation.from_euler("x", np.pi / 2).as_matrix()
    _, points = patch(capsule, body_frame((0, 0, 0), lying), capsule, body_frame((0.5, 0.1, 0.59), across))
    assert len(points) == 1
    np.testing.assert_allclose(points[0, :2], (0.5, 0.0), atol=1e-6)


def test_polyhedron_of_box_corners_has_the_patch_of_the_box():
    corners = np.array(list(itertools.product((-2.0, 2.0), (-0.8, 0.8), (-0.65, 0.65))))
    hull = OutlinePolyhedron("h", points=corners)
    frame = body_frame((0.3, 0.1, 1.28), Rotation.from_euler("z", 0.4).as_matrix())
    for a, b in zip(
        moments(patch(CAR, body_frame(), CAR, frame)[1]), moments(patch(CAR, body_frame(), hull, frame)[1]), strict=True
    ):
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_capsule_lying_on_a_box_is_a_line_cut_to_the_box():
    capsule = OutlineCapsule("c", radius=0.3, half_length=0.9)
    lying = Rotation.from_euler("y", np.pi / 2).as_matrix()
    # the axis from 0.8 to 2.6 along x, the box ends at 2: the line from 0.8 to 2 touches
    _, points = patch(CAR, body_frame(), capsule, body_frame((1.7, 0.2, 0.94), lying))
    mean, second = moments(points)
    assert abs(second[1, 1]) < 1e-12  # a line has no width
    np.testing.assert_allclose(mean, (1.4, 0.2, 0.645), atol=1e-12)
    np.testing.assert_allclose(second[0, 0], 1.2**2 / 12, atol=1e-12)
    np.testing.assert_allclose(points[:, 3], 0.01, atol=1e-12)
    # turned about the vertical: still a line, now along its own axis
    turned = Rotation.from_euler("z", 0.7).as_matrix() @ lying
    _, points = patch(CAR, body_frame(), capsule, body_frame((0.0, 0.0, 0.94), turned))
    mean, second = moments(points)
    np.testing.assert_allclose(mean[:2], (0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(np.linalg.eigvalsh(second)[-1], 1.8**2 / 12, atol=1e-12)


def prism(sides, radius, half_height, name):
    """A regular prism as a polyhedron, axis along z."""
    angles = 2 * np.pi * np.arange(sides) / sides
    ring = [(radius * np.cos(a), radius * np.sin(a)) for a in angles]
    return OutlinePolyhedron(name, points=tuple((x, y, z) for x, y in ring for z in (-half_height, half_height)))


@pytest.mark.parametrize("yaw", [0.0, 0.3, np.pi / 6])
def test_polyhedron_on_polyhedron_has_the_moments_of_the_smaller_face(yaw):
    # square of the radius of gyration of a regular polygon about any axis in its plane: R^2 (2 + cos(2 pi/n)) / 12
    top = prism(6, 0.5, 0.3, "top")
    _, points = patch(
        prism(8, 1.0, 0.2, "base"),
        body_frame(),
        top,
        body_frame((0.1, 0.05, 0.498), Rotation.from_euler("z", yaw).as_matrix()),
    )
    mean, second = moments(points)
    np.testing.assert_allclose(mean, (0.1, 0.05, 0.199), atol=1e-12)
    radius2 = 0.25 * (2 + np.cos(np.pi / 3)) / 12
    np.testing.assert_allclose(np.linalg.eigvalsh(second)[1:], (radius2, radius2), atol=1e-12)
    np.testing.assert_allclose(points[:, 3], 0.002, atol=1e-12)


@pytest.mark.parametrize("other", [CAR, GROUND])
def test_smooth_outlines_and_separated_pairs_have_one_point(other):
    smooth = OutlineSuperellipsoid("s")
    frame = body_frame((0, 0, 0.6)) if other is GROUND else body_frame((3.95, 0, 0))
    answer, points = patch(other, body_frame(), smooth, frame)
    assert len(points) == 1
    assert abs(points[0, 3] + answer.gap) < 1e-9
    _, points = patch(CAR, body_frame(), CAR, body_frame((5.0, 0, 0)))
    assert len(points) == 1


def test_wall_to_the_front_of_a_box():
    wall = OutlinePlane("wall", centre=(10, 0, 0), rotation=frame_from_axis((-1, 0, 0)))
    _, points = patch(CAR, body_frame((8.01, 0.5, 0.0)), wall, body_frame())
    np.testing.assert_allclose(moments(points)[0], (10.005, 0.5, 0.0), atol=1e-12)
    np.testing.assert_allclose(points[:, 3], 0.01, atol=1e-12)


TABLE = OutlineBox("table", half_lengths=(1.0, 0.7, 0.2))
BRICK = OutlineBox("brick", half_lengths=(0.5, 0.3, 0.1))
GEM = OutlinePolyhedron("gem", points=np.array(list(itertools.product((-0.5, 0.5), (-0.3, 0.3), (-0.1, 0.1)))))
ROD = OutlineCapsule("rod", radius=0.1, half_length=0.6)


def push(one, two, frame):
    """Force and moment about the origin of a spring of 1 N/m on the patch of ``one`` at rest and ``two``."""
    answer, points = patch(one, body_frame(), two, frame)
    force = points[:, 4] @ np.maximum(points[:, 3], 0.0)
    arm = (points[:, 4] * np.maximum(points[:, 3], 0.0)) @ points[:, :3]
    return np.array([*(force * np.array(answer.normal)), *arm])


@pytest.mark.skipif(not JIT_ON, reason="a thousand queries per case need compiled kernels")
@pytest.mark.parametrize("one", [GROUND, TABLE], ids=lambda part: part.name)
@pytest.mark.parametrize("two", [BRICK, GEM, ROD], ids=lambda part: part.name)
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.8, 0.0), (0.3, -0.5, 0.2)])
def test_force_does_not_jump_while_a_side_tilts_to_its_edge(one, two, axis):
    """Tilted from lying flat to standing on edge or corner at the same depth, force and moment move in steps that
    shrink with those of the angle: a jump, of 2.5 mm as a rule, would stay. W changes by at most 1.5 * step / 0.03, so
    a side of 1.2 m at a slope of 0.05 gains at most half of 0.05 * 1.2 m times that in depth.
    """
    step = 2e-4
    allowed = 0.5 * 0.05 * 1.2 * 1.5 * step / 0.03
    axis = np.array(axis) / np.linalg.norm(axis)
    lying = Rotation.from_euler("y", np.pi / 2) if two is ROD else Rotation.identity()
    seen = []
    for angle in np.arange(-0.1, 0.1, step):
        turn = (Rotation.from_rotvec(angle * axis) * lying).as_matrix()
        top = 0.0 if one is GROUND else 0.2
        if two is ROD:
            low = 0.1 + 0.6 * abs(turn[2, 2])
        else:
            low = float(np.abs(turn[2]) @ np.array(BRICK.half_lengths))
        seen.append(push(one, two, body_frame((0.1, 0.05, top + low - 0.005), turn)))
    steps = np.abs(np.diff(seen, axis=0)).max(axis=0)
    assert steps.max() < allowed


def test_edges_level_to_round_off_do_not_flicker():
    """Two boxes meet edge on edge, both edges perpendicular to the normal: which end counts as the support point is
    decided by round-off, and must not matter. Poses 1e-9 apart may move force (5 mm deep) by no more than the depth.
    """
    tilt = Rotation.from_euler("y", 0.2).as_matrix()
    seen = []
    for k in range(200):
        turn = Rotation.from_euler("zx", (0.7, 0.2 + 1e-9 * k)).as_matrix()
        rows = patch(BRICK, body_frame((0, 0, 0), tilt), BRICK, body_frame((0.52, 0.02, 0.16), turn))
        if rows[0][0] < 0.0:
            seen.append(rows[1][:, 4] @ rows[1][:, 3])
    assert len(seen) == 200
    assert np.abs(np.diff(seen)).max() < 1e-8

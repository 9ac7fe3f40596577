"""Slices of a body in the plane of a strip against linear programming: depth, place, and which planes move it.

Equation (1) of the columns, d = max over t of f(t) - b |t - t_i| - s_i, is the greatest z with z <= s - b (t - t_i),
z <= s + b (t - t_i) over all (t, s) of the other solid in the region of the strip: a linear programme, whose
multipliers are how d grows with the offset of each plane, k_1 and k_2 of (2).
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from crush_scene import HALF, Crush
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

from centrode.dynamics.contact.columns import cells_under, held_share, is_open, pressing_normal
from centrode.dynamics.contact.ends import band_in, near_planes
from centrode.dynamics.contact.slices import (
    cut_strip,
    deepest_at,
    extents_in,
    reaches,
    side_of,
    solid_in,
    span_along,
)
from centrode.dynamics.contact.strip_tables import Side

SIDES = {Side.FRONT: (1, 0, 0), Side.REAR: (-1, 0, 0), Side.LEFT: (0, 1, 0), Side.RIGHT: (0, -1, 0)}
POST, WALL = (0.3, 0.2, 0.8), (0.4, 6.0, 3.0)


def box_planes(half, place, axes):
    """Planes n . x <= o of a box in the world, shape (6, 4)."""
    normals = np.array([sign * axes[:, k] for k in range(3) for sign in (1.0, -1.0)])
    offsets = [normal @ place + half[k // 2] for k, normal in enumerate(normals)]
    return np.column_stack([normals, offsets])


def hit(side, half, seed, yaw):
    """A block in a side of a car that stands anywhere in the world: scene, strip, its planes in axes of the car."""
    rng = np.random.default_rng(seed)
    scene = Crush(half, cell=0.25 if half is WALL else 0.08)
    out = np.array(SIDES[side], dtype=float)
    axes = Rotation.from_euler("z", math.atan2(out[1], out[0])) * Rotation.from_rotvec(
        (*rng.uniform(-0.03, 0.03, 2), rng.uniform(-yaw, yaw))
    )
    deep = rng.uniform(0.1, 0.3)
    face = np.abs(out) @ HALF
    # the nearest corner of a post stands so deep, the middle of a wall's face
    reach = half[0] / abs(axes.as_matrix()[:, 0] @ out) if half is WALL else np.abs(axes.as_matrix().T @ out) @ half
    aside = np.array((-out[1], out[0], 0.0)) * (0.0 if half is WALL else rng.uniform(-0.4, 0.4))
    place = out * (face + reach - deep) + aside
    world, shift = Rotation.random(random_state=rng), rng.normal(size=3) * 5.0
    scene.place("car", shift, world.as_rotvec())
    scene.place("block", shift + world.apply(place), (world * axes).as_rotvec())
    strip = scene.t.strips[scene.t.solids[scene.own["car"]].of_side[side]]
    return scene, strip, box_planes(half, place, axes.as_matrix()), world.as_matrix()


def slope_of(scene, strip, height, plane, cell):
    """How the depth of a column grows with the offset of a plane, over 2e-7; the slice is cut anew at a height."""
    depths = []
    for step in (1e-7, -1e-7, 0.0):
        scene.t.dies[plane].offset += step
        planes = 6, near_planes(scene.block.address, strip)
        slice_ = scene.t.slices[cut_strip(scene.block.address, strip, height, planes)]
        depths.append(deepest_at(scene.block.address, strip, slice_, cell.along, cell.start)[0])
        scene.t.dies[plane].offset -= step
    return (depths[0] - depths[1]) / 2e-7


def programme(strip, planes, height, place, start):
    """Greatest z of the head of the file: depth, (t, s), multipliers of the planes and of the strip's own lines."""
    along, across, inward = strip.along, strip.across, strip.inward
    body = np.column_stack([planes[:, :3] @ along, planes[:, :3] @ inward, np.zeros(len(planes))])
    limits = planes[:, 3] - height * (planes[:, :3] @ across)
    slant = strip.inset / strip.length
    middle = np.array((slant, -slant)) * strip.outer
    region = np.array([[-1.0, slant, 0.0], [1.0, slant, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    ends = [-strip.low + middle[0], strip.high + middle[0], -strip.outer, strip.outer + strip.length]
    cone = np.array([[strip.beam, -1.0, 1.0], [-strip.beam, -1.0, 1.0]])
    found = linprog(
        (0, 0, -1),
        A_ub=np.vstack([body, region, cone]),
        b_ub=[*limits, *ends, strip.beam * place, -strip.beam * place],
        bounds=[(None, None)] * 3,
        method="highs",
    )
    if found.status != 0:
        return None
    return found.x[2] - start, found.x[:2], -found.ineqlin.marginals[: len(planes)], -found.ineqlin.marginals[6:10]


CASES = [(side, half, seed) for side, half, seed in itertools.product(SIDES, (POST, WALL), range(3))]


@pytest.mark.parametrize(("side", "half", "seed"), CASES, ids=str)
def test_depth_of_a_column_and_what_moves_it_are_those_of_a_linear_programme(side, half, seed):
    """A post with any yaw, and a wall that the beam can follow: its slope, tan 0.8, is below 2. A wall that cuts off
    more of a side than it pushes in belongs to front or rear, so there it turns by less.
    """
    turns = 3.0 if half is POST else (0.8 if side in (Side.FRONT, Side.REAR) else 0.03)
    scene, strip, planes, world = hit(side, half, seed, turns)
    own, other = scene.own["car"], scene.own["block"]
    count = solid_in(scene.block.address, own, other)
    assert count == 6
    # the planes of the other body in the car's axes; order of faces is that of the solid
    dies = scene.t.dies[:count]
    order = [int(np.abs(planes - np.append(die.normal, die.offset)).sum(axis=1).argmin()) for die in dies]
    assert sorted(order) == list(range(6))
    planes = planes[order]
    np.testing.assert_allclose(np.column_stack([dies["normal"], dies["offset"]]), planes, atol=1e-13)
    np.testing.assert_allclose(dies["world"], planes[:, :3] @ world.T, atol=1e-13)
    extents = extents_in(scene.block.address, own, other)
    near = near_planes(scene.block.address, strip)
    height, width, ends = band_in(scene.block.address, strip, near)
    # the block is higher than the band: cut in the middle of the band, over all of it
    assert (height, width) == pytest.approx((strip.height, strip.band), abs=1e-13)
    assert np.abs([push for _, push in ends]).max() < 1e-12
    assert reaches(strip, extents)
    now = cut_strip(scene.block.address, strip, height, (count, near))
    slice_ = scene.t.slices[now]
    assert is_open(slice_)
    met = 0
    first, last = cells_under(strip, slice_)
    for c in range(strip.first, strip.first + strip.cells):
        cell = scene.t.cells[c]
        depth, where, what, k_1, k_2 = deepest_at(scene.block.address, strip, slice_, cell.along, cell.start)
        expected, place, shares, lines = programme(strip, planes, height, cell.along, cell.start)
        if strip.inset > 0.0 and np.abs(lines).max() > 1e-9:
            # A side ends on its diagonals, which press nothing; nor does what makes a column shallower on its way in.
            assert depth <= max(expected, 0.0) + 1e-9
            for plane, share in zip(what, (k_1, k_2), strict=True):
                if plane >= 0 and depth > 1e-6:
                    assert share == pytest.approx(max(slope_of(scene, strip, height, plane, cell), 0.0), abs=1e-6)
            continue
        assert depth == pytest.approx(max(expected, 0.0), abs=1e-9)  # HiGHS: feasible to 1e-9 or so
        if depth <= 1e-6:
            continue
        met += 1
        assert first <= c < last
        np.testing.assert_allclose(where, place, atol=1e-7)
        found = np.zeros(len(planes))
        for plane, share in zip(what, (k_1, k_2), strict=True):
            if plane >= 0:
                found[plane] += share
        np.testing.assert_allclose(found, shares, atol=1e-7)
        # k_1 n_1 + k_2 n_2 in the world; along a column it is 1: what goes in by a length makes it so much deeper
        normal, slope, main = pressing_normal(scene.block.address, what, (k_1, k_2), tuple(strip.across))
        assert slope == pytest.approx(-found @ planes[:, :3] @ strip.across, abs=1e-12)
        np.testing.assert_allclose(normal, found @ dies["world"], atol=1e-12)
        assert main >= 0 and found[main] == found.max()
        assert np.dot(normal, world @ strip.inward) == pytest.approx(1.0, abs=1e-9)
    assert met >= 2


@pytest.mark.parametrize("seed", range(8))
def test_slices_are_where_the_planes_meet(seed):
    """Corners of a slice lie on the two edges beside them and inside of all; its area is that of Monte Carlo."""
    rng = np.random.default_rng(seed)
    side = list(SIDES)[seed % 4]
    scene, strip, planes, _ = hit(side, POST, seed, 3.0)
    count = solid_in(scene.block.address, scene.own["car"], scene.own["block"])
    listed = count, near_planes(scene.block.address, strip)
    slice_ = scene.t.slices[cut_strip(scene.block.address, strip, strip.height, listed)]
    corners = np.column_stack([slice_.along, slice_.deep])[: slice_.count]
    points = np.outer(corners[:, 0], strip.along) + np.outer(corners[:, 1], strip.inward) + strip.height * strip.across
    beyond = points @ planes[:, :3].T - planes[:, 3]
    assert beyond.max() < 1e-12
    assert (corners[:, 1] >= strip.outer - 1e-12).all()
    after = np.roll(corners, -1, axis=0)
    area = 0.5 * np.sum(corners[:, 0] * after[:, 1] - corners[:, 1] * after[:, 0])
    assert area > 0.0  # anticlockwise
    for k in range(slice_.count):
        if slice_.edge[k] >= 0:
            die = scene.t.dies[slice_.edge[k]]
            for corner in (points[k], points[(k + 1) % slice_.count]):
                assert die.normal @ corner == pytest.approx(die.offset, abs=1e-12)
    low, high = corners.min(axis=0), corners.max(axis=0)
    tries = rng.uniform(low, high, (20000, 2))
    at = np.outer(tries[:, 0], strip.along) + np.outer(tries[:, 1], strip.inward) + strip.height * strip.across
    inside = (at @ planes[:, :3].T <= planes[:, 3]).all(axis=1).mean()
    # three standard deviations of a share of 20000 trials are at most 0.0107
    assert area / np.prod(high - low) == pytest.approx(inside, abs=0.0107)


@pytest.mark.parametrize("seed", range(6))
def test_extents_are_those_of_the_corners(seed):
    rng = np.random.default_rng(seed)
    half = tuple(rng.uniform(0.2, 2.0, 3))
    scene = Crush(half)
    turns, places = Rotation.random(2, random_state=rng), rng.normal(size=(2, 3))
    scene.place("car", places[0], turns[0].as_rotvec())
    scene.place("block", places[1], turns[1].as_rotvec())
    corners = np.array(list(itertools.product((-1, 1), repeat=3))) * half
    seen = turns[0].inv().apply(turns[1].apply(corners) + places[1] - places[0])
    found = extents_in(scene.block.address, scene.own["car"], scene.own["block"])
    np.testing.assert_allclose(found, np.column_stack([seen.min(axis=0), seen.max(axis=0)]), atol=1e-13)
    for axis in np.vstack([np.eye(3), -np.eye(3)]):
        low, high = span_along(found, tuple(axis))
        assert (low, high) == pytest.approx(((seen @ axis).min(), (seen @ axis).max()), abs=1e-13)
    for strip in scene.t.strips:  # a body that has no corner beyond the planes of a region does not reach it
        ends = {"along": (strip.low, strip.high), "across": strip.height + 0.5 * strip.band * np.array((-1, 1))}
        ends["inward"] = (strip.outer, strip.outer + strip.length)
        spans = {name: seen @ strip[name] for name in ends}
        meets = all(span.max() >= ends[name][0] and span.min() <= ends[name][1] for name, span in spans.items())
        assert reaches(strip, found) == meets


def test_side_of_a_normal_is_that_of_its_greatest_part():
    for k, (axis, sign) in enumerate(itertools.product(range(3), (1.0, -1.0))):
        for aside in np.random.default_rng(k).uniform(-0.9, 0.9, (20, 3)):
            aside[axis] = sign
            assert side_of(tuple(aside)) == k


def test_an_end_lets_go_of_what_comes_in_beside_its_corner():
    """With the width w before the end: held down to w^3 / hook^2 / 2, let go from w^3 / hook^2 on, half in between."""
    scene = Crush((0.3, 0.5, 3.0), cell=0.25)
    front = scene.t.strips[scene.t.solids[scene.own["car"]].of_side[0]]
    w = 0.1
    whole = w**3 / front.hook**2
    held = []
    for deep in (0.3 * whole, 0.49 * whole, whole / 1.5, 1.01 * whole):
        scene.place("block", (HALF[0] + 0.3 - deep, HALF[1] + 0.5 - w, 0.0))
        count = solid_in(scene.block.address, scene.own["car"], scene.own["block"])
        planes = count, near_planes(scene.block.address, front)
        slice_ = scene.t.slices[cut_strip(scene.block.address, front, front.height, planes)]
        held.append(held_share(front, slice_, 0.0))
    assert held == pytest.approx([1.0, 1.0, 0.5, 0.0], abs=1e-9)
    assert held_share(front, slice_, 0.6 * whole) == 1.0  # what came in from aside does not count

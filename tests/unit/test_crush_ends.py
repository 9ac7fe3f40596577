"""Where the other body ends in the band of a strip, against linear programming; rates of depths against differences.

A strip is cut in the middle of what stands in its band. The middle goes with the ends of the other body, and so do the
depths: their rates, and the forces that do their work, have parts at those ends.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from crush_scene import HALF, Crush
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

from centrode.dynamics.contact.columns import climbing, pressing_normal
from centrode.dynamics.contact.ends import TILT, band_in, near_planes
from centrode.dynamics.contact.forces import relative_motion
from centrode.dynamics.contact.slices import cut_strip, deepest_at, solid_in
from centrode.parts.outlines.outline import frame_at, point_of

BLOCKS = {"bar": (1.0, 0.15, 0.12), "plate": (0.6, 0.5, 0.02), "cube": (0.4, 0.4, 0.3), "tall": (0.5, 0.1, 0.9)}
SIDES = range(6)


def random_pose(rng, half, side):
    """A block that stands in a side of a box of half lengths HALF, turned by up to 0.5 rad about any axis."""
    axis, sign = divmod(side, 2)
    out = np.eye(3)[axis] * (1.0 - 2.0 * sign)
    axes = Rotation.from_rotvec(rng.uniform(-0.5, 0.5, 3))
    reach = np.abs(axes.as_matrix()[axis]) @ half
    place = rng.uniform(-0.5, 0.5, 3) * HALF
    place[axis] = 0.0
    return place + out * (HALF[axis] + reach - rng.uniform(0.05, 0.35)), axes


def ends_by_programme(scene, strip, count):
    """Least and greatest height of the other body in the region and band of a strip; None: nothing stands there."""
    dies, slant = scene.t.dies[:count], strip.inset / strip.length
    limits = np.vstack([
        dies["normal"], -strip.inward, strip.inward, strip.along + slant * strip.inward,
        slant * strip.inward - strip.along, strip.across, -strip.across,
    ])  # fmt: skip
    offsets = [
        *dies["offset"], -strip.outer, strip.outer + strip.length, strip.high + slant * strip.outer,
        slant * strip.outer - strip.low, strip.height + 0.5 * strip.band, 0.5 * strip.band - strip.height,
    ]  # fmt: skip
    found = [
        linprog(sign * strip.across, A_ub=limits, b_ub=offsets, bounds=[(None, None)] * 3, method="highs")
        for sign in (1.0, -1.0)
    ]
    if any(item.status != 0 for item in found):
        return None
    return found[0].fun, -found[1].fun


@pytest.mark.parametrize(("name", "side"), list(itertools.product(BLOCKS, SIDES)))
def test_a_strip_is_cut_in_the_middle_of_what_stands_in_its_region(name, side):
    """TILT lowers ends by up to itself times the 4 m of the box; HiGHS is feasible to 1e-7."""
    rng = np.random.default_rng(side)
    scene = Crush(BLOCKS[name], cell=0.05, strips=2)
    met = 0
    for _ in range(12):
        place, axes = random_pose(rng, BLOCKS[name], side)
        scene.place("block", place, axes.as_rotvec())
        count = solid_in(scene.block.address, scene.own["car"], scene.own["block"])
        first = scene.t.solids[scene.own["car"]].of_side[side]
        for strip in scene.t.strips[first : first + 2]:
            expected = ends_by_programme(scene, strip, count)
            height, width, ends = band_in(scene.block.address, strip, near_planes(scene.block.address, strip))
            if expected is None or expected[1] - expected[0] < 1e-4:
                assert width <= strip.cell
                continue
            met += 1
            assert height == pytest.approx(0.5 * sum(expected), abs=4.0 * TILT + 1e-7)
            assert width == pytest.approx(max(expected[1] - expected[0], strip.cell), abs=8.0 * TILT + 1e-7)
            beyond = np.array([x for x, _ in ends]) @ scene.t.dies[:count]["normal"].T - scene.t.dies[:count]["offset"]
            assert beyond.max() < 1e-10
    assert met >= 3


@pytest.mark.parametrize("name", BLOCKS)
def test_ends_found_from_those_before_have_the_bytes_of_ends_found_afresh(name):
    """A block goes through a side in small steps, turns as it goes, and jumps now and then."""
    rng = np.random.default_rng(3)
    scene = Crush(BLOCKS[name], cell=0.05, strips=2)
    address, own, other = scene.block.address, scene.own["car"], scene.own["block"]
    first = scene.t.solids[own].of_side[2]
    strips = scene.t.strips[first : first + 2]
    kept, met = 0, 0
    for _ in range(12):
        place, axes = random_pose(rng, BLOCKS[name], 2)
        going, turning = rng.normal(size=(2, 3)) * 0.3
        for k in range(8):
            scene.place(
                "block", place + 0.01 * k * going, (Rotation.from_rotvec(0.01 * k * turning) * axes).as_rotvec()
            )
            solid_in(address, own, other)
            for strip in strips:
                near = near_planes(address, strip)
                known = strip.corners.copy()
                found = band_in(address, strip, near)
                kept += int((strip.corners[[0, 2]] == known[[0, 2]]).all())
                met += int(found[1] > 0.0)
                strip.corners = 0
                assert band_in(address, strip, near) == found
    assert kept > 0.5 * met > 20  # most steps begin where they end


def depths_of(scene, strip):
    """Depths of the columns of a strip, and their rates from the motions of the bodies; nan where a plane that would
    have to pull is left out (:func:`deepest_at`): where sides, roof and floor end on diagonals, beside bodies that
    lean."""
    address, own, other = scene.block.address, scene.own["car"], scene.own["block"]
    count = solid_in(address, own, other)
    near = near_planes(address, strip)
    height, width, ends = band_in(address, strip, near)
    depths, rates = np.zeros(strip.cells), np.zeros(strip.cells)
    now = cut_strip(address, strip, height, (count, near)) if width > 0.0 else -1
    if now < 0:
        return depths, rates
    frame = frame_at(scene.t.placed[own])
    bodies, tables = [scene.number[name] for name in ("car", "block")], (scene.t.frames, scene.t.rates)
    motion = [frame_at(rows[k]) for k in bodies for rows in tables]
    here, spread = relative_motion(*motion, frame.position)
    climb, lift = climbing(frame, here, spread, ends)
    assert lift == pytest.approx(np.sum([push for _, push in ends], axis=0), abs=1e-15)
    for k in range(strip.cells):
        cell = scene.t.cells[strip.first + k]
        depths[k], where, planes, k_1, k_2 = deepest_at(address, strip, scene.t.slices[now], cell.along, cell.start)
        n, slope, _ = pressing_normal(address, planes, (k_1, k_2), tuple(strip.across))
        x = point_of(frame, tuple(height * strip.across + where[0] * strip.along + where[1] * strip.inward))
        u = np.array(here) + np.array(spread) @ (np.array(x) - frame.position)
        rates[k] = np.dot(n, u) + slope * climb
        if planes[1] != -1 and min(k_1, k_2) == 0.0:
            rates[k] = np.nan
    return depths, rates


@pytest.mark.parametrize(("name", "side"), list(itertools.product(BLOCKS, SIDES)))
def test_rates_of_depths_are_their_differences(name, side):
    """Blocks of all kinds in all sides, both bodies moving and turning. Where the maximum goes from one corner to the
    next within 2e-7 s the difference is that of neither; else it has the round-off of depths, 1e-15 m, over 2e-7 s,
    and second derivatives of opposite sign, which cancel."""
    rng = np.random.default_rng(10 + side)
    scene = Crush(BLOCKS[name], cell=0.05, strips=2)
    first = scene.t.solids[scene.own["car"]].of_side[side]
    seen, kinks = 0, 0
    for _ in range(12):
        place, axes = random_pose(rng, BLOCKS[name], side)
        world, shift = Rotation.random(random_state=rng), rng.normal(size=3)
        poses = {"car": (shift, world), "block": (shift + world.apply(place), world * axes)}
        motions = {body: rng.normal(size=(2, 3)) * 5.0 for body in poses}

        def look(time, strip, poses=poses, motions=motions):
            for body, (at, turned) in poses.items():
                v, w = motions[body]
                scene.place(body, at + time * v, (Rotation.from_rotvec(time * w) * turned).as_rotvec(), v, w)
            return depths_of(scene, strip)

        for strip in scene.t.strips[first : first + 2]:
            (before, _), (after, _), (depths, rates) = (look(time, strip) for time in (-1e-7, 1e-7, 0.0))
            pressed = (before > 1e-4) & (after > 1e-4) & (depths > 1e-4) & np.isfinite(rates)
            off = np.abs((after - before) / 2e-7 - rates)[pressed]
            seen += len(off)
            kinks += np.count_nonzero(off > 1e-6 * (1.0 + np.abs(rates[pressed])))
    assert seen > 20
    assert kinks <= 0.01 * seen

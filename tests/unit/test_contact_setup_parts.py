"""What contacts are made of and judged by before and after a run: laws of pairs, ways out, roads, cores, passages."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from contact_queries import flat_frame, placed_on
from crush_scene import Crush
from scipy.spatial.transform import Rotation

import centrode as ct
from centrode.dynamics.contact import cores, setup
from centrode.dynamics.contact.contacts import DEEP
from centrode.dynamics.contact.ground import ground_of
from centrode.dynamics.contact.tables import AFTER, BEFORE, PULSE
from centrode.parts.outlines.outline import PLACED, pack_outlines
from centrode.parts.outlines.road import OutlineRoad
from centrode.system.model import build_model

# -- ways out ----------------------------------------------------------------------------------------------------------


class Boxes(NamedTuple):
    """Axes that can separate two boxes (Gottschalk), unit vectors, and the reach of both along each."""

    axes: np.ndarray
    reach: np.ndarray

    def gap(self, between):
        """Greatest distance along an axis: below zero where they overlap."""
        return float((np.abs(self.axes @ between) - self.reach).max())

    def leaves_after(self, between, way):
        """How far box B, ``between`` from A, goes along a way until some axis separates them."""
        rise = self.axes @ way
        signed, rise = np.sign(rise) * (self.axes @ between), np.abs(rise)
        return float(((self.reach - signed)[rise > 1e-12] / rise[rise > 1e-12]).min())


def boxes_of(halves, axes):
    crossed = [np.cross(u, v) for u, v in itertools.product(axes[0].T, axes[1].T)]
    tried = np.array([*axes[0].T, *axes[1].T, *(item / np.linalg.norm(item) for item in crossed)])
    reach = sum(np.abs(tried @ turned) @ half for turned, half in zip(axes, halves, strict=True))
    return Boxes(tried, reach)


@pytest.mark.parametrize("size", [0.05, 1.0, 40.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_way_out_is_level_and_the_shortest_along_the_axes_of_both(size, seed, monkeypatch):
    """Boxes that stand in each other, tilted, with gravity along any direction; found to 1e-4 of itself. The search for
    closest points, a hundred times 10 ms in plain Python, is left to its own tests."""
    rng = np.random.default_rng(seed)
    halves = size * rng.uniform(0.5, 2.0, (2, 3))
    axes = Rotation.random(2, random_state=rng).as_matrix()
    between = size * rng.uniform(-0.4, 0.4, 3)
    gravity = rng.normal(size=3) if seed else np.zeros(3)
    up = -gravity / np.linalg.norm(gravity) if seed else np.array((0.0, 0.0, 1.0))
    outlines = [ct.OutlineBox(name, half_lengths=tuple(half)) for name, half in zip("ab", halves, strict=True)]
    rows, shapes = pack_outlines(outlines)
    placed = np.zeros(2, PLACED)
    for k in range(2):
        placed[k] = placed_on(rows[k], flat_frame(between * k, axes[k]))
    boxes = boxes_of(halves, axes)

    def closest(row_a, one, row_b, two, *_):
        np.testing.assert_array_equal((row_a.half_lengths, row_b.half_lengths), halves)
        return SimpleNamespace(gap=boxes.gap(two.position - one.position))

    monkeypatch.setattr(setup, "find_closest", closest)
    way, far = setup.way_out(setup.Packed(rows, shapes, None, {}), placed, (0, 1), gravity)
    assert np.linalg.norm(way) == pytest.approx(1.0, abs=1e-12)
    assert way @ up == pytest.approx(0.0, abs=1e-12)
    shortest = math.inf
    for asked in (*axes[0].T, *axes[1].T, between):
        level = asked - (asked @ up) * up
        if np.linalg.norm(level) > 1e-3:
            level = level / np.linalg.norm(level)
            ways = (level,) if asked is between else (level, -level)
            shortest = min([shortest, *(boxes.leaves_after(between, item) for item in ways)])
    exact = boxes.leaves_after(between, way)
    assert exact * (1.0 - 1e-9) <= far <= exact * (1.0 + 1.01e-4)
    assert far <= shortest * (1.0 + 1.01e-4)
    np.testing.assert_allclose(placed[1].position, between, atol=1e-15)  # it is put back


def test_the_way_out_of_boxes_side_by_side():
    """0.3 m deep along y, more along x and z: out along y, by the search of the run."""
    half = (1.0, 0.5, 0.5)
    rows, shapes = pack_outlines([ct.OutlineBox(name, half_lengths=half) for name in "ab"])
    placed = np.zeros(2, PLACED)
    for k in range(2):
        placed[k] = placed_on(rows[k], flat_frame((0.4 * k, -0.7 * k, 0.1 * k)))
    way, far = setup.way_out(setup.Packed(rows, shapes, None, {}), placed, (0, 1), np.array((0.0, 0.0, -9.81)))
    np.testing.assert_allclose(way, (0.0, -1.0, 0.0), atol=1e-12)
    assert 0.3 * (1.0 - 1e-9) <= far <= 0.3 * (1.0 + 1.01e-4)


# -- laws of pairs -----------------------------------------------------------------------------------------------------


def test_each_pair_of_materials_has_its_own_law_and_the_rest_the_one_without_materials():
    system = ct.System()
    for k, material in enumerate(("steel", "rubber", "wood")):
        for n in range(2):
            name = f"{material}{n}"
            system.add(ct.RigidBody(name, 1.0, (1, 1, 1), (10.0 * k, 10.0 * n, 0.0)))
            system.add(ct.OutlineSphere(f"{name}.ball", body=name, radius=1.0, material=material))
    stiffness = {"steel-rubber": 1e5, "wood": 2e5, "all": 3e5}
    system.add(ct.HuntCrossley("all", stiffness=stiffness["all"]))
    system.add(ct.HuntCrossley("steel-rubber", stiffness=stiffness["steel-rubber"], between=("steel", "rubber")))
    system.add(ct.HuntCrossley("wood", stiffness=stiffness["wood"], between=("wood",)))
    contacts = build_model(system).contacts
    t = contacts.tables
    number = {name[:-6]: t.outlines[k].material for k, name in enumerate(contacts.outlines) if name.endswith("0.ball")}
    for one, two in itertools.product(number, repeat=2):
        law = contacts.laws[t.law_of[number[one], number[two]]]
        wanted = {frozenset(("steel", "rubber")): "steel-rubber", frozenset(("wood",)): "wood"}
        assert law.name == wanted.get(frozenset((one, two)), "all")
        assert t.laws[t.law_of[number[one], number[two]]][0] == stiffness[law.name]


@pytest.mark.parametrize("materials", [("steel", "rubber"), ("rubber", "steel")])
def test_what_cannot_meet_needs_no_law(materials):
    """One body of steel, one of rubber: no law of either with itself."""
    system = ct.System()
    for k, material in enumerate(materials):
        system.add(ct.RigidBody(material, 1.0, (1, 1, 1), (10.0 * k, 0.0, 0.0)))
        for n in range(2):  # two outlines of a body do not meet each other
            item = ct.OutlineSphere(f"ball{k}{n}", body=material, centre=(n, 0, 0), radius=1.0, material=material)
            system.add(item)
    system.add(ct.HuntCrossley("law", stiffness=1e5, between=("steel", "rubber")))
    contacts = build_model(system).contacts
    assert [law.name for law in contacts.laws] == ["law"]


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("bodies", [1, -1])
def test_a_stiffness_that_was_left_out_is_that_of_what_the_law_holds_whatever_the_order(order, bodies):
    """Steel and rubber weigh 1 kg, wood a ton: their law was a thousand times stiffer when it was named first."""
    system = ct.System()
    for k, (material, mass) in enumerate((("steel", 1.0), ("rubber", 1.0), ("wood", 1000.0))[::bodies]):
        system.add(ct.RigidBody(f"body{k}", mass, (mass, mass, mass), (10.0 * k, 0.0, 0.0)))
        system.add(ct.OutlineSphere(f"ball{k}", body=f"body{k}", radius=1.0, material=material))
    for law in (ct.HuntCrossley("light", between=("steel", "rubber")), ct.HuntCrossley("other"))[::order]:
        system.add(law)
    contacts = build_model(system).contacts
    stiffness = {law.name: float(contacts.tables.laws[k][0]) for k, law in enumerate(contacts.laws)}
    assert stiffness["other"] == pytest.approx(1000.0 * stiffness["light"], rel=1e-12)


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("both", [False, True])
def test_columns_do_not_ask_for_short_steps(order, both):
    """A pair that gives way has no stiffness at touch, whichever of the two has the structure."""
    scene = Crush(both=both, order=order)
    assert scene.contacts.lasts((0, 1), 5.0) == math.inf
    assert scene.contacts.lasts((1, 0), 5.0) == math.inf


@pytest.mark.parametrize("masses", [(2.0, 2.0), (2.0, 30.0), (5.0, None)])
def test_a_linear_contact_lasts_half_a_period(masses):
    """pi sqrt(m / k) with the masses of both in series, at any speed; None: the ground."""
    system = ct.System()
    for k, mass in enumerate(masses):
        body = "ground" if mass is None else f"ball{k}"
        if mass is not None:
            system.add(ct.RigidBody(body, mass, (1, 1, 1), (10.0 * k, 0.0, 0.0)))
        centre = (10.0 * k, 0.0, 0.0) if mass is None else (0.0, 0.0, 0.0)
        system.add(ct.OutlineSphere(f"outline{k}", body=body, centre=centre, radius=1.0))
    system.add(ct.LinearContact("law", stiffness=1e6))
    contacts = build_model(system).contacts
    mass = 1.0 / sum(1.0 / item for item in masses if item is not None)
    for speed in (0.1, 10.0):
        assert contacts.lasts((0, 1), speed) == pytest.approx(math.pi * math.sqrt(mass / 1e6), rel=1e-9)


# -- passages ----------------------------------------------------------------------------------------------------------


def two_balls(radius):
    system = ct.System(gravity=(0, 0, 0))
    for k in range(2):
        system.add(ct.RigidBody(f"ball{k}", 1.0, (1, 1, 1), (10.0 * k, 0.0, 0.0)))
        system.add(ct.OutlineSphere(f"outline{k}", body=f"ball{k}", radius=radius))
    system.add(ct.HuntCrossley("law", stiffness=1e5))
    return build_model(system).contacts


@pytest.mark.parametrize("radius", [0.3, 4.0])
@pytest.mark.parametrize(
    ("after", "share", "goes_on"),
    [
        (2.0, 1.5, False),  # parted again, however deep
        (-6.0, 0.5, False),  # goes on, but was only brushed
        (-6.0, 1.5, True),
        (-0.2, 1.5, False),  # 2 % of the speed before: round-off of a stop
    ],
)
def test_bodies_that_were_deep_and_go_on_closing_passed(radius, after, share, goes_on):
    """A fifth of the half-widths of both is deep; velocities before and after tell whether they went on."""
    contacts = two_balls(radius)
    pulse = np.zeros(1, PULSE)[0]
    pulse.code = 1 * 3 + 2 + 1  # bodies 1 and 2 of three, + 1
    pulse.sample_count, pulse.begin, pulse.end = 1, 1.0, 2.0
    pulse.normal = (1.0, 0.0, 0.0)
    pulse.velocity[BEFORE, 1], pulse.velocity[AFTER, 1] = (-10.0, 0.0, 0.0), (0.5 * (after - 10.0), 0.0, 0.0)
    pulse.velocity[AFTER, 0] = (-0.5 * (after + 10.0), 0.0, 0.0)
    pulse.integrals[AFTER, :3] = (0.5 * (after + 10.0), 0.0, 0.0)  # all of it by the contact: masses of 1 kg
    pulse.depth = share * DEEP * 2.0 * radius
    found = contacts._passages(pulse)
    assert bool(found) == goes_on
    if goes_on:
        time, _, names, values = found[0]
        assert (time, names) == (2.0, "ball0 - ball1")
        assert values == pytest.approx({"restitution": after / 10.0, "depth": pulse.depth})
    pulse.by_columns = 1.0
    assert contacts._passages(pulse) == []  # told by their cores


# -- cores -------------------------------------------------------------------------------------------------------------


def test_turning_moves_a_point_by_twice_the_sine_of_half_the_angle():
    """Over the reach, from frame to frame, whichever sign the quaternions have."""
    rng = np.random.default_rng(0)
    angles = np.array([0.3, 1e-9, 2.5, math.pi, 0.0])
    turned = [Rotation.random(random_state=rng)]
    for angle in angles:
        axis = rng.normal(size=3)
        turned.append(Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)) * turned[-1])
    quaternions = np.array([item.as_quat()[[3, 0, 1, 2]] for item in turned]) * [[1], [-1], [1], [1], [-1], [-1]]
    # 1 - cos^2 leaves the root of round-off, 2 sqrt(4e-16), of an angle of zero
    np.testing.assert_allclose(cores.turns_of(quaternions), [0.0, *2.0 * np.sin(0.5 * angles)], atol=5e-8)


@pytest.mark.parametrize("seed", range(3))
def test_cores_end_where_the_curves_of_the_sides_have_no_more_knots(seed):
    rng = np.random.default_rng(seed)
    limit = tuple(rng.uniform((0.3, 0.3, 0.1, 0.1), (0.7, 0.7, 0.3, 0.2)))
    scene = Crush(limit=limit)
    watch = scene.contacts.cores
    core = next(item for item in watch.cores if item.body == "car")
    front, rear, side = (scene.structure.curve(k, 1.0).crush[-1] for k in range(3))
    block, bar = watch.rows[core.block], watch.rows[core.bar]
    # ends up to the last knot, sides and roof up to their limits; the sides give by the rest of their knots
    half = np.array((2.0 - 0.5 * (front + rear), 0.9 - limit[2], 0.5 - limit[3]))
    np.testing.assert_allclose(block.half_lengths, half, rtol=1e-12)
    np.testing.assert_allclose(block.centre, (0.5 * (rear - front), 0.0, 0.0), atol=1e-12)
    assert core.give == pytest.approx(side - limit[2], rel=1e-12)
    np.testing.assert_allclose(bar.half_lengths, (0.1 * 2.0, *half[1:]), rtol=1e-12)
    wall = next(item for item in watch.cores if item.body == "block")
    assert wall.bar == -1 and wall.give == 0.0
    np.testing.assert_allclose(watch.rows[wall.block].half_lengths, (1.0, 5.0, 3.0))


# -- roads -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kerbs", [(), (ct.Kerb(offset=3.0, height=0.12),)])
@pytest.mark.parametrize("count", [1, 2])
def test_a_body_of_its_own_touches_all_roads_and_their_kerbs(count, kerbs):
    system = ct.System()
    for k in range(count):
        system.add(ct.RoadPlane(f"road{k}", kerbs=kerbs))
    system.add(ct.RigidBody("crate", 10.0, (1, 1, 1), (0.0, 0.0, 5.0)))
    box = ct.OutlineBox("crate.box", body="crate", half_lengths=(0.5, 0.5, 0.5))
    system.add(box)
    found = ground_of(system, [box])
    roads = [items[0].road for items in found.surfaces if isinstance(items[0], OutlineRoad)]
    assert sorted(roads) == [f"road{k}" for k in range(count)]
    assert len(found.surfaces) == count * (2 if kerbs else 1) == len(found.rows)
    assert found.touching == {"crate.box": set(range(len(found.surfaces)))}
    for row, items in zip(found.rows, found.surfaces, strict=True):
        assert (row.rows > 0) == isinstance(items[0], OutlineRoad)  # kerbs are solids, without a table
        if not isinstance(items[0], OutlineRoad):
            assert min(item.bounding_radius() for item in items) > 0.0

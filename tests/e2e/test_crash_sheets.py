"""Names of what was hit, damage of each hit of its own, and the sheet on which both are drawn."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.crash.diagram import diagram, scenery_of
from centrode.crash.fixed import FixedThings
from centrode.view.appearance import appearance_of

pytestmark = pytest.mark.compiled
TREE_AND_HOUSE = """
centrode: 1
title: A tree, then a wall of the house of the owner of the field behind the road, who saw all of it
roads:
  road: {kind: plane, friction: 0.6}
vehicles:
  car: {kind: compact-car, road: road, position: [2.5, 0], speed: 60 km/h}
  oak: {kind: tree, position: [5, 0.7]}
outlines:
  house: {kind: box, body: ground, centre: [14, 0, 2], half_lengths: [1, 10, 2]}
contact_laws:
  cars: {kind: crush, friction: 0.4}
run: {duration: 4 s, method: rk4-projected, step: 0.5 ms, frames: 10 ms}
"""
T_BONE = """
centrode: 1
roads:
  road: {kind: plane}
vehicles:
  striking: {kind: compact-car, road: road, position: [-2.95, 0], speed: 52 km/h}
  struck: {kind: suv, road: road, position: [0, -0.3], heading: 90 deg, speed: 25 km/h}
contact_laws:
  cars: {kind: crush, friction: 0.4}
run: {duration: 0.3 s, method: rk4-projected, step: 0.5 ms, frames: 10 ms}
"""


@pytest.fixture(scope="module")
def beside_the_road():
    return ct.simulate(ct.loads(TREE_AND_HOUSE))


@pytest.fixture(scope="module")
def t_bone():
    return ct.simulate(ct.loads(T_BONE))


def test_what_stands_on_the_ground_keeps_its_name(beside_the_road):
    """It was 'ground' in every table."""
    hits = beside_the_road.collisions
    assert [item.names for item in hits] == [("oak", "car"), ("house", "car")]
    assert " oak " in hits.table()


def test_a_second_hit_has_the_damage_of_its_own(beside_the_road):
    """C1 to C6 and depth of the tree stood in the row of the house: columns count from the start of the run."""
    first, second = (item.vehicle("car") for item in beside_the_road.collisions)
    assert second.crush_energy < 0.1 * first.crush_energy
    assert 0.0 < second.crush < 0.5 * first.crush
    assert second.profile != first.profile
    # What both hits took up together is all that the columns took up.
    assert second.ees**2 + first.ees**2 == pytest.approx(2.0 * (first.crush_energy + second.crush_energy) / first.mass)


def test_a_touch_belongs_to_the_nearest_thing():
    things = FixedThings(ct.loads(TREE_AND_HOUSE).system)
    for place, name in (((4.99, 0.7, 0.5), "oak"), ((13.0, 3.0, 1.0), "house"), ((8.0, 2.0, 0.0), "ground")):
        assert things.name_at(np.array(place)) == name


def test_nothing_leaves_the_sheet(beside_the_road):
    """A long title ran over the edge of the paper."""
    sheet = diagram(beside_the_road)
    sheet.canvas.draw()
    width = sheet.get_window_extent().width
    for panel in sheet.axes:
        for text in panel.texts:
            assert text.get_window_extent().x1 < width, text.get_text()


def test_both_vehicles_stand_at_one_moment_of_greatest_crush(t_bone):
    """A2 was drawn at 0.88 s and B2 at 0.84 s: outlines that never stood together."""
    states = scenery_of(t_bone).vehicles
    times = {states[name][1].time for name in ("striking", "struck")}
    assert len(times) == 1


def test_the_place_of_a_single_impulse_has_its_label(t_bone):
    texts = [text.get_text() for panel in diagram(t_bone).axes for text in panel.texts]
    assert "I1" in texts
    assert any("mu 0." in text for text in texts)


def test_vans_and_suvs_are_no_saloons():
    """Every class was drawn as a saloon, and its body as if its centre of mass were its middle."""
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    for k, kind in enumerate((ct.SmallCar, ct.MidsizeCar, ct.Suv, ct.Van)):
        system.add(kind(f"car{k}", road="road", position=(0.0, 5.0 * k)))
    shapes = [item for item in appearance_of(system).visuals if item.shape == "car"]
    assert [item.style for item in shapes] == ["hatchback", "saloon", "suv", "van"]
    for k, item in enumerate(shapes):
        assert item.position[0] == pytest.approx(system.parts[f"car{k}"].shell(crushes=True).centre[0])

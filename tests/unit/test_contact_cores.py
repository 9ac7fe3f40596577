"""Passages through bodies that give way, seen from poses alone: planted faults are told, sideswipes are not."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.contact.cores import Cores
from centrode.dynamics.contact.setup import outlines_of
from centrode.system.model import build_model

WIDTH = 1.845
TURNED = np.array([0.0, 0.0, 0.0, 1.0])


def two_cars(aside=0.0):
    """Two cars that face each other, twenty metres apart, and what watches their cores."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for name, place, heading in (("a", (-10.0, 0.0), 0.0), ("b", (10.0, aside), math.pi)):
        c, s = math.cos(heading), math.sin(heading)
        turned = ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))
        system.add(
            ct.RigidBody(name, mass=1700.0, inertia=(700, 3500, 3700), position=(*place, 0.55), orientation=turned)
        )
        system.add(ct.OutlineCarBody(f"{name}.shell", body=name, length=5.02, width=WIDTH, centre=(0.0, 0.0, 0.275)))
        system.add(ct.structure_of_mass(f"{name}.structure", f"{name}.shell", 1700.0, WIDTH))
    system.add(ct.Crush("law"))
    return system


def watch_of(system):
    return build_model(system).contacts.cores


def drive(watch, way, aside=0.0, count=201):
    """Frames in which a goes ahead along x by ``way`` [m] and b stands."""
    x = np.linspace(0.0, way, count)
    columns = {
        "a.position": np.column_stack([x - 10.0, 0.0 * x, 0.55 + 0.0 * x]),
        "b.position": np.tile([10.0, aside, 0.55], (count, 1)),
        "a.orientation": np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)),
        "b.orientation": np.tile(TURNED, (count, 1)),
    }
    return watch.find_passage(0.01 * np.arange(count), columns)


@pytest.mark.parametrize("overlap", [0.45, 0.6, 0.8, 1.0])
@pytest.mark.parametrize("count", [5, 201])
def test_cars_whose_columns_are_switched_off_are_caught(overlap, count):
    """The planted fault: poses of cars that nothing held, in frames of 20 cm and of 10 m."""
    aside = (1.0 - overlap) * WIDTH
    found = drive(watch_of(two_cars(aside)), 40.0, aside, count)
    assert found is not None
    time, names, depth = found
    assert names == "a - b" and depth > 0.02
    assert time < 0.01 * count


@pytest.mark.parametrize("overlap", [0.02, 0.2, 0.35])
def test_cars_that_scrape_each_others_sides_went_past_and_not_through(overlap):
    # Both sides together give 0.7 m, 0.38 of the width.
    aside = (1.0 - overlap) * WIDTH
    assert drive(watch_of(two_cars(aside)), 40.0, aside) is None


@pytest.mark.parametrize("crush", [0.4, 1.0, 1.5])
def test_a_deep_crash_is_no_passage(crush):
    """Fronts pushed in by up to 1.5 m each: what 2 x 60 m/s do."""
    assert drive(watch_of(two_cars()), 20.0 - 5.02 + 2.0 * crush) is None


def test_a_pole_behind_the_front_seats_is_a_passage():
    system = two_cars()
    round_ = [(0.03 * math.cos(t), 0.3 + 0.03 * math.sin(t)) for t in np.linspace(0, 2 * math.pi, 12, endpoint=False)]
    points = tuple((x, y, z) for x, y in round_ for z in (0.0, 3.0))
    system.add(ct.OutlinePolyhedron("pole", body="ground", points=points, material="default"))
    watch = watch_of(system)
    assert drive(watch, 9.0) is None
    found = drive(watch, 11.0)
    assert found is not None and "ground" in found[1]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_passed_over_holds_no_passage(seed, monkeypatch):
    """Cars that spin past, into and around each other: looking at every moment finds the same one, or none."""
    random = np.random.default_rng(seed)
    count = int(random.integers(20, 120))
    share = np.linspace(0.0, 1.0, count)
    angle = random.uniform(-3.0, 3.0) + random.uniform(-9.0, 9.0) * share
    turned = np.column_stack([np.cos(0.5 * angle), 0.0 * angle, 0.0 * angle, np.sin(0.5 * angle)])
    begin, end = random.uniform(-6.0, 6.0, (2, 2))
    place = begin + share[:, None] * (end - begin)
    columns = {
        "a.position": np.column_stack([10.0 + place[:, 0], place[:, 1], 0.55 + 0.0 * share]),
        "b.position": np.tile([10.0, 0.0, 0.55], (count, 1)),
        "a.orientation": turned,
        "b.orientation": np.tile(TURNED, (count, 1)),
    }
    times = 0.01 * np.arange(count)
    quick = watch_of(two_cars()).find_passage(times, columns)
    monkeypatch.setattr("centrode.dynamics.contact.cores.UNEVEN", 1e9)
    every = watch_of(two_cars()).find_passage(times, columns)
    assert (quick is None) == (every is None)
    if quick is not None:
        assert quick[0] == every[0]


def test_frames_that_come_in_chunks_are_joined():
    watch = watch_of(two_cars())
    still = {"b.position": np.tile([10.0, 0.0, 0.55], (1, 1)), "b.orientation": TURNED[None]}
    here = {"a.orientation": np.array([[1.0, 0.0, 0.0, 0.0]])}
    one = watch.find_passage(np.array([0.0]), still | here | {"a.position": np.array([[-10.0, 0.0, 0.55]])})
    two = watch.find_passage(np.array([1.0]), still | here | {"a.position": np.array([[30.0, 0.0, 0.55]])})
    assert one is None and two is not None


def test_laws_without_columns_are_left_to_their_own_check():
    system = ct.System()
    for part in two_cars().parts.values():
        if not isinstance(part, ct.Crush):
            system.add(dataclasses.replace(part))
    system.add(ct.Hard("law"))
    contacts = build_model(system).contacts
    assert not Cores(system, contacts.bodies, contacts.tables, outlines_of(system)).pairs

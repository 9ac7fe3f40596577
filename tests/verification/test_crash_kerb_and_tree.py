"""Cars that meet the road and something on it in one go: the kerb before a tree, an embankment down to one.

Roads, kerbs, trees and walls are all the body ground; a tree hit while a kerb was touched was one collision with it,
without EES, crush and CDC, "hit by oak on its floor".
"""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.crash.collisions import collisions_of

pytestmark = pytest.mark.compiled

KERB = """
centrode: 1
title: Over a kerb into a tree
roads: {road: {kind: plane, width: 8 m, kerbs: [{offset: 4 m, height: 0.25 m}]}}
vehicles: {car: {kind: compact-car, road: road, position: [0, 0], heading: 25 deg, speed: 60 km/h}}
outlines: {oak: {kind: cylinder, body: ground, radius: 0.2 m, half_length: 2 m, centre: [8.3, 4.4, 2], material: wood}}
contact_laws: {cars: {kind: crush, friction: 0.4}}
run: {duration: 0.7 s, frames: 5 ms}
"""
EMBANKMENT = """
centrode: 1
title: Down an embankment into a tree
roads: {road: {kind: plane, width: 8 m, embankments: [{offset: -5 m, depth: 1.5 m, run: 3 m}]}}
vehicles:
  car: {kind: compact-car, road: road, position: [0, 0], heading: -25 deg, speed: 80 km/h}
  oak: {kind: tree, position: [18, -8.2], ground_height: -1.5}
contact_laws: {cars: {kind: crush, friction: 0.4}}
run: {duration: 1.45 s, frames: 5 ms}
"""


def crashed(text, tmp_path):
    file = tmp_path / "crash.yaml"
    file.write_text(text, encoding="utf-8")
    run = ct.simulate(ct.load(file))
    assert run.status.completed, run.status
    return collisions_of(run)


def test_a_kerb_and_the_tree_behind_it_are_two_collisions(tmp_path):
    """The rim of the wheel before the tree was also taken for the middle of the car, which had "passed through"."""
    kerb, tree = crashed(KERB, tmp_path)[:2]
    assert kerb.names == ("ground", "car") and tree.names == ("oak", "car")
    assert kerb.end > tree.begin  # at once
    car = tree.vehicles[1]
    assert kerb.vehicles[1].crush_energy == 0.0 and car.side == "front"
    # By energy: it took up no more than it lost, 990 kg or so from 14.9 to 8.2 m/s with the rest in tyres and friction.
    lost = 0.5 * car.mass * (car.speed_before**2 - car.speed_after**2)
    assert 0.5 * lost < car.crush_energy < 1.1 * lost
    assert car.ees == pytest.approx((2.0 * car.crush_energy / car.mass) ** 0.5) and car.crush > 0.5


def test_a_tree_below_an_embankment_stops_a_car(tmp_path):
    """It was stopped as passed through: by a rim, by a wheel that the ground took."""
    hits = crashed(EMBANKMENT, tmp_path)
    tree = next(hit for hit in hits if "oak" in hit.names)
    car = tree.vehicles[tree.names.index("car")]
    assert car.side == "front" and car.delta_v_size == pytest.approx(22.3, rel=0.1)  # all of its 80 km/h
    grounds = [hit for hit in hits if "ground" in hit.names]
    assert grounds
    for hit in grounds:
        car = hit.vehicles[hit.names.index("car")]
        # What the road gave, less what of the weight it bore: all of it, or less where wheels stood on the road too.
        given = np.array(hit.impulse) / car.mass
        assert list(car.delta_v[:2]) == pytest.approx(list(given[:2]), abs=1e-9)
        assert given[2] - 9.80665 * hit.duration - 1e-9 <= car.delta_v[2] <= given[2] + 1e-9
        assert car.mean_acceleration <= car.peak_acceleration
    fall = max(grounds, key=lambda hit: hit.vehicles[1].delta_v[2])
    shown = next(line for line in hits.table().splitlines() if line.startswith(f" {fall.number} "))
    assert shown.split()[-2:] == ["-", "-"]  # PDOF and clock of what came from below

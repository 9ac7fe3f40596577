"""Tyre marks: a locked car rubs its kinetic energy into the road, along straight marks as long as its way."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from centrode.crash.report import crash_data, save_crash_report
from centrode.crash.tyre_marks import SLOWEST, full_slips, marks_csv, marks_table, tyre_marks
from centrode.jit import JIT_ON
from centrode.parts.tyres.brush import TyreBrush
from centrode.parts.tyres.calspan import TyreCalspan
from centrode.running import simulate
from centrode.scenario.loader import load, loads

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

FOLDER = Path(__file__).parents[2] / "scenarios" / "collisions"
BRAKING = """centrode: 1
roads: {road: {kind: plane}}
vehicles: {car: {kind: car, road: road, position: [0, 0], speed: 20, brake: 1.0, heading: 0.5}}
run: {duration: 2.6 s, method: rk4-projected, step: 0.5 ms, frames: 10 ms}
"""


@pytest.fixture(scope="module")
def braking():
    return simulate(loads(BRAKING))


def test_a_locked_car_rubs_its_energy_into_the_road(braking):
    marks = tyre_marks(braking)
    assert sorted(mark.wheel for mark in marks) == ["left_front", "left_rear", "right_front", "right_rear"]
    lost = braking["energy.kinetic"][0] - braking["energy.kinetic"][-1]
    # What the marks lack was spent before the wheels locked: brakes and spin of the wheels, some hundredths.
    assert 0.93 * lost < sum(mark.energy for mark in marks) < lost
    along = np.array([np.cos(0.5), np.sin(0.5), 0.0])
    for mark in marks:
        assert mark.body == "car.body" and mark.vehicle == "car"
        assert mark.points.shape == (len(mark.times), 3) and mark.intensity.shape == (len(mark.times),)
        assert np.abs(mark.points[:, 2]).max() < 1e-9  # on the road
        way = mark.points - mark.points[0]
        assert np.abs(way - np.outer(way @ along, along)).max() < 1e-3  # straight ahead
        assert 0.0 <= mark.t0 < 0.05 and mark.t1 == pytest.approx(2.6)
        travelled = np.interp([mark.t0, mark.t1], braking.time, (braking["car.body.position"] @ along))
        assert mark.length == pytest.approx(travelled[1] - travelled[0], abs=0.05)  # the body pitches
        assert mark.length_since(mark.t0) == pytest.approx(mark.length)
        assert mark.length_since(mark.t1) == 0.0


def test_rolling_wheels_leave_nothing():
    run = simulate(loads(BRAKING.replace("brake: 1.0", "brake: 0.05")), duration=1.0)
    assert tyre_marks(run) == []


MEDUSA = """centrode: 1
vehicles: {car: {kind: car-medusa, speed: %g, %s}}
run: {duration: 2 s, method: predictor-corrector, step: 0.1 ms, frames: 10 ms}
"""


def test_a_locked_car_of_1999_rubs_its_energy_into_the_road():
    """All of its energy goes there while it slides; a locked wheel was no wheel of this car, and left no mark."""
    run = simulate(loads(MEDUSA % (20, "parked: true")))
    marks = tyre_marks(run)
    assert sorted(mark.wheel for mark in marks) == ["left_front", "left_rear", "right_front", "right_rear"]
    lost = run["energy.kinetic"][0] - run["energy.kinetic"][-1]
    assert sum(mark.energy for mark in marks) == pytest.approx(lost, rel=0.02)


def test_a_driven_car_of_1999_in_reverse_leaves_nothing_at_its_rim_speed():
    """rim speed over travel is 1, both backwards; with the travel taken as ahead the slip was -2."""
    assert tyre_marks(simulate(loads(MEDUSA % (-5, "rim_speed: -5, tyre_range: bounded")))) == []


def test_marks_of_a_spinning_car_lie_on_its_wheels_way():
    run = simulate(load(FOLDER / "merging.yaml"), audit=False)
    marks = tyre_marks(run)
    assert {mark.vehicle for mark in marks} == {"rogue", "car2", "car3"}  # the two others go straight on
    half = 0.5 * 1.2
    for mark in marks:
        assert mark.t0 < mark.t1 and (np.diff(mark.times) > 0.0).all() and (mark.intensity >= 0.0).all()
        centre = np.array([np.interp(mark.times, run.time, run[f"{mark.body}.position"][:, k]) for k in range(2)]).T
        distance = np.linalg.norm(mark.points[:, :2] - centre, axis=1)
        x = 1.034 if "front" in mark.wheel else 1.491
        assert distance == pytest.approx(np.hypot(x, half), abs=0.03)  # between frames the car turns
        speeds = np.linalg.norm(np.diff(mark.points, axis=0), axis=1) / np.diff(mark.times)
        assert speeds.max() > SLOWEST


def test_full_slip_is_where_the_force_peaks():
    for tyre in (TyreCalspan("calspan"), TyreBrush("brush", cornering_stiffness=60e3, driving_stiffness=80e3)):
        angle, slip = full_slips(tyre, 4000.0)
        row, law = tyre.pack(), type(tyre).law
        greatest = max(abs(law(row, 4000.0, a, 0.0, 0.0, 10.0)[1]) for a in np.linspace(0.001, 1.3, 500))
        assert abs(law(row, 4000.0, float(np.arctan(angle)), 0.0, 0.0, 10.0)[1]) == pytest.approx(greatest, rel=0.0101)
        assert 0.01 < slip < 0.5


def test_the_report_holds_the_marks(tmp_path):
    run = simulate(load(FOLDER / "t_bone.yaml"), duration=1.2)
    marks = tyre_marks(run)
    assert marks
    data = json.loads(json.dumps(crash_data(run)))
    assert len(data["tyre_marks"]) == len(marks) == len(marks_table(marks))
    assert np.allclose(data["tyre_marks"][0]["points"], marks[0].points)
    rows = list(csv.DictReader(io.StringIO(marks_csv(marks))))
    assert len(rows) == sum(len(mark.times) for mark in marks)
    names = {path.name for path in save_crash_report(run, tmp_path)}
    assert "marks.csv" in names
    assert "Tyre marks" in (tmp_path / "crash.html").read_text(encoding="utf-8")
    struck = run.collisions.rest["struck"].marks
    assert struck["right_front"] == pytest.approx(
        sum(mark.length for mark in marks if (mark.vehicle, mark.wheel) == ("struck", "right_front"))
    )


def test_a_recording_without_a_scenario_has_no_marks(braking):
    class Bare:
        def scenario(self, folder):
            from centrode.errors import InputError

            raise InputError("the recording carries no scenario")

    assert tyre_marks(Bare()) == []

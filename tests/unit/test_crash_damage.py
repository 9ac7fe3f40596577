"""Damage codes, energy from C1 to C6, touches that are no collisions, and units and signs of the crash tables."""

from __future__ import annotations

import csv
import io
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.test_crash_figures import event

from centrode.crash.collisions import Collisions, collision_from, collisions_of, energy_speed, is_touch
from centrode.crash.damage import Dent, damage_code, extent, profile_energy, residual_stiffness
from centrode.crash.direct import CLOSE, direct_part, gap_to
from centrode.crash.plan import plan_of
from centrode.display import Custom, custom_of
from centrode.errors import InputError
from centrode.parts.outlines.car_body import OutlineCarBody
from centrode.parts.structures.stations import SIDE_STATIONS
from centrode.parts.structures.structure import Structure
from centrode.recording.channel import Channel
from centrode.recording.events import Event, Events
from centrode.recording.provenance import Account
from centrode.recording.recording import Recording
from centrode.system.settings import RunSettings


def car_plan():
    return plan_of("car", [OutlineCarBody("shell", body="car", length=4.6, width=1.8, height=1.25)])


@given(st.lists(st.floats(0.0, 1.0), min_size=6, max_size=6), st.floats(0.1, 2.0))
def test_energy_from_six_depths_is_the_work_of_a_face_with_straight_lines_between_them(depths, width):
    """The integral of A c + B c^2 / 2 over the width, by Simpson on each strip, which is exact for squares."""
    a, b = 50e3, 1.1e6
    work = 0.0
    for one, two in itertools.pairwise(depths):
        values = [a * c + 0.5 * b * c * c for c in (one, 0.5 * (one + two), two)]
        work += width / 5.0 * (values[0] + 4.0 * values[1] + values[2]) / 6.0
    assert profile_energy(tuple(depths), width, a, b) == pytest.approx(work, rel=1e-12, abs=1e-9)


def test_static_and_dynamic_stiffness_give_the_same_energy():
    """Dynamic A and B act over c / r: A c/r + B (c/r)^2 / 2 is what the residual values say of c."""
    structure = Structure("s", residual=0.7)
    a, b = residual_stiffness(structure, "front")
    c = 0.5
    dynamic = structure.a[0] * c / 0.7 + 0.5 * structure.b[0] * (c / 0.7) ** 2
    assert profile_energy((c,) * 6, 1.0, a, b) == pytest.approx(dynamic, rel=1e-12)
    static = replace(structure, data="static")
    assert residual_stiffness(static, "front") == (structure.a[0], structure.b[0])


@pytest.mark.parametrize(
    ("dent", "clock", "pdof", "code"),
    [
        (Dent("front", 0.0, 1.0, 0.5), 12, 0.0, "12FDEW3"),  # full front, 0.5 m of 1.15 m to the glass: third fifth
        (Dent("front", 0.6, 1.0, 0.4), 11, -20.0, "11FLEW2"),  # left part
        (Dent("front", 0.4, 0.6, 0.3), 12, 0.0, "12FCEN2"),  # a pole: 0.36 m wide
        (Dent("front", 0.0, 0.2, 0.2), 1, 30.0, "01FREE1"),  # right corner
        (Dent("front", 0.9, 1.0, 0.2), 11, -30.0, "11FLEE1"),  # left corner, less than a third of a third
        (Dent("rear", 0.3, 1.0, 0.3), 6, 180.0, "06BYEW2"),  # left two thirds of the rear
        (Dent("left", 0.3, 0.72, 0.3), 9, -90.0, "09LPEW2"),  # door
        (Dent("left", 0.5, 1.0, 0.05), 12, -10.0, "12LYES1"),  # sideswipe
        (Dent("right", 0.0, 0.4, 0.45), 3, 90.0, "03RBEW3"),
        (Dent("roof", 0.0, 1.0, 0.2), 12, 0.0, "12TDEO2"),
    ],
)
def test_damage_codes(dent, clock, pdof, code):
    assert damage_code(dent, car_plan(), clock, pdof) == code


def test_extent_rises_with_crush_and_ends_at_nine():
    plan = car_plan()
    for side in ("front", "left", "roof"):
        zones = [extent(Dent(side, 0.0, 1.0, depth), plan) for depth in np.linspace(0.0, 4.0, 200)]
        assert zones[0] == 1
        assert zones[-1] == 9
        assert all(two - one in (0, 1) for one, two in itertools.pairwise(zones))


def test_ees_is_the_speed_of_the_energy():
    assert energy_speed(0.5 * 1500.0 * 12.0**2, 1500.0) == pytest.approx(12.0)
    assert energy_speed(0.0, 1500.0) == 0.0


def recording(*events, settings=None):
    from centrode.recording.provenance import Provenance

    account = Account(events=Events(events), provenance=Provenance(settings=settings or {}))
    return Recording(time=np.zeros(0), data={}, channels=[], account=account)


def test_no_rows_for_touches_without_an_impulse():
    """A row with impulse 0 and e = -2.8 stood in the table; parked cars that lean on each other were collisions."""
    hit, nothing = event(), event(impulse=(0.0, 0.0, 0.0))
    lean = replace(hit, values={**hit.values, "closing_speed": 0.05, "peak_force": 800.0})
    found = collisions_of(recording(nothing, hit, lean))
    assert [item.number for item in found] == [1]
    assert len(found.touches) == 2
    assert "2 contacts are not listed" in found.table()
    hard = replace(hit, values={**hit.values, "closing_speed": 0.05})
    assert not is_touch(collision_from(hard, 1))


def test_a_second_hit_of_a_pair_has_its_own_energy():
    """Each event says what its own collision did; it was the difference of what columns held when events were read."""
    hit = event()
    one = replace(hit, values={**hit.values, "by_columns": 1.0, "taken_up_a": 40e3, "taken_up_b": 60e3})
    again = {"begin": 3.0, "end": 3.1, "by_columns": 1.0, "taken_up_a": 2e3, "taken_up_b": 0.0}
    two = replace(hit, time=3.0, values={**hit.values, **again})
    first, second = collisions_of(recording(one, two))
    assert first.vehicles[0].crush_energy == 40e3
    assert second.vehicles[0].crush_energy == pytest.approx(2e3)
    assert second.vehicles[0].ees == pytest.approx(math.sqrt(2.0 * 2e3 / 1000.0))
    assert second.vehicles[1].ees == 0.0


def test_recordings_of_before_say_that_their_damage_is_not_told_by_collision():
    old = event()
    old = replace(old, values={**old.values, "taken_up_a": 40e3, "taken_up_b": 60e3})
    assert any("EARLIER VERSION" in text for text in collisions_of(recording(old)).cautions)
    assert not collisions_of(recording(event())).cautions


def test_dynamic_and_residual_crush_go_by_their_names():
    """Both stood under one heading "after it", as deepest and C1 to C6."""
    hit = event()
    depths = {f"profile_{k}_a": 0.1 * k for k in range(1, 7)}
    crushed = replace(hit, values={**hit.values, **depths, "own_crush_a": 0.9, "taken_up_a": 40e3})
    found = Collisions([collision_from(crushed, 1)])
    row = found.rows()[0]
    assert row["dynamic crush (deepest under load) [m]"] == 0.9
    assert row["residual C6 [m]"] == pytest.approx(0.6)
    assert not any("deepest [" in name or name.startswith("C1") for name in row)
    table = found.table()
    assert "deepest crush under load (dyn.); residual: deepest (Cmax), C1 to C6" in table
    assert max(map(len, table.splitlines())) <= 100


def test_units_of_tables_and_csv():
    collisions = Collisions([collision_from(event(), 1)])
    us = Custom("us", "sae")
    row = next(csv.DictReader(io.StringIO(collisions.to_csv(us))))
    assert float(row["delta-V [mph]"]) == pytest.approx(1.5 / 0.44704)
    assert float(row["closing [mph]"]) == pytest.approx(5.0 / 0.44704)
    assert float(row["peak [klbf]"]) == pytest.approx(30e3 / 4448.2216152605)
    assert float(row["peak [g]"]) == pytest.approx(30.0 / 9.80665)
    metric = collisions.table(custom=Custom("metric"))
    assert "[km/h]" in metric
    assert "5.4" in metric  # 1.5 m/s
    assert "e+0" not in metric
    assert max(map(len, metric.splitlines())) <= 100


def test_signs_of_both_customs():
    """A force from the right, 3 o'clock, is one from +90 degrees in every place, whichever side is positive else."""
    hit = collision_from(event(impulse=(0.0, 1500.0, 0.0)), 1)
    vehicle = hit.vehicles[1]
    assert vehicle.clock == 3
    assert vehicle.pdof_deg == pytest.approx(90.0)
    table = Collisions([hit]).table(custom=Custom("si", "sae"))
    assert "+90.0" in table
    assert "positive from the right" in table
    row = Collisions([hit]).rows(Custom("si", "sae"))[1]
    assert row["PDOF [deg]"] == pytest.approx(90.0)
    assert row["delta-V right [m/s]"] == pytest.approx(-1.0)
    table = Collisions([hit]).table()
    assert next(line for line in table.splitlines() if line.split()[1:2] == ["car2"]).split()[-2:] == ["+90.0", "3"]
    assert Collisions([hit]).rows()[1]["PDOF [deg]"] == pytest.approx(90.0)


def test_settings_of_the_run_are_the_custom_of_its_tables():
    found = collisions_of(recording(event(), settings={"units": "metric", "signs": "sae"}))
    assert found.custom == Custom("metric", "sae")
    assert "[km/h]" in found.table()
    assert custom_of({}) == Custom()
    assert [fault.path for fault in RunSettings(units="imperial").faults()] == ["run.units"]
    with pytest.raises(InputError, match="us"):
        Custom("uss")


def lying(length):
    """car2 of 1500 kg falls on its side at 3 m/s: 45 kN for 0.1476 s stop it, then the ground carries it to the end."""
    mass, g, begin = 1500.0, 9.80665, 1.0
    slowed = 3.0 / (45e3 / mass - g)
    time = np.arange(0.0, begin + length + 0.005, 0.01)
    hit = np.clip(time - begin, 0.0, slowed)
    impulse = np.zeros((len(time), 3))
    impulse[:, 2] = 45e3 * hit + mass * g * np.clip(time - begin - slowed, 0.0, None)
    velocity = np.zeros((len(time), 3))
    velocity[:, 2] = -3.0 + (45e3 / mass - g) * hit
    whole = event(impulse=impulse[-1], masses=(0.0, mass), speeds=(0.0, 0.0), after=(0.0, 0.0)).values
    ends = {"begin": begin, "end": begin + length, "touching_at_end": 1.0, "velocity_z_before_b": -3.0, "normal_x": 0.0}
    ends |= {"normal_z": 1.0, "closing_speed": 3.0, "peak_force": 45e3}
    data = {f"touch.car2.body.impulse_{c}": impulse[:, k] for k, c in enumerate("xyz")}
    data |= {"car2.body.velocity": velocity, "car2.body.position": np.zeros_like(velocity)}
    channels = [Channel(name, "1", ("xyz",) if values.ndim > 1 else ()) for name, values in data.items()]
    told = Event(begin, "collision", "ground - car2.body", {**whole, **ends})
    return Recording(time=time, data=data, channels=channels, account=Account(events=Events([told]))), slowed


@pytest.mark.parametrize("length", [0.3, 2.0, 20.0])
def test_lying_on_the_ground_adds_no_delta_v(length):
    """Impulse over mass counted the weight for as long as the vehicle lay: 67 m/s of a fall at 5 m/s."""
    run, slowed = lying(length)
    (hit,) = collisions_of(run)
    vehicle = hit.vehicle("car2")
    assert vehicle.delta_v_size == pytest.approx(3.0, abs=1e-9)
    assert vehicle.delta_v == pytest.approx((0.0, 0.0, 3.0), abs=1e-9)
    # the end is a frame: the first one, 10 ms apart, behind that at which the force falls to the weight
    assert slowed <= hit.duration <= slowed + 0.02
    row = run.collisions.rows()[0]
    assert row["delta-V up [m/s]"] == pytest.approx(3.0)
    assert "On the ground" in run.collisions.table()


def test_a_wall_still_tells_the_impulse_of_its_own_force():
    wall = event(impulse=(-15e3, 0.0, 5e3), masses=(0.0, 1500.0), speeds=(0.0, 10.0), after=(0.0, -1.0))
    hit = collision_from(replace(wall, subject="ground - car2.body"), 1)
    assert not hit.carried
    assert hit.vehicle("car2").delta_v == pytest.approx((-10.0, 0.0, 5e3 / 1500.0))


def struck_by_a_pole(side, middle):
    """A car whose side has a dent of slope 1.3 about a pole of 0.25 m that stands 0.7 m deep in it; dent and pole."""
    plan = car_plan()
    across = 1 if side == "front" else 0
    low, size, count = plan.low[across], plan.high[across] - plan.low[across], SIDE_STATIONS[side]
    places = low + size * (np.arange(count) + 0.5) / count
    depths = np.clip(0.7 - 1.3 * np.clip(np.abs(places - middle) - 0.06, 0.0, None), 0.0, None)
    turns = np.linspace(0.0, 2.0 * math.pi, 60, endpoint=False)
    nose = plan.high[1 - across] - 0.7 + 0.125
    centre = (nose, middle) if side == "front" else (middle, nose)
    pole = np.array(centre) + 0.125 * np.column_stack([np.cos(turns), np.sin(turns)])
    time = np.array([0.0, 1.0])
    data = {f"car.crush_{side}": np.stack([depths, depths]), "car.position": np.zeros((2, 3))}
    data["car.orientation"] = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    dims = {f"car.crush_{side}": ("station",), "car.position": ("xyz",), "car.orientation": ("wxyz",)}
    channels = [Channel(name, "1", dims[name]) for name in data]
    coordinates = {"station": tuple(str(k) for k in range(count))}
    run = Recording(time=time, data=data, channels=channels, coordinates=coordinates)
    seen = np.flatnonzero(depths > 0.01)
    return run, plan, Dent(side, seen[0] / count, (seen[-1] + 1) / count, float(depths.max())), pole


@pytest.mark.parametrize(
    ("side", "middle", "clock", "pdof", "code", "induced"),
    [("front", 0.0, 12, 0.0, "12FCEN", "12FDEW"), ("left", 0.1, 9, -90.0, "09LPEN", "09LPEW")],
)
def test_place_and_type_go_by_direct_contact(side, middle, clock, pdof, code, induced):
    """Poles were wide and all over the front: what the beam drags along counted as struck."""
    run, plan, dent, pole = struck_by_a_pole(side, middle)
    direct = direct_part(run, plan, dent, (0.0, 1.0), [pole])
    size = plan.width if side == "front" else plan.length
    # the pole's width, and on each side no more than the gap that counts as touching
    assert 0.1 < (direct.end - direct.begin) * size < 0.25 + 2 * CLOSE
    assert damage_code(direct, plan, clock, pdof)[:-1] == code
    assert damage_code(dent, plan, clock, pdof)[:-1] == induced
    assert direct.depth == dent.depth
    assert direct_part(run, plan, dent, (0.0, 1.0), [pole + 9.0]) == dent  # nobody near: as it was seen


def test_gap_to_a_square():
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    points = np.array([(0.5, 0.5), (2.0, 0.5), (-3.0, -4.0), (0.5, 1.25)])
    assert gap_to(points, square) == pytest.approx([0.0, 1.0, 5.0, 0.25])

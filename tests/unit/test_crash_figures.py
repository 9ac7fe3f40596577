"""Crash figures from the event of a collision: directions, restitution, table, JSON, CSV."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from centrode.crash.collisions import Collisions, clock_direction, collision_from
from centrode.crash.diagram import diagram
from centrode.crash.report import crash_data, save_crash_report
from centrode.errors import MADE_ENERGY, PASSAGE, RunError, RunStop
from centrode.methods.method import OUTCOME_TEXT, Outcome
from centrode.recording.events import Event, Events
from centrode.recording.export import heading
from centrode.recording.provenance import Account, Provenance, Status
from centrode.recording.recording import Recording
from centrode.recording.starts import SOLVED
from centrode.recording.warnings import warnings_of
from centrode.texts import text_table


def event(impulse=(1500.0, 0.0, 0.0), heading=0.0, masses=(1000.0, 1500.0), speeds=(10.0, 5.0), after=(8.5, 6.0)):
    """A hit of "car1" from behind into "car2", both heading the same way."""
    values = {
        "begin": 1.0,
        "end": 1.1,
        "closing_speed": 5.0,
        "peak_force": 30e3,
        "peak_time": 1.05,
        "episodes": 1.0,
        "depth": 0.1,
        "crush": 0.0,
        "slip_speed": 0.0,
        "sides": 5.0 * 0 + 1 + 1,
        "touching_at_end": 0.0,
        "heat_law": 100.0,
        "heat_friction": 10.0,
        "mass_a": masses[0],
        "mass_b": masses[1],
    }
    for k, c in enumerate("xyz"):
        values[f"impulse_{c}"] = impulse[k]
        values[f"normal_{c}"] = (1.0, 0.0, 0.0)[k]
        values[f"point_{c}"] = 0.0
        values[f"touch_{c}"] = 0.0
        for which, speed, later in (("a", speeds[0], after[0]), ("b", speeds[1], after[1])):
            for when, size in (("before", speed), ("after", later)):
                values[f"velocity_{c}_{when}_{which}"] = size if k == 0 else 0.0
                values[f"spin_{c}_{when}_{which}"] = 0.0
                values[f"heading_{c}_{when}_{which}"] = (math.cos(heading), math.sin(heading), 0.0)[k]
                values[f"place_{c}_{when}_{which}"] = 0.0
    for when in ("before", "after"):
        for which in "ab":
            values[f"vibration_{when}_{which}"] = 0.0
    values.update({f"pulse_{k:02d}": 30e3 * math.sin(math.pi * k / 10) for k in range(11)})
    return Event(1.0, "collision", "car1.body - car2.body", values)


def test_delta_v_direction_and_restitution_of_a_rear_end_hit():
    hit = collision_from(event(speeds=(7.0, 5.0), after=(5.5, 6.0)), 1)
    assert hit.names == ("car1", "car2")
    one, two = hit.vehicles
    assert one.delta_v == (-1.5, 0.0, 0.0)
    assert two.delta_v_size == 1.0
    assert (one.side, two.side) == ("front", "rear")
    assert (one.clock, two.clock) == (12, 6)
    assert one.pdof_deg == pytest.approx(0.0)
    assert hit.restitution == pytest.approx((6.0 - 5.5) / (7.0 - 5.0))
    assert one.peak_acceleration == 30.0


@pytest.mark.parametrize(
    ("speeds", "after", "restitution"),
    [
        # the impulse of 1500 N*s changes the closing speed by 1500 (1/1000 + 1/1500) = 2.5 m/s
        ((7.0, 5.0), (5.5, 6.0), 0.25),
        ((7.0, 5.0), (5.5, 6.16), 0.33),  # 0.16 m/s by other forces, 0.08 of the closing speed
        ((7.0, 5.0), (5.5, 6.24), math.nan),  # 0.12 of it
        ((10.0, 5.0), (8.5, 6.0), math.nan),  # closing on at 2.5: they slid past each other
        ((1.0, 0.0), (-0.5, 1.0), math.nan),  # closing 1, parting 1.5: above one
        ((0.03, 0.0), (-0.19, 0.0), math.nan),  # chatter: tyres took nearly all of what the impulse gave
    ],
)
def test_restitution_is_told_where_the_closing_speed_can_bear_it(speeds, after, restitution):
    """Cars pressed together had 6.337 at a closing speed of 0.1 km/h."""
    found = collision_from(event(speeds=speeds, after=after), 1).restitution
    assert found == pytest.approx(restitution, nan_ok=True)


@given(
    heading=st.floats(-math.pi, math.pi),
    direction=st.floats(-math.pi, math.pi),
    size=st.floats(1.0, 1e5),
)
def test_pdof_is_the_impulse_turned_back_seen_from_the_vehicle(heading, direction, size):
    impulse = (size * math.cos(direction), size * math.sin(direction), 0.0)
    figures = collision_from(event(impulse, heading), 1).vehicles[1]
    expected = heading - direction + math.pi  # clockwise
    turned = math.radians(figures.pdof_deg) - expected
    assert math.sin(turned) == pytest.approx(0.0, abs=1e-9)
    assert math.cos(turned) == pytest.approx(1.0, abs=1e-9)
    assert 1 <= figures.clock <= 12
    assert math.hypot(figures.delta_v_along, figures.delta_v_left) == pytest.approx(figures.delta_v_size)


@pytest.mark.parametrize(("angle", "hour"), [(0, 12), (90, 3), (180, 6), (-180, 6), (-90, 9), (-30, 11), (14, 12)])
def test_clock_directions(angle, hour):
    assert clock_direction(angle) == hour


def test_table_json_and_csv_hold_both_vehicles():
    collisions = Collisions([collision_from(event(), 1)])
    assert "car1" in collisions.table()
    assert "delta-V" in collisions.table()
    data = json.loads(json.dumps(collisions.to_data()))
    assert data["collisions"][0]["vehicles"][1]["delta_v_size"] == 1.0
    rows = list(csv.DictReader(io.StringIO(collisions.to_csv())))
    assert [row["vehicle"] for row in rows] == ["car1", "car2"]
    assert float(rows[0]["delta-V [m/s]"]) == 1.5
    assert Collisions([]).table() == "no collisions"
    assert np.trapezoid(collisions[0].pulse, collisions[0].pulse_times) > 0


def test_the_ground_has_no_row_of_its_own():
    wall = event(masses=(0.0, 1500.0))
    collisions = Collisions([collision_from(Event(1.0, "collision", "ground - car2.body", wall.values), 1)])
    assert [row["vehicle"] for row in collisions.rows()] == ["car2"]
    assert collisions[0].vehicles[0].delta_v == (0.0, 0.0, 0.0)


@given(
    st.lists(st.integers(1, 12), min_size=3, max_size=20), st.integers(30, 200), st.integers(1, 2), st.integers(0, 4)
)
def test_tables_are_cut_into_bands_that_fit(lengths, width, kept, rows):
    """No line is longer than asked (two kept columns and one more always fit in 42), and no cell is lost."""
    columns = [f"{chr(65 + k) * length} [m]" for k, length in enumerate(lengths)]
    cells = [[str(row) for _ in lengths] for row in range(rows)]
    text = text_table(columns, cells, width=max(width, 42), kept=kept, units_below=True)
    assert max(map(len, text.splitlines())) <= max(width, 42)
    for name in columns:
        assert name.removesuffix(" [m]") in text
    assert text_table(columns, cells, units_below=True).count("\n") == rows + 2


def told(*events, status=None, settings=None):
    """A recording of two frames at 0 and 1.5 s with these events."""
    account = Account(
        events=Events(events),
        status=status or Status(),
        provenance=Provenance(settings=settings or {"units": "metric"}),
    )
    return Recording(time=np.array([0.0, 1.5]), data={}, channels=[], account=account)


def solved(impact_at=1.0):
    values = {
        "x": -17.08,
        "y": 0.6,
        "heading": 0.0,
        "speed": 60.2 / 3.6,
        "speed_at_impact": 12.5,
        "impact_at": impact_at,
    }
    return Event(0.0, SOLVED, "car1", values)


def test_a_start_solved_backwards_is_a_note_in_the_units_of_the_run():
    """It was a warning, in m/s whatever the run asked for."""
    run = told(solved())
    (text,) = [text for name, text in heading(run) if name == "note"]
    assert "60.2 km/h (solved backwards)" in text
    assert "45.0 km/h at 1 s" in text
    assert "m/s" not in text
    assert not warnings_of(run)


@pytest.mark.parametrize(("impact_at", "early"), [(1.0, False), (1.015, False), (1.107, True)])
def test_vehicles_that_meet_before_their_impact_are_told(impact_at, early):
    """The event begins at 1 s: cars that met on the way had neither place nor speed asked for, and nobody said so."""
    run = told(solved(impact_at), event())
    said = [text for text in warnings_of(run) if "before its impact_at" in text]
    assert bool(said) == early
    assert ("before its impact_at" in run.collisions.table()) == early
    assert run.collisions.to_csv().startswith("# car1 is hit at 1.000 s") == early


@pytest.mark.parametrize(
    ("outcome", "reason", "hold"),
    [
        ("completed", "at rest", True),
        ("stopped", OUTCOME_TEXT[Outcome.NOT_FINITE], False),
        ("stopped", OUTCOME_TEXT[Outcome.OFF_CONSTRAINTS], False),
        ("stopped", f"two bodies {PASSAGE}", False),
        ("failed", MADE_ENERGY, False),
        ("failed", "the energy audit does not close", False),
        ("stopped", OUTCOME_TEXT[Outcome.STEP_TOO_SMALL], True),
    ],
)
def test_figures_of_runs_that_went_wrong_are_withheld_or_marked(outcome, reason, hold, tmp_path):
    """Clean tables and diagrams were made of runs that blew up."""
    run = told(event(), status=Status(outcome, RunStop(reason, 1.5)))
    assert run.status.figures_hold == hold
    if not hold:
        for make in (lambda: diagram(run), lambda: save_crash_report(run, tmp_path / "crash")):
            with pytest.raises(RunError, match="would not hold"):
                make()
        assert not (tmp_path / "crash").exists()
    marked = outcome != "completed"
    assert run.collisions.table().startswith("THE RUN ENDED EARLY") == marked
    assert run.collisions.to_csv().startswith("# THE RUN ENDED EARLY") == marked
    assert bool(crash_data(run)["cautions"]) == marked

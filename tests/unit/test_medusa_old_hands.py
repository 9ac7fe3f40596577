"""Decks as they come from other hands and machines: all faults at once, other ends of lines, starts on banked roads."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.cli.main import run
from centrode.errors import InputError
from centrode.parts.roads.contract import Road
from centrode.scenario.medusa.reader import parse_models, parse_road
from centrode.texts import fortran_number
from centrode.vehicles.platoon import add_legacy, read_legacy

NAMES = ("model.dat", "platoon.dat", "road.dat")
INPUTS = Path(__file__).parents[1] / "conformance" / "data" / "medusa_inputs" / "offset"
TEXTS = {name: (INPUTS / name).read_text() for name in NAMES}
BANKED = (
    "NUMBER_OF_POINTS: 4 XYZ_COORDINATES_&_ANGLE:\n0 0 0 20\n100 0 10 20\n500 0 50 20\n1000 0 100 20\nEND_OF_FILE\n"
)
ONE = (
    "NUMBER_OF_VEHICLES 1 VEHICLE_HAS_MODEL 1 INITIALLY_WITH X {} Y {} ORIENTATION 0 SPEED 0 TIRE_SPEED 0 STEERING 0\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def faults_of(folder, **options):
    with pytest.raises(InputError) as caught:
        read_legacy(folder, **options)
    return [str(fault) for fault in caught.value.faults]


def test_numbers_of_old_programs():
    for text, value in (("1D-1", 0.1), ("1.573+3", 1573.0), ("1.5-2", 0.015), (".5d+1", 5.0), ("22", 22.0)):
        assert fortran_number(text) == value
    for text in ("10-5", "1e", "1,5", "", "1.0.0", "+", "1_000", "inf"):
        assert fortran_number(text) is None
    assert parse_models(TEXTS["model.dat"].replace("MASS 1573.0", "MASS 1.573+3")) == parse_models(TEXTS["model.dat"])


def test_options_take_the_numbers_of_old_programs(folder):
    assert run(["medusa", "-t1D-1", "-s5.D-2", "-d2.0-4", "--quiet"]) == 0
    assert np.loadtxt("energy.asc")[:, 0] == pytest.approx([0.0, 0.05, 0.1])


@pytest.mark.parametrize(("old", "new"), [("\n", "\r"), ("\n", "\r\n")])
def test_ends_of_lines_and_of_files_of_other_machines(folder, old, new):
    """With CR alone all of a file was one line: a comment in its head hid the rest. Ctrl-Z was an unknown word."""
    wanted = read_legacy(folder)
    for name, text in TEXTS.items():
        (folder / name).write_bytes((f"% one\n{text}".replace(old, new) + "\x1a\0garbage").encode())
    assert read_legacy(folder) == wanted


def test_a_missing_count_hides_no_other_fault(folder):
    platoon = TEXTS["platoon.dat"].replace("NUMBER_OF_VEHICLES 2", "").replace("TIRE_SPEED 0.0", "", 1)
    (folder / "platoon.dat").write_text(platoon)
    (folder / "model.dat").write_text(TEXTS["model.dat"].replace("NUMBER_OF_MODELS 2", "").replace("MASS 1573.0", ""))
    (folder / "road.dat").write_text(BANKED.replace("NUMBER_OF_POINTS: 4 ", "").replace("500 0 50 20", "500 0 50 95"))
    said = faults_of(folder)
    for words in (
        ("platoon.dat", "NUMBER_OF_VEHICLES"),
        ("platoon.dat", "TIRE_SPEED"),
        ("model.dat", "NUMBER_OF_MODEL"),
    ):
        assert sum(all(word in text for word in words) for text in said) == 1
    assert sum("keyword MASS" in text for text in said) == 2
    assert sum("road.dat" in text and "NUMBER_OF_POINTS" in text for text in said) == 1
    assert sum("road.dat:4: point 3 leans over" in text for text in said) == 1


def test_a_missing_number_of_a_road_hides_no_bank(folder):
    (folder / "road.dat").write_text(BANKED.replace("100 0 10 20", "100 0 10").replace("500 0 50 20", "500 0 50 95"))
    short, leaning = faults_of(folder)
    assert "road.dat:3: point 2 has not four numbers, got '100 0 10'" in short
    assert "road.dat:4:" in leaning and "leans over, got 95" in leaning


def test_points_of_a_road_may_share_lines():
    assert parse_road(" ".join(BANKED.split())) == parse_road(BANKED)


def test_a_start_off_the_road_is_told_beside_a_fault_of_the_models(folder):
    (folder / "model.dat").write_text(TEXTS["model.dat"].replace("NU 0.3", "NU 0.7"))
    (folder / "platoon.dat").write_text(ONE.format(5000, 0))
    said = faults_of(folder)
    assert any("Poisson" in text or "NU of model 1" in text for text in said)
    assert any("beyond the end of the road" in text for text in said)


def test_models_and_road_of_the_current_folder(folder, capsys):
    """-fdecks/crash_it with model.dat and road.dat where the user is, as in 1999."""
    (folder / "decks").mkdir()
    (folder / "platoon.dat").rename(folder / "decks" / "crash_it")
    assert run(["medusa", "-t.02", "--quiet", "-fdecks/crash_it"]) == 0
    said = capsys.readouterr().err
    assert all(f"{name} of {folder.name} is taken: there is none beside decks/crash_it" in said for name in NAMES[::2])
    (folder / "decks" / "road.dat").write_text("NUMBER_OF_POINTS: 3\n")  # what lies beside comes first
    assert run(["medusa", "-t.02", "--quiet", "-fdecks/crash_it"]) == 2
    assert "decks/road.dat" in capsys.readouterr().err
    with pytest.raises(InputError):  # a scenario means the same wherever it is run
        ct.ImportMedusa("p", "decks/crash_it").read()


def test_close_points_of_a_road_are_noted():
    assert parse_road(BANKED).notes == ()
    (note,) = parse_road(BANKED.replace("500 0 50 20", "102 0 10 20")).notes
    assert note.startswith("road.dat:4: road points 2 m apart")


@pytest.mark.parametrize("y", [0.0, 5.0, -8.0])
def test_x_and_y_are_those_of_the_centre_of_mass(folder, y):
    """Report p. 25. The car stood over its X and Y along the normal: with H 0.5 and a bank of 20 degrees 0.19 m off."""
    (folder / "road.dat").write_text(BANKED)
    (folder / "platoon.dat").write_text(ONE.format(60.0, y))
    (folder / "model.dat").write_text(TEXTS["model.dat"].replace("H1 0.0", "H1 0.5").replace("H2 0.0", "H2 0.5"))
    system = ct.System()
    add_legacy(system, *read_legacy(folder), equilibrium="true")
    place = np.array(system.parts["car1.body"].position)
    assert place[:2] == pytest.approx([60.0, y], abs=1e-9)
    road = system.parts["road"]
    assert isinstance(road, Road)
    foot = road.point(*place)
    assert np.linalg.norm(place - foot.position) > 0.5 and foot.normal[2] < 0.95  # so there is something to get wrong
    assert math.hypot(*(place - foot.position)[:2]) > 0.18


def test_a_listed_height_is_measured_over_the_road_below_the_car(folder, capsys):
    """R3 counts from the line: 5 m to the high side of a bank of 20 degrees the car started 1.66 m under the road."""
    (folder / "road.dat").write_text(BANKED)
    (folder / "platoon.dat").write_text(ONE.format(60.0, 5.0))
    assert read_legacy(folder)
    (said,) = faults_of(folder, listed=True)
    assert "platoon.dat:1: vehicle 1 starts 1.6" in said and "m under the road" in said and "without --listed" in said
    (folder / "platoon.dat").write_text(ONE.format(60.0, 0.0))
    assert read_legacy(folder, listed=True)

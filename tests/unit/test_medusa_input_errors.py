"""Bad input of cars and roads, legacy and YAML: one clear message, with file and line."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError
from centrode.scenario.loader import loads
from centrode.scenario.medusa.checks import rest_height
from centrode.scenario.medusa.records import LegacyModels, LegacyPlatoon
from centrode.vehicles.platoon import add_legacy, legacy_of, read_legacy

INPUTS = Path(__file__).parents[1] / "conformance" / "data" / "medusa_inputs"


@pytest.fixture
def folder(tmp_path):
    for name in ("model.dat", "platoon.dat", "road.dat"):
        (tmp_path / name).write_text((INPUTS / "offset" / name).read_text())
    return tmp_path


def edit(folder, file, old, new, count=1):
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


LEGACY = {
    "missing keyword": ("platoon.dat", "SPEED 22.0", "22.0", "SPEED"),
    "wrong order": ("platoon.dat", "X 0.0 Y 0.0", "Y 0.0 X 0.0", "keyword X"),
    "wrong count": ("platoon.dat", "NUMBER_OF_VEHICLES 2", "NUMBER_OF_VEHICLES 3", "3"),
    "text for a number": ("platoon.dat", "SPEED 20.0", "SPEED fast", "fast"),
    "unknown model": ("platoon.dat", "VEHICLE_HAS_MODEL 1", "VEHICLE_HAS_MODEL 7", "7"),
    "road with two points": ("road.dat", "4", "2", "four points"),
    "negative spring": ("model.dat", "C1 ", "C1 -", "above 0"),
    "Poisson ratio of one half": ("model.dat", "NU 0.30", "NU 0.5", "0.5"),
}


@pytest.mark.parametrize("case", LEGACY)
def test_legacy_files_with_a_fault(folder, case):
    file, old, new, said = LEGACY[case]
    if old not in (folder / file).read_text():
        old = next(
            part for part in ("NU 0.3", "NU .3", "C1") if part in (folder / file).read_text() and part[:2] == old[:2]
        )
    edit(folder, file, old, new)
    with pytest.raises(InputError) as caught:
        read_legacy(folder)
    fault = caught.value.faults[0]
    assert said in str(caught.value)
    assert fault.file.endswith(file) and fault.line


@pytest.mark.parametrize(("file", "old", "new"), [("model.dat", "H1 0.0", "H1 1e300"), ("road.dat", "500.0", "-9e200")])
def test_numbers_beyond_all_measure_are_refused_where_they_stand(folder, file, old, new):
    """They passed as numbers, and ended in 'internal error' of the equilibrium or the spline."""
    edit(folder, file, old, new)
    with pytest.raises(InputError) as caught:
        add_legacy(ct.System(), *read_legacy(folder), equilibrium="true")
    fault = caught.value.faults[0]
    assert fault.file.endswith(file) and fault.line


def test_a_car_for_which_no_balance_can_be_computed_has_no_equilibrium(folder):
    """Not a number in the balance was 'internal error: SVD did not converge'."""
    models, platoon, road = read_legacy(folder)
    tall = dataclasses.replace(models.models[0], h2=1e300)
    with pytest.raises(InputError, match="no equilibrium"), np.errstate(all="ignore"):
        add_legacy(ct.System(), LegacyModels((tall,)), platoon, road, equilibrium="true", tyre_range="bounded")


def test_doubled_road_points(folder):
    edit(folder, "road.dat", "100.0 0.0 0.0 0.0", "-100.0 0.0 0.0 0.0")
    text = (folder / "road.dat").read_text()
    if text.count("-100.0 0.0 0.0 0.0") < 2:
        edit(folder, "road.dat", "500.0 0.0 0.0 0.0", "1000.0 0.0 0.0 0.0")
    with pytest.raises(InputError, match="same"):
        read_legacy(folder)


def test_a_car_off_the_road(folder):
    models, platoon, road = read_legacy(folder)
    far = dataclasses.replace(platoon.vehicles[1], x=-600.0)
    with pytest.raises(InputError, match="off the road"):
        add_legacy(ct.System(), models, LegacyPlatoon((far,)), road, equilibrium="true")
    edit(folder, "platoon.dat", "X 6.0", "X -600.0")
    with pytest.raises(InputError, match="vehicle 2 starts before the road") as caught:
        read_legacy(folder)
    assert caught.value.faults[0].line == far.line > 3


def test_a_road_that_cannot_be_is_told_beside_a_fault_of_the_platoon(folder):
    """The bank was looked at only when all files could be read: a second fault after the first was mended."""
    edit(folder, "platoon.dat", "SPEED 20.0", "SPEED 20,0")
    edit(folder, "road.dat", "500.0 0.0 0.0 0.0", "500.0 0.0 0.0 95.0")
    with pytest.raises(InputError) as told:
        read_legacy(folder)
    assert {Path(fault.file).name for fault in told.value.faults} == {"platoon.dat", "road.dat"}


def test_files_of_all_faults_are_named_at_once(folder):
    edit(folder, "platoon.dat", "SPEED 20.0", "SPEED fast")
    edit(folder, "road.dat", "NUMBER_OF_POINTS", "NUMBER_OF_POINT")
    with pytest.raises(InputError) as caught:
        read_legacy(folder)
    assert {Path(fault.file).name for fault in caught.value.faults} == {"platoon.dat", "road.dat"}


SCENARIO = """centrode: 1
roads:
  lane: {kind: spline, points: [[0, 0, 0], [50, 0, 0], [100, 0, 0]], width: 8}
vehicles:
  car: {kind: car, road: lane, station: 10}
run: {duration: 1 s}
"""

YAML = {
    "misspelt field": ("station: 10", "staton: 10", "station"),
    "unknown road": ("road: lane", "road: lan", "lane"),
    "text for a number": ("station: 10", "mass: heavy", "heavy"),
    "road with one point": ("[[0, 0, 0], [50, 0, 0], [100, 0, 0]]", "[[0, 0, 0]]", "two points"),
    "doubled points": ("[50, 0, 0]", "[0, 0, 0]", "same"),
    "a car off the road": ("station: 10", "position: [10, 30]", "off the road"),
    "negative spring": ("station: 10", "station: 10, stiffness: -1", "above 0"),
    "Poisson ratio of one half": ("station: 10", "station: 10, poisson: 0.5", "oisson"),
    "impossible inertia": ("station: 10", "station: 10, inertia: [1, 1, 500]", "inertia"),
    "unknown kind": ("kind: car,", "kind: caar,", "car"),
    "soft springs": ("station: 10", "station: 10, stiffness: 10, unusual: true, stop_stiffness: 0", "equilibrium"),
    "too steep": (
        "kind: spline, points: [[0, 0, 0], [50, 0, 0], [100, 0, 0]], width: 8",
        "kind: plane, bank: 75 deg",
        "equilibrium",
    ),
}


@pytest.mark.parametrize("case", YAML)
def test_scenario_with_a_fault(case):
    old, new, said = YAML[case]
    assert old in SCENARIO
    with pytest.raises(InputError) as caught:
        loads(SCENARIO.replace(old, new), file="cars.yaml")
    assert said in str(caught.value)
    assert any(fault.line for fault in caught.value.faults)


def test_the_scenario_itself_is_sound():
    assert loads(SCENARIO).system.parts["car.body"].kind == "pseudo-rigid"


@pytest.mark.parametrize("example", ["banked", "offset", "merging", "wave", "evading"])
def test_legacy_files_survive_the_way_through_a_system(example):
    """Read, build, write back: the same values, and no more models than there were in use."""
    models, platoon, road = read_legacy(INPUTS / example)
    system = ct.System()
    add_legacy(system, models, platoon, road, equilibrium="listed")
    back, vehicles, points = legacy_of(system)
    assert vehicles.vehicles == platoon.vehicles
    assert points == road
    assert back[1] == models[platoon.vehicles[0].model]


def test_what_the_legacy_files_cannot_say_is_refused():
    system = ct.System()
    from centrode.vehicles.car.car import Car

    system.add(Car("car", chassis="rigid"))
    with pytest.raises(InputError, match="car-medusa"):
        legacy_of(system)


def test_more_vehicles_than_announced_are_refused(folder):
    """They were left out without a word, and a platoon ran with fewer cars than its file shows."""
    edit(folder, "platoon.dat", "NUMBER_OF_VEHICLES 2", "NUMBER_OF_VEHICLES 1")
    with pytest.raises(InputError, match="NUMBER_OF_VEHICLES 2") as caught:
        read_legacy(folder)
    (fault,) = caught.value.faults
    second = [k for k, text in enumerate((folder / "platoon.dat").read_text().split("\n"), 1) if "HAS_MODEL" in text][1]
    assert fault.file.endswith("platoon.dat") and fault.line == second
    text = (folder / "platoon.dat").read_text().split("\n")
    text[second - 1 :] = [f"% {line}" for line in text[second - 1 :]]
    (folder / "platoon.dat").write_text("\n".join(text))
    assert len(read_legacy(folder)[1].vehicles) == 1


def test_more_models_than_announced_and_text_behind_the_end_are_noted(folder):
    edit(folder, "model.dat", "NUMBER_OF_MODELS 2", "NUMBER_OF_MODELS 1")
    edit(folder, "road.dat", "END_OF_FILE\n", "END_OF_FILE\n2000.0 0.0 0.0 0.0\n")
    system = ct.ImportMedusa("platoon", str(folder / "platoon.dat")).read()
    models, road = system.notes
    assert "model.dat:12: NUMBER_OF_MODELS 1, but 2 are there" in models
    assert "road.dat:9: what stands behind END_OF_FILE is not read, from '2000.0' on" in road
    (folder / "s.yaml").write_text("centrode: 1\nimports:\n  p: {kind: medusa, file: platoon.dat}\n")
    assert ct.load(folder / "s.yaml").system.notes == system.notes


def test_more_road_points_than_announced_are_called_so(folder):
    edit(folder, "road.dat", "END_OF_FILE\n", "2000.0 0.0 0.0 0.0\nEND_OF_FILE\n")
    with pytest.raises(InputError, match="more points than announced") as caught:
        read_legacy(folder)
    assert caught.value.faults[0].line == 8


IMPOSSIBLE = {
    "a road that runs back": (
        "road.dat",
        "100.0 0.0 0.0 0.0\n500.0 0.0",
        "500.0 0.0 0.0 0.0\n100.0 0.0",
        6,
        ("point 3 lies behind point 2", "order"),
    ),
    "a road that leans over": ("road.dat", "500.0 0.0 0.0 0.0", "500.0 0.0 0.0 95.0", 6, ("95", "between -90 and 90")),
    "a road that climbs a wall": ("road.dat", "500.0 0.0 0.0", "500.0 0.0 500.0", 6, ("51.3 degrees", "bank [deg]")),
    "steering in the wrong unit": ("platoon.dat", "STEERING 0.0", "STEERING 500", 4, ("'500'", "between -90 and 90")),
    "a step of steering": (
        "platoon.dat",
        "STEERING 0.0",
        "STEERING 0.0 STEERING_HISTORY 1 1.0 -270.0",
        4,
        ("-270", "between -90 and 90"),
    ),
    "a start beside the road": ("platoon.dat", "Y 0.4", "Y 50", 5, ("50 m beside", "up to 20 m", "--width")),
    "a start beyond the end": ("platoon.dat", "X 6.0", "X 6000", 5, ("beyond the end", "last point")),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_what_cannot_be_is_refused_with_its_line(folder, case):
    file, old, new, line, said = IMPOSSIBLE[case]
    edit(folder, file, old, new)
    with pytest.raises(InputError) as caught:
        read_legacy(folder)
    (fault,) = caught.value.faults
    assert fault.file.endswith(file) and fault.line == line
    assert fault.expected and all(word in str(fault) for word in said)


def test_a_wide_road_takes_a_car_from_the_side(folder):
    edit(folder, "platoon.dat", "Y 0.4", "Y 50")
    assert read_legacy(folder, width=101.0)[1].vehicles[1].y == 50.0


LISTED = {
    "millimetres": ("R3 5.039617e-02", "R3 50.4", "expected about 0.0504 m"),
    "below the road": ("R3 5.039617e-02", "R3 -5", "R3 -5"),
    "a mirrored frame": ("D22 1.0", "D22 -1.0", "right-handed"),
    "no frame": ("D33 0.9972", "D33 0.0", "right-handed"),
}


@pytest.mark.parametrize("case", LISTED)
def test_a_listed_equilibrium_that_is_none_is_refused_when_it_is_asked_for(folder, case):
    old, new, said = LISTED[case]
    edit(folder, "model.dat", old, new)
    read_legacy(folder)  # at rest on the springs, nobody needs it
    with pytest.raises(InputError, match=said) as caught:
        read_legacy(folder, listed=True)
    (fault,) = caught.value.faults
    assert fault.file.endswith("model.dat") and fault.line == 8


def test_height_of_rest_is_that_of_the_search_for_the_equilibrium(folder):
    """The formula of the checks leaves out the pitch p, which changes levers by p^2 / 2: 3e-3 of 0.1 m."""
    models, platoon, road = read_legacy(folder)
    rng = np.random.default_rng(7)
    for _ in range(5):
        c1, c2, h1, h2, l1 = rng.uniform((3e4, 3e4, 0.0, 0.0, 0.9), (6e4, 6e4, 0.1, 0.1, 1.6))
        model = dataclasses.replace(models[1], c1=c1, c2=c2, h1=h1, h2=h2, l1=l1)
        system = ct.System()
        add_legacy(system, LegacyModels((model,)), LegacyPlatoon(platoon.vehicles[:1]), road, equilibrium="true")
        assert system.parts["car1.body"].position[2] == pytest.approx(rest_height(model), abs=2e-3)


@pytest.mark.parametrize("example", ["banked", "offset", "merging", "wave", "evading"])
def test_the_examples_of_the_report_pass_all_checks(example):
    assert read_legacy(INPUTS / example, listed=True)


def test_a_hairpin_of_two_right_angles_is_a_road(folder):
    points = [(-100, 0), (100, 0), (100, 80), (-100, 80)]
    text = "".join(f"{x} {y} 0 0\n" for x, y in points)
    (folder / "road.dat").write_text(f"NUMBER_OF_POINTS: 4 XYZ_COORDINATES_&_ANGLE:\n{text}")
    assert len(read_legacy(folder, width=80.0)[2].points) == 4


@pytest.mark.parametrize(
    ("old", "new", "line", "unit"),
    [("MASS 1573.0", "MASS 1.573", 3, "kg"), ("L2 1.491", "L2 1491", 4, "m"), ("C2 40000.0", "C2 40", 5, "N/m")],
)
def test_numbers_in_another_unit_are_noted(folder, old, new, line, unit):
    """Tonnes, millimetres and kN/m ran without a word."""
    edit(folder, "model.dat", old, new)
    (note,) = read_legacy(folder)[0].notes
    assert f"model.dat:{line}: {new} of model 1" in note and note.endswith(f" {unit}")


@pytest.mark.parametrize("example", ["banked", "offset", "merging", "wave", "evading"])
def test_the_examples_of_the_report_need_no_note(example):
    assert read_legacy(INPUTS / example)[0].notes == ()

"""Legacy files: the five examples, round trips, faults with file and line, and no crash on any text."""

import dataclasses
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.errors import InputError
from centrode.scenario.medusa.outputs import (
    attitude,
    format_cars,
    format_config,
    format_path,
    write_outputs,
    write_smartpath,
)
from centrode.scenario.medusa.reader import (
    parse_models,
    parse_platoon,
    parse_road,
    read_models,
    read_platoon,
    read_road,
)
from centrode.scenario.medusa.records import (
    LegacyModel,
    LegacyModels,
    LegacyPlatoon,
    LegacyRoad,
    LegacyVehicle,
)
from centrode.scenario.medusa.writer import format_models, format_platoon, format_road
from centrode.system.builder import System
from centrode.vehicles.platoon import add_legacy, read_legacy, road_line

INPUTS = Path(__file__).parents[1] / "conformance" / "data" / "medusa_inputs"
MODEL_TEXT = (INPUTS / "offset" / "model.dat").read_text()
PLATOON_TEXT = (INPUTS / "offset" / "platoon.dat").read_text()
ROAD_TEXT = (INPUTS / "banked" / "road.dat").read_text()

number = st.floats(-1e6, 1e6)
positive = st.floats(1e-3, 1e6)
steering = st.floats(-89.9, 89.9)


@pytest.mark.parametrize(
    ("example", "vehicles"), [("banked", 1), ("evading", 2), ("merging", 5), ("offset", 2), ("wave", 4)]
)
def test_the_five_examples_read(example, vehicles):
    models = read_models(INPUTS / example / "model.dat")
    platoon = read_platoon(INPUTS / example / "platoon.dat", len(models.models))
    road = read_road(INPUTS / example / "road.dat")
    assert len(platoon.vehicles) == vehicles
    assert len(road.points) == 4
    assert models[1].mass == 1573.0
    assert models[1].young == 600e6
    assert models[2].a1 == 4.5
    assert (models[1].a1, models[1].a2, models[1].a3) == (4.0, 1.6, 1.3)
    assert models[1].directors[2] == (0.0749, 0.0, 0.9972)


def test_values_of_the_merging_example():
    rogue = read_platoon(INPUTS / "merging" / "platoon.dat").vehicles[4]
    assert rogue == LegacyVehicle(1, 6.0, -4.0, 0.0, 25.0, 0.0, 8.0)
    assert rogue.tire_speed == 0.0


def test_comments_case_and_layout_do_not_matter():
    words = MODEL_TEXT.split()
    loose = "% MODEL 7 in a comment\n" + "\n\t".join(f"{word.lower()} % {word}" for word in words)
    assert parse_models(loose) == parse_models(MODEL_TEXT)
    assert parse_road(ROAD_TEXT.replace(":", "").lower()) == parse_road(ROAD_TEXT)
    assert parse_road(ROAD_TEXT.replace("END_OF_FILE", "")) == parse_road(ROAD_TEXT)


@st.composite
def models(draw):
    fields = {
        item.name: draw(positive)
        for item in dataclasses.fields(LegacyModel)
        if item.name not in ("directors", "poisson", "ix", "iy", "iz")
    }
    moments = [draw(st.floats(10.0, 19.0)) for _ in range(3)]
    directors = tuple(tuple(draw(number) for _ in range(3)) for _ in range(3))
    return LegacyModel(
        poisson=draw(st.floats(-0.9, 0.49)),
        ix=moments[0],
        iy=moments[1],
        iz=moments[2],
        directors=directors,
        **fields,
    )


@st.composite
def vehicles(draw):
    times = sorted(draw(st.sets(st.floats(0, 100), max_size=4)))
    return LegacyVehicle(
        draw(st.integers(1, 9)),
        *(draw(number) for _ in range(5)),
        draw(steering),
        steering_history=tuple((time, draw(steering)) for time in times),
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(models(), min_size=1, max_size=3))
def test_models_round_trip(items):
    value = LegacyModels(tuple(items))
    assert parse_models(format_models(value)) == value


@settings(max_examples=40, deadline=None)
@given(st.lists(vehicles(), min_size=1, max_size=4))
def test_platoon_round_trip(items):
    value = LegacyPlatoon(tuple(items))
    assert parse_platoon(format_platoon(value)) == value


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(number, number, number, number), min_size=4, max_size=9, unique_by=lambda p: p[:3]))
def test_road_round_trip(points):
    value = LegacyRoad(tuple(points))
    assert parse_road(format_road(value)) == value


def faults_of(parse, text, *arguments):
    with pytest.raises(InputError) as caught:
        parse(text, *arguments)
    return caught.value.faults


def test_missing_keyword_names_line_and_keyword():
    text = MODEL_TEXT.replace(" NU 0.30", "", 1)
    (fault,) = faults_of(parse_models, text, "cars.dat")
    assert (fault.file, fault.line) == ("cars.dat", 3)
    assert "NU" in fault.expected
    assert "VOLUME" in str(fault)


def test_misspelt_keyword_is_one_fault_with_a_hint():
    (fault,) = faults_of(parse_platoon, PLATOON_TEXT.replace("ORIENTATION", "ORIENTATON", 1))
    assert fault.nearest == "ORIENTATION"
    assert fault.line == 3


def test_letter_o_is_explained():
    (fault,) = faults_of(parse_platoon, PLATOON_TEXT.replace("ORIENTATION 0.0", "ORIENTATION O.O", 1))
    assert "letter O" in fault.hint


def test_all_faults_at_once():
    text = MODEL_TEXT.replace("MASS 1573.0", "MASS -1", 1).replace("MODEL 2", "MODEL 3").replace("B 0.725", "B x")
    faults = faults_of(parse_models, text)
    assert [fault.line for fault in faults] == [3, 12, 14]


def test_counts_that_do_not_fit():
    (fault,) = faults_of(parse_platoon, PLATOON_TEXT.replace("VEHICLES 2", "VEHICLES 3"))
    assert "ends early" in fault.what
    (fault,) = faults_of(parse_road, ROAD_TEXT.replace("4\n", "5\n", 1))
    assert "fewer points" in fault.what
    (fault,) = faults_of(parse_road, ROAD_TEXT.replace("4\n", "3\n", 1).replace("90.0 0.0 0.0 0.0\n", ""))
    assert "too few" in fault.what
    (fault,) = faults_of(parse_platoon, PLATOON_TEXT, "p", 0)[:1]
    assert "no such model" in fault.what
    # a data base may hold more models than are announced
    assert len(parse_models(MODEL_TEXT.replace("MODELS 2", "MODELS 1")).models) == 1


def test_swapped_keywords_are_found():
    faults = faults_of(parse_models, MODEL_TEXT.replace("IX 479.6 IY 2594.6", "IY 2594.6 IX 479.6", 1))
    assert {fault.line for fault in faults} == {3}


def test_impossible_inertias_and_points():
    (fault,) = faults_of(parse_models, MODEL_TEXT.replace("IX 479.6", "IX 1.0", 1))
    assert "moments of inertia" in fault.what
    (fault,) = faults_of(parse_road, ROAD_TEXT.replace("30.0 0.0", "0.0 0.0"))
    assert "same" in fault.what


def test_missing_file_is_an_input_error(tmp_path):
    with pytest.raises(InputError):
        read_models(tmp_path / "none.dat")
    with pytest.raises(InputError):
        read_road(tmp_path)


PARSERS = [(parse_models, MODEL_TEXT), (parse_platoon, PLATOON_TEXT), (parse_road, ROAD_TEXT)]


def survives(parse, text):
    try:
        parse(text)
    except InputError as problem:
        assert problem.faults
        assert all(fault.line >= 1 and fault.file for fault in problem.faults)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes_never_crash(data):
    for parse, _ in PARSERS:
        survives(parse, data.decode("utf-8", errors="replace"))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_files_never_crash(data):
    """Words dropped, doubled, swapped or replaced by strange ones."""
    parse, text = data.draw(st.sampled_from(PARSERS))
    words = text.split()
    strange = st.sampled_from(["", "%", "1e999", "-1", "0", "nan", "X", "MODEL", "END_OF_FILE", "99999999", "１", "e"])
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(words) - 1))
        action = data.draw(st.integers(0, 3))
        if action == 0 and len(words) > 1:
            del words[place]
        elif action == 1:
            words.insert(place, words[data.draw(st.integers(0, len(words) - 1))])
        elif action == 2:
            other = data.draw(st.integers(0, len(words) - 1))
            words[place], words[other] = words[other], words[place]
        else:
            words[place] = data.draw(strange)
    survives(parse, "\n".join(words))


def added(vehicle, model=None, **options):
    """The parts of one legacy vehicle on a level road."""
    system = System()
    models = LegacyModels((model or read_models(INPUTS / "offset" / "model.dat")[1],))
    road = LegacyRoad(tuple((50.0 * k, 0.0, 0.0, 0.0) for k in range(-2, 4)))
    add_legacy(system, models, LegacyPlatoon((vehicle,)), road, **options)
    return system.parts


def test_start_turns_the_listed_equilibrium():
    body = added(LegacyVehicle(1, 3.0, 4.0, 90.0, 20.0, 0.0, 0.0), equilibrium="listed")["car1.body"]
    d1, d2, _ = np.array(body.directors).T
    assert body.position == pytest.approx([3.0, 4.0, 5.039617e-2])
    assert d1 == pytest.approx([0.0, 0.9972, -0.0748], abs=1e-15)
    assert d2 == pytest.approx([-1.0, 0.0, 0.0], abs=1e-15)
    assert body.velocity == pytest.approx([0.0, 20.0, 0.0], abs=1e-14)


def test_listed_height_counts_from_the_road():
    """R3 is "above ground" in the manual; the program counted from z = 0, two metres below such a road."""
    models = read_models(INPUTS / "offset" / "model.dat")
    road = LegacyRoad(tuple((60.0 * k, 0.0, 2.0, 0.0) for k in range(4)))
    system = System()
    add_legacy(system, models, LegacyPlatoon((LegacyVehicle(1, 50.0, 1.0, 0.0, 9.0, 0.0, 0.0),)), road)
    assert system.parts["car1.body"].position == pytest.approx([50.0, 1.0, 2.0 + 5.039617e-2])


def steering_deg(history, first, times):
    """Steering of the car that a legacy vehicle becomes, at given times [deg]."""
    vehicle = LegacyVehicle(1, 0.0, 0.0, 0.0, 22.0, 0.0, first, steering_history=history)
    steer = added(vehicle, equilibrium="listed")["car1"].steer
    return [round(math.degrees(steer.at(time)[0]), 9) for time in times]


def test_steering_history_is_a_staircase():
    angles = steering_deg(((0.3, 3.0), (0.5, 9.0)), 1.0, (0.0, 0.2999, 0.3, 0.49, 0.5, 9.0))
    assert angles == [1, 1, 3, 3, 9, 9]


def test_road_part_of_both_kinds():
    road = parse_road(ROAD_TEXT)
    for original in (True, False):
        point = road.part(original=original).point(0.0, 0.0, 0.0)
        assert point.normal == pytest.approx([0, -math.sin(math.radians(5)), math.cos(math.radians(5))], abs=1e-9)


def test_output_files_hold_the_right_columns(tmp_path):
    rng = np.random.default_rng(0)
    time = np.arange(5) * 0.01
    states = rng.normal(size=(5, 3, 28))
    states[:, :, 3:12] = np.eye(3).ravel()
    energies = rng.normal(size=(5, 3)) * 1e5
    paths = {path.name: path for path in write_outputs(tmp_path, time, states, energies)}
    assert set(paths) == {"path.asc", "director.asc", "velocity.asc", "energy.asc", "oop.asc"}
    for name, expected in (
        ("director.asc", states[:, :, :12].reshape(5, -1)),
        ("velocity.asc", states[:, :, 12:24].reshape(5, -1)),
        ("energy.asc", energies),
    ):
        got = np.loadtxt(paths[name])
        assert got[:, 0] == pytest.approx(time, abs=1e-12)
        assert got[:, 1:] == pytest.approx(expected, rel=1e-9)  # nine decimals are written
    assert paths["oop.asc"].read_bytes() == b""
    assert np.loadtxt(paths["path.asc"]).shape == (5 * 3, 19)


def test_attitude_of_every_row_is_its_own():
    angles = np.radians([0.0, 30.0, 60.0, 90.0])
    states = np.zeros((4, 1, 28))
    for row, angle in zip(states[:, 0], angles, strict=True):
        c, s = math.cos(angle), math.sin(angle)
        row[3:12] = [1.1 * c, 1.1 * s, 0, -s, c, 0, 0, 0, 0.9]
    rows = np.array(
        [[float(word) for word in line.split()] for line in format_path(np.arange(4.0), states).split("\n")[:4]]
    )
    assert rows[:, 7] == pytest.approx(angles, abs=1e-9)


def test_attitude_signs():
    c, s = math.cos(0.1), math.sin(0.1)
    assert attitude([c, 0, s, 0, 1, 0, -s, 0, c])[1] == pytest.approx(0.1)  # nose up
    assert attitude([1, 0, 0, 0, c, s, 0, -s, c])[2] == pytest.approx(0.1)  # left up, right down


def test_path_has_one_row_per_time_and_vehicle():
    """t, vehicle, 0, 0, x, y, z, three angles [rad], 0, speed, seven zeros: the layout that SmartPath reads."""
    states = np.random.default_rng(1).normal(size=(3, 2, 28))
    c, s = math.cos(0.3), math.sin(0.3)
    states[:, 0, 3:12] = [c, s, 0, -s, c, 0, 0, 0, 1]
    states[:, 1, 3:12] = [c, 0, -s, 0, 1, 0, s, 0, c]  # nose down
    rows = np.array([line.split() for line in format_path(np.array([0.0, 0.5, 1.0]), states).splitlines()], dtype=float)
    assert rows.shape == (6, 19)
    assert rows[:, 0].tolist() == [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]
    assert rows[:, 1].tolist() == [1, 2, 1, 2, 1, 2]
    assert not rows[:, [2, 3, 10, *range(12, 19)]].any()
    assert rows[:, 4:7] == pytest.approx(states[:, :, :3].reshape(6, 3), abs=1e-9)
    assert rows[::2, 7:10] == pytest.approx(np.array([[0.3, 0, 0]] * 3), abs=1e-9)
    assert rows[1::2, 7:10] == pytest.approx(np.array([[0, -0.3, 0]] * 3), abs=1e-9)
    assert rows[:, 11] == pytest.approx(np.linalg.norm(states[:, :, 12:15], axis=2).ravel(), abs=1e-9)


def test_smartpath_files(tmp_path):
    """Every vehicle has the size of its own model."""
    models = read_models(INPUTS / "offset" / "model.dat")
    platoon = LegacyPlatoon(tuple(LegacyVehicle(model, *[0.0] * 6) for model in (2, 1, 2)))
    states = np.zeros((2, 3, 28))
    states[:, :, 3:12] = np.eye(3).ravel()
    line = np.array([[-100.0, 0.0, 0.0], [1000.0, 0.0, 0.0]])
    names = [path.name for path in write_smartpath(tmp_path, "run", np.arange(2.0), states, models, platoon, line)]
    assert names == ["run.state", "run.cars", "run.config"]
    assert format_cars(platoon) == "3\n1 simple2\n2 simple1\n3 simple2\n"
    config = format_config(models, platoon, line)
    assert "CARTYPE simple1\nLENGTH 4.0\nWIDTH 1.6\nHEIGHT 1.3\n" in config
    assert "CARTYPE simple2\nLENGTH 4.5\nWIDTH 2.5\nHEIGHT 1.5\n" in config
    alone = format_config(models, LegacyPlatoon(platoon.vehicles[1:2]), line)
    assert alone.startswith("SECTION CARTYPE\nCARTYPE simple1\nLENGTH 4.0\nWIDTH 1.6\nHEIGHT 1.3\nFILE esprit.flt")
    assert "simple2" not in alone


def test_highways_of_smartpath_follow_the_road():
    """A straight line of 500 m was written whatever road.dat said."""
    models = read_models(INPUTS / "offset" / "model.dat")
    platoon = read_platoon(INPUTS / "offset" / "platoon.dat")
    road = read_road(INPUTS / "offset" / "road.dat")
    config = format_config(models, platoon, road_line(road.part(), road))
    # 200 m of virtual segment, 1100 m of road; two lanes of 4 m about y = 0.
    assert "GEOMETRY LINE 1300 0\n//\nPIN HW1 -300 4 0.2 0\n" in config
    bent = LegacyRoad(((0.0, 0.0, 2.0, 0.0), (80.0, 60.0, 2.0, 0.0), (160.0, 60.0, 3.0, 0.0), (250.0, -40.0, 3.0, 0.0)))
    part = bent.part()
    config = format_config(models, platoon, road_line(part, bent))
    lengths = [float(value) for value in re.findall(r"GEOMETRY LINE (\S+) 0", config)]
    pins = np.array([[float(word) for word in row.split()[2:]] for row in config.split("\n") if row.startswith("PIN")])
    assert len(lengths) == len(pins) > 5
    headings = np.radians(pins[:, 3])
    ahead = np.column_stack([np.cos(headings), np.sin(headings)])
    starts = pins[:, :2] - 4.0 * np.column_stack([-ahead[:, 1], ahead[:, 0]])
    assert starts[1:] == pytest.approx((starts + ahead * np.array(lengths)[:, None])[:-1], abs=1e-6)
    for start, direction, length in zip(starts, ahead, lengths, strict=True):
        for share in np.linspace(0.0, 1.0, 9):
            place = part.point_below(*(start + share * length * direction))
            assert abs(place.lateral) < 0.15  # 0.1 at the sampled places, 3 m apart; sagitta of 3 m on 30 m: 0.04


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(InputError):
        format_path(np.arange(3.0), np.zeros((2, 1, 28)))


def test_true_equilibrium_of_model_1():
    """Static balance: known pitch -0.01383 and height 0.0503962; axle loads m g b / L by the lever rule.

    The lever arms are L1 d11 and L2 d11 in the deformed, pitched body; both shrink alike, so the ratio stays.
    """
    model = read_models(INPUTS / "offset" / "model.dat")[1]
    vehicle = LegacyVehicle(1, 0.0, 0.0, 0.0, 20.0, 0.0, 0.0)
    parts = added(vehicle, equilibrium="true")
    body = parts["car1.body"]
    height, directors = body.position[2], np.array(body.directors).T
    assert directors[0, 2] == pytest.approx(-0.01383, abs=5e-6)
    assert height == pytest.approx(0.0503962, abs=5e-8)
    gaps = height + np.array(parts["car1.carriage"].corners) @ directors[:, 2]
    loads = model.c1 * (model.spring_ref - gaps)
    assert loads.sum() == pytest.approx(1573.0 * 9.81, rel=1e-9)
    assert loads[:2].sum() == pytest.approx(1573.0 * 9.81 * 1.491 / (1.034 + 1.491), rel=1e-6)
    with pytest.raises(InputError):
        added(vehicle, dataclasses.replace(model, l2=-0.5), equilibrium="true")


def test_evading_steering_switches_at_the_steps_of_the_original():
    """Section 3.5 of the report, time accumulated as t += 5e-5 in double: indices of the first step of each angle."""
    staircase = (
        (0.30, 3.0),
        (0.50, 9.0),
        (0.70, 3.0),
        (0.85, 0.0),
        (1.10, -3.0),
        (1.25, -7.0),
        (1.45, -3.0),
        (1.60, 0.0),
    )
    times = np.concatenate([[0.0], np.cumsum(np.full(32999, 5e-5))])
    near = [step for step, time in enumerate(times) if min(abs(time - at) for at, _ in staircase) < 2e-4]
    angles = steering_deg(staircase, 0.0, times[near])
    switches = [near[k] for k in range(1, len(near)) if angles[k] != angles[k - 1] and near[k] == near[k - 1] + 1]
    assert switches == [6001, 10001, 14001, 17001, 22000, 25000, 29000, 32000]


def test_files_of_older_machines_are_read(tmp_path):
    """Capitals in names, ends of lines of DOS, a byte order mark, exponents of Fortran."""
    for name, text in (("MODEL.DAT", MODEL_TEXT), ("Platoon.dat", PLATOON_TEXT), ("ROAD.DAT", ROAD_TEXT)):
        raw = text.replace("600.0e6", "600.0D6").replace("\n", "\r\n").encode()
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + raw)
    models, platoon, road = read_legacy(tmp_path)
    assert (models, platoon, road) == (parse_models(MODEL_TEXT), parse_platoon(PLATOON_TEXT), parse_road(ROAD_TEXT))


def test_first_mistakes_in_a_file_are_explained():
    (fault,) = faults_of(parse_platoon, PLATOON_TEXT.replace("SPEED 22.0", "SPEED 22,0", 1))
    assert "no comma" in fault.hint
    (fault,) = faults_of(parse_models, MODEL_TEXT.replace("600.0e6", "600.0 MPa", 1))
    assert fault.what == "a unit behind a number" and "SI" in fault.hint and fault.line == 3
    (fault,) = faults_of(parse_platoon, MODEL_TEXT)
    assert fault.what == "this is model.dat" and "platoon.dat" in fault.expected
    (fault,) = faults_of(parse_models, ROAD_TEXT)
    assert fault.what == "this is road.dat"

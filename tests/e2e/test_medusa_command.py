"""``centrode medusa``, ``centrode convert`` and ``centrode car`` as a user calls them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.cli.main import run
from centrode.scenario.medusa.records import MODEL_LAYOUT, VEHICLE_LAYOUT

INPUTS = Path(__file__).parents[1] / "conformance" / "data" / "medusa_inputs"
SCENARIOS = Path(__file__).parents[2] / "scenarios" / "cars"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_help_lists_the_options_of_the_manual(capsys):
    assert run(["medusa", "-h"]) == 0
    text = capsys.readouterr().out
    for line in ("-h prints this list", "-dx.xxx set fixed stepsize", "-ffile parameter file", "-tx.xx", "-sx.xx"):
        assert line in text


def test_without_end_time(capsys):
    assert run(["medusa"]) == 2
    assert "No endtime specified. Type medusa -h for help" in capsys.readouterr().err


def test_a_run_with_the_files_of_the_manual(here, capsys):
    for file in (INPUTS / "offset").iterdir():
        shutil.copy(file, here / file.name)
    assert run(["medusa", "-t.2", "-s.05", "-d1E-4", "--smartpath", "crash", "--oop"]) == 0
    text = capsys.readouterr().out
    assert "The simulation for 2 vehicles will stop after 0.2 [s]" in text
    assert "- stepsize: 0.0001 [s]" in text and "- save data point every 0.05 [s]" in text and "t=0.2000" in text
    for name, width in (("director.asc", 24), ("velocity.asc", 24), ("energy.asc", 2)):
        table = np.loadtxt(here / name)
        assert table.shape == (5, 1 + width)
        assert table[:, 0] == pytest.approx([0.0, 0.05, 0.1, 0.15, 0.2])
    path = np.loadtxt(here / "path.asc")
    assert path.shape == (5 * 2, 19) and path[:, 1].tolist() == [1, 2] * 5
    assert path[-2:, 11] == pytest.approx([22.0, 20.0], abs=1e-3)
    assert (here / "oop.asc").read_text() == ""
    assert (here / "crash.state").read_text() == (here / "path.asc").read_text()
    assert (here / "crash.cars").read_text().startswith("2\n1 simple1")
    assert "CARTYPE simple1" in (here / "crash.config").read_text()
    velocity = np.loadtxt(here / "velocity.asc")
    assert velocity[-1, 1] == pytest.approx(22.0, abs=1e-3)
    # All of the energy is there: the kinetic part alone is m v^2 / 2.
    assert np.loadtxt(here / "energy.asc")[0, 1] > 0.5 * 1573 * 22**2


def test_a_hit_keeps_momentum_and_takes_energy(here):
    """Offset example: touch at 1.0004 s; afterwards the momentum is the same and the energy is less."""
    for file in (INPUTS / "offset").iterdir():
        shutil.copy(file, here / file.name)
    assert run(["medusa", "-t1.2", "-s.1", "--quiet"]) == 0
    velocity, energy = np.loadtxt(here / "velocity.asc"), np.loadtxt(here / "energy.asc")
    # Cars of equal mass; free rolling wheels take some newton of side slip each, below 1e-3 of the momentum in 0.2 s.
    assert velocity[-1, [1, 13]].sum() == pytest.approx(42.0, abs=0.02)
    assert velocity[-1, 1] < 21.0 < velocity[-1, 13]
    assert energy[-1, 1:].sum() < energy[0, 1:].sum()
    assert run(["medusa", "-t1.2", "-s.1", "--quiet", "--no-contact"]) == 0
    assert np.loadtxt(here / "velocity.asc")[-1, 1] == pytest.approx(22.0, abs=1e-3)


def test_listed_start_is_a_choice(here):
    for file in (INPUTS / "offset").iterdir():
        shutil.copy(file, here / file.name)
    assert run(["medusa", "-t.01", "--listed", "--quiet"]) == 0
    assert np.loadtxt(here / "director.asc")[0, 6] == pytest.approx(-0.0748)


@pytest.mark.parametrize(
    ("arguments", "said"), [(["-tx"], "number"), (["-t1", "-d-1"], "number"), (["-t1", "-fno"], "no")]
)
def test_wrong_options(here, capsys, arguments, said):
    assert run(["medusa", *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("example", ["offset", "evading", "banked"])
def test_conversion_to_a_scenario_and_back(here, example, capsys):
    assert run(["convert", str(INPUTS / example), "a.yaml", "--duration", "2 s"]) == 0
    assert run(["check", "a.yaml"]) == 0
    assert run(["convert", "a.yaml", "back"]) == 0
    assert run(["convert", "back", "b.yaml", "--duration", "2"]) == 0
    assert (here / "a.yaml").read_text() == (here / "b.yaml").read_text()
    assert run(["convert", "a.yaml", "back"]) == 2
    assert "exists" in capsys.readouterr().err


@pytest.mark.parametrize("file", sorted(SCENARIOS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_scenario_of_cars_runs(here, file):
    assert run(["run", str(file), "-o", "run.nc", "--quiet", "--duration", "0.1 s"]) == 0


def test_step_steer_prints_figures_and_draws(here, capsys):
    assert run(["car", "step-steer", "--speed", "20", "--json", "--plot", "step.png"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["figures"]["yaw rate gain [1/s]"] > 2.0
    assert (here / "step.png").stat().st_size > 10_000


def test_lane_change_has_a_verdict(here, capsys):
    assert run(["car", "lane-change", "--course", "iso3888-2", "--speed", "10"]) == 0
    assert "passed" in capsys.readouterr().out
    assert run(["car", "lane-change", "--course", "iso3888-2", "--speed", "25"]) == 1
    assert run(["car", "lane-change", "--course", "nowhere"]) == 2


def test_a_new_deck_runs_as_it_is_and_is_the_one_of_the_reference(here, capsys):
    """There was no starter, and the layout of the files stood nowhere."""
    assert run(["new", "medusa", "crash"]) == 0
    said = capsys.readouterr().out
    assert "next, in crash: centrode medusa -t2" in said
    assert run(["medusa", "-t2", "-d2e-4", "-fcrash/platoon.dat", "--quiet", "--record", "run.nc"]) == 0
    (hit,) = ct.Recording.load("run.nc").collisions
    assert hit.closing_speed == pytest.approx(2.0, abs=0.01)  # rolling cars keep their speed
    # It lists the equilibrium that the springs give: --listed stands still, 1e-5 m in half a second.
    assert run(["medusa", "-t.5", "-d2e-4", "-fcrash/platoon.dat", "--quiet", "--listed"]) == 0
    assert np.ptp(np.loadtxt("director.asc")[:, 3]) < 1e-5


def test_a_new_deck_overwrites_nothing(here, capsys):
    (here / "crash").mkdir()
    (here / "crash" / "road.dat").write_text("mine")
    assert run(["new", "medusa", "crash"]) == 2
    assert "crash/road.dat: the file exists already" in capsys.readouterr().err
    assert [path.name for path in (here / "crash").iterdir()] == ["road.dat"]
    assert run(["new", "medusa", "crash.yaml"]) == 2
    assert run(["new", "medusa", "no/where"]) == 2
    assert run(["new", "--list"]) == 0
    assert "files of the 1999 program" in capsys.readouterr().out


def test_the_reference_explains_every_keyword():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "medusa-files.md").read_text()
    words = set(re.findall(r"\b[A-Z][A-Z0-9_]*\b", re.sub(r"%.*|\{.*?\}", "", MODEL_LAYOUT + VEHICLE_LAYOUT)))
    words |= {"NUMBER_OF_MODELS", "MODEL", "NUMBER_OF_VEHICLES", "VEHICLE_HAS_MODEL", "STEERING_HISTORY"}
    words |= {"NUMBER_OF_POINTS:", "XYZ_COORDINATES_&_ANGLE:", "END_OF_FILE"}
    assert len(words) > 40
    said = set(re.findall(r"`([^` ]+)[^`]*`", page.partition("## A whole deck")[0]))
    assert words - said == set()


def test_a_platoon_of_twelve_on_a_road_that_climbs_and_leans(here):
    """A highway engineer's own deck: free-rolling cars close up on a slow one, on six points with slope and bank."""
    shutil.copy(INPUTS / "offset" / "model.dat", here / "model.dat")
    cars = [(60 + 7 * k, 0.07 * k, 15 if k == 11 else 25) for k in range(12)]
    line = "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X {} Y {:.2f} ORIENTATION 2.0 SPEED {} TIRE_SPEED 0 STEERING 0.3\n"
    (here / "platoon.dat").write_text("NUMBER_OF_VEHICLES 12\n" + "".join(line.format(*car) for car in cars))
    points = ("0 0 0 0", "100 2 1 2", "200 10 4 4", "300 24 8 4", "400 44 11 2", "600 100 12 0")
    (here / "road.dat").write_text("NUMBER_OF_POINTS: 6 XYZ_COORDINATES_&_ANGLE: " + " ".join(points) + " END_OF_FILE")
    assert run(["medusa", "-t1", "-s.05", "-d1e-4", "--record", "run.nc", "--quiet"]) == 0
    hits = {item.names for item in ct.Recording.load("run.nc").collisions}
    assert {("car11", "car12"), ("car10", "car11")} >= hits >= {("car11", "car12")}  # 25 on 15 m/s, 3 m apart
    energy = np.loadtxt(here / "energy.asc")[:, 1:].sum(axis=1)
    # Nobody drives. The first hit brings (m/2) 10^2 / 2 = 39 kJ into contact and keeps at least 1 - 0.15^2 of it; what
    # the cars gain between two saved points the contact held at the first of them.
    brought = 0.25 * 1573.0 * 10.0**2
    assert energy[0] - energy[-1] > 0.97 * brought and np.diff(energy).max() < brought

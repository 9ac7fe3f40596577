"""``centrode medusa`` where the model of 1999 ends: reverse, overload, rollovers, lags shorter than the step."""

from __future__ import annotations

import math
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from medusa_deck import level, write_deck

import centrode as ct
from centrode.cli.main import run
from centrode.plots.medusa import SLIPS, figure_tyre
from centrode.running import Session

OUTPUTS = ("path.asc", "director.asc", "velocity.asc", "energy.asc")


@pytest.fixture
def deck(tmp_path, monkeypatch):
    """Write a deck of model 1 with other numbers into an empty folder."""
    monkeypatch.chdir(tmp_path)
    return partial(write_deck, tmp_path)


def last(name: str) -> np.ndarray:
    return np.loadtxt(name, ndmin=2)[-1]


@pytest.mark.parametrize("rim", [-3, -5, -8])
def test_a_driven_car_in_reverse_is_told_and_bounded_settles_at_its_rim_speed(deck, capsys, rim):
    """The program's tyre pushes a reversing car the wrong way: it gained energy without end, and all seemed well.
    Mirrored: s = 1 - rim/v, braking while |v| > |rim|, so |v| falls or rises to |rim| and stays."""
    deck({"speed": -5, "rim": rim})
    assert run(["medusa", "-t1", "-d2e-4", "--quiet", "--record", "run.nc"]) == 0
    said = capsys.readouterr().err
    assert "car1, driven in reverse" in said and "--tyre bounded" in said
    assert "driven in reverse" in ct.Recording.load("run.nc").summary()
    assert run(["medusa", "-t10", "-d2e-4", "--quiet", "--tyre", "bounded"]) == 0
    assert "reverse" not in capsys.readouterr().err
    assert last("velocity.asc")[1:4] == pytest.approx([rim, 0.0, 0.0], abs=1e-3)


def test_a_standing_car_whose_wheels_turn_back_reverses_with_the_bounded_tyre(deck):
    deck({"speed": 0, "rim": -4})
    assert run(["medusa", "-t10", "-d2e-4", "--quiet", "--tyre", "bounded"]) == 0
    assert last("velocity.asc")[1:4] == pytest.approx([-4.0, 0.0, 0.0], abs=1e-3)


def test_bounded_is_the_same_tyre_where_the_report_has_equations(deck, capsys):
    deck({"speed": 25, "rim": 24, "steering": 3})
    found = []
    for kind in ("program", "bounded"):
        assert run(["medusa", "-t1", "-d2e-4", "--quiet", "--tyre", kind]) == 0
        found.append(Path("director.asc").read_bytes())
    assert found[0] == found[1]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("speed", "rim", "points"), [(2, 2, ((0, 0), (100, 80), (500, 400), (1000, 800))), (-5, 5, ()), (-5, 0.001, ())]
)
def test_wheels_driven_ahead_brake_a_car_that_rolls_back_and_no_false_word_is_said(deck, capsys, speed, rim, points):
    """'Pushes a reversing car the wrong way' was said of them too, on a slope that two wheels do not climb, and of a
    reversing car that is braked. Their slip above 1 becomes -1: full thrust ahead. That of the bounded tyre is full
    sliding, f = 1, to which f of (1.22) has come within 2 % there, sigma being above 5."""
    deck({"speed": speed, "rim": rim}, road=level(*((x, 0, z, 0) for x, z in points)))
    found = []
    for kind in ("program", "bounded"):
        assert run(["medusa", "-t1", "-d2e-4", "--quiet", "--tyre", kind]) == 0
        assert "reverse" not in capsys.readouterr().err
        found.append(last("velocity.asc")[1])
    assert found[0] - speed == pytest.approx(found[1] - speed, rel=0.02)
    assert found[0] > speed if points == () else found[0] < 0.0


@pytest.mark.parametrize("lag", [0.0016, 0.05])
def test_a_reversing_car_that_rolls_freely_goes_straight(deck, lag):
    """Its lagged angle started at 0 and passed that of a wheel dragged sideways: 41 mm aside in 5 s, 0.7 m for 0.05."""
    deck({"speed": -20}, TIRE=lag)
    assert run(["medusa", "-t5", "-d2e-4", "--quiet"]) == 0
    assert last("director.asc")[1:3] == pytest.approx([400.0, 0.0], abs=1e-6)
    energy = np.loadtxt("energy.asc")[:, 1]
    assert energy == pytest.approx(energy[0], rel=1e-9)


def test_a_wheel_load_beyond_the_tyre_is_told_with_load_and_limit(deck, capsys):
    """C_a = A0 + A1 F - (A1/A2) F^2 is 0 at the load below; steered left such a car went right."""
    deck({"steering": 3}, MASS=5200, IX=1600, IY=8600, IZ=9200, C1=130000, C2=130000)
    load = 0.5 * 5200 * 9.81 * 1.491 / (1.034 + 1.491)
    a0, a1, a2 = 7092.7808, 11.94, 13571.0848
    limit = max(np.roots([-a1 / a2, a1, a0]).real)
    assert run(["medusa", "-t1", "-d2e-4", "--quiet", "--record", "run.nc"]) == 0
    said = capsys.readouterr().err
    assert f"car1 carries {1e-3 * load:.3g} kN" in said and f"above {1e-3 * limit:.3g} kN" in said
    assert "points the wrong way" in ct.Recording.load("run.nc").summary()
    assert last("director.asc")[2] < -0.05  # as in 1999
    assert run(["medusa", "-t1", "-d2e-4", "--quiet", "--tyre", "bounded"]) == 0
    assert last("director.asc")[2] > 0.05 and "above 13.6 kN 7.09 kN/rad" in capsys.readouterr().err
    (advice,) = re.findall(r'--set "(tyres=.*?)" --set (\S+)', said)
    assert run(["medusa", "-t1", "-d2e-4", "--quiet", "--set", advice[0], "--set", advice[1]]) == 0
    assert last("director.asc")[2] > 0.5 and capsys.readouterr().err == ""


def test_the_tyre_that_is_advised_turns_a_lorry_as_that_of_model_1_turns_its_car(deck, capsys):
    """32.7 kN on a wheel: advised was a2: 30000, which has the 7.1 kN/rad of an unloaded car, and a lorry that was
    steered by 2 degrees went 0.22 m aside in 3 s, without a word with --tyre bounded. In size C / F and mu are those
    of a car, and the lorry turns by speed / L tan(steer) as long as its slip angles are small and equal."""
    lorry = {"MASS": 12000, "IX": 8000, "IY": 60000, "IZ": 62000, "C1": 400000, "C2": 400000, "L1": 2.2, "L2": 2.2}
    deck({"steering": 2, "speed": 10}, **lorry)
    assert run(["medusa", "-t3", "-s.1", "-d2e-4", "--quiet", "--tyre", "bounded"]) == 0
    (advice,) = re.findall(r'--set "(tyres=.*?)" --set (\S+)', capsys.readouterr().err)
    assert run(["medusa", "-t3", "-s.1", "-d2e-4", "--quiet", "--set", advice[0], "--set", advice[1]]) == 0
    assert capsys.readouterr().err == ""
    directors = np.loadtxt("director.asc")
    heading = np.unwrap(np.arctan2(directors[:, 5], directors[:, 4]))
    assert (heading[-1] - heading[10]) / 2.0 == pytest.approx(10 / 4.4 * math.tan(math.radians(2)), rel=0.02)


@pytest.mark.parametrize(("side", "word"), [(-10, "gave it"), (10, "took from it")])
def test_energy_from_a_plane_that_turns_is_told_and_the_smooth_road_gives_none(deck, capsys, side, word):
    """Beside the line of a road whose bank changes by 9 degrees a free car gained 25 kJ of 491, or lost 23,
    as the equations of the report have it, and all seemed well. What is told is what energy.asc shows but for the work
    of its tyres and dampers, 160 J on the smooth road and less than 3 % of 23 kJ here, where it slips down the bank."""
    road = level(*[(100 * k, 0, 0, bank) for k, bank in enumerate((5.6, -3.5, 0, 0))])
    deck({"x": 2, "y": side, "speed": 25}, road=road)
    assert run(["medusa", "-t4", "-d2e-4", "--quiet"]) == 0
    said = capsys.readouterr().err
    energy = np.loadtxt("energy.asc")[:, 1]
    told = float(re.search(rf"car1: the road, whose bank changes, {word} ([\d.]+) kJ", said).group(1))
    assert 1e3 * told == pytest.approx(abs(energy[-1] - energy[0]), rel=0.03)
    assert run(["medusa", "-t4", "-d2e-4", "--quiet", "--road", "smooth"]) == 0
    energy = np.loadtxt("energy.asc")[:, 1]
    assert np.abs(energy - energy[0]).max() < 200 and "bank changes" not in capsys.readouterr().err


def test_a_load_beyond_the_greatest_stiffness_is_told_and_model_1_is_not(deck, capsys):
    deck({"steering": 1}, MASS=2600, IX=800, IY=4300, IZ=4600)
    assert run(["medusa", "-t.1", "-d2e-4", "--quiet"]) == 0
    said = capsys.readouterr().err
    assert f"above {1e-3 * 13571.0848 / 2:.3g} kN more load gives" in said and "7.53 kN" in said
    deck({"steering": 1})
    assert run(["medusa", "-t.1", "-d2e-4", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_a_car_that_rolls_over_is_told_and_gains_no_energy_on_the_way(deck, capsys):
    """It ran on below the road without a word. Springs of lifted wheels were stretched: 661 kJ rose to 707 kJ."""
    deck({"x": 0, "speed": 30, "steering": 8}, H1=0.6, H2=0.6)
    assert run(["medusa", "-t1.6", "-d2e-4", "--quiet", "--record", "run.nc"]) == 0
    (moment,) = re.findall(r"car1 has rolled over at ([\d.]+) s", capsys.readouterr().err)
    table, directors = np.loadtxt("energy.asc"), np.loadtxt("director.asc")
    assert directors[directors[:, 0] < float(moment) - 1e-9][:, 12].min() > 0.0 > directors[-1, 12]
    before = table[table[:, 0] <= float(moment), 1]
    assert np.diff(before).max() < 1e-4 * before[0]
    assert "has rolled over" in ct.Recording.load("run.nc").summary()


def test_a_lag_shorter_than_the_step_is_refused(deck, capsys):
    """(1.27) by an explicit step of h: the lagged angle jumps beyond its aim from h = tau on, and ever farther from
    2 tau on. 2e-5 with the usual step gave a wrong path without a word."""
    deck({"steering": 3}, TIRE="2e-5")
    assert run(["medusa", "-t.1", "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "-d: the step is too long" in said and "(TIRE) of 2e-05 s" in said and "expected 2e-05 s at most" in said
    assert run(["medusa", "-t.1", "-d2e-5", "--quiet"]) == 0
    short = last("director.asc")[1:]
    deck({"steering": 3}, TIRE="1e-4")
    assert run(["medusa", "-t.1", "-d2e-5", "--quiet"]) == 0
    # 80 us more of lag are that much later at the side speed reached, below 1 m/s: 1e-4 m.
    assert short == pytest.approx(last("director.asc")[1:], abs=1e-4)


def test_an_interrupted_run_leaves_its_own_recording(deck, capsys, monkeypatch):
    """The recording of the run before stayed, the new one was in run.nc.partial, and 'the files' were called new."""
    folder = deck({"speed": 20})
    (folder / "run.nc").write_text("of an older run")
    advance, calls = Session.advance, []

    def interrupted(self, times):
        calls.append(times)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return advance(self, times)

    monkeypatch.setattr(Session, "advance", interrupted)
    assert run(["medusa", "-t1", "-s.002", "-d1e-4", "--quiet", "--record", "run.nc"]) == 130
    assert "the files hold what was computed up to then, run.nc too" in capsys.readouterr().err
    found = ct.Recording.load("run.nc")
    assert found.status == "interrupted" and len(found) == len(np.loadtxt("energy.asc")) == 64
    assert not (folder / "run.nc.partial").exists()


def test_a_refused_run_says_nothing_of_a_start_and_names_what_is_old(deck, capsys):
    folder = deck({"speed": 20})
    for name in OUTPUTS:
        (folder / name).write_text("of an older run")
    assert run(["medusa", "-t.05", "-s1"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "-s: saved points are further apart than the run is long" in said.err and "run.frames" not in said.err
    assert f"nothing was run: {', '.join(OUTPUTS)} in this folder are left from an older run" in said.err
    assert run(["medusa", "-t.05", "--set", "run.frames=1"]) == 2
    assert capsys.readouterr().out == ""
    assert all((folder / name).read_text() == "of an older run" for name in OUTPUTS)


def test_an_output_that_is_a_folder_is_one_clear_message(deck, capsys):
    (deck({"speed": 20}) / "path.asc").mkdir()
    assert run(["medusa", "-t.05", "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "a folder has the name of a file to write" in said and "path.asc" in said and "internal" not in said


def test_the_header_says_what_is_used(deck, capsys):
    deck({"speed": 20})
    assert run(["medusa", "-t.05", "--set", "run.step=1e-3", "--set", "run.frames=0.025"]) == 0
    said = capsys.readouterr().out
    assert "- stepsize: 0.001 [s]" in said and "- save data point every 0.025 [s]" in said


def test_times_of_saved_points_differ_in_the_files(deck):
    deck({"speed": 20})
    assert run(["medusa", "-t2e-6", "-s2e-7", "-d1e-7", "--quiet"]) == 0
    for name in OUTPUTS:
        times = np.loadtxt(name)[:, 0]
        assert times == pytest.approx(2e-7 * np.arange(11), abs=1e-12) and np.diff(times).min() > 0.0
    assert math.isclose(last("path.asc")[4], 500.0 + 20.0 * 2e-6, abs_tol=1e-9)


def test_what_centrode_run_warns_of_is_told_here_too(deck, capsys):
    """The energy audit was not even made without --record; with a long step a hit does not close it."""
    deck({"x": 100, "speed": 22}, {"x": 104.6, "y": 0.4, "speed": 20})
    assert run(["medusa", "-t.6", "-d2e-4", "--quiet"]) == 0
    said = capsys.readouterr().err
    assert "The energy audit is off by" in said and "try a smaller step (-d)" in said
    assert run(["medusa", "-t.6", "-d1e-5", "--quiet"]) == 0
    assert "audit" not in capsys.readouterr().err


def test_advice_on_a_law_that_is_too_soft_is_an_option_of_this_command_and_helps(deck, capsys):
    """'take a stiffer law', but the files of 1999 have no place for one."""
    deck({"x": 30, "y": 0.93, "speed": 29}, {"x": 38.5, "speed": 0})
    words = ["medusa", "-t.5", "-d1e-4", "--quiet", "--front", "0.5", "--side", "0.2"]
    assert run(words) == 1
    said = capsys.readouterr().err
    assert "passed through each other" in said
    (advice,) = re.findall(r"take a stiffer law, such as --set (\S+);", said)
    assert run([*words, "--set", advice]) == 0


def test_advice_on_saved_points_speaks_of_the_option_of_this_command(deck, capsys):
    deck({"x": 100, "speed": 22}, {"x": 104.6, "y": 0.4, "speed": 20})
    assert run(["medusa", "-t.6", "-s.02", "-d1e-4", "--quiet", "--record", "run.nc"]) == 0
    assert run(["crash", "run.nc"]) == 0
    assert "Better: medusa -s.005, run --frames 5ms." in capsys.readouterr().out


def test_slips_and_slip_angles_of_the_carpet_plot_are_named():
    carpet = figure_tyre().axes[2]
    assert [text.get_text() for text in carpet.get_legend().get_texts()] == [f"s = {s:g}" for s in SLIPS]
    assert [text.get_text() for text in carpet.texts] == ["0 deg", "2 deg", "4 deg", "8 deg", "12 to 20 deg"]


@pytest.mark.parametrize(
    ("slope", "bank", "turn"), [(0.1, 8, 0), (0.1, 8, 30), (0.1, 0, 45), (0.0, 8, 45), (-0.06, -5, 160)]
)
def test_the_heading_entered_is_that_of_the_velocity_in_plan(deck, slope, bank, turn):
    """Laid onto the road at right angles it lost up to 0.8 degrees where the road rises and leans at once."""
    points = [(x, 0.0, slope * x, bank) for x in (-100, 100, 300, 500)]
    deck({"x": 0, "heading": turn, "speed": 20}, road=level(*points))
    assert run(["medusa", "-t.01", "-s.01", "--quiet"]) == 0
    velocity = np.loadtxt("velocity.asc", ndmin=2)[0, 1:4]
    assert math.degrees(math.atan2(velocity[1], velocity[0])) == pytest.approx(turn, abs=1e-7)
    assert np.linalg.norm(velocity) == pytest.approx(20.0, rel=1e-8)


def test_highways_of_the_animator_that_leave_a_hilly_road_are_told(deck, capsys):
    deck({"x": 0}, road=level(*[(x, 0.0, z, 0) for x, z in ((-100, 0), (100, 0), (300, 2), (500, 8))]))
    assert run(["medusa", "-t.01", "-s.01", "--smartpath", "sp"]) == 0
    assert re.search(r"sp.config: highways have no slope.* up to [78](\.\d)? m", capsys.readouterr().err)
    deck({})
    assert run(["medusa", "-t.01", "-s.01", "--smartpath", "sp"]) == 0
    assert "sp.config" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-t1", "-s1e-7"], "-s: the run would have 1e+07 rows in every file"),
        (["-t.1", "-d1e-12"], "-d: the run would have 1e+11 steps"),
        (["-t0"], "not a positive number"),
        (["-t1", "--front", "1.5"], "--front"),
        (["-t1", "-x"], "No such option"),
        (["-t1", "--width", "abc"], "--width"),
    ],
)
def test_refused_options_name_the_files_of_an_older_run(deck, capsys, words, said):
    """The first two ran for minutes and more without a word, after the older files were gone."""
    folder = deck({})
    for name in OUTPUTS:
        (folder / name).write_text("old\n")
    assert run(["medusa", *words]) == 2
    told = capsys.readouterr().err
    assert said in told and f"nothing was run: {', '.join(OUTPUTS)} in this folder are left from an older run" in told
    assert all((folder / name).read_text() == "old\n" for name in OUTPUTS)


def test_starts_that_may_have_been_meant_otherwise_are_told(deck, capsys):
    slope = level(*[(x, 0.0, 0.06 * x, 0) for x in (-100, 100, 300, 500)])
    deck({"x": 0, "heading": 1.5707963}, road=slope)
    assert run(["medusa", "-t.01", "-s.01"]) == 0
    told = capsys.readouterr().err
    assert "ORIENTATION 1.570796 is taken in degrees" in told and "starts level" not in told
    deck({"x": 0, "heading": 1.5}, road=slope)
    assert run(["medusa", "-t.01", "-s.01", "--listed"]) == 0
    told = capsys.readouterr().err
    assert "starts level, into a road that rises by 6 %" in told and "taken in degrees" not in told

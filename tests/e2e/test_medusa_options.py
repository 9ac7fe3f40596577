"""``centrode medusa`` beyond the manual: dissipation of front and side, stops, steps, recordings, plugins, figures."""

from __future__ import annotations

import dataclasses
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.cli.main import run
from centrode.methods.method import Outcome
from centrode.plots.medusa import figure_tyre, report_forces
from centrode.running import Session
from centrode.scenario.medusa.reader import read_models
from centrode.scenario.medusa.records import LegacyModels
from centrode.scenario.medusa.writer import format_models
from centrode.vehicles.platoon import add_legacy, legacy_record, legacy_settings, read_legacy

INPUTS = Path(__file__).parents[1] / "conformance" / "data" / "medusa_inputs"
PLUGINS = Path(__file__).parents[2] / "examples" / "plugins"
OUTPUTS = ("path.asc", "director.asc", "velocity.asc", "energy.asc")


@pytest.fixture
def offset(tmp_path, monkeypatch):
    """The offset example in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for file in (INPUTS / "offset").iterdir():
        shutil.copy(file, tmp_path / file.name)
    return tmp_path


def deck(folder, *vehicles):
    """A platoon of cars (x, y, heading [deg], speed), rolling freely."""
    text = f"NUMBER_OF_VEHICLES {len(vehicles)}\n"
    for x, y, heading, speed in vehicles:
        text += f"VEHICLE_HAS_MODEL 1 INITIALLY_WITH X {x} Y {y} ORIENTATION {heading} SPEED {speed} "
        text += "TIRE_SPEED 0 STEERING 0\n"
    (folder / "platoon.dat").write_text(text)


def test_front_and_side_have_their_own_restitution(offset):
    """Section 1.7. Wanted 0.2 and 0.7; a soft chassis keeps some energy as vibration (0.02), tyres hold a side."""

    def speeds(*options):
        assert run(["medusa", "-t.6", "-s.3", "-d1e-4", "--quiet", *options]) == 0
        return np.loadtxt(offset / "velocity.asc")[-1]

    deck(offset, (0.0, 0.0, 0.0, 22.0), (4.6, 0.0, 0.0, 20.0))
    found = [speeds("--front", e, "--side", "0.5") for e in ("0.2", "0.7")]
    assert [(v[13] - v[1]) / 2.0 for v in found] == pytest.approx([0.2, 0.7], abs=0.03)
    deck(offset, (0.0, 0.0, 0.0, 2.0), (3.3, 0.0, 90.0, 0.0))  # into the middle of a side
    soft, hard = (speeds("--side", e, "--front", "0.5") for e in ("0.2", "0.7"))
    assert abs(hard[1] - soft[1]) > 0.1
    assert speeds("--side", "0.2", "--front", "0.9")[[1, 13]] == pytest.approx(soft[[1, 13]], abs=1e-12)


@pytest.mark.parametrize("value", ["1.5", "-0.1", "hard", "0", "0.001"])
def test_a_restitution_is_above_0_and_up_to_1(offset, capsys, value):
    """0 was called no positive number, such as 0.015; 0.001 was taken for 0.01 without a word."""
    assert run(["medusa", "-t.1", f"--front={value}"]) == 2
    said = capsys.readouterr().err
    assert "--front: not a restitution" in said and "from 0.01 to 1" in said and "left out" in said


def test_lag_of_a_reversing_car_is_a_choice(offset):
    """Rolling back alpha is +-pi: the program's lag passes through every direction in between and pushes the car, by
    4.5 um in 0.3 s; the short way round it goes straight."""
    deck(offset, (20.0, 0.0, 0.0, -5.0))
    found = {}
    for kind in ("short", "program"):
        assert run(["medusa", "-t.3", "-s.1", "--quiet", "--lag", kind]) == 0
        found[kind] = np.loadtxt(offset / "director.asc")[-1, 1:4]
    assert found["short"][:2] == pytest.approx([18.5, 0.0], abs=1e-9)
    assert np.abs(found["short"] - found["program"]).max() > 1e-6
    assert run(["medusa", "-t.3", "--lag", "shrot"]) == 2


@pytest.mark.parametrize("interrupted", [True, False])
def test_a_stopped_run_keeps_what_it_computed(offset, monkeypatch, capsys, interrupted):
    for name in OUTPUTS:
        (offset / name).write_text("of an older run")
    advance, calls = Session.advance, []

    def failing(self, times):
        calls.append(times)
        if len(calls) <= 2:
            return advance(self, times)
        if interrupted:
            raise KeyboardInterrupt
        return advance(self, times[:3])[0], Outcome.NOT_FINITE

    monkeypatch.setattr(Session, "advance", failing)
    assert run(["medusa", "-t1", "-s.002", "-d1e-4", "--quiet"]) == (130 if interrupted else 1)
    said = capsys.readouterr().err
    assert "the files hold what was computed up to then" in said and "stopped at t = " in said
    rows = 64 if interrupted else 67
    for name in OUTPUTS:
        table = np.loadtxt(offset / name)
        assert table.shape[0] == (2 * rows if name == "path.asc" else rows)
        assert table[-1, 0] == pytest.approx(0.002 * (rows - 1))


def test_an_older_run_is_gone_even_when_nothing_was_computed(offset, monkeypatch):
    (offset / "path.asc").write_text("of an older run")

    def interrupted(self, times):
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "advance", interrupted)
    assert run(["medusa", "-t1", "--quiet"]) == 130
    assert not (offset / "path.asc").exists()


def test_a_step_too_long_for_the_chassis_is_refused_at_once(offset, capsys):
    """-d0.002 ended with "a contact cannot be seen". The integrator (1.52) is stable below 2 / omega; here omega is
    that of the stretches: the largest root of det(V (lambda 1 1^T + 2 mu I) - omega^2 diag(my)) = 0."""
    model = read_models(offset / "model.dat")[1]
    lam = model.young * model.poisson / ((1 + model.poisson) * (1 - 2 * model.poisson))
    mu = model.young / (2 * (1 + model.poisson))
    moments = np.array([model.ix, model.iy, model.iz])
    inertias = 0.5 * moments.sum() - moments
    stiffness = model.volume * (lam * np.ones((3, 3)) + 2 * mu * np.eye(3))
    omega = math.sqrt(np.linalg.eigvals(stiffness / inertias[:, None]).real.max())
    assert run(["medusa", "-t.5", "-d0.002", "--quiet"]) == 2
    said = capsys.readouterr().err
    assert f"{omega / (2 * math.pi):.4g} Hz" in said and f"below {2 / omega:.2g} s" in said and "-d" in said
    assert run(["medusa", "-t.5", f"-d{1.9 / omega}", "--quiet"]) == 0
    assert np.loadtxt(offset / "velocity.asc")[-1, 1] == pytest.approx(22.0, abs=1e-3)
    assert run(["medusa", "-t.1", "-d0.002", "-s.001", "--quiet"]) == 0  # steps end at saved points


def test_a_run_that_swings_up_says_so_and_not_that_a_contact_is_unseen():
    system = ct.System()
    add_legacy(system, *read_legacy(INPUTS / "offset"), equilibrium="listed", contact=True)
    stop = ct.simulate(system, method="predictor-corrector", step=0.002, frames=0.01, duration=1.0).status.stop
    assert "vibrates at" in str(stop) and "try a step below" in str(stop)


def test_convert_keeps_models_that_no_vehicle_has(offset):
    deck(offset, (0.0, 0.0, 0.0, 22.0))
    assert run(["convert", ".", "a.yaml"]) == 0
    assert run(["convert", "a.yaml", "back"]) == 0
    assert read_models(offset / "back" / "model.dat") == read_models(offset / "model.dat")
    text = (offset / "platoon.dat").read_text().replace("MODEL 1", "MODEL 2")
    (offset / "platoon.dat").write_text(text)
    assert run(["convert", ".", "b.yaml"]) == 0
    assert run(["convert", "b.yaml", "again"]) == 0
    assert "VEHICLE_HAS_MODEL 2" in (offset / "again" / "platoon.dat").read_text()


def test_recording_figures_plugins_and_changes_of_a_run(offset, capsys):
    law = "contact_laws.cars={kind: rubber-bumper, stiffness: 1e6}"
    more = ["--plugin", str(PLUGINS / "rubber_bumper.py"), "--set", law, "--set", "vehicles.car2.speed=18"]
    assert run(["medusa", "-t.7", "-s.05", "-d1e-4", "--quiet", "--record", "run.nc", "--figures", *more]) == 0
    table = np.loadtxt(offset / "director.asc")
    recording = ct.Recording.load("run.nc")
    assert recording["car2.body.velocity"][0, 0] == pytest.approx(18.0)
    assert recording["car1.body.position"] == pytest.approx(table[:, 1:4], abs=1e-8)
    assert "rubber-bumper" in recording.provenance.scenario_text
    for picture in ("tyre.png", "pitch.png"):
        assert (offset / picture).stat().st_size > 10_000
    assert run(["crash", "run.nc"]) == 0
    assert "car1     car2     front" in capsys.readouterr().out
    assert run(["medusa", "-t.1", "--quiet", "--set", "vehicles.car9.speed=18"]) == 2


def calspan(load, alpha, s):
    """(1.20) to (1.26), written once more, with the square of K'_c s in (1.23)."""
    patch = 0.0768 * math.sqrt(load * 1160.0) / (5.0 * 33.0)
    side = 2.0 / patch**2 * (7092.7808 + 11.94 * load - 11.94 / 13571.0848 * load**2)
    ahead = 2.0 / patch**2 * load * 18.0
    peak = 1.007 - 2.5446429e-5 * load - 5.291374e-11 * load**2
    size = math.sqrt(math.sin(alpha) ** 2 + (s * math.cos(alpha)) ** 2)
    mixed, friction = ahead + (side - ahead) * size, peak * (1.0 - 0.2 * size)
    both = math.hypot(side * math.tan(alpha), ahead * s / (1.0 - s))
    sigma = math.pi * patch**2 / (8.0 * peak * load) * both
    f = (0.535 * sigma**3 + 1.05 * sigma**2 + 4 / math.pi * sigma) / (
        0.535 * sigma**3 + 1.15 * sigma**2 + 0.8 * sigma + 1
    )
    below = math.hypot(side * math.tan(alpha), mixed * s)
    return -friction * load * f * mixed * s / below, friction * load * f * side * math.tan(alpha) / below


def test_curves_of_figure_1_3_are_the_equations():
    """1e-6: B1 and B4 are rounded in print, and so are the digits of (1.24)."""
    alpha, slip = np.radians([1.0, 4.0, 20.0, 60.0]), np.array([[-0.9], [-0.2], [0.05], [0.5]])
    got = report_forces(2500.0, alpha, slip)
    wanted = np.array([[calspan(2500.0, a, s) for a in alpha] for s in slip[:, 0]])
    assert np.abs(np.stack(got, axis=2) / wanted - 1.0).max() < 1e-6
    turn = np.radians([10.0, 30.0, 80.0])
    assert report_forces(2500.0, turn, np.zeros(1))[1] == pytest.approx(
        report_forces(2500.0, math.pi - turn, np.zeros(1))[1]
    )
    panels = figure_tyre().axes
    assert [panel.get_ylabel() for panel in panels] == ["F_y [N]", "F_x [N]", "F_y [N]"]
    assert len(panels[2].lines) == 8 + 7  # carpet: lines of equal slip and of equal slip angle


def test_pitch_of_a_car_hit_from_behind(offset):
    """Figure 3.5 says that its rear is lifted. Equal cars of equal pitch p are each other's image in the point midway,
    so they touch there, at the height of both centres; the force along d1 points down by p and lowers the rear:

        angular impulse J (d / 2) sin p, nose up,
        peak angle J (d / 2) sin p / (I_y omega) exp(-zeta arccos(zeta) / sqrt(1 - zeta^2)),

    d the distance of the centres, 4 m, omega and zeta of the pitching on the springs; within a fifth, since the hit
    (0.1 s) is not short against the pitching (0.6 s).
    """
    deck(offset, (0.0, 0.0, 0.0, 22.0), (4.6, 0.0, 0.0, 20.0))
    system = ct.System()
    add_legacy(system, *read_legacy(offset), equilibrium="true", contact=True)
    law = {"contact_laws.cars.friction": 0.0}
    found = legacy_record(ct.Scenario(system, legacy_settings(0.7, 1e-4, 0.01)).edited(law))
    lean = found.states[:, 1, 5]
    impulse, sine = 1573.0 * (found.states[-1, 1, 12] - 20.0), -lean[0]
    stiffness, damping = (2 * (c1 * 1.034**2 + c2 * 1.491**2) for c1, c2 in ((4e4, 4e4), (1500.0, 1200.0)))
    omega = math.sqrt(stiffness / 2594.6)
    zeta = damping / (2 * 2594.6 * omega)
    angle = math.acos(zeta) / math.sqrt(1 - zeta**2)
    peak = impulse * 2.0 * sine / (2594.6 * omega) * math.exp(-zeta * angle)
    assert lean.max() - lean[0] == pytest.approx(peak, rel=0.2)


@pytest.mark.parametrize(("young", "step"), [(1.0, "1e-4"), (100.0, "2e-5")])
def test_restitution_of_the_law_is_that_of_stiff_cars(offset, young, step):
    """What -h and the page on MEDUSA say: 0.1 gives 0.16, more than the default (0.131 at 10 m/s), for the chassis of
    model 1 springs back; a hundred times as stiff it has no part in it. What is left then falls with the stiffness,
    0.063 / 100 < 1e-3. The digits of the page: 5e-3."""
    models = read_models(offset / "model.dat").models
    stiff = tuple(dataclasses.replace(model, young=young * model.young) for model in models)
    (offset / "model.dat").write_text(format_models(LegacyModels(stiff)))
    deck(offset, (0.0, 0.0, 0.0, 30.0), (4.2, 0.0, 0.0, 20.0))
    reached = []
    for asked in (["--front", "0.1"], []):
        assert run(["medusa", "-t.2", "-s.1", f"-d{step}", "--quiet", "--record", "run.nc", *asked]) == 0
        reached.append(ct.Recording.load("run.nc").collisions[0].restitution)
    if young == 1.0:
        assert reached == pytest.approx([0.163, 0.146], abs=5e-3)
    else:
        assert reached == pytest.approx([0.1, 0.47477 - 0.26139 + 0.03382 - 0.11639], abs=1e-3)


WRONG_OUTPUTS = {
    "record in a missing folder": (["--record", "nowhere/run.nc"], "no such folder"),
    "record of another kind": (["--record", "run.txt"], "ends in .nc"),
    "smartpath in a missing folder": (["--smartpath", "nowhere/crash"], "no such folder"),
    "smartpath without a name": (["--smartpath", "./"], "not a name of files"),
}


@pytest.mark.parametrize("case", WRONG_OUTPUTS)
def test_outputs_that_cannot_be_written_are_refused_before_the_run(offset, capsys, case):
    """A missing folder of SmartPath was an internal error after the whole run."""
    words, said = WRONG_OUTPUTS[case]
    (offset / "path.asc").write_text("of an older run")
    assert run(["medusa", "-t1000", "--quiet", *words]) == 2
    assert said in capsys.readouterr().err
    assert (offset / "path.asc").read_text() == "of an older run"


def test_smartpath_into_a_folder_that_exists(offset):
    (offset / "animation").mkdir()
    assert run(["medusa", "-t.1", "--quiet", "--smartpath", "animation/crash"]) == 0
    assert "GEOMETRY LINE 1300 0" in (offset / "animation" / "crash.config").read_text()


def test_notes_of_the_files_are_told(offset, capsys):
    with (offset / "road.dat").open("a") as file:
        file.write("2000.0 0.0 0.0 0.0\n")
    assert run(["medusa", "-t.1"]) == 0
    assert "road.dat:9: what stands behind END_OF_FILE is not read" in capsys.readouterr().err


def test_cars_in_each_other_are_named_with_file_and_line(offset, capsys):
    """The results of the run before were removed, too."""
    deck(offset, (0.0, 0.0, 0.0, 20.0), (1.0, 0.4, 0.0, 20.0))
    (offset / "path.asc").write_text("of the run before")
    assert run(["medusa", "-t.1", "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "platoon.dat:3: car2" in said and "stand in each other" in said
    assert (offset / "path.asc").read_text() == "of the run before"


def test_the_parameter_file_may_be_its_folder_and_is_no_plain_word(offset, capsys):
    assert run(["medusa", "-t.02", "--quiet", "-f."]) == 0
    assert run(["medusa", "-t.02", "--quiet", "platoon.dat"]) == 2
    assert "-fplatoon.dat" in capsys.readouterr().err

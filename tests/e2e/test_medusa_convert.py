"""``centrode convert`` loses nothing without a word: both ways lead to the same end state.

1e-9: the same arithmetic on the same numbers; degrees and radians may differ in the last digit, 1e-16 of metres, which
a hit magnifies by some orders.
"""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.cli.main import run

INPUTS = Path(__file__).parents[1] / "conformance" / "data" / "medusa_inputs"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The offset example with a turned car, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for file in (INPUTS / "offset").iterdir():
        shutil.copy(file, tmp_path / file.name)
    platoon = tmp_path / "platoon.dat"
    text = platoon.read_text().replace("X 6.0 Y 0.4 ORIENTATION 0.0", "X 4.6 Y 0.4 ORIENTATION 7.3")
    platoon.write_text(text.replace("STEERING 0.0", "STEERING 1.7", 1))
    return tmp_path


def end_state(file, names):
    recording = ct.Recording.load(file)
    kinds = ("position", "velocity", "directors")
    found = [recording[f"{name}.body.{kind}"][-1].ravel() for name in names for kind in kinds]
    return np.concatenate(found), len(recording.events.of("collision"))


OPTIONS = {
    "as they are": [],
    "listed, own restitution": ["--listed", "--front", "0.4", "--side", "0.2"],
    "program's lag, smooth road": ["--lag", "program", "--road", "smooth"],
    "changed": ["--set", "contact_laws.cars.friction=0.05", "--set", "roads.road.width=9"],
    "without contact": ["--no-contact", "-s.05"],
}


@pytest.mark.parametrize("case", OPTIONS)
def test_a_converted_deck_ends_as_the_deck(folder, case):
    """--front, --lag, --set and others were no options of convert, and the scenario had another law."""
    options = [*OPTIONS[case], "-d1e-4"]
    assert run(["medusa", "-t.6", "--quiet", "--record", "deck.nc", *options]) == 0
    assert run(["convert", ".", "deck.yaml", "-t.6", *options]) == 0
    assert run(["run", "deck.yaml", "-o", "scenario.nc", "--quiet"]) == 0
    wanted, hits = end_state("deck.nc", ("car1", "car2"))
    got, again = end_state("scenario.nc", ("car1", "car2"))
    assert hits == again == (0 if case == "without contact" else 1)
    assert np.abs(got - wanted).max() < 1e-9


SCENARIO = """centrode: 1
title: "Zwei Wägen"
gravity: [0, 0, -9.7]
roads:
  lane: {kind: spline, points: [[-100, 0, 0], [0, 1, 0.2], [100, 0, 0], [500, 20, 3]], width: 8, friction: 0.7}
vehicles:
  blue: {kind: car-medusa, road: lane, position: [0, 0], speed: 22, lag_turn: program, steer: 0.5 deg}
  red: {kind: car-medusa, road: lane, position: [4.6, 0.4], speed: 18, heading: 0.1, equilibrium: listed, mass: 900}
contact_laws:
  bumper: {kind: hunt-crossley, stiffness: 5e5, friction: 0.1}
  other: {kind: hard, between: [rubber]}
run: {duration: 0.5 s, method: rk4-projected, step: 0.2 ms, frames: 20 ms}
"""


def test_the_command_beside_written_decks_runs_to_the_same_end(folder, capsys):
    """Contact laws, width and friction of the road, gravity and method were left out without a word."""
    (folder / "two.yaml").write_text(SCENARIO)
    assert run(["run", "two.yaml", "-o", "two.nc", "--quiet"]) == 0
    capsys.readouterr()
    assert run(["convert", "two.yaml", "decks"]) == 0
    said = capsys.readouterr()
    for lost in ("blue: it is car1", "red: it is car2", "contact_laws.other"):
        assert lost in said.err
    command = said.out.partition("the same run, in decks: ")[2].strip()
    assert command in (folder / "decks" / "platoon.dat").read_text()
    words = shlex.split(command)[1:]
    assert any("hunt-crossley" in word for word in words) and words[words.index("--width") + 1] == "8.0"
    assert run([*words, "-fdecks/platoon.dat", "--quiet", "--record", "again.nc"]) == 0
    wanted, hits = end_state("two.nc", ("blue", "red"))
    got, again = end_state("again.nc", ("car1", "car2"))
    assert hits == again == 1 and np.abs(got - wanted).max() < 1e-9


@pytest.mark.parametrize(("words", "said"), [(["-t-1"], "above 0"), (["-tlong"], "not a time")])
def test_a_wrong_duration_is_refused(folder, capsys, words, said):
    assert run(["convert", ".", "a.yaml", *words]) == 2
    assert said in capsys.readouterr().err
    assert not (folder / "a.yaml").exists()


def test_a_target_in_a_missing_folder_is_refused(folder, capsys):
    assert run(["convert", ".", "nowhere/a.yaml"]) == 2
    assert "no such folder" in capsys.readouterr().err

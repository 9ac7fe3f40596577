"""All scenarios of collisions run to their first hits; every kind of thing hits every other."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from centrode.cli.main import run as command
from centrode.jit import JIT_ON
from centrode.running import simulate
from centrode.scenario.loader import load, loads

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "scenarios" / "collisions"
# Scenario, time by which something must have been hit, its two sides.
CASES = {
    "t_bone": (1.1, {"striking", "struck"}),
    "head_on": (1.0, {"east", "west"}),
    "rear_end_bumper": (1.6, {"striking", "struck"}),
    "wall": (0.6, {"car", "wall"}),
    "barrier": (0.8, {"car", "block1"}),
    "bicycle": (1.2, {"car", "bike.front-wheel"}),
    "brick": (0.9, {"car", "brick"}),
    "pile_up_20": (1.4, {"blocker", "car0"}),
    "pile_up_200": (1.05, {"standing0", "car0"}),
}


@pytest.mark.parametrize("name", list(CASES))
def test_scenario_collides_and_creates_no_energy(name):
    end, sides = CASES[name]
    run = simulate(load(FOLDER / f"{name}.yaml"), duration=end)
    assert run.status.completed
    hit = run.collisions[0]
    assert set(hit.names) == sides
    assert hit.impulse_size > 0
    assert hit.friction_energy >= 0
    assert hit.law_energy > 0
    # Energy is never created. What the audit misses is the heat of the chassis itself, whose material is damped
    # (1e-4 s), which is no force with a work of its own: some 0.3 % in the hardest hit, always a loss.
    residual, kinetic = run["energy.residual"], run["energy.kinetic"]
    assert residual.max() < 1e-4 * kinetic.max()
    assert residual.min() > -1e-2 * kinetic.max()


ONE_DEPTH = "kind: crush-width, a: 40e3, b: 400e3, width: 0.8, stiffness: 10e6, friction: 0.4"
"""A law that knows the shortest way out only: it turns sideways, and the cars pass."""


def overlapping(share, law, speed=14.0):
    """Two cars head-on, overlapping by a share of their width."""
    text = (FOLDER / "head_on.yaml").read_text(encoding="utf-8")
    text = text.replace("[12, 0.8]", f"[12, {1.6 * (1.0 - share):.3f}]").replace("speed: 14", f"speed: {speed}")
    return loads(text.replace("kind: crush, friction: 0.4", law))


@pytest.mark.parametrize("share", [0.35, 0.4, 0.5])
def test_cars_that_pass_through_each_other_are_no_completed_run(share):
    """The shipped head-on crash with half overlap was called completed, with e = -0.69 and both cars driving on."""
    run = simulate(overlapping(share, ONE_DEPTH))
    assert not run.status.completed
    assert "passed through each other" in str(run.status) and "east.body - west.body" in str(run.status)


def test_cars_that_stop_each_other_complete():
    run = simulate(overlapping(0.9, ONE_DEPTH), duration=1.5)
    assert run.status.completed and len(run.collisions) >= 1


@pytest.mark.parametrize("share", [0.4, 0.5, 0.75, 1.0])
def test_cars_that_give_way_stop_each_other(share):
    run = simulate(overlapping(share, "kind: crush, friction: 0.4"), duration=2.0)
    assert run.status.completed
    assert run["east.body.position"][-1, 0] < 2.0


def test_crash_gives_no_figures_of_a_passage(tmp_path, capsys):
    simulate(overlapping(0.5, ONE_DEPTH), path=tmp_path / "run.nc")
    assert command(["crash", str(tmp_path / "run.nc")]) == 1
    out, err = capsys.readouterr()
    assert not out and "no figures, they would not hold" in err


MAKES_ENERGY = """
centrode: 1
title: boxes with a law that gives more than it took
run: {duration: 0.1, method: rattle, step: 2e-4, frames: 0.01}
gravity: [0, 0, 0]
bodies:
  one: {mass: 1, inertia: [0.01, 0.01, 0.01], velocity: [1, 0, 0]}
  two: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.2012, 0, 0]}
outlines:
  first: {kind: box, body: one, half_lengths: [0.1, 0.1, 0.1]}
  second: {kind: box, body: two, half_lengths: [0.1, 0.1, 0.1]}
contact_laws:
  law: {kind: giving, stiffness: 1.6e7}
"""
GIVING = """
from dataclasses import dataclass
from typing import Any, ClassVar

import centrode as ct
from centrode.jit import kernel
from centrode.parts.contact_laws.contact_law import LAW_SIGNATURE, STIFFNESS


@kernel(signature=LAW_SIGNATURE)
def giving(par, memory, depth, depth_rate, slip_speed):
    push = par[STIFFNESS] * max(depth, 0.0)
    return (1.2 if depth_rate < 0.0 else 1.0) * push, 0.0, 0.5 * push * depth, 0.0


@dataclass(frozen=True)
class GivingContact(ct.LinearContact):
    \"\"\"Pushes a fifth harder on the way out.\"\"\"

    kind: ClassVar[str] = "giving"
    law_kernel: ClassVar[Any] = giving
"""


def test_a_run_that_makes_energy_exits_with_1_and_gives_no_figures(tmp_path, capsys):
    """It was "completed" with a warning, and `crash` and `report` showed what it had computed."""
    scenario, recording = tmp_path / "balls.yaml", tmp_path / "run.nc"
    scenario.write_text(MAKES_ENERGY, encoding="utf-8")
    (tmp_path / "giving.py").write_text(GIVING, encoding="utf-8")
    plugin = ["--plugin", str(tmp_path / "giving.py")]
    assert command(["run", str(scenario), "-o", str(recording), *plugin]) == 1
    said = capsys.readouterr().err
    assert "contacts made energy" in said and "'one' and 'two'" in said and "take a step of" in said
    assert command(["crash", str(recording), *plugin]) == 1
    out, err = capsys.readouterr()
    assert not out and "no figures, they would not hold" in err
    assert command(["report", str(recording), "-o", str(tmp_path / "page.html"), *plugin]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "they would not hold" in page and "Figures of the collisions" not in page
    scenario.write_text(MAKES_ENERGY.replace("giving", "linear"), encoding="utf-8")
    assert command(["run", str(scenario), "-o", str(recording)]) == 0


def test_a_t_bone_meets_a_front_with_a_side():
    run = simulate(load(FOLDER / "t_bone.yaml"), duration=1.1)
    hit = run.collisions[0]
    assert (hit.vehicle("striking").side, hit.vehicle("struck").side) == ("front", "side")
    # Square: the speed of the striking car, slowed by its rolling resistance; its wheels are 3 % of what that slows.
    slowed = 0.0136 * 9.81 * hit.begin
    assert hit.closing_speed == pytest.approx(15.0 - slowed, abs=0.03 * slowed + 0.01)


def test_the_rest_of_the_files_load():
    for path in FOLDER.glob("*.yaml"):
        if path.stem not in CASES:
            assert load(path).title


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("crash_*.py")), ids=lambda file: file.stem)
def test_examples_check_themselves(file, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", [str(file)])
    runpy.run_path(str(file), run_name="__main__")
    assert capsys.readouterr().out

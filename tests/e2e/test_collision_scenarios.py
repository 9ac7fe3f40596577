"""All scenarios of collisions run to their first hits; every kind of thing hits every other."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from centrode.jit import JIT_ON
from centrode.running import simulate
from centrode.scenario.loader import load

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "scenarios" / "collisions"
# Scenario, time by which something must have been hit, its two sides.
CASES = {
    "t_bone": (1.1, {"striking", "struck"}),
    "head_on": (1.0, {"east", "west"}),
    "rear_end_bumper": (1.6, {"striking", "struck"}),
    "wall": (0.6, {"car", "ground"}),
    "barrier": (0.8, {"car", "ground"}),
    "bicycle": (1.2, {"car", "bike.frame"}),
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

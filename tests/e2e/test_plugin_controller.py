"""A controller from one file outside the package: used from YAML, of the law it declares, and gone again."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.cli.main import run as centrode
from centrode.errors import InputError
from centrode.jit import JIT_ON
from centrode.parts.registry import kinds

PLUGIN = Path(__file__).parents[2] / "examples" / "plugins" / "energy_swing.py"
SCENARIO = """centrode: 1
title: A pendulum that is swung up
plugins: [energy_swing.py]
bodies:
  bob: {mass: 1 kg, inertia: [0.01, 0.01, 0.01], position: [0, 0, -1], velocity: [0.5, 0, 0], omega: [0, -0.5, 0]}
joints:
  pivot: {kind: revolute, a: ground, b: bob, at: [0, 0, 0], axis: [0, 1, 0]}
forces:
  drive: {kind: actuator, joint: pivot, lower: -2 N*m, upper: 2 N*m}
controllers:
  swing: {kind: energy-swing, inputs: [drive], period: 5 ms, hinge: pivot, inertia: 1.01, moment: 9.81 N*m, gain: 0.4}
run: {duration: 20 s, method: rk4-projected, step: 5 ms, frames: 10 ms}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(PLUGIN, tmp_path)
    (tmp_path / "swing.yaml").write_text(SCENARIO)
    return tmp_path


def test_pendulum_comes_to_the_wanted_amplitude(folder: Path) -> None:
    run = ct.simulate(ct.load("swing.yaml"), duration=20.0 if JIT_ON else 0.1)
    angle, rate = run["pivot.angle"], run["bob.omega"][:, 1]
    energy = 0.5 * 1.01 * rate**2 - 9.81 * np.cos(angle)
    missing = -9.81 * np.cos(1.0) - energy
    # The torque of the first sample, within the limits of the drive, and energy that only comes nearer to the wanted.
    assert run["drive.command"][0] == pytest.approx(0.4 * missing[0] * rate[0], rel=1e-12)
    assert np.all(np.diff(missing) < 1e-6)
    if JIT_ON:
        assert abs(missing[-1]) < 0.01 * missing[0]


def test_controller_is_checked_and_gone_without_its_plugin(folder: Path) -> None:
    assert centrode(["check", "energy_swing.py"]) == 0
    assert "energy-swing" not in kinds("controller")
    (folder / "wrong.yaml").write_text(SCENARIO.replace("hinge: pivot", "hinge: bob"))
    with pytest.raises(InputError, match="'bob' is a body"):
        ct.load("wrong.yaml")
    (folder / "bare.yaml").write_text(SCENARIO.replace("plugins: [energy_swing.py]\n", ""))
    with pytest.raises(InputError, match="unknown kind of controller"):
        ct.load("bare.yaml")

"""A suspension from one file outside the package, used from a scenario: as the built-in strut, and a closed form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from centrode.cli import main
from centrode.parts.registry import kinds
from centrode.recording.recording import Recording

PLUGIN = Path(__file__).parents[2] / "examples" / "plugins" / "progressive_strut.py"
SCENARIO = """centrode: 1
title: Suspension
suspensions:
  spring: {%s}
vehicles:
  car:
    {kind: car, chassis: rigid, wheels: rolling, suspension: spring, front: 1.25, rear: 1.25, speed: 10, steer: %s}
run: {duration: 0.05 s, method: rk4-projected, step: 1 ms, frames: 10 ms}
"""
STRUT = "kind: strut, stiffness: 40 kN/m, damping: 3000, rest_length: 0.4"
SAME = "kind: progressive, stiffness: 40 kN/m, damping: 3000, rest_length: 0.4"


def run(folder, text, *more, steer=0.02):
    file, found = folder / "car.yaml", folder / f"{text.split(',')[0][6:]}.nc"
    file.write_text(SCENARIO % (text, steer), encoding="utf-8")
    assert main.run(["run", str(file), *map(str, more), "-o", str(found)]) == 0
    return Recording.load(found)


def test_the_same_formula_moves_the_car_as_the_built_in_strut_does(tmp_path):
    """Equal to round-off: the two kernels may sum in another order, 1e-13 of positions of some metres."""
    ours = run(tmp_path, SAME, "--plugin", PLUGIN)
    built_in = run(tmp_path, STRUT)
    for channel in ("car.body.position", "car.body.velocity", "car.carriage.energy"):
        assert ours[channel] == pytest.approx(built_in[channel], rel=1e-12, abs=1e-12)


def test_the_cubic_spring_carries_the_car_and_the_kind_is_gone_without_its_plugin(tmp_path):
    """Each wheel carries m g / 4 = k c + k3 c^3, the height is rest length - c + drop; all four springs store."""
    recording = run(tmp_path, f"{SAME}, cubic: 4e6", "--plugin", PLUGIN, steer=0)
    c = np.roots([4e6, 0.0, 40e3, -1573.0 * 9.81 / 4.0])
    c = float(c[np.isreal(c)].real[0])
    assert recording["car.body.position"][0, 2] == pytest.approx(0.4 - c + 0.25, abs=1e-8)
    stored = 4.0 * (0.5 * 40e3 * c**2 + 0.25 * 4e6 * c**4)
    assert recording["car.carriage.energy"][0] == pytest.approx(stored, rel=1e-6)
    file = tmp_path / "car.yaml"
    assert main.run(["check", str(file), "--plugin", str(PLUGIN)]) == 0
    assert main.run(["check", str(file)]) == 2
    assert "progressive" in kinds("suspension", [PLUGIN])
    assert "progressive" not in kinds("suspension")

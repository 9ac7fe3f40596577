"""A tyre from one file outside the package, used from a scenario: as the built-in linear tyre, and a closed form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from centrode.cli import main
from centrode.jit import JIT_ON
from centrode.parts.registry import kinds
from centrode.recording.recording import Recording

PLUGIN = Path(__file__).parents[2] / "examples" / "plugins" / "arctangent_tyre.py"
COPY = '''"""The linear tyre once more, in a file of its own."""
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.jit import kernel
from centrode.parts.part import quantity
from centrode.parts.tyres.contract import TYRE_SIGNATURE, Tyre, folded_angle


@kernel(signature=TYRE_SIGNATURE)
def copied_law(par, load, slip_angle, slip, camber, speed):
    if not load > 0.0:
        return 0.0, 0.0, 0.0
    fx, fy, limit = par[1] * slip, -par[0] * folded_angle(slip_angle), par[2] * load
    total = math.hypot(fx, fy)
    if total > limit:
        share = limit / total
        angle = folded_angle(slip_angle)
        kappa, side = slip * math.cos(angle), math.sin(angle)
        size = math.hypot(kappa, side)
        fx = share * fx / total + (1.0 - share) * kappa / size
        fy = share * fy / total - (1.0 - share) * side / size
        total = math.hypot(fx, fy)
        fx *= limit / total
        fy *= limit / total
    return fx, fy, 0.0


@dataclass(frozen=True)
class TyreCopied(Tyre):
    kind: ClassVar[str] = "copied"
    law: ClassVar = staticmethod(copied_law)

    cornering_stiffness: float = quantity("N/rad", "slope")
    driving_stiffness: float = quantity("N", "slope")
    friction: float = quantity("1", "friction")

    def pack(self):
        return np.array([self.cornering_stiffness, self.driving_stiffness, self.friction])
'''
SCENARIO = """centrode: 1
title: Tyre
tyres:
  tyre: {kind: %s, cornering_stiffness: 50e3, driving_stiffness: 80e3, friction: 0.9}
vehicles:
  car: {kind: car, chassis: rigid, tyre: tyre, speed: 20, steer: 0.02, brake: %s, brake_torque: 40e3}
run: {duration: %s s, method: rk4-projected, step: 1 ms, frames: 10 ms}
"""


def run(folder, kind, *more, brake=0.1, duration=0.05):
    file = folder / "car.yaml"
    file.write_text(SCENARIO % (kind, brake, duration), encoding="utf-8")
    assert main.run(["run", str(file), *map(str, more), "-o", str(folder / f"{kind}.nc")]) == 0
    return Recording.load(folder / f"{kind}.nc")


def test_the_same_formula_moves_the_car_as_the_built_in_tyre_does(tmp_path):
    """Equal to round-off."""
    plugin = tmp_path / "copied_tyre.py"
    plugin.write_text(COPY, encoding="utf-8")
    ours = run(tmp_path, "copied", "--plugin", plugin)
    built_in = run(tmp_path, "linear")
    for channel in ("car.body.position", "car.body.velocity", "car.carriage.left_front.slip_side"):
        assert ours[channel] == pytest.approx(built_in[channel], rel=1e-12, abs=1e-12)
    assert main.run(["check", str(tmp_path / "car.yaml")]) == 0


@pytest.mark.skipif(not JIT_ON, reason="a thousand steps need compiled kernels")
def test_the_sheet_of_a_tyre_from_a_plugin(capsys):
    """Values that are left out are made up; the slopes of the sheet are those that were entered."""
    entered = ["--set", "cornering_stiffness=6e4", "--set", "driving_stiffness=9e4"]
    assert main.run(["tyre", "arctangent", "--plugin", str(PLUGIN), *entered, "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    # A difference over a small slip of an odd law: its third derivative times the slip squared.
    assert [point["cornering_stiffness"] for point in points] == pytest.approx([6e4] * len(points), rel=1e-4)
    assert [point["slip_stiffness"] for point in points] == pytest.approx([9e4] * len(points), rel=1e-4)
    assert main.run(["tyre", "arctangent"]) == 2


def test_locked_wheels_of_the_arc_tangent_slow_the_car_down_and_the_kind_is_gone_without_its_plugin(tmp_path):
    """Locked, slip -1: mu (2/pi) atan(pi C / (2 mu F_z)) of the load; loads of 3 to 5 kN give 0.972 to 0.956 of mu g.

    The front axle carries more, so the mean lies between the two; the speed falls in a straight line after the wheels
    have locked (0.1 s at 40 kN m)."""
    recording = run(tmp_path, "arctangent", "--plugin", PLUGIN, brake=1.0, duration=1.0)
    speed = recording["car.body.velocity"][:, 0]
    time = recording.time
    late = (time > 0.5) & (time <= 1.0)
    slope = (speed[late][-1] - speed[late][0]) / (time[late][-1] - time[late][0])
    assert 0.95 < -slope / (0.9 * 9.81) < 0.98
    file = tmp_path / "car.yaml"
    assert main.run(["check", str(file), "--plugin", str(PLUGIN)]) == 0
    assert main.run(["check", str(file)]) == 2
    assert "arctangent" in kinds("tyre", [PLUGIN])
    assert "arctangent" not in kinds("tyre")

"""A contact law from a plugin: checked and run by the command line like a built-in one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from centrode.cli import main
from centrode.jit import JIT_ON
from centrode.recording.recording import Recording

PLUGIN = Path(__file__).parents[2] / "examples" / "plugins" / "rubber_bumper.py"
SCENARIO = """centrode: 1
title: Rubber
gravity: [0, 0, 0]
bodies:
  left: {mass: 2 kg, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0], velocity: [3, 0, 0]}
  right: {mass: 2 kg, inertia: [0.008, 0.008, 0.008], position: [0.25, 0, 0]}
outlines:
  one: {kind: superellipsoid, body: left, semi_axes: [0.1, 0.1, 0.1], squareness: 1}
  two: {kind: superellipsoid, body: right, semi_axes: [0.1, 0.1, 0.1], squareness: 1}
contact_laws:
  rubber: {kind: rubber-bumper, stiffness: 2e4, cubic: 4e7, damping: 0}
run: {duration: 0.1 s, method: rk4-projected, step: 0.1 ms, frames: 10 ms}
"""


def centrode(*words):
    return main.run([str(word) for word in words])


def test_check_puts_the_law_through_the_contract(capsys):
    assert centrode("check", PLUGIN) == 0
    said = capsys.readouterr().out
    assert "energy balance" in said and "none failed" in said


@pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")
def test_run_with_a_plugin_law_meets_the_closed_form(tmp_path):
    file = tmp_path / "rubber.yaml"
    file.write_text(SCENARIO, encoding="utf-8")
    assert centrode("check", file) == 2  # the kind is not known without its plugin
    assert centrode("check", file, "--plugin", PLUGIN) == 0
    assert centrode("run", file, "--plugin", PLUGIN, "-o", tmp_path / "run.nc") == 0
    run = Recording.load(tmp_path / "run.nc")
    # equal balls without losses exchange their velocities
    assert run["left.velocity"][-1] == pytest.approx([0.0, 0.0, 0.0], abs=1e-8)
    assert run["right.velocity"][-1] == pytest.approx([3.0, 0.0, 0.0], abs=1e-8)
    # deepest where half of the energy of approach, m v^2 / 4, is k d^2 / 2 + k3 d^4 / 4
    hit = run.events.of("collision")[0].values
    depth = np.sqrt((-2e4 + np.sqrt(2e4**2 + 4.0 * 4e7 * 0.25 * 2.0 * 9.0)) / 4e7)
    assert hit["depth"] == pytest.approx(depth, rel=1e-3)  # the deepest accepted state, not the deepest of all
    assert hit["peak_force"] == pytest.approx(2e4 * depth + 4e7 * depth**3, rel=1e-3)

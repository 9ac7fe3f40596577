"""A kind of body from one file outside the package: a gyrostat, used from YAML, against its closed form.

A gyrostat carries a rotor of constant angular momentum h in its own axes: I w' = t - w x (I w + h). With equal moments
of inertia the gyroscopic term of I w is zero, w' = h x w / I: w turns about the fixed direction h at the rate |h| / I.
"""

import shutil
from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.registry import kinds

PLUGIN = Path(__file__).parents[2] / "examples" / "plugins" / "gyrostat.py"
SCENARIO = """
centrode: 1
plugins: [gyrostat.py]
gravity: [0, 0, 0]
bodies:
  plain: {mass: 1.0, inertia: [0.5, 0.5, 0.5], omega: [0.3, 0.0, 0.2]}
  spinner: {kind: gyrostat, mass: 2.0, inertia: [0.5, 0.5, 0.5], omega: [0.3, 0.0, 0.2], rotor: [0.0, 0.0, 1.5]}
  heavy: {kind: full-mass, mass_matrix: [2, 2, 2, 1, 1, 1], omega: [0.0, 0.1, 0.0]}
run: {duration: 2.0, method: dop853, tolerance: 1.0e-11}
"""


@pytest.fixture
def folder(tmp_path):
    shutil.copy(PLUGIN, tmp_path)
    (tmp_path / "case.yaml").write_text(SCENARIO, encoding="utf-8")
    return tmp_path


def test_a_body_kind_from_a_plugin_moves_as_its_closed_form(folder):
    run = ct.simulate(ct.load(folder / "case.yaml"))
    assert run.status.completed
    turned = 1.5 / 0.5 * run.time
    wanted = np.stack([0.3 * np.cos(turned), 0.3 * np.sin(turned), np.full_like(turned, 0.2)], axis=1)
    # Tolerance 1e-11 a step, some tens of steps, rates of order one.
    assert np.abs(run["spinner.omega"] - wanted).max() < 1e-8
    # The neighbours of other kinds are what they were: no torque acts on them.
    assert np.abs(run["plain.omega"] - (0.3, 0.0, 0.2)).max() < 1e-12
    assert np.abs(run["heavy.omega"] - (0.0, 0.1, 0.0)).max() < 1e-12
    assert np.ptp(run["energy.total"]) < 1e-9


def test_angular_momentum_of_body_and_rotor_stays_in_the_world(folder):
    """R (I w + h) is constant without torque, for an inertia with products and a rotor along no principal axis."""
    inertia, rotor = np.array([[0.8, 0.1, -0.05], [0.1, 0.5, 0.07], [-0.05, 0.07, 0.6]]), np.array([0.4, -0.9, 1.1])
    text = """
centrode: 1
plugins: [gyrostat.py]
bodies:
  tumbling:
    {kind: gyrostat, mass: 2, inertia: [0.8, 0.5, 0.6, 0.1, -0.05, 0.07], omega: [1.3, -0.4, 0.8],
     rotor: [0.4, -0.9, 1.1], centre_of_mass: [0.1, 0, 0.2]}
run: {duration: 1, method: dop853, tolerance: 1.0e-11, frames: 0.1}
"""
    (folder / "tumbling.yaml").write_text(text, encoding="utf-8")
    run = ct.simulate(ct.load(folder / "tumbling.yaml"))
    turned = np.array([matrix_from_quaternion(q) for q in run["tumbling.orientation"]])
    inside = run["tumbling.omega"] @ inertia.T + rotor
    outside = np.einsum("fij,fj->fi", turned, inside)
    # Tolerance 1e-11 a step, some tens of steps, momenta of order one; seen in body axes it turns through the room.
    assert np.abs(outside - outside[0]).max() < 1e-9
    assert np.ptp(inside, axis=0).max() > 1.0
    without = outside - np.einsum("fij,j->fi", turned, rotor)
    assert np.ptp(without, axis=0).max() > 0.3  # the rotor carries its share of it


def test_joints_and_methods_see_it_like_any_other_body(folder):
    """On a ball joint at its centre nothing changes but the reaction, which is zero; rattle and ici refuse it."""
    text = SCENARIO.replace("run:", "joints:\n  pivot: {kind: ball, a: ground, b: spinner, at: [0, 0, 0]}\nrun:")
    (folder / "held.yaml").write_text(text, encoding="utf-8")
    run = ct.simulate(ct.load(folder / "held.yaml"), method="rk4-projected", step=1e-3)
    turned = 1.5 / 0.5 * run.time[-1]
    # Fourth order with step 1e-3 and rates of 3 rad/s: (3e-3)^4 a step, two thousand steps, divided by 5!.
    assert np.abs(run["spinner.omega"][-1] - (0.3 * np.cos(turned), 0.3 * np.sin(turned), 0.2)).max() < 1e-10
    with pytest.raises(InputError, match="cannot move a body of this kind"):
        ct.simulate(ct.load(folder / "held.yaml"), method="rattle")


def test_without_the_plugin_the_kind_is_gone(folder):
    assert "gyrostat" not in kinds("body")
    (folder / "bare.yaml").write_text(SCENARIO.replace("plugins: [gyrostat.py]\n", ""), encoding="utf-8")
    with pytest.raises(InputError, match="gyrostat"):
        ct.load(folder / "bare.yaml")

"""Robots against engines of reduced coordinates: accelerations and mass matrices of small files of our own.

Figures of tests/unit/data/robots/figures.json were computed with Pinocchio 4.1.0 (aba, crba), those of arm.json with
MuJoCo 4.0.0 (mj_forward, contacts and limits switched off). All 69 files of example-robot-data 6.0.0 were compared the
same way at zero and at two random states, held and free: see docs/howto/robots.md.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from robots import joint_accelerations, root_acceleration

from centrode.scenario.robots.mjcf import load_mjcf
from centrode.scenario.robots.state import mass_matrix
from centrode.scenario.robots.urdf import load_urdf

HERE = Path(__file__).parent / "data" / "robots"
FIGURES = json.loads((HERE / "figures.json").read_text())
CASES = [(name, k) for name, cases in FIGURES.items() for k in range(len(cases))]
EXACT = 1e-9
"""Of the largest acceleration: round-off 1e-16, times the condition of the weighed rows, up to 1e6 behind a link that
has got 1e-13 of an inertia."""


def robot_of(name, case):
    file = HERE / f"{name}.urdf" if name != "quadruped" else HERE.parents[3] / "scenarios" / "robots" / "quadruped.urdf"
    options = {"positions": case["positions"], "rates": case["rates"], "fix_root": not case["free"]}
    robot = load_urdf(file, **options)
    for part in robot.system.of_family("force"):  # limits and friction are not what is compared
        del robot.system.parts[part.name]
    return robot


@pytest.mark.parametrize(("name", "k"), CASES)
def test_accelerations_are_those_of_reduced_coordinates(name, k):
    case = FIGURES[name][k]
    robot = robot_of(name, case)
    found = joint_accelerations(robot)
    largest = max(1.0, *(abs(value) for value in case["accelerations"].values()))
    for joint, value in case["accelerations"].items():
        assert abs(found[joint][0] - value) <= EXACT * largest, joint
    if case["free"]:
        assert np.abs(root_acceleration(robot) - case["root"]).max() <= EXACT * max(largest, 9.81)


@pytest.mark.parametrize(("name", "k"), CASES)
def test_the_mass_matrix_is_that_of_the_file_whatever_was_moved_between_links(name, k):
    """Rods that went across joints cancel to round-off of the sums, 1e-15 of the largest entry, and 1e-13 was added."""
    case = FIGURES[name][k]
    robot = robot_of(name, case)
    matrix, columns = mass_matrix(robot.robot, robot.states, robot.held)
    largest = np.abs(matrix).max()
    for joint, value in case["mass_matrix_diagonal"].items():
        assert abs(matrix[columns.index((joint, 0)), columns.index((joint, 0))] - value) <= 1e-12 * largest


ARM = json.loads((HERE / "arm.json").read_text())


@pytest.mark.parametrize("k", range(len(ARM)))
def test_an_arm_of_mjcf_has_the_accelerations_of_its_own_engine(k):
    """Hinges, a slider, a ball and a free joint; inertias from geoms; classes, a spring, motors and servos at work."""
    case = ARM[k]
    robot = load_mjcf(HERE / "arm.xml", positions=case["q"], rates=case["v"])
    for part in robot.system.of_family("force"):
        if part.kind == "stop":
            del robot.system.parts[part.name]
    for name, command in case["ctrl"].items():
        scale = 3.0 if name == "m-yaw" else 1.0  # the gear of the motor: commands are efforts here
        robot.system.replace(dataclasses.replace(robot.system.parts[name], command=scale * command))
    found = joint_accelerations(robot)
    largest = max(abs(value) for values in case["a"].values() for value in values)
    assert set(found) >= set(case["a"])
    for joint, values in case["a"].items():
        assert np.abs(found[joint] - values).max() <= EXACT * largest, joint


def test_inertias_of_geoms_are_those_of_their_solids():
    masses = {name: value for name, value in ARM[0]["mass"].items() if name != "world"}
    robot = load_mjcf(HERE / "arm.xml")
    found = {name: robot.robot.links[name].inertia.mass for name in ("base", "ball")}
    assert found == pytest.approx({name: masses[name] for name in found}, rel=1e-12)
    # Mass on the axis of the elbow went to the link between its two joints, a tool is welded to the hand.
    total = sum(link.inertia.mass for link in robot.robot.links.values())
    assert total == pytest.approx(sum(masses.values()), rel=1e-12)

"""Robot descriptions: trees, inertias, limits, and one clear message for what cannot be."""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.errors import InputError

pytest.importorskip("yourdfpy")

from centrode.cli.main import run as command
from centrode.running import Session, simulate
from centrode.scenario.loader import load
from centrode.scenario.urdf import load_urdf
from centrode.system.settings import RunSettings

ARM = """<robot name="arm">
<link name="base"/>
<link name="upper"><inertial><origin xyz="0 0 -0.25" rpy="0 0 0.3"/><mass value="2"/>
  <inertia ixx="0.05" ixy="0.001" ixz="0" iyy="0.06" iyz="0" izz="0.01"/></inertial></link>
<link name="lower"><inertial><origin xyz="0 0 -0.2"/><mass value="1"/>
  <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.004"/></inertial></link>
<link name="hand"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/>
  <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="5"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 -0.5"/>
  <axis xyz="0 1 0"/><limit lower="{lower}" upper="1" effort="10" velocity="5"/>
  <dynamics damping="0.1" friction="0"/></joint>
<joint name="wrist/roll pin" type="fixed"><parent link="lower"/><child link="hand"/><origin xyz="0 0 -0.4"/></joint>
</robot>"""


def write(tmp_path, text=ARM, **values):
    file = tmp_path / "robot.urdf"
    file.write_text(text.format(**{"lower": -1, **values}) if "{lower}" in text else text)
    return file


def test_an_arm_becomes_two_bodies_on_hinges(tmp_path):
    read = load_urdf(write(tmp_path), positions={"shoulder": 0.5})
    assert [part.name for part in read.system.of_family("body")] == ["upper", "lower"]
    assert read.link_bodies == {"base": "ground", "upper": "upper", "lower": "lower", "hand": "lower"}
    assert {part.name for part in read.system.of_family("joint")} == {"shoulder", "elbow"}
    assert {part.name for part in read.system.of_family("force")} == {"shoulder-limit", "elbow-limit", "elbow-friction"}
    session = Session(read.system, RunSettings())
    assert session.assembly.degrees_of_freedom == 2
    assert not session.assembly.moved
    lower = read.system.parts["lower"]
    assert lower.position == pytest.approx((-0.5 * math.sin(0.5), 0.0, 1.0 - 0.5 * math.cos(0.5)), abs=1e-12)
    limit = read.system.parts["shoulder-limit"]
    assert (limit.lower, limit.upper) == (-2.5, 1.5)


def test_the_inertia_is_turned_into_the_link_frame(tmp_path):
    read = load_urdf(write(tmp_path))
    tensor = np.array(read.system.parts["upper"].inertia)
    given = np.array([[0.05, 0.001, 0.0], [0.001, 0.06, 0.0], [0.0, 0.0, 0.01]])
    c, s = math.cos(0.3), math.sin(0.3)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    assert tensor == pytest.approx(turn @ given @ turn.T, abs=1e-15)


def test_a_released_arm_swings_like_a_compound_pendulum(tmp_path):
    """Elbow held by nothing but small angles: energy falls by the damping only, and the audit closes."""
    run = simulate(load_urdf(write(tmp_path), positions={"shoulder": 0.5}).system, duration=2.0, tolerance=1e-9)
    assert run.status.completed
    assert np.abs(run["energy.residual"]).max() < 1e-6
    assert run["energy.total"][-1] < run["energy.total"][0]


def test_the_elbow_stops_at_its_limit(tmp_path):
    """Thrown against a limit of -0.05 rad, the stop of 1e5 N m/rad gives way by less than 0.01 rad."""
    read = load_urdf(write(tmp_path, lower=-0.05), positions={"shoulder": 1.5})
    run = simulate(read.system, duration=2.0, frames=0.005)
    assert run["elbow.angle"].min() > -0.06
    assert run["elbow.angle"].min() < -0.04


def test_a_free_root_falls(tmp_path):
    text = """<robot name="box"><link name="box"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>"""
    run = simulate(load_urdf(write(tmp_path, text), fix_root=False).system, duration=1.0, frames=1.0)
    assert run["box.position"][-1, 2] == pytest.approx(-0.5 * 9.81, abs=1e-9)


LINK = """<link name="{name}"><inertial><mass value="{mass}"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("this is not XML", ["not a readable URDF"]),
        (
            '<robot name="r"><link name="base"/><link name="a"/><joint name="j" type="revolute"><parent link="base"/>'
            '<child link="a"/><limit effort="1" velocity="1" lower="0" upper="1"/></joint></robot>',
            ["without mass", "a", "<inertial>"],
        ),
        (
            f'<robot name="r">{LINK.format(name="base", mass=1)}{LINK.format(name="arm", mass=1)}'
            '<joint name="j" type="continuous"><parent link="base"/><child link="amr"/></joint></robot>',
            ["unknown link", "amr", "did you mean 'arm'"],
        ),
        (
            f'<robot name="r">{LINK.format(name="a", mass=1)}{LINK.format(name="b", mass=1)}'
            '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
            '<joint name="k" type="continuous"><parent link="b"/><child link="a"/></joint></robot>',
            ["one root", "loop"],
        ),
        (
            f'<robot name="r">{LINK.format(name="base", mass=1)}{LINK.format(name="arm", mass=-1)}'
            '<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>',
            ["arm.mass", "must be positive"],
        ),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, text, words):
    with pytest.raises(InputError) as caught:
        load_urdf(write(tmp_path, text))
    for word in words:
        assert word in str(caught.value)


def test_missing_files_and_unknown_joints(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_urdf(tmp_path / "nothing.urdf")
    with pytest.raises(InputError, match="did you mean 'elbow'"):
        load_urdf(write(tmp_path), positions={"elbo": 1.0})
    with pytest.raises(InputError, match="beyond its limits"):
        load_urdf(write(tmp_path), positions={"elbow": 1.5})


def test_the_command_writes_a_scenario_that_runs(tmp_path, capsys):
    file, target = write(tmp_path), tmp_path / "arm.yaml"
    assert command(["import-urdf", str(file), "-o", str(target), "--set", "shoulder=0.5", "--duration", "0.2"]) == 0
    assert "2 bodies" in capsys.readouterr().out
    assert command(["run", str(target), "-o", str(tmp_path / "arm.nc"), "-q"]) == 0
    assert command(["import-urdf", str(file), "--set", "shoulder"]) == 2


def test_a_robot_is_an_import_of_a_scenario(tmp_path):
    write(tmp_path)
    file = tmp_path / "cell.yaml"
    file.write_text(
        "centrode: 1\nimports: {arm: {kind: urdf, file: robot.urdf, positions: {shoulder: 0.5}}}\n"
        "forces: {pull: {kind: point-force, body: arm.lower, magnitude: 1, direction: [1, 0, 0]}}\n"
    )
    parts = load(file).system.parts
    apart = load_urdf(tmp_path / "robot.urdf", positions={"shoulder": 0.5}).system.parts
    assert set(parts) == {"arm", "pull", *(f"arm.{name}" for name in apart)}
    assert parts["arm.elbow"].b == "arm.lower" and parts["arm.shoulder"].a == "ground"
    assert parts["arm.lower"].position == apart["lower"].position
    assert command(["check", str(tmp_path / "robot.urdf")]) == 0


def test_what_has_no_counterpart_is_told_by_a_run_too(tmp_path):
    """Only ``centrode import-urdf`` said that a joint which mimics another is left free."""
    text = ARM.replace('<dynamics damping="0.1"', '<mimic joint="shoulder"/><dynamics damping="0.1"')
    scenario = load(write(tmp_path, text))
    assert scenario.system.notes == ["joint 'elbow' mimics 'shoulder': left free"]
    told = [event.subject for event in Session(scenario.system, RunSettings()).start_events()]
    assert scenario.system.notes[0] in told

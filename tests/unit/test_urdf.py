"""Robot descriptions: trees, inertias, limits, and one clear message for what cannot be."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

import numpy as np
import pytest

from centrode.cli.main import run as command
from centrode.dynamics.model_view import ModelView
from centrode.errors import InputError
from centrode.mechanics.mechanics import Mechanics
from centrode.recording.recording import Recording
from centrode.running import Session, simulate
from centrode.scenario.loader import load
from centrode.scenario.robots.urdf import load_urdf
from centrode.system.settings import RunSettings
from centrode.view.appearance import appearance_of
from centrode.view.scene import scene_of

HERE = Path(__file__).parent / "data" / "robots"
SCENARIOS = Path(__file__).parents[2] / "scenarios"

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


@pytest.mark.compiled
def test_the_elbow_stops_at_its_limit(tmp_path):
    """Thrown against a limit of -0.05 rad at less than 3 rad/s, the stop gives way by less than 3 / 300 rad."""
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
        ("this is not XML", ["not well-formed XML", "robot.urdf:1"]),
        ('<!DOCTYPE r [<!ENTITY a "b">]><robot name="&a;"/>', ["document types are not read"]),
        ("<a>" * 200 + "</a>" * 200, ["too deep"]),
        ('<sdf version="1.6"/>', ["not a URDF file", "<robot>"]),
        (
            '<robot name="r"><link name="base"/><link name="a"/><joint name="j" type="revolute"><parent link="base"/>'
            '<child link="a"/><limit effort="1" velocity="1" lower="0" upper="1"/></joint></robot>',
            ["no link with mass", "<inertial>"],
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
    """A joint that mimics one that is not there was left free; only ``centrode import-urdf`` said so."""
    text = ARM.replace('<dynamics damping="0.1"', '<mimic joint="shouldr"/><dynamics damping="0.1"')
    scenario = load(write(tmp_path, text))
    said = "joint 'elbow' mimics 'shouldr', which is none: left free (did you mean 'shoulder'?)"
    assert scenario.system.notes == [said]
    told = [event.subject for event in Session(scenario.system, RunSettings()).start_events()]
    assert said in told


LINE = '<joint name="shoulder" type="revolute">'


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('mass value="2"', 'mass value="nan"', ["robot.urdf:3", "mass@value", "not a finite number", "'nan'"]),
        ('mass value="2"', 'mass value="1e400"', ["robot.urdf:3", "mass@value"]),
        ('mass value="2"', 'mass vaule="2"', ["robot.urdf:3", "mass@value", "attribute missing"]),
        ('ixx="0.05" ', "", ["robot.urdf:4", "inertia@ixx", "attribute missing"]),
        ('xyz="0 0 1"', 'xyz="0 0"', ["robot.urdf:8", "origin@xyz", "3 finite numbers"]),
        ('type="revolute"', 'type="revolut"', ["robot.urdf:8", "joint@type", "did you mean 'revolute'"]),
        ('axis xyz="0 1 0"', 'axis xyz="0 0 0"', ["axis@xyz", "length zero"]),
        ('lower="-2"', 'lower="3"', ["robot.urdf:9", "lower limit is above"]),
        ('<parent link="base"/>', "", ["robot.urdf:8", "<parent> is missing"]),
        ('name="elbow"', 'name="shoulder"', ["name used twice", "shoulder"]),
        ('damping="0.1"', 'damping="-1"', ["dynamics@damping", "at least 0"]),
        ('ixx="0.05"', 'ixx="-0.05"', ["robot.urdf:4", "negative moment"]),
    ],
)
def test_faults_come_with_file_and_line(tmp_path, old, new, words):
    assert old in ARM
    with pytest.raises(InputError) as caught:
        load_urdf(write(tmp_path, ARM.replace(old, new, 1)))
    for word in words:
        assert word in str(caught.value)


def test_all_faults_of_a_file_come_at_once(tmp_path):
    text = ARM.replace('mass value="2"', 'mass value="x"').replace('mass value="1"', 'mass value="y"')
    with pytest.raises(InputError) as caught:
        load_urdf(write(tmp_path, text))
    assert len(caught.value.faults) == 2


def test_two_thousand_damaged_files_give_a_robot_or_one_message(tmp_path):
    """Bytes changed, cut out, doubled, numbers made large: an InputError or a robot, nothing else."""
    text = (HERE / "gimbals.urdf").read_bytes() + ARM.format(lower=-1).encode()
    robots = [(HERE / "gimbals.urdf").read_bytes(), ARM.format(lower=-1).encode(), (HERE / "points.urdf").read_bytes()]
    words = [b"nan", b"-1", b"1e308", b"0", b"", b"<", b'"', b"/>", b"&amp;", b"\xff", b"link", b"1e-320", b"  "]
    draw, refused = random.Random(5), 0
    file = tmp_path / "damaged.urdf"
    for k in range(2000):
        data = bytearray(robots[k % len(robots)])
        for _ in range(draw.randint(1, 4)):
            at, length = draw.randrange(len(data)), draw.choice((0, 1, 1, 3, 12))
            data[at : at + length] = draw.choice((draw.choice(words), text[at : at + draw.randint(0, 60)]))
        if k % 2:  # numbers alone, so that many files stay well-formed
            numbers = list(re.finditer(rb'"-?[0-9][0-9.e -]*"', robots[k % len(robots)]))
            chosen, data = draw.choice(numbers), bytearray(robots[k % len(robots)])
            data[chosen.start() + 1 : chosen.end() - 1] = draw.choice((*words, b"1e200", b"7", b"1 2 3", b"1e-200"))
        file.write_bytes(bytes(data))
        try:
            load_urdf(file, fix_root=bool(k % 4))
        except InputError as error:
            refused += 1
            assert str(error)
    assert 500 < refused < 2000  # some still say what they said


# -- what becomes of a file --------------------------------------------------------------------------------------------


def test_welded_links_are_one_body_of_their_sum():
    """Ten of 69 published robots were silently wrong: welded links without inertia froze, feet of mass 0 were lost."""
    read = load_urdf(HERE / "welded.urdf")
    assert [part.name for part in read.system.of_family("body")] == ["upper", "lower", "toe"]
    assert read.link_bodies["cover"] == read.link_bodies["motor"] == "upper"
    assert read.link_bodies["foot"] == "lower"
    assert read.system.parts["upper"].mass == pytest.approx(2.95, rel=1e-14)
    assert [part.kind for part in read.system.of_family("joint")] == ["revolute", "revolute", "prismatic"]


def test_links_without_inertia_get_masses_on_their_axes_and_say_so():
    read = load_urdf(HERE / "gimbals.urdf", fix_root=False)
    notes = " ".join(read.notes)
    assert "'ring'" in notes and "'slide'" in notes and "changes no motion" in notes
    assert "'yoke', 'cross'" in notes and "1e-13" in notes
    total = sum(part.mass for part in read.system.of_family("body"))
    assert total == pytest.approx(5 + 1.2 + 3 + 0.5, rel=1e-12)


def test_a_joint_that_moves_nothing_is_held_and_named():
    read = load_urdf(HERE / "points.urdf")
    assert "nothing with inertia moves behind 'tip': held where the file has zero" in read.notes
    assert read.link_bodies["idle"] == "second"


def test_point_masses_that_no_joint_can_help_are_refused_by_name(tmp_path):
    """Three hinges through one point, masses in it, and a ball of no size: any answer would be round-off."""
    solid = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    links, axes = ("chest", "pan", "tilt", "head"), ("", "0 0 1", "0 1 0", "0 0 1")
    text = '<robot name="neck">'
    for k, name in enumerate(links):
        centre = '<origin xyz="0.02 0 0.1"/>' if name == "head" else ""
        moments = solid if name == "chest" else ""
        text += f'<link name="{name}"><inertial>{centre}<mass value="1"/>{moments}</inertial></link>'
        if k:
            text += f'<joint name="to-{name}" type="continuous"><parent link="{links[k - 1]}"/><child link="{name}"/>'
            text += f'<axis xyz="{axes[k]}"/></joint>'
    with pytest.raises(InputError, match="head: a link without inertia"):
        load_urdf(write(tmp_path, text + "</robot>"), fix_root=False)


FINGER = """<robot name="finger"><link name="palm"/>
<link name="near"><inertial><origin xyz="0 0 0.02"/><mass value="0.04"/>
  <inertia ixx="8e-6" ixy="0" ixz="0" iyy="8e-6" iyz="0" izz="2e-6"/></inertial></link>
<link name="far"><inertial><origin xyz="0 0 0.01"/><mass value="0.01"/>
  <inertia ixx="6e-7" ixy="0" ixz="0" iyy="6e-7" iyz="0" izz="2e-7"/></inertial></link>
<joint name="knuckle" type="revolute"><parent link="palm"/><child link="near"/><origin rpy="1.3 0.4 0"/>
  <axis xyz="0 1 0"/><limit lower="-0.2" upper="0.3" effort="1" velocity="6"/><dynamics friction="0.002"/></joint>
<joint name="tip" type="revolute"><parent link="near"/><child link="far"/><origin xyz="0 0 0.04"/><axis xyz="0 1 0"/>
  <limit lower="0.1" upper="1.5" effort="1" velocity="6"/>{more}</joint></robot>"""


@pytest.mark.compiled
def test_light_links_run_with_default_settings(tmp_path):
    """Stops of 1e5 N m/rad and friction over 1e-3 rad/s took 700 909 steps for 2 s of such a finger."""
    text = FINGER.format(more='<dynamics friction="0.002"/>')
    run = simulate(load_urdf(write(tmp_path, text)).system, duration=2.0)
    assert run.status.completed
    assert run.statistics.steps < 5000
    # On its stop, which turns a speed w back within w / 300 rad/s.
    angle = run["knuckle.angle"]
    assert angle.max() < 0.3 + np.abs(np.gradient(angle, run.time)).max() / 300.0


def test_a_joint_starts_at_the_limit_next_to_zero(tmp_path):
    read = load_urdf(write(tmp_path, FINGER.format(more="")))
    assert read.positions == {"knuckle": 0.0, "tip": 0.1}
    assert "joint 'tip' starts at 0.1, the limit next to 0" in read.notes


@pytest.mark.compiled
def test_a_mimic_follows_its_joint(tmp_path):
    """As a row: to the closure of joints (1e-9 next to singular positions) also where the knuckle hits its stop, where
    a spring gave way by milliradians; and as the equations of one freedom say.

    About the tip the far link has J = 6e-7 + 0.01 (0.01)^2; with the knuckle's angle q, tip 2 q and the state at the
    start, the mass matrix M of both free joints gives (1, 2) M (1, 2)^T q'' = (1, 2) . loads.
    """
    text = FINGER.format(more='<mimic joint="knuckle" multiplier="2" offset="0.5"/>')
    read = load_urdf(write(tmp_path, text), positions={"knuckle": -0.1})
    assert read.positions["tip"] == pytest.approx(0.3)
    row = read.system.parts["tip-mimic"]
    assert row.kind == "transmission" and row.ratio == -2.0  # seen from the link between, the ground moves by -q
    run = simulate(read.system, duration=1.0, frames=5e-4)
    assert run.status.completed
    assert np.ptp(run["knuckle.angle"]) > 0.2
    assert np.abs(run["tip.angle"] - 2.0 * run["knuckle.angle"]).max() < 1e-9
    free = load_urdf(write(tmp_path, FINGER.format(more="")), positions={"knuckle": -0.1, "tip": 0.3})
    state, together = Mechanics(free.system), np.array([1.0, 2.0])
    inertia = together @ np.asarray(state.mass_matrix()) @ together
    loads = together @ (np.asarray(state.gravity_loads()) + np.asarray(state.applied_loads()))
    found = Mechanics(read.system, coordinates=["knuckle.angle"]).accelerations()
    assert float(np.asarray(found)[0]) == pytest.approx(loads / inertia, rel=1e-9)
    with pytest.raises(InputError, match="against its mimic"):
        load_urdf(write(tmp_path, text), positions={"knuckle": -0.1, "tip": 0.7})


HAND = """<robot name="hand"><link name="palm"/>{links}
<joint name="lead" type="revolute"><parent link="palm"/><child link="left"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" effort="1" velocity="6"/></joint>
<joint name="slide" type="prismatic"><parent link="palm"/><child link="right"/><origin xyz="0.1 0 0"/>
  <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="6"/>
  <mimic joint="lead" multiplier="-0.02"/></joint>
<joint name="tip" type="revolute"><parent link="{under}"/><child link="end"/><origin xyz="0 0 0.04"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" effort="1" velocity="6"/><mimic joint="lead" multiplier="0.5" offset="0.1"/></joint>
{more}</robot>"""
LINK = """<link name="{}"><inertial><origin xyz="0 0 0.02"/><mass value="0.04"/>
  <inertia ixx="8e-6" ixy="0" ixz="0" iyy="8e-6" iyz="0" izz="2e-6"/></inertial></link>"""


@pytest.mark.compiled
def test_a_mimic_four_links_away_follows_one_that_it_meets(tmp_path):
    """The tip is borne by the slider, not by what it mimics: it follows the slider with 0.5 / -0.02 rad/m."""
    links = "".join(LINK.format(name) for name in ("left", "right", "end"))
    read = load_urdf(write(tmp_path, HAND.format(links=links, under="right", more="")), positions={"lead": 0.4})
    rows = {name: read.system.parts[f"{name}-mimic"] for name in ("slide", "tip")}
    assert {row.kind for row in rows.values()} == {"transmission"} and not read.notes
    assert (rows["slide"].a, rows["tip"].a, rows["tip"].carrier) == ("left", "ground", "right")
    run = simulate(read.system, duration=2.0)
    assert run.status.completed and np.ptp(run["lead.angle"]) > 1.0
    np.testing.assert_allclose(run["slide.displacement"], -0.02 * run["lead.angle"], atol=1e-10)
    np.testing.assert_allclose(run["tip.angle"], 0.5 * run["lead.angle"], atol=1e-9)  # 25 times the closure of rows


def test_a_mimic_that_meets_no_other_is_a_coupling_and_says_so(tmp_path):
    arm = '<joint name="arm" type="continuous"><parent link="palm"/><child link="fore"/><axis xyz="1 0 0"/></joint>'
    links = "".join(LINK.format(name) for name in ("left", "right", "end", "fore"))
    read = load_urdf(write(tmp_path, HAND.format(links=links, under="fore", more=arm)))
    assert read.system.parts["tip-mimic"].kind == "coupling"
    assert read.notes == ["joint 'tip' follows 'lead' through a stiff coupling: no link bears both"]


def test_rates_at_the_start_are_those_of_the_joints(tmp_path):
    read = load_urdf(write(tmp_path), positions={"shoulder": 0.5}, rates={"shoulder": 1.0, "elbow": -2.0})
    session = Session(read.system, RunSettings())
    assert session.assembly.speed_change < 1e-14
    view = ModelView(session.model, session.workspace)
    assert view.value("shoulder.angle_rate") == pytest.approx(1.0, abs=1e-12)
    assert view.value("elbow.angle_rate") == pytest.approx(-2.0, abs=1e-12)


def test_stiff_friction_asks_for_an_implicit_method(tmp_path):
    text = FINGER.format(more='<dynamics damping="1"/>')
    file = write(tmp_path, text)
    assert load(file).settings.method == "radau"
    assert any("method radau" in note for note in load(file).system.notes)
    assert load(write(tmp_path, FINGER.format(more=""))).settings.method is None, "the usual one"


# -- how it looks ------------------------------------------------------------------------------------------------------

LOOKS = """<robot name="looks"><material name="red"><color rgba="1 0 0 1"/></material>
<link name="base"><visual><geometry><mesh filename="package://looks/part.stl" scale="2 2 2"/></geometry></visual></link>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  <visual><origin xyz="0 0 0.5" rpy="0 1.5707963267948966 0"/><geometry><cylinder radius="0.1" length="1"/></geometry>
    <material name="red"/></visual>
  <visual><geometry><mesh filename="gone.stl"/></geometry></visual>
  <collision><geometry><box size="1 2 3"/></geometry></collision></link>
<link name="hand"><visual><geometry><sphere radius="0.2"/></geometry></visual></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><origin xyz="1 0 0"/>
  <axis xyz="0 1 0"/></joint>
<joint name="k" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0 0 1"/></joint></robot>"""
STL = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid"


def test_links_are_drawn_as_the_file_says(tmp_path):
    """Shapes were dropped: a Panda was a blue box."""
    (tmp_path / "part.stl").write_bytes(STL)
    read = load_urdf(write(tmp_path, LOOKS), outlines=True)
    look = appearance_of(read.system)
    shapes = {(shape.body, shape.shape): shape for shape in look.visuals if shape.shape != "box"}
    shapes = {key: shape for key, shape in shapes.items() if shape.colour not in ("joint", "dark")}
    assert set(shapes) == {("ground", "mesh"), ("arm", "cylinder"), ("arm", "sphere")}
    cylinder, ball = shapes["arm", "cylinder"], shapes["arm", "sphere"]
    assert cylinder.colour == "#ff0000" and cylinder.position == (0.0, 0.0, 0.5)
    assert ball.position == pytest.approx((0.0, 0.0, 1.0))
    assert max(map(max, shapes["ground", "mesh"].vertices)) == 2.0
    assert read.system.parts["arm-outline1"].half_lengths == (0.5, 1.0, 1.5)
    assert any("gone.stl" in note for note in read.notes)


def test_a_recording_finds_the_shapes_of_its_robot_from_any_folder(tmp_path, monkeypatch):
    """The scenario of a recording names the file of the robot; it was looked for in the current folder alone."""
    (tmp_path / "robot").mkdir()
    (tmp_path / "robot" / "part.stl").write_bytes(STL)
    file, made = write(tmp_path / "robot", LOOKS), tmp_path / "made" / "run.nc"
    made.parent.mkdir()
    assert command(["run", str(file), "--duration", "0.01", "-o", str(made), "-q"]) == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    shapes = {entry["shape"] for entry in scene_of(Recording.load(made)).data["shapes"]}
    assert {"mesh", "cylinder", "sphere"} <= shapes


@pytest.mark.compiled
def test_a_quadruped_comes_down_on_its_feet_and_stands_with_default_settings():
    """Twelve servos of 80 N m/rad hold 12 kg: it sinks by T / k in the knees and rests, to 0.1 mm/s, after 2 s."""
    scenario = load(SCENARIOS / "robots" / "quadruped.yaml")
    run = simulate(scenario, duration=3.0, frames=0.05)
    assert run.status.completed
    height, speed = run["dog.trunk.position"][:, 2], np.abs(run["dog.trunk.velocity"])
    assert 0.30 < height[-1] < 0.331
    assert speed[run.time > 2.0].max() < 1e-4
    feet = [event.subject for event in run.events if event.kind == "contact begin"]
    assert {subject.split()[0] for subject in feet} == {f"dog.{leg}-shank" for leg in LEGS}


LEGS = ("front-left", "front-right", "hind-left", "hind-right")


@pytest.mark.compiled
def test_a_humanoid_stands_with_default_settings():
    """On bent knees from 5 mm: servos sway like springs under 52 kg, by less than a hand, and die down."""
    scenario = load(SCENARIOS / "robots" / "humanoid.yaml")
    run = simulate(scenario, duration=4.0)
    assert run.status.completed
    height, ahead = run["man.pelvis.position"][:, 2], run["man.pelvis.position"][:, 0]
    assert height.min() > 0.86 and np.ptp(ahead) < 0.08
    late, early = (np.ptp(ahead[(run.time > a) & (run.time < a + 1.0)]) for a in (3.0, 1.0))
    assert late < 0.8 * early
    assert all(run[f"man.{side}-foot.position"][-1, 2] < 0.08 for side in ("left", "right"))


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("more", "gravity"), [({}, (0.0, 0.0, -9.81)), ({"stiffness": 800.0, "damping": 25.0}, (3.3, 0.0, -9.2))]
)
def test_a_humanoid_falls_when_limp_or_on_a_slope(more, gravity):
    """It ends lying, nothing below the ground by more than it sinks in, and what moved is lost, none of it made."""
    knees = {f"{side}-{name}": v for side in ("left", "right") for name, v in (("hip", -0.3), ("knee", 0.6))}
    where = {"fix_root": False, "ground": 0.0, "position": (0.0, 0.0, 0.95), "positions": knees, "gravity": gravity}
    read = load_urdf(SCENARIOS / "robots" / "humanoid.urdf", **where, **more)
    run = simulate(read.system, duration=2.0)
    assert run.status.completed and run["head.position"][-1, 2] < 0.3 and run["pelvis.position"][-1, 2] < 0.3
    assert all(run[name][:, 2].min() > 0.0 for name in run if name.endswith("pelvis.position"))
    energy = run["energy.total"]
    assert energy[-1] < energy[0] and (np.diff(energy).max() < 1e-9 or more)  # servos give back what they store


def test_links_of_one_robot_do_not_touch_each_other_unless_asked():
    """In Python as in a scenario: thighs reach into the pelvis here, which was refused as an overlap."""
    bent = {"left-hip": -0.3, "right-hip": -0.3}
    options = {"fix_root": False, "ground": 0.0, "position": (0.0, 0.0, 0.95), "positions": bent}
    Session(load_urdf(SCENARIOS / "robots" / "humanoid.urdf", **options).system, RunSettings())
    with pytest.raises(InputError, match="'pelvis' and 'left-thigh' stand in each other"):
        Session(load_urdf(SCENARIOS / "robots" / "humanoid.urdf", links_touch=True, **options).system, RunSettings())


def test_an_option_that_does_not_exist_is_told():
    with pytest.raises(InputError, match=r"fixed_root: unknown option of a robot.*did you mean 'fix_root'"):
        load_urdf(SCENARIOS / "robots" / "humanoid.urdf", fixed_root=False)

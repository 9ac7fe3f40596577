"""Models of MuJoCo: words of the format, loops, drives, and one clear message for what cannot be.

Accelerations against MuJoCo itself: test_robot_figures.py.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

from centrode.cli.main import run as command
from centrode.errors import InputError
from centrode.running import Session, simulate
from centrode.scenario.loader import load
from centrode.scenario.robots.mjcf import load_mjcf
from centrode.system.settings import RunSettings

HERE = Path(__file__).parent / "data" / "robots"

FOUR_BAR = """<mujoco model="four-bar">
  <compiler angle="radian"/>
  <default><joint axis="0 1 0"/><geom type="capsule" size="0.02" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="crank" pos="0 0 1"><joint name="drive"/><geom fromto="0 0 0 0 0 0.3"/>
      <body name="coupler" pos="0 0 0.3"><joint name="knee"/><geom fromto="0 0 0 0.8 0 0"/></body></body>
    <body name="rocker" pos="0.8 0 1"><joint name="pivot"/><geom fromto="0 0 0 0 0 0.3"/></body>
  </worldbody>
  <equality>{equality}</equality>
  <actuator>{actuator}</actuator>
</mujoco>"""
CONNECT = '<connect name="close" body1="coupler" body2="rocker" anchor="0.8 0 0"/>'


def write(tmp_path, text, name="model.xml"):
    file = tmp_path / name
    file.write_text(text)
    return file


def four_bar(tmp_path, equality=CONNECT, actuator=""):
    return write(tmp_path, FOUR_BAR.format(equality=equality, actuator=actuator))


def test_a_connection_closes_a_loop_exactly(tmp_path):
    """A parallelogram of equal cranks: the rocker turns as the crank does."""
    read = load_mjcf(four_bar(tmp_path))
    assert read.system.parts["close"].kind == "ball"
    run = simulate(read.system, duration=0.5)
    assert run.status.completed
    assert np.abs(run["constraint.residual"]).max() < 1e-10
    assert run["drive.angle"] == pytest.approx(run["pivot.angle"], abs=1e-9)


def test_a_connection_meets_where_the_file_begins_also_when_the_run_begins_elsewhere(tmp_path):
    """The anchors of both bodies are those at the file's own start."""
    turned = {"drive": 0.3, "knee": -0.3, "pivot": 0.3}
    read = load_mjcf(four_bar(tmp_path), positions=turned)
    session = Session(read.system, RunSettings())
    assert not session.assembly.moved


def test_a_weld_holds_and_a_joint_equality_couples(tmp_path):
    welded = load_mjcf(four_bar(tmp_path, '<weld body1="coupler" body2="crank"/>'))
    session = Session(welded.system, RunSettings())
    assert session.assembly.degrees_of_freedom == 2
    coupled = load_mjcf(four_bar(tmp_path, '<joint joint1="pivot" joint2="drive" polycoef="0.1 -2"/>'))
    assert coupled.positions["pivot"] == pytest.approx(0.1)
    assert coupled.system.parts["pivot-mimic"].ratio == -2.0
    with pytest.raises(InputError, match="a weld that the start breaks"):
        load_mjcf(four_bar(tmp_path, '<weld name="w" body1="coupler" body2="crank"/>'), positions={"knee": 0.5})


def test_drives_become_servos_and_actuators(tmp_path):
    text = """<motor name="m" joint="drive" gear="2" ctrlrange="-3 1"/>
    <position name="p" joint="knee" kp="50" kv="4" gear="0.5" forcerange="-8 8" ctrlrange="-1 1"/>
    <velocity name="v" joint="pivot" kv="3"/>
    <general name="g" joint="knee" gainprm="7" biastype="affine" biasprm="0 -7 -1"/>
    <muscle joint="knee"/><motor tendon="t"/>"""
    read = load_mjcf(four_bar(tmp_path, actuator=text))
    m, p, v, g = (read.system.parts[name] for name in "mpvg")
    assert (m.kind, m.lower, m.upper) == ("actuator", -6.0, 2.0)
    assert (p.stiffness, p.damping, p.effort, p.upper) == (12.5, 1.0, 4.0, 2.0)
    assert (v.tracks, v.damping) == ("rate", 3.0)
    assert (g.stiffness, g.damping) == (7.0, 1.0)
    notes = " ".join(read.notes)
    assert "command of 'm' is its effort: 2 times" in notes and "muscle" in notes and "motor at other things" in notes


def test_what_has_no_counterpart_is_named(tmp_path):
    text = """<mujoco><option density="1.2"/><worldbody><body name="b"><joint name="j" armature="0.1" range="-30 40"/>
      <geom type="sphere" size="0.1"/><geom type="sdf"/></body></worldbody>
      <tendon><spatial/></tendon><sensor><gyro site="s"/></sensor></mujoco>"""
    read = load_mjcf(write(tmp_path, text))
    said = next(note for note in read.notes if note.startswith("left out of the file"))
    for word in ("armature", "<tendon>", "<sensor>", "density of the air", "geoms of type sdf"):
        assert word in said
    limit = read.system.parts["j-limit"]
    assert (limit.lower, limit.upper) == pytest.approx((math.radians(-30), math.radians(40)))


def test_classes_frames_and_includes(tmp_path):
    (tmp_path / "parts").mkdir()
    write(tmp_path / "parts", '<mujocoinclude><body name="tip" pos="0 0 1"><geom size="0.1"/></body></mujocoinclude>')
    text = """<mujoco><default><geom density="500"/><default class="heavy"><geom density="5000"/>
      <default class="heavier"><geom mass="7"/></default></default></default>
    <worldbody><frame pos="1 0 0" euler="0 0 90"><body name="a" pos="1 0 0" childclass="heavy"><freejoint/>
      <geom size="0.1"/><geom size="0.2" class="heavier"/><include file="parts/model.xml"/></body>
    </frame></worldbody></mujoco>"""
    read = load_mjcf(write(tmp_path, text))
    body = read.system.parts["a"]
    ball = 4.0 / 3.0 * math.pi * 1e-3
    assert body.position == pytest.approx((1.0, 1.0, 0.0))
    assert body.mass == pytest.approx(2 * 5000 * ball + 7.0)
    assert read.link_bodies["tip"] == "a"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<mujoco", "<robot", ["not well-formed"]),
        ('fromto="0 0 0 0.8 0 0"', 'fromto="0 0 0 0.8 0"', ["model.xml:6", "geom@fromto", "6 finite numbers"]),
        ('size="0.02"', "", ["geom@size", "a capsule needs 2 sizes"]),
        ('axis="0 1 0"', 'axis="0 0 0"', ["joint@axis", "length zero"]),
        ('body2="rocker"', 'body2="roker"', ["connect@body2", "did you mean 'rocker'"]),
        (' anchor="0.8 0 0"', "", ["connect@anchor", "attribute missing"]),
        ('name="rocker"', 'name="crank"', ["name used twice", "crank"]),
        ('joint name="knee"', 'joint name="knee" type="hing"', ["joint@type", "did you mean 'hinge'"]),
        ('pos="0.8 0 1"', 'pos="0.8 inf 1"', ["body@pos", "3 finite numbers"]),
        ('<joint name="pivot"/>', '<joint name="pivot" class="x"/>', ["joint@class", "unknown class"]),
        ("<worldbody>", '<include file="model.xml"/><worldbody>', ["includes itself"]),
        ("<worldbody>", '<include file="gone.xml"/><worldbody>', ["no such file", "gone.xml"]),
    ],
)
def test_faults_come_with_file_and_line(tmp_path, old, new, words):
    text = FOUR_BAR.format(equality=CONNECT, actuator="")
    assert old in text
    with pytest.raises(InputError) as caught:
        load_mjcf(write(tmp_path, text.replace(old, new, 1)))
    for word in words:
        assert word in str(caught.value)


def test_damaged_files_give_a_model_or_one_message(tmp_path):
    """As for URDF: an InputError or a model, nothing else."""
    text = (HERE / "arm.xml").read_bytes()
    words = [b"nan", b"-1", b"0", b"", b"<", b'"', b"/>", b"body", b"1e-320", b"hinge", b"1e30", b" "]
    draw, refused = random.Random(6), 0
    file = tmp_path / "damaged.xml"
    for _ in range(500):
        data = bytearray(text)
        for _ in range(draw.randint(1, 2)):
            at, length = draw.randrange(len(data)), draw.choice((0, 1, 3))
            data[at : at + length] = draw.choice(words)
        file.write_bytes(bytes(data))
        try:
            load_mjcf(file)
        except InputError as error:
            refused += 1
            assert str(error)
    assert 100 < refused < 500


def test_a_model_is_a_scenario_by_its_ending_and_a_command_writes_one(tmp_path):
    file = four_bar(tmp_path)
    assert set(load(file).system.parts) >= {"model", "model.crank", "model.close"}
    target = tmp_path / "bars.yaml"
    assert command(["import-mjcf", str(file), "-o", str(target), "--duration", "0.1"]) == 0
    assert command(["run", str(target), "-o", str(tmp_path / "bars.nc"), "-q"]) == 0

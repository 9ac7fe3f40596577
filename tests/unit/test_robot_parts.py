"""Parts that robots brought: servos and couplings in closed form, shapes, triangles out of files."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from centrode.errors import InputError
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.coupling import Coupling
from centrode.parts.forces.servo import Servo
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.revolute import Revolute
from centrode.parts.shapes.box import ShapeBox
from centrode.parts.shapes.mesh import ShapeMesh
from centrode.parts.shapes.mesh_files import coarser, read_mesh
from centrode.running import simulate
from centrode.scenario.loader import loads
from centrode.scenario.robots.contact import hull_points, prism
from centrode.scenario.robots.mjcf_geoms import mesh_solid
from centrode.scenario.writing import dump
from centrode.system.builder import System
from centrode.view.appearance import appearance_of


def wheel(gravity=(0.0, 0.0, 0.0)):
    """A wheel of 2 kg m2 about x on the ground, its centre of mass 0.5 m off along y."""
    system = System(gravity=gravity)
    system.add(RigidBody("wheel", 1.0, (1.75, 1.0, 1.0), centre_of_mass=(0.0, 0.5, 0.0)))
    system.add(Revolute("hinge", "ground", "wheel", at=(0, 0, 0), axis=(1, 0, 0)))
    return system


def test_a_servo_leads_to_its_command_as_an_oscillator():
    """I q'' = k (u - q) - c q': with k = 8, c = 8, I = 2 critically damped at 2 rad/s, 1 - (1 + 2 t) exp(-2 t)."""
    system = wheel()
    system.add(Servo("servo", joint="hinge", stiffness=8.0, damping=8.0, command=1.0, start=0.25))
    run = simulate(system, duration=3.0, tolerance=1e-10)
    t = run.time
    assert run["hinge.angle"] == pytest.approx(0.75 * (1.0 - (1.0 + 2.0 * t) * np.exp(-2.0 * t)), abs=1e-8)


def test_a_servo_gives_no_more_than_its_effort():
    """An error of 100 rad at 8 N m/rad, cut to 3 N m: q = 3 / 2 t^2 / 2."""
    system = wheel()
    system.add(Servo("servo", joint="hinge", stiffness=8.0, command=100.0, effort=3.0))
    run = simulate(system, duration=1.0, tolerance=1e-10)
    assert run["hinge.angle"] == pytest.approx(0.75 * run.time**2, abs=1e-9)


def test_a_servo_of_the_rate():
    """I w' = c (u - w): w = u (1 - exp(-c t / I))."""
    system = wheel()
    system.add(Servo("servo", joint="hinge", damping=4.0, command=3.0, tracks="rate"))
    run = simulate(system, duration=1.0, tolerance=1e-10)
    t = run.time
    assert run["hinge.angle"] == pytest.approx(3.0 * (t - 0.5 * (1.0 - np.exp(-2.0 * t))), abs=1e-8)


def test_a_servo_without_gains_is_refused():
    with pytest.raises(InputError, match="without gains"):
        wheel().add(Servo("servo", joint="hinge"))


def test_a_coupling_swings_by_its_own_stiffness_and_keeps_the_energy():
    """Hinge (2 kg m2) and slider (3 kg), ratio 0.5: e = s - q / 2 swings at sqrt(k (1/3 + 1/4/2)), s + ... at rest."""
    system = wheel()
    system.add(RigidBody("block", 3.0, (1.0, 1.0, 1.0), velocity=(0.0, 0.0, 1.0)))
    system.add(Prismatic("rail", "ground", "block", at=(0, 0, 0), axis=(0, 0, 1)))
    system.add(Coupling("belt", "hinge", "rail", 11.0, ratio=0.5))
    run = simulate(system, duration=2.0, tolerance=1e-10)
    rate = np.sqrt(11.0 * (1.0 / 3.0 + 0.25 / 2.0))
    error = run["rail.displacement"] - 0.5 * run["hinge.angle"]
    assert error == pytest.approx(np.sin(rate * run.time) / rate, abs=1e-8)
    assert np.ptp(run["energy.total"]) < 1e-8


def test_a_coupling_joins_hinges_and_sliders_only():
    system = wheel()
    system.add(RigidBody("bob", 1.0, (1.0, 1.0, 1.0)))
    system.add(Ball("socket", "ground", "bob", at=(0, 0, 0)))
    system.add(Coupling("belt", "hinge", "socket", 1.0))
    with pytest.raises(InputError, match="not a hinge or slider"):
        simulate(system, duration=0.1)
    with pytest.raises(InputError, match="cannot follow itself"):
        system.add(Coupling("belt2", "hinge", "hinge", 1.0))


# -- shapes ------------------------------------------------------------------------------------------------------------


def test_a_body_is_drawn_as_its_shapes_say_and_a_file_keeps_them():
    system = wheel()
    system.add(ShapeBox("look", "wheel", (1.0, 2.0, 3.0), centre=(0.1, 0.0, 0.0), colour="steel"))
    again = loads(dump(system)).system
    for item in (system, again):
        drawn = [shape for shape in appearance_of(item).visuals if shape.body == "wheel" and shape.shape == "box"]
        assert [shape.size for shape in drawn] == [(1.0, 2.0, 3.0)]
    with pytest.raises(InputError, match="zero size"):
        system.add(ShapeBox("flat", "wheel", (1.0, 0.0, 3.0)))
    with pytest.raises(InputError, match="unknown colour"):
        system.add(ShapeBox("odd", "wheel", colour="reddish"))
    with pytest.raises(InputError, match=r"no reader for this ending.*\.stl"):
        system.add(ShapeMesh("mesh", "wheel", file="a.fbx"))


CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [(a, b, c) for q in QUADS for a, b, c in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]


def obj_text():
    corners = "\n".join("v " + " ".join(map(str, row)) for row in CUBE.tolist())
    return corners + "\n" + "\n".join("f " + " ".join(f"{k + 1}//1" for k in quad) for quad in QUADS)


def stl_bytes():
    parts = [b"solid but binary".ljust(80), struct.pack("<I", len(TRIANGLES))]
    for triangle in TRIANGLES:
        parts.append(struct.pack("<12fH", 0, 0, 0, *CUBE[list(triangle)].ravel(), 0))
    return b"".join(parts)


def dae_text():
    floats = " ".join(map(str, CUBE.ravel().tolist()))
    counts, corners = " ".join("4" for _ in QUADS), " ".join(f"{k} 0" for quad in QUADS for k in quad)
    return f"""<COLLADA><asset><unit meter="0.1"/><up_axis>Z_UP</up_axis></asset><library_geometries>
    <geometry id="g"><mesh>
    <source id="s"><float_array id="f" count="24">{floats}</float_array></source>
    <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
    <polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/>
    <input semantic="NORMAL" source="#n" offset="1"/>
    <vcount>{counts}</vcount><p>{corners}</p></polylist></mesh></geometry></library_geometries>
    <library_visual_scenes><visual_scene id="w"><node><translate>10 0 0</translate><scale>10 10 10</scale>
    <instance_geometry url="#g"/></node></visual_scene></library_visual_scenes></COLLADA>"""


@pytest.mark.parametrize(
    ("ending", "text", "shift"), [(".obj", obj_text, 0), (".stl", stl_bytes, 0), (".dae", dae_text, 1)]
)
def test_triangles_of_every_format_enclose_the_box_that_was_written(tmp_path, ending, text, shift):
    """Volume 6 m3, centre of mass in the middle, moments m (b^2 + c^2) / 12 for edges 1, 2, 3."""
    file, data = tmp_path / f"box{ending}", text()
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    vertices, faces = read_mesh(file)
    assert len(faces) == 12
    volume, inertia = mesh_solid(vertices, faces, np.ones(3))
    assert volume == pytest.approx(6.0)
    assert inertia.centre == pytest.approx((0.5 + shift, 1.0, 1.5))
    assert inertia.tensor == pytest.approx(np.diag([13.0, 10.0, 5.0]) / 12.0, abs=1e-12)
    assert len(hull_points(str(file), (1.0, 1.0, 1.0))) == 8


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.stl", b"solid\nvertex 1 2 x\n"),
        ("b.obj", b"v 0 0 0\nf 1 2 3\n"),
        ("c.dae", b"<COLLADA/>"),
        ("d.dae", b"<!DOCTYPE x><COLLADA/>"),
        ("e.stl", b""),
        ("f.obj", b"v 0 0\nf 1 1 1\n"),
    ],
)
def test_a_damaged_mesh_is_one_message(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=name):
        read_mesh(tmp_path / name)


def test_a_fine_mesh_is_drawn_with_fewer_triangles():
    """A sphere of 80 x 80 patches: its radius stays within a cell of the grid, of which there are at least ten."""
    u, v = np.meshgrid(np.linspace(0, np.pi, 81), np.linspace(0, 2 * np.pi, 81), indexing="ij")
    vertices = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    k = np.arange(81 * 81).reshape(81, 81)
    a, b, c, d = (item.ravel() for item in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    faces = np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    points, kept = coarser(vertices, faces, 1000)
    assert 200 < len(kept) <= 1000
    assert np.abs(np.linalg.norm(points[np.unique(kept)], axis=1) - 1.0).max() < 0.2


def test_a_prism_stands_around_its_cylinder():
    corners = prism(0.5, 2.0)
    assert np.abs(corners[:, 2]).max() == 1.0
    middles = 0.5 * (corners[:15, :2] + corners[1:16, :2])
    assert np.linalg.norm(middles, axis=1) == pytest.approx(np.full(15, 0.5))

"""One evaluation of contacts that laws push, in plain Python: rocking on a road, effective masses, balances.

A box that lies flat on a road by a depth d is pushed by a law with its mean depth D (``flat_depth``).
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from contact_queries import flat_depth, rectangle
from scipy.spatial.transform import Rotation

import centrode as ct
from centrode.dynamics.contact.collide import open_episode
from centrode.dynamics.workspace import Workspace
from centrode.parts.contact_laws.contact_law import CLOSING_SPEED, MEMORY, REGION
from centrode.parts.tables import contact_notes
from centrode.system.model import build_model

HALF, MASS, INERTIA = (0.8, 0.5, 0.3), 50.0, (4.0, 7.0, 9.0)


class Scene:
    """A workspace whose bodies are put where a test wants them."""

    def __init__(self, system):
        self.model = build_model(system)
        self.workspace = Workspace(self.model)
        self.t = self.workspace.contacts.tables

    def evaluate(self, time=0.0, **bodies):
        """Poses and motions of bodies: place, rotation, velocity, spin (world); forces are then in the tables."""
        for name, (place, turn, velocity, spin) in bodies.items():
            k = self.model.contacts.bodies.index(name) - 1
            w, x, y, z = turn.as_quat()[[3, 0, 1, 2]]
            self.workspace["pose"][k] = (*place, w, x, y, z)
            self.workspace["velocity"][k] = (*velocity, *turn.inv().apply(spin))
        self.workspace.evaluate(time)

    def wrench(self, name, about=None):
        """Force on a body and its moment about the body's centre or a point of the world."""
        k = self.model.contacts.bodies.index(name)
        frame, push = self.t.frames[k], self.t.push[k]
        moment = np.cross(frame.directors, push.directors).sum(axis=0)
        if about is not None:
            moment = moment + np.cross(frame.position - np.asarray(about), push.position)
        return np.concatenate([push.position, moment])

    @property
    def stored(self):
        return float(contact_notes(self.workspace["contact_memory"], 0).stored)

    @property
    def heat(self):
        """Power that is taken [W]."""
        w = self.workspace
        return float(w["state_rate"][w.tables.contact_state + 3 * (len(self.model.contacts.bodies) - 1)])


def on_road(damping, stiffness=4e5, **given):
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    system.add(ct.RigidBody("crate", MASS, INERTIA, (0.0, 0.0, 5.0)))
    system.add(ct.OutlineBox("box", body="crate", half_lengths=HALF, material="wood"))
    law = {"stiffness": stiffness, "damping": damping, "exponent": 1.0, "friction": 0.0} | given
    system.add(ct.HuntCrossley("law", between=("wood", "road"), **law))
    return Scene(system)


@pytest.mark.parametrize("damping", [0.0, 0.7])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_box_that_rocks_on_its_flat_side_is_held_by_the_damping_of_its_law(damping, axis):
    """It turns about its middle, so its mean depth stays: the law alone says k D. Points that stand for the side, with
    its second moment L^2 / 12 along, go down by w = spin times their distance more than the mean: the couple is
    N a spin L^2 / 12, and its power is heat."""
    scene, depth, spin = on_road(damping), 0.01, 0.3
    place, turn = (1.0, -2.0, HALF[2] - depth), Rotation.identity()
    about = np.eye(3)[axis] * spin
    scene.evaluate(crate=(place, turn, (0.0, 0.0, 0.0), about))
    mean, slope = flat_depth(depth, rectangle(HALF[0], HALF[1]))
    force, moment = np.split(scene.wrench("crate"), 2)
    np.testing.assert_allclose(force, (0.0, 0.0, 4e5 * mean * slope), rtol=1e-9, atol=1e-6)
    length = 2.0 * HALF[1 - axis]
    couple = 4e5 * mean * damping * spin * length**2 / 12.0
    np.testing.assert_allclose(moment, -np.eye(3)[axis] * couple, rtol=1e-7, atol=1e-6)
    assert scene.heat == pytest.approx(couple * spin, rel=1e-7, abs=1e-9)


def test_points_that_rise_never_pull():
    """However fast it turns, what rises carries nothing, and what goes down by w = spin times its distance 1 + a w."""
    scene, depth, damping = on_road(0.7), 0.01, 0.7
    mean, slope = flat_depth(depth, rectangle(HALF[0], HALF[1]))
    lever = 2.0 * HALF[0] / math.sqrt(6.0)  # of two of four points; the others are in the middle
    for spin in (50.0, 500.0):
        scene.evaluate(crate=((0.0, 0.0, HALF[2] - depth), Rotation.identity(), (0.0, 0.0, 0.0), (0.0, spin, 0.0)))
        down = 0.25 * 4e5 * mean * (1.0 + damping * spin * lever)
        push = scene.wrench("crate")
        assert -push[4] == pytest.approx(down * lever, rel=1e-7)
        assert push[2] == pytest.approx((down + 0.5 * 4e5 * mean) * slope, rel=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_what_a_road_takes_is_heat_and_what_it_stores(seed):
    """A crate tilted by a few degrees, any motion: -power = heat + d(stored)/dt, by a difference over +-1e-6 s. Stored
    energies of 20 J to 2e-16 make 2e-9 W of it, their third derivative k v^3 / D another 1e-5 W."""
    rng = np.random.default_rng(seed)
    scene = on_road(0.5)
    turn = Rotation.from_rotvec(rng.uniform(-0.01, 0.01, 3))
    velocity, spin = rng.uniform(-0.3, 0.3, 3), rng.uniform(-0.3, 0.3, 3)
    place = np.array((0.3, 0.2, HALF[2] - 0.02))
    stored = []
    for time in (1e-6, -1e-6):
        moved = Rotation.from_rotvec(time * spin) * turn
        scene.evaluate(crate=(place + time * velocity, moved, velocity, spin))
        stored.append(scene.stored)
    scene.evaluate(crate=(place, turn, velocity, spin))
    power = float(scene.wrench("crate") @ np.concatenate([velocity, spin]))
    crate, ground = scene.wrench("crate", (1.0, 2.0, 3.0)), scene.wrench("ground", (1.0, 2.0, 3.0))
    np.testing.assert_allclose(ground, -crate, atol=1e-9 * np.abs(crate).max())
    assert scene.heat > 0.0
    assert -power == pytest.approx(scene.heat + (stored[0] - stored[1]) / 2e-6, rel=1e-6, abs=1e-4)


def test_a_crate_that_slides_is_rubbed_by_mu_n():
    """Regularised: mu N v / sqrt(v^2 + v_0^2) against the slip, all of its power is heat."""
    scene = on_road(0.0, friction=0.4, slip_speed=0.2, stick_stiffness=0.0)
    velocity = np.array((0.3, -0.4, 0.0))
    scene.evaluate(crate=((0.0, 0.0, HALF[2] - 0.01), Rotation.identity(), velocity, (0.0, 0.0, 0.0)))
    force = scene.wrench("crate")[:3]
    rubs = 0.4 * force[2] / math.hypot(0.5, 0.2)
    np.testing.assert_allclose(force[:2], -rubs * velocity[:2], rtol=1e-12)
    assert scene.heat == pytest.approx(rubs * 0.25, rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_a_crate_that_sticks_is_held_by_a_spring_along_and_about_the_normal(seed):
    """Moved by less than it takes to slide: force -k s at the patch, couple -k r^2 times the angle with the mean square
    radius (L^2 + W^2) / 12 of the patch, and both are stored. All of first order: the next is 1e-5 of it, the angle.
    """
    rng = np.random.default_rng(seed)
    scene = on_road(0.0, friction=0.8, stick_stiffness=1e5, stick_damping=0.0)
    still = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    place = np.array((2.0, 1.0, HALF[2] - 0.01))
    scene.evaluate(crate=(place, Rotation.identity(), *still))
    scene.model.contacts.begin(scene.workspace, 0.0)
    normal, held = scene.wrench("crate"), scene.stored
    s, angle = np.array((*rng.uniform(-1e-5, 1e-5, 2), 0.0)), float(rng.uniform(-1e-5, 1e-5))
    scene.evaluate(1e-3, crate=(place + s, Rotation.from_rotvec((0.0, 0.0, angle)), *still))
    found = scene.wrench("crate", place + s - (0.0, 0.0, HALF[2]))
    np.testing.assert_allclose(found[:2], -1e5 * s[:2], atol=1e-5 * 1e5 * np.linalg.norm(s))
    square = (4.0 * HALF[0] ** 2 + 4.0 * HALF[1] ** 2) / 12.0
    assert found[5] == pytest.approx(-1e5 * square * angle, rel=1e-5)
    assert found[2] == pytest.approx(normal[2], rel=1e-9)
    expected = 0.5 * 1e5 * (s @ s + square * angle**2)
    assert scene.stored - held == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_a_ball_on_one_of_several_roads_is_pushed_along_its_normal(seed):
    """Roads that are tilted and end beside their width: k times the depth below the plane, nothing beside it."""
    rng = np.random.default_rng(seed)
    heading, slope, bank = rng.uniform(-3.0, 3.0), *rng.uniform(-0.3, 0.3, 2)
    axes = Rotation.from_euler("ZYX", (heading, -slope, bank)).as_matrix()  # tangent, left, normal
    origin = rng.uniform(-5.0, 5.0, 3)
    system = ct.System()
    for name, at in (("road", origin), ("other", origin + (0.0, 0.0, -60.0))):
        tilted = {"heading": heading, "slope": slope, "bank": bank, "width": 8.0}
        system.add(ct.RoadPlane(name, origin=tuple(at), **tilted))
    system.add(ct.RigidBody("ball", MASS, INERTIA, tuple(origin + (0.0, 0.0, 5.0))))
    system.add(ct.OutlineSphere("outline", body="ball", radius=0.5, material="wood"))
    law = {"stiffness": 1e5, "damping": 0.0, "exponent": 1.0, "friction": 0.0}
    system.add(ct.HuntCrossley("law", between=("wood", "road"), **law))
    scene = Scene(system)
    still = Rotation.identity(), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for along, left, depth in ((3.0, -2.0, 0.02), (-7.0, 3.5, 0.1), (1.0, 5.0, 0.02), (1.0, -4.5, 0.1)):
        place = origin + axes @ (along, left, 0.5 - depth)
        scene.evaluate(ball=(place, *still))
        expected = 1e5 * depth * axes[:, 2] if abs(left) < 4.0 else np.zeros(3)
        np.testing.assert_allclose(scene.wrench("ball")[:3], expected, atol=1e-6)
        np.testing.assert_allclose(scene.wrench("ball")[3:], 0.0, atol=1e-6)


# -- two bodies --------------------------------------------------------------------------------------------------------


def two_bodies(law, other="box"):
    system = ct.System(gravity=(0, 0, 0))
    for k in range(2):
        system.add(ct.RigidBody(f"body{k}", MASS * (1 + k), INERTIA, (10.0 * k, 0.0, 0.0)))
    system.add(ct.OutlineBox("outline0", body="body0", half_lengths=HALF))
    if other == "box":
        system.add(ct.OutlineBox("outline1", body="body1", half_lengths=HALF))
    else:
        system.add(ct.OutlineSphere("outline1", body="body1", radius=0.4))
    system.add(law)
    return Scene(system)


@pytest.mark.parametrize("other", ["box", "sphere"])
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_forces_of_two_bodies_balance_and_their_power_is_heat_and_store(other, friction):
    """With regularised friction nothing is stored but by the law; tolerance as on the road, energies of 100 J."""
    law = ct.HuntCrossley("law", stiffness=1e6, damping=0.3, friction=friction, stick_stiffness=0.0, exponent=1.5)
    scene = two_bodies(law, other)
    rng = np.random.default_rng(7)
    turns = [Rotation.from_rotvec(rng.uniform(-0.2, 0.2, 3)) for _ in range(2)]
    reach = HALF[0] + (HALF[0] if other == "box" else 0.4)
    places = [np.zeros(3), np.array((reach - 0.05, 0.1, -0.05))]
    velocities, spins = rng.uniform(-1.0, 1.0, (2, 3)) + [[1.0, 0, 0], [-1.0, 0, 0]], rng.uniform(-1.0, 1.0, (2, 3))

    def look(time):
        scene.evaluate(**{
            f"body{k}": (
                places[k] + time * velocities[k], Rotation.from_rotvec(time * spins[k]) * turns[k],
                velocities[k], spins[k],
            )
            for k in range(2)
        })  # fmt: skip
        return scene.stored

    rate = (look(1e-6) - look(-1e-6)) / 2e-6
    assert look(0.0) > 0.0
    one, two = scene.wrench("body0", (3.0, 1.0, -2.0)), scene.wrench("body1", (3.0, 1.0, -2.0))
    np.testing.assert_allclose(one, -two, atol=1e-9 * np.abs(one).max())
    power = sum(scene.wrench(f"body{k}") @ np.concatenate([velocities[k], spins[k]]) for k in range(2))
    assert -power == pytest.approx(scene.heat + rate, rel=1e-5)


@pytest.mark.parametrize("aside", [0.0, 0.25])
def test_a_contact_begins_with_the_mass_that_is_felt_at_its_point(aside):
    """A sphere on the front of a box, its centre to the side of the box's: 1/m = 1/m_1 + 1/m_2 + aside^2 / I_z. The
    sphere is pushed through its centre. Restitution chooses a damper by the speed, and a depth by the mass."""
    scene = two_bodies(ct.Restitution("law", restitution=0.4, stiffness=1e6), "sphere")
    still = (Rotation.identity(), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    closing = (Rotation.identity(), (-3.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    scene.evaluate(body0=((0, 0, 0), *still), body1=((HALF[0] + 0.4 - 1e-4, aside, 0.0), *closing))
    pair = scene.t.near[0]
    mass = 1.0 / (1.0 / MASS + 0.5 / MASS + aside**2 / INERTIA[2])
    assert pair.mobility == pytest.approx(1.0 / mass, rel=1e-6)
    assert pair.rate == pytest.approx(3.0, rel=1e-9)
    memory = np.zeros(MEMORY)
    open_episode(scene.workspace.contacts.address, pair, memory)
    assert memory[CLOSING_SPEED] == pytest.approx(3.0, rel=1e-9)
    # front of A against the rear of B
    assert memory[REGION] == 5 * 0 + 1 + 1
    # as the kernel of the law itself says for these numbers
    expected = np.zeros(MEMORY)
    law = scene.model.contacts.laws[0]
    type(law).kernels()[0](scene.t.laws[0], expected, 3.0, mass, 1.0, memory[REGION])
    np.testing.assert_allclose(memory[:7], expected[:7], rtol=1e-6)
    np.testing.assert_allclose(memory[15:], expected[15:], rtol=1e-6)

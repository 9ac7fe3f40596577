"""Impacts of rigid bodies through the whole contact stage: broad phase, search, laws, friction, episodes.

The loop is velocity Verlet for rigid bodies (angular momentum in the world frame), written here so that the stage is
tested by itself.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from centrode.dynamics.contact.broad import find_pairs
from centrode.dynamics.contact.codes import WORK, WORK_INT
from centrode.dynamics.contact.episodes import EpisodeTable, renew
from centrode.dynamics.contact.forces import rigid_rates
from centrode.dynamics.contact.stage import (
    ANSWER,
    FORCE,
    GAP,
    POINT,
    REPORT,
    advance,
    begin_and_end,
    place_outlines,
    push,
    search,
    torque_of,
)
from centrode.jit import JIT_ON, kernel
from centrode.parts.contact_laws.contact_law import ACTIVE, CHOSEN_STIFFNESS, DEEPEST, MEMORY
from centrode.parts.contact_laws.crush import ContactLawCrush
from centrode.parts.contact_laws.hard import ContactLawHard
from centrode.parts.contact_laws.linear import ContactLawLinear
from centrode.parts.contact_laws.restitution import ContactLawRestitution
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.outline import BODY, body_frame, pack_outlines
from centrode.parts.outlines.plane import OutlinePlane, wall_axes
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid

pytestmark = pytest.mark.skipif(not JIT_ON, reason="tens of thousands of steps need compiled kernels")


@kernel
def turn(frame, w0, w1, w2, h):
    """Rotate the directors by the rotation vector omega h (Rodrigues)."""
    angle = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    if angle == 0.0:
        return
    k0, k1, k2 = w0 / angle, w1 / angle, w2 / angle
    c, s = math.cos(angle * h), math.sin(angle * h)
    for i in range(3):
        d0, d1, d2 = frame[3 + 3 * i], frame[4 + 3 * i], frame[5 + 3 * i]
        along = (k0 * d0 + k1 * d1 + k2 * d2) * (1.0 - c)
        frame[3 + 3 * i] = d0 * c + (k1 * d2 - k2 * d1) * s + k0 * along
        frame[4 + 3 * i] = d1 * c + (k2 * d0 - k0 * d2) * s + k1 * along
        frame[5 + 3 * i] = d2 * c + (k0 * d1 - k1 * d0) * s + k2 * along


@kernel
def spin(frame, inertia, momentum, out):
    """Angular velocity (world) from angular momentum (world) and principal moments."""
    out[0], out[1], out[2] = 0.0, 0.0, 0.0
    for i in range(3):
        if inertia[i] > 0.0:
            part = 0.0
            for j in range(3):
                part += frame[3 + 3 * i + j] * momentum[j]
            part /= inertia[i]
            for j in range(3):
                out[j] += frame[3 + 3 * i + j] * part


@kernel
def march(
    rows, pool, frames, velocity, momentum, mass, inertia, gravity, laws, materials, law_of, step, steps,
    codes, law, memory, warm, old_codes, old_law, old_memory, old_warm, near, count,
    outline_frames, spheres, order, keys, pair_codes, pairs, work, iwork, patch, scratch, forces, report, rates, trace,
):  # fmt: skip
    """Many steps; trace = dissipated energy, steps with contact, worst status, room overflow."""
    omega = np.zeros(3)
    answers = np.zeros((codes.shape[0], ANSWER))
    bodies = frames.shape[0]
    mobility = np.zeros(bodies)
    for b in range(1, bodies):
        mobility[b] = 1.0 / mass[b]
    for it in range(steps + 1):
        for b in range(1, bodies):
            spin(frames[b], inertia[b], momentum[b], omega)
            rigid_rates(
                frames[b], velocity[b, 0], velocity[b, 1], velocity[b, 2], omega[0], omega[1], omega[2], rates[b]
            )
        place_outlines(rows, frames, 0.02, outline_frames, spheres)
        found = find_pairs(rows, outline_frames, spheres, order, keys, pair_codes, pairs)
        needed = renew(
            pairs, found, rows.shape[0], materials, law_of, laws,
            codes, law, memory, warm, old_codes, old_law, old_memory, old_warm, near, count,
        )  # fmt: skip
        if found > pairs.shape[0] or needed > codes.shape[0]:
            trace[3] = 1.0
        worst, smallest = search(rows, pool, outline_frames, codes, warm, near, count[0], work, iwork, answers)
        begin_and_end(rows, frames, rates, mobility, laws, codes, law, memory, warm, count[0], answers)
        forces[:] = 0.0
        _, power = push(
            rows, pool, outline_frames, frames, rates, mobility, laws, codes, law, memory, count[0], answers, 0.0,
            work, patch, scratch, forces, report,
        )  # fmt: skip
        if it > 0:
            advance(rows, frames, rates, laws, codes, law, memory, count[0], report, step)
            trace[0] += power * step
        trace[1] += smallest < 0.0
        trace[2] = max(trace[2], worst)
        # symplectic Euler: the force of the new place moves the velocity, the new velocity moves the place
        if it == steps:
            break
        for b in range(1, bodies):
            t = torque_of(frames[b], forces[b])
            for j in range(3):
                velocity[b, j] += step * (forces[b, j] / mass[b] + gravity[j])
                momentum[b, j] += step * t[j]
            spin(frames[b], inertia[b], momentum[b], omega)
            turn(frames[b], omega[0], omega[1], omega[2], step)
            for j in range(3):
                frames[b, j] += step * velocity[b, j]


class World:
    """Rigid bodies with outlines; body 0 is the ground."""

    def __init__(self, outlines, owners, masses, inertias, law, gravity=(0.0, 0.0, 0.0)):
        self.rows, self.pool = pack_outlines(outlines)
        self.rows[:, BODY] = owners
        bodies, n, room = len(masses) + 1, len(outlines), 64
        self.frames = np.array([body_frame()] * bodies)
        self.velocity, self.momentum = np.zeros((bodies, 3)), np.zeros((bodies, 3))
        self.mass = np.array([math.inf, *masses])
        self.inertia = np.array([(0.0, 0.0, 0.0), *inertias], dtype=float)
        self.gravity = np.array(gravity)
        self.laws = law.pack()[None]
        self.materials, self.law_of = np.zeros(n, dtype=np.int64), np.zeros((1, 1), dtype=np.int64)
        self.episodes = EpisodeTable(room)
        self.report, self.forces = np.zeros((room, REPORT)), np.zeros((bodies, 12))
        self.trace, self.rates = np.zeros(4), np.zeros((bodies, 12))
        self.work = (
            np.zeros((n, 12)), np.zeros((n, 4)), np.arange(n), np.zeros(n), np.zeros(room, dtype=np.int64),
            np.zeros((room, 2), dtype=np.int64), np.zeros(WORK), np.zeros(WORK_INT, dtype=np.int64),
            np.zeros((4, 5)), np.zeros(MEMORY), self.forces, self.report, self.rates,
        )  # fmt: skip

    def run(self, step, steps):
        march(
            self.rows, self.pool, self.frames, self.velocity, self.momentum, self.mass, self.inertia, self.gravity,
            self.laws, self.materials, self.law_of, step, steps, *self.episodes.arrays(), *self.work, self.trace,
        )  # fmt: skip
        assert self.trace[2] <= 2 and self.trace[3] == 0

    def totals(self):
        m = self.mass[1:, None]
        spins = self.momentum[1:] + np.cross(self.frames[1:, :3], m * self.velocity[1:])
        return (m * self.velocity[1:]).sum(axis=0), spins.sum(axis=0)


BALL = (1.0, 1.0, 1.0)


def test_collinear_delta_v_and_energy_loss():
    # two bodies of 1500 and 1000 kg, closing 5 m/s, e = 0.3: delta-V 2.6 and 3.9 m/s, loss 6825 J
    world = World(
        [OutlineSphere("a"), OutlineSphere("b")], (1, 2), (1500.0, 1000.0), (BALL, BALL),
        ContactLawRestitution("r", stiffness=1e7, restitution=0.3),
    )  # fmt: skip
    world.frames[2, 0] = 2.01
    world.velocity[1, 0] = 5.0
    before = world.totals()
    world.run(1e-6, 120_000)
    # symplectic Euler with 1e-6 s: touch and release are met to a step, 1e-6 s * 150 rad/s
    assert abs(5.0 - world.velocity[1, 0] - 2.6) < 5e-4
    assert abs(world.velocity[2, 0] - 3.9) < 5e-4
    loss = 0.5 * 1500 * 25 - 0.5 * 1500 * world.velocity[1, 0] ** 2 - 0.5 * 1000 * world.velocity[2, 0] ** 2
    assert abs(loss - 6825.0) < 2.0
    assert abs(world.trace[0] - 6825.0) < 2.0  # the audit: dissipated power summed over the steps
    np.testing.assert_allclose(world.totals()[0], before[0], rtol=1e-12, atol=1e-9)


def test_momentum_of_an_oblique_hit_with_friction_is_kept():
    cars = [OutlineSuperellipsoid("a"), OutlineSuperellipsoid("b")]
    inertia = ((479.6, 2594.6, 2782.0), (959.2, 5189.2, 5564.0))
    world = World(cars, (1, 2), (1573.0, 3146.0), inertia, ContactLawLinear("s", stiffness=1e7, friction=0.4))
    world.frames[2] = body_frame((4.2, 1.0, 0.1), Rotation.from_euler("zyx", (0.7, 0.05, -0.03)).as_matrix())
    world.velocity[1] = (12.0, 3.0, 0.4)
    before = world.totals()
    world.run(1e-5, 8000)
    assert world.trace[1] > 100 and world.trace[0] > 0.0
    after = world.totals()
    # thousands of steps of equal and opposite numbers: round-off of 2e4 kg m/s and 8e4 kg m^2/s
    np.testing.assert_allclose(after[0], before[0], atol=1e-8)
    np.testing.assert_allclose(after[1], before[1], atol=1e-7)
    assert np.abs(world.momentum[1:]).max() > 100.0  # it really turned


def test_momentum_passes_through_a_platoon_to_the_last_car():
    # N equal elastic cars that touch one after the other: the last one leaves with the speed of the first
    count = 5
    world = World(
        [OutlineSuperellipsoid(f"c{i}") for i in range(count)], range(1, count + 1), [1573.0] * count,
        [(479.6, 2594.6, 2782.0)] * count, ContactLawLinear("s", stiffness=1e7),
    )  # fmt: skip
    world.frames[1:, 0] = 4.05 * np.arange(count)
    world.velocity[1:, 0] = 20.0
    world.velocity[1, 0] = 22.0
    world.run(1e-5, 25_000)
    # symplectic Euler meets touch and release to a step: 1e-5 s * 113 rad/s of 2 m/s each time
    np.testing.assert_allclose(world.velocity[1:, 0], [20.0] * (count - 1) + [22.0], atol=5e-3)
    assert np.abs(world.velocity[1:, 1:]).max() < 1e-9
    assert abs(world.velocity[1:, 0].sum() - 102.0) < 1e-10


def test_oblique_impulse_without_slide_equals_the_planar_impact_matrix():
    # worked case CF11002 of the planar impact literature: rigid barrier, no slide, e = 0:
    # delta-V (-35.74, 7.60) mph, delta-omega -176.47 deg/s
    mass, inertia = 3574.2 / 32.2 * 14.593903, 2336.3 * 1.3558179  # weight over 32.2 ft/s^2 gives the printed digits
    speed, x, y = 39.9545 * 0.44704, 3.6209 * 0.3048, -2.0071 * 0.3048

    def closed_form(e):
        # impulses (p, q) on the car so that the point's velocity becomes (-e speed, 0)
        matrix = np.array(
            [[1 / mass + y * y / inertia, -x * y / inertia], [-x * y / inertia, 1 / mass + x * x / inertia]]
        )
        p, q = np.linalg.solve(matrix, [-(1 + e) * speed, 0.0])
        return p / mass, q / mass, (x * q - y * p) / inertia

    dvx, dvy, dw = closed_form(0.0)
    np.testing.assert_allclose((dvx / 0.44704, dvy / 0.44704, math.degrees(dw)), (-35.74, 7.60, -176.47), atol=6e-3)
    # a hard contact of 0.2 ms at that point; restitution of the law starts at 0.01
    radius = 1e-3
    wall = OutlinePlane("wall", rotation=wall_axes((-1, 0, 0)), centre=(x + radius, 0, 0))
    world = World(
        [wall, OutlineSphere("tip", radius=radius, centre=(x, y, 0.0))], (0, 1), (mass,), ((inertia,) * 3,),
        ContactLawHard("h", duration=2e-4, restitution=0.01, friction=50.0, slip_speed=0.05),
    )  # fmt: skip
    world.frames[1, 0] = -1e-6
    world.velocity[1, 0] = speed
    world.run(1e-8, 100_000)
    found = (world.velocity[1, 0] - speed, world.velocity[1, 1], world.momentum[1, 2] / inertia)
    # the car turns by some 1e-3 rad and 4 mm during 0.2 ms; both change the answer by about that much
    np.testing.assert_allclose(found, closed_form(0.01), rtol=6e-3)


def test_a_box_dropped_flat_comes_to_rest_flat():
    world = World(
        [OutlinePlane("ground"), OutlineBox("box", half_lengths=(2.0, 0.8, 0.65))], (0, 1), (1000.0,),
        ((500.0, 2000.0, 2200.0),), ContactLawLinear("s", stiffness=1e6, damping=3e4, friction=0.5), (0, 0, -9.81),
    )  # fmt: skip
    world.frames[1, 2] = 0.7
    world.run(1e-4, 30_000)
    assert abs(world.frames[1, 2] - (0.65 - 1000 * 9.81 / 1e6)) < 1e-6
    assert np.abs(world.momentum[1]).max() < 1e-9  # no tumbling about some corner
    assert np.abs(world.velocity[1]).max() < 1e-6


@pytest.mark.parametrize(("angle", "holds"), [(0.3, True), (0.6, False)])
def test_a_box_on_a_slope_holds_below_the_friction_angle(angle, holds):
    world = World(
        [OutlinePlane("slope", rotation=wall_axes((math.sin(angle), 0, math.cos(angle)))),
         OutlineBox("box", half_lengths=(0.5, 0.4, 0.1))], (0, 1), (10.0,), ((0.6, 0.9, 1.4),),
        ContactLawLinear("s", stiffness=1e5, damping=800.0, friction=0.5, stick_stiffness=1e5, stick_damping=500.0),
        (0, 0, -9.81),
    )  # fmt: skip
    axes = np.array([[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]])
    world.frames[1] = body_frame(axes @ (0, 0, 0.1), axes)
    world.run(1e-4, 10_000)
    place = world.frames[1, :3].copy()
    world.run(1e-4, 10_000)
    moved = np.linalg.norm(world.frames[1, :3] - place)
    if holds:
        assert moved < 1e-8  # no creep in a second
    else:
        # from t = 1 s to 2 s: a (4 - 1)/2 with a = g (sin - mu cos), less what the bristle takes to let go
        expected = 1.5 * 9.81 * (math.sin(angle) - 0.5 * math.cos(angle))
        assert abs(moved - expected) < 0.02 * expected


def test_side_of_the_hit_chooses_the_stiffness_and_the_episode_keeps_it():
    soft = OutlineBox("car", half_lengths=(2.0, 0.8, 0.65), front=2.0, rear=2.0, side=0.5)
    for place, factor in (((3.99, 0.0, 0.0), 2.0), ((0.0, 1.59, 0.0), 0.5)):
        world = World([soft, soft], (1, 2), (1000.0, 1000.0), (BALL, BALL), ContactLawLinear("s", stiffness=1e6))
        world.frames[2, :3] = place
        world.run(1e-5, 1)
        assert world.episodes.memory[0, ACTIVE] == 1.0
        assert world.episodes.memory[0, CHOSEN_STIFFNESS] == factor * 1e6
        # 10 mm deep, force at the middle of the common face
        assert abs(world.report[0, FORCE] - factor * 1e6 * 0.01) < 1.0
        np.testing.assert_allclose(world.report[0, POINT : POINT + 3], 0.5 * np.array(place), atol=1e-6)


def test_a_dent_is_found_again_after_the_cars_were_far_apart():
    world = World(
        [OutlineBox("a", half_lengths=(2.0, 0.8, 0.65)), OutlineBox("b", half_lengths=(2.0, 0.8, 0.65))], (1, 2),
        (1000.0, 1000.0), (BALL, BALL), ContactLawCrush("c"),
    )  # fmt: skip
    world.frames[2, 0] = 4.001
    world.velocity[1, 0] = 8.0
    world.run(1e-5, 40_000)
    dent = world.episodes.memory[0, DEEPEST]
    assert dent > 0.05 and world.velocity[1, 0] < world.velocity[2, 0]
    world.frames[2, 0] = 50.0
    world.run(1e-5, 10)
    assert world.episodes.count[0] == 1 and world.episodes.near[0] == 0
    world.frames[2, 0] = world.frames[1, 0] + 3.99
    world.velocity[:] = 0.0
    world.run(1e-5, 1)
    assert world.episodes.memory[0, DEEPEST] == dent
    assert world.report[0, GAP] < 0.0 and world.report[0, FORCE] == 0.0  # inside the dent: no force

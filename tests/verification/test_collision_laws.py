"""Laws, friction, sides and dents through the engine: boxes at rest, on slopes, hit from the side, hit again."""

from __future__ import annotations

import math

import numpy as np
import pytest
from contact_queries import flat_sink, rectangle

from centrode.jit import JIT_ON
from centrode.math.rotation import frame_from_axis, quaternion_from_matrix
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.crush_width import CrushWidth
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.forces.collisions import Collisions
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.running import Session, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")


@pytest.mark.parametrize("method", ["rattle", "rk4-projected"])
def test_a_box_dropped_flat_comes_to_rest_flat(method):
    system = System()
    system.add(RigidBody("box", mass=1000.0, inertia=(500.0, 2000.0, 2200.0), position=(0, 0, 0.7)))
    system.add(OutlineBox("shell", body="box", half_lengths=(2.0, 0.8, 0.65)))
    system.add(OutlinePlane("floor", body="ground"))
    system.add(LinearContact("law", stiffness=1e6, damping=3e4, friction=0.5))
    run = simulate(system, duration=3.0, method=method, step=5e-4, frames=0.5)
    sink = flat_sink(1000 * 9.81 / 1e6, rectangle(2.0, 0.8))
    assert run["box.position.z"][-1] == pytest.approx(0.65 - sink, abs=1e-6)
    assert np.abs(run["box.omega"][-1]).max() < 1e-9  # no tumbling about some corner
    assert np.abs(run["box.velocity"][-1]).max() < 1e-6
    assert run.collisions[-1].still_touching


@pytest.mark.parametrize(("angle", "holds"), [(0.3, True), (0.6, False)])
def test_a_box_on_a_slope_holds_below_the_friction_angle(angle, holds):
    axes = np.array([[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]])
    system = System()
    turned = tuple(quaternion_from_matrix(axes))
    system.add(
        RigidBody("box", mass=10.0, inertia=(0.6, 0.9, 1.4), position=tuple(axes @ (0, 0, 0.1)), orientation=turned)
    )
    system.add(OutlineBox("shell", body="box", half_lengths=(0.5, 0.4, 0.1)))
    slope = frame_from_axis((math.sin(angle), 0, math.cos(angle)))
    system.add(OutlinePlane("slope", body="ground", rotation=slope))
    system.add(
        LinearContact("law", stiffness=1e5, damping=800.0, friction=0.5, stick_stiffness=1e5, stick_damping=500.0)
    )
    run = simulate(system, duration=2.0, method="rattle", step=2e-4, frames=1.0)
    moved = float(np.linalg.norm(run["box.position"][-1] - run["box.position"][1]))
    if holds:
        assert moved < 1e-8  # no creep in a second
    else:
        # from t = 1 s to 2 s: a (4 - 1)/2 with a = g (sin - mu cos), less what the bristle takes to let go
        expected = 1.5 * 9.81 * (math.sin(angle) - 0.5 * math.cos(angle))
        assert moved == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(("place", "factor"), [((4.001, 0.0, 0.0), 2.0), ((0.0, 1.601, 0.0), 0.5)])
def test_the_side_that_is_hit_chooses_the_stiffness(place, factor):
    # peak force of an elastic hit is v sqrt(m k); the pair has twice the same factor, so it is the factor itself
    system = System(gravity=(0, 0, 0))
    towards = np.array(place) / np.linalg.norm(place)
    for name, where, speed in (("a", (0, 0, 0), 1.0), ("b", place, 0.0)):
        velocity = tuple(speed * towards)
        system.add(RigidBody(name, mass=1000.0, inertia=(400.0, 900.0, 1000.0), position=where, velocity=velocity))
        system.add(
            OutlineSuperellipsoid(f"{name}-shell", body=name, semi_axes=(2.0, 0.8, 0.65), front=2.0, rear=2.0, side=0.5)
        )
    system.add(LinearContact("law", stiffness=1e6))
    run = simulate(system, duration=0.2, method="rk4-projected", step=1e-4, frames=0.1)
    hit = run.collisions[0]
    assert hit.peak_force == pytest.approx(math.sqrt(500.0 * factor * 1e6), rel=1e-5)
    assert hit.vehicle("a").side == ("front" if factor == 2.0 else "side")


def test_a_dent_outlives_the_contact():
    # A car runs into a wall twice: the second time nothing pushes until the dent of the first hit is filled.
    law = CrushWidth("law", a=40e3, b=400e3, width=1.5, stiffness=5e6)
    system = System(gravity=(0, 0, 0))
    system.add(RigidBody("car", mass=1000.0, inertia=(400.0, 900.0, 1000.0), velocity=(8.0, 0, 0)))
    system.add(OutlineSuperellipsoid("shell", body="car", semi_axes=(2.0, 0.8, 0.65)))
    system.add(OutlinePlane("wall", body="ground", centre=(2.01, 0, 0), rotation=frame_from_axis((-1, 0, 0))))
    system.add(law)
    system.add(Collisions("collisions"))
    session = Session(system, RunSettings(duration=1.0, method="rk4-projected", step=1e-4))
    session.advance(np.array([0.5]))
    velocity = session.workspace["velocity"]
    assert velocity[0, 0] < 0.0
    velocity[0, :3] = (2.0, 0.0, 0.0)  # thrown at the wall again, slower
    session.run.fresh = True
    session.advance(np.array([2.5]))
    hits = [event for event in session.new_events(at_end=True) if event.kind == "collision"]
    first, second = (event.values for event in hits)
    # E = w A d + w B d^2 / 2 on the virgin curve (the ramp up to w A takes 12 mm)
    assert first["crush"] > 0.1
    assert second["crush"] == pytest.approx(first["crush"], rel=1e-9)  # the slower hit stays on the line of unloading
    assert second["depth"] > first["crush"]
    assert second["depth"] < first["depth"]
    assert abs(second["heat_law"]) < 1e-9
    assert velocity[0, 0] == pytest.approx(-2.0, abs=1e-4)  # elastic: nothing new is crushed

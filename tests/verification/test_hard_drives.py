"""Bodies on tables that drives move, with method moreau: work of the drive, and what sticks to something that turns."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON

G = 9.80665


def lift(way: dict, speed: float = 0.0) -> ct.System:
    """A table of 5 kg on a slider that a motion lifts or lowers, and a box of 1 kg that lies on it."""
    velocity = (0.0, 0.0, speed)
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.RigidBody("table", 5.0, (1.0, 1.0, 1.0), position=(0, 0, 0), velocity=velocity))
    system.add(ct.OutlineBox("top", "table", half_lengths=(0.5, 0.5, 0.05)))
    system.add(ct.Prismatic("guide", "ground", "table", at=(0, 0, 0), axis=(0, 0, 1)))
    system.add(
        ct.Motion("drive", "ground", "table", at=(0, 0, 0), axis=(0, 0, 1), signal=way, coordinate="translation")
    )
    system.add(ct.RigidBody("box", 1.0, (0.01,) * 3, position=(0, 0, 0.15), velocity=velocity))
    system.add(ct.OutlineBox("skin", "box", half_lengths=(0.1, 0.1, 0.1)))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.5))
    return system


def turntable(speed: float, outline: str = "box", driven: bool = True, friction: float = 0.3) -> ct.System:
    """A table that turns about the vertical, and a body on it, 0.4 m from the axle, that turns with it."""
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.RigidBody("table", 5.0, (1.0, 1.0, 1.0), position=(0, 0, 0), omega=(0, 0, speed)))
    system.add(ct.OutlineBox("top", "table", half_lengths=(2.0, 2.0, 0.05)))
    system.add(ct.Revolute("axle", "ground", "table", at=(0, 0, 0), axis=(0, 0, 1)))
    if driven:
        way = {"kind": "polynomial", "coefficients": (0.0, speed)}
        system.add(
            ct.Motion("drive", "ground", "table", at=(0, 0, 0), axis=(0, 0, 1), signal=way, coordinate="rotation")
        )
    place, velocity = (0.4, 0.0, 0.15), (0.0, 0.4 * speed, 0.0)
    system.add(ct.RigidBody("body", 1.0, (0.01,) * 3, position=place, velocity=velocity, omega=(0, 0, speed)))
    if outline == "box":
        system.add(ct.OutlineBox("skin", "body", half_lengths=(0.1, 0.1, 0.1)))
    else:
        system.add(ct.OutlineCylinder("skin", "body", radius=0.1, half_length=0.1))
    system.add(ct.Restitution("law", restitution=0.0, friction=friction))
    return system


def radius(run: ct.Recording) -> np.ndarray:
    """Distance of the body from the axle [m]."""
    return np.hypot(run["body.position.x"], run["body.position.y"])


@pytest.mark.parametrize("acceleration", [-2.0, 2.0])
def test_the_work_of_a_drive_that_accelerates_a_table_is_booked(acceleration):
    """The run was stopped, contacts had made energy: power at the end of a step is more than that in its middle."""
    time = 0.2
    way = {"kind": "polynomial", "coefficients": (0.0, 0.0, 0.5 * acceleration)}
    run = ct.simulate(lift(way), duration=time, method="moreau", step=2e-3)
    assert run.status.completed and not run.warnings
    height, speed = 0.5 * acceleration * time**2, acceleration * time
    # Parabolas are met by the middle of every step to round-off: 6 kg are lifted and made fast, nothing is lost.
    assert run["work.joints"][-1] == pytest.approx(6.0 * G * height + 3.0 * speed**2, rel=1e-9)
    assert run["collisions.box.work"][-1] == pytest.approx(G * height + 0.5 * speed**2, rel=1e-9)
    assert np.abs(run["energy.residual"]).max() < 1e-9
    assert abs(run["collisions.heat"][-1]) < 1e-9


@pytest.mark.compiled
def test_the_work_of_a_shaker_closes_the_audit_with_the_second_order():
    """A sine is no parabola: what is left of the audit shrinks with the square of the step."""
    rest = []
    for step in (1e-3, 5e-4):
        system = lift({"kind": "harmonic", "amplitude": 0.05, "frequency": 2.0}, speed=0.05 * 4.0 * np.pi)
        run = ct.simulate(system, duration=1.0, method="moreau", step=step, frames=0.01)
        assert run.status.completed and not run.warnings
        rest.append(np.abs(run["energy.residual"]).max())
    assert np.log2(rest[0] / rest[1]) > 2.0 - 0.15


@pytest.mark.compiled
@pytest.mark.parametrize("driven", [True, False])
@pytest.mark.parametrize("outline", ["box", "cylinder"])
def test_what_stands_on_a_turntable_stays_where_it_stands(outline, driven):
    """It went outwards by h omega^2 / 2 of its radius a second, 13 % in 30 s; friction holds 1.84 of what is needed."""
    run = ct.simulate(turntable(2.0, outline, driven), duration=30.0, method="moreau", step=2e-3, frames=0.1)
    assert run.status.completed and not run.warnings
    # Sweeps end when a velocity changes by 1e-7 g h and 1e-9 of the speed, 3e-9 m/s, in 30 s.
    assert np.abs(radius(run) - 0.4).max() < 30.0 * 3e-9
    # mu m g times that
    assert abs(run["collisions.heat_friction"][-1]) < 0.3 * G * 30.0 * 3e-9


@pytest.mark.compiled
def test_what_friction_cannot_hold_leaves_a_turntable():
    """mu g = omega^2 r at 2.712 rad/s: one above it slides, and what it rubs is lost."""
    held = ct.simulate(turntable(2.70), duration=3.0, method="moreau", step=2e-3, frames=0.1)
    left = ct.simulate(turntable(2.72), duration=3.0, method="moreau", step=2e-3, frames=0.1)
    assert np.abs(radius(held) - 0.4).max() < 1e-8
    assert radius(left)[-1] > 0.42
    assert (np.diff(left["collisions.heat_friction"]) >= 0.0).all()


def test_joints_that_nothing_drives_do_no_work():
    """What a long step of a swing loses is an error: booked as work of the joint it would not be seen."""
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.RigidBody("bob", 1.0, (0.01,) * 3, position=(1, 0, 0)))
    system.add(ct.Revolute("axle", "ground", "bob", at=(0, 0, 0), axis=(0, 1, 0)))
    run = ct.simulate(system, duration=2.0, method="moreau", step=0.02, frames=0.1)
    assert (run["work.joints"] == 0.0).all()
    assert np.abs(run["energy.residual"]).max() > 1e-9


@pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")
@pytest.mark.parametrize("driven", (True, False))
@pytest.mark.parametrize("step", (2e-3, 1e-3, 1e-4))
def test_a_cam_lifts_its_follower(driven: bool, step: float) -> None:
    """A driven one stopped with "contacts made energy" at any step: its speed does not change, and nothing goes into a
    contact that lifts, so there was nothing of which what the arms of a step make could be a small share."""
    radius, off, spin = 0.03, 0.01, 20.0
    system = ct.System(gravity=(0.0, 0.0, -9.81))
    heavy = 2e-4 if driven else 10.0
    system.add(ct.RigidBody("cam", 0.5 if driven else 100.0, (heavy,) * 3, omega=(0.0, spin, 0.0)))
    top = radius + off + 0.005
    system.add(ct.RigidBody("follower", 0.2, (1e-4,) * 3, position=(0.0, 0.0, top)))
    system.add(ct.Revolute("shaft", "ground", "cam", at=(0, 0, 0), axis=(0, 1, 0)))
    if driven:
        turn = {"kind": "ramp", "slope": spin}
        system.add(ct.Motion("drive", "ground", "cam", at=(0, 0, 0), axis=(0, 1, 0), signal=turn))
    system.add(ct.Prismatic("guide", "ground", "follower", at=(0, 0, top), axis=(0, 0, 1)))
    above = (0.0, 0.0, top + 0.1)
    system.add(ct.Spring("spring", "ground", "follower", point_a=above, point_b=(0, 0, 0), stiffness=2000, length=0.12))
    lying = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
    disc = {"centre": (0, 0, off), "rotation": lying, "radius": radius, "half_length": 0.01}
    system.add(ct.OutlineCylinder("disc", "cam", **disc))
    system.add(ct.OutlineBox("plate", "follower", half_lengths=(0.03, 0.015, 0.005)))
    system.add(ct.Restitution("steel", restitution=0.0))
    run = ct.simulate(system, duration=1.0, method="moreau", step=step)
    assert run.status == "completed"
    # poses are those of the end of a step, contacts hold in its middle: half a step of the greatest speed
    lift = off * np.cos(run["shaft.angle"]) + radius + 0.005
    assert run["follower.position.z"] == pytest.approx(lift, abs=0.5 * step * off * spin + 1e-5)
    # what the follower got and gave back is its spring's and its weight's, but for the method's share
    carried = np.abs(np.diff(run["collisions.follower.work"])).sum()
    assert abs(run["collisions.heat"][-1]) < 1e-2 * carried * step / 1e-3
    assert abs(run["energy.residual"]).max() < 1e-9

"""Set-ups of a first day with method moreau, against closed forms: conveyor, gripper, brake, toppling."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON

G = 9.81
pytestmark = pytest.mark.skipif(not JIT_ON, reason="needs compiled kernels")


def test_a_belt_takes_a_box_along() -> None:
    """It slips v / (mu g) long, and the drive gives m v^2: half of it is heat. Order one: half a step of the belt."""
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.RigidBody("belt", 5.0, (0.1,) * 3, velocity=(1.0, 0.0, 0.0)))
    system.add(ct.OutlineBox("top", "belt", half_lengths=(3.0, 0.3, 0.05)))
    system.add(ct.Prismatic("guide", "ground", "belt", at=(0, 0, 0), axis=(1, 0, 0)))
    ramp = {"kind": "ramp", "slope": 1.0}
    system.add(
        ct.Motion("drive", "ground", "belt", at=(0, 0, 0), axis=(1, 0, 0), signal=ramp, coordinate="translation")
    )
    system.add(ct.RigidBody("box", 1.0, (0.01,) * 3, position=(0.0, 0.0, 0.15)))
    system.add(ct.OutlineBox("skin", "box", half_lengths=(0.1,) * 3))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.3))
    run = ct.simulate(system, duration=1.0, method="moreau")
    assert run.status == "completed" and not run.warnings
    assert run["box.velocity.x"][-1] == pytest.approx(1.0, abs=1e-9)
    assert run["box.position.x"][-1] == pytest.approx(1.0 - 0.5 / (0.3 * G), abs=1e-5)
    assert run["work.joints"][-1] == pytest.approx(1.0, rel=1e-9)
    assert run["collisions.heat"][-1] == pytest.approx(0.5, rel=1e-6)


def test_jaws_hold_what_their_friction_can() -> None:
    """Two jaws of 17.5 N with friction 0.3 hold 10.5 N, a box of 9.81 N."""
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.RigidBody("box", 1.0, (2e-3,) * 3, position=(0.0, 0.0, 0.1)))
    system.add(ct.OutlineBox("skin", "box", half_lengths=(0.05,) * 3))
    for side, name in ((-1, "left"), (1, "right")):
        system.add(ct.RigidBody(name, 0.3, (1e-3,) * 3, position=(side * 0.07, 0.0, 0.1)))
        system.add(ct.Prismatic(f"{name}-guide", "ground", name, at=(side * 0.07, 0.0, 0.1), axis=(1, 0, 0)))
        system.add(ct.OutlineBox(f"{name}-face", name, half_lengths=(0.02, 0.05, 0.05)))
        system.add(ct.PointForce(f"{name}-force", name, magnitude=17.5, direction=(-side, 0, 0)))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.3))
    run = ct.simulate(system, duration=1.0, method="moreau")
    assert run.status == "completed" and not run.warnings
    assert abs(run["box.position"][-1] - (0.0, 0.0, 0.1)).max() < 1e-9


def test_a_pad_slows_a_free_wheel() -> None:
    """I dw/dt = - mu F r."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("wheel", 1.0, (0.01,) * 3, omega=(0.0, 0.0, 20.0)))
    system.add(ct.Revolute("axle", "ground", "wheel", at=(0, 0, 0), axis=(0, 0, 1)))
    system.add(ct.OutlineCylinder("rim", "wheel", radius=0.1, half_length=0.02))
    system.add(ct.RigidBody("pad", 0.5, (1e-3,) * 3, position=(0.12, 0.0, 0.0)))
    system.add(ct.Prismatic("guide", "ground", "pad", at=(0.12, 0, 0), axis=(1, 0, 0)))
    system.add(ct.OutlineBox("lining", "pad", half_lengths=(0.02,) * 3))
    system.add(ct.PointForce("force", "pad", magnitude=20.0, direction=(-1, 0, 0)))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.3))
    run = ct.simulate(system, duration=0.2, method="moreau")
    assert run.status == "completed" and not run.warnings
    assert run["wheel.omega"][-1, 2] == pytest.approx(20.0 - 0.3 * 20.0 * 0.1 / 0.01 * 0.2, rel=1e-9)


@pytest.mark.parametrize("degrees", (25.0, 26.4, 26.8, 28.0))
def test_a_box_topples_where_its_middle_is_beyond_the_edge(degrees: float) -> None:
    """tan(slope) = half width over half height: 26.57 degrees."""
    slope = math.radians(degrees)
    turn = ((math.cos(slope), 0, math.sin(slope)), (0, 1, 0), (-math.sin(slope), 0, math.cos(slope)))
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.OutlinePlane("slope", "ground", rotation=turn))
    half = np.array([0.1, 0.05, 0.2])
    inertia = (half @ half - half**2) / 3.0
    place = (0.2 * math.sin(slope), 0.0, 0.2 * math.cos(slope))
    leans = (math.cos(slope / 2), 0.0, math.sin(slope / 2), 0.0)
    system.add(ct.RigidBody("box", 1.0, tuple(inertia), position=place, orientation=leans))
    system.add(ct.OutlineBox("skin", "box", half_lengths=tuple(half)))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.9))
    run = ct.simulate(system, duration=2.0, method="moreau")
    moved = abs(run["box.position"][-1] - place).max()
    assert (moved > 0.05) == (degrees > math.degrees(math.atan(0.5)))
    assert moved > 0.05 or moved < 1e-9

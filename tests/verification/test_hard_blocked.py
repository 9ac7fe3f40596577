"""Drives against what cannot give way, and friction on what drives hold, with method moreau.

A crank driven against a blocked slider ended in numbers that were not finite, and the friction of a pad on a driven
wheel was lost in most steps, "completed".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON

G = 9.81
needs_speed = pytest.mark.skipif(not JIT_ON, reason="needs compiled kernels")


def when(run: ct.Recording) -> float:
    """Time at which a run stopped [s]."""
    assert run.status.stop is not None
    return run.status.stop.time


def crank_and_slider(stop: float, step: float, twice: bool = False) -> ct.Recording:
    """A crank of 50 mm at 10 rad/s and a rod of 150 mm move a slider towards the axle; its face meets a stop."""
    crank, rod, half = 0.05, 0.15, 0.02
    system = ct.System(gravity=(0.0, 0.0, -G))
    y = (0, 1, 0)
    system.add(ct.RigidBody("crank", 0.5, (1e-3,) * 3, position=(crank / 2, 0, 0)))
    system.add(ct.RigidBody("rod", 0.3, (1e-3,) * 3, position=(crank + rod / 2, 0, 0)))
    system.add(ct.RigidBody("slider", 0.4, (1e-4,) * 3, position=(crank + rod, 0, 0)))
    system.add(ct.Revolute("axle", "ground", "crank", at=(0, 0, 0), axis=y))
    system.add(ct.Revolute("pin", "crank", "rod", at=(crank, 0, 0), axis=y))
    system.add(ct.Revolute("wrist", "rod", "slider", at=(crank + rod, 0, 0), axis=y))
    system.add(ct.Prismatic("guide", "ground", "slider", at=(crank + rod, 0, 0), axis=(1, 0, 0)))
    turn = {"kind": "ramp", "slope": 10.0}
    system.add(ct.Motion("drive", "ground", "crank", at=(0, 0, 0), axis=y, signal=turn))
    if twice:  # the angle of the rod follows from that of the crank: what drives it, too, is redundant
        system.add(ct.Motion("again", "ground", "crank", at=(0, 0, 0), axis=y, signal=turn))
    system.add(ct.OutlineBox("face", "slider", half_lengths=(half,) * 3))
    system.add(ct.OutlineBox("stop", "ground", half_lengths=(half, 0.1, 0.1), centre=(stop - 2 * half, 0, 0)))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.3))
    system.add(ct.Collisions("collisions", joined=True))
    return ct.simulate(system, duration=1.0, method="moreau", step=step)


@needs_speed
@pytest.mark.parametrize("twice", (False, True))
@pytest.mark.parametrize("step", (2e-3, 1e-3, 1e-4))
def test_a_crank_against_a_blocked_slider_says_so_when_it_gets_there(step: float, twice: bool) -> None:
    run = crank_and_slider(0.12, step, twice)
    assert run.status == "stopped"
    told = str(run.status)
    assert "a drive is blocked" in told and "'drive'" in told and "'slider'" in told and "motor" in told
    # law of cosines: where the slider is 0.12 m from the axle, less the way of a step and the overlap left alone
    angle = math.acos((0.05**2 + 0.12**2 - 0.15**2) / (2 * 0.05 * 0.12))
    assert when(run) == pytest.approx(angle / 10.0, abs=1.5 * step + 1e-3 * 0.02 / 0.25)
    for name in ("slider.position", "drive.torque", "guide.force"):
        assert np.isfinite(run[name]).all()


def ram(wall: float, boxes: int, restitution: float, friction: float, step: float = 2e-3) -> ct.Recording:
    """A ram of 0.1 m/s pushes boxes, 20 mm apart, over a floor and against a wall."""
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.RigidBody("ram", 1.0, (1e-3,) * 3, velocity=(0.1, 0, 0)))
    system.add(ct.OutlineBox("head", "ram", half_lengths=(0.02,) * 3))
    system.add(ct.Prismatic("guide", "ground", "ram", at=(0, 0, 0), axis=(1, 0, 0)))
    ramp = {"kind": "ramp", "slope": 0.1}
    system.add(ct.Motion("drive", "ground", "ram", at=(0, 0, 0), axis=(1, 0, 0), signal=ramp, coordinate="translation"))
    for k in range(boxes):
        system.add(ct.RigidBody(f"box{k}", 1.0, (1e-3,) * 3, position=(0.06 * (k + 1), 0, 0)))
        system.add(ct.OutlineBox(f"skin{k}", f"box{k}", half_lengths=(0.02,) * 3))
    system.add(ct.OutlineBox("wall", "ground", half_lengths=(0.02, 0.1, 0.1), centre=(wall + 0.02, 0, 0)))
    system.add(ct.OutlineBox("floor", "ground", half_lengths=(2.0, 1.0, 0.1), centre=(0, 0, -0.12)))
    system.add(ct.Restitution("law", restitution=restitution, friction=friction))
    return ct.simulate(system, duration=3.0, method="moreau", step=step)


@needs_speed
@pytest.mark.parametrize("boxes", (1, 2, 4))
@pytest.mark.parametrize(("restitution", "friction"), ((0.0, 0.0), (0.0, 0.5), (0.3, 0.3)))
def test_boxes_between_a_ram_and_a_wall_block_it(boxes: int, restitution: float, friction: float) -> None:
    """Each impulse alone has what it moves; all together have nothing."""
    wall = 0.06 * boxes + 0.05
    run = ram(wall, boxes, restitution, friction)
    assert run.status == "stopped" and "a drive is blocked ('drive' would" in str(run.status)
    full = (wall - 0.04 * boxes - 0.02) / 0.1
    assert when(run) == pytest.approx(full, abs=5e-3)
    assert abs(run["drive.force"][-1, 0]) < 100.0  # nothing grew without end before: weights are 10 N


@needs_speed
def test_two_drives_against_each_other_are_both_named() -> None:
    system = ct.System(gravity=(0.0, 0.0, -G))
    for name, x in (("left", -0.1), ("right", 0.1)):
        system.add(ct.RigidBody(name, 1.0, (1e-3,) * 3, position=(x, 0, 0), velocity=(-5 * x, 0, 0)))
        system.add(ct.Prismatic(f"{name}-guide", "ground", name, at=(x, 0, 0), axis=(1, 0, 0)))
        way: dict[str, Any] = {"signal": {"kind": "ramp", "slope": -5 * x}, "coordinate": "translation"}
        system.add(ct.Motion(f"{name}-drive", "ground", name, at=(x, 0, 0), axis=(1, 0, 0), **way))
        system.add(ct.OutlineBox(f"{name}-face", name, half_lengths=(0.02,) * 3))
    system.add(ct.Restitution("law", restitution=0.5))
    run = ct.simulate(system, duration=1.0, method="moreau")
    told = str(run.status)
    assert run.status == "stopped" and "'left-drive' and 'right-drive' would move 'left' and 'right'" in told
    assert when(run) == pytest.approx(0.16, abs=4e-3)


@needs_speed
@pytest.mark.parametrize("along", (False, True))
def test_a_drive_that_only_passes_or_touches_is_not_blocked(along: bool) -> None:
    """Along a wall that it touches all the way, and to 0.1 mm of one that it leaves again: nothing is asked."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    way = {"kind": "harmonic", "amplitude": 0.0999, "frequency": 1.0}
    axis = (1, 0, 0) if along else (0, 1, 0)
    start: dict[str, Any] = {"velocity": tuple(0.1998 * math.pi * c for c in axis)}
    system.add(ct.RigidBody("ram", 1.0, (1e-3,) * 3, **start))
    system.add(ct.OutlineBox("head", "ram", half_lengths=(0.02,) * 3))
    system.add(ct.Prismatic("guide", "ground", "ram", at=(0, 0, 0), axis=axis))
    system.add(ct.Motion("drive", "ground", "ram", at=(0, 0, 0), axis=axis, signal=way, coordinate="translation"))
    wall = 0.02 if along else 0.12
    system.add(ct.OutlineBox("wall", "ground", half_lengths=(1.0, 0.02, 0.1), centre=(0, wall + 0.02, 0)))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.5))
    system.add(ct.Collisions("collisions", joined=True))
    run = ct.simulate(system, duration=2.0, method="moreau")
    assert run.status == "completed" and not run.warnings
    assert run["collisions.heat"][-1] == 0.0


@needs_speed
@pytest.mark.parametrize("step", (5e-3, 2e-3, 1e-4))
def test_a_pad_brakes_a_driven_wheel(step: float) -> None:
    """Nothing gives way where the pad rubs, so friction is at its limit: mu F r, in every step."""
    friction, force, radius, spin = 0.3, 50.0, 0.1, 10.0
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("wheel", 1.0, (1e-2,) * 3, omega=(0, 0, spin)))
    system.add(ct.RigidBody("pad", 0.5, (1e-3,) * 3, position=(radius + 0.02, 0, 0)))
    system.add(ct.Revolute("axle", "ground", "wheel", at=(0, 0, 0), axis=(0, 0, 1)))
    turn = {"kind": "ramp", "slope": spin}
    system.add(ct.Motion("drive", "ground", "wheel", at=(0, 0, 0), axis=(0, 0, 1), signal=turn))
    system.add(ct.Prismatic("guide", "ground", "pad", at=(radius + 0.02, 0, 0), axis=(1, 0, 0)))
    system.add(ct.PointForce("spring", "pad", magnitude=force, direction=(-1.0, 0.0, 0.0)))
    system.add(ct.OutlineCylinder("rim", "wheel", radius=radius, half_length=0.02))
    system.add(ct.OutlineBox("lining", "pad", half_lengths=(0.02,) * 3))
    system.add(ct.Restitution("law", restitution=0.0, friction=friction))
    run = ct.simulate(system, duration=1.0, method="moreau", step=step)
    assert run.status == "completed" and not run.warnings
    assert run["drive.torque"][5:, 2] == pytest.approx(friction * force * radius, rel=1e-9)
    assert run["collisions.heat_friction"][-1] == pytest.approx(friction * force * radius * spin, rel=1e-9)
    assert run["work.joints"][-1] == pytest.approx(friction * force * radius * spin, rel=1e-9)


@needs_speed
def test_a_motor_stalls_against_a_stop() -> None:
    """A force has a limit: an arm on a motor comes to rest, pressed on with the torque of the stall."""
    length, stall = 0.3, 2.0
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("arm", 1.0, (1.6e-4,) * 3, position=(length, 0, 0)))
    system.add(ct.Revolute("axle", "ground", "arm", at=(0, 0, 0), axis=(0, 0, 1)))
    system.add(ct.Motor("motor", "ground", "arm", at=(0, 0, 0), axis=(0, 0, 1), stall_torque=stall, no_load_speed=20.0))
    system.add(ct.OutlineSphere("tip", "arm", radius=0.02))
    system.add(ct.OutlineBox("stop", "ground", half_lengths=(0.02, 0.02, 0.1), centre=(0, length, 0)))
    system.add(ct.Restitution("law", restitution=0.2, friction=0.3))
    system.add(ct.Collisions("collisions", joined=True))
    run = ct.simulate(system, duration=3.0, method="moreau")
    assert run.status == "completed" and not run.warnings
    assert abs(run["arm.omega"][-1]).max() < 1e-9
    # it touches the face x = 0.02 m of the stop with its middle on a circle of 0.3 m
    assert run["axle.angle"][-1] == pytest.approx(math.acos(0.04 / length), abs=1e-3)
    pressed = np.diff(run["collisions.arm.impulse_x"][-2:])[0] / np.diff(run.time[-2:])[0]
    # the normal -x has the arm y = 0.3 sin(angle); friction 0.3 of it may carry along y with the arm x
    y, x = length * math.sin(run["axle.angle"][-1]), 0.04
    assert y - 0.3 * x <= stall / pressed <= y + 0.3 * x


def between_walls(shape: str, gap: float, restitution: float, duration: float) -> ct.Recording:
    """A body of 1 kg flies at 1 m/s between walls that leave it a gap."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("body", 1.0, (4e-3,) * 3, velocity=(1.0, 0.1, 0.0)))
    half: dict[str, Any] = {"half_lengths": (0.1,) * 3}
    system.add(
        ct.OutlineSphere("skin", "body", radius=0.1) if shape == "ball" else ct.OutlineBox("skin", "body", **half)
    )
    for x in (-1, 1):
        centre = (x * (0.15 + gap / 2), 0, 0)
        system.add(ct.OutlineBox(f"wall{x + 1}", "ground", half_lengths=(0.05, 3, 3), centre=centre))
    system.add(ct.Restitution("law", restitution=restitution))
    return ct.simulate(system, duration=duration, method="moreau")


@needs_speed
@pytest.mark.parametrize("shape", ("ball", "box"))
@pytest.mark.parametrize("restitution", (0.5, 1.0))
def test_a_rebound_without_any_room_is_left_out_and_told(shape: str, restitution: float) -> None:
    """Walls that touch it: impulses of 1e12 J were told."""
    run = between_walls(shape, 0.0, restitution, 1.0)
    (told,) = run.warnings
    assert "no room for a rebound" in told
    # all but the motion along the walls; the law left e^2 of it at the first hit, for which there was room
    lost = float(told.split("hit without one: ")[1].split()[0])
    assert 0.01 < lost <= 0.51 and run["body.velocity.y"][-1] == pytest.approx(0.1, rel=1e-9)
    assert run["energy.kinetic"][-1] == pytest.approx(0.005, rel=1e-6)


@needs_speed
@pytest.mark.parametrize("shape", ("ball", "box"))
@pytest.mark.parametrize("gap", (1e-4, 1e-3))
@pytest.mark.parametrize("restitution", (0.5, 1.0))
def test_a_rebound_with_little_room_has_it(shape: str, gap: float, restitution: float) -> None:
    """75 % of the energy went with gaps below the way of a step, which is divided now: e^n after n hits."""
    run = between_walls(shape, gap, restitution, 0.02)
    assert not [text for text in run.warnings if "missing among the events" not in text]
    speed, time, hits = 1.0, 0.5 * gap, 0
    while time < 0.02:
        hits, speed = hits + 1, speed * restitution
        time += gap / speed
    assert hits > 3
    # each hit is found where gaps are closed to 1e-6 of the half-width, 1e-3 of the smaller gap
    last = 0.5 * run["body.velocity.x"][-1] ** 2
    assert last == pytest.approx(0.5 * speed**2, rel=1e-6)

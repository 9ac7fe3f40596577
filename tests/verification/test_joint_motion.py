"""Joints in motion: energy to the order of the method, plane against space, compliant against exact."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.bevel_gear import BevelGear
from centrode.parts.joints.cylindrical import Cylindrical
from centrode.parts.joints.differential import Differential
from centrode.parts.joints.fixed import Fixed
from centrode.parts.joints.gear import Gear
from centrode.parts.joints.knife_edge import KnifeEdge
from centrode.parts.joints.motion import Motion
from centrode.parts.joints.planar import Planar
from centrode.parts.joints.planetary import Planetary
from centrode.parts.joints.point_on_line import PointOnLine
from centrode.parts.joints.point_on_plane import PointOnPlane
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.rack_and_pinion import RackAndPinion
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rod import Rod
from centrode.parts.joints.rolling_disc import RollingDisc
from centrode.parts.joints.rolling_wheel import RollingWheel
from centrode.parts.joints.rope import Rope
from centrode.parts.joints.screw import Screw
from centrode.parts.joints.transmission import Transmission
from centrode.parts.joints.universal import Universal
from centrode.parts.registry import kinds
from centrode.parts.roads.spline import RoadSpline
from centrode.parts.signals.signal import SignalHarmonic
from centrode.running import Session, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings

HERE = {"at": (0.5, 0.1, -0.2), "axis": (0.3, -0.4, 0.8)}
BETWEEN = {
    "ball": lambda a, b: Ball("j", a, b, at=(0.5, 0.1, -0.2)),
    "cylindrical": lambda a, b: Cylindrical("j", a, b, **HERE),
    "fixed": lambda a, b: Fixed("j", a, b),
    "knife-edge": lambda a, b: KnifeEdge("j", a, b, at=(0.5, 0.1, -0.2), axis=(1.0, 0.5, 0.0)),
    "planar": lambda a, b: Planar("j", a, b, **HERE),
    "point-on-line": lambda a, b: PointOnLine("j", a, b, **HERE),
    "point-on-plane": lambda a, b: PointOnPlane("j", a, b, **HERE),
    "prismatic": lambda a, b: Prismatic("j", a, b, **HERE),
    "rack-and-pinion": lambda a, b: RackAndPinion("j", a, b, 0.2, (1.0, 0.0, 0.0), axis=(0.0, 0.6, 0.8)),
    "revolute": lambda a, b: Revolute("j", a, b, **HERE),
    "rod": lambda a, b: Rod("j", a, b, point_a=(0.1, 0.2, 0.3), point_b=(0.3, 0.0, 0.1)),
    "rope": lambda a, b: Rope("j", a, b, point_a=(0.1, 0.2, 0.3), point_b=(0.3, 0.0, 0.1)),
    "screw": lambda a, b: Screw("j", a, b, 0.4, **HERE),
    "universal": lambda a, b: Universal("j", a, b, at=(0.5, 0.1, -0.2), axis=(0.6, 0.8, 0.0), cross_axis=(0, 0, 1)),
}
"""Joints between a pendulum on a ball joint and a second body."""


def build(name):
    """A small mechanism with the joint, moving fast enough to feel every term of its rows."""
    system = System()
    spin = {"omega": (1.5, -2.0, 1.0)}
    if name == "rolling-disc":
        lean = (math.cos(0.15), math.sin(0.15), 0.0, 0.0)
        height = 0.35 * math.cos(0.3) + 0.05
        b = system.add(RigidBody("b", 1.0, (0.04, 0.08, 0.04), (0, 0, height), lean, omega=(0.3, 4.0, 0.5)))
        system.add(RollingDisc("j", system.ground, b, 0.4, 0.05))
        return system
    if name == "rolling-wheel":
        # Four points make one cubic, so the road is smooth. The assembly of an exact wheel that starts above the road
        # says where it touches: a compliant one must start there, because nothing closes its gap.
        points = ((0, 0, 0), (25, 2, 2.0), (50, -3, -1.0), (75, 6, 1.5))
        place, turn = (10.0, 0.5, 2.2), (1.0, 0.0, 0.0, 0.0)
        for _ in range(2):
            system = System()
            system.add(RoadSpline("hill", points=points, bank=0.1, width=10.0))
            b = system.add(
                RigidBody("b", 1.0, (0.04, 0.08, 0.04), place, turn, velocity=(4, 0, 0), omega=(0.3, 10, 0.5))
            )
            system.add(RollingWheel("j", system.ground, b, 0.4, "hill", 0.05))
            pose = Session(system, RunSettings(audit=False, assemble=True)).workspace["pose"][0]
            place, turn = tuple(pose[:3].tolist()), tuple(pose[3:7].tolist())
        return system
    if name == "gear":
        a = system.add(RigidBody("a", 1.0, (0.1, 0.2, 0.15), omega=(0.0, 3.0, 0.0), centre_of_mass=(0.2, 0.0, 0.0)))
        b = system.add(RigidBody("b", 1.0, (0.1, 0.2, 0.15), position=(1, 0, 0), centre_of_mass=(0.1, 0.0, 0.1)))
        system.add(Revolute("ha", system.ground, a, axis=(0, 1, 0)))
        system.add(Revolute("hb", system.ground, b, at=(1, 0, 0), axis=(0, 1, 0)))
        system.add(Gear("j", a, b, -2.0, axis=(0, 1, 0)))
        return system
    if name in CARRIED:
        return carried(name)
    a = system.add(RigidBody("a", 1.3, (0.2, 0.3, 0.4), position=(0.2, 0.0, -0.1), **spin))
    b = system.add(RigidBody("b", 0.7, (0.1, 0.2, 0.15), position=(1.0, 0.3, -0.4), **spin))
    system.add(Ball("pivot", system.ground, a, at=(0, 0, 0)))
    system.add(BETWEEN[name](a, b))
    return system


CARRIED = {
    "bevel-gear": lambda a, b: BevelGear("j", a, b, 20, 30, axis=(0, 1, 0), second_axis=(1, 0, 0), carrier="arm"),
    "differential": lambda a, b: Differential("j", a, b, axis=(0, 1, 0), carrier="arm"),
    "gear-carried": lambda a, b: Gear("j", a, b, -1.5, axis=(0, 1, 0), carrier="arm"),
    "planetary": lambda a, b: Planetary("j", a, b, 24, 60, axis=(0, 1, 0), carrier="arm"),
    "transmission": lambda a, b: Transmission("j", a, b, 0.7, axis=(0, 1, 0), carrier="arm"),
}
"""Gears on an arm that turns."""


def carried(name):
    """Two lopsided wheels on an arm that swings about the y axis: on one axis, beside each other, or crossed."""
    system = System()
    place = {"gear-carried": (0.5, 0.3, 0.0), "bevel-gear": (0.6, 0.0, 0.0)}.get(name, (0.0, 0.3, 0.0))
    axis = (1, 0, 0) if name == "bevel-gear" else (0, 1, 0)
    system.add(RigidBody("arm", 1.0, (0.2, 0.3, 0.25), centre_of_mass=(0.2, 0.1, 0.0)))
    system.add(RigidBody("a", 1.0, (0.1, 0.2, 0.15), centre_of_mass=(0.2, 0.0, 0.0)))
    system.add(RigidBody("b", 1.0, (0.1, 0.2, 0.15), position=place, centre_of_mass=(0.0, 0.1, 0.1)))
    system.add(Revolute("pivot", system.ground, "arm", at=(0, 0, 0), axis=(0, 1, 0), angle_rate=2.0))
    system.add(Revolute("ha", "arm", "a", at=(0, 0, 0), axis=(0, 1, 0), angle_rate=3.0))
    system.add(Revolute("hb", "arm", "b", at=place, axis=axis))
    system.add(CARRIED[name]("a", "b"))
    return system


@pytest.mark.parametrize("name", [*BETWEEN, *CARRIED, "gear", "rolling-disc", "rolling-wheel"])
def test_energy_is_kept_to_the_order_of_the_method(name):
    """Joints without drive do no work. RK4 loses energy as h^4 or better: measured order at least 3.85.

    Below 1e-11 J (round-off of 100 steps at some 10 J) there is nothing left to divide.
    """
    lost = []
    for step in (0.01, 0.005):
        settings = {"method": "rk4-projected", "step": step, "frames": 0.05, "assemble": True}
        run = simulate(build(name), duration=0.5, **settings)
        energy = run["energy.total"]
        lost.append(float(np.abs(energy - energy[0]).max()))
    assert lost[0] < 1e-4
    assert lost[1] < 1e-11 or math.log2(lost[0] / lost[1]) > 3.85, lost


def test_energy_covers_every_kind():
    names = {*BETWEEN, *CARRIED, "gear", "rolling-disc", "rolling-wheel", "motion"} - {"gear-carried"}
    assert names == set(kinds("joint"))


def test_drive_puts_in_the_energy_that_the_bodies_gain():
    system = System()
    a = system.add(RigidBody("a", 1.3, (0.2, 0.3, 0.4), position=(0.2, 0.0, -0.1)))
    system.add(Revolute("hinge", system.ground, a, at=(0, 0, 0), axis=(0, 1, 0)))
    swing = SignalHarmonic(0.8, omega=4.0)
    system.add(Motion("drive", system.ground, a, swing, at=(0, 0, 0), axis=(0, 1, 0)))
    run = simulate(system, duration=1.0, method="dop853", tolerance=1e-10, frames=0.1)
    times = np.linspace(0.0, 1.0, 11)
    np.testing.assert_allclose(run["hinge.angle"], [swing.at(t)[0] for t in times], atol=1e-12)
    np.testing.assert_allclose(run["drive.angle"], run["hinge.angle"], atol=1e-12)
    np.testing.assert_allclose(run["energy.residual"], 0.0, atol=1e-8)  # work is integrated with the run's tolerance
    gained = run["energy.total"] - run["energy.total"][0]
    np.testing.assert_allclose(run["work.joints"], gained, atol=1e-8)
    assert np.ptp(gained) > 1.0


PLANE = {
    "ball": lambda a, b: Ball("j", a, b, at=(0.5, 0.1, 0.0)),
    "fixed": lambda a, b: Fixed("j", a, b),
    "knife-edge": lambda a, b: KnifeEdge("j", a, b, at=(0.5, 0.1, 0.0), axis=(1.0, 0.5, 0.0)),
    "motion": lambda a, b: Motion("j", a, b, SignalHarmonic(0.3, omega=3.0), axis=(0, 0, 1.0)),
    "motion-translation": lambda a, b: Motion(
        "j", a, b, SignalHarmonic(0.1, omega=3.0), "translation", at=(0.5, 0.1, 0.0), axis=(0.6, 0.8, 0.0)
    ),
    "differential": lambda a, b: Differential("j", a, b, 0.4, axis=(0, 0, 1.0)),
    "gear": lambda a, b: Gear("j", a, b, -2.0, axis=(0, 0, 1.0)),
    "planetary": lambda a, b: Planetary("j", a, b, 24, 60, axis=(0, 0, 1.0)),
    "point-on-line": lambda a, b: PointOnLine("j", a, b, at=(0.5, 0.1, 0.0), axis=(0.6, 0.8, 0.0)),
    "prismatic": lambda a, b: Prismatic("j", a, b, at=(0.5, 0.1, 0.0), axis=(0.6, 0.8, 0.0)),
    "rack-and-pinion": lambda a, b: RackAndPinion("j", a, b, 0.2, (0.6, 0.8, 0.0)),
    "revolute": lambda a, b: Revolute("j", a, b, at=(0.5, 0.1, 0.0)),
    "rod": lambda a, b: Rod("j", a, b, point_a=(0.1, 0.2, 0.0), point_b=(0.3, 0.0, 0.0)),
    "rope": lambda a, b: Rope("j", a, b, point_a=(0.1, 0.2, 0.0), point_b=(0.3, 0.0, 0.0)),
    "transmission": lambda a, b: Transmission("j", a, b, 0.7, axis=(0, 0, 1.0)),
}


def build_flat(name, plane):
    """Two bodies that move in the x-y plane, as planar bodies or as bodies in space."""
    system = System(gravity=(0.0, -9.81, 0.0), plane=plane)
    if plane:
        a = system.add(PlanarBody("a", 1.3, 0.4, position=(0.2, -0.1), omega=1.2))
        b = system.add(PlanarBody("b", 0.7, 0.15, position=(1.0, 0.3), omega=-0.8))
    else:
        a = system.add(RigidBody("a", 1.3, (0.2, 0.3, 0.4), position=(0.2, -0.1, 0), omega=(0, 0, 1.2)))
        b = system.add(RigidBody("b", 0.7, (0.1, 0.2, 0.15), position=(1.0, 0.3, 0), omega=(0, 0, -0.8)))
    system.add(Revolute("pivot", system.ground, a, at=(0, 0, 0)))
    system.add(PLANE[name](a, b))
    if name in ("gear", "transmission"):  # each wheel needs a bearing in the carrier
        system.add(Revolute("bearing", system.ground, b, at=(0.9, 0.2, 0)))
    return system


@pytest.mark.parametrize("name", PLANE)
def test_plane_is_space_restricted_to_the_plane(name):
    """Same motion, two sets of kernels; both runs at tolerance 1e-11, so they agree to some 1e-9."""
    seen = {}
    for plane in (True, False):
        settings = {"method": "dop853", "tolerance": 1e-11, "frames": 0.1, "assemble": True}
        run = simulate(build_flat(name, plane), duration=0.5, **settings)
        seen[plane] = [run["a.position"][:, :2], run["b.position"][:, :2], run["j.force"], run["j.torque"]]
        seen[plane].append(run["pivot.angle"])
    for flat, spatial in zip(seen[True], seen[False], strict=True):
        np.testing.assert_allclose(flat, spatial, atol=2e-9 * (1 + np.abs(spatial).max()))


def test_plane_comparison_covers_every_plane_kind():
    plane_kinds = {kind for kind, cls in kinds("joint").items() if cls.plane_rows}
    assert {name.removesuffix("-translation") for name in PLANE} == plane_kinds


@pytest.mark.parametrize("name", [*BETWEEN, "gear", "rolling-disc", "rolling-wheel", "motion"])
def test_compliant_joint_converges_to_the_exact_one(name):
    """The gap is load / stiffness, the slip of a rolling or gliding contact load / damping: both fall as 1/k when
    the damping is a fixed time (10 ms) times the stiffness, so order 1 within 0.15.
    """
    settings = {"duration": 0.2, "frames": 0.1, "assemble": True}
    exact = simulate(softened(name, None), method="dop853", tolerance=1e-11, **settings)
    errors = []
    for stiffness in (4e4, 1.6e5):
        soft = simulate(softened(name, stiffness), method="rk4-projected", step=5e-5, **settings)
        off = [soft[channel][-1] - exact[channel][-1] for channel in ("b.position", "b.orientation")]
        errors.append(float(max(np.abs(item).max() for item in off)))
    assert math.log(errors[0] / errors[1], 4.0) == pytest.approx(1.0, abs=0.15), errors


def softened(name, stiffness):
    """The mechanism of :func:`build` with its joint compliant; exact without a stiffness."""
    if name == "motion":
        system = build("revolute")
        system.add(Motion("drive", "a", "b", SignalHarmonic(0.5, omega=6.0), **HERE))
        changed = "drive"
    else:
        system, changed = build(name), "j"
    if stiffness is not None:
        joint = system.parts[changed]
        system.replace(dataclasses.replace(joint, compliant=True, stiffness=stiffness, damping=0.01 * stiffness))
    return system

"""The exact contact search through the engine: stacks neither drift nor yaw, a hit has no first and second body."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from contact_queries import common_polygon, flat_sink, rectangle

from centrode.jit import JIT_ON
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.hunt_crossley import HuntCrossley
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.capsule import OutlineCapsule
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.polyhedron import OutlinePolyhedron
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.running import simulate
from centrode.system.builder import System

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

HALF, MASS, STIFFNESS, GRAVITY = (0.4, 0.3, 0.25), 100.0, 1e7, 9.81


def sinks_of(yaws) -> list[float]:
    """How far each box of a stack at rest sinks into what is below it [m]."""
    bases = [rectangle(HALF[0], HALF[1], yaw) for yaw in yaws]
    common = [bases[0], *(common_polygon(one, two) for one, two in itertools.pairwise(bases))]
    return [flat_sink((len(yaws) - k) * MASS * GRAVITY / STIFFNESS, base) for k, base in enumerate(common)]


def stack(yaws, drop=None, stick=0.0, polyhedra=False) -> System:
    """Boxes on the ground, each turned by its yaw: at rest on their springs, or ``drop`` metres above each other."""
    system = System(gravity=(0, 0, -GRAVITY))
    system.add(OutlinePlane("floor", body="ground"))
    inertia = tuple(MASS / 3 * (np.dot(HALF, HALF) - h * h) for h in HALF)
    corners = tuple(itertools.product(*((-h, h) for h in HALF)))
    z, sinks = 0.0, sinks_of(yaws)
    for index, yaw in enumerate(yaws):
        z += HALF[2] + (drop if drop is not None else -sinks[index])
        turned = (np.cos(0.5 * yaw), 0.0, 0.0, np.sin(0.5 * yaw))
        system.add(RigidBody(f"b{index}", mass=MASS, inertia=inertia, position=(0, 0, z), orientation=turned))
        if polyhedra and index % 2:
            system.add(OutlinePolyhedron(f"o{index}", body=f"b{index}", points=corners))
        else:
            system.add(OutlineBox(f"o{index}", body=f"b{index}", half_lengths=HALF))
        z += HALF[2]
    system.add(
        LinearContact(
            "law",
            stiffness=STIFFNESS,
            damping=1e4,
            friction=0.6,
            slip_speed=0.01,
            stick_stiffness=stick,
            stick_damping=1e-3 * stick,
        )
    )
    return system


def motion(run, index):
    """Way of a box in the plane [m], change of height [m], turn about any axis [rad], at the end."""
    place = np.array([run[f"b{index}.position.{axis}"] for axis in "xyz"])
    turn = np.array([run[f"b{index}.orientation.{axis}"] for axis in "wxyz"])
    cosine = abs(turn[:, 0] @ turn[:, -1])
    aside = np.linalg.norm(turn[:, -1] * np.sign(turn[:, 0] @ turn[:, -1]) - turn[:, 0])
    assert cosine > 0.9
    return np.abs(place[:2, -1] - place[:2, 0]).max(), place[2, -1] - place[2, 0], 2.0 * aside


@pytest.mark.parametrize("yaws", [(0.0, 0.0, 0.0), (0.0, 0.3, np.pi / 4)], ids=["aligned", "turned"])
def test_a_stack_at_rest_stays_at_rest(yaws):
    run = simulate(stack(yaws), duration=2.0, method="rk4-projected", step=2e-4, frames=0.5)
    for index in range(3):
        way, sunk, turn = motion(run, index)
        # The border of an overlap is softer, so D = d - P d^2 / (6 A) pulls towards less common area, with d^2 / A of
        # the load: 3000 N (3e-4 m)^2 / 0.5 m2 = 5e-4 N. Regularised friction lets that creep with
        # 0.01 m/s times 5e-4 N / (0.6 * 3000 N), 6e-9 m in 2 s.
        assert way < 6e-9
        assert abs(sunk) < 1e-12
        assert turn < 6e-9 / min(HALF)


@pytest.mark.parametrize("polyhedra", [False, True], ids=["boxes", "polyhedra"])
def test_a_stack_that_settles_does_not_wander_when_friction_sticks(polyhedra):
    run = simulate(
        stack((0.0, 0.3, np.pi / 4), drop=1e-3, stick=1e7, polyhedra=polyhedra),
        duration=2.0,
        method="rk4-projected",
        step=2e-4,
        frames=0.5,
    )
    fall, sinks = 0.0, sinks_of((0.0, 0.3, np.pi / 4))
    for index in range(3):
        way, sunk, turn = motion(run, index)
        fall += 1e-3 + sinks[index]
        # What is left of the oscillation after 2 s: three boxes on three springs have the lowest eigenvalue 0.198 k/m,
        # so c = 1e4 N s/m on 100 kg decays with 9.9 1/s, from 1 mm to 2.5e-12 m. Sideways and in turn: round-off.
        assert abs(sunk + fall) < 1e-11
        # The pull of the border (see above, ten times the load while the springs swing) is held by bristles of
        # 1e7 N/m: 5e-10 m.
        assert way < 5e-10
        assert turn < 5e-10 / min(HALF)


@pytest.mark.parametrize(
    "other",
    [
        OutlineBox("other", body="thing", half_lengths=(2.0, 0.8, 0.65)),
        OutlineCapsule("other", body="thing", radius=0.6, half_length=1.4, rotation=((0, 0, 1), (0, 1, 0), (-1, 0, 0))),
    ],
    ids=["box", "capsule"],
)
def test_a_hit_does_not_depend_on_the_order_of_the_bodies(other):
    ends = []
    for names in (("car", "thing"), ("thing", "car")):
        system = System(gravity=(0, 0, 0))
        for name in names:
            if name == "car":
                system.add(RigidBody("car", mass=1500.0, inertia=(480.0, 2600.0, 2800.0), velocity=(10, 0, 0)))
                system.add(OutlineSuperellipsoid("shell", body="car", semi_axes=(2.0, 0.8, 0.65)))
            else:
                turned = np.array([np.cos(0.2), 0.02, 0.03, np.sin(0.2)])
                turned /= np.linalg.norm(turned)
                system.add(
                    RigidBody(
                        "thing",
                        mass=900.0,
                        inertia=(300.0, 900.0, 900.0),
                        position=(4.3, 0.5, 0.1),
                        orientation=tuple(turned),
                    )
                )
                system.add(other)
        system.add(HuntCrossley("law", friction=0.3))
        run = simulate(system, duration=0.6, method="rk4-projected", step=1e-4, frames=0.1)
        ends.append([run[f"{name}.position.{axis}"][-1] for name in ("car", "thing") for axis in "xyz"])
    # The search fixes the points to 2e-11 of the size (5 m), 1e-10 m; a force of 1e5 N for 0.05 s there changes the
    # spin of 300 kg m^2 by 2e-9 rad/s, and the place after another 0.5 s, at levers of 2 m, by some 1e-9 m.
    assert np.abs(np.subtract(*ends)).max() < 1e-8
    assert ends[0][3] > 5.0  # it was hit

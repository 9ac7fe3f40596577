"""Hard contacts of patches, logs and rims against closed forms: spin friction, rest, depth, unequal masses, starts."""

from __future__ import annotations

import math

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError
from centrode.jit import JIT_ON
from centrode.running import Session
from centrode.system.settings import RunSettings

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

G, MU, STEP = 9.81, 0.2, 1e-3
SQUARE = (math.sqrt(2.0) + math.asinh(1.0)) / 3.0
"""Mean distance from the middle of a square, in halves of its side."""


def ground(*parts):
    system = ct.System(gravity=(0.0, 0.0, -G))
    for part in parts or (ct.OutlinePlane("floor", "ground"),):
        system.add(part)
    return system


def box(system, name, half, position, mass=2.0, **more):
    a, b, c = (x * x for x in half)
    inertia = (mass / 3 * (b + c), mass / 3 * (a + c), mass / 3 * (a + b))
    system.add(ct.RigidBody(name, mass, inertia, position=position, **more))
    system.add(ct.OutlineBox(f"{name}-shell", name, half_lengths=half))


def cylinder(system, name, radius, half, position, mass=1.0, **more):
    across, along = mass * (3 * radius**2 + 4 * half**2) / 12, mass * radius**2 / 2
    system.add(ct.RigidBody(name, mass, (across, across, along), position=position, **more))
    system.add(ct.OutlineCylinder(f"{name}-shell", name, radius=radius, half_length=half))


def run(system, duration, step=STEP, **more):
    system.add(ct.HardContact("law", friction=MU if "law" not in more else more.pop("law"), restitution=0.01))
    return ct.simulate(system, duration=duration, method="moreau", step=step, **more)


def slab():
    return ct.OutlineBox("slab", "ground", centre=(0.0, 0.0, -1.0), half_lengths=(3.0, 3.0, 1.0))


@pytest.mark.parametrize("on", [ct.OutlinePlane("floor", "ground"), slab()], ids=["plane", "box"])
@pytest.mark.parametrize("shape", ["puck", "square", "long", "log"])
def test_a_spin_is_braked_as_under_uniform_pressure(on, shape):
    """mu m g D, D the mean distance from the middle: 2/3 R, 0.765 a, that of a rectangle, half of a log's half."""
    spin, time, r = 20.0, 0.1, 0.1
    system = ground(on)
    more = {"omega": (0.0, 0.0, spin)}
    if shape == "puck":
        cylinder(system, "b", r, 0.03, (0.0, 0.0, 0.03), 2.0, **more)
        distance, gyration = 2.0 / 3.0 * r, r * r / 2
    elif shape == "square":
        box(system, "b", (r, r, 0.03), (0.0, 0.0, 0.03), **more)
        distance, gyration = SQUARE * r, 2.0 / 3.0 * r * r
    elif shape == "long":
        box(system, "b", (4 * r, r, 0.03), (0.0, 0.0, 0.03), **more)
        x, y = (np.arange(2000) + 0.5) / 2000 * 4 * r, (np.arange(500) + 0.5) / 500 * r
        distance, gyration = float(np.hypot(x[:, None], y).mean()), 17.0 / 3.0 * r * r
    else:
        turn = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
        cylinder(system, "b", 0.02, r, (0.0, 0.0, 0.02), 2.0, orientation=turn, omega=(0.0, spin, 0.0))
        distance, gyration = 0.5 * r, (3 * 0.02**2 + 4 * r * r) / 12
    made = run(system, time, frames=time)
    assert made.status.completed
    left = np.linalg.norm(made["b.omega"][-1])
    # Every step is exact but for what sweeps leave: 1e-7 of g h at the rim, and a hundred steps; the sum over the
    # rectangle is good to 1e-7. Friction turns with the body within a step, (spin h)^2 / 2 = 2e-4 at the most.
    assert spin - left == pytest.approx(MU * G * distance / gyration * time, rel=3e-4)


def test_a_box_whose_load_is_aside_slides_straight():
    """Friction goes through the centre of the pressure, which is below the centre of mass: no torque about it."""
    system = ground()
    system.add(ct.RigidBody("b", 2.0, (0.01, 0.02, 0.02), position=(0.0, 0.0, 0.001), velocity=(1.0, 0.0, 0.0)))
    system.add(ct.OutlineBox("o", "b", centre=(0.0, 0.05, 0.049), half_lengths=(0.2, 0.1, 0.05)))
    made = run(system, 0.3, frames=0.3)
    # its height of 1 mm moves the pressure by 0.2 mm along the way, not across
    assert made["b.velocity.x"][-1] == pytest.approx(1.0 - MU * G * 0.3, abs=1e-6)
    # Before the first step nothing tells how the load is shared: one step of mu m g times half of the way aside.
    # About the middle of the face it would be all 300 of them.
    assert np.abs(made["b.omega"][-1]).max() < MU * 2.0 * G * 0.5 * 0.05 * STEP / 0.02


def test_a_puck_that_slides_and_spins_stops_both_at_once():
    """A uniform disc ends with v / (R w) = 0.653; four points at 2/3 R end with 2/3, and stop within 15 %."""
    radius = 0.1
    system = ground()
    more = {"velocity": (1.0, 0.0, 0.0), "omega": (0.0, 0.0, 10.0)}
    cylinder(system, "b", radius, 0.02, (0.0, 0.0, 0.02), **more)
    made = run(system, 0.9, frames=2e-3)
    speed, rim = np.linalg.norm(made["b.velocity"], axis=1), radius * np.abs(made["b.omega.z"])
    late = int(np.argmax(np.hypot(speed, rim) < 0.02))
    assert speed[late] / rim[late] == pytest.approx(0.653, rel=0.03)
    # integral over the disc (steps of 0.2 ms, 1800 cells): way 0.325 m, stop after 0.682 s
    assert np.linalg.norm(made["b.position"][-1, :2]) == pytest.approx(0.325, rel=0.03)
    assert made.time[int(np.argmax(np.hypot(speed, rim) < 2e-3))] == pytest.approx(0.682, rel=0.15)
    assert np.abs(made["energy.residual"]).max() < 1e-11 and np.diff(made["energy.total"]).max() < 1e-12


def test_a_pyramid_of_logs_rests():
    """Six rows of cylinders between stops: logs had one point each, which jumped from end to end, at 21 mm/s."""
    radius, rows = 0.1, 6
    system = ground()
    turn = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
    for side in (-1, 1):
        place = (side * (rows * radius + 0.05), 0.0, 0.1)
        system.add(ct.OutlineBox(f"stop{side}", "ground", centre=place, half_lengths=(0.05, 1.0, 0.1)))
    names = []
    for row in range(rows):
        for k in range(rows - row):
            names.append(f"log{row}-{k}")
            place = (
                (2 * k - rows + row + 1) * radius,
                0.01 * ((7 * row + 3 * k) % 5),
                radius * (1 + row * math.sqrt(3)),
            )
            cylinder(system, names[-1], radius, 0.5, place, 10.0, orientation=turn)
    made = run(system, 20.0, None, law=0.5, frames=0.5)
    assert made.status.completed
    # at rest from the start: sweeps leave 1e-7 of g h = 2e-9 m/s, slow ones twenty times that
    assert max(np.linalg.norm(made[f"{name}.velocity"][1:], axis=1).max() for name in names) < 4e-8
    assert max(np.abs(made[f"{name}.position"][-1] - made[f"{name}.position"][0]).max() for name in names) < 1e-6


@pytest.mark.parametrize("angle", [90.0, 45.0, 1.0])
def test_crossed_logs_have_the_gap_of_their_axes(angle):
    lying, turn = np.array([math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0]), 0.5 * math.radians(angle)
    c, s = math.cos(turn), math.sin(turn)
    crossed = (c * lying[0], -s * lying[2], c * lying[2], s * lying[0])
    deep = 1e-4
    system = ground()
    cylinder(system, "one", 0.1, 0.5, (0.0, 0.0, 0.1), orientation=tuple(lying))
    cylinder(system, "two", 0.1, 0.5, (0.05, 0.0, 0.3 - deep), orientation=crossed)
    system.add(ct.HardContact("law"))
    session = Session(system, RunSettings(duration=1.0, method="moreau", step=1e-6))
    session.advance(np.array([1e-6]))
    t = session.workspace.contacts.tables
    rows = [row for row in t.contacts[: t.head[0].points] if row["a"] > 0]
    assert min(row["gap"] for row in rows) == pytest.approx(-deep, rel=1e-6)
    assert len(rows) == (3 if angle == 1.0 else 1)


@pytest.mark.parametrize("kind", ["plane", "box", "polyhedron", "cylinder"])
@pytest.mark.parametrize("lean", [10.0, 26.0, 45.0, 70.0, 80.0])
def test_a_leaning_cylinder_is_as_deep_as_its_lowest_point(kind, lean):
    """L cos + R sin below its middle; the search alone saw 5.6 of 10 mm on faces."""
    radius, half, deep, angle = 0.5, 0.5, 0.01, math.radians(lean)
    corners = [(x, y, z) for x in (-3, 3) for y in (-3, 3) for z in (-2, 0)]
    below = {
        "plane": ct.OutlinePlane("floor", "ground"),
        "box": slab(),
        "polyhedron": ct.OutlinePolyhedron("floor", "ground", points=corners),
        "cylinder": ct.OutlineCylinder("floor", "ground", centre=(0.0, 0.0, -1.0), radius=3.0, half_length=1.0),
    }
    system = ground(below[kind])
    place = (0.0, 0.0, half * math.cos(angle) + radius * math.sin(angle) - deep)
    turn = {"axis": (math.cos(0.7), math.sin(0.7), 0.0), "angle": angle}
    cylinder(system, "b", radius, half, place, orientation=turn)
    system.add(ct.Collisions("collisions", allowed_overlap=0.02))
    system.add(ct.HardContact("law"))
    session = Session(system, RunSettings(duration=1.0, method="moreau", step=1e-6))
    session.advance(np.array([1e-6]))
    t = session.workspace.contacts.tables
    assert -t.contacts["gap"][: t.head[0].points].min() == pytest.approx(deep, rel=1e-6)


@pytest.mark.parametrize(
    "masses", [(0.1, 1000.0), (1000.0, 0.1, 1000.0), (0.1, 1, 10, 100, 1000), (0.1,) * 4 + (1000,)]
)
def test_heavy_boxes_on_light_ones_stand(masses):
    """They sank into each other and slid off, and the run stopped."""
    system = ground()
    for k, mass in enumerate(masses):
        box(system, f"b{k}", (0.1,) * 3, (0.0, 0.0, 0.1 + 0.2 * k), float(mass))
    made = run(system, 2.0, None, law=0.5, frames=0.1)
    assert made.status.completed
    ways = [np.abs(made[f"b{k}.position"] - made[f"b{k}.position"][0]).max() for k in range(len(masses))]
    assert max(ways) < 1e-4  # what is left alone, a thousandth of a half-width


@pytest.mark.parametrize("deep", [3e-4, 6e-4, 9e-4])
def test_a_start_that_passes_the_check_runs(deep):
    """A stack of boxes in each other was "contacts made energy, 7e8"; now it is shifted apart without any velocity."""
    system = ground()
    for k in range(3):
        box(system, f"b{k}", (0.1,) * 3, (0.0, 0.0, 0.1 - deep + k * (0.2 - deep)))
    made = run(system, 1.0, None, law=0.5, frames=0.01)
    assert made.status.completed and any("stood in each other" in str(word) for word in made.warnings)
    assert max(np.abs(made[f"b{k}.velocity"]).max() for k in range(3)) < 1e-6
    # a thousandth of the half-width is left alone, at each of the three contacts; the last part takes its time
    assert made["b2.position.z"][-1] == pytest.approx(0.5, abs=3.3e-4)


def test_a_domino_that_begins_to_fall_stood_in_nothing():
    """Its corner goes down by a part of a step, which is no overlap of the start."""
    system = ground()
    box(system, "b", (0.004, 0.012, 0.024), (0.0, 0.0, 0.024), 0.01, omega=(0.0, 6.0, 0.0))
    made = run(system, 0.1, None, law=0.3)
    assert made.status.completed and not made.warnings


def test_a_start_deeper_than_a_tenth_of_a_half_width_is_refused():
    system = ground()
    box(system, "b", (0.005,) * 3, (0.0, 0.0, 0.0044))
    with pytest.raises(InputError, match=r"stand in each other at the start.*less than 0\.0005 m"):
        run(system, 1.0, None)


def test_the_step_does_not_depend_on_the_duration():
    ways = []
    for duration in (0.5, 1.0, 7.3):
        system = ground()
        box(system, "b", (0.1, 0.1, 0.1), (0.0, 0.0, 0.3), velocity=(1.0, 0.0, 0.0), omega=(0.3, 0.2, 3.0))
        made = run(system, duration, None, law=0.5)
        times = np.round(made.time / 2e-3).astype(int)
        ways.append(dict(zip(times.tolist(), made["b.position"].tolist(), strict=True)))
    shared = set(ways[0]) & set(ways[1]) & set(ways[2])
    assert len(shared) > 10
    for k in shared:
        # the same steps; times are sums of others, which round otherwise
        assert ways[1][k] == pytest.approx(ways[0][k], abs=1e-9) and ways[2][k] == pytest.approx(ways[0][k], abs=1e-9)


@pytest.mark.compiled
def test_a_gripper_whose_friction_is_not_solved_says_so():
    """Two light jaws on sliders hold a box with 1.12 of what friction needs: it fell out, completed and clean."""
    system = ct.System(gravity=(0.0, 0.0, -9.80665))
    for name, side in (("left", -1.0), ("right", 1.0)):
        place = (side * 0.06, 0.0, 1.0)
        inertia = (0.5 / 3.0 * 0.005, 0.5 / 3.0 * 0.0026, 0.5 / 3.0 * 0.0026)
        system.add(ct.RigidBody(name, mass=0.5, inertia=inertia, position=place))
        system.add(ct.OutlineBox(f"{name}-jaw", name, half_lengths=(0.01, 0.05, 0.05)))
        system.add(ct.Prismatic(f"{name}-slider", "ground", name, at=place, axis=(1, 0, 0)))
        system.add(ct.PointForce(f"{name}-push", name, magnitude=22.0, direction=(-side, 0, 0)))
    system.add(ct.RigidBody("box", mass=2.0, inertia=(2.0 / 3.0 * 0.005,) * 3, position=(0, 0, 1)))
    system.add(ct.OutlineBox("sides", "box", half_lengths=(0.05, 0.05, 0.05)))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.5))
    run = ct.simulate(system, duration=0.3, method="moreau")
    held = abs(float(run["box.position"][-1, 2]) - 1.0) < 1e-4  # the slop of a contact
    assert held or any("not solved to the end" in text for text in run.warnings)

"""The first milliseconds of a crash against the integral of the pressure that was entered; also as plain Python.

A box of width w that gives way with A + B c of force per width, built up over the ramp l, against a rigid wall:
m c'' = -w (A (1 - exp(-c / l)) + B c). Two alike share their depth, over which the pressure builds up. A wall that
covers a part of the front presses that part, and beside its edge the beam lets the dent end with the slope b: there the
crush is c - b t at the distance t.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.contact import collide
from centrode.jit import JIT_ON
from centrode.methods import explicit_kernel

MASS, WIDTH, SPEED, GAP = 1500.0, 1.8, 10.0, 1e-3
STEP, STEPS = 3e-3, 4


def box_at_wall(wall, other=False, **structure):
    """A box with a structure of coarse columns just before a wall, or another one alike that comes the other way."""
    system = ct.System(gravity=(0, 0, 0))
    cars = [("car", -2.0 - GAP, 1.0)] + ([("other", 2.0, -1.0)] if other else [])
    for name, place, sign in cars:
        turn = (1.0, 0.0, 0.0, 0.0) if sign > 0 else (0.0, 0.0, 0.0, 1.0)
        velocity = (sign * SPEED, 0, 0)
        system.add(ct.RigidBody(name, MASS, (500, 2000, 2500), (place, 0, 0.5), turn, velocity))
        system.add(ct.OutlineBox(f"{name}.shell", body=name, half_lengths=(2, 0.5 * WIDTH, 0.5), material="car"))
        usual = ct.structure_of_mass(f"{name}.structure", f"{name}.shell", MASS, WIDTH)
        system.add(dataclasses.replace(usual, strips=1, outboard=1.0, **structure))
    if wall is not None:
        low, high = wall
        half = (1.0, 0.5 * (high - low), 3.0)
        system.add(ct.OutlineBox("wall", body="ground", centre=(1, 0.5 * (low + high), 1), half_lengths=half))
    system.add(ct.Crush("law", friction=0.0))
    return system, system.parts["car.structure"]


def crushed(system):
    """Velocity and spin after the steps, with a method that looks for no moment of touch."""
    run = ct.simulate(system, duration=STEP * STEPS, method="rkmk4", step=STEP, frames=STEP, audit=False)
    assert run.status.completed, str(run.status)
    return run["car.velocity"][-1], run["car.omega"][-1]


def pulse(force, closing=1.0):
    """Velocity lost by the same steps of RK4, the wall at GAP; ``closing``: by how much faster the gap closes."""

    def rates(y):
        return np.array([closing * y[1], -force(max(y[0] - GAP, 0.0)) / MASS])

    y = np.array([0.0, SPEED])
    for _ in range(10 * STEPS):
        h = STEP / 10
        k1 = rates(y)
        k2 = rates(y + 0.5 * h * k1)
        k3 = rates(y + 0.5 * h * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates(y + h * k3))
    return SPEED - y[1]


def pressure(structure, c, depth=None):
    """Force per width at a crush, in a depth of its own or of two bodies together [N/m]."""
    depth = c if depth is None else depth
    return structure.a[0] * (1.0 - np.exp(-depth / structure.ramp)) + structure.b[0] * c


def test_a_flat_wall_stops_a_front_with_its_force_per_width():
    system, structure = box_at_wall((-5.0, 5.0), cell=0.3)
    velocity, spin = crushed(system)
    lost = pulse(lambda c: WIDTH * pressure(structure, c))
    # Pressure builds up from accepted states on: a first order in the step over the length of the ramp, 3 ms of 2.5.
    assert SPEED - velocity[0] == pytest.approx(lost, rel=0.01)
    assert np.abs(velocity[1:]).max() < 1e-9 and np.abs(spin[[0, 2]]).max() < 1e-9
    # The strip lies in the middle between its ends, 0.05 and 0.5 m over the lowest point; the centre of mass at 0.5 m.
    lever = 0.5 - 0.5 * (structure.low[0] + structure.high[0])
    assert spin[1] == pytest.approx(MASS * (SPEED - velocity[0]) * lever / 2000.0, rel=0.01)


def test_two_alike_share_the_crush():
    """Each is its own wall: the crush of both is what they come nearer, so each takes half."""
    system, structure = box_at_wall(None, other=True, cell=0.3)
    velocity, _ = crushed(system)
    lost = pulse(lambda c: WIDTH * pressure(structure, 0.5 * c, c), closing=2.0)
    assert SPEED - velocity[0] == pytest.approx(lost, rel=0.01)


@pytest.mark.compiled
def test_half_a_wall_presses_half_a_front_and_its_beam_and_turns_it():
    found = []
    for wall in ((0.0, 5.0), (-5.0, 0.0)):
        system, structure = box_at_wall(wall, cell=0.06)
        found.append(crushed(system))
    t = np.linspace(0.0, 0.9, 20001)
    width = t[1] - t[0]

    def force(c):
        beside = np.maximum(c - structure.beam * t, 0.0)
        return 0.9 * pressure(structure, c) + pressure(structure, beside).sum() * width

    (velocity, spin), (other, turned) = found
    # Columns stand 0.06 m apart: the border of the wall lies between two of them, at a thirtieth of what is pressed.
    assert SPEED - velocity[0] == pytest.approx(pulse(force), rel=0.03)
    # The left half is held, so it turns to the left; what is held on the right is its mirror image.
    assert spin[2] > 0.0
    np.testing.assert_allclose(other, velocity * [1, -1, 1], atol=1e-9)
    np.testing.assert_allclose(turned, spin * [-1, 1, -1], atol=1e-9)


@pytest.mark.parametrize("speed", [2.0, 6.0])
def test_a_front_leaves_the_wall_with_the_restitution_that_was_entered(speed):
    """e falls with the closing speed from the first number to the second; the push goes through the centre of mass."""
    system = ct.System(gravity=(0, 0, 0))
    place, velocity = (-2.0 - GAP, 0, 0.275), (speed, 0, 0)
    system.add(ct.RigidBody("car", MASS, (500, 2000, 2500), place, velocity=velocity))
    half = (2, 0.5 * WIDTH, 0.5)
    system.add(ct.OutlineBox("shell", body="car", centre=(0, 0, 0.225), half_lengths=half, material="car"))
    usual = ct.structure_of_mass("structure", "shell", MASS, WIDTH)
    system.add(dataclasses.replace(usual, strips=1, outboard=1.0, cell=0.3))
    system.add(ct.OutlineBox("wall", body="ground", centre=(1, 0, 1), half_lengths=(1, 5, 3)))
    system.add(ct.Crush("law", friction=0.0))
    run = ct.simulate(system, duration=0.18, method="rkmk4", step=6e-3, frames=6e-3, audit=False)
    rest, fast = usual.restitution
    e = fast + (rest - fast) * np.exp(-speed / usual.restitution_speed)
    # Columns give back what was entered to 3 % of e; the turning point lies between two steps, 6 ms of some 100.
    assert -run["car.velocity.x"][-1] / speed == pytest.approx(e, rel=0.03 + 0.06)
    assert np.abs(run["car.omega"][-1]).max() < 1e-9
    assert (np.diff(run["car.velocity.x"]) < 1e-9).all()  # it is pushed back at every moment, and never held


@pytest.mark.skipif(JIT_ON, reason="counts the calls of a kernel")
def test_the_moment_of_touch_is_found_no_slower_than_by_bisection(monkeypatch):
    """The gap of bodies that give way has a kink where they touch: secants crept, 120 repeated steps for one event."""
    made = []
    stages = explicit_kernel.stages
    monkeypatch.setattr(explicit_kernel, "stages", lambda *given: (made.append(given[1]), stages(*given))[1])
    system, _ = box_at_wall((-5.0, 5.0), cell=0.3)
    step = 2e-3  # the touch comes at 0.1 ms
    run = ct.simulate(system, duration=step, method="rk4-projected", step=step, frames=step, audit=False)
    begun = run.events.of("contact begin")[0].time
    assert begun == pytest.approx(GAP / SPEED, rel=1e-12)
    halvings = math.ceil(math.log2(1.0 / 4e-16))
    assert len(made) <= run.statistics.steps + halvings + 3  # the way on, one to spare, and the end once more


@pytest.mark.skipif(JIT_ON, reason="counts the calls of a kernel")
def test_a_smooth_touch_is_found_by_secants(monkeypatch):
    """A ball falls on the ground. A secant moves one end of what is left, which is then no half of it: bisections
    between them made thirteen repeated steps of eleven."""
    made, counts = [], []
    locate, stages = explicit_kernel.locate_event, explicit_kernel.stages
    monkeypatch.setattr(explicit_kernel, "stages", lambda *given: (made.append(given[1]), stages(*given))[1])

    def counted(*given):
        before = len(made)
        found = locate(*given)
        counts.append(len(made) - before)
        return found

    monkeypatch.setattr(explicit_kernel, "locate_event", counted)
    system = ct.System()
    system.add(ct.RigidBody("ball", 1.0, (0.4, 0.4, 0.4), (0.0, 0.0, 1.1)))
    system.add(ct.OutlineSphere("skin", body="ball", radius=1.0))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.HuntCrossley("law", stiffness=1e5))
    run = ct.simulate(system, duration=0.16, method="rk4-projected", step=1e-3, audit=False)
    assert run.events.of("contact begin")[0].time == pytest.approx(math.sqrt(0.2 / 9.81), rel=1e-14)
    assert len(counts) > 1
    assert max(counts) <= 11


@pytest.mark.skipif(JIT_ON, reason="counts the calls of a kernel")
def test_equal_steps_are_not_cut_where_a_hit_ends(monkeypatch):
    """The pressure of columns ends without a jump; every end was looked for with repeated steps."""
    made = []
    stages = explicit_kernel.stages
    monkeypatch.setattr(explicit_kernel, "stages", lambda *given: (made.append(given[0]), stages(*given))[1])
    system, _ = box_at_wall((-5.0, 5.0), cell=0.3)
    step = 2e-3
    run = ct.simulate(system, duration=0.2, method="rk4-projected", step=step, frames=step, audit=False)
    assert run.events.of("contact end")
    assert sum(time > 10 * step for time in made) <= math.ceil(0.2 / step)


@pytest.mark.skipif(JIT_ON, reason="counts the calls of a kernel")
def test_stages_do_not_look_at_columns_that_are_out_of_reach(monkeypatch):
    """A box that has left the wall stands in its own dent for long: four looks a step at columns that carry nothing."""
    made = []
    press = collide.press_pair
    monkeypatch.setattr(collide, "press_pair", lambda *given: (made.append(given[4]), press(*given))[1])
    system, _ = box_at_wall((-5.0, 5.0), cell=0.3)
    settings = {"duration": 0.2, "method": "rk4-projected", "step": 2e-3, "frames": 0.1, "audit": False}
    spared, looks = ct.simulate(system, **settings), len(made)
    made.clear()
    monkeypatch.setattr(collide, "nearer", lambda *given: math.inf)
    every = ct.simulate(system, **settings)
    parted = int((0.2 - spared.events.of("contact end")[0].time) / 2e-3)
    assert parted > 20
    assert len(made) - looks > parted  # three of four a step, once it is far enough from the dent
    for name in ("car.position", "car.velocity", "car.omega"):
        assert spared[name].tobytes() == every[name].tobytes()

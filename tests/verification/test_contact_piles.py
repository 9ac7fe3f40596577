"""Many boxes and balls: a stack of ten stands for a minute, a leaning tower falls, what is poured stays in its bin."""

from __future__ import annotations

import runpy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import centrode as ct
from centrode.jit import JIT_ON, kernel
from centrode.parts.contact_laws.contact_law import LAW_SIGNATURE, STIFFNESS
from centrode.running import Session

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

HALF, MASS, GRAVITY = 0.25, 100.0, 9.80665


def box_inertia(mass, half):
    return tuple(2.0 / 3.0 * mass * half * half for _ in range(3))


def tower(law, count=10, shift=0.0):
    """Boxes on a floor, touching; each stands ``shift`` metres ahead of the one below."""
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground"))
    for k in range(count):
        place = (shift * k, 0.0, HALF * (2 * k + 1))
        system.add(ct.RigidBody(f"b{k}", MASS, box_inertia(MASS, HALF), position=place))
        system.add(ct.OutlineBox(f"o{k}", f"b{k}", half_lengths=(HALF, HALF, HALF)))
    system.add(law)
    return system


def test_a_stack_of_ten_boxes_stands_for_a_minute_without_creep_or_heat():
    """Stiff enough not to buckle: joints of k a^2 / 3 hold (7.84 k a^2 h / 3 q)^(1/3) = 7.4 m of boxes."""
    sticks = ct.LinearContact("law", stiffness=1e7, damping=1e4, friction=0.5, stick_stiffness=1e7, stick_damping=1e3)
    run = ct.simulate(tower(sticks), duration=60.0, frames=1.0)
    assert run.status.completed
    heat = run["collisions.heat"]
    fallen = sum(MASS * GRAVITY * (run[f"b{k}.position.z"][0] - run[f"b{k}.position.z"][-1]) for k in range(10))
    # Boxes sink into their springs by m g (n - k) / k each; the springs keep half of the work, dampers take the rest.
    assert 0.4 * fallen < heat[-1] < 0.6 * fallen
    # Ten boxes on ten springs: lowest eigenvalue 4 sin^2(pi/42) k/m, so c = 1e4 N s/m on 100 kg decays with
    # 0.022 c / 2 m = 1.1 1/s: after 30 s nothing that moved is left above exp(-33) of 7 mm, 3e-17 m.
    late = run.time >= 30.0
    assert np.ptp(heat[late]) < 1e-9 * heat[-1]
    for k in range(10):
        assert np.ptp(run[f"b{k}.position.z"][late]) < 1e-12
        # Sideways only round-off was there to begin with; the sway of a stack that does not buckle keeps it small.
        assert np.abs(run[f"b{k}.position"][:, :2]).max() < 1e-6
    assert abs(run["collisions.imbalance"][-1]) < 1e-3 * heat[-1]


def test_a_tower_that_leans_too_far_falls_and_accounts_for_its_energy():
    """Boxes of 0.5 m shifted by 0.1 m each tip as soon as five stand above one (0.1 (n + 1) / 2 > 0.25)."""
    law = ct.LinearContact("law", stiffness=1e6, damping=3e3, friction=0.5)
    run = ct.simulate(tower(law, count=8, shift=0.1), duration=3.0, method="rattle", step=2.5e-4, frames=0.05)
    assert run.status.completed
    assert run["b7.position.z"].min() < 0.5 * run["b7.position.z"][0]  # it falls; thrown up again, it may end anywhere
    total, heat = run["energy.total"], run["collisions.heat"]
    assert np.all(np.diff(heat) > -1e-9)
    assert heat[-1] > 0.3 * (total[0] - total.min())
    # Second order at kinks: each of some hundred touches and slips leaves an error of the size of h times its power.
    assert abs(total[0] - total[-1] - heat[-1]) < 0.01 * heat[-1]


def test_balls_and_boxes_poured_into_a_bin_stay_in_it():
    """Fifty bodies with default settings stopped for want of room at t = nan."""
    example = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "contact_pouring.py"))
    count = 60
    run = example["main"](count, 1.0)
    assert run.status.completed
    found = example["figures"](run, count)
    assert found["outside"] == 0
    # A ball sinks by m g / k = 0.25 mm; the lowest of some seven layers carries the others.
    assert found["deepest overlap [mm]"] < 7 * 0.25 * 1.5
    assert found["energy unaccounted for"] < 0.01  # trapezoids of second order, h w up to 0.16: (h w)^2 / 4 of it
    assert found["median speed [m/s]"] < 0.05
    assert np.diff(run["energy.total"]).max() < 1e-6 * run["energy.total"][0]  # and nothing made any


@pytest.mark.parametrize(
    ("method", "duration", "told"), [("rattle", 60.0, "minutes"), ("dop853", 600.0, "hours"), ("rattle", 0.5, "")]
)
def test_what_many_bodies_cost_is_told_at_the_start(method, duration, told):
    """Two thousand poured with springs ran for half an hour without a word; balls of 0.5 kg on 2e4 N/m: 11 ms."""
    example = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "contact_pouring.py"))
    session = Session(example["poured"](60), method=method, duration=duration)
    words = [event.subject for event in session.start_events() if "of computing" in event.subject]
    if not told:
        assert not words
        return
    (word,) = words
    assert word.startswith("60 bodies whose contacts last 11 ms: ") and told in word and "'moreau'" in word
    assert session.costs == words  # and said by simulate before it begins


def test_a_costly_run_says_so_before_it_begins():
    example = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "contact_pouring.py"))
    system = example["poured"](4)
    heard = []

    def stop(text):
        heard.append(text)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ct.simulate(system, duration=1e4, method="rattle", say=stop)
    assert "of computing" in heard[0]


def test_a_box_laid_on_the_floor_settles():
    """Placed exactly on the floor (closing speed 0) it had no damper and swung for ever by 2 m g / k."""
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.RigidBody("box", 1.0, box_inertia(1.0, 0.1), position=(0.0, 0.0, 0.1)))
    system.add(ct.OutlineBox("shell", "box", half_lengths=(0.1, 0.1, 0.1)))
    system.add(ct.Restitution("law", stiffness=1e5))
    run = ct.simulate(system, duration=2.0, method="rattle", step=2e-4, frames=0.02)
    # Damping a = 2.4 / (0.01 m/s) at the depth m g / k = 1e-4 m: c = k a d = 2400 N s/m, far above critical (632).
    late = run.time > 1.0
    assert np.abs(run["box.velocity.z"][late]).max() < 1e-6
    assert abs(run["box.position.z"][-1] - 0.1 + GRAVITY / 1e5) < 2e-6


@kernel(signature=LAW_SIGNATURE)
def giving(par, memory, depth, depth_rate, slip_speed):
    """A spring that pushes a fifth harder on the way out, and speaks of no loss and no gain."""
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    push = par[STIFFNESS] * depth
    return (1.2 if depth_rate < 0.0 else 1.0) * push, 0.0, 0.5 * push * depth, 0.0


@dataclass(frozen=True)
class GivingContact(ct.LinearContact):
    """A law that makes energy."""

    kind: ClassVar[str] = "giving"
    law_kernel: ClassVar[Any] = giving


def row_of_boxes(ahead=0.0, law=None):
    """Three boxes in a row, hit by the first: an elastic law of 1e7 N/m between bodies of 1 kg lasts 0.7 ms."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for k in range(3):
        speed = (1.0, 0.0, 0.0) if k == 0 else (0.0, 0.0, 0.0)
        system.add(
            ct.RigidBody(
                f"b{k}", 1.0, box_inertia(1.0, 0.1), position=(0.201 * k + ahead * (k > 0), 0.0, 0.0), velocity=speed
            )
        )
        system.add(ct.OutlineBox(f"o{k}", f"b{k}", half_lengths=(0.1, 0.1, 0.1)))
    system.add(law or ct.Restitution("law", stiffness=1e7, restitution=1.0))
    return system


def test_a_run_that_makes_energy_is_not_completed():
    law = GivingContact("law", stiffness=1e7)
    run = ct.simulate(row_of_boxes(law=law), duration=0.05, method="rattle", step=2e-4, frames=0.01)
    total = run["energy.total"]
    assert total.max() > 1.01 * total[0]
    stop = run.status.stop
    assert not run.status.completed and stop.reason == "contacts made energy"
    assert stop.time == run.time[1]  # the first frame after the hit
    assert "'b0' and 'b1'" in stop.where or "'b1' and 'b2'" in stop.where
    assert "step of 3.5e-05 s or less" in str(stop)  # pi sqrt(m / k) / 20 with m = 0.5 kg
    assert stop.details["energy"] == pytest.approx(np.interp(stop.time, run.time, total) - total[0], rel=1e-9)


@pytest.mark.parametrize(("method", "step"), [("rattle", 3.5e-5), ("rattle", 2e-4), ("rk4", 2e-4), ("dop853", None)])
def test_a_run_that_resolves_its_contacts_is_completed(method, step):
    """Twenty steps a contact are enough for a method of order two; with four, energy rose by a fifth, and the run takes
    shorter ones by itself.
    """
    run = ct.simulate(row_of_boxes(), duration=0.05, method=method, step=step, frames=0.01)
    assert run.status.completed
    passed = run["collisions.passed"][-1]
    assert run["energy.total"].max() - run["energy.total"][0] < 0.0062 * passed + 1e-3 * 0.5
    # A quarter of a joule, what two equal bodies have against each other, through each of two contacts; ends of steps
    # miss the peak by up to 1 - cos(w h / 2), a tenth.
    assert passed == pytest.approx(0.5, rel=0.1)


def test_energy_that_was_lost_before_does_not_hide_what_is_made_later():
    """The row of boxes beside two blocks whose hit takes 2 J, many times what the row makes after it."""
    system = row_of_boxes(ahead=0.1, law=GivingContact("law", stiffness=1e7))
    system.add(ct.RigidBody("block", 2.0, box_inertia(2.0, 0.1), position=(0.0, 5.0, 0.0), velocity=(2.0, 0.0, 0.0)))
    system.add(ct.OutlineBox("block shape", "block", half_lengths=(0.1, 0.1, 0.1), material="block"))
    system.add(ct.RigidBody("stop", 2.0, box_inertia(2.0, 0.1), position=(0.2001, 5.0, 0.0)))
    system.add(ct.OutlineBox("stop shape", "stop", half_lengths=(0.1, 0.1, 0.1), material="block"))
    system.add(ct.Restitution("soft", stiffness=1e5, restitution=0.05, between=("block",)))
    run = ct.simulate(system, duration=0.2, method="rattle", step=2e-4, frames=0.01)
    assert run["energy.total"][-1] < run["energy.total"][0]
    assert not run.status.completed and run.status.stop.reason == "contacts made energy"


def test_a_row_of_dominoes_falls_with_defaults():
    """10 g each. With 1e7 N/m for everything they stopped at once, were thrown metres high, or took 36,000 steps."""
    half, mass = (0.004, 0.012, 0.024), 0.01
    inertia = tuple(mass / 3.0 * (np.dot(half, half) - h * h) for h in half)
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground"))
    for k in range(4):
        push = {"omega": (0.0, 6.0, 0.0), "velocity": (6.0 * half[2], 0.0, 0.0)} if k == 0 else {}
        system.add(ct.RigidBody(f"d{k}", mass, inertia, position=(0.03 * k, 0.0, half[2]), **push))
        system.add(ct.OutlineBox(f"o{k}", f"d{k}", half_lengths=half))
    system.add(ct.Restitution("law", friction=0.4))
    run = ct.simulate(system, duration=0.6, frames=0.02)
    assert run.status.completed
    assert all(run[f"d{k}.position.z"][-1] < 0.5 * half[2] for k in range(4))
    total, heat = run["energy.total"], run["collisions.heat"]
    assert abs(total[0] - total[-1] - heat[-1]) < 1e-4 * heat[-1]
    assert max(run[f"d{k}.position.z"].max() for k in range(4)) < 1.1 * np.hypot(half[0], half[2])


def test_a_graze_shortens_its_own_step_alone():
    """Of this pile two bodies graze each other at 0.66 s. Steps became eight times shorter for it to the end of the
    stretch of frames, twice: 90,000 steps instead of 4,000, and thousands of bodies did not end at all.
    """
    example = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "contact_pouring.py"))
    run = ct.simulate(example["poured"](60), duration=0.8, method="rattle", step=1e-3, frames=0.1)
    assert run.status.completed
    # Linear springs of 2e4 N/m: two boxes of 0.5 kg that meet with corners count for a quarter of a kilogram or a
    # quarter of that, so 32 steps in pi sqrt(m / k) are 1.7e-4 s or longer.
    assert run.statistics.steps < 0.8 / 1.7e-4


def test_a_stack_of_ten_small_boxes_stands_with_defaults():
    """10 g and 2 cm each, a hundredth of the scale above: what takes a minute there is over in a second."""
    half, mass, count = 0.01, 0.01, 10
    system = ct.System(gravity=(0.0, 0.0, -GRAVITY))
    system.add(ct.OutlinePlane("floor", "ground"))
    for k in range(count):
        place = (0.0, 0.0, half * (2 * k + 1))
        system.add(ct.RigidBody(f"b{k}", mass, box_inertia(mass, half), position=place))
        system.add(ct.OutlineBox(f"o{k}", f"b{k}", half_lengths=(half, half, half)))
    system.add(ct.Restitution("law", friction=0.5))
    run = ct.simulate(system, duration=1.0, frames=0.02)
    assert run.status.completed
    # Chosen from what is there: a fall of 0.19 m is used up in 4 % of the half-width, and contact k carries n - k.
    stiffness = mass * 2.0 * GRAVITY * half * (2 * count - 1) / (0.04 * half) ** 2
    sunk = mass * GRAVITY / stiffness * sum(range(1, count + 1))
    assert half * (2 * count - 1) - run["b9.position.z"][-1] == pytest.approx(sunk, rel=0.01)  # borders are bevelled
    late = run.time >= 0.5
    for k in range(count):
        # The tolerance of 1e-8 lets places wander by that part of the size of the stack, to and fro.
        assert np.ptp(run[f"b{k}.position"][late], axis=0).max() < 1e-8 * 2 * half * count
    # Where nothing moves an explicit method stands at its bound of stability, and swings of a hundredth of the
    # tolerance, 1e-10 m, stay; their speed goes with the frequency. Dampers c = k a d, a = 2.4 / (1 cm/s) at 1 to 10
    # weights deep, turn them into heat.
    swings = 1e-10 * np.sqrt(stiffness / mass)
    dampers = 2.4 / 0.01 * mass * GRAVITY * sum(range(1, count + 1))
    heat = run["collisions.heat"]
    assert heat[-1] - heat[late][0] < dampers * swings**2 * 0.5
    assert heat[-1] - heat[late][0] < 1e-5 * heat[-1]

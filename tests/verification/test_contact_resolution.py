"""Contacts with methods of equal steps: whatever the step, a hit is resolved, or the run says that it is not.

Judged by velocities before and after alone, against the restitution that was asked for: no work, no audit.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.jit import JIT_ON
from centrode.methods.method import Outcome, methods
from centrode.methods.radau import ATTEMPTS
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.contact_laws.hard import HardContact
from centrode.parts.contact_laws.hunt_crossley import HuntCrossley, damping_for_restitution
from centrode.parts.contact_laws.restitution import Restitution
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.running import Session, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

EQUAL_STEPS = sorted(name for name, method in methods().items() if not method.adaptive and not method.hard_contacts)
SPEED = 3.0


def ball_at_floor(law: ContactLaw, height: float, gravity: float = 0.0) -> System:
    """A ball of 1 kg that comes down on a floor."""
    system = System(gravity=(0, 0, -gravity))
    system.add(OutlinePlane("floor", body="ground"))
    place, velocity = (0, 0, 0.1 + height), (0, 0, -SPEED if gravity == 0.0 else 0.0)
    system.add(RigidBody("ball", mass=1.0, inertia=(0.004,) * 3, position=place, velocity=velocity))
    system.add(OutlineSphere("shell", body="ball", radius=0.1))
    system.add(law)
    return system


@pytest.mark.parametrize("method", EQUAL_STEPS)
def test_a_hit_returns_what_was_asked_for_at_any_step(method):
    """Elastic and lossy, random phases, steps from a tenth of what a contact lasts to four times it."""
    rng = np.random.default_rng(7)
    for share in (0.1, 0.3, 0.5, 1.0, 4.0):
        e = float(rng.uniform(0.3, 1.0))
        system = ball_at_floor(HardContact("law", duration=2e-3, restitution=e), float(rng.uniform(0.1, 0.2)))
        run = simulate(system, duration=0.2, method=method, step=share * 2e-3, frames=0.05)
        # Thirty-two steps in a contact: a touch at a share s of a step changes the energy by s (1 - s) (w h)^2, 0.24 %
        # at most; the damper of e = 0.3 starts (1 + a v) = 3.4 times as steeply and is chosen a step late.
        assert run.status.completed, (share, e, run.status)
        assert run["ball.velocity.z"][-1] / SPEED == pytest.approx(e, rel=0.02), (share, e)


@pytest.mark.parametrize("method", EQUAL_STEPS)
def test_random_drops_rise_as_high_as_asked_for_or_are_not_completed(method):
    """Masses of 1 g to 1 t, sizes, stiffness and steps anyhow: a hit returns e^2 h of height, or the run says why not.

    While the contact lasts, some pi d / v long at the depth d = v / w, the weight takes g / w of the speed at most
    twice over: d / h of the height for each, as v^2 = 2 g h; a damper makes it last longer, four times for e = 0.3.
    """
    rng = np.random.default_rng(11)
    done = 0
    for _ in range(12):
        mass, radius, height = 10.0 ** rng.uniform((-3, -2, -1.3), (3, 0.3, 1.0))
        e, step = float(rng.choice([1.0, 0.9, 0.5, 0.3])), float(rng.choice([1e-2, 1e-3, 1e-4]))
        speed, depth = math.sqrt(2.0 * 9.81 * height), radius * 10.0 ** rng.uniform(-3.5, -0.7)
        system = System(gravity=(0, 0, -9.81))
        system.add(OutlinePlane("floor", body="ground"))
        inertia = (0.4 * mass * radius**2,) * 3
        system.add(RigidBody("ball", mass=mass, inertia=inertia, position=(0, 0, radius + height)))
        shape = OutlineBox("shell", body="ball", half_lengths=(radius,) * 3)
        system.add(shape if rng.uniform() < 0.5 else OutlineSphere("shell", body="ball", radius=radius))
        system.add(Restitution("law", stiffness=mass * speed**2 / depth**2, restitution=e))
        duration = speed / 9.81 * (1.0 + 1.6 * e)
        run = simulate(system, duration=duration, method=method, step=step, frames=duration / 400)
        if not run.status.completed:
            assert run.status.stop is not None and "step of" in str(run.status.stop)
            continue
        done += 1
        z = run["ball.position.z"]
        risen = z[np.argmin(z) :].max() - radius
        assert risen / height == pytest.approx(e * e, abs=0.02 * e * e + 4.0 * depth / height), (mass, radius, step)
    assert done >= 6


@pytest.mark.parametrize("method", EQUAL_STEPS)
@pytest.mark.parametrize("e", [0.02, 0.05, 0.1])
def test_strong_dampers_are_resolved(method, e):
    """F = k d (1 + a d') is 1 + a v = 10 to 50 times as stiff as its spring: 0.05 was off by 10 %, 0.02 by 24 %."""
    rng = np.random.default_rng(5)
    for step in (1e-4, 1e-3, 2e-3):
        for law in (HardContact("law", duration=2e-3, restitution=e), Restitution("law", stiffness=2e6, restitution=e)):
            run = simulate(
                ball_at_floor(law, rng.uniform(0.1, 0.2)), duration=0.2, method=method, step=step, frames=0.05
            )
            # Sooner or later the damper holds the spring, at the speed 1 / a = e v, whatever the first steps did: the
            # bound of milder laws above holds.
            assert run.status.completed, (step, run.status)
            assert run["ball.velocity.z"][-1] / SPEED == pytest.approx(e, rel=0.02), step


@pytest.mark.parametrize("method", EQUAL_STEPS)
def test_laws_that_stiffen_are_resolved_where_they_are_stiff(method):
    law = HuntCrossley("law", stiffness=1e11, exponent=3.0, damping=0.2)
    exact = simulate(ball_at_floor(law, 0.15), duration=0.2, method="dop853", tolerance=1e-10, frames=0.05)
    run = simulate(ball_at_floor(law, 0.15), duration=0.2, method=method, step=1e-3, frames=0.05)
    assert run.status.completed
    assert run["ball.velocity.z"][-1] == pytest.approx(exact["ball.velocity.z"][-1], rel=0.01)


@pytest.mark.parametrize("method", EQUAL_STEPS)
def test_the_ball_of_the_defaults_rises_to_0_64_m(method):
    """Dropped from 1 m, e = 0.8: rattle4 rose to 0.747 and rkmk4 to 0.599 m with their own step, and completed."""
    system = ball_at_floor(HardContact("law", restitution=0.8), 1.0, gravity=9.81)
    run = simulate(system, duration=0.9, method=method, frames=0.005)
    assert run.status.completed
    height = run["ball.position.z"][run.time > 0.6].max() - 0.1
    # While a contact of 2.3 ms lasts gravity gives and takes g T / 2 of 4.4 m/s: 0.3 % of the speed.
    assert height == pytest.approx(0.64, rel=0.015)
    notes = [event.subject for event in run.events if event.kind == "note" and "were resolved" in event.subject]
    assert len(notes) == (1 if methods()[method].default_step > 2e-3 / 20 else 0)  # said, where the step was too long


def test_steps_are_short_only_while_something_stiff_touches():
    system = ball_at_floor(HardContact("law", restitution=0.8), 0.5, gravity=9.81)
    run = simulate(system, duration=0.6, method="rattle", step=1e-3, frames=0.01)
    # One hit at 0.32 s: steps of a 32nd of 2 ms for the rest of its frame and, where it ends behind it, for the next
    # one; shorter as the damper makes the contact stiffer: F = k d (1 + a d') is 1 + a v times as stiff as its spring.
    # (They stayed short to the end of the 64 frames that are asked for at once.)
    speed = math.sqrt(2 * 9.81 * 0.5)
    shortened = 2 * 0.01 / (2e-3 / 32) * math.sqrt(1.0 + damping_for_restitution(0.8, speed) * speed)
    assert 600 + 32 < run.statistics.steps < 600 + 1.1 * shortened


def test_a_resting_ball_is_resolved_from_the_start_and_beside_a_bouncing_one():
    """The step must not become its own again while another pair is in a stiff contact."""
    system = ball_at_floor(Restitution("law", stiffness=1e6, restitution=0.9, friction=0.0), 0.05, gravity=9.81)
    system.add(RigidBody("other", mass=1.0, inertia=(0.004,) * 3, position=(1, 0, 0.1 - 9.81e-6)))
    system.add(OutlineSphere("other_shell", body="other", radius=0.1))
    run = simulate(system, duration=1.0, method="rattle", step=1e-3, frames=0.001)
    assert run.status.completed
    # The resting ball stands in its equilibrium: 10 um deep, and stays there; explicit steps of 1 ms would be h w = 1.
    assert np.abs(run["other.position.z"] - (0.1 - 9.81e-6)).max() < 1e-9
    speed = math.sqrt(2 * 9.81 * 0.05)
    bounces = [event for event in run.events if event.kind == "contact begin" and "ball" in event.subject]
    assert [b.values["closing_speed"] for b in bounces[:3]] == pytest.approx(
        [speed, 0.9 * speed, 0.81 * speed], rel=0.01
    )


@pytest.mark.parametrize("method", ["rattle", "rattle4", "rkmk4"])
def test_a_box_on_a_slope_does_not_creep_at_a_long_step(method):
    """With two or three steps in a rocking it walked 35 mm in two seconds, at rattle's 2 ms, and completed."""
    slope = math.radians(20.0)
    system = System(gravity=(9.81 * math.sin(slope), 0.0, -9.81 * math.cos(slope)))
    system.add(OutlinePlane("floor", body="ground"))
    system.add(RigidBody("box", mass=1.0, inertia=(0.004,) * 3, position=(0, 0, 0.1001)))
    system.add(OutlineBox("shell", body="box", half_lengths=(0.1,) * 3))
    system.add(Restitution("law", friction=0.7))
    run = simulate(system, duration=3.0, method=method, step=2e-3, frames=0.5)
    assert run.status.completed
    # A fall of 0.1 mm takes 5 ms, in which the slope gives 20 mm/s: what that slides, and then nothing.
    assert np.ptp(run["box.position.x"][2:]) < 1e-9 and run["box.position.x"][-1] < 1e-3


@pytest.mark.parametrize("kind", ["box", "ball"])
def test_radau_comes_to_the_end_of_friction_that_sticks(kind):
    """Three of them tumble, slide and come to rest: it did not end in minutes, and could not be interrupted."""
    rng = np.random.default_rng(18)
    system = System(gravity=(0, 0, -9.81))
    system.add(OutlinePlane("floor", body="ground"))
    system.add(HardContact("law", restitution=0.3, friction=0.5))
    for k in range(3):
        turn = rng.normal(size=4)
        name, place = f"b{k}", (0.02 * k, 0.0, 0.2 + 0.3 * k)
        start = {"orientation": tuple(turn / np.linalg.norm(turn)), "velocity": (2.0, 0.0, 0.0)}
        system.add(RigidBody(name, mass=1.0 + k, inertia=(0.02, 0.03, 0.04), position=place, **start))
        shape = (
            OutlineBox(f"o{k}", body=name, half_lengths=(0.1, 0.08, 0.06))
            if kind == "box"
            else OutlineSphere(f"o{k}", body=name, radius=0.1)
        )
        system.add(shape)
    session = Session(system, RunSettings(duration=1.0, method="radau"))
    session.run.expect(np.array([1.0]))
    assert session.method.advance(session.run) is Outcome.LOOK  # an interrupt is seen here
    assert session.run.record["steps"][0] + session.run.record["rejected"][0] <= ATTEMPTS
    run = simulate(system, duration=1.0, method="radau", frames=0.1)
    assert run.status.completed
    assert run["energy.residual"][-1] == pytest.approx(0.0, abs=1e-3 * np.ptp(run["energy.kinetic"]))


@pytest.mark.parametrize("step", [0.1, 0.01, None])
def test_stiff_hits_are_resolved_whatever_step_was_entered(step):
    """Contacts of 30 to 300 microseconds, a step of 0.1 s, which the frames cut to 0.01 s anyway."""
    rng = np.random.default_rng(7)
    for stiffness in (1e8, *10.0 ** rng.uniform(8.0, 10.0, 3)):
        system = ball_at_floor(Restitution("law", restitution=1.0, stiffness=float(stiffness)), 0.15)
        run = simulate(system, duration=0.4, method="rk4", step=step, frames=0.01)
        assert run.status.completed, (stiffness, run.status)
        assert run["ball.velocity.z"][-1] / SPEED == pytest.approx(1.0, rel=1e-5), stiffness


@pytest.mark.parametrize("method", ["rattle", "rkmk4", "rk4", "dop853"])
def test_what_many_bounces_made_is_told(method):
    """An elastic ball for a minute: whoever ends more than a thousandth higher or lower says so, and nobody else."""
    system = ball_at_floor(Restitution("law", restitution=1.0), 1.0, gravity=9.81)
    run = simulate(system, duration=60.0, method=method, frames=0.01)
    before = run["energy.total"][0]
    moved = float(np.ptp(run["energy.kinetic"]))
    told = [words for words in run.warnings if words.startswith("Contacts")]
    assert bool(told) == (np.abs(run["energy.total"] - before).max() > 1.2e-3 * moved), told

"""The method moreau without gravity: machines that lie flat, seen from above, or fly.

Everything that measured a step did so by what gravity gives in it, which is nothing here: tolerances of the solution,
of the energy that contacts make and of what a reader is told.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import centrode as ct
from centrode.dynamics.hard.contacts import hard_block
from centrode.jit import JIT_ON
from centrode.recording.events import Event
from centrode.recording.warnings import notes_of
from centrode.running import Session
from centrode.system.settings import RunSettings

STEPS = (2e-3, 1e-3, 5e-4, 2e-4, 1e-4)
needs_speed = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")


def cube(system: ct.System, name: str, mass: float, half: float, **start: object) -> None:
    system.add(ct.RigidBody(name, mass, (mass * 2.0 / 3.0 * half**2,) * 3, **start))
    system.add(ct.OutlineBox(f"{name}-shell", name, half_lengths=(half,) * 3))


@needs_speed
@pytest.mark.parametrize("step", STEPS)
def test_two_blocks_pressed_by_a_spring_stay_where_they_are(step: float) -> None:
    """Stopped with "contacts made energy: 3.47e-19 J", round-off judged as a share of nothing."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    cube(system, "a", 1.0, 0.1, position=(-0.1, 0.0, 0.0))
    cube(system, "b", 1.0, 0.1, position=(0.1, 0.0, 0.0))
    system.add(ct.Spring("spring", "a", "b", stiffness=1000.0, length=0.1))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.3))
    run = ct.simulate(system, duration=1.0, method="moreau", step=step)
    assert run.status.completed and not run.warnings
    # 100 N for 1 s would give 100 m/s; sweeps end at 1e-7 of what a step gives
    assert np.abs(run["a.velocity"]).max() < 1e-7 * 100.0 * step


@needs_speed
@pytest.mark.parametrize("friction", (0.0, 0.05, 0.3))
@pytest.mark.parametrize("restitution", (0.0, 0.3))
def test_a_block_in_a_vise_is_held(friction: float, restitution: float) -> None:
    """A jaw on a slider, pressed by a spring of 155 N over a gap of 5 mm. It was not finite after some milliseconds."""
    for step in STEPS:
        system = ct.System(gravity=(0.0, 0.0, 0.0))
        cube(system, "work", 1.0, 0.05, position=(0.05, 0.0, 0.0))
        cube(system, "jaw", 2.0, 0.05, position=(0.155, 0.0, 0.0))
        system.add(ct.Prismatic("guide", "ground", "jaw", at=(0.155, 0.0, 0.0), axis=(1, 0, 0)))
        system.add(
            ct.Spring("spring", "ground", "jaw", point_a=(0.5, 0, 0), point_b=(0, 0, 0), stiffness=1e3, length=0.5)
        )
        system.add(ct.OutlineBox("fixed", "ground", centre=(-0.05, 0, 0), half_lengths=(0.05, 0.05, 0.05)))
        system.add(ct.Restitution("law", restitution=restitution, friction=friction))
        run = ct.simulate(system, duration=1.0, method="moreau", step=step)
        assert run.status.completed
        assert not [text for text in run.warnings if "solved" in text or "energy" in text]
        slop = 1e-3 * 0.05
        assert run["work.position"][-1] == pytest.approx((0.05, 0.0, 0.0), abs=2 * slop)
        assert run["jaw.position"][-1, 0] == pytest.approx(0.15, abs=3 * slop)


@needs_speed
@pytest.mark.parametrize("step", (2e-3, 1e-3, 5e-4))
def test_a_crank_that_turns_a_wheel_is_solved(step: float) -> None:
    """Nothing but turning: no centre of mass moves. Contacts were "not solved to the end" by 5e-17 m/s, or not finite:
    the fastest body, by which that is measured, had no speed."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    for name, x, spin in (("crank", 0.0, 3.0), ("wheel", 0.14, 0.0)):
        system.add(ct.RigidBody(name, 1.0, (2e-3,) * 3, position=(x, 0.0, 0.0), omega=(0.0, 0.0, spin)))
        system.add(ct.Revolute(f"{name}-shaft", "ground", name, at=(x, 0, 0), axis=(0, 0, 1)))
    turn = {"kind": "ramp", "slope": 3.0}
    system.add(ct.Motion("drive", "ground", "crank", at=(0, 0, 0), axis=(0, 0, 1), signal=turn))
    system.add(ct.Friction("brake", joint="wheel-shaft", coulomb=0.02))
    system.add(ct.OutlineCylinder("pin", "crank", centre=(0.1, 0, 0), radius=0.006, half_length=0.005))
    for side in (1, -1):
        centre = (-0.07, side * (0.0062 + 0.006), 0.0)
        system.add(ct.OutlineBox(f"rail{side}", "wheel", centre=centre, half_lengths=(0.035, 0.006, 0.005)))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.05))
    run = ct.simulate(system, duration=0.15, method="moreau", step=step)
    assert run.status.completed
    assert not [text for text in run.warnings if "solved" in text]
    # the pin is 40 mm from the shaft of the wheel at first, 0.1 mm of play; it turns by 0.45 rad
    y, x = 0.1 * np.sin(3.0 * 0.15), 0.14 - 0.1 * np.cos(3.0 * 0.15)
    assert run["wheel-shaft.angle"][-1] == pytest.approx(-np.arctan2(y, x), abs=2 * 2e-4 / 0.04)


def test_links_without_forces_keep_their_energy_and_are_not_told_of() -> None:
    """The audit was off by "100 % of the energy that moved": all that moved was its own error, 2e-8 of the energy."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    inertia = (1.0 / 3.0 * 8e-4, 1.0 / 3.0 * 0.0404, 1.0 / 3.0 * 0.0404)
    system.add(ct.RigidBody("a", 1.0, inertia, position=(0.2, 0, 0)))
    system.add(ct.RigidBody("c", 1.0, inertia, position=(0.6, 0, 0), omega=(0, 0, 3.0), velocity=(0, 0.6, 0)))
    system.add(ct.Revolute("h0", "ground", "a", at=(0, 0, 0), axis=(0, 0, 1)))
    system.add(ct.Revolute("h1", "a", "c", at=(0.4, 0, 0), axis=(0, 0, 1)))
    for name in "ac":
        turned = ((0, 0, 1), (0, 1, 0), (-1, 0, 0))
        system.add(ct.OutlineCapsule(f"o{name}", name, radius=0.02, half_length=0.15, rotation=turned))
    system.add(ct.Restitution("law", restitution=0.5, friction=0.1))
    run = ct.simulate(system, duration=2.0, method="moreau")
    assert run["energy.kinetic"] == pytest.approx(run["energy.kinetic"][0], rel=1e-6)  # order two: measured 2e-8
    assert not run.warnings


@pytest.mark.parametrize(("count", "words"), ((1.0, "1 time contacts"), (93.0, "93 times contacts")))
def test_what_was_not_solved_is_told_with_its_noun(count: float, words: str) -> None:
    """It said "93 were not solved to the end 93 times": readers put the number in the place of the first word."""
    system = ct.System()
    cube(system, "box", 1.0, 0.1, position=(0, 0, 0.1))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.HardContact("law"))
    session = Session(system, RunSettings(duration=1.0, method="moreau"))
    head = hard_block(session.workspace).tables.head[0]
    head.unsolved, head.unsolved_time, head.residual = count, 0.3, 2e-3
    assert session.model.contacts is not None
    events = [Event(*item) for item in session.model.contacts.drain(session.workspace, at_end=True)]
    (told,) = notes_of(SimpleNamespace(events=events))  # type: ignore[arg-type]
    assert told.startswith(f"{words} were not solved to the end, first at 0.3 s")

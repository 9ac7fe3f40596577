"""Orders of all methods, measured; drift of the energy-keeping ones over a million steps."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

from centrode.methods.method import methods
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.spring import Spring
from centrode.parts.joints.revolute import Revolute
from centrode.running import Session, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings
from centrode.vehicles.mechanisms.bricard import bricard
from centrode.vehicles.mechanisms.pendulum import pendulum
from centrode.vehicles.mechanisms.squeezer import squeezer

PROBLEMS = {"a01": (pendulum, 2.0, 0.02), "a03": (squeezer, 0.03, 5e-5), "a04": (bricard, 2.0, 0.02)}
"""Problem -> builder, duration, largest step [s]."""
FIXED = {"rk4-projected": 4, "rattle": 2, "rattle4": 4}


def end_pose(system, duration, method, step=None, tolerance=1e-13):
    session = Session(
        system, RunSettings(duration=duration, method=method, step=step, tolerance=tolerance, audit=False)
    )
    _, outcome = session.advance(np.array([duration]))
    assert outcome == 0
    return session.workspace["pose"].copy()


@functools.cache
def exact(problem):
    build, duration, _ = PROBLEMS[problem]
    return end_pose(build(), duration, "dop853")


@pytest.mark.parametrize("method", FIXED)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_fixed_step_methods_reach_their_order(problem, method):
    build, duration, step = PROBLEMS[problem]
    errors = [np.abs(end_pose(build(), duration, method, step / n) - exact(problem)).max() for n in (1, 2)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(FIXED[method], abs=0.15)


@pytest.mark.parametrize("method", ["dop853", "dp5", "radau"])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_adaptive_methods_follow_the_tolerance(problem, method):
    """The error is a constant of the problem times the tolerance, at most 1000 (hundreds of steps that grow by a few).

    A loose run may be accurate by luck, so the decrease over three decades is asked to be one decade only.
    """
    build, duration, _ = PROBLEMS[problem]
    errors = [
        np.abs(end_pose(build(), duration, method, tolerance=tolerance) - exact(problem)).max()
        for tolerance in (1e-5, 1e-8)
    ]
    assert errors[0] < 1000.0 * 1e-5
    assert errors[1] < 1000.0 * 1e-8
    assert errors[1] < errors[0] / 10.0


def spinning_body():
    """A free body on a spring: every method can run it, joints or not."""
    system = System(gravity=(0.0, 0.0, 0.0))
    system.add(RigidBody("body", 1.0, (1.0, 2.0, 2.5), velocity=(0.2, 0.1, 0.0), omega=(0.3, 1.0, 0.2)))
    system.add(Spring("spring", system.ground, "body", 5.0, 0.1, 0.5, point_a=(1.0, 0.0, 0.0), point_b=(0.1, 0.2, 0.0)))
    return system


@pytest.mark.parametrize("name", [name for name, method in methods().items() if not method.adaptive])
def test_every_fixed_step_method_has_the_order_it_declares(name):
    method = methods()[name]
    step = {1: 1e-3, 2: 1e-2}.get(method.order, 4e-2)
    truth = end_pose(spinning_body(), 1.0, "dop853")
    errors = [np.abs(end_pose(spinning_body(), 1.0, name, step / n) - truth).max() for n in (1, 2)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.15)


def rod_pendulum():
    system = System(plane=True)
    system.add(PlanarBody("arm", 1.0, 1.0 / 12.0, position=(0.5, 0.0)))
    system.add(Revolute("hinge", system.ground, "arm", at=(0.0, 0.0), track=False))
    return system


@pytest.mark.slow
def test_rattle_keeps_the_energy_over_a_million_steps():
    """Symplectic: the energy swings with h^2 and does not drift. Ten thousand swings, 5e3 s, a million steps.

    The pendulum falls through 0.5 m: kinetic energy up to m g l / 2 = 4.9 J. With h = 5e-3 and a frequency of 3.8 1/s
    (w h)^2 / 8 = 4.5e-5 of it, times up to 3 for the large amplitude, is the size of the swing: 7e-4 J.
    """
    run = simulate(rod_pendulum(), duration=5e3, method="rattle", step=5e-3, frames=2.5, audit=False)
    assert run.statistics.steps == 1_000_000
    energy = run["energy.total"]
    assert np.abs(energy).max() < 7e-4
    tenth = energy.size // 10
    assert abs(energy[-tenth:].mean() - energy[1 : tenth + 1].mean()) < 2e-5
    assert np.ptp(energy[-tenth:]) < 1.5 * np.ptp(energy[1 : tenth + 1])
    assert run["constraint.residual"].max() < 1e-11
    # For comparison: RK4 at a tenth of the steps loses energy all the time.
    drifting = simulate(rod_pendulum(), duration=5e2, method="rk4-projected", step=2e-2, frames=2.5, audit=False)
    loss = drifting["energy.total"]
    assert loss[-1] < loss[loss.size // 2] < loss[1]


def test_rattle_is_reversible():
    """Forward, velocities turned round, forward again: back at the start to round-off of a thousand steps."""
    session = Session(bricard(sensor=False), RunSettings(duration=1.0, method="rattle", step=1e-3, audit=False))
    start = session.workspace["pose"].copy()
    session.advance(np.array([1.0]))
    session.workspace["velocity"][:] *= -1.0
    session.run.fresh = True
    session.advance(np.array([2.0]))
    assert np.abs(session.workspace["pose"] - start).max() < 1e-9

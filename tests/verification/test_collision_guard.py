"""Nothing passes through anything unseen: a fast ball and a thin wall, with every method at its own step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from centrode.jit import JIT_ON
from centrode.methods.method import methods
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.contact_laws.restitution import Restitution
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.running import Session, simulate
from centrode.system.builder import System
from centrode.system.settings import RunSettings

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

RADIUS, HALF_WALL, MASS = 0.02, 0.005, 1.0


def ball_and_wall(
    stiffness: float = 1e9, speed: float = 100.0, start: float = -3.05, aside: float = 0.0, smooth: bool = True
) -> System:
    """A ball of 2 cm radius flies at a wall 1 cm thick, in the plane x = 0."""
    system = System(gravity=(0, 0, 0))
    place = (start, aside, 0.0)
    system.add(RigidBody("ball", mass=MASS, inertia=(4e-4,) * 3, position=place, velocity=(speed, 0, 0)))
    system.add(OutlineSuperellipsoid("shell", body="ball", semi_axes=(RADIUS,) * 3, squareness=1.0))
    if smooth:
        system.add(OutlineSuperellipsoid("wall", body="ground", semi_axes=(HALF_WALL, 1, 1), squareness=0.4))
    else:
        system.add(OutlineBox("wall", body="ground", half_lengths=(HALF_WALL, 1, 1)))
    system.add(LinearContact("law", stiffness=stiffness))
    return system


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("method", sorted(name for name, method in methods().items() if not method.hard_contacts))
def test_a_fast_ball_bounces_off_a_thin_wall(method, smooth):
    system = ball_and_wall(smooth=smooth, aside=0.013)
    run = simulate(system, duration=0.05, method=method, frames=0.01, audit=False)
    assert run["ball.position.x"].max() < 0.0  # never on the other side
    assert run.status.completed
    # Elastic: back at the speed it came with, 64 steps in the contact at least; the own step of discrete is a tenth of
    # it, 1e-5 s.
    assert run["ball.velocity"][-1, 0] == pytest.approx(-100.0, rel=0.02 if method == "discrete" else 2e-3)


@pytest.mark.parametrize("method", ["rk4-projected", "rattle", "radau", "dop853"])
def test_a_law_that_is_too_soft_stops_the_run_with_the_pair(method):
    # 1 kg at 100 m/s needs 10 cm of a spring of 1e6 N/m; the middle of the wall is 2.5 cm away
    run = simulate(ball_and_wall(stiffness=1e6), duration=0.05, method=method, frames=0.01, audit=False)
    stop = run.status.stop
    assert not run.status.completed
    assert "'shell' of 'ball'" in stop.where and "'wall' of 'ground'" in stop.where and "m/s" in stop.where
    assert "stiffer" in stop.suggestion
    # Methods with step control have looked with steps of picoseconds before they give up: no advice for anybody.
    assert ("a step of" in stop.suggestion) == (stop.details["step"] > 1e-7)
    assert 0.03 < stop.time < 0.031
    # A swing of the spring has begun 3.025 m after the start; (h w)^2/24 for steps of 50 us, second order at least.
    assert stop.details["speed"] == pytest.approx(100.0 * math.cos(1e3 * (stop.time - 0.03025)), rel=0.05**2 / 24.0)
    assert len(run.time) == 4 and run["ball.position"].shape == (4, 3)  # what was computed is kept


def test_a_step_that_sees_the_wall_is_left_alone():
    """The guard only looks: a run whose steps are short enough takes just these."""
    fine = simulate(ball_and_wall(stiffness=1e9), duration=0.05, method="rattle", step=1e-6, frames=0.01, audit=False)
    assert fine.statistics.steps == 50_000
    assert fine["ball.velocity"][-1, 0] == pytest.approx(-100.0, rel=(1e-6 / 1e-4 * np.pi) ** 2)  # order 2


def test_a_ball_that_misses_the_wall_is_not_held_up():
    # beside the wall by a millimetre: the swept spheres meet, nothing else does
    run = simulate(
        ball_and_wall(aside=1.0 + RADIUS + 1e-3, smooth=False),
        duration=0.06,
        method="rk4-projected",
        step=1e-3,
        frames=0.01,
        audit=False,
    )
    assert run.status.completed and run.statistics.steps == 60
    assert run["ball.position.x"][-1] == pytest.approx(2.95)


def test_the_step_is_its_own_again_after_the_hit():
    system = ball_and_wall()
    session = Session(system, RunSettings(duration=1.0, method="rattle", step=1e-3, audit=False))
    session.advance(np.array([0.03, 0.04]))
    assert session.run.step < 1e-5
    session.advance(np.array([0.05]))
    assert session.run.step == 1e-3


def test_two_moving_bodies_are_guarded_as_well():
    system = System(gravity=(0, 0, 0))
    for name, x, speed in (("left", -2.03, 60.0), ("right", 2.0, -60.0)):
        system.add(RigidBody(name, mass=1.0, inertia=(4e-4,) * 3, position=(x, 0, 0), velocity=(speed, 0, 0)))
        system.add(OutlineSuperellipsoid(f"{name}-shell", body=name, semi_axes=(RADIUS,) * 3, squareness=1.0))
    system.add(LinearContact("law", stiffness=1e9))
    run = simulate(system, duration=0.06, method="rk4-projected", step=1e-3, frames=0.01, audit=False)
    assert run.status.completed
    assert run["left.velocity"][-1, 0] == pytest.approx(-60.0, rel=1e-4)
    assert run["right.velocity"][-1, 0] == pytest.approx(60.0, rel=1e-4)
    assert (run["left.position.x"] < run["right.position.x"]).all()


def test_a_guarded_run_goes_on_from_a_state_bit_for_bit():
    def session() -> Session:
        return Session(ball_and_wall(), RunSettings(duration=1.0, method="rattle", step=1e-3, audit=False))

    whole, parts = session(), session()
    for run in (whole, parts):
        run.advance(np.array([0.0302, 0.0303]))  # inside the hit, with the short step
    state = parts.state()
    later = session()
    later.restore(state)
    for run in (whole, later):
        run.advance(np.array([0.035, 0.04]))
    np.testing.assert_array_equal(whole.workspace.values, later.workspace.values)


def test_a_step_too_long_for_a_contact_at_rest_is_divided():
    """Dominoes on a floor of 1e9 N/m: the floor threw the first through the second into the third, and the run stopped
    and named those two. Its contacts are resolved now, and the motion is that of a method with step control, to what
    the tolerance of that leaves."""
    half, mass = (0.004, 0.012, 0.024), 0.01
    inertia = tuple(mass / 3.0 * (np.dot(half, half) - h * h) for h in half)
    system = System()
    system.add(OutlinePlane("floor", body="ground"))
    for k in range(3):
        push = {"omega": (0.0, 6.0, 0.0), "velocity": (0.144, 0.0, 0.0)} if k == 0 else {}
        system.add(RigidBody(f"d{k}", mass=mass, inertia=inertia, position=(0.03 * k, 0.0, half[2]), **push))
        system.add(OutlineBox(f"o{k}", body=f"d{k}", half_lengths=half))
    system.add(Restitution("law", stiffness=1e9, friction=0.4))
    run = simulate(system, duration=0.05, frames=0.01, method="rk4-projected")
    controlled = simulate(system, duration=0.05, frames=0.01, method="dop853")
    assert run.status.completed and controlled.status.completed
    assert run["d0.position"][-1] == pytest.approx(controlled["d0.position"][-1], abs=1e-6)
    assert any("are too long for them" in word for word in run.warnings)

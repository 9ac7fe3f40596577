"""Heat of method moreau: what friction takes, and what the length of the step takes where a rim rolls."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct

G, MASS, RADIUS, HALF = 9.81, 0.2, 0.1, 0.0005


def leaning_disc(tilt: float, step: float) -> ct.Recording:
    """A thin disc that rolls on its rim without slip, its centre at rest: Omega^2 = 4 g / (R sin(tilt))."""
    turning = np.sqrt(4.0 * G / (RADIUS * np.sin(tilt)))
    c, s = np.cos(tilt), np.sin(tilt)
    axis, low = np.array([0.0, -s, c]), np.array([0.0, -c, -s])
    spin = turning * (np.array([0.0, 0.0, 1.0]) - c * axis)
    arm = RADIUS * low - HALF * axis
    rotation = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    across = MASS * (3.0 * RADIUS**2 + 4.0 * HALF**2) / 12.0
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(
        ct.RigidBody(
            "disc", MASS, (across, across, 0.5 * MASS * RADIUS**2), position=(0.0, 0.0, float(-arm[2])),
            orientation=(float(np.cos(0.5 * tilt)), float(np.sin(0.5 * tilt)), 0.0, 0.0),
            omega=tuple((rotation.T @ spin).tolist()), velocity=tuple((-np.cross(spin, arm)).tolist()),
        )
    )  # fmt: skip
    system.add(ct.OutlineCylinder("rim", "disc", radius=RADIUS, half_length=HALF))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.Restitution("law", restitution=0.5, friction=1.0))
    return ct.simulate(system, duration=0.3, method="moreau", step=step)


@pytest.mark.parametrize("step", [4e-4, 1e-4, 2.5e-5])
def test_a_disc_that_rolls_leaning_loses_by_the_step_not_by_friction(step: float) -> None:
    """Friction was booked with less than nothing."""
    run = leaning_disc(0.15, step)
    heat = run["collisions.heat"][-1]
    assert heat > 0.0
    assert run["energy.total"][0] - run["energy.total"][-1] == pytest.approx(heat, rel=0.1)
    assert (np.diff(run["collisions.heat_friction"]) >= 0.0).all()
    assert run["collisions.heat_friction"][-1] < 1e-3 * heat
    assert run["collisions.heat_step"][-1] == pytest.approx(heat, rel=1e-2)


def test_what_the_step_takes_is_of_first_order() -> None:
    long, short = (leaning_disc(0.15, step)["collisions.heat_step"][-1] for step in (1e-4, 2.5e-5))
    assert long / short == pytest.approx(4.0, rel=0.15)


@pytest.mark.parametrize("tilt", [0.3, 0.5, 1.0])
@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_friction_never_gives(tilt: float, step: float) -> None:
    run = leaning_disc(tilt, step)
    assert (np.diff(run["collisions.heat_friction"]) >= 0.0).all()


def test_a_ball_that_slides_until_it_rolls_loses_by_friction_alone() -> None:
    system = ct.System(gravity=(0.0, 0.0, -G))
    system.add(ct.RigidBody("b", 1.0, (0.004,) * 3, position=(0.0, 0.0, 0.1), velocity=(1.0, 0.0, 0.0)))
    system.add(ct.OutlineSphere("o", "b", radius=0.1))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.Restitution("law", restitution=0.0, friction=0.2))
    run = ct.simulate(system, duration=1.0, method="moreau")
    assert run["collisions.heat_friction"][-1] == pytest.approx(0.5 * 2.0 / 7.0, rel=1e-6)
    assert abs(run["collisions.heat_step"][-1]) < 1e-9


def test_a_ball_that_is_thrown_down_aslant_and_sticks_loses_by_friction_and_the_hit() -> None:
    """Friction stops the slip of 1 m/s: half of 2/7 m u^2. The fall without rebound: half of m v^2."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("b", 1.0, (0.004,) * 3, position=(0.0, 0.0, 0.1501), velocity=(1.0, 0.0, -2.0)))
    system.add(ct.OutlineSphere("o", "b", radius=0.1))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.HardContact("law", restitution=0.0, friction=0.5))
    run = ct.simulate(system, duration=0.1, method="moreau", step=1e-3)
    assert run["collisions.heat"][-1] == pytest.approx(0.5 * 2.0 / 7.0 + 0.5 * 4.0, rel=1e-6)
    assert run["collisions.heat_friction"][-1] == pytest.approx(0.5 * 2.0 / 7.0, rel=1e-6)

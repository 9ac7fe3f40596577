"""Instantaneous-centre methods under forces: steady turns exactly, orders 1, 2, 2 on a body that tumbles and falls."""

import math

import numpy as np
import pytest

import centrode as ct
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.forces.spring import Spring


def turning_body():
    """A point on a central spring in circular motion, body turning with it: constant twist in body axes."""
    radius, omega, mass = 10.0, 2.0, 3.0
    system = ct.System(plane=True, gravity=(0.0, 0.0))
    system.add(
        PlanarBody(
            "car",
            mass=mass,
            inertia=1.0,
            position=(radius, 0),
            angle=math.pi / 2,
            velocity=(0, radius * omega),
            omega=omega,
        )
    )
    system.add(Spring("centre", system.ground, "car", stiffness=mass * omega**2, length=0.0))
    return system, radius, omega


def test_exact_update_keeps_a_steady_turn():
    """20 steps a turn, 5 turns. The central force turns with the body, so R^T a - w x u = 0 and the twist is constant;
    round-off of 100 steps on a circle of 10 m, amplified by the neutral orbit, stays below 1e-11 m."""
    system, radius, omega = turning_body()
    period = 2 * math.pi / omega
    run = ct.simulate(system, duration=5 * period, method="ici-exact", step=period / 20, frames=period / 20)
    distance = np.hypot(*run["car.position"].T)
    assert np.abs(distance - radius).max() < 1e-11
    angle = omega * run.time
    np.testing.assert_allclose(run["car.position"][:, 0], radius * np.cos(angle), atol=1e-10)


@pytest.mark.parametrize(("method", "order"), [("ici-first", 1), ("ici-second", 2), ("ici-exact", 2)])
def test_order_on_a_falling_tumbling_body(method, order):
    """Slope of the end error over three halvings within 0.15 of the order, against dop853 at 1e-12."""

    def end(name, step):
        system = ct.System()
        system.add(
            ct.RigidBody("b", mass=2.0, inertia=(0.2, 0.3, 0.4), velocity=(3.0, 1.0, 4.0), omega=(1.0, 2.0, 0.5))
        )
        system.add(
            Spring("s", system.ground, "b", stiffness=5.0, length=0.5, point_b=(0.1, 0.2, 0.0), point_a=(0, 0, 1.0))
        )
        run = ct.simulate(system, duration=1.0, method=name, step=step, tolerance=1e-12, frames=1.0, audit=False)
        return np.concatenate([run["b.position"][-1], run["b.orientation"][-1]])

    truth = end("dop853", 1e-3)
    steps = [1 / 200, 1 / 400, 1 / 800]
    errors = [np.abs(end(method, h) - truth).max() for h in steps]
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(order, abs=0.15)

"""The law of crush between two bodies of which neither gives way: a rider on a motorcycle, a trailer and a wall."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import centrode as ct

pytestmark = pytest.mark.compiled
E_AT_TWO = brentq(lambda e: -2.0 * e - math.log(1.0 - 2.0 * e) - 2.0 + math.log(3.0), 0.1, 0.49)


def test_two_rigid_bodies_meet_under_the_law_of_crush():
    """The law had no kernel of its own: calling it ended the process (segmentation fault). A box of 1 t runs into a
    wall at 2 m/s, with a car in the scene for which the law is meant. It comes back with e = 0.411, eq. (1) of
    hunt_crossley at a v = 2, but for the depth of two boxes, which is 3 % off their overlap at most (depth.py)."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("box", mass=1000.0, inertia=(500.0, 500.0, 500.0), velocity=(2.0, 0.0, 0.0)))
    system.add(ct.OutlineBox("side", body="box", half_lengths=(0.5, 0.5, 0.5), material="steel"))
    wall = {"centre": (2.0, 0.0, 0.0), "half_lengths": (1.0, 3.0, 3.0)}
    system.add(ct.OutlineBox("wall", body="ground", material="wall", **wall))
    system.add(ct.RoadPlane("road", origin=(0.0, 0.0, -50.0)))
    system.add(ct.Car("car", road="road", chassis="rigid", position=(0.0, 30.0)))
    system.add(ct.Crush("law", stiffness=1e6))
    run = ct.simulate(system, duration=1.0, method="rk4-projected", step=2e-4, frames=0.01)
    assert run.status.completed, run.status
    assert run["box.velocity"][-1, 0] == pytest.approx(-2.0 * E_AT_TWO, rel=0.03)
    assert np.abs(run["energy.residual"]).max() < 1.0


def test_a_rider_sits_on_a_motorcycle_in_a_crash_scenario():
    system = ct.System()
    system.add(ct.RoadPlane("road"))
    system.add(ct.MidsizeCar("car", road="road", position=(0.0, 20.0)))
    system.add(ct.Motorcycle("bike", road="road", speed=10.0))
    system.add(ct.Rider("rider", rides="bike"))
    system.add(ct.Crush("law"))
    run = ct.simulate(system, duration=0.2, method="rk4-projected", step=2.5e-4, frames=0.01)
    assert run.status.completed, run.status
    assert run["rider.chest.position"][-1, 2] > 0.9

"""What every method owes the rest of the house, whatever its order: contacts are felt, and remembered (those of hard
contacts: test_hard_contact.py).

A ball of mass m falls through h onto a plane with a spring contact (stiffness k, no damping) and must come back. With
w = sqrt(k/m), v0 = sqrt(2 g h): it leaves the ground after t = v0/g + 2 (pi - atan(v0 w / g)) / w with v0 upwards.
"""

from __future__ import annotations

import math

import pytest

from centrode.jit import JIT_ON
from centrode.methods.method import methods
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.outlines.plane import OutlinePlane
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.running import simulate
from centrode.system.builder import System

pytestmark = pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")

MASS, RADIUS, HEIGHT, STIFFNESS, GRAVITY = 2.0, 0.1, 0.05, 2.0e4, 9.81


@pytest.mark.parametrize("name", sorted(name for name, method in methods().items() if not method.hard_contacts))
def test_a_dropped_ball_comes_back(name):
    system = System(gravity=(0, 0, -GRAVITY))
    system.add(RigidBody("ball", mass=MASS, inertia=(0.008,) * 3, position=(0, 0, RADIUS + HEIGHT)))
    system.add(OutlineSphere("skin", body="ball", radius=RADIUS))
    system.add(OutlinePlane("floor", body="ground"))
    system.add(LinearContact("spring", stiffness=STIFFNESS))
    step = 1e-5
    touch = math.sqrt(2.0 * HEIGHT / GRAVITY)
    speed = GRAVITY * touch
    omega = math.sqrt(STIFFNESS / MASS)
    away = touch + 2.0 * (math.pi - math.atan(speed * omega / GRAVITY)) / omega
    end = round(away + 0.03, 2)
    run = simulate(system, duration=end, method=name, step=step, frames=0.01)
    after = end - away
    # One hit at least is seen at whole steps: half a step of free fall at each end of it (v0 h), and a first-order
    # method adds an energy error of order w h per radian of the hit, 2 v0 * pi * w h / 2 at the worst.
    allowed = speed * step + math.pi * speed * omega * step
    assert float(run["ball.velocity"][-1, 2]) == pytest.approx(speed - GRAVITY * after, abs=allowed)
    assert len(run.collisions) == 1

"""Spinning bodies: a body free in space (SPIN), and the heavy symmetric top on a ball joint.

Steady precession of the heavy top at the inclination th, with I1, I3 about the fixed point and spin w3:

    Omega = (I3 w3 -+ sqrt(I3^2 w3^2 - 4 I1 m g l cos th)) / (2 I1 cos th)                          (1)

(H. Goldstein, "Classical Mechanics", 5.7). Slow precession takes the minus sign. The top keeps upright by itself (it
"sleeps") for w3 >= 2 sqrt(I1 m g l) / I3.
"""

from __future__ import annotations

import math

from centrode.errors import InputError
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.ball import Ball
from centrode.system.builder import System

GRAVITY = 9.81


def free_body(
    inertia: tuple[float, float, float] = (1.0, 2.0, 3.0), omega: tuple[float, float, float] = (0.01, 5.0, 0.01)
) -> System:
    """A body free in space without gravity; the defaults are SPIN, 10 s.

    Args:
        inertia: principal moments [kg m2].
        omega: in body axes at the start [rad/s].
    """
    system = System("Free body", gravity=(0.0, 0.0, 0.0))
    system.add(RigidBody("body", 1.0, inertia, omega=omega))
    return system


def precession(transverse: float, axial: float, moment: float, spin: float, inclination: float) -> tuple[float, float]:
    """Slow and fast precession (1) [rad/s].

    Args:
        transverse, axial: I1 and I3 about the fixed point [kg m2].
        moment: m g l [N m].
        spin: w3 [rad/s].
        inclination: th [rad].
    """
    root = (axial * spin) ** 2 - 4.0 * transverse * moment * math.cos(inclination)
    if root < 0.0:
        raise InputError("too slow for steady precession", path="spin", got=spin)
    below = 2.0 * transverse * math.cos(inclination)
    return (axial * spin - math.sqrt(root)) / below, (axial * spin + math.sqrt(root)) / below


def heavy_top(
    transverse: float = 0.02,
    axial: float = 0.01,
    moment: float = 0.5,
    spin: float = 40.0,
    inclination: float = math.radians(30.0),
    rate: float | None = None,
    mass: float = 0.5,
) -> System:
    """Symmetric top on a ball joint at the origin, in slow steady precession unless ``rate`` says otherwise.

    Args:
        transverse, axial: I1 and I3 about the fixed point [kg m2].
        moment: m g l [N m].
        spin: component of the angular velocity along the axis, w3 [rad/s].
        inclination: of the axis from the vertical, about x [rad].
        rate: precession about the vertical at the start [rad/s].
        mass: [kg].
    """
    arm = moment / (mass * GRAVITY)
    if transverse <= mass * arm**2:
        what, expected = "the transverse inertia is too small for mass and arm", f"above {mass * arm**2:.4g} kg m2"
        raise InputError(what, path="transverse", got=transverse, expected=expected)
    turn = precession(transverse, axial, moment, spin, inclination)[0] if rate is None else rate
    system = System("Heavy top", gravity=(0.0, 0.0, -GRAVITY))
    own = transverse - mass * arm**2
    half = 0.5 * inclination
    leaning, omega = (math.cos(half), math.sin(half), 0.0, 0.0), (0.0, turn * math.sin(inclination), spin)
    centre, inertia = (0.0, 0.0, arm), (own, own, axial)
    system.add(RigidBody("top", mass, inertia, orientation=leaning, omega=omega, centre_of_mass=centre))
    system.add(Ball("tip", system.ground, "top", at=(0.0, 0.0, 0.0)))
    return system

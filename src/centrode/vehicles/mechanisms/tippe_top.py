"""Tippe top: a sphere with its centre of mass below its middle, which turns itself over when spun fast enough.

Sliding friction at the point of contact does it. For a symmetric body on a sphere, whatever the friction at the foot,
Jellett's quantity J = L . (R z - a e) stays: L angular momentum about the centre of mass, R radius, a distance of the
sphere's middle from the centre of mass along the axis e, z up (H. K. Moffatt, T. Tokieda, "Celt reversals", 2008; E. J.
Routh, "Advanced Dynamics", art. 243). The contact here is elastic, so the foot lies d below the surface and J changes
by L_z d.
"""

from __future__ import annotations

import dataclasses
import math

from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.sphere_contact import SphereContact
from centrode.system.builder import System

RADIUS = 0.015
"""Of the sphere [m]."""
OFFSET = 0.003
"""Of the sphere's middle above the centre of mass at the start, along the axis [m]."""


def tippe_top(spin: float = 155.0, lean: float = 0.1, friction: float = 0.3) -> System:
    """A tippe top of 6 g spun about its nearly upright axis; it is upside down after about 3 s.

    Args:
        spin: about its axis [rad/s].
        lean: of the axis at the start [rad].
        friction: coefficient of friction with the floor.
    """
    system = System("Tippe top")
    mass = 0.006
    # Body frame at the centre of mass, z along the axis towards the middle of the sphere.
    own = 0.4 * mass * RADIUS**2
    inertia = (131.0 / 120.0 * own, 131.0 / 120.0 * own, own)
    place = (0.0, 0.0, RADIUS - OFFSET * math.cos(lean))
    leaning = (math.cos(0.5 * lean), math.sin(0.5 * lean), 0.0, 0.0)
    system.add(RigidBody("top", mass, inertia, position=place, orientation=leaning, omega=(0.0, 0.0, spin)))
    floor = SphereContact("floor", "top", radius=RADIUS, point_body=(0.0, 0.0, OFFSET), friction=friction)
    system.add(dataclasses.replace(floor, stiffness=2e3, damping=2.0, slip_speed=0.01))
    return system

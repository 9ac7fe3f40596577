"""Pendulums in the plane: a point mass on a massless rod (IFToMM benchmark A01), and two rods in a row.

The point mass keeps to its circle by one distance row, so the whole system is three velocities and one row.
Reference: IFToMM Technical Committee for Multibody Dynamics, library of computational benchmark problems, A01.
"""

from __future__ import annotations

import math

from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rod import Rod
from centrode.system.builder import System


def pendulum(mass: float = 1.0, length: float = 1.0, angle: float = -math.pi / 2, omega: float = 0.0) -> System:
    """Point mass on a massless rod; the defaults are A01: released from (-1, 0), 10 s.

    Args:
        mass: [kg].
        length: of the rod [m].
        angle: of the rod at the start from the downward vertical, counter-clockwise [rad].
        omega: its rate at the start [rad/s].
    """
    system = System("Pendulum", plane=True)
    # Exactly horizontal by default: sin and cos of -pi/2 as floats miss the axis by 6e-17.
    sine, cosine = (-1.0, 0.0) if angle == -math.pi / 2 else (math.sin(angle), math.cos(angle))
    place = (length * sine, -length * cosine)
    bob = system.add(PlanarBody("bob", mass, position=place, velocity=(omega * length * cosine, omega * length * sine)))
    system.add(Rod("rod", system.ground, bob))
    return system


def double_pendulum(
    mass: float = 1.0, length: float = 1.0, first_angle: float = 2.0, second_angle: float = 2.5
) -> System:
    """Two equal uniform rods in a row, released from rest: chaotic for large angles.

    Args:
        mass, length: of each rod [kg], [m].
        first_angle, second_angle: at the start from the downward vertical, counter-clockwise [rad].
    """
    system = System("Double pendulum", plane=True)
    inertia = mass * length**2 / 12.0
    hinge = (0.0, 0.0)
    previous = "ground"
    for name, angle in (("upper", first_angle), ("lower", second_angle)):
        end = (hinge[0] + length * math.sin(angle), hinge[1] - length * math.cos(angle))
        middle = (0.5 * (hinge[0] + end[0]), 0.5 * (hinge[1] + end[1]))
        system.add(PlanarBody(name, mass, inertia, position=middle, angle=angle))
        system.add(Revolute(f"{name}-hinge", previous, name, at=hinge))
        hinge, previous = end, name
    return system

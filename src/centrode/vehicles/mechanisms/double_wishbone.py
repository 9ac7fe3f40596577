"""Double wishbone suspension of a left front wheel: two arms, upright, track rod, spring and damper.

The car body is the ground. x forward, y left, z up; the arms turn about axes along x, the upright hangs on ball joints
between them, the track rod (a massless rod) holds its steering angle. One degree of freedom: the wheel's travel.
Dimensions are those of a middle-sized car; the wheel load acts at the contact patch.
"""

from __future__ import annotations

import math

from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.point_force import PointForce
from centrode.parts.forces.spring import Spring
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.revolute import Revolute
from centrode.parts.joints.rod import Rod
from centrode.parts.points.point import Point
from centrode.system.builder import System

LOWER_INNER, LOWER_OUTER = (0.0, 0.30, 0.22), (0.0, 0.70, 0.18)
UPPER_INNER, UPPER_OUTER = (-0.02, 0.40, 0.52), (-0.02, 0.67, 0.50)
TRACK_INNER, TRACK_OUTER = (-0.12, 0.32, 0.27), (-0.12, 0.69, 0.235)
WHEEL_CENTRE, PATCH = (0.0, 0.76, 0.30), (0.0, 0.76, 0.0)
SPRING_TOP, SPRING_FOOT = (0.0, 0.42, 0.62), (0.0, 0.52, 0.20)


def double_wishbone(load: float = 3500.0, stiffness: float = 45e3, damping: float = 3e3) -> System:
    """The suspension, dropped from its design position on the wheel load.

    Args:
        load: vertical force at the contact patch [N].
        stiffness: of the spring [N/m]; it carries 5000 N in the design position.
        damping: of the damper [N s/m].
    """
    system = System("Double wishbone suspension")
    for name, inner, outer, mass in (
        ("lower-arm", LOWER_INNER, LOWER_OUTER, 6.0),
        ("upper-arm", UPPER_INNER, UPPER_OUTER, 3.0),
    ):
        middle = (0.5 * (inner[0] + outer[0]), 0.5 * (inner[1] + outer[1]), 0.5 * (inner[2] + outer[2]))
        across = mass * math.dist(inner, outer) ** 2 / 12.0
        system.add(RigidBody(name, mass, (across, 0.4 * across, 1.2 * across), position=middle))
        system.add(Revolute(f"{name}-bush", system.ground, name, at=inner, axis=(1.0, 0.0, 0.0)))
    system.add(RigidBody("upright", 28.0, (0.9, 1.3, 0.9), position=WHEEL_CENTRE))
    system.add(Ball("lower-ball", "lower-arm", "upright", at=LOWER_OUTER))
    system.add(Ball("upper-ball", "upper-arm", "upright", at=UPPER_OUTER))
    system.add(Rod("track-rod", system.ground, "upright", point_a=TRACK_INNER, point_b=_local(TRACK_OUTER)))
    system.add(Point("patch", "upright", _local(PATCH)))
    foot = tuple(f - 0.5 * (i + o) for f, i, o in zip(SPRING_FOOT, LOWER_INNER, LOWER_OUTER, strict=True))
    law = (stiffness, damping, math.dist(SPRING_TOP, SPRING_FOOT) + 5000.0 / stiffness)
    system.add(Spring("strut", system.ground, "lower-arm", *law, point_a=SPRING_TOP, point_b=foot))
    system.add(PointForce("wheel-load", "upright", load, (0.0, 0.0, 1.0), point_body=_local(PATCH)))
    return system


def _local(point: tuple[float, float, float]) -> tuple[float, float, float]:
    """A world point at the start in the frame of the upright, whose origin is the wheel centre."""
    return tuple(p - c for p, c in zip(point, WHEEL_CENTRE, strict=True))  # type: ignore[return-value]

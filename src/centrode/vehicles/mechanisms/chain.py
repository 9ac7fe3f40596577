"""Chain of N rods on ball joints, inclined and turning about the vertical: cost against length, energy drift."""

from __future__ import annotations

import math

import numpy as np

from centrode.errors import InputError
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.ball import Ball
from centrode.system.builder import System

LENGTH = 0.1
MASS = 0.1
RADIUS = 0.02
TRANSVERSE = MASS * (3.0 * RADIUS**2 + LENGTH**2) / 12.0
AXIAL = 0.5 * MASS * RADIUS**2


def chain(links: int = 10, compliant: bool = False) -> System:
    """N cylinders of 0.1 m, 0.1 kg and radius 0.02 m in a straight line 45 degrees below the horizontal.

    It turns as a whole about the vertical through its fixed end with 0.5 sqrt(g / (N L)).

    Args:
        links: N.
        compliant: joints as stiff spring-dampers, as the method ``discrete`` wants them.
    """
    if links < 1:
        raise InputError("a chain needs at least one link", path="links", got=links)
    system = System(f"Chain of {links} links")
    along = np.array([math.sqrt(0.5), 0.0, -math.sqrt(0.5)])
    across = np.array([0.0, 1.0, 0.0])
    frame = np.column_stack([np.cross(across, along), across, along])
    spin = np.array([0.0, 0.0, 0.5 * math.sqrt(9.81 / (links * LENGTH))])
    previous = "ground"
    for i in range(links):
        middle = along * LENGTH * (i + 0.5)
        system.add(
            RigidBody(
                f"link{i}",
                MASS,
                (TRANSVERSE, TRANSVERSE, AXIAL),
                position=tuple(middle.tolist()),
                orientation=tuple(map(tuple, frame.tolist())),
                velocity=tuple(np.cross(spin, middle).tolist()),
                omega=tuple((frame.T @ spin).tolist()),
            )
        )
        at = tuple((along * LENGTH * i).tolist())
        system.add(Ball(f"joint{i}", previous, f"link{i}", at=at, compliant=compliant))
        previous = f"link{i}"
    return system

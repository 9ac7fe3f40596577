"""Planar body: moves in the x-y plane and turns about z; three velocities instead of six."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.bodies.body import Body, BodyRow
from centrode.parts.bodies.codes import BODY_PLANAR
from centrode.parts.part import quantity


@dataclass(frozen=True)
class PlanarBody(Body):
    """Rigid body of a plane system."""

    kind: ClassVar[str] = "planar"

    mass: float = quantity("kg", "mass", positive=True)
    inertia: float = quantity("kg*m2", "about the centre of mass; 0 is a point mass", 0.0, minimum=0.0)
    position: tuple[float, float] = quantity("m", "origin of the body frame at the start", (0.0, 0.0))
    angle: float = quantity("rad", "angle of the body frame at the start, counter-clockwise", 0.0)
    velocity: tuple[float, float] = quantity("m/s", "velocity of the origin at the start", (0.0, 0.0))
    omega: float = quantity("rad/s", "angular velocity at the start, counter-clockwise", 0.0)
    centre_of_mass: tuple[float, float] = quantity("m", "centre of mass in the body frame", (0.0, 0.0))

    def faults(self) -> list[Fault]:
        found = super().faults()
        for field in ("position", "velocity", "centre_of_mass"):
            if len(getattr(self, field)) != 2:
                found.append(
                    Fault("a plane system has two coordinates", f"{self.name}.{field}", got=getattr(self, field))
                )
        return found

    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        c, s = math.cos(self.angle), math.sin(self.angle)
        rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return np.array([self.position[0], self.position[1], 0.0]), rotation

    def row(self) -> BodyRow:
        _, rotation = self.pose()
        centre = np.array([*self.centre_of_mass, 0.0])
        omega = np.array([0.0, 0.0, self.omega])
        velocity = np.array([*self.velocity, 0.0]) + rotation @ np.cross(omega, centre)
        inertia = np.array([0.0, 0.0, self.inertia])
        return BodyRow(BODY_PLANAR, self.mass, self.mass, inertia, centre, np.eye(3), velocity, omega)

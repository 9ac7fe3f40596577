"""Rigid body in space: mass, full inertia tensor, centre of mass anywhere in the body frame.

The engine integrates centre of mass and principal axes, where the mass matrix is constant and diagonal; the user
gives and gets the body frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.parts.bodies.body import Body, BodyRow, inertia_matrix, principal_axes, rotation_from
from centrode.parts.bodies.codes import BODY_RIGID
from centrode.parts.part import quantity


@dataclass(frozen=True)
class RigidBody(Body):
    """Rigid body in space."""

    kind: ClassVar[str] = "rigid"

    mass: float = quantity("kg", "mass", positive=True)
    inertia: Any = quantity(
        "kg*m2",
        "about the centre of mass: 3 principal moments, 6 entries xx yy zz xy xz yz, or 3 x 3; 0 0 0 is a point mass",
        (0.0, 0.0, 0.0),
    )
    position: tuple[float, float, float] = quantity("m", "origin of the body frame at the start", (0.0, 0.0, 0.0))
    orientation: Any = quantity(
        "1", "body frame at the start: quaternion (w, x, y, z) world from body, or 3 x 3 matrix", (1.0, 0.0, 0.0, 0.0)
    )
    velocity: tuple[float, float, float] = quantity(
        "m/s", "velocity of the origin of the body frame at the start, world frame", (0.0, 0.0, 0.0)
    )
    omega: tuple[float, float, float] = quantity("rad/s", "angular velocity at the start, body frame", (0.0, 0.0, 0.0))
    centre_of_mass: tuple[float, float, float] = quantity("m", "centre of mass in the body frame", (0.0, 0.0, 0.0))

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found:
            tensor = inertia_matrix(self.inertia, f"{self.name}.inertia")
            moments = np.linalg.eigvalsh(tensor)
            if moments[0] < 0 or (moments[0] == 0 and moments[2] > 0):
                found.append(
                    Fault(
                        "inertia is not positive definite",
                        f"{self.name}.inertia",
                        got=self.inertia,
                        expected="three positive principal moments, or all zero for a point mass",
                        hint=f"principal moments are {moments[0]:.4g}, {moments[1]:.4g}, {moments[2]:.4g} kg*m2",
                    )
                )
            rotation_from(self.orientation, f"{self.name}.orientation")
        return found

    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        return np.asarray(self.position, dtype=float), rotation_from(self.orientation, f"{self.name}.orientation")

    def row(self) -> BodyRow:
        moments, axes = principal_axes(inertia_matrix(self.inertia, f"{self.name}.inertia"))
        _, rotation = self.pose()
        centre = np.asarray(self.centre_of_mass, dtype=float)
        omega = np.asarray(self.omega, dtype=float)
        velocity = np.asarray(self.velocity, dtype=float) + rotation @ np.cross(omega, centre)
        return BodyRow(BODY_RIGID, self.mass, self.mass, moments, centre, axes, velocity, axes.T @ omega)

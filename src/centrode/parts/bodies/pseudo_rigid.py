"""Pseudo-rigid body: a body that stretches and shears homogeneously (Cosserat point with three directors).

Position and three directors, which are the columns of the deformation gradient; St. Venant-Kirchhoff elasticity.
MEDUSA report (1999), section 1.2; elastic terms in :mod:`centrode.parts.bodies.pseudo_rigid_energy`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.parts.bodies.body import Body, BodyRow, rotation_from
from centrode.parts.bodies.codes import BODY_PSEUDO_RIGID
from centrode.parts.bodies.pseudo_rigid_energy import director_inertias, lame_constants
from centrode.parts.part import quantity


@dataclass(frozen=True)
class PseudoRigidBody(Body):
    """Homogeneously deformable body."""

    kind: ClassVar[str] = "pseudo-rigid"

    mass: float = quantity("kg", "mass", positive=True)
    inertia: tuple[float, float, float] = quantity("kg*m2", "principal moments about the centre of mass", positive=True)
    young: float = quantity("Pa", "Young's modulus of the body as a whole", 600e6, positive=True)
    poisson: float = quantity("1", "Poisson's ratio, above -1 and below 0.5", 0.3)
    volume: float = quantity("m3", "volume of material", 0.42, positive=True)
    damping: float = quantity("s", "retardation time of the material (Kelvin-Voigt)", 0.0, minimum=0.0)
    position: tuple[float, float, float] = quantity("m", "centre of mass at the start", (0.0, 0.0, 0.0))
    orientation: Any = quantity(
        "1", "at the start: quaternion (w, x, y, z) world from body, or 3 x 3 matrix", (1.0, 0.0, 0.0, 0.0)
    )
    stretch: Any = quantity("1", "U of the polar decomposition F = R U at the start, 3 x 3", None)
    directors: Any = quantity("1", "F itself at the start, columns d1 d2 d3; instead of orientation and stretch", None)
    velocity: tuple[float, float, float] = quantity("m/s", "velocity at the start, world frame", (0.0, 0.0, 0.0))
    omega: tuple[float, float, float] = quantity("rad/s", "angular velocity at the start, body frame", (0.0, 0.0, 0.0))

    def faults(self) -> list[Fault]:
        found = super().faults()
        if found:
            return found
        for check in (lambda: lame_constants(self.young, self.poisson), lambda: director_inertias(self.inertia)):
            try:
                check()
            except InputError as error:
                found += [
                    Fault(f.what, f"{self.name}", got=f.got, expected=f.expected, hint=f.hint) for f in error.faults
                ]
        if not found and np.linalg.det(self.deformation()) <= 0:
            found.append(Fault("the body is turned inside out", f"{self.name}.directors", got=self.directors))
        return found

    def fastest_vibration(self) -> float:
        """Largest natural frequency of the free body at rest [rad/s]: explicit methods must resolve it.

        Linear elasticity about F = I: stretches e_i have stiffness V (lambda 1 1^T + 2 mu I) and inertia diag(I_i),
        the shear of directors i and j vibrates with mu V (1/I_i + 1/I_j), I_i the director inertias.
        """
        first, second = lame_constants(self.young, self.poisson)
        inertias = np.array(director_inertias(self.inertia))
        root = 1.0 / np.sqrt(inertias)
        stiffness = self.volume * (first * np.ones((3, 3)) + 2.0 * second * np.eye(3))
        stretch = np.linalg.eigvalsh(root[:, None] * stiffness * root)[-1]
        shear = second * self.volume * float(np.sum(np.sort(1.0 / inertias)[-2:]))
        return float(np.sqrt(max(stretch, shear)))

    def deformation(self) -> np.ndarray:
        """F at the start, shape (3, 3)."""
        if self.directors is not None:
            return np.asarray(self.directors, dtype=float).reshape(3, 3)
        rotation = rotation_from(self.orientation, f"{self.name}.orientation")
        return rotation if self.stretch is None else rotation @ np.asarray(self.stretch, dtype=float).reshape(3, 3)

    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Position and F: a point given in the world is found in the undeformed body through F."""
        return np.asarray(self.position, dtype=float), self.deformation()

    def row(self) -> BodyRow:
        first, second = lame_constants(self.young, self.poisson)
        y = np.array(director_inertias(self.inertia))
        data = (first, second, self.volume, self.damping, *y, *np.sqrt(y), *(1.0 / np.sqrt(y)), *np.zeros(9))
        return BodyRow(
            BODY_PSEUDO_RIGID,
            self.mass,
            self.mass,
            np.asarray(self.inertia, dtype=float),
            np.zeros(3),
            np.eye(3),
            np.asarray(self.velocity, dtype=float),
            np.asarray(self.omega, dtype=float),
            tuple(float(x) for x in data),
        )

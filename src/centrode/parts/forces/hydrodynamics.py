r"""Hydrodynamic force on a body: damping, lift with the forward speed, current, Coriolis or not, weight and buoyancy.

Source: T. I. Fossen, "Handbook of Marine Craft Hydrodynamics and Motion Control" (2011), chapters 6 to 8; T. Prestero,
"Verification of a six-degree of freedom simulation model for the REMUS autonomous underwater vehicle", MIT/WHOI (2001);
the 6-DOF lecture (its du, dv, dw, dp, dq, dr and Yur).

With nu = (u, v, w, p, q, r), the velocity relative to the water in body axes (SNAME: x forward, y starboard, z down
when the body frame is such a frame), the generalised force at the place of the marker is

    tau_i = - sum_j ( D_ij + Q_ij |nu_j| - U_ij u ) nu_j                              (1)

D linear damping, Q quadratic damping, U the terms with the forward speed (U_26 = Yur, U_35 = -Yur; U_22 = Y_uv, ...).

Current. A uniform steady current v_c makes the frame that drifts with it an inertial one, so Kirchhoff's equations
hold with nu relative to the water. The engine writes them with the absolute velocity; with (p, h) = M nu_abs and
(p_r, h_r) = M nu this part adds the difference

    (w x p,  w x h + v x p) - (w x p_r,  w x h_r + v_r x p_r) - M (w x v_c, 0)        (2)

(body axes), which vanishes for a plain rigid body. Added mass then acts on the relative acceleration, as it should.
Without Coriolis (``coriolis: false``, the lecture's simplified form) it adds

    (w x p_r,  w x h_r + v_r x p_r)                                                   (3)

so that M nu' = tau remains. Weight W at r_G and buoyancy B at r_B (body axes), with gravity's direction g:

    f = (W - B) g,   t = (W r_G - B r_B) x g,   energy -g . ( (W - B) x + R (W r_G - B r_B) )       (4)

(2) and (3) need a body of kind full-mass or a rigid one with its centre at the origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, dot, each, minus, plus, plus_times, times, vector
from centrode.parts.bodies.body import inertia_matrix
from centrode.parts.bodies.full_mass import FullMassBody, rigid_mass_matrix
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, LINK_DATA, LINK_MARKERS
from centrode.parts.markers import FORCE, TORQUE, in_world, omega, position, push, release, seen_from, twist, velocity
from centrode.parts.part import quantity
from centrode.parts.placement import MarkerPlace, Placement, Scene, triple

CURRENT, LINEAR, QUADRATIC, TERMS, INERTIA, NO_CORIOLIS, DOWN, NET, ARM = 0, 3, 9, 15, 16, 17, 18, 21, 22
"""Parameters: current (3), diagonals of D and Q (6 each), number of further terms of (1), 1 when (2) or (3) acts, 1
for (3), g (3), W - B, W r_G - B r_B (3)."""

TERM_WIDTH = 5
"""Data of a term: row, column, D, Q, U. Behind all terms: M, row-major, when INERTIA is 1."""


@step_kernel(signature=FORCE_SIGNATURE)
def hydrodynamic_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1) to (4), in body axes; terms beside the diagonals are gathered in the row of the wrench."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        absolute = seen_from(markers, m, velocity(markers, m))
        current = seen_from(markers, m, vector(par[i], CURRENT))
        v, w = minus(absolute, current), seen_from(markers, m, omega(markers, m))
        down = seen_from(markers, m, vector(par[i], DOWN))
        f = minus(times(par[i, NET], down), damping(par[i], 0, v))  # (4), (1)
        t = minus(cross(vector(par[i], ARM), down), damping(par[i], 3, w))
        at = link[i, LINK_DATA]
        if par[i, TERMS] > 0.0:
            nu = v + w
            release(wrench, m)
            for _ in range(int(par[i, TERMS])):
                row, column = int(data[at]), int(data[at + 1])
                linear, quadratic, with_speed = vector(data, at + 2)
                wrench[m, row] += (with_speed * nu[0] - linear - quadratic * abs(nu[column])) * nu[column]  # (1)
                at += TERM_WIDTH
            f, t = plus(f, vector(wrench[m], FORCE)), plus(t, vector(wrench[m], TORQUE))
        if par[i, INERTIA] != 0.0:
            relative_force, relative_torque = coriolis(data, at, v, w)
            if par[i, NO_CORIOLIS] != 0.0:
                f, t = plus(f, relative_force), plus(t, relative_torque)  # (3)
            force, torque = coriolis(data, at, absolute, w)
            dragged_force, dragged_torque = momentum(data, at, cross(w, current), ZERO)
            f = plus(f, minus(minus(force, relative_force), dragged_force))  # (2)
            t = plus(t, minus(minus(torque, relative_torque), dragged_torque))
        push(wrench, m, in_world(markers, m, f))
        twist(wrench, m, in_world(markers, m, t))


@step_kernel(signature=ENERGY_SIGNATURE)
def hydrostatic_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(4)."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        place = plus_times(in_world(markers, m, vector(par[i], ARM)), par[i, NET], position(markers, m))
        energy[i] = -dot(vector(par[i], DOWN), place)


@step_kernel
def damping(par, part, v):
    """(D + Q |v|) v of the diagonals: part 0 of the velocity, part 3 of the angular velocity."""
    size = (abs(v[0]), abs(v[1]), abs(v[2]))
    return each(plus(vector(par, LINEAR + part), each(vector(par, QUADRATIC + part), size)), v)


@step_kernel
def momentum(data, at, v, w):
    """(p, h) = M nu, M row-major at ``at``."""
    p = (mass_row(data, at, v, w), mass_row(data, at + 6, v, w), mass_row(data, at + 12, v, w))
    h = (mass_row(data, at + 18, v, w), mass_row(data, at + 24, v, w), mass_row(data, at + 30, v, w))
    return p, h


@step_kernel
def mass_row(data, at, v, w):
    """One row of M times nu."""
    return dot(vector(data, at), v) + dot(vector(data, at + 3), w)


@step_kernel
def coriolis(data, at, v, w):
    """(w x p, w x h + v x p)."""
    p, h = momentum(data, at, v, w)
    return cross(w, p), plus(cross(w, h), cross(v, p))


@dataclass(frozen=True)
class Hydrodynamics(Force):
    """Damping, speed-dependent lift, current, weight and buoyancy of a body in water."""

    kind: ClassVar[str] = "hydrodynamics"
    force_kernel: ClassVar[Any] = hydrodynamic_force
    energy_kernel: ClassVar[Any] = hydrostatic_energy
    works_in_plane: ClassVar[bool] = False
    external: ClassVar[bool] = True
    active: ClassVar[bool] = True
    world_direction: ClassVar[bool] = True
    example: ClassVar[dict[str, Any] | None] = {
        "body": "a",
        "linear": (1.0, 5.0, 5.0, 0.1, 1.0, 1.0),
        "weight": 90.0,
        "buoyancy": 85.0,
        "centre_of_gravity": (0.01, 0.0, 0.02),
    }

    body: Any = quantity("", "body in the water; its origin is where the force acts", refers_to="body")
    linear: Any = quantity("1", "linear damping D: 6 diagonal entries [N*s/m, N*m*s] or 6 x 6", (0.0,) * 6)
    quadratic: Any = quantity("1", "quadratic damping Q: 6 diagonal entries [N*s2/m2, N*m*s2] or 6 x 6", (0.0,) * 6)
    speed_terms: Any = quantity(
        "1", "terms with the forward speed U, 6 x 6 or rows (i, j, coefficient) counted from 1: (2, 6, Yur)", ()
    )
    current: tuple[float, ...] = quantity(
        "m/s", "velocity of the water, world frame, uniform and steady", (0.0,) * 3, read=triple
    )
    weight: float = quantity("N", "weight W", 0.0, minimum=0.0)
    buoyancy: float = quantity("N", "buoyancy B", 0.0, minimum=0.0)
    centre_of_gravity: tuple[float, ...] = quantity("m", "where the weight acts, body frame", (0.0,) * 3, read=triple)
    centre_of_buoyancy: tuple[float, ...] = quantity(
        "m", "where the buoyancy acts, body frame", (0.0,) * 3, read=triple
    )
    coriolis: bool = quantity("", "keep the Coriolis terms of the total mass; without them M nu' = tau", True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        for field in ("linear", "quadratic", "speed_terms"):
            try:
                self.matrix(field)
            except InputError as error:
                found += error.faults
        return found

    def matrix(self, field: str) -> np.ndarray:
        """D, Q or U as a matrix, shape (6, 6)."""
        value = getattr(self, field)
        array = np.asarray(value, dtype=float)
        if array.size == 0:
            return np.zeros((6, 6))
        if field == "speed_terms" and array.ndim == 2 and array.shape[1] == 3:
            matrix = np.zeros((6, 6))
            for i, j, coefficient in array:
                if i not in range(1, 7) or j not in range(1, 7):
                    raise self.refusal(field, "no such entry", got=(i, j), expected="rows and columns 1 to 6")
                matrix[int(i) - 1, int(j) - 1] += coefficient
            return matrix
        if array.shape == (6,) and field != "speed_terms":
            return np.diag(array)
        if array.shape == (6, 6):
            return array
        raise self.refusal(field, "unreadable coefficients", got=value, expected="6 or 6 x 6 numbers")

    def place(self, scene: Scene) -> Placement:
        body, local = scene.resolve(self.body)
        linear, quadratic, speed = (self.matrix(field) for field in ("linear", "quadratic", "speed_terms"))
        data: list[float] = []
        beside = [matrix - np.diag(np.diag(matrix)) for matrix in (linear, quadratic)]
        for i, j in zip(*np.nonzero((beside[0] != 0) | (beside[1] != 0) | (speed != 0)), strict=True):
            data += [float(i), float(j), beside[0][i, j], beside[1][i, j], speed[i, j]]
        terms = len(data) // TERM_WIDTH
        current = triple(self.current, f"{self.name}.current")
        needs_mass = bool(np.any(current)) or not self.coriolis
        if needs_mass:
            data += self._mass(scene, body, local).ravel().tolist()
        down = np.asarray(scene.gravity, dtype=float)
        down = down / np.linalg.norm(down) if np.any(down) else np.zeros(3)
        arm = self.weight * np.asarray(self.centre_of_gravity, dtype=float)
        arm = arm - self.buoyancy * np.asarray(self.centre_of_buoyancy, dtype=float)
        par = [*current, *np.diag(linear), *np.diag(quadratic)]
        par += [float(terms), float(needs_mass), float(not self.coriolis), *down, self.weight - self.buoyancy, *arm]
        return Placement([MarkerPlace(body, local, np.eye(3))], par=par, data=data)

    def _mass(self, scene: Scene, body: str, local: np.ndarray) -> np.ndarray:
        """Total mass about the body's origin."""
        part = scene.find(body)
        if isinstance(part, FullMassBody) and not np.any(local):
            return part.matrix()
        if isinstance(part, RigidBody) and not np.any(local):
            inertia = inertia_matrix(part.inertia, f"{part.name}.inertia")
            return rigid_mass_matrix(part.mass, inertia, part.centre_of_mass)
        raise self.refusal("body", "current and missing Coriolis terms need the origin of a rigid or full-mass body")

r"""Rigid body with a full 6 x 6 mass: a body that carries fluid along (added mass), or any Kirchhoff body.

Source: H. Lamb, "Hydrodynamics" (1932), art. 124; T. I. Fossen, "Handbook of Marine Craft Hydrodynamics and Motion
Control" (2011), sections 3.3 and 6.3. With the velocity v of the origin and the angular velocity w, both in body axes,

    T = (v, w) M (v, w) / 2,    (p, h) = M (v, w)                                     (1)
    p' = f - w x p,             h' = t - w x h - v x p        Kirchhoff's equations   (2)

M is the *total* mass: the rigid body's own and the fluid's (-X_udot, ...), about the origin of the body frame and in
its axes. M = ((M1, C), (C^T, J)); for a plain rigid body with mass m and centre of mass c, M1 = m I, C = -m hat(c).
M must be symmetric and positive definite, otherwise some motion would have negative kinetic energy and the equations
could not be solved. Engine coordinates: velocity of the origin in world axes, angular velocity in body axes; M and the
inverse of its Cholesky factor (M = L L^T) lie in the data pool.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.jit import step_kernel
from centrode.math.jet import skew
from centrode.math.record import open_table
from centrode.math.vector import add, cross, matrix, minus, put, turn, turn_back, vector
from centrode.parts.bodies.body import BodyRow, rotation_from
from centrode.parts.bodies.turning import TurningBody, move_markers, row_on_body, weight_potential, wrench_on_body
from centrode.parts.kernel_types import JOINT_BODY_A, JOINT_MARKER_A, JOINT_ROWS, POSITION
from centrode.parts.part import quantity
from centrode.parts.placement import orientation_field
from centrode.parts.tables import BODY_SIGNATURE, borrow

LOWER = 36
"""Where L^-1 begins behind M among the numbers of a body."""
DIRECTIONS = ("surge", "sway", "heave", "roll", "pitch", "yaw")


@step_kernel(signature=BODY_SIGNATURE)
def move_full_mass(first, end, tables):
    """Velocities of the markers. Accelerations are those of v in body axes; the turning of the axes is convective."""
    t = borrow(tables)
    for b in range(first, end):
        motion = t.velocity[b - 1]
        v = vector(motion, 0)
        w = turn(matrix(t.rotation[b], 0), vector(motion, 3))
        move_markers(t.bodies[b], vector(t.pose[b - 1], 0), v, w, cross(w, v), tables)


@step_kernel
def times_lower(data, body, row):
    """L^-1 of a body times six numbers, in place."""
    lower = open_table(data, body.data + LOWER, 6, 6)
    for back in range(6):
        k = 5 - back
        total = 0.0
        for c in range(k + 1):
            total += lower[k, c] * row[c]
        row[k] = total


@step_kernel(signature=BODY_SIGNATURE)
def weigh_rows_full_mass(first, end, tables):
    """Y = J L^-T, all in body axes."""
    t = borrow(tables)
    for n in range(first, end):
        j, side = t.sides[n, 0], t.sides[n, 1]
        b = t.joint_link[j, JOINT_BODY_A + side]
        rotation = matrix(t.rotation[b], 0)
        arm = minus(vector(t.markers[t.joint_link[j, JOINT_MARKER_A + side]], POSITION), vector(t.pose[b - 1], 0))
        for r in range(t.joint_link[j, JOINT_ROWS]):
            force, torque = row_on_body(t.jacobian[j, side, r], t.row_active[j, r], arm)
            out = t.weighted[j, side, r]
            put(out, 0, turn_back(rotation, force))
            put(out, 3, turn_back(rotation, torque))
            times_lower(t.data, t.bodies[b], out)


@step_kernel(signature=BODY_SIGNATURE)
def weigh_forces_full_mass(first, end, tables):
    """(2), weighed."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        out = t.weighted_force[b]
        rotation = matrix(t.rotation[b], 0)
        force, torque = wrench_on_body(body, vector(t.pose[b - 1], 0), tables)
        v = turn_back(rotation, vector(t.velocity[b - 1], 0))
        w = vector(t.velocity[b - 1], 3)
        motion, mass = (*v, *w), open_table(t.data, body.data, 6, 6)
        for k in range(6):
            total = 0.0
            for c in range(6):
                total += mass[k, c] * motion[c]
            out[k] = total
        p, h = vector(out, 0), vector(out, 3)
        put(out, 0, minus(turn_back(rotation, force), cross(w, p)))
        put(out, 3, minus(minus(turn_back(rotation, torque), cross(w, h)), cross(v, p)))
        times_lower(t.data, body, out)


@step_kernel(signature=BODY_SIGNATURE)
def unweigh_full_mass(first, end, tables):
    """L^-T of the weighed components; the linear ones into world axes."""
    t = borrow(tables)
    for b in range(first, end):
        lower = open_table(t.data, t.bodies[b].data + LOWER, 6, 6)
        out = t.acceleration[b - 1]
        for k in range(6):
            total = 0.0
            for c in range(k, 6):
                total += lower[c, k] * t.weighted_force[b, c]
            out[k] = total
        put(out, 0, turn(matrix(t.rotation[b], 0), vector(out, 0)))


@step_kernel(signature=BODY_SIGNATURE)
def convect_full_mass(first, end, tables):
    """v is kept in world axes: v' = R (v_body' + w x v_body) = R v_body' + W x v."""
    t = borrow(tables)
    for b in range(first, end):
        w = turn(matrix(t.rotation[b], 0), vector(t.velocity[b - 1], 3))
        add(t.acceleration[b - 1], 0, cross(w, vector(t.velocity[b - 1], 0)))


@step_kernel(signature=BODY_SIGNATURE)
def measure_full_mass(first, end, tables):
    """(1), and the potential of gravity."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        v = turn_back(matrix(t.rotation[b], 0), vector(t.velocity[b - 1], 0))
        motion, mass = (*v, *vector(t.velocity[b - 1], 3)), open_table(t.data, body.data, 6, 6)
        for i in range(6):
            for j in range(6):
                t.energy[0] += 0.5 * mass[i, j] * motion[i] * motion[j]
        t.energy[1] += weight_potential(body, t.gravity, t.pose[b - 1])


@dataclass(frozen=True)
class FullMassBody(TurningBody):
    """Rigid body with a 6 x 6 mass matrix."""

    kind: ClassVar[str] = "full-mass"
    principal_axes: ClassVar[bool] = False
    move_kernel = move_full_mass
    weigh_rows_kernel = weigh_rows_full_mass
    weigh_forces_kernel = weigh_forces_full_mass
    unweigh_kernel = unweigh_full_mass
    convect_kernel = convect_full_mass
    measure_kernel = measure_full_mass

    mass_matrix: Any = quantity(
        "1", "total mass, rigid body and fluid: 6 diagonal entries [kg, kg*m2], or 6 x 6, about the body's origin"
    )
    position: tuple[float, float, float] = quantity("m", "origin of the body frame at the start", (0.0, 0.0, 0.0))
    orientation: Any = orientation_field(
        "body frame at the start: quaternion (w, x, y, z) world from body, or 3 x 3 matrix"
    )
    velocity: tuple[float, float, float] = quantity(
        "m/s", "velocity of the origin at the start, world frame", (0.0, 0.0, 0.0)
    )
    omega: tuple[float, float, float] = quantity("rad/s", "angular velocity at the start, body frame", (0.0, 0.0, 0.0))
    weight_mass: float = quantity(
        "kg", "mass that gravity acts on, at the origin; other places by forces of kind weight", 0.0, minimum=0.0
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found:
            try:
                mass_matrix(self.mass_matrix, f"{self.name}.mass_matrix")
                rotation_from(self.orientation, f"{self.name}.orientation")
            except InputError as error:
                found += error.faults
        return found

    def matrix(self) -> np.ndarray:
        """Total mass M, shape (6, 6), body axes."""
        return mass_matrix(self.mass_matrix, f"{self.name}.mass_matrix")

    def row(self) -> BodyRow:
        matrix = self.matrix()
        inverse = np.linalg.inv(np.linalg.cholesky(matrix))
        return BodyRow(
            float(np.trace(matrix[:3, :3])) / 3.0,
            float(self.weight_mass),
            np.diag(matrix)[3:].copy(),
            np.zeros(3),
            np.eye(3),
            np.asarray(self.velocity, dtype=float),
            np.asarray(self.omega, dtype=float),
            tuple(matrix.ravel().tolist()) + tuple(np.tril(inverse).ravel().tolist()),
        )


def mass_matrix(value: Any, path: str) -> np.ndarray:
    """The 6 x 6 mass of what a user writes: 6 diagonal entries, 36 numbers or 6 rows of 6.

    Raises:
        InputError: wrong size, not symmetric, or not positive definite (with the motion that has negative energy).
    """
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.zeros(0)
    if array.shape == (6,):
        array = np.diag(array)
    elif array.shape == (36,):
        array = array.reshape(6, 6)
    if array.shape != (6, 6) or not np.all(np.isfinite(array)):
        expected = "6 diagonal entries or 6 rows of 6 numbers"
        raise InputError("unreadable mass matrix", path=path, got=value, expected=expected)
    scale = np.sqrt(np.abs(np.outer(np.diag(array), np.diag(array))))
    skew = np.abs(array - array.T)
    if np.any(skew > 1e-9 * np.maximum(scale, 1e-300)):
        i, k = np.unravel_index(np.argmax(skew), skew.shape)
        got, hint = (float(array[i, k]), float(array[k, i])), f"entries {i + 1},{k + 1} and {k + 1},{i + 1} differ"
        raise InputError("the mass matrix is not symmetric", path=path, got=got, hint=hint)
    array = 0.5 * (array + array.T)
    lowest, motions = np.linalg.eigh(array)
    if not lowest[0] > 1e-14 * np.abs(lowest).max():
        worst = DIRECTIONS[int(np.argmax(np.abs(motions[:, 0])))]
        raise InputError(
            "the mass matrix is not positive definite",
            path=path,
            got=float(lowest[0]),
            expected="positive kinetic energy of every motion",
            hint=f"its smallest eigenvalue belongs mostly to {worst}; the total is m - X_udot, ...",
        )
    return array


def rigid_mass_matrix(mass: float, inertia: Any, centre: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
    """Mass matrix of a plain rigid body about the origin of its frame, shape (6, 6).

    Args:
        mass: [kg].
        inertia: 3 x 3 about the centre of mass, or 3 principal moments [kg m2].
        centre: centre of mass in the body frame [m].
    """
    c = np.asarray(centre, dtype=float)
    tensor = np.asarray(inertia, dtype=float)
    tensor = np.diag(tensor) if tensor.shape == (3,) else tensor
    hat = skew(c)
    return np.block([[mass * np.eye(3), -mass * hat], [mass * hat, tensor - mass * hat @ hat]])

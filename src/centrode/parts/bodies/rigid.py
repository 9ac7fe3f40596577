"""Rigid body in space: mass, full inertia tensor, centre of mass anywhere in the body frame.

The engine integrates centre of mass and principal axes, where the mass matrix M = diag(m, m, m, I1, I2, I3) is constant
and diagonal, so its root L only scales; the user gives and gets the body frame.

    m v' = f,      I w' = R^T t - w x I w          Newton, Euler in body axes          (1)
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import (
    ZERO,
    combined,
    cross,
    each,
    matrix,
    minus,
    plus_times,
    put,
    put_quaternion,
    quaternion,
    quaternion_rate,
    times,
    turn,
    turn_back,
    vector,
)
from centrode.parts.bodies.body import BodyRow, inertia_matrix, principal_axes, rotation_from
from centrode.parts.bodies.turning import TurningBody, move_markers, row_on_body, weight_potential, wrench_on_body
from centrode.parts.kernel_types import JOINT_BODY_A, JOINT_MARKER_A, JOINT_POINTS, JOINT_ROWS, POSITION
from centrode.parts.part import quantity
from centrode.parts.placement import orientation_field
from centrode.parts.tables import BODY_SIGNATURE, borrow

UNEVEN = 0.05
"""Part by which measured moments may miss the triangle rule: inertias of real bodies are known to some percent, and
those of bicycles in the literature miss it by 2 percent. The rule tells swapped and mistyped numbers, not these."""


def breaks_triangle_rule(tensor: np.ndarray) -> bool:
    """Whether a principal moment is clearly above the sum of the other two, which no body has."""
    low, middle, high = np.linalg.eigvalsh(tensor)
    return bool(high > (1.0 + UNEVEN) * (low + middle) > 0.0)


@step_kernel(signature=BODY_SIGNATURE)
def move_rigid(first, end, tables):
    """Velocities of the markers."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        if body.first_marker < body.end_marker:
            motion = t.velocity[b - 1]
            w = turn(matrix(t.rotation[b], 0), vector(motion, 3))
            move_markers(body, vector(t.pose[b - 1], 0), vector(motion, 0), w, ZERO, tables)


@step_kernel
def weigh_points(j, side, body, rotation, arm, t):
    """Y of a joint that joins points: row k of the first three is a force along axis k of the world and its torque
    r x e_k about the centre, the others are torques; what stands on the other places is zero and stays so.
    """
    sign = 1.0 if side == 0 else -1.0
    scale = vector(body.inverse_root_inertia, 0)
    x, y, z = each(scale, rotation[0]), each(scale, rotation[1]), each(scale, rotation[2])  # of R^T, weighed
    rows, active = t.weighted[j, side], t.row_active[j]
    push = sign * active[0]
    rows[0, 0] = push * body.inverse_root_mass
    put(rows[0], 3, plus_times(times(push * arm[2], y), -push * arm[1], z))
    push = sign * active[1]
    rows[1, 1] = push * body.inverse_root_mass
    put(rows[1], 3, plus_times(times(push * arm[0], z), -push * arm[2], x))
    push = sign * active[2]
    rows[2, 2] = push * body.inverse_root_mass
    put(rows[2], 3, plus_times(times(push * arm[1], x), -push * arm[0], y))
    for r in range(3, t.joint_link[j, JOINT_ROWS]):
        put(rows[r], 3, combined((x, y, z), times(active[r], vector(t.jacobian[j, side, r], 3))))


@step_kernel(signature=BODY_SIGNATURE)
def weigh_rows_rigid(first, end, tables):
    """Y = J L^-T."""
    t = borrow(tables)
    for n in range(first, end):
        j, side = t.sides[n, 0], t.sides[n, 1]
        b = t.joint_link[j, JOINT_BODY_A + side]
        body = t.bodies[b]
        rotation = matrix(t.rotation[b], 0)
        scale = vector(body.inverse_root_inertia, 0)
        arm = minus(vector(t.markers[t.joint_link[j, JOINT_MARKER_A + side]], POSITION), vector(t.pose[b - 1], 0))
        if t.joint_link[j, JOINT_POINTS] != 0:
            weigh_points(j, side, body, rotation, arm, t)
            continue
        for r in range(t.joint_link[j, JOINT_ROWS]):
            force, torque = row_on_body(t.jacobian[j, side, r], t.row_active[j, r], arm)
            put(t.weighted[j, side, r], 0, times(body.inverse_root_mass, force))
            put(t.weighted[j, side, r], 3, each(scale, turn_back(rotation, torque)))


@step_kernel(signature=BODY_SIGNATURE)
def weigh_forces_rigid(first, end, tables):
    """(1), weighed."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        force, torque = wrench_on_body(body, vector(t.pose[b - 1], 0), tables)
        w = vector(t.velocity[b - 1], 3)
        momentum = each(vector(body.inertia, 0), w)
        moment = minus(turn_back(matrix(t.rotation[b], 0), torque), cross(w, momentum))
        put(t.weighted_force[b], 0, times(body.inverse_root_mass, force))
        put(t.weighted_force[b], 3, each(vector(body.inverse_root_inertia, 0), moment))


@step_kernel(signature=BODY_SIGNATURE)
def unweigh_rigid(first, end, tables):
    """L^-T of the weighed components."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        put(t.acceleration[b - 1], 0, times(body.inverse_root_mass, vector(t.weighted_force[b], 0)))
        put(t.acceleration[b - 1], 3, each(vector(body.inverse_root_inertia, 0), vector(t.weighted_force[b], 3)))


@step_kernel(signature=BODY_SIGNATURE)
def measure_rigid(first, end, tables):
    """m v^2 / 2 + w . I w / 2, and the potential of gravity."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        motion = t.velocity[b - 1]
        for k in range(3):
            t.energy[0] += 0.5 * body.mass * motion[k] ** 2
            t.energy[0] += 0.5 * body.inertia[k] * motion[3 + k] ** 2
        t.energy[1] += weight_potential(body, t.gravity, t.pose[b - 1])


@step_kernel
def gyroscopic(body, w):
    """What Euler's equations add to the rates of w in principal axes; zero for a point mass."""
    return (
        body.gyration[0] * w[1] * w[2],
        body.gyration[1] * w[2] * w[0],
        body.gyration[2] * w[0] * w[1],
    )


@step_kernel(signature=BODY_SIGNATURE)
def fall_rigid(first, end, tables):
    """(1) under gravity alone."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        rate, change, motion = t.acceleration[b - 1], t.pose_rate[b - 1], t.velocity[b - 1]
        w = vector(motion, 3)
        put(change, 0, vector(motion, 0))
        put_quaternion(change, 3, quaternion_rate(quaternion(t.pose[b - 1], 3), w))
        put(rate, 0, times(body.weight_share, vector(t.gravity, 0)))
        put(rate, 3, gyroscopic(body, w))


@dataclass(frozen=True)
class RigidBody(TurningBody):
    """Rigid body in space."""

    kind: ClassVar[str] = "rigid"
    example: ClassVar[dict[str, Any] | None] = {"mass": 1.7, "inertia": (0.3, 0.4, 0.5)}
    scalar_mass = True
    move_kernel = move_rigid
    weigh_rows_kernel = weigh_rows_rigid
    weigh_forces_kernel = weigh_forces_rigid
    unweigh_kernel = unweigh_rigid
    measure_kernel = measure_rigid
    fall_kernel = fall_rigid

    mass: float = quantity("kg", "mass", positive=True)
    inertia: Any = quantity(
        "kg*m2",
        "about the centre of mass: 3 principal moments, 6 entries xx yy zz xy xz yz, or 3 x 3; 0 0 0 is a point mass",
        (0.0, 0.0, 0.0),
    )
    position: tuple[float, float, float] = quantity("m", "origin of the body frame at the start", (0.0, 0.0, 0.0))
    orientation: Any = orientation_field(
        "body frame at the start: quaternion (w, x, y, z) world from body, or 3 x 3 matrix"
    )
    velocity: tuple[float, float, float] = quantity(
        "m/s", "velocity of the origin of the body frame at the start, world frame", (0.0, 0.0, 0.0)
    )
    omega: tuple[float, float, float] = quantity("rad/s", "angular velocity at the start, body frame", (0.0, 0.0, 0.0))
    centre_of_mass: tuple[float, float, float] = quantity("m", "centre of mass in the body frame", (0.0, 0.0, 0.0))

    unusual: bool = quantity("", "an inertia that no body can have is meant (a robot file)", False, kw_only=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found:
            tensor = inertia_matrix(self.inertia, f"{self.name}.inertia")
            moments = np.linalg.eigvalsh(tensor)
            if moments[0] < 0 or (moments[0] == 0 and moments[2] > 0):
                expected = "three positive principal moments, or all zero for a point mass"
                hint = f"principal moments are {moments[0]:.4g}, {moments[1]:.4g}, {moments[2]:.4g} kg*m2"
                found.append(self.fault("inertia", "inertia is not positive definite", expected=expected, hint=hint))
            elif not self.unusual and breaks_triangle_rule(tensor):
                expected = "no principal moment above the sum of the other two"
                hint = (
                    f"no body has {moments[0]:.4g}, {moments[1]:.4g}, {moments[2]:.4g} kg*m2: a disc reaches equality"
                )
                found.append(self.fault("inertia", "inertia of no body of mass", expected=expected, hint=hint))
            rotation_from(self.orientation, f"{self.name}.orientation")
        return found

    def row(self) -> BodyRow:
        moments, axes = principal_axes(inertia_matrix(self.inertia, f"{self.name}.inertia"))
        _, rotation = self.pose()
        centre = np.asarray(self.centre_of_mass, dtype=float)
        omega = np.asarray(self.omega, dtype=float)
        velocity = np.asarray(self.velocity, dtype=float) + rotation @ np.cross(omega, centre)
        return BodyRow(self.mass, self.mass, moments, centre, axes, velocity, axes.T @ omega)

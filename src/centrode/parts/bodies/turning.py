"""Bodies that turn without deforming: position, unit quaternion, velocity (world), angular velocity (body axes).

What the kinds of such bodies share: kinematics of their markers, sums of forces, what a user sees of them. With centre
x, rotation R, velocity v, angular velocity w in body axes; marker at s in body axes, r = R s, W = R w:

    position     x + r                        (1)
    velocity     v + W x r                    (2)
    convective   c + W x (W x r)              (3)

c is the convective acceleration of the centre itself, zero where v is kept in world axes. The convective angular
acceleration is zero, because the angular acceleration in world axes is R w'. A row acts on a marker at r with force
part l and torque part t (world axes): on the body that is force l and torque t + r x l, turned into body axes.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.jet import Jet, dot, skew
from centrode.math.rotation import matrix_from_quaternion, quaternion_from_matrix
from centrode.math.vector import (
    ZERO,
    cross,
    matrix,
    minus,
    plus,
    product,
    put,
    put_matrix,
    quaternion,
    rotation_of,
    times,
    turn,
    vector,
)
from centrode.parts.bodies.body import Body, BodyJets, BodyRow, ChannelNote, rotation_from
from centrode.parts.kernel_types import CONVECTIVE, FRAME, OMEGA, POSITION, VELOCITY
from centrode.parts.tables import BODY_SIGNATURE, Coordinates, borrow


@step_kernel
def place_markers(body, x, r, tables):
    """(1), and the axes of the markers."""
    t = borrow(tables)
    for m in range(body.first_marker, body.end_marker):
        marker = t.marker_table[m]
        row = t.markers[m]
        put(row, POSITION, plus(x, turn(r, vector(marker.position, 0))))
        if marker.with_frame != 0:
            put_matrix(row, FRAME, product(r, matrix(marker.frame, 0)))


@step_kernel
def move_markers(body, x, v, w, c, tables):
    """(2) and (3); w in world axes."""
    t = borrow(tables)
    for m in range(body.first_marker, body.end_marker):
        row = t.markers[m]
        u = cross(w, minus(vector(row, POSITION), x))
        put(row, VELOCITY, plus(v, u))
        put(row, OMEGA, w)
        put(row, CONVECTIVE, plus(c, cross(w, u)))


@step_kernel
def row_on_body(row, active, arm):
    """Force and torque about the centre, world axes, of a row that acts (zero when it is switched off)."""
    force = times(active, vector(row, 0))
    return force, plus(times(active, vector(row, 3)), cross(arm, force))


@step_kernel
def wrench_on_body(body, x, tables):
    """Gravity and the wrenches at the markers: force and torque about x, world axes."""
    t = borrow(tables)
    force = times(body.weight_mass, vector(t.gravity, 0))
    torque = ZERO
    for m in range(body.first_marker, body.end_marker):
        if t.marker_table[m].carries_force != 0:
            push = vector(t.wrench[m], 0)
            arm = minus(vector(t.markers[m], POSITION), x)
            force = plus(force, push)
            torque = plus(torque, plus(vector(t.wrench[m], 3), cross(arm, push)))
    return force, torque


@step_kernel
def weight_potential(body, g, x):
    """Potential of gravity, zero at the world origin [J]."""
    return -body.weight_mass * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2])


@step_kernel(signature=BODY_SIGNATURE)
def place_turning(first, end, tables):
    """Rotation matrices and markers."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        if body.frames_needed != 0:
            pose = t.pose[b - 1]
            r = rotation_of(quaternion(pose, 3))
            put_matrix(t.rotation[b], 0, r)
            place_markers(body, vector(pose, 0), r, tables)


@step_kernel(signature=BODY_SIGNATURE)
def accelerate_markers_turning(first, end, tables):
    """a + alpha x r + W x (W x r), alpha = R w'; the acceleration of the state holds all that is convective of x."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        rates = t.acceleration[b - 1]
        alpha = turn(matrix(t.rotation[b], 0), vector(rates, 3))
        for m in range(body.first_marker, body.end_marker):
            row = t.markers[m]
            w = vector(row, OMEGA)
            r = minus(vector(row, POSITION), vector(t.pose[b - 1], 0))
            turning = plus(cross(alpha, r), cross(w, cross(w, r)))
            put(t.marker_acceleration[m], 0, plus(vector(rates, 0), turning))
            put(t.marker_acceleration[m], 3, alpha)


SPATIAL_CHANNELS: tuple[ChannelNote, ...] = (
    ("position", "m", ("xyz",), "world", "origin of the body frame"),
    ("orientation", "1", ("wxyz",), "world", "quaternion, world from body"),
    ("velocity", "m/s", ("xyz",), "world", "of the origin of the body frame"),
    ("omega", "rad/s", ("xyz",), "body", "angular velocity"),
)


class TurningBody(Body):
    """What a user sees of a body that turns: position, orientation, velocity, angular velocity of its own frame."""

    coordinates: ClassVar[Coordinates] = Coordinates.TURNING
    pose_width: ClassVar[int] = 7
    velocity_width: ClassVar[int] = 6
    place_kernel = place_turning
    accelerate_markers_kernel = accelerate_markers_turning

    position: tuple[float, float, float]
    orientation: Any

    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        return np.asarray(self.position, dtype=float), rotation_from(self.orientation, f"{self.name}.orientation")

    def start(self, row: BodyRow) -> tuple[np.ndarray, np.ndarray]:
        position, rotation = self.pose()
        quaternion = quaternion_from_matrix(rotation @ row.axes)
        return np.array([*(position + rotation @ row.centre), *quaternion]), np.array([*row.velocity, *row.omega])

    def velocity_count(self, row: BodyRow) -> int:
        return 6 if np.any(row.inertia > 0) else 3

    def channels(self) -> list[ChannelNote]:
        return [*SPATIAL_CHANNELS]

    def observe(self, row: BodyRow, pose: np.ndarray, velocity: np.ndarray) -> dict[str, np.ndarray]:
        orientation = multiply_quaternions(pose[:, 3:7], quaternion_from_matrix(row.axes.T))
        omega = velocity[:, 3:6] @ row.axes.T
        offset = rotate(orientation, np.broadcast_to(row.centre, omega.shape))
        return {
            "position": pose[:, :3] - offset,
            "orientation": orientation,
            "velocity": velocity[:, :3] - np.cross(rotate(orientation, omega), offset),
            "omega": omega,
        }

    def attitude(self, row: BodyRow, pose: np.ndarray) -> np.ndarray:
        return matrix_from_quaternion(pose[3:7]) @ row.axes.T

    def spin(self, row: BodyRow, pose: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        return np.asarray(row.axes @ velocity[3:6])

    def jets(self, pose: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> BodyJets:
        """x, v, a and R, R [w], R ([w][w] + [w'])."""
        rotation = matrix_from_quaternion(pose[3:7])
        turning, rate = skew(velocity[3:6]), skew(acceleration[3:6])
        return (
            Jet(pose[:3], velocity[:3], acceleration[:3]),
            Jet(rotation, rotation @ turning, rotation @ (turning @ turning + rate)),
        )

    def displacement(self, weight: np.ndarray, start: BodyJets, now: BodyJets) -> Jet:
        """The turning part is the axial part of R0^T R: the rotation vector to second order, linear in R."""
        (x0, r0), (x, r) = start, now
        total = dot(Jet(weight[:3]), Jet(x.v - x0.v, x.d, x.dd))
        m = Jet(r0.v.T @ r.v, r0.v.T @ r.d, r0.v.T @ r.dd)
        for k, (row, column) in enumerate(((2, 1), (0, 2), (1, 0))):
            total = total + Jet(0.5 * weight[3 + k]) * (m[row, column] - m[column, row])
        return total


def multiply_quaternions(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Hamilton products of rows of q with p (one quaternion or rows)."""
    p = np.broadcast_to(p, q.shape)
    w = q[:, :1] * p[:, :1] - np.sum(q[:, 1:] * p[:, 1:], axis=1, keepdims=True)
    v = q[:, :1] * p[:, 1:] + p[:, :1] * q[:, 1:] + np.cross(q[:, 1:], p[:, 1:])
    return np.hstack([w, v])


def rotate(q: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Rows of ``vectors`` turned by the quaternions in rows of q (world from body)."""
    t = 2.0 * np.cross(q[:, 1:], vectors)
    return vectors + q[:, :1] * t + np.cross(q[:, 1:], t)

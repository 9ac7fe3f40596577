"""Planar body: moves in the x-y plane and turns about z; three velocities instead of six."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.jet import Jet, arc_tangent, dot, skew
from centrode.math.vector import put, put_matrix, vector
from centrode.parts.bodies.body import Body, BodyJets, BodyRow, ChannelNote
from centrode.parts.bodies.turning import place_markers
from centrode.parts.kernel_types import CONVECTIVE, JOINT_BODY_A, JOINT_MARKER_A, JOINT_ROWS, OMEGA, POSITION, VELOCITY
from centrode.parts.part import quantity
from centrode.parts.tables import BODY_SIGNATURE, Coordinates, borrow


@step_kernel(signature=BODY_SIGNATURE)
def place_planar(first, end, tables):
    """Rotation about z and markers."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        if body.frames_needed != 0:
            x, y, angle = vector(t.pose[b - 1], 0)
            c, s = math.cos(angle), math.sin(angle)
            r = ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))
            put_matrix(t.rotation[b], 0, r)
            place_markers(body, (x, y, 0.0), r, tables)


@step_kernel
def arm_of(marker, pose):
    """x and y of a marker from the centre."""
    return marker[POSITION] - pose[0], marker[POSITION + 1] - pose[1]


@step_kernel(signature=BODY_SIGNATURE)
def move_planar(first, end, tables):
    """v + w x r and its convective acceleration -w^2 r."""
    t = borrow(tables)
    for b in range(first, end):
        vx, vy, w = vector(t.velocity[b - 1], 0)
        for m in range(t.bodies[b].first_marker, t.bodies[b].end_marker):
            rx, ry = arm_of(t.markers[m], t.pose[b - 1])
            t.markers[m, VELOCITY] = vx - w * ry
            t.markers[m, VELOCITY + 1] = vy + w * rx
            t.markers[m, OMEGA + 2] = w
            t.markers[m, CONVECTIVE] = -w * w * rx
            t.markers[m, CONVECTIVE + 1] = -w * w * ry


@step_kernel(signature=BODY_SIGNATURE)
def weigh_rows_planar(first, end, tables):
    """Y = J L^-T; of a row the force in the plane and the torque about z act."""
    t = borrow(tables)
    for n in range(first, end):
        j, side = t.sides[n, 0], t.sides[n, 1]
        b = t.joint_link[j, JOINT_BODY_A + side]
        body = t.bodies[b]
        rx, ry = arm_of(t.markers[t.joint_link[j, JOINT_MARKER_A + side]], t.pose[b - 1])
        for r in range(t.joint_link[j, JOINT_ROWS]):
            row, active = t.jacobian[j, side, r], t.row_active[j, r]
            lx, ly = row[0] * active, row[1] * active
            moment = row[5] * active + rx * ly - ry * lx
            scaled = lx * body.inverse_root_mass, ly * body.inverse_root_mass, moment * body.inverse_root_inertia[2]
            put(t.weighted[j, side, r], 0, scaled)


@step_kernel(signature=BODY_SIGNATURE)
def weigh_forces_planar(first, end, tables):
    """Gravity and the wrenches at the markers, weighed."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        fx, fy, moment = body.weight_mass * t.gravity[0], body.weight_mass * t.gravity[1], 0.0
        for m in range(body.first_marker, body.end_marker):
            if t.marker_table[m].carries_force != 0:
                rx, ry = arm_of(t.markers[m], t.pose[b - 1])
                push = t.wrench[m]
                fx += push[0]
                fy += push[1]
                moment += push[5] + rx * push[1] - ry * push[0]
        scaled = fx * body.inverse_root_mass, fy * body.inverse_root_mass, moment * body.inverse_root_inertia[2]
        put(t.weighted_force[b], 0, scaled)


@step_kernel(signature=BODY_SIGNATURE)
def unweigh_planar(first, end, tables):
    """L^-T of the weighed components."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        x, y, angle = vector(t.weighted_force[b], 0)
        scaled = x * body.inverse_root_mass, y * body.inverse_root_mass, angle * body.inverse_root_inertia[2]
        put(t.acceleration[b - 1], 0, scaled)


@step_kernel(signature=BODY_SIGNATURE)
def measure_planar(first, end, tables):
    """m v^2 / 2 + I w^2 / 2, and the potential of gravity."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        vx, vy, w = vector(t.velocity[b - 1], 0)
        t.energy[0] += 0.5 * body.mass * (vx**2 + vy**2)
        t.energy[0] += 0.5 * body.inertia[2] * w**2
        t.energy[1] -= body.weight_mass * (t.gravity[0] * t.pose[b - 1, 0] + t.gravity[1] * t.pose[b - 1, 1])


@step_kernel(signature=BODY_SIGNATURE)
def accelerate_markers_planar(first, end, tables):
    """a + alpha x r and the convective acceleration."""
    t = borrow(tables)
    for b in range(first, end):
        ax, ay, alpha = vector(t.acceleration[b - 1], 0)
        for m in range(t.bodies[b].first_marker, t.bodies[b].end_marker):
            rx, ry = arm_of(t.markers[m], t.pose[b - 1])
            t.marker_acceleration[m, 0] = ax - alpha * ry + t.markers[m, CONVECTIVE]
            t.marker_acceleration[m, 1] = ay + alpha * rx + t.markers[m, CONVECTIVE + 1]
            t.marker_acceleration[m, 5] = alpha


@step_kernel(signature=BODY_SIGNATURE)
def fall_planar(first, end, tables):
    """Gravity alone."""
    t = borrow(tables)
    for b in range(first, end):
        share = t.bodies[b].weight_share
        put(t.pose_rate[b - 1], 0, vector(t.velocity[b - 1], 0))
        put(t.acceleration[b - 1], 0, (share * t.gravity[0], share * t.gravity[1], 0.0))


@dataclass(frozen=True)
class PlanarBody(Body):
    """Rigid body of a plane system."""

    kind: ClassVar[str] = "planar"
    coordinates: ClassVar[Coordinates] = Coordinates.PLANE
    pose_width: ClassVar[int] = 3
    velocity_width: ClassVar[int] = 3
    place_kernel = place_planar
    scalar_mass = True
    move_kernel = move_planar
    weigh_rows_kernel = weigh_rows_planar
    weigh_forces_kernel = weigh_forces_planar
    unweigh_kernel = unweigh_planar
    measure_kernel = measure_planar
    accelerate_markers_kernel = accelerate_markers_planar
    fall_kernel = fall_planar

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
                found.append(self.fault(field, "a plane system has two coordinates"))
        return found

    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        return np.array([self.position[0], self.position[1], 0.0]), turned_by(self.angle)

    def row(self) -> BodyRow:
        _, rotation = self.pose()
        centre = np.array([*self.centre_of_mass, 0.0])
        omega = np.array([0.0, 0.0, self.omega])
        velocity = np.array([*self.velocity, 0.0]) + rotation @ np.cross(omega, centre)
        inertia = np.array([0.0, 0.0, self.inertia])
        return BodyRow(self.mass, self.mass, inertia, centre, np.eye(3), velocity, omega)

    def start(self, row: BodyRow) -> tuple[np.ndarray, np.ndarray]:
        position, rotation = self.pose()
        centre = position + rotation @ row.centre
        return np.array([centre[0], centre[1], self.angle]), np.array([*row.velocity[:2], row.omega[2]])

    def velocity_count(self, row: BodyRow) -> int:
        return 3 if row.inertia[2] > 0 else 2

    def channels(self) -> list[ChannelNote]:
        return [
            ("position", "m", ("xy",), "world", "origin of the body frame"),
            ("angle", "rad", (), "world", "counter-clockwise"),
            ("velocity", "m/s", ("xy",), "world", "of the origin of the body frame"),
            ("omega", "rad/s", (), "world", "angular velocity"),
        ]

    def observe(self, row: BodyRow, pose: np.ndarray, velocity: np.ndarray) -> dict[str, np.ndarray]:
        c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
        offset = np.stack([c * row.centre[0] - s * row.centre[1], s * row.centre[0] + c * row.centre[1]], axis=1)
        turned = np.stack([-offset[:, 1], offset[:, 0]], axis=1)
        return {
            "position": pose[:, :2] - offset,
            "angle": pose[:, 2],
            "velocity": velocity[:, :2] - velocity[:, 2:3] * turned,
            "omega": velocity[:, 2],
        }

    def attitude(self, row: BodyRow, pose: np.ndarray) -> np.ndarray:
        c, s = np.cos(pose[2]), np.sin(pose[2])
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def spin(self, row: BodyRow, pose: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        return np.array([0.0, 0.0, velocity[2]])

    def jets(self, pose: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> BodyJets:
        rotation = turned_by(pose[2])
        turning, rate = (skew(np.array([0.0, 0.0, q[2]])) for q in (velocity, acceleration))
        return (
            Jet(*(np.array([q[0], q[1], 0.0]) for q in (pose, velocity, acceleration))),
            Jet(rotation, rotation @ turning, rotation @ (turning @ turning + rate)),
        )

    def displacement(self, weight: np.ndarray, start: BodyJets, now: BodyJets) -> Jet:
        (x0, r0), (x, r) = start, now
        turned = arc_tangent(r[1, 0], r[0, 0])
        turned.v = math.remainder(turned.v - math.atan2(r0.v[1, 0], r0.v[0, 0]), 2.0 * math.pi)
        moved = Jet(x.v - x0.v, x.d, x.dd)
        return dot(Jet(np.array([weight[0], weight[1], 0.0])), moved) + Jet(weight[2]) * turned


def turned_by(angle: float) -> np.ndarray:
    """Rotation matrix of an angle about z."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

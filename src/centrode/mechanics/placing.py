"""Setting a state by names: joint coordinates and their rates, places and motions of bodies.

A coordinate of a joint that nothing else bridges moves all that hangs behind the joint, away from the ground, as one:
the joint lets b move against a by a twist x with g x = 1 for this coordinate and 0 for its others, and the finite
motion is exp(x d), exact for hinges, sliders, screws and crosses. In loops the way to the new value is gone in short
stretches, each closed by Newton's method with what is given held, so that the loop stays on its branch; what hangs on
the loop is carried along. Speeds keep their values when places change, and the other way round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from centrode.dynamics.bodies import normalise_poses, shift_poses
from centrode.dynamics.coordinates import Coordinate
from centrode.dynamics.redundancy import dense_rows
from centrode.dynamics.weights import smallest_solution, unweighing, velocities_of
from centrode.errors import InputError
from centrode.math.rotation import matrix_from_axis_angle, matrix_from_quaternion, quaternion_from_matrix
from centrode.mechanics.speeds import BodySpeed, Speed, body_twist, is_bridge, joined_bodies
from centrode.parts.kernel_types import JOINT_MARKER_B, POSITION
from centrode.parts.tables import Coordinates

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace

STRETCH = 0.2
"""Longest stretch of Newton's method [rad, or parts of the size of the system]."""
ENOUGH, CLOSED = 1e-14, 1e-9


class Place(NamedTuple):
    """A place that a body is to have: of its origin [m], and its rotation matrix."""

    body: int
    position: np.ndarray
    rotation: np.ndarray


def size_of(workspace: Workspace) -> float:
    """Length of the system [m]."""
    pose = workspace["pose"][:, :2] if workspace.model.plane else workspace["pose"][:, :3]
    arms = workspace.model.markers["position"]
    return max(float(np.ptp(pose, axis=0).max(initial=0.0)), float(np.abs(arms).max(initial=0.0)), 1e-6)


# -- moving as one -----------------------------------------------------------------------------------------------------


def move_rigidly(workspace: Workspace, bodies: set[int], rotation: np.ndarray, shift: np.ndarray) -> None:
    """Displace bodies by x -> rotation x + shift; their velocities turn with them."""
    pose, velocity = workspace["pose"], workspace["velocity"]
    for b in bodies - {0}:
        kind = workspace.model.bodies[b]["coordinates"]
        row, motion = pose[b - 1], velocity[b - 1]
        width = 2 if kind == Coordinates.PLANE else 3
        row[:width] = (rotation[:width, :width] @ row[:width]) + shift[:width]
        motion[:width] = rotation[:width, :width] @ motion[:width]
        if kind == Coordinates.PLANE:
            row[2] += np.arctan2(rotation[1, 0], rotation[0, 0])
        elif kind == Coordinates.TURNING:
            row[3:7] = quaternion_from_matrix(rotation @ matrix_from_quaternion(row[3:7]))
        else:
            for table in (row, motion):
                table[3:12] = (table[3:12].reshape(3, 3) @ rotation.T).ravel()


def turn_joint(workspace: Workspace, time: float, j: int, coordinates: list[Coordinate], changes: list[float]) -> None:
    """Change coordinates of a joint that nothing bridges, one after the other."""
    model = workspace.model
    a, b = model.joint_bodies(j)[:2]
    sets = joined_bodies(model, without=j)
    behind = next(found for found in sets if b in found)
    sign = 1.0
    if 0 in behind:
        behind, sign = next(found for found in sets if a in found), -1.0
    for n, change in enumerate(changes):
        if change == 0.0:
            continue
        workspace.evaluate(time)
        point = workspace["markers"][model.joint_link[j, JOINT_MARKER_B], POSITION : POSITION + 3].copy()
        twist = sign * change * _twist_of(workspace, j, b, coordinates, n, point)
        move_rigidly(workspace, behind, *_exponential(twist, point))


def _twist_of(
    workspace: Workspace, j: int, b: int, coordinates: list[Coordinate], n: int, point: np.ndarray
) -> np.ndarray:
    """Velocity at a point and angular velocity, world, of b against a that changes one coordinate alone by one."""
    model = workspace.model
    flat = model.plane
    rows = workspace["jacobian"][j, 1, : model.joint_rows[j]]
    rows = rows[workspace["row_active"][j, : rows.shape[0]] != 0.0]
    columns = []
    for k in (0, 1, 5) if flat else range(6):
        unit = np.zeros(6)
        unit[k] = 1.0
        columns.append([*(rows @ unit), *(_coordinate_rate(workspace, c, b, unit, point) for c in coordinates)])
    wanted = np.zeros(rows.shape[0] + len(coordinates))
    wanted[rows.shape[0] + n] = 1.0
    found = np.linalg.lstsq(np.array(columns).T, wanted, rcond=1e-12)[0]
    whole = np.zeros(6)
    whole[[0, 1, 5] if flat else list(range(6))] = found
    return whole


def _coordinate_rate(
    workspace: Workspace, coordinate: Coordinate, b: int, twist: np.ndarray, point: np.ndarray
) -> float:
    """Rate of a coordinate when b alone moves with a twist (velocity at the point, angular velocity, world)."""
    still = np.zeros_like(workspace["velocity"])
    moved = still.copy()
    if b:
        moved[b - 1] = rigid_velocity(workspace, b, twist, point)
        return float(coordinate.jet(workspace, moved, still).d)
    others = [body for body in coordinate.bodies if body]  # the ground cannot move: the other body does, backwards
    moved[others[0] - 1] = rigid_velocity(workspace, others[0], -twist, point)
    return float(coordinate.jet(workspace, moved, still).d)


def rigid_velocity(workspace: Workspace, b: int, twist: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Velocities of a body that moves rigidly: velocity at a point and angular velocity, world."""
    row, width = workspace["pose"][b - 1], workspace.model.velocity_width
    kind = workspace.model.bodies[b]["coordinates"]
    found = np.zeros(width)
    if kind == Coordinates.PLANE:
        found[:2] = (twist[:3] + np.cross(twist[3:], [row[0] - point[0], row[1] - point[1], 0.0]))[:2]
        found[2] = twist[5]
        return found
    found[:3] = twist[:3] + np.cross(twist[3:], row[:3] - point)
    if kind == Coordinates.TURNING:
        found[3:6] = matrix_from_quaternion(row[3:7]).T @ twist[3:]
    else:
        found[3:12] = np.cross(twist[3:], row[3:12].reshape(3, 3)).ravel()
    return found


def _exponential(twist: np.ndarray, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotation and shift of the motion along a constant twist (velocity at the point, angular velocity) for 1 s."""
    v, w = twist[:3], twist[3:]
    angle = float(np.linalg.norm(w))
    if angle < 1e-15:
        return np.eye(3), v.copy()
    axis = w / angle
    rotation = matrix_from_axis_angle(axis, angle)
    along = float(axis @ v) * axis
    centre = point + np.cross(axis, v) / angle
    return rotation, centre - rotation @ centre + along


# -- closing -----------------------------------------------------------------------------------------------------------


class Held(NamedTuple):
    """Rows that Newton's method holds: their gradients and misses are asked in every pass."""

    coordinates: list[tuple[Coordinate, float]]
    places: list[Place]
    speeds: list[Speed]

    def rows(self, workspace: Workspace) -> tuple[np.ndarray, np.ndarray]:
        """Gradients, (rows, velocities of all bodies), and misses."""
        found = [c.gradient(workspace).ravel() for c, _ in self.coordinates]
        wrong = [c.miss(float(c.jet(workspace).v), value) for c, value in self.coordinates]
        for place in self.places:
            matrix, miss = _place_rows(workspace, place)
            whole = np.zeros((matrix.shape[0], *workspace["velocity"].shape))
            whole[:, place.body - 1] = matrix
            found += list(whole.reshape(matrix.shape[0], -1))
            wrong += list(miss)
        found += [speed.gradient(workspace).ravel() for speed in self.speeds]
        wrong += [0.0] * len(self.speeds)
        return np.array(found).reshape(len(found), workspace["velocity"].size), np.array(wrong)


def _place_rows(workspace: Workspace, place: Place) -> tuple[np.ndarray, np.ndarray]:
    """Rows and misses of the six numbers of a place (three in the plane): turning in body axes."""
    position, rotation = place_of(workspace, place.body)
    turn = place.rotation.T @ rotation
    axial = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    cosine = 0.5 * (np.trace(turn) - 1.0)
    size = float(np.linalg.norm(axial))
    angle = float(np.arctan2(size, cosine))
    vector = axial if size < 1e-9 else axial / size * angle
    chosen = [0, 1, 5] if workspace.model.plane else list(range(6))
    miss = np.concatenate([position - place.position, vector])
    return body_twist(workspace, place.body)[0][chosen], miss[chosen]


def place_of(workspace: Workspace, b: int) -> tuple[np.ndarray, np.ndarray]:
    """Origin and rotation matrix of the user's frame of a body."""
    model = workspace.model
    part, row, pose = model.body_parts[b - 1], model.body_rows[b - 1], workspace["pose"][b - 1]
    rotation = part.attitude(row, pose)
    width = 2 if model.plane else 3
    centre = np.zeros(3)
    centre[:width] = pose[:width]
    return centre - rotation @ row.centre, rotation


def close(workspace: Workspace, time: float, held: Held) -> float:
    """Newton's method onto joints and held rows, the smallest correction in the metric of masses; what stays open."""
    w = workspace
    nonholonomic = {(j, r) for j, joint in enumerate(w.model.joints) for r in joint.nonholonomic_rows}
    best, stalled, size = np.inf, 0, np.inf
    for _ in range(40):
        w.evaluate(time)
        rows, places = dense_rows(w)
        kept = [i for i, place in enumerate(places) if place not in nonholonomic]
        phi = np.array([w["terms"][places[i]][0] for i in kept])
        gradients, miss = held.rows(w)
        wrong = np.concatenate([phi, miss])
        size = float(np.abs(wrong).max(initial=0.0))
        stalled = stalled + 1 if size > 0.5 * best else 0
        best = min(best, size)
        if size <= ENOUGH or not np.isfinite(size) or (stalled > 1 and best < 1e-12) or stalled > 6:
            break
        scale = unweighing(w)
        live = np.abs(scale).sum(axis=1).ravel() > 0.0
        shape = (gradients.shape[0], *w["velocity"].shape)
        weighed = np.einsum("bvk,rbv->rbk", scale, gradients.reshape(shape)).reshape(gradients.shape)
        matrix = np.vstack([rows[kept], weighed])
        shift_poses(1.0, velocities_of(scale, -smallest_solution(matrix, wrong, live)), w.address)
        normalise_poses(w.address)
    return size


def go_to(
    workspace: Workspace,
    time: float,
    coordinates: list[tuple[Coordinate, float]],
    places: list[Place],
    speeds: list[Speed],
) -> None:
    """Bring coordinates and bodies of loops to given values, in stretches, ``speeds`` (of what hangs on them) held.

    Raises:
        InputError: the joints do not allow it.
    """
    w = workspace
    begin = [float(c.jet(w).v) for c, _ in coordinates]
    change = [-c.miss(value, wanted) for (c, wanted), value in zip(coordinates, begin, strict=True)]
    starts = [place_of(w, place.body) for place in places]
    length = size_of(w)
    ways = [abs(d) / (1.0 if c.unit == "rad" else length) for (c, _), d in zip(coordinates, change, strict=True)]
    for place, (position, rotation) in zip(places, starts, strict=True):
        ways += [float(np.linalg.norm(place.position - position)) / length, _angle(rotation.T @ place.rotation)]
    count = max(1, int(np.ceil(max(ways, default=0.0) / STRETCH)))
    size = 0.0
    for n in range(1, count + 1):
        part = n / count
        there = [(c, value + part * d) for (c, _), value, d in zip(coordinates, begin, change, strict=True)]
        between = [
            Place(p.body, x + part * (p.position - x), r @ _part_of_turn(r.T @ p.rotation, part))
            for p, (x, r) in zip(places, starts, strict=True)
        ]
        size = close(w, time, Held(there, between, speeds))
        if not size <= CLOSED:
            break
    if not size <= CLOSED:
        names = [c.name for c, _ in coordinates] + [w.model.body_names[p.body] for p in places]
        hint = f"still open by {size:.3g} m or rad; the state is as it was"
        raise InputError("the joints do not allow this", path=", ".join(names), hint=hint)


def _angle(turn: np.ndarray) -> float:
    return float(np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0)))


def _part_of_turn(turn: np.ndarray, part: float) -> np.ndarray:
    q = quaternion_from_matrix(turn)
    size = float(np.linalg.norm(q[1:]))
    if size < 1e-15:
        return np.eye(3)
    return matrix_from_axis_angle(q[1:], part * 2.0 * float(np.arctan2(size, q[0])))


def held_speeds(workspace: Workspace, speeds: list[Speed]) -> list[Speed]:
    """Of the independent speeds those that a loop carries along: of joints that nothing bridges, and of free parts."""
    model = workspace.model
    bridges = {model.joints[int(j)].name for j in model.exact_joints if is_bridge(model, int(j))}
    return [speed for speed in speeds if isinstance(speed, BodySpeed) or speed.joint in bridges]

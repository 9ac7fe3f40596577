"""Independent speeds of a system by names: what joint coordinates are for a tree, and a choice of them for loops.

A speed is linear in the velocities v of the bodies, and so is its rate in their accelerations,

    u = g(q) v,        u' = g a + b(q, v)                                                                     (1)

Candidates, in this order: of every part that hangs on nothing, velocity and turning of its base (the body that hangs
on no other); of every joint as they were added its coordinates (``elbow.angle``), then displacements of b along the
axes of the marker of a (``table.x``), then the turning of b against a in axes of b (``wrist.turn.x``, ball joints). A
candidate is taken when the joints allow it and those taken before do not say it already. So a tree has all its joint
coordinates, and a loop the first that determine the rest, unless others are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.coordinates import Coordinate, body_jets, coordinate_makers, find_coordinate, joint_displacements
from centrode.dynamics.redundancy import RANK_TOLERANCE
from centrode.errors import InputError, nearest_name
from centrode.parts.kernel_types import JOINT_BODY_A

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace
    from centrode.system.model import Model

CLEAR, INDEPENDENT = 1e-3, 1e-8
"""Part of a candidate, of unit length, that those taken before must leave: at first, and if too few were found so."""
AXES = "xyz"


def body_twist(workspace: Workspace, b: int, acceleration: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Velocity of the origin (world) and angular velocity (body axes) of a body, as a map from its velocities.

    Returns:
        The map, (6, velocities of a body), and the rates of both at the given accelerations, at none when left out.
    """
    width = workspace.model.velocity_width
    if b == 0:
        return np.zeros((6, width)), np.zeros(6)
    still = np.zeros_like(workspace["velocity"])
    unit = still.copy()
    found = np.zeros((6, width))
    for k in range(width):
        unit[b - 1, k] = 1.0
        found[:, k] = _twist(workspace, b, unit, still, rates=False)
        unit[b - 1, k] = 0.0
    given = still if acceleration is None else acceleration
    return found, _twist(workspace, b, workspace["velocity"], given, rates=True)


def _twist(workspace: Workspace, b: int, velocity: np.ndarray, acceleration: np.ndarray, rates: bool) -> np.ndarray:
    row = workspace.model.body_rows[b - 1]
    x, r = body_jets(workspace.model, b, workspace["pose"], velocity, acceleration)
    origin, axes = x - r @ (row.axes.T @ row.centre), r @ row.axes.T
    turning = axes.v.T @ (axes.dd if rates else axes.d)
    moved = origin.dd if rates else origin.d
    spin = 0.5 * np.array([turning[2, 1] - turning[1, 2], turning[0, 2] - turning[2, 0], turning[1, 0] - turning[0, 1]])
    return np.concatenate([np.broadcast_to(moved, 3), spin])


def attitude(workspace: Workspace, b: int) -> np.ndarray:
    """Rotation matrix, world from the user's frame, of a body."""
    if b == 0:
        return np.eye(3)
    model = workspace.model
    return model.body_parts[b - 1].attitude(model.body_rows[b - 1], workspace["pose"][b - 1])


@dataclass(frozen=True)
class Speed:
    """A speed (1): ``elbow.angle`` is the rate of that coordinate.

    Attributes:
        name: of the coordinate, or of the velocity itself where none is behind it.
        unit: of the speed.
        joint: that it belongs to; "" for the body of a part that hangs on nothing.
    """

    name: str
    unit: str
    joint: str

    @property
    def load_unit(self) -> str:
        """Unit of the force or torque that does work on it."""
        return "N" if self.unit == "m/s" else "N*m" if self.unit == "rad/s" else "1"

    def gradient(self, workspace: Workspace) -> np.ndarray:
        """g of (1), (bodies, velocities per body)."""
        raise NotImplementedError

    def rate(self, workspace: Workspace, acceleration: np.ndarray) -> float:
        """u' of (1) at the given accelerations."""
        raise NotImplementedError


@dataclass(frozen=True)
class CoordinateSpeed(Speed):
    """Rate of a coordinate."""

    coordinate: Coordinate

    def gradient(self, workspace: Workspace) -> np.ndarray:
        return self.coordinate.gradient(workspace)

    def rate(self, workspace: Workspace, acceleration: np.ndarray) -> float:
        return float(self.coordinate.jet(workspace, acceleration=acceleration).dd)


@dataclass(frozen=True)
class BodySpeed(Speed):
    """Component of the velocity of a body's origin (world) or of its angular velocity (body axes)."""

    body: int
    component: int

    def gradient(self, workspace: Workspace) -> np.ndarray:
        found = np.zeros_like(workspace["velocity"])
        found[self.body - 1] = body_twist(workspace, self.body)[0][self.component]
        return found

    def rate(self, workspace: Workspace, acceleration: np.ndarray) -> float:
        return float(body_twist(workspace, self.body, acceleration)[1][self.component])


@dataclass(frozen=True)
class RawSpeed(Speed):
    """A velocity of the engine as it is: of a body that deforms."""

    body: int
    component: int

    def gradient(self, workspace: Workspace) -> np.ndarray:
        found = np.zeros_like(workspace["velocity"])
        found[self.body - 1, self.component] = 1.0
        return found

    def rate(self, workspace: Workspace, acceleration: np.ndarray) -> float:
        return float(acceleration[self.body - 1, self.component])


@dataclass(frozen=True)
class TurnSpeed(Speed):
    """Component of the turning of b against a, in axes of b: w_b - A w_a, A = R_b^T R_a, A' = -[w_b] A + A [w_a]."""

    a: int
    b: int
    component: int

    def gradient(self, workspace: Workspace) -> np.ndarray:
        found = np.zeros_like(workspace["velocity"])
        between = attitude(workspace, self.b).T @ attitude(workspace, self.a)
        if self.b:
            found[self.b - 1] += body_twist(workspace, self.b)[0][3 + self.component]
        if self.a:
            found[self.a - 1] -= (between @ body_twist(workspace, self.a)[0][3:])[self.component]
        return found

    def rate(self, workspace: Workspace, acceleration: np.ndarray) -> float:
        between = attitude(workspace, self.b).T @ attitude(workspace, self.a)
        spins, rates = [], []
        for body in (self.a, self.b):
            matrix, rate = body_twist(workspace, body, acceleration)
            velocity = workspace["velocity"][body - 1] if body else np.zeros(matrix.shape[1])
            spins.append(matrix[3:] @ velocity)
            rates.append(rate[3:])
        found = rates[1] - between @ rates[0] + np.cross(spins[1], between @ spins[0])
        return float(found[self.component])


def coordinate_speed(coordinate: Coordinate, joint: str = "") -> CoordinateSpeed:
    """The rate of a coordinate."""
    return CoordinateSpeed(coordinate.name, f"{coordinate.unit}/s", joint, coordinate)


def roots(model: Model) -> list[int]:
    """Of every part of a system that hangs on nothing the first body that is the second of no joint; else the first."""
    second = {model.joint_bodies(int(j))[1] for j in model.exact_joints}
    return [min(found - second or found) for found in joined_bodies(model) if 0 not in found]


def joined_bodies(model: Model, without: int | None = None) -> list[set[int]]:
    """Bodies that exact joints hold together, as sets; 0 is the ground. One joint may be thought away."""
    sets = [{b} for b in range(model.body_count + 1)]
    for j in model.exact_joints:
        if int(j) == without:
            continue
        touched = [found for found in sets if found & set(_bodies(model, int(j)))]
        sets = [found for found in sets if found not in touched] + [set().union(*touched)]
    return sorted(sets, key=min)


def _bodies(model: Model, j: int) -> list[int]:
    found = model.joint_bodies(j)
    return found[:2] if len(found) > 2 and found[2] == 0 else found


def is_bridge(model: Model, j: int) -> bool:
    """Whether nothing else joins the two bodies of a joint."""
    a, b = model.joint_bodies(j)[:2]
    return not any({a, b} <= found for found in joined_bodies(model, without=j))


def _candidates(workspace: Workspace) -> Iterator[Speed]:
    model = workspace.model
    for b in roots(model):
        yield from _of_root(model, b)
    makers = coordinate_makers(model)
    numbers = {joint.name: j for j, joint in enumerate(model.joints)}
    joints = [name for name in model.system.parts if name in numbers]
    for name in joints:
        for what, _ in model.joints[numbers[name]].coordinate_names:
            if f"{name}.{what}" in makers:
                yield coordinate_speed(makers[f"{name}.{what}"](), name)
    for name in joints:
        j = numbers[name]
        for coordinate in joint_displacements(model, j, name):
            yield coordinate_speed(coordinate, name)
        a, b = (int(x) for x in model.joint_link[j, JOINT_BODY_A : JOINT_BODY_A + 2])
        for k in (2,) if model.plane else range(3):
            yield TurnSpeed(f"{name}.turn.{AXES[k]}", "rad/s", name, a, b, k)
    for b in range(1, model.body_count + 1):
        yield from _raw(model, b)


def _of_root(model: Model, b: int) -> Iterator[Speed]:
    name = model.body_names[b]
    if model.body_parts[b - 1].elasticity():
        return
    for k in range(2 if model.plane else 3):
        yield BodySpeed(f"{name}.velocity.{AXES[k]}", "m/s", "", b, k)
    for k in (2,) if model.plane else range(3):
        yield BodySpeed(f"{name}.omega" + ("" if model.plane else f".{AXES[k]}"), "rad/s", "", b, 3 + k)


def _raw(model: Model, b: int) -> Iterator[Speed]:
    name = model.body_names[b]
    for k in range(model.body_parts[b - 1].velocity_width):
        yield RawSpeed(f"{name}.v{k + 1}", "m/s", "", b, k)


def choose_speeds(workspace: Workspace, rows: np.ndarray, live: np.ndarray, names: Sequence[str] | None) -> list[Speed]:
    """Independent speeds at the last evaluation, as many as the system has degrees of freedom.

    Args:
        workspace: evaluated.
        rows: of the joints, (rows, velocities of all bodies).
        live: which velocities exist; a point mass does not turn.
        names: coordinates whose rates are wanted among them; the rest is found.

    Raises:
        InputError: the named ones are unknown, or depend on each other.
    """
    allowed = null_space(rows, live)
    model = workspace.model
    wanted = [coordinate_speed(find_coordinate(model, name), name.rpartition(".")[0]) for name in names or ()]
    taken, left = _pick(workspace, wanted, allowed, INDEPENDENT)
    if len(taken) < len(wanted):
        lost = [speed.name for speed in wanted if speed not in taken]
        hint = f"the system has {allowed.shape[1]} degrees of freedom"
        raise InputError("the coordinates depend on each other", path="coordinates", got=lost, hint=hint)
    for part in (CLEAR, INDEPENDENT):
        known = {speed.name for speed in taken}
        more, left = _pick(workspace, (c for c in _candidates(workspace) if c.name not in known), left, part)
        taken += more
    return taken


def _pick(
    workspace: Workspace, candidates: Iterable[Speed], allowed: np.ndarray, part: float
) -> tuple[list[Speed], np.ndarray]:
    """Candidates that say something of the allowed motions (columns) that those before do not; and what is left."""
    taken: list[Speed] = []
    if allowed.shape[1] == 0:
        return taken, allowed
    for speed in candidates:
        row = speed.gradient(workspace).ravel()
        reach = row @ allowed
        size = float(np.linalg.norm(reach))
        if size <= part * float(np.linalg.norm(row)) or size == 0.0:
            continue
        taken.append(speed)
        # Turn the basis so that its first column is the one this speed sees, and go on with the others.
        allowed = (allowed @ np.linalg.qr(reach[:, None], mode="complete")[0])[:, 1:]
        if allowed.shape[1] == 0:
            break
    return taken, allowed


def independent_of(workspace: Workspace, speeds: Sequence[Speed], allowed: np.ndarray) -> list[Speed]:
    """Of these speeds those that say something of the allowed motions that the ones before do not."""
    return _pick(workspace, speeds, allowed, INDEPENDENT)[0]


def null_space(rows: np.ndarray, live: np.ndarray) -> np.ndarray:
    """Orthonormal columns that span the velocities that the rows allow."""
    reduced = rows[:, live]
    size = np.linalg.norm(reduced, axis=1)
    reduced = reduced[size > 0.0] / size[size > 0.0, None]
    found = np.zeros((rows.shape[1], int(live.sum())))
    if reduced.shape[0] == 0:
        found[live] = np.eye(int(live.sum()))
        return found
    _, values, turned = np.linalg.svd(reduced, full_matrices=True)
    rank = int(np.sum(values > RANK_TOLERANCE * values[0]))
    found[live] = turned.T
    return found[:, rank:]


def find_speed(speeds: Sequence[Speed], name: str) -> int:
    """Number of a speed by its name, or by that of its rate (``elbow.angle_rate``).

    Raises:
        InputError: there is none of that name, with the nearest.
    """
    known = [speed.name for speed in speeds]
    short = name.removesuffix("_rate")
    if short not in known:
        expected = "one of " + ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
        raise InputError(
            "not one of the independent speeds", path=name, expected=expected, nearest=nearest_name(short, known)
        )
    return known.index(short)

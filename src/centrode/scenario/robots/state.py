"""Where the links of a robot are, how they move, and what its joints weigh: from joint values and rates.

World frame throughout. With the Jacobian J_l of link l (rates of joints -> velocity of its centre of mass, angular
velocity):

    M(q) = sum_l J_l^T diag(m_l, I_l) J_l                                              (1)

of which 1 / (M^-1)_ii is what an effort at joint i has to move when all the others are free.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from centrode.errors import InputError, nearest_name
from centrode.scenario.robots.description import BALL, FLOATING, PLANAR, PRISMATIC, REVOLUTE, Robot, RobotJoint

Values = dict[str, float]


@dataclass
class LinkState:
    """Pose of a link's frame, its velocity [m/s] and angular velocity [rad/s], all in the world."""

    pose: np.ndarray
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    omega: np.ndarray = field(default_factory=lambda: np.zeros(3))

    def at(self, point: np.ndarray) -> np.ndarray:
        """Velocity of a point of the world that moves with the link [m/s]."""
        return np.asarray(self.velocity + np.cross(self.omega, point - self.pose[:3, 3]))


def settle_values(robot: Robot, given: Values, what: str) -> Values:
    """Values or rates of all joints that have one: given, or followed by mimics; otherwise zero for rates, and for
    positions where the file begins, or the limit next to it, which a note says.

    Args:
        what: "position" or "rate"; offsets of mimics count for positions.
    """
    known = [joint.name for joint in robot.joints.values() if joint.has_value]
    for name in given:
        if name not in known:
            raise InputError(
                f"no joint of this name to give a {what}",
                path=name,
                file=robot.file,
                expected="one of " + ", ".join(known[:20]) if known else "a hinge or slider",
                nearest=nearest_name(name, known),
            )
    values = dict(given)
    if what == "position":
        values.update({name: _start(robot, name) for name in known if name not in given})
    found = {name: _followed(robot, name, values, what, ()) for name in known}
    for name in given:
        if abs(float(given[name]) - found[name]) > 1e-9:
            mimic = robot.joints[name].mimic
            hint = f"it follows '{mimic.joint}'; leave it out" if mimic is not None else ""
            said = {"path": name, "file": robot.file, "got": given[name], "expected": f"{found[name]:g}", "hint": hint}
            raise InputError(f"a {what} against its mimic", **said)
    return found


def _start(robot: Robot, name: str) -> float:
    """Where a joint begins that nobody has placed."""
    joint, value = robot.joints[name], robot.start.get(name, 0.0)
    inside = max(value, value if joint.lower is None else joint.lower)
    inside = min(inside, inside if joint.upper is None else joint.upper)
    if inside != value and joint.mimic is None:
        robot.notes.append(f"joint '{name}' starts at {inside:g}, the limit next to {value:g}")
    return inside


def _followed(robot: Robot, name: str, given: Values, what: str, seen: tuple[str, ...]) -> float:
    mimic = robot.joints[name].mimic
    if mimic is None:
        return float(given.get(name, 0.0))
    if name in seen:
        joint = robot.joints[name]
        raise InputError([robot.fault("joints that mimic each other in a ring", name, joint.line)])
    leading = _followed(robot, mimic.joint, given, what, (*seen, name))
    value = (mimic.offset if what == "position" else 0.0) + mimic.ratio * leading
    return value


def link_states(robot: Robot, root: np.ndarray, positions: Values, rates: Values) -> dict[str, LinkState]:
    """States of all links; the root rests at its pose."""
    found = {robot.root: LinkState(root)}
    for joint in robot.order():
        parent, value, rate = found[joint.parent], positions.get(joint.name, 0.0), rates.get(joint.name, 0.0)
        pose = parent.pose @ joint.origin @ joint.motion(value)
        axis, anchor = axis_and_anchor(parent.pose, joint)
        omega = parent.omega + (rate * axis if joint.kind == REVOLUTE else 0.0)
        here = LinkState(pose, parent.at(anchor), omega)
        if joint.kind == PRISMATIC:
            here.velocity = parent.at(pose[:3, 3]) + rate * axis
        else:
            here.velocity = parent.at(anchor) + np.cross(omega, pose[:3, 3] - anchor)
        found[joint.child] = here
    return found


def axis_and_anchor(parent: np.ndarray, joint: RobotJoint) -> tuple[np.ndarray, np.ndarray]:
    """Axis and anchor of a joint in the world, from the pose of its parent."""
    frame = parent @ joint.origin
    return frame[:3, :3] @ joint.axis, frame[:3, :3] @ joint.point + frame[:3, 3]


def mass_matrix(robot: Robot, states: dict[str, LinkState], held: bool) -> tuple[np.ndarray, list[tuple[str, int]]]:
    """(1), and which joint each column belongs to with its component; a free root comes first, under no name."""
    columns: list[tuple[str, int]] = [] if held else [("", k) for k in range(6)]
    freedoms = {FLOATING: 6, BALL: 3, PLANAR: 3, REVOLUTE: 1, PRISMATIC: 1}
    for joint in robot.order():
        columns += [(joint.name, k) for k in range(freedoms[joint.kind])]
    index = {column: k for k, column in enumerate(columns)}
    inbound = {joint.child: joint for joint in robot.joints.values()}
    matrix = np.zeros((len(columns), len(columns)))
    for name, link in robot.links.items():
        if held and name == robot.root:
            continue
        pose = states[name].pose
        centre = pose[:3, :3] @ link.inertia.centre + pose[:3, 3]
        jacobian = np.zeros((6, len(columns)))
        at = name
        while at in inbound:
            joint = inbound[at]
            axis, anchor = axis_and_anchor(states[joint.parent].pose, joint)
            for k, (line, turn) in enumerate(_directions(joint, axis)):
                column = index[joint.name, k]
                jacobian[3:, column] = turn
                jacobian[:3, column] = line + np.cross(turn, centre - anchor)
            at = joint.parent
        if not held:
            arm = centre - states[robot.root].pose[:3, 3]
            jacobian[:3, :3] = np.eye(3)
            for k in range(3):
                jacobian[3:, 3 + k] = np.eye(3)[k]
                jacobian[:3, 3 + k] = np.cross(np.eye(3)[k], arm)
        tensor = pose[:3, :3] @ link.inertia.tensor @ pose[:3, :3].T
        matrix += link.inertia.mass * jacobian[:3].T @ jacobian[:3] + jacobian[3:].T @ tensor @ jacobian[3:]
    return matrix, columns


def _directions(joint: RobotJoint, axis: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """What each freedom of a joint moves: velocity at the anchor and angular velocity."""
    nothing, unit = np.zeros(3), np.eye(3)
    if joint.kind == REVOLUTE:
        return [(nothing, axis)]
    if joint.kind == PRISMATIC:
        return [(axis, nothing)]
    if joint.kind == PLANAR:
        first = np.cross(axis, unit[int(np.argmin(np.abs(axis)))])
        first /= np.linalg.norm(first)
        return [(first, nothing), (np.cross(axis, first), nothing), (nothing, axis)]
    turns = [(nothing, unit[k]) for k in range(3)]
    return turns if joint.kind == BALL else [(unit[k], nothing) for k in range(3)] + turns


class Mobility:
    """M^-1 of a robot at its start: what efforts at its hinges and sliders have to move."""

    def __init__(self, robot: Robot, states: dict[str, LinkState], held: bool) -> None:
        matrix, columns = mass_matrix(robot, states, held)
        self.column = {name: k for k, (name, _) in enumerate(columns)}
        # Scaled to ones on the diagonal, so that grams and tonnes do not disturb each other.
        root = np.sqrt(np.maximum(np.diag(matrix), 1e-300))
        scale = np.outer(root, root)
        self.inverse = np.linalg.pinv(matrix / scale, hermitian=True) / scale if columns else matrix

    def inertia(self, joint: str) -> float:
        """1 / (M^-1)_ii [kg m2 or kg]."""
        k = self.column[joint]
        return float(1.0 / max(self.inverse[k, k], 1e-300))

    def inertia_between(self, following: str, leading: str, ratio: float) -> float:
        """What an effort on the difference of two joints moves, q_2 - ratio q_1, in units of the first named."""
        k, n = self.column[following], self.column[leading]
        found = self.inverse[k, k] - 2.0 * ratio * self.inverse[k, n] + ratio * ratio * self.inverse[n, n]
        return float(1.0 / max(found, 1e-300))

"""Accelerations of a robot's joints as the engine has them, for comparison with engines of reduced coordinates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from centrode.running import Session
from centrode.scenario.robots.building import RobotImport
from centrode.system.settings import RunSettings


class Motion(NamedTuple):
    """Centre of mass, its acceleration, angular velocity and acceleration, attitude; all in the world."""

    centre: np.ndarray
    acceleration: np.ndarray
    omega: np.ndarray
    alpha: np.ndarray
    rotation: np.ndarray

    def at(self, point: np.ndarray) -> np.ndarray:
        arm = point - self.centre
        return self.acceleration + np.cross(self.alpha, arm) + np.cross(self.omega, np.cross(self.omega, arm))


def motions(robot: RobotImport) -> dict[str, Motion]:
    """Of all bodies at the start."""
    session = Session(robot.system, RunSettings())
    tables, model = session.workspace, session.model
    tables.evaluate(0.0)
    still = np.zeros(3)
    found = {"ground": Motion(still, still, still, still, np.eye(3))}
    for k, (part, row) in enumerate(zip(model.body_parts, model.body_rows, strict=True)):
        pose, velocity, rates = (np.array(tables[name][k]) for name in ("pose", "velocity", "acceleration"))
        attitude = part.attitude(row, pose)
        turn = attitude @ row.axes
        found[part.name] = Motion(pose[:3], rates[:3], turn @ velocity[3:6], turn @ rates[3:6], attitude)
    return found


def joint_accelerations(robot: RobotImport) -> dict[str, np.ndarray]:
    """Second derivatives of the joints at the start: one number, three about body axes for balls, six for free ones."""
    body, found = motions(robot), {}
    for joint in robot.robot.joints.values():
        a, b = body[robot.body(joint.parent)], body[robot.body(joint.child)]
        axis = (robot.states[joint.parent].pose @ joint.origin)[:3, :3] @ joint.axis
        if joint.kind == "revolute":
            found[joint.name] = np.array([axis @ (b.alpha - a.alpha)])
        elif joint.kind == "prismatic":
            found[joint.name] = np.array([axis @ (b.at(b.centre) - a.at(b.centre))])
        elif joint.kind == "ball":
            found[joint.name] = b.rotation.T @ (b.alpha - a.alpha - np.cross(a.omega, b.omega - a.omega))
        elif joint.kind == "floating":
            origin = robot.states[joint.child].pose[:3, 3]
            found[joint.name] = np.concatenate([b.at(origin), b.rotation.T @ b.alpha])
    return found


def root_acceleration(robot: RobotImport) -> np.ndarray:
    """Of the origin of a free root, and its angular one, in the world."""
    body = motions(robot)[robot.robot.root]
    return np.concatenate([body.at(robot.states[robot.robot.root].pose[:3, 3]), body.alpha])

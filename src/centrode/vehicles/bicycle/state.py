"""A bicycle's workspace set to any state on the constraints, and read back: for linearisation, turns and tests."""

from __future__ import annotations

import dataclasses

import numpy as np

from centrode.dynamics.coordinates import Coordinate, find_coordinate
from centrode.dynamics.workspace import Workspace
from centrode.math.jet import Jet
from centrode.math.rotation import quaternion_from_matrix
from centrode.system.builder import System
from centrode.system.model import build_model
from centrode.vehicles.bicycle.kinematics import Motion, Posture, motion, posture
from centrode.vehicles.bicycle.parameters import BODIES, BicycleParameters
from centrode.vehicles.bicycle.upper_body import BicycleUpperBody

NAME = "bike"


def bicycle_workspace(
    parameters: BicycleParameters, gravity: float = 9.81, upper: BicycleUpperBody | None = None, speed: float = 0.0
) -> Workspace:
    """Workspace of a bicycle alone on level ground, named "bike"; upright, at rest unless it has a speed."""
    from centrode.vehicles.bicycle.model import Bicycle

    system = System(gravity=(0.0, 0.0, -gravity))
    system.add(Bicycle(NAME, parameters=dataclasses.asdict(parameters), speed=speed, upper_body=upper))
    workspace = Workspace(build_model(system))
    workspace.evaluate(0.0)
    return workspace


def place_bicycle(
    workspace: Workspace,
    parameters: BicycleParameters,
    lean: float = 0.0,
    steer: float = 0.0,
    speed: float = 0.0,
    lean_rate: float = 0.0,
    steer_rate: float = 0.0,
) -> tuple[Posture, Motion]:
    """Set the state of the bicycle and evaluate its accelerations."""
    where = posture(parameters, lean, steer)
    how = motion(parameters, where, speed, lean_rate, steer_rate)
    write_state(workspace, where, how)
    workspace.evaluate(0.0)
    return where, how


def write_state(workspace: Workspace, where: Posture, how: Motion) -> None:
    """Poses and velocities of all bodies into the engine's tables (centre of mass, principal axes)."""
    model = workspace.model
    for body in BODIES:
        b = model.body_index(f"{NAME}.{body}")
        axes = model.body_rows[b - 1].axes
        rotation = where.rotations[body]
        workspace["pose"][b - 1, :3] = where.positions[body]
        workspace["pose"][b - 1, 3:7] = quaternion_from_matrix(rotation @ axes)
        workspace["velocity"][b - 1, :3] = how.velocities[body]
        workspace["velocity"][b - 1, 3:6] = axes.T @ rotation.T @ how.omegas[body]


def read_coordinate(workspace: Workspace, name: str) -> Jet:
    """Value, rate and second derivative of a coordinate of the bicycle, such as "frame.lean"."""
    # Kept with the model, because finding it again costs more than using it.
    known: dict[str, Coordinate] = workspace.model.__dict__.setdefault("bicycle_coordinates", {})
    if name not in known:
        known[name] = find_coordinate(workspace.model, f"{NAME}.{name}")
    return known[name].jet(workspace)


def accelerations(workspace: Workspace, names: tuple[str, ...]) -> np.ndarray:
    """Second derivatives of several coordinates."""
    return np.array([read_coordinate(workspace, name).dd for name in names])


def wheel_loads(workspace: Workspace) -> tuple[float, float]:
    """Normal forces of the ground on rear and front wheel [N] at the present state."""
    rear, front = (workspace.model.joint_index(f"{NAME}.{end}-contact") for end in ("rear", "front"))
    return -float(workspace["multipliers"][rear, 0]), -float(workspace["multipliers"][front, 0])

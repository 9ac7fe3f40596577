"""What a rider would read off a recording of a bicycle: lean, steer, speed, wheel tracks, contact forces, a fall."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.bodies.turning import rotate
from centrode.parts.roads.road_surface import surface_point
from centrode.vehicles.bicycle.fall import FELL
from centrode.vehicles.bicycle.parameters import BicycleParameters


def bicycle_history(
    run: Any, name: str, parameters: BicycleParameters, normal: Any = (0.0, 0.0, 1.0), road: Any = None
) -> dict[str, Any]:
    """Time histories of a recorded bicycle.

    Args:
        run: recording.
        name: of the bicycle.
        parameters: its parameters.
        normal: of the ground.
        road: on which it rolls, a part; its normals at the contacts count then.

    Returns:
        time [s]; lean, steer, yaw [rad], right positive for lean and steer, left for yaw; lean_rate, steer_rate,
        yaw_rate [rad/s]; speed [m/s] (radius times spin of the rear wheel against the frame); rear_track, front_track
        (frames, 3) contact points [m]; rear_force, front_force (frames, 3) of the ground on the wheels [N], world;
        rear_load, front_load across the ground [N]; rear_friction, front_friction, the coefficient that rolling needs,
        infinite where the wheel would lift. On a road yaw is the direction in the horizontal plane.
    """
    count = len(run.time)
    normals = {end: _normals(run, f"{name}.{end}-contact", normal, road) for end in ("rear", "front")}
    up = normals["rear"]
    frame, omega = run[f"{name}.frame.orientation"], run[f"{name}.frame.omega"]
    fork_omega = run[f"{name}.fork.omega"]
    world = rotate(frame, omega)
    axle = rotate(frame, np.tile([0.0, 1.0, 0.0], (count, 1)))
    sine = np.einsum("ni,ni->n", axle, up)
    forward = np.cross(axle, up)
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    yaw_rate = (np.einsum("ni,ni->n", world, up) - sine * np.einsum("ni,ni->n", world, axle)) / (1.0 - sine**2)
    found: dict[str, Any] = {
        "time": np.asarray(run.time),
        "lean": np.arcsin(np.clip(sine, -1.0, 1.0)),
        "lean_rate": np.einsum("ni,ni->n", world, forward),
        "steer": run[f"{name}.steer.angle"] + _steer_at_start(run, name),
        "steer_rate": (fork_omega - omega) @ parameters.steer_axis,
        "yaw": np.unwrap(np.arctan2(forward[:, 1], forward[:, 0])),
        "yaw_rate": yaw_rate,
        "speed": parameters.rear_radius * (run[f"{name}.rear-wheel.omega"][:, 1] - omega[:, 1]),
    }
    for end, radius, tyre in parameters.wheels:
        wheel = run[f"{name}.{end}-wheel.orientation"]
        e = rotate(wheel, np.tile([0.0, 1.0, 0.0], (count, 1)))
        up = normals[end]
        k = np.einsum("ni,ni->n", e, up)
        s = np.sqrt(np.maximum(1.0 - k**2, 1e-12))
        away = (up - k[:, None] * e) / s[:, None]
        found[f"{end}_track"] = run[f"{name}.{end}-wheel.position"] - (radius - tyre) * away - tyre * up
        force = run[f"{name}.{end}-contact.force"]
        load = np.einsum("ni,ni->n", force, up)
        found[f"{end}_force"], found[f"{end}_load"] = force, load
        along = np.linalg.norm(force - load[:, None] * up, axis=1)
        found[f"{end}_friction"] = np.divide(along, load, out=np.full(count, math.inf), where=load > 0.0)
    return found


def _normals(run: Any, contact: str, normal: Any, road: Any) -> np.ndarray:
    """Normals of the ground at a contact, shape (frames, 3)."""
    if road is None:
        up = np.asarray(normal, dtype=float)
        return np.tile(up / np.linalg.norm(up), (len(run.time), 1))
    places = zip(run[f"{contact}.s"], run[f"{contact}.lateral"], strict=True)
    return np.array([surface_point(road, s, n).normal for s, n in places])


def _steer_at_start(run: Any, name: str) -> float:
    """A hinge counts its angle from the start; the steer there is the angle between frame and fork."""
    frame, fork = (matrix_from_quaternion(run[f"{name}.{body}.orientation"][0]) for body in ("frame", "fork"))
    (x, a, _), b = frame.T, fork[:, 1]
    angle = math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))
    # Turning to the right takes the axle of the fork (to the left) forwards.
    return math.copysign(angle, float(b @ x)) if angle > 1e-12 else 0.0


def fall_time(run: Any, name: str) -> float | None:
    """When the bicycle fell [s]; None when it did not."""
    falls = (event for event in run.events if event.kind in ("fallen", FELL))
    return next((float(event.time) for event in falls if event.subject.startswith(f"{name}.")), None)

"""What a rider would read off a recording of a bicycle: lean, steer, speed, wheel tracks, contact forces, a fall."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from centrode.recording.observer import rotate
from centrode.vehicles.bicycle.parameters import BicycleParameters


def bicycle_history(
    run: Any, name: str, parameters: BicycleParameters, normal: Any = (0.0, 0.0, 1.0)
) -> dict[str, Any]:
    """Time histories of a recorded bicycle.

    Args:
        run: recording.
        name: of the bicycle.
        parameters: its parameters.
        normal: of the ground.

    Returns:
        time [s]; lean, steer, yaw [rad], right positive for lean and steer, left for yaw; lean_rate, steer_rate,
        yaw_rate [rad/s]; speed [m/s] (radius times spin of the rear wheel against the frame); rear_track, front_track
        (frames, 3) contact points [m]; rear_force, front_force (frames, 3) of the ground on the wheels [N], world.
    """
    up = np.asarray(normal, dtype=float)
    up = up / np.linalg.norm(up)
    frame, omega = run[f"{name}.frame.orientation"], run[f"{name}.frame.omega"]
    fork_omega = run[f"{name}.fork.omega"]
    world = rotate(frame, omega)
    count = len(run.time)
    axle = rotate(frame, np.tile([0.0, 1.0, 0.0], (count, 1)))
    sine = axle @ up
    forward = np.cross(axle, up)
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    yaw_rate = (world @ up - sine * np.einsum("ni,ni->n", world, axle)) / (1.0 - sine**2)
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
    for end, radius, tyre in (
        ("rear", parameters.rear_radius, parameters.rear_tyre),
        ("front", parameters.front_radius, parameters.front_tyre),
    ):
        wheel = run[f"{name}.{end}-wheel.orientation"]
        e = rotate(wheel, np.tile([0.0, 1.0, 0.0], (count, 1)))
        k = e @ up
        s = np.sqrt(np.maximum(1.0 - k**2, 1e-12))
        away = (up - k[:, None] * e) / s[:, None]
        found[f"{end}_track"] = run[f"{name}.{end}-wheel.position"] - (radius - tyre) * away - tyre * up
        found[f"{end}_force"] = run[f"{name}.{end}-contact.force"]
    return found


def _steer_at_start(run: Any, name: str) -> float:
    """A hinge counts its angle from the start; the steer there is the angle between frame and fork."""
    count = 1
    y = np.tile([0.0, 1.0, 0.0], (count, 1))
    frame, fork = run[f"{name}.frame.orientation"][:1], run[f"{name}.fork.orientation"][:1]
    a, b = rotate(frame, y)[0], rotate(fork, y)[0]
    angle = math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))
    x = rotate(frame, np.tile([1.0, 0.0, 0.0], (count, 1)))[0]
    # Turning to the right takes the axle of the fork (to the left) forwards.
    return math.copysign(angle, float(b @ x)) if angle > 1e-12 else 0.0


def fall_time(run: Any, name: str) -> float | None:
    """When the bicycle fell [s]; None when it did not."""
    for event in run.events:
        if event.kind == "fallen" and event.subject.startswith(f"{name}."):
            return float(event.time)
    return None

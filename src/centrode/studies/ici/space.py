"""Paths in space from a body twist: exact helix, the thesis' arc-then-roll split, first and second order.

The rates are a function of time, ``twist(times) -> array (n, 6)`` of vx, vy, vz [m/s], wx, wy, wz [rad/s] in body axes,
or six constants.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from centrode.errors import InputError, unknown_name
from centrode.jit import kernel, types
from centrode.math.ici_space import (
    advance_space_exact,
    advance_space_first,
    advance_space_second,
    advance_space_split,
    advance_space_split_symmetric,
    helix_of_twist,
    split_rates,
    split_rates_about_up,
)
from centrode.math.vector import put, put_quaternion, quaternion, vector
from centrode.studies.ici.methods import check_rates_at

SPACE_METHODS = {"ici-first": 1, "ici-second": 2, "ici-exact": 3, "ici-split": 4, "ici-split-symmetric": 5}
"""Methods in space and the numbers that the compiled loop knows."""


@dataclass(frozen=True)
class SpacePath:
    """Frames of a run in space.

    Attributes:
        method: name.
        time: [s], shape (n,).
        position: world [m], shape (n, 3).
        quaternion: world from body (w, x, y, z), shape (n, 4).
    """

    method: str
    time: np.ndarray
    position: np.ndarray
    quaternion: np.ndarray


def integrate_space(
    twist: np.ndarray | tuple[float, ...] | Callable[[np.ndarray], np.ndarray],
    duration: float,
    steps: int,
    method: str = "ici-exact",
    position: tuple[float, float, float] = (0.0, 0.0, 0.0),
    quaternion: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0),
    rates: str = "start",
) -> SpacePath:
    """Integrate a pose in space from a body twist.

    Args:
        twist: six constants or a function of time (see top of file).
        duration: [s].
        steps: number of equal steps.
        method: one of SPACE_METHODS.
        position: start, world [m].
        quaternion: start attitude, world from body; scaled to length 1.
        rates: "start" or "midpoint": where in the step the twist is sampled.
    """
    if method not in SPACE_METHODS:
        raise unknown_name("unknown method in space", method, list(SPACE_METHODS), path="method")
    check_rates_at(rates)
    if not np.isfinite(duration) or duration <= 0.0:
        raise InputError("duration must be positive", path="duration", got=duration)
    if steps < 1:
        raise InputError("number of steps must be positive", path="steps", got=steps)
    length = float(np.linalg.norm(quaternion))
    if not np.isfinite(length) or length == 0.0:
        raise InputError("quaternion has no direction", path="quaternion", got=quaternion)
    dt = duration / steps
    time = dt * np.arange(steps + 1)
    at = time[:-1] + (0.5 * dt if rates == "midpoint" else 0.0)
    samples = np.asarray(twist(at) if callable(twist) else twist, dtype=float)
    samples = np.array(np.broadcast_to(samples, (steps, 6)), order="C")
    if not np.isfinite(samples).all():
        hint = f"first at t = {at[~np.isfinite(samples).all(1)][0]}"
        raise InputError("twist is not finite", path="twist", hint=hint)
    frames = np.empty((steps + 1, 7))
    frames[0] = [*position, *(np.asarray(quaternion, dtype=float) / length)]
    march_space(SPACE_METHODS[method], samples, dt, frames)
    return SpacePath(method, time, frames[:, :3].copy(), frames[:, 3:].copy())


@dataclass(frozen=True)
class SpaceError:
    """Error of one method in space.

    Attributes:
        method: name.
        error, error_half: distance from the exact end [m] with the given and with twice the number of steps.
        order: observed global order; NaN when both errors are rounding.
    """

    method: str
    error: float
    error_half: float
    order: float


def space_errors(twist: tuple[float, ...], duration: float, steps: int) -> list[SpaceError]:
    """Errors of all methods against the helix of a constant twist (vx, vy, vz, wx, wy, wz; body axes)."""
    exact = integrate_space(twist, duration, 1).position[-1]
    # What rounding alone makes of a path of this length.
    noise = 1e-12 * (float(np.linalg.norm(twist[:3])) * duration + float(np.linalg.norm(exact)) + 1e-300)
    rows = []
    for method in SPACE_METHODS:
        ends = (integrate_space(twist, duration, count, method).position[-1] for count in (steps, 2 * steps))
        coarse, fine = (float(np.linalg.norm(end - exact)) for end in ends)
        rows.append(SpaceError(method, coarse, fine, float(np.log2(coarse / fine)) if fine > noise else float("nan")))
    return rows


def twist_geometry(twist: tuple[float, ...]) -> dict[str, float]:
    """Rates relative to the velocity and the geometry of the helix, by name with unit."""
    v, w = twist[:3], twist[3:]
    roll, yaw, _ = split_rates(v, w)
    yaw_up, _, pitch_up = split_rates_about_up(v, w, (0.0, 0.0, 1.0))
    curvature, torsion, radius, advance, _ = helix_of_twist(v, w)
    return {
        "roll rate along V [rad/s]": roll,
        "yaw rate normal to V [rad/s]": yaw,
        "of it about the vehicle's z [rad/s]": yaw_up,
        "of it about the vehicle's left [rad/s]": pitch_up,
        "curvature [1/m]": curvature,
        "torsion [1/m]": torsion,
        "radius of curvature [m]": 1.0 / curvature if curvature else float("inf"),
        "distance to screw axis [m]": radius,
        "advance per radian [m]": advance,
    }


@kernel(signature=types.void(types.int64, types.floats2, types.float64, types.floats2))
def march_space(code: int, samples: np.ndarray, dt: float, frames: np.ndarray) -> None:
    """Fill frames (steps + 1, 7) from frame 0 with the twists of samples (steps, 6)."""
    p, q = vector(frames[0], 0), quaternion(frames[0], 3)
    for n in range(samples.shape[0]):
        v, w = vector(samples[n], 0), vector(samples[n], 3)
        if code == 1:
            p, q = advance_space_first(p, q, v, w, dt)
        elif code == 2:
            p, q = advance_space_second(p, q, v, w, dt)
        elif code == 3:
            p, q = advance_space_exact(p, q, v, w, dt)
        elif code == 4:
            p, q = advance_space_split(p, q, v, w, dt)
        else:
            p, q = advance_space_split_symmetric(p, q, v, w, dt)
        put(frames[n + 1], 0, p)
        put_quaternion(frames[n + 1], 3, q)

"""Attitude formalisms side by side: error, norm drift, observed order and cost for any free body, torque and step.

The truth is an integration of (quaternion, rate) by DOP853 with a tolerance of 1e-13; its rates agree with Jacobi's
elliptic functions to 1e-11 over twenty seconds of the standard case.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError
from centrode.math.rotation import matrix_from_quaternion, quaternion_from_matrix
from centrode.math.vector import quaternion_rate
from centrode.parts.bodies.body import inertia_matrix, principal_axes, rotation_from
from centrode.studies.attitude.formalisms import DONE, GIMBAL_LOCK, NOT_FINITE, angular_acceleration
from centrode.studies.attitude.methods import METHODS, find_attitude_method

DEFAULT_STEPS = (0.1, 0.05, 0.025, 0.0125)


@dataclass(frozen=True)
class AttitudeCase:
    """A free body and its motion at the start.

    Attributes:
        inertia: 3 principal moments, 6 entries or 3 x 3 [kg m2].
        omega: angular velocity at the start, body axes [rad/s].
        duration: [s].
        torque: constant torque m_0, body axes [N m].
        torque_wave: amplitude m_1 [N m], then angular frequency W [rad/s] and phase p [rad].
        orientation: world from body at the start.
    """

    inertia: Any = (1.0, 2.0, 3.0)
    omega: tuple[float, float, float] = (0.3, 2.0, 0.2)
    duration: float = 20.0
    torque: tuple[float, float, float] = (0.0, 0.0, 0.0)
    torque_wave: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    orientation: Any = (1.0, 0.0, 0.0, 0.0)

    def checked(self) -> AttitudeCase:
        """Self, or an InputError with every fault."""
        faults = []
        for name, size in (("omega", 3), ("torque", 3), ("torque_wave", 5)):
            values = np.asarray(getattr(self, name), dtype=float)
            if values.shape != (size,) or not np.all(np.isfinite(values)):
                faults.append(Fault(f"{size} finite numbers are needed", name, got=getattr(self, name)))
        if not (self.duration > 0.0 and math.isfinite(self.duration)):
            faults.append(Fault("must be positive", "duration", got=self.duration, expected="a number above 0 in s"))
        try:
            moments = np.linalg.eigvalsh(inertia_matrix(self.inertia, "inertia"))
            if not moments[0] > 0.0:
                faults.append(Fault("inertia is not positive definite", "inertia", got=self.inertia))
            rotation_from(self.orientation, "orientation")
        except InputError as error:
            faults += error.faults
        if faults:
            raise InputError(faults)
        return self

    def principal(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Rotation (world from principal axes), rate, principal moments and torque (8 numbers) in principal axes."""
        moments, axes = principal_axes(inertia_matrix(self.inertia, "inertia"))
        rotation = rotation_from(self.orientation, "orientation") @ axes
        wave = np.asarray(self.torque_wave, dtype=float)
        torque = np.concatenate([axes.T @ np.asarray(self.torque, dtype=float), axes.T @ wave[:3], wave[3:]])
        return rotation, axes.T @ np.asarray(self.omega, dtype=float), moments, torque


@dataclass(frozen=True)
class AttitudeResult:
    """One method with one step.

    Attributes:
        error: angle between the computed and the true attitude at the end [rad]; not a number when the run failed.
        drift: of the quaternion's norm or the matrix' orthogonality (largest per step when renormalised).
        order: observed between this step and the next larger one; not a number for the largest.
        cost: [ns] per step; not a number when not measured.
        status: "done", why and when the run failed, or when Euler angles jumped over their singularity.
        lock: how near gimbal lock the run came: smallest middle angle off the singular one [rad] (Euler angles).
    """

    method: str
    step: float
    error: float
    drift: float
    order: float
    cost: float
    status: str
    lock: float


def true_motion(case: AttitudeCase, tolerance: float = 1e-13) -> np.ndarray:
    """Quaternion and body rate [rad/s] at the end, shape (7,), by DOP853."""
    from scipy.integrate import solve_ivp

    rotation, omega, moments, torque = case.principal()

    def rate(t, y):  # type: ignore[no-untyped-def]
        q, w = tuple(y[:4]), tuple(y[4:])
        return np.array([*quaternion_rate(q, w), *angular_acceleration(t, w, moments, torque)])

    start = np.concatenate([quaternion_from_matrix(rotation), omega])
    found = solve_ivp(rate, (0.0, case.duration), start, method="DOP853", rtol=tolerance, atol=tolerance)
    return found.y[:, -1]


def attitude_error(computed: np.ndarray, truth: np.ndarray) -> float:
    """Angle of the rotation between two attitudes [rad], also for tiny angles."""
    if not np.all(np.isfinite(computed)):
        return math.nan
    relative = truth.T @ computed
    twice = relative - relative.T
    skew = 0.5 * np.array([twice[2, 1], twice[0, 2], twice[1, 0]])
    return math.atan2(float(np.linalg.norm(skew)), 0.5 * (float(np.trace(relative)) - 1.0))


def compare_attitudes(
    case: AttitudeCase | None = None,
    steps: Sequence[float] = DEFAULT_STEPS,
    methods: Sequence[str] = (),
    sequence: str = "zyx",
    measure_cost: bool = True,
) -> list[AttitudeResult]:
    """Run every method with every step.

    Args:
        case: body and motion; the lecture-scale Euler-Poinsot case when left out.
        steps: steps [s]; each is adjusted to divide the duration.
        methods: names; all when empty.
        sequence: of the Euler angles.
        measure_cost: time each run (best of three).

    Raises:
        InputError: unknown method or sequence, or a body that cannot be.
    """
    case = (case or AttitudeCase()).checked()
    chosen = [find_attitude_method(name) for name in methods] or list(METHODS.values())
    sizes = sorted((float(step) for step in steps), reverse=True)
    if not sizes or not all(0.0 < step <= case.duration for step in sizes):
        raise InputError("steps must be above 0 and not longer than the run", path="steps", got=list(steps))
    rotation, omega, moments, torque = case.principal()
    q = true_motion(case)[:4]
    truth = matrix_from_quaternion(q / np.linalg.norm(q))  # world from principal axes at the end
    found = []
    for method in chosen:
        last = last_step = math.nan
        for step in sizes:
            count = max(1, round(case.duration / step))
            h = case.duration / count
            arguments = (rotation, omega, moments, torque, h, count, sequence)
            status, final, seen = method.march(*arguments)
            error = attitude_error(final, truth) if status == DONE else math.nan
            order = math.log(last / error) / math.log(last_step / h) if last > 0.0 and error > 0.0 else math.nan
            cost = _cost(method, arguments) if measure_cost else math.nan
            text = _status(status, float(seen[0]) * h, float(seen[3]), sequence)
            lock = math.asin(min(1.0, float(seen[2])))
            found.append(AttitudeResult(method.name, h, error, float(seen[1]), order, cost, text, lock))
            last, last_step = error, h
    return found


def _cost(method: Any, arguments: tuple[Any, ...]) -> float:
    """Best of three [ns/step]; long enough that the call itself does not count."""
    rotation, omega, moments, torque, h, count, sequence = arguments
    steps = max(count, 20000)
    # The same step repeated; a rate of zero keeps diverging methods from overflowing.
    quiet = (rotation, omega * 1e-3, moments, torque * 0.0, h, steps, sequence)
    best = math.inf
    for _ in range(3):
        began = clock.perf_counter()
        method.march(*quiet)
        best = min(best, clock.perf_counter() - began)
    return best / steps * 1e9


def _status(status: int, time: float, jump: float, sequence: str) -> str:
    if status == GIMBAL_LOCK:
        return f"gimbal lock of {sequence} at {time:.6g} s"
    if status == NOT_FINITE:
        return f"diverged at {time:.6g} s"
    if jump > 0.0:
        return f"jumped over gimbal lock of {sequence} at {jump:.6g} s"
    return "done"

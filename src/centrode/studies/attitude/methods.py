"""Which attitude formalisms can be compared: name, expected order, what to start from, how to march.

Names: formalism-integrator, then what is added: ``quaternion-rk4-renormalised``, ``second-order-rk4-multiplier``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.errors import unknown_name
from centrode.math.euler import euler_from_matrix, matrix_from_euler, sequence_axes
from centrode.math.rotation import matrix_from_quaternion, quaternion_from_matrix
from centrode.math.vector import hamilton
from centrode.studies.attitude import formalisms as f


@dataclass(frozen=True)
class AttitudeMethod:
    """One formalism with its integrator.

    Attributes:
        name: as in tables and on the command line.
        label: what it is, in a few words.
        order: expected order of the attitude error.
        march: (rotation, omega, inertia, torque, h, count, sequence) -> (status, rotation, seen) with seen = (steps
            done, drift, smallest |det E|, time of the first jump over it).
    """

    name: str
    label: str
    order: int
    march: Callable[..., tuple[int, np.ndarray, np.ndarray]]


def _quaternion(step: int, renormalise: bool = False, gain: float = 0.0) -> Callable[..., Any]:
    def run(rotation, omega, inertia, torque, h, count, sequence):  # type: ignore[no-untyped-def]
        state = np.concatenate([quaternion_from_matrix(rotation), omega])
        seen = np.zeros(4)
        options = np.array([gain])
        status = f.march(
            f.RATE_QUATERNION, step, renormalise, h, count, state, inertia, torque, options, np.zeros((5, 7)), seen
        )
        return status, _matrix(state[:4]), seen

    return run


def _second_order(step: int, multiplier: bool, alpha: float = 0.0, beta: float = 0.0) -> Callable[..., Any]:
    def run(rotation, omega, inertia, torque, h, count, sequence):  # type: ignore[no-untyped-def]
        q = quaternion_from_matrix(rotation)
        rate = 0.5 * np.array(hamilton(tuple(q), (0.0, *omega)))
        state = np.concatenate([q, rate])
        seen = np.zeros(4)
        options = np.array([float(multiplier), alpha, beta])
        status = f.march(f.RATE_SECOND, step, False, h, count, state, inertia, torque, options, np.zeros((5, 8)), seen)
        return status, _matrix(state[:4]), seen

    return run


def _euler(step: int) -> Callable[..., Any]:
    def run(rotation, omega, inertia, torque, h, count, sequence):  # type: ignore[no-untyped-def]
        axes = sequence_axes(sequence)
        state = np.concatenate([euler_from_matrix(rotation, sequence), omega])
        seen = np.zeros(4)
        options = np.array(axes, dtype=float)
        status = f.march(f.RATE_EULER, step, False, h, count, state, inertia, torque, options, np.zeros((5, 6)), seen)
        finite = np.all(np.isfinite(state[:3]))
        return status, matrix_from_euler(state[:3], sequence) if finite else np.full((3, 3), np.nan), seen

    return run


def _lie(form: int) -> Callable[..., Any]:
    def run(rotation, omega, inertia, torque, h, count, sequence):  # type: ignore[no-untyped-def]
        state = np.concatenate([np.asarray(rotation).ravel(), omega])
        seen = np.zeros(4)
        status = f.march_matrix(form, h, count, state, inertia, torque, seen)
        return status, state[:9].reshape(3, 3).copy(), seen

    return run


def _matrix(q: np.ndarray) -> np.ndarray:
    norm = np.linalg.norm(q)
    return matrix_from_quaternion(q / norm) if np.isfinite(norm) and norm > 0 else np.full((3, 3), np.nan)


BAUMGARTE = 5.0
"""alpha = beta [1/s] of the second-order forms, and the gain g of the first-order one."""

METHODS: dict[str, AttitudeMethod] = {
    item.name: item
    for item in (
        AttitudeMethod(
            "rodrigues", "rotation matrix, rate first (discrete-time article)", 1, _lie(f.LIE_SEMI_IMPLICIT)
        ),
        AttitudeMethod("rodrigues-explicit", "rotation matrix, turn first", 1, _lie(f.LIE_EXPLICIT)),
        AttitudeMethod("rodrigues-midpoint", "rotation matrix, rate at mid-step", 2, _lie(f.LIE_MIDPOINT)),
        AttitudeMethod("euler-angles-rk4", "Euler angles", 4, _euler(f.STEP_RK4)),
        AttitudeMethod("quaternion-euler", "quaternion, explicit Euler", 1, _quaternion(f.STEP_EULER)),
        AttitudeMethod(
            "quaternion-euler-renormalised", "the same, renormalised", 1, _quaternion(f.STEP_EULER, renormalise=True)
        ),
        AttitudeMethod("quaternion-rk4", "quaternion", 4, _quaternion(f.STEP_RK4)),
        AttitudeMethod(
            "quaternion-rk4-renormalised", "the same, renormalised", 4, _quaternion(f.STEP_RK4, renormalise=True)
        ),
        AttitudeMethod(
            "quaternion-rk4-baumgarte", "quaternion with Baumgarte's term", 4, _quaternion(f.STEP_RK4, gain=BAUMGARTE)
        ),
        AttitudeMethod("second-order-rk4", "(Q, Q') without multiplier", 4, _second_order(f.STEP_RK4, False)),
        AttitudeMethod(
            "second-order-rk4-multiplier", "(Q, Q') with the lecture's multiplier", 4, _second_order(f.STEP_RK4, True)
        ),
        AttitudeMethod(
            "second-order-rk4-baumgarte",
            "the same with Baumgarte's terms",
            4,
            _second_order(f.STEP_RK4, True, BAUMGARTE, BAUMGARTE),
        ),
        AttitudeMethod("second-order-euler", "(Q, Q'), explicit Euler", 1, _second_order(f.STEP_EULER, False)),
        AttitudeMethod(
            "second-order-euler-multiplier", "the same with the multiplier", 1, _second_order(f.STEP_EULER, True)
        ),
        AttitudeMethod(
            "second-order-euler-baumgarte",
            "the same with Baumgarte's terms",
            1,
            _second_order(f.STEP_EULER, True, BAUMGARTE, BAUMGARTE),
        ),
        AttitudeMethod("rkmk4", "Lie group, Runge-Kutta-Munthe-Kaas", 4, _lie(f.LIE_RKMK4)),
    )
}


def find_attitude_method(name: str) -> AttitudeMethod:
    """The method of that name.

    Raises:
        InputError: unknown, with the nearest name.
    """
    if name not in METHODS:
        raise unknown_name("unknown attitude formalism", name, list(METHODS))
    return METHODS[name]

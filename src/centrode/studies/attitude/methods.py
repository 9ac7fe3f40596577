"""Which attitude formalisms can be compared: name, expected order, what to start from, how to march.

Names: formalism-integrator, then what is added: ``quaternion-rk4-renormalised``, ``second-order-rk4-multiplier``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

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
    march: March


March = Callable[..., tuple[int, np.ndarray, np.ndarray]]


def _marched(form: int, step: int, options: tuple[float, ...] = (), renormalise: bool = False) -> March:
    """A march of Euler angles or quaternions; ``options`` as :func:`formalisms.rate_of` takes them."""

    def run(rotation, omega, inertia, torque, h, count, sequence):  # type: ignore[no-untyped-def]
        values = np.array(sequence_axes(sequence) if form == f.RATE_EULER else options, dtype=float)
        start = euler_from_matrix(rotation, sequence) if form == f.RATE_EULER else quaternion_from_matrix(rotation)
        rate = 0.5 * np.array(hamilton(tuple(start), (0.0, *omega))) if form == f.RATE_SECOND else omega
        state, seen = np.concatenate([start, rate]), np.zeros(4)
        work = np.zeros((5, state.size))
        status = f.march(form, step, renormalise, h, count, state, inertia, torque, values, work, seen)
        found = state[: start.size]
        final = np.full((3, 3), np.nan)
        if np.all(np.isfinite(found)) and form == f.RATE_EULER:
            final = matrix_from_euler(found, sequence)
        elif np.isfinite(np.linalg.norm(found)) and np.any(found):
            final = matrix_from_quaternion(found / np.linalg.norm(found))
        return status, final, seen

    return run


def _lie(form: int) -> March:
    def run(rotation, omega, inertia, torque, h, count, sequence):  # type: ignore[no-untyped-def]
        state, seen = np.concatenate([np.asarray(rotation).ravel(), omega]), np.zeros(4)
        status = f.march_matrix(form, h, count, state, inertia, torque, seen)
        return status, state[:9].reshape(3, 3).copy(), seen

    return run


BAUMGARTE = 5.0
"""alpha = beta [1/s] of the second-order forms, and the gain g of the first-order one."""

EULER, QUATERNION, SECOND = (partial(_marched, form) for form in (f.RATE_EULER, f.RATE_QUATERNION, f.RATE_SECOND))
PLAIN, MULTIPLIER, BOTH = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, BAUMGARTE, BAUMGARTE)

METHODS: dict[str, AttitudeMethod] = {
    name: AttitudeMethod(name, label, order, march)
    for name, label, order, march in (
        ("rodrigues", "rotation matrix, rate first (discrete-time article)", 1, _lie(f.LIE_SEMI_IMPLICIT)),
        ("rodrigues-explicit", "rotation matrix, turn first", 1, _lie(f.LIE_EXPLICIT)),
        ("rodrigues-midpoint", "rotation matrix, rate at mid-step", 2, _lie(f.LIE_MIDPOINT)),
        ("euler-angles-rk4", "Euler angles", 4, EULER(f.STEP_RK4)),
        ("quaternion-euler", "quaternion, explicit Euler", 1, QUATERNION(f.STEP_EULER, (0.0,))),
        ("quaternion-euler-renormalised", "the same, renormalised", 1, QUATERNION(f.STEP_EULER, (0.0,), True)),
        ("quaternion-rk4", "quaternion", 4, QUATERNION(f.STEP_RK4, (0.0,))),
        ("quaternion-rk4-renormalised", "the same, renormalised", 4, QUATERNION(f.STEP_RK4, (0.0,), True)),
        ("quaternion-rk4-baumgarte", "quaternion with Baumgarte's term", 4, QUATERNION(f.STEP_RK4, (BAUMGARTE,))),
        ("second-order-rk4", "(Q, Q') without multiplier", 4, SECOND(f.STEP_RK4, PLAIN)),
        ("second-order-rk4-multiplier", "(Q, Q') with the lecture's multiplier", 4, SECOND(f.STEP_RK4, MULTIPLIER)),
        ("second-order-rk4-baumgarte", "the same with Baumgarte's terms", 4, SECOND(f.STEP_RK4, BOTH)),
        ("second-order-euler", "(Q, Q'), explicit Euler", 1, SECOND(f.STEP_EULER, PLAIN)),
        ("second-order-euler-multiplier", "the same with the multiplier", 1, SECOND(f.STEP_EULER, MULTIPLIER)),
        ("second-order-euler-baumgarte", "the same with Baumgarte's terms", 1, SECOND(f.STEP_EULER, BOTH)),
        ("rkmk4", "Lie group, Runge-Kutta-Munthe-Kaas", 4, _lie(f.LIE_RKMK4)),
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

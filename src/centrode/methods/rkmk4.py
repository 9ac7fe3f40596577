r"""rkmk4: Runge-Kutta of order 4 on the rotation group (Munthe-Kaas), for free bodies and compliant joints.

Positions, velocities and internal states advance by the classical Runge-Kutta method. The attitude of a step is written
as Q exp(u), u(0) = 0, and the method advances u instead of Q:

    u' = w + [u, w]/2 + [u, [u, w]]/12 + O(u^3),   w in body axes                              (1)
    stage s:  Q_s = Q exp(reach u'_(s-1)),         Q+ = Q exp( h (u'_1 + 2 u'_2 + 2 u'_3 + u'_4)/6 )  (2)

Every stage lies on the unit sphere, so forces never see a stretched rotation matrix, and no renormalisation is needed.
The sign of the first bracket is + because w is in body axes (R' = R hat(w)).
Reference: H. Munthe-Kaas, "Runge-Kutta methods on Lie groups", BIT 38 (1998) 92; A. Iserles et al., Acta Numerica 9
(2000) 215, section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.dynamics.evaluate import BODIES, rates_at
from centrode.dynamics.settle import settle
from centrode.jit import step_kernel
from centrode.math.rotation import turn_quaternion
from centrode.methods.explicit_kernel import normalise_quaternions, write_frame
from centrode.methods.fixed_step import FixedStepMethod, all_finite, whole_steps
from centrode.methods.method import EVALUATIONS, STEPS, Run
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_RIGID


@step_kernel
def bracket_rate(ux, uy, uz, wx, wy, wz):
    """w + [u, w]/2 + [u, [u, w]]/12, (1)."""
    px = uy * wz - uz * wy
    py = uz * wx - ux * wz
    pz = ux * wy - uy * wx
    return (
        wx + 0.5 * px + (uy * pz - uz * py) / 12.0,
        wy + 0.5 * py + (uz * px - ux * pz) / 12.0,
        wz + 0.5 * pz + (ux * py - uy * px) / 12.0,
    )


@step_kernel
def turn_from(start, pose, b, x, y, z):
    """Attitude of body b: that of ``start`` times exp((x, y, z))."""
    at = b * pose.shape[1] + 3
    pose[b, 3], pose[b, 4], pose[b, 5], pose[b, 6] = turn_quaternion(
        start[at], start[at + 1], start[at + 2], start[at + 3], x, y, z
    )


@step_kernel
def run_rkmk4(
    evaluate_call, option, t, step, frame_times, next_frame, frames, counters, values, rates, pose, velocity, states,
    acceleration, state_rate, work, tables,
):  # fmt: skip
    """Advance to the last frame time; returns (time, next frame, outcome).

    ``work`` has rows of the length of ``values``: start, four slopes, and in its last row the sums of the turns.
    """
    n = values.size
    bodies = tables[BODIES]
    turns = work[5]  # per body: turn of the stage before (3), weighed sum (3)
    while next_frame < frame_times.size:
        count, h = whole_steps(frame_times[next_frame] - t, step)
        origin = t
        for i in range(count):
            for k in range(n):
                work[0, k] = values[k]
            for s in range(4):
                reach = 0.0 if s == 0 else (h if s == 3 else 0.5 * h)
                weight = 2.0 if s == 1 or s == 2 else 1.0
                if s > 0:
                    for k in range(n):
                        values[k] = work[0, k] + reach * work[s, k]
                    for b in range(pose.shape[0]):
                        if bodies[b + 1].kind == BODY_RIGID or bodies[b + 1].kind == BODY_FULL_MASS:
                            x, y, z = turns[6 * b], turns[6 * b + 1], turns[6 * b + 2]
                            turn_from(work[0], pose, b, reach * x, reach * y, reach * z)  # (2)
                rates_at(t + reach, False, evaluate_call, tables)
                if s == 0 and settle(t, tables) != 0:
                    counters[STEPS] += i
                    return t, next_frame, 6
                for k in range(n):
                    work[s + 1, k] = rates[k]
                for b in range(pose.shape[0]):
                    if bodies[b + 1].kind == BODY_RIGID or bodies[b + 1].kind == BODY_FULL_MASS:
                        x, y, z = turns[6 * b], turns[6 * b + 1], turns[6 * b + 2]
                        x, y, z = bracket_rate(
                            reach * x, reach * y, reach * z, velocity[b, 3], velocity[b, 4], velocity[b, 5]
                        )
                        turns[6 * b] = x
                        turns[6 * b + 1] = y
                        turns[6 * b + 2] = z
                        for k, part in enumerate((x, y, z)):
                            before = 0.0 if s == 0 else turns[6 * b + 3 + k]
                            turns[6 * b + 3 + k] = before + weight * part
            sixth = h / 6.0
            for k in range(n):
                values[k] = work[0, k] + sixth * (work[1, k] + 2.0 * (work[2, k] + work[3, k]) + work[4, k])
            for b in range(pose.shape[0]):
                if bodies[b + 1].kind == BODY_RIGID or bodies[b + 1].kind == BODY_FULL_MASS:
                    at = 6 * b + 3
                    turn_from(work[0], pose, b, sixth * turns[at], sixth * turns[at + 1], sixth * turns[at + 2])
            normalise_quaternions(bodies, pose)  # round-off only
            t = origin + (i + 1) * h
        counters[STEPS] += count
        counters[EVALUATIONS] += 4 * count
        t = frame_times[next_frame]
        if not all_finite(values):
            return origin, next_frame, 1
        rates_at(t, False, evaluate_call, tables)
        write_frame(frames[next_frame], t, values, rates, 0.0, 1.0, tables)
        next_frame += 1
    return t, next_frame, 0


@dataclass(frozen=True)
class LieGroupMethod(FixedStepMethod):
    """Runge-Kutta-Munthe-Kaas of order 4; joints compliant."""

    name: str = "rkmk4"
    order: int = 4
    option: int = 0
    march: ClassVar[Any] = run_rkmk4
    summary: str = "Runge-Kutta of order 4 on the rotation group, fixed step, compliant joints"
    reference: str = "Munthe-Kaas, BIT 38 (1998) 92"
    keeps: str = "attitudes on the unit sphere in every stage"
    default_step: float = 1e-3

    def work(self, run: Run) -> np.ndarray:
        """Start, four slopes and the turns."""
        w = run.workspace
        return np.zeros((6, max(w.values.size, 6 * w["pose"].shape[0])))


METHODS = (LieGroupMethod(),)

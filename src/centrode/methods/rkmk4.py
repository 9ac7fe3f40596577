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

import numpy as np

from centrode.dynamics.bodies import TURNING, normalise_poses
from centrode.dynamics.evaluate import rates_at
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, plus_times, put, put_quaternion, quaternion, times, turned, vector
from centrode.methods.fixed_step import STEP_SIGNATURE, FixedStepMethod
from centrode.methods.method import Outcome, Run
from centrode.parts.tables import borrow


@step_kernel
def bracket_rate(u, w):
    """w + [u, w]/2 + [u, [u, w]]/12, (1)."""
    p = cross(u, w)
    return plus_times(plus_times(w, 0.5, p), 1.0 / 12.0, cross(u, p))


@step_kernel
def turn_all(reach, turns, column, start, tables):
    """Attitudes of the stage: those of the start times exp(reach turns), (2); ``column`` is 0 or 3 in the turns."""
    t = borrow(tables)
    for b in range(t.pose.shape[0]):
        if t.bodies[b + 1].coordinates == TURNING:
            q = quaternion(start, b * t.pose.shape[1] + 3)
            put_quaternion(t.pose[b], 3, turned(q, times(reach, vector(turns, 6 * b + column))))


@step_kernel
def weigh_turns(stage, reach, weight, turns, tables):
    """Turn rate (1) of a stage from that of the stage before, and the weighed sum of all so far."""
    t = borrow(tables)
    for b in range(t.pose.shape[0]):
        if t.bodies[b + 1].coordinates == TURNING:
            at = 6 * b
            rate = bracket_rate(times(reach, vector(turns, at)), vector(t.velocity[b], 3))
            so_far = ZERO if stage == 0 else vector(turns, at + 3)
            put(turns, at, rate)
            put(turns, at + 3, plus_times(so_far, weight, rate))


@step_kernel(signature=STEP_SIGNATURE)
def rkmk4_step(time, h, par, run, work, tables):
    """Four stages. Rows of ``work``: start, four slopes, per body the turn rate of a stage (3) and their sum (3)."""
    t = borrow(tables)
    n = t.values.size
    start, turns = work[0], work[5]
    for k in range(n):
        start[k] = t.values[k]
    for s in range(4):
        reach = 0.0 if s == 0 else (h if s == 3 else 0.5 * h)
        if s > 0:  # the rates of the start are known
            for k in range(n):
                t.values[k] = start[k] + reach * work[s, k]
            turn_all(reach, turns, 0, start, tables)
            rates_at(time + reach, False, tables)
        for k in range(n):
            work[s + 1, k] = t.rates[k]
        weigh_turns(s, reach, 2.0 if s == 1 or s == 2 else 1.0, turns, tables)
    sixth = h / 6.0
    for k in range(n):
        t.values[k] = start[k] + sixth * (work[1, k] + 2.0 * (work[2, k] + work[3, k]) + work[4, k])
    turn_all(sixth, turns, 3, start, tables)
    normalise_poses(tables)  # round-off only
    rates_at(time + h, False, tables)
    run[0].evaluations += 4
    return Outcome.FRAMES_DONE.value


@dataclass(frozen=True)
class LieGroupMethod(FixedStepMethod):
    """Runge-Kutta-Munthe-Kaas of order 4; joints compliant."""

    name: str = "rkmk4"
    order: int = 4
    summary: str = "Runge-Kutta of order 4 on the rotation group, fixed step, compliant joints"
    reference: str = "Munthe-Kaas, BIT 38 (1998) 92"
    keeps: str = "attitudes on the unit sphere in every stage"
    default_step: float = 1e-3
    step_kernel = rkmk4_step

    def work(self, run: Run) -> np.ndarray:
        """Start, four slopes and the turns."""
        w = run.workspace
        return np.zeros((6, max(w.values.size, 6 * w["pose"].shape[0])))


METHODS = (LieGroupMethod(),)

"""rattle: a symplectic method with exact joints, for long times; ``rattle4`` is its composition of order 4.

Kinetic and potential energy are split. With g the accelerations by forces (no gyroscopic part):

    v_1/2 = v_0 + h/2 (g(q_0) - M^-1 J_0^T x)        x such that the new pose closes the joints       (1)
    q_1 = free motion of every body over h from q_0, v_1/2                                          (2)
    v_1 = v_1/2 + h/2 (g(q_1) - M^-1 J_1^T y)        y such that J_1 v_1 = 0                          (3)

Free motion (2) of a rigid body is itself split into turns about the principal axes, x(h/2) y(h/2) z(h) y(h/2)
x(h/2), each solved exactly; the whole is symplectic and time-reversible, so the energy error stays bounded.

References: H. C. Andersen 1983 (RATTLE); E. Hairer, C. Lubich, G. Wanner, "Geometric Numerical Integration", VII.1.4
and VII.5.3 (rigid body by splitting); M. Suzuki 1990 (composition of order 4).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.dynamics.bodies import TURNING, normalise_poses
from centrode.dynamics.evaluate import rates_again, rates_at
from centrode.jit import step_kernel
from centrode.math.vector import hamilton, minus, plus_times, put, put_quaternion, quaternion, vector
from centrode.methods.fixed_step import STEP_SIGNATURE, FixedStepMethod
from centrode.methods.method import Outcome, Run
from centrode.parts.bodies.body import Body
from centrode.parts.bodies.rigid import gyroscopic
from centrode.parts.tables import borrow, call_correct

CLOSED = 1e-13
NEARLY_CLOSED = 1e-9
ROUND_OFF = 1e-15
APART = 1e6
SLOW = 0.7
"""Residuals [m or rad] and the largest ratio of two of them in a row: joints count as closed, are closed well enough
when nothing gets better, to round-off; have come apart; are being closed."""
MOST_ITERATIONS = 50
MOST_REPEATS = 12


@step_kernel
def turn_about(pose, motion, axis, inertia, h):
    """Exact motion under the kinetic energy of one principal axis: a turn by w_axis h; momentum turns back."""
    angle = motion[3 + axis] * h
    c = math.cos(0.5 * angle)
    s = math.sin(0.5 * angle)
    change = (c, s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0)
    put_quaternion(pose, 3, hamilton(quaternion(pose, 3), change))
    i = (axis + 1) % 3
    j = (axis + 2) % 3
    if inertia[i] > 0.0:
        pi = inertia[i] * motion[3 + i]
        pj = inertia[j] * motion[3 + j]
        cosine = math.cos(angle)
        sine = math.sin(angle)
        motion[3 + i] = (cosine * pi + sine * pj) / inertia[i]
        motion[3 + j] = (cosine * pj - sine * pi) / inertia[j]


@step_kernel
def drift(h, tables):
    """Free motion (2) of every body."""
    t = borrow(tables)
    for b in range(t.pose.shape[0]):
        body = t.bodies[b + 1]
        pose, motion = t.pose[b], t.velocity[b]
        put(pose, 0, plus_times(vector(pose, 0), h, vector(motion, 0)))
        if body.coordinates == TURNING:
            turn_about(pose, motion, 0, body.inertia, 0.5 * h)
            turn_about(pose, motion, 1, body.inertia, 0.5 * h)
            turn_about(pose, motion, 2, body.inertia, h)
            turn_about(pose, motion, 1, body.inertia, 0.5 * h)
            turn_about(pose, motion, 0, body.inertia, 0.5 * h)
        else:
            for k in range(3, body.velocities):
                pose[k] += h * motion[k]


@step_kernel
def kick(h, tables):
    """v += h (a - gyroscopic part); what joints added along their rows is settled by the projections."""
    t = borrow(tables)
    for b in range(t.pose.shape[0]):
        body = t.bodies[b + 1]
        motion, rate = t.velocity[b], t.acceleration[b]
        put(motion, 0, plus_times(vector(motion, 0), h, vector(rate, 0)))
        if body.coordinates == TURNING:
            w = vector(motion, 3)
            put(motion, 3, plus_times(w, h, minus(vector(rate, 3), gyroscopic(body, w))))
        else:
            for k in range(3, body.velocities):
                motion[k] += h * rate[k]


@step_kernel
def copy_values(source, target, first, end):
    """target[first:end] = source[first:end]."""
    for k in range(first, end):
        target[k] = source[k]


@step_kernel
def close_joints(time, h, start, kept, run, tables):
    """Choose the half-step velocities in ``start`` so that the drift over h closes the joints; outcome.

    The correction is found in terms of the half-step velocities, then the drift is repeated. It acts along the rows of
    the start (1), which makes the step symplectic. A step through a singular position, in which a row turns over,
    cannot be closed so; it begins again (from the velocities in ``kept``) with the rows of the end.
    """
    t = borrow(tables)
    first, end = t.pose.size, t.pose.size + t.velocity.size
    copy_values(start, kept, first, end)
    rows_of_end = False
    before = APART
    iteration = 0
    while True:
        copy_values(start, t.values, first, end)
        if rows_of_end:
            rates_at(time, False, tables)
            run[0].evaluations += 1
        residual = call_correct(t.correct_velocity, (time, 1.0 / h, tables))
        enough = ROUND_OFF if rows_of_end else CLOSED
        stalls = not residual < (SLOW * before if iteration > 1 else APART) or iteration > MOST_ITERATIONS
        done = residual < enough or (stalls and residual < NEARLY_CLOSED and (rows_of_end or residual < before))
        if stalls and not done:
            if rows_of_end:
                return Outcome.NEWTON_FAILED.value
            rows_of_end = True
            iteration = 0
            copy_values(kept, start, first, end)
        elif done:
            copy_values(start, t.values, first, end)
        else:
            copy_values(t.values, start, first, end)
            iteration += 1
        before = residual
        copy_values(start, t.values, 0, end)
        drift(h, tables)
        if done:
            break
    run[0].residual = residual
    run[0].largest_residual = max(run[0].largest_residual, residual)
    return Outcome.FRAMES_DONE.value


@step_kernel
def settle_velocity(time, h, before, last, run, tables):
    """g may depend on v_1: (3) is then implicit, which keeps the step symmetric and its order.

    ``before`` and ``last`` are rows of values: the velocities before the kick, and those of the last repetition.
    """
    t = borrow(tables)
    first, end = t.pose.size, t.pose.size + t.velocity.size
    for _ in range(MOST_REPEATS):
        copy_values(t.values, last, first, end)
        kick(0.5 * h, tables)
        for k in range(first, end):
            t.values[k] += before[k] - last[k]
        run[0].pivot = rates_again(time, True, tables)
        run[0].evaluations += 1
        moved = 0.0
        for k in range(first, end):
            moved = max(moved, abs(t.values[k] - last[k]))
        if not moved > CLOSED:
            break


@step_kernel(signature=STEP_SIGNATURE)
def rattle_step(time, h, par, run, work, tables):
    """Steps (1) to (3), one for each weight; ``par``: whether forces feel the velocity, then the weights.

    Rows of ``work``: values at the start of the drift, velocities to go back to, rates of the states.
    """
    t = borrow(tables)
    start, last, rate_start = work[0], work[1], work[2]
    end = time
    for part in range(1, par.size):
        length = h * par[part]
        kick(0.5 * length, tables)  # (1)
        copy_values(t.values, start, 0, t.values.size)
        copy_values(t.state_rate, rate_start, 0, t.state_rate.size)
        drift(length, tables)
        end += length
        if t.exact_joints.shape[0] > 0:
            outcome = close_joints(end, length, start, last, run, tables)
            if outcome != Outcome.FRAMES_DONE.value:
                return outcome
        normalise_poses(tables)
        rates_at(end, False, tables)
        copy_values(t.values, start, 0, t.values.size)
        kick(0.5 * length, tables)  # (3)
        run[0].pivot = rates_again(end, True, tables)
        run[0].evaluations += 2
        if par[0] != 0.0:
            settle_velocity(end, length, start, last, run, tables)
        for k in range(t.states.size):
            t.states[k] += 0.5 * length * (rate_start[k] + t.state_rate[k])
    return Outcome.FRAMES_DONE.value


@dataclass(frozen=True)
class RattleMethod(FixedStepMethod):
    """Symplectic, time-reversible, joints closed in every step."""

    name: str
    order: int
    weights: tuple[float, ...]
    summary: str
    exact_joints: bool = True
    reference: str = "Hairer, Lubich, Wanner, Geometric Numerical Integration, VII"
    keeps: str = "energy bounded for all times, momentum, joints to round-off"
    default_step: float = 1e-3
    step_kernel = rattle_step

    def refuses(self, body: Body) -> bool:
        return not body.principal_axes

    def prepare(self, run: Run) -> Any:
        run.workspace.allow_correction()
        model = run.workspace.model
        feels = float(bool(model.forces or model.contacts) or model.compliant_joints.size > 0)
        style, _, work = super().prepare(run)
        return style, np.array([feels, *self.weights]), work

    def work(self, run: Run) -> np.ndarray:
        return np.zeros((3, run.workspace.values.size))


_SUZUKI = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
_COMPOSED = (_SUZUKI, _SUZUKI, 1.0 - 4.0 * _SUZUKI, _SUZUKI, _SUZUKI)

METHODS = (
    RattleMethod("rattle", 2, (1.0,), "symplectic, order 2, energy bounded for all times"),
    RattleMethod("rattle4", 4, _COMPOSED, "symplectic, order 4 (Suzuki's composition of rattle)"),
)

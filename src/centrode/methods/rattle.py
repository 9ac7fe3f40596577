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
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from centrode.dynamics.evaluate import rates_at
from centrode.dynamics.projection import correct_velocity
from centrode.dynamics.settle import settle
from centrode.jit import address_of, call_with_tables, step_kernel
from centrode.math.rotation import quaternion_product
from centrode.methods.explicit_kernel import normalise_quaternions, write_frame
from centrode.methods.fixed_step import all_finite, whole_steps
from centrode.methods.method import EVALUATIONS, LARGEST_RESIDUAL, STEPS, Outcome, Run
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_PSEUDO_RIGID, BODY_RIGID

CLOSED = 1e-13
MOST_ITERATIONS = 50
MOST_REPEATS = 12


@step_kernel
def turn_about(pose, velocity, b, axis, inertia, h):
    """Exact motion under the kinetic energy of one principal axis: a turn by w_axis h; momentum turns back."""
    angle = velocity[b, 3 + axis] * h
    c = math.cos(0.5 * angle)
    s = math.sin(0.5 * angle)
    ex = s if axis == 0 else 0.0
    ey = s if axis == 1 else 0.0
    ez = s if axis == 2 else 0.0
    w, x, y, z = quaternion_product(pose[b, 3], pose[b, 4], pose[b, 5], pose[b, 6], c, ex, ey, ez)
    pose[b, 3] = w
    pose[b, 4] = x
    pose[b, 5] = y
    pose[b, 6] = z
    i = (axis + 1) % 3
    j = (axis + 2) % 3
    if inertia[i] > 0.0:
        pi = inertia[i] * velocity[b, 3 + i]
        pj = inertia[j] * velocity[b, 3 + j]
        cosine = math.cos(angle)
        sine = math.sin(angle)
        velocity[b, 3 + i] = (cosine * pi + sine * pj) / inertia[i]
        velocity[b, 3 + j] = (cosine * pj - sine * pi) / inertia[j]


@step_kernel
def drift(bodies, pose, velocity, h):
    """Free motion (2) of every body."""
    for b in range(pose.shape[0]):
        kind = bodies[b + 1].kind
        for k in range(12 if kind == BODY_PSEUDO_RIGID else 3):
            pose[b, k] += h * velocity[b, k]
        if kind == BODY_RIGID:
            inertia = bodies[b + 1].inertia
            turn_about(pose, velocity, b, 0, inertia, 0.5 * h)
            turn_about(pose, velocity, b, 1, inertia, 0.5 * h)
            turn_about(pose, velocity, b, 2, inertia, h)
            turn_about(pose, velocity, b, 1, inertia, 0.5 * h)
            turn_about(pose, velocity, b, 0, inertia, 0.5 * h)


@step_kernel
def kick(bodies, velocity, acceleration, h):
    """v += h (a - gyroscopic part); what joints added along their rows is settled by the projections."""
    for b in range(velocity.shape[0]):
        kind = bodies[b + 1].kind
        for k in range(12 if kind == BODY_PSEUDO_RIGID else 3):
            velocity[b, k] += h * acceleration[b, k]
        if kind == BODY_RIGID:
            inertia = bodies[b + 1].inertia
            wx = velocity[b, 3]
            wy = velocity[b, 4]
            wz = velocity[b, 5]
            gx = 0.0
            gy = 0.0
            gz = 0.0
            if inertia[0] > 0.0:
                gx = (inertia[1] - inertia[2]) / inertia[0] * wy * wz
                gy = (inertia[2] - inertia[0]) / inertia[1] * wz * wx
                gz = (inertia[0] - inertia[1]) / inertia[2] * wx * wy
            velocity[b, 3] += h * (acceleration[b, 3] - gx)
            velocity[b, 4] += h * (acceleration[b, 4] - gy)
            velocity[b, 5] += h * (acceleration[b, 5] - gz)


@step_kernel
def run_rattle(
    evaluate_call,
    correct_call,
    weights,
    project_first,
    t,
    step,
    frame_times,
    next_frame,
    frames,
    counters,
    values,
    rates,
    bodies,
    pose,
    velocity,
    states,
    acceleration,
    state_rate,
    exact_joint_count,
    pose_start,
    velocity_start,
    velocity_last,
    rate_start,
    forces_feel_velocity,
    tables,
):
    """Advance to the last frame time; returns (time, next frame, outcome)."""
    pivot = rates_at(t, project_first, evaluate_call, tables)
    residual = 0.0
    while next_frame < frame_times.size:
        count, whole = whole_steps(frame_times[next_frame] - t, step)
        origin = t
        for i in range(count):
            for part in range(weights.size):
                h = whole * weights[part]
                kick(bodies, velocity, acceleration, 0.5 * h)  # (1)
                for b in range(pose.shape[0]):
                    for k in range(pose.shape[1]):
                        pose_start[b, k] = pose[b, k]
                    for k in range(velocity.shape[1]):
                        velocity_start[b, k] = velocity[b, k]
                for k in range(state_rate.size):
                    rate_start[k] = state_rate[k]
                drift(bodies, pose, velocity, h)
                t += h
                if exact_joint_count > 0:
                    iteration = 0
                    while True:
                        # The correction is found in terms of the half-step velocities, then the drift is repeated.
                        for b in range(velocity.shape[0]):
                            for k in range(velocity.shape[1]):
                                velocity[b, k] = velocity_start[b, k]
                        residual = call_with_tables(correct_call, (t, 1.0 / h), tables)
                        if not residual < 1e6:
                            return t, next_frame, 5
                        if residual < CLOSED:
                            for b in range(velocity.shape[0]):
                                for k in range(velocity.shape[1]):
                                    velocity[b, k] = velocity_start[b, k]
                        for b in range(pose.shape[0]):
                            for k in range(pose.shape[1]):
                                pose[b, k] = pose_start[b, k]
                            for k in range(velocity.shape[1]):
                                velocity_start[b, k] = velocity[b, k]
                        drift(bodies, pose, velocity, h)
                        iteration += 1
                        if residual < CLOSED:
                            break
                        if iteration > MOST_ITERATIONS:
                            if residual < 1e-9:
                                break
                            return t, next_frame, 3
                    if residual > counters[LARGEST_RESIDUAL]:
                        counters[LARGEST_RESIDUAL] = residual
                normalise_quaternions(bodies, pose)
                rates_at(t, False, evaluate_call, tables)
                for b in range(velocity.shape[0]):
                    for k in range(velocity.shape[1]):
                        velocity_start[b, k] = velocity[b, k]
                kick(bodies, velocity, acceleration, 0.5 * h)  # (3)
                pivot = rates_at(t, True, evaluate_call, tables)
                counters[EVALUATIONS] += 2
                if forces_feel_velocity:
                    # g may depend on v_1: (3) is then implicit, which keeps the step symmetric and its order.
                    for _ in range(MOST_REPEATS):
                        for b in range(velocity.shape[0]):
                            for k in range(velocity.shape[1]):
                                velocity_last[b, k] = velocity[b, k]
                        kick(bodies, velocity, acceleration, 0.5 * h)
                        for b in range(velocity.shape[0]):
                            for k in range(velocity.shape[1]):
                                velocity[b, k] += velocity_start[b, k] - velocity_last[b, k]
                        pivot = rates_at(t, True, evaluate_call, tables)
                        counters[EVALUATIONS] += 1
                        moved = 0.0
                        for b in range(velocity.shape[0]):
                            for k in range(velocity.shape[1]):
                                moved = max(moved, abs(velocity[b, k] - velocity_last[b, k]))
                        if not moved > CLOSED:
                            break
                for k in range(states.size):
                    states[k] += 0.5 * h * (rate_start[k] + state_rate[k])
            t = origin + (i + 1) * whole
            counters[STEPS] += 1
            if settle(t, tables) != 0:
                return t, next_frame, 6
        if count > 0:
            t = frame_times[next_frame]
        if not all_finite(values):
            return origin, next_frame, 1
        write_frame(frames[next_frame], t, values, rates, residual, pivot, tables)
        next_frame += 1
    return t, next_frame, 0


@dataclass(frozen=True)
class RattleMethod:
    """Symplectic, time-reversible, joints closed in every step."""

    name: str
    order: int
    weights: tuple[float, ...]
    summary: str
    adaptive: bool = False
    exact_joints: bool = True
    locates_events: bool = False
    reference: str = "Hairer, Lubich, Wanner, Geometric Numerical Integration, VII"
    keeps: str = "energy bounded for all times, momentum, joints to round-off"
    default_step: float = 1e-3
    refused_bodies: tuple[int, ...] = (BODY_FULL_MASS,)
    _calls: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def advance(self, run: Run) -> Outcome:
        """Advance to the last frame time."""
        w = run.workspace
        if "correct" not in run.options:
            run.options["correct"] = 0 if w.project_call == 0 else address_of(correct_velocity, (0.0, 1.0, *w.tables))
            run.options["buffers"] = (
                np.zeros_like(w["pose"]),
                np.zeros_like(w["velocity"]),
                np.zeros_like(w["velocity"]),
                np.zeros_like(w["state_rate"]),
                bool(w.model.forces) or w.model.compliant_joints.size > 0,
            )
        run.time, run.next_frame, code = run_rattle(
            w.evaluate_call,
            run.options["correct"],
            np.array(self.weights),
            run.fresh,
            run.time,
            run.step,
            run.frame_times,
            run.next_frame,
            run.frames,
            run.counters,
            w.values,
            w.rates,
            w["bodies"],
            w["pose"],
            w["velocity"],
            w["states"],
            w["acceleration"],
            w["state_rate"],
            w.model.exact_joints.size,
            *run.options["buffers"],
            w.tables,
        )
        run.fresh = False
        return Outcome(code)


_SUZUKI = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))

METHODS = (
    RattleMethod("rattle", 2, (1.0,), "symplectic, order 2, energy bounded for all times"),
    RattleMethod(
        "rattle4",
        4,
        (_SUZUKI, _SUZUKI, 1.0 - 4.0 * _SUZUKI, _SUZUKI, _SUZUKI),
        "symplectic, order 4 (Suzuki's composition of rattle)",
    ),
)

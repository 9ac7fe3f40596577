"""discrete: the discrete-time method of the article, with very small steps and compliant joints.

Per step, with all forces known at its start (equation numbers of the article):

    A = F / m,  V += A dt,  P += V dt                                      (4) to (6)
    A_r = C I^-1 (C' M - (C' V_r) x I (C' V_r)),  V_r += A_r dt            (7), (8)
    e = V_r / |V_r|,  theta = |V_r| dt,  P_r <- C(e, theta) P_r            (9) to (11)

(1), the rotation about a general axis, is Rodrigues' formula; here it is a product of unit quaternions, which is the
same rotation. The angular velocity is kept in body axes: the step turns the body about V_r itself, so its body
components do not change in (11). Joints are compliant: forces known at the start of a step leave no other reading.
First order; the price of its simplicity is a step of 1e-5 to 1e-6 s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from centrode.dynamics.evaluate import BODIES, rates_at
from centrode.dynamics.settle import settle
from centrode.jit import step_kernel
from centrode.math.rotation import turn_quaternion
from centrode.methods.explicit_kernel import write_frame
from centrode.methods.method import EVALUATIONS, STEPS, Outcome, Run
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_PSEUDO_RIGID, BODY_RIGID


@step_kernel
def run_discrete(
    evaluate_call,
    t,
    step,
    frame_times,
    next_frame,
    frames,
    counters,
    values,
    rates,
    pose,
    velocity,
    states,
    acceleration,
    state_rate,
    tables,
):
    """Advance to the last frame time; returns (time, next frame, outcome)."""
    bodies = tables[BODIES]
    while next_frame < frame_times.size:
        remaining = frame_times[next_frame] - t
        count = max(0, int(math.ceil(remaining / step - 1e-6)))
        h = remaining / count if count > 0 else step
        origin = t
        for i in range(count):
            rates_at(t, False, evaluate_call, tables)
            settle(t, tables)
            for b in range(pose.shape[0]):
                kind = bodies[b + 1].kind
                for k in range(velocity.shape[1]):
                    velocity[b, k] += h * acceleration[b, k]  # (5), (8)
                for k in range(12 if kind == BODY_PSEUDO_RIGID else 3):
                    pose[b, k] += h * velocity[b, k]  # (6)
                if kind == BODY_RIGID or kind == BODY_FULL_MASS:
                    w, x, y, z = turn_quaternion(  # (9) to (11)
                        pose[b, 3],
                        pose[b, 4],
                        pose[b, 5],
                        pose[b, 6],
                        h * velocity[b, 3],
                        h * velocity[b, 4],
                        h * velocity[b, 5],
                    )
                    pose[b, 3] = w
                    pose[b, 4] = x
                    pose[b, 5] = y
                    pose[b, 6] = z
            for k in range(states.size):
                states[k] += h * state_rate[k]
            t = origin + (i + 1) * h
        counters[STEPS] += count
        counters[EVALUATIONS] += count
        t = frame_times[next_frame]
        total = 0.0
        for i in range(values.size):
            total += values[i]
        if not math.isfinite(total):
            return origin, next_frame, 1
        rates_at(t, False, evaluate_call, tables)
        write_frame(frames[next_frame], t, values, rates, 0.0, 1.0, tables)
        next_frame += 1
    return t, next_frame, 0


@dataclass(frozen=True)
class DiscreteMethod:
    """Semi-implicit Euler with rotation by Rodrigues' formula; joints compliant."""

    name: str = "discrete"
    order: int = 1
    adaptive: bool = False
    exact_joints: bool = False
    locates_events: bool = False
    summary: str = "semi-implicit step with Rodrigues' rotation, compliant joints, very small steps"
    reference: str = "discrete-time article, equations (1) to (17)"
    keeps: str = "rotation matrices orthonormal to round-off"
    default_step: float = 1e-5

    def advance(self, run: Run) -> Outcome:
        """Advance to the last frame time."""
        w = run.workspace
        before = w.values.copy()
        run.time, run.next_frame, code = run_discrete(
            w.evaluate_call,
            run.time,
            run.step,
            run.frame_times,
            run.next_frame,
            run.frames,
            run.counters,
            w.values,
            w.rates,
            w["pose"],
            w["velocity"],
            w["states"],
            w["acceleration"],
            w["state_rate"],
            w.tables,
        )
        if code == Outcome.NOT_FINITE:
            w.values[:] = run.frames[run.next_frame - 1, 1 : 1 + w.values.size] if run.next_frame else before
        return Outcome(code)


METHODS = (DiscreteMethod(),)


def velocity_by_difference(
    position: np.ndarray,
    rotation: np.ndarray,
    velocity: np.ndarray,
    omega_body: np.ndarray,
    local: np.ndarray,
    step: float,
) -> np.ndarray:
    """Velocity of a body point as the article's (14) has it: (P_k - P_k-1) / dt.

    The last step of the method is known from the state after it, because it used the new velocities; so the
    previous place of the point need not be stored. At a step of 1e-6 s the difference of metre-sized positions
    loses ten digits; the exact formula v + omega x r is the default everywhere else.

    Args:
        position, rotation: of the body after the step; rotation world from body, shape (3, 3).
        velocity: of its centre of mass [m/s]; omega_body: [rad/s].
        local: point in body axes from the centre of mass [m].
        step: [s].
    """
    from centrode.math.rotation import matrix_from_axis_angle

    speed = float(np.linalg.norm(omega_body))
    back = matrix_from_axis_angle(omega_body, -speed * step) if speed > 0 else np.eye(3)
    now = position + rotation @ local
    before = position - step * velocity + rotation @ back @ local
    return (now - before) / step

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

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.dynamics.evaluate import BODIES, rates_at
from centrode.dynamics.settle import settle
from centrode.jit import step_kernel
from centrode.methods.explicit_kernel import write_frame
from centrode.methods.fixed_step import FixedStepMethod, all_finite, move_poses, whole_steps
from centrode.methods.method import EVALUATIONS, STEPS


@step_kernel
def run_discrete(
    evaluate_call, option, t, step, frame_times, next_frame, frames, counters, values, rates, pose, velocity, states,
    acceleration, state_rate, work, tables,
):  # fmt: skip
    """Advance to the last frame time; returns (time, next frame, outcome)."""
    bodies = tables[BODIES]
    while next_frame < frame_times.size:
        count, h = whole_steps(frame_times[next_frame] - t, step)
        origin = t
        for i in range(count):
            rates_at(t, False, evaluate_call, tables)
            if settle(t, tables) != 0:
                counters[STEPS] += i
                return t, next_frame, 6
            for b in range(pose.shape[0]):
                for k in range(velocity.shape[1]):
                    velocity[b, k] += h * acceleration[b, k]  # (5), (8)
            move_poses(bodies, pose, velocity, h)  # (6), (9) to (11)
            for k in range(states.size):
                states[k] += h * state_rate[k]
            t = origin + (i + 1) * h
        counters[STEPS] += count
        counters[EVALUATIONS] += count
        t = frame_times[next_frame]
        if not all_finite(values):
            return origin, next_frame, 1
        rates_at(t, False, evaluate_call, tables)
        write_frame(frames[next_frame], t, values, rates, 0.0, 1.0, tables)
        next_frame += 1
    return t, next_frame, 0


@dataclass(frozen=True)
class DiscreteMethod(FixedStepMethod):
    """Semi-implicit Euler with rotation by Rodrigues' formula; joints compliant."""

    name: str = "discrete"
    order: int = 1
    option: int = 0
    march: ClassVar[Any] = run_discrete
    summary: str = "semi-implicit step with Rodrigues' rotation, compliant joints, very small steps"
    reference: str = "discrete-time article, equations (1) to (17)"
    keeps: str = "rotation matrices orthonormal to round-off"
    default_step: float = 1e-5


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

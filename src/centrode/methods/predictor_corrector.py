"""predictor-corrector: the fixed-step method of the MEDUSA report (1999), equation (1.52), without its contact terms.

    z_1 <- z_1 + dt z_2               poses with the old velocities                     (1)
    forces at the new z_1, the old z_2, the old internal states, the old time
    z_2 <- z_2 + dt z_2'              velocities and internal states                    (2)

First order, symplectic for forces that depend on position alone; stable for the report's stiffnesses at its step of
5e-5 s. Time is accumulated as t <- t + dt, as the program did, so that its switching instants are met step by step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.dynamics.evaluate import BODIES, rates_at
from centrode.dynamics.settle import settle
from centrode.jit import step_kernel
from centrode.methods.explicit_kernel import write_frame
from centrode.methods.fixed_step import FixedStepMethod, all_finite, move_poses
from centrode.methods.method import EVALUATIONS, STEPS


@step_kernel
def run_predictor_corrector(
    evaluate_call, option, t, step, frame_times, next_frame, frames, counters, values, rates, pose, velocity, states,
    acceleration, state_rate, work, tables,
):  # fmt: skip
    """Advance to the last frame time; returns (time, next frame, outcome)."""
    bodies = tables[BODIES]
    while next_frame < frame_times.size:
        remaining = frame_times[next_frame] - t
        count = max(0, int(math.floor(remaining / step + 0.5)))
        h = step
        if abs(count * step - remaining) > 1e-6 * step:
            count = max(1, int(math.ceil(remaining / step)))
            h = remaining / count
        begin = t
        for i in range(count):
            move_poses(bodies, pose, velocity, h)  # (1)
            rates_at(t, False, evaluate_call, tables)
            for b in range(pose.shape[0]):
                for k in range(velocity.shape[1]):
                    velocity[b, k] += h * acceleration[b, k]  # (2)
            for k in range(states.size):
                states[k] += h * state_rate[k]
            t += h
            if settle(t, tables) != 0:
                counters[STEPS] += i + 1
                return t, next_frame, 6
        counters[STEPS] += count
        counters[EVALUATIONS] += count
        if not all_finite(values):
            return begin, next_frame, 1
        rates_at(t, False, evaluate_call, tables)
        write_frame(frames[next_frame], frame_times[next_frame], values, rates, 0.0, 1.0, tables)
        next_frame += 1
    return t, next_frame, 0


@dataclass(frozen=True)
class PredictorCorrectorMethod(FixedStepMethod):
    """The report's integrator; joints compliant."""

    name: str = "predictor-corrector"
    order: int = 1
    option: int = 0
    march: ClassVar[Any] = run_predictor_corrector
    summary: str = "poses with old velocities, then velocities with new forces; fixed step, compliant joints"
    reference: str = "MEDUSA report (1999), equation (1.52)"
    keeps: str = "nothing but the order; reproduces the program of 1999 step by step"
    default_step: float = 5e-5


METHODS = (PredictorCorrectorMethod(),)

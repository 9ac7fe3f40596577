"""What the fixed-step methods with compliant joints share: whole steps between frames, turns of poses, the way in.

Such a method is a kernel ``march`` and the class :class:`FixedStepMethod`. The kernel advances from frame to frame,
evaluates and settles every accepted state, and returns (time, next frame, outcome). No joint is exact, so nothing is
projected and nothing has to be searched: forces alone decide.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.math.rotation import turn_quaternion
from centrode.methods.method import Outcome, Run
from centrode.parts.bodies.codes import BODY_FULL_MASS, BODY_PSEUDO_RIGID, BODY_RIGID


@step_kernel
def whole_steps(remaining, step):
    """Number of equal steps, none longer than ``step``, that fill the remaining time, and their length [s]."""
    count = max(0, int(math.ceil(remaining / step - 1e-6)))
    return count, remaining / count if count > 0 else 0.0


@step_kernel
def all_finite(values):
    """Whether no value is infinite or not a number; one sum tells, and costs no branch per value."""
    total = 0.0
    for i in range(values.size):
        total += values[i]
    return math.isfinite(total)


@step_kernel
def move_poses(bodies, pose, velocity, h):
    """Move every body for h with its present velocities; a rigid one turns about its angular velocity (Rodrigues)."""
    for b in range(pose.shape[0]):
        kind = bodies[b + 1].kind
        for k in range(12 if kind == BODY_PSEUDO_RIGID else 3):
            pose[b, k] += h * velocity[b, k]
        if kind == BODY_RIGID or kind == BODY_FULL_MASS:
            pose[b, 3], pose[b, 4], pose[b, 5], pose[b, 6] = turn_quaternion(
                pose[b, 3],
                pose[b, 4],
                pose[b, 5],
                pose[b, 6],
                h * velocity[b, 3],
                h * velocity[b, 4],
                h * velocity[b, 5],
            )


class FixedStepMethod:
    """Base of the fixed-step methods whose joints are compliant.

    Class attributes of a method:
        march: compiled kernel (evaluate_call, option, time, step, frame_times, next_frame, frames, counters, values,
            rates, pose, velocity, states, acceleration, state_rate, work, tables) -> (time, next frame, outcome).
        option: one number for the kernel, for methods that share it.
    """

    adaptive: ClassVar[bool] = False
    exact_joints: ClassVar[bool] = False
    locates_events: ClassVar[bool] = False
    march: ClassVar[Any] = None
    option: int

    def work(self, run: Run) -> Any:
        """Work array of the kernel; made once per run."""
        import numpy as np

        return np.zeros((0, 0))

    def advance(self, run: Run) -> Outcome:
        """Advance to the last frame time; a run that is no longer finite returns to its last frame."""
        w = run.workspace
        if "work" not in run.options:
            run.options["work"] = self.work(run)
        before = w.values.copy()
        run.time, run.next_frame, code = type(self).march(
            w.evaluate_call,
            self.option,
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
            run.options["work"],
            w.tables,
        )
        if code == Outcome.NOT_FINITE:
            w.values[:] = run.frames[run.next_frame - 1, 1 : 1 + w.values.size] if run.next_frame else before
        return Outcome(code)

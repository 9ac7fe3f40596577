"""predictor-corrector: the fixed-step method of the MEDUSA report (1999), equation (1.52), without its contact terms.

    z_1 <- z_1 + dt z_2               poses with the old velocities                     (1)
    forces at the new z_1, the old z_2, the old internal states, the old time
    z_2 <- z_2 + dt z_2'              velocities and internal states                    (2)

First order, symplectic for forces that depend on position alone; stable for the report's stiffnesses at its step of
5e-5 s. Time is accumulated as t <- t + dt, as the program did, so that its switching instants are met step by step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from centrode.dynamics.bodies import shift_poses
from centrode.dynamics.evaluate import rates_at
from centrode.jit import step_kernel
from centrode.methods.discrete import add_rates
from centrode.methods.fixed_step import STEP_SIGNATURE, FixedStepMethod
from centrode.methods.method import Outcome
from centrode.parts.tables import borrow


@step_kernel(signature=STEP_SIGNATURE)
def predictor_corrector_step(time, h, par, run, work, tables):
    """(1), then (2)."""
    t = borrow(tables)
    shift_poses(h, t.velocity, tables)
    rates_at(time, False, tables)
    add_rates(h, tables)
    run[0].evaluations += 1
    return Outcome.FRAMES_DONE.value


@dataclass(frozen=True)
class PredictorCorrectorMethod(FixedStepMethod):
    """The report's integrator; joints compliant."""

    name: str = "predictor-corrector"
    order: int = 1
    summary: str = "poses with old velocities, then velocities with new forces; fixed step, compliant joints"
    reference: str = "MEDUSA report (1999), equation (1.52)"
    keeps: str = "nothing but the order; reproduces the program of 1999 step by step"
    default_step: float = 5e-5
    step_kernel = predictor_corrector_step
    evaluates: ClassVar[bool] = False
    accumulates: ClassVar[bool] = True


METHODS = (PredictorCorrectorMethod(),)

"""Explicit midpoint: a method of one's own in one file.

    k = f(t + h/2, y + h/2 f(t, y)),     y_1 = y + h k                                                  (1)

The rates f(t, y) are there when a step begins; the step leaves the rates of the state that it reached. Second order
(Hairer, Norsett and Wanner, "Solving Ordinary Differential Equations I", II.1). Joints are compliant.
Check it with ``centrode check explicit_midpoint.py``; use it in a scenario with ``plugins: [explicit_midpoint.py]`` and
``method: explicit-midpoint`` below ``run``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import centrode as ct


@ct.step_kernel
def add_rates(start, h, t):
    """values = start + h rates."""
    for i in range(t.values.size):
        t.values[i] = start[i] + h * t.rates[i]


@ct.step_kernel(signature=ct.STEP_SIGNATURE)
def midpoint_step(time, h, par, run, work, tables):
    """(1): half a step to the middle, then the whole step with the rates found there."""
    t = ct.borrow(tables)
    start = work[0]
    for i in range(t.values.size):
        start[i] = t.values[i]
    add_rates(start, 0.5 * h, t)
    ct.rates_at(time + 0.5 * h, False, tables)
    add_rates(start, h, t)
    ct.normalise_poses(tables)
    ct.rates_at(time + h, False, tables)
    run[0].evaluations += 2
    return ct.Outcome.FRAMES_DONE.value


@dataclass(frozen=True)
class ExplicitMidpoint(ct.FixedStepMethod):
    """Second order, two evaluations a step."""

    name: str = "explicit-midpoint"
    order: int = 2
    summary: str = "rates in the middle of the step, fixed step, compliant joints"
    reference: str = "Hairer, Norsett and Wanner I, II.1"
    keeps: str = "nothing but the order"
    default_step: float = 1e-3
    step_kernel = midpoint_step

    def work(self, run) -> np.ndarray:
        """Room for the values at the start of a step."""
        return np.zeros((1, run.workspace.values.size))


METHODS = (ExplicitMidpoint(),)

"""Explicit Runge-Kutta methods: a table of coefficients each, one compiled driver for all."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from centrode.methods.explicit_kernel import run_explicit
from centrode.methods.method import Outcome, Run


@dataclass(frozen=True)
class ExplicitMethod:
    """An explicit Runge-Kutta method on the constraint manifold.

    Attributes:
        a, b, c: Butcher's coefficients.
        error: weights of the error estimate; None for fixed steps.
        error3: weights of the second estimate of DOP853.
        projections: Newton steps of the position projection a step; 0 leaves both projections out.
    """

    name: str
    order: int
    summary: str
    reference: str
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    error: np.ndarray | None = None
    error3: np.ndarray | None = None
    error_order: float = 0.0
    projections: int = 2
    exact_joints: bool = True
    locates_events: bool = True
    keeps: str = "joints to round-off, energy to the order"
    default_step: float = field(default=1e-3)

    @property
    def adaptive(self) -> bool:
        """Whether the step follows the tolerance."""
        return self.error is not None

    def advance(self, run: Run) -> Outcome:
        """Advance to the last frame time."""
        w = run.workspace
        stages = self.b.size
        if "slopes" not in run.options:
            run.options["slopes"] = np.zeros((stages, w.values.size))
            run.options["start"] = np.zeros(w.values.size)
            run.options["memory"] = np.zeros(w["joint_memory"].size + w["force_memory"].size)
        nothing = np.zeros(stages)
        run.time, run.step, run.next_frame, code = run_explicit(
            w.evaluate_call,
            w.project_call,
            self.a,
            self.b,
            self.c,
            nothing if self.error is None else self.error,
            nothing if self.error3 is None else self.error3,
            self.adaptive,
            self.error_order,
            self.projections,
            run.fresh and self.projections > 0,
            run.time,
            run.step,
            run.tolerance,
            run.frame_times,
            run.next_frame,
            run.frames,
            run.counters,
            w.values,
            w.rates,
            run.options["slopes"],
            run.options["start"],
            w["pose"],
            w.model.exact_joints.size,
            run.options["memory"],
            w.event_calls,
            w.event_spans,
            w.event_values,
            w.event_found,
            w.tables,
        )
        run.event = int(w.event_found[0])
        run.fresh = False
        return Outcome(code)

"""Explicit Runge-Kutta methods: a table of coefficients each, one compiled driver for all."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.methods.explicit_kernel import Buffers, Scheme, run_explicit
from centrode.methods.method import Method, Run


@dataclass(frozen=True)
class ExplicitMethod(Method):
    """An explicit Runge-Kutta method on the constraint manifold.

    Attributes:
        a, b, c: Butcher's coefficients.
        error: weights of the error estimate; None for fixed steps.
        error3: weights of the second estimate of DOP853.
        projections: Newton steps of the position projection a step; 0 leaves both projections out.
        ends: where the steps end is noted here when they are controlled, and followed when they are not [s].
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
    ends: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)
    exact_joints: bool = True
    locates_events: bool = True
    keeps: str = "joints to round-off, energy to the order"
    default_step: float = 1e-3

    @property
    def adaptive(self) -> bool:  # type: ignore[override]
        """Whether the step follows the tolerance."""
        return self.error is not None

    @property
    def closes_joints(self) -> bool:  # type: ignore[override]
        """Whether positions are projected."""
        return self.projections > 0

    def prepare(self, run: Run) -> Any:
        w = run.workspace
        nothing = np.zeros(self.b.size)
        error, error3 = (nothing if e is None else e for e in (self.error, self.error3))
        return (
            Scheme(self.a, self.b, self.c, error, error3, self.adaptive, self.error_order, self.projections),
            Buffers(
                slopes=np.zeros((self.b.size, w.values.size)),
                start=np.zeros(w.values.size),
                memory=np.zeros(w.frames.memory_size),
                ends=self.ends.copy(),
            ),
        )

    def noting(self, room: int) -> ExplicitMethod:
        return replace(self, ends=np.zeros(room)) if self.adaptive else self

    def following(self, ends: np.ndarray) -> ExplicitMethod:
        return replace(self, error=None, error3=None, ends=ends) if self.adaptive else self

    def noted(self, run: Run) -> np.ndarray:
        _, buffers = run.buffers
        return buffers.ends[: int(run.record["noted"][0])].copy() if self.adaptive else np.zeros(0)

    def march(self, run: Run) -> int:
        return int(run_explicit(*run.buffers, run.record, run.frame_times, run.frames, run.workspace.address))

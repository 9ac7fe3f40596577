"""One march for all methods of equal steps: what a step does is theirs, the way from frame to frame is shared.

Such a method is a kernel with STEP_SIGNATURE and a subclass of :class:`FixedStepMethod`. The kernel takes the tables
from an evaluated state at ``time`` to the state at ``time + h``; the march calls it by address, settles every state,
writes the frames and stops where something happens.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from centrode.dynamics.evaluate import rates_at
from centrode.dynamics.frames import write_frame
from centrode.errors import InputError
from centrode.jit import call_by_address, step_kernel, types
from centrode.methods.attend import attend
from centrode.methods.method import RUN, Method, Outcome, Run
from centrode.parts.kernel_notes import kernel_handle
from centrode.parts.part import KernelNote
from centrode.parts.tables import borrow

STEP_SIGNATURE = types.int64(
    types.float64,  # time [s]
    types.float64,  # length of the step [s]
    types.floats1,  # constants of the method
    types.rows(RUN),  # the run, one record: evaluations, residual, pivot
    types.floats2,  # work, as ``prepare`` made it
    types.int64,  # tables
)
"""Signature of a step; returns an Outcome, FRAMES_DONE when all is well."""

call_step = call_by_address(STEP_SIGNATURE)


class Style(NamedTuple):
    """How a method wants to be marched.

    Attributes:
        step: handle of its kernel.
        evaluates: a step leaves the rates of the state that it reached.
        accumulates: time is summed step by step, and steps that fill a frame keep their length to the last digit.
        projects: the start is projected onto the joints.
    """

    step: int
    evaluates: bool
    accumulates: bool
    projects: bool


MARCH_SIGNATURE = types.int64(
    types.NamedTuple((types.int64, *(types.boolean,) * 3), Style),
    types.floats1,
    types.rows(RUN),
    types.floats1,
    types.floats2,
    types.floats2,
    types.int64,
)


@step_kernel(signature=types.Tuple((types.int64, types.float64))(types.float64, types.float64))
def whole_steps(remaining, step):
    """Number of equal steps, none longer than ``step``, that fill the remaining time, and their length [s]."""
    count = max(0, int(math.ceil(remaining / step - 1e-6)))
    return count, remaining / count if count > 0 else 0.0


@step_kernel
def sum_is_finite(values):
    """Whether no value is infinite or not a number; one sum tells, and costs no branch per value."""
    total = 0.0
    for i in range(values.size):
        total += values[i]
    return math.isfinite(total)


@step_kernel(signature=MARCH_SIGNATURE)
def march(style, par, run, frame_times, frames, work, tables):
    """Advance to the last frame time, or until something happens. Returns the outcome."""
    t = borrow(tables)
    now = run[0]
    now.residual = 0.0
    now.pivot = rates_at(now.time, style.projects and now.fresh != 0, tables)
    while now.next_frame < frame_times.size:
        goal = frame_times[now.next_frame]
        origin = now.time
        count, h = whole_steps(goal - origin, now.step)
        if style.accumulates and abs(count * now.step - (goal - origin)) <= 1e-6 * now.step:
            h = now.step
        for i in range(count):
            outcome = call_step(style.step, (now.time, h, par, run, work, tables))
            now.time = now.time + h if style.accumulates else origin + (i + 1) * h
            now.steps += 1
            if outcome != Outcome.FRAMES_DONE.value:
                return outcome
            if attend(run, tables):
                return Outcome.LOOK.value
        if not sum_is_finite(t.values):
            now.time = origin
            return Outcome.NOT_FINITE.value
        if not style.accumulates and count > 0:
            now.time = goal
        if not style.evaluates:
            rates_at(now.time, False, tables)
        write_frame(frames[now.next_frame], goal, now.residual, now.pivot, tables)
        now.next_frame += 1
    return Outcome.FRAMES_DONE.value


class FencedWork:
    """A work array with a fence behind it: compiled code does not look at bounds, and a row too few would be ruin.

    Args:
        array: as the method asked for it.
        size: numbers of the state; eight times as many are the fence. Its numbers are NaN, so what is read there shows.
    """

    def __init__(self, array: np.ndarray, size: int) -> None:
        room = np.full(array.size + 8 * size, np.nan)
        self._fence = room[array.size :]
        self.array = room[: array.size].reshape(array.shape)
        self.array[:] = array

    @property
    def overrun(self) -> bool:
        """Whether something was written behind the array."""
        return not bool(np.isnan(self._fence).all())


class FixedStepMethod(Method):
    """Base of the methods of equal steps.

    Class attributes of a method:
        step_kernel: compiled with STEP_SIGNATURE.
        evaluates, accumulates: see :class:`Style`.
    """

    adaptive: bool = False
    exact_joints: bool = False
    locates_events: bool = False
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = (KernelNote("step_kernel", STEP_SIGNATURE, "STEP_SIGNATURE"),)
    step_kernel: ClassVar[Any] = None
    evaluates: ClassVar[bool] = True
    accumulates: ClassVar[bool] = False

    @classmethod
    def spared_kernels(cls) -> tuple[str, ...]:
        """None: a method of equal steps is its kernel."""
        return ()

    def constants(self) -> tuple[float, ...]:
        """Numbers that the kernel is given."""
        return ()

    def work(self, run: Run) -> np.ndarray:
        """Work array of the kernel."""
        return np.zeros((0, 0))

    def prepare(self, run: Run) -> Any:
        style = Style(kernel_handle(self, "step_kernel"), self.evaluates, self.accumulates, self.exact_joints)
        work = self.work(run)
        if not (isinstance(work, np.ndarray) and work.ndim == 2 and work.dtype == float):
            what, expected = (
                f"work(run) of the method '{self.name}' gives no work array",
                "floats of shape (rows, columns)",
            )
            raise InputError(what, path="run.method", got=work, expected=expected)
        return style, np.array(self.constants(), dtype=float), FencedWork(work, run.workspace.values.size)

    def march(self, run: Run) -> int:
        """Advance; a run that is no longer finite returns to its last frame."""
        style, constants, work = run.buffers
        w = run.workspace
        before = w.values.copy()
        code = int(march(style, constants, run.record, run.frame_times, run.frames, work.array, w.address))
        if work.overrun:
            raise InputError(
                f"the step of '{self.name}' writes outside of its work array", path="run.method", got=work.array.shape,
                expected="work(run) with a row for everything that the step keeps",
            )  # fmt: skip
        if code == Outcome.NOT_FINITE:
            w.values[:] = run.frames[run.next_frame - 1, w.frames.values] if run.next_frame else before
        return code

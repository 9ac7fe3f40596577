"""Methods: how a state advances. One file each; a method declares its order, what it needs and what it keeps.

A method is an object with the attributes below and ``advance(run)``, which lets compiled code do all steps up to
the last of the given frame times. Nothing outside this room knows how a step is made.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import Any, Protocol

import numpy as np

from centrode.errors import InputError, nearest_name


class Outcome(IntEnum):
    """Why ``advance`` came back; LOOK: a settled force wants the run loop to look at the last step."""

    FRAMES_DONE = 0
    NOT_FINITE = 1
    STEP_TOO_SMALL = 2
    NEWTON_FAILED = 3
    EVENT = 4
    OFF_CONSTRAINTS = 5
    LOOK = 6
    # The rest is said by the run loop, not by a method: an event that ends the run, outlines that pass each other.
    ENDED = 7
    PASSED = 8


OUTCOME_TEXT = {
    Outcome.NOT_FINITE: "the motion is no longer finite",
    Outcome.STEP_TOO_SMALL: "the step size fell below the smallest allowed",
    Outcome.NEWTON_FAILED: "the implicit equations of a step found no solution",
    Outcome.OFF_CONSTRAINTS: "the joints came apart further than the projection can mend",
    Outcome.PASSED: "a contact cannot be seen with this step",
}


# Columns of the counters that a method keeps.
STEPS, REJECTED, EVALUATIONS, LARGEST_RESIDUAL, SMALLEST_PIVOT, TIME_OF_SMALLEST_PIVOT, FORCED, LAST_ERROR = range(8)
LARGEST_STEP = 8
"""Not a counter but a limit: the largest step that an adaptive method may take [s], 0 for none."""
COUNTER_COUNT = 9


def new_counters() -> np.ndarray:
    """Counters at the start of a run."""
    counters = np.zeros(COUNTER_COUNT)
    counters[SMALLEST_PIVOT] = 1.0
    counters[LAST_ERROR] = 1e-4
    return counters


@dataclass
class Run:
    """What a method works on.

    Attributes:
        workspace: arrays and tables.
        time: present time [s]; the method moves it.
        step: step of a fixed-step method, or the step to try next [s].
        tolerance: relative and absolute tolerance of adaptive methods.
        frame_times: times at which to record [s], ascending.
        next_frame: index of the next one to reach.
        frames: frame rows, see :func:`frame_width`.
        counters: see STEPS and the names after it.
        fresh: the values were not made by this method (start, event, changed parameters): project them first.
        events: event kernels to watch, or None.
        event: number of the event found, when the outcome is EVENT.
    """

    workspace: Any
    time: float
    step: float
    tolerance: float
    frame_times: np.ndarray
    next_frame: int
    frames: np.ndarray
    counters: np.ndarray
    fresh: bool = True
    events: Any = None
    event: int = -1
    options: dict[str, Any] = field(default_factory=dict)


class Method(Protocol):
    """What ``simulate`` needs of a method."""

    name: str
    order: int
    adaptive: bool
    exact_joints: bool
    locates_events: bool
    summary: str
    reference: str

    def advance(self, run: Run) -> Outcome:
        """Advance to the last frame time, or until something happens."""


def frame_width(workspace: Any) -> int:
    """Length of a frame row, as ``explicit_kernel.write_frame`` fills it."""
    kept = ("multipliers", "joint_memory", "force_memory", "row_active")
    return 3 + 2 * workspace.values.size + sum(workspace[name].size for name in kept)


@cache
def methods() -> dict[str, Any]:
    """All methods by name, found in the files of this room."""
    import centrode.methods as room

    found: dict[str, Any] = {}
    for info in pkgutil.iter_modules(room.__path__):
        module = importlib.import_module(f"centrode.methods.{info.name}")
        for method in getattr(module, "METHODS", ()):
            found[method.name] = method
    return dict(sorted(found.items()))


def find_method(name: str) -> Any:
    """The method of that name; a misspelt one is refused with the nearest."""
    known = methods()
    if name not in known:
        raise InputError(
            "unknown method",
            path="run.method",
            got=name,
            expected="one of " + ", ".join(known),
            nearest=nearest_name(str(name), list(known)),
        )
    return known[name]

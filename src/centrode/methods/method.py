"""Methods: how a state advances. One file each; a method declares its order, what it needs and what it keeps.

A method is a :class:`Method`, whose ``march`` lets compiled code do all steps up to the last of the given frame times.
Nothing outside this room knows how a step is made.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from centrode.dynamics.redundancy import choose_rows
from centrode.errors import CAME_APART, NOT_FINITE, Fault, InputError, nearest_name
from centrode.parts.bodies.body import Body
from centrode.parts.hooks import Watched
from centrode.parts.registry import plugin_modules
from centrode.parts.tables import as_records
from centrode.system.settings import DEFAULT_METHOD

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace
    from centrode.system.model import Model


PATIENCE = 2e4
"""Steps of adaptive methods after which compiled code comes back to the run loop, so that an interrupt is heard."""


class Outcome(IntEnum):
    """Why ``advance`` came back; LOOK: the contacts want the run loop to look at the last step."""

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
    # And this by a method to itself: a room is too small, nothing has changed since the last step.
    ROOM_NEEDED = 9
    STEP_TOO_LONG = 11
    # And this to the run loop: a drive presses against what cannot give way.
    BLOCKED = 10


OUTCOMES = frozenset(Outcome)
OTHERS = "dop853 and rk4-projected do all of it"
OUTCOME_TEXT = {
    Outcome.NOT_FINITE: f"the motion is {NOT_FINITE}",
    Outcome.STEP_TOO_SMALL: "the step size fell below the smallest allowed",
    Outcome.NEWTON_FAILED: "the implicit equations of a step found no solution",
    Outcome.OFF_CONSTRAINTS: f"the joints {CAME_APART} further than the projection can mend",
    Outcome.PASSED: "a contact cannot be seen with this step",
}


RUN = np.dtype(
    [
        ("time", "f8"),  # present time [s]
        ("step", "f8"),  # step of a fixed-step method, or the step to try next [s]
        ("tolerance", "f8"),  # relative and absolute, of adaptive methods
        ("next_frame", "i8"),  # number of the next frame to reach
        ("event", "i8"),  # number of the event found, when the outcome is EVENT
        ("fresh", "i8"),  # 1: the values were not made by this method (start, event, change): project them first
        ("residual", "f8"),  # largest open row and smallest pivot of the last step
        ("pivot", "f8"),
        ("noted", "i8"),  # ends of steps noted, or followed, so far: see Method.noting
        # What a method counts.
        ("steps", "f8"),
        ("rejected", "f8"),
        ("evaluations", "f8"),
        ("largest_residual", "f8"),
        ("smallest_pivot", "f8"),
        ("time_of_smallest_pivot", "f8"),
        ("forced", "f8"),
        ("last_error", "f8"),
        ("largest_step", "f8"),  # not counted but a limit: the largest step of an adaptive method [s], 0 for none
        ("usual_pivot", "f8"),  # largest pivot at the ends of steps: a system may have small ones all the time
        ("spare_rows", "f8"),  # redundant rows: the choice of those left out is looked after in every step
    ]
)
"""A run as methods see it: one record."""

COUNTERS = list(RUN.fields or ())[9:]
"""What a saved state keeps of it, in this order: from ``steps`` on."""


def _field(name: str) -> Any:
    return property(lambda run: run.record[name][0].item(), lambda run, value: run.record[name].__setitem__(0, value))


class Run:
    """What a method works on.

    Args:
        workspace: arrays and tables.
        time: at the start [s].
        step: step of a fixed-step method, or the step to try first [s].
        tolerance: relative and absolute tolerance of adaptive methods.

    Attributes:
        record: see :data:`RUN`; time, step, fresh, next_frame and event are also attributes.
        frame_times: times at which to record [s], ascending.
        frames: frame rows, see :mod:`centrode.dynamics.frames`.
        buffers: arrays of the method, made by its ``prepare``.
    """

    time = _field("time")
    step = _field("step")
    fresh = _field("fresh")
    next_frame = _field("next_frame")
    event = _field("event")

    def __init__(self, workspace: Workspace, time: float, step: float, tolerance: float) -> None:
        self.workspace = workspace
        self.record = as_records(np.zeros(1, dtype=RUN))
        self.time, self.step, self.fresh, self.event = time, step, 1, -1
        self.record["tolerance"], self.record["smallest_pivot"], self.record["last_error"] = tolerance, 1.0, 1e-4
        self.record["spare_rows"] = workspace.spare_rows
        self.frame_times, self.frames = np.zeros(0), workspace.frames.empty(0)
        self.buffers: Any = None

    def expect(self, frame_times: np.ndarray) -> None:
        """Make room for frames at these times."""
        self.frame_times, self.frames, self.next_frame = frame_times, self.workspace.frames.empty(frame_times.size), 0

    def recount_rows(self) -> None:
        """Rows were switched (events, changes of parameters): count and choose the redundant ones anew."""
        choose_rows(self.workspace, self.time, recount=True)
        self.record["spare_rows"] = self.workspace.spare_rows

    @property
    def reached(self) -> np.ndarray:
        """Frames reached so far."""
        return self.frames[: self.next_frame]

    @property
    def counters(self) -> np.ndarray:
        """What is counted, for saving."""
        return np.array([self.record[name][0] for name in COUNTERS])

    @counters.setter
    def counters(self, values: np.ndarray) -> None:
        for name, value in zip(COUNTERS, values, strict=False):  # files of older versions have fewer
            self.record[name] = value


class Method(ABC):
    """Base of all methods: what ``simulate`` needs of one.

    Attributes of a method:
        name: by which users choose it.
        order: of convergence.
        summary, reference, keeps: for tables of methods: what it is, where it comes from, what it keeps.
        default_step: step when none is given; first step of adaptive methods in short runs [s].
        adaptive: the step follows the tolerance.
        exact_joints: joints may be exact; otherwise all must be compliant.
        locates_events: a step ends where an event function crosses zero.
        closes_joints: exact joints are closed in every step; otherwise they drift, and a run fails by far gaps only.
        hard_contacts: the method holds outlines apart by impulses; otherwise contact laws push them.
    """

    name: str
    order: int
    summary: str
    reference: str
    keeps: str
    default_step: float
    adaptive: bool
    exact_joints: bool
    locates_events: bool
    closes_joints: bool = True
    hard_contacts: bool = False

    def refuses(self, body: Body) -> bool:
        """Whether the method cannot move a body of this kind."""
        return False

    def faults(self, model: Model) -> list[Fault]:
        """Why the method cannot run this model, if it cannot."""
        found = [
            Fault(f"the method '{self.name}' cannot move a body of this kind", body.name, got=body.kind, hint=OTHERS)
            for body in model.body_parts
            if self.refuses(body)
        ][:1]
        if not self.exact_joints and model.exact_joints.size:
            names = ", ".join(model.joints[j].name for j in model.exact_joints[:4])
            hint = f"make them compliant (compliant: true): {names}; {OTHERS}"
            found.append(Fault(f"the method '{self.name}' has no exact joints", "run.method", got=self.name, hint=hint))
        parts: list[Watched] = [*model.joints, *model.forces]
        watched = any(type(part).event_kernel is not None and not part.events_optional for part in parts)
        if watched and not self.locates_events:
            what, hint = f"the method '{self.name}' does not locate events", f"ropes need one that does; {OTHERS}"
            found.append(Fault(what, "run.method", got=self.name, hint=hint))
        return found

    def step_for(self, model: Model) -> float:
        """Step when none is given [s]."""
        return self.default_step

    def frame_spacing(self, duration: float, count: int, step: float) -> float:
        """Time from frame to frame when none is given [s], for about so many frames in all."""
        return duration / count

    def prepare(self, run: Run) -> Any:
        """Arrays that the method needs beside the tables; asked for once, kept in ``run.buffers``."""
        return ()

    def noting(self, room: int) -> Method:
        """This method, noting the ends of its steps as far as there is room; itself when its steps are given anyway."""
        return self

    def following(self, ends: np.ndarray) -> Method:
        """This method with steps that end at given times, whatever their error; itself when it does not note any."""
        return self

    def noted(self, run: Run) -> np.ndarray:
        """Ends of the steps of a run [s], if the method was :meth:`noting` them; those at events are left out."""
        return np.zeros(0)

    @abstractmethod
    def march(self, run: Run) -> int:
        """Let compiled code advance to the last frame time, or until something happens; the number of an Outcome."""

    def advance(self, run: Run) -> Outcome:
        """Advance to the last frame time, or until something happens."""
        if run.buffers is None:
            run.buffers = self.prepare(run)
        code = self.march(run)
        if code not in OUTCOMES:
            what, expected = f"a step of '{self.name}' returns what is no outcome", "FRAMES_DONE when all is well"
            raise InputError(what, path="run.method", got=code, expected=expected)
        run.fresh = 0
        return Outcome(code)


@cache
def _built_in(name: str = "") -> tuple[ModuleType, ...]:
    """The files of this room that list methods, or those of them in whose text a name stands: imported, no others."""
    room = Path(__file__).parent
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(room.glob("*.py"))}
    chosen = [stem for stem, text in texts.items() if "\nMETHODS = " in text and (not name or f'"{name}"' in text)]
    return tuple(importlib.import_module(f"{__package__}.{stem}") for stem in chosen)


def listed_methods(module: ModuleType) -> tuple[object, ...]:
    """What a file lists under ``METHODS``."""
    listed = vars(module).get("METHODS", ())
    if not isinstance(listed, tuple | list):
        raise InputError("METHODS is a tuple of methods", path="METHODS", got=listed, file=module.__file__)
    return tuple(listed)


def methods(plugins: Sequence[Path | str] = ()) -> dict[str, Method]:
    """All methods by name: those that the files of this room and the plugins list under ``METHODS``."""
    found: dict[str, Method] = {}
    for module in (*_built_in(), *plugin_modules(plugins)):
        for method in listed_methods(module):
            if not isinstance(method, Method):
                hint = "list an instance: METHODS = (MyMethod(),)"
                raise InputError("this is no method", path="METHODS", got=method, file=module.__file__, hint=hint)
            if method.name in found:
                raise InputError("two methods have one name", path="run.method", got=method.name, file=module.__file__)
            found[method.name] = method
    return dict(sorted(found.items()))


def find_method(name: str | None, plugins: Sequence[Path | str] = ()) -> Method:
    """The method of that name, the usual one when none is named; a misspelt one is refused with the nearest."""
    name = DEFAULT_METHOD if name is None else name
    if not plugins:
        for method in (item for module in _built_in(str(name)) for item in listed_methods(module)):
            if isinstance(method, Method) and method.name == name:
                return method
    known = methods(plugins)
    if name not in known:
        expected, nearest = "one of " + ", ".join(known), nearest_name(str(name), list(known))
        raise InputError("unknown method", path="run.method", got=name, expected=expected, nearest=nearest)
    return known[name]

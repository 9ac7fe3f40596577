"""Hooks of the run loop: what it may ask a joint or a force while a system runs.

Every hook is declared here or in the base class of the family, with an answer for parts that do not care, so that the
loop asks all parts alike and a kind overrides what it needs.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np


class Moment(Protocol):
    """The running system at an event, as seen by the part that the event belongs to.

    Attributes:
        workspace: tables of the run, by name.
        index: number of the part among the joints or among the forces.
        time: of the event [s].
    """

    workspace: Any
    index: int
    time: float

    @property
    def memory(self) -> np.ndarray:
        """The part's row of the memory; may be written."""

    @property
    def active(self) -> np.ndarray:
        """The row switches of a joint; may be written, and count from the next :meth:`evaluate` on."""

    def evaluate(self) -> None:
        """Bring rows, multipliers and accelerations in line with state, memory and switches."""

    def row_speeds(self) -> np.ndarray:
        """J v of the joint's rows [m/s, rad/s]."""

    def multipliers(self) -> np.ndarray:
        """Multipliers of the joint's rows [N, N m]."""

    def impulses(self) -> np.ndarray:
        """Make all velocities obey the active rows, as an impact does; impulses in the joint's rows [N s, N m s]."""

    def kinetic_energy(self) -> float:
        """Of all bodies [J]."""


class Watched:
    """Hooks of parts with an event: a function of the state that must stay positive.

    Class attributes of a kind:
        event_kernel: compiled with EVENT_SIGNATURE, or None.
        events_optional: events are only reported, so methods that do not locate events may run the kind.
    """

    event_kernel: ClassVar[Any] = None
    events_optional: ClassVar[bool] = False

    def on_event(self, moment: Moment) -> tuple[str, dict[str, float]] | None:
        """Act on an event of this part: kind of event and figures; None when the part keeps a log of its own."""
        return None

    def ends_run(self, event: str) -> bool:
        """Whether the run ends with an event of that kind."""
        return False

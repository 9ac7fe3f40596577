"""Events: functions of the state that must stay positive, and what happens when one does not.

A kind of joint or force with an event kernel is watched by the methods that locate events. The kernel gives one number
per element; when it falls through zero, the step is shortened to end there, and the part acts (its ``on_event``): it
switches rows, applies the impulse of an impact, and says what happened.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.dynamics.projection import velocity_projection
from centrode.jit import call_by_address, step_kernel
from centrode.parts.kernel_types import EVENT_SIGNATURE
from centrode.parts.tables import borrow, contact_notes

call_event = call_by_address(EVENT_SIGNATURE)

Happened = tuple[float, str, str, dict[str, float]]
"""Time [s], kind, subject and figures of something worth a line in the events of a run."""


@step_kernel
def ask_events(time, values, tables):
    """Let every watched kind write its event functions: joints, then forces, then one for all contacts."""
    t = borrow(tables)
    for span in t.joint_spans:
        if span.event != 0:
            call_event(
                span.event,
                (
                    time, span.first, span.count, t.joint_par, t.joint_link, t.data, t.inputs, t.joint_memory,
                    t.markers, t.states, t.multipliers, values,
                ),
            )  # fmt: skip
    behind = values[t.joint_link.shape[0] :]
    for span in t.force_spans:
        if span.event != 0:
            call_event(
                span.event,
                (
                    time, span.first, span.count, t.force_par, t.force_link, t.data, t.inputs, t.force_memory,
                    t.markers, t.states, t.multipliers, behind,
                ),
            )  # fmt: skip
    if t.push_contacts != 0:
        behind[t.force_link.shape[0]] = contact_notes(t.contact_memory, 0).event


@step_kernel
def watches(tables):
    """Whether some kind has an event function."""
    t = borrow(tables)
    found = t.push_contacts != 0
    for span in t.joint_spans:
        found |= span.event != 0
    for span in t.force_spans:
        found |= span.event != 0
    return found


@step_kernel
def crossed(event_values):
    """Number of the first event function that fell to zero or below; -1 when none did.

    Right after an event its function is zero up to round-off, perhaps below; it counts again when it falls further, or
    the last small bounces of an impact, shorter than a step, would be missed.
    """
    for i in range(event_values.shape[1]):
        before = event_values[0, i]
        after = event_values[1, i]
        if not after > 0.0 and (before > 0.0 or after < before):
            return i
    return -1


@dataclass(frozen=True)
class RunningPart:
    """The running system at an event, as the part it belongs to sees it (:class:`centrode.parts.hooks.Moment`)."""

    workspace: Any
    index: int
    time: float
    family: str

    @property
    def memory(self) -> np.ndarray:
        """The part's row of the memory."""
        return np.asarray(self.workspace[f"{self.family}_memory"][self.index])

    @property
    def active(self) -> np.ndarray:
        """The row switches of a joint."""
        return np.asarray(self.workspace["row_active"][self.index])

    def evaluate(self) -> None:
        """Evaluate at the time of the event."""
        self.workspace.evaluate(self.time)

    def row_speeds(self) -> np.ndarray:
        """J v of the joint's rows."""
        return row_speeds(self.workspace, self.index)

    def multipliers(self) -> np.ndarray:
        """Multipliers of the joint's rows."""
        return np.asarray(self.workspace["multipliers"][self.index])

    def impulses(self) -> np.ndarray:
        """Project the velocities; the impulses in the joint's rows."""
        return np.array(apply_impulse(self.workspace)[self.index])

    def kinetic_energy(self) -> float:
        """Kinetic energy of all bodies [J]."""
        return kinetic_energy(self.workspace)


def watched_part(model: Any, number: int) -> tuple[Any, int] | None:
    """The part that an event number belongs to, and its number among the joints or forces; None for the contacts."""
    watched = [*enumerate(model.joints), *enumerate(model.forces)]
    if number >= len(watched):
        return None
    index, part = watched[number]
    return part, index


def handle_event(workspace: Any, number: int, time: float) -> tuple[str, str, dict[str, float]] | None:
    """Let the part of an event that a method found act on it.

    Returns:
        Kind of event, name of the part, and figures; None for contacts, which keep a log of their own.
    """
    found = watched_part(workspace.model, number)
    if found is None:
        workspace.model.contacts.settle(workspace, time)
        return None
    part, index = found
    happened = part.on_event(RunningPart(workspace, index, time, part.family))
    return None if happened is None else (happened[0], part.name, happened[1])


def ends_run(model: Any, number: int, kind: str) -> bool:
    """Whether the part that an event belongs to wants the run to end there."""
    found = watched_part(model, number)
    return found is not None and bool(found[0].ends_run(kind))


def row_speeds(workspace: Any, j: int) -> np.ndarray:
    """J v of a joint's rows at the last evaluation."""
    link = workspace.model.joint_link[j]
    total = np.zeros(workspace["jacobian"].shape[2])
    for side in range(workspace.model.joint_sides):
        total += workspace["jacobian"][j, side] @ workspace["markers"][link[side], 3:9]
    return total


def apply_impulse(workspace: Any) -> np.ndarray:
    """Project the velocities with rows and factor of the last evaluation; returns the impulses, (joints, rows)."""
    velocity_projection(*workspace.model.joint_size)(workspace.address)
    return np.array(workspace["multipliers"])


def kinetic_energy(workspace: Any) -> float:
    """Kinetic energy of all bodies [J]."""
    return float(workspace.energy()[0])

"""Events: functions of the state that must stay positive, and what happens when one does not.

A kind of joint or force with an event kernel is watched by the methods that locate events. The kernel gives one number
per element; when it falls through zero, the step is shortened to end there, and :func:`handle_event` acts: it switches
rows, applies the impulse of an impact, and says what happened.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.dynamics.projection import project_velocity
from centrode.jit import call_by_address, step_kernel
from centrode.parts.joints.rope import IMPACT, SMALLEST_BOUNCE, TAUT, Rope
from centrode.parts.kernel_types import EVENT_SIGNATURE
from centrode.parts.tables import borrow

call_event = call_by_address(EVENT_SIGNATURE)


@step_kernel
def ask_events(time, values, tables):
    """Let every watched kind write its event functions; joints come first in ``values``, then forces."""
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


@step_kernel
def watches(tables):
    """Whether some kind has an event function."""
    t = borrow(tables)
    found = False
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


def handle_event(workspace: Any, number: int, time: float) -> tuple[str, str, dict[str, float]] | None:
    """Act on an event that a method found.

    Returns:
        Kind of event, name of the part, and figures; None when the part keeps a log of its own.
    """
    joints = workspace.model.joints
    if number >= len(joints):
        force = workspace.model.forces[number - len(joints)]
        i = number - len(joints)
        if getattr(force, "settle_kernel", None) is not None:
            force.on_event(workspace, i, time)
            return None
        kind, figures = force.on_event(workspace["force_memory"][i], workspace["force_par"][i])
        return kind, force.name, figures
    joint = joints[number]
    if isinstance(joint, Rope):
        kind, figures = _rope_event(workspace, number, joint, time)
        return kind, joint.name, figures
    kind, figures = joint.on_event(workspace["joint_memory"][number], workspace["joint_par"][number])
    return kind, joint.name, figures


def ends_run(model: Any, number: int, kind: str) -> bool:
    """Whether the part that an event belongs to wants the run to end there (its method ``ends_run(kind)``)."""
    joints = len(model.joints)
    part = model.joints[number] if number < joints else model.forces[number - joints]
    asked = getattr(part, "ends_run", None)
    return bool(asked(kind)) if asked is not None else False


def _rope_event(workspace: Any, j: int, rope: Rope, time: float) -> tuple[str, dict[str, float]]:
    """A slack rope becomes taut with an impact, or a taut one goes slack."""
    memory, active = workspace["joint_memory"][j], workspace["row_active"][j]
    if memory[TAUT] != 0.0:
        rope.set_taut(memory, active, False)
        workspace.evaluate(time)
        return "rope slack", {}
    rope.set_taut(memory, active, True)
    before = kinetic_energy(workspace)
    workspace.evaluate(time)
    speed = row_speeds(workspace, j)[0]
    rebound = rope.restitution * speed
    if rebound < SMALLEST_BOUNCE:
        rebound = 0.0
    memory[IMPACT] = rebound
    workspace.evaluate(time)
    impulse = apply_impulse(workspace)[j, 0]
    memory[IMPACT] = 0.0
    workspace.evaluate(time)
    if rebound > 0.0 or workspace["multipliers"][j, 0] <= 0.0:
        rope.set_taut(memory, active, False)
        workspace.evaluate(time)
    after = kinetic_energy(workspace)
    return "rope taut", {
        "impulse": float(impulse),
        "stretching_speed": float(speed),
        "energy_lost": before - after,
        "kinetic_ratio": after / before if before > 0 else 1.0,
    }


def row_speeds(workspace: Any, j: int) -> np.ndarray:
    """J v of a joint's rows at the last evaluation."""
    link = workspace.model.joint_link[j]
    total = np.zeros(workspace["jacobian"].shape[2])
    for side in (0, 1):
        total += workspace["jacobian"][j, side] @ workspace["markers"][link[side], 3:9]
    return total


def apply_impulse(workspace: Any) -> np.ndarray:
    """Project the velocities with rows and factor of the last evaluation; returns the impulses, (joints, rows)."""
    size = (0,) * workspace.model.velocity_width, (0,) * workspace.model.block_rows
    project_velocity(*size, workspace.address)
    return np.array(workspace["multipliers"])


def kinetic_energy(workspace: Any) -> float:
    """Kinetic energy of all bodies [J]."""
    return float(workspace.energy()[0])

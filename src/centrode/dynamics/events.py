"""Events: functions of the state that must stay positive, and what happens when one does not.

A kind of joint or force with an event kernel is watched by the methods that locate events. The kernel gives one number
per element; when it falls through zero, the step is shortened to end there, and :func:`handle_event` acts: it switches
rows, applies the impulse of an impact, and says what happened.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.dynamics.projection import project_velocity
from centrode.dynamics.tables import TABLE_NAMES
from centrode.jit import call_by_address, step_kernel
from centrode.parts.joints.rope import IMPACT, SMALLEST_BOUNCE, TAUT, Rope
from centrode.parts.kernel_types import EVENT_SIGNATURE

call_event = call_by_address(EVENT_SIGNATURE)

(
    _JOINT_PAR,
    _JOINT_LINK,
    _JOINT_MEMORY,
    _FORCE_PAR,
    _FORCE_LINK,
    _FORCE_MEMORY,
    _DATA,
    _INPUTS,
    _MARKERS,
    _STATES,
    _MULTIPLIERS,
) = (
    TABLE_NAMES.index(name)
    for name in (
        "joint_par",
        "joint_link",
        "joint_memory",
        "force_par",
        "force_link",
        "force_memory",
        "data",
        "inputs",
        "markers",
        "states",
        "multipliers",
    )
)


@step_kernel
def ask_events(time, event_calls, event_spans, values, tables):
    """Let every watched kind write its event functions; joints come first in ``values``, then forces."""
    joints = tables[_JOINT_LINK].shape[0]
    for n in range(event_spans.shape[0]):
        if event_spans[n, 2] != 0:
            call_event(
                event_calls[n],
                (
                    time,
                    event_spans[n, 0],
                    event_spans[n, 1],
                    tables[_JOINT_PAR],
                    tables[_JOINT_LINK],
                    tables[_DATA],
                    tables[_INPUTS],
                    tables[_JOINT_MEMORY],
                    tables[_MARKERS],
                    tables[_STATES],
                    tables[_MULTIPLIERS],
                    values,
                ),
            )
        else:
            call_event(
                event_calls[n],
                (
                    time,
                    event_spans[n, 0],
                    event_spans[n, 1],
                    tables[_FORCE_PAR],
                    tables[_FORCE_LINK],
                    tables[_DATA],
                    tables[_INPUTS],
                    tables[_FORCE_MEMORY],
                    tables[_MARKERS],
                    tables[_STATES],
                    tables[_MULTIPLIERS],
                    values[joints:],
                ),
            )


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
    names = (
        "velocity_token",
        "row_token",
        "bodies",
        "data",
        "joint_link",
        "row_active",
        "exact_joints",
        "columns",
        "subblocks",
        "velocity",
        "rotation",
        "markers",
        "jacobian",
        "terms",
        "weighted",
        "blocks",
        "pivots",
        "multipliers",
        "weighted_force",
        "acceleration",
    )
    project_velocity(*(workspace[name] for name in names))
    return workspace["multipliers"].copy()


def kinetic_energy(workspace: Any) -> float:
    """Kinetic energy of all bodies [J]."""
    from centrode.dynamics.observe import body_energy

    names = ("bodies", "data", "gravity", "pose", "velocity", "rotation")
    return float(body_energy(*(workspace[name] for name in names))[0])

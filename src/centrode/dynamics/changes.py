"""New parameter values while a run goes on: a part is placed anew, and its numbers go where the old ones stood.

The motion does not jump: only parameters change, never positions or velocities. A change that would need another place
or more room in the tables is refused.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from centrode.errors import InputError
from centrode.parts.kernel_types import JOINT_DATA, LINK_DATA, LINK_INPUT
from centrode.system.builder import System
from centrode.system.model import fill_body_record
from centrode.system.scene import SystemScene


def apply_change(system: System, model: Any, workspace: Any, change: Any) -> System:
    """Give a part of the running model the values of a change.

    Args:
        system: parts as they are now; it is not altered.
        model, workspace: tables of the run; the workspace is written.
        change: part and values to set.

    Returns:
        The system with the changed part.
    """
    system = _copied(system)
    old = system.parts[change.part]
    part = dataclasses.replace(old, **change.set)
    system.parts[change.part] = part
    scene = SystemScene(system)
    if part.family == "force":
        i = model.force_index(part.name)
        placed, before = part.place(scene), old.place(scene)  # type: ignore[attr-defined]
        _same_layout(change, placed, before)
        workspace["force_par"][i, : len(placed.par)] = placed.par
        _write_data(workspace["data"], int(model.force_link[i, LINK_DATA]), placed)
        if list(placed.inputs) != list(before.inputs):
            slot = int(model.force_link[i, LINK_INPUT])
            workspace["inputs"][slot : slot + len(placed.inputs)] = placed.inputs
    elif part.family == "joint":
        j = model.joint_index(part.name)
        placed, before = part.place(scene), old.place(scene)  # type: ignore[attr-defined]
        _same_layout(change, placed, before)
        workspace["joint_par"][j, : len(placed.par)] = placed.par
        part.after_change(workspace["joint_memory"][j], workspace["row_active"][j], model.plane)  # type: ignore[attr-defined]
        _write_data(workspace["data"], int(model.joint_link[j, JOINT_DATA]), placed)
    elif part.family == "body":
        row = part.row()  # type: ignore[attr-defined]
        record = workspace["bodies"][model.body_index(part.name)]
        fill_body_record(record, row)
        first = int(record["data"])
        workspace["data"][first : first + len(row.data)] = row.data
    return system


def _write_data(data: np.ndarray, first: int, placed: Any) -> None:
    """Write a part's tables; offsets of tables that many parts share were written by the model and stay."""
    kept = {slot: data[first + slot] for slot in placed.shared}
    data[first : first + len(placed.data)] = placed.data
    for slot, offset in kept.items():
        data[first + slot] = offset


def _same_layout(change: Any, placed: Any, before: Any) -> None:
    """Refuse a change that needs another place or more room in the tables than the part has."""
    same = all(len(getattr(placed, name)) == len(getattr(before, name)) for name in ("par", "data", "states", "inputs"))
    for new, old in zip(placed.markers, before.markers, strict=False):
        frames = (new.frame is None) == (old.frame is None) and (
            new.frame is None or np.array_equal(new.frame, old.frame)
        )
        same = same and new.body == old.body and np.array_equal(new.position, old.position) and frames
    for slot, table in placed.shared.items():  # other parts may read it
        same = same and np.array_equal(table, before.shared[slot])
    if not same:
        raise InputError(
            "this change would move the part or need another layout",
            path=f"changes.{change.part}",
            got=change.set,
            expected="values of the same form: a number for a number, a table of the same length, no other place, "
            "road or foil section",
        )


def _copied(system: System) -> System:
    """A system with its own table of parts (the parts themselves are values)."""
    twin = System(system.title, system.gravity, system.plane)
    twin.parts = dict(system.parts)
    twin.changes = list(system.changes)
    return twin

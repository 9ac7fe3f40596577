"""A trial of kernels that are not the house's, in plain Python, before their machine code runs for the first time.

A force that asks for a marker it did not place, or a joint that writes a row more than there is, ends the process
without a word, or worse, does not. In plain Python it is an index that is out of bounds, at a line of a file.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

import numpy as np

from centrode.errors import Fault, InputError
from centrode.jit import plain
from centrode.jit.plainly import plainly
from centrode.parts.forces.force import Force
from centrode.parts.joints.joint import Joint

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace
    from centrode.jit import Kernel
    from centrode.parts.part import Part


def try_foreign_kernels(workspace: Workspace, time: float) -> None:
    """Call the kernels of forces and joints from outside the package once, on copies of the tables of a run.

    Raises:
        InputError: one that reads or writes outside of its tables, with file and line.
    """
    model, faults = workspace.model, []
    parts: tuple[Part, ...] = (*model.joints, *model.forces)
    foreign = {type(part): part for part in parts if not _is_ours(type(part))}
    if not foreign:
        return
    workspace.place_markers()
    for part in foreign.values():  # the last of each kind, next to the end of the tables
        kernel, arguments = _call_of(workspace, part)
        try:
            plainly(kernel)(time, *arguments)
        except IndexError as error:
            file = plain(kernel).__code__.co_filename
            place = [item for item in traceback.extract_tb(error.__traceback__) if item.filename == file][-1]
            what = f"the kernel of '{part.name}' reads or writes outside of its tables"
            hint = "are all markers, parameters and rows that it uses placed and declared?"
            faults.append(Fault(what, file=place.filename, line=place.lineno or 0, got=str(error), hint=hint))
        except (ArithmeticError, ValueError, TypeError):  # machine code goes on with numbers that are judged there
            continue
    if faults:
        raise InputError(faults)


def _is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "centrode"


def _call_of(workspace: Workspace, part: Part) -> tuple[Kernel, list[np.ndarray | int]]:
    """Kernel of a force or joint, and what it is given behind the time."""
    w, model, family = workspace, workspace.model, part.family
    number = model.force_index(part.name) if family == "force" else model.joint_index(part.name)
    given: list[np.ndarray | int] = [number, 1, w[f"{family}_par"], w[f"{family}_link"], w["data"].copy(), w["inputs"]]
    given += [w[f"{family}_memory"].copy(), w["markers"].copy()]
    if isinstance(part, Force):
        given += [w["states"], w["wrench"].copy(), np.zeros(max(1, w["states"].size))]
        return type(part).force_kernel, given
    assert isinstance(part, Joint)
    given += [w["jacobian"].copy(), w["terms"].copy()]
    return type(part).plane_kernel if model.plane else type(part).spatial_kernel, given

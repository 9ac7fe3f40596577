"""Redundant rows: which are left out, when another choice is due, and how the load is shared among all of them.

With n a left null vector of the weighed rows, n^T Y = 0, leaving out row r leaves a system whose conditioning goes with
1 / n_r^2, so *which* row is left out matters. Null vectors turn with the bodies while rows may be written in the world,
so no choice holds for a whole motion: one that was best at the start may leave, a quarter turn later, rows that depend
on each other and one that is missing. So

- at the start configurations around it are sampled for the rank, and a choice is made there,
- after every accepted step the pivots of the rows in use are compared with those of the moment of the choice, and the
  rows left out are looked at for gaps (:func:`choice_worn`, one pass over numbers that exist),
- when a pivot has fallen, the choice is made anew at the present state (:func:`choose_rows`). Both sets of rows say the
  same there, so the motion feels nothing of it.

``choice[joint, row]`` is the relative pivot of a row when the choice was made, LEFT_OUT for a row left out, 0 for one
that rests or was not asked. It belongs to the state of a run and to every frame.

Multipliers are not unique. The motion needs one solution; what is shown is the one that loads the joints least,

    min x^T D x   with   S x = b,    D = diag S,                                                          (1)

each row weighed by its own inverse mass, so that forces and torques compare. x is the limit of

    x += (S + e D)^-1 (b - S x),     b = S x_0                                                            (2)

from zero, for any solution x_0; b lies in the range of S to the last digit, so the null space is not excited.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from centrode.dynamics.block_solver import assemble, factorise, solve
from centrode.dynamics.bodies import weigh_rows
from centrode.dynamics.rows import add_weighed, row_speed, subtract_rows
from centrode.jit import step_kernel, types
from centrode.math.record import local_row
from centrode.parts.kernel_types import JOINT_ROWS
from centrode.parts.tables import SHARE_SIGNATURE, borrow

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace
    from centrode.system.model import Model

RANK_TOLERANCE = 1e-8
"""Singular values of rows of unit length below this part of the largest count as none: rows that depend on each other
in a closed pose do so to 1e-13, and light bodies between heavy ones make singular values down to 1e-6."""
LARGEST_DENSE_ROWS = 600
LEFT_OUT = -1.0
WORN = 0.25
"""A pivot that has fallen to this part of what it was asks for another choice: n_r has halved."""
POOR = 0.01
"""A pivot above this part of its row's diagonal is good enough, whatever it was: rows left out are then open by ten
times what the others are. In mechanisms like Bricard's the pivots of *every* choice come down to a few hundredths and
below on their way, so that a larger figure asks again and again for what is no better."""
OPEN = 1e-9
OPENING = 1e-7
"""Gap [m, rad] and speed [m/s, rad/s] of a row left out that say it is missed: the others are closed to 1e-13, and a
choice that is not worn passes on less than a hundred times that."""
SOFTENING = 1e-6
"""e of (2): errors shrink by e over a relative singular value in a pass, round-off grows by 1 / e in the null space."""
SHARED = 1e-12
"""Part of b that may be left over in (2)."""


def has_loops(model: Model) -> bool:
    """Whether exact joints join bodies that are joined already: only then can rows be redundant."""
    root = list(range(model.body_count + 1))

    def find(b: int) -> int:
        while root[b] != b:
            root[b] = root[root[b]]
            b = root[b]
        return b

    for j in model.exact_joints:
        first, *others = (int(b) for b in model.joint_bodies(int(j)))
        for other in others:
            a, b = find(first), find(other)
            if a == b:
                return True
            root[a] = b
    return False


def dense_rows(workspace: Workspace) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Weighed rows Y of the exact joints that act now, as one dense matrix, and (joint, row) of each of its rows."""
    model = workspace.model
    width = model.velocity_width
    active = workspace["row_active"]
    index = [(int(j), r) for j in model.exact_joints for r in range(int(model.joint_rows[j])) if active[j, r] != 0]
    matrix = np.zeros((len(index), model.body_count * width))
    for i, (j, r) in enumerate(index):
        for side, b in enumerate(model.joint_bodies(j)):
            if b:
                matrix[i, (b - 1) * width : b * width] += workspace["weighted"][j, side, r]
    return matrix, index


class Dependence(NamedTuple):
    """How the rows that act depend on each other in a position.

    Attributes:
        places: (joint, row) of each.
        null: columns that span what they say twice.
        holonomic: the same of the holonomic rows alone, zero in the others.
        velocities: which rows are nonholonomic.
    """

    places: list[tuple[int, int]]
    null: np.ndarray
    holonomic: np.ndarray
    velocities: np.ndarray

    @property
    def rank(self) -> int:
        """Independent rows."""
        return len(self.places) - self.null.shape[1]


def find_dependence(workspace: Workspace) -> Dependence:
    """Dependence of the rows at the last evaluation."""
    matrix, index = dense_rows(workspace)
    size = np.linalg.norm(matrix, axis=1)
    matrix /= np.where(size > 0.0, size, 1.0)[:, None]
    joints = workspace.model.joints
    velocities = np.array([r in joints[j].nonholonomic_rows for j, r in index], dtype=bool)
    null = _left_null(matrix)
    holonomic = null
    if velocities.any():
        found = _left_null(matrix[~velocities])
        holonomic = np.zeros((len(index), found.shape[1]))
        holonomic[~velocities] = found
    return Dependence(index, null, holonomic, velocities)


def _left_null(matrix: np.ndarray) -> np.ndarray:
    u, s, _ = np.linalg.svd(matrix, full_matrices=True)
    rank = int(np.sum(s > RANK_TOLERANCE * s[0])) if s.size and s[0] > 0 else 0
    return np.asarray(u[:, rank:])


def take_all_rows(workspace: Workspace) -> None:
    """Put back the rows that are left out."""
    choice = workspace["choice"]
    workspace["row_active"][choice < 0.0] = 1.0
    choice[:] = 0.0


def leave_out(workspace: Workspace, rows: list[tuple[int, int]], time: float) -> None:
    """Leave these rows out from now on, and remember the pivots of the others."""
    active, choice = workspace["row_active"], workspace["choice"]
    for j, r in rows:
        active[j, r] = 0.0
    workspace.evaluate(time)
    pivots = workspace["pivots"]
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = 1.0 / (pivots[:, :, 0] * pivots[:, :, 1])
    choice[:] = np.where((active != 0.0) & np.isfinite(relative), relative, 0.0)
    for j, r in rows:
        choice[j, r] = LEFT_OUT


def choose_rows(workspace: Workspace, time: float, recount: bool = False) -> None:
    """Choose anew which rows are left out, at the present state.

    Where the rows have lost rank for a moment, a singular position, there is nothing to choose by: what was left out
    stays so, unless rows were switched and have to be counted anew.
    """
    model = workspace.model
    if workspace["choice"].size == 0 or model.joint_rows.sum() > LARGEST_DENSE_ROWS:
        return
    before = [(int(j), int(r)) for j, r in np.argwhere(workspace["choice"] < 0.0)]
    take_all_rows(workspace)
    workspace.evaluate(time)
    found = find_dependence(workspace)
    spare = found.null.shape[1]
    if recount:
        workspace.spare_rows = spare
    leave_out(workspace, before if spare > workspace.spare_rows else rows_to_leave_out(model, [found]), time)


def rows_to_leave_out(model: Model, samples: list[Dependence]) -> list[tuple[int, int]]:
    """(joint, row) of the rows to leave out in positions of the same rank: greedy, see :func:`_strongest`.

    Holonomic rows first, among themselves: one that is left out because nonholonomic rows hold its rate would drift.
    """
    places = samples[0].places
    # Joints that switch rows by their multipliers (ropes) come last.
    weight = np.array([1e-3 if type(model.joints[j]).event_kernel is not None else 1.0 for j, _ in places])
    chosen = _strongest([sample.holonomic for sample in samples], weight, [])
    if samples[0].velocities.any():
        weight = np.where(samples[0].velocities, weight, 0.0)
        chosen += _strongest([sample.null for sample in samples], weight, chosen)
    return [places[i] for i in chosen]


def _strongest(nulls: list[np.ndarray], weight: np.ndarray, taken: list[int]) -> list[int]:
    """Rows with, in turn, the largest smallest remaining component over all samples, beside those taken already."""
    rest = [null.copy() for null in nulls]
    chosen: list[int] = []
    count = min(null.shape[1] for null in nulls)
    for n in range(count):
        if n < len(taken):
            row = taken[n]
        else:
            strength = weight * np.min([np.linalg.norm(null, axis=1) for null in rest], axis=0)
            strength[taken + chosen] = -1.0
            row = int(np.argmax(strength))
            chosen.append(row)
        for k, null in enumerate(rest):
            direction = null[row] / max(np.linalg.norm(null[row]), 1e-300)
            rest[k] = null - np.outer(null @ direction, direction)
    return chosen


@step_kernel(signature=types.boolean(types.int64))
def choice_worn(tables):
    """Whether another choice is due, right after the evaluation of an accepted state."""
    t = borrow(tables)
    for j in t.exact_joints:
        for r in range(t.joint_link[j, JOINT_ROWS]):
            chosen = t.choice[j, r]
            if chosen < 0.0:
                if abs(t.terms[j, r, 0]) > OPEN or abs(row_speed(j, r, t.jacobian.shape[1], t)) > OPENING:
                    return True
            elif chosen > 0.0:
                inverse = t.pivots[j, r, 0]
                if inverse == 0.0 or min(POOR, WORN * chosen) * inverse * t.pivots[j, r, 1] > 1.0:
                    return True
    return False


# -- sharing the load --------------------------------------------------------------------------------------------------


@cache
def load_sharing(velocities: int, rows: int, sides: int) -> Any:
    """The kernel :func:`share_load` for so many velocities a body, rows and bodies a joint."""
    size = (0,) * velocities, (0,) * rows, (0,) * sides

    @step_kernel(signature=SHARE_SIGNATURE)
    def share_sized(tables):
        share_load(size, tables)

    return share_sized


@step_kernel
def share_load(size, tables):
    """Multipliers of the last evaluation become those of (1), by (2). Factor and weighed forces are used up."""
    t = borrow(tables)
    velocity_token, row_token, _ = size
    load, total = t.shared[0], t.shared[1]
    for j in t.exact_joints:
        for r in range(len(row_token)):
            if t.choice[j, r] < 0.0:
                t.row_active[j, r] = 1.0
                t.multipliers[j, r] = 0.0
            total[j, r] = t.multipliers[j, r]
            load[j, r] = 0.0
    weigh_rows(tables)
    largest = rest_of_load(size, tables)  # 0 - S x_0
    for j in t.exact_joints:
        for r in range(len(row_token)):
            load[j, r] = -t.multipliers[j, r]
            t.multipliers[j, r] = load[j, r]
            total[j, r] = 0.0
    assemble(velocity_token, row_token, tables)
    for j in t.exact_joints:
        for r in range(len(row_token)):
            t.blocks[j, r, r] += SOFTENING * t.pivots[j, r, 1]
    factorise(row_token, tables)
    for _ in range(60):  # enough for singular values down to e
        solve(row_token, tables)
        for j in t.exact_joints:
            for r in range(len(row_token)):
                total[j, r] += t.multipliers[j, r]
        if not rest_of_load(size, tables) > SHARED * largest:
            break
    for j in t.exact_joints:
        for r in range(len(row_token)):
            t.multipliers[j, r] = total[j, r]
            if t.choice[j, r] < 0.0:
                t.row_active[j, r] = 0.0


@step_kernel
def rest_of_load(size, tables):
    """b - S x into the multipliers, with b and x in t.shared; returns its largest entry."""
    t = borrow(tables)
    rows, load, total = len(size[1]), t.shared[0], t.shared[1]
    for b in range(1, t.bodies.shape[0]):
        for k in range(len(size[0])):
            t.weighted_force[b, k] = 0.0
    for j in t.exact_joints:
        for r in range(rows):
            t.multipliers[j, r] = total[j, r]
    subtract_rows(size, tables)
    largest = 0.0
    rest = local_row(size[1])
    for j in t.exact_joints:
        for r in range(rows):
            rest[r] = load[j, r]
        add_weighed(j, size, rest, t)
        for r in range(rows):
            t.multipliers[j, r] = rest[r]
            largest = max(largest, abs(rest[r]))
    return largest

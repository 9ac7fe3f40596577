"""Frames: rows of numbers that hold a moment of a run, and the one place that knows what lies where in them.

A frame is time, values, rates, then what else belongs to the moment (multipliers, memory of joints, forces and
contacts, row switches, choice of redundant rows), so that it can be looked at later as it was, then the largest open
row and the smallest pivot.
"""

from __future__ import annotations

import numpy as np

from centrode.jit import step_kernel
from centrode.parts.tables import Tables, borrow

MEMORIES = ("joint_memory", "force_memory", "contact_memory")
"""Unwrapped angles, episodes of contact and the like: evaluations and accepted steps move them."""
KEPT = ("multipliers", *MEMORIES, "row_active", "choice")


class FrameLayout:
    """Where things lie in the frames of a run.

    Args:
        tables: of the run.
    """

    def __init__(self, tables: Tables) -> None:
        n = tables.values.size
        self.values = slice(1, 1 + n)
        self._pose, self._velocity = tables.pose.shape, tables.velocity.shape
        self._kept: dict[str, tuple[int, tuple[int, ...]]] = {}
        place = 1 + 2 * n
        for name in KEPT:
            table = getattr(tables, name)
            self._kept[name] = place, table.shape
            place += table.size
        self.width = place + 2
        self.memory_size = sum(getattr(tables, name).size for name in MEMORIES)

    def empty(self, count: int) -> np.ndarray:
        """Room for frames."""
        return np.zeros((count, self.width))

    def motion(self, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Poses and velocities, (frames, bodies, width), and internal states, (frames, states)."""
        values, count = frames[:, self.values], frames.shape[0]
        split = self._pose[0] * self._pose[1]
        end = split + self._velocity[0] * self._velocity[1]
        return (
            values[:, :split].reshape(count, *self._pose),
            values[:, split:end].reshape(count, *self._velocity),
            values[:, end:],
        )

    def kept(self, name: str, frames: np.ndarray) -> np.ndarray:
        """A kept table, (frames, rows, columns)."""
        first, shape = self._kept[name]
        return frames[:, first : first + shape[0] * shape[1]].reshape(frames.shape[0], *shape)


@step_kernel
def write_frame(row, time, residual, pivot, tables):
    """One frame of the present moment."""
    t = borrow(tables)
    n = t.values.size
    row[0] = time
    for i in range(n):
        row[1 + i] = t.values[i]
        row[1 + n + i] = t.rates[i]
    place = copy_out(t.multipliers, row, 1 + 2 * n)
    place = copy_out(t.joint_memory, row, place)
    place = copy_out(t.force_memory, row, place)
    place = copy_out(t.contact_memory, row, place)
    place = copy_out(t.row_active, row, place)
    place = copy_out(t.choice, row, place)
    row[place] = residual
    row[place + 1] = pivot


@step_kernel
def read_frame(row, tables):
    """State and memory as they were; rates and multipliers follow from an evaluation."""
    t = borrow(tables)
    n = t.values.size
    for i in range(n):
        t.values[i] = row[1 + i]
    place = copy_in(t.joint_memory, row, 1 + 2 * n + t.multipliers.size)
    place = copy_in(t.force_memory, row, place)
    place = copy_in(t.contact_memory, row, place)
    place = copy_in(t.row_active, row, place)
    copy_in(t.choice, row, place)


@step_kernel
def keep_memory(kept, tables):
    """Remember unwrapped angles and the like, which every evaluation moves."""
    t = borrow(tables)
    place = copy_out(t.joint_memory, kept, 0)
    place = copy_out(t.force_memory, kept, place)
    copy_out(t.contact_memory, kept, place)


@step_kernel
def recall_memory(kept, tables):
    """Undo what the stages of a rejected step did to the memory: in a wild stage an angle may gain a turn."""
    t = borrow(tables)
    place = copy_in(t.joint_memory, kept, 0)
    place = copy_in(t.force_memory, kept, place)
    copy_in(t.contact_memory, kept, place)


@step_kernel
def copy_out(table, row, place):
    """Write a table into a row; returns the next free place."""
    for j in range(table.shape[0]):
        for r in range(table.shape[1]):
            row[place] = table[j, r]
            place += 1
    return place


@step_kernel
def copy_in(table, row, place):
    """Read a table from a row; returns the next place."""
    for j in range(table.shape[0]):
        for r in range(table.shape[1]):
            table[j, r] = row[place]
            place += 1
    return place

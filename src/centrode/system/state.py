"""State: everything that changes during a run, as plain arrays. Copy it, compare it, save it, go on from it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass
class State:
    """A moment of a run.

    Attributes:
        time: [s].
        values: pose, velocity and internal states of all parts, flat.
        joint_memory, force_memory: unwrapped angles and the like.
        row_active: which constraint rows act (1) or rest (0), per joint.
        inputs: control inputs in force.
        step: step size the method would try next [s]; 0 when it has none.
        changes_done: how many parameter changes have been applied.
    """

    time: float
    values: np.ndarray
    joint_memory: np.ndarray
    force_memory: np.ndarray
    row_active: np.ndarray
    inputs: np.ndarray
    step: float = 0.0
    changes_done: int = 0
    controllers: dict[str, np.ndarray] = field(default_factory=dict)

    def copy(self) -> State:
        """An independent copy."""
        return State.from_arrays({name: np.copy(array) for name, array in self.to_arrays().items()})

    def to_arrays(self) -> dict[str, np.ndarray]:
        """All contents as named arrays, for saving."""
        arrays = {
            "time": np.array(self.time),
            "values": self.values,
            "joint_memory": self.joint_memory,
            "force_memory": self.force_memory,
            "row_active": self.row_active,
            "inputs": self.inputs,
            "step": np.array(self.step),
            "changes_done": np.array(self.changes_done),
        }
        arrays.update({f"controller.{name}": value for name, value in self.controllers.items()})
        return arrays

    @staticmethod
    def from_arrays(arrays: dict[str, np.ndarray]) -> State:
        """The inverse of :meth:`to_arrays`."""
        controllers = {
            name.removeprefix("controller."): np.array(value)
            for name, value in arrays.items()
            if name.startswith("controller.")
        }
        return State(
            float(arrays["time"]),
            np.array(arrays["values"], dtype=float),
            np.array(arrays["joint_memory"], dtype=float),
            np.array(arrays["force_memory"], dtype=float),
            np.array(arrays["row_active"], dtype=float),
            np.array(arrays["inputs"], dtype=float),
            float(arrays["step"]),
            int(arrays["changes_done"]),
            controllers,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, theirs = self.to_arrays(), other.to_arrays()
        return mine.keys() == theirs.keys() and all(
            mine[name].shape == theirs[name].shape and mine[name].tobytes() == theirs[name].tobytes() for name in mine
        )

    __hash__ = None  # type: ignore[assignment]

"""State: everything that changes during a run, as plain arrays. Copy it, compare it, save it, go on from it."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from centrode.classes import dataclass


@dataclass
class State:
    """A moment of a run.

    Attributes:
        time: [s].
        values: pose, velocity and internal states of all parts, flat.
        joint_memory, force_memory, contact_memory: unwrapped angles, episodes of contact and the like.
        row_active: which constraint rows act (1) or rest (0), per joint.
        inputs: control inputs in force.
        choice: which redundant rows are left out, see :mod:`centrode.dynamics.redundancy`.
        contacts: numbers of the contact tables.
        step: step size the method would try next [s]; 0 when it has none.
        changes_done: how many parameter changes have been applied.
        controllers: what controllers and the run loop remember, by name.
    """

    time: float
    values: np.ndarray
    joint_memory: np.ndarray
    force_memory: np.ndarray
    contact_memory: np.ndarray
    row_active: np.ndarray
    inputs: np.ndarray
    contacts: np.ndarray
    choice: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    step: float = 0.0
    changes_done: int = 0
    controllers: dict[str, np.ndarray] = field(default_factory=dict)

    def copy(self) -> State:
        """An independent copy."""
        return State.from_arrays({name: np.copy(array) for name, array in self.to_arrays().items()})

    def to_arrays(self) -> dict[str, np.ndarray]:
        """All contents as named arrays, for saving."""
        own = {name: np.asarray(value) for name, value in vars(self).items() if name != "controllers"}
        return own | {f"controller.{name}": value for name, value in self.controllers.items()}

    @staticmethod
    def from_arrays(arrays: dict[str, np.ndarray]) -> State:
        """The inverse of :meth:`to_arrays`."""
        own: dict[str, Any] = {}
        controllers = {}
        for name, value in arrays.items():
            if name.startswith("controller."):
                controllers[name.removeprefix("controller.")] = np.array(value)
            else:
                own[name] = np.array(value, dtype=float)
        for name, plain in (("time", float), ("step", float), ("changes_done", int)):
            own[name] = plain(own[name])
        return State(**own, controllers=controllers)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, theirs = self.to_arrays(), other.to_arrays()
        return mine.keys() == theirs.keys() and all(
            mine[name].shape == theirs[name].shape and mine[name].tobytes() == theirs[name].tobytes() for name in mine
        )

    __hash__ = None  # type: ignore[assignment]

"""Controllers at work: when each of them is due, what it remembers, and which inputs it sets.

The run loop asks :meth:`Control.next_time`, advances to it, and calls :meth:`Control.sample`. Sample k of a controller
is due at start + k period; k is part of the saved state, so that a resumed run samples at the same instants.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from centrode.dynamics.model_view import ModelView
from centrode.errors import Fault, InputError, RunError, RunStop, nearest_name
from centrode.parts.controllers.controller import Controller
from centrode.parts.kernel_types import LINK_INPUT


class Control:
    """All controllers of a system.

    Args:
        model: the tables.
        workspace: what changes; ``inputs`` is written.
        start: time of the first sample [s].

    Raises:
        InputError: unknown input or measured name, or two controllers for one input.
    """

    def __init__(self, model: Any, workspace: Any, start: float = 0.0) -> None:
        self.workspace = workspace
        self.start = float(start)
        self.controllers = [part for part in model.system.parts.values() if isinstance(part, Controller)]
        self.slots = input_slots(model, self.controllers)
        self.counts = [0] * len(self.controllers)
        self.states: list[np.ndarray] = []
        if not self.controllers:
            return
        self.view = ModelView(model, workspace)
        faults: list[Fault] = []
        for controller in self.controllers:
            try:
                self.states.append(np.array(controller.start(self.view), dtype=float))
            except InputError as error:
                faults += error.faults
        if faults:
            raise InputError(faults)

    @property
    def next_time(self) -> float:
        """Time of the next sample of any controller [s]; infinite without controllers."""
        return min((self._due(n) for n in range(len(self.controllers))), default=math.inf)

    def sample(self, time: float) -> bool:
        """Let every controller that is due at ``time`` set its inputs.

        Returns:
            True when a command changed (the rates of the present state are then out of date).

        Raises:
            RunError: a controller failed or gave no finite number.
        """
        due = [n for n in range(len(self.controllers)) if self._due(n) <= time + self._slack(n, time)]
        if not due:
            return False
        self.view.refresh(time)
        inputs = self.workspace["inputs"]
        before = inputs.copy()
        fresh = []
        for n in due:
            controller = self.controllers[n]
            try:
                values = [float(value) for value in controller.command(float(time), self.view, self.states[n])]
            except RunError:
                raise
            except Exception as error:
                raise RunError(
                    RunStop(f"controller '{controller.name}' failed: {type(error).__name__}: {error}", float(time))
                ) from error
            if len(values) != len(self.slots[n]) or not all(math.isfinite(value) for value in values):
                raise RunError(
                    RunStop(
                        f"controller '{controller.name}' gave {values}",
                        float(time),
                        suggestion=f"it has to give {len(self.slots[n])} finite numbers",
                    )
                )
            fresh.append((n, values))
            while self._due(n) <= time + self._slack(n, time):
                self.counts[n] += 1
        for n, values in fresh:  # all of them saw the same moment
            for slot, value in zip(self.slots[n], values, strict=True):
                inputs[slot] = value
        return bool(np.any(inputs != before))

    def to_arrays(self) -> dict[str, np.ndarray]:
        """What the controllers remember, by name: the number of samples taken, then their own state."""
        return {
            controller.name: np.concatenate([[float(count)], state])
            for controller, count, state in zip(self.controllers, self.counts, self.states, strict=True)
        }

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from :meth:`to_arrays`."""
        for n, controller in enumerate(self.controllers):
            saved = arrays[controller.name]
            self.counts[n] = int(saved[0])
            self.states[n] = np.array(saved[1:], dtype=float)

    def _slack(self, n: int, time: float) -> float:
        """Round-off between a due time and the time at which the run loop stopped for it [s]."""
        return max(1e-9 * self.controllers[n].period, 2e-12 * max(1.0, abs(time)))

    def _due(self, n: int) -> float:
        return self.start + self.counts[n] * self.controllers[n].period


def input_slots(model: Any, controllers: list[Controller]) -> list[list[int]]:
    """Slots in the table of inputs that each controller commands.

    Raises:
        InputError: a name that is no drive, or a drive with two controllers.
    """
    names = {force.name: i for i, force in enumerate(model.forces)}
    drives = [name for name, i in names.items() if model.forces[i].input_names]
    owner: dict[int, str] = {}
    faults: list[Fault] = []
    found: list[list[int]] = []
    for controller in controllers:
        slots: list[int] = []
        for name in controller.input_names():
            path = f"{controller.name}.inputs"
            if name not in drives:
                what = "unknown input" if name not in names else f"a {model.forces[names[name]].kind} takes no command"
                expected = "one of " + ", ".join(drives) if drives else "an actuator, motor or thruster"
                faults.append(Fault(what, path, got=name, expected=expected, nearest=nearest_name(name, drives)))
                continue
            first = int(model.force_link[names[name], LINK_INPUT])
            for slot in range(first, first + len(model.forces[names[name]].input_names)):
                if slot in owner:
                    faults.append(Fault(f"'{name}' is commanded by '{owner[slot]}' already", path, got=name))
                owner[slot] = controller.name
                slots.append(slot)
        found.append(slots)
    if faults:
        raise InputError(faults)
    return found

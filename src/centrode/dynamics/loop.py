"""Controllers in a linearisation: laws in continuous time, which act at once.

A controller is sampled and held; a linearisation knows no samples. Its law (``Controller.continuous``) gives the
commands at a state, and the rates of what it remembers (the integral of a PID), which become states beside those of
the bodies. What is left out is the delay of sampling, half a period on average. A controller that has no such law is
left out, its commands are held, and a note says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.control import Control, input_slots
from centrode.dynamics.model_view import ModelView
from centrode.parts.controllers.controller import Controller

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace


class ClosedLoop:
    """The controllers of a system as laws of its state.

    Args:
        workspace: at the reference state; its inputs are written.
        time: [s].
        control: the controllers of a run with what they remember; those of the start when None.

    Attributes:
        names: of what the controllers remember, one for each number.
        memory: these numbers at the reference.
        notes: what is left out.
    """

    def __init__(self, workspace: Workspace, time: float, control: Control | None = None) -> None:
        model = workspace.model
        control = Control(model, workspace, time) if control is None else control
        self.workspace, self.time = workspace, time
        self.names: list[str] = []
        self.notes: list[str] = []
        self._laws: list[tuple[Controller, list[int], np.ndarray, slice]] = []
        start: list[float] = []
        if not control.controllers:
            self.memory = np.zeros(0)
            return
        self._view = ModelView(model, workspace)
        self._view.refresh(time)
        slots = input_slots(model, control.controllers)
        for controller, places, state in zip(control.controllers, slots, control.states, strict=True):
            law = controller.continuous(time, self._view, state.copy())
            if law is None:
                self.notes.append(f"'{controller.name}' has no law in continuous time: its commands are held")
                continue
            kept = controller.continuous_memory()
            here = slice(len(start), len(start) + len(kept))
            start += [float(state[place]) for place in kept.values()]
            self.names += [f"{controller.name}.{name}" for name in kept]
            self._laws.append((controller, places, state.copy(), here))
        self.memory = np.array(start)
        if self._laws:
            told = ", ".join(f"'{controller.name}' ({controller.period:g} s)" for controller, *_ in self._laws)
            self.notes.append(f"controllers act at once, without the delay of their samples: {told}")

    def command(self, memory: Sequence[float] | np.ndarray) -> np.ndarray:
        """Set the inputs for the present state of the workspace; rates of the memory."""
        rates = np.zeros(len(memory))
        if not self._laws:
            return rates
        self._view.refresh(self.time)
        inputs = self.workspace["inputs"]
        for controller, slots, state, here in self._laws:
            now = state.copy()
            for place, value in zip(controller.continuous_memory().values(), memory[here], strict=True):
                now[place] = value
            law = controller.continuous(self.time, self._view, now)
            if law is not None:
                values, changes = law
                rates[here] = changes
                for slot, value in zip(slots, values, strict=True):
                    inputs[slot] = float(value)
        return rates

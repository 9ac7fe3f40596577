"""A user's own function as a controller.

    def steer(time, view, state):
        state[0] += 0.01 * view.value("bike.position.y")
        return -0.3 * view.value("bike.velocity.y") - state[0]

It returns one number, or one per input. What it has to remember between samples it keeps in ``state``, an array of
``memory`` numbers that begins as zeros; then a run that was stopped goes on as if it had not been.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, RunError
from centrode.parts.controllers.controller import Controller, View, numbers
from centrode.parts.part import quantity


@dataclass(frozen=True)
class PythonController(Controller):
    """Controller written in Python."""

    kind: ClassVar[str] = "python"

    function: Callable[..., Any] | str = quantity(
        "", "function (time, view, state) -> command(s), or 'module:name' of one", ""
    )
    memory: int = quantity("1", "numbers to remember between samples", 0, minimum=0)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not callable(self.function) and not (isinstance(self.function, str) and self.function.count(":") == 1):
            found.append(self.fault("function", "no function", expected="a function, or 'module:name' of one"))
        return found

    def resolved(self) -> Callable[..., Any]:
        """The function itself.

        Raises:
            InputError: the module does not import or has no such function.
        """
        if callable(self.function):
            return self.function
        module, _, name = self.function.partition(":")
        try:
            found = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise self.refusal("function", f"the function cannot be found: {error}") from error
        if not callable(found):
            raise self.refusal("function", "not a function")
        return found

    def start(self, view: View) -> np.ndarray:
        self.resolved()
        return np.zeros(int(self.memory))

    def command(self, time: float, view: View, state: np.ndarray) -> Sequence[float]:
        given = numbers(self.resolved()(time, view, state))
        if len(given) != len(self.input_names()):
            raise RunError(
                f"controller '{self.name}' gave {len(given)} numbers for {len(self.input_names())} inputs at {time:g} s"
            )
        return given

"""What all controllers share: sampled at their own rate, they read a view of the system and set inputs of drives.

A controller is a value like every part; what changes while it works is an array of numbers that the run loop keeps
(and saves, so that a run goes on bit for bit). The protocol:

    state = controller.start(view)                     once, at the start of the run
    values = controller.command(time, view, state)     at start, start + period, start + 2 period, ...

``command`` returns one number for each name in ``inputs`` and may change ``state`` in place; both are plain Python.
Between two samples the values are held. ``view`` is :class:`centrode.dynamics.model_view.ModelView`: named access to
what could be measured, such as ``view.value("hinge.angle")``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.parts.part import Part, flatten, quantity


class View(Protocol):
    """What a controller sees of the system at the moment of its sample."""

    def value(self, name: str) -> float:
        """A measured number by name: "arm.position.x", "hinge.angle", "hinge.angle_rate", "drive.output"."""

    def check(self, name: str, path: str) -> None:
        """Raise an InputError when there is no such number."""


@dataclass(frozen=True)
class Controller(Part):
    """Base of all controllers."""

    family: ClassVar[str] = "controller"

    inputs: tuple[Any, ...] = quantity("", "drives that are commanded (actuator, motor, thruster)", refers_to="force")
    period: float = quantity("s", "time between two samples", 0.01, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not self.input_names():
            found.append(self.fault("inputs", "a controller needs a drive to command", expected="names"))
        return found

    def input_names(self) -> tuple[str, ...]:
        """Names of the commanded drives, one or several."""
        given = self.inputs if isinstance(self.inputs, list | tuple) else (self.inputs,)
        return tuple(item.name if isinstance(item, Part) else str(item) for item in given if item)

    def start(self, view: View) -> np.ndarray:
        """State at the start; checks that all that is measured exists.

        Raises:
            InputError: an unknown name.
        """
        return np.zeros(0)

    def command(self, time: float, view: View, state: np.ndarray) -> Sequence[float]:
        """Values for all inputs at a sample; may change ``state`` in place."""
        raise NotImplementedError

    def continuous(self, time: float, view: View, state: np.ndarray) -> tuple[Sequence[float], Sequence[float]] | None:
        """The law in continuous time, for linearisations: commands, and rates of :meth:`continuous_memory`.

        None when there is none, as for a controller that remembers samples.
        """
        return (self.command(time, view, state), ()) if state.size == 0 else None

    def continuous_memory(self) -> dict[str, int]:
        """Name -> place in the state of what has a rate in continuous time (an integral)."""
        return {}


def limited(value: float, lower: float | None, upper: float | None) -> float:
    """A value cut to limits, either of which may be missing."""
    if lower is not None:
        value = max(value, lower)
    return value if upper is None else min(value, upper)


def one_input_fault(part: Controller) -> list[Fault]:
    """For kinds that give a single number."""
    names = part.input_names()
    if len(names) > 1:
        return [Fault(f"a {part.kind} controller commands one drive", f"{part.name}.inputs", got=list(names))]
    return []


def one_measure_faults(part: Controller, measure: str) -> list[Fault]:
    """For kinds that control one measured number by one drive."""
    found = one_input_fault(part)
    if not measure:
        path = f"{part.name}.measure"
        found.append(Fault("what shall be controlled?", path, expected="a name such as hinge.angle"))
    return found


def numbers(value: Any) -> list[float]:
    """All numbers of a nested sequence as floats."""
    return [float(number) for number in flatten(value)]

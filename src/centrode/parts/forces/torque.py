"""Prescribed torque on a body: T(t) about a direction fixed in the world or in the body.

    torque  T(t) e        T a number or any signal of :mod:`centrode.parts.signals.signal`        (1)

A torque with a reaction on a second body is an :mod:`centrode.parts.forces.actuator`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.math.vector import times
from centrode.parts.forces.direction import FIXED_TO, Prescribed, direction_of
from centrode.parts.kernel_types import FORCE_SIGNATURE, LINK_DATA, LINK_MARKERS
from centrode.parts.markers import twist
from centrode.parts.part import quantity
from centrode.parts.placement import direction_field
from centrode.parts.signals.signal import signal_at, varying


@step_kernel(signature=FORCE_SIGNATURE)
def torque(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1)."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        size, _, _ = signal_at(data, link[i, LINK_DATA], time)
        twist(wrench, m, times(size, direction_of(par, i, markers, m)))


@dataclass(frozen=True)
class Torque(Prescribed):
    """Torque on a body, prescribed over time."""

    kind: ClassVar[str] = "torque"
    force_kernel: ClassVar[Any] = torque

    body: Any = quantity("", "body", refers_to="body")
    magnitude: Any = varying("N*m", "size of the torque: a number or a signal over time")
    direction: tuple[float, ...] = direction_field("axis in the world, or in the body's frame", (0.0, 0.0, 1.0))
    fixed_to: str = quantity(
        "", "whether the axis stays in the world or turns with the body", "world", choices=FIXED_TO
    )

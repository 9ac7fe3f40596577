"""Prescribed force at a point of a body: F(t) along a direction fixed in the world or in the body.

    force  F(t) e        F a number or any signal of :mod:`centrode.parts.signals.signal`        (1)

A force fixed in the body (a jet, a push that turns along) is not conservative; nothing is stored in either case.
"""

from __future__ import annotations

from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.jit import step_kernel
from centrode.math.vector import times
from centrode.parts.forces.direction import FIXED_TO, Prescribed, direction_of
from centrode.parts.kernel_types import FORCE_SIGNATURE, LINK_DATA, LINK_MARKERS
from centrode.parts.markers import push
from centrode.parts.part import quantity
from centrode.parts.placement import direction_field
from centrode.parts.signals.signal import signal_at, varying


@step_kernel(signature=FORCE_SIGNATURE)
def point_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1)."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        force, _, _ = signal_at(data, link[i, LINK_DATA], time)
        push(wrench, m, times(force, direction_of(par, i, markers, m)))


@dataclass(frozen=True)
class PointForce(Prescribed):
    """Force at a point, prescribed over time."""

    kind: ClassVar[str] = "point-force"
    force_kernel: ClassVar[Any] = point_force

    body: Any = quantity("", "body, or point on it", refers_to="body")
    magnitude: Any = varying("N", "size of the force: a number or a signal over time")
    direction: tuple[float, ...] = direction_field("direction in the world, or in the body's frame", (1.0, 0.0, 0.0))
    fixed_to: str = quantity(
        "", "whether the direction stays in the world or turns with the body", "world", choices=FIXED_TO
    )
    point_body: tuple[float, ...] | None = quantity("m", "place on the body, in its frame", None)

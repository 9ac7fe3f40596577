"""Thruster: a commanded force along an axis fixed in one body, pushing against air or water.

    force  u e at the point, e turns with the body;   torque  q u e (of a propeller)          (1)

u is the command of :mod:`centrode.parts.forces.command` with its limits and lag. There is no reaction on another
body: the medium carries it away. q [m] is the ratio of propeller torque to thrust, D K_Q / K_T.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.math.vector import times
from centrode.parts.forces.command import Commanded, commanded, pack_command
from centrode.parts.kernel_types import FORCE_SIGNATURE, LINK_MARKERS
from centrode.parts.markers import Z, axis, push, twist
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene, direction_field, unit_vector
from centrode.parts.signals.signal import varying

TORQUE_RATIO, COMMAND = 0, 1


@step_kernel(signature=FORCE_SIGNATURE)
def thruster_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1)."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        thrust = commanded(time, i, COMMAND, par, link, data, inputs, states, rates)
        f = times(thrust, axis(markers, m, Z))
        push(wrench, m, f)
        twist(wrench, m, times(par[i, TORQUE_RATIO], f))


@dataclass(frozen=True)
class Thruster(Commanded):
    """Commanded force along a body axis, without reaction on another body."""

    kind: ClassVar[str] = "thruster"
    force_kernel: ClassVar[Any] = thruster_force
    external: ClassVar[bool] = True
    active: ClassVar[bool] = True

    body: Any = quantity("", "body, or point on it", refers_to="body")
    command: Any = varying("N", "thrust at the start, or a signal added to what a controller sets", 0.0)
    direction: tuple[float, ...] = direction_field("axis of thrust in the body's frame", (1.0, 0.0, 0.0))
    lower: float | None = quantity("N", "smallest thrust; no limit when left out", None)
    upper: float | None = quantity("N", "largest thrust; no limit when left out", None)
    lag: float = quantity("s", "time constant of a first-order lag; 0 for none", 0.0, minimum=0.0)
    torque_ratio: float = quantity("m", "propeller torque about the axis per thrust", 0.0)
    point_body: tuple[float, ...] | None = quantity("m", "place on the body, in its frame", None)

    def place(self, scene: Scene) -> Placement:
        par, extra = pack_command(self, scene, "N")
        marker = self.end(scene, "body")[0].along(unit_vector(self.direction, f"{self.name}.direction"))
        return Placement([marker], par=[self.torque_ratio, *par], **extra)

"""Motor about an axis between two bodies: the torque falls in a straight line with the speed.

A direct-current motor at the throttle u (command -1..1, :mod:`centrode.parts.forces.command`):

    T = T_stall (u - theta' / w_0)         T_stall at rest, nothing at the no-load speed u w_0          (1)

From V = R i + K w and T = K i: T_stall = K V / R, w_0 = V / K at the full voltage V. At u = 0 the motor brakes
(its leads are shorted). A load torque T_L < T_stall turns at w_0 (u - T_L / T_stall).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.parts.forces.axis import AxisForce, drive_about, twist_rate
from centrode.parts.forces.command import Commanded, commanded, pack_command
from centrode.parts.kernel_types import FORCE_SIGNATURE
from centrode.parts.markers import ends
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene
from centrode.parts.signals.signal import varying

STALL, NO_LOAD, COMMAND = 0, 1, 2


@step_kernel(signature=FORCE_SIGNATURE)
def motor_torque(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        throttle = commanded(time, i, COMMAND, par, link, data, inputs, states, rates)
        rate = twist_rate(markers, a, b)
        drive_about(markers, wrench, a, b, par[i, STALL] * (throttle - rate / par[i, NO_LOAD]))


@dataclass(frozen=True)
class Motor(Commanded, AxisForce):
    """Motor with a straight torque-speed line; a carries the stator, b the rotor."""

    kind: ClassVar[str] = "motor"
    force_kernel: ClassVar[Any] = motor_torque
    active: ClassVar[bool] = True

    stall_torque: float = quantity("N*m", "torque at rest and full throttle", 1.0, positive=True)
    no_load_speed: float = quantity("rad/s", "speed without load at full throttle", 100.0, positive=True)
    command: Any = varying("1", "throttle -1..1 at the start, or a signal added to what a controller sets", 1.0)
    lower: float | None = quantity("1", "smallest throttle", -1.0)
    upper: float | None = quantity("1", "largest throttle", 1.0)
    lag: float = quantity("s", "time constant of a first-order lag of the throttle; 0 for none", 0.0, minimum=0.0)

    def place(self, scene: Scene) -> Placement:
        par, extra = pack_command(self, scene, "1")
        return Placement(self.axis_markers(scene), par=[self.stall_torque, self.no_load_speed, *par], **extra)

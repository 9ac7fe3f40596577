"""Servo of a hinge or slider: a drive that pulls the coordinate, or its rate, towards its command.

With the coordinate q = q_0 + what it moved since the start (:mod:`centrode.parts.forces.axis`) and the command u of
:mod:`centrode.parts.forces.command` (limits, lag):

    T = k (u - q) - c q'        tracks position                                          (1)
    T = c (u - q')              tracks rate                                              (2)

cut to +-T_max, the largest effort. This is the proportional-derivative controller of a robot's joint as its drive has
it inside: continuous, not sampled. Gains are also the stiffness of the joint against loads; a weight that asks for the
torque T leaves the error T / k.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.forces.actuator import COMMAND
from centrode.parts.forces.axis import ABOUT, ACTS, ANGLE, AXIS_MODE, AxisForce, drive, motion
from centrode.parts.forces.command import Commanded, commanded, pack_command
from centrode.parts.kernel_types import FORCE_SIGNATURE
from centrode.parts.markers import ends
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene
from centrode.parts.signals.signal import varying

TRACKS = ("position", "rate")


class Column(IntEnum):
    """Parameter columns behind those of the axis and the command."""

    STIFFNESS = 5
    DAMPING = 6
    EFFORT = 7
    START = 8
    RATE = 9


@step_kernel(signature=FORCE_SIGNATURE)
def servo_effort(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1) or (2), cut."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        moved, rate = motion(par[i, AXIS_MODE], memory[i, ANGLE], markers, a, b)
        if par[i, AXIS_MODE] == ABOUT:
            memory[i, ANGLE] = moved
        wanted = commanded(time, i, COMMAND, par, link, data, inputs, states, rates)
        if par[i, Column.RATE] != 0.0:
            effort = par[i, Column.DAMPING] * (wanted - rate)  # (2)
        else:
            error = wanted - par[i, Column.START] - moved
            effort = par[i, Column.STIFFNESS] * error - par[i, Column.DAMPING] * rate  # (1)
        most = par[i, Column.EFFORT]
        effort = min(max(effort, -most), most)
        drive(par[i, AXIS_MODE], markers, wrench, a, b, effort)


@dataclass(frozen=True)
class Servo(Commanded, AxisForce):
    """Drive that holds a hinge or slider at its command. Units are those of the axis: rad and N m, or m and N."""

    kind: ClassVar[str] = "servo"
    keeps_angle: ClassVar[bool] = True
    force_kernel: ClassVar[Any] = servo_effort
    active: ClassVar[bool] = True
    example: ClassVar[dict[str, Any]] = {"a": "a", "b": "b", "stiffness": 3.0, "damping": 0.4, "command": 0.2}

    stiffness: float = quantity("N*m/rad|N/m", "effort per error", 0.0, minimum=0.0)
    damping: float = quantity("N*m*s/rad|N*s/m", "effort per rate", 0.0, minimum=0.0)
    command: Any = varying("rad|m", "wanted value at the start, or a signal added to what a controller sets", 0.0)
    lower: float | None = quantity("rad|m", "smallest command; no limit when left out", None)
    upper: float | None = quantity("rad|m", "largest command; no limit when left out", None)
    lag: float = quantity("s", "time constant of a first-order lag of the command; 0 for none", 0.0, minimum=0.0)
    effort: float | None = quantity("N*m|N", "largest effort; no limit when left out", None, positive=True)
    start: float = quantity("rad|m", "what the coordinate is called at the start", 0.0)
    tracks: str = quantity(
        "", "what is held: the position, or the rate (command in rad/s or m/s)", TRACKS[0], choices=TRACKS
    )
    acts: str = quantity("", "about the axis (hinge) or along it (slider)", ACTS[0], choices=ACTS)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and self.tracks == TRACKS[0] and self.stiffness == 0.0 and self.damping == 0.0:
            found.append(self.fault("stiffness", "a servo without gains does nothing", expected="above 0"))
        return found

    def place(self, scene: Scene) -> Placement:
        par, extra = pack_command(self, scene, "rad" if self.acts == ACTS[0] else "m")
        effort = 1e300 if self.effort is None else self.effort
        own = [self.stiffness, self.damping, effort, self.start, float(self.tracks == TRACKS[1])]
        return Placement(self.axis_markers(scene), par=[self.axis_mode(), *par, *own], **extra)

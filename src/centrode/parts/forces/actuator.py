"""Actuator between two bodies: a commanded force along a line or an axis, or a torque about an axis.

With the command u of :mod:`centrode.parts.forces.command` (limits, lag) and e from p_a to p_b:

    along-line    +u e on b, -u e on a: positive pushes the points apart                              (1)
    along-axis    equation (6) of :mod:`centrode.parts.forces.axis`: positive drives b along a's axis
    about-axis    equation (3) there: positive turns b counter-clockwise against a

Where the points of a line coincide there is no direction, and no force.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import step_kernel
from centrode.math.vector import minus, norm, times
from centrode.parts.forces.axis import ABOUT, ALONG, AXIS_MODE, AxisForce, drive
from centrode.parts.forces.command import Commanded, commanded, pack_command
from centrode.parts.kernel_types import FORCE_SIGNATURE
from centrode.parts.markers import ends, position, push_apart
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene
from centrode.parts.signals.signal import varying

COMMAND = 1
LINE = 2.0
MODES = {"about-axis": ABOUT, "along-axis": ALONG, "along-line": LINE}


@step_kernel(signature=FORCE_SIGNATURE)
def actuator_effort(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1), or along or about the axis."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        effort = commanded(time, i, COMMAND, par, link, data, inputs, states, rates)
        if par[i, AXIS_MODE] != LINE:
            drive(par[i, AXIS_MODE], markers, wrench, a, b, effort)
            continue
        d = minus(position(markers, b), position(markers, a))
        distance = norm(d)
        push_apart(wrench, a, b, times(effort / distance if distance > 0.0 else 0.0, d))  # (1)


@dataclass(frozen=True)
class Actuator(Commanded, AxisForce):
    """Commanded force or torque between two bodies."""

    kind: ClassVar[str] = "actuator"
    force_kernel: ClassVar[Any] = actuator_effort
    active: ClassVar[bool] = True

    command: Any = varying("N*m|N", "effort at the start, or a signal added to what a controller sets", 0.0)
    lower: float | None = quantity("N*m|N", "smallest effort; no limit when left out", None)
    upper: float | None = quantity("N*m|N", "largest effort; no limit when left out", None)
    lag: float = quantity("s", "time constant of a first-order lag; 0 for none", 0.0, minimum=0.0)
    acts: str = quantity(
        "",
        "torque about the axis, force along the axis, or force along the line a-b",
        "about-axis",
        choices=tuple(MODES),
    )

    def place(self, scene: Scene) -> Placement:
        par, extra = pack_command(self, scene, "N*m" if self.acts == "about-axis" else "N")
        return Placement(self.axis_markers(scene), par=[MODES[self.acts], *par], **extra)

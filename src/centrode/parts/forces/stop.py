"""Stops: limits of an angle about, or of a displacement along, an axis between two bodies.

Beyond a limit the depth is d (rate d' when it grows), and the stop pushes back with

    F = k d max(0, 1 + a d')        Hunt and Crossley (1975)                   (1)
    energy k d^2 / 2                                                           (2)

(1) begins at zero, so that a body that meets the stop feels no step, and never pulls. Restitution falls with the
speed of the blow as in :mod:`centrode.parts.contact_laws.hunt_crossley`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.forces.axis import ABOUT, ACTS, ANGLE, AXIS_MODE, AxisForce, drive, motion
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE
from centrode.parts.markers import ends
from centrode.parts.part import finite_limits, limit_faults, quantity
from centrode.parts.placement import Placement, Scene

LOWER, UPPER, STIFFNESS, DAMPING = 1, 2, 3, 4


@step_kernel(signature=FORCE_SIGNATURE)
def stop_effort(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1) at the limit that is passed, if any."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        coordinate, rate = motion(par[i, AXIS_MODE], memory[i, ANGLE], markers, a, b)
        if par[i, AXIS_MODE] == ABOUT:
            memory[i, ANGLE] = coordinate
        effort = 0.0
        if coordinate > par[i, UPPER]:
            effort = -par[i, STIFFNESS] * (coordinate - par[i, UPPER]) * max(0.0, 1.0 + par[i, DAMPING] * rate)
        elif coordinate < par[i, LOWER]:
            effort = par[i, STIFFNESS] * (par[i, LOWER] - coordinate) * max(0.0, 1.0 - par[i, DAMPING] * rate)
        drive(par[i, AXIS_MODE], markers, wrench, a, b, effort)


@step_kernel(signature=ENERGY_SIGNATURE)
def stop_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(2)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        coordinate, _ = motion(par[i, AXIS_MODE], memory[i, ANGLE], markers, a, b)
        depth = max(0.0, coordinate - par[i, UPPER], par[i, LOWER] - coordinate)
        energy[i] = 0.5 * par[i, STIFFNESS] * depth * depth


@dataclass(frozen=True)
class Stop(AxisForce):
    """Stops of a hinge or slider. Units are those of the axis: rad and N m, or m and N."""

    kind: ClassVar[str] = "stop"
    keeps_angle: ClassVar[bool] = True
    force_kernel: ClassVar[Any] = stop_effort
    energy_kernel: ClassVar[Any] = stop_energy

    example: ClassVar[dict[str, Any]] = {
        "a": "a",
        "b": "b",
        "lower": -0.4,
        "upper": 0.3,
        "stiffness": 2.0,
        "damping": 0.5,
    }

    lower: float | None = quantity("rad|m", "lower limit; none when left out", None)
    upper: float | None = quantity("rad|m", "upper limit; none when left out", None)
    stiffness: float = quantity("N*m/rad|N/m", "stiffness of the stop", 1e5, positive=True)
    damping: float = quantity("s/rad|s/m", "damping relative to the spring's effort", 0.0, minimum=0.0)
    acts: str = quantity("", "about the axis (hinge) or along it (slider)", ACTS[0], choices=ACTS)

    def faults(self) -> list[Fault]:
        found = super().faults() + limit_faults(self)
        if self.lower is None and self.upper is None:
            found.append(self.fault("upper", "a stop needs a limit", hint="give lower, upper or both"))
        return found

    def place(self, scene: Scene) -> Placement:
        par = [self.axis_mode(), *finite_limits(self), self.stiffness, self.damping]
        return Placement(self.axis_markers(scene), par=par)

r"""Propeller: thrust and torque from its rate of turning, with the loss of thrust in oncoming water.

    T = rho D^4 ( K_T0 n |n| - k V_a |n| / D ),   Q = rho D^5 ( K_Q0 n |n| - l V_a |n| / D )          (1)
    V_a = (1 - wake) e . (v - v_c)                                                                    (2)

n is the rate [rev/s], D the diameter, k = -dK_T/dJ and l = -dK_Q/dJ the slopes over the advance ratio J = V_a/(n D)
(both 0: bollard values at any speed). Both act along the axis e; the torque on the body opposes the turning of a
right-handed propeller (``handed`` +1) and is turned round for a left-handed one. Behind the commanded rate stand its
limits and its lag (:mod:`centrode.parts.forces.command`).

Typical values of a small torpedo vehicle: K_T0 0.4566, K_Q0 0.0700, k = (0.4566 - 0.1798)/0.6632, l = (0.0700 -
0.0312)/0.6632, wake 0.056 (T. I. Fossen, Python Vehicle Simulator, remus100).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.math.vector import dot, minus, times, vector
from centrode.parts.forces.command import Commanded, commanded, pack_command
from centrode.parts.kernel_types import FORCE_SIGNATURE, LINK_MARKERS
from centrode.parts.markers import Z, axis, push, twist, velocity
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene, direction_field, triple, unit_vector
from centrode.parts.signals.signal import varying

THRUST, THRUST_LOSS, TORQUE, TORQUE_LOSS, CURRENT, COMMAND = 0, 1, 2, 3, 4, 7
"""Parameters: rho D^4 K_T0, rho D^3 k (1 - wake), the same of the torque (signed), current (3), command."""


@step_kernel(signature=FORCE_SIGNATURE)
def propeller_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1), (2)."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        n = commanded(time, i, COMMAND, par, link, data, inputs, states, rates)
        e = axis(markers, m, Z)
        inflow = dot(minus(velocity(markers, m), vector(par[i], CURRENT)), e)
        square, loss = n * abs(n), inflow * abs(n)
        push(wrench, m, times(par[i, THRUST] * square - par[i, THRUST_LOSS] * loss, e))
        twist(wrench, m, times(par[i, TORQUE] * square - par[i, TORQUE_LOSS] * loss, e))


@dataclass(frozen=True)
class Propeller(Commanded):
    """Propeller commanded by its rate."""

    kind: ClassVar[str] = "propeller"
    force_kernel: ClassVar[Any] = propeller_force
    works_in_plane: ClassVar[bool] = False
    external: ClassVar[bool] = True
    active: ClassVar[bool] = True

    body: Any = quantity("", "body, or point on it", refers_to="body")
    diameter: float = quantity("m", "diameter", positive=True)
    command: Any = varying("1/s", "rate at the start [rev/s], or a signal added to what a controller sets", 0.0)
    direction: tuple[float, ...] = direction_field("axis of thrust in the body's frame", (1.0, 0.0, 0.0))
    thrust_coefficient: float = quantity("1", "K_T0, bollard", 0.4566, minimum=0.0)
    torque_coefficient: float = quantity("1", "K_Q0, bollard", 0.07, minimum=0.0)
    thrust_slope: float = quantity("1", "k = -dK_T/dJ", 0.0, minimum=0.0)
    torque_slope: float = quantity("1", "l = -dK_Q/dJ", 0.0, minimum=0.0)
    wake: float = quantity("1", "wake fraction", 0.0, minimum=0.0, maximum=1.0)
    handed: int = quantity("1", "+1 right-handed (torque on the body opposes +axis), -1 left-handed, 0 no torque", 1)
    lower: float | None = quantity("1/s", "smallest rate; no limit when left out", None)
    upper: float | None = quantity("1/s", "largest rate; no limit when left out", None)
    lag: float = quantity("s", "time constant of a first-order lag; 0 for none", 0.0, minimum=0.0)
    density: float = quantity("kg/m3", "density of the water", 1000.0, positive=True)
    current: tuple[float, ...] = quantity("m/s", "velocity of the water, world frame", (0.0, 0.0, 0.0), read=triple)
    point_body: tuple[float, ...] | None = quantity("m", "place on the body, in its frame", None)

    def faults(self) -> list[Fault]:
        found = super().faults()
        if self.handed not in (-1, 0, 1):
            found.append(self.fault("handed", "unknown hand", expected="1, -1 or 0"))
        return found

    def place(self, scene: Scene) -> Placement:
        command, extra = pack_command(self, scene, "1/s")
        marker = self.end(scene, "body")[0].along(unit_vector(self.direction, f"{self.name}.direction"))
        d, seen = self.diameter, 1.0 - self.wake
        par = [
            self.density * d**4 * self.thrust_coefficient,
            self.density * d**3 * self.thrust_slope * seen,
            -self.handed * self.density * d**5 * self.torque_coefficient,
            -self.handed * self.density * d**4 * self.torque_slope * seen,
            *triple(self.current, f"{self.name}.current"),
            *command,
        ]
        return Placement([marker], par=par, **extra)

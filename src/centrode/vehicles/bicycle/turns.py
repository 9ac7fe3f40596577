"""Steady turns: circular motions of the free bicycle, hands off, and their family from straight to standing.

With lean, steer and speed constant the bicycle turns about a vertical axis. Hands free, two conditions remain,

    lean'' = 0,   steer'' = 0        of the engine's accelerations at (lean, steer, speed), rates zero       (1)

(the acceleration of the wheels then vanishes too, because the motion reversed in time is a motion as well). For a given
steer (1) is solved for lean and speed by Newton's method; the family is followed in steer. Handlebar forward it begins
at the capsize speed with steer zero and ends standing still with the front wheel almost across, P. Basu-Mandal,
A. Chatterjee, J. M. Papadopoulos, "Hands-free circular motions of a benchmark bicycle", Proc. R. Soc. A 463 (2007).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.errors import RunError
from centrode.vehicles.bicycle.kinematics import SteadyMotion, Z, cross
from centrode.vehicles.bicycle.linear import COORDINATES, linear_bicycle
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.state import accelerations, bicycle_workspace, place_bicycle, wheel_loads


@dataclass(frozen=True)
class SteadyTurn(SteadyMotion):
    """One circular motion with its loads; the residual is what is left of (1) [rad/s2].

    Attributes:
        rear_load, front_load: normal forces [N].
    """

    rear_load: float
    front_load: float


class TurnSolver:
    """Solves (1) for one machine.

    Args:
        parameters: the benchmark bicycle when left out.
        gravity: [m/s2].
    """

    def __init__(self, parameters: BicycleParameters | None = None, gravity: float = 9.81) -> None:
        self.parameters = parameters or BicycleParameters()
        self.gravity = gravity
        self.workspace = bicycle_workspace(self.parameters, gravity)

    def residual(self, lean: float, steer: float, speed: float) -> np.ndarray:
        """(lean'', steer'') [rad/s2]."""
        place_bicycle(self.workspace, self.parameters, lean, steer, speed)
        return accelerations(self.workspace, COORDINATES)

    def turn(self, steer: float, lean: float, wheel_speed: float) -> SteadyTurn:
        """The turn with this steer angle, from a guess of lean [rad] and speed of the rear wheel [m/s].

        Raises:
            RunError: no convergence.
        """
        # In terms of v^2 the equations are nearly linear, and v = 0 is no turning point.
        solution = self._newton(lambda x: self.residual(x[0], steer, _root(x[1])), np.array([lean, wheel_speed**2]))
        return self.describe(solution[0], steer, _root(solution[1]))

    def standing(self, steer: float = 1.34) -> SteadyTurn:
        """The end of the family: at rest, in balance, the front wheel almost across."""
        solution = self._newton(lambda x: self.residual(x[0], x[1], 0.0), np.array([0.0, steer]))
        return self.describe(solution[0], solution[1], 0.0)

    def family(self, steers: Sequence[float]) -> list[SteadyTurn]:
        """Turns for ascending steer angles [rad] of one sign, followed from the capsize speed."""
        linear = linear_bicycle(self.parameters, self.gravity)
        capsize = linear.critical_speeds().capsize
        if capsize is None:
            raise RunError("this machine has no capsize speed, where the family begins")
        sign = math.copysign(1.0, steers[0])
        found: list[SteadyTurn] = []
        at, last, before = 0.0, np.array([0.0, capsize**2]), None
        for target in (abs(s) for s in steers):
            while at < target:
                step = min(target, at + math.radians(0.25) + 0.12 * at)
                if before is None:  # at the bifurcation the lean is proportional to the steer: K (lean, steer) = 0
                    k = linear.gravity * linear.k0 + capsize**2 * linear.k2
                    guess = np.array([-k[0, 1] / k[0, 0] * step, last[1]])
                else:
                    guess = last + (last - before[1]) * (step - at) / (at - before[0])
                solution = self._newton(lambda x, s=step: self.residual(x[0], s, _root(x[1])), guess)
                before, at, last = (at, last), step, solution
            found.append(self.describe(sign * last[0], sign * at, _root(last[1])))
        return found

    def describe(self, lean: float, steer: float, wheel_speed: float) -> SteadyTurn:
        """All figures of a turn."""
        where, how = place_bicycle(self.workspace, self.parameters, lean, steer, wheel_speed)
        left = accelerations(self.workspace, COORDINATES)
        hub = how.velocities["rear-wheel"]
        arm = where.contacts["rear"] - where.positions["rear-wheel"]
        contact = hub + cross(how.yaw_rate * Z, arm)
        speed = math.hypot(contact[0], contact[1])
        radius = speed / abs(how.yaw_rate) if how.yaw_rate else math.inf
        loads, residual = wheel_loads(self.workspace), float(np.abs(left).max())
        return SteadyTurn(lean, steer, -where.pitch, -how.yaw_rate, speed, radius, wheel_speed, residual, *loads)

    def _newton(self, function: Any, x: np.ndarray) -> np.ndarray:
        x = np.array(x, dtype=float)
        best, best_size = x, math.inf
        for _ in range(30):
            f = function(x)
            size = float(np.abs(f).max())
            if size < best_size:
                best, best_size = x.copy(), size
            elif best_size < 1e-9:
                return best  # round-off reached
            units = 1e-4 * np.diag(np.maximum(1.0, np.abs(x)))
            slopes = [(function(x + unit) - function(x - unit)) / (2.0 * unit.max()) for unit in units]
            change = np.linalg.solve(np.column_stack(slopes), -f)
            x = x + change * min(1.0, 0.3 / max(abs(change[0]), 1e-300))
            if np.abs(change).max() < 1e-14:
                break
        if best_size > 1e-9:
            raise RunError(f"no steady turn found near lean {best[0]:.4g} rad (still {best_size:.2g} rad/s2 off)")
        return best


def _root(square: float) -> float:
    """Speed of a square that Newton's method may take below zero on its way."""
    return math.copysign(math.sqrt(abs(square)), square)

"""Steady turns: circular motions of the free bicycle, hands off, and their family from straight to standing.

With lean, steer and speed constant the bicycle turns about a vertical axis. Hands free, two conditions remain,

    lean'' = 0,   steer'' = 0        of the engine's accelerations at (lean, steer, speed), rates zero       (1)

(the acceleration of the wheels then vanishes too, because the motion reversed in time is a motion as well). At rest
only weight acts, and inertia forces go with the square of all rates, so (1) is linear in s = v^2,

    A(lean, steer) + s B(lean, steer) = 0,    A - s B = 2 A - (A + s B)                                     (2)

whose right half continues it to s < 0 without asking for a speed: the curve of solutions runs smoothly through
standing still (s = 0), and v and -v, the same circle the other way round, are one solution instead of two. The curve
begins at the capsize speed with steer zero and is followed by steps of its own length, each predicted along the
tangent and corrected across it, so that what is found does not depend on what is asked for. Handlebar forward it ends
standing still with the front wheel almost across, P. Basu-Mandal, A. Chatterjee, J. M. Papadopoulos, "Hands-free
circular motions of a benchmark bicycle", Proc. R. Soc. A 463 (2007). A turn to the left is a mirrored turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError, RunError
from centrode.vehicles.bicycle.kinematics import SteadyMotion, Z, cross
from centrode.vehicles.bicycle.linear import COORDINATES, linear_bicycle
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.state import accelerations, bicycle_workspace, place_bicycle, wheel_loads

FIRST_STEP = 0.01
LONGEST_STEP = 0.06
SHORTEST_STEP = 1e-6
"""Steps along the curve of (lean, steer, s over that of the capsize speed), angles in rad; the longest grows with s."""
FLATTEST = math.radians(85.0)
STANDING, FLAT, STRAIGHT, LOST = "stands still", "lies almost flat", "runs straight again", "cannot be followed further"
"""What a machine does where its family ends."""


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

    def balance(self, lean: float, steer: float, square: float) -> np.ndarray:
        """(2) for the square of a speed [m2/s2], which may be negative."""
        there = self.residual(lean, steer, math.sqrt(abs(square)))
        return there if square >= 0.0 else 2.0 * self.residual(lean, steer, 0.0) - there

    def turn(self, steer: float, lean: float, wheel_speed: float) -> SteadyTurn:
        """The turn with this steer angle, from a guess of lean [rad] and speed of the rear wheel [m/s].

        Raises:
            RunError: no convergence, or balance at no speed.
        """
        lean, square = self._newton(lambda x: self.balance(x[0], steer, x[1]), np.array([lean, wheel_speed**2]))
        if square < 0.0:
            raise RunError(f"no speed balances a steer of {math.degrees(steer):.6g} deg near this lean")
        return self.describe(lean, steer, math.sqrt(square))

    def standing(self, steer: float = 1.34) -> SteadyTurn:
        """The end of the family: at rest, in balance, the front wheel almost across."""
        solution = self._newton(lambda x: self.residual(x[0], x[1], 0.0), np.array([0.0, steer]))
        return self.describe(solution[0], solution[1], 0.0)

    def family(self, steers: Sequence[float], reached_only: bool = False) -> list[SteadyTurn]:
        """Turns for these steer angles [rad], in any order; each is the first on the way from the capsize speed.

        Args:
            steers: positive to the right.
            reached_only: leave out the steers that the family does not reach.

        Raises:
            InputError: a steer that is no turn, or one that the family does not reach.
            RunError: the machine has no capsize speed, where the family begins.
        """
        check_steers(steers)
        wanted = sorted({abs(steer) for steer in steers})
        found: dict[float, SteadyTurn] = {}
        reached = 0.0
        curve = FamilyCurve(self)
        for before, here in curve.pieces():
            reached = max(reached, float(here[1]))
            while len(found) < len(wanted) and wanted[len(found)] <= reached:
                target = wanted[len(found)]
                part = (target - before[1]) / (here[1] - before[1])
                lean, _, square = before + part * (here - before)
                guess = np.array([lean, square * curve.scale])  # off by the arch of one step
                lean, square = self._newton(lambda x, s=target: self.balance(x[0], s, x[1]), guess)
                found[target] = self.describe(lean, target, math.sqrt(max(square, 0.0)))
            if len(found) == len(wanted):
                break
        if len(found) == len(wanted) or reached_only:
            return [self._turned(found[abs(steer)], steer) for steer in steers if abs(steer) in found]
        beyond = ", ".join(f"{math.degrees(steer):.6g}" for steer in steers if abs(steer) not in found)
        raise InputError(
            "the family of hands-free turns ends before this steer",
            path="steer",
            got=f"{beyond} deg",
            expected=f"at most {math.degrees(reached):.6g} deg",
            hint=f"the largest steer on the way from the capsize speed to where the machine {curve.end}",
        )

    def _turned(self, right: SteadyTurn, steer: float) -> SteadyTurn:
        """A turn to the right, or its mirror image."""
        return right if steer > 0.0 else self.describe(-right.lean, -right.steer, right.wheel_speed)

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
            change = np.linalg.lstsq(np.column_stack(slopes), -f, rcond=None)[0]
            x = x + change * min(1.0, 0.3 / max(abs(change[0]), 1e-300))
            if np.abs(change).max() < 1e-14:
                break
        if best_size > 1e-9:
            raise RunError(f"no steady turn found near lean {best[0]:.4g} rad (still {best_size:.2g} rad/s2 off)")
        return best


class FamilyCurve:
    """The curve of solutions of (2) in (lean, steer, s / scale), from the capsize speed.

    Args:
        solver: of the machine.

    Attributes:
        scale: s of the capsize speed [m2/s2].
        end: how the curve ended; empty while it goes on.

    Raises:
        RunError: the machine has no capsize speed.
    """

    def __init__(self, solver: TurnSolver) -> None:
        self.solver, self.end = solver, ""
        linear = linear_bicycle(solver.parameters, solver.gravity)
        capsize = linear.critical_speeds().capsize
        if capsize is None:
            raise RunError("this machine has no capsize speed, where the family of hands-free turns begins")
        self.scale = capsize**2
        # At the bifurcation lean and steer are proportional: K (lean, steer) = 0.
        k = linear.gravity * linear.k0 + self.scale * linear.k2
        direction = np.array([-k[0, 1], k[0, 0], 0.0]) * math.copysign(1.0, k[0, 0])
        self._along = direction / np.linalg.norm(direction)

    def pieces(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Pairs of neighbouring points, in order, until the curve ends; the last one lies at the end."""
        here, length = np.array([0.0, 0.0, 1.0]), FIRST_STEP
        while not self.end:
            ahead: np.ndarray | None = None
            tangent: np.ndarray | None = None
            try:
                ahead = self._correct(here + length * self._along)
                tangent = self._tangent(ahead)
            except (InputError, RunError, np.linalg.LinAlgError):
                tangent = None
            # A correction as long as half the step, or a tangent turned by 15 degrees, is another branch or too far.
            if ahead is None or np.linalg.norm(ahead - here - length * self._along) > 0.5 * length:
                tangent = None
            if ahead is None or tangent is None or tangent @ self._along < 0.966:
                length *= 0.5
                if length < SHORTEST_STEP:
                    self.end = LOST
                continue
            self.end = self._ended(here, ahead)
            if self.end == STANDING:
                ahead = self._stand(here, ahead)
            elif tangent[1] < 0.0 < self._along[1]:
                top = self._largest_steer(here, length)
                yield here, top
                here = top
            yield here, ahead
            longest = LONGEST_STEP * max(1.0, float(ahead[2]))
            length = min(longest, length * (1.5 if tangent @ self._along > 0.999 else 1.0))
            here, self._along = ahead, tangent

    def _function(self, z: np.ndarray) -> np.ndarray:
        return self.solver.balance(float(z[0]), float(z[1]), float(z[2]) * self.scale)

    def _jacobian(self, z: np.ndarray) -> np.ndarray:
        """Of (2), by central differences, shape (2, 3)."""
        h = 1e-5
        return np.column_stack([(self._function(z + h * e) - self._function(z - h * e)) / (2.0 * h) for e in np.eye(3)])

    def _correct(self, guess: np.ndarray) -> np.ndarray:
        """Point of the curve next to a guess, across the present tangent.

        Good to 1e-8, as a place to start from: what is handed out is solved to round-off for its steer.
        """
        z, across = guess, np.append(self._jacobian(guess), [self._along], axis=0)
        for _ in range(12):
            step = np.linalg.solve(across, np.append(-self._function(z), 0.0))
            z = z + step
            if np.abs(step).max() < 1e-8:
                return z
            if not np.abs(step).max() < 1.0:
                break
        raise RunError("no steady turn next to the last one")

    def _tangent(self, z: np.ndarray) -> np.ndarray:
        """Unit tangent, along the way."""
        tangent: np.ndarray = np.linalg.svd(self._jacobian(z))[2][-1]
        return tangent if tangent @ self._along > 0.0 else -tangent

    def _ended(self, here: np.ndarray, ahead: np.ndarray) -> str:
        """How the curve ends between two points, or nothing."""
        if ahead[2] <= 0.0:
            return STANDING
        if abs(ahead[0]) > FLATTEST:
            return FLAT
        return STRAIGHT if here[1] > 0.0 >= ahead[1] else ""

    def _largest_steer(self, here: np.ndarray, length: float) -> np.ndarray:
        """Where the steer is largest between a point and the next one, by halving on the sign of the tangent."""
        low, high, top = 0.0, length, here
        while high - low > 1e-7:
            middle = 0.5 * (low + high)
            z = self._correct(here + middle * self._along)
            if self._tangent(z)[1] > 0.0:
                low, top = middle, z
            else:
                high = middle
        return top

    def _stand(self, here: np.ndarray, ahead: np.ndarray) -> np.ndarray:
        """Where the machine stands still, between two points."""
        part = here[2] / (here[2] - ahead[2])
        lean, steer, _ = here + part * (ahead - here)
        solver = self.solver
        lean, steer = solver._newton(lambda x: solver.residual(x[0], x[1], 0.0), np.array([lean, steer]))
        return np.array([lean, steer, 0.0])


def check_steers(steers: Sequence[float]) -> None:
    """Refuse steer angles [rad] that are no turn of a handlebar that points forward.

    Raises:
        InputError: none, not a number, zero, or half a turn and more.
    """
    faults = []
    expected = "an angle between 0 and 180 deg to either side"
    if not steers:
        faults.append(Fault("no steer angle", "steer", expected=expected))
    for steer in steers:
        got = f"{math.degrees(steer):.6g} deg"
        if not math.isfinite(steer):
            faults.append(Fault("the steer angle is not a number", "steer", got=got, expected=expected))
        elif steer == 0.0:
            hint = "with steer 0 it runs straight, at any speed; the family of turns begins at the capsize speed"
            faults.append(Fault("no turn has this steer", "steer", got=got, expected=expected, hint=hint))
        elif abs(steer) >= math.pi:
            hint = "'centrode bicycle circles' also knows turns with the handlebar reversed"
            faults.append(Fault("no handlebar forward has this steer", "steer", got=got, expected=expected, hint=hint))
    if faults:
        raise InputError(faults)

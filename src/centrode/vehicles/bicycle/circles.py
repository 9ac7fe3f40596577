"""All hands-free circular motions of a bicycle: families followed through lean, steer and pitch, with their ends.

In a circular motion the bicycle turns with W about a vertical axis, its wheels spin evenly, and lean, steer and pitch
stay. It needs no hands when no virtual motion that the rolling wheels allow has any power against weight and inertia:

    sum_b [ m_b (a_b + g z) . v_b* + H_b' . w_b* ] = 0,   a_b = W z x v_b,   H_b' = W z x H_b               (1)

Virtual motions are those of nine rates (velocity of the rear hub, yaw, lean, pitch, steer, both spins) that leave both
contact points of the wheels at rest: three directions, of which the rolling itself fulfils (1) by symmetry. With the
motion scaled as e times a unit rolling, (1) reads A + e^2 B = 0 for two vectors A, B of three numbers, both across the
rolling. Hence, with n the rolling direction and f the height of the front wheel over the ground,

    D(lean, steer, pitch) = n . (A x B) = 0,     f(lean, steer, pitch) = 0                                  (2)

are two equations for a curve in three unknowns, e^2 = -A . B / B . B >= 0 says how fast. The curve passes smoothly
through postures where the pitch is no function of lean and steer (the frame goes over the front wheel). A family ends
standing still (e = 0), at infinite speed (B = 0), straight (lean and steer zero) or lying flat (lean a right angle).

P. Basu-Mandal, A. Chatterjee, J. M. Papadopoulos, "Hands-free circular motions of a benchmark bicycle", Proc. R. Soc. A
463 (2007), describe three families; see :func:`families`. The method here is our own; no accelerations are solved for,
so that it checks :mod:`centrode.vehicles.bicycle.turns`, which solves the engine's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from centrode.errors import RunError
from centrode.vehicles.bicycle.kinematics import Posture, SteadyMotion, Z, cross, placed, slips, twists
from centrode.vehicles.bicycle.parameters import BODIES, BicycleParameters

FLATTEST = math.radians(89.0)
"""Lean at which a family counts as lying flat."""
FASTEST = 1e5
"""e^2 (in terms of g times one metre) at which the speed counts as infinite."""
STANDING, INFINITE, STRAIGHT, FLAT, LOST = "standing still", "infinite speed", "straight", "lying flat", "lost"
"""How a family ends."""
FORWARD, REVERSED, SPINNING = "handlebar forward", "handlebar reversed", "flat spin to upright"


@dataclass(frozen=True)
class CircularMotion(SteadyMotion):
    """One hands-free circular motion; its residual is what is left of (1), relative to the weight of the machine.

    Attributes:
        front_heading: direction of the front wheel on the ground against the rear one [rad], right positive.
    """

    front_heading: float


@dataclass
class Family:
    """Circular motions along one curve, from one end to the other."""

    name: str
    motions: list[CircularMotion] = field(default_factory=list)
    begins: str = ""
    ends: str = ""


class CircleFinder:
    """Solves (2) for one machine.

    Args:
        parameters: the benchmark bicycle when left out.
        gravity: [m/s2].
    """

    def __init__(self, parameters: BicycleParameters | None = None, gravity: float = 9.81) -> None:
        self.p = parameters or BicycleParameters()
        self.gravity = gravity
        self.masses, self.inertias = self.p.masses(), self.p.inertias()
        self.weight = gravity * self.p.total_mass

    # -- equation (1) --------------------------------------------------------------------------------------------------

    def posture(self, z: np.ndarray) -> Posture:
        """Posture of the unknowns (lean, steer, pitch), heading x."""
        return placed(self.p, 0.0, 0.0, 0.0, float(z[0]), float(z[2]), float(z[1]))

    def on_wheels(self, lean: float, steer: float) -> np.ndarray:
        """Lean, steer and the pitch that brings the front wheel to the ground [rad]."""
        z = np.array([lean, steer, 0.0])
        for _ in range(30):
            h = 1e-6
            gap = self.posture(z).contacts["front"][2]
            z[2] -= gap * h / (self.posture(z + [0, 0, h]).contacts["front"][2] - gap)
            if abs(gap) < 1e-15:
                break
        return z

    def balance(self, z: np.ndarray, basis: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
        """(n, A, B, rates of the unit rolling, basis) of (2) in an orthonormal basis of the virtual motions.

        Args:
            z: lean, steer, pitch [rad].
            basis: of a posture close by, whose orientation is kept; shape (9, 3).
        """
        where = self.posture(z)
        each = twists(self.p, where)
        slip = slips(where, each)
        free = np.linalg.svd(slip)[2][6:].T  # (9, 3)
        if basis is not None:
            u, _, v = np.linalg.svd(free.T @ basis)
            free = free @ (u @ v)
        # Rolling: lean, pitch and steer stay; one direction of the six remaining rates.
        even = [0, 1, 2, 3, 7, 8]
        roll = np.zeros(9)
        roll[even] = np.linalg.svd(slip[:, even])[2][-1]
        if roll[7] < 0.0 or (roll[7] == 0.0 and roll[3] < 0.0):
            roll = -roll
        turn = roll[3]
        a, b = np.zeros(3), np.zeros(3)
        for k, body in enumerate(BODIES):
            motion = each[k] @ roll
            rotation = where.rotations[body]
            momentum = rotation @ self.inertias[body] @ rotation.T @ motion[3:]
            virtual = each[k] @ free
            a += self.masses[body] * self.gravity * virtual[2]
            b += self.masses[body] * (turn * cross(Z, motion[:3])) @ virtual[:3]
            b += (turn * cross(Z, momentum)) @ virtual[3:]
        return free.T @ roll, a, b, roll, free

    def equations(self, z: np.ndarray, basis: np.ndarray) -> np.ndarray:
        """(2), scaled to order one."""
        n, a, b, _, _ = self.balance(z, basis)
        return np.array([self.posture(z).contacts["front"][2], float(n @ cross(a, b)) / self.weight / 10.0])

    def square(self, z: np.ndarray) -> float:
        """e^2 of the motion, in m^2/s^2 of the scaled rates; negative where there is none."""
        _, a, b, _, _ = self.balance(z)
        size = float(b @ b)
        return -float(a @ b) / size if size > 0.0 else math.inf

    # -- following -----------------------------------------------------------------------------------------------------

    def jacobian(self, z: np.ndarray, basis: np.ndarray) -> np.ndarray:
        """Of (2), by central differences, shape (2, 3)."""
        h = 1e-5
        return np.column_stack(
            [(self.equations(z + h * e, basis) - self.equations(z - h * e, basis)) / (2.0 * h) for e in np.eye(3)]
        )

    def correct(self, guess: np.ndarray, along: np.ndarray | None = None) -> np.ndarray:
        """Point of the curve next to a guess, within the plane across ``along`` when given.

        Raises:
            RunError: no convergence.
        """
        z = np.array(guess, dtype=float)
        basis = self.balance(z)[4]
        best, size = z, math.inf
        for _ in range(25):
            f = self.equations(z, basis)
            if np.abs(f).max() < size:
                best, size = z.copy(), float(np.abs(f).max())
            elif size < 1e-11:
                return best
            jacobian = self.jacobian(z, basis)
            if along is not None:
                jacobian, f = np.vstack([jacobian, along]), np.append(f, 0.0)
            step = np.linalg.lstsq(jacobian, -f, rcond=None)[0]
            if not np.all(np.isfinite(step)):
                break
            length = float(np.abs(step).max())
            z = z + step * min(1.0, 0.2 / max(length, 1e-300))
            if length < 1e-9:  # the next one would be its square
                return z
        if size < 1e-10:
            return best
        raise RunError(f"no circular motion near lean {guess[0]:.4g}, steer {guess[1]:.4g} rad")

    def tangent(self, z: np.ndarray) -> np.ndarray:
        """Unit tangent of the curve."""
        return np.linalg.svd(self.jacobian(z, self.balance(z)[4]))[2][-1]

    def follow(
        self, z: np.ndarray, direction: np.ndarray, step: float = 0.01, most: int = 4000
    ) -> tuple[list[np.ndarray], str]:
        """Points of the curve from a start in a direction until it ends, and how it ends."""
        points = [np.array(z)]
        along = self.tangent(z)
        along = along if along @ direction >= 0.0 else -along
        length = step
        for _ in range(most):
            here = points[-1]
            try:
                ahead = self.correct(here + length * along, along)
            except RunError:
                ahead = None
            if ahead is None or np.linalg.norm(ahead - here - length * along) > 0.5 * length:
                length *= 0.5
                if length < 1e-7:
                    return points, LOST
                continue
            name = self._end(points, ahead)
            if name:
                if name != STRAIGHT:
                    points.append(self.end_point(here, along, length))
                return points, name
            points.append(ahead)
            turned = self.tangent(ahead)
            turned = turned if turned @ along >= 0.0 else -turned
            length = min(4.0 * step, length * (1.5 if turned @ along > 0.999 else 0.7))
            along = turned
        return points, LOST

    def _end(self, points: list[np.ndarray], z: np.ndarray) -> str:
        """Why the curve ends before z, or nothing."""
        if abs(z[0]) > FLATTEST:
            return FLAT
        before = points[-1]
        here, there = self.square(before), self.square(z)
        if there < 0.0 or there > FASTEST * self.gravity:
            growing = len(points) > 1 and here > self.square(points[-2])
            return INFINITE if growing else STANDING
        turned, was = math.remainder(float(z[1]), math.pi), math.remainder(float(before[1]), math.pi)
        if z[0] * before[0] <= 0.0 and turned * was <= 0.0 and abs(turned - was) < 0.5:
            return STRAIGHT
        return ""

    def end_point(self, here: np.ndarray, along: np.ndarray, length: float) -> np.ndarray:
        """The end itself, by halving between a point before it and one after it."""
        low, high, found = 0.0, length, here
        for _ in range(60):
            middle = 0.5 * (low + high)
            try:
                z = self.correct(here + middle * along, along)
            except RunError:
                break
            if abs(z[0]) > FLATTEST or not 0.0 <= self.square(z) <= FASTEST * self.gravity:
                high = middle
            else:
                low, found = middle, z
            if high - low < 1e-13:
                break
        return found

    def describe(self, z: np.ndarray) -> CircularMotion:
        """All figures of a point of the curve."""
        _, a, b, roll, _ = self.balance(z)
        square = max(self.square(z), 0.0)
        where = self.posture(z)
        rates = math.sqrt(square) * roll
        # The rear contact point moves as the frame turns: hub plus yaw about it.
        arm = where.contacts["rear"] - where.positions["rear-wheel"]
        moved = rates[:3] + cross(rates[3] * Z, arm)
        axle = where.rotations["fork"][:, 1]
        heading = math.atan2(axle[0], axle[1])
        lean, steer, pitch = (float(angle) for angle in z)
        yaw, speed, wheel_speed = -float(rates[3]), float(moved[0]), self.p.rear_radius * float(rates[7])
        radius = abs(speed / yaw) if yaw else math.inf
        residual = float(np.abs(a + square * b).max()) / self.weight
        return CircularMotion(lean, steer, -pitch, yaw, speed, radius, wheel_speed, residual, heading)

    # -- the families --------------------------------------------------------------------------------------------------

    def straight(self, reversed_bar: bool = False) -> tuple[np.ndarray, list[tuple[float, np.ndarray]]]:
        """Straight posture, and where circular motions branch off: e^2 and direction in (lean, steer, pitch).

        There A and B vanish; with their derivatives, (A_q + e^2 B_q) q = 0 is an eigenvalue problem for e^2.
        """
        z = self.on_wheels(0.0, math.pi if reversed_bar else 0.0)
        n, _, _, _, basis = self.balance(z)
        across = np.linalg.svd(n[None])[2][1:]
        h = 1e-4
        sides = [(self.balance(z + h * e, basis), self.balance(z - h * e, basis)) for e in np.eye(3)[:2]]
        a_q, b_q = (
            np.column_stack([across @ (plus[k] - minus[k]) / (2.0 * h) for plus, minus in sides]) for k in (1, 2)
        )
        # det(A_q + x B_q) is a quadratic in x.
        c0, c2 = np.linalg.det(a_q), np.linalg.det(b_q)
        c1 = np.linalg.det(a_q + b_q) - c0 - c2
        found = []
        for x in np.roots([c2, c1, c0]):
            if abs(x.imag) < 1e-9 * abs(x) and 0.0 < x.real < FASTEST * self.gravity:
                q = np.linalg.svd(a_q + x.real * b_q)[2][-1]
                found.append((float(x.real), np.array([*(q * math.copysign(1.0, q[0])), 0.0])))
        return z, sorted(found, key=lambda item: item[0])

    def branch(self, reversed_bar: bool) -> Family | None:
        """The family that branches off straight motion, towards leans to the right."""
        z, found = self.straight(reversed_bar)
        if not found:
            return None
        direction = found[0][1]
        try:
            points, end = self.follow(self.correct(z + 0.02 * direction, direction), direction)
        except RunError:
            return None
        return Family(REVERSED if reversed_bar else FORWARD, [self.describe(point) for point in points], STRAIGHT, end)

    def spinning(self, lean: float = math.radians(60.0)) -> Family | None:
        """The family that begins lying flat with the handlebar forward, found at a large lean."""
        last, basis = None, None
        for steer in np.radians(np.arange(2.0, 60.0, 2.0)):
            z = self.on_wheels(lean, steer)
            n, a, b, _, basis = self.balance(z, basis)
            d = float(n @ cross(a, b))
            if last is not None and d * last < 0.0 and self.square(z) > 0.0:
                further = np.array([1.0, 0.0, 0.0])
                here = self.correct(z, further)
                (back, begins), (on, ends) = (self.follow(here, direction) for direction in (further, -further))
                return Family(SPINNING, [self.describe(point) for point in (*back[::-1], *on[1:])], begins, ends)
            last = d
        return None


def families(parameters: BicycleParameters | None = None, gravity: float = 9.81) -> list[Family]:
    """The families of hands-free circular motions of a machine, as Basu-Mandal et al. (2007) order them.

    Handlebar forward, from the capsize speed of straight motion to standing still with the front wheel almost across;
    handlebar reversed, from the capsize speed of that straight motion to lying flat and spinning ever faster in small
    circles; and one that begins lying flat with the handlebar forward and ends at infinite speed with the frame near
    upright, the handlebar reversed and the front wheel almost across. A machine may lack some of them.
    """
    finder = CircleFinder(parameters, gravity)
    found = [finder.branch(False), finder.branch(True), finder.spinning()]
    return [family for family in found if family is not None]

"""The linear model from which a rider's gains come, and the gains: linear-quadratic, sampled, for any speed.

About straight motion at speed v, with q = (lean, steer) or, for a rider whose upper body leans, (lean, steer, waist),

    M q'' + (D + v C1) q' + (K + v^2 K2) q = f                                                      (1)
    h' = -(v steer + c steer') cos(tilt) / w,     e' = v h          h and e positive to the left    (2)

(2) is the yaw rate that the wheels roll (Meijaard et al. 2007, equation (B7)); (1) is theirs for a rigid rider (D = 0,
K = g K0) and is identified from the engine at two speeds for one who leans (D, and part of K, are damper and spring of
the waist). State x = (q, q', h, e); torques on the handlebar and, when the rider leans, in the waist are held
between samples, so the gain is that of the discrete system of one period (zero-order hold).

Gains are designed at multiples of a speed step and run straight between them. In a steady turn of curvature k, on
ground that falls to the right by an angle b, the wanted state has steer = -k w / cos(tilt), waist = 0 and the lean and
torques that make (1) vanish with lean + b in place of lean: gravity sees the bicycle lean by b more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from centrode.vehicles.bicycle.linear import IDENTIFICATION_SPEED, linear_bicycle, linearise_straight
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.upper_body import BicycleUpperBody

SPEED_STEP = 0.5
"""Gains are designed at multiples of this [m/s]."""
SLOWEST = 0.5
"""No design below this [m/s]: a bicycle that stands cannot be steered into balance."""
WAIST_EFFORT = 0.01
"""A torque of 10 N m in the waist costs as much as 1 N m at the handlebar."""


@dataclass(frozen=True, eq=False)
class RiderModel:
    """Matrices of (1), and what (2) needs: wheelbase w [m], trail c [m], steer axis tilt [rad]."""

    m: np.ndarray
    d: np.ndarray
    c1: np.ndarray
    k: np.ndarray
    k2: np.ndarray
    wheelbase: float
    trail: float
    tilt: float

    @property
    def inputs(self) -> int:
        """Torques: handlebar, and waist when there is one."""
        return len(self.m) - 1

    def matrices(self, speed: float) -> tuple[np.ndarray, np.ndarray]:
        """A and B of x' = A x + B torques, from (1) and (2)."""
        n = len(self.m)
        a, b = np.zeros((2 * n + 2, 2 * n + 2)), np.zeros((2 * n + 2, n - 1))
        a[:n, n : 2 * n] = np.eye(n)
        a[n : 2 * n, :n] = -np.linalg.solve(self.m, self.k + speed**2 * self.k2)
        a[n : 2 * n, n : 2 * n] = -np.linalg.solve(self.m, self.d + speed * self.c1)
        b[n : 2 * n] = np.linalg.inv(self.m)[:, 1:]
        a[2 * n, 1] = -speed * math.cos(self.tilt) / self.wheelbase
        a[2 * n, n + 1] = -self.trail * math.cos(self.tilt) / self.wheelbase
        a[2 * n + 1, 2 * n] = speed
        return a, b

    def gain(self, speed: float, period: float, weights: tuple[float, ...]) -> np.ndarray:
        """Smallest sum of weighted squares of state and torques; weights of lean, heading, lateral, waist angle."""
        from scipy.linalg import expm, solve_discrete_are

        a, b = self.matrices(speed)
        size, inputs = b.shape
        block = np.zeros((size + inputs, size + inputs))
        block[:size, :size], block[:size, size:] = a * period, b * period
        held = expm(block)
        ad, bd = held[:size, :size], held[:size, size:]
        lean, heading, lateral, waist = weights
        q = np.zeros(size)
        q[0], q[1], q[-2], q[-1] = lean, 1.0, heading, max(lateral, 1e-9)
        if inputs == 2:
            q[2] = waist
        r = np.diag([1.0, WAIST_EFFORT][:inputs])
        s = solve_discrete_are(ad, bd, np.diag(q), r)
        return np.asarray(np.linalg.solve(r + bd.T @ s @ bd, bd.T @ s @ ad))

    def scheduled_gain(self, speed: float, period: float, weights: tuple[float, ...]) -> np.ndarray:
        """Gain for a speed [m/s], straight between the designs at multiples of the speed step; (inputs, states)."""
        place = max(abs(speed), SLOWEST) / SPEED_STEP
        number = int(place)
        low, high = (_designed(self, number + k, float(period), weights) for k in (0, 1))
        return low + (place - number) * (high - low)

    def steady(self, speed: float, curvature: float, fall: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Wanted state and torques on a path of a curvature [1/m], left positive, on ground that falls to the right."""
        n = len(self.m)
        k = self.k + speed**2 * self.k2
        steer = -curvature * self.wheelbase / math.cos(self.tilt)
        # Unknown: lean against gravity, then the torques; rows of (1) with q'' = q' = 0.
        matrix = np.zeros((n, n))
        matrix[:, 0] = k[:, 0]
        matrix[1:, 1:] = -np.eye(n - 1)
        found = np.linalg.solve(matrix, -k[:, 1] * steer)
        x = np.zeros(2 * n + 2)
        x[0], x[1] = found[0] - fall, steer
        return x, found[1:]

    def wanted(self, speed: float, curvature: float, fall: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """As :meth:`steady`, for large leans: tan(lean) balances the turn, a leaning wheel needs less steer.

        The front wheel's direction on the ground has the tangent k w = tan(steer) cos(tilt) / cos(lean).
        """
        x, torques = self.steady(speed, curvature, fall)
        x[0] = math.atan(x[0] + fall) - fall
        x[1] = -math.atan(curvature * self.wheelbase * math.cos(x[0]) / math.cos(self.tilt))
        return x, torques


@lru_cache(maxsize=64)
def rider_model(p: BicycleParameters, gravity: float = 9.81, upper: BicycleUpperBody | None = None) -> RiderModel:
    """Identify (1) for a machine; kept, because that costs more than using it."""
    geometry = (p.wheelbase, p.trail, p.steer_tilt)
    if upper is None:
        linear = linear_bicycle(p, gravity)
        return RiderModel(linear.m, np.zeros((2, 2)), linear.c1, gravity * linear.k0, linear.k2, *geometry)
    v = IDENTIFICATION_SPEED
    still, moving = (linearise_straight(p, speed, gravity, upper) for speed in (0.0, v))
    m, d, k = (part[:3, :3] for part in (still.mass, still.damping, still.stiffness))
    return RiderModel(m, d, (moving.damping[:3, :3] - d) / v, k, (moving.stiffness[:3, :3] - k) / v**2, *geometry)


@lru_cache(maxsize=4096)
def _designed(model: RiderModel, number: int, period: float, weights: tuple[float, ...]) -> np.ndarray:
    return model.gain(number * SPEED_STEP, period, weights)

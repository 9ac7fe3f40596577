"""Linear theory of the bicycle, identified from nonlinear models: matrices, eigenvalues, critical speeds.

About straight upright motion at speed v, with q = (lean, steer),

    M q'' + v C1 q' + (g K0 + v^2 K2) q = f                                                    (1)

Meijaard, Papadopoulos, Ruina, Schwab (2007), equation (5.3). M is the reduced mass matrix; g K0 = K(0); C1 = C(v) / v;
K2 = (K(v) - K(0)) / v^2, with C and K from the complex step through :mod:`centrode.vehicles.bicycle.lecture` or from
differences through the engine, :mod:`centrode.dynamics.linearise`. The characteristic polynomial of (1) is

    c4 s^4 + c3 s^3 + c2 s^2 + c1 s + c0 = 0,   c3 = a3 v, c2 = a2 + b2 v^2, c1 = v (a1 + b1 v^2), c0 = a0 + b0 v^2  (2)

and the critical speeds are roots of polynomials in v^2:

    capsize        c0 = 0                                                                      (3)
    weave          c3 c2 c1 - c4 c1^2 - c3^2 c0 = 0  (Hurwitz), s = i sqrt(c1 / c3)            (4)
    double root    polynomial and derivative vanish: Newton's method in (s, v)                 (5)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.dynamics.linearise import Linearisation, linearise
from centrode.errors import InputError
from centrode.vehicles.bicycle.parameters import BicycleParameters
from centrode.vehicles.bicycle.upper_body import BicycleUpperBody

IDENTIFICATION_SPEED = 5.0
"""Speed [m/s] at which C1 and K2 are identified; (1) is exact in v, so a larger one only divides round-off."""
MODES = ("weave", "capsize", "castering")


@dataclass(frozen=True)
class CriticalSpeeds:
    """Speeds [m/s] at which the character of the modes changes; None when the machine has none.

    Attributes:
        double_root: two real eigenvalues meet and the weave mode begins.
        weave: the weave mode becomes stable.
        capsize: the capsize mode becomes unstable.
        double_root_value: the eigenvalue there [1/s].
        weave_frequency: angular frequency there [rad/s].
    """

    double_root: float | None
    weave: float | None
    capsize: float | None
    double_root_value: float | None
    weave_frequency: float | None

    @property
    def stable_range(self) -> tuple[float, float] | None:
        """Speeds between which the machine runs stably by itself."""
        if self.weave is None or self.capsize is None or self.weave >= self.capsize:
            return None
        return self.weave, self.capsize


@dataclass(frozen=True)
class LinearBicycle:
    """Matrices of (1)."""

    m: np.ndarray
    c1: np.ndarray
    k0: np.ndarray
    k2: np.ndarray
    gravity: float = 9.81

    def system_matrix(self, speed: float) -> np.ndarray:
        """A of x' = A x, x = (lean, steer, lean rate, steer rate)."""
        k = self.gravity * self.k0 + speed**2 * self.k2
        lower = -np.linalg.solve(self.m, np.hstack([k, speed * self.c1]))
        return np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), lower])

    def polynomial(self, speed: float) -> np.ndarray:
        """c4 .. c0 of (2), the highest power first."""
        k = self.gravity * self.k0 + speed**2 * self.k2
        entries = [[np.array([self.m[i, j], speed * self.c1[i, j], k[i, j]]) for j in (0, 1)] for i in (0, 1)]
        return np.polymul(entries[0][0], entries[1][1]) - np.polymul(entries[0][1], entries[1][0])

    def eigenvalues(self, speed: float) -> np.ndarray:
        """The four eigenvalues [1/s]: roots of (2), polished by Newton's method on the polynomial itself."""
        c = self.polynomial(speed)
        slope = np.polyder(c)
        s = np.linalg.eigvals(self.system_matrix(speed)).astype(complex)
        for _ in range(3):
            step = np.polyval(c, s) / np.where(np.abs(np.polyval(slope, s)) > 1e-9, np.polyval(slope, s), np.inf)
            s = s - step
        return s[np.lexsort((s.imag, s.real))]

    def named(self, speed: float) -> dict[str, Any]:
        """Eigenvalues by mode: castering is the most negative real one, capsize the other real one of smallest size,
        weave the pair (a complex number with positive imaginary part, or two real ones below the double root)."""
        s = self.eigenvalues(speed)
        real = sorted(float(x.real) for x in s if abs(x.imag) < 1e-7 * max(1.0, abs(x)))
        pairs = [complex(x) for x in s if x.imag >= 1e-7 * max(1.0, abs(x))]
        found: dict[str, Any] = {}
        if len(real) == 4:  # below the double root: two positive ones will become the weave mode
            found["castering"], found["capsize"] = complex(real[0]), complex(real[1])
            found["weave"] = (real[2], real[3])
        elif len(real) == 2:
            found["castering"], found["capsize"], found["weave"] = complex(real[0]), complex(real[1]), pairs[0]
        else:
            pairs.sort(key=lambda x: -x.real)
            found["weave"], found["second pair"] = pairs[0], pairs[1]
        return found

    def critical_speeds(self) -> CriticalSpeeds:
        """(3) to (5)."""
        c4, a2, a0 = (self.polynomial(0.0)[i] for i in (0, 2, 4))
        at1, at2 = self.polynomial(1.0), self.polynomial(2.0)
        a3, b2, b0 = at1[1], at1[2] - a2, at1[4] - a0
        b1 = (at2[3] / 2.0 - at1[3]) / 3.0
        a1 = at1[3] - b1
        capsize = math.sqrt(-a0 / b0) if b0 and -a0 / b0 > 0.0 else None
        first, second, third = np.array([b2, a2]), np.array([b1, a1]), np.array([b0, a0])
        hurwitz = a3 * np.polymul(first, second) - c4 * np.polymul(second, second)
        hurwitz = np.polysub(hurwitz, a3**2 * third)
        weave = frequency = None
        for square in sorted(float(x.real) for x in np.roots(hurwitz) if abs(x.imag) < 1e-12 and x.real > 0):
            if (a1 + b1 * square) / a3 > 0.0:
                weave, frequency = math.sqrt(square), math.sqrt((a1 + b1 * square) / a3)
        double = self._double_root(weave if weave is not None else 5.0)
        return CriticalSpeeds(double[1], weave, capsize, double[0], frequency)

    def _double_root(self, top: float) -> tuple[float | None, float | None]:
        speeds = np.linspace(0.0, top, 400)
        oscillating = [bool(np.any(np.abs(self.eigenvalues(v).imag) > 1e-6)) for v in speeds]
        if oscillating[0] or True not in oscillating:
            return None, None
        first = oscillating.index(True)
        pair = [x for x in self.eigenvalues(speeds[first]) if x.imag > 1e-6]
        s, v = float(max(pair, key=lambda x: x.real).real), float(speeds[first])
        for _ in range(60):
            h = 1e-4
            c, plus, minus = self.polynomial(v), self.polynomial(v + h), self.polynomial(v - h)
            along = (plus - minus) / (2.0 * h)  # exact enough: quadratic convergence does not need it exact
            d1, d2 = np.polyder(c), np.polyder(c, 2)
            f = np.array([np.polyval(c, s), np.polyval(d1, s)])
            jacobian = np.array([[f[1], np.polyval(along, s)], [np.polyval(d2, s), np.polyval(np.polyder(along), s)]])
            change = np.linalg.solve(jacobian, -f)
            s, v = s + change[0], v + change[1]
            if abs(change).max() < 1e-15 * max(1.0, abs(s)):
                break
        return float(s), float(v)


def linear_bicycle(
    parameters: BicycleParameters | None = None, gravity: float = 9.81, derivatives: str = "auto"
) -> LinearBicycle:
    """Identify (1) from a nonlinear model.

    Args:
        parameters: of the machine; the benchmark bicycle when left out.
        gravity: [m/s2].
        derivatives: "complex-step" through the lecture notes' equations, exact to round-off, for knife-edge wheels;
            "engine", by differences through the engine, for any machine; "auto" takes the first where it can.
    """
    p = parameters or BicycleParameters()
    v = IDENTIFICATION_SPEED
    if derivatives not in ("auto", "complex-step", "engine"):
        raise InputError("unknown kind of derivatives", got=derivatives, expected="auto, complex-step or engine")
    if derivatives == "complex-step" or derivatives == "auto" and not (p.rear_tyre or p.front_tyre):
        from centrode.vehicles.bicycle.lecture import complex_step_matrices

        m, _, k = complex_step_matrices(p, 0.0, gravity)
        _, c, k_moving = complex_step_matrices(p, v, gravity)
    else:
        still, moving = linearise_straight(p, 0.0, gravity), linearise_straight(p, v, gravity)
        m, k = still.mass[:2, :2], still.stiffness[:2, :2]
        c, k_moving = moving.damping[:2, :2], moving.stiffness[:2, :2]
    return LinearBicycle(m, c / v, k / gravity, (k_moving - k) / v**2, gravity)


def linearise_straight(
    parameters: BicycleParameters, speed: float, gravity: float = 9.81, upper: BicycleUpperBody | None = None
) -> Linearisation:
    """About straight motion, in (lean, steer, (waist,) rear wheel)."""
    from centrode.vehicles.bicycle.state import bicycle_workspace

    workspace = bicycle_workspace(parameters, gravity, upper, speed)
    chosen = [f"bike.{name}" for name in (*COORDINATES, *(() if upper is None else ("waist.angle",)))]
    # Nothing here depends on speeds but quadratically.
    return linearise(workspace, chosen, [f"bike.{name}" for name in CYCLIC], speed_step=2.0)


COORDINATES = ("frame.lean", "steer.angle")
"""Coordinates of the linear theory; with the rate of the rear wheel they are the mobility."""
CYCLIC = ("rear-hub.angle",)

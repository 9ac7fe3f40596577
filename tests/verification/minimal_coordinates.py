"""The benchmark mechanisms solved a second time, in minimal coordinates, with scipy: nothing of the engine is used.

One-degree-of-freedom systems reduce to A(q) q'' + A'(q) q'^2 / 2 + V'(q) = Q, where A(q) q'^2 / 2 is the kinetic
energy on the closed loop; the loop itself is closed by geometry.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

GRAVITY = 9.81


def four_bars(windows: int, time: float) -> tuple[float, float]:
    """First top joint of A02: theta'' = -g k cos theta from theta = pi/2, theta' = -1."""
    k = ((windows + 1) / 2 + windows) / ((windows + 1) / 3 + windows)
    run = solve_ivp(
        lambda t, y: [y[1], -GRAVITY * k * math.cos(y[0])],
        (0.0, time),
        [math.pi / 2, -1.0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-14,
    )
    return math.cos(run.y[0, -1]), math.sin(run.y[0, -1])


# -- A03: circles that meet, and a quadrature ---


class Squeezer:
    """Andrews' squeezer by elementary geometry: E, G and H are intersections of circles.

    From rest and with a constant torque the energy integral A b'^2/2 + V - M b = const gives the time as a
    quadrature, t = integral of sqrt(A / (2 (E + M b - V))) d b.
    """

    mass = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
    inertia = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    start = -0.0617138900142764496358948458001
    torque = 0.033
    A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)

    def __init__(self) -> None:
        self.signs = [1.0, 1.0, 1.0]
        beta, gamma, delta = self.start, 0.455279819163070380255912382449, 0.487364979543842550225598953530
        phi, omega, epsilon = 0.222668390165885884674473185609, -0.222668390165885884674473185609, 1.23054744454982119
        cos, sin = math.cos, math.sin
        # Centres of mass in the starting position, as Hairer and Wanner give them.
        a, b = np.array(self.A), np.array(self.B)

        def at(angle, along, across=0.0):
            return np.array([along * cos(angle) - across * sin(angle), along * sin(angle) + across * cos(angle)])

        self.centres = [
            at(beta, 0.00092),
            at(beta, 0.007 - 0.0115),
            b + at(gamma, 0.01043, -0.01874),
            a + at(delta, 0.04) + at(phi + delta, 0.0, -0.00579),
            a + at(delta, 0.02308, 0.00916),
            a + at(epsilon, 0.0, -0.04) + at(omega + epsilon, 0.00579),
            a + at(epsilon, -0.00449, -0.01228),
        ]
        self.gamma_start = gamma
        self.spring_point = b + at(gamma, 0.02, -0.018)
        wanted = {"E": at(beta, 0.007 - 0.028), "G": a + at(delta, 0.04), "H": a + at(epsilon, 0.0, -0.04)}
        for k, name in enumerate("EGH"):  # the branch on which the mechanism is assembled
            best = []
            for sign in (1.0, -1.0):
                self.signs[k] = sign
                found = self.points(beta)[name]
                best.append((math.hypot(found[0] - wanted[name][0], found[1] - wanted[name][1]), sign))
            self.signs[k] = min(best)[1]
            assert min(best)[0] < 1e-9
        self.first = self.points(beta)
        self.energy = self.potential(beta) - self.torque * beta

    def points(self, beta):
        """All moving points; beta may be complex (for derivatives by a complex step)."""
        F = (0.007 * np.cos(beta), 0.007 * np.sin(beta))
        E = meet(F, 0.028, self.B, 0.035, self.signs[0])
        G = meet(self.A, 0.04, E, 0.02, self.signs[1])
        H = meet(self.A, 0.04, E, 0.02, self.signs[2])
        return {"O": (0.0 * beta, 0.0 * beta), "A": self.A, "B": self.B, "F": F, "E": E, "G": G, "H": H}

    pairs = (("O", "F"), ("F", "E"), ("B", "E"), ("G", "E"), ("A", "G"), ("H", "E"), ("A", "H"))
    """Two points of every body."""

    def reduced_mass(self, beta: float) -> float:
        """A: sum of m |dc/db|^2 + I (dphi/db)^2."""
        step = 1e-200
        now = self.points(complex(beta, step))
        total = 0.0
        for k, (one, two) in enumerate(self.pairs):
            c, s, turn = self.turn(now, one, two)
            dx, dy = self.carried(now, one, c, s, self.centres[k])
            slope = (np.imag(dx) / step) ** 2 + (np.imag(dy) / step) ** 2
            total += self.mass[k] * slope + self.inertia[k] * (turn / step) ** 2
        return total

    def turn(self, now, one: str, two: str):
        """Cosine and sine of a body's rotation since the start, and the imaginary part of its angle."""
        ux, uy = self.first[two][0] - self.first[one][0], self.first[two][1] - self.first[one][1]
        vx, vy = now[two][0] - now[one][0], now[two][1] - now[one][1]
        square = ux * ux + uy * uy
        c, s = (ux * vx + uy * vy) / square, (ux * vy - uy * vx) / square
        return c, s, np.real(c) * np.imag(s) - np.real(s) * np.imag(c)

    def carried(self, now, one: str, c, s, place):
        """A body's own point now."""
        x, y = place[0] - self.first[one][0], place[1] - self.first[one][1]
        return now[one][0] + c * x - s * y, now[one][1] + s * x + c * y

    def potential(self, beta: float) -> float:
        now = self.points(beta)
        c, s, _ = self.turn(now, "B", "E")
        x, y = self.carried(now, "B", c, s, self.spring_point)
        return 0.5 * 4530.0 * (math.hypot(x - self.C[0], y - self.C[1]) - 0.07785) ** 2

    def time_at(self, beta: float) -> float:
        """Quadrature with b = start + u^2, which takes the square root away from the start."""

        def rate(u):
            b = self.start + u * u
            power = 2.0 * (self.energy + self.torque * b - self.potential(b))
            if u == 0.0:
                slope = self.torque - (self.potential(b + 1e-5) - self.potential(b - 1e-5)) / 2e-5
                return 2.0 * math.sqrt(self.reduced_mass(b) / (2.0 * slope))
            return 2.0 * u * math.sqrt(self.reduced_mass(b) / power)

        end = math.sqrt(beta - self.start)
        cuts = np.sqrt(np.arange(0.0, beta - self.start, 0.5 * math.pi))
        cuts = np.append(cuts, end)
        return math.fsum(
            quad(rate, a, b, epsabs=1e-15, epsrel=1e-12, limit=200)[0] for a, b in itertools.pairwise(cuts)
        )

    def angles_at(self, time: float) -> tuple[float, float]:
        """Angles beta and gamma."""
        beta = brentq(lambda b: self.time_at(b) - time, 15.7, 15.9, xtol=1e-13, rtol=1e-15)
        c, s, _ = self.turn(self.points(beta), "B", "E")
        return beta, self.gamma_start + math.atan2(s, c)


def meet(p, r, q, s, sign):
    """A point at distance r from p and s from q; analytic, so a complex step passes through."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    square = dx * dx + dy * dy
    along = (r * r - s * s + square) / (2.0 * square)
    across = sign * np.sqrt(r * r / square - along * along + 0j)
    if not isinstance(dx, complex) and not np.iscomplexobj(dx):
        across = across.real
    return p[0] + along * dx - across * dy, p[1] + along * dy + across * dx


# -- A04: a loop of rotations ---


class Bricard:
    """Six rotations in a row that close: Newton's method for five angles as functions of the first."""

    axes = (1, 2, 0, 1, 2, 0)
    rods = np.array([(1, 0, 0), (0, -1, 0), (0, 0, 1), (-1, 0, 0), (0, 1, 0)], dtype=float)

    def chain(self, angles):
        """Joint points P1 .. P5, rotations of the rods, and the closing error (position and rotation)."""
        rotation = np.eye(3)
        place = np.zeros(3)
        points, turns = [], []
        for k in range(5):
            rotation = rotation @ turn_about(self.axes[k], angles[k])
            place = place + rotation @ self.rods[k]
            points.append(place)
            turns.append(rotation)
        closed = rotation @ turn_about(self.axes[5], angles[5])
        skew = 0.5 * (closed - closed.T)
        return points, turns, np.concatenate([place - [0, 0, 1], [skew[2, 1], skew[0, 2], skew[1, 0]]])

    def world_axes(self, angles):
        rotation = np.eye(3)
        found = []
        for k in range(6):
            found.append(rotation @ np.eye(3)[self.axes[k]])
            rotation = rotation @ turn_about(self.axes[k], angles[k])
        return found

    def slopes(self, angles):
        """d angles / d first angle: the null vector of the loop's velocities."""
        points, _, _ = self.chain(angles)
        places = [np.zeros(3), *points]
        columns = [
            np.concatenate([axis, np.cross(axis, places[5] - place)])
            for axis, place in zip(self.world_axes(angles), places, strict=True)
        ]
        _, s, vt = np.linalg.svd(np.column_stack(columns))
        assert s[4] > 1e-6 > s[5]
        return vt[-1] / vt[-1][0]

    def close(self, first, guess):
        angles = guess.copy()
        angles[0] = first
        for _ in range(30):
            error = self.chain(angles)[2]
            if np.abs(error).max() < 1e-14:
                break
            jacobian = np.column_stack(
                [(self.chain(angles + d)[2] - self.chain(angles - d)[2]) / 2e-6 for d in 1e-6 * np.eye(6)[1:]]
            )
            angles[1:] -= np.linalg.lstsq(jacobian, error, rcond=None)[0]
        assert np.abs(self.chain(angles)[2]).max() < 1e-12
        return angles

    def mass_and_height(self, angles):
        points, turns, _ = self.chain(angles)
        places = [np.zeros(3), *points]
        rates = self.slopes(angles)
        axes = self.world_axes(angles)
        spin = np.zeros(3)
        speed = np.zeros(3)
        mass = height = 0.0
        for k in range(5):
            spin = spin + rates[k] * axes[k]
            along = places[k + 1] - places[k]
            middle = speed + np.cross(spin, 0.5 * along)
            axial = spin @ along
            mass += middle @ middle + 1.01 / 12 * (spin @ spin - axial * axial) + 0.01 / 6 * axial * axial
            height += places[k][1] + 0.5 * along[1]
            speed = speed + np.cross(spin, along)
        return mass, height, points

    def point_at(self, time: float) -> np.ndarray:
        """Point 3 after the release from rest."""
        low, high = -0.3, 1.3
        nodes = 0.5 * (low + high) + 0.5 * (high - low) * np.cos(math.pi * (np.arange(60) + 0.5) / 60)
        table = {}
        for side in (sorted(n for n in nodes if n >= 0), sorted((n for n in nodes if n < 0), reverse=True)):
            angles = np.zeros(6)
            for q in side:
                last = angles[0]
                for part in np.linspace(last, q, 4)[1:]:
                    angles = self.close(part, angles + self.slopes(angles) * (part - angles[0]))
                table[q] = angles
        found = [self.mass_and_height(table[q]) for q in nodes]
        mass = Chebyshev.fit(nodes, [f[0] for f in found], 59, domain=[low, high])
        height = Chebyshev.fit(nodes, [f[1] for f in found], 59, domain=[low, high])
        mass_slope, height_slope = mass.deriv(), height.deriv()
        run = solve_ivp(
            lambda t, y: [y[1], -(0.5 * mass_slope(y[0]) * y[1] ** 2 + GRAVITY * height_slope(y[0])) / mass(y[0])],
            (0.0, time),
            [0.0, 0.0],
            method="DOP853",
            rtol=1e-12,
            atol=1e-13,
        )
        assert low < run.y[0].min() and run.y[0].max() < high
        nearest = min(table, key=lambda q: abs(q - run.y[0, -1]))
        return self.chain(self.close(run.y[0, -1], table[nearest]))[0][2]


def turn_about(axis: int, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


# -- A05: three coordinates, one of them cyclic ---


def governor(times: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Height of the slider and angle of the arms: coordinates alpha and s, the shaft's angle is cyclic.

    Each arm (rod 0.3 kg uniform, ball 5 kg) turns about a hinge at radius 0.05: with l along the arm, radius
    0.05 + l cos a, height 1 - l sin a.
    """
    rod, ball, slider, offset = 0.3, 5.0, 3.0, 0.05
    first = rod * 0.5 + ball
    transverse = rod * 1.0001 / 12
    second = transverse + rod * 0.25 + ball  # about the hinge
    fixed = 5e-6 + 0.005 + 2.0 * (rod + ball) * offset**2

    def spin_inertia(a):
        c = math.cos(a)
        return fixed + 2.0 * (2.0 * offset * first * c + second * c * c + 5e-6 * math.sin(a) ** 2)

    momentum = spin_inertia(math.radians(30)) * 2.0 * math.pi

    def rates(t, y):
        a, s, da, ds = y
        c, n = math.cos(a), math.sin(a)
        # Spring from (0.05, s) to the middle of the arm (0.05 + c/2, 1 - n/2).
        x, z = 0.5 * c, 1.0 - 0.5 * n - s
        length = math.hypot(x, z)
        slope_a = (x * -0.5 * n + z * -0.5 * c) / length
        slope_s = -z / length
        tension = 8e5 * (length - 0.5) + 4e4 * (slope_a * da + slope_s * ds)
        inertia = spin_inertia(a)
        swing = 2.0 * (-2.0 * offset * first * n - 2.0 * second * c * n + 2.0 * 5e-6 * n * c)
        force_a = 0.5 * swing * (momentum / inertia) ** 2 + 2.0 * GRAVITY * first * c - 2.0 * tension * slope_a
        force_s = -slider * GRAVITY - 2.0 * tension * slope_s
        return [da, ds, force_a / (2.0 * second), force_s / slider]

    run = solve_ivp(
        rates, (0.0, times[-1]), [math.radians(30), 0.5, 0.0, 0.0], method="Radau", t_eval=times, rtol=1e-9, atol=1e-12
    )
    return run.y[1], run.y[0]

"""Statics of beams for tests: Newton's method on the poses of free bodies, with tangents by differences.

Independent of all methods of motion: only the wrenches of the forces are used. Time is the load factor.
"""

from __future__ import annotations

import itertools

import numpy as np

from centrode.dynamics.evaluate import rates_at
from centrode.dynamics.workspace import Workspace
from centrode.parts.kernel_types import FRAME, POSITION
from centrode.system.model import build_model

STEP = 1e-6
"""Of the differences [m, rad]."""


class Statics:
    """One beam without joints, of which the bodies ``held`` are clamped: equilibrium by Newton's method."""

    def __init__(self, system, held):
        self.model = build_model(system)
        self.workspace = Workspace(self.model)
        fixed = {self.model.body_index(name) - 1 for name in held}
        self.free = [slot for slot in range(self.model.body_count) if slot not in fixed]
        rows = [self.model.body_rows[slot] for slot in self.free]
        self.weights = np.array([[row.mass] * 3 + row.inertia.tolist() for row in rows]).ravel()

    def residual(self, time):
        """Force (world) and torque (body axes) on every free body [N, N m]."""
        rates_at(time, False, self.workspace.address)
        return self.workspace["acceleration"][self.free].ravel() * self.weights

    def move(self, change):
        """Shift (world) and turn (body axes) every free body."""
        pose, parts = self.workspace["pose"], change.reshape(-1, 6)
        pose[self.free, :3] += parts[:, :3]
        angle = np.linalg.norm(parts[:, 3:], axis=1)[:, None]
        c, s = np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * parts[:, 3:]
        w, v = pose[self.free, 3:4], pose[self.free, 4:7]
        turned = np.hstack([w * c - (v * s).sum(axis=1, keepdims=True), w * s + c * v + np.cross(v, s)])
        pose[self.free, 3:7] = turned / np.linalg.norm(turned, axis=1)[:, None]

    def tangent(self, time):
        """d residual / d change, by differences to either side, of every third body at once: only neighbours act."""
        kept, count = self.workspace["pose"].copy(), len(self.free)
        found = np.zeros((6 * count, 6 * count))
        for first, k in itertools.product(range(min(3, count)), range(6)):
            ends = []
            for sign in (1.0, -1.0):
                change = np.zeros((count, 6))
                change[first::3, k] = sign * STEP
                self.move(change)
                ends.append(self.residual(time))
                self.workspace["pose"][:] = kept
            slope = (ends[0] - ends[1]) / (2.0 * STEP)
            for body in range(first, count, 3):
                rows = slice(6 * max(body - 1, 0), 6 * (body + 2))
                found[rows, 6 * body + k] = slope[rows]
        return found

    def solve(self, loads=(1.0,), iterations=60):
        """Equilibrium at the last of the load factors, each from the one before; returns the last residual."""
        for load in loads:
            smallest = np.inf
            for _ in range(iterations):
                out = self.residual(load)
                size = np.abs(out).max()
                if size == 0.0 or (size < 1e-6 and size >= 0.5 * smallest):
                    break  # round-off: it gets no smaller
                smallest = min(smallest, size)
                change = np.linalg.solve(self.tangent(load), -out)
                self.move(change * min(1.0, 0.3 / max(np.abs(change).max(), 1e-30)))
        return np.abs(self.residual(loads[-1])).max()

    def place(self, name):
        """Position [m] and axes (3, 3) of a point (sensor) of the system."""
        marker = self.workspace["markers"][self.model.sensors[name]]
        return marker[POSITION : POSITION + 3].copy(), marker[FRAME : FRAME + 9].reshape(3, 3).copy()

    def stiffness_and_mass(self, time=0.0):
        """Symmetric stiffness matrix at the present pose, and the masses: K x = w^2 m x."""
        stiffness = -self.tangent(time)
        return 0.5 * (stiffness + stiffness.T), self.weights

    def frequencies(self, time=0.0):
        """Natural frequencies about the present pose [rad/s], in order."""
        stiffness, mass = self.stiffness_and_mass(time)
        root = np.sqrt(mass)
        return np.sqrt(np.maximum(np.linalg.eigvalsh(stiffness / np.outer(root, root)), 0.0))


def clamped_rod(length, axes, curvature, stiffness, load):
    """Tip of a rod in equilibrium [m], by shooting on the differential equations of Cosserat: a reference of its own.

    p' = R (e_x + n/C),  R' = R hat(k_0 + m/D),  m' = -p' x n, with n the dead load at the tip, n and m turned by R^T
    where they meet the section's stiffnesses C and D; the moment at the clamp is found such that m vanishes at the tip.
    Tolerances of 1e-10.

    Args:
        axes: of the section at the clamp, which lies in the origin; columns.
        curvature: k_0 at rest, in axes of the section [1/m].
        stiffness: EA, GA, GA and GJ, EI, EI, shape (2, 3).
        load: force at the tip, world [N].
    """
    from scipy.integrate import solve_ivp
    from scipy.optimize import fsolve

    (c, d), force, size = (
        np.asarray(stiffness, dtype=float),
        np.asarray(load, dtype=float),
        np.linalg.norm(load) * length,
    )

    def rates(_, y, n):
        turn, m = y[3:12].reshape(3, 3), y[12:]
        k = curvature + turn.T @ m / d
        way = turn @ (np.array([1.0, 0.0, 0.0]) + turn.T @ n / c)
        hat = np.array([[0.0, -k[2], k[1]], [k[2], 0.0, -k[0]], [-k[1], k[0], 0.0]])
        return np.concatenate([way, (turn @ hat).ravel(), -np.cross(way, n)])

    def end(moment, n):
        start = np.concatenate([np.zeros(3), np.ravel(axes), size * moment])
        options = {"args": (n,), "rtol": 1e-10, "atol": 1e-10, "method": "DOP853"}
        return solve_ivp(rates, (0.0, length), start, **options).y[:, -1]

    moment = np.zeros(3)
    for share in np.linspace(0.1, 1.0, 10):
        moment = fsolve(lambda x, n: end(x, n)[12:] / size, moment, args=(share * force,), xtol=1e-12)
    return end(moment, force)[:3]

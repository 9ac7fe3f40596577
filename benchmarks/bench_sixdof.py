"""The AUV with four fins: Centrode's engine beside plain NumPy loops; a thousand AUVs at once; cost of long logs.

Ours is the ordinary engine with the lecture's vehicle (full Coriolis terms, four fins with the table of NACA 0012,
quaternion attitude), classical Runge-Kutta, one core. The peers compute the same model in plain NumPy, as a script
would: small arrays, ``np.cross``, one Python call per evaluation; one of them with explicit Euler steps, which is how
the Python Vehicle Simulator advances (its package cannot be installed from the index, so it is not measured here). The
error is the distance [m] from a fine solution after 20 s at a step of 0.01 s. Rates are per second of processor time
(one core), so that a busy machine does not change them; the fleet is measured against the clock.
"""

from __future__ import annotations

import math
import time
from functools import lru_cache
from typing import Any

import numpy as np
from harness import Case, Measurement, seconds

import centrode as ct
from centrode.parts.forces.foil_section import naca0012_rows
from centrode.running import Session
from centrode.system.settings import RunSettings
from centrode.vehicles.auv import Auv

STEP = 0.01
RUDDER = math.radians(5.0)
FLEET = 1000


def session(count: int = 1, tolerance_run: bool = False) -> Session:
    """Session of one or many AUVs in a turn."""
    system = ct.System(gravity=(0.0, 0.0, 9.81))
    for k in range(count):
        rudder = RUDDER * (1.0 + 0.001 * k)
        system.add(Auv(f"auv{k}", position=(0.0, 5.0 * k, 0.0), thrust=2.0, fin_commands=(0.0, -rudder, 0.0, rudder)))
    if tolerance_run:
        return Session(system, RunSettings(audit=False, tolerance=1e-10))
    return Session(system, RunSettings(audit=False, method="rk4", step=STEP))


@lru_cache(maxsize=1)
def truth() -> np.ndarray:
    """Position after 20 s by DOP853."""
    run = session(tolerance_run=True)
    run.advance(np.array([20.0]))
    return run.workspace["pose"][0, :3].copy()


def engine() -> Measurement:
    """RK4 steps per second of the engine."""
    run = session()
    run.advance(np.array([20.0]))
    error = float(np.linalg.norm(run.workspace["pose"][0, :3] - truth()))
    simulated = 500.0
    began = time.process_time()
    run.advance(np.array([run.run.time + simulated]))
    return Measurement(simulated / STEP / (time.process_time() - began), error)


class PlainAuv:
    """The same vehicle in plain NumPy."""

    def __init__(self) -> None:
        self.mass = np.array([10.0, 10.0, 10.0])
        self.inertia = np.array([1.0, 5.0, 5.0])
        self.damping = np.array([1.0, 5.0, 5.0])
        self.turning = np.array([0.1, 1.0, 1.0])
        self.rows = naca0012_rows()
        self.fins = []
        for angle, deflection in zip(np.arange(4) * math.pi / 2, (0.0, -RUDDER, 0.0, RUDDER), strict=True):
            span = np.array([0.0, math.cos(angle), math.sin(angle)])
            chord = np.array([1.0, 0.0, 0.0]) * math.cos(deflection) + np.cross(span, [1.0, 0.0, 0.0]) * math.sin(
                deflection
            )
            self.fins.append((np.array([-0.6, 0.0, 0.0]) + 0.0967 * span, span, chord, np.cross(span, chord)))

    def rates(self, x: np.ndarray) -> np.ndarray:
        """Rate of (position, quaternion, v, w)."""
        q, v, w = x[3:7], x[7:10], x[10:13]
        a, b, c, d = q / np.linalg.norm(q)
        rotation = np.array(
            [
                [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
                [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
                [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)],
            ]
        )
        momentum = self.mass * v
        force = -np.cross(w, momentum) - self.damping * v + np.array([2.0, v[0] * w[2], -v[0] * w[1]])
        moment = -np.cross(w, self.inertia * w) - np.cross(v, momentum) - self.turning * w
        moment = moment + np.cross([0.0, 0.0, 0.02], 92.4570735 * rotation[2])
        for place, span, chord, normal in self.fins:
            flow = v + np.cross(w, place)
            along, across = flow @ chord, flow @ normal
            square = along * along + across * across
            if square > 0.0:
                alpha = math.degrees(math.atan2(-across, along))
                lift = math.copysign(np.interp(abs(alpha), self.rows[:, 0], self.rows[:, 1]), alpha)
                drag = np.interp(abs(alpha), self.rows[:, 0], self.rows[:, 2])
                against = -(along * chord + across * normal) / math.sqrt(square)
                push = 4.0 * square * (lift * np.cross(against, span) + drag * against)
                force = force + push
                moment = moment + np.cross(place, push)
        spin = 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
        return np.concatenate([rotation @ v, spin, force / self.mass, moment / self.inertia])


def plain(order: int) -> Any:
    """Measures a NumPy loop: explicit Euler (1) or RK4 (4)."""

    def measure() -> Measurement:
        auv = PlainAuv()
        x = np.zeros(13)
        x[3] = 1.0
        count = round(20.0 / STEP)
        began = time.process_time()
        for _ in range(count):
            k1 = auv.rates(x)
            if order == 1:
                x = x + STEP * k1
            else:
                k2 = auv.rates(x + 0.5 * STEP * k1)
                k3 = auv.rates(x + 0.5 * STEP * k2)
                k4 = auv.rates(x + STEP * k3)
                x = x + STEP / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
            x[3:7] /= np.linalg.norm(x[3:7])
        elapsed = time.process_time() - began
        return Measurement(count / elapsed, float(np.linalg.norm(x[:3] - truth())))

    return measure


@lru_cache(maxsize=1)
def fleet_session() -> Session:
    """A thousand AUVs in one system (building it takes longer than a second of motion)."""
    return session(FLEET)


def fleet() -> Measurement:
    """Simulated seconds per second of a thousand AUVs."""
    run = fleet_session()
    elapsed = seconds(lambda: run.advance(np.array([run.run.time + 1.0])))
    return Measurement(1.0 / elapsed)


def log_growth() -> Measurement:
    """Time per recorded frame of 40 000 frames over that of 4 000: 1 is linear."""
    costs = []
    for count in (4_000, 40_000):
        system = ct.System(gravity=(0.0, 0.0, 9.81))
        system.add(Auv("auv", thrust=2.0))
        elapsed = seconds(
            lambda count=count, system=system: ct.simulate(
                system, duration=0.02 * count, frames=0.02, method="rk4", step=0.02, audit=False
            )
        )
        costs.append(elapsed / count)
    return Measurement(costs[1] / costs[0])


CASES = [
    Case(
        "sixdof.auv_steps",
        "steps/s",
        engine,
        {"plain NumPy, explicit Euler": plain(1), "plain NumPy, RK4": plain(4)},
        larger_is_better=True,
        note="AUV with four fins, step 0.01 s, per second of processor time; error: distance after 20 s [m]",
        repeat=3,
    ),
    Case(
        "sixdof.auv_fleet",
        "s/s",
        fleet,
        larger_is_better=True,
        note="1,000 AUVs at once, RK4 with a step of 0.01 s, one core: simulated seconds per second",
        repeat=3,
    ),
    Case(
        "sixdof.log_growth",
        "1",
        log_growth,
        note="time per frame of a log of 40,000 frames over that of one of 4,000; 1 is linear",
        repeat=1,
    ),
]

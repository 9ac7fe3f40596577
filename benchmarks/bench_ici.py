"""Planar instantaneous-centre steps: Centrode's batch of vehicles beside plain NumPy and a plain Python loop.

Every runner integrates the same vehicles with the same rates, which change in every step (read from an array, as they
would come from a dynamic model). One core. The figure is vehicle-steps per second; the error is the largest distance
[m] from the positions that the library's sine gives after the same steps. A second case measures memory: peak bytes of
a long run over those of a run with a hundredth of the steps, when only first and last frame are kept.
"""

from __future__ import annotations

import math
import tracemalloc
from functools import lru_cache

import numpy as np
from harness import Case, Measurement, seconds

from centrode.math.ici_plane import advance_plane_exact
from centrode.studies.ici.fleet import advance_fleet
from centrode.studies.ici.march import (
    march_fleet_exact,
    march_fleet_exact_wide,
    march_fleet_first,
    march_fleet_second,
)

VEHICLES = 1024
STEPS = 256
DT = 0.01


@lru_cache(maxsize=1)
def rates() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rates of every vehicle at every step: speed, sideslip and yaw rate all change from step to step."""
    time = DT * np.arange(STEPS)[:, None]
    phase = np.linspace(0.0, 2.0 * math.pi, VEHICLES)[None, :]
    return 20.0 + 5.0 * np.sin(time + phase), np.cos(2.0 * time - phase), 0.4 + 1.5 * np.sin(0.7 * time + 3.0 * phase)


def start() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All vehicles at the origin, heading along x."""
    return np.zeros(VEHICLES), np.zeros(VEHICLES), np.ones(VEHICLES), np.zeros(VEHICLES)


@lru_cache(maxsize=1)
def truth() -> tuple[np.ndarray, np.ndarray]:
    """Positions after all steps with the library's sine, one vehicle at a time for the first 16."""
    vx, vy, omega = rates()
    ends = []
    for vehicle in range(16):
        state = (0.0, 0.0, 1.0, 0.0)
        for step in range(STEPS):
            state = advance_plane_exact(
                *state, float(vx[step, vehicle]), float(vy[step, vehicle]), float(omega[step, vehicle]), DT
            )
        ends.append(state[:2])
    return tuple(np.array(ends).T)  # type: ignore[return-value]


def miss(x: np.ndarray, y: np.ndarray) -> float:
    """Largest distance from the truth among the first vehicles [m]."""
    right = truth()
    count = min(16, x.size)
    return float(np.hypot(x[:count] - right[0][:count], y[:count] - right[1][:count]).max())


def compiled(loop):  # type: ignore[no-untyped-def]
    """Measures one compiled loop over the whole batch, rates in memory."""

    def measure() -> Measurement:
        state = start()
        loop(*state, *rates(), DT)
        error = miss(state[0], state[1])
        elapsed = seconds(lambda: loop(*state, *rates(), DT), loops=20)
        return Measurement(VEHICLES * STEPS / elapsed, error)

    return measure


def public_call() -> Measurement:
    """The public function with its checks of all rates, frames kept every 64 steps."""
    position, heading = np.zeros((VEHICLES, 2)), np.tile([1.0, 0.0], (VEHICLES, 1))
    frames = advance_fleet(position, heading, rates(), DT, STEPS, keep_every=64)
    elapsed = seconds(lambda: advance_fleet(position, heading, rates(), DT, STEPS, keep_every=64), loops=5)
    return Measurement(VEHICLES * STEPS / elapsed, miss(frames.x[-1], frames.y[-1]))


def plain_numpy() -> Measurement:
    """Array expressions over all vehicles, one step at a time: the same chord form."""
    vx, vy, omega = rates()

    def advance() -> tuple[np.ndarray, np.ndarray]:
        x, y, ux, uy = start()
        for step in range(STEPS):
            half = 0.5 * DT * omega[step]
            s, c = np.sin(half), np.cos(half)
            reach = np.where(half == 0.0, 1.0, s / np.where(half == 0.0, 1.0, half)) * DT
            mx, my = c * ux - s * uy, c * uy + s * ux
            x = x + reach * (vx[step] * mx - vy[step] * my)
            y = y + reach * (vx[step] * my + vy[step] * mx)
            cosine, sine = 1.0 - 2.0 * s * s, 2.0 * s * c
            ux, uy = cosine * ux - sine * uy, cosine * uy + sine * ux
        return x, y

    error = miss(*advance())
    return Measurement(VEHICLES * STEPS / seconds(advance), error)


def plain_python() -> Measurement:
    """A loop over vehicles and steps with the math module; 16 vehicles, figures per vehicle-step."""
    vx, vy, omega = (array[:, :16].T.tolist() for array in rates())
    sin, cos = math.sin, math.cos

    def advance() -> tuple[np.ndarray, np.ndarray]:
        ends = []
        for forward, sideways, turning in zip(vx, vy, omega, strict=True):
            x, y, ux, uy = 0.0, 0.0, 1.0, 0.0
            for v, w, o in zip(forward, sideways, turning, strict=True):
                half = 0.5 * DT * o
                s, c = sin(half), cos(half)
                reach = DT * (s / half if half else 1.0)
                mx, my = c * ux - s * uy, c * uy + s * ux
                x += reach * (v * mx - w * my)
                y += reach * (v * my + w * mx)
                cosine, sine = 1.0 - 2.0 * s * s, 2.0 * s * c
                ux, uy = cosine * ux - sine * uy, cosine * uy + sine * ux
            ends.append((x, y))
        return tuple(np.array(ends).T)  # type: ignore[return-value]

    error = miss(*advance())
    return Measurement(16 * STEPS / seconds(advance), error)


def memory_growth() -> Measurement:
    """Peak bytes of 25 600 steps over those of 256 steps; only first and last frame kept."""
    vx, vy, omega = rates()

    def block(first: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return vx[:count], vy[:count], omega[:count]

    def peak(steps: int) -> int:
        position, heading = np.zeros((VEHICLES, 2)), np.tile([1.0, 0.0], (VEHICLES, 1))
        tracemalloc.start()
        advance_fleet(position, heading, block, DT, steps)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    return Measurement(peak(100 * STEPS) / peak(STEPS))


CASES = [
    Case(
        "ici.plane_exact_batch",
        "steps/s",
        compiled(march_fleet_exact),
        {
            "plain NumPy": plain_numpy,
            "plain Python": plain_python,
            "compiled, library sine": compiled(march_fleet_exact_wide),
        },
        larger_is_better=True,
        note="1024 vehicles, 256 steps, rates change per vehicle and per step; one core; error: miss [m] after 2.56 s",
    ),
    Case(
        "ici.plane_exact_public_call",
        "steps/s",
        public_call,
        {"plain NumPy": plain_numpy},
        larger_is_better=True,
        note="the same through advance_fleet: rates checked for NaN and range, a frame kept every 64 steps",
    ),
    Case(
        "ici.plane_second_batch",
        "steps/s",
        compiled(march_fleet_second),
        {"first order": compiled(march_fleet_first)},
        larger_is_better=True,
        note="second order beside first order; error: distance [m] from the pseudo-exact path after 2.56 s",
    ),
    Case(
        "ici.fleet_memory_growth",
        "1",
        memory_growth,
        note="peak memory at 25 600 steps over that at 256 steps, first and last frame kept; 1 means independent",
        repeat=1,
    ),
]
